"""Whether a sentence that a model wrote can be answered for by what was said: its language, person, names, numbers and words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from memory.episodes import language_of
from memory.extraction.draft import DateRange
from memory.extraction.ownership import named, told_of
from memory.timeline import MONTHS, SEASONS
from storage.terms import STOP_WORDS, query_terms

SHARED: Mapping[str, float] = {"en": 0.25, "zh": 0.2}
"""Least share of a sentence's terms (stems, bigrams; without names and dates) that stand in what it cites: a paraphrase keeps the things it is about."""
_WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_SENTENCE = re.compile(r"(?:^|[.!?:;]\s+|[\"“(])\s*")
_QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"|「[^」]*」|‘[^’]*’|《[^》]*》")
_SENTENCES = re.compile(r"(?<=[a-z0-9]{3}[.!?])\s+(?=[A-Z])|(?<=[。！？])")
_BRACKET = re.compile(r"[\[\]{}<>|【】［］｛｝＜＞｜]")
"""A sentence about somebody needs none; prompts, templates and code do."""
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

    def told_of(self, text: str) -> set[str]:
        """Whom of those who are there a sentence is told of, or of something of theirs, in lower case."""
        return told_of(text, self.people)

    def named(self, text: str) -> set[str]:
        """Who of those who are there stands in a text, in lower case."""
        return named(text, self.people)

    def faults(self, text: str, places: Iterable[int], *, dates: Sequence[DateRange] = ()) -> str:
        """Why a sentence cannot stand on the lines at `places`; empty if it can. dates: what their time expressions mean."""
        if not text.isprintable():
            return "unprintable"
        if _BRACKET.search(text):
            return "format"
        cited = [self.lines[p] for p in places]
        if language_of(text) != self.language:
            return "language"
        if _PERSON[self.language].search(_QUOTED.sub("", text)):
            return "person"
        if self.invented(text):
            return "invented_name"
        if any(number not in self.numbers and number not in _calendar_numbers(dates) for number in _NUMBER.findall(text)):
            return "invented_number"
        return "" if all(self._supported(part, cited) for part in _SENTENCES.split(text) if part.strip()) else "unsupported"

    def invented(self, text: str) -> list[str]:
        """Names in a text that stand nowhere in the record."""
        return [name for name in self._names(text) if _bare(name) not in self.words]

    def borrowed(self, text: str, own: Sequence[str], other: Sequence[str]) -> bool:
        """Whether a sentence takes words from what others said that stand in nothing that was said by, or tells of, whom it is told of. own, other: those
        two kinds of what it cites."""
        about, said = self._about(text), set(query_terms("\n".join(own)))
        return not about & said or bool((about - said) & set(query_terms("\n".join(other))))

    def shared(self, text: str, words: str) -> int:
        """How many of the things that a sentence is about stand in some words."""
        return len(self._about(text) & set(query_terms(words)))

    def _names(self, text: str) -> Iterable[str]:
        """Capitalised words that do not begin a sentence; Chinese marks no names."""
        openings = {match.end() for match in _SENTENCE.finditer(text)}
        for match in _WORD.finditer(text):
            word = match.group()
            if word[0].isupper() and match.start() not in openings and _bare(word) not in _CALENDAR and _bare(word) not in STOP_WORDS:
                yield word

    def _supported(self, text: str, cited: Sequence[str]) -> bool:
        about = self._about(text)
        if not about:
            return False
        said = set(query_terms("\n".join(cited)))
        shared = len(about & said)
        return shared > 0 and shared / len(about) >= SHARED[self.language]

    def _about(self, text: str) -> set[str]:
        """The terms of a sentence without names and dates: the things it is about."""
        about = set(query_terms(text)) - set(query_terms(" ".join(self.people))) - set(query_terms(" ".join(_CALENDAR)))
        return {term for term in about if not term.isdigit()}


def _bare(word: str) -> str:
    return re.sub(r"['’]s?$", "", word.casefold())


def _calendar_numbers(dates: Sequence[DateRange]) -> set[str]:
    """Numbers that spelling a date may need."""
    found: set[str] = set()
    for range_ in dates:
        for day in (range_.first, range_.last):
            found |= {str(day.year), str(day.month), str(day.day), f"{day.month:02d}", f"{day.day:02d}"}
    return found
