"""Facts of one Chinese message: clauses of a sentence about one subject chained into short statements in third person."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from memory.extraction import chinese_words as words
from memory.extraction.chinese_clauses import Clause, Owner
from memory.extraction.chinese_owners import Whose
from memory.extraction.chinese_sentences import Whole, wholes
from memory.extraction.chinese_telling import LONGEST, joined, points_at_talk, tell
from memory.extraction.chinese_values import carries_on, names_likings, values_of
from memory.extraction.chinese_worth import DONE, dependent, trust, wants_more, worth
from memory.extraction.draft import DateRange, FactDraft, Line

_ADVICE = re.compile(
    r"^(?:那么?|所以|首先|其次|另外|此外|比如|如|或者|还|也|不妨|我|就|可以|强烈)*"
    r"(?:(?:建议|推荐)(?:你|您)(?:可以|不妨)?|(?<=我)(?:想|强烈)?(?:建议|推荐)|(?:觉得|认为)?(?:你|您)(?:也|还|就|平时|首先|其实)*(?:可以|不妨|最好|应该)(?:先|也|试试|试着)*)"
    r"(?P<x>[^？?]{4,40})$"
)
_GOES = re.compile("[去来](?![了过年])")
"""你可以约上几个好友，去尝试……: what the advice is for."""
_NO_ADVICE = re.compile(
    r"[我你您他她它这那]|告诉|随时|放心|相信|做到|说说|分享|聊|选择的$|得很|自己的(?:想法|选择|决定)|^(?:通过|根据|利用|借助|运用)[^来选进以]*$|^首先|^.{0,2}[今明后]天.{0,2}$|[中时]$|^(?:考虑)?(?:尝试|试).?一下|"
    r"^(?:去)?(?:尝试|试试|了解|看看|考虑|选择)?一下|什么|怎么|哪|如何|吗"
)


@dataclass
class _Telling:
    """A fact under way."""

    whose: Whose
    sentence: int
    pieces: list[str]
    start: int
    end: int
    event: DateRange | None = None
    trust: float = 1.0
    listing: bool = False
    """Its last clause names likings, so bare nouns after it go on with them: 喜欢唱歌，健身，旅游."""
    trailing: bool = False
    """Its last clause hangs on a noun before it (比如……), so a dropped subject after that is anybody's."""
    advice: bool = False
    open: bool = True
    """Nothing has come between it and the clause that is looked at."""

    def takes(self, piece: str, event: DateRange | None) -> bool:
        """Whether a further clause fits into it."""
        return bool(piece) and (event is None or self.event in (None, event)) and len(joined([*self.pieces, piece])) <= LONGEST

    def add(self, piece: str, clause: Clause, event: DateRange | None = None) -> None:
        self.pieces.append(piece)
        self.end = clause.end
        self.event = self.event or event
        self.trust = min(self.trust, trust(clause))


def facts_of(clauses: Sequence[Clause], why: Sequence[str], owners: Sequence[Whose], speech: str, line: Line) -> list[FactDraft]:
    """What the clauses tell. why, owners: for each clause its refusal and whom it is about; speech: the simplified text they stand in."""
    made: list[_Telling] = []
    dropped_in = -1
    """The last sentence of which a clause was not told."""
    whole = {at: run for run in wholes(clauses, why, owners, line) for at in range(run.first, run.last + 1)}
    for at, (clause, refusal, whose) in enumerate(zip(clauses, why, owners, strict=True)):
        if at in whole:
            if at == whole[at].first:
                made.append(_of_sentence(whole[at], clauses, line))
            continue
        current = made[-1] if made and made[-1].open and made[-1].sentence == clause.sentence else None
        if made and made[-1].advice and made[-1].end == clauses[at - 1].end and refusal in ("", "order") and _GOES.match(clause.text()):
            if made[-1].takes(piece := words.TAIL.sub("", line.text[clause.start : clause.end]), None) and not points_at_talk(piece, line):
                made[-1].add(piece, clause)
            continue
        special = _going_by(clause, speech, line) if not refusal else ""
        advice = "" if special else _advice(clause, refusal, line)
        if special or advice:
            mine = Whose(Owner.ME, line.speaker)
            made.append(
                _Telling(
                    mine, clause.sentence, [special or advice], clause.start, clause.end, event_of(clause), open=False, advice=bool(advice)
                )
            )
            continue
        if not refusal and current is not None and current.listing and carries_on(clause):
            current.add(words.TAIL.sub("", line.text[clause.start : clause.end]), clause)
            continue
        valued = not refusal and bool(values_of(clause, speech, said_at=line.said_at))
        hangs = clause.owner is Owner.NONE and dropped_in == clause.sentence and current is None and not DONE.search(clause.text())
        told = (
            not refusal
            and _tellable(clause, whose)
            and not hangs
            and (valued or worth(clause, whose.owner))
            and not (wants_more(clause) and (current is None or current.whose != whose))
        )
        if not told or not _draft(made, current, clause, whose, line):
            if made:
                made[-1].open = False
            if refusal != "empty":
                dropped_in = clause.sentence
    told_all = [FactDraft(_told(t, line), t.whose.label, line.text[t.start : t.end].strip(), t.event, t.trust) for t in made]
    return [fact for fact in told_all if not _ITSELF.fullmatch(fact.text)]


_ITSELF = re.compile(r"(?:[^，。]{1,2}，)?(.+)是\1。?")
"""对，我是林岚, on the telephone: a name is kept as a value, and a fact it is not."""


def _told(telling: _Telling, line: Line) -> str:
    """Without the name where that is what the speaker goes by already: 林小雨是林小雨，布店的伙计 tells what else they are."""
    text = joined(telling.pieces)
    own = re.match(
        rf"{re.escape(line.speaker)}(?:的?(?:名字)?(?:叫|是|叫做|名叫))?{re.escape(line.speaker)}，(?:{re.escape(line.speaker)})?(?P<rest>.{{3,}})",
        text,
    )
    if own is None:
        return text
    what = own["rest"]
    first = words.tokens_of(re.split("[，。]", what)[0])
    named = first[0].tag[0] not in "dp" and (first[-1].tag[0] == "n" if len(first) == 1 else first[-2].text == "的")
    return line.speaker + ("是" if named else "") + what


def _of_sentence(run: Whole, clauses: Sequence[Clause], line: Line) -> _Telling:
    inside = clauses[run.first : run.last + 1]
    days = list(dict.fromkeys(day for day in map(event_of, inside) if day is not None))
    return _Telling(
        Whose(Owner.ME, line.speaker),
        inside[0].sentence,
        [run.text],
        inside[0].start,
        inside[-1].end,
        days[0] if len(days) == 1 else None,
        min(map(trust, inside)),
        open=False,
    )


def _draft(made: list[_Telling], current: _Telling | None, clause: Clause, whose: Whose, line: Line) -> bool:
    """Tell one clause, in the fact under way where it goes on with that; False if it cannot be told."""
    follows = current is not None and current.whose == whose and clause.owner in (Owner.NONE, whose.owner)
    points = dependent(clause)
    event = event_of(clause)
    if points and not follows:
        return False
    if follows and current is not None and (clause.owner is Owner.NONE or points):
        piece = tell(clause, line, owner=whose.owner, label=whose.label, opening=False)
        if current.takes(piece, event):
            current.add(piece, clause, event)
            current.trailing = points
            return True
    if points or (current is not None and current.trailing and clause.owner is Owner.NONE):
        return False
    alone = tell(clause, line, owner=whose.owner, label=whose.label, opening=True)
    if not alone or len(alone) > 2 * LONGEST or _says_own_name(alone, line):
        return False
    if event is None and follows and current is not None and DONE.search(clause.text()):
        event = current.event
    made.append(_Telling(whose, clause.sentence, [alone], clause.start, clause.end, event, trust(clause), listing=names_likings(clause)))
    return True


_TOGETHER = re.compile("在一起")
"""With whom is what it would have to say."""
_OURS = re.compile(r"(?:还|也|家里?)*(?:有|养)(?:了|着)?(?:[一两二三四五六七八九十几]|个)")


def _tellable(clause: Clause, whose: Whose) -> bool:
    """我们 is told of what was done, not of what all of us should do."""
    if whose.owner is Owner.ME and not clause.companions and _TOGETHER.match(clause.text(clause.body)):
        return False
    if whose.owner is Owner.WE and not clause.person and _OURS.match(clause.text(clause.body)):
        return True
    if whose.owner is Owner.WE and not clause.person:
        body = clause.text(clause.body)
        return bool(DONE.search(body)) and not re.search(r"应该|可以|都|需要|必须", body)
    return whose.owner in (Owner.ME, Owner.PERSON, Owner.WE)


def _advice(clause: Clause, refusal: str, line: Line) -> str:
    """What the speaker recommends to the listener; that it was recommended is a fact."""
    if not line.listener or refusal not in ("", "order") or "？" in clause.stop or "?" in clause.stop:
        return ""
    found = _ADVICE.match(words.TAIL.sub("", clause.text()))
    if found is None or _NO_ADVICE.search(found.group("x")) or dependent(clause):
        return ""
    what = found.group("x")
    if re.match(r"《|[一几两][些本部个首款家种]", what):
        return f"{line.speaker}向{line.listener}推荐{what}" if "推荐" in clause.text() else ""
    return f"{line.speaker}建议{line.listener}{what}"


def _going_by(clause: Clause, speech: str, line: Line) -> str:
    """叫我小雨就行, 大家都叫我阿林: what the speaker goes by."""
    found = next((v for key, v in values_of(clause, speech, said_at=line.said_at) if key == "nickname"), "")
    return f"{line.speaker}的昵称是{found}" if found and "叫我" in clause.text() else ""


def event_of(clause: Clause) -> DateRange | None:
    """When it happens; a birthday comes every year."""
    return None if "生日是" in clause.text() else next((t.when for t in clause.tokens if t.when is not None), None)


def _says_own_name(told: str, line: Line) -> bool:
    """The name by which the fact calls its subject is no news in it."""
    return bool(re.fullmatch(rf"{re.escape(line.speaker)}的?(?:名字)?(?:叫|是|叫做){re.escape(line.speaker)}", told))
