"""What is told under a key, given instead of read: for what is made of values once they are there, however well they are found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from memory.episodes import language_of
from memory.reading import messages as reading
from memory.reading.drafts import Extraction, FactDraft, ValueDraft
from storage.records import Message

Given = Mapping[str, Sequence[tuple[str, str]]]
"""By what is said (key, value) of each."""


def give(monkeypatch: pytest.MonkeyPatch, values: Given) -> None:
    """From now on whoever says one of these tells one fact, in these words, and these values. All else is read as ever, and tells no value; nothing is taken back."""
    alone, answering = reading.alone, reading.answering

    def told(message: Message, *, listener: str, opens: bool, others: Sequence[str] = ()) -> Extraction:
        words = message.text
        if words not in values:
            return replace(alone(message, listener=listener, opens=opens, others=others), values=(), endings=())
        name = reading.label(message, language=language_of(words))
        text = f"{name}：“{words}”" if language_of(words) == "zh" else f"{name}: “{words}”"
        fact = FactDraft(text, name, words, reading.event_of(words, said_at=message.said_at), quoted=True)
        return Extraction((fact,), tuple(ValueDraft(key, value, words) for key, value in values[words]))

    def answered(message: Message, question: Message, *, listener: str, others: Sequence[str] = ()) -> Extraction:
        return (
            Extraction() if message.text in values else replace(answering(message, question, listener=listener, others=others), values=())
        )

    monkeypatch.setattr(reading, "alone", told)
    monkeypatch.setattr(reading, "answering", answered)
