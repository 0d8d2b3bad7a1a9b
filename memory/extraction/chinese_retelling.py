"""Chinese sentences in third person as a whole: the name for 我, once where the clauses go on, with who else is in it and when."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memory.extraction import chinese_words as words
from memory.extraction.chinese_clauses import Clause, Owner, is_name
from memory.extraction.chinese_definites import spoken
from memory.extraction.chinese_telling import DOUBLED, points_at_talk, spelled
from memory.extraction.chinese_words import Token
from memory.extraction.draft import Line

LONGEST = 64
"""Characters of one sentence; a longer one is told in pieces."""
_OBJECT_OF = re.compile(
    r"(?:把|被|给|对|跟|和|与|向|让|叫|陪|找|带|送|教|说|骂|夸|问|劝|嫌|笑|怕|喊|请|求|逼|催|害|帮|替|为|比|像|连|管|从|在|到|等|看|当|使|令|留|见|离|盯|拉|抱|打|信|懂)$"
)
_MY_OWN = re.compile(r"^(?:的|家|家里|们|这|那)")
_EVEN = frozenset("都 也 就 才 还 从来 一律 总 老".split())
ONCE = {"那天": "有一天", "那次": "有一次", "那回": "有一次", "那年": "有一年", "那晚": "有一晚"}
"""What opens a sentence and points at a time nobody named is told as some time or other."""
_JOINING = frozenset("虽然 尽管 因为 由于 既然 不但 不仅".split())
"""Leads that a later clause answers."""
_LEADING = (words.LEAD - _JOINING) | {"比如", "例如", "显然"}


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


def acting_at(clause: Clause) -> int | None:
    """The place of the first 我 that acts in a clause."""
    return next((i for i in range(len(clause.tokens)) if acts(clause.tokens, i)), None)


def _does_something(clause: Clause) -> bool:
    """Whether 我 acts in it, and it does not only say what is theirs: 今天是我的生日, 我妈养了只狗."""
    at = acting_at(clause)
    return at is not None and clause.owner is not Owner.PERSON and (at == 0 or clause.tokens[at - 1].text != "是")


def one_person(run: Sequence[Clause]) -> bool:
    return len({t.text for c in run for t in c.tokens if t.text in words.KIN | words.LOVE | words.PEOPLE or is_name(t)}) == 1


def we_own(tokens: Sequence[Token], at: int) -> bool:
    """我们家, 我们妈妈: what is theirs together is told as the speaker's."""
    after = tokens[at + 1].text if at + 1 < len(tokens) else ""
    return after in ("家", "家里", "的") or after in words.KIN | words.PEOPLE


def quoted(clause: Clause, at: int) -> bool:
    before = clause.text(0, at)
    return any(before.count(opening) > before.count(closing) for opening, closing in ("“”", "《》", "「」"))


def _opening(clause: Clause) -> int:
    """Where a sentence begins once what only leads up to it is left out."""
    at = 0
    while at < len(clause.tokens) - 1 and (clause.tokens[at].text in _LEADING or clause.tokens[at].text.isspace()):
        at += 1
    return at


def retold(run: Sequence[Clause], line: Line, *, dropped: bool) -> str:
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
        carried = before is not None and bool(pieces) and (_does_something(before) or (before.owner is Owner.ME and not before.owned))
        for i in range(start, len(clause.tokens)):
            made.append(_word(run, place, i, line, carried=carried, dropped=dropped and place == 0))
        piece = words.TAIL.sub("", re.sub(r"\s+", " ", "".join(made)).strip().rstrip("、"))
        if piece:
            pieces.append(piece)
    text = "，".join(pieces)
    unbalanced = text.count("“") != text.count("”") or text.count("《") != text.count("》")
    return "" if unbalanced or len(text) > LONGEST or line.speaker not in text or points_at_talk(text, line) else text


def _word(run: Sequence[Clause], place: int, at: int, line: Line, *, carried: bool, dropped: bool) -> str:
    """One word of a clause in third person. carried: the clause before is the speaker's, so 我 that opens this one is not said again."""
    clause = run[place]
    token = clause.tokens[at]
    verbatim = spoken(token, line.text)
    if quoted(clause, at):
        return verbatim
    before = clause.tokens[at - 1].text if at else ""
    after = clause.tokens[at + 1] if at + 1 < len(clause.tokens) else None
    if token.meant:
        return token.meant
    if token.text in words.WE and not we_own(clause.tokens, at):
        return "两人" if one_person(run) else f"{line.speaker}他们"
    if token.text in words.ME | words.WE:
        if at == _opening(clause) and carried and acts(clause.tokens, at):
            return ""
        return _me(clause, at, speaker=line.speaker, dropped=dropped)
    if token.text in ("家", "家里") and before in words.ME | words.WE:
        return "家" if after is not None and after.text[0] in "住在离" else "家里"
    if before in words.ME and token.text in DOUBLED:
        return DOUBLED[token.text]
    if token.text[0] == "这" and len(token.text) < 3 and before in words.ME and not _is_self(clause, at):
        return ""
    if token.text in words.YOU:
        return line.listener
    if token.text in ONCE and place == 0 and at == _opening(clause):
        return ONCE[token.text]
    return spelled(token) if token.when is not None else verbatim


def _is_self(clause: Clause, at: int) -> bool:
    """我这人: no more than 我."""
    return clause.text(at).startswith(("这人", "这个人"))


def _me(clause: Clause, at: int, *, speaker: str, dropped: bool) -> str:
    """我 in third person: 自己 where the speaker has acted in the clause before and nobody stands between, else the name; with 的 before who is theirs."""
    earlier = -1 if dropped else next((i for i in range(at) if acts(clause.tokens, i)), None)
    between = () if earlier is None else clause.tokens[earlier + 1 : at]
    others = any(is_name(t) or t.tag == "r" or t.text in words.KIN | words.LOVE | words.PEOPLE or t.text.endswith("人") for t in between)
    after = clause.tokens[at + 1] if at + 1 < len(clause.tokens) else None
    own = after is not None and (
        after.text in words.KIN | words.LOVE | words.PEOPLE
        or (after.text[0] == "这" and not _is_self(clause, at + 1))
        or after.text in words.OWN_THINGS - {"家"}
    )
    return ("自己" if earlier is not None and not others else speaker) + ("的" if own else "")
