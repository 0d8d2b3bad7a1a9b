"""Lines that another program brings to a conversation that listens: JSON lines, checked whole before any is kept.

    {"speaker": "Ann", "text": "The ferry is late again.", "at": "2024-05-01T18:30:00Z", "id": "m-17"}

`at` and `id` may be missing: such a line is said now, and comes in again where it is sent again. The zone of `at` is kept: which day it was there counts.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from chat.import_dates import parse_date
from chat.limits import FIRST_YEAR, LAST_YEAR, MAX_MESSAGE_CHARS, MAX_NAME_CHARS
from chat.text import keepable
from errors import KeepsakeError

MOST_BYTES = 2**20
"""Of one request."""
MOST_FED = 500
"""Lines of one request."""
MAX_LINE_ID_CHARS = 200
FIELDS = ("speaker", "text", "at", "id")


class FeedRefused(KeepsakeError):
    """A line that was brought is none; params: `line` (from 1), `field` (empty for the line as a whole), `limit` of what is too long. Nothing of the request was
    kept."""

    code = "listen_json"

    def __init__(self, message: str, *, line: int, field: str = "", limit: int = 0) -> None:
        super().__init__(f"line {line}{f', {field}' if field else ''}: {message}. Nothing was added.", line=line, field=field, limit=limit)


class LineWithout(FeedRefused):
    code = "listen_field"


class LineUnknown(FeedRefused):
    code = "listen_unknown"


class LineTooLong(FeedRefused):
    code = "listen_long"


class LineUndated(FeedRefused):
    code = "listen_date"


class LineTwice(FeedRefused):
    code = "listen_twin"


class FeedTooLarge(KeepsakeError):
    """A request brings more than is taken at once; params: `lines`, `kb`."""

    code = "listen_large"


@dataclass(frozen=True)
class FedLine:
    """number: its place in what was brought, from 1; at: None for now; external_id: what it is known by in the conversation."""

    number: int
    speaker: str
    text: str
    at: datetime | None
    external_id: str


def too_large() -> FeedTooLarge:
    kb = MOST_BYTES // 1024
    return FeedTooLarge(
        f"One request takes {MOST_FED} lines and {kb} KB at most. Nothing was added; send fewer at once.", lines=MOST_FED, kb=kb
    )


def fed_lines(body: bytes) -> tuple[FedLine, ...]:
    """Raises FeedRefused and FeedTooLarge."""
    if len(body) > MOST_BYTES:
        raise too_large()
    found: list[FedLine] = []
    seen: dict[str, int] = {}
    for number, raw in _lines(body):
        line = line_of(number, raw)
        if line.external_id in seen:
            raise LineTwice(f"its id is that of line {seen[line.external_id]}", line=number, field="id")
        seen[line.external_id] = number
        found.append(line)
        if len(found) > MOST_FED:
            raise too_large()
    return tuple(found)


def _lines(body: bytes) -> Iterator[tuple[int, bytes]]:
    for number, raw in enumerate(body.removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        if raw.strip():
            yield number, raw


def line_of(number: int, raw: bytes) -> FedLine:
    """number: its place, which what is said of it names. Raises FeedRefused."""
    try:
        value = json.loads(raw.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise FeedRefused("it is no JSON object in UTF-8", line=number) from error
    if not isinstance(value, dict):
        raise FeedRefused("it is no JSON object in UTF-8", line=number)
    for name in value:
        if name not in FIELDS:
            field = keepable(name)[:40]
            raise LineUnknown("there is no such field; a line has speaker, text, at and id", line=number, field=field)
    speaker = " ".join(_text(value, number, "speaker", most=MAX_NAME_CHARS).split())
    text = _text(value, number, "text", most=MAX_MESSAGE_CHARS).strip()
    for field, said in (("speaker", speaker), ("text", text)):
        if not said:
            raise LineWithout("it is missing, empty or no text", line=number, field=field)
    return FedLine(number, speaker, text, _moment(value, number), _known_by(value, number))


def _text(value: Mapping[str, Any], number: int, field: str, *, most: int) -> str:
    found = value.get(field)
    if not isinstance(found, str) or not found.strip():
        raise LineWithout("it is missing, empty or no text", line=number, field=field)
    if len(found) > most:
        raise LineTooLong(f"it has more than {most:,} characters", line=number, field=field, limit=most)
    return keepable(found)


def _known_by(value: Mapping[str, Any], number: int) -> str:
    given = value.get("id")
    if given is None:
        return f"heard:~{secrets.token_hex(16)}"
    if isinstance(given, int) and not isinstance(given, bool):
        given = str(given)
    if not isinstance(given, str) or not given.strip():
        raise LineWithout("it is missing, empty or no text", line=number, field="id")
    if len(given) > MAX_LINE_ID_CHARS - len("heard:"):
        limit = MAX_LINE_ID_CHARS - len("heard:")
        raise LineTooLong(f"it has more than {limit:,} characters", line=number, field="id", limit=limit)
    return f"heard:{' '.join(keepable(given).split())}"


def _moment(value: Mapping[str, Any], number: int) -> datetime | None:
    given = value.get("at")
    if given is None:
        return None
    try:
        found = parse_date(given) if isinstance(given, str) else None
    except ValueError:
        found = None
    if found is None or not FIRST_YEAR <= found.year <= LAST_YEAR:
        raise LineUndated("it is no date such as 2024-05-01T18:30:00Z", line=number, field="at")
    return found
