"""What is erased for good is in no byte of the folder, and nothing else is gone."""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from memory.episodes import episode_of
from storage import erasures
from storage.backup import Backups
from storage.checking import check
from storage.errors import ErasureUnfinished, NotFound, StorageFull
from storage.folder import DataFolder
from storage.records import Kind, Memory, Message, NewTask, sha256
from storage.scope import LOCAL_USER
from storage.store import Store
from tests.conftest import OpenChat, open_chat

SECRETS = ("My locker code is heliotrope ninety-one.", "我把钥匙藏在老灯塔的第七级台阶下面。")
KEPT = "The harbour ferry leaves at dawn."


def traces(root: Path, *texts: str) -> list[str]:
    """Files of a folder that hold one of the texts, as UTF-8, UTF-16 or in JSON's ASCII."""
    found = []
    for path in sorted(p for p in root.rglob("*") if p.is_file()):
        content = path.read_bytes()
        for text in texts:
            forms = (text.encode(), text.encode("utf-16-le"), text.encode("utf-16-be"), json.dumps(text)[1:-1].encode())
            found += [f"{path.relative_to(root)}: {text}" for form in forms if form in content]
    return found


def remember(chat: OpenChat, messages: list[Message], text: str, kind: Kind = Kind.FACT, *, grounds: tuple[str, ...] = ()) -> Memory:
    made = replace(
        episode_of(chat.scope.chat_id, messages), id=secrets.token_hex(8), kind=kind, text=text, grounds=grounds, payload={"quote": text}
    )
    chat.store.memories.add(chat.scope, [made])
    return made


def embed(store: Store, user_id: str, *texts: str) -> None:
    for role in ("passage", "query"):
        store.vectors.put(user_id, "f/4", role, {sha256(text): np.ones(4, dtype=np.float32) for text in texts})


def tell(chat: OpenChat, messages: list[Message], *memories: Memory, named: str = "") -> None:
    """A receipt of a reply whose prompt told memories."""
    lines = [
        f"- ({m.said_at:%Y-%m-%d}, round {m.round_first}) {' / '.join(m.text.replace('The player', named or 'The player').splitlines())}"
        for m in memories
    ]
    body = {
        "query": messages[0].text,
        "candidates": [{"memory_id": m.id, "delivered": True} for m in memories],
        "pinned": [],
        "prompt": [
            ["system", "You are Mara."],
            ["user", messages[0].text],
            ["assistant", messages[-1].text],
            ["user", "\n".join(["[What Mara remembers]", *lines, "[End of memories]"]) + "\n\n" + messages[0].text],
        ],
    }
    chat.store.receipts.add(chat.scope, message_id=messages[-1].id, revision_id=None, body=body)


def live(chat: OpenChat, *texts: str, start: int = 1) -> list[list[Message]]:
    """Rounds in which these things are said, with everything that hangs on them."""
    said = []
    for number, text in enumerate(texts, start=start):
        messages = chat.say(text, f"I see: {text}", number=number)
        said.append(messages)
        episode = episode_of(chat.scope.chat_id, messages)
        chat.store.memories.add(chat.scope, [episode])
        fact = remember(chat, messages, f"The player said: {text}")
        remember(chat, messages, f"Mara thinks of: {text}", Kind.INSIGHT, grounds=(fact.id,))
        tell(chat, messages, episode, fact)
        embed(chat.store, chat.scope.user_id, text, episode.text, fact.text)
        chat.store.tasks.add(
            chat.scope,
            NewTask("episode", chat.branch_id, (messages[0].revision.id,), {"message_ids": [m.id for m in messages], "text": text}),
        )
        with chat.store.database.write() as connection:
            connection.execute(
                "INSERT INTO derivation (chat_id, key, kind, version, output, created_at) VALUES (?, ?, 'fact', '1', ?, 0)",
                (chat.scope.chat_id, secrets.token_hex(8), json.dumps({"facts": [{"text": fact.text, "quote": text}]})),
            )
            connection.execute(
                "INSERT INTO user_edit (user_id, chat_id, memory_id, action, content, created_at) VALUES (?, ?, ?, 'edit', ?, 0)",
                (chat.scope.user_id, chat.scope.chat_id, fact.id, f"Edited: {text}"),
            )
            connection.execute(
                "INSERT INTO undo_log (chat_id, branch_id, operation, forward, backward, created_at) VALUES (?, ?, 'edit', ?, '{}', 0)",
                (chat.scope.chat_id, chat.branch_id, json.dumps({"text": text})),
            )
            connection.execute(
                "INSERT INTO recall_event (memory_id, message_id, chat_id, round, rank, effect, created_at) VALUES (?, ?, ?, 1, 1, 'reinforced', 0)",
                (fact.id, messages[0].id, chat.scope.chat_id),
            )
            connection.execute(
                "INSERT INTO extraction (revision_id, question_id, version, chat_id) VALUES (?, '', '1', ?)",
                (messages[0].revision.id, chat.scope.chat_id),
            )
    return said


def content(store: Store, chat_id: str) -> dict[str, list[tuple[object, ...]]]:
    """Every row of a chat, by table."""
    read = store.database.read()
    rows = {
        table: [tuple(r) for r in read.execute(f"SELECT * FROM {table} WHERE chat_id = ? ORDER BY 1, 2", (chat_id,))]
        for table in ("message", "memory", "branch", "receipt", "task", "derivation", "user_edit", "undo_log", "recall_event", "extraction")
    }
    rows["revision"] = [
        tuple(r)
        for r in read.execute("SELECT r.* FROM revision r JOIN message m ON m.id = r.message_id WHERE m.chat_id = ? ORDER BY 1", (chat_id,))
    ]
    rows["words"] = [
        tuple(r)
        for r in read.execute(
            "SELECT f.* FROM memory_fts f JOIN memory m ON m.ordinal = f.rowid WHERE m.chat_id = ? ORDER BY m.ordinal", (chat_id,)
        )
    ]
    return rows


def copies(store: Store) -> None:
    """A backup, and the copy of a migration."""
    assert Backups(store.folder, keep=3).make()
    with closing(sqlite3.connect(store.folder.root / "keepsake.before-m003_rewriting.db")) as copy:
        store.database.read().backup(copy)


def dangling(store: Store) -> list[object]:
    return [tuple(row) for row in store.database.read().execute("PRAGMA foreign_key_check")]


def test_a_chat_leaves_no_byte_and_its_neighbour_loses_nothing(store: Store) -> None:
    chat, other = open_chat(store), open_chat(store)
    live(chat, *SECRETS, KEPT)
    live(other, KEPT)
    copies(store)
    store.database.checkpoint()
    before = content(store, other.scope.chat_id)
    vectors = store.database.read().execute("SELECT count(*) FROM vector").fetchone()[0]
    assert len({line.split(":")[0] for line in traces(store.folder.root, *SECRETS)}) == 3
    store.erasures.chat(LOCAL_USER, chat.scope.chat_id)
    assert store.erasures.waiting() == 1
    assert store.erasures.finish() == []
    assert store.erasures.waiting() == 0
    assert traces(store.folder.root, *SECRETS, "heliotrope", "灯塔", chat.scope.chat_id + "x") == []
    assert content(store, other.scope.chat_id) == before
    assert not any(content(store, chat.scope.chat_id).values())
    kept = {sha256(KEPT), sha256(f"The player said: {KEPT}"), sha256(f"You: {KEPT}\nMara: I see: {KEPT}")}
    rows = store.database.read().execute("SELECT role, text_sha256 FROM vector").fetchall()
    assert {(r["role"], r["text_sha256"]) for r in rows} == {("query", sha256(KEPT))} | {
        ("passage", key) for key in kept if key != sha256(KEPT)
    }
    assert len(rows) < vectors
    assert dangling(store) == []
    for copy in store.folder.copies():
        with closing(sqlite3.connect(copy)) as connection:
            assert connection.execute("SELECT id FROM chat").fetchall() == [(other.scope.chat_id,)]
            assert connection.execute("PRAGMA foreign_key_check").fetchall() == []


def test_an_imported_character_goes_with_its_last_chat(store: Store) -> None:
    store.chats.ensure_user(LOCAL_USER, "")
    card = {"name": "Ottoline", "description": "Keeps the heliotrope ledger."}
    store.chats.ensure_character("own", user_id=LOCAL_USER, name="Ottoline", language="en", card=card, persona={}, stances=[])
    chats = [store.chats.create(LOCAL_USER, character_id="own", title="", language="en", user_name="You") for _ in range(2)]
    built_in = open_chat(store)
    store.erasures.chat(LOCAL_USER, chats[0])
    store.erasures.finish()
    assert store.chats.character(LOCAL_USER, "own").name == "Ottoline"
    store.erasures.chat(LOCAL_USER, built_in.scope.chat_id)
    store.erasures.chat(LOCAL_USER, chats[1])
    store.erasures.finish()
    assert traces(store.folder.root, "Ottoline", "heliotrope") == []
    assert store.chats.character(LOCAL_USER, "c1").name == "Mara", "a built-in one stays"
    assert dangling(store) == []


def test_an_account_leaves_no_byte_and_the_other_user_loses_nothing(store: Store) -> None:
    ann, bob = open_chat(store, "ann"), open_chat(store, "bob")
    for user, name in (("ann", "Anneliese Thornquist"), ("bob", "Bob")):
        store.chats.ensure_character(
            f"own-{user}", user_id=user, name=f"{name}'s own", language="en", card={"n": name}, persona={}, stances=[]
        )
        with store.database.write() as connection:
            connection.execute("UPDATE user SET name = ? WHERE id = ?", (name, user))
            connection.execute(
                "INSERT INTO player_persona (id, user_id, name, created_at) VALUES (?, ?, ?, 0)", (f"p-{user}", user, f"{name} as a pirate")
            )
            connection.execute("INSERT INTO setting VALUES (?, 'greeting', ?)", (user, f"Hello {name}"))
            connection.execute("INSERT INTO reranker_state (user_id, fingerprint, weights, updated_at) VALUES (?, 'f', X'00', 0)", (user,))
    live(ann, *SECRETS, KEPT)
    live(bob, KEPT)
    copies(store)
    before = content(store, bob.scope.chat_id)
    store.erasures.account("ann")
    store.erasures.finish()
    assert traces(store.folder.root, *SECRETS, "Thornquist", "heliotrope") == []
    assert content(store, bob.scope.chat_id) == before
    read = store.database.read()
    for table in ("player_persona", "setting", "reranker_state", "vector"):
        assert read.execute(f"SELECT count(*) FROM {table}").fetchone()[0] > 0
    assert [r["id"] for r in read.execute("SELECT id FROM user WHERE id IN ('ann', 'bob')")] == ["bob"]
    assert [r["id"] for r in read.execute("SELECT id FROM character WHERE user_id IS NOT NULL")] == ["own-bob"]
    assert store.chats.character("bob", "c1").name == "Mara"
    assert dangling(store) == []


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


def _delete(chat: OpenChat, message: Message, branch_id: str | None = None) -> None:
    with chat.store.database.write() as connection:
        connection.execute(
            "INSERT INTO selection (branch_id, message_id, state) VALUES (?, ?, 'deleted')", (branch_id or chat.branch_id, message.id)
        )
        connection.execute(
            "INSERT INTO bin_item (id, chat_id, branch_id, kind, message_id, created_at) VALUES (?, ?, ?, 'message', ?, 0)",
            (secrets.token_hex(8), chat.scope.chat_id, branch_id or chat.branch_id, message.id),
        )


def test_emptying_the_bin_erases_what_no_branch_shows_and_keeps_the_tree(chat: OpenChat) -> None:
    store = chat.store
    said = live(chat, KEPT, *SECRETS, "And the sea was calm.", "The last words of all.")
    copies(store)
    with store.database.write() as connection:
        # A branch that once went another way and was removed, with a message of its own.
        connection.execute(
            "INSERT INTO branch (id, chat_id, parent_id, head_id, name, created_at, deleted_at) VALUES ('gone', ?, ?, ?, 'Quillfeather', 0, 1)",
            (chat.scope.chat_id, chat.branch_id, said[0][-1].id),
        )
        connection.execute(
            "INSERT INTO branch (id, chat_id, parent_id, head_id, created_at) VALUES ('child', ?, 'gone', ?, 0)",
            (chat.scope.chat_id, said[0][-1].id),
        )
    lost = OpenChat(store, chat.scope, "gone").say("A path called Quillfeather.", "Indeed.", number=20)
    for messages in said[1:3]:
        for message in messages:
            _delete(chat, message)
    with store.database.write() as connection:  # the last round was cut off
        connection.execute("UPDATE branch SET head_id = ? WHERE id = ?", (said[3][-1].id, chat.branch_id))
    later = store.chats.path(chat.scope, chat.branch_id, limit=99)
    # A reply that stays was made from what is erased now.
    receipt_of = said[3][-1]
    tell(chat, [said[1][0], receipt_of], episode_of(chat.scope.chat_id, said[1]))
    assert store.erasures.empty_bin(LOCAL_USER, chat.scope.chat_id) == 4 + 2 + len(lost)
    store.erasures.finish()
    assert traces(store.folder.root, *SECRETS, "heliotrope", "灯塔", "Quillfeather", "The last words of all") == []
    assert store.chats.path(chat.scope, chat.branch_id, limit=99) == later
    assert later[-1].text == KEPT
    assert store.chats.path(chat.scope, "child", limit=9)[-1].text == KEPT
    rounds = store.memories.visible(chat.scope, chat.branch_id).rounds
    assert set(rounds) == {1, 4}
    assert dangling(store) == []
    for copy in store.folder.copies():
        with closing(sqlite3.connect(copy)) as connection:
            assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
            branch = connection.execute("SELECT id FROM branch WHERE id = ?", (chat.branch_id,)).fetchone()
            assert branch is not None
    assert store.erasures.empty_bin(LOCAL_USER, chat.scope.chat_id) == 0


def test_foreign_chats_and_users_are_not_erased(store: Store) -> None:
    chat = open_chat(store, "ann")
    for attempt in (
        lambda: store.erasures.chat("bob", chat.scope.chat_id),
        lambda: store.erasures.empty_bin("bob", chat.scope.chat_id),
        lambda: store.erasures.account("nobody"),
    ):
        with pytest.raises(NotFound):
            attempt()
    assert store.erasures.waiting() == 0


class Killed(BaseException):
    """What a killed process does not survive."""


def _killing(steps: int) -> Callable[[object, str, object], object]:
    """A tracer that kills at the n-th line of the erasing modules."""
    left = [steps]

    def trace(frame: object, event: str, argument: object) -> object:
        name = frame.f_code.co_filename  # type: ignore[attr-defined]
        if not name.endswith(("storage/erasures.py", "storage/erasing.py")):
            return None
        if event == "line":
            left[0] -= 1
            if left[0] == 0:
                raise Killed
        return trace

    return trace


def test_killed_anywhere_it_is_finished_by_the_next_start(tmp_path: Path) -> None:
    import sys

    killed = 0
    for step in range(1, 400, 9):
        root = tmp_path / str(step)
        store = Store(DataFolder(root), durable=False)
        store.chats.ensure_user(LOCAL_USER, "")
        store.chats.ensure_character("c1", user_id=None, name="Mara", language="en", card={}, persona={}, stances=[])
        chat = open_chat(store)
        live(chat, SECRETS[0])
        copies(store)
        sys.settrace(_killing(step))  # type: ignore[arg-type]
        try:
            store.erasures.chat(LOCAL_USER, chat.scope.chat_id)
            store.erasures.finish()
        except Killed:
            killed += 1
        finally:
            sys.settrace(None)
        gone = traces(root, SECRETS[0]) == []
        asked = bool(erasures.records(store.database.read()))
        said_done = asked and store.erasures.waiting() == 0
        assert gone or not said_done, step
        store.close()
        again = Store(DataFolder(root), durable=False)
        again.erasures.finish()
        if asked:
            assert traces(root, SECRETS[0]) == [], step
            assert again.erasures.waiting() == 0
        else:
            assert content(again, chat.scope.chat_id)["message"]
        again.close()
    assert killed > 20


def test_on_a_full_disk_it_is_not_called_done_and_goes_on_later(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    chat = open_chat(store)
    live(chat, SECRETS[0])
    copies(store)

    def full(path: Path, waiting: object) -> bool:
        raise StorageFull("The disk is full.")

    with monkeypatch.context() as patch:
        patch.setattr(erasures, "scrub", full)
        store.erasures.chat(LOCAL_USER, chat.scope.chat_id)
        with pytest.raises(ErasureUnfinished, match="next start"):
            store.erasures.finish()
        assert store.erasures.waiting() == 1
    store.erasures.finish()
    assert store.erasures.waiting() == 0
    assert traces(store.folder.root, SECRETS[0]) == []


def test_a_copy_that_cannot_be_erased_from_is_removed_and_named(store: Store) -> None:
    chat = open_chat(store)
    live(chat, SECRETS[0])
    copies(store)
    damaged = store.folder.backups / "damaged-20240101-000000.db"
    damaged.write_bytes(b"not a database " + SECRETS[0].encode())
    strange = store.folder.backups / "keepsake-20200101-000000.db"
    with closing(sqlite3.connect(strange)) as connection:
        connection.execute("CREATE TABLE old_chat (text)")
        connection.execute("INSERT INTO old_chat VALUES (?)", (SECRETS[0],))
        connection.commit()
    (store.folder.root / "index.damaged").mkdir()
    store.erasures.chat(LOCAL_USER, chat.scope.chat_id)
    assert sorted(store.erasures.finish()) == [damaged.name, strange.name]
    assert traces(store.folder.root, SECRETS[0]) == []
    assert not (store.folder.root / "index.damaged").exists()
    assert [f for f in check(store.folder) if f.fault] == []
