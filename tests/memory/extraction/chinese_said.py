"""What the Chinese extraction makes of one message between two people."""

from __future__ import annotations

from datetime import UTC, datetime

from memory.extraction.chinese import extract
from memory.extraction.draft import Extraction, Line

SAID_AT = datetime(2024, 5, 10, 20, tzinfo=UTC)
"""A Friday."""


def extracted(text: str, *, question: str = "", player: bool = True) -> Extraction:
    speaker, listener = ("林小雨", "阿澜") if player else ("阿澜", "林小雨")
    return extract(Line(text, speaker, listener, player, SAID_AT, question))


def facts_of(text: str, *, question: str = "", player: bool = True) -> list[str]:
    return [fact.text for fact in extracted(text, question=question, player=player).facts]


def values_of(text: str, *, question: str = "") -> list[str]:
    return [f"{value.key}={value.value}" for value in extracted(text, question=question).values]
