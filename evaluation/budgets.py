"""How much may be kept of a conversation, and a baseline that chooses by the rarity of words alone."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.rouge import words as words_of


@dataclass(frozen=True)
class Budget:
    """Memories and their words per turn of the dialogue, at most."""

    name: str
    memories: float
    words: float


BUDGETS = (Budget("half", 0.5, 8.0), Budget("quarter", 0.25, 4.5))


def rarest(texts: Sequence[str], *, count: int, words: int) -> list[int]:
    """Places of the texts to keep, in order: those first whose different words have the largest sum of inverse document frequencies."""
    terms = [sorted(set(words_of(text))) for text in texts]
    often = Counter(t for own in terms for t in own)
    order = sorted(range(len(texts)), key=lambda i: (-sum(math.log(len(texts) / often[t]) for t in terms[i]), i))
    kept: list[int] = []
    left = words
    for place in order:
        length = len(texts[place].split())
        if len(kept) < count and length <= left:
            kept.append(place)
            left -= length
    return sorted(kept)
