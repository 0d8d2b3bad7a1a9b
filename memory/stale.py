"""Facts that time has overtaken: two that say the same of one person, with another value, of different times.

Nothing is erased by it and no fact is called false: a cue that asks how it is now finds the newer first, one that asks how it was finds both.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from memory.content import TENSE, chinese_words
from memory.cues import Asked, Tense
from memory.episodes import language_of
from memory.keys import Place
from storage.records import Kind
from storage.terms import query_terms
from storage.wall import later_day
from storage.words import KeyRow

LOOKED_AT = 20
"""Places, best first, among which an overtaken one is looked for."""
STEP = 1e-6


def successions(
    places: Sequence[Place], scores: Sequence[float], asked: Asked, overtaken: Collection[tuple[int, int]] = ()
) -> list[tuple[int, int]]:
    """(older, newer) of places of which the newer took the place of the older, as far as the cue asks how it is or was. overtaken: (round, later round) of what
    the sketch knows to have taken the place of what the cue asks for."""
    best = sorted(range(len(places)), key=lambda n: -scores[n])[:LOOKED_AT]
    pairs: set[tuple[int, int]] = set()
    if asked.tense is not Tense.OPEN:
        pairs = {
            (a, b)
            for a in best
            for b in best
            if _older(places[a], places[b]) and any(overtakes(new, old) for new in places[b].facts for old in places[a].facts)
        }
    if overtaken and (asked.present or asked.tense is Tense.BEFORE):
        at = {place.round: n for n, place in enumerate(places) if place.episode is not None}
        pairs |= {(at[old], at[new]) for old, new in overtaken if old in at and new in at}
    return sorted(pairs, key=lambda pair: places[pair[1]].round)


def settled(scores: Sequence[float], pairs: Sequence[tuple[int, int]], tense: Tense) -> list[float]:
    """Scores [p] of places where of two that differ the newer stands right before the older (asked how it is), or both stand together where the better stood
    (asked how it was)."""
    lifted = list(scores)
    for older, newer in pairs:
        high = max(lifted[older], lifted[newer])
        if tense is Tense.BEFORE:
            low = older if lifted[older] < lifted[newer] else newer
            lifted[low] = high - STEP
        else:
            lifted[newer] = max(lifted[newer], lifted[older] + STEP)
    return lifted


def overtakes(new: KeyRow, old: KeyRow) -> bool:
    """Whether two facts are of one person, share at least half the content words of the shorter besides names, and each has some of its own. What happened at
    some time, as the older, stays as it was."""
    if (
        old.event_from is not None
        or new.kind is not Kind.FACT
        or old.kind is not Kind.FACT
        or new.subject != old.subject
        or not new.subject
    ):
        return False
    a, b = (_content(row) for row in (new, old))
    shared = a & b
    return bool(a - b and b - a) and bool(shared) and 2 * len(shared) >= min(len(a), len(b))


def _content(row: KeyRow) -> set[str]:
    """Of Chinese its words: pairs of characters span two of them, so that few are shared by what differs in one."""
    if language_of(row.text) == "zh":
        return set(chinese_words(row.text)) - set(chinese_words(row.subject)) - TENSE
    return set(query_terms(row.text)) - set(query_terms(row.subject)) - TENSE


def _older(a: Place, b: Place) -> bool:
    """By days: within one talk people mend and add, they do not move on."""
    return bool(a.facts and b.facts) and later_day(b.facts[0].said_at, than=a.facts[0].said_at)
