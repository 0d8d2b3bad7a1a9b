"""Dialogues on their way into a project: from files in any layout that `chat.import_formats` reads, and ZH-4O's (its dialogues alone: memory points are made here)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from annotation.errors import FileRefused
from chat.import_formats import ImportRefused, read_exactly
from chat.imported import ImportedConversation
from evaluation.datasets import DataRefused
from evaluation.noted import is_zh4o, names_notes, read_zh4o
from storage.annotation_projects import NewItem
from storage.annotation_records import Turn
from storage.wall import wall_ms

MAX_TURNS = 5_000
"""Of one dialogue: what a person may be asked to read, and what the page can show at once."""
MAX_DIALOGUES = 500
_HAN, _LATIN = re.compile(r"[\u4e00-\u9fff]"), re.compile(r"[A-Za-z]+")


def from_file(path: Path) -> list[NewItem]:
    """Every conversation of a file, called as the file is. Raises FileRefused."""
    try:
        found = _read(path)
    except ImportRefused as refused:
        raise FileRefused(where=str(refused.params.get("where", "")), reason=str(refused.params.get("reason", refused))) from refused
    if len(found) > MAX_DIALOGUES:
        raise FileRefused(where="", reason=f"it holds {len(found):,} dialogues; {MAX_DIALOGUES} are the most at once")
    if len(found) == 1:
        return [item_of(replace(found[0], title=path.stem))]
    return [item_of(replace(one, title=one.key if one.title == one.key else f"{one.key}: {one.title}")) for one in found]


def _read(path: Path) -> Sequence[ImportedConversation]:
    """Raises ImportRefused, and FileRefused for ZH-4O's with points or probes that cannot be read."""
    refused: DataRefused | None = None
    if is_zh4o(path):
        try:
            return read_zh4o(path)[0].conversations
        except DataRefused as error:
            refused = error
    try:
        return read_exactly(path)
    except ImportRefused:
        if refused is None or not names_notes(path):
            raise
        raise FileRefused(where=str(refused.params.get("where", "")), reason=str(refused.params.get("reason", refused))) from refused


def item_of(conversation: ImportedConversation) -> NewItem:
    """A round begins with the first speaker and, at the beginning of a session, with whoever speaks."""
    if len(conversation.messages) > MAX_TURNS:
        raise FileRefused(
            where=conversation.title, reason=f"it has {len(conversation.messages):,} messages; {MAX_TURNS:,} are the most of one dialogue"
        )
    first = conversation.messages[0].speaker.casefold()
    turns: list[Turn] = []
    number, session = 0, None
    for message in conversation.messages:
        leads = message.speaker.casefold() == first
        number += leads or message.session != session
        session = message.session
        turns.append(
            Turn(
                number=len(turns) + 1,
                round=number,
                session=message.session,
                role="user" if leads else "character",
                speaker=message.speaker,
                text=message.text,
                said_at=wall_ms(message.said_at),
                external_id=message.external_id,
            )
        )
    return NewItem(conversation.title[:120] or conversation.key[:120], language_of(" ".join(t.text for t in turns[:200])), turns)


def language_of(text: str) -> str:
    """`zh` where a text has more Chinese characters than words in Latin letters."""
    return "zh" if len(_HAN.findall(text)) > len(_LATIN.findall(text)) else "en"
