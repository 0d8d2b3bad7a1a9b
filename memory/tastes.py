"""Whether a newer taste takes back an older one: "kittens" meets "cats", "dogs" does not (MOOM 3.2: of a pair of opposite keys, the newer value retires the older).

How near is near enough differs from one embedder to the next and from language to language, so it is calibrated on minimal pairs of our own, `tastes.json`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from memory.episodes import language_of
from memory.persona_keys import KEYS
from storage.records import Kind, Memory
from storage.store import Store

Vectors = NDArray[np.float32]
Meets = Callable[[Memory, Memory], bool]
"""Whether an older value is of one thing with a newer under the opposite key."""

MOST_WRONG = 0.05
"""Of the pairs that are two things, how many may count as one."""
KIND = "+taste"
"""Ends the fingerprint of vectors of values put into a sentence: a bare word or two is less sure to lie near its like (.94 -> .95 of pairs told apart in English,
.92 -> .95 in Chinese). Kept by the value's own text, so they are erased with it."""
_WORDED = {"en": "The player likes {}.", "zh": "玩家喜欢{}。"}
_LIGHT = frozenset(
    "a an the to going playing doing eating drinking watching reading hearing listening having being 去 下 踢 打 玩 吃 喝 看 听 读 坐 养 种 做".split()
)
"""What stands before a thing and makes it no other."""
_FILE = Path(__file__).with_suffix(".json")


def worded(value: str) -> str:
    """A value as it is embedded."""
    return _WORDED.get(language_of(value), _WORDED["en"]).format(value)


def taste_keys() -> list[str]:
    """The keys that have an opposite."""
    return [name for name, key in KEYS.items() if key.opposite]


def has_taste(value: Memory) -> bool:
    """Whether a memory is a value under a key that has an opposite."""
    key = KEYS.get(str(value.payload.get("key", ""))) if value.kind is Kind.PERSONA else None
    return key is not None and bool(key.opposite)


def is_kind_of(narrow: str, wide: str) -> bool:
    """Whether a value names a kind of another, "big dogs" of "dogs": who dislikes those may like dogs all the same."""
    narrow, wide = narrow.casefold().strip(), wide.casefold().strip()
    before = narrow.removesuffix(wide)
    if before == narrow or (wide.isascii() and before and not before.endswith(" ")):
        return False
    return bool(set(before.split()) - _LIGHT)


@cache
def _pairs() -> Mapping[str, Mapping[str, list[list[str]]]]:
    pairs: dict[str, dict[str, list[list[str]]]] = json.loads(_FILE.read_text(encoding="utf-8"))
    return pairs


def standing_texts() -> tuple[str, ...]:
    """The texts of the minimal pairs, pair by pair, language by language, those of one thing first."""
    return tuple(worded(text) for kinds in _pairs().values() for pairs in kinds.values() for pair in pairs for text in pair)


def thresholds(vectors: Vectors) -> dict[str, float]:
    """By language the least cosine of two values of one thing. vectors [n, d]: unit, of `standing_texts`."""
    near, found = np.sum(vectors[::2] * vectors[1::2], axis=1), {}
    start = 0
    for language, kinds in _pairs().items():
        one, two = (len(kinds[name]) for name in ("one", "two"))
        apart = np.sort(near[start + one : start + one + two])
        found[language] = float(np.nextafter(apart[-1 - int(MOST_WRONG * two)], np.float32(2)))
        start += one + two
    return found


class Tastes:
    """Reads what the worker stored. standing: vectors [n, d], for a user, of texts that nobody said."""

    def __init__(self, store: Store, standing: Callable[[str, Sequence[str]], Vectors], *, fingerprint: str) -> None:
        self._store = store
        self._standing = standing
        self._fingerprint = fingerprint
        self._least: dict[str, float] = {}

    def meets(self, user_id: str, values: Iterable[Memory]) -> Meets:
        """Of a path's values. Where a vector is not stored yet, only what is worded alike is one thing."""
        held = [v for v in values if has_taste(v)]
        under = {str(v.payload["key"]) for v in held}
        opposed = [v for v in held if KEYS[str(v.payload["key"])].opposite in under]
        if not opposed:
            return _never
        hashes = {v.id: v.text_sha256 for v in opposed}
        stored = self._store.vectors.get(user_id, self._fingerprint + KIND, "passage", hashes.values())
        if not stored:
            return _never
        least = self._thresholds(user_id)

        def meet(older: Memory, newer: Memory) -> bool:
            a, b = stored.get(hashes.get(older.id, "")), stored.get(hashes.get(newer.id, ""))
            language = language_of(older.text)
            if a is None or b is None or language != language_of(newer.text) or is_kind_of(newer.text, older.text):
                return False
            return float(a @ b) >= least.get(language, least["en"])

        return meet

    def _thresholds(self, user_id: str) -> dict[str, float]:
        if not self._least:
            self._least = thresholds(self._standing(user_id, standing_texts()))
        return self._least


def _never(older: Memory, newer: Memory) -> bool:
    return False
