"""Extraction without a language model: sentence by sentence, in the language of each message, every value verbatim in its source.

What the bundled demo model says is kept as episodes alone: it invents, and echoes the player's words as its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from memory.episodes import language_of
from memory.extraction.draft import Extraction, FactDraft, Line, ValueDraft
from memory.persona import PLAYER, UNNAMED
from memory.persona_keys import KEYS
from models.embedded import NAME as DEMO_MODEL
from storage.records import Message, Role

VERSION = "grounded-1"
MAX_FACT_CHARS = 400
MAX_VALUE_CHARS = 80
MAX_FACTS, MAX_VALUES = 12, 24
"""Of one message; a novel pasted as one message must not crowd out everything else."""


def extract(message: Message, before: Message | None, *, partner: str) -> Extraction:
    """Facts and persona values of one final message; empty where nothing is to be extracted from.

    before: the message before it on the path; partner: who the player talks with, empty in a group.
    """
    if message.revision.origin == "card" or message.revision.model == DEMO_MODEL or message.role is Role.NARRATOR:
        return Extraction()
    language = language_of(message.text)
    is_player = message.role is Role.USER
    other = before is not None and before.speaker != message.speaker
    line = Line(
        text=message.text,
        speaker=label(message, language=language),
        listener=partner if is_player else _listener(before, language) if other else "",
        is_player=is_player,
        said_at=message.said_at,
        question=before.text if before is not None and other else "",
    )
    drafts = _extractor(language)(line)
    return Extraction(
        facts=tuple(f for f in drafts.facts if _is_sound(f))[:MAX_FACTS],
        values=tuple(v for v in drafts.values if is_player and _is_grounded(v, line))[:MAX_VALUES],
    )


def _extractor(language: str) -> Callable[[Line], Extraction]:
    """Loaded with the first text of its language: spaCy takes 125 MB and 1.4 s, jieba's dictionary 60 MB."""
    if language == "zh":
        from memory.extraction.chinese import extract as chinese

        return chinese
    from memory.extraction.english import extract as english

    return english


def label(message: Message, *, language: str) -> str:
    """How a message's speaker is named in third person."""
    if message.role is Role.USER and message.speaker.strip().casefold() in UNNAMED:
        return PLAYER[language]
    return message.speaker


def _listener(before: Message | None, language: str) -> str:
    return label(before, language=language) if before is not None else ""


def _is_sound(fact: FactDraft) -> bool:
    return bool(fact.text.strip()) and len(fact.text) <= MAX_FACT_CHARS and fact.text.isprintable() and 0.0 <= fact.trust <= 1.0


def _is_grounded(value: ValueDraft, line: Line) -> bool:
    source = line.question if value.from_question and value.value not in line.text else line.text
    return value.key in KEYS and 0 < len(value.value.strip()) <= MAX_VALUE_CHARS and value.value.isprintable() and value.value in source


def partner_of(speakers: Sequence[str]) -> str:
    """Whom the player talks with, of the character names heard in a round: the one, or nobody in particular."""
    names = list(dict.fromkeys(speakers))
    return names[0] if len(names) == 1 else ""
