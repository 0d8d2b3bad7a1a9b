"""What of the sketch is not as it was at the end of the session before: new, changed, or true no more."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from memory.persona import Entry, normalised, says_more
from memory.persona_keys import Merge, PersonaKey
from storage.records import Memory


class Turn(StrEnum):
    NEW = "new"
    CHANGED = "changed"
    RETIRED = "retired"


@dataclass(frozen=True)
class Change:
    key: PersonaKey
    turn: Turn
    value: Memory | None
    """What holds now; None of what holds no more."""
    was: Memory | None
    """What held; None of what is new."""


def changes(before: Iterable[Entry], now: Iterable[Entry]) -> tuple[Change, ...]:
    """From one sketch of a path to a later one, in the order of the later, then what it has no key of any more. What was only said again is no change."""
    was = {entry.key.name: entry for entry in before}
    found: list[Change] = []
    seen: set[str] = set()
    for entry in now:
        old = was.get(entry.key.name)
        found += _of_key(entry.key, tuple(reversed(old.values)) if old else (), tuple(reversed(entry.values)))
        seen.add(entry.key.name)
    for name, entry in was.items():
        if name not in seen:
            found += _of_key(entry.key, tuple(reversed(entry.values)), ())
    return tuple(found)


def _of_key(key: PersonaKey, old: Sequence[Memory], new: Sequence[Memory]) -> list[Change]:
    held, holds = {normalised(v.text) for v in old}, {normalised(v.text) for v in new}
    gone = [v for v in old if normalised(v.text) not in holds]
    found: list[Change] = []
    for value in (v for v in new if normalised(v.text) not in held):
        before = next((v for v in gone if _takes_the_place(key, v, value)), None)
        if before is not None:
            gone.remove(before)
        found.append(Change(key, Turn.NEW if before is None else Turn.CHANGED, value, before))
    return found + [Change(key, Turn.RETIRED, None, value) for value in gone]


def _takes_the_place(key: PersonaKey, old: Memory, new: Memory) -> bool:
    """Of a key with one value the new one does; of others what says more or less of the same."""
    return key.merge is Merge.REPLACE or says_more(new, old) or says_more(old, new)
