"""English time expressions, most specific first. Weekdays: `last Friday` is the latest one before today, `this` is of this week, `next` of the next."""

from __future__ import annotations

import re
from datetime import timedelta

from memory.timeline import (
    MONTHS,
    SEASONS,
    Days,
    Ground,
    Pattern,
    Resolve,
    back,
    day_of,
    month_of,
    nearest,
    season_of,
    weekday_of,
    weekend_of,
    year_of,
)

_WEEKDAYS = {"mon": 0, "tue": 1, "wed": 2, "thu": 3, "fri": 4, "sat": 5, "sun": 6}
_MONTH_OF = {name[:3].lower(): number for number, name in enumerate(MONTHS, start=1)}
_COUNTS = {
    w: n for n, w in enumerate("one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen".split(), start=1)
}
_COUNTS |= {"a": 1, "an": 1, "a couple of": 2, "a couple": 2, "twenty": 20, "thirty": 30, "a dozen": 12}
_DAY = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)day|mon|tues?|weds?|thurs?|thu|fri|sat|sun"
_FULL_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_MONTH = (
    r"jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
)
_FULL_MONTH = r"january|february|march|april|may|june|july|august|september|october|november|december"
_COUNT = r"\d{1,3}|a couple(?: of)?|a dozen|" + "|".join(sorted((w for w in _COUNTS if " " not in w), key=len, reverse=True))
_UNIT = r"(?P<unit>day|week|month|year)s?"
_PART = r"(?: (?:morning|afternoon|evening|night))?"
_WHICH = r"(?P<which>last|this past|past|this coming|this|next)"
_OFFSET = {"last": -1, "this past": -1, "past": -1, "this": 0, "this coming": 0, "next": 1}
_AHEAD = re.compile(
    r"\b(?:will|won't|shall|going to|gonna|'ll|’ll|tomorrow|next|upcoming|coming|plan(?:s|ning)?|hop(?:e|es|ing)|want(?:s)? to|looking forward|can't wait|about to"
    r"|(?:am|is|are|'m|'re|'s|’m|’re|’s) (?:\w+ )?\w+ing)\b",
    re.IGNORECASE,
)
_BEHIND = re.compile(
    r"\b(?:was|were|did|didn't|had|went|got|saw|took|came|made|said|told|met|found|bought|lost|won|began|felt|gave|broke|ran|ate|left|spent|ago|yesterday|last|\w{2,}ed)\b",
    re.IGNORECASE,
)
_NO_YEAR = re.compile(r"\b(?:birthday|born|anniversary|every|each|annual|always|usually)\b", re.IGNORECASE)


def looks_ahead(sentence: str) -> bool | None:
    """By its verbs: what was outweighs what will be only where nothing of the latter is said."""
    ahead, behind = bool(_AHEAD.search(sentence)), bool(_BEHIND.search(sentence))
    return None if ahead == behind else ahead


def _weekday(word: str) -> int:
    return _WEEKDAYS[word[:3].lower()]


def _month(word: str) -> int:
    return _MONTH_OF[word[:3].lower()]


def _count(word: str) -> int:
    low = " ".join(word.lower().split())
    return int(low) if low.isdigit() else _COUNTS[low]


def _dated(match: re.Match[str], ground: Ground) -> Days | None:
    """A day of a month, with or without a year."""
    month, day = _month(match["month"]), int(match["day"])
    if match["year"]:
        found = day_of(int(match["year"]), month, day)
        return Days(found, found, relative=False) if found else None
    if _NO_YEAR.search(match.string):
        return None
    days = [day_of(ground.today.year + shift, month, day) for shift in (-1, 0, 1)]
    candidates = [Days(d, d) for d in days if d is not None]
    if ground.ahead is None:
        return min(candidates, key=lambda c: abs(c.first - ground.today), default=None)
    return nearest(candidates, ground)


def _day_shift(shift: int) -> Resolve:
    def resolve(match: re.Match[str], ground: Ground) -> Days:
        found = ground.today + timedelta(days=shift)
        return Days(found, found)

    return resolve


def _which_weekday(match: re.Match[str], ground: Ground) -> Days:
    weekday, which = _weekday(match["day"]), match["which"].lower()
    if _OFFSET[which] < 0:
        found = ground.today - timedelta(days=(ground.today.weekday() - weekday - 1) % 7 + 1)
        return Days(found, found)
    return weekday_of(ground.today, weekday, _OFFSET[which])


def _which_unit(match: re.Match[str], ground: Ground) -> Days:
    unit, shift = match["unit"].lower(), _OFFSET[match["which"].lower()]
    if unit == "weekend":
        # Said on a Sunday, "this past weekend" is the one that ends.
        return weekend_of(ground.today, shift)
    return back(ground, shift, unit)


def _which_month(match: re.Match[str], ground: Ground) -> Days:
    month, shift = _month(match["month"]), _OFFSET[match["which"].lower()]
    year = ground.today.year
    if shift < 0:
        return month_of(year if month < ground.today.month else year - 1, month)
    if shift > 0:
        return month_of(year if month > ground.today.month else year + 1, month)
    return month_of(year, month)


def _which_season(match: re.Match[str], ground: Ground) -> Days | None:
    season = 2 if match["season"].lower() == "fall" else SEASONS.index(match["season"].lower())
    shift = _OFFSET[match["which"].lower()]
    years = range(ground.today.year - 2, ground.today.year + 3)
    spans = [season_of(year, season) for year in years]
    if shift < 0:
        return max((s for s in spans if s.last < ground.today), key=lambda s: s.last)
    if shift > 0:
        return min((s for s in spans if s.first > ground.today), key=lambda s: s.first)
    return min(
        spans,
        key=lambda s: (
            0 if s.first <= ground.today <= s.last else min(abs((s.first - ground.today).days), abs((s.last - ground.today).days))
        ),
    )


def _ago(match: re.Match[str], ground: Ground) -> Days:
    return back(ground, -_count(match["count"]), match["unit"].lower())


def _few_ago(match: re.Match[str], ground: Ground) -> Days:
    """A few is two to five."""
    unit = match["unit"].lower()
    return Days(back(ground, -5 if unit == "day" else -4, unit).first, back(ground, -2, unit).last)


def _coming(match: re.Match[str], ground: Ground) -> Days | None:
    """`in two weeks`: how long something took, unless the words speak of what will be."""
    return back(ground, _count(match["count"]), match["unit"].lower()) if ground.ahead else None


def _from_now(match: re.Match[str], ground: Ground) -> Days:
    return back(ground, _count(match["count"]), match["unit"].lower())


def _before_last(match: re.Match[str], ground: Ground) -> Days:
    unit = match["unit"].lower()
    return weekend_of(ground.today, -2) if unit == "weekend" else back(ground, -2, unit)


def _bare_weekday(match: re.Match[str], ground: Ground) -> Days | None:
    weekday = _weekday(match["day"])
    return nearest([weekday_of(ground.today, weekday, shift) for shift in (-1, 0, 1)], ground)


def _bare_weekend(match: re.Match[str], ground: Ground) -> Days | None:
    return nearest([weekend_of(ground.today, shift) for shift in (-1, 0, 1)], ground)


def _bare_month(match: re.Match[str], ground: Ground) -> Days | None:
    if _NO_YEAR.search(match.string):
        return None
    month = _month(match["month"])
    return nearest([month_of(ground.today.year + shift, month) for shift in (-1, 0, 1)], ground)


def _month_and_year(match: re.Match[str], ground: Ground) -> Days:
    found = month_of(int(match["year"]), _month(match["month"]))
    return Days(found.first, found.last, relative=False)


def _season_and_year(match: re.Match[str], ground: Ground) -> Days:
    found = season_of(int(match["year"]), 2 if match["season"].lower() == "fall" else SEASONS.index(match["season"].lower()))
    return Days(found.first, found.last, relative=False)


def _year(match: re.Match[str], ground: Ground) -> Days:
    found = year_of(int(match["year"]))
    return Days(found.first, found.last, relative=False)


def _p(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_YEAR = r"(?P<year>(?:19|20)\d\d)"
PATTERNS: tuple[Pattern, ...] = (
    (_p(rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<month>{_MONTH})\b(?:\.?,? {_YEAR}\b)?"), _dated),
    (_p(rf"\b(?P<month>{_MONTH})\b\.? (?:the )?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\b(?!:|\d|%)(?:,? {_YEAR}\b)?"), _dated),
    (_p(rf"\b(?:early |late |mid[- ])?(?P<month>{_FULL_MONTH}),?(?: of)? {_YEAR}\b"), _month_and_year),
    (_p(rf"\b(?:the )?(?P<season>spring|summer|autumn|fall|winter)(?: of)? {_YEAR}\b"), _season_and_year),
    (_p(r"\bthe day before yesterday\b"), _day_shift(-2)),
    (_p(r"\bthe day after tomorrow\b"), _day_shift(2)),
    (_p(rf"\byesterday\b{_PART}|\blast night\b"), _day_shift(-1)),
    (_p(rf"\btomorrow\b{_PART}"), _day_shift(1)),
    (_p(r"\b(?:today|tonight|this (?:morning|afternoon|evening))\b"), _day_shift(0)),
    (_p(r"\bthe other day\b"), lambda match, ground: Days(ground.today - timedelta(days=7), ground.today - timedelta(days=1))),
    (_p(r"\bthe (?P<unit>week|weekend|month|year) before last\b"), _before_last),
    (_p(rf"\b{_WHICH} (?P<day>{_DAY})\b{_PART}"), _which_weekday),
    (_p(rf"\b(?:(?:early|late|mid|the end of|the beginning of) )?{_WHICH} (?P<unit>weekend|week|month|year)\b(?!['’]s\b|-)"), _which_unit),
    (_p(rf"\b{_WHICH} (?P<month>{_FULL_MONTH})\b"), _which_month),
    (_p(rf"\b{_WHICH} (?P<season>spring|summer|autumn|fall|winter)\b"), _which_season),
    (_p(rf"\b(?:about |around |almost |over |nearly )?(?P<count>{_COUNT}) {_UNIT} (?:ago|back)\b"), _ago),
    (_p(rf"\b(?:a few|several|some) {_UNIT} (?:ago|back)\b"), _few_ago),
    (_p(rf"\b(?P<count>{_COUNT}) {_UNIT} from now\b"), _from_now),
    (_p(rf"\bin (?:about |around )?(?P<count>{_COUNT}) {_UNIT}\b(?! time)(?:['’] time)?"), _coming),
    (_p(rf"(?<=\bon )(?P<day>{_FULL_DAY})\b{_PART}"), _bare_weekday),
    (_p(r"(?<=\bat )the weekend\b|(?<=\bover )the weekend\b|(?<=\bon )the weekend\b"), _bare_weekend),
    (_p(rf"(?<=\bin )(?:early |late |mid[- ])?(?P<month>{_FULL_MONTH})\b(?! \d)"), _bare_month),
    (_p(rf"(?:(?<=\bin )|(?<=\bduring )|(?<=\bof )){_YEAR}\b"), _year),
)
