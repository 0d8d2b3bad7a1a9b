"""Which memory points of two annotators are about the same thing. Pure.

Points are no fixed set of items: two people find different ones. They are paired one to one, by the turns they name (intersection over union) and, where these
tie, by their words; the sum over all pairs is the largest possible (Hungarian method, of SciPy).
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from libraries import needed
from storage.annotation_records import Evidence, Point
from storage.records import stable_id

THRESHOLD = 0.5
"""Least overlap of turns of a pair."""
SAME_WORDS = 0.5
"""Least likeness of the words of two points of the same turns and category that are taken for one: below it, two things were told in one message."""
_BY_WORDS = 0.1
"""Weight of the words beside the turns: decides among equals, and between turns that differ little."""


@dataclass(frozen=True)
class Part:
    """What a reviewer decides about in one: a pair, or a point that one annotator alone has."""

    id: str
    a: Point | None
    b: Point | None

    @property
    def agreed(self) -> bool:
        """Turns, category and language are the same, and the words alike."""
        a, b = self.a, self.b
        return (
            a is not None
            and b is not None
            and (a.evidence.turns, a.category, a.language) == (b.evidence.turns, b.category, b.language)
            and likeness(a.text, b.text) >= SAME_WORDS
        )

    @property
    def changed_at(self) -> int:
        """When either point was changed last."""
        return max(p.updated_at for p in (self.a, self.b) if p is not None)

    @property
    def first_turn(self) -> int:
        return min(p.evidence.turns[0] for p in (self.a, self.b) if p is not None)


def overlap(one: Evidence, other: Evidence) -> float:
    """Intersection over union of the turns; 0 to 1."""
    a, b = set(one.turns), set(other.turns)
    return len(a & b) / len(a | b)


def likeness(one: str, other: str) -> float:
    """Dice's coefficient over pairs of letters, in English and Chinese alike; 0 to 1."""
    a, b = _pairs(one), _pairs(other)
    whole = sum(a.values()) + sum(b.values())
    return 2 * sum((a & b).values()) / whole if whole else 1.0


def match(a: Sequence[Point], b: Sequence[Point], *, threshold: float = THRESHOLD) -> list[tuple[int, int]]:
    """Pairs of places in a and b, each place once, whose overlap is at least the threshold and above 0."""
    if not a or not b:
        return []
    shared = np.array([[overlap(x.evidence, y.evidence) for y in b] for x in a])
    allowed = (shared >= threshold) & (shared > 0)
    words = np.array([[likeness(x.text, y.text) if allowed[i, j] else 0.0 for j, y in enumerate(b)] for i, x in enumerate(a)])
    more = 1.0 + min(len(a), len(b)) * (1 + _BY_WORDS)  # one pair more is worth more than all others' being better
    weight = np.where(allowed, more + shared + _BY_WORDS * words, 0.0)
    rows, columns = needed("scipy.optimize").linear_sum_assignment(-weight)
    return [(int(i), int(j)) for i, j in zip(rows, columns, strict=True) if allowed[i, j]]


def parts(a: Sequence[Point], b: Sequence[Point]) -> list[Part]:
    """Everything of both, paired where it can be, in the order of the dialogue. The ids follow from the points."""
    paired = match(a, b)
    rest_a = set(range(len(a))) - {i for i, _ in paired}
    rest_b = set(range(len(b))) - {j for _, j in paired}
    found = [_part(a[i], b[j]) for i, j in paired]
    found += [_part(a[i], None) for i in sorted(rest_a)] + [_part(None, b[j]) for j in sorted(rest_b)]
    return sorted(found, key=lambda part: (part.first_turn, part.id))


def _part(a: Point | None, b: Point | None) -> Part:
    return Part(stable_id("part", a.id if a else "", b.id if b else ""), a, b)


def _pairs(text: str) -> Counter[str]:
    plain = "".join(c for c in unicodedata.normalize("NFKC", text).casefold() if c.isalnum())
    return Counter(plain[i : i + 2] for i in range(max(1, len(plain) - 1))) if plain else Counter()
