"""An object of a card, read field by field: what has another type than it should is read as what it must have meant, and each time that is noted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from types import MappingProxyType
from typing import TypeVar

from personas.cards.refused import CardTooLong, CardTooMany, shown
from personas.cards.report import Coerced, Dropped, Kept, Mended, Notes
from personas.record import NOT_ON_A_LINE

MAX_TEXT = 200_000
"""Characters of one field, more than any context window that a character should fill."""
MAX_LINE = 200
"""Characters of what stands on one line: names, tags, keys' comments."""
MAX_LIST = 1_000
_COMMA = re.compile("[,，]")
_SAID = ("text", "content", "value", "message")
"""Keys under which an object that stands for a text says it."""
_NUMBER = re.compile(r"[+-]?\d{1,15}(\.\d{1,15})?", re.ASCII)
_TRUE, _FALSE = {"true", "1", "yes", "on"}, {"false", "0", "no", "off", ""}
_MILLISECONDS = 100_000_000_000
"""Seconds up to the year 5138; what is larger is counted in milliseconds (1973 and later)."""
_LAST_SECOND = 253_402_300_799
"""The end of the year 9999."""

_T = TypeVar("_T")


def squashed(name: object) -> str:
    """A name without what programs spell in different ways: blanks, strokes, capitals."""
    return "".join(letter for letter in str(name).casefold() if letter.isalnum())


def spelled(
    value: Mapping[str, object], names: Iterable[str], path: str, notes: Notes, *, aliases: Mapping[str, str] = MappingProxyType({})
) -> dict[str, object]:
    """The object with its keys as they are spelled in `names`; where both are there, the right one counts and the other stays as it is. aliases: other
    words for a name, squashed; they count where the name is not there in any spelling."""
    known = {squashed(name): name for name in names}
    there = {known.get(squashed(key)) for key in value}
    others = {alias: name for alias, name in aliases.items() if alias not in known and name not in there}
    made: dict[str, object] = {}
    for key, item in value.items():
        name = key if key in known.values() else {**others, **known}.get(squashed(key), key)
        if name != key and (name in value or name in made):
            name = key
        elif name != key:
            notes.mended(Mended.KEY, f"{path}.{name}" if path else name, key)
        made[name] = item
    return made


class Fields:
    """Reads an object; `rest` then tells which of its keys nothing asked for. names: what the file calls a field, where that is something else; nth: its
    place in a list, from 1."""

    def __init__(
        self, value: Mapping[str, object], path: str, notes: Notes, *, names: Mapping[str, str] = MappingProxyType({}), nth: int = 0
    ) -> None:
        self.value = value
        self.nth = nth
        self.path = path
        self.notes = notes
        self._names = names
        self._asked: set[str] = set()

    def at(self, key: str) -> str:
        """The place of a field."""
        key = shown(self._names.get(key, key))
        return f"{self.path}.{key}" if self.path else key

    def raw(self, key: str) -> object:
        key = self._names.get(key, key)
        self._asked.add(key)
        return self.value.get(key)

    def rest(self, code: Kept = Kept.UNKNOWN) -> None:
        """Notes every key that was not asked for."""
        before = f"{self.path}." if self.path else ""
        for key in self.value:
            if key not in self._asked:
                self.notes.kept(code, before + shown(key))

    def text(self, key: str, *, needed: bool = False, line: bool = False) -> str:
        """A text, empty where there is none. needed: its absence is noted; line: on one line."""
        value = self._given(key, needed=needed)
        text = "" if value is None else self._as_text(value, self.at(key))
        if len(text) > MAX_TEXT:
            raise CardTooLong(self.at(key), limit=MAX_TEXT)
        if line:
            text = self._one_line(text, self.at(key))
        if text:
            self.notes.used(self.at(key))
        return text

    def texts(self, key: str, *, needed: bool = False, commas: bool = False) -> tuple[str, ...]:
        """A list of texts without the empty ones. commas: a text in its place is a list that commas divide, but for a `/pattern/`."""
        items = self.items(key, needed=needed, commas=commas)
        found = []
        for item in items:
            text = self._as_text(item, self.at(key) + "[]")
            if len(text) > MAX_TEXT:
                raise CardTooLong(self.at(key), limit=MAX_TEXT)
            if text.strip():
                found.append(text)
            elif isinstance(item, str):
                self.notes.dropped(Dropped.EMPTY, self.at(key) + "[]")
        if found:
            self.notes.used(self.at(key))
        return tuple(found)

    def items(self, key: str, *, needed: bool = False, commas: bool = False, limit: int = MAX_LIST) -> list[object]:
        """What a list holds, at most `limit`."""
        value, place = self._given(key, needed=needed), self.at(key)
        if value is None:
            return []
        if isinstance(value, list):
            items = value
        elif isinstance(value, dict):
            items = list(value.values())
            self.notes.coerced(Coerced.NUMBERED, place)
        elif isinstance(value, str) and commas and _COMMA.search(value) and not value.startswith("/"):
            items = [part.strip() for part in _COMMA.split(value) if part.strip()]
            self.notes.coerced(Coerced.COMMAS, place)
        else:
            items = [value] if value != "" else []
            self.notes.coerced(Coerced.ONE, place)
        if len(items) > limit:
            raise CardTooMany(place, limit=limit)
        return items

    def flag(self, key: str, default: bool, *, needed: bool = False) -> bool:
        found = self.optional_flag(key, needed=needed)
        return default if found is None else found

    def optional_flag(self, key: str, *, needed: bool = False) -> bool | None:
        """Yes, no, or None where it is not told or cannot be read."""
        value, place = self._given(key, needed=needed), self.at(key)
        if value is None:
            return None
        if isinstance(value, str) and value.strip().casefold() in _TRUE | _FALSE:
            self.notes.coerced(Coerced.TEXT_FLAG, place)
            value = value.strip().casefold() in _TRUE
        elif not isinstance(value, bool) and isinstance(value, int | float) and value in (0, 1):
            self.notes.coerced(Coerced.NUMBER_FLAG, place)
            value = bool(value)
        if isinstance(value, bool):
            self.notes.used(place)
            return value
        self.notes.dropped(Dropped.TYPE, place)
        return None

    def number(self, key: str, *, needed: bool = False) -> float | None:
        """A number, whole or not, as it stands; None where there is none, also as null or an empty text."""
        value, place = self._given(key, needed=needed), self.at(key)
        if value is None or value == "":
            return None
        if isinstance(value, str) and _NUMBER.fullmatch(value.strip()):
            self.notes.coerced(Coerced.TEXT_NUMBER, place)
            value = float(value)
            value = int(value) if value.is_integer() else value
        if isinstance(value, int | float) and not isinstance(value, bool):
            self.notes.used(place)
            return value
        self.notes.dropped(Dropped.TYPE, place)
        return None

    def whole(self, key: str, *, needed: bool = False) -> int | None:
        number = self.number(key, needed=needed)
        if number is not None and int(number) != number:
            self.notes.dropped(Dropped.VALUE, self.at(key))
            return None
        return None if number is None else int(number)

    def moment(self, key: str) -> int | None:
        """Seconds since 1970 UTC; None where it is not told (0, by the specification) or cannot be read."""
        value, place = self.raw(key), self.at(key)
        if isinstance(value, str) and not value.strip().lstrip("-").isdigit():
            try:
                stamp = datetime.fromisoformat(value.strip())
                number: float | None = (stamp if stamp.tzinfo else stamp.replace(tzinfo=UTC)).timestamp()
            except (ValueError, OverflowError):
                self.notes.dropped(Dropped.TYPE, place)
                return None
            self.notes.coerced(Coerced.DATE, place)
        else:
            number = self.number(key)
            if number is not None and abs(number) >= _MILLISECONDS:
                self.notes.coerced(Coerced.MILLISECONDS, place)
                number = number // 1000
        if number is not None and not 0 <= number <= _LAST_SECOND:
            self.notes.dropped(Dropped.VALUE, place)
            return None
        # A part of the first second says no more than 0 does: nothing.
        return int(number or 0) or None

    def inner(self, key: str, *, needed: bool = False) -> dict[str, object]:
        """An object, empty where there is none."""
        value = self._given(key, needed=needed)
        if isinstance(value, dict):
            return value
        if value is not None:
            self.notes.dropped(Dropped.TYPE, self.at(key))
        return {}

    def chosen(self, key: str, values: Sequence[_T]) -> _T | None:
        """One of some values by its number in their order; None where there is none or it is not known."""
        number = self.whole(key)
        if number is not None and not 0 <= number < len(values):
            self.notes.dropped(Dropped.VALUE, self.at(key), str(number))
            return None
        return None if number is None else values[number]

    def objects(
        self, key: str, *, needed: bool = False, limit: int = MAX_LIST, names: Mapping[str, str] = MappingProxyType({})
    ) -> Iterable[Fields]:
        """The objects that a list holds."""
        place = self.at(key) + "[]"
        for n, item in enumerate(self.items(key, needed=needed, limit=limit), start=1):
            if isinstance(item, dict):
                yield Fields(item, place, self.notes, names=names, nth=n)
            else:
                self.notes.dropped(Dropped.TYPE, place, str(n))

    def _given(self, key: str, *, needed: bool) -> object:
        value = self.raw(key)
        if value is None and needed:
            self.notes.coerced(Coerced.NULL if self._names.get(key, key) in self.value else Coerced.MISSING, self.at(key))
        return value

    def _as_text(self, value: object, place: str) -> str:
        if isinstance(value, str):
            return value
        if isinstance(value, bool):
            self.notes.coerced(Coerced.FLAG, place)
            return "true" if value else "false"
        if isinstance(value, int | float):
            self.notes.coerced(Coerced.NUMBER, place)
            return str(value)
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            self.notes.coerced(Coerced.LINES, place)
            return "\n".join(value)
        if isinstance(value, dict) and (said := [text for key in _SAID if isinstance(text := value.get(key), str)]):
            self.notes.coerced(Coerced.OBJECT, place)
            return said[0]
        self.notes.dropped(Dropped.TYPE, place)
        return ""

    def _one_line(self, text: str, place: str) -> str:
        line = " ".join(NOT_ON_A_LINE.sub(" ", text).split())
        if line != text:
            self.notes.coerced(Coerced.ONE_LINE, place)
        if len(line) > MAX_LINE:
            self.notes.coerced(Coerced.SHORTENED, place)
            line = line[: MAX_LINE - 1] + "…"
        return line
