"""Whose a thing is that a model read in a line, and whether it is so at all, by how the line itself says it: "my sister is allergic" is about the sister."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from memory.reading import messages as reading
from memory.reading.evidence import Record
from memory.reading.inputs import message_segments
from memory.reading.people import mentions
from memory.reading.segments import MARKS
from storage.records import Chat, Message

OF_OTHERS = reading.PEOPLE_KEYS | frozenset("pets background plans goals wishes beliefs fears worries habits belongings".split())
"""Keys of the persona whose values may stand in what is told of somebody else: "my mother is ill" is a worry."""

_TAKES_PART = re.compile(rf"\b(?:i|me|we|us|myself|ourselves)\b|[我咱]们?(?!的|家|{'|'.join(MARKS['kin_signs'])})", re.IGNORECASE)
"""What says that the speaker has a part in it themself: "my mother taught me to swim"."""
_NEGATED = re.compile(r"\b(?:not|no|never|none|nothing|nobody|cannot)\b|n['’]t\b|(?<![不分])[不没](?![断错久同仅但过管])|从未|从不")


@dataclass(frozen=True)
class Clause:
    """words of a line; of_another: whether they begin with somebody or something of the speaker's, who have no part in it."""

    words: str
    of_another: bool


class Owners:
    """speakers: of each message, as facts name them; record: of the same messages."""

    def __init__(self, messages: Sequence[Message], speakers: Sequence[str], chat: Chat, record: Record) -> None:
        self._messages = messages
        self._speakers = speakers
        self._chat = chat
        self._record = record
        self._known: dict[int, list[Clause]] = {}

    def another_has(self, words: str, place: int) -> bool:
        """Whether a line tells some words of itself only of a sister, a town or a dog."""
        of = [clause for clause in self._clauses(place) if words in clause.words]
        return bool(of) and all(clause.of_another for clause in of)

    def another_is_meant(self, text: str, places: Sequence[int]) -> bool:
        """Whether a sentence gives the speaker of some lines what they tell there of somebody else alone."""
        told = [(self._speakers[p], clause) for p in places for clause in self._clauses(p) if self._record.says(clause.words, text)]
        mine = [clause for speaker, clause in told if _begins_with(text, speaker)]
        return bool(mine) and all(clause.of_another for clause in mine)

    def is_turned_round(self, text: str, places: Sequence[int]) -> bool:
        """Whether a sentence says of what some lines tell that it is not so, or the other way round."""
        told = [c.words for p in places for c in self._clauses(p) if self._record.says(_affirmed(c.words), _affirmed(text))]
        return bool(told) and all(_is_negated(words) != _is_negated(text) for words in told)

    def _clauses(self, place: int) -> list[Clause]:
        if place not in self._known:
            message, speaker = self._messages[place], self._speakers[place]
            first = [m.start for m in mentions(message.text, speaker=speaker, listener=reading.listener_of(message, self._chat)) if m.leads]
            self._known[place] = [
                Clause(words, any(part.start <= at < part.end for at in first) and not _TAKES_PART.search(words))
                for part in message_segments(message.text, speaker=speaker)
                for words in [message.text[part.start : part.end]]
            ]
        return self._known[place]


def _begins_with(text: str, speaker: str) -> bool:
    """Whether a sentence is of a speaker, and not of somebody or something of theirs."""
    others = r"['’]s|\w" if speaker.isascii() else "的"
    return re.match(rf"{re.escape(speaker)}(?!{others})", text, re.IGNORECASE) is not None


def _is_negated(text: str) -> bool:
    """Whether a sentence says itself that something is not so."""
    return _NEGATED.search(text) is not None


def _affirmed(text: str) -> str:
    """A sentence without the words that say so."""
    return _NEGATED.sub(" " if text.isascii() else "", text)
