"""Which of the notes it was given does an answer say it rests on, and which did it rest on? (RMM 8.3, Table 3)

Useful is a note that holds a turn of the question's evidence. Of all notes shown, over all answers: precision, recall and F1 of citing as a sign of usefulness, of not
citing as a sign of the opposite, and the means of both weighted by how many notes are of each kind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

USEFUL, IDLE, OVERALL = "useful", "not useful", "overall"
_KINDS = {"useful_cited": (True, True), "useful_not_cited": (True, False), "idle_cited": (False, True), "idle_not_cited": (False, False)}


@dataclass(frozen=True)
class Shown:
    """A note in one answer's prompt."""

    useful: bool
    cited: bool


@dataclass(frozen=True)
class Scores:
    """support: notes of the kind."""

    precision: float
    recall: float
    f1: float
    support: int


def scored(notes: Iterable[Shown]) -> dict[str, Scores]:
    """By kind; where nothing was predicted, or nothing is of a kind, its precision, or recall, is 0."""
    return summed([counts(notes)])


def counts(notes: Iterable[Shown]) -> dict[str, float]:
    """How many notes of one answer were useful and cited, useful alone, cited alone, and neither."""
    held = Counter((n.useful, n.cited) for n in notes)
    return {name: float(held[kind]) for name, kind in _KINDS.items()}


def summed(answers: Sequence[Mapping[str, float]]) -> dict[str, Scores]:
    """answers: the counts of each."""
    both, useful_alone, cited_alone, neither = (int(sum(one[name] for one in answers)) for name in _KINDS)
    useful = _of(both, both + cited_alone, both + useful_alone)
    idle = _of(neither, neither + useful_alone, neither + cited_alone)
    whole = useful.support + idle.support

    def mean(name: str) -> float:
        return sum(getattr(part, name) * part.support for part in (useful, idle)) / whole if whole else 0.0

    return {USEFUL: useful, IDLE: idle, OVERALL: Scores(mean("precision"), mean("recall"), mean("f1"), whole)}


def _of(hits: int, told: int, there: int) -> Scores:
    precision, recall = hits / told if told else 0.0, hits / there if there else 0.0
    return Scores(precision, recall, 2 * precision * recall / (precision + recall) if hits else 0.0, there)
