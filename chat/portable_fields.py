"""What the records of a bundle are made of: names and limits of the format, and the kinds of values."""

from __future__ import annotations

import base64
import math
from typing import Annotated, Final

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue, ValidationInfo

from personas.pictures import MAX_FACE_BYTES, is_face
from storage.wall import MOST_OFFSET, at_ms

FORMAT: Final = "keepsake-chat"
VERSION: Final = 1
SUFFIX = ".keepsake.jsonl"

MAX_LINE_BYTES = 16 * 2**20
"""A receipt holds a whole prompt, which a model of a million tokens lets grow to 4 MiB; in JSON a character may take six bytes."""
MAX_BYTES = 2 * 2**30
MAX_RECORDS = 900_000
"""A chat of 5,000 messages has about 25,000."""
MAX_TEXT_CHARS = 1_000_000
"""An episode is the fifty longest messages of a round at most."""
MAX_DEPTH = 32
"""Of JSON inside JSON; receipts need three."""
MAX_CARD_DEPTH = 64
"""Of a character card, which holds what other programs left in it."""


SEEN = "seen"
"""Validation context of a second pass over the same bytes: what is inside of receipts and the like was looked at in the first."""


def _kept(text: str) -> str:
    if "\0" in text:
        raise ValueError("it holds a NUL character")
    return text


def _plain(value: JsonValue, depth: int = 0, *, deepest: int = MAX_DEPTH, largest: int = 2**63) -> JsonValue:
    """JSON that every part can keep: no NUL, no number that is none or has no end, not nested without end."""
    if depth > deepest:
        raise ValueError("it is nested too deeply")
    if isinstance(value, str):
        _kept(value)
    elif isinstance(value, float) and not math.isfinite(value):
        raise ValueError("it holds a number that is none")
    elif isinstance(value, int) and abs(value) >= largest:
        raise ValueError("it holds a number of too many digits")
    elif isinstance(value, list):
        for item in value:
            _plain(item, depth + 1, deepest=deepest, largest=largest)
    elif isinstance(value, dict):
        for key, item in value.items():
            _kept(key)
            _plain(item, depth + 1, deepest=deepest, largest=largest)
    return value


def _card(value: JsonValue) -> JsonValue:
    """As `personas.cards` keeps it."""
    return _plain(value, deepest=MAX_CARD_DEPTH, largest=10**64)


def _picture(text: str) -> str:
    try:
        raw = base64.b64decode(text, validate=True)
    except ValueError as error:
        raise ValueError("it is no picture in base64") from error
    if not is_face(raw):
        raise ValueError("it is no avatar as this program makes them")
    return text


def _plain_unless_seen(value: JsonValue, info: ValidationInfo) -> JsonValue:
    return value if info.context is SEEN else _plain(value)


Id = Annotated[str, Field(pattern=r"^[0-9a-f]{16,64}$")]
Hash = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
CharacterId = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9:_-]{0,99}$")]
Word = Annotated[str, Field(max_length=60, pattern=r"^[A-Za-z0-9_.:+-]*$")]
Line = Annotated[str, Field(max_length=1_000), AfterValidator(_kept)]
Text = Annotated[str, Field(max_length=MAX_TEXT_CHARS), AfterValidator(_kept)]
Time = Annotated[int, Field(ge=-62_135_596_800_000, le=253_402_300_799_000)]
"""Milliseconds since 1970 UTC, from year 1 to year 9999."""
Offset = Annotated[int, Field(ge=-MOST_OFFSET, le=MOST_OFFSET)]
"""Minutes that a wall is ahead of UTC."""
Day = Annotated[int, Field(ge=-62_135_596_800_000 - MOST_OFFSET * 60_000, le=253_402_300_799_000 + MOST_OFFSET * 60_000)]
"""The same on any wall: its first and last days begin and end before and after those of UTC."""
Count = Annotated[int, Field(ge=0, le=10_000_000)]
Round = Annotated[int, Field(ge=-10_000_000, le=10_000_000)]
"""Below zero of what came along from another conversation."""
Json = Annotated[JsonValue, AfterValidator(_plain_unless_seen)]
Object = Annotated[dict[str, JsonValue], AfterValidator(_plain_unless_seen)]
CardObject = Annotated[dict[str, JsonValue], AfterValidator(_card)]
Picture = Annotated[str, Field(max_length=MAX_FACE_BYTES * 4 // 3 + 4), AfterValidator(_picture)]
"""A small PNG in base64."""


def on_the_calendar(milliseconds: int | None, offset: int) -> None:
    """Raises ValueError for a moment that lies before or after the calendar on its wall."""
    try:
        at_ms(milliseconds or 0, offset)
    except OverflowError as error:
        raise ValueError("a time before the year 1 or after the year 9999 where it was said") from error


class Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)
