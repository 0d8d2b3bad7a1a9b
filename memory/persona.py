"""The sketch of the player: a pure fold of persona values in path order, so an edit or a branch folds anew with no model call (MOOM 3.2, App. C)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache

from memory import timeline
from memory.persona_keys import KEYS, OPPOSED, Merge, PersonaKey
from memory.reading.particulars import numerals
from memory.tastes import Meets
from storage.records import Memory
from storage.wall import as_read

UNNAMED = frozenset({"", "you", "你", "user"})
"""Names, in lower case, of a player whose name is not known."""
MOST_VALUES = 500
"""Of one key, the newest, as each is laid beside all others; a long life has dozens, and what others wrote may have any number."""
MOST_NAME_CHARS, MOST_NAMED = 100, 20
"""Of a name that is put into texts, and how often into one: what others wrote would grow without end."""
PLAYER = {"en": "the player", "zh": "玩家"}
"""How facts call that player."""
_EDGES = re.compile(r"^\W+|(?<!\W)\W+$")
_ARTICLE = re.compile(r"^(?:a|an|the|my|our|some)\s+", re.IGNORECASE)
_PLAYER = re.compile(r"\b[Tt]he player\b|玩家")
_BEFORE_WORDS = re.compile(r"[^“\n]*[:：] ?(?=“[^\n]*\Z)")
"""What stands before somebody's own words in a fact."""
_DAY = re.compile(r"\b\d{1,2}(?:st|nd|rd|th)?\b|月[初\d一二三四五六七八九十]")
_SPACES = re.compile(r"\s+")
_YEARS_OLD = re.compile(r"(?:[\s-]+years?(?:[\s-]+old)?|\s*岁)$")
_NAMED = frozenset(("family", "friends", "pets"))
"""Keys whose values are somebody who may be named later."""
_PLANS = "plans"
_ORDINALS = tuple(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth"
    " nineteenth twentieth twenty-first twenty-second twenty-third twenty-fourth twenty-fifth twenty-sixth twenty-seventh twenty-eighth twenty-ninth"
    " thirtieth thirty-first".split()
)
_SPELT = re.compile(rf"\bthe ({'|'.join(sorted(_ORDINALS, key=len, reverse=True))})(?= of\b)", re.IGNORECASE)
"""The sixteenth of May."""
_PARENTS = {
    "parents": frozenset("mother father mum mom mummy mommy dad daddy mama papa".split()),
    **dict.fromkeys(("爸妈", "父母", "爹娘", "爹妈", "爸爸妈妈"), frozenset("爸 妈 爸爸 妈妈 父亲 母亲 爹 娘 老爸 老妈".split())),
}
"""Whom both of them are said with, unless one is named."""
_CALLED = re.compile(r"[，,\s]*(?:名字?)?叫")
_CALLED_OR_NAMED = re.compile(r"[，,\s]*(?:名字?)?叫|[，,\s]*[^\W\d_的]{2,}$")
"""What goes on after a relative: their name. One character more is another: 姐姐 and 姐夫, 外甥 and 外甥女; and so is 姐姐的儿子."""


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
    values under opposite keys of one topic are of one thing; without it, and for keys of different topics, only what is worded alike is. A plan whose day
    lies before what was told last is a plan no more."""
    slots = {name: _Slot() for name in KEYS}
    there = _newest(values)
    for key, value in there:
        _MERGES[key.merge](slots[key.name], value)
        for other in OPPOSED.get(key.name, ()):
            slots[other].retire(value, meets if other == key.opposite else None)
    if slots[_PLANS].values:
        slots[_PLANS].past(max(value.said_at for _, value in there))
    return tuple(
        Entry(key, tuple(reversed(slots[name].values)), tuple(reversed(slots[name].former)))
        for name, key in KEYS.items()
        if slots[name].values or slots[name].former
    )


def outdated(values: Iterable[Memory], *, meets: Meets | None = None) -> frozenset[str]:
    """Ids of the values, of those of one path, that do not hold any more: what is newer says otherwise. What is told again as it holds is not among them; of a
    mood or a whereabouts only the newest holds. meets: as for `sketch`."""
    there = list(values)
    holding: dict[str, list[Memory]] = {}
    for entry in sketch(there, meets=meets):
        holding[entry.key.name] = list(entry.values[:1] if entry.key.merge is Merge.TRAJECTORY else entry.values)
    gone = [v for key, v in _newest(there) if not any(says_more(held, v) for held in holding.get(key.name, ()))]
    return frozenset(v.id for v in gone)


def _newest(values: Iterable[Memory]) -> list[tuple[PersonaKey, Memory]]:
    """Of each known key the newest MOST_VALUES, in path order."""
    counts: Counter[str] = Counter()
    kept: list[tuple[PersonaKey, Memory]] = []
    ordered = sorted(values, key=_path_order)
    for value in ordered[::-1]:  # what is of one place keeps its order
        key = KEYS.get(str(value.payload.get("key", "")))
        if key is not None and counts[key.name] < MOST_VALUES:
            counts[key.name] += 1
            kept.append((key, value))
    return kept[::-1]


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
    """Puts the player's name where facts, written before it was known, say "the player". Shown, never stored: the name may change. Somebody's own words stay as
    they were said."""
    if not name or len(name) > MOST_NAME_CHARS:
        return lambda text: text
    # "Mara's name is Mara" tells nobody anything. Al is not in "also".
    there = re.compile(rf"(?<![^\W\d_]){re.escape(name)}(?![^\W\d_])" if name.isascii() else re.escape(name))

    def named(text: str) -> str:
        quoted = _BEFORE_WORDS.match(text)
        own = text[: quoted.end()] if quoted else text
        return text if there.search(own) else _PLAYER.sub(lambda _: name, own, count=MOST_NAMED) + text[len(own) :]

    return named


@lru_cache(maxsize=16_384)
def normalised(text: str) -> str:
    """A value as it is compared: letter case, edges, articles and runs of spaces do not count."""
    bare = _EDGES.sub("", text.casefold())
    return _SPACES.sub(" ", _ARTICLE.sub("", bare))


def _compared(value: Memory) -> str:
    """A value as it is laid beside others of its key: `thirty-five years old`, `thirty-five` and `35` are one age."""
    text = normalised(value.text)
    if value.payload.get("key") != "age":
        return text
    bare = _YEARS_OLD.sub("", text)
    told = numerals(bare)
    return next((number for number in sorted(told) if number.isdigit()), text) if bare in told else text


def _path_order(value: Memory) -> tuple[int, int]:
    place = value.payload.get("place", 0)
    return value.round_last, place if isinstance(place, int) else 0


@lru_cache(maxsize=4096)
def _last_day(text: str, said_at: datetime, language: str) -> datetime | None:
    """The last of the days that a value names, said when it was; None if it names none."""
    spelt = _SPELT.sub(lambda found: str(_ORDINALS.index(found[1].casefold()) + 1), text)
    return max((found.range.last for found in timeline.mentions(spelt, said_at=said_at, language=language, ahead=True)), default=None)


@dataclass
class _Slot:
    values: list[Memory] = field(default_factory=list)
    former: list[Memory] = field(default_factory=list)

    def retire(self, newer: Memory, meets: Meets | None) -> None:
        """Move what is of the same thing to the past."""
        same = [v for v in self.values if normalised(v.text) == normalised(newer.text) or (meets is not None and meets(v, newer))]
        self.values = [v for v in self.values if v not in same]
        self.former += same

    def past(self, now: datetime) -> None:
        """Move what was for a day that is over to the past."""
        days = {v.id: _last_day(v.text, v.said_at, v.language) for v in self.values}
        over = [v for v in self.values if (day := days[v.id]) is not None and as_read(day) < as_read(now)]
        self.values = [v for v in self.values if v not in over]
        self.former += over


def _replace(slot: _Slot, value: Memory) -> None:
    if slot.values and (_compared(slot.values[-1]) == _compared(value) or _says_less(value, slot.values[-1])):
        return
    slot.former += slot.values
    slot.values = [value]


def _says_less(value: Memory, known: Memory) -> bool:
    """Whether a year or month of birth comes after a day of birth."""
    return value.payload.get("key") == "birthday" and bool(_DAY.search(known.text)) and not _DAY.search(value.text)


def _append(slot: _Slot, value: Memory) -> None:
    """Add unless it is there; who is named (`sister Ida`) takes the place of who was not (`sister`)."""
    if any(says_more(old, value) for old in slot.values):
        return
    slot.values = [old for old in slot.values if not says_more(value, old)]
    slot.values.append(value)


def _trajectory(slot: _Slot, value: Memory) -> None:
    slot.values = [old for old in slot.values if normalised(old.text) != normalised(value.text)]
    slot.values.append(value)


def says_more(value: Memory, other: Memory) -> bool:
    """Whether one value says all that another of the same key does: in the same words, or of a person or an animal with its name (`sister Ida`, `sister`). Of
    things none is what it begins with: a boat house is no boat, and who is allergic to 花生 may be so to 花 as well."""
    long, short = _compared(value), _compared(other)
    if long == short:
        return True
    key = str(value.payload.get("key", ""))
    if key == "family" and short in _PARENTS.get(long, ()):
        return True
    if key not in _NAMED or not short or not long.startswith(short):
        return False
    rest = long.removeprefix(short)
    if short.isascii():
        return rest.startswith(" ") and not rest.startswith(" in law")
    return bool((_CALLED if key == "pets" else _CALLED_OR_NAMED).match(rest))


_MERGES: dict[Merge, Callable[[_Slot, Memory], None]] = {
    Merge.REPLACE: _replace,
    Merge.APPEND: _append,
    Merge.TRAJECTORY: _trajectory,
    Merge.CONTRADICTORY: _append,
    Merge.COMPLEX: _append,  # without a model that merges, nothing is dropped; the panel marks several as unmerged
}
