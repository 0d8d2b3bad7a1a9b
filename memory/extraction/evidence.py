"""Whether a sentence that a model wrote can be answered for by what was said: its language, person, names, numbers and words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from memory.episodes import language_of
from memory.extraction.draft import DateRange
from memory.timeline import MONTHS, SEASONS
from storage.terms import STOP_WORDS, query_terms

SHARED: Mapping[str, float] = {"en": 0.25, "zh": 0.2}
"""Least share of a sentence's terms (stems, bigrams; without names and dates) that stand in what it cites: a paraphrase keeps the things it is about."""
_WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_SENTENCE = re.compile(r"(?:^|[.!?:;]\s+|[\"“(])\s*")
_QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"|「[^」]*」|‘[^’]*’|《[^》]*》")
_PERSON = {"en": re.compile(r"\b(?:I|I['’](?:m|ve|d|ll)|[Mm]y|[Mm]e|[Mm]ine|[Yy]ou|[Yy]our|[Yy]ours)\b"), "zh": re.compile("[我咱你您]")}
_CALENDAR = {w.casefold() for w in (*MONTHS, *SEASONS)}
_CALENDAR |= {"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "christmas", "easter"}


@dataclass(frozen=True)
class Record:
    """What was said in a unit, as it is checked against."""

    language: str
    lines: tuple[str, ...]
    people: frozenset[str]
    """Who speaks there or is there, in lower case."""
    words: frozenset[str]
    """Every word that was said, and the names, in lower case."""
    numbers: frozenset[str]

    @classmethod
    def of(cls, lines: Iterable[tuple[str, str]], *, others: Sequence[str], language: str) -> Record:
        """lines: (speaker, words), oldest first; others: who is there whether they speak or not."""
        said = tuple(lines)
        names = {*(speaker for speaker, _ in said), *others}
        whole = "\n".join([*(text for _, text in said), *names])
        return cls(
            language=language,
            lines=tuple(text for _, text in said),
            people=frozenset(n.casefold() for n in names),
            words=frozenset(_bare(w) for w in _WORD.findall(whole)),
            numbers=frozenset(_NUMBER.findall(whole)),
        )

    def place(self, text: str) -> int:
        return self.lines.index(text)

    def opening(self, text: str) -> str:
        """Whom a sentence begins with, in lower case: one of those who are there, not somebody or something of theirs; empty if it does not."""
        folded = text.casefold()
        for person in sorted(self.people, key=len, reverse=True):
            if folded.startswith(person) and not re.match(r"['’]s|的|[a-z]", folded[len(person) :]):
                return person
        return ""

    def faults(self, text: str, places: Iterable[int], *, dates: Sequence[DateRange] = ()) -> str:
        """Why a sentence cannot stand on the lines at `places`; empty if it can. dates: what their time expressions mean."""
        if not text.isprintable():
            return "unprintable"
        cited = [self.lines[p] for p in places]
        if language_of(text) != self.language:
            return "language"
        if _PERSON[self.language].search(_QUOTED.sub("", text)):
            return "person"
        if any(_bare(name) not in self.words for name in self._names(text)):
            return "invented_name"
        if any(number not in self.numbers and number not in _calendar_numbers(dates) for number in _NUMBER.findall(text)):
            return "invented_number"
        return "" if self._supported(text, cited) else "unsupported"

    def _names(self, text: str) -> Iterable[str]:
        """Capitalised words that do not begin a sentence; Chinese marks no names."""
        openings = {match.end() for match in _SENTENCE.finditer(text)}
        for match in _WORD.finditer(text):
            word = match.group()
            if word[0].isupper() and match.start() not in openings and _bare(word) not in _CALENDAR and _bare(word) not in STOP_WORDS:
                yield word

    def _supported(self, text: str, cited: Sequence[str]) -> bool:
        about = set(query_terms(text)) - set(query_terms(" ".join(self.people))) - set(query_terms(" ".join(_CALENDAR)))
        about = {term for term in about if not term.isdigit()}
        if not about:
            return False
        said = set(query_terms("\n".join(cited)))
        shared = len(about & said)
        return shared > 0 and shared / len(about) >= SHARED[self.language]


def _bare(word: str) -> str:
    return re.sub(r"['’]s?$", "", word.casefold())


def _calendar_numbers(dates: Sequence[DateRange]) -> set[str]:
    """Numbers that spelling a date may need."""
    found: set[str] = set()
    for range_ in dates:
        for day in (range_.first, range_.last):
            found |= {str(day.year), str(day.month), str(day.day), f"{day.month:02d}", f"{day.day:02d}"}
    return found
