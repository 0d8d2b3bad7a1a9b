"""A file's bytes as text, and its text as JSON, as far as either is sound: what is damaged is told with its line, and the rest is read."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from itertools import islice

from chat.import_words import Told, told
from chat.imported import MAX_LINES, Fault, Remarks, short
from chat.text import REPLACEMENT
from personas.encodings import encoding_of

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CALLED = {"cp1251": "Windows-1251", "cp1252": "Windows-1252", "shift_jis": "Shift-JIS", "big5": "Big5"}
_DEEPEST = 60
"""Levels of damaged JSON that are looked into."""
_EFFORT = 20
"""Characters read again in damaged JSON for each that it has, at most."""
_DEEP = 50_000
"""Characters as long to read as it takes to find that JSON is nested too deeply."""
_JOINED = 40
"""Lines that may belong to one record whose text holds bare line ends."""
_OPENS = re.compile(r"[{\[]")
_KEY = re.compile(r'"(?:[^"\\\n]|\\.)*"\s*:\s*')
_GAP = re.compile(r"[\s,]*")


def decoded(raw: bytes, remarks: Remarks) -> str:
    """The text of a file in Unicode or in an encoding from before it, with line feeds as line ends."""
    return _text(raw, remarks).removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _text(raw: bytes, remarks: Remarks) -> str:
    for mark, name in _MARKS:
        if raw.startswith(mark):
            return _replaced(raw[len(mark) :], name, remarks)
    head = raw[:4096]
    even, odd = head[::2].count(0), head[1::2].count(0)
    if len(head) >= 8 and max(even, odd) > len(head) // 5 and min(even, odd) < len(head) // 50 + 1:
        name = "utf-16-le" if odd > even else "utf-16-be"
        remarks.add("guessed_encoding", name=name.upper())
        return _replaced(raw, name, remarks)
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        pass
    text = raw.decode("utf-8", "replace")
    bad = text.count(REPLACEMENT)
    if 4 * bad <= sum(char > "\x7f" for char in islice(text, 2**20)):  # UTF-8 with a damaged place
        return _replaced(raw, "utf-8", remarks)
    name = _wide(raw) or encoding_of(raw)
    remarks.add("guessed_encoding", name=_CALLED.get(name, name.upper()))
    return _replaced(raw, name, remarks)


def _wide(raw: bytes) -> str | None:
    """Of the two kinds of UTF-16 the one that Chinese is in: a zero stands in it only beside what is not Chinese, as a line end is. Other encodings have none."""
    if 0 not in raw:
        return None
    for name in ("utf-16-le", "utf-16-be"):
        text = raw.decode(name, "replace")
        if "\n" in text and "\0" not in text:
            return name
    return None


def _replaced(raw: bytes, name: str, remarks: Remarks) -> str:
    """The text with U+FFFD for what is none in this encoding."""
    try:
        return raw.decode(name)
    except UnicodeDecodeError:
        text = raw.decode(name, "replace")
        remarks.add("replaced", line_at(text, text.index(REPLACEMENT)) if REPLACEMENT in text else "", n=text.count(REPLACEMENT))
        return text


def line_at(text: str, at: int) -> str:
    return f"line {text.count(chr(10), 0, at) + 1}"


# One object a line


def numbered(text: str) -> Iterator[tuple[int, str]]:
    """Lines that are not blank, with their numbers, without blanks at their ends. Only a line feed ends one: other separators may stand inside a text."""
    start, number = 0, 1
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        if line := text[start:end].rstrip():
            yield number, line
        start, number = end + 1, number + 1


def line_values(text: str, remarks: Remarks) -> Iterator[tuple[int, object]]:
    """The values of a file that has one a line, with the number of the line that each begins on. A line that is damaged is left out; one that holds
    several gives each."""
    reader = _Reader(remarks)
    lines = numbered(text)
    waiting: list[tuple[int, str]] = []
    while True:
        number, line = waiting.pop(0) if waiting else next(lines, (0, ""))
        if not line:
            return
        if number > MAX_LINES:
            remarks.add("left_rest", f"line {number}", most=MAX_LINES)
            return
        values, fault, more = reader.sequence(line, number)
        joined = line
        while fault is not None and more and len(waiting) < _JOINED and (following := next(lines, None)) is not None:
            waiting.append(following)
            if following[1].lstrip().startswith("{") and reader.sequence(following[1], 0)[1] is None:
                break
            joined += "\n" + following[1]
            whole, still, more = reader.sequence(joined, 0)
            if still is None:
                remarks.add("json_mended", f"line {number}", because=fault.because)
                values, fault, waiting = whole, None, []
        yield from ((number, value) for value in values)
        if fault is not None:
            remarks.lose(fault)


# One value


def value_of(text: str, remarks: Remarks) -> object:
    """The JSON value of a file; of a damaged one what is sound in it. Several values one behind the other are a list of them. Raises Fault where there is none."""
    reader = _Reader(remarks)
    values, fault, _ = reader.sequence(text, 0)
    if fault is None:
        return values[0] if len(values) == 1 else values
    fault.tell(text, at=min(fault.at, _first_fault(text)))
    found = _Damaged(text, remarks).values()
    if not found:
        raise fault
    remarks.add("json_mended", fault.where, because=fault.because)
    return found[0] if len(found) == 1 else found


def _first_fault(text: str) -> int:
    """Where JSON is damaged by its letter, under which a string ends on its line; the end of the text where that is nowhere."""
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return error.pos
    except (ValueError, RecursionError):
        pass
    return len(text)


class _Reader:
    """Reads JSON, as far as it is harmless also where it says NaN or a number of ten thousand digits, holds a bare tab, or names a field twice."""

    def __init__(self, remarks: Remarks) -> None:
        self._remarks = remarks
        self._where = ""
        self._decoder = json.JSONDecoder(object_pairs_hook=self._object, parse_constant=lambda _: None, parse_int=_number, strict=False)

    def sequence(self, text: str, line: int) -> tuple[list[object], JsonFault | None, bool]:
        """The values that a text is made of, the fault it stops at, and whether more text might mend that. line: the number of the text's first, 0 for a whole
        file."""
        self._where = f"line {line}" if line else ""
        values: list[object] = []
        at = _after(text, 0)
        while at < len(text):
            try:
                value, at = self.one(text, at)
            except JsonFault as fault:
                fault.tell(text, line=line or 1)
                return values, fault, fault.open
            values.append(value)
            at = _after(text, at)
        return values, None, False

    def one(self, text: str, at: int) -> tuple[object, int]:
        """A value and where it ends. Raises JsonFault."""
        try:
            return self._decoder.raw_decode(text, at)
        except json.JSONDecodeError as error:
            open_end = error.msg.startswith("Unterminated string") or error.pos >= len(text.rstrip()) - 1
            at = len(text) if error.msg.startswith("Unterminated string") else error.pos  # an open string is reported where it begins
            raise JsonFault(at, "json_cut" if open_end else "json", open=open_end) from error
        except RecursionError as error:
            raise JsonFault(at, "json_deep", cost=_DEEP) from error

    def _object(self, pairs: list[tuple[str, object]]) -> dict[str, object]:
        made = dict(pairs)
        if len(made) < len(pairs):
            first: dict[str, object] = {}
            twin = next((key for key, value in pairs if first.setdefault(key, value) != value), None)
            if twin is not None:
                self._remarks.add("twin_fields", self._where, name=short(twin))
        return made


class JsonFault(Fault):
    """at: where in the text; open: more text might mend it. What Python's parser says of it is English, so its place alone is told."""

    because: Told

    def __init__(self, at: int, code: str, *, open: bool = False, cost: int = 0) -> None:
        super().__init__("", code)
        self.at, self.code, self.open, self.cost = at, code, open, cost

    def tell(self, text: str, *, line: int = 1, at: int | None = None) -> Told:
        """Say where it is, which takes a look through the text. line: the number of the text's first; at: another place in it."""
        at = self.at if at is None else at
        line += text.count("\n", 0, at)
        self.where = f"line {line}"
        self.reason = self.because = told(self.code, line=line, column=at - text.rfind("\n", 0, at))
        return self.because


def _number(digits: str) -> int | None:
    return int(digits) if len(digits) < 400 else None


def _after(text: str, at: int) -> int:
    """Behind blanks and commas."""
    found = _GAP.match(text, at)
    return found.end() if found else at


class _Damaged:
    """Reads a damaged value part by part: what holds a damaged place is opened, what is sound in it is taken, and reading goes on where a sound part begins."""

    def __init__(self, text: str, remarks: Remarks) -> None:
        self._text = text
        self._remarks = remarks
        self._reader = _Reader(remarks)
        self._effort = _EFFORT * len(text) + 10_000

    def values(self) -> list[object]:
        return [value for value in self._list(0, depth=0)[0] if isinstance(value, dict | list)]

    def _value(self, at: int, depth: int) -> tuple[object, int]:
        """Raises JsonFault for what cannot be read."""
        try:
            return self._sound(at)
        except JsonFault:
            if depth > _DEEPEST or self._effort < 0:
                raise
            if self._text.startswith("[", at):
                return self._list(at + 1, depth)
            if self._text.startswith("{", at):
                return self._fields(at, depth)
            raise

    def _sound(self, at: int) -> tuple[object, int]:
        try:
            value, end = self._reader.one(self._text, at)
        except JsonFault as fault:
            self._effort -= max(fault.at - at, fault.cost, 1)
            raise
        self._effort -= 1
        return value, end

    def _list(self, at: int, depth: int) -> tuple[list[object], int]:
        """The elements of a list from its first on, without the damaged ones, and where it ends."""
        found: list[object] = []
        text = self._text
        while (at := _after(text, at)) < len(text):
            if text[at] in "]}":
                if depth:
                    return found, at + 1
                at += 1
                continue
            try:
                value, at = self._value(at, depth + 1)
                found.append(value)
            except JsonFault as fault:
                self._remarks.lose(Fault(line_at(text, at), fault.tell(text)))
                at = self._next(at + 1)
        return found, len(text)

    def _fields(self, start: int, depth: int) -> tuple[dict[str, object], int]:
        """The fields of a damaged object that holds others, without the damaged ones. Raises JsonFault for an object that holds none: it is a record, and a
        record is not taken in part."""
        text, at = self._text, start + 1
        found: dict[str, object] = {}
        holds, first = False, None
        while (at := _after(text, at)) < len(text) and text[at] != "}":
            key = _KEY.match(text, at)
            try:
                if key is None:
                    raise JsonFault(at, "json")
                name, _ = self._sound(at)
                value, at = self._value(key.end(), depth + 1)
            except JsonFault as fault:
                first = first or fault
                following = _KEY.search(text, at + 1)
                end = following.start() if following else len(text)
                closing = text.find("}", at, end)
                self._effort -= end - at
                if closing >= 0 or self._effort < 0:
                    at = closing if closing >= 0 else len(text)
                    break
                at = end
                continue
            found[str(name)] = value
            holds |= (isinstance(value, list) and any(isinstance(one, dict | list | str) for one in value)) or (
                isinstance(value, dict) and any(isinstance(one, dict | list) for one in value.values())
            )
        if not holds:
            raise first or JsonFault(start, "json_cut")
        return found, min(at + 1, len(text))

    def _next(self, at: int) -> int:
        """Where the next sound object or list begins, or the end of the text."""
        while self._effort > 0 and (found := _OPENS.search(self._text, at)) is not None:
            try:
                self._sound(found.start())
                return found.start()
            except JsonFault:
                at = found.start() + 1
        return len(self._text)
