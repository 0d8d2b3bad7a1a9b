"""English time expressions, most specific first. Weekdays: `last Friday` is the latest one before today, `this` is of this week, `next` of the next."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta

from memory import timeline as calendar
from memory.timeline import Days, Ground, Pattern, Resolve, back, day_of, month_of, nearest, season_of, weekday_of, weekend_of, year_of

_WEEKDAYS = {"mon": 0, "tue": 1, "wed": 2, "thu": 3, "fri": 4, "sat": 5, "sun": 6}
_MONTH_OF = {name[:3].lower(): number for number, name in enumerate(calendar.MONTHS, start=1)}
_ONES = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_COUNTS = {word: n for n, word in enumerate(_ONES, start=1)}
_COUNTS |= {word: 10 * n for n, word in enumerate(_TENS, start=2)}
_COUNTS |= {f"{ten} {one}": 10 * n + m for n, ten in enumerate(_TENS, start=2) for m, one in enumerate(_ONES[:9], start=1)}
_COUNTS |= {"a": 1, "an": 1, "a couple of": 2, "a couple": 2, "couple of": 2, "a dozen": 12, "a hundred": 100, "one hundred": 100}
_DAY = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)day|mon|tues?|weds?|thurs?|thu|fri|sat|sun"
FULL_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_MONTH = (
    r"jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
)
_FULL_MONTH = r"january|february|march|april|may|june|july|august|september|october|november|december"
COUNT = (
    r"\d{1,3}|(?:a )?couple of|a couple|a dozen|(?:a|one) hundred|"
    + rf"(?:{'|'.join(_TENS)})(?:[ -](?:{'|'.join(sorted(_ONES[:9], key=len, reverse=True))}))?|"
    + "|".join(sorted([*_ONES, "an", "a"], key=len, reverse=True))
)
_N = rf"(?<![\w-])(?<!\d[.,])(?<!hundred )(?<!hundred and )(?<!thousand )(?<!point )(?P<count>{COUNT})"
"""No end of a larger number: 2.5 years, one hundred and two days."""
_UNIT = r"(?P<unit>day|week|month|year)s?"
_SEASON = r"(?P<season>spring|summer|autumn|fall|winter)"
_PART = r"(?: (?:morning|afternoon|evening|night))?"
_THIRD = r"(?:(?P<third>early|mid|late)[ -](?:in )?)?"
_ADDRESS = r"(?! (?-i:Street|St|Road|Rd|Avenue|Ave|Lane|Square|Court|Drive)\b)"
"""10 March Street."""
_WHICH = r"(?P<which>last|this past|past|this coming|this|next)"
_OFFSET = {"last": -1, "this past": -1, "past": -1, "this": 0, "this coming": 0, "next": 1}
_NOUN = r"(?: (?!(?:on|who|that|which|whom|whose|what|I|we|you|he|she|they|it|from|since|to)\b)[\w'’-]+)"
_AHEAD = re.compile(
    r"\b(?:will|won't|shall|going to|gonna|'ll|’ll|tomorrow|next|upcoming|coming|plan(?:s|ning)?|hop(?:e|es|ing)|want(?:s)? to|looking forward|can't wait|about to"
    r"|(?:am|is|are|'m|'re|'s|’m|’re|’s) (?:\w+ )?\w+ing"
    r"|(?:wedding|exam|test|party|appointment|interview|concert|audition|flight|operation|match|meeting|hearing|deadline) is (?:on|in|at|for)"
    r"|(?:have|has|[’']ve|[’']s got) (?:got )?(?:an?|my|our|another|the) (?:[\w'’]+ ){0,3}?(?:audition|interview|exam|examination|test|appointment|meeting|rehearsal"
    r"|concert|gig|match|race|operation|surgery|hearing|viva|presentation|deadline|flight|party|wedding|lesson|viewing)"
    # what one has on a day is still to come: "I have a dance class on Friday", "I've got pottery on Monday"
    rf"|(?:\b(?:have|has) (?:got )?(?:an?|my|our|his|her|their|another|the|no|two|three)|(?:[’'](?:ve|s)|\b(?:have|has)) got){_NOUN}{{1,5}}? on {FULL_DAY}(?!s))\b",
    re.IGNORECASE,
)
_BEHIND = re.compile(
    r"\b(?:was|were|did|didn't|had|went|saw|took|came|made|said|told|met|found|bought|lost|won|began|felt|gave|broke|ran|ate|left|spent|ago|yesterday|last)\b"
    r"|(?<!['’]ve )(?<!\bhave )(?<!\bhas )\bgot\b"
    r"|(?<!\bam )(?<!\bis )(?<!\bare )(?<!['’]m )(?<!['’]re )\b\w{2,}ed\b"
    r"|\b(?:I|we|you|he|she|they) (?:quit|put|cut|hit|set|let|hurt|shut|split|read)\b",
    re.IGNORECASE,
)
AIMED = re.compile(
    r"\b(?:moved?|pushed?|postponed?|rescheduled?|shift(?:ed)?|delay(?:ed)?|brought|put|changed?|switch(?:ed)?|extend(?:ed)?|book(?:ed)?|scheduled?|set|plan(?:ned)?"
    r"|arranged?|reserved?|due|invited?)\b[^.!?;]*?\b(?:to|until|till|for) (?:the )?$"
    rf"|\bturns (?:{COUNT})(?: years old)? (?:on|this) $"
    r"|\b(?:graduates|marries|retires|gets married|starts (?:school|university|college))\b[^.!?;,]{0,25}?\b(?:on|this) $",
    re.IGNORECASE,
)
"""Behind these a day is one to come, though they themselves are past: moved to Friday, booked for the 28th."""
_NO_YEAR = re.compile(r"\b(?:birthday|born|anniversary|every|each|annual|always|usually)\b", re.IGNORECASE)


def looks_ahead(sentence: str) -> bool | None:
    """By its verbs: what was outweighs what will be only where nothing of the latter is said."""
    ahead, behind = bool(_AHEAD.search(sentence)), bool(_BEHIND.search(sentence))
    return None if ahead == behind else ahead


def _weekday(word: str) -> int:
    return _WEEKDAYS[word[:3].lower()]


def _month(word: str) -> int:
    return _MONTH_OF[word[:3].lower()]


def _third(match: re.Match[str], days: Days) -> Days:
    word = (match["third"] or "").lower()
    return calendar.third_of(days, ("early", "mid", "late").index(word)) if word else days


def counted(word: str) -> int:
    """Of digits or words, as COUNT finds them."""
    low = " ".join(word.lower().replace("-", " ").split())
    return int(low) if low.isdigit() else _COUNTS[low]


def _dated(match: re.Match[str], ground: Ground) -> Days | None:
    """A day of a month, with or without a year, or the days from one to another of it."""
    month, day = _month(match["month"]), int(match["day"])
    if _is_verb(match):
        return None
    if match.groupdict().get("from"):
        whole, first = _one_dated(match, ground, month, day), int(match["from"])
        return Days(whole.first.replace(day=first), whole.last, whole.relative) if whole and first < day else None
    return _one_dated(match, ground, month, day)


def _is_verb(match: re.Match[str]) -> bool:
    """ "you may 2 …", "we march 5 miles": a month only as written, behind a preposition, or with an ordinal or a year."""
    if match["month"] not in ("may", "march") or match["year"] or re.search(r"\d(?:st|nd|rd|th)\b", match[0]):
        return False
    return not re.search(r"\b(?:on|by|since|until|till|from|before|after) (?:the )?$", match.string[: match.start()], re.IGNORECASE)


def _one_dated(match: re.Match[str], ground: Ground, month: int, day: int) -> Days | None:
    if match["year"]:
        found = day_of(int(match["year"]), month, day)
        return Days(found, found, relative=False) if found else None
    if _NO_YEAR.search(match.string):
        return None
    return calendar.nearest_day(ground, month, day)


def _day_shift(shift: int) -> Resolve:
    return lambda match, ground: back(ground, shift, "day")


def _which_weekday(match: re.Match[str], ground: Ground) -> Days:
    weekday, which = _weekday(match["day"]), match["which"].lower()
    if _OFFSET[which] < 0:
        found = ground.today - timedelta(days=(ground.today.weekday() - weekday - 1) % 7 + 1)
        return Days(found, found)
    return weekday_of(ground.today, weekday, _OFFSET[which])


def _which_unit(match: re.Match[str], ground: Ground) -> Days:
    unit, shift = match["unit"].lower(), _OFFSET[match["which"].lower()]
    if unit == "weekend":
        return weekend_of(ground.today, shift)
    days = back(ground, shift, unit)
    return _third(match, days) if unit in ("month", "year") else days


def _since(resolve: Resolve) -> Resolve:
    """The start alone, whose words are put in its place: since Monday, since 13 May."""
    return lambda match, ground: resolve(match, Ground(ground.today, ahead=False))


def _day_of_week(match: re.Match[str], ground: Ground) -> Days:
    return weekday_of(ground.today, _weekday(match["day"]), _OFFSET[match["which"].lower()])


def _which_month(match: re.Match[str], ground: Ground) -> Days:
    month, shift = _month(match["month"]), _OFFSET[match["which"].lower()]
    year = ground.today.year
    if shift < 0:
        return month_of(year if month < ground.today.month else year - 1, month)
    if shift > 0:
        return month_of(year if month > ground.today.month else year + 1, month)
    return month_of(year, month)


def _which_season(match: re.Match[str], ground: Ground) -> Days | None:
    season, shift, today = _season(match), _OFFSET[match["which"].lower()], ground.today
    spans = [season_of(year, season) for year in range(today.year - 2, today.year + 3)]
    if shift < 0:
        return [s for s in spans if s.last < today][-1]
    if shift > 0:
        return next(s for s in spans if s.first > today)
    return min(spans, key=lambda s: max((s.first - today).days, (today - s.last).days, 0))


def _season(match: re.Match[str]) -> int:
    return 2 if match["season"].lower() == "fall" else calendar.SEASONS.index(match["season"].lower())


def _bare_season(match: re.Match[str], ground: Ground) -> Days | None:
    if _NO_YEAR.search(match.string):
        return None
    return nearest([season_of(ground.today.year + shift, _season(match)) for shift in (-1, 0, 1)], ground)


def _counted(sign: int) -> Resolve:
    return lambda match, ground: back(ground, sign * counted(match["count"]), match["unit"].lower())


def _times_ago(match: re.Match[str], ground: Ground) -> Days:
    """`two Fridays ago`, `three summers ago`: of those that have been, counted back."""
    what, count, today = match["what"].lower(), counted(match["count"]), ground.today
    if what == "weekend":
        return weekend_of(today, -count)
    if what in calendar.SEASONS or what == "fall":
        season = 2 if what == "fall" else calendar.SEASONS.index(what)
        past = [s for y in range(today.year - count - 2, today.year + 1) if (s := season_of(y, season)).last < today]
        return past[-count]
    latest = today - timedelta(days=(today.weekday() - _weekday(what) - 1) % 7 + 1)
    day = latest - timedelta(weeks=count - 1)
    return Days(day, day)


def _two_counts_ago(match: re.Match[str], ground: Ground) -> Days | None:
    """ "Two or three weeks ago"."""
    less, more, unit = counted(match["count"]), counted(match["more"]), match["unit"].lower()
    return Days(back(ground, -more, unit).first, back(ground, -less, unit).last) if less < more else None


def _few(match: re.Match[str], ground: Ground, *, sign: int) -> Days:
    """A few is two to five days, two to four of what is longer."""
    unit = match["unit"].lower()
    near, far = back(ground, 2 * sign, unit), back(ground, (5 if unit == "day" else 4) * sign, unit)
    return Days(min(near.first, far.first), max(near.last, far.last))


def _coming(match: re.Match[str], ground: Ground) -> Days | None:
    """`in two weeks`: how long something took, unless the words speak of what will be."""
    if not ground.ahead:
        return None
    count, unit = counted(match["count"]), match["unit"].lower()
    return calendar.until(back(ground, count, unit), back(ground, count + 1, unit).last) if match["or"] else back(ground, count, unit)


def _before_last(match: re.Match[str], ground: Ground) -> Days:
    unit = match["unit"].lower()
    return weekend_of(ground.today, -2) if unit == "weekend" else back(ground, -2, unit)


def _years(match: re.Match[str], ground: Ground) -> Days | None:
    """ "From 2008 to 2012"."""
    first, last = year_of(int(match["year"])), year_of(int(match["to"]))
    return Days(first.first, last.last, relative=False) if first.first < last.first else None


def _bare_day(match: re.Match[str], ground: Ground) -> Days | None:
    """ "On the 14th": where the words leave the side open, the next."""
    if _NO_YEAR.search(match.string):
        return None
    days = [day_of(month.first.year, month.first.month, int(match["day"])) for month in _months_around(ground)]
    return nearest([Days(d, d) for d in days if d is not None], replace(ground, ahead=ground.ahead is not False))


def _months_around(ground: Ground) -> list[Days]:
    return [month_of(ground.today.year, ground.today.month + shift) for shift in (-1, 0, 1)]


def _bare_weekday(match: re.Match[str], ground: Ground) -> Days | None:
    return nearest([weekday_of(ground.today, _weekday(match["day"]), shift) for shift in (-1, 0, 1)], ground)


def _ending_weekday(match: re.Match[str], ground: Ground) -> Days | None:
    """ "I saw her Friday.": without a preposition only at the end of its clause."""
    return None if _NO_YEAR.search(match.string) else _bare_weekday(match, ground)


def _aimed(resolve: Resolve) -> Resolve:
    """ "Postponed until December because …": where something is put off to, also in the middle of a clause."""
    return lambda match, ground: resolve(match, ground) if ground.aimed else None


def _numbered_weekday(match: re.Match[str], ground: Ground) -> Days | None:
    """ "Friday the 13th": the nearest month in which it is one."""
    months = (month_of(ground.today.year, ground.today.month + shift) for shift in range(-14, 15))
    days = (day_of(month.first.year, month.first.month, int(match["number"])) for month in months)
    return nearest([Days(d, d) for d in days if d is not None and d.weekday() == _weekday(match["day"])], ground)


def _month_of_which_year(match: re.Match[str], ground: Ground) -> Days:
    """ "In January last year", "last year in January"."""
    return _third(match, month_of(ground.today.year + _OFFSET[match["which"].lower()], _month(match["month"])))


def _month_years_ago(match: re.Match[str], ground: Ground) -> Days:
    """ "Nine years ago in November"."""
    return _third(match, month_of(ground.today.year - counted(match["count"]), _month(match["month"])))


def _season_of_which_year(match: re.Match[str], ground: Ground) -> Days:
    return season_of(ground.today.year + _OFFSET[match["which"].lower()], _season(match))


def _bare_month(match: re.Match[str], ground: Ground) -> Days | None:
    if _NO_YEAR.search(match.string):
        return None
    found = calendar.nearest_month(ground, _month(match["month"]))
    return _third(match, found) if found else None


def _month_and_year(match: re.Match[str], ground: Ground) -> Days:
    return replace(_third(match, month_of(int(match["year"]), _month(match["month"]))), relative=False)


def _season_and_year(match: re.Match[str], ground: Ground) -> Days:
    return replace(season_of(int(match["year"]), _season(match)), relative=False)


def _year(match: re.Match[str], ground: Ground) -> Days:
    return replace(year_of(int(match["year"])), relative=False)


def _since_year(match: re.Match[str], ground: Ground) -> Days | None:
    """From then to today; nothing for a year to come."""
    found = _year(match, ground)
    return calendar.until(found, ground.today) if found.first <= ground.today else None


def _iso(match: re.Match[str], ground: Ground) -> Days | None:
    found = day_of(int(match["year"]), int(match["month"]), int(match["day"]))
    return Days(found, found, relative=False) if found else None


def _p(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_YEAR = r"(?P<year>(?:19|20)\d\d)"
PATTERNS: tuple[Pattern, ...] = (
    (_p(r"\b(?P<year>(?:19|20)\d\d)-(?P<month>\d\d)-(?P<day>\d\d)\b"), _iso),
    (
        _p(
            rf"\b(?P<from>\d{{1,2}})(?:st|nd|rd|th)?(?:-|–| to )(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<month>{_MONTH})\b(?:,? {_YEAR}\b)?"
        ),
        _dated,
    ),
    (_p(rf"\b(?P<month>{_MONTH}) (?P<from>\d{{1,2}})(?:-|–| to )(?P<day>\d{{1,2}})\b(?:,? {_YEAR}\b)?"), _dated),
    (_p(rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<month>{_MONTH})\b{_ADDRESS}(?:\.?,? {_YEAR}\b)?"), _dated),
    (_p(rf"\b(?P<month>{_MONTH})\b\.? (?:the )?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\b(?!:|\d|%)(?:,? {_YEAR}\b)?"), _dated),
    (_p(rf"\b{_THIRD}(?P<month>{_FULL_MONTH}),?(?: of)? {_YEAR}\b"), _month_and_year),
    (_p(rf"\b(?:the )?{_SEASON}(?: of)? {_YEAR}\b"), _season_and_year),
    (_p(rf"\b{_THIRD}(?P<month>{_FULL_MONTH}),? (?:of )?(?P<which>last|this|next) year\b(?!['’]s\b)"), _month_of_which_year),
    (_p(rf"\b(?P<which>last|this|next) year,? in {_THIRD}(?P<month>{_FULL_MONTH})\b(?! \d)"), _month_of_which_year),
    (_p(rf"\b(?:the )?{_SEASON} (?:of )?(?P<which>last|this|next) year\b(?!['’]s\b)"), _season_of_which_year),
    (_p(rf"\b(?P<day>{FULL_DAY}),? the (?P<number>\d{{1,2}})(?:st|nd|rd|th)\b(?! of\b)"), _numbered_weekday),
    (
        _p(rf"{_N} {_UNIT} ago today\b"),
        lambda match, ground: calendar.same_day(ground, -counted(match["count"]), match["unit"].lower()),
    ),
    (_p(r"\bthe day before yesterday\b|\bthe night before last\b"), _day_shift(-2)),
    (_p(r"\bthe day after tomorrow\b"), _day_shift(2)),
    (_p(rf"\byesterday\b{_PART}|\blast night\b"), _day_shift(-1)),
    (_p(rf"\btomorrow\b{_PART}"), _day_shift(1)),
    (_p(r"\b(?:today|tonight|this (?:morning|afternoon|evening))\b"), _day_shift(0)),
    (_p(r"\bthe other day\b"), lambda match, ground: Days(ground.today - timedelta(days=7), ground.today - timedelta(days=1))),
    (_p(r"\bthe (?P<unit>week|weekend|month|year) before last\b"), _before_last),
    (_p(rf"\b(?P<day>{FULL_DAY}) (?P<which>last|this|next) week\b"), _day_of_week),
    (_p(rf"\b(?P<which>last|this|next) week,? (?:on )?(?P<day>{FULL_DAY})\b{_PART}"), _day_of_week),
    (_p(rf"\b{_WHICH} (?P<day>{_DAY})\b{_PART}"), _which_weekday),
    (
        # "the next week" tells a story, "the past year" is no year of the calendar.
        _p(
            rf"\b{_THIRD}(?:the (?:end|beginning|start) of )?(?<!\bthe )(?<!\bmy )(?<!\bhis )(?<!\bher )(?<!\bour )(?<!\btheir )(?<!\byour )"
            r"(?P<which>last|this past|this coming|this|next) (?P<unit>weekend|week|month|year)\b(?!['’]s\b|-| of (?!this\b|last\b))"
        ),
        _which_unit,
    ),
    # Of September, or a thing's own last one, set off by a comma: no week that is counted from today.
    (
        _p(r"(?<!, the )\b(?P<third>)(?P<which>last|past) (?P<unit>weekend|week|month)\b(?!['’]s\b|-| of (?!this\b|last\b))"),
        _which_unit,
    ),
    (_p(rf"\b{_WHICH} (?P<month>{_FULL_MONTH})\b"), _which_month),
    (_p(rf"\b{_WHICH} {_SEASON}\b"), _which_season),
    (_p(r"\b(?:about |around |almost |over |nearly )?half a year ago\b"), lambda match, ground: back(ground, -6, "month")),
    (
        _p(rf"{_N} (?:year and a half|and a half years) ago\b"),
        lambda match, ground: back(ground, -12 * counted(match["count"]) - 6, "month"),
    ),
    (_p(r"\b(?:a|one) fortnight ago\b"), lambda match, ground: back(ground, -2, "week")),
    (_p(rf"{_N} (?P<what>{FULL_DAY}|weekend|spring|summer|autumn|fall|winter)s? ago\b"), _times_ago),
    (_p(rf"{_N}(?: or |-|–| to )(?P<more>{COUNT}) {_UNIT} ago\b"), _two_counts_ago),
    (_p(rf"{_N} years? (?:ago|back),? in {_THIRD}(?P<month>{_FULL_MONTH})\b(?! \d)"), _month_years_ago),
    (_p(rf"(?:\b(?:about|around|almost|over|nearly) )?{_N} {_UNIT} (?:ago|back)\b"), _counted(-1)),
    (_p(rf"\b(?:a few|several|some) {_UNIT} (?:ago|back)\b"), lambda match, ground: _few(match, ground, sign=-1)),
    (_p(rf"{_N} {_UNIT} from now\b"), _counted(1)),
    (_p(rf"\bin (?:about |around )?(?P<count>{COUNT}) {_UNIT}(?P<or> or (?:two|so))?\b(?! time)(?:['’] time)?"), _coming),
    (
        _p(rf"\bin (?:a few|several) {_UNIT}\b(?! time)(?:['’] time)?"),
        lambda match, ground: _few(match, ground, sign=1) if ground.ahead else None,
    ),
    (_p(r"(?<=\bon )the (?P<day>\d{1,2})(?:st|nd|rd|th)\b(?! (?:floor|street|avenue|century|time|day|hole|page|of))"), _bare_day),
    (_p(rf"(?<=\bon )(?P<day>{FULL_DAY})\b(?!,? the \d){_PART}"), _bare_weekday),
    (
        _p(rf"(?<!\bevery )(?<!\beach )(?<!\bon )(?<!\bblack )(?<!\bgood )\b(?P<day>{FULL_DAY})\b{_PART}(?=\s*(?:[.,!?;]|$))"),
        _ending_weekday,
    ),
    (_p(rf"(?:(?<=\bto )|(?<=\buntil )|(?<=\btill )|(?<=\bfor ))(?P<day>{FULL_DAY})\b{_PART}"), _aimed(_bare_weekday)),
    (
        _p(rf"(?:(?<=\bto )|(?<=\buntil )|(?<=\btill )|(?<=\bfor )){_THIRD}(?P<month>{_FULL_MONTH})\b(?! \d)(?!['’]s\b)"),
        _aimed(_bare_month),
    ),
    (_p(r"(?:(?<=\bto )|(?<=\buntil )|(?<=\btill )|(?<=\bfor ))the (?P<day>\d{1,2})(?:st|nd|rd|th)\b(?! \w)"), _aimed(_bare_day)),
    (
        _p(r"(?<=\bat )the weekend\b|(?<=\bover )the weekend\b|(?<=\bon )the weekend\b"),
        lambda match, ground: nearest([weekend_of(ground.today, shift) for shift in (-1, 0, 1)], ground),
    ),
    (_p(rf"(?<=\bin ){_THIRD}(?P<month>{_FULL_MONTH})\b(?! \d)(?!['’]s\b)"), _bare_month),
    (_p(rf"(?<=\bin )the {_SEASON}\b(?! of)"), _bare_season),
    (_p(rf"(?:(?<=\bfrom )|(?<=\bbetween )){_YEAR}(?: to | until | till | and |-|–)(?P<to>(?:19|20)\d\d)\b"), _years),
    (_p(rf"(?<=\bsince ){_YEAR}\b"), _since_year),
    (_p(rf"(?<=\bsince )(?P<day>{FULL_DAY})\b{_PART}"), _since(_bare_weekday)),
    (_p(rf"(?<=\bsince ){_THIRD}(?P<month>{_FULL_MONTH})\b(?! \d)"), _since(_bare_month)),
    (_p(rf"(?:(?<=\bin )|(?<=\bduring )|(?<=\bof )){_YEAR}\b"), _year),
)
