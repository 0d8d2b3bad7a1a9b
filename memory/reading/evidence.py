"""Whether a sentence that a model wrote can be answered for by what was said: its language, person, names, numbers and words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from memory.episodes import language_of
from memory.reading.drafts import DateRange
from memory.reading.ownership import named, told_of
from memory.reading.particulars import CALENDAR, names_in, numbers_in, numerals, words_of
from storage.terms import query_terms

SHARED: Mapping[str, float] = {"en": 0.25, "zh": 0.2}
"""Least share of a sentence's terms (stems, bigrams; without names and dates) that stand in what it cites: a paraphrase keeps the things it is about."""
_QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"|「[^」]*」|‘[^’]*’|《[^》]*》")
_SENTENCES = re.compile(r"(?<=[a-z0-9]{3}[.!?])\s+(?=[A-Z])|(?<=[。！？])")
BRACKET = re.compile(r"[\[\]{}<>|【】［］｛｝＜＞｜]")
"""A sentence about somebody needs none; prompts, templates and code do."""
_PERSON = {
    "en": re.compile(
        r"\b(?:I|I['’](?:m|ve|d|ll)|[Mm]y|[Mm]e|[Yy]ou|[Yy]our|[Yy]ours)\b|\b(?:of|is|are|was|were|be) mine\b(?! (?:worker|shaft|owner)s?\b)"
    ),
    "zh": re.compile("(?<![自忘])我(?!行我素)|咱|(?<!迷)你|您"),
}
"""Who speaks and who is spoken to; a coal mine, 自我 and 迷你 are neither."""


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
    """As `numerals` gives them."""

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
            words=frozenset(words_of(whole)),
            numbers=frozenset(numerals(whole)),
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
        if BRACKET.search(text):
            return "format"
        cited = [self.lines[p] for p in places]
        if language_of(text) != self.language:
            return "language"
        if _PERSON[self.language].search(_QUOTED.sub("", text)):
            return "person"
        if self.invented(text):
            return "invented_name"
        if numbers_in(text, language=self.language, known=self.numbers, calendar=_calendar_numbers(dates)):
            return "invented_number"
        return "" if all(self._supported(part, cited) for part in _SENTENCES.split(text) if part.strip()) else "unsupported"

    def invented(self, text: str) -> list[str]:
        """Names in a text that stand nowhere in the record."""
        said = "\n".join((*self.lines, *self.people))
        return names_in(text, language=self.language, known=self.words, said=said)

    def borrowed(self, text: str, own: Sequence[str], other: Sequence[str]) -> bool:
        """Whether a sentence takes words from what others said that stand in nothing that was said by, or tells of, whom it is told of. own, other: those
        two kinds of what it cites."""
        about, said = self._about(text), set(query_terms("\n".join(own)))
        return not about & said or bool((about - said) & set(query_terms("\n".join(other))))

    def says(self, text: str, other: str) -> bool:
        """Whether a sentence is about everything that another is about, whoever it is told of."""
        about = self._about(self._nameless(other))
        return bool(about) and about <= self._about(self._nameless(text))

    def shared(self, text: str, words: str) -> int:
        """How many of the things that a sentence is about stand in some words."""
        return len(self._about(text) & set(query_terms(words)))

    def _supported(self, text: str, cited: Sequence[str]) -> bool:
        about = self._about(text)
        if not about:
            return False
        said = set(query_terms("\n".join(cited)))
        shared = len(about & said)
        return shared > 0 and shared / len(about) >= SHARED[self.language]

    def _nameless(self, text: str) -> str:
        """A text with gaps for names: in Chinese they run on into the words beside them."""
        for name in sorted(self.people, key=len, reverse=True):
            text = re.sub(re.escape(name), " ", text, flags=re.IGNORECASE) if name else text
        return text

    def _about(self, text: str) -> set[str]:
        """The terms of a sentence without names and dates: the things it is about."""
        about = set(query_terms(text)) - set(query_terms(" ".join(self.people))) - set(query_terms(" ".join(CALENDAR)))
        return {term for term in about if not term.isdigit()}


def _calendar_numbers(dates: Sequence[DateRange]) -> set[str]:
    """Numbers that spelling a date may need."""
    found: set[str] = set()
    for range_ in dates:
        for day in (range_.first, range_.last):
            found |= {str(day.year), str(day.month), str(day.day), f"{day.month:02d}", f"{day.day:02d}"}
    return found
