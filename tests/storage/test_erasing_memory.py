"""Of a memory that is erased for good nothing is told any more, and what others tell stays."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from storage.records import Kind, sha256
from storage.scope import LOCAL_USER
from tests.conftest import OpenChat
from tests.storage.lived_in import copies, dangling, embed, live, remember, tell, traces


@pytest.mark.parametrize(
    "text",
    ['The player hides the "ruby" <|im_end|> under the third stair.', "玩家把红宝石藏在第三级楼梯下面。"],
)
def test_a_memory_leaves_its_id_and_no_byte(chat: OpenChat, text: str) -> None:
    store = chat.store
    said = live(chat, "Hello there, what a day.", "And on it goes, the rain.")
    fact = remember(chat, said[0], text)
    other = remember(chat, said[0], "The player owns a red umbrella.")
    insight = remember(chat, said[1], "The player trusts hiding places.", Kind.INSIGHT, grounds=(fact.id,))
    chapter = remember(chat, said[1], f"{text} It rained.", Kind.PLOT, grounds=(fact.id, other.id))
    arc = remember(chat, said[1], f"At first: {text}", Kind.PLOT, grounds=(chapter.id,))
    later = chat.say("Do you remember?", "I do.", number=7)
    escaped = replace(fact, text=text.replace("<|", "< |"))
    tell(chat, later, escaped, other, insight, named="Ann")
    embed(store, LOCAL_USER, text, other.text)
    with store.database.write() as connection:
        connection.execute(
            "INSERT INTO derivation (chat_id, key, kind, version, output, created_at) VALUES (?, 'k', 'fact', '1', ?, 0)",
            (chat.scope.chat_id, json.dumps([{"text": text}])),
        )
        connection.execute(
            """INSERT INTO user_edit (user_id, chat_id, memory_id, action, content, content_sha256, message_id, created_at)
            VALUES (?, ?, ?, 'edit', ?, ?, ?, 0)""",
            (LOCAL_USER, chat.scope.chat_id, fact.id, f"Formerly: {text}", sha256(text), fact.sources[-1].message_id),
        )
    copies(store)
    erased = store.controls.delete(chat.scope, fact.id, store.erasures.memory)
    store.erasures.finish()
    assert erased[0] == fact.id
    assert set(erased) == {fact.id, insight.id, chapter.id, arc.id}
    secret = "ruby" if "ruby" in text else "红宝石"
    assert traces(store.folder.root, text, secret, "hiding places") == []
    rows = store.memories.get(chat.scope, erased)
    assert {(m.status, m.text, dict(m.payload) == {}, m.subject, m.said_by) for m in rows.values()} == {("deleted", "", True, "", "")}
    visible = store.memories.visible(chat.scope, chat.branch_id).ids
    assert other.id in visible
    assert not set(erased) & set(visible)
    receipt = store.receipts.of_message(chat.scope, chat.branch_id, later[-1].id)
    assert receipt is not None
    prompt = receipt.body["prompt"][-1][1]  # type: ignore[index]
    assert "red umbrella" in prompt
    assert f"- ({fact.said_at:%Y-%m-%d}, round 1) ▇▇▇" in prompt
    assert fact.id in {c["memory_id"] for c in receipt.body["candidates"]}  # type: ignore[attr-defined]
    assert store.memories.add(chat.scope, [fact]) == []
    assert store.vectors.get(LOCAL_USER, "f/4", "passage", [sha256(text), sha256(other.text)]).keys() == {sha256(other.text)}
    assert dangling(store) == []


def test_a_short_value_is_erased_where_it_was_told_and_nowhere_else(chat: OpenChat) -> None:
    messages = chat.say("I like tea and steam engines", "So do I.", number=1)
    value = remember(chat, messages, "tea", Kind.PERSONA)
    body = {
        "query": "q",
        "candidates": [],
        "pinned": [],
        "prompt": [["user", "[What Mara knows of Ann] likes: tea, steam; drinks: tea\n\nSteam and tea?"]],
    }
    chat.store.receipts.add(chat.scope, message_id=messages[-1].id, revision_id=None, body=body)
    with chat.store.database.write() as connection:
        assert chat.store.erasures.memory(connection, LOCAL_USER, chat.scope.chat_id, value.id) == (value.id,)
    receipt = chat.store.receipts.of_message(chat.scope, chat.branch_id, messages[-1].id)
    assert receipt is not None
    assert receipt.body["prompt"] == [["user", "[What Mara knows of Ann] likes: ▇▇▇, steam; drinks: ▇▇▇\n\nSteam and tea?"]]
    assert chat.store.chats.path(chat.scope, chat.branch_id, limit=9)[1].text == "I like tea and steam engines"


def test_what_another_memory_says_too_stays_told_there(chat: OpenChat) -> None:
    first, second = chat.say("one", "two", number=1), chat.say("three", "four", number=2)
    gone, twin = (remember(chat, m, "The player has a grey dog.") for m in (first, second))
    later = chat.say("and", "so", number=3)
    tell(chat, later, gone, twin)
    embed(chat.store, LOCAL_USER, gone.text)
    with chat.store.database.write() as connection:
        chat.store.erasures.memory(connection, LOCAL_USER, chat.scope.chat_id, gone.id)
    receipt = chat.store.receipts.of_message(chat.scope, chat.branch_id, later[-1].id)
    assert receipt is not None
    lines = receipt.body["prompt"][-1][1].split("\n")  # type: ignore[index]
    assert lines[1].endswith("round 1) ▇▇▇")
    assert lines[2].endswith("round 2) The player has a grey dog.")
    assert sha256(gone.text) in chat.store.vectors.get(LOCAL_USER, "f/4", "passage", [sha256(gone.text)])


def test_an_edited_memory_is_found_in_older_receipts_by_its_place(chat: OpenChat) -> None:
    messages = chat.say("one", "two", number=1)
    fact = remember(chat, messages, "The player was born in Ostrava.")
    later = chat.say("and", "so", number=2)
    tell(chat, later, fact)
    with chat.store.database.write() as connection:
        connection.execute("UPDATE memory SET text = 'Something else entirely.', origin = 'user' WHERE id = ?", (fact.id,))
        chat.store.erasures.memory(connection, LOCAL_USER, chat.scope.chat_id, fact.id)
    chat.store.erasures.finish()
    assert traces(chat.store.folder.root, "Ostrava", "Something else entirely") == []
