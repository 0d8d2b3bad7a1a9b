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
from memory.extraction.chinese_owners import Whose
from memory.extraction.chinese_telling import spelled
from memory.extraction.chinese_words import Token
from memory.extraction.chinese_worth import carries_nothing, worth
from memory.extraction.draft import Line

LONGEST = 64
"""Characters of one sentence; a longer one is told in pieces."""
_PARTS_OF_IT = frozenset({"", "fragment"})
"""Refusals of a clause that still may stand in its sentence: 上小学的时候."""
_EDGES = frozenset({"empty", "agreement", "greeting", "thanks", "question"})
"""Refusals of clauses that may be left out before or after a run without changing what it says."""
_OBJECT_OF = re.compile(
    r"(?:把|被|给|对|跟|和|与|向|让|叫|陪|找|带|送|教|说|骂|夸|问|劝|嫌|笑|怕|喊|请|求|逼|催|害|帮|替|为|比|像|连|管|从|在|到|等|看|当|使|令|留|见|离|盯|拉|抱|打|信|懂)$"
)
_MY_OWN = re.compile(r"^(?:的|家|家里|们|这|那)")
_EVEN = frozenset("都 也 就 才 还 从来 一律 总 老".split())
_BOTH_OF_US = frozenset("咱 咱们 咱俩".split())
_DOUBLED = {"妈": "妈妈", "爸": "爸爸", "哥": "哥哥", "姐": "姐姐", "弟": "弟弟", "妹": "妹妹", "舅": "舅舅", "姑": "姑姑", "姨": "姨妈"}
"""我妈 in third person."""
_TOWARDS = frozenset("给 跟 和 对 为 替 帮 带 陪 与".split())
_PERSON_ENDS = tuple("人 娘 哥 姐 爷 妈 爸 师 生 孩 伯 婶 叔 舅 姨 姑 奶 公 婆 弟 妹 儿 女 友 长 员 们 子".split())
_SPAN = re.compile(r"(?:这|那)(?:[两几三些半])?(?:年|天|个?月|阵|段时间|辈子|会儿|时候)")
_WHICH = re.compile(r"那[^的]{0,3}[个件把张本条只首句种套辆位间](?:[^的]{1,8}的[^的]|[红蓝白黑绿灰旧老新])")
_ONCE = {"那天": "有一天", "那次": "有一次", "那回": "有一次", "那年": "有一年", "那晚": "有一晚"}
"""What opens a sentence and points at a time nobody named is told as some time or other."""


@dataclass(frozen=True, slots=True)
class Whole:
    """Clauses `first` to `last`, both included, told as one."""

    first: int
    last: int
    text: str


def acts(tokens: Sequence[Token], at: int) -> bool:
    """Whether 我 at this place is who does or is what follows: not an object, not an owner."""
    if tokens[at].text not in words.ME or at + 1 >= len(tokens):
        return False
    before, after = tokens[at - 1] if at else None, tokens[at + 1]
    if before is not None and before.text == "是":
        return True
    if _MY_OWN.match(after.text) or after.text in words.KIN | words.LOVE | words.PEOPLE | words.OWN_THINGS:
        return False
    if before is None or before.text in words.LEAD or before.text in words.ADVERBS:
        return True
    if _OBJECT_OF.search(before.text):
        return after.text in _EVEN
    return before.tag[0] != "p" and (after.tag[0] not in "nm" or before.tag[0] in "nfts")


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
        while last >= first and why[last] in _EDGES:
            last -= 1
        if first <= last and all(reason in _PARTS_OF_IT for reason in why[first : last + 1]):
            made.append((first, last))
        at = end + 1
    return made


def _vocative(clause: Clause) -> bool:
    """麦子，……, 是的，……: a bare name or a yes before what is said."""
    return clause.text() in words.LEAD or (len(clause.text()) <= 3 and all(t.tag[0] in "naz" for t in clause.tokens))


def _told(run: Sequence[Clause], owners: Sequence[Whose], line: Line) -> str:
    """The run in third person; empty where it is not about the speaker, says nothing, leans on something else, or its clauses alone say it as well."""
    acting = [_acting(clause) for clause in run]
    dropped = owners[0].owner is Owner.ME and run[0].owner is Owner.NONE and not run[0].owned
    if len(run) == 1 and (acting[0] is None or acting[0] == run[0].subject):
        return ""
    owned = run[0].owner is Owner.ME
    if all(at is None for at in acting) and not dropped and not owned and not _two(run):
        return ""
    if not _worth(run, acting, owners) or _leans(run, line):
        return ""
    return _retold(run, line, dropped=dropped and acting[0] is None)


def _two(run: Sequence[Clause]) -> bool:
    """我爸一打来电话，没两分钟我们准吵起来: the speaker and one other."""
    ours = any(t.text in words.WE and not _we_own(c.tokens, i) for c in run for i, t in enumerate(c.tokens))
    return ours and _one_person(run)


def _one_person(run: Sequence[Clause]) -> bool:
    return len({t.text for c in run for t in c.tokens if t.text in words.KIN | words.LOVE | words.PEOPLE or is_name(t)}) == 1


_CIRCUMSTANCE = re.compile(r"(?:以后|之后|以前|之前|时候?|那阵儿?|那会儿?|那[天年回次]|的[^的]{1,4})$")
"""我爸住院那阵儿, 我哥淘汰下来的棉袄: names when or what, and says nothing of him yet."""


def _acting(clause: Clause) -> int | None:
    """The place of the first 我 that acts in a clause."""
    return next((i for i in range(len(clause.tokens)) if acts(clause.tokens, i)), None)


def _worth(run: Sequence[Clause], acting: Sequence[int | None], owners: Sequence[Whose]) -> bool:
    """Whether what the speaker does in it can be remembered; where it begins with them alone, the nouns of what stands around it count."""
    of_me = [
        replace(clause, owner=Owner.ME, subject=at, body=_does(clause, at), owned=False) if at is not None else clause
        for clause, at, whose in zip(run, acting, owners, strict=True)
        if at is not None or whose.owner is Owner.ME
    ]
    if any(worth(clause, Owner.ME) for clause in of_me):
        return True
    told = [clause for clause in of_me if not carries_nothing(clause) and len(_content(clause)) >= 2]
    if owners[0].owner in (Owner.PERSON, Owner.THEY) and not _CIRCUMSTANCE.search(run[0].text()):
        return _two(run) or any(len(_content(clause)) >= 4 for clause in told)
    tags = [t.tag for clause in run for t in clause.tokens]
    return bool(told) and (any(tag[0] in "nst" for tag in tags) or sum(tag[0] == "v" for tag in tags) >= 3)


def _does(clause: Clause, at: int) -> int:
    """Where what is said of 我 begins: behind it, or at the start of 看菜谱是我的消遣."""
    return 0 if at and clause.tokens[at - 1].text == "是" else at + 1


def _content(clause: Clause) -> list[Token]:
    return [t for t in clause.tokens[clause.body :] if t.text not in words.ADVERBS and t.tag[0] not in "uyx"]


def _leans(run: Sequence[Clause], line: Line) -> bool:
    """Whether something in it points outside the sentence, or at the listener in a way that may mean anybody."""
    people = things = False
    for place, clause in enumerate(run):
        for i, token in enumerate(clause.tokens):
            if _quoted(clause, i):
                continue
            text, before = token.text, clause.tokens[i - 1].text if i else ""
            if text in _BOTH_OF_US:
                return True
            if text in words.YOU and not (line.listener and before in _TOWARDS):
                return True
            if text in words.THEY and not ((things or place) if text[0] == "它" else people or text == "人家"):
                return True
            points = text.startswith(words.POINTING) and token.when is None and not text.startswith(words.NOT_POINTING)
            if points and text != "之" and not _explained(clause, i, later=place > 0):
                return True
            people = (
                people
                or text in words.KIN | words.LOVE | words.PEOPLE
                or is_name(token)
                or (token.tag[0] == "n" and text.endswith(_PERSON_ENDS))
            )
            things = things or token.tag[0] == "n"
    return bool(re.search(r"一样$|如此|这么|那么(?!一)", run[0].text()))


def _quoted(clause: Clause, at: int) -> bool:
    before = clause.text(0, at)
    return any(before.count(opening) > before.count(closing) for opening, closing in ("“”", "《》", "「」"))


def _explained(clause: Clause, at: int, *, later: bool) -> bool:
    """Whether what is pointed at was said in the sentence. later: it is not the first clause.

    那块 after what says which (锅里剩的那块, 我家那只), 那件蓝褂子 before it, 这两年, and 那天.
    """
    text, rest = clause.tokens[at].text, clause.text(at)
    if text in _ONCE or _SPAN.match(rest):
        return True
    if text[0] not in "这那":
        return False
    before = clause.tokens[at - 1] if at else None
    if text in ("那儿", "那里") or (rest.startswith("那是") and at):
        return later
    if before is not None and (
        before.text in ("的", "家", "”") or before.text in words.ME | words.THEY or before.tag[0] in "nfs" or before.tag == "vn"
    ):
        return True
    if before is not None and before.tag[0] == "v" and at <= 1:
        return True  # 新来那几个人
    return bool(_WHICH.match(rest))


def _retold(run: Sequence[Clause], line: Line, *, dropped: bool) -> str:
    """dropped: the first clause leaves the speaker out."""
    pieces: list[str] = []
    for place, clause in enumerate(run):
        start = _opening(clause) if place == 0 else 0
        made: list[str] = []
        if place == 0 and dropped:
            while start < len(clause.tokens) and words.is_passing_time(clause.tokens[start]):
                made.append(spelled(clause.tokens[start]))
                start += 1
            made.append(line.speaker)
        before = run[place - 1] if place else None
        carried = before is not None and bool(pieces) and (_acting(before) is not None or (before.owner is Owner.ME and not before.owned))
        for i in range(start, len(clause.tokens)):
            made.append(_word(run, place, i, line, carried=carried, dropped=dropped and place == 0))
        piece = words.TAIL.sub("", re.sub(r"\s+", " ", "".join(made)).strip().rstrip("、"))
        if piece:
            pieces.append(piece)
    text = "，".join(pieces)
    unbalanced = text.count("“") != text.count("”") or text.count("《") != text.count("》")
    return "" if unbalanced or len(text) > LONGEST or line.speaker not in text else text


def _word(run: Sequence[Clause], place: int, at: int, line: Line, *, carried: bool, dropped: bool) -> str:
    """One word of a clause in third person. carried: the clause before is the speaker's, so 我 that opens this one is not said again."""
    clause = run[place]
    token = clause.tokens[at]
    verbatim = line.text[token.start : token.end]
    if _quoted(clause, at):
        return verbatim
    before = clause.tokens[at - 1].text if at else ""
    after = clause.tokens[at + 1] if at + 1 < len(clause.tokens) else None
    if token.text in words.WE and not _we_own(clause.tokens, at):
        return "两人" if _one_person(run) else f"{line.speaker}他们"
    if token.text in words.ME | words.WE:
        if at == _opening(clause) and carried and acts(clause.tokens, at):
            return ""
        return _me(clause, at, speaker=line.speaker, dropped=dropped)
    if token.text in ("家", "家里") and before in words.ME | words.WE:
        return "家" if after is not None and after.text[0] in "住在离" else "家里"
    if before in words.ME and token.text in _DOUBLED:
        return _DOUBLED[token.text]
    if token.text[0] == "这" and len(token.text) < 3 and before in words.ME:
        return ""
    if token.text in words.YOU:
        return line.listener
    if token.text in _ONCE and place == 0 and at == _opening(clause):
        return _ONCE[token.text]
    return spelled(token) if token.when is not None else verbatim


_JOINING = frozenset("虽然 尽管 因为 由于 既然 不但 不仅".split())
"""Leads that a later clause answers."""


def _opening(clause: Clause) -> int:
    """Where a sentence begins once what only leads up to it is left out."""
    at = 0
    while at < len(clause.tokens) - 1 and (clause.tokens[at].text in words.LEAD - _JOINING or clause.tokens[at].text.isspace()):
        at += 1
    return at


def _we_own(tokens: Sequence[Token], at: int) -> bool:
    """我们家, 我们主任: what is theirs together is told as the speaker's."""
    if at + 1 >= len(tokens):
        return False
    after = tokens[at + 1]
    return (
        after.text in ("家", "家里", "的", "单位", "公司", "学校", "班", "组", "小区", "村", "厂", "店")
        or after.text in words.KIN | words.PEOPLE
        or after.tag == "n"
    )


def _me(clause: Clause, at: int, *, speaker: str, dropped: bool) -> str:
    """我 in third person: 自己 where the speaker has acted in the clause before and nobody stands between, else the name; with 的 before who is theirs."""
    earlier = -1 if dropped else next((i for i in range(at) if acts(clause.tokens, i)), None)
    between = () if earlier is None else clause.tokens[earlier + 1 : at]
    others = any(is_name(t) or t.tag == "r" or t.text in words.KIN | words.LOVE | words.PEOPLE or t.text.endswith("人") for t in between)
    after = clause.tokens[at + 1] if at + 1 < len(clause.tokens) else None
    own = after is not None and (
        after.text in words.KIN | words.LOVE | words.PEOPLE or after.text[0] == "这" or after.text in words.OWN_THINGS - {"家"}
    )
    return ("自己" if earlier is not None and not others else speaker) + ("的" if own else "")
