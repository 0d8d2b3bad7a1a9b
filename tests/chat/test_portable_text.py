"""A chat as plain text, and that text read back."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chat.import_formats import read_conversations
from chat.import_text import nameable
from chat.portable import Portable
from chat.text import keepable
from storage.records import NewMessage, Role
from storage.store import Store
from tests.conftest import START, OpenChat, open_chat


def _read_back(chat: OpenChat, path: Path) -> list[tuple[str, str, object]]:
    path.write_bytes(b"".join(Portable(chat.store).text(chat.scope.user_id, chat.scope.chat_id)))
    (conversation,) = read_conversations(path)
    return [(m.speaker, m.text, m.said_at) for m in conversation.messages]


def test_it_is_read_back_as_it_stands_on_the_active_branch(chat: OpenChat, tmp_path: Path) -> None:
    hard = (
        "Milk: two\nMara: not me\n2024-05-01\n[18:30] x: y",
        "first\n\n\n  indented\n\ttab\nlast: http://x",
        "你好：世界\n  。",
        "  leading",
        "a: b",
        "</script>",
    )
    for number, text in enumerate(hard):
        chat.say(text.strip(), f"reply to {number}:\n" + text, number=number)
    deleted, hidden = chat.say("taken out", "kept from the model", number=99)
    chat.say("the last", number=100)
    chat.store.tree.delete(chat.scope, chat.branch_id, deleted.id)
    chat.store.tree.hide(chat.scope, chat.branch_id, hidden.id)
    path = chat.store.chats.path(chat.scope, chat.branch_id, limit=50)[::-1]
    expected = [(m.speaker, m.text.strip(), m.said_at) for m in path if not m.hidden]
    assert _read_back(chat, tmp_path / "t.txt") == expected
    assert len(expected) == 13


@pytest.mark.parametrize(
    "name",
    ["Mara", "Dr. Li", "Ann (the first)", "A:B", "one two three four five six seven", "！？", "", "小明。", "May 1, 2024", "x" * 300],
)
def test_every_name_becomes_one_that_is_read(chat: OpenChat, tmp_path: Path, name: str) -> None:
    new = [
        NewMessage(Role.USER, name, "hello", START, "u", "user", opens_round=True),
        NewMessage(Role.CHARACTER, "Speaker", "hello to you", START, "r", "model", opens_round=False),
    ]
    chat.store.chats.append(chat.scope, chat.branch_id, new)
    (first, said, _), (second, answer, _) = _read_back(chat, tmp_path / "t.txt")
    assert (said, answer) == ("hello", "hello to you")
    assert first != second
    assert first.startswith(nameable(name))


LINES = st.text(alphabet=st.sampled_from("ab1:：[]() \t-/2024-05-01\n\n\u2028\x85好。"), max_size=60)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts=st.lists(LINES, min_size=1, max_size=6))
def test_whatever_was_said_is_read_back(store: Store, tmp_path: Path, texts: list[str]) -> None:
    chat = open_chat(store)
    said = [keepable(text) for text in texts]
    for number, text in enumerate(said):
        chat.say(text if text.strip() else "x", number=number)
    path = chat.store.chats.path(chat.scope, chat.branch_id, limit=50)[::-1]
    found = _read_back(chat, tmp_path / "t.txt")
    assert [(s, _lines(t), at) for s, t, at in found] == [(m.speaker, _lines(m.text), m.said_at) for m in path]


def _lines(text: str) -> list[str]:
    """Without blanks around it; lines of nothing but blanks are empty ones."""
    return [line if line.strip() else "" for line in text.strip().split("\n")]
