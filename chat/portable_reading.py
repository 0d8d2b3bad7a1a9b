"""A bundle's lines as records: sizes, JSON, fields, order of types, counts and the end mark. What records say of each other is `portable_checking`'s."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from pydantic import BaseModel, ValidationError

from chat.import_words import told
from chat.imported import Fault, short
from chat.portable_fields import FORMAT, MAX_BYTES, MAX_LINE_BYTES, MAX_RECORDS, SEEN, VERSION
from chat.portable_records import TYPES, End, Header, Record, line_adapter

LOOK_BYTES = 2**18
"""A twentieth of a second of reading; often enough to show, and to stop."""
PLACE = {name: place for place, name in enumerate(TYPES)}
_COLUMN = re.compile(r"column (\d+)$")
"""Where the parser of JSON says, in English, that a line is wrong."""


def looks_like_bundle(start: bytes) -> bool:
    """Whether a file that begins so is, or wants to be, a bundle."""
    first = start.lstrip(b"\xef\xbb\xbf \t\r\n").split(b"\n", 1)[0][:400]
    return first.startswith(b"{") and b'"' + FORMAT.encode() + b'"' in first


def is_bundle(path: Path) -> bool:
    """The same of a file; False for what cannot be read."""
    try:
        if not path.is_file():
            return False
        with path.open("rb") as stream:
            return looks_like_bundle(stream.read(1_000))
    except OSError:
        return False


class BundleReader:
    """One pass over a bundle. stream: from its beginning; `header` is there at once, `digest` when every record was taken.

    seen: a pass over these bytes came before this one, to whose digest this one's is compared. look: told the bytes read so far, every now and then; what
    it raises ends the pass.
    """

    def __init__(self, stream: IO[bytes], *, seen: bool = False, look: Callable[[int], None] = lambda read: None) -> None:
        self._stream = stream
        self._look = look
        self._context = SEEN if seen else None
        self._hash = hashlib.sha256()
        self._read = 0
        self.digest = ""
        """SHA-256 of all lines before the last."""
        self.header = self._header()

    def records(self) -> Iterator[tuple[int, Record]]:
        """Line numbers and records. Raises Fault with the line at the first that is not right, and if the end mark is missing or wrong."""
        seen: Counter[str] = Counter()
        number, place = 1, 0
        for number, raw in enumerate(self._lines(2), 2):
            where = f"line {number}"
            if number - 1 > MAX_RECORDS + 1:
                raise Fault(where, f"more than {MAX_RECORDS:,} records", kind="large")
            try:
                record = line_adapter.validate_json(raw, context=self._context)
            except ValidationError as error:
                raise Fault(where, _first(error, line=number)) from error
            if isinstance(record, End):
                self._end(record, number, seen)
                return
            if PLACE[record.type] < place:
                raise Fault(where, f"a {record.type} after a {TYPES[place]}: types stand in the order {', '.join(TYPES)}")
            place = PLACE[record.type]
            seen[record.type] += 1
            if seen[record.type] > self.header.counts.get(record.type, 0):
                raise Fault(where, f"more records of type {record.type} than the header says", kind="damaged")
            self._hash.update(raw)
            yield number, record
        raise Fault(f"line {number}", "it breaks off: there is no end mark after this line", kind="cut")

    def _header(self) -> Header:
        raw = next(self._lines(1), b"")
        if not looks_like_bundle(raw):
            raise Fault("line 1", "it is no Keepsake bundle", kind="strange")
        found = _json_fields(raw)
        if isinstance(found.version, int) and found.version > VERSION:
            raise Fault(
                "line 1",
                f"its format is version {found.version}, written by a newer Keepsake; this one reads version {VERSION}",
                kind="newer",
            )
        try:
            header = Header.model_validate_json(raw)
        except ValidationError as error:
            raise Fault("line 1", _first(error)) from error
        if unknown := next((name for name in header.counts if name not in PLACE), None):
            raise Fault("line 1", f'it holds records of type "{short(unknown)}", which this version does not know', kind="newer")
        if sum(header.counts.values()) > MAX_RECORDS:
            raise Fault("line 1", f"more than {MAX_RECORDS:,} records", kind="large")
        self._hash.update(raw)
        return header

    def _lines(self, first: int) -> Iterator[bytes]:
        number = first - 1
        while raw := self._stream.readline(MAX_LINE_BYTES + 1):
            number += 1
            if self._read // LOOK_BYTES != (self._read + len(raw)) // LOOK_BYTES:
                self._look(self._read)
            self._read += len(raw)
            if len(raw) > MAX_LINE_BYTES:
                raise Fault(f"line {number}", f"a line of more than {MAX_LINE_BYTES // 2**20} MiB", kind="large")
            if self._read > MAX_BYTES:
                raise Fault(f"line {number}", f"larger than {MAX_BYTES // 2**30} GiB", kind="large")
            if not raw.endswith(b"\n"):
                raise Fault(f"line {number}", "it breaks off in the middle of this line", kind="cut")
            try:
                raw.decode("utf-8")
            except UnicodeDecodeError as error:
                raise Fault(f"line {number}", f"not UTF-8 text (byte {error.start} of the line)", kind="damaged") from error
            yield raw

    def _end(self, end: End, number: int, seen: Counter[str]) -> None:
        where = f"line {number}"
        if missing := next((name for name, count in self.header.counts.items() if seen[name] != count), None):
            raise Fault(
                where,
                f"the header says {self.header.counts[missing]:,} records of type {missing}, there are {seen[missing]:,}",
                kind="damaged",
            )
        if end.records != number - 1:
            raise Fault(where, f"the end mark says {end.records:,} lines, there are {number - 1:,}", kind="damaged")
        self.digest = self._hash.hexdigest()
        if end.sha256 != self.digest:
            raise Fault(where, "the SHA-256 of the lines is not the one in the end mark: the file was changed or damaged", kind="damaged")
        if self._stream.read(1):
            raise Fault(f"line {number + 1}", "there is something after the end mark", kind="damaged")


class _Fields(BaseModel):
    version: object = None


def _json_fields(raw: bytes) -> _Fields:
    try:
        return _Fields.model_validate_json(raw)
    except ValidationError as error:
        raise Fault("line 1", _first(error)) from error


def _first(error: ValidationError, *, line: int = 1) -> str:
    """The first field at fault and what is wrong with it, without the value itself; of what is no JSON its place. line: of the bundle."""
    first = error.errors(include_input=False, include_url=False)[0]
    if first["type"] == "json_invalid":
        column = _COLUMN.search(first["msg"])
        return told("json", line=line, column=int(column[1]) if column else 1)
    field = ".".join(short(part) for part in first["loc"])
    return f"{field}: {first['msg']}" if field else str(first["msg"])
