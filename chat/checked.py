"""What a person types in to rewrite a conversation, as it can be kept; or the error that says why not."""

from __future__ import annotations

import contextlib
from datetime import UTC, date, datetime, time

from chat.errors import DayNotPossible, MessageEmpty, MessageTooLong, NameTooLong, NoteTooLong
from chat.limits import FIRST_YEAR, LAST_YEAR, MAX_MESSAGE_CHARS, MAX_NAME_CHARS, MAX_NOTE_CHARS, MAX_NOTE_DEPTH, MAX_NOTE_EVERY, NOTE_ROLES
from chat.text import keepable
from models.thoughts import thoughts_apart
from storage.records import AuthorsNote


def checked_day(text: str) -> datetime:
    """Noon of a day (ISO 8601): the same day nearly everywhere. Raises DayNotPossible."""
    day = None
    with contextlib.suppress(ValueError):
        day = date.fromisoformat(text)
    if day is None or not FIRST_YEAR <= day.year <= LAST_YEAR:
        raise DayNotPossible(
            f"A story's day may be from the year {FIRST_YEAR} to the year {LAST_YEAR}. Nothing was changed.",
            first=FIRST_YEAR,
            last=LAST_YEAR,
        )
    return datetime.combine(day, time(12), UTC)


def checked_note(text: str, *, depth: int, every: int, role: str) -> AuthorsNote | None:
    """None for one without words. Raises NoteTooLong."""
    clean = keepable(text).strip()
    if len(clean) > MAX_NOTE_CHARS:
        raise NoteTooLong(
            f"This note has {len(clean):,} characters; {MAX_NOTE_CHARS:,} is the most. Nothing was changed.",
            length=len(clean),
            limit=MAX_NOTE_CHARS,
        )
    if not clean:
        return None
    return AuthorsNote(
        clean,
        depth=max(1, min(depth, MAX_NOTE_DEPTH)),
        every=max(1, min(every, MAX_NOTE_EVERY)),
        role=role if role in NOTE_ROLES else NOTE_ROLES[0],
    )


def checked_wording(text: str) -> str:
    """Raises MessageEmpty or MessageTooLong."""
    clean = keepable(text)
    if not clean.strip():
        raise MessageEmpty("An empty message cannot be kept; delete it instead. Nothing was changed.")
    if len(clean) > MAX_MESSAGE_CHARS:
        raise MessageTooLong(
            f"This message has {len(clean):,} characters; {MAX_MESSAGE_CHARS:,} is the most. Nothing was changed.",
            length=len(clean),
            limit=MAX_MESSAGE_CHARS,
        )
    return clean


def worded_apart(text: str) -> tuple[str, str]:
    """A wording as it can be kept, and what in it a model only thought, marked as models mark it. Raises MessageEmpty or MessageTooLong."""
    said, thoughts = thoughts_apart(keepable(text))
    return checked_wording(said), thoughts


def checked_name(name: str) -> str:
    """On one line. Raises NameTooLong."""
    clean = " ".join(keepable(name).split())
    if len(clean) > MAX_NAME_CHARS:
        raise NameTooLong(f"A name may have {MAX_NAME_CHARS} characters. Nothing was changed.", limit=MAX_NAME_CHARS)
    return clean
