"""The universal probe table as CSV, for spreadsheets: written and read back without loss.

A head, then an item a row. A cell that a spreadsheet would compute (it begins with one of `FORMULA`, apostrophes before it or not) is written with one apostrophe
more, and read with one less; so every text comes back as it was, and nothing is ever computed.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from annotation import fields
from annotation.errors import TableCellLong, TableCellMissing, TableCells, TableCellWrong, TableColumns, TableTwice, TableUnreadable
from evaluation.report import FORMULA
from storage.annotation_probes import Probe

COLUMNS = ("id", "version", "language", "topic", "p", "q", "a")
NEEDED = COLUMNS[2:]
LONGEST: Mapping[str, int] = {"topic": 60, "p": 500, "q": 500, "a": 500}
"""As `annotation.probes.ProbeFields` has it."""
NAMES: Mapping[str, str] = {
    **{name: name for name in COLUMNS},
    "told": "p",
    "asked later": "q",
    "asked": "q",
    "question": "q",
    "answer": "a",
    "编号": "id",
    "版本": "version",
    "语言": "language",
    "主题": "topic",
    "说的话": "p",
    "之后的提问": "q",
    "提问": "q",
    "参考答案": "a",
    "答案": "a",
}
"""What a column may be called, in small letters."""
LANGUAGES: Mapping[str, str] = {"en": "en", "zh": "zh", "english": "en", "chinese": "zh", "英文": "en", "英语": "en", "中文": "zh"}
MOST_BYTES = 2**20
NO_VERSION = -1
"""Of a row that names none."""
_COMPUTED = re.compile(f"'*[{re.escape(FORMULA)}]")
_ESCAPED = re.compile(f"'+[{re.escape(FORMULA)}]")
_ID = re.compile(r"[0-9a-f]{32}")
_DELIMITERS = (",", ";", "\t")


@dataclass(frozen=True)
class Row:
    """An item as a file has it. number: of its row as spreadsheets count them, the head being 1; id: empty where it names none."""

    number: int
    id: str
    version: int
    language: str
    topic: str
    p: str
    q: str
    a: str


def write(table: Sequence[Probe]) -> bytes:
    """In UTF-8, with the mark that spreadsheets know it by."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    for one in table:
        writer.writerow([_cell(str(getattr(one, name))) for name in COLUMNS])
    return "\ufeff".encode() + out.getvalue().encode()


def _cell(text: str) -> str:
    return f"'{text}" if _COMPUTED.match(text) else text


def _text(cell: str) -> str:
    return cell[1:] if _ESCAPED.match(cell) else cell


def read(body: bytes) -> list[Row]:
    """The items of a file, as they stand in it. Raises TableUnreadable, TableColumns, TableCells, TableCellMissing, TableCellLong, TableCellWrong, TableTwice."""
    text = _decoded(body)
    columns, delimiter = _head(text)
    found: list[Row] = []
    for number, cells in _records(text, delimiter):
        if number == 1 or not any(cell.strip() for cell in cells):
            continue
        if any(cell.strip() for cell in cells[len(columns) :]):
            raise TableCells(f"Row {number} has more cells than the first row. Nothing was taken in.", row=number)
        said = dict.fromkeys(COLUMNS, "") | {name: _text(cell) for name, cell in zip(columns, cells, strict=False)}
        found.append(_row(number, said))
    rows_by_id: dict[str, int] = {}
    for row in found:
        if row.id and rows_by_id.setdefault(row.id, row.number) != row.number:
            raise TableTwice(
                f"Rows {rows_by_id[row.id]} and {row.number} have the same id. Nothing was taken in.",
                row=row.number,
                other=rows_by_id[row.id],
            )
    return found


def _decoded(body: bytes) -> str:
    """What spreadsheets save: UTF-8 with or without its mark, or UTF-16 with it."""
    try:
        return body.decode("utf-16" if body[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise TableUnreadable("The file is no text in UTF-8. Save it as “CSV UTF-8”. Nothing was taken in.", row=0) from error


def _records(text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    number = 0
    try:
        for number, cells in enumerate(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True), 1):
            yield number, cells
    except csv.Error as error:
        raise TableUnreadable(f"Row {number + 1} cannot be read as CSV ({error}). Nothing was taken in.", row=number + 1) from error


def _head(text: str) -> tuple[list[str], str]:
    """The columns as we call them, and what parts them."""
    best: list[str] = []
    for delimiter in _DELIMITERS:
        try:
            first = next((cells for _, cells in _records(text, delimiter)), [])
        except TableUnreadable:  # quoted, and parted by another
            continue
        named = [NAMES.get(cell.strip().casefold(), "") for cell in first]
        while named and not named[-1] and not first[len(named) - 1].strip():
            named.pop()
        if set(NEEDED) <= set(named) and "" not in named and len(set(named)) == len(named):
            return named, delimiter
        best = max(best, [name for name in named if name], key=len)
    missing = [name for name in NEEDED if name not in best] or list(NEEDED)
    raise TableColumns(
        f"The first row must name the columns {', '.join(COLUMNS)}, each once (id and version may be left out); it lacks {', '.join(missing)} "
        "or has others. Nothing was taken in.",
        columns=", ".join(missing),
    )


def _row(number: int, said: Mapping[str, str]) -> Row:
    def wrong(column: str) -> TableCellWrong:
        return TableCellWrong(f"Row {number}, column {column}: this cannot be so. Nothing was taken in.", row=number, column=column)

    for name in NEEDED:
        if not fields.storable(said[name]).strip():  # of what a form would take away nothing may be left over
            raise TableCellMissing(f"Row {number}, column {name}: it is empty. Nothing was taken in.", row=number, column=name)
        if len(said[name]) > LONGEST.get(name, 20):
            limit = LONGEST.get(name, 20)
            raise TableCellLong(
                f"Row {number}, column {name}: it is too long; {limit} is the most. Nothing was taken in.",
                row=number,
                column=name,
                limit=limit,
            )
    language, own, version = LANGUAGES.get(said["language"].strip().casefold(), ""), said["id"].strip(), said["version"].strip()
    if not language:
        raise wrong("language")
    if own and not _ID.fullmatch(own):
        raise wrong("id")
    if version and not re.fullmatch(r"[0-9]{1,6}", version, re.ASCII):
        raise wrong("version")
    return Row(number, own, int(version) if version else NO_VERSION, language, said["topic"], said["p"], said["q"], said["a"])
