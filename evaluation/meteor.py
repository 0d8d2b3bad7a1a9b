"""METEOR with exact words and stems (Banerjee & Lavie, 2005): no synonyms, since WordNet would have to be fetched; so it is called `meteor_stem`, and is a little
below what packages with WordNet give.

Words are matched one to one, as many as can be, first those that are the same and then those of one stem; of the ways to match as many, one with few chunks is
taken: words go to the place that goes on with the run before, else to the earliest that is free. Then

    F = 10 P R / (R + 9 P)          penalty = .5 (chunks / matches)^3          METEOR = F (1 - penalty)
"""

from __future__ import annotations

from collections.abc import Sequence

from snowballstemmer import stemmer

from evaluation.rouge import words

METRIC = "meteor_stem"
_ENGLISH = stemmer("english")


def meteor(candidate: str, reference: str) -> float:
    """0 to 1. A Chinese character is a word, as in `evaluation.rouge`."""
    ours, theirs = words(candidate), words(reference)
    matches = aligned(ours, theirs)
    if not matches:
        return 0.0
    precision, recall = len(matches) / len(ours), len(matches) / len(theirs)
    mean = 10 * precision * recall / (recall + 9 * precision)
    return mean * (1 - 0.5 * (chunks(matches) / len(matches)) ** 3)


def aligned(ours: Sequence[str], theirs: Sequence[str]) -> list[tuple[int, int]]:
    """Pairs of places, by our place."""
    found: dict[int, int] = {}
    free = set(range(len(theirs)))
    for first, second in ((ours, theirs), (_stems(ours), _stems(theirs))):
        for place, word in enumerate(first):
            if place in found:
                continue
            there = sorted(t for t in free if second[t] == word)
            if there:
                after = found.get(place - 1, -2) + 1
                found[place] = after if after in there else there[0]
                free.discard(found[place])
    return sorted(found.items())


def chunks(matches: Sequence[tuple[int, int]]) -> int:
    """Runs of matches that stand side by side in both."""
    return sum(n == 0 or (a - matches[n - 1][0], b - matches[n - 1][1]) != (1, 1) for n, (a, b) in enumerate(matches))


def _stems(sequence: Sequence[str]) -> list[str]:
    return list(_ENGLISH.stemWords(list(sequence)))
