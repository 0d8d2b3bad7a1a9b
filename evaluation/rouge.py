"""ROUGE-N and ROUGE-L of one sentence against another (Lin 2004). Pure.

Words are runs of letters and digits in lower case, no stemming, as in the reference implementation's default; a Chinese character is a word.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

_WORD = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]|[^\W_\u3400-\u9fff\uf900-\ufaff]+")


@dataclass(frozen=True)
class Overlap:
    """Precision over the candidate's units, recall over the reference's, and their harmonic mean; all 0 where nothing is shared."""

    precision: float
    recall: float
    f1: float


NOTHING = Overlap(0.0, 0.0, 0.0)


def words(text: str) -> tuple[str, ...]:
    """The units ROUGE counts."""
    return tuple(_WORD.findall(text.lower()))


def rouge_n(candidate: Sequence[str], reference: Sequence[str], *, n: int) -> Overlap:
    """Shared n-grams, each as often as both have it. Raises ValueError for n < 1."""
    if n < 1:
        raise ValueError("n counts words and is at least 1")
    ours, theirs = _grams(candidate, n), _grams(reference, n)
    return _overlap((ours & theirs).total(), ours.total(), theirs.total())


def rouge_l(candidate: Sequence[str], reference: Sequence[str]) -> Overlap:
    """The longest common subsequence."""
    return _overlap(common_length(candidate, reference), len(candidate), len(reference))


def common_length(first: Sequence[str], second: Sequence[str]) -> int:
    """Length of the longest common subsequence: one bit a word of `first`, one addition a word of `second` (Hyyrö 2004)."""
    places: dict[str, int] = {}
    for place, word in enumerate(first):
        places[word] = places.get(word, 0) | 1 << place
    whole = (1 << len(first)) - 1
    unmatched = whole
    for word in second:
        hit = unmatched & places.get(word, 0)
        unmatched = ((unmatched + hit) | (unmatched - hit)) & whole
    return len(first) - unmatched.bit_count()


def _grams(sequence: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(sequence[i : i + n]) for i in range(len(sequence) - n + 1))


def _overlap(shared: int, ours: int, theirs: int) -> Overlap:
    if not shared:
        return NOTHING
    precision, recall = shared / ours, shared / theirs
    return Overlap(precision, recall, 2 * precision * recall / (precision + recall))
