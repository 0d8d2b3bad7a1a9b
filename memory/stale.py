"""Facts that time has overtaken: two that say the same of one person, with another value, of different times.

Nothing is erased by it and no fact is called false: a cue that asks how it is now finds the newer first, one that asks how it was finds both.
"""

from __future__ import annotations

from collections.abc import Sequence

from memory.cues import Tense
from memory.keys import Place
from storage.records import Kind
from storage.terms import query_terms
from storage.words import KeyRow

LOOKED_AT = 20
"""Places, best first, among which an overtaken one is looked for."""
STEP = 1e-6


def settled(places: Sequence[Place], scores: Sequence[float], tense: Tense) -> list[float]:
    """Scores [p] of places where of two that differ the newer stands right before the older (NOW), or both stand together where the better stood (BEFORE)."""
    lifted = list(scores)
    if tense is Tense.OPEN:
        return lifted
    best = sorted(range(len(places)), key=lambda n: -scores[n])[:LOOKED_AT]
    for older, newer in sorted(
        ((a, b) for a in best for b in best if _older(places[a], places[b])), key=lambda pair: places[pair[1]].round
    ):
        if not any(overtakes(new, old) for new in places[newer].facts for old in places[older].facts):
            continue
        high = max(lifted[older], lifted[newer])
        if tense is Tense.NOW:
            lifted[newer] = max(lifted[newer], lifted[older] + STEP)
        else:
            low = older if lifted[older] < lifted[newer] else newer
            lifted[low] = high - STEP
    return lifted


def overtakes(new: KeyRow, old: KeyRow) -> bool:
    """Whether two facts are of one person, share at least half the content words of the shorter besides names, and each has some of its own."""
    if new.kind is not Kind.FACT or old.kind is not Kind.FACT or new.subject != old.subject or not new.subject:
        return False
    names = set(query_terms(new.subject))
    a, b = (set(query_terms(row.text)) - names for row in (new, old))
    shared = a & b
    return bool(a - b and b - a) and bool(shared) and 2 * len(shared) >= min(len(a), len(b))


def _older(a: Place, b: Place) -> bool:
    """By days: within one talk people mend and add, they do not move on."""
    return bool(a.facts and b.facts) and a.facts[0].said_at.date() < b.facts[0].said_at.date()
