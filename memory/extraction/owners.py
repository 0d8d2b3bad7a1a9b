"""Whose a thing is that a model read in a line, and whether it is so at all, by what the rules read in it: "my sister is allergic" is about the sister."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memory.extraction import grounded
from memory.extraction.denials import affirmed, is_negated
from memory.extraction.draft import Extraction, FactDraft
from memory.extraction.evidence import Record
from memory.extraction.grounded import PEOPLE_KEYS
from storage.records import Chat, Message

OF_OTHERS = PEOPLE_KEYS | frozenset("pets background plans goals wishes beliefs fears worries habits belongings".split())
"""Keys of the persona whose values may stand in what is told of somebody else: "my mother is ill" is a worry."""


class Owners:
    """speakers: of each message, as facts name them; record: of the same messages."""

    def __init__(self, messages: Sequence[Message], speakers: Sequence[str], chat: Chat, record: Record) -> None:
        self._messages = messages
        self._speakers = speakers
        self._chat = chat
        self._record = record
        self._known: dict[int, Extraction] = {}

    def another_has(self, words: str, place: int) -> bool:
        """Whether a line tells some words of itself only of a sister, a town or a dog."""
        told, speaker = self._read(place), self._speakers[place]
        if any(words in value.value or value.value in words for value in told.values):
            return False
        of = [fact for fact in told.facts if words in fact.quote]
        return bool(of) and all(_leaves_out(speaker, fact) for fact in of)

    def another_is_meant(self, text: str, places: Sequence[int]) -> bool:
        """Whether a sentence gives the speaker of some lines what they tell there of somebody else alone."""
        told = [(self._speakers[p], fact) for p in places for fact in self._read(p).facts if self._record.says(fact.text, text)]
        mine = [(speaker, fact) for speaker, fact in told if _begins_with(text, speaker)]
        return bool(mine) and all(_leaves_out(speaker, fact) for speaker, fact in mine)

    def is_turned_round(self, text: str, places: Sequence[int]) -> bool:
        """Whether a sentence says of what some lines tell that it is not so, or the other way round."""
        told = [fact for p in places for fact in self._read(p).facts if self._record.says(affirmed(fact.text), affirmed(text))]
        return bool(told) and all(is_negated(fact.text) != is_negated(text) for fact in told)

    def _read(self, place: int) -> Extraction:
        """What the rules read in a line by itself."""
        if place not in self._known:
            message = self._messages[place]
            listener, others = grounded.listener_of(message, self._chat), grounded.others_of(message, self._chat)
            self._known[place] = grounded.alone(message, listener=listener, opens=True, others=others)
        return self._known[place]


def _begins_with(text: str, speaker: str) -> bool:
    """Whether a sentence is of a speaker, and not of somebody or something of theirs."""
    others = r"['’]s|\w" if speaker.isascii() else "的"
    return re.match(rf"{re.escape(speaker)}(?!{others})", text, re.IGNORECASE) is not None


def _leaves_out(speaker: str, fact: FactDraft) -> bool:
    """Whether a fact is of somebody or something of the speaker's, and they have no part in it: "my mother taught me to swim" is not such a one."""
    return fact.subject != speaker and speaker not in fact.text.replace(fact.subject, "")
