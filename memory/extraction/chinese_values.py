"""Persona values of one Chinese clause: what the rules capture, trimmed to a short phrase and checked."""

from __future__ import annotations

import re
from datetime import datetime

from memory.extraction import chinese_words as words
from memory.extraction.chinese_changes import CHANGES
from memory.extraction.chinese_clauses import Clause, Owner
from memory.extraction.chinese_livings import LIVINGS
from memory.extraction.chinese_nature import NATURE
from memory.extraction.chinese_rules import RULES, Rule
from memory.extraction.chinese_slots import SLOTS
from memory.persona_keys import KEYS, Merge

LONGEST = 18
_UNSOUND = re.compile(
    r"[我你您她它]|(?<![吉其])他|^[这那此的]|这[个些种样里]|那[个些种样里]|什么|怎么|哪|谁|自己|东西$|^(?:的|了|得|地|人|事|东西|一下|点|些)$|"
    r"[，。！？、]$|^[、与]|^里面|^其中|如此|这么|那么|一样|某"
)
_DENIED = re.compile(r"不$|不喜欢|胜过|多过|超过")
"""对花生不过敏: what was denied; 猫不喜欢狗, 猫胜过狗: two things weighed."""
_MEALS = frozenset("饭 早饭 午饭 晚饭 早餐 午餐 晚餐 完 下 东西 夜宵 药 了 饱 惯 到 得 亏 醋".split())
_LIST = re.compile(
    r"、|以及|还有|(?<=[\u4e00-\u9fff]{2})[和与及跟](?=[\u4e00-\u9fff]{2})|(?<=[\u4e00-\u9fff])[和与及](?=[\u4e00-\u9fff]{1,3}$)"
)
_TOGETHER = re.compile(r"聊|一起|之间|分享|相处|在一起")
_MEASURE = re.compile(r"^(?:[只条匹](?=[猫狗兔鸟鱼龟马乌仓鹦]|小[猫狗])|一[只条位名家辆台把部间套本种款些点份杯]|各种各样的?|各种|一些)")
_SINCE = re.compile(r"(?<=[\u4e00-\u9fff]{2})[\d一两二三四五六七八九十几半]+(?:多)?(?:个)?(?:年|月|星期|周|天)(?:多)?$")
"""搬到成都三年: the place is 成都."""
_BELIEF = re.compile(r"(?:重要|比.{1,8}更|应该|公平|不该|的力量|不会骗人|真爱|缘分|善良|诚实|才是)")
_EXCLUSIVE = (
    ("avoids", "dislikes"),
    ("eats gladly", "likes"),
    ("favourite dish", "likes"),
    ("favourite dish", "eats gladly"),
    ("favourite drink", "likes"),
    ("favourite music", "likes"),
    ("nationality", "native of"),
    ("works as", "does"),
    ("is at", "works at"),
    ("lives in", "is at"),
    ("is a", "name"),
    ("native of", "name"),
    ("speaks", "can"),
)
"""Where the first has fired, the second says the same thing less well."""


def values_of(clause: Clause, text: str, *, said_at: datetime) -> list[tuple[str, str]]:
    """The persona values a clause gives, if it is the player's own; text: the simplified message it stands in."""
    whole = words.TAIL.sub("", text[clause.start : clause.end])
    body = words.TAIL.sub("", text[clause.tokens[clause.body].start : clause.end]) if clause.body < len(clause.tokens) else ""
    fired: dict[str, list[tuple[str, str]]] = {}
    for rule in (*CHANGES, *RULES, *NATURE, *LIVINGS):
        if not _applies(rule, clause, whole, said_at=said_at):
            continue
        found = rule.pattern.search(whole) if rule.whole else rule.pattern.match(body)
        if found is None:
            continue
        if rule.name == "native of" and words.tokens_of(found.group("x"))[0].tag not in ("ns", "nz"):
            continue
        kept = [(_kind(rule, v), v) for v in split(found.group("x"), many=rule.split) if sound(v, _kind(rule, v))]
        if kept and rule.key == "liked" and kept[0][0] == "hobbies" and len(kept[0][1]) >= _DONE_TO and _DOING.search(kept[0][1]):
            kept = [pair for pair in kept if pair[0] == "hobbies"]  # 写诗歌和小说: what is written is not for that reason liked
        if kept and not any(key == rule.key for those in fired.values() for key, _ in those):
            fired[rule.name] = kept
    for better, worse in _EXCLUSIVE:
        if better in fired:
            fired.pop(worse, None)
    return [pair for pairs in fired.values() for pair in pairs]


_VERB_FIRST = re.compile(r"^(?:考虑|找|寻|思考|投|换|完成|处理|进行|参加|试|听|玩|打|吃|喝|为|跟|和|与|给|教|带|当前|目前|那|这)")
_VAGUE_PLACE = frozenset(
    "公司 单位 地方 外面 外地 当前公司 国外 一起 家 学校 本地 老家 这里 那里 城市 企业 附近 里面 上面 室内 户外 网上".split()
)
_FOOD = re.compile(rf"{SLOTS['food']}$")
_ANIMAL = re.compile(
    rf"^(?:[\u4e00-\u9fff]{{0,3}})(?:{SLOTS['beast']}|动物|蜘蛛|虫子?|鲸鱼?|海豚|企鹅|狼|狐狸|大象|老鼠|猫头鹰|松鼠|熊猫?)$"
)
_MUSIC = re.compile(r"(?:音乐|爵士乐?|摇滚乐?|民谣|说唱|歌剧|古典乐|交响乐|电子乐|流行乐|京剧|昆曲|戏曲)$")
_DONE_TO = 3
"""Characters of a verb with what it is done to: 写诗歌, not 画画."""
_TASTES = frozenset(f"{of}{side}" for of in ("", "animals_", "music_") for side in ("liked", "disliked"))
_DOING = re.compile(rf"^{SLOTS['vp']}")
_PASTIMES = re.compile(
    r"(?:徒步|长跑|跑步|攀岩|摄影|绘画|画画|篮球|足球|羽毛球|乒乓球|网球|排球|台球|瑜伽|旅行|旅游|书法|舞蹈|唱歌|跳舞|阅读|写作|"
    r"运动|健身|滑雪|滑板|骑行|钓鱼|园艺|烹饪|烘焙|手工|插花|茶艺|围棋|象棋|游戏|登山|露营|冥想|太极拳?|拳击|游泳|潜水|冲浪|魔术|散步)$"
)


def is_pastime(text: str) -> bool:
    """Whether a list of bare nouns names pastimes alone."""
    parts = [part for part in re.split(r"[、和与及]|等+$", text) if part]
    return bool(parts) and all(_PASTIMES.search(part) or _DOING.match(part) or part in ("电影", "音乐", "美食") for part in parts)


_LISTED = re.compile(r"^[\u4e00-\u9fff、和与及]{2,12}(?:等等|等)?$")
_LIKINGS = re.compile(r"(?:很|非常|特别|还|也|都|最|比较)*(?:喜欢|爱|热爱|会)")


def names_likings(clause: Clause) -> bool:
    body = clause.text(clause.body)
    return bool(_LIKINGS.match(body)) and "的" not in body


def carries_on(clause: Clause) -> bool:
    """Whether it goes on with a list of likings: 健身, 旅游和摄影等等."""
    text = words.TAIL.sub("", clause.text())
    plain = clause.owner in (Owner.NONE, Owner.THING) and not clause.owned and not any(t.tag[0] in "rdpmy" for t in clause.tokens)
    return plain and bool(_LISTED.match(text)) and is_pastime(text)


def _kind(rule: Rule, value: str) -> str:
    """The key of one liked or disliked thing: food, a pastime, or neither."""
    if rule.key in ("liked", "disliked"):
        if rule.key == "liked" and _DOING.search(value) and value[0] not in "吃喝" and "的" not in value and not value.endswith("天"):
            return "hobbies"
        if _FOOD.search(value) and not re.search(r"^(?:看|听|做|玩|去|养)", value) and "的时候" not in value:
            return f"food_{rule.key}"
        if rule.key == "liked" and _PASTIMES.search(value) and "的" not in value:
            return "hobbies"
        if _ANIMAL.search(value) and not _DOING.match(value):
            return f"animals_{rule.key}"
        if _MUSIC.search(value):
            return f"music_{rule.key}"
    return rule.key


_LASTING = frozenset("name nickname gender birthday hometown nationality family school field_of_study achievements plans goals".split())
"""Keys whose values a word like 以前 does not undo."""
_NOT_YET = re.compile(r"快(?:要|到)?|将近|差不多|就要|马上|不到|未满")
_GIVEN_UP = re.compile(r"本来|原本|原来|起初|小时候")
_REPEATED = re.compile(r"每次|总是|经常|有时|偶尔")


def _applies(rule: Rule, clause: Clause, whole: str, *, said_at: datetime) -> bool:
    """Whether a rule may be tried on a clause at all: its owner, its time."""
    opens = clause.owner is Owner.NONE and clause.start == 0
    if (rule.own and clause.owner is not Owner.ME and not opens) or (not rule.whole and clause.owner not in (Owner.ME, Owner.NONE)):
        return False
    day = said_at.date()
    days = [t.when for t in clause.tokens if t.when is not None]
    if rule.later:
        return any(when.first.date() > day for when in days)
    if rule.key == "age" and _NOT_YET.search(whole):
        return False
    if rule.key in ("goals", "plans", "residence", "workplace") and _GIVEN_UP.search(whole):
        return False
    if rule.key not in _LASTING and any(word in whole for word in words.PAST_LIFE):
        return False
    elsewhen = any(not when.first.date() <= day <= when.last.date() for when in days)
    return not (rule.now and (elsewhen or (KEYS[rule.key].merge is Merge.TRAJECTORY and _REPEATED.search(whole))))


def split(value: str, *, many: bool) -> list[str]:
    """The single things a captured phrase names, without measures and particles."""
    value = _SINCE.sub("", _MEASURE.sub("", value.strip()))
    if not many or _TOGETHER.search(value):
        return [value.removesuffix("了")]
    if value.startswith(("在", "和", "跟", "从")) or re.fullmatch(r"[^的]*(?:、|和|与)[^的、和与]*的[^的]*", value):
        return [value.removesuffix("的")]  # 在山里和海边拍照, 晴朗、温暖的天气: one thing
    return [
        _MEASURE.sub("", part).removesuffix("了").removesuffix("等等").removesuffix("等").removesuffix("的")
        for part in _LIST.split(value)
        if part
    ]


_WHERE_ONE_SITS = re.compile(
    r"[坐站躺待呆靠蹲睡]在?.{0,3}?(?:边上?儿?|[后前里外]面|[后前里外]头|[后前末]排|一排|中间|正中|角落里?|墙角|角上|门口|窗户?边|靠窗|过道)$"
)
"""坐边上: a way one has, and no taste."""


def sound(value: str, key: str) -> bool:
    """Whether a captured phrase can stand alone as a value of the key."""
    if (key == "allergies" or key in _TASTES) and _DENIED.search(value):
        return False
    if not 0 < len(value) <= LONGEST or _UNSOUND.search(value.replace("比什么都", "")):
        return False
    match key:
        case "name" | "nickname":
            return value not in _NOT_NAMED and not re.search(r"^一[声下句]|[的了吗吧是不在有就我你您咱俺]", value)
        case "food_liked" | "food_disliked" | "favorite_food":
            return value not in _MEALS and not value.endswith(("饭了", "的人"))
        case taste if taste in _TASTES:
            return (
                not _WHERE_ONE_SITS.match(value)
                and (len(value) >= 2 or value in "猫狗鸟鱼蛇马花雨雪海山云风")
                and not re.search(r"^(?:上|过|和|跟|与|被|把|在)|[得了]|时候$|感觉$", value)
            )
        case "hobbies" | "liked" | "disliked" | "food_liked" | "food_disliked" if re.match("在|和|跟|从", value):
            return False
        case "hobbies":
            return len(value) >= 2 and value not in _IDLE and not re.search(r"[了着]|起来|出来|一下", value)
        case "beliefs":
            return (
                bool(_BELIEF.search(value))
                and len(value) >= 4
                and not re.search("方式|方法|主意|建议|地方|机会|部分|过程", value)
                and not value.startswith(("很", "非常", "真", "特别", "挺", "最", "还", "应该", "值得", "有"))
            )
        case "fears":
            return (
                not re.search(r"^(?:出现|发生|出错|被|就|一(?!个人)|自|到时|以后|万|又)|[得错过]", value)
                and value not in ("死", "冷", "热", "凉", "疼", "痛", "晒", "吵")
            ) or value == "被拒绝"
        case "hometown" | "residence":
            return (
                value not in _VAGUE_PLACE
                and not _VERB_FIRST.match(value)
                and not re.search(r"[了着过]|一起|^(?:一|同)|医院|酒店|旅馆|热爱|喜欢", value)
            )
        case "workplace":
            return (
                value not in _VAGUE_PLACE
                and not _VERB_FIRST.match(value)
                and not re.search(r"^(?:学|看|做|读|写|准备|想|忙|练|用)|[了着过]|家$|一起|努力|学习|认真|时|期间|方面|上$|这边", value)
            )
        case "occupation":
            return value.startswith("辞") or (
                len(value) >= 2 and not re.search(r"(?<!^开)(?<!^经营)[了着过很太年]|好老师$|^(?:好|最|更|新|合格)|错误$|自我", value)
            )
        case "field_of_study":
            return not re.search(r"[了着过]|最|更", value)
        case "habits":
            return not re.search(r"[了]|开心|进步|快乐", value)
        case "whereabouts":
            return not re.search(r"[了着过]", value)
        case "activity":
            return not re.search(r"[了过]|^做(?:什么|梦)", value) and not _ONE_OF_A_KIND.fullmatch(value)
        case "worries":
            return not re.fullmatch(r"(?:时间|钱|预算|精力)(?:不太?够用?|不足|不多)", value)
        case "plans":
            return (
                len(value) >= 2
                and "当地" not in value
                and not re.search(r"^去?(?:吃|睡|休息)(?:[早午晚]?饭|觉)?了?$|你", value)
                and value not in ("去看", "去做", "开始", "去试", "做什", "做好", "做点", "去学", "去吃")
            )
        case "goals":
            return len(value) >= 2 and not re.search(r"[了]", value)
        case _:
            return True


_ONE_OF_A_KIND = re.compile(
    r"(?:学习?|看|读|听|写|上|做)(?:一[门部本个项首款种些])?(?:很|非常|挺|特别)?(?:新|好看|有趣|好|棒|不错|精彩)?的?(?:技能|知识|书籍?|电影|小说|课程?|项目|东西)"
)
"""学习一门新技能, 看一部很棒的电影: of which nothing is said."""
_IDLE = frozenset("做 做饭了 去做 看到 听到 学到 做什么 去的 看的 听的 一些 吃喝".split())
_NOT_NAMED = frozenset("什么 外卖 人 醒 我 车 停 好 做 一声 大家 老师 她 他 救命 苦 不醒 板 嚣 床 孩子".split())
