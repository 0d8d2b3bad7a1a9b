"""What the English extraction makes of one message between two people."""

from __future__ import annotations

from datetime import datetime

from memory.extraction.draft import Extraction, Line
from memory.extraction.english import extract

SAID_AT = datetime(2024, 6, 12, 10)  # a Wednesday


def said(text: str, *, question: str = "", speaker: str = "Mara", listener: str = "Aurel", is_player: bool = True) -> Extraction:
    return extract(Line(text, speaker, listener, is_player, SAID_AT, question))


def facts_of(text: str, **how: object) -> list[str]:
    return [fact.text for fact in said(text, **how).facts]  # type: ignore[arg-type]


def values_of(text: str, **how: object) -> set[tuple[str, str]]:
    return {(value.key, value.value) for value in said(text, **how).values}  # type: ignore[arg-type]
