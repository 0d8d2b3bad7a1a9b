"""Chats and their message tree."""

from __future__ import annotations

import pytest

from storage.errors import NotFound
from storage.records import NewMessage, NewTask, Role
from storage.scope import Scope
from storage.store import Store
from tests.conftest import START, OpenChat, open_chat


def test_a_user_utterance_opens_a_round_and_replies_share_it(chat: OpenChat) -> None:
    greeting = NewMessage(Role.CHARACTER, "Mara", "Come in.", START, "g", "card", opens_round=False)
    chat.store.chats.append(chat.scope, chat.branch_id, [greeting])
    chat.say("one", "a", number=1)
    chat.say("two", number=2)
    chat.say("three", "c", number=3)
    found = [(m.round, m.depth, m.text) for m in reversed(chat.store.chats.path(chat.scope, chat.branch_id, limit=50))]
    assert found == [(0, 0, "Come in."), (1, 1, "one"), (1, 2, "a"), (2, 3, "two"), (3, 4, "three"), (3, 5, "c")]
    assert [m.text for m in chat.store.chats.newest_round(chat.scope, chat.branch_id)] == ["three", "c"]


def test_saying_the_same_again_is_one_message_and_one_task(chat: OpenChat) -> None:
    new = NewMessage(Role.USER, "You", "hello", START, "token", "user", opens_round=True)
    task = NewTask("episode", chat.branch_id, ("r",))
    first = chat.store.chats.append(chat.scope, chat.branch_id, [new], tasks=[task])
    again = chat.store.chats.append(chat.scope, chat.branch_id, [new], tasks=[task])
    assert first == again
    assert len(chat.store.chats.path(chat.scope, chat.branch_id, limit=9)) == 1
    assert chat.store.tasks.queue(chat.scope).waiting == 1


def test_a_message_and_its_tasks_come_together_or_not_at_all(chat: OpenChat, monkeypatch: pytest.MonkeyPatch) -> None:
    new = NewMessage(Role.USER, "You", "hello", START, "token", "user", opens_round=True)
    broken = NewTask("episode", "no-such-branch", ("r",))
    with pytest.raises(Exception, match="FOREIGN KEY"):
        chat.store.chats.append(chat.scope, chat.branch_id, [new], tasks=[broken])
    assert chat.store.chats.head(chat.scope, chat.branch_id) is None


def test_windows_page_through_the_whole_path(chat: OpenChat) -> None:
    for number in range(1, 41):
        chat.say(f"u{number}", f"r{number}", number=number)
    seen: list[str] = []
    before = None
    while window := chat.store.chats.path(chat.scope, chat.branch_id, limit=7, before=before):
        seen += [m.text for m in window]
        before = window[-1].id
    assert seen == [text for number in range(40, 0, -1) for text in (f"r{number}", f"u{number}")]


def test_another_users_chat_does_not_exist(store: Store) -> None:
    mine, theirs = open_chat(store), open_chat(store, "eve")
    theirs.say("secret", number=1)
    message = theirs.store.chats.head(theirs.scope, theirs.branch_id)
    assert message is not None
    forged = Scope.of("local", theirs.scope.chat_id)
    for reach in (
        lambda: store.chats.chat(forged),
        lambda: store.chats.path(forged, theirs.branch_id, limit=5),
        lambda: store.chats.path(mine.scope, theirs.branch_id, limit=5),
        lambda: store.chats.append(forged, theirs.branch_id, []),
        lambda: store.memories.visible(mine.scope, theirs.branch_id),
        lambda: store.memories.get(forged, ["x"]),
        lambda: store.receipts.of_message(forged, theirs.branch_id, message.id),
    ):
        with pytest.raises(NotFound):
            reach()
    assert store.chats.messages(mine.scope, mine.branch_id, [message.id]) == []
    assert [c.id for c in store.chats.of_user("local")] == [mine.scope.chat_id]


def test_an_import_key_names_one_chat(store: Store) -> None:
    first = store.chats.create("local", character_id="c1", title="", language="en", user_name="You", import_key="k")
    assert store.chats.create("local", character_id="c1", title="", language="en", user_name="You", import_key="k") == first


def test_a_silent_chat_is_idle_until_its_session_is_closed(chat: OpenChat) -> None:
    messages = chat.say("hello", "hi", number=1)
    later = START.replace(year=2025)
    assert chat.store.chats.idle(before=START) == []
    assert chat.store.chats.idle(before=later) == [(chat.scope.user_id, chat.scope.chat_id)]
    for _ in range(2):
        chat.store.chats.close_session(chat.scope, messages[-1].id, closed_by="idle")
    assert chat.store.chats.idle(before=later) == []
    chat.say("there?", "yes", number=2)
    assert len(chat.store.chats.idle(before=later)) == 1
