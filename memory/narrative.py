"""The story: units, chapters and arcs of a path, told by chosen sentences (MOOM 3.1).

theta = (6, 5, 5): six rounds close a unit I(1), five units a chapter S(2), five chapters an arc S(3). A unit is a round's ordinal divided by six, so a
deleted round leaves a hole and shifts nothing. A person may close a chapter early: the unit is cut there, its rest is the first of the next chapter, and
nothing before or behind is shifted by it. Without a language model a summary is extractive: facts of the span, which are whole sentences in
third person already, chosen for what happened in them (`memory.story_worth`), near the centre of what was said and far from each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from storage.records import Kind, Memory, Message, Source, stable_id

VERSION = "extractive-2"
THETA_1: Final = 6
"""Rounds of a unit, whatever the preset: it is also what a model reads at once, and after what something is forgotten."""
UNIT, CHAPTER, ARC = 1, 2, 3
"""Tiers, as the superscripts of the paper."""
TOLD = "!"
"""Beginning of the slot rank of a piece that a model told: before every number, so that it holds where both are."""
LINES = {1: 3, CHAPTER: 4, ARC: 5}
"""Most sentences of one piece, by tier."""
CENTRALITY = 0.4
"""Weight of nearness to the centre against distance from what is chosen already (maximal marginal relevance)."""

EVENTFUL, PLAIN = 0.3, 0.2
"""A story is told by what happened: weight of a known day, and of plain against hedged words."""


@dataclass(frozen=True)
class Thresholds:
    """How many smaller pieces make one."""

    theta_2: int
    """Units of a chapter."""
    theta_3: int
    """Chapters of an arc."""

    @property
    def chapter_rounds(self) -> int:
        return THETA_1 * self.theta_2

    @property
    def arc_rounds(self) -> int:
        return self.chapter_rounds * self.theta_3


PAPER: Final = "paper"
PRESETS = {PAPER: Thresholds(5, 5), "short": Thresholds(2, 3)}
"""Presets that a chat may choose from. A short story of forty rounds has three chapters of twelve, and one arc."""
CHAPTER_ROUNDS = PRESETS[PAPER].chapter_rounds
ARC_ROUNDS = PRESETS[PAPER].arc_rounds


@dataclass(frozen=True)
class Span:
    """Rounds of one piece, both ends included."""

    tier: int
    first: int
    last: int
    chapters: tuple[Span, ...] = ()
    """Of an arc."""


@dataclass(frozen=True)
class Division:
    """How the rounds of a path make up its story."""

    thresholds: Thresholds = PRESETS[PAPER]
    ends: frozenset[int] = frozenset()
    """Rounds with which a person closed a chapter."""
    begun: int = 0
    """The first round that is not over: the newest, but where a person closed a chapter with it."""

    def closed(self, before: int | None = None) -> list[Span]:
        """What is closed once a round has begun (now, if none is named), in the order in which it was; small pieces first."""
        before = self.begun if before is None else before
        found: list[Span] = []
        units: list[Span] = []
        chapters: list[Span] = []
        for unit in self._units(0, before):
            found.append(unit)
            units.append(unit)
            if len(units) == self.thresholds.theta_2 or unit.last in self.ends:
                chapters.append(Span(CHAPTER, units[0].first, unit.last))
                found.append(chapters[-1])
                units = []
                if len(chapters) == self.thresholds.theta_3:
                    found.append(Span(ARC, chapters[0].first, unit.last, tuple(chapters)))
                    chapters = []
        return found

    def closed_by(self, last_round: int, next_round: int) -> list[Span]:
        """What a path closes by going on from one round to the next. Rounds between them may be missing."""
        return [span for span in self.closed(next_round) if span.first <= last_round <= span.last]

    @property
    def open_from(self) -> int:
        """The first round of the chapter that is open."""
        return max((span.last + 1 for span in self.closed() if span.tier == CHAPTER), default=0)

    def slots(self) -> frozenset[str]:
        """The places of closed chapters and arcs."""
        return frozenset(slot_of(span) for span in self.closed() if span.tier >= CHAPTER)

    def open_units(self, last_round: int) -> list[Span]:
        """The units of the open chapter up to a round; the last may end before it is full."""
        first = self.open_from
        units = list(self._units(first, last_round + 1))
        rest = units[-1].last + 1 if units else first
        return units if rest > last_round else [*units, Span(UNIT, rest, last_round)]

    def _units(self, first: int, before: int) -> Iterator[Span]:
        ends = sorted(self.ends)
        while True:
            full = first // THETA_1 * THETA_1 + THETA_1 - 1
            last = next((end for end in ends if first <= end < full), full)
            if last >= before:
                return
            yield Span(UNIT, first, last)
            first = last + 1


def ends_unit(last_round: int, next_round: int) -> bool:
    """Whether going on from one round to the next closes a full unit."""
    return next_round // THETA_1 > last_round // THETA_1


def salience(fact: Memory) -> float:
    """What speaks for telling a fact whatever stands around it: that it happened on a day, and that it was plainly said."""
    return (EVENTFUL if fact.event_from is not None else 0.0) + PLAIN * (fact.trust - 1.0)


def choose(vectors: NDArray[np.float32], *, most: int, weights: Sequence[float] = ()) -> list[int]:
    """Indices of up to `most` of the rows [n, d], rising: central, unlike each other, and of weight (one a row). Ties go to the earlier row."""
    if len(vectors) <= most:
        return list(range(len(vectors)))
    mean = vectors.mean(axis=0)
    centrality = vectors @ mean
    spread = float(centrality.max() - centrality.min())
    centrality = (centrality - centrality.min()) / spread if spread > 0 else np.zeros_like(centrality)
    # Sentence embeddings crowd around a common direction; only what differs from it tells two sentences apart.
    centred = vectors - mean
    centred = centred / np.maximum(np.linalg.norm(centred, axis=1, keepdims=True), 1e-9)
    similarity = np.maximum(centred @ centred.T, 0.0)
    prior = np.asarray(weights, dtype=np.float32) if len(weights) else np.zeros(len(vectors), dtype=np.float32)
    chosen: list[int] = []
    while len(chosen) < most:
        nearest = similarity[:, chosen].max(axis=1) if chosen else np.zeros(len(vectors), dtype=np.float32)
        score = CENTRALITY * centrality - (1 - CENTRALITY) * nearest + prior
        score[chosen] = -np.inf
        chosen.append(int(np.argmax(score)))
    return sorted(chosen)


def slot_of(span: Span) -> str:
    """A path has one plot of each span; what another preset or another end makes of the same rounds lies beside it."""
    size = ARC_ROUNDS if span.tier == ARC else CHAPTER_ROUNDS
    irregular = [c.last for c in span.chapters if (c.first % CHAPTER_ROUNDS, c.last - c.first + 1) != (0, CHAPTER_ROUNDS)]
    if span.first % size == 0 and span.last - span.first + 1 == size and not irregular:
        return f"plot:{span.tier}:{span.first}"
    return ":".join(["plot", str(span.tier), f"{span.first}-{span.last}", *(["+".join(map(str, irregular))] if irregular else [])])


def plot_of(
    chat_id: str, span: Span, lines: Sequence[Memory], messages: Sequence[Message], *, told: Sequence[Memory], grounds: Sequence[str]
) -> Memory:
    """A closed piece as a memory. lines: the chosen facts, oldest first, at least one; messages: all that was said in the span; told: the facts it was
    chosen from; grounds: ids of the facts or plots it rests on. Its sources are the messages and what else the facts rest on (a question before the
    span): a change to any of them makes the piece out of date."""
    sources = [Source(m.id, m.revision.id, m.revision.sha256) for m in messages]
    inside = {m.id for m in messages}
    outside = list(dict.fromkeys(s for f in told for s in f.sources if s.message_id not in inside))
    worded = [*(m.revision.sha256 for m in messages), *sorted(s.sha256 for s in outside)]
    key = stable_id("plot", VERSION, span.tier, span.first, *worded, *(line.text for line in lines))
    text = (" " if lines[0].language == "en" else "").join(line.text for line in lines)
    return Memory(
        id=stable_id("memory", chat_id, key, *(m.id for m in messages)),
        chat_id=chat_id,
        kind=Kind.PLOT,
        text=text,
        language=lines[0].language,
        round_first=span.first,
        round_last=span.last,
        said_at=messages[-1].said_at,
        sources=tuple(dict.fromkeys([*sources, *outside])),
        derivation_key=key,
        slot=slot_of(span),
        grounds=tuple(grounds),
        trust=min(line.trust for line in lines),
        payload={
            "tier": span.tier,
            "lines": [{"text": line.text, "round": line.round_last, "said_at": round(line.said_at.timestamp() * 1000)} for line in lines],
        },
    )
