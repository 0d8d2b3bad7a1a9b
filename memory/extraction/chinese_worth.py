"""Which Chinese predicates are worth remembering, and which point at something outside themselves."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memory.extraction import chinese_words as words
from memory.extraction.chinese_clauses import Clause, Owner
from memory.extraction.chinese_definites import BETWEEN
from memory.extraction.chinese_people import NOMINAL
from memory.extraction.chinese_plans import MEETS
from memory.extraction.chinese_words import Token

_EMPTY_PREDICATES = (
    ("understanding", r"(?:都|也|完全|非常|很|真|能|能够|可以|特别)*(?:知道|明白|理解|懂|同意|了解你|赞同|认同|清楚|记住|记得|忘记|忘了)"),
    ("asking", r"(?:想|要|还想|可以|能|先|就是|只是)*(?:请|请教|问|知道|了解一下|听听|咨询|求助|和你|跟你|向你|找你|请你|告诉|分享|听你)"),
    (
        "offering",
        r"(?:很|非常|也|都|会|一直|随时|可以|能|能够|愿意|乐意|尽力|永远|总|一定|尽量)*(?:乐意|愿意|荣幸|可以帮|能帮|帮助|帮忙|帮到|"
        r"陪着|陪伴|在这里|在这|支持|为你|给你(?:提供|一些|推荐)|尽力|倾听|听着|试|尝试|努力|加油|考虑|注意|去试|去看看|看一看|"
        r"去看一看|记住|这么做|做到|期待|等你)",
    ),
    (
        "feeling with",
        r"(?:感到|真的|很|非常|特别|好|真|也|都|十分|太|还)*(?:高兴|开心|荣幸|期待|羡慕|替你|为你|希望你|想象|遗憾|抱歉|理解|佩服|"
        r"欣赏你|感谢|谢|放心|同情)(?:能|认识|见|看|听|为|到|你|您|和|可以|了|$)",
    ),
    ("agreeing", r"(?:也是|也这么|也觉得|也好|也一样|也希望|也相信|也认为|也很|也(?:想|要|会|有).{0,2}$)"),
    (
        "saying",
        r"(?:是说|说的(?!那)|想我|想是|想?推荐给|想说|要说|敢说|猜|发誓|保证|明说|的意思|建议|推荐(?:你|给)?|感觉(?:你|像)|觉得(?:你|这|那|是|很|挺|非常|真|"
        r"不错|可以|好像|还|应该|有必要|特别|比较|最|有点|有些|也|太|好))",
    ),
    ("bare verdict", r"(?:真的|也|都|就)*(?:感觉|觉得|认为)(?:肯定|一定|很|非常|真|不错|挺|好像|还|会|应该)"),
    ("what ought to be", r"(?:也许|可能|真的|确实|也)*应该"),
    ("bare interest", r"(?:并|也|还)?(?:不|没)(?:感到|觉得|有)?(?:太)?(?:有|感)?兴趣$|并不感到"),
    (
        "hoping",
        r"(?:也|还|只|都|很|真|就|更)*(?:希望|但愿)(?:能|可以|能够|有|以后|自己|下次|这|今后|一切|我)*(?:更|多|早|快|好|够|帮|成|变|有所)",
    ),
    (
        "learning",
        r"(?:已经|也|又|从中)*学(?:到|会)了?(?:很多|许多|不少|一些)(?:有用|宝贵|新)?的?(?:知识|经验|东西|道理)(?:和(?:知识|经验|技能))?$",
    ),
    ("being able", r"(?:会的|可以的|能行|没事|还好|没问题|还行|行|好了|来了|走了|去了|在呢|在|知道了|是|有|没有|不是|会|能|要|想)$"),
    ("being able to what was said", r"(?:也|都|还|就)?(?:能|会|可以|要)(?:去|来|办|做|成|行)(?:的)?$"),
    (
        "promising nothing",
        r"(?:一定|也|都)*会(?:好好|认真|去|努力|尽力|继续|多|再)*(?:考虑|思考|权衡|琢磨|进行(?:实践|练习)|练习$|实践|努力|珍惜|想想|加油|注意|小心|尝试|琢磨|学习的?$|"
        r"找.{0,3}看|看看|尝尝|去的|试)|(?:一定|也|都)+要(?:多|更)?(?:注意|小心|珍惜|加油|努力)|(?:也|还)?可以",
    ),
    ("no plan", r"(?:还|都|也)*没有?(?:什么)?(?:计划|想好|决定|打算|头绪|想法|时间|空|办法|意见|问题|别的)$"),
    (
        "daily trifle",
        r"(?:准备|要|先|得|该|想|还要|就)*(?:先)?去?(?:吃|睡|休息|洗|上|忙|做)(?:早|午|晚|个|了)?(?:饭|觉|澡|课|班|事)?(?:去)?了?$",
    ),
    ("opinion of the matter at hand", r".*(?:觉得|认为|感觉).*(?:方式|方法|办法|主意|建议|选择|想法|道理)"),
    ("machine", r"(?:只是|是|作为|没有|不能|无法|没法|毕竟).{0,6}(?:人工智能|AI|ai|机器人|语言模型|程序|虚拟)"),
)
EMPTY = tuple((name, re.compile(pattern)) for name, pattern in _EMPTY_PREDICATES)
"""Predicates of the speaker's that carry the talk and say nothing of a life."""

_LIGHT = frozenset(
    "觉得 认为 希望 可以 能够 应该 需要 进行 感觉 感到 知道 成为 开始 继续 喜欢 特别 非常 真的 尝试 努力 时候 东西 事情 问题 方面 "
    "情况 方法 办法 建议 感受 事 人 意思 样子 部分 "
    "地方 原因 时间 机会 一下 一些 一点 一定 不能 没有 还是 有点 有些 很多 多 大家 自己 起来 出来 下去 过来 下次 以后".split()
)
_INTRANSITIVE = re.compile(
    r"结婚|离婚|分手|辞职|失业|失恋|怀孕|毕业|感冒|发烧|失眠|搬家|退休|住院|升职|出差|加班|过敏|去世|生病|骨折|受伤|戒烟|戒酒|出狱|坐牢|出院|入院|入伍|退伍|转学|休学|退学|开学|留学|改名|改嫁|再婚|破产|失踪|走丢|失明|失聪|中风|在一起|哭|单身|跑步|散步|游泳|岁了?$|\d|[一两二三四五六七八九十几半]+(?:多)?年了$|怕(?:黑|冷|热|高|水|生|疼|痛|痒|鬼|火|凉|晒|吵|打雷)$|晕(?:血|车|船|机|针)$"
)


_MISSES = re.compile(
    r"(?:很|也|还|真|好|特别|非常|一直|常常?|总|最|都|更)*+(?:想念|怀念|思念|惦记|惦念|牵挂|挂念|回味|向往|羡慕|珍惜|舍不得|忘不了|忘不掉|习惯了?|害怕|讨厌)(?!的|[^的]{0,3}的(?:人|时候|日子里)$)"
)
"""想念外婆的锅铲声: no noun, for all its 的."""
_NOMINAL = re.compile(r"^[^是了过在有]{1,6}的[^的]{1,4}$|^(?:不)?是因为|^像")


_OF_WHAT = re.compile(
    r"^(?:现在|最近|今天|有点儿?|有些|很|非常|特别|十分|真的?|比较|挺|好|太|也|都|还|一直|感到|觉得|感觉)*(?:担心|担忧|困惑|疑惑|犹豫|纠结|好奇|惊讶|感动|着迷|入迷|基本上已经着迷|集中注意力)(?:了|的)?$"
    r"|^(?:但|不过|又|还|我|有点儿?|有些|很|总|感觉|觉得|担心|怕)*(?:时间|钱|预算|精力)(?:不太?够用?|不足|不多)(?:了|的)?$"
    r"|^(?:现在|我|还|也|更|想|要|会|需要|很|希望|如何|怎么|一些|更多|时间|和|经验|来|探索|练习|不断|努力)*(?:提升|提高|改善|精进)自己的(?:技能|能力|水平|技巧)$"
    r"|^(?:正在|在|现在)*(?:尽力|努力)集中注意力$|^(?:真的|也|都|就|还)*(?:觉得|感觉)(?:很|非常|特别|十分|真的?|比较|挺|好|太)*"
    r"(?:感人|励志|有趣|有意思|精彩|好看|好听|好玩|温馨|震撼|治愈|经典)(?:了|的)?$|^最(?:喜欢|爱)的(?:就?是)《[^》]*》$"
)


_ABSTAINS = re.compile(
    r"(?:从来|从|向来|一直|一向|早就|早|也|都)*(?:只|不)(?:抽|喝|吃|沾)(?!饭|[饱完醋亏惊力])[^，了过得到下起来一这那我你您他她它]{1,5}(?:的)?"
)
"""我不抽烟, 我只抽雪茄."""


_YEARS_OLD = re.compile(r"(?:今年|都|也|已经|刚|快|就)*(?:\d\d|[二三四五六七八九]十[一二三四五六七八九]?|十[一二三四五六七八九])了?")
"""我三十五了."""
_OF_THE_BODY = re.compile(
    r"(?:有点儿?|有些|轻微|严重|一直|从小|自幼|天生|特别|很|都|也|还|老|总)*(?:夜盲|色[盲弱]|近视|远视|散光|老花|鼻炎|低血糖|高血压|血[糖压脂](?:偏)?[高低]|耳背|恐高|路痴|脸盲|社恐|贫血|哮喘"
    r"|体弱(?:多病)?|口吃|结巴|左撇子|晕[车船机血针]|心脏不太?好|胃不太?好|腰不太?好|腿脚不太?好|眼睛不太?好|[左右双]?(?:耳朵?|眼睛?)(?:听|看)不见)(?:症|了)?"
)
"""我夜盲, 我血糖高: a state without a verb."""


def worth(clause: Clause, owner: Owner) -> bool:
    """Whether a predicate says something that can be remembered."""
    if clause.body >= len(clause.tokens):
        return False
    body = words.TAIL.sub("", clause.text(clause.body))
    if owner in (Owner.PERSON, Owner.ME) and NOMINAL.fullmatch(
        words.TAIL.sub("", clause.text(clause.subject if clause.owner in (Owner.NONE, Owner.THING) else clause.subject + 1))
    ):
        return True
    if owner is Owner.ME and clause.owner is Owner.ME and (_YEARS_OLD.fullmatch(body) or _OF_THE_BODY.fullmatch(body)):
        return True
    if owner in (Owner.ME, Owner.WE) and MEETS.match(body) and any(t.when is not None for t in clause.tokens):
        return True
    if owner is Owner.ME and _ABSTAINS.fullmatch(
        words.TAIL.sub("", clause.text(clause.subject if clause.owner is Owner.NONE else clause.subject + 1))
    ):
        return True
    if len(body) < 3 and not _INTRANSITIVE.search(body):
        return False
    if owner in (Owner.ME, Owner.WE) and not clause.owned and carries_nothing(clause):
        return False
    if not (any(t.tag[0] in "vaizld" for t in clause.tokens[clause.body :]) or _INTRANSITIVE.search(body)) or (
        _NOMINAL.match(body) and not _MISSES.match(body)
    ):
        return False
    content = [t for t in clause.tokens[clause.body :] if t.text not in _LIGHT and t.text not in words.ADVERBS]
    nouns = sum(1 for t in content if t.tag[0] in "nsj" or t.tag in ("eng", "t") or t.text == "《")
    verbs = sum(1 for t in content if t.tag[0] in "vi" and len(t.text) >= 2)
    if re.search(r"觉得|认为", body) and sum(1 for t in content if t.tag[0] == "a") >= 2:
        return True
    return nouns > 0 or verbs >= (1 if owner is Owner.PERSON else 2) or bool(_INTRANSITIVE.search(body))


def wants_more(clause: Clause) -> bool:
    """Whether it has to say of or about what, and does not: 很担心, 最喜欢的是《……》."""
    said = clause.text()
    return not re.search(r"[对为跟和因让被]", said) and bool(_OF_WHAT.match(words.TAIL.sub("", clause.text(clause.body))))


def carries_nothing(clause: Clause) -> bool:
    """Whether a predicate of the speaker's only carries the talk."""
    body = words.TAIL.sub("", clause.text(clause.body))
    return any(pattern.match(body) for _, pattern in EMPTY)


_DEPENDENT = re.compile(r"^(?:它|他|她|这|那|此|该)|一样$|^同样")
_CONTINUES = re.compile(
    r"^(?:并|或者|或|还有|比如|例如|像|如|特别是|尤其是|包括|叫|名叫|叫做|叫作|名为|讲的|讲述|里面|是一[部本家个首款种道座位只条]|味道|口感)"
)
_THEN = re.compile(r"^我?就(?!是|在|住|读|职|业|叫|喜欢|爱|要|想|怕)")
"""Follows from a condition said before it."""
_RELATED = re.compile(r"(?:一些|[搜索查询找寻阅看集供取习点些多解关过])的?相关")
"""To what is said elsewhere: 搜索一些相关资料."""
_IN_A_WORK = re.compile(r"(?<![》的部本篇个些看读写])(?:电影|影片|小说|故事)[中里]")
_ALL_OF_IT = re.compile(r"(?:使|让|把|将)(?:得)?一切")
_AT_ONCE = re.compile(r".{0,6}心情(?:一下子|顿时|立刻|瞬间)|我?(?:一直|完全|都|也|就)*沉浸在.*(?:世界|氛围|气氛)[中里]")
"""Of what was told just before."""
_INSPIRED = re.compile(r"(?:我的)?(?:创作)?灵感(?:就|都|是|主要)*(?:来自|来源于|源于|源自)|我?最(?:喜欢|爱)的(?:就?是)《")
"""For what was said before."""
_IN_THE_TOWN = re.compile(r"(?:想|打算|计划|准备|希望).*(?:城市|市区|镇上|岛上)里?的|每[个座]城市")
DONE = re.compile(r"了(?!解)|过(?!程|去|得)")


def dependent(clause: Clause) -> bool:
    """Whether it points at something outside itself: 这本书, 那里, 他."""
    if _THEN.match(clause.text(clause.subject)) or _RELATED.search(clause.text()):
        return True
    if any(t.text in words.WE and not t.meant and BETWEEN.match(clause.text(i + 1)) for i, t in enumerate(clause.tokens)):
        return not clause.companions  # between whom was said before
    if clause.owner is Owner.NONE and (_CONTINUES.match(clause.text()) or _CONTINUES.match(clause.text(clause.subject))):
        return True
    tokens = clause.tokens
    if is_local(tokens):
        return True
    if _IN_A_WORK.search(clause.text()) or unplaced(clause):
        return True  # in which one was said before
    if any(t.text in ("上面", "里面", "下面") and (i == 0 or tokens[i - 1].tag[0] != "n") for i, t in enumerate(tokens)):
        return True
    return any(
        _DEPENDENT.search(t.text) and not t.text.startswith(words.NOT_POINTING) and t.when is None
        for i, t in enumerate(tokens)
        if not (clause.owner is Owner.THEY and i == clause.subject)
    ) or bool(re.search(r"一样$|同样的|这么(?:做|说)|那么(?:做|说)|如此", clause.text()))


def is_local(tokens: Sequence[Token]) -> bool:
    """当地的美食: of which place was said before, if no place is named."""
    return any(t.text == "当地" for t in tokens) and not any(t.tag.startswith("ns") and t.text != "城市" for t in tokens)


def unplaced(clause: Clause) -> bool:
    """打算去城市里的博物馆, 不想让一切变糟: of which town, and all of what."""
    placed = any(t.tag.startswith("ns") and t.text != "城市" for t in clause.tokens)
    return (
        bool(_ALL_OF_IT.search(clause.text()))
        or bool(_AT_ONCE.match(clause.text()))
        or bool(_INSPIRED.match(clause.text()))
        or (bool(_IN_THE_TOWN.search(clause.text())) and not placed)
    )


_HEDGED, _OPINION = 0.6, 0.8


def trust(clause: Clause) -> float:
    """Less than 1 for a guess or an opinion."""
    text = clause.text()
    if words.HEDGES.search(text) or text.endswith("吧"):
        return _HEDGED
    return _OPINION if re.search(r"觉得|认为|感觉", text) else 1.0
