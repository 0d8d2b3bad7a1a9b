"""Files as people bring them to be imported, and what comes of reading them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from chat.import_formats import ImportedConversation, ImportRefused, read_conversations
from chat.import_words import Told

MAY_8 = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
Write = Callable[..., Path]

GOOD = '{"name": "Ann", "text": "hi"}'
HEADER = {"user_name": "Ann", "character_name": "Bo", "create_date": "2023-5-8 @13h 56m 0s 0ms", "chat_metadata": {"note_prompt": "x"}}
"""The first line of a role-play program's chat."""
DIARY = {
    "Ann ": {
        "name": "Ann",
        "summary": {},
        "history": {
            "2023-05-09": [{"query": "Back again", "response": "Welcome"}],
            "2023-05-08": [{"query": "Hello", "response": "Hi"}, {"query": "Bye", "response": " ", "mood": "low"}],
        },
    },
    "小明": {"history": {"2023年5月8日": [{"query": "你好", "response": "你好呀"}]}},
}


def only(path: Path) -> ImportedConversation:
    (conversation,) = read_conversations(path)
    return conversation


def remarks(conversation: ImportedConversation) -> list[Told]:
    """What is told of it besides what it says."""
    return [note for note in conversation.notices if isinstance(note, Told)]


def outcome(path: Path) -> tuple[ImportedConversation, ...] | ImportRefused:
    """What was read, or the refusal; anything else raised fails the test."""
    try:
        return read_conversations(path)
    except ImportRefused as refused:
        return refused


def refusal(path: Path) -> tuple[str, str]:
    with pytest.raises(ImportRefused) as refused:
        read_conversations(path)
    assert "Nothing was imported" in str(refused.value)
    return str(refused.value.params["where"]), str(refused.value.params["reason"])
