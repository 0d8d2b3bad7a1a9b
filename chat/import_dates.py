"""Dates as people and chat programs write them into files. Pure; knows a fixed list of shapes and guesses nothing.

Days: `2024-05-01` (also `/` and `.`), `2024年5月1日`, `1 May 2024`, `May 1, 2024`, with or without an English or Chinese weekday.
Clocks: `18:30`, `18:30:05`, `6:30 pm`, `下午6:30`, with or without a zone (`Z`, `UTC`, `+08:00`).
Together: day then clock, or `6:30 pm on 1 May, 2024`. Without a clock: midnight. Without a zone: UTC. A zone that is named is kept: which day it was there counts.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta, timezone

_MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december")
_DAY = (
    r"(?:(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,?\ )?"
    r"(?:(?P<y1>\d{4})(?P<sep>[-/.])(?P<m1>\d{1,2})(?P=sep)(?P<d1>\d{1,2})"
    r"|(?P<y2>\d{4})\ ?年\ ?(?P<m2>\d{1,2})\ ?月\ ?(?P<d2>\d{1,2})\ ?[日号]"
    r"|(?P<d3>\d{1,2})(?:st|nd|rd|th)?\ (?P<m3>[a-z]{3,9})\.?,?\ (?P<y3>\d{4})"
    r"|(?P<m4>[a-z]{3,9})\.?\ (?P<d4>\d{1,2})(?:st|nd|rd|th)?,?\ (?P<y4>\d{4}))"
    r"(?:\ ?(?:星期|周)[一二三四五六日天])?)"
)
_CLOCK = (
    r"(?:(?P<part>凌晨|早上|上午|中午|下午|晚上)\ ?)?"
    r"(?P<hour>\d{1,2})[:：](?P<minute>\d{2})(?:[:：](?P<second>\d{2})(?:\.(?P<fraction>\d{1,6}))?)?"
    r"(?:\ ?(?P<half>[ap])\.?m\b\.?)?(?:\ ?(?P<zone>z|utc|[+-]\d{2}:?\d{2})(?![a-z0-9]))?(?!\d)"
)
_FLAGS = re.ASCII | re.IGNORECASE | re.VERBOSE
_DAY_FIRST = re.compile(rf"{_DAY}(?:(?:T|,?\ |\ at\ )?{_CLOCK})?", _FLAGS)
_CLOCK_FIRST = re.compile(rf"{_CLOCK},?\ (?:on\ )?{_DAY}", _FLAGS)
_CLOCK_ONLY = re.compile(_CLOCK, _FLAGS)
_BARE = re.compile(rf"(?=\d{{4}}){_DAY}(?:T|,?\ ){_CLOCK}(?:\ ?[-:,])?(?:[ \t]+|$)", _FLAGS)
_BRACKETED = re.compile(r"\[([^\[\]]{3,60})\]\s*")
_RULE = " \t-=#*—–─"
MAX_DATE_CHARS = 80


def parse_date(text: str) -> datetime | None:
    """The moment a text names, in the zone it names; None when the text is not, as a whole, in one of the shapes above.

    Raises ValueError when the shape is right but there is no such day or time (30 February, 25:00, 13:00 pm).
    """
    if len(text) > MAX_DATE_CHARS:
        return None
    match = _DAY_FIRST.fullmatch(text.strip()) or _CLOCK_FIRST.fullmatch(text.strip())
    return None if match is None else _moment(match, today=None)


def parse_date_line(line: str) -> datetime | None:
    """As `parse_date` for a line that may wear a rule, marks or brackets: `--- 2024-05-01 ---`, `# 8 May 2023`, `[2024年5月1日]`."""
    if len(line) > MAX_DATE_CHARS:
        return None
    core = line.strip(_RULE)
    return parse_date(core[1:-1] if core[:1] == "[" and core[-1:] == "]" else core)


def split_stamp(line: str, *, today: date | None) -> tuple[datetime, str] | None:
    """The moment a line begins with, and the rest of the line; None when it begins with none.

    Begins with means: a date, a date and a clock or a clock alone in square brackets; or, bare, a numeric or Chinese date and a clock,
    perhaps with a hyphen, comma or colon after it. A clock alone counts from `today`, the day of the last date above it. Raises ValueError
    for an impossible date and for a clock alone while `today` is None.
    """
    if bracketed := _BRACKETED.match(line):
        inner, rest = bracketed[1].strip(), line[bracketed.end() :]
        if clock := _CLOCK_ONLY.fullmatch(inner):
            if today is None:
                raise ValueError("a time of day with no date above it")
            moment = _moment(clock, today=today)
        else:
            moment = parse_date(inner)
        return None if moment is None else (moment, rest)
    bare = _BARE.match(line)
    if bare is None:
        return None
    moment = _moment(bare, today=None)
    return None if moment is None else (moment, line[bare.end() :])


def _moment(match: re.Match[str], *, today: date | None) -> datetime | None:
    found = match.groupdict()
    day = today or _day(found)
    if day is None:
        return None
    try:
        moment = datetime.combine(day, _clock(found), _zone(found["zone"]))
        moment.astimezone(UTC)
    except OverflowError as error:
        raise ValueError("a date out of range") from error
    return moment


def _day(found: dict[str, str | None]) -> date | None:
    for n in "1234":
        year, month, day = found[f"y{n}"], found[f"m{n}"], found[f"d{n}"]
        if year is not None and month is not None and day is not None:
            number = int(month) if month.isdigit() else _month(month.lower())
            return None if number is None else date(int(year), number, int(day))
    return None


def _month(name: str) -> int | None:
    return next((i for i, full in enumerate(_MONTHS, 1) if name in (full, full[:3]) or (name, full) == ("sept", "september")), None)


def _clock(found: dict[str, str | None]) -> time:
    if found["hour"] is None:
        return time()
    hour, part, half = int(found["hour"]), found["part"], (found["half"] or "").lower()
    if half:
        if not 1 <= hour <= 12:
            raise ValueError(f"{hour} {half}m is no time of day")
        hour = hour % 12 + (12 if half == "p" else 0)
    elif part in ("下午", "晚上") and hour < 12:
        hour += 12
    elif part == "中午" and hour < 3:
        hour = 12 + hour
    elif part == "凌晨" and hour == 12:
        hour = 0
    return time(hour, int(found["minute"] or 0), int(found["second"] or 0), int((found["fraction"] or "").ljust(6, "0")))


def _zone(name: str | None) -> timezone:
    if name is None or name.lower() in ("z", "utc"):
        return UTC
    offset = timedelta(hours=int(name[1:3]), minutes=int(name[-2:]))
    return timezone(-offset if name[0] == "-" else offset)
