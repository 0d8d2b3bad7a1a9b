"""The sketch of the player: a pure fold of persona values in path order, so an edit or a branch folds anew with no model call (MOOM 3.2, App. C)."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field

from memory.persona_keys import KEYS, Merge, PersonaKey
from memory.tastes import Meets
from storage.records import Memory

UNNAMED = frozenset({"", "you", "你", "user"})
"""Names, in lower case, of a player whose name is not known."""
PLAYER = {"en": "the player", "zh": "玩家"}
"""How facts call that player."""
_EDGES = re.compile(r"^\W+|\W+$")
_ARTICLE = re.compile(r"^(?:a|an|the|my|our|some)\s+", re.IGNORECASE)
_PLAYER = re.compile(r"\b[Tt]he player\b|玩家")
_DAY = re.compile(r"\b\d{1,2}(?:st|nd|rd|th)?\b|月[初\d一二三四五六七八九十]")
_SPACES = re.compile(r"\s+")


@dataclass(frozen=True)
class Entry:
    """What is known under one key."""

    key: PersonaKey
    values: tuple[Memory, ...]
    """What holds, newest first."""
    former: tuple[Memory, ...]
    """What held before, newest first."""


def sketch(values: Iterable[Memory], *, meets: Meets | None = None) -> tuple[Entry, ...]:
    """Entries in the registry's order. values: persona memories of one path in any order; a key this program does not know is passed over. meets: whether two
    values under opposite keys are of one thing; without it only what is worded alike is."""
    slots = {name: _Slot() for name in KEYS}
    for value in sorted(values, key=_path_order):
        key = KEYS.get(str(value.payload.get("key", "")))
        if key is None:
            continue
        _MERGES[key.merge](slots[key.name], value)
        if key.opposite:
            slots[key.opposite].retire(value, meets)
    return tuple(
        Entry(key, tuple(reversed(slots[name].values)), tuple(reversed(slots[name].former)))
        for name, key in KEYS.items()
        if slots[name].values or slots[name].former
    )


def told_as(values: Iterable[Memory], names: Collection[str]) -> list[Memory]:
    """Of values those that the player told under one of the names, or under none: a player without a name is whoever they are by now."""
    theirs = {name.casefold() for name in names}
    return [v for v in values if v.said_by.casefold() in theirs or v.said_by.casefold() in UNNAMED or v.said_by in PLAYER.values()]


def known_name(entries: Iterable[Entry]) -> str:
    """What the player said they are called; empty if they did not."""
    return next((e.values[0].text for e in entries if e.key.name == "name" and e.values), "")


def told_name(entries: Iterable[Entry], user_name: str) -> str:
    """What "the player" is told as: what they said they are called, else the name they have now, if that is one."""
    return known_name(entries) or ("" if user_name.strip().casefold() in UNNAMED else user_name)


def teller(name: str) -> Callable[[str], str]:
    """Puts the player's name where facts, written before it was known, say "the player". Shown, never stored: the name may change."""
    if not name:
        return lambda text: text
    # "Mara's name is Mara" tells nobody anything. Al is not in "also".
    there = re.compile(rf"(?<![^\W\d_]){re.escape(name)}(?![^\W\d_])" if name.isascii() else re.escape(name))
    return lambda text: text if there.search(text) else _PLAYER.sub(lambda _: name, text)


def normalised(text: str) -> str:
    """A value as it is compared: letter case, edges, articles and runs of spaces do not count."""
    bare = _EDGES.sub("", text.casefold())
    return _SPACES.sub(" ", _ARTICLE.sub("", bare))


def _path_order(value: Memory) -> tuple[int, int]:
    place = value.payload.get("place", 0)
    return value.round_last, place if isinstance(place, int) else 0


@dataclass
class _Slot:
    values: list[Memory] = field(default_factory=list)
    former: list[Memory] = field(default_factory=list)

    def retire(self, newer: Memory, meets: Meets | None) -> None:
        """Move what is of the same thing to the past."""
        same = [v for v in self.values if normalised(v.text) == normalised(newer.text) or (meets is not None and meets(v, newer))]
        self.values = [v for v in self.values if v not in same]
        self.former += same


def _replace(slot: _Slot, value: Memory) -> None:
    if slot.values and (normalised(slot.values[-1].text) == normalised(value.text) or _says_less(value, slot.values[-1])):
        return
    slot.former += slot.values
    slot.values = [value]


def _says_less(value: Memory, known: Memory) -> bool:
    """Whether a year or month of birth comes after a day of birth."""
    return value.payload.get("key") == "birthday" and bool(_DAY.search(known.text)) and not _DAY.search(value.text)


def _append(slot: _Slot, value: Memory) -> None:
    """Add unless it is there; what says more of the same (`sister`, `sister Ida`) takes the place of what says less."""
    new = normalised(value.text)
    if any(within(new, normalised(old.text)) for old in slot.values):
        return
    slot.values = [old for old in slot.values if not within(normalised(old.text), new)]
    slot.values.append(value)


def _trajectory(slot: _Slot, value: Memory) -> None:
    slot.values = [old for old in slot.values if normalised(old.text) != normalised(value.text)]
    slot.values.append(value)


def within(short: str, long: str) -> bool:
    """Whether a value begins or is another, on whole words: `sister` in `sister Ida`, not `cat` in `cathedral`."""
    return long == short or long.startswith(short + " ") or (not short.isascii() and long.startswith(short))


_MERGES: dict[Merge, Callable[[_Slot, Memory], None]] = {
    Merge.REPLACE: _replace,
    Merge.APPEND: _append,
    Merge.TRAJECTORY: _trajectory,
    Merge.CONTRADICTORY: _append,
    Merge.COMPLEX: _append,  # without a model that merges, nothing is dropped; the panel marks several as unmerged
}
