"""What a search shows: here or everywhere, as conversations stand open, with the place marked."""

from __future__ import annotations

import pytest

from chat.searching import BEFORE_CHARS, MOST_SHOWN, SNIPPET_CHARS, Search, snippet
from storage.errors import NotFound
from storage.records import Kind
from storage.scope import LOCAL_USER
from storage.store import Store
from storage.terms import sought
from tests.conftest import OpenChat, open_chat
from tests.storage.lived_in import remember


@pytest.fixture
def search(store: Store) -> Search:
    return Search(store, teller=lambda scope, chat: lambda text: text.replace("The player", "Ann"))


def words(pieces: tuple[tuple[str, bool], ...]) -> str:
    return "".join(f"[{text}]" if hit else text for text, hit in pieces)


def test_messages_and_memories_of_one_conversation_or_of_all(chat: OpenChat, search: Search) -> None:
    other = open_chat(chat.store)
    said = chat.say("The key lies under the lighthouse.", "Which lighthouse?", number=1)
    other.say("灯塔 is a lighthouse.", number=2)
    remember(chat, said, "The player hid a key in the lighthouse.")
    remember(chat, said, "The player said: the key lies under the lighthouse.", Kind.EPISODE)
    chat.store.chats.rename(other.scope, "At sea")
    everywhere = search.find(LOCAL_USER, " lighthouse ")
    assert [(f.title, f.round, f.speaker, words(f.pieces)) for f in everywhere.messages] == [
        ("At sea", 1, "You", "灯塔 is a [lighthouse]."),
        ("Mara", 1, "Mara", "Which [lighthouse]?"),
        ("Mara", 1, "You", "The key lies under the [lighthouse]."),
    ]
    assert [(f.kind, f.chat_id, words(f.pieces)) for f in everywhere.memories] == [
        ("fact", chat.scope.chat_id, "Ann hid a key in the [lighthouse].")
    ]
    here = search.find(LOCAL_USER, "灯塔", chat_id=other.scope.chat_id)
    assert [words(f.pieces) for f in here.messages] == ["[灯塔] is a lighthouse."]
    assert search.find(LOCAL_USER, "灯塔", chat_id=chat.scope.chat_id).messages == ()
    chat.store.chats.bin(other.scope)
    assert search.find(LOCAL_USER, "灯塔").messages == ()


def test_a_memory_is_shown_where_the_open_branch_sees_it(chat: OpenChat, search: Search) -> None:
    first, later = chat.say("one", number=1), chat.say("two", number=2)
    remember(chat, first, "The player owns a sextant.")
    remember(chat, later, "The player lost the sextant.")
    assert search.find(LOCAL_USER, "sextant").memories_in_all == 2
    chat.store.branches.fork(chat.scope, chat.branch_id, first[0].id, "", operation="branch")
    assert [words(f.pieces) for f in search.find(LOCAL_USER, "sextant").memories] == ["Ann owns a [sextant]."]


def test_of_many_the_newest_are_shown_and_all_are_counted(chat: OpenChat, search: Search) -> None:
    for number in range(MOST_SHOWN + 5):
        chat.say(f"Oysters, number {number}", number=number)
    found = search.find(LOCAL_USER, "oyster")
    assert (len(found.messages), found.messages_in_all) == (MOST_SHOWN, MOST_SHOWN + 5)
    assert words(found.messages[0].pieces) == f"[Oysters], number {MOST_SHOWN + 4}"


@pytest.mark.parametrize("user", ["eve", LOCAL_USER])
def test_nobody_searches_anothers(chat: OpenChat, search: Search, user: str) -> None:
    chat.say("lighthouse", number=1)
    theirs = open_chat(chat.store, "bob")
    theirs.say("lighthouse", number=1)
    assert len(search.find(user, "lighthouse").messages) == (user == LOCAL_USER)
    with pytest.raises(NotFound):
        search.find(user, "lighthouse", chat_id=theirs.scope.chat_id)
    assert search.find(user, "").messages == ()


def test_a_snippet_is_cut_around_the_first_place(chat: OpenChat) -> None:
    text = "a " * 200 + "<b>lighthouse</b>\n\n" + "b " * 200
    pieces = snippet(text, sought("lighthouse"))
    assert [t for t, hit in pieces if hit] == ["lighthouse"]
    shown = "".join(t for t, _ in pieces)
    assert shown.startswith("… ")
    assert shown.endswith(" …")
    assert "<b>" in shown
    assert SNIPPET_CHARS <= len(shown) <= SNIPPET_CHARS + 4
    assert words(snippet("灯" * 90 + "塔台" + "灯" * 300, sought("塔台"))).startswith("… " + "灯" * BEFORE_CHARS + "[塔台]")
    assert words(snippet("Long before that the keeper went up to the old lighthouse", sought("lighthouse"))).startswith("… that the")
    assert words(pieces).index("[") <= BEFORE_CHARS + 3
    assert snippet("no such word", sought("lighthouse")) == (("no such word", False),)
