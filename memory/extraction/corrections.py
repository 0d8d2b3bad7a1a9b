"""What a speaker puts right of their own words: "I'm 36, no wait, 38", "I meant the fifth, not the third", 说错了，是三十八岁, 不对，我是在苏州出生的.

A few words alone ("it's Tuesday") take the place of what they mean in the sentence they mend, the last thing of their sort before them; a whole statement
stands for one of the same words. Both are looked for in the message itself, else in what its speaker said directly before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memory.extraction import chinese_words
from memory.extraction.english_words import MONTHS, WEEKDAYS
from storage.terms import query_terms

_MOST = 4
"""Corrections read of one message."""
_FACTOR = 3.0
"""By how much at most a number is put right: "thirty-eight" mends an age, not "two kids"."""
_UNITS = "one two three four five six seven eight nine"
_TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_VALUES = {w: n for n, w in enumerate(f"{_UNITS} {_TEENS}".split(), start=1)} | {
    w: n for n, w in zip(range(20, 100, 10), _TENS.split(), strict=True)
}
_WORDS = rf"(?:(?:{_TENS.replace(' ', '|')})(?:[- ](?:{_UNITS.replace(' ', '|')}))?|{_TEENS.replace(' ', '|')}|{_UNITS.replace(' ', '|')})"
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_MONTH, _WEEKDAY = "|".join(sorted(MONTHS)), "|".join(sorted(WEEKDAYS))
_MEASURES = "岁|晚上|小时|分钟|月|星期|人|孩子|年|天|点半?|号|只|条|块钱?|元|万|次|米|公里|斤|层|楼|周|位|名|本|辆|套|间"
_SORTS = {
    "en": (
        ("date", rf"(?:the )?{_DAY}(?: of)? (?:{_MONTH})\b|\b(?:{_MONTH}) (?:the )?{_DAY}\b|the \d{{1,2}}(?:st|nd|rd|th)\b"),
        ("day", rf"\b(?:{_WEEKDAY}|today|tomorrow|tonight|yesterday)\b"),
        ("month", rf"(?-i:\b(?:{'|'.join(m.title() for m in sorted(MONTHS))})\b)"),
        ("year", r"\b(?:19|20)\d\d\b"),
        ("number", rf"\b(?:\d+(?:[.,:]\d+)*|{_WORDS})\b"),
        ("name", r"(?-i:(?<=[a-z,;:'’-] )[A-Z][a-z]+(?: [A-Z][a-z]+)*)"),
    ),
    "zh": (
        ("date", r"(?:农历)?[\d一二三四五六七八九十]{1,3}月[初\d一二三四五六七八九十]{1,3}[日号]?"),
        ("day", r"(?:[上这本下]个?)?(?:周|星期|礼拜)[一二三四五六日天末]|[今明后昨前]天"),
        ("year", r"(?:19|20)\d\d年"),
        ("month", r"[\d一二三四五六七八九十]{1,2}月份?"),
        ("sign", r"(?:白羊|牡羊|金牛|双子|巨蟹|狮子|处女|天秤|天蝎|射手|人马|摩羯|水瓶|双鱼)座"),
        ("number", rf"(?:\d+(?:\.\d+)?|[一二两三四五六七八九十百千万]+)(?:个?(?:{_MEASURES})半?)?"),
    ),
}  # fmt: skip
_FINDS = {language: tuple((sort, re.compile(p, re.IGNORECASE)) for sort, p in sorts) for language, sorts in _SORTS.items()}
_STRONG = {
    "en": r"no,? wait|wait,? no|scratch that|correction|my mistake|my bad|I misspoke|I got (?:that|it) wrong|that['’]?s wrong|actually,? no"
    r"|sorry,? no|no,? sorry|no,? actually",
    "zh": r"我?(?:刚才|刚刚|前面|上面)?(?:都)?(?:说|打|写|记|讲|念)错(?:字|话|数)?了|口误了?|笔误"
    r"|(?:[哦啊噢]|等等|等下)?不对不?对?(?=[，,。！!：:\s])|[哦啊噢]不(?=[，,是])|更正(?:一下)?",
}
"""Behind these a whole statement may stand as well as a few words."""
_WEAK = {"en": r"I (?:actually |really )?mean(?:t)?(?: to say)?|make (?:that|it)|or rather|wait|oops", "zh": r"我是说|我的意思是|应该说"}
_LEADS_TO = {
    "en": r"(?:(?:oh|uh|um|oops|ah|sorry|ugh|hm+|haha|well|anyway|and|but|so|hang on|actually)\b[,.!]*[^\S\n]*)*",
    "zh": r"(?:[啊哦噢呃额诶哎唉呀哈嘿]|等等|等一下|抱歉|不好意思|对不起|不是)*[，,、… ]*",
}
_MARKERS = {
    "en": re.compile(
        rf"(?:^|(?<=[.!?,;:—–\n…])|(?<= -)|(?<=[.!?,;:—–…]\s))[^\S\n]*{_LEADS_TO['en']}(?:(?P<strong>{_STRONG['en']})|(?P<weak>{_WEAK['en']}))\b[\s,.:!…—–-]*",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        rf"(?:^|(?<=[。！？!?，,；;…\n～~])|(?<=\S ))[^\S\n]*{_LEADS_TO['zh']}(?:(?P<strong>{_STRONG['zh']})|(?P<weak>{_WEAK['zh']}))"
        r"[啦哈呀了]*[\s，,。：:！!…]*"
    ),
}  # fmt: skip
_HINT = re.compile(
    r"\b(?:wait|scratch that|correction|my mistake|my bad|misspoke|wrong|sorry|actually,? no|no,? actually|I (?:actually |really )?mean|make (?:that|it)|or rather|oops)"
    r"|错了|错[字话数]|口误|笔误|不对|[哦啊噢]不|更正|我是说|我的意思|应该说",
    re.IGNORECASE,
)
"""One of these is in every marker."""
_BEFORE = {
    "en": re.compile(
        r"(?P<not>not )?(?:(?:it|that|this|he|she|they)(?:['’]s| is| was|['’]re| are)\s+|I(?:['’]m| am| was| meant)\s+|make (?:it|that)\s+)?"
        r"(?:(?:on|in|at|from|for|to|about|rather|actually|just|only)\s+)*",
        re.IGNORECASE,
    ),
    "zh": re.compile(r"(?P<not>而?不是)?(?:应该|准确说|其实|我|那|就|都|说的|今年)*(?:是|在|叫)?(?:今年)?"),
}
_BEHIND = {
    "en": re.compile(r"(?:\s+(?:then|now|actually|sorry|lol|haha|instead|of course|old|years old|duh))*\s*(?P<end>[.,;!?)…—–-]|\n|$|\s+and\b|\s+not\b)", re.IGNORECASE),
    "zh": re.compile(r"(?:才对|才是|来着|[了的啦哈呀哦吧嘿呢啊])*\s*(?P<end>[。，,！!？?；;…～~\n]|$|(?=不是))"),
}  # fmt: skip
_CLAUSE = {"en": re.compile(r"[^.!?\n;,]+"), "zh": re.compile(r"[^。！？!?\n；;，,]+")}


@dataclass(frozen=True)
class Thing:
    """A number, day or name in a text."""

    start: int
    end: int
    sort: str
    text: str


@dataclass(frozen=True)
class Correction:
    """start: where what leads up to it begins; end: behind what is put right. new: the few words that are put in the place of others, each with its sort;
    old: what it says was wrong; whole: the statement that stands for another, empty where there are only a few words."""

    start: int
    end: int
    new: tuple[Thing, ...] = ()
    old: tuple[Thing, ...] = ()
    whole: str = ""


@dataclass(frozen=True)
class Mended:
    """A message with what it puts right of itself put right."""

    text: str
    made: tuple[Correction, ...] = ()
    """Mended in it. Its statements that are said anew still stand in the text."""
    open: tuple[Correction, ...] = ()
    """What they mean was said before."""


def may_correct(text: str) -> bool:
    """Whether a message may put something right; most do not."""
    return _HINT.search(text) is not None and any(marker.search(text, 0, chinese_words.READ) for marker in _MARKERS.values())


def mended(text: str, *, language: str) -> Mended:
    """The text itself where nothing is put right. What was put right is left out, so places behind it move."""
    made: list[Correction] = []
    open_: list[Correction] = []
    for correction in reversed(corrections(text, language=language)):
        before, behind = text[: correction.start], text[correction.end :]
        pairs = replaced(before, correction, language=language)
        whole = any(restates(before[start:end], correction.whole) for start, end in clauses(before, language=language))
        (made if pairs or whole else open_).append(correction)
        text = _ended(put_right(before, pairs), language) + " " * (correction.end - correction.start) + behind
    return Mended(text, tuple(reversed(made)), tuple(reversed(open_)))


def _ended(text: str, language: str) -> str:
    """With a full stop where a comma led to what is left out."""
    bare = text.rstrip()
    return bare[:-1] + (". " if language == "en" else "。") if bare.endswith((",", "，", ";", "；", "—", "–")) else text


def corrections(text: str, *, language: str) -> list[Correction]:
    """What a message puts right, in order."""
    made: list[Correction] = []
    found: dict[int, Thing] | None = None
    for marker in _MARKERS[language].finditer(text, 0, chinese_words.READ):
        if len(made) == _MOST or (made and marker.start() < made[-1].end):
            continue
        if found is None:
            found = {t.start: t for t in things(text[: chinese_words.READ], language)}
        end, new, old = _fragments(text, marker.end(), found, language)
        if new:
            made.append(Correction(marker.start(), end, new, old))
        elif marker.group("strong") and (clause := _CLAUSE[language].match(text, marker.end())) and len(query_terms(clause.group())) > 1:
            made.append(Correction(marker.start(), marker.end(), whole=clause.group()))
    return made


def _fragments(text: str, at: int, found: dict[int, Thing], language: str) -> tuple[int, tuple[Thing, ...], tuple[Thing, ...]]:
    """The few words that stand at a place one after another, the right ones and the wrong ones apart; where they end."""
    new: list[Thing] = []
    old: list[Thing] = []
    while True:
        lead = _BEFORE[language].match(text, at)
        start = lead.end() if lead else at
        thing = found.get(start) or (_bare_name(text, start) if language == "en" else None)
        behind = _BEHIND[language].match(text, _counted(text, thing)) if thing else None
        if lead is None or thing is None or behind is None:
            break
        (old if lead.group("not") else new).append(thing)
        at = _counted(text, thing)
        if behind.group("end") not in (",", "，", "") and not behind.group("end").strip().lower().startswith(("not", "—", "–")):
            at = behind.end()
            break
        at = behind.end() if behind.group("end") in (",", "，") else behind.start("end")
        at += len(text[at:]) - len(text[at:].lstrip())
        if at >= len(text):
            break
    return at, tuple(new), tuple(old)


def _counted(text: str, thing: Thing) -> int:
    """Where "four cats" ends."""
    noun = re.compile(r" [a-z]{3,}(?=[.,;!?\n]|$)").match(text, thing.end) if thing.sort == "number" else None
    return noun.end() if noun else thing.end


def _bare_name(text: str, at: int) -> Thing | None:
    """Leeds, in "I meant Leeds.": a name where nothing before it shows that it is one."""
    name = re.compile(r"[A-Z][a-z]+(?: [A-Z][a-z]+)*").match(text, at)
    return Thing(name.start(), name.end(), "name", name.group()) if name else None


def things(text: str, language: str) -> list[Thing]:
    """Numbers, days and names of a text in order, none within another."""
    taken: list[Thing] = []
    for sort, pattern in _FINDS[language]:
        for at in pattern.finditer(text):
            if not any(t.start < at.end() and at.start() < t.end for t in taken):
                taken.append(Thing(at.start(), at.end(), sort, at.group()))
    if language == "zh":
        named = [t for t in chinese_words.tokens_of(text) if t.tag in ("nr", "ns", "nt", "nz") and t.end - t.start > 1]
        taken += [Thing(t.start, t.end, "name", t.text) for t in named if not any(o.start < t.end and t.start < o.end for o in taken)]
    return sorted(taken, key=lambda t: t.start)


def replaced(text: str, correction: Correction, *, language: str) -> list[tuple[Thing, Thing]]:
    """(wrong, right) for what a correction means in an earlier text; empty if it means nothing there."""
    there = things(text, language)
    pairs: list[tuple[Thing, Thing]] = []
    for new in correction.new:
        named = [t for t in there if any(_same(o, t) for o in correction.old if o.sort == new.sort)]
        fitting = [t for t in named or there if _fits(t, new) and t.text != new.text]
        if fitting and (named or new.sort != "name" or len({t.text for t in fitting}) == 1):
            pairs.append((fitting[-1], new))
    return pairs


def put_right(text: str, pairs: list[tuple[Thing, Thing]]) -> str:
    for wrong, right in sorted(pairs, key=lambda pair: -pair[0].start):
        text = text[: wrong.start] + right.text + text[wrong.end :]
    return text


def restates(told: str, whole: str) -> bool:
    """Whether two statements are of the same words but for what was put right."""
    one, other = _terms(told), _terms(whole)
    return one != other and len(one & other) * 2 >= min(len(one), len(other)) > 0


def _terms(text: str) -> set[str]:
    if text.isascii():
        return set(query_terms(text))
    return {t.text for t in chinese_words.tokens_of(chinese_words.simplified(text)) if t.tag[0] not in "uyrpdcx" and t.text not in "是有在"}


def clauses(text: str, *, language: str) -> Iterator[tuple[int, int]]:
    """Where a text's clauses begin and end, told by their marks alone."""
    yield from (found.span() for found in _CLAUSE[language].finditer(text) if found.group().strip())


def _same(one: Thing, other: Thing) -> bool:
    return one.text.casefold().removeprefix("the ") in other.text.casefold() or (
        one.sort == other.sort == "date" and _digits(one) <= _digits(other)
    )


def _digits(thing: Thing) -> set[str]:
    return set(re.findall(r"\d+", thing.text))


def _fits(old: Thing, new: Thing) -> bool:
    if old.sort != new.sort:
        return False
    if new.sort != "number":
        return True
    units = {re.sub(r"[\d.,:一二两三四五六七八九十百千万]+", "", t.text) for t in (old, new)} - {""}
    if not old.text.isascii() and len(units) > 1:
        return False
    was, is_ = _value(old.text), _value(new.text)
    return was > 0 and is_ > 0 and max(was, is_) / min(was, is_) <= _FACTOR


def _value(text: str) -> float:
    if digits := re.match(r"\d+(?:\.\d+)?", text):
        return float(digits.group())
    if text.isascii():
        return float(sum(_VALUES.get(word, 0) for word in re.split(r"[- ]", text.casefold())))
    from memory.timeline_chinese import number

    return float(number("".join(c for c in text if c in "一二两三四五六七八九十百") or "零"))
