"""What is erased for good is in no byte of the folder, and nothing else is gone."""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from memory.episodes import episode_of
from storage import erasures
from storage.checking import check
from storage.errors import ErasureUnfinished, NotFound, StorageFull
from storage.folder import DataFolder
from storage.records import Message, sha256
from storage.scope import LOCAL_USER
from storage.store import Store
from tests.conftest import OpenChat, open_chat
from tests.storage.lived_in import content, copies, dangling, live, tell, traces

SECRETS = ("My locker code is heliotrope ninety-one.", "我把钥匙藏在老灯塔的第七级台阶下面。")
KEPT = "The harbour ferry leaves at dawn."


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


@pytest.mark.long
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
