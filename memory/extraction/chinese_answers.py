"""Short Chinese answers: what a bare name, place or yes means by the question before it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memory.extraction import chinese_words as words
from memory.extraction.asked import wants_name
from memory.extraction.chinese_clauses import SURNAMES, is_name
from memory.extraction.chinese_slots import NO_NAMES_DOUBLED, SLOTS


@dataclass(frozen=True)
class Asked:
    name: str
    key: str
    pattern: re.Pattern[str]
    """Found in the question."""
    answer: re.Pattern[str]
    """The whole answer; the group x is the value."""
    fact: str
    """The statement the two make together, about {who}."""


_HAN = r"[\u4e00-\u9fff]"
_LATIN = r"[A-Z][a-z]+(?:[ ·-][A-Z][a-z]+){0,2}"
_END = r"(?:呀|啊|呢|来着)?(?=[，,]|$)"
_LEADS_UP = r"(?:^|[，,：:…、])(?:那|请问|敢问|不知|先生|小姐|姑娘|公子|客官|阁下|小朋友|你|您|我|该|要|应该|到底|究竟)*"
_NAME_ASKED = (
    rf"{_LEADS_UP}(?:的名字|的大名)?叫(?:什么|啥)(?:名字?|名儿)?{_END}|[你您]的(?:名字|姓名|大名|芳名)(?:是|叫)?(?:什么|啥)?{_END}|[你您](?:叫|是)什么名字{_END}"
    rf"|{_LEADS_UP}(?:怎么|如何)(?:称呼|叫)(?:你|您|阁下)?{_END}|(?:贵姓|高姓|尊姓)(?:大名)?{_END}"
)
_WHO_ASKED = (
    rf"{_LEADS_UP}(?:你|您|阁下)(?:到底|究竟|又|都|可)?是(?:谁|哪位|何人|什么人)(?:呀|啊|呢)?(?:$|[，,](?=从|打哪|来|为|怎|干|想|要|在|这|叫))"
    rf"|^来者(?:何人|是谁){_END}"
)
_OF_TALES = (
    "(?:剑客|侠客|书生|郎中|道士|和尚|尼姑|将军|士兵|骑士|法师|巫师|女巫|猎人|乞丐|仆人|丫鬟|公主|王子|商人|渔夫|樵夫|船夫|车夫|马夫|农夫|捕快|杀手|刺客"
    "|盗贼|海盗|佣兵|(?:吟游)?诗人|祭司|牧师|修女|侍卫|卫兵|管家|掌柜|店小二|侦探|特工|守塔人|守墓人|摆渡人|灯塔看守人?|白领)"
)
"""What people are in tales."""
_PLACE = rf"(?:就|是|住|我住)?(?:在)?(?P<x>{_HAN}{{2,14}}?)(?:那边|这边|附近的)?$"


def _asked(name: str, key: str, pattern: str, answer: str, fact: str) -> Asked:
    return Asked(name, key, re.compile(pattern), re.compile(answer), fact)


ASKED = (
    _asked("name", "name", _NAME_ASKED, rf"(?:{'|'.join(sorted(words.ME))})?(?:是|叫)?(?P<x>{_HAN}{{2,4}}|{_LATIN})$", "{who}名叫{x}"),
    _asked("who", "name", _WHO_ASKED, rf"(?:{'|'.join(sorted(words.ME))})?(?:是|叫)?(?P<x>{_HAN}{{2,4}}|{_LATIN})$", "{who}名叫{x}"),
    _asked(
        "what one is",
        "occupation",
        rf"{_NAME_ASKED}|{_WHO_ASKED}",
        rf"(?:{'|'.join(sorted(words.ME))})?(?:只|就)?(?:是)?(?:个|一[名个位])?(?:普通的?|小小的?)?(?P<x>{SLOTS['job']}|{_OF_TALES})(?:而已|罢了)?$",
        "{who}是{x}",
    ),
    _asked("residence", "residence", r"住(?:在)?哪|家(?:在|住)哪|在哪[里儿个]?(?:住|城市|生活)", _PLACE, "{who}住在{x}"),
    _asked(
        "hometown",
        "hometown",
        r"哪里人|哪儿人|(?:老家|家乡)(?:在|是)哪|来自哪|什么地方人",
        rf"(?:是|在)?(?P<x>{_HAN}{{2,8}}?)(?:人|的)?$",
        "{who}的老家在{x}",
    ),
    _asked(
        "age",
        "age",
        r"多大(?!的?[码号尺房屋])|几岁|年龄|年纪|贵庚",
        r"(?:今年)?(?:刚|快|已经)*(?P<x>(?:\d{1,3}|[一二三四五六七八九十]{2,3})(?:岁(?:半|多)?)?)了?$",
        "{who}{x}岁",
    ),
    _asked(
        "occupation",
        "occupation",
        r"做什么(?:工作|的)|什么(?:工作|职业)|(?:职业|工作)是(?:什么|啥)|从事什么",
        rf"(?:一[名个位]|个)?(?P<x>{_HAN}{{2,8}})(?<!公司)(?<![厂店行局院校所馆])$",
        "{who}的职业是{x}",
    ),
    _asked(
        "workplace",
        "workplace",
        r"在哪[里儿个家]?(?:公司|单位)?(?:工作|上班|任职)",
        rf"(?:就)?(?:在)?(?:一家)?(?P<x>{_HAN}{{2,12}})$",
        "{who}在{x}工作",
    ),
    _asked(
        "birthday",
        "birthday",
        r"生日(?:是|在)?(?:哪|什么|几)|什么时候(?:过)?生日",
        r"(?:在|是)?(?P<x>(?:农历)?[\d一二三四五六七八九十]{1,3}月[初\d一二三四五六七八九十]{1,3}[日号]?)$",
        "{who}的生日是{x}",
    ),
    _asked(
        "favourite colour",
        "favorite_color",
        r"最?(?:喜欢|爱)(?:的是?)?什么(?:样的)?颜色|(?:喜欢|爱)的颜色",
        rf"(?P<x>{_HAN}{{1,5}})$",
        "{who}最喜欢的颜色是{x}",
    ),
    _asked("food", "food_liked", r"(?:喜欢|爱)吃(?:些)?(?:什么|啥)", rf"(?P<x>{_HAN}{{2,8}})$", "{who}喜欢吃{x}"),
    _asked("not food", "food_disliked", r"不(?:喜欢|爱|能)?吃(?:些)?什么|忌口", rf"(?P<x>{_HAN}{{2,8}})$", "{who}不吃{x}"),
    _asked("allergy", "allergies", r"对什么.{0,4}过敏|过敏(?:源|的东西)", rf"(?P<x>{_HAN}{{2,8}})$", "{who}对{x}过敏"),
    _asked("fear", "fears", r"(?:最|害)?怕(?:的是)?什么", rf"(?:最)?怕?(?P<x>{_HAN}{{1,8}})$", "{who}怕{x}"),
    _asked(
        "hobby", "hobbies", r"什么(?:兴趣)?爱好|(?:喜欢|爱)(?:做|干|玩)(?:些)?(?:什么|啥)", rf"(?P<x>{_HAN}{{2,10}})$", "{who}的爱好是{x}"
    ),
    _asked(
        "school",
        "school",
        r"(?:哪[个所]|什么)(?:大学|学校)|在哪[里儿]?(?:上学|读书|念书|读大学)",
        rf"(?:在)?(?P<x>{_HAN}{{2,12}})$",
        "{who}的学校是{x}",
    ),
    _asked(
        "subject",
        "field_of_study",
        r"什么专业|专业是(?:什么|啥)|(?:学|读)的?是?什么",
        rf"(?:学|读)?(?P<x>{_HAN}{{2,8}}?)(?:专业)?$",
        "{who}的专业是{x}",
    ),
    _asked(
        "doing",
        "activity",
        r"(?:你|您)(?:现在|正|最近)?在(?:干嘛|干什么|做什么|忙什么)|忙(?:些)?什么",
        r"(?:正|在|正在)?(?P<x>(?:看|写|做|听|打|玩|吃|喝|学|画|读|练|洗|收拾|准备|复习|加班|上课|上班|开会)[^，。]{0,10})$",
        "{who}正在{x}",
    ),
)
"""Tried in order against the last question."""

_OPENING = re.compile(r"^(?:嗯+|啊|哦|哈哈+|那个|呃|额|当然|其实|我叫?|你可以叫我|叫)?[，,\s]*")
_NOT_OF_NOW = re.compile(
    rf"以前|之前|曾经|小时候|从前|将来|以后|想|希望|打算|讨厌|不喜欢|[你您](?:的|家|家里)?(?:的)?(?:{'|'.join(sorted(words.KIN | words.LOVE, key=len, reverse=True))}|"
    r"朋友|闺蜜|同事|同学|室友|邻居|老板|老师|猫|狗|宠物)"
)
"""A question after another person, or after another time than now; what is asked of them is not so of the speaker."""
_NOTHING = re.compile(
    r"[我你他她它这那哪]|不|没|什么|秘密|随便|都行|就[好行]|都吃|都可以|谢|好的|保密|知道|猜|可以|无所谓|呢|是的|对啊|太|很|的$|喜欢|觉得|想|可能|也许|真"
)
_YES = re.compile(
    r"^(?:嗯+|啊|哈哈+|当然)?[，,\s]*(?P<yes>是的|是啊|是呀|对的|对啊|对呀|没错|对|嗯+|是|有的|会的|当然(?:是|喜欢|会)?|喜欢|"
    r"有)(?:[呀啊哦呢，。！!,~～\s]|$)"
)
_PLEA = re.compile(
    r"[去来]$|一起|推荐|建议|能不能|可以|[能要].{0,2}帮|觉得|想不想|要不要|愿意|想(?:要|试|听|看|知道|聊|去|了解)|好吗|行吗|需要|知道|记得|听说|明白|理解|"
    r"同意|考虑|试过|有没有想|或者|还是|谁|什么|哪|怎"
)


_NO_NAME = re.compile(
    r"^(?:一[个名位只介]|免贵|姓|某|就是|只是|过路|路过|新来|无名|普通|陌生|神秘|来自|从|猜|问|随)|(?:了|的|人|辈|者|吧|呢|啊|呀|哦)$"
    r"|^(?![赵钱孙李周吴郑王冯陈沈韩杨朱秦许何吕张曹金魏]).*(?:客|匠|员|师傅|老师|医生|护士|学生|司机|厨师|掌柜|朋友|邻居|同学|同事)$"
)
_SURNAME = f"[{''.join(sorted(SURNAMES))}]"
_ADDRESS = re.compile(rf"{_SURNAME}(?:老师|医生|大夫|教授|师傅|先生|女士|小姐|太太|警官|律师|老板|掌柜|经理)|[老小阿]{_SURNAME}")
_DOUBLE = re.compile(
    r"(?:欧阳|司马|上官|诸葛|司徒|慕容|东方|皇甫|尉迟|公孙|令狐|宇文|长孙|独孤|南宫|夏侯|端木)[\u4e00-\u9fff]{1,2}|([\u4e00-\u9fff])\1"
)


_CALLS = frozenset("hello hi hey sorry police boo ok okay yes no bye lol thanks wow oh nobody guess secret none".split())
_CRIED = "嘿呜咳喵汪等拜抱滚救嗯哦啊哎呀呵哈嘻哼唉喂哇啦嘟咚叮当砰噗嘘吁嗷咩咕"
_ANSWERS_NOT = re.compile(
    r"^(?:美女|帅哥|姑娘|先生|大爷|老娘|老子|老公|老婆|老板娘|陛下|本姑娘|在下|头疼|哑巴|小姐姐)$|^(?:救命|快|闭|别|请|谢|拜|再|抱歉|对不|没|不|早上|晚上|今|昨|明天|大家|饿|困|累|开门|讨厌|白痴|有)|(?:好|累|饿|困)$"
)


def _is_name(said: str, *, sure: bool) -> bool:
    """Whether an answer is what somebody is called. sure: the question need not be after a name, so what is none by the dictionary or its shape does not count."""
    if said.isascii():
        return said.lower() not in _CALLS
    if _ADDRESS.fullmatch(said):
        return True
    if _NO_NAME.search(said) or _ANSWERS_NOT.search(said) or re.fullmatch(rf"{SLOTS['job']}|(?:江湖)?{_OF_TALES}|{SLOTS['mood']}", said):
        return False
    tokens = words.tokens_of(said)
    if said in NO_NAMES_DOUBLED | words.KIN or (len(said) == 2 and said[0] == said[1] and said[0] in _CRIED):
        return False
    known = len(tokens) == 1 and is_name(tokens[0])
    if not known and any(t.tag[0] in "rmqyuf" or (len(t.text) > 1 and t.tag[0] in "vdcplib") for t in tokens):
        return False  # 来碗面, 说来话长
    return not sure or _DOUBLE.fullmatch(said) is not None or (len(tokens) == 1 and is_name(tokens[0]))


_FAVOURITE = re.compile(
    rf"^(?:那|那么|对了|顺便问一下|话说)?[，,]?[你您](?:平时|小时候|这辈子)?最(?:喜欢|爱)的(?P<what>(?!人){_HAN}{{1,4}}?)是(?:什么|啥|哪[个本部首种里])(?:呀|啊|呢)?$"
)
_NO_FAVOURITE = re.compile(r"话|随缘|难|呵|饿|饱|忘|除|非|讨厌|戒|疼|情况|等等|再说|随便|了$|^(?:看|来|先|下次|怎么|每|躺)|已经|早就|都")
_FAVOURITES = {
    "食物": "favorite_food",
    "菜": "favorite_food",
    "动物": "favorite_animal",
    "书": "favorite_book",
    "季节": "favorite_season",
    "电影": "favorite_film",
    "歌": "favorite_music",
    "歌手": "favorite_music",
    "音乐": "favorite_music",
    "地方": "favorite_place",
    "运动": "favorite_sport",
    "游戏": "favorite_game",
    "饮料": "favorite_drink",
}


@dataclass(frozen=True)
class Answer:
    key: str
    """Of the persona; empty where none is for it."""
    value: str
    quote: str
    fact: str


_OF_SOMEBODY = re.compile(r"谁|哪|什么(?!事)|啥(?!事)|呢$|几|叫|称呼")
"""Asks what a name may answer."""


def _wants_name(question: str, asked: str) -> bool:
    return wants_name(words.simplified(question)) and not _OF_SOMEBODY.search(asked)


def last_question(question: str) -> str:
    """The last question put in a message, without its mark; empty if it puts none."""
    parts = re.findall(r"[^。！!？?\n]+[？?]", words.simplified(question[-words.READ :]))
    return parts[-1].strip(' ？?”"」') if parts else ""


def short_answer(text: str, *, question: str, listener: str = "") -> Answer | None:
    """What the first words of a message say as a bare answer; text: simplified speech."""
    asked = last_question(question)
    wanted = _wants_name(question, asked)
    if not wanted and (not asked or ("你" not in asked and "您" not in asked and len(asked) > 8)):
        return None
    lines = [part for part in re.split(r"[。！!？?\n；;，,~～]", text) if part.strip()]
    opening = _OPENING.match(text.lstrip())
    if not lines or opening is None:
        return None
    first = (
        lines[0].strip() if not re.fullmatch(r"(?:嗯+|啊|哦|哈哈+|呃|额|其实)", lines[0].strip()) or len(lines) < 2 else lines[1].strip()
    )
    said = words.TAIL.sub("", first.removeprefix("其实").removeprefix("当然"))
    if not said or len(said) > 16:
        return None
    if asked and not _NOT_OF_NOW.search(asked):
        for kind in ASKED:
            if not kind.pattern.search(asked):
                continue
            if kind.key == "name" and not _is_called(kind, said, sure=kind.name == "who", listener=listener):
                continue  # 木匠: what one is
            if kind.name == "what one is" and not _ENDS.match(text, text.find(first) + len(first)):
                return None  # 医生！快来: a call
            return _answer(kind, said, first)
        if (liked := _FAVOURITE.search(asked)) and (found := re.match(rf"(?:是|就是)?(?P<x>《[^》]{{1,20}}》|{_HAN}{{1,14}})$", said)):
            what, value = liked["what"], found["x"]
            if not _NOTHING.search(value) and not _NO_FAVOURITE.search(value):
                return Answer(_FAVOURITES.get(what, ""), value, first, f"{{who}}最喜欢的{what}是{value}")
    if wanted and _is_called(ASKED[0], said, sure=True, listener=listener):
        return _answer(ASKED[0], said, first)
    return None


_ENDS = re.compile(r"[。.…\s]*$|[。.…]")


def _is_called(kind: Asked, said: str, *, sure: bool, listener: str) -> bool:
    found = kind.answer.match(said)
    return found is not None and found.group("x") != listener and _is_name(found.group("x"), sure=sure)


def _answer(kind: Asked, said: str, quote: str) -> Answer | None:
    found = kind.answer.match(said)
    if found is None or _NOTHING.search(found.group("x")):
        return None
    value = found.group("x")
    return Answer(kind.key, value, quote, kind.fact.replace("{x}", value).replace("岁岁", "岁"))


@dataclass(frozen=True)
class Agreement:
    quote: str
    """The yes as said."""
    statements: tuple[str, ...]
    """What it agrees to, in the asker's words; the first that says something is meant."""


def yes_to(text: str, *, question: str) -> Agreement | None:
    """What a bare yes agrees to, if it answers a yes-or-no question about the speaker."""
    yes = _YES.match(text.strip())
    asked = last_question(question)
    if yes is None or not asked or _PLEA.search(asked) or "你" not in asked:
        return None
    clause = re.split(r"[，,：]", asked)[-1]
    if "你" not in clause or not re.search(r"吗$|是不是|有没有|会不会|喜不喜欢|是吧$|对吧$", clause):
        return None
    said = re.sub(r"[吗吧]$", "", clause).removesuffix("是").removesuffix("对")
    said = re.sub(r"^(?:那|所以|哦|原来|话说|那么|请问)+", "", said)
    forms = {"是不是": ("是", ""), "有没有": ("有", ""), "会不会": ("会",), "喜不喜欢": ("喜欢",)}
    asking = next((form for form in forms if form in said), "")
    statements = tuple(said.replace(asking, plain) for plain in forms[asking]) if asking else (said,)
    return Agreement(yes.group("yes"), tuple(s for s in statements if not re.search(r"不|没", s)))
