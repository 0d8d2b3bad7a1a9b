"""What of a person a question asks about: "Where do I live?" means the key `residence`, however it is worded.

What was told under that key is found with it, what holds before what held: the sketch knows that Dover took Leith's place, though the two sentences share no word.
A question is read by how like it is to questions of our own, `matters.json`, three for each key and language; how like is like enough follows from questions there
that ask for no key, so another embedder has a threshold of its own.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from memory.content import terms_with_characters
from memory.persona import normalised
from memory.persona_keys import KEYS, Merge
from storage.memory_values import Told

Vector = NDArray[np.float32]

MOST_WRONG = 0.05
"""Of the questions that ask for no key, how many may seem to."""
BESIDE = 0.02
"""How much less like a question another key may be than the best, and be meant as well: what a friend is called is a name and a friend."""
MOST_KEYS = 3
FORMER = 0.5
"""How much what held before counts beside what holds, where a cue does not ask for it."""
_FILE = Path(__file__).with_suffix(".json")


@cache
def _file() -> Mapping[str, Mapping[str, Mapping[str, Sequence[str]]]]:
    parts: dict[str, dict[str, dict[str, list[str]]]] = json.loads(_FILE.read_text(encoding="utf-8"))
    return parts


def forms(language: str) -> tuple[tuple[str, str], ...]:
    """(key, question) of a language, English for one that has none."""
    return tuple((key, text) for key, told in _file()["keys"].items() for text in told.get(language, told["en"]))


def none(language: str) -> tuple[str, ...]:
    """Questions that ask for no key."""
    held: Mapping[str, object] = _file()["none"]
    told = held.get(language, held["en"])
    return tuple(str(text) for text in told) if isinstance(told, list) else ()


def standing_texts() -> tuple[str, ...]:
    """All of them, to be embedded as queries."""
    return tuple(text for language in ("en", "zh") for text in (*(form for _, form in forms(language)), *none(language)))


@cache
def asking_terms(key: str, language: str) -> frozenset[str]:
    """The words that one asks for a key with."""
    return frozenset(term for meant, text in forms(language) if meant == key for term in terms_with_characters(text))


@dataclass(frozen=True)
class Reader:
    """Reads questions of one language. vectors [n, d]: unit, of `forms`; least: cosine of a question that asks for a key."""

    keys: tuple[str, ...]
    vectors: Vector
    least: float

    @classmethod
    def of(cls, language: str, embedded: Callable[[Sequence[str]], Vector]) -> Reader:
        vectors = embedded([text for _, text in forms(language)])
        apart = np.sort((embedded(none(language)) @ vectors.T).max(axis=1))
        least = float(np.nextafter(apart[-1 - int(MOST_WRONG * len(apart))], np.float32(2)))
        return cls(tuple(key for key, _ in forms(language)), vectors, least)

    def read(self, query: Vector) -> dict[str, float]:
        """The keys that a question [d] asks for, the likeliest first, each with how much it is meant, 0.5 to 1; none where it asks for none."""
        near: dict[str, float] = {}
        for key, cosine in zip(self.keys, (self.vectors @ query).tolist(), strict=True):
            near[key] = max(cosine, near.get(key, -1.0))
        best = max(near.values())
        if best < self.least:
            return {}
        meant = sorted((pair for pair in near.items() if pair[1] >= best - BESIDE), key=lambda pair: -pair[1])[:MOST_KEYS]
        return {key: 1.0 - 0.5 * (best - cosine) / BESIDE for key, cosine in meant}


@dataclass(frozen=True)
class Bearing:
    """What of a path is what a question asks of the player. by_round: how much, 0 to 1; overtaken: (round, later round) of two values of which the later one
    took the place of the other."""

    by_round: Mapping[int, float] = field(default_factory=dict)
    overtaken: frozenset[tuple[int, int]] = frozenset()


def former(value: Told, newest: Told) -> bool:
    """Whether another value of the same key took the place of one."""
    return KEYS[value.key].merge is Merge.REPLACE and normalised(value.text) != normalised(newest.text)


def bearing(told: Iterable[Told], keys: Mapping[str, float], *, present: bool) -> Bearing:
    """told: values of one path under any of these keys; keys: as `Reader.read` gives them; present: it is asked how it is, so of a key with one value what held
    before counts less."""
    by_key: dict[str, list[Told]] = {}
    for value in sorted(told, key=lambda v: (v.round, v.place)):
        by_key.setdefault(value.key, []).append(value)
    by_round: dict[int, float] = {}
    overtaken: set[tuple[int, int]] = set()
    for key, values in by_key.items():
        newest = values[-1]
        for value in values:
            was = former(value, newest)
            weight = keys[key] * (FORMER if was and present else 1.0)
            by_round[value.round] = max(by_round.get(value.round, 0.0), weight)
            if was and value.round < newest.round:
                overtaken.add((value.round, newest.round))
    return Bearing(by_round, frozenset(overtaken))
