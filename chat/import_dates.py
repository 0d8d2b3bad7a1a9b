"""Dates as people and chat programs write them into files. Pure.

In text, a fixed list of shapes, so that nothing that was said is taken for a date (`parse_date`, `split_stamp`):
Days: `2024-05-01` (also `/` and `.`), `2024年5月1日`, `2024. 5. 1.`, `1 May 2024`, `May 1, 2024`, with or without an English, Chinese, Japanese or Korean weekday.
Clocks: `18:30`, `18:30:05`, `6:30 pm`, `下午6:30`, `晚上6点半`, `오후 6:30`, with or without a zone (`Z`, `UTC`, `+08:00`).
Together: day then clock, or `6:30 pm on 1 May, 2024`. Without a clock: midnight. Without a zone: UTC. A zone that is named is kept: which day it was there counts.

Where a field or brackets are known to hold a date (`moment_of`): these, numbers since 1970, and whatever `dateutil` reads that names a year, a month and a day,
in German, Dutch, French, Spanish, Italian, Portuguese and Russian too, with names of zones that mean one alone.
"""

from __future__ import annotations

import json
import math
import re
import warnings
from datetime import UTC, date, datetime, time, timedelta, timezone
from functools import lru_cache
from pathlib import Path
from typing import ClassVar
from unicodedata import normalize
from zoneinfo import ZoneInfo

from dateutil import parser as dateutil

_MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december")
_ELSEWHERE = json.loads((Path(__file__).parent / "date_words.json").read_text(encoding="utf-8"))
"""Of German, Dutch, French, Spanish, Italian, Portuguese and Russian: months and weekdays as they stand in dates, and what stands between them; hours from UTC of zones
whose name means one alone (CST is in America and in China, IST in India, Israel and Ireland)."""
_DAY = (
    r"(?:(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,?\ )?"
    r"(?:(?P<y1>\d{4})(?P<sep>[-/.])\ ?(?P<m1>\d{1,2})(?P=sep)\ ?(?P<d1>\d{1,2})\.?"
    r"|(?P<y2>\d{4})\ ?[年년]\ ?(?P<m2>\d{1,2})\ ?[月월]\ ?(?P<d2>\d{1,2})\ ?[日号일]"
    r"|(?P<d3>\d{1,2})(?:st|nd|rd|th)?\ (?P<m3>[a-z]{3,9})\.?,?\ (?P<y3>\d{4})"
    r"|(?P<m4>[a-z]{3,9})\.?\ (?P<d4>\d{1,2})(?:st|nd|rd|th)?,?\ (?P<y4>\d{4}))"
    r"(?:\ ?(?:\(?(?:星期|周|週|礼拜)[一二三四五六日天]\)?|[(（][月火水木金土日월화수목금토일][)）]))?)"
)
_CLOCK = (
    r"(?:(?P<part>凌晨|清晨|早晨|早上|上午|中午|正午|下午|傍晚|晚上|夜里|夜间|深夜|半夜|午夜|午前|午後|오전|오후)\ ?)?"
    r"(?P<hour>\d{1,2})(?:[:：](?P<minute>\d{2})(?:[:：](?P<second>\d{2})(?:[.,](?P<fraction>\d{1,9}))?)?"
    r"|\ ?[点點时時](?:\ ?(?:(?P<minute_zh>\d{1,2})\ ?分(?:\ ?(?P<second_zh>\d{1,2})\ ?秒)?|(?P<past>半)|整))?)"
    r"(?:\ ?(?P<half>[ap])(?:\.\ ?)?m\b\.?)?(?:\ ?(?P<zone>z|utc|[+-]\d{2}:?\d{2})(?![a-z0-9]))?(?!\d)"
)
_FLAGS = re.ASCII | re.IGNORECASE | re.VERBOSE
_DAY_FIRST = re.compile(rf"{_DAY}(?:(?:T|,?\ |\ at\ )?{_CLOCK})?", _FLAGS)
_CLOCK_FIRST = re.compile(rf"{_CLOCK},?\ (?:on\ )?{_DAY}", _FLAGS)
_CLOCK_ONLY = re.compile(_CLOCK, _FLAGS)
_NUMBERS = (
    r"(?P<first>\d{1,2})(?P<mark>[-/.])(?P<then>\d{1,2})(?P=mark)(?P<year>\d{4}|\d{2})"
    rf"(?:,?\ {_CLOCK})"
)
_BARE_NUMBERS = re.compile(rf"{_NUMBERS}(?:\ ?[-:,–])?(?:[ \t]+|$)", _FLAGS)
_TWO_NUMBERS = re.compile(r"(?<![\d./-])(\d{1,2})([-/.])(\d{1,2})\2(?:\d{4}|\d{2})(?![\d./-])", re.ASCII)
_DATED = re.compile(rf"{_TWO_NUMBERS.pattern}|(?<!\d)\d{{4}}(?!\d)", re.ASCII)
_AT = re.compile(r"(\d{4}-\d{1,2}-\d{1,2}) ?@ ?(\d{1,2})h ?(\d{1,2})m(?: ?(\d{1,2})s(?: ?(\d{1,3})ms)?)?", re.ASCII)
"""As SillyTavern has written them."""
_ISO = re.compile(r"\d{4}(?:-\d\d-\d\d|\d{4})[T ]\d\d:?\d\d(?::?\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d(?::?\d\d)?)?", re.ASCII)
_NAMED_ZONE = re.compile(r" ?\[([A-Za-z_]+(?:/[A-Za-z_+-]+){1,2})\]$")
"""Behind a date, as Java writes it: `[Europe/Oslo]`."""
_SPELLINGS = (
    (re.compile(r"\b(?:GMT|UTC) ?(?=[+-]\d)"), ""),  # "GMT+0800 (CST)", which dateutil reads the other way round
    (re.compile(r" ?\([^()]*\)$| ?\(\w{1,4}\.?\)(?= )"), ""),
    (re.compile(r"(?:(?<=\d )|(?<=kl\. ))(\d{1,2})[.h](\d\d)(?:\.(\d\d))?(?= ?(?:Uhr)?$)"), r"\1:\2"),
    (re.compile(r"\b([AaPp])\.?[Mm]\.? (\d{1,2}:\d\d(?::\d\d)?)"), r"\2 \1m"),
)
_UNITS = ((1e17, 1e9), (1e14, 1e6), (1e11, 1e3), (1e8, 1.0))
"""From which number on one counts nanoseconds, microseconds, milliseconds and seconds since 1970; below stand the numbers of what is no date."""
_BARE = re.compile(rf"(?=\d{{4}}){_DAY}(?:T|,?\ ){_CLOCK}(?:\ ?[-:,])?(?:[ \t]+|$)", _FLAGS)
_BARE_CLOCK = re.compile(rf"{_CLOCK}(?:\ ?[-:,–])?[ \t]+", _FLAGS)
_BRACKETED = re.compile(r"\[([^\[\]]{3,60})\]\s*")
_RULE = " \t-=#*—–─"
_AS_TYPED = str.maketrans("\u00a0\u202f\u2009\u3000０１２３４５６７８９", "    0123456789")
"""Blanks and digits that programs and keyboards put into dates, each as the one that is meant."""
_AFTERNOON = ("下午", "傍晚", "午後", "오후")
_NOON = ("中午", "正午")
_EVENING = ("晚上", "夜里", "夜间", "深夜", "半夜", "午夜")
MAX_DATE_CHARS = 80
_SAMPLE = 2**20
"""Characters of a file that are looked at for how it writes its days."""


class _Words(dateutil.parserinfo):  # type: ignore[misc]  # it has no types
    """What dateutil knows of English, and the same of other languages."""

    JUMP: ClassVar = [*dateutil.parserinfo.JUMP, *_ELSEWHERE["between"].split()]
    MONTHS: ClassVar = [(*names, *more.split()) for names, more in zip(dateutil.parserinfo.MONTHS, _ELSEWHERE["months"], strict=True)]
    WEEKDAYS: ClassVar = [(*names, *more.split()) for names, more in zip(dateutil.parserinfo.WEEKDAYS, _ELSEWHERE["weekdays"], strict=True)]


_WORDS = _Words()
_ZONES = {name: 3600 * hours for name, hours in _ELSEWHERE["zones"].items()}


def parse_date(text: str) -> datetime | None:
    """The moment a text names, in the zone it names; None when the text is not, as a whole, in one of the shapes above.

    Raises ValueError when the shape is right but there is no such day or time (30 February, 25:00, 13:00 pm).
    """
    if len(text) > MAX_DATE_CHARS:
        return None
    match = _DAY_FIRST.fullmatch(text.strip()) or _CLOCK_FIRST.fullmatch(text.strip())
    return None if match is None else _moment(match, today=None)


def moment_of(value: object, *, day_first: bool = False) -> datetime | None:
    """The moment that a field for a date names, text or number; None for what names none. day_first: which comes first in `03/04/2024`."""
    if isinstance(value, str):
        text = " ".join(normalize("NFKC", value[: 10 * MAX_DATE_CHARS]).split())
        return _loosely(text, day_first) if 0 < len(text) <= MAX_DATE_CHARS else None
    if isinstance(value, dict):  # as databases write them: {"$date": …}, {"seconds": …}
        return next((at for key in ("$date", "seconds", "_seconds", "iso") if (at := moment_of(value.get(key), day_first=day_first))), None)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
        unit = next((unit for least, unit in _UNITS if number >= least), None)
        return None if unit is None or not math.isfinite(number) else datetime.fromtimestamp(number / unit, UTC)
    except (ValueError, OverflowError, OSError):
        return None


@lru_cache(maxsize=4096)
def _loosely(text: str, day_first: bool) -> datetime | None:
    try:
        if re.fullmatch(r"\d{14}", text, re.ASCII) and text[:2] in ("19", "20"):
            return datetime.strptime(text, "%Y%m%d%H%M%S").replace(tzinfo=UTC)
        if re.fullmatch(r"\d{9,19}(?:\.\d{1,9})?", text, re.ASCII):
            return moment_of(float(text))
        if at := _AT.fullmatch(text):
            day, hour, minute, second, thousandth = at.groups()
            return parse_date(f"{day} {hour}:{minute:0>2}:{second or 0:0>2}.{thousandth or 0:0>3}")
        if (found := parse_date(text)) is not None:
            return found
        if _ISO.fullmatch(text):
            return _fixed(datetime.fromisoformat(text))
        if zone := _NAMED_ZONE.search(text):
            found = _loosely(text[: zone.start()], day_first)
            there = None if re.search(r"(?:Z|[+-]\d\d:?\d\d)$", text[: zone.start()]) else _place(zone[1])
            return found if found is None or there is None else _fixed(found.replace(tzinfo=there))
        for pattern, plain in _SPELLINGS:
            text = pattern.sub(plain, text)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of a zone's name that it does not know
            # Whatever is not in the text is taken from the default: two that have nothing in common tell what is.
            days = (datetime(2000, 1, 1), datetime(2003, 2, 2))
            day_first &= re.match(r"\d{4}(?!\d)", text) is None
            one, other = (dateutil.parse(text, _WORDS, default=day, dayfirst=day_first, tzinfos=_ZONES) for day in days)
        return _fixed(one) if one.date() == other.date() else None
    except (ValueError, ArithmeticError, TypeError, AttributeError):  # dateutil counts in decimals
        return None


def _place(name: str) -> ZoneInfo | None:
    """The zone of a place; None where there is none of that name, or this machine knows of none."""
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return None


def _fixed(moment: datetime) -> datetime:
    """In a zone of a fixed distance from UTC. Raises OverflowError at the ends of the calendar."""
    fixed = moment.replace(tzinfo=timezone(moment.utcoffset() or timedelta()))
    fixed.astimezone(UTC)
    return fixed


def writes_day_first(text: str) -> bool:
    """Whether a file writes `25/06/2024`, and not `06/25/2024`: as its dates that can be read in one way say; where all can be read in both, as dots do."""
    day = month = dots = slashes = 0
    for found in _TWO_NUMBERS.finditer(text[:_SAMPLE]):
        first, then = int(found[1]), int(found[3])
        day += first > 12 >= then
        month += then > 12 >= first
        dots, slashes = dots + (found[2] == "."), slashes + (found[2] != ".")
    return day > month if day or month else dots > slashes


def parse_date_line(line: str) -> datetime | None:
    """As `parse_date` for a line that may wear a rule, marks or brackets: `--- 2024-05-01 ---`, `# 8 May 2023`, `[2024年5月1日]`."""
    if len(line) > MAX_DATE_CHARS:
        return None
    core = line.strip(_RULE)
    return parse_date(core[1:-1] if core[:1] == "[" and core[-1:] == "]" else core)


def split_stamp(line: str, *, today: date | None, day_first: bool = False, clocks: bool = False) -> tuple[datetime, str] | None:
    """The moment a line begins with, and the rest of the line; None when it begins with none.

    Begins with means: a date, a date and a clock or a clock alone in square brackets; or, bare, a date in numbers or a Chinese one and a clock, perhaps with a
    hyphen, comma or colon after it; clocks: or a bare clock. A clock alone counts from `today`, the day of the last date above it. Raises ValueError for an
    impossible date and for a clock alone while `today` is None.
    """
    seen = line[: 2 * MAX_DATE_CHARS].translate(_AS_TYPED)
    if bracketed := _BRACKETED.match(seen):
        inner, rest = " ".join(bracketed[1].split()), line[bracketed.end() :]
        if clock := _CLOCK_ONLY.fullmatch(inner):
            moment = _on(today, clock)
        else:
            moment = parse_date(inner) or (moment_of(inner, day_first=day_first) if _DATED.search(inner) else None)
        return None if moment is None else (moment, rest)
    if bare := _BARE.match(seen):
        found = _moment(bare, today=None)
        return None if found is None else (found, line[bare.end() :])
    if numbers := _BARE_NUMBERS.match(seen):
        first, then, year = int(numbers["first"]), int(numbers["then"]), int(numbers["year"])
        month, day = (then, first) if first > 12 or (day_first and then <= 12) else (first, then)
        at = _moment(numbers, today=date(year + 2000 if year < 100 else year, month, day))
        return None if at is None else (at, line[numbers.end() :])
    if clocks and (clock := _BARE_CLOCK.match(seen)):
        at = _on(today, clock)
        return None if at is None else (at, line[clock.end() :])
    return None


def _on(day: date | None, clock: re.Match[str]) -> datetime | None:
    if day is None:
        raise ValueError("a time of day with no date above it")
    return _moment(clock, today=day)


def _moment(match: re.Match[str], *, today: date | None) -> datetime | None:
    """None for a month that there is not. Raises ValueError for a day or a time of day that there is not."""
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
    elif (part in _EVENING and 4 <= hour < 12) or (part in _AFTERNOON and hour < 12) or (part in _NOON and hour < 3):
        hour += 12
    elif hour == 12 and part not in (None, *_AFTERNOON, *_NOON):
        hour = 0
    minute = 30 if found["past"] else int(found["minute"] or found["minute_zh"] or 0)
    fraction = (found["fraction"] or "").ljust(6, "0")[:6]
    return time(hour, minute, int(found["second"] or found["second_zh"] or 0), int(fraction))


def _zone(name: str | None) -> timezone:
    if name is None or name.lower() in ("z", "utc"):
        return UTC
    offset = timedelta(hours=int(name[1:3]), minutes=int(name[-2:]))
    return timezone(-offset if name[0] == "-" else offset)
