"""Answers read out of what recall found: a note on each thing that bears on the question, then what answers it, or that it is not in memory (Chain-of-Note,
LongMemEval 5.5).

Without a language model an answer is one to three sentences as they stand, of facts and of what was said; this room chooses them and is pure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from memory.bearing import Question, Sentence, Weighed, weigh
from memory.content import asks_name, says_name
from memory.cues import Tense
from memory.reading.drafts import DateRange
from memory.support import ENOUGH
from storage.records import Kind
from storage.terms import query_terms

By = Literal["sentences", "model"]
Missing = Literal["", "nothing", "weak", "uncited"]

FRESH = 0.6
"""Bearing from which on a sentence of which nothing is remembered yet, so that recall could not find it, is taken for an answer."""
TOGETHER = 0.6
"""Share of the best one's bearing that a further sentence must have to stand beside it."""
MOST_SENTENCES = 4
MOST_NOTES = 6
OVERTAKING = 0.6
"""Share of the best one's bearing that a fact must have to be the newer or the older side of another."""
SURELY = 0.5
"""How surely the best sentence tells what the sketch holds of what is asked, so that it answers whatever recall found besides."""
ALIKE = 0.6
"""Share of the shorter sentence's terms from which on two say the same."""


@dataclass(frozen=True)
class Note:
    """What one thing says that bears on the question."""

    text: str
    kind: Kind
    memory_id: str
    round: int
    said_by: str
    said_at: datetime
    event: DateRange | None = None
    quote: str = ""
    cited: bool = False
    """It stands in the answer."""


@dataclass(frozen=True)
class Part:
    """A piece of an answer, and the rounds it stands in."""

    text: str
    rounds: tuple[int, ...]
    said_at: datetime | None = None
    event: DateRange | None = None
    noted: bool = True
    """It was noted or told of what was said, and is not itself what was said."""


@dataclass(frozen=True)
class Answer:
    found: bool
    parts: tuple[Part, ...]
    """Empty where nothing was found, but for what a model said without naming where it stands (`missing` is `uncited`)."""
    notes: tuple[Note, ...]
    """Oldest first. Where nothing was found the nearest things, which are no answer."""
    by: By
    missing: Missing = ""
    """Why it was not found: memory holds nothing; nothing that bears enough on the question; a model cited nothing."""
    support: float = 0.0
    dated: bool = False
    """The question asks when."""


def extractive(question: Question, sentences: Sequence[Sentence], *, support: float, overtaken: Mapping[str, str]) -> Answer:
    """The sentences that bear best on a question, as they stand. support: of what recall found (`memory.support`); overtaken: by id of a fact that of the one
    that says the same otherwise, later."""
    weighed = weigh(question, sentences)
    if not weighed:
        return Answer(False, (), (), "sentences", "nothing")
    apart = _apart(weighed)
    past = question.asked.tense is Tense.BEFORE
    says_when = question.dated and apart[0].sentence.event is not None
    near = (w for w in apart[1:] if w.bearing >= TOGETHER * apart[0].bearing and len(query_terms(w.sentence.text)) > 2)
    near = (w for w in near if past or not (w.sentence.gone or w.sentence.asked_for < 0))
    chosen = [apart[0], *(w for w in near if w.sentence.event is not None or not says_when)][:MOST_SENTENCES]
    if not past and apart[0].sentence.gone:
        first = apart[0].sentence
        chosen[1:1] = [w for w in weighed if w.sentence.round == first.gone and w.sentence.said_by == first.said_by and w not in chosen][:1]
    fresh = any(w.bearing >= FRESH and question.concerns(w.sentence) for w in weighed if not w.sentence.memory_id)
    borne_out = support >= ENOUGH or fresh or apart[0].sentence.asked_for >= SURELY
    # What somebody is called is told by nothing without a name.
    if not borne_out or (
        asks_name(question.text)
        and not any(w.sentence.asked_for >= SURELY or says_name(w.sentence.own, but=w.sentence.told_of) for w in chosen)
    ):
        nearest = sorted((_note(w.sentence) for w in apart[:MOST_SENTENCES]), key=_when)
        return Answer(False, (), tuple(nearest), "sentences", "weak", support)
    picked = _settled(chosen, weighed, overtaken, question.asked.tense)
    cited = {(s.memory_id, s.text) for s in picked}
    others = [w.sentence for w in apart if (w.sentence.memory_id, w.sentence.text) not in cited][: max(0, MOST_NOTES - len(picked))]
    notes = [replace(_note(s), cited=True) for s in picked] + [_note(s) for s in others]
    return Answer(
        True,
        tuple(Part(_whole(s, picked), (s.round,), s.said_at, s.event, noted=s.kind is not Kind.EPISODE) for s in picked),
        tuple(sorted(notes, key=_when)),
        "sentences",
        support=support,
        dated=question.dated,
    )


def _whole(sentence: Sentence, picked: Sequence[Sentence]) -> str:
    """A sentence with the few words that were said right after it, unless they are shown by themselves."""
    if not sentence.after or any(_same(replace(sentence, text=sentence.after, quote=""), other) for other in picked if other != sentence):
        return sentence.text
    return sentence.text + ("" if "\u3400" <= sentence.text[0] <= "\u9fff" else " ") + sentence.after


def _apart(weighed: Sequence[Weighed]) -> list[Weighed]:
    """Without what says once more what stands before it: the words that a fact was taken from, or nearly the same."""
    kept: list[Weighed] = []
    for one in weighed:
        if not any(_same(one.sentence, other.sentence) for other in kept):
            kept.append(one)
    return kept


def _same(a: Sentence, b: Sentence) -> bool:
    if a.round != b.round:
        return False
    taken = ((a.quote, b.quote or b.text), (b.quote, a.quote or a.text))
    if any(quote and (quote in words or words in quote) for quote, words in taken):
        return True
    mine, theirs = set(query_terms(a.text)), set(query_terms(b.text))
    return bool(mine and theirs) and len(mine & theirs) >= ALIKE * min(len(mine), len(theirs))


def _settled(chosen: Sequence[Weighed], weighed: Sequence[Weighed], overtaken: Mapping[str, str], tense: Tense) -> list[Sentence]:
    """Of two facts that differ with time the newer alone where it is asked how it is now, both where it is asked how it was, oldest first."""
    picked = [w.sentence for w in chosen]
    if tense is Tense.OPEN:
        return picked
    near = {
        w.sentence.memory_id: w.sentence for w in weighed if w.sentence.kind is Kind.FACT and w.bearing >= OVERTAKING * chosen[0].bearing
    }
    older = {new: old for old, new in overtaken.items()}
    found: list[Sentence] = []
    for sentence in picked:
        newer = near.get(overtaken.get(sentence.memory_id, ""))
        former = near.get(older.get(sentence.memory_id, ""))
        pair = [newer or sentence] if tense is Tense.NOW else [s for s in (former, sentence, newer) if s is not None]
        found += [s for s in pair if not any(s == other or _same(s, other) for other in found)]
    return sorted(found, key=lambda s: s.said_at) if tense is Tense.BEFORE else found


def _note(sentence: Sentence) -> Note:
    return Note(
        sentence.text,
        sentence.kind,
        sentence.memory_id,
        sentence.round,
        sentence.said_by,
        sentence.said_at,
        sentence.event,
        sentence.quote if sentence.quote != sentence.text else "",
    )


def _when(note: Note) -> tuple[datetime, int]:
    return note.said_at, note.round
