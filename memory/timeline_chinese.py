"""Chinese time expressions, most specific first."""

from __future__ import annotations

import re
from datetime import timedelta

from memory.timeline import (
    ZH_SEASONS,
    Days,
    Ground,
    Pattern,
    back,
    day_of,
    month_of,
    nearest,
    nearest_day,
    nearest_month,
    same_day,
    season_of,
    third_of,
    until,
    week_of,
    weekday_of,
    weekend_of,
    year_of,
)

_DIGITS = {"零": 0, "〇": 0, "一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9}
NUMBER = r"\d{1,4}|[一二两三四五六七八九十百]{1,5}"
_WEEK = r"(?:周|星期|礼拜)"
_WEEKDAY = r"[一二三四五六日天]"
_WHICH = r"(?P<which>上上|大上|上|这|本|下下|下)"
_OFFSET = {"上上": -2, "大上": -2, "上": -1, "这": 0, "本": 0, "下": 1, "下下": 2}
_YEAR_WORDS = {"大前年": -3, "前年": -2, "去年": -1, "今年": 0, "明年": 1, "后年": 2, "大后年": 3}
_DAY_WORDS = {
    "大前天": -3,
    "前天": -2,
    "昨天": -1,
    "昨日": -1,
    "昨晚": -1,
    "昨夜": -1,
    "今天": 0,
    "今日": 0,
    "今晚": 0,
    "今早": 0,
    "今晨": 0,
    "今夜": 0,
}
_DAY_WORDS |= {"明天": 1, "明日": 1, "明晚": 1, "明早": 1, "后天": 2, "大后天": 3, "前晚": -2, "昨儿": -1, "今儿": 0, "明儿": 1}
_PART = r"(?:早上|上午|中午|下午|傍晚|晚上|夜里|凌晨|清晨)?"
_AHEAD = re.compile(
    r"(?<!没)有(?:一?[个场次门节])?[^，。！？了过]{0,6}(?:试镜|面试|考试|会议|比赛|演出|讲座|手术|婚礼|彩排|约会|体检|答辩|音乐会|聚会)(?!过)"
    r"|要|会|打算|准备|计划|将|想|就去|明天|后天|下周|下个?月|明年|快|见(?=[!！~。]*$)"
)
_BEHIND = re.compile(r"了|过|已经|刚|曾|当时|那时|昨|前天|上周|上个?月|去年|前年")
AIMED = re.compile(r"(?:改|推迟|推|延期|延|挪|移|调|拖|提前|顺延)(?:期|后)?(?:到|至|成|在)了?$|(?:约|定|订|安排)(?:在|到|好)?了?$")
"""Behind these a day is one to come, though they themselves are past: 改到周五, 约在28号."""
_NO_YEAR = re.compile(r"生日|生于|出生|每|纪念日|节日")
_EACH = r"(?<![每逢到至隔一])"
"""每周五 is a habit, 周一到周五 a span of any week, 一周五天 a count."""


def looks_ahead(sentence: str) -> bool | None:
    """By its particles and verbs."""
    ahead, behind = bool(_AHEAD.search(sentence)), bool(_BEHIND.search(sentence))
    return None if ahead == behind else ahead


def number(text: str) -> int:
    """Of digits, of Chinese numerals up to 999, or of a year spelt digit by digit. Raises ValueError."""
    if text.isdigit():
        return int(text)
    if re.fullmatch("[零〇一二三四五六七八九]{4}", text):
        return int("".join(str(_DIGITS[sign]) for sign in text))
    total, digit = 0, 0
    for sign in text:
        if sign == "百":
            total, digit = total + max(digit, 1) * 100, 0
        elif sign == "十":
            total, digit = total + max(digit, 1) * 10, 0
        elif sign in _DIGITS:
            digit = _DIGITS[sign]
        else:
            raise ValueError(text)
    return total + digit


def unit_of(word: str) -> str:
    """Of a unit as _SPAN finds it: day, week, month or year."""
    return _UNITS[word.removeprefix("个")]


def _weekday(sign: str) -> int:
    return 6 if sign in "日天" else "一二三四五六".index(sign)


def _full(match: re.Match[str], ground: Ground) -> Days | None:
    found = day_of(number(match["year"]), number(match["month"]), number(match["day"]))
    return Days(found, found, relative=False) if found else None


def _year_month(match: re.Match[str], ground: Ground) -> Days:
    found = month_of(number(match["year"]), number(match["month"]))
    return Days(found.first, found.last, relative=False)


def _year_season(match: re.Match[str], ground: Ground) -> Days:
    found = season_of(number(match["year"]), _season(match["season"]))
    return Days(found.first, found.last, relative=False)


def _year(match: re.Match[str], ground: Ground) -> Days:
    found = year_of(number(match["year"]))
    return Days(found.first, found.last, relative=False)


def _years(match: re.Match[str], ground: Ground) -> Days | None:
    """2008年到2012年."""
    first, last = year_of(number(match["year"])), year_of(number(match["to"]))
    return Days(first.first, last.last, relative=False) if first.first < last.first else None


def _since_year(match: re.Match[str], ground: Ground) -> Days | None:
    """From then to today; nothing for a year to come."""
    found = _year(match, ground)
    return until(found, ground.today) if found.first <= ground.today else None


def _season(word: str) -> int:
    return [s[0] for s in ZH_SEASONS].index(word[0])


def _word_day(match: re.Match[str], ground: Ground) -> Days:
    found = ground.today + timedelta(days=_DAY_WORDS[match["word"]])
    return Days(found, found)


def _which_week(match: re.Match[str], ground: Ground) -> Days:
    shift = _OFFSET[match["which"]]
    day = match["day"]
    if day is None:
        return week_of(ground.today, shift)
    return weekend_of(ground.today, shift) if day == "末" else weekday_of(ground.today, _weekday(day), shift)


def _which_month(match: re.Match[str], ground: Ground) -> Days | None:
    month = month_of(ground.today.year, ground.today.month + _OFFSET[match["which"]])
    return _part_of_month(month, match["part"], match["day"])


def _part_of_month(month: Days, part: str | None, day: str | None) -> Days | None:
    if day:
        found = day_of(month.first.year, month.first.month, number(day))
        return Days(found, found) if found else None
    if part == "初":
        return Days(month.first, month.first + timedelta(days=9))
    if part == "中":
        return Days(month.first + timedelta(days=10), month.first + timedelta(days=19))
    if part in ("底", "末"):
        return Days(month.first + timedelta(days=20), month.last)
    return month


def _part_of_year(year: Days, part: str | None) -> Days:
    return third_of(year, 0 if part == "初" else 2) if part else year


def _bare_part_of_year(match: re.Match[str], ground: Ground) -> Days | None:
    return nearest([_part_of_year(year_of(ground.today.year + shift), match["part"]) for shift in (-1, 0, 1)], ground)


def _months_and_a_half_ago(match: re.Match[str], ground: Ground) -> Days:
    """一个半月前, to a week."""
    day = ground.today - timedelta(days=30 * number(match["count"]) + 15)
    return Days(day - timedelta(days=7), day + timedelta(days=7))


def _bare_part(match: re.Match[str], ground: Ground) -> Days | None:
    return _part_of_month(month_of(ground.today.year, ground.today.month), match["part"], None)


def _word_year(match: re.Match[str], ground: Ground) -> Days | None:
    year = ground.today.year + _YEAR_WORDS[match["word"]]
    if match["day"]:
        found = day_of(year, number(match["month"]), number(match["day"]))
        return Days(found, found) if found else None
    if match["month"]:
        return _part_of_month(month_of(year, number(match["month"])), match["part"], None)
    if match["season"]:
        return season_of(year, _season(match["season"]))
    return _part_of_year(year_of(year), match["part"])


def _ago(match: re.Match[str], ground: Ground) -> Days:
    return back(ground, -number(match["count"]), unit_of(match["unit"]))


def _two_counts_ago(match: re.Match[str], ground: Ground) -> Days:
    """两三天前, 三四年前."""
    unit = unit_of(match["unit"])
    return Days(back(ground, -number(match["more"]), unit).first, back(ground, -number(match["less"]), unit).last)


def _teens_ago(match: re.Match[str], ground: Ground) -> Days:
    """十几年前: eleven to nineteen."""
    unit, tens = unit_of(match["unit"]), number(match["tens"])
    return Days(back(ground, -tens - 9, unit).first, back(ground, -tens - 1, unit).last)


def _this_day_of_a_year(match: re.Match[str], ground: Ground) -> Days:
    """去年的今天, 三年前的今天."""
    years = number(match["count"]) if match["count"] else -_YEAR_WORDS[match["word"]]
    return same_day(ground, -years, "year")


def _later(match: re.Match[str], ground: Ground) -> Days | None:
    """三天后 tells a story as often as it counts from today."""
    return back(ground, number(match["count"]), unit_of(match["unit"])) if ground.ahead else None


def _few_ago(match: re.Match[str], ground: Ground) -> Days:
    unit = unit_of(match["unit"])
    return Days(back(ground, -5 if unit == "day" else -4, unit).first, back(ground, -2, unit).last)


def _half_ago(match: re.Match[str], ground: Ground) -> Days:
    if match["unit"] == "年":
        return month_of(ground.today.year, ground.today.month - 6)
    return week_of(ground.today, -2)


def _bare_weekday(match: re.Match[str], ground: Ground) -> Days | None:
    day = match["day"]
    spans = [weekend_of(ground.today, shift) if day == "末" else weekday_of(ground.today, _weekday(day), shift) for shift in (-1, 0, 1)]
    return nearest(spans, ground)


def _dated(match: re.Match[str], ground: Ground) -> Days | None:
    if _NO_YEAR.search(match.string):
        return None
    return nearest_day(ground, number(match["month"]), number(match["day"]))


def _days_of_a_month(match: re.Match[str], ground: Ground) -> Days | None:
    """5月1日到3日, with or without its year."""
    first = _full(match, ground) if match["year"] else _dated(match, ground)
    last = day_of(first.first.year, number(match["to_month"] or match["month"]), number(match["to"])) if first else None
    return until(first, last) if first and last and last > first.first else None


def _bare_month(match: re.Match[str], ground: Ground) -> Days | None:
    month = number(match["month"])
    if _NO_YEAR.search(match.string) or not 1 <= month <= 12:
        return None
    return nearest_month(ground, month)


_UNITS = {"月": "month", "天": "day", "日": "day", "周": "week", "星期": "week", "礼拜": "week", "年": "year"}
_SPAN = r"(?P<unit>个月|个?星期|个?礼拜|天|周|年)"
"""三月前 is before March, three months ago is 三个月前."""
_AGO = r"(?:多)?(?:之前|以前|前)(?!后|面|往|辈)"
_LATER = r"(?:之后|以后|后)(?!来|面|悔)"
_MONTH = r"(?:1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])"
_DAY = r"(?:[12]\d|3[01]|0?[1-9]|三十一?|二?十[一二三四五六七八九]?|[一二三四五六七八九])"
_PART_OF = r"初(?![一二三中夏秋冬春恋次])|底|末"
_YEAR4 = r"(?P<year>(?:19|20)\d\d|(?:一九|二[零〇])[零〇一二三四五六七八九]{2})年"


def _p(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


PATTERNS: tuple[Pattern, ...] = (
    (
        _p(rf"(?:{_YEAR4})?(?P<month>{_MONTH})月(?P<day>{_DAY})[日号]?(?:到|至|-|—|~)(?:(?P<to_month>{_MONTH})月)?(?P<to>{_DAY})[日号]"),
        _days_of_a_month,
    ),
    (_p(rf"{_YEAR4}(?P<month>{_MONTH})月(?P<day>{_DAY})[日号]"), _full),
    (_p(r"(?P<year>(?:19|20)\d\d)[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})(?!\d)"), _full),
    (_p(rf"{_YEAR4}(?P<month>{_MONTH})月份?"), _year_month),
    (_p(rf"{_YEAR4}的?(?P<season>[春夏秋冬])[天季]"), _year_season),
    (_p(rf"(?<!\d){_YEAR4}(?:到|至|-|—|~|–)(?P<to>(?:19|20)\d\d|(?:一九|二[零〇])[零〇一二三四五六七八九]{{2}})年?(?!级|代|\d)"), _years),
    (_p(r"(?<!\d)(?P<year>(?:19|20)\d\d)(?:到|至|-|—|~|–)(?P<to>(?:19|20)\d\d)年(?!级|代)"), _years),
    (_p(rf"(?<!\d){_YEAR4}(?=以来|起|开始)"), _since_year),
    (_p(rf"(?<!\d){_YEAR4}(?!级|代)"), _year),
    (_p(rf"(?:(?P<word>大前年|前年|去年)|(?P<count>{NUMBER})年(?:以|之)?前)的?今天"), _this_day_of_a_year),
    (
        _p(
            rf"(?P<word>大前年|前年|去年|今年|明年|大后年|后年)的?(?:(?P<month>{_MONTH})月(?:份|(?P<day>{_DAY})[日号])?|(?P<season>[春夏秋冬])[天季]?)?(?:年?(?P<part>{_PART_OF}))?"
        ),
        _word_year,
    ),
    (
        _p(
            rf"(?P<word>大前天|前天|昨天|昨日|今天|今日|明天|明日|大后天|(?<!最)(?<!先天)后天(?!的)|昨儿|今儿|明儿|昨晚|昨夜|前晚|今晚|今早|今晨|今夜|明晚|明早){_PART}"
        ),
        _word_day,
    ),
    (_p(rf"{_EACH}{_WHICH}个?{_WEEK}(?P<day>{_WEEKDAY}|末)?(?!期|年){_PART}"), _which_week),
    (
        _p(rf"(?<=[到至]){_WHICH}个?{_WEEK}(?P<day>{_WEEKDAY}|末)?(?!期|年){_PART}"),
        lambda match, ground: _which_week(match, ground) if ground.aimed else None,
    ),
    (_p(rf"(?P<which>上上|上|这|本|下)个?月(?:(?P<day>{_DAY})[日号]|(?P<part>初|中|底|末)旬?)?"), _which_month),
    (_p(rf"(?<![十百])(?P<less>[一两二三四五六七八])(?P<more>[二两三四五六七八九]){_SPAN}{_AGO}"), _two_counts_ago),
    (_p(rf"(?P<tens>[二三四五六七八九]?十)几{_SPAN}{_AGO}"), _teens_ago),
    (_p(rf"(?P<count>{NUMBER})个半月{_AGO}"), _months_and_a_half_ago),
    (_p(rf"(?P<count>{NUMBER})年半{_AGO}"), lambda match, ground: back(ground, -12 * number(match["count"]) - 6, "month")),
    (_p(rf"(?P<count>{NUMBER}){_SPAN}{_AGO}"), _ago),
    (_p(rf"(?<![十百千])好?几{_SPAN}{_AGO}"), _few_ago),
    (_p(r"(?<!之)前(?:几|两(?=天))(?P<unit>天|周|个月|年)"), _few_ago),
    (_p(rf"(?<!个)半个?(?P<unit>年|月){_AGO}"), _half_ago),
    (_p(rf"(?P<count>{NUMBER}){_SPAN}{_LATER}"), _later),
    (_p(rf"(?<![0-9年])(?P<month>{_MONTH})月(?P<day>{_DAY})[日号]"), _dated),
    (_p(rf"{_EACH}(?<![上这本下个])(?:周|星期|礼拜)(?P<day>{_WEEKDAY}|末)(?![到至年岁个天期]|愉快|快乐)"), _bare_weekday),
    (
        _p(rf"(?<=[到至])(?:周|星期|礼拜)(?P<day>{_WEEKDAY}|末)(?![到至年岁个天期]|愉快|快乐)"),
        lambda match, ground: _bare_weekday(match, ground) if ground.aimed else None,
    ),
    (_p(r"(?<![上这本下个每0-9一二三四五六七八九十])月(?P<part>初|中|底|末)(?!旬)"), _bare_part),
    (
        _p(rf"(?<![0-9年个零一二三四五六七八九十百])(?P<month>{_MONTH})月份?(?![0-9一二三四五六七八九十天]|之?前|以前|之?后|以后)"),
        _bare_month,
    ),
    (_p(rf"(?<![年去今明前后0-9一二三四五六七八九十])年(?P<part>{_PART_OF})"), _bare_part_of_year),
)
