"""Chinese sentences told whole: what a speaker says of themself with its topic, circumstances and reasons, where its clauses lean on each other.

A clause alone often says too little (我一直没删) or begins with a topic (下馆子我也要找角落那张桌), so clauses that follow each other in a sentence are one
fact if the speaker acts in one of them and nothing in them points outside the sentence.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from memory.extraction import chinese_words as words
from memory.extraction.chinese_clauses import Clause, Owner, is_name
from memory.extraction.chinese_definites import BETWEEN
from memory.extraction.chinese_owners import Whose
from memory.extraction.chinese_retelling import ONCE, acting_at, one_person, quoted, retold, we_own
from memory.extraction.chinese_words import Token
from memory.extraction.chinese_worth import carries_nothing, is_local, unplaced, worth
from memory.extraction.draft import Line

_PARTS_OF_IT = frozenset({"", "fragment"})
"""Refusals of a clause that still may stand in its sentence: 上小学的时候."""
_EDGES = frozenset(
    {"empty", "agreement", "greeting", "thanks", "question", "order", "declining", "courtesy", "cause of what was said"}
    | {"outcry", "leaving"}
)
"""Refusals of clauses that may be left out before or after a run without changing what it says."""
_BOTH_OF_US = frozenset("咱 咱们 咱俩".split())
_TOWARDS = frozenset("给 跟 和 对 为 替 帮 带 陪 与 看 来看 教 接 来接 去接 送 请 找 等".split())
_PERSON_ENDS = tuple(
    (
        "人 娘 哥 姐 爷 妈 爸 师 生 孩 伯 婶 叔 舅 姨 姑 奶 公 婆 弟 妹 女 友 长 员 们"
        " 孩子 妻子 儿子 孙子 妹子 嫂子 小伙子 婶子 侄子 头子 汉子 弟子 公子 女子 男子 胖子 骗子 疯子 傻子"
    ).split()
)
_SPAN = re.compile(r"(?:这|那)(?:[两几三些半])?(?:年|天|个?月|阵|段时间|辈子|会儿|时候)")
_WHICH = re.compile(r"那[^的]{0,3}[个件把张本条只首句种套辆位间](?:[^的]{1,8}的[^的]|[红蓝白黑绿灰旧老新])")


@dataclass(frozen=True, slots=True)
class Whole:
    """Clauses `first` to `last`, both included, told as one."""

    first: int
    last: int
    text: str


def wholes(clauses: Sequence[Clause], why: Sequence[str], owners: Sequence[Whose], line: Line) -> list[Whole]:
    """The runs of clauses that are told whole, in order."""
    made: list[Whole] = []
    for first, last in _runs(clauses, why):
        run = clauses[first : last + 1]
        text = _told(run, owners[first : last + 1], line)
        if text:
            made.append(Whole(first, last, text))
    return made


def _runs(clauses: Sequence[Clause], why: Sequence[str]) -> list[tuple[int, int]]:
    """Stretches of one sentence that nothing forbids; what stands before and after one in its sentence says nothing of its own."""
    made: list[tuple[int, int]] = []
    at = 0
    while at < len(clauses):
        end = at
        while end + 1 < len(clauses) and clauses[end + 1].sentence == clauses[at].sentence:
            end += 1
        first, last = at, end
        while first <= last and (why[first] in _EDGES or (first < last and _vocative(clauses[first]))):
            first += 1
        while last >= first and (why[last] in _EDGES or (last > first and clauses[last].owner is Owner.YOU)):
            last -= 1
        if first <= last and all(reason in _PARTS_OF_IT for reason in why[first : last + 1]):
            made.append((first, last))
        at = end + 1
    return made


_LEADS_UP = re.compile(
    r"(?:说正经的|说真的|说实在的|不瞒你说|老实讲|实不相瞒|跟你说|我跟你说|你知道吗|怎么说呢|讲真|还有(?:一个问题|一件事|件事|个事)|另外一件事)$"
)


_CALLED = re.compile(r"(?:亲爱的|我的)?(?:AI|ai|智能|小|好|老)?(?:伴侣|助手|朋友|伙伴|机器人|老师|医生|同学|老板)(?:们|大人)?")

_STRUCK = re.compile(
    r"(?:听起来|听上去|看起来|那|这)?(?:真的?|真是|确实|非常|很|太|好|挺|超级?|十分)+(?:有趣|有意思|好|棒|不错|好玩|精彩|厉害|酷|对|可爱|有道理|搞笑)(?:极了|了|啊|呢|的|呀)*"
)
"""非常有趣，我也……: of what the other said."""


def _vocative(clause: Clause) -> bool:
    """麦子，……, 是的，……, 今天是星期天，……: what only leads up to what is said."""
    if re.fullmatch(r"是", "".join(t.text for t in clause.tokens if t.when is None)):
        return True
    said = [t for t in clause.tokens if t.text not in words.LEAD]
    if re.fullmatch(
        r"第?[一二三四五六七八九十\d]{1,2}|.{0,2}(?:探长|警官|长官|将军|队长|船长|局长|校长|师姐|师兄|掌柜|姑娘|公子)", clause.text()
    ):
        return True
    return (
        not said
        or clause.text() in words.LEAD
        or clause.text() in ("对", "对的", "嗯对", "会的", "有的")
        or bool(_LEADS_UP.match(clause.text()))
        or bool(re.match("你(?:说得|看$|知道|猜)", clause.text()))
        or (sum(len(t.text) for t in said) <= 3 and all(t.tag[0] in "naz" for t in said))
        or bool(_CALLED.fullmatch(clause.text()))
        or (clause.owner is Owner.NONE and bool(_STRUCK.fullmatch(clause.text())))
    )


_GOES_BY = re.compile(r"(?:大家|你们?|您)?(?:可以|都|就)*(?:叫|喊|称呼)我.{1,4}(?:就行|就好|吧|也行)?$")
_SETTING = re.compile(r"在.+(?:[里中上]|时候?|期间|过程中)$")
"""在《边城》中，我……: where or when, and not yet who."""


def _told(run: Sequence[Clause], owners: Sequence[Whose], line: Line) -> str:
    """The run in third person; empty where it is not about the speaker, says nothing, leans on something else, or its clauses alone say it as well."""
    if any(_GOES_BY.match(clause.text()) for clause in run):
        return ""  # 叫我小雨就行: told as what one goes by
    acting = [acting_at(clause) for clause in run]
    dropped = owners[0].owner is Owner.ME and run[0].owner is Owner.NONE and not run[0].owned
    dropped = dropped and not (_SETTING.match(run[0].text()) and any(c.owner is Owner.ME for c in run[1:]))
    if len(run) == 1 and (acting[0] is None or acting[0] == run[0].subject):
        return ""
    owned = run[0].owner is Owner.ME
    if all(at is None for at in acting) and not dropped and not owned and not _two(run):
        return ""
    if not _worth(run, acting, owners) or _leans(run, line):
        return ""
    return retold(run, line, dropped=dropped and acting[0] is None)


def _two(run: Sequence[Clause]) -> bool:
    """我爸一打来电话，没两分钟我们准吵起来: the speaker and one other."""
    ours = any(t.text in words.WE and not we_own(c.tokens, i) for c in run for i, t in enumerate(c.tokens))
    return ours and one_person(run)


_CIRCUMSTANCE = re.compile(r"(?:以后|之后|以前|之前|时候?|那阵儿?|那会儿?|那[天年回次]|的[^的]{1,4})$")
"""我爸住院那阵儿, 我哥淘汰下来的棉袄: names when or what, and says nothing of him yet."""


def _worth(run: Sequence[Clause], acting: Sequence[int | None], owners: Sequence[Whose]) -> bool:
    """Whether what the speaker does in it can be remembered; where it begins with them alone, the nouns of what stands around it count."""
    of_me = [
        replace(clause, owner=Owner.ME, subject=at, body=_does(clause, at), owned=False) if at is not None else clause
        for clause, at, whose in zip(run, acting, owners, strict=True)
        if at is not None or whose.owner is Owner.ME
    ]
    if of_me and carries_nothing(of_me[0]):
        of_me = [clause for clause in of_me if not _PURPOSE.match(clause.text())]
    if any(worth(clause, Owner.ME) for clause in of_me):
        return True
    told = [clause for clause in of_me if not carries_nothing(clause) and len(_content(clause)) >= 2]
    if owners[0].owner in (Owner.PERSON, Owner.THEY) and not _CIRCUMSTANCE.search(run[0].text()):
        return _two(run) or any(len("".join(t.text for t in _content(clause))) >= 4 for clause in told)
    tags = [t.tag for clause in run for t in clause.tokens]
    return bool(told) and (any(tag[0] in "nst" for tag in tags) or sum(tag[0] == "v" for tag in tags) >= 3)


_PURPOSE = re.compile("来[^我]|以便|从而|争取|更好地|尝试")
"""会多练习，来提高自己的水平: no more than what it is said of."""


def _does(clause: Clause, at: int) -> int:
    """Where what is said of 我 begins: behind it, or at the start of 看菜谱是我的消遣."""
    return 0 if at and clause.tokens[at - 1].text == "是" else at + 1


def _content(clause: Clause) -> list[Token]:
    return [t for t in clause.tokens[clause.body :] if t.text not in words.ADVERBS and t.tag[0] not in "uyx"]


_WITH = re.compile(r"[与和跟同].{1,12}?相关")


def _leans(run: Sequence[Clause], line: Line) -> bool:
    """Whether something in it points outside the sentence, or at the listener in a way that may mean anybody."""
    people = False
    genders: set[str] = set()
    if any(unplaced(clause) for clause in run) or is_local([t for clause in run for t in clause.tokens]):
        return True
    for place, clause in enumerate(run):
        for i, token in enumerate(clause.tokens):
            if quoted(clause, i):
                continue
            text, before = token.text, clause.tokens[i - 1].text if i else ""
            if text in _BOTH_OF_US or (text in words.WE and not token.meant and not people and BETWEEN.match(clause.text(i + 1))):
                return True
            if text in words.YOU and not (line.listener and before in _TOWARDS):
                return True
            if text[:1] == "它" and text in words.THEY and not _is_the_one(run, place, i):
                return True
            if text in words.THEY and text[0] != "它" and not (people or text == "人家"):
                return True
            if text in ("他", "她") and people and genders.isdisjoint(("", text)):
                return True  # 我妈…，她供他: of somebody else
            if text == "相关" and not (i and clause.tokens[i - 1].tag[0] == "n") and not _WITH.search(clause.text()):
                return True  # to what is said elsewhere
            points = text.startswith(words.POINTING) and token.when is None and not text.startswith(words.NOT_POINTING)
            if points and text != "之" and not _explained(clause, i, later=place > 0):
                return True
            person = (
                text in words.KIN | words.LOVE | words.PEOPLE or is_name(token) or (token.tag[0] == "n" and text.endswith(_PERSON_ENDS))
            )
            people = people or person
            genders |= {_gender(text)} if person else set()
    return bool(re.search(r"一样$|如此|这么|那么(?!一)", run[0].text()))


_HE = re.compile(r"(?:爸|父|爷|公|哥|弟|叔|舅|伯|夫|爹|儿子|孙子|侄子|侄儿|男友|男朋友)$|^(?:爸爸|爷爷|哥哥|弟弟|叔叔|舅舅|伯伯)$")
_SHE = re.compile(
    r"(?<!爸)(?<!爹)(?:妈|母|奶|婆|姐|妹|姨|姑|婶|娘|嫂子?|女儿|孙女|侄女|闺女|妻子|太太|媳妇|女友|女朋友)$|^(?:妈妈|奶奶|姐姐|妹妹|姑姑)$"
)


def _gender(person: str) -> str:
    """Which pronoun may mean somebody; empty where either may."""
    if person.endswith(("父母", "公婆", "外甥女", "姐弟", "兄弟", "姐妹")):
        return "她" if person == "外甥女" else ""
    return "他" if _HE.search(person) else "她" if _SHE.search(person) else ""


def _is_the_one(run: Sequence[Clause], place: int, at: int) -> bool:
    """Whether 它 can mean but one thing of its sentence: the one animal, or the one thing that an earlier clause speaks of (电话一响我就盯着它)."""
    before = [(clause, i) for clause in run[:place] for i in range(len(clause.tokens))] + [(run[place], i) for i in range(at)]
    named = {clause.tokens[i].text for clause, i in before if _is_thing(clause, i)}
    beasts = {name for name in named if name.endswith(words.BEASTS)}
    return len(beasts) == 1 or (not beasts and len(named) == 1)


def _is_thing(clause: Clause, at: int) -> bool:
    token = clause.tokens[at]
    before = clause.tokens[at - 1].text if at else ""
    after = clause.tokens[at + 1].tag if at + 1 < len(clause.tokens) else ""
    somewhere = before in _WHITHER or after[:1] == "f"
    person = token.text in words.KIN | words.LOVE | words.PEOPLE | words.OWN_THINGS or is_name(token)
    person = person or token.text.endswith(_PERSON_ENDS)
    named = token.tag in ("n", "nz") or (token.tag == "i" and len(token.text) < 4)
    return named and token.when is None and not (person or somewhere)


_WHITHER = frozenset("在 去 到 从 回 往 向 进 上".split())


def _explained(clause: Clause, at: int, *, later: bool) -> bool:
    """Whether what is pointed at was said in the sentence. later: it is not the first clause.

    那块 after what says which (锅里剩的那块, 我家那只), 那件蓝褂子 before it, 这两年, and 那天.
    """
    text, rest = clause.tokens[at].text, clause.text(at)
    if text in ONCE or _SPAN.match(rest):
        return True
    if text[0] not in "这那":
        return False
    before = clause.tokens[at - 1] if at else None
    if text in ("那儿", "那里") or (rest.startswith("那是") and at):
        return later
    if before is not None and (
        before.text in ("的", "家", "”")
        or before.text in words.ME | words.THEY
        or before.tag[0] in "nfs"
        or (before.tag == "vn" and text[0] == "那")
    ):
        return True
    if before is not None and before.tag[0] == "v" and at <= 1:
        return True  # 新来那几个人
    return bool(_WHICH.match(rest))
