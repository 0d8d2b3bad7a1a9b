"""No regular expression of the house takes for ever: while one is looked for, nobody else is served.

One that can read the same signs in two ways, over and over, takes twice as long with each sign more. So each is given short texts of its own words, repeated.
"""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from importlib import import_module
from itertools import pairwise
from pathlib import Path

import pytest

HOUSE = Path(__file__).resolve().parents[1]
ROOMS = ("accounts", "annotation", "chat", "memory", "models", "personas", "storage", "ui")
LONGEST_S = 0.5
SIGNS = 80
MOST_WORDS = 60
_WORD = re.compile(r"[\u4e00-\u9fff]{1,3}|[a-z]{2,8}")


def _inside(value: object, depth: int = 0) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern):
        if isinstance(value.pattern, str):
            yield value
    elif depth < 4:
        parts: list[object] = []
        if isinstance(value, list | tuple | set | frozenset):
            parts = list(value)
        elif isinstance(value, dict):
            parts = list(value.values())
        elif is_dataclass(value) and not isinstance(value, type):
            parts = [getattr(value, one.name, None) for one in fields(value)]
        for part in parts:
            yield from _inside(part, depth + 1)


def patterns(room: str) -> dict[re.Pattern[str], str]:
    found: dict[re.Pattern[str], str] = {}
    for file in sorted((HOUSE / room).rglob("*.py")):
        if not file.name.startswith("__"):
            name = ".".join(file.relative_to(HOUSE).with_suffix("").parts)
            for called, value in list(vars(import_module(name)).items()):
                for pattern in _inside(value):
                    found.setdefault(pattern, f"{name}.{called}")
    return found


def texts(pattern: re.Pattern[str]) -> Iterator[str]:
    words = list(dict.fromkeys(_WORD.findall(re.sub(r"\\[a-zA-Z]", "", pattern.pattern))))[:MOST_WORDS]
    for piece in [*words, *map("".join, pairwise(words)), "  ", "a ", "，", "的", "我", "1"]:
        text = (piece * SIGNS)[:SIGNS]
        yield from (text, f"{text}。x")


class TooLong(Exception):
    pass


@pytest.mark.parametrize("room", ROOMS)
def test_no_pattern_takes_twice_as_long_with_each_sign(room: str) -> None:
    def ring(*_: object) -> None:
        raise TooLong

    before = signal.signal(signal.SIGALRM, ring)
    slow = []
    try:
        for pattern, name in patterns(room).items():
            for text in texts(pattern):
                signal.setitimer(signal.ITIMER_REAL, LONGEST_S)
                try:
                    pattern.search(text)
                    pattern.fullmatch(text)
                except TooLong:
                    slow.append((name, text[:8], pattern.pattern[:60]))
                    break
                finally:
                    signal.setitimer(signal.ITIMER_REAL, 0)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert slow == []
