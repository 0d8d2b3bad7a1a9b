"""Words of a Chinese message: segmentation with tags, the few words the rules turn on, and what of a message is spoken at all."""

from __future__ import annotations

import itertools
import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import rjieba

from memory.extraction.draft import DateRange

READ = 4000
"""Characters read of one message: more than anyone types, few enough for a bounded time."""

_HUMBLE = (
    "在下 晚辈 鄙人 老夫 老身 贫道 贫僧 本座 本王 本宫 本尊 本官 本姑娘 本小姐 本少爷 本大爷 小女子 小生 奴家 末将 妾身 臣妾 朕".split()
)
"""How people of old tales call themselves."""
ME = frozenset(["我", "俺", "本人", *_HUMBLE])
WE = frozenset("我们 咱们 咱 俺们 咱俩 我俩".split())
YOU = frozenset("你 您 你们 您们".split())
THEY = frozenset("他 她 它 他们 她们 它们 人家 对方 TA ta".split())
POINTING = tuple("这 那 此 该 其 之 上述 以上".split())
NOT_POINTING = ("这么", "那么", "其实", "其他", "其它", "其中", "之前", "之后", "之间", "之一", "那时", "该怎")

KIN = frozenset(
    "妈妈 爸爸 妈 爸 父亲 母亲 父母 爸妈 哥哥 姐姐 弟弟 妹妹 哥 姐 弟 妹 大哥 大姐 二哥 二姐 爷爷 奶奶 外婆 外公 姥姥 姥爷 叔叔 阿姨 舅舅 舅妈 "
    "姑姑 姑妈 姨妈 伯伯 婶婶 表哥 表姐 表弟 表妹 堂哥 堂姐 堂弟 堂妹 儿子 女儿 孩子 宝宝 孙子 孙女 侄子 侄女 外甥 外甥女 家人 "
    "公公 婆婆 岳父 岳母 嫂子 姐夫 妹夫 双胞胎 闺女 丫头 老爸 老妈 爹 娘 爹妈 爹娘 爷 奶 舅 姨 姑 叔 大伯 二叔 三叔 大舅 二舅 小舅 大姨 小姨 大姑 小姑 "
    "家父 家母 家兄 家姐 舍弟 舍妹 干妈 干爹 义父 义母 姨母 舅母 姑母 伯母 婶母 叔父 伯父 舅父 大嫂 弟媳 女婿 姨夫 "
    "姑父 姑夫 姨父 小舅子 大舅子 小姨子 大姨子 老妹 老弟 老伴 侄儿 外孙 外孙女".split()
)
POST = re.compile(
    r"(?:组|班|队|店|厂|校|院|科|处|村|社|会|团|船|部|董事|护士|秘书)长|(?:班)?主任|经理|总监|主管|掌柜|主编|总编|教授|辅导员|班主任|师尊|掌门"
)
"""Whose people one is among: 我们店长."""
LOVE = frozenset("老公 老婆 丈夫 妻子 先生 太太 爱人 媳妇 男朋友 女朋友 男友 女友 对象 未婚夫 未婚妻 伴侣".split())
PEOPLE = frozenset(
    "朋友 好朋友 闺蜜 哥们 兄弟 同事 同学 室友 舍友 同桌 邻居 老板 领导 上司 老师 导师 教练 师父 师傅 徒弟 师兄 师姐 师弟 师妹 大师兄 小师妹 搭档 队友 学生 房东 客户 "
    "前男友 前女友 前任 "
    "大学同学 高中同学 小学同学 发小 男神 女神 偶像".split()
)
BEASTS = tuple(
    "猫 狗 犬 兔 鸟 鱼 龟 鼠 鹦鹉 蛇 蜥蜴 马 羊 鸡 鸭 猪 刺猬 柯基 金毛 泰迪 哈士奇 二哈 布偶 橘猫 仓鼠 龙猫 宠物 猫咪 狗狗 "
    "小狗 小猫 拉布拉多 边牧 柴犬".split()
)
OWN_THINGS = frozenset(
    "名字 生日 老家 家乡 故乡 职业 工作 专业 爱好 兴趣 梦想 理想 目标 心愿 愿望 心情 压力 身体 睡眠 头 肚子 胃 腰 腿 脚 手 眼睛 "
    "嗓子 喉咙 牙 牙齿 膝盖 血压 血型 星座 属相 家 "
    "身高 体重 母语 国籍 民族 年龄 外号 小名 昵称 绰号 胃口 记性 酒量 脾气 性格 作息 偏头痛 视力 微信名 网名 电话 特长 强项 房间 公司 学校".split()
)
"""What has an owner by its nature: without a word to the contrary it is the speaker's."""

LEAD = frozenset(
    "嗯 嗯嗯 啊 哦 噢 喔 哎 唉 诶 欸 哈 哈哈 哈哈哈 嘿 嘿嘿 嘻嘻 呵呵 呜呜 哇 哇塞 呀 喂 嗨 好的 好吧 好啊 好呀 对了 对啊 对呀 是的 "
    "是啊 是呀 没错 当然 当然了 话说 说实话 老实说 "
    "其实 不过 但是 但 可是 然而 并 所以 因此 因为 由于 而且 并且 而 然后 于是 接着 后来 那 那么 另外 此外 毕竟 总之 反正 原来 虽然 "
    "尽管 不仅 不但 只是 "
    "首先 其次 最后 当时 同时 既然 结果 幸好 幸亏 可惜 果然 难怪 怪不得 就是 就是说 也就是说 一方面 总的来说 说起来 话说回来 说到底 "
    "事实上 实际上".split()
)
"""What may open a clause and adds nothing to it once it stands alone."""
TIMES = frozenset(
    "早上 晚上 上午 下午 中午 凌晨 半夜 夜里 傍晚 清晨 早晨 周末 晚饭后 午饭后 饭后 睡前 下班后 放学后 每天 每周 每晚 每天早上 "
    "每天晚上 每年 每个月 每次".split()
)
"""Times of day and rounds of time, which date nothing."""
ADVERBS = TIMES | frozenset(
    "也 都 还 就 又 才 一直 从小 总是 总 经常 常常 常 平时 平常 通常 一般 现在 目前 最近 近来 这阵子 刚 刚刚 刚才 已经 终于 又 再 "
    "自己 本来 确实 的确 只 "
    "老是 天天 仍然 依然 还是 先 也许 可能 大概 好像 似乎 或许 居然 竟然 突然 忽然 原本 一共 快 就要 快要 马上 如今 其实 一向 向来 "
    "偶尔 有时候 有时 始终 真的 "
    "倒是 毕竟 顺便 特意 专门 不小心 一起 一个人 独自 亲自 立刻 随后 便 曾 曾经 以前 之前 小时候 从前 当时 原来 早就 早 一 刚好 "
    "正好 恰好 主要 基本".split()
)
"""What may stand between a subject and its predicate; negations, modals and degrees are the rules' own."""
TAIL = re.compile(r"[啊呀哦噢喔呢嘛哈啦咯喽哟呐耶哎唉嘻~～\s\U0001F300-\U0001FAFF\u2600-\u27BF\uFE0F]+$|(?<=[^酒])吧$")
PAST_LIFE = (
    "以前",
    "曾经",
    "之前",
    "小时候",
    "从前",
    "过去",
    "当年",
    "那时",
    "当时",
    "曾",
    "原先",
    "年轻时",
    "年轻的时候",
    "上学时",
    "读书时",
    "的时候",
)
HEDGES = re.compile(r"好像|(?<!尽)可能|也许|大概|似乎|或许|应该是|估计|说不定|我猜|感觉是")

_TRADITIONAL = str.maketrans(
    "們個這來時會說對還沒學買賣愛歡養貓樂書電視車醫師員場國過後嗎麼樣點頭體開關門問題經歷長較親媽爺孫媳婦兒從業專畫鋼彈聽讀寫語話飯雞魚麵館廳廣東臺灣陽陰陸壓緊張難傷"
    "覺讓給為無與邊遠週號歲鄉葉劉陳張趙黃吳趕級應該實際結婚離戀單雙舊藝術運動員護圖視機腦網際辦處務錢貴賤藥檢查綠藍紅純細線絲顏種類現發聞聲聯係總統計劃當嚴厲",
    "们个这来时会说对还没学买卖爱欢养猫乐书电视车医师员场国过后吗么样点头体开关门问题经历长较亲妈爷孙媳妇儿从业专画钢弹听读写语话饭鸡鱼面馆厅广东台湾阳阴陆压紧张难伤"
    "觉让给为无与边远周号岁乡叶刘陈张赵黄吴赶级应该实际结婚离恋单双旧艺术运动员护图视机脑网际办处务钱贵贱药检查绿蓝红纯细线丝颜种类现发闻声联系总统计划当严厉",
)
"""One for one, so that positions stay: enough for the rules' own words, not a conversion."""


@dataclass(frozen=True, slots=True)
class Token:
    text: str
    tag: str
    start: int
    end: int
    when: DateRange | None = None
    """Of a time expression: the days it means."""
    relative: bool = False
    meant: str = ""
    """Of a noun that was pointed at (这部电影): what it means, as it stands before it in the message."""
    since: int = 0
    """Where the sentence begins that says so."""


_LOADING = threading.Lock()


@lru_cache(maxsize=1)
def _load() -> rjieba.Jieba:
    return rjieba.Jieba()


def _segmenter() -> rjieba.Jieba:
    """Loaded with the first Chinese message (.4 s, 60 MB), by one thread alone."""
    with _LOADING:
        return _load()


_CLOCK = re.compile(r"[\d一二三四五六七八九十]{1,3}(?:点|点半|点钟)")


def is_passing_time(token: Token) -> bool:
    """Says when without saying of whom: a date, 早上, 三点."""
    return token.when is not None or token.relative or token.text in TIMES or bool(_CLOCK.fullmatch(token.text))


def simplified(text: str) -> str:
    return text.translate(_TRADITIONAL)


_LED_UP = re.compile(
    r"(?<=[\u4e00-\u9fff])你还?(?:记得|知道)(?:的吧|吧|的)(?=[，,。！!？?\s]|$)|"
    r"(?:(?<=[。！？!?，,…\s])|^)(?:对了|话说|说起来|还有|哦对|哈哈+|[啊哎哦]|别提了|早好啦|没事|不是啦|才不是|可不是嘛|错(?!过))(?=我)|(?:(?<=[。！？!?…\n])|^)可(?=我)|(?:(?<=[。！？!?，,…\s])|^)对了(?=[^，。！？!?,的]{1,3}[，,])"
)


def opened(text: str) -> str:
    """With marks for what leads up to 我 without one: 对了我生日是……."""
    return _LED_UP.sub(lambda found: "，" * len(found.group()), text)


_KEPT = frozenset(
    "我国 自我 你好 您好 他人 她人 不错 不过 不仅 不但 不少 不同 不久 不断 不如 不满 不安 不幸 不行 不用 不管 不然 不禁 不止 不得 "
    "不解 不料 好像 好友 好处 好人 就读 就职 就诊 就餐 就要 叫做 叫作 叫好 叫醒 叫喊 叫卖 叫嚣 叫苦 叫停 叫板 吃饭 吃货 喝酒 "
    "好奇 好吃 好看 好玩 好听 好多 好喝 好歹 好久 好事 "
    "太阳 太太 太极 太极拳 真相 真实 真正 真心 真诚 真理 很多 很少 会议 会员 会计 想法 想念 想象 想起 想到 要求 要是 要不 要么 吃惊 "
    "吃力 吃亏 吃醋 吃苦 去年 去世 最近 最后 最好 最初 最终 最爱 最多 更加 更多 "
    "还是 还有 就业 就是 就算 就要 就行 都市 也许 又是 在家 在于 在意 在乎 在职".split()
)
_DOING = re.compile(r"^在[学看读写做忙听吃喝玩追]$")
_TAGS = {"学": "v", "过敏": "v", "毕业": "v", "去世": "v", "有点": "d", "有点儿": "d", "有些": "d", "感冒": "v", "当": "v", "报": "v"}
"""Where the dictionary's tag is not the one of daily talk."""
_TWO = {
    "有个": ("有", "v", "个", "q"),
    "猫叫": ("猫", "n", "叫", "v"),
    "狗叫": ("狗", "n", "叫", "v"),
    "学做": ("学", "v", "做", "v"),
    "去学": ("去", "v", "学", "v"),
}
_WHOLE = frozenset("n nr ns nz t i l".split())
"""Tags of words that only seem to begin with an adverb: 太阳, 会议, 去年."""
_PRONOUNS = "我你您他她它咱"
_HEADS = re.compile(r"^(?:我们|咱们|你们|他们|她们|[我你您他她它]|不|没|很|太|好|真|最|更|去|会|想|要|就|都|也|又|还|在|吃|喝|叫)")


_HUMBLY = re.compile(rf"(?:(?<=[，,。！!？?；;：:“「\s])|^)在下(?![面方个边头流])|(?:{'|'.join(_HUMBLE[1:])})(?![妻妇意命活平涯])")


_ABROAD = (
    "阿安艾奥巴贝比布查戴丹德迪蒂恩尔法菲弗格古哈赫霍基吉加杰卡凯科克拉莱兰劳雷里利琳露鲁伦罗洛玛麦曼梅米莫姆纳娜内尼诺欧帕皮"
    "普奇乔琼茹萨塞森莎史斯丝苏索塔泰特托瓦维威温文沃希夏辛休雅亚扬耶伊尤约泽扎兹朱佐"
)
"""Characters that names from abroad are written with."""
_SPOUSE = re.compile(
    rf"(?P<who>{'|'.join(sorted(LOVE - {'先生', '太太'}, key=len, reverse=True))})"
    rf"(?P<name>[{_ABROAD}](?:[{_ABROAD}·]{{0,5}}[{_ABROAD}]))(?![人语文]|[{_ABROAD}])"
)
NAME_FROM_ABROAD = "nrf"


def tokens_of(text: str, *, offset: int = 0) -> list[Token]:
    """Words in order; a pronoun, negation or adverb that the dictionary glued to its verb stands alone, and so does a spouse's name from abroad."""
    made: list[Token] = []
    at = 0
    for found in sorted((*_HUMBLY.finditer(text), *_SPOUSE.finditer(text)), key=lambda f: f.start()):
        made += _tokens_of(text[at : found.start()], offset=offset + at)
        if found.re is _SPOUSE:
            made.append(Token(found["who"], "n", offset + found.start(), offset + found.start("name")))
            made.append(Token(found["name"], NAME_FROM_ABROAD, offset + found.start("name"), offset + found.end()))
        else:
            made.append(Token(found.group(), "r", offset + found.start(), offset + found.end()))
        at = found.end()
    return made + _tokens_of(text[at:], offset=offset + at)


_SURNAMED = re.compile(r"[\u4e00-\u9fff][婶叔伯姨婆爷哥姐嫂总工][\u4e00-\u9fff]")
_RUN_ON = re.compile(r"(?P<r>[我你他她])?(?P<n>[妈爸哥姐弟妹爹娘])?(?P<v>[教种修卖炒画唱弹养])")
"""我妈教, 我种, 爸教: what the dictionary does not know and takes for one noun."""
_NO_PART = frozenset("娘子父母头爷奶婆儿")


def _split(word: str, tag: str) -> tuple[str, str] | None:
    """The tags of two words that the dictionary takes for one: 妈开 (n, v), 学了 (v, ul), 林婶认 (nr, v)."""
    if len(word) == 2 and tag == "v" and word[0] in "妈爸哥姐弟妹爹娘" and word not in KIN:
        return "n", "v"
    if len(word) == 2 and tag == "ul" and word[1] == "了":
        return "v", "ul"
    return ("nr", "v") if len(word) == 3 and tag == "nr" and _SURNAMED.fullmatch(word) and word[2] not in _NO_PART else None


def _tokens_of(text: str, *, offset: int) -> list[Token]:
    made: list[Token] = []
    at = offset
    for word, tag in _segmenter().tag(text):
        while len(word) > 1 and word not in _KEPT and word not in ME | WE | YOU | THEY and word not in LEAD and word not in ADVERBS:
            head = _HEADS.match(word)
            if head is None or head.end() == len(word):
                break
            front = head.group()
            kind = "r" if front[0] in _PRONOUNS else "v" if front in "吃喝叫" else "d"
            if kind == "d" and tag in _WHOLE and not _DOING.match(word):
                break
            made.append(Token(front, kind, at, at + len(front)))
            at += len(front)
            word, tag = word[len(front) :], "v" if tag == "d" else tag
        if len(word) > 1 and tag[0] in "nr" and (run := _RUN_ON.fullmatch(word)) is not None and word not in KIN | _KEPT:
            for kind in "rn":
                if part := run[kind]:
                    made.append(Token(part, kind, at, at + 1))
                    at += 1
            word, tag = run["v"], "v"
        glued = _split(word, tag)
        if glued:
            made.append(Token(word[:-1], glued[0], at, at + len(word) - 1))
            at, word, tag = at + len(word) - 1, word[-1], glued[1]
        first, first_tag, rest, rest_tag = _TWO.get(word, ("", "", word, _TAGS.get(word, tag)))
        if first:
            made.append(Token(first, first_tag, at, at + len(first)))
        made.append(Token(rest, rest_tag, at + len(first), at + len(word)))
        at += len(word)
    for i, token in enumerate(made[:-1]):
        if token.text == "种" and made[i + 1].text in ("了", "着", "过"):
            made[i] = replace(token, tag="v")
    return made


def curled(text: str) -> str:
    """A message in which straight quotation marks that pair in their line open and close, one for one."""
    if '"' not in text:
        return text
    lines = text.split("\n")
    for place, line in enumerate(lines):
        parts = line.split('"')
        if len(parts) % 2:
            lines[place] = "".join(part + mark for part, mark in zip(parts, itertools.cycle("“”"), strict=False))[: len(line)]
    return "\n".join(lines)


_GESTURE = re.compile(r"\*[^*\n]{1,400}\*|（[^（）]{0,300}）|\([^()]{0,300}\)|【[^【】]{0,300}】|\[[^\[\]]{0,300}\]")
_SPEECH = re.compile(r"“([^“”]{1,1500})”|「([^「」]{1,1500})」")
_SAYS = re.compile(
    r"(?:说|道|问|喊|答|叫|骂|回|讲|告诉我|开口|吩咐|嘱咐|低语|喃喃|嘀咕|念叨|接话|应声|补充|纠正|解释|追问|叹气|感叹)[^。！？\n]{0,3}[：:，,]?\s*$"
)


def blanked(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """The text with these spans as line breaks: nothing is read there and every position stays."""
    for start, end in spans:
        text = text[:start] + "\n" * (end - start) + text[end:]
    return text


_MARKS = "。！？…!?~～，—"
_MENTION = 12
_SAID_BY_ANOTHER = re.compile(r"\s*[他她它]们?[^，。！？!?“”「」\n]{0,8}?(?:说|道|问|答|喊)")
"""What follows another's words: “我是医生。”他说."""


_TAKEN_BACK = re.compile(
    r"(?:^|(?<=[，,。．！!？?；;…~～\s]))[哈嘿嘻]*(?:可是|可|但|不过)?(?:那|这|我)?(?:刚才|刚刚)?(?:都|只|就)?是?(?:跟你|和你|在)?"
    r"(?:开玩笑|开个玩笑|说笑|闹着玩|逗你玩?|骗你|瞎说|乱说|胡说)(?:的|啦|呢|而已|罢了|哈)+(?=[，,。．！!？?；;…~～\s]|$)"
)
"""After which nothing holds that was said before it."""


def standing(speech: str) -> str:
    """Speech without what its speaker takes back: 我是医生。开玩笑的，我是厨师。"""
    return blanked(speech, [(0, max((found.end() for found in _TAKEN_BACK.finditer(speech)), default=0))])


def _is_narrated(before: str, speaker: str) -> bool:
    """Whether narration tells of the speaker by name, and of nobody else as he or she: 顾明轩放下杯子。他说：“……”."""
    told = _SPEECH.sub("", before)
    return told.lstrip().startswith(speaker) and re.search(r"[阿老小][\u4e00-\u9fff](?:说|道|问|跑|走|站|来)", told) is None


_ASIDE = re.compile(
    r"(?<=[\u4e00-\u9fff])[(（](?=我[^()（）]*(?:过敏|不吃|不能吃|不喝|喜欢|讨厌|不爱|害?怕[\u4e00-\u9fff]{1,3}[，,)）]|姓|今年|住在|来自))([^()（）]{2,40})[)）]"
)
"""海鲜不要（我虾过敏）: said as well, and no gesture."""


def spoken(text: str, *, speaker: str) -> str:
    """The speaker's own speech, with gestures, narration around speech in quotation marks, and others' quoted words blanked."""
    text = _ASIDE.sub(lambda found: f"，{found[1]}，", text)
    text = blanked(text, [m.span() for m in _GESTURE.finditer(text)])
    own: list[tuple[int, int]] = []
    foreign: list[tuple[int, int]] = []
    for found in _SPEECH.finditer(text):
        inner = found.group(1) or found.group(2)
        if inner[-1] not in _MARKS and not _SAYS.search(text[: found.start()][-12:]):
            continue
        before = re.split(r"[。！？!?\n”」]", text[: found.start()])[-1].strip()
        said = _SAYS.search(before)
        if inner[-1] not in _MARKS and len(inner) <= _MENTION and not before.endswith(("：", ":", "，", ",")):
            continue  # 谁问我我都说“没事没事”: words that are spoken of
        if not said and before.endswith(("：", ":")) and not (speaker and before.startswith(speaker) and len(before) > len(speaker) + 3):
            continue  # 我最喜欢的一句话：“……”
        if not said and _SAID_BY_ANOTHER.match(text[found.end() :]):
            foreign.append(found.span())
            continue
        of_speaker = (
            ("我", speaker, *(("他", "她") if speaker and _is_narrated(text[: found.start()], speaker) else ())) if speaker else ("我",)
        )
        narrated = not said or before.startswith(of_speaker)
        (own if narrated else foreign).append(found.span() if narrated else (found.start() - len(before), found.end()))
    if own:
        inside = {i for start, end in own for i in range(start + 1, end - 1)}
        return "".join(c if i in inside else "\n" for i, c in enumerate(text))
    return blanked(text, foreign)
