"""Derived keys: what several things the player told have in common (MemBench's reflective memory). A pure fold of the path, never stored.

Each rests on at least two values of different rounds that say the same kind in different words, and is shown with them as what it is: a conclusion. Never
wrong is better than often: what may be of two kinds counts for none, another kind half as frequent leaves it open, and a dislike of the kind forbids it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from memory import leanings
from memory.narrative import CHAPTER_ROUNDS
from memory.persona import sketch
from memory.tastes import Meets
from storage.records import Memory

LEAST = 2
"""Values that a conclusion needs, of as many rounds."""
LEAD = 2
"""So many times as frequent as the next kind it must be."""
MOOD_ROUNDS = CHAPTER_ROUNDS
"""Moods are looked back upon over so many rounds; what was felt before says nothing of how things are."""
_DENIED = re.compile(r"\b(?:not|never|no|less|without|sugar-free|non)\b|n't\b|不(?!开心|高兴|安)|没|无糖|讨厌|以前", re.IGNORECASE)


@dataclass(frozen=True)
class DerivedKey:
    name: str
    kinds: Mapping[str, tuple[str, str]]
    """Patterns by kind: English, Chinese."""
    likes: tuple[str, ...]
    """Persona keys whose values speak for a kind."""
    dislikes: tuple[str, ...] = ()
    """Those whose values forbid one."""


@dataclass(frozen=True)
class Derived:
    """A conclusion. kind: a name in the key's table."""

    key: DerivedKey
    kind: str
    grounds: tuple[Memory, ...]
    """Values it rests on, in path order, at least two of different rounds."""


DERIVED = (
    DerivedKey("flavour", leanings.FLAVOUR, ("food_liked", "favorite_food", "favorite_drink"), ("food_disliked", "allergies")),
    DerivedKey("genre", leanings.GENRE, ("favorite_book", "favorite_film", "liked", "hobbies"), ("disliked",)),
    DerivedKey("music_genre", leanings.MUSIC, ("music_liked", "favorite_music", "liked"), ("music_disliked", "disliked")),
    DerivedKey("kind_of_place", leanings.PLACE, ("favorite_place", "liked", "hobbies"), ("disliked", "fears")),
    DerivedKey("kind_of_pastime", leanings.PASTIME, ("hobbies", "favorite_sport", "favorite_game"), ("disliked",)),
)
MOOD = DerivedKey("mood_lately", leanings.MOOD, ("mood",))
NAMES = (*(key.name for key in DERIVED), MOOD.name)


def derive(values: Sequence[Memory], *, now: int, meets: Meets | None = None) -> tuple[Derived, ...]:
    """What persona values of one path, in any order, have in common; those that a person excluded must not be among them. now: round; meets: as for `sketch`."""
    held = {entry.key.name: entry.values for entry in sketch(values, meets=meets)}
    found = [_leaning(key, _of(held, key.likes), against=_of(held, key.dislikes)) for key in DERIVED]
    moods = [value for value in values if value.payload.get("key") == "mood"]
    return tuple(one for one in (*found, _mood(moods, now=now)) if one is not None)


def kind_of(key: DerivedKey, text: str) -> tuple[str, str] | None:
    """The kind that a value is of, and the word that says so; None where it says none or more than one."""
    if _DENIED.search(text):
        return None
    found = [(kind, match.group().casefold()) for kind, pattern in _patterns(key.name).items() if (match := pattern.search(text))]
    return found[0] if len(found) == 1 else None


def _leaning(key: DerivedKey, values: Iterable[Memory], *, against: Iterable[Memory]) -> Derived | None:
    """The kind that most values are of, if it is plain."""
    grounds = _by_kind(key, values)
    forbidden = {kind for value in against for kind, pattern in _patterns(key.name).items() if pattern.search(value.text)}
    ranked = sorted(grounds.items(), key=lambda pair: -len(pair[1]))
    if not ranked or ranked[0][0] in forbidden:
        return None
    kind, best = ranked[0]
    next_most = len(ranked[1][1]) if len(ranked) > 1 else 0
    if len(best) < max(LEAST, LEAD * next_most) or len({v.round_last for v in best}) < LEAST:
        return None
    return Derived(key, kind, tuple(best))


def _mood(values: Sequence[Memory], *, now: int) -> Derived | None:
    """How the player felt over the last span: most of what was said of it, the newest too."""
    span = sorted((v for v in values if v.round_last > now - MOOD_ROUNDS), key=_path_order)
    felt = [(found[0], value) for value in span if (found := kind_of(MOOD, value.text)) is not None]
    if not felt:
        return None
    kind = felt[-1][0]
    same = [value for other, value in felt if other == kind]
    if len({v.round_last for v in same}) < LEAST or len(same) < LEAD * (len(felt) - len(same)):
        return None
    return Derived(MOOD, kind, tuple(same))


def _by_kind(key: DerivedKey, values: Iterable[Memory]) -> dict[str, list[Memory]]:
    """Values by their kind, one for each word: what is said twice is one thing."""
    words: set[tuple[str, str]] = set()
    found: dict[str, list[Memory]] = {}
    for value in sorted(values, key=_path_order):
        said = kind_of(key, value.text)
        if said is not None and (said[0], _bare(said[1])) not in words:
            words.add((said[0], _bare(said[1])))
            found.setdefault(said[0], []).append(value)
    return found


def _of(held: Mapping[str, Sequence[Memory]], keys: Iterable[str]) -> list[Memory]:
    return [value for key in keys for value in held.get(key, ())]


def _bare(word: str) -> str:
    """A word without the ending of its plural."""
    return word[:-1] if word.isascii() and word.endswith("s") else word


def _path_order(value: Memory) -> tuple[int, int, str]:
    place = value.payload.get("place", 0)
    return value.round_last, place if isinstance(place, int) else 0, value.text


@cache
def _patterns(name: str) -> Mapping[str, re.Pattern[str]]:
    key = next(k for k in (*DERIVED, MOOD) if k.name == name)
    return {kind: re.compile(rf"(?:\b(?:{english})\b)|(?:{chinese})", re.IGNORECASE) for kind, (english, chinese) in key.kinds.items()}
