"""Times that a cue names: days and spans (`memory.timeline`), what lies on one side of one or between two ("since March", 三月之前, "from March to May"), and
what lies so far back from the day it is asked ("in the last two weeks", 最近几天).

What is told is dated by `memory.timeline` alone: what has gone on since March happened on no day of which a fact could speak.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from enum import StrEnum

from memory import timeline_chinese, timeline_english
from memory.episodes import language_of
from memory.reading.drafts import DateRange
from memory.timeline import LAST_SECOND, MONTHS, SEASONS, DateMention, Ground, mentions, same_day

WEEK = timedelta(weeks=1)
FEW_DAYS, FEW = 5, 4
"""What "a few" days, and a few of what is longer, are at most."""
MOST_DAYS = 3660
"""From a named day, that something is looked for."""


@dataclass(frozen=True)
class Times:
    """ranges: in the order of the text; open_ended: those of them that have no beginning or go on to the day it is asked: to be preferred, but too much to be
    looked for; rest: the text with blanks for the words that name a time."""

    ranges: tuple[DateRange, ...]
    open_ended: tuple[DateRange, ...]
    rest: str


class _Side(StrEnum):
    BEFORE = "before"
    AFTER = "after"
    SINCE = "since"
    FROM = "from"


@dataclass(frozen=True)
class _Named:
    start: int
    end: int
    range: DateRange
    past: bool | None
    open_ended: bool = False


_SIDES = {
    "before": _Side.BEFORE, "prior to": _Side.BEFORE, "until": _Side.BEFORE, "till": _Side.BEFORE, "after": _Side.AFTER, "since": _Side.SINCE,
    "from": _Side.FROM, "between": _Side.FROM,
    "之前": _Side.BEFORE, "以前": _Side.BEFORE, "前": _Side.BEFORE, "之后": _Side.AFTER, "以后": _Side.AFTER, "后": _Side.AFTER,
    "以来": _Side.SINCE, "至今": _Side.SINCE, "起": _Side.SINCE, "开始": _Side.SINCE,
}  # fmt: skip
_ENGLISH = re.compile(r"\b(?:before|prior to|until|till|after|since|from|between|and|to)(?= )", re.IGNORECASE)
_LEADS = re.compile(r"\b(?:before|prior to|until|till|after|since|from|between) ", re.IGNORECASE)
_LED = re.compile(r"\b(before|prior to|until|till|after|since|from|between) (?:the |about |around )?$", re.IGNORECASE)
_ON = re.compile(r" (?:the \d|(?:mon|tues|wednes|thurs|fri|satur|sun)day)", re.IGNORECASE)
_TRAIL = r"之前|以前|前(?![面后])|之后|以后|后(?![来面悔天])|以来|至今|起|开始"
_CHINESE = re.compile(rf"{_TRAIL}|[到至~—–-]")
_TRAILED = re.compile(rf"(?:的时候|那天|那时)?({_TRAIL})")
_FROM_ZH = re.compile(r"(?:从|自从?|打从?)(?:的)?$")
"""Before what 起 and 开始 stand behind: 昨天开始看 began yesterday."""
_APART = re.compile(
    rf"\b(?:(?P<count>few|several|{timeline_english.COUNT}) )?(?P<unit>day|night|morning|evening|week|weekend|month|year|{timeline_english.FULL_DAY})s?"
    r" (?P<side>before|after|prior to) (?:the )?$",
    re.IGNORECASE,
)
_APART_ZH = re.compile(
    rf"(?:[之以])?(?P<side>[前后])的?(?:第)?(?P<count>{timeline_chinese.NUMBER}|几)(?P<unit>个月|个?星期|个?礼拜|天|日|周|年)(?!前|后)"
)
_DAYS = {"week": 7, "weekend": 7, "month": 31, "year": 366}
"""Of a unit; a named weekday is within a week, what is shorter a day."""
_TO = re.compile(r"\s+(?:and|to|until|till)\s+(?:the )?|\s*[到至~—–-]\s*", re.IGNORECASE)
_WEEKDAY = re.compile(
    r"\b(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b|(?:周|星期|礼拜)[一二三四五六日天]", re.IGNORECASE
)
_YEARLY = re.compile(
    rf"\b(?:(?:{'|'.join(month[:3] for month in MONTHS)})[a-z]*|{'|'.join(SEASONS)})\b|[一二三四五六七八九十\d]月|[春夏秋冬]", re.IGNORECASE
)
_OF_ONE_YEAR = re.compile(r"\d{4}|\b(?:last|past|next|this|coming|ago|year)\b|年|上|下|这|本", re.IGNORECASE)
"""What comes round with every year, and what says of which."""
_UNIT = r"(?P<unit>day|night|week|weekend|month|year)s?\b"
_BACK_EN = re.compile(
    rf"\b(?:the |these |this )?(?:last|past|previous) (?P<count>few|several|{timeline_english.COUNT}) {_UNIT}(?! (?:of|ago|before)\b)"
    r"|\bthe (?:last|past) (?P<one>week|month|year)\b(?! (?:of|before)\b|['’]s\b|-)",
    re.IGNORECASE,
)
_BACK_ZH = re.compile(
    rf"(?:最近|(?<![将接附靠临逼亲远就最])近|过去|这)(?:的)?(?P<count>{timeline_chinese.NUMBER}|好?几|两三|三四)(?P<unit>个月|个?星期|个?礼拜|天|日|周|年)(?!前|后|级|代|之|以[前后])"
)
_THAT_DAY = re.compile("这一[天日]")


def times_of(text: str, said_at: datetime) -> Times:
    """Of an expression that could be of either tense that which has been."""
    language = language_of(text)
    back = list(_back(text, said_at, language))
    left = _blank(text, back)
    dated = _dated(left, said_at, language)
    sided = list(_sided(left, dated, said_at, language))
    plain = [m for m in dated if not any(m.start < s.end and s.start < m.end for s in sided)]
    # "Today" is when nearly everything is said.
    named = [
        _Named(m.start, m.end, m.range, m.past) for m in plain if m.past is not None or m.range.last - m.range.first > timedelta(days=1)
    ]
    found = sorted([*back, *sided, *named], key=lambda n: n.start)
    return Times(
        tuple(dict.fromkeys(n.range for n in found)),
        tuple(dict.fromkeys(n.range for n in found if n.open_ended)),
        _blank(text, [*back, *dated, *sided]),
    )


def _dated(text: str, said_at: datetime, language: str) -> list[DateMention]:
    return mentions(text, said_at=said_at, language=language) or mentions(text, said_at=said_at, language=language, ahead=False)


def _blank(text: str, spans: Sequence[_Named | DateMention]) -> str:
    for span in spans:
        text = text[: span.start] + " " * (span.end - span.start) + text[span.end :]
    return text


# On one side, or between two


def _sided(text: str, dated: Sequence[DateMention], said_at: datetime, language: str) -> Iterator[_Named]:
    """dated: what the text names as it stands; a word for a side that belongs to one of them ("the day before yesterday", 三天前) is none."""
    if not (_CHINESE if language == "zh" else _LEADS).search(text):
        return
    found = _dated(_bare(text, dated, language), said_at, language)
    place = 0
    while place < len(found):
        second = found[place + 1] if place + 1 < len(found) else None
        try:
            read, taken = _read(text, found[place], second, said_at, language)
        except (ValueError, OverflowError):  # beyond the calendar
            read, taken = [], 1
        place += taken
        # "Today" is when nearly everything is said.
        yield from (n for n in read if not n.range.first.date() == said_at.date() == n.range.last.date())


def _read(text: str, first: DateMention, second: DateMention | None, said_at: datetime, language: str) -> tuple[list[_Named], int]:
    """What a time is one side or one end of, and how many of the two are part of it."""
    side = _side(text, first, language)
    if second is not None and (language == "zh" or side is _Side.FROM) and _TO.fullmatch(text[first.end : second.start]):
        begin, end = _before(text[first.start : first.end], first.range.first, second.range.last), second.range.last
        if begin < end:
            return [_Named(first.start, second.end, DateRange(begin, end), past=None)], 2
        return [_Named(m.start, m.end, m.range, m.past) for m in (first, second)], 2
    apart = _APART_ZH.match(text, first.end) if language == "zh" else _APART.search(text, 0, first.start)
    if apart is not None:
        return [_apart(apart, first, language)], 1
    return ([_on(side, first, said_at)] if side is not None and side is not _Side.FROM else []), 1


def _before(named: str, begin: datetime, end: datetime) -> datetime:
    """The last beginning before an end that some words may name, each of which names the last one there was: of Monday and Friday, of June and August."""
    if begin > end and _WEEKDAY.search(named):
        return begin - WEEK * -((end - begin) // WEEK)
    if begin > end and _YEARLY.search(named) and not _OF_ONE_YEAR.search(named):
        years = begin.year - end.year
        years += (begin.month, begin.day) > (end.month, end.day)
        day = same_day(Ground(begin.date(), ahead=False), -years, "year").first
        return datetime.combine(day, begin.timetz())
    return begin


def _bare(text: str, dated: Sequence[DateMention], language: str) -> str:
    """Without the words for a side; in English with a preposition of time in their place, as the grammar of dates wants it."""
    covered = bytearray(len(text))
    for m in dated:
        covered[m.start : m.end] = b"\1" * (m.end - m.start)
    for match in (_CHINESE if language == "zh" else _ENGLISH).finditer(text):
        if not any(covered[match.start() : match.end()]):
            word = "" if language == "zh" else "on" if _ON.match(text, match.end()) else "in"
            text = text[: match.start()] + word.rjust(len(match[0])) + text[match.end() :]
    return text


def _apart(match: re.Match[str], mention: DateMention, language: str) -> _Named:
    """So far from a named day ("the week before 3 August", 8月3日前两天), and the day itself, when it was told."""
    count, unit = match["count"], match["unit"].lower()
    if language == "zh":
        number, days = FEW if count == "几" else timeline_chinese.number(count), _DAYS.get(timeline_chinese.unit_of(unit), 1)
    else:
        number = 1 if count is None else FEW if count.lower() in ("few", "several") else timeline_english.counted(count)
        days = _DAYS.get(unit, 7 if unit.endswith("day") and unit != "day" else 1)
    near, far = mention.range, timedelta(days=min(number * days + (days // 2 if number > 1 else 0), MOST_DAYS))
    before = match["side"].lower() in ("before", "prior to", "前")
    return _Named(
        min(mention.start, match.start()),
        max(mention.end, match.end()),
        DateRange(near.first - far, near.last) if before else DateRange(near.first, near.last + far),
        mention.past,
    )


def _side(text: str, mention: DateMention, language: str) -> _Side | None:
    match = _TRAILED.match(text, mention.end) if language == "zh" else _LED.search(text, 0, mention.start)
    if match is None or (match[1] in ("起", "开始") and not _FROM_ZH.search(text, 0, mention.start)):
        return None
    return _SIDES[match[1].lower()]


def _on(side: _Side, mention: DateMention, said_at: datetime) -> _Named:
    zone, named = said_at.tzinfo, mention.range
    morning, night = (datetime.combine(said_at.date(), at, zone) for at in (time.min, LAST_SECOND))
    if side is _Side.BEFORE:
        end = named.first - timedelta(seconds=1)
        # What is to be done before Friday is still to come.
        found = DateRange(min(morning, end) if named.first > night else datetime.min.replace(tzinfo=zone), end)
    elif side is _Side.AFTER:
        found = DateRange(named.last + timedelta(seconds=1), night) if named.last < morning else named
    else:
        found = DateRange(named.first, night) if named.first <= night else named
    return _Named(mention.start, mention.end, found, mention.past, open_ended=found != named)


# Back from today


def _back(text: str, said_at: datetime, language: str) -> Iterator[_Named]:
    pattern, counted = (_BACK_ZH, _counted_chinese) if language == "zh" else (_BACK_EN, _counted_english)
    for match in pattern.finditer(text):
        if _THAT_DAY.search(match[0]):
            continue
        count, unit = counted(match)
        try:
            first = same_day(Ground(said_at.date(), ahead=False), -count, unit).first
        except (ValueError, OverflowError):  # a count outside the calendar
            continue
        zone = said_at.tzinfo
        yield _Named(
            match.start(),
            match.end(),
            DateRange(datetime.combine(first, time.min, zone), datetime.combine(said_at.date(), LAST_SECOND, zone)),
            past=None,
        )


def _counted_english(match: re.Match[str]) -> tuple[int, str]:
    if match["one"]:
        return 1, match["one"].lower()
    unit = {"night": "day", "weekend": "week"}.get(match["unit"].lower(), match["unit"].lower())
    word = match["count"].lower()
    return (FEW_DAYS if unit == "day" else FEW) if word in ("few", "several") else timeline_english.counted(word), unit


def _counted_chinese(match: re.Match[str]) -> tuple[int, str]:
    unit = timeline_chinese.unit_of(match["unit"])
    word = match["count"]
    if word.endswith("几"):
        return FEW_DAYS if unit == "day" else FEW, unit
    return {"两三": 3, "三四": 4}.get(word) or timeline_chinese.number(word), unit
