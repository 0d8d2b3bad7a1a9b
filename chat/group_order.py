"""Who of several characters answers: whoever is asked by name, else whoever has been silent longest, the talkative sooner."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

TALKATIVE = 0.5
"""Of a card that says nothing about it, from 0 to 1."""


def named_in(text: str, names: Sequence[str]) -> list[str]:
    """Which of the names a text calls, in the order in which it does first: whole, or by a part that none of the others has."""
    places: dict[str, int] = {}
    folded = text.casefold()
    parts = {name: _parts(name) for name in names}
    for name in names:
        others = {part for other in names if other != name for part in parts[other]}
        found = [at for part in parts[name] if part == name.casefold() or part not in others if (at := _place(folded, part)) >= 0]
        if found:
            places[name] = min(found)
    return sorted(places, key=lambda name: (places[name], names.index(name)))


def _parts(name: str) -> set[str]:
    folded = name.casefold()
    return {folded, *(part for part in folded.split() if len(part) > 2)} if folded.isascii() else {folded}


def _place(folded: str, part: str) -> int:
    if not part.isascii():
        return folded.find(part)
    found = re.search(rf"(?<!\w){re.escape(part)}(?!\w)", folded)
    return found.start() if found else -1


def in_turn(room: Sequence[str], spoken: Sequence[str], talkative: Mapping[str, float]) -> list[str]:
    """Those who are there, whoever should speak next first. spoken: who said the character's messages before, newest first; talkative: from 0 to 1; one with 0
    comes last."""
    silence = {name: spoken.index(name) if name in spoken else len(spoken) + 1 for name in room}
    return sorted(room, key=lambda name: (silence[name] == 0, -silence[name] * talkative.get(name, TALKATIVE), room.index(name)))


def answering(
    text: str, room: Sequence[str], spoken: Sequence[str], talkative: Mapping[str, float], *, answers: str, asked: str = ""
) -> list[str]:
    """Who answers a message, in order; nobody where nobody is there. asked: one that was chosen by hand; answers: `one` or `all`."""
    if asked in room:
        return [asked]
    named = named_in(text, room)
    order = in_turn(room, spoken, talkative)
    if answers == "all":
        return [*named, *(name for name in order if name not in named)]
    return named or order[:1]
