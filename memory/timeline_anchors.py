"""Times that a cue names by something that happened: "before the wedding", "since the accident", "the week after we met", 搬家以后.

A deterministic grammar finds the words for it; when that was is looked up among what is remembered, and only if that is plain is there a range. As with dates
(`memory.timeline`), no range is guessed where no expression stands.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from enum import StrEnum

from memory.reading.drafts import DateRange
from memory.timeline import LAST_SECOND, mentions
from storage.records import Kind
from storage.terms import query_terms
from storage.words import KeyRow

MOST = 2
"""Expressions of a cue that are looked up, the first it has: each is a search of its own."""
LOOKED_AT = 60
"""Memories that share words with one; where so many do, nobody knows which of them is meant."""
FLOOR = 0.6
"""Of the weight of its words, what a memory must have; all of them where there are two or fewer."""
SHARE = 0.3
"""Of the content words of a dated fact, how many must be the expression's: the day of a fitting for the wedding dress is not that of the wedding."""
MOST_DAYS = 3
"""Days on which it may have been; told of on more, it is no one day."""
SOON = 7
"""Days that "right after" spans."""
LONG = timedelta(days=31)
"""What lies in a longer range is preferred, but not looked for: that would be a large part of the story."""


class Side(StrEnum):
    BEFORE = "before"
    AFTER = "after"
    AROUND = "around"


@dataclass(frozen=True)
class Anchor:
    phrases: tuple[str, ...]
    """What happened, as it is worded; the longest reading first."""
    side: Side
    window: tuple[int, int] | None = None
    """Days from the event, both included; None: all that lies on that side."""


_UNITS = {"day": 1, "night": 1, "morning": 1, "evening": 1, "week": 7, "weekend": 7, "month": 31, "year": 366}
_COUNTS = {w: n for n, w in enumerate("a two three four five six seven eight nine ten".split(), start=1)} | {"an": 1, "one": 1}
_SIDES = {
    "before": Side.BEFORE,
    "prior to": Side.BEFORE,
    "until": Side.BEFORE,
    "till": Side.BEFORE,
    "leading up to": Side.BEFORE,
    "after": Side.AFTER,
    "since": Side.AFTER,
    "following": Side.AFTER,
    "during": Side.AROUND,
    "at the time of": Side.AROUND,
    "on the day of": Side.AROUND,
}
_HEAD = re.compile(
    r"(?:\b(?P<count>the|an?|one|two|three|four|five|six|seven|eight|nine|ten|\d{1,2}) (?P<unit>day|night|morning|evening|week|weekend|month|year)s? )?"
    r"(?P<soon>\b(?:right|just|soon|shortly|immediately) )?\b(?P<side>" + "|".join(sorted(_SIDES, key=len, reverse=True)) + r") ",
    re.IGNORECASE,
)
_NO_TIME = re.compile(r"\b(?:look|tak|took|nam|ask|run|ran|chas|clean|go(?:es|ing)? )\w* $", re.IGNORECASE)
""" "Look after", "named after": no time."""
_WORD = re.compile(r"[^\s.,;:!?()\"“”…]+")
_ENDS = frozenset(
    """and but or so did do does was were is are am has have had will would could can should what who whom when where why how which because if then as while
    before after since until""".split()
)
_OWNED = re.compile(r"(?:the|my|our|your|his|her|their|its|that|this)$|\w+['’]s$", re.IGNORECASE)
_SPAN = re.compile(
    r"(?:day|night|morning|afternoon|evening|week|weekend|month|year|spring|summer|autumn|fall|winter|time|moment|meantime|while)s?$",
    re.IGNORECASE,
)
"""The calendar's own spans are no event."""
_PAST = re.compile(
    r"(?:was|were|had|went|got|saw|took|came|made|said|told|met|found|bought|lost|won|began|felt|gave|broke|ran|ate|left|spent|fell|sold|wed|became|quit|flew"
    r"|drove|wrote|built|sang|swam|stole|sank|burnt|heard|brought|caught|fought|sent|hurt|split|chose|spoke|rode|hid|held|lit|shot|struck|tore|threw|forgot|grew"
    r"|drew|fled|set|put|born|\w{2,}ed)$",
    re.IGNORECASE,
)
_SUBJECT = re.compile(r"(?:I|[Yy]ou|[Ww]e|[Hh]e|[Ss]he|[Tt]hey|[Ii]t|i)$|[A-Z]\w+$")
_DOING = re.compile(r"(?!(?:noth|someth|anyth|everyth|even|morn)ing$)\w{2,}ing$", re.IGNORECASE)
_BRANCHES = frozenset("to with in at on for of from about by".split())

_CHINESE = re.compile("[\u4e00-\u9fff]")
_ZH_SIDES = {
    "之前": Side.BEFORE,
    "以前": Side.BEFORE,
    "前": Side.BEFORE,
    "之后": Side.AFTER,
    "以后": Side.AFTER,
    "以来": Side.AFTER,
    "后": Side.AFTER,
}
_ZH_SIDES |= {"期间": Side.AROUND, "那天": Side.AROUND, "当天": Side.AROUND, "的时候": Side.AROUND}
_ZH_UNITS = {"天": 1, "晚": 1, "周": 7, "星期": 7, "礼拜": 7, "个月": 31, "年": 366}
_ZH_COUNTS = {"一": 1, "两": 2, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10}
_ZH = re.compile(
    r"(?P<phrase>[\u4e00-\u9fff]{2,14}?)"
    r"(?:(?P<side>之前|以前|之后|以后|以来|期间|那天|当天|的时候)(?:的)?|(?P<short>[前后])(?:的)?(?=第?[一两二三四五六七八九十])|(?<![前提目从眼面当先往向然今最背身此随落])(?P<bare>[前后])(?![面来悔天任辈年夫妻前后]))"
    r"(?:(?:的)?(?P<nth>第)?(?P<count>[一两二三四五六七八九十])(?:个)?(?P<unit>天|晚|周|星期|礼拜|个?月|年))?"
)
_ZH_LED = re.compile(r".*(?:自从|打从|直到|在|从|(?<![搬回来去走跑飞赶开拿收遇见看听找等考升调住])到|自)")
"""搬到广州 is what happened, and not a time up to 广州."""
_ZH_WHO = re.compile(r"^(?:(?:为什么|为何|怎么|我们|你们|咱们|他们|她们|咱|我|你|您|他|她|它|那次|这次|那场|这场|的)+)|了$")
_ZH_EVENT = re.compile(
    "婚|搬|认识|相识|毕业|离开|离职|辞职|退休|入职|入学|出生|出事|出院|住院|手术|生病|重逢|分手|订婚|恋|吵架|车祸|事故|葬礼|去世|过世|比赛|考试|面试|旅行|典礼|仪式|聚会|宴|演出"
    "|音乐会|展览|地震|火灾|洪水|台风|战争|开学|放假|开业|搬迁|丢|失踪|见面|遇见|碰见|买|卖|失业|怀孕|受伤|到家|回国|出国|回家|上船|靠岸"
)
_ZH_SHORT = 3
_ZH_NOT = re.compile(
    r"(?:很久|好久|不久|许久|多久|此|其|那|这|[一两二三四五六七八九十几多]+(?:个月|个|天|年|周|月|日|星期|分钟|小时|点))$|^(?:从|自)?[那这此]"
)


def anchors(text: str, *, said_at: datetime, language: str) -> tuple[Anchor, ...]:
    """The first MOST; one whose words name a day or a span themselves is none: `memory.timeline` reads those."""
    dated = [(m.start, m.end) for m in mentions(text, said_at=said_at, language=language, ahead=False)]
    found = _chinese(text, dated) if language == "zh" else _english(text, dated)
    return tuple(a for a, _ in zip(found, range(MOST), strict=False))


def range_of(anchor: Anchor, event: DateRange, *, asked: datetime) -> DateRange | None:
    """The time that is meant, from the event's; None for one that is all to come."""
    first, last = event.first.date(), event.last.date()
    zone = asked.tzinfo
    if anchor.window is not None:
        start, end = (last + timedelta(days=n) if anchor.side is Side.AFTER else first + timedelta(days=n) for n in anchor.window)
    elif anchor.side is Side.BEFORE:
        return DateRange(datetime.min.replace(tzinfo=zone), datetime.combine(first, time.min, zone) - timedelta(seconds=1))
    else:
        start, end = first, last if anchor.side is Side.AROUND else max(first, asked.date())
    found = DateRange(datetime.combine(start, time.min, zone), datetime.combine(end, LAST_SECOND, zone))
    return found if found.first <= asked else None


def event_of(
    phrase: str, rows: Iterable[KeyRow], *, weight: Callable[[str], float], ahead: Callable[[str], bool | None]
) -> DateRange | None:
    """When something was, by the memories that share words with it; None where they do not say, or say several things.

    A fact with a day of its own that tells of little else goes before the day on which it was first told as something that was.
    weight: how rare a term is; ahead: whether a sentence speaks of what will be (`timeline_english.looks_ahead`)."""
    terms = query_terms(phrase)
    whole = sum(map(weight, terms))
    if not terms or whole <= 0:
        return None
    dated: list[tuple[float, DateRange]] = []
    told: list[datetime] = []
    for row in rows:
        for sentence in _sentences(row):
            own = set(query_terms(sentence))
            shared = own.intersection(terms)
            if not shared or (len(shared) < len(terms) if len(terms) <= 2 else sum(map(weight, shared)) < FLOOR * whole):
                continue
            if row.kind is Kind.FACT and row.event_from is not None:
                share = len(shared) / max(1, len(own - set(query_terms(row.subject))))
                # Every second pair of Chinese characters spans two words.
                if share * (2 if _CHINESE.search(phrase) else 1) >= SHARE:
                    dated.append((share, DateRange(row.event_from, row.event_to or row.event_from)))
            elif not sentence.rstrip().endswith(("?", "？")) and not ahead(sentence):
                told.append(row.said_at)
    if dated:
        best = max(share for share, _ in dated)
        days = {(d.first.date(), d.last.date()): d for share, d in dated if share == best}
        return min(days.values(), key=lambda d: (d.last - d.first, d.first)) if len(days) <= MOST_DAYS else None
    if not told or len({at.date() for at in told}) > MOST_DAYS:
        return None
    first = min(told)
    return DateRange(datetime.combine(first.date(), time.min, first.tzinfo), datetime.combine(first.date(), LAST_SECOND, first.tzinfo))


def _sentences(row: KeyRow) -> list[str]:
    return [row.text] if row.kind is Kind.FACT else re.findall(r"[^.!?。！？\n]+[.!?。！？]*", row.text)


def _english(text: str, dated: Sequence[tuple[int, int]]) -> Iterable[Anchor]:
    for match in _HEAD.finditer(text):
        side = _SIDES[match["side"].lower()]
        if side is Side.AFTER and match["unit"] is None and _NO_TIME.search(text[: match.start()]):
            continue
        phrase, end = _english_event(text, match.end())
        # "the trip on 30 August" has its day.
        if not phrase or any(match.start() < last and first < end + len(" on ") for first, last in dated) or not query_terms(phrase):
            continue
        words = phrase.split()
        cut = next((n for n, word in enumerate(words) if n > 1 and word.lower() in _BRANCHES), len(words))
        shorter = " ".join(words[:cut])
        yield Anchor(tuple(dict.fromkeys((phrase, *([shorter] if query_terms(shorter) else [])))), side, _english_window(match, side))


def _english_event(text: str, start: int) -> tuple[str, int]:
    """(the words for what happened, where they end): the wedding, Ann's move to Porto, we met, moving to Porto."""
    words: list[str] = []
    end = start
    for match in _WORD.finditer(text, start):
        if len(words) == 7 or text[end : match.start()].strip() or (words and match[0].lower() in _ENDS and not _PAST.match(match[0])):
            break
        words.append(match[0])
        end = match.end()
    if len(words) < 2 or _SPAN.match(words[-1]):
        return "", end
    told = _OWNED.match(words[0]) or _DOING.match(words[0]) or (_SUBJECT.match(words[0]) and any(_PAST.match(w) for w in _done(words)))
    return (" ".join(words), end) if told else ("", end)


def _done(words: Sequence[str]) -> Sequence[str]:
    """Where the verb stands that says what happened. "I was ten", "we were young" is nothing that happened; "I was born", "we were married" is."""
    return words[2:4] if words[1].lower() in ("was", "were") else words[1:4]


def _english_window(match: re.Match[str], side: Side) -> tuple[int, int] | None:
    if match["unit"] is None or side is Side.AROUND:
        return None if match["soon"] is None else _window(SOON, side, nth=None)
    count, length = match["count"].lower(), _UNITS[match["unit"].lower()]
    if count == "the":
        return _window(length, side, nth=None)
    return _window(length, side, nth=_COUNTS[count] if count in _COUNTS else int(count))


def _window(length: int, side: Side, *, nth: int | None) -> tuple[int, int]:
    """The days next to it, or those `nth` times as far away, as exactly as people mean it."""
    if nth is None:
        near, far = (1, 1) if length == 1 else (0, length)
    else:
        near, far = nth * length - length // 2, nth * length + length // 2
    return (near, far) if side is Side.AFTER else (-far, -max(1, near))


def _chinese(text: str, dated: Sequence[tuple[int, int]]) -> Iterable[Anchor]:
    for match in _ZH.finditer(text):
        side = _ZH_SIDES[match["side"] or match["short"] or match["bare"]]
        phrase, led = match["phrase"], False
        if lead := _ZH_LED.match(phrase):
            phrase, led = phrase[lead.end() :], True
        if _ZH_NOT.search(phrase) or any(match.start() < last and first < match.end() for first, last in dated):
            continue
        phrase = _ZH_WHO.sub("", _ZH_WHO.sub("", phrase))
        if len(phrase) < 2 or not query_terms(phrase) or not (_ZH_EVENT.search(phrase) or (led and side is not Side.AROUND)):
            continue
        # 离婚后, 手术前: without 以 or 之 only right behind what happens.
        if match["bare"] and not _ZH_EVENT.search(phrase, max(0, len(phrase) - _ZH_SHORT)):
            continue
        window = None
        if match["unit"] and side is not Side.AROUND:
            length = _ZH_UNITS.get(match["unit"]) or _ZH_UNITS["个月"]
            count = _ZH_COUNTS[match["count"]]
            window = _window(length, side, nth=None if count == 1 else count)
            if match["nth"] and side is Side.AFTER:
                window = ((count - 1) * length, count * length)
        yield Anchor((phrase,), side, window)
