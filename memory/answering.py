"""Answers read out of what recall found: a note on each thing that bears on the question, then what answers it, or that it is not in memory (Chain-of-Note,
LongMemEval 5.5).

Without a language model an answer is one to three sentences as they stand, of facts and of what was said; this room chooses them and is pure.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from memory.cues import Asked, Tense, ends_asking
from memory.extraction.draft import DateRange
from memory.extraction.ownership import named
from storage.records import Kind
from storage.terms import query_terms
from storage.words import Rarity

By = Literal["sentences", "model"]
Missing = Literal["", "nothing", "weak", "uncited"]

ENOUGH = 0.5
"""Support from which on the best sentence is taken for an answer."""
BESIDE = 0.85
"""Share of the best one's bearing that a further sentence must have to stand beside it."""
MOST_SENTENCES = 3
MOST_NOTES = 6
MOST_CHARS = 400
"""Of one sentence; a longer one is cut with a mark."""
OVERTAKING = 0.6
"""Share of the best one's bearing that a fact must have to be the newer or the older side of another."""
ALIKE = 0.6
"""Share of the shorter sentence's terms from which on two say the same."""

COVERED, NEAR, RANKED = 0.45, 0.4, 0.15
"""What bearing is made of: the question's terms by rarity, likeness in meaning, and the place in recall."""
AROUND = 0.5
"""What a term of the question counts that stands only beside the sentence: in what it answers, or in the rest of its message."""
NEAR_SPAN = 0.12
"""How far above the ground likeness is full."""
ANOTHERS = 0.25
"""Taken away from what is of another person than the question names."""
UNDATED, DATED = 0.1, 0.1
"""Taken away from what says no time, and added to what says one, where the question asks when."""
PLAIN = 0.05
"""Added to a fact: it can be understood alone, and its dates are worked out."""

_SENTENCE = re.compile(r".+?(?:[.!?…]+[\"'”’)*\]]*(?=\s|$)|[。！？…]+[”’」』）]*|\n|$)", re.DOTALL)
_ABBREVIATED = re.compile(r"(?:^|\s)(?:Mr|Mrs|Ms|Dr|St|Prof|etc|e\.g|i\.e|vs)\.$", re.IGNORECASE)


@dataclass(frozen=True)
class Sentence:
    """One sentence that recall brought: what a fact or an insight says, or a part of what was said in a round."""

    text: str
    kind: Kind
    memory_id: str
    round: int
    said_by: str
    said_at: datetime
    told_of: frozenset[str] = frozenset()
    """Whose matter it is: the speaker, and whom it names."""
    around: str = ""
    """What it answers, and the rest of its message."""
    quote: str = ""
    """The words that a fact was taken from."""
    event: DateRange | None = None
    """When what it tells of was or will be."""
    place: int = 0
    """Of its round in recall, from 0."""
    likeness: float = 0.0
    """Cosine to the question, less that of anything."""
    message_id: str = ""
    """Of what was said the message; empty for a fact or an insight."""


@dataclass(frozen=True)
class Question:
    """What is asked, and of whom. meant: people, empty where it names none; rarity: of its terms on the path."""

    text: str
    asked: Asked
    meant: frozenset[str]
    rarity: Rarity


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


@dataclass(frozen=True)
class Weighed:
    sentence: Sentence
    bearing: float
    """0 to about 1: how much it bears on the question."""


def sentences_of(text: str) -> list[str]:
    """The sentences of what was said, as they stand; what is longer than MOST_CHARS is cut with a mark."""
    found: list[str] = []
    for match in _SENTENCE.finditer(text):
        piece = match.group()
        if found and _ABBREVIATED.search(found[-1].rstrip()):
            found[-1] += piece
        elif piece.strip():
            found.append(piece)
    return [_cut(piece.strip()) for piece in found]


def _cut(text: str) -> str:
    return text if len(text) <= MOST_CHARS else text[: MOST_CHARS - 2].rstrip() + " …"


# How much a sentence bears on a question


def weigh(question: Question, sentences: Iterable[Sentence]) -> list[Weighed]:
    """Best first; of equals what recall put first. What only asks answers nothing."""
    weights = _weights(question)
    weighed = [Weighed(s, _bearing(question, s, weights)) for s in sentences if not ends_asking(s.text)]
    return sorted(weighed, key=lambda w: (-w.bearing, w.sentence.place, w.sentence.round))


def _weights(question: Question) -> dict[str, float]:
    """How rare each term of the question is on the path; names of whom it means count as any term that is everywhere."""
    names = {term for name in question.meant for term in query_terms(name)}
    size = max(1, question.rarity.memories)
    held = question.rarity.holding
    return {
        term: max(0.05, math.log((size + 0.5) / (held.get(term, 0.0) + 0.5)) / math.log(size + 1.5))
        for term in question.asked.terms
        if term not in names
    }


def _bearing(question: Question, sentence: Sentence, weights: Mapping[str, float]) -> float:
    own = set(query_terms(f"{sentence.text} {sentence.quote}"))
    beside = set(query_terms(sentence.around)) - own
    whole = sum(weights.values())
    held = sum(w for t, w in weights.items() if t in own) + AROUND * sum(w for t, w in weights.items() if t in beside)
    value = COVERED * (held / whole if whole else 0.0)
    value += NEAR * min(1.0, max(0.0, sentence.likeness / NEAR_SPAN))
    value += RANKED / (1 + sentence.place)
    if question.meant and not question.meant & sentence.told_of:
        value -= ANOTHERS
    if question.asked.when:
        value += DATED if sentence.event is not None else -UNDATED
    return value + (PLAIN if sentence.kind is Kind.FACT else 0.0)


def support(question: Question, weighed: Sequence[Weighed]) -> float:
    """How well what was found supports an answer; ENOUGH is enough. weighed: best first."""
    return max(0.0, min(1.0, weighed[0].bearing)) if weighed else 0.0


# Choosing


def extractive(question: Question, sentences: Sequence[Sentence], *, overtaken: Mapping[str, str]) -> Answer:
    """The best-supported sentences as they stand. overtaken: by id of a fact that of the one that says the same otherwise, later."""
    weighed = weigh(question, sentences)
    strength = support(question, weighed)
    if not weighed:
        return Answer(False, (), (), "sentences", "nothing")
    apart = _apart(weighed)
    if strength < ENOUGH:
        nearest = sorted((_note(w.sentence) for w in apart[:MOST_SENTENCES]), key=_when)
        return Answer(False, (), tuple(nearest), "sentences", "weak", strength)
    chosen = [w for w in apart if w.bearing >= BESIDE * apart[0].bearing][:MOST_SENTENCES]
    picked = _settled(chosen, weighed, overtaken, question.asked.tense)
    cited = {(s.memory_id, s.text) for s in picked}
    others = [w.sentence for w in apart if (w.sentence.memory_id, w.sentence.text) not in cited][: max(0, MOST_NOTES - len(picked))]
    notes = [replace(_note(s), cited=True) for s in picked] + [_note(s) for s in others]
    return Answer(
        True,
        tuple(Part(s.text, (s.round,), s.said_at, s.event, noted=s.kind is not Kind.EPISODE) for s in picked),
        tuple(sorted(notes, key=_when)),
        "sentences",
        support=strength,
        dated=question.asked.when,
    )


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
        found += [s for s in pair if s not in found]
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


def concerns(text: str, said_by: str, subject: str, people: Iterable[str]) -> frozenset[str]:
    """Whose matter a sentence is: its speaker's, its subject's, and whomever it names."""
    everyone = frozenset(people)
    return frozenset(named(f"{subject}\n{text}", everyone)) | ({said_by} & everyone)
