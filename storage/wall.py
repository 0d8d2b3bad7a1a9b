"""The clock on the wall of whoever speaks. A moment is the same everywhere and is kept in milliseconds UTC; which day it was is not, so beside it stands how many
minutes that wall was ahead of UTC then.

Whose wall it is, is known where a request comes in and nowhere below: it is held for as long as the request is answered, and by whatever that begins.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import lru_cache

MOST_OFFSET = 14 * 60
"""Minutes: no wall on Earth is further from UTC (Kiritimati; the other way it is twelve hours)."""

_MINUTE = timedelta(minutes=1)
_EPOCH = datetime(1970, 1, 1)
_ASKER: ContextVar[int | None] = ContextVar("asker", default=None)


@contextmanager
def on_wall(offset: int | None) -> Iterator[None]:
    """Who is answered inside of this has a clock so many minutes ahead of UTC; None: it is not known, and this program's own clock counts."""
    before = _ASKER.set(offset)
    try:
        yield
    finally:
        _ASKER.reset(before)


def wall_zone() -> tzinfo:
    """Of whoever asks, as it is now; where nobody said, that of this program."""
    offset = _ASKER.get()
    return zone_of(offset_of(datetime.now().astimezone()) if offset is None else offset)


def wall_now() -> datetime:
    """The present on the wall of whoever asks."""
    return datetime.now(wall_zone())


@lru_cache(maxsize=4_096)
def zone_of(offset: int) -> timezone:
    """offset: minutes ahead of UTC."""
    return timezone(timedelta(minutes=offset)) if offset else UTC


def offset_of(moment: datetime) -> int:
    """Whole minutes that an aware moment's wall is ahead of UTC. A zone that no place has tells nothing of a wall: 0."""
    ahead = moment.utcoffset()
    offset = ahead // _MINUTE if ahead is not None else 0
    return offset if -MOST_OFFSET <= offset <= MOST_OFFSET else 0


def at_ms(milliseconds: int, offset: int = 0) -> datetime:
    """An aware moment on a wall. milliseconds: since 1970 UTC; offset: minutes ahead of UTC."""
    return (_EPOCH + timedelta(milliseconds=milliseconds, minutes=offset)).replace(tzinfo=zone_of(offset))


def as_read(moment: datetime) -> datetime:
    """What the wall showed at a moment, without where the wall was: a day is compared with a day by this."""
    return moment.replace(tzinfo=None)


def later_day(moment: datetime, than: datetime) -> bool:
    """Whether something was said later, and on another day. Across the date line the later may have been said on the earlier day."""
    return moment > than and moment.date() != than.date()


def wall_ms(moment: datetime) -> int:
    """The same as a number: milliseconds since 1970 by that wall."""
    return (as_read(moment) - _EPOCH) // timedelta(milliseconds=1)


def moment_key(moment: datetime) -> str:
    """When something was said, as what is derived from it is known by: milliseconds since 1970 UTC, and the wall where it is not UTC's."""
    milliseconds, offset = round(moment.timestamp() * 1000), offset_of(moment)
    return f"{milliseconds}{offset:+d}" if offset else str(milliseconds)
