"""Everyday facts about a player, our own: what a fact is near to if it means nothing in particular. They calibrate `memory.insights`.

In `everyday.json`, 180 for each language, as facts are stored: third person, {{user}} for the player, a full stop. Two thirds are short; one third are as long
as what people write about a day, a plan or a feeling, since a long sentence is less near to any short one, whatever it says.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from personas.record import fill

_FILE = Path(__file__).with_suffix(".json")


def everyday(language: str, *, player: str) -> tuple[str, ...]:
    """The facts of a language with the player's name in them, as sentences; none in a language that has none."""
    told = (fill(text, user=player, char="") for text in _texts().get(language, ()))
    return tuple(text[:1].upper() + text[1:] for text in told)


@cache
def _texts() -> Mapping[str, list[str]]:
    texts: dict[str, list[str]] = json.loads(_FILE.read_text(encoding="utf-8"))
    return texts
