"""What was said is found by its words: the user's, on the branches that are open, as it reads there."""

from __future__ import annotations

import pytest

from storage.errors import NotFound
from storage.records import NewWording
from storage.scope import LOCAL_USER, Scope
from storage.store import Store
from storage.terms import sought
from tests.conftest import OpenChat, open_chat
from tests.storage.lived_in import copies, remember, traces


def found(chat: OpenChat, text: str) -> list[str]:
    return [spoken.text for spoken in chat.store.search.spoken(chat.scope, sought(text))]


SAID = (
    "I was swimming by the old lighthouse.",
    "我把钥匙藏在老灯塔的台阶下面。",
    "Don't tell Ida about the ＫＥＹ.",
    "她爱猫",
    "Café at noon 🐈",
)


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("lighthouse", [0]),
        ("LIGHTHOUSE swim", [0]),
        ("swims", [0]),
        ("lighth", [0]),
        ("light swim", []),
        ("the", [0, 2]),
        ("灯塔", [1]),
        ("老灯塔的", [1]),
        ("塔灯", []),
        ("钥匙 台阶", [1]),
        ("钥匙 屋顶", []),
        ("猫", [3]),
        ("爱", [3]),
        ("key", [2]),
        ("don't", [2]),
        ("café", [4]),
        ("🐈", [4]),
        ('"OR" NEAR(', []),
        ("words : lighthouse", []),
        ("lighthouse*", [0]),
        ("", []),
        ("   ", []),
    ],
)
def test_words_are_found_in_any_form_and_signs_ask_for_nothing(chat: OpenChat, text: str, places: list[int]) -> None:
    for number, line in enumerate(SAID):
        chat.say(line, number=number)
    assert found(chat, text) == [SAID[place] for place in reversed(places)]


def test_what_the_open_branch_shows_is_found_as_it_reads_there(chat: OpenChat) -> None:
    store, scope, branch = chat.store, chat.scope, chat.branch_id
    (first, reply), (gone,), (hidden,) = chat.say("Apples", "Pears", number=1), chat.say("Quinces", number=2), chat.say("Plums", number=3)
    store.tree.reword(scope, branch, reply.id, NewWording("Cherries", "model", "complete", ""), operation="regenerate")
    assert (found(chat, "pears"), found(chat, "cherries")) == ([], ["Cherries"])
    store.tree.delete(scope, branch, gone.id)
    store.tree.hide(scope, branch, hidden.id)
    assert found(chat, "quinces") == []
    (one,) = store.search.spoken(scope, sought("plums"))
    assert (one.message_id, one.round, one.speaker, one.hidden) == (hidden.id, 3, "You", True)
    other = store.branches.fork(scope, branch, first.id, "", operation="branch")
    assert (found(chat, "apples"), found(chat, "cherries"), found(chat, "plums")) == (["Apples"], [], [])
    store.branches.switch(scope, branch)
    assert found(chat, "cherries") == ["Cherries"]
    assert other != branch


def test_no_other_users_words_are_found(store: Store) -> None:
    ann, bob = open_chat(store, "ann"), open_chat(store, "bob")
    ann.say("The heliotrope ledger", number=1)
    bob.say("A heliotrope too", number=1)
    remember(ann, ann.say("x", number=2), "The player owns a heliotrope.")
    assert found(bob, "heliotrope") == ["A heliotrope too"]
    assert store.search.noted(bob.scope, sought("heliotrope")) == []
    for scope in (Scope.of("bob", ann.scope.chat_id), Scope.of("bob", bob.scope.chat_id, ann.scope.chat_id)):
        with pytest.raises(NotFound):
            store.search.spoken(scope, sought("heliotrope"))
        with pytest.raises(NotFound):
            store.search.noted(scope, sought("heliotrope"))


def test_memories_are_found_by_the_same_words(chat: OpenChat) -> None:
    messages = chat.say("x", number=1)
    memory = remember(chat, messages, "玩家把钥匙藏在灯塔里。")
    for text in ("灯塔", "灯", "钥匙 灯塔"):
        assert [n.memory_id for n in chat.store.search.noted(chat.scope, sought(text))] == [memory.id]
    assert chat.store.search.noted(chat.scope, sought("屋顶")) == []


def test_erased_words_are_in_no_byte_of_the_index(chat: OpenChat) -> None:
    store = chat.store
    (message,), _ = chat.say("The heliotrope hides 向日葵钥匙.", number=1), chat.say("The heliograph stays.", number=2)
    store.tree.reword(chat.scope, chat.branch_id, message.id, NewWording("The heliotropes hide.", "user", "complete", ""), operation="edit")
    copies(store)
    store.tree.delete(chat.scope, chat.branch_id, message.id)
    store.erasures.empty_bin(LOCAL_USER, chat.scope.chat_id)
    store.erasures.finish()
    assert (found(chat, "heliotrope"), found(chat, "向日葵"), len(found(chat, "heliograph"))) == ([], [], 1)
    assert traces(store.folder.root, "heliotrop", "otrop", "向日", "葵钥") == []
    words = store.database.read().execute("SELECT count(*) FROM revision_words").fetchone()[0]
    assert words == store.database.read().execute("SELECT count(*) FROM revision").fetchone()[0] == 1


def test_where_it_stands_is_told_in_the_text_as_it_is() -> None:
    text = "ﬁne: the ＬIGHThouses, 老灯塔, swam by the light."
    spans = sought("lighthouse 灯塔").spans(text)
    assert [text[start:end] for start, end in spans] == ["ＬIGHThouses", "灯塔"]
    assert [text[a:b] for a, b in sought("fine").spans(text)] == ["ﬁne"]
    assert [text[a:b] for a, b in sought("塔").spans(text)] == ["塔"]
    other = "Swimming, alight, lights"
    assert [other[a:b] for a, b in sought("swimm light").spans(other)] == ["lights"]
