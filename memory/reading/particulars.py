"""What a sentence may not make up: names, wherever they stand in it, and numbers, however they are written."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from unicodedata import decimal

from memory.timeline import MONTHS, SEASONS
from memory.words import is_name, tagged, tokens_of
from storage.terms import STOP_WORDS

_WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")
_OPENING = re.compile(r"(?:^|[.!?:;]\s+|[\"“(])\s*")
CALENDAR = frozenset(
    {w.casefold() for w in (*MONTHS, *SEASONS)}
    | {"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "christmas", "easter"}
)
_LINKING = frozenset("meanwhile later afterwards eventually finally together overall throughout tonight today tomorrow yesterday".split())
"""Adverbs at the head of a sentence that the tagger takes for names."""
_CHINESE = re.compile(r"[\u3400-\u9fff]")

_DIGITS = re.compile(r"\d+(?:[.,:]\d+)*")
_UNITS = {
    word: number
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
    )
}
_TENS = {word: number * 10 for number, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2)}
_SCALES = {"hundred": 100, "dozen": 12, "thousand": 1_000, "million": 1_000_000}
_SPELLED = "|".join([*_UNITS, *_TENS, *_SCALES])
_RUN = re.compile(rf"\b(?:{_SPELLED})(?:(?:\s+and\s+|[\s-])(?:{_SPELLED}))*\b", re.IGNORECASE)
_PAIR = re.compile(r"\b(?:couple|pair|both|twins?|twice|double)\b|[俩双]|[一这那]对", re.IGNORECASE)
"""What is two without saying so."""
_THE_TWO = re.compile(r"\b(?:the|these|those) two\b|两(?:个?人|者|位)|俩|仨", re.IGNORECASE)
"""Those who were spoken of, counted: that makes nothing up."""
_HAN = {"〇": 0, "零": 0, "一": 1, "二": 2, "两": 2, "俩": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9}
_HAN_SCALES = {"十": 10, "百": 100, "千": 1_000, "万": 10_000, "亿": 100_000_000}
_HAN_RUN = re.compile(f"[{''.join((*_HAN, *_HAN_SCALES))}]+")
_MOST, _MOST_NUMERALS = 10**24, 24
"""Beyond them nothing is counted: a run of numerals is no number any more, and a line may hold thousands."""
_NO_NUMBERS = frozenset(
    """万一 千万 万万 十分 百般 万分 千古 百年 万事 三番五次 三番两次 三三两两 三心二意 四处 四周 四海 四面八方 五花八门 乱七八糟 七上八下 千方百计
    千辛万苦 一五一十 三言两语 再三 五味杂陈 七嘴八舌 九死一生 十全十美 千里迢迢 万水千山 接二连三 独一无二""".split()
)
"""Written with numerals, and nothing is counted by them."""


# Names


def bare(word: str) -> str:
    """A word as it is compared: in lower case, without 's."""
    return re.sub(r"['’]s?$", "", word.casefold())


def words_of(text: str) -> Iterator[str]:
    """Every word of a text, bare."""
    return map(bare, _WORD.findall(text))


def names_in(text: str, *, language: str, known: Collection[str], said: str) -> list[str]:
    """Names in a text that are not known. known: bare words that were said; said: all that was said."""
    if language == "zh":
        return [name for name in _chinese_names(text) if name not in said and bare(name) not in known]
    openings = {match.end() for match in _OPENING.finditer(text)}
    found: list[tuple[int, str]] = []
    unsure: list[tuple[int, str]] = []
    for match in _WORD.finditer(text):
        word = match.group()
        if word[0].isupper() and bare(word) not in known and bare(word) not in CALENDAR and bare(word) not in STOP_WORDS:
            (unsure if match.start() in openings else found).append((match.start(), word))
    return [word for _, word in found] + _opening_names(text, unsure)


def _opening_names(text: str, words: Iterable[tuple[int, str]]) -> list[str]:
    """Of words that begin a sentence, and so are written large whatever they are, those that are names."""
    asked = {at: word for at, word in words if bare(word) not in _LINKING}
    if not asked:
        return []
    return [asked[token.idx] for token in tagged(text) if token.idx in asked and token.tag_ in ("NNP", "NNPS")]


def _chinese_names(text: str) -> list[str]:
    return [token.text for token in tokens_of(text) if is_name(token)]


# Numbers


def numbers_in(text: str, *, language: str, known: Collection[str], calendar: Collection[str]) -> list[str]:
    """Numbers in a text that are not known. known: what `numerals` gave of all that was said; calendar: numbers that spelling its dates may need."""
    bare_text = _THE_TWO.sub(" ", text)
    found = [number for number in _DIGITS.findall(bare_text) if not _is_known(number, known, calendar)]
    if language == "zh":
        return found + [run for run in _chinese_counts(bare_text) if not {run, str(_han_value(run))} & {*known, *calendar}]
    for match in _RUN.finditer(bare_text):
        run = match.group().casefold()
        value = _english_value(run)
        if value > 1 and not {run, str(value)} & {*known, *calendar}:
            found.append(run)
    return found


def numerals(text: str) -> set[str]:
    """Every number of a text, as it is written and by its value: `forty` and `40`, 三百 and `300`."""
    found: set[str] = set()
    for number in _DIGITS.findall(text):
        found |= {number, *(_plain(part) for part in re.split("[.,:]", number)), _plain(number.replace(",", ""))}
    for match in _RUN.finditer(text):
        run = match.group().casefold()
        found |= {run, str(_english_value(run))}
    for match in _HAN_RUN.finditer(text):
        found |= {match.group(), str(_han_value(match.group()))}
    return found | ({"2", "two", "两", "二"} if _PAIR.search(text) else set())


def _is_known(number: str, known: Collection[str], calendar: Collection[str]) -> bool:
    return not {number, _plain(number.replace(",", ""))}.isdisjoint({*known, *calendar})


def _plain(number: str) -> str:
    """Digits as Latin ones, without zeros before them."""
    if not number.isdecimal():
        return number
    return "".join(str(decimal(d)) for d in number).lstrip("0") or "0"  # not by `int`, which refuses thousands of them


def _english_value(run: str) -> int:
    """At most little more than _MOST."""
    whole = part = 0
    for word in re.split(r"[\s-]+", run.replace(" and ", " ")):
        if word in _SCALES:
            part = max(1, part) * _SCALES[word]
            if _SCALES[word] >= 1_000:
                whole, part = whole + part, 0
        else:
            part += _UNITS.get(word, _TENS.get(word, 0))
        if max(whole, part) > _MOST:
            break
    return whole + part


def _chinese_counts(text: str) -> list[str]:
    """Runs of numerals that count something, more than one of it."""
    found = []
    for token in tokens_of(text):
        if token.tag.startswith("m") and token.text not in _NO_NUMBERS and (run := _HAN_RUN.search(token.text)) is not None:
            found += [run.group()] if _han_value(run.group()) > 1 else []
    return found


def _han_value(run: str) -> int:
    """At most little more than _MOST; of numerals one by one at most their first."""
    if not _HAN_SCALES.keys() & set(run):
        return int("".join(str(_HAN[c]) for c in run[:_MOST_NUMERALS]))
    whole = part = digit = 0
    for c in run:
        if c in _HAN:
            digit = _HAN[c]
        elif _HAN_SCALES[c] >= 10_000:
            whole, part, digit = (whole + part + digit or 1) * _HAN_SCALES[c], 0, 0
        else:
            part, digit = part + (digit or 1) * _HAN_SCALES[c], 0
        if max(whole, part) > _MOST:
            break
    return whole + part + digit
