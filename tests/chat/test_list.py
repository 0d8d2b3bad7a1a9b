"""Where conversations stand in their user's list: on top, in folders, in the archive."""

from __future__ import annotations

import json

import pytest

from chat.conversations import Conversations
from chat.errors import NameTooLong
from chat.portable import Portable
from chat.portable_records import ChatRecord
from chat.replies import ReplyJobs
from storage.errors import NotFound
from storage.records import Chat
from storage.scope import LOCAL_USER, Scope
from storage.store import Store
from tests.chat.test_portable_forged import told
from tests.conftest import OpenChat, open_chat


@pytest.fixture
def conversations(store: Store) -> Conversations:
    return Conversations(store, ReplyJobs(), finish_erasures=lambda: None)


def now(chat: OpenChat) -> Chat:
    return chat.store.chats.chat(chat.scope)


def test_a_conversation_is_put_on_top_into_a_folder_and_away(chat: OpenChat, conversations: Conversations) -> None:
    edition, said = now(chat).edition, chat.say("Hello", number=1)
    conversations.favour(LOCAL_USER, chat.scope.chat_id, favourite=True)
    conversations.file(LOCAL_USER, chat.scope.chat_id, '  海边 \n  "Sea" ')
    conversations.archive(LOCAL_USER, chat.scope.chat_id, archived=True)
    assert (now(chat).favourite, now(chat).folder, now(chat).archived) == (True, '海边 "Sea"', True)
    assert now(chat).edition == edition, "no page is stale because of it"
    assert [c.id for c in chat.store.chats.of_user(LOCAL_USER)] == [chat.scope.chat_id], "an archived one is still there"
    chat.say("Still here", number=2)
    assert chat.store.chats.path(chat.scope, chat.branch_id, limit=9)[-1].id == said[0].id
    for undo in (conversations.favour, conversations.archive):
        undo(LOCAL_USER, chat.scope.chat_id, **{"favour": {"favourite": False}, "archive": {"archived": False}}[undo.__name__])
    conversations.file(LOCAL_USER, chat.scope.chat_id, "")
    (settings,) = chat.store.database.read().execute("SELECT settings FROM chat").fetchone()
    assert json.loads(settings) == {"group": False}


def test_a_folder_is_renamed_with_all_that_is_in_it_and_nobody_elses(store: Store, conversations: Conversations) -> None:
    first, second, other, theirs = open_chat(store), open_chat(store), open_chat(store), open_chat(store, "bob")
    for chat in (first, second):
        conversations.file(LOCAL_USER, chat.scope.chat_id, "Sea")
    conversations.file("bob", theirs.scope.chat_id, "Sea")
    conversations.rename_folder(LOCAL_USER, "Sea", "Shore")
    assert [now(chat).folder for chat in (first, second, other, theirs)] == ["Shore", "Shore", "", "Sea"]
    conversations.rename_folder(LOCAL_USER, "", "All of it")
    assert now(other).folder == ""
    conversations.rename_folder(LOCAL_USER, "Shore", "")
    assert now(first).folder == now(second).folder == ""


def test_nobody_arranges_anothers(chat: OpenChat, conversations: Conversations) -> None:
    for act in (
        lambda: conversations.favour("eve", chat.scope.chat_id, favourite=True),
        lambda: conversations.file("eve", chat.scope.chat_id, "x"),
        lambda: conversations.archive("eve", chat.scope.chat_id, archived=True),
    ):
        with pytest.raises(NotFound):
            act()
    with pytest.raises(NameTooLong):
        conversations.file(LOCAL_USER, chat.scope.chat_id, "x" * 81)
    with pytest.raises(ValueError, match="a list knows no"):
        chat.store.chats.arrange(chat.scope, clock="x")
    assert (now(chat).favourite, now(chat).folder, now(chat).archived) == (False, "", False)


def test_the_place_in_the_list_stays_at_home(store: Store, conversations: Conversations) -> None:
    chat = told(store)
    conversations.archive(LOCAL_USER, chat.scope.chat_id, archived=True)
    lines = [json.loads(line) for line in Portable(store).lines(LOCAL_USER, chat.scope.chat_id)]
    (record,) = (line for line in lines if line["type"] == "chat")
    assert "archived" not in record.get("settings", {})
    with pytest.raises(ValueError, match="does not travel"):
        ChatRecord.model_validate({**record, "settings": {"archived": True}})
    assert Scope.of(LOCAL_USER, record["id"]) == chat.scope
