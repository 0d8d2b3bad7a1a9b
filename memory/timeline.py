"""Dates in what people say, resolved against the day they said it (LongMemEval 4.3). A deterministic grammar: with no time expression no range is guessed.

Ordered tables of patterns stand in `timeline_english` and `timeline_chinese`; here are the calendar, the tense that an open expression needs ("on
Friday", 五月) and the spelling of what was found.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta

from memory.reading.drafts import DateRange

LAST_SECOND = time(23, 59, 59)
"""Of a day; its last microsecond would be rounded into the next."""
MONTHS = tuple(calendar.month_name)[1:]
SEASONS = ("spring", "summer", "autumn", "winter")
ZH_SEASONS = ("春天", "夏天", "秋天", "冬天")
_SEASON_STARTS = {3: 0, 6: 1, 9: 2, 12: 3}


@dataclass(frozen=True)
class DateMention:
    """One time expression. start, end: its characters, without the preposition before it."""

    start: int
    end: int
    range: DateRange
    past: bool | None
    """True for what lies before the day it was said, False for what lies after, None for that day or a span around it."""
    relative: bool
    """Whether the day it was said was needed, so that the words mean nothing later."""


@dataclass(frozen=True)
class Days:
    """Whole days from the day of speaking, as a pattern gives them."""

    first: date
    last: date
    relative: bool = True


@dataclass(frozen=True)
class Ground:
    """What a pattern is resolved against. ahead: whether the words around it speak of what will be (True), was (False), or leave it open (None)."""

    today: date
    ahead: bool | None
    aimed: bool = False
    """Something is put off to it, booked for it."""


AIM = 80
"""How many characters before an expression are looked at for what aims at it."""
Resolve = Callable[[re.Match[str], Ground], Days | None]
Pattern = tuple[re.Pattern[str], Resolve]


def mentions(text: str, *, said_at: datetime, language: str, ahead: bool | None = None) -> list[DateMention]:
    """Time expressions in order, none overlapping. language: `en` or `zh`; an expression that could be of either tense and stands in a sentence that
    shows none is left out. ahead: the tense, where the caller knows it better than the words of the sentence show."""
    from memory import timeline_chinese, timeline_english

    grammar = timeline_chinese if language == "zh" else timeline_english
    found: list[DateMention] = []
    for first, last in _sentences(text):
        sentence = text[first:last]
        tense = grammar.looks_ahead(sentence) if ahead is None else ahead
        for match, days in _resolved(grammar.PATTERNS, sentence, Ground(said_at.date(), tense), aimed=grammar.AIMED):
            found.append(_mention(match.start() + first, match.end() + first, days, said_at))
    return found


def spell(range: DateRange, *, language: str) -> str:
    """A range of days in words that mean the same on every day; without a preposition."""
    first, last = range.first.date(), range.last.date()
    return _spell_chinese(first, last) if language == "zh" else _spell_english(first, last)


# The calendar, for the grammars


def week_of(day: date, weeks: int = 0) -> Days:
    """Monday to Sunday of the week that lies `weeks` from a day's."""
    monday = day - timedelta(days=day.weekday()) + timedelta(weeks=weeks)
    return Days(monday, monday + timedelta(days=6))


def weekday_of(day: date, weekday: int, weeks: int = 0) -> Days:
    found = week_of(day, weeks).first + timedelta(days=weekday)
    return Days(found, found)


def weekend_of(day: date, weeks: int = 0) -> Days:
    sunday = week_of(day, weeks).last
    return Days(sunday - timedelta(days=1), sunday)


def month_of(year: int, month: int) -> Days:
    """month: may lie outside 1 to 12, counting on into other years."""
    year, month = year + (month - 1) // 12, (month - 1) % 12 + 1
    return Days(date(year, month, 1), date(year, month, calendar.monthrange(year, month)[1]))


def year_of(year: int) -> Days:
    return Days(date(year, 1, 1), date(year, 12, 31))


def season_of(year: int, season: int) -> Days:
    """season: 0 spring to 3 winter, which goes on into the next year."""
    start = 3 + 3 * season
    return Days(month_of(year, start).first, month_of(year, start + 2).last)


def until(days: Days, end: date) -> Days:
    """From where one range begins to another day."""
    return Days(days.first, max(days.first, end), days.relative)


def third_of(days: Days, which: int) -> Days:
    """Early (0), mid (1) or late (2) in a month or a year: ten days, four months."""
    if days.last - days.first > timedelta(days=31):
        year = days.first.year
        return Days(date(year, 4 * which + 1, 1), month_of(year, 4 * which + 4).last, days.relative)
    first = days.first + timedelta(days=10 * which)
    return Days(first, days.last if which == 2 else first + timedelta(days=9), days.relative)


def nearest(candidates: Sequence[Days], ground: Ground) -> Days | None:
    """Of the same thing in several weeks, months or years the nearest on the side the words speak of; None if they leave that open."""
    if ground.ahead is None:
        return None
    if ground.ahead:
        return min((c for c in candidates if c.last >= ground.today), key=lambda c: c.first, default=None)
    return max((c for c in candidates if c.first <= ground.today), key=lambda c: c.first, default=None)


def nearest_day(ground: Ground, month: int, day: int) -> Days | None:
    """A day named without its year: where the words leave the side open, the nearest on either."""
    days = [day_of(ground.today.year + shift, month, day) for shift in (-1, 0, 1)]
    candidates = [Days(d, d) for d in days if d is not None]
    if ground.ahead is None:
        return min(candidates, key=lambda c: abs(c.first - ground.today), default=None)
    return nearest(candidates, ground)


def nearest_month(ground: Ground, month: int) -> Days | None:
    return nearest([month_of(ground.today.year + shift, month) for shift in (-1, 0, 1)], ground)


def day_of(year: int, month: int, day: int) -> date | None:
    """None for what is no day of the calendar."""
    try:
        return date(year, month, day)
    except ValueError:
        return None


def back(ground: Ground, count: int, unit: str) -> Days:
    """`count` days, weeks, months or years from today, negative ones before it; as exact as people mean it: a day, a week, a month, a year."""
    today = ground.today
    if unit == "day":
        found = today + timedelta(days=count)
        return Days(found, found)
    if unit == "week":
        return week_of(today, count)
    if unit == "month":
        return month_of(today.year, today.month + count)
    return year_of(today.year + count)


def same_day(ground: Ground, count: int, unit: str) -> Days:
    """The day itself `count` days, weeks, months or years from today; the last of its month where that has no such day."""
    today = ground.today
    if unit in ("day", "week"):
        found = today + timedelta(days=count * (7 if unit == "week" else 1))
    else:
        month = month_of(today.year, today.month + count * (12 if unit == "year" else 1))
        found = month.first.replace(day=min(today.day, month.last.day))
    return Days(found, found)


# Finding


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for stop in re.finditer(r"[.!?。！？\n]+(?=\s|$)|[。！？]", text):
        yield start, stop.end()
        start = stop.end()
    yield start, len(text)


def _resolved(patterns: Sequence[Pattern], text: str, ground: Ground, *, aimed: re.Pattern[str]) -> list[tuple[re.Match[str], Days]]:
    """Earlier patterns win over later ones where they overlap. aimed: words right before an expression that make it a day to come, whatever the
    tense around them: "we moved the review to Friday"."""
    taken: list[tuple[re.Match[str], Days]] = []
    covered = bytearray(len(text))
    for pattern, resolve in patterns:
        for match in pattern.finditer(text):
            if any(covered[match.start() : match.end()]):
                continue
            try:
                aims = aimed.search(text, max(0, match.start() - AIM), match.start()) is not None
                days = resolve(match, replace(ground, ahead=True, aimed=True) if aims else ground)
            except (ValueError, OverflowError):  # a year or a count outside the calendar
                continue
            if days is not None:
                taken.append((match, days))
                covered[match.start() : match.end()] = b"\1" * (match.end() - match.start())
    return sorted(taken, key=lambda pair: pair[0].start())


def _mention(start: int, end: int, days: Days, said_at: datetime) -> DateMention:
    zone = said_at.tzinfo
    today = said_at.date()
    past = True if days.last < today else False if days.first > today else None
    return DateMention(
        start=start,
        end=end,
        range=DateRange(datetime.combine(days.first, time.min, zone), datetime.combine(days.last, LAST_SECOND, zone)),
        past=past,
        relative=days.relative,
    )


# Spelling


def _shape(first: date, last: date) -> str:
    if first == last:
        return "day"
    if (first.month, first.day, last.month, last.day, first.year) == (1, 1, 12, 31, last.year):
        return "year"
    if first.day == 1 and last == month_of(first.year, first.month).last:
        return "month"
    if first.day == 1 and first.month in _SEASON_STARTS and last == month_of(first.year, first.month + 2).last:
        return "season"
    if (last - first).days == 6 and first.weekday() == 0:
        return "week"
    if (last - first).days == 1 and first.weekday() == 5:
        return "weekend"
    if (first.month, first.day, last.month, last.day) == (1, 1, 12, 31):
        return "years"
    if first.day == 1 and last == month_of(last.year, last.month).last:
        return "months"
    return "span"


def _spell_english(first: date, last: date) -> str:
    match _shape(first, last):
        case "day":
            return _day(first)
        case "year":
            return str(first.year)
        case "month":
            return f"{MONTHS[first.month - 1]} {first.year}"
        case "season":
            year = f"{first.year}/{last.year % 100:02}" if last.year > first.year else str(first.year)
            return f"the {SEASONS[_SEASON_STARTS[first.month]]} of {year}"
        case "week":
            return f"the week of {_day(first)}"
        case "weekend":
            return f"the weekend of {_day(first)}"
        case "years":
            return f"{first.year} to {last.year}"
        case "months":
            year = f" {first.year}" if last.year > first.year else ""
            return f"{MONTHS[first.month - 1]}{year} to {MONTHS[last.month - 1]} {last.year}"
    if (first.year, first.month) == (last.year, last.month):
        return f"{first.day}-{_day(last)}"
    return f"{_day(first)} to {_day(last)}"


def _day(day: date) -> str:
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def _spell_chinese(first: date, last: date) -> str:
    match _shape(first, last):
        case "day":
            return _zh_day(first)
        case "year":
            return f"{first.year}年"
        case "month":
            return f"{first.year}年{first.month}月"
        case "season":
            return f"{first.year}年{ZH_SEASONS[_SEASON_STARTS[first.month]]}"
        case "week":
            return f"{_zh_day(first)}那一周"
        case "weekend":
            return f"{_zh_day(first)}那个周末"
        case "years":
            return f"{first.year}年到{last.year}年"
        case "months":
            return f"{first.year}年{first.month}月到{f'{last.year}年' if last.year > first.year else ''}{last.month}月"
    if (first.year, first.month) == (last.year, last.month):
        return f"{_zh_day(first)}到{last.day}日"
    return f"{_zh_day(first)}到{_zh_day(last)}"


def _zh_day(day: date) -> str:
    return f"{day.year}年{day.month}月{day.day}日"
