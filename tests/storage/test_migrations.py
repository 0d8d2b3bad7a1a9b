"""Folders of every earlier schema open, with everything in them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from storage.checking import check
from storage.database import Database
from storage.folder import DataFolder
from storage.migrations import known
from storage.records import sha256
from storage.schema_1 import SCHEMA_1
from storage.schema_2 import SCHEMA_2
from storage.schema_3 import SCHEMA_3
from storage.schema_4 import SCHEMA_4
from storage.schema_5 import SCHEMA_5
from storage.scope import LOCAL_USER, Scope
from storage.store import Store
from storage.terms import index_text, query_terms, sought
from tests.storage.kills import killed_at

SCHEMAS = (SCHEMA_1, SCHEMA_2, SCHEMA_3, SCHEMA_4, SCHEMA_5)
LINES = (("user", "I keep bees on the roof."), ("character", "我喜欢蜂蜜。"), ("user", "They like lavender."))


def folder_of(root: Path, version: int) -> DataFolder:
    """A folder as the program of that schema left it: a chat of three messages, an episode, a fact, a vector, a task, a receipt."""
    folder = DataFolder(root)
    with closing(sqlite3.connect(folder.database, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE _sqlite_migrations (id INTEGER PRIMARY KEY, migration_set TEXT, name TEXT, applied_at TEXT)")
        connection.execute("CREATE UNIQUE INDEX idx__sqlite_migrations_migration_set_name ON _sqlite_migrations (migration_set, name)")
        for schema, name in zip(SCHEMAS[:version], known(), strict=False):
            for statement in schema:
                connection.execute(statement)
            connection.execute("INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('keepsake', ?, 'then')", (name,))
        connection.execute("BEGIN")
        connection.execute("INSERT INTO user (id, name, created_at) VALUES (?, '', 0)", (LOCAL_USER,))
        connection.execute(
            "INSERT INTO character (id, name, language, card, card_v3, created_at, updated_at) VALUES ('c1', 'Mara', 'en', '{}', '{}', 0, 0)"
        )
        connection.execute(
            """INSERT INTO chat (id, user_id, character_id, language, active_branch_id, created_at, updated_at)
            VALUES ('chat', ?, 'c1', 'en', 'b', 0, 0)""",
            (LOCAL_USER,),
        )
        connection.execute("INSERT INTO branch (id, chat_id, head_id, created_at) VALUES ('b', 'chat', 'm2', 0)")
        for place, (role, text) in enumerate(LINES):
            connection.execute(
                "INSERT INTO message (id, chat_id, parent_id, depth, round, role, speaker, said_at, created_at) VALUES (?, 'chat', ?, ?, ?, ?, 'x', 0, 0)",
                (f"m{place}", f"m{place - 1}" if place else None, place, place // 2 + 1, role),
            )
            connection.execute(
                "INSERT INTO revision (id, message_id, ordinal, text, sha256, origin, status, created_at) VALUES (?, ?, 0, ?, ?, 'user', 'complete', 0)",
                (f"r{place}", f"m{place}", text, sha256(text)),
            )
        for ordinal, kind in ((1, "episode"), (2, "fact")):
            connection.execute(
                """INSERT INTO memory (ordinal, id, chat_id, kind, text, language, round_first, round_last, said_at, derivation_key, text_sha256,
                    source_count, created_at) VALUES (?, ?, 'chat', ?, ?, 'en', 1, 1, 0, 'k', ?, 1, 0)""",
                (ordinal, kind, kind, LINES[0][1], sha256(LINES[0][1])),
            )
            connection.execute("INSERT INTO memory_source VALUES (?, 'm0', 'r0', ?)", (kind, sha256(LINES[0][1])))
            connection.execute("INSERT INTO memory_fts (rowid, scope, words) VALUES (?, 'c', ?)", (ordinal, index_text(LINES[0][1])))
        connection.execute("INSERT INTO vector VALUES (?, 'f', 'passage', ?, X'00000000')", (LOCAL_USER, sha256(LINES[0][1])))
        connection.execute(
            "INSERT INTO task (key, kind, user_id, chat_id, branch_id, payload, created_at) VALUES ('t', 'episode', ?, 'chat', 'b', '{}', 0)",
            (LOCAL_USER,),
        )
        connection.execute("INSERT INTO receipt VALUES ('q', 'chat', 'm1', 'r1', '{\"query\": \"bees\"}', 0)")
        connection.execute("COMMIT")
    return folder


@pytest.mark.parametrize("version", [1, 2, 3, 4, 5])
def test_an_older_folder_opens_with_everything_in_it(tmp_path: Path, version: int) -> None:
    folder = folder_of(tmp_path, version)
    store = Store(folder)
    scope = Scope.of(LOCAL_USER, "chat")
    assert [(m.role.value, m.text) for m in reversed(store.chats.path(scope, "b", limit=9))] == list(LINES)
    if version < 3:
        assert store.memories.visible(scope, "b").ids == ("episode",)  # facts are derived anew, with more exact sources
        assert store.memories.get(scope, ["fact"])["fact"].status == "superseded"
    receipt = store.receipts.of_message(scope, "b", "m1")
    assert receipt is not None
    assert receipt.body == {"query": "bees"}
    assert store.vectors.get(LOCAL_USER, "f", "passage", [sha256(LINES[0][1])])
    assert store.tasks.queue(scope).waiting == 1
    assert [s.text for s in store.search.spoken(scope, sought("蜂蜜"))] == [LINES[1][1]]
    assert [f for f in check(folder) if f.fault] == []
    assert {row[0] for row in store.database.read().execute("SELECT name FROM _sqlite_migrations")} == set(known())
    store.erasures.chat(LOCAL_USER, "chat")
    store.erasures.finish()
    assert not any(b"lavender" in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    store.close()


@pytest.mark.parametrize("apart", [17, pytest.param(3, marks=pytest.mark.long)])
@pytest.mark.parametrize("version", [1, *(pytest.param(n, marks=pytest.mark.long) for n in (2, 3, 4, 5))])
def test_a_migration_that_dies_midway_leaves_the_old_version_whole(tmp_path: Path, version: int, apart: int) -> None:
    """apart: lines from one death to the next."""
    for step in range(1, 2_000, apart):
        root = tmp_path / str(step)
        folder = folder_of(root, version)
        killed = killed_at(step, ("storage/migrations.py",), lambda folder=folder: Database(folder.database))  # type: ignore[misc]
        with closing(sqlite3.connect(folder.database)) as connection:
            applied = {row[0] for row in connection.execute("SELECT name FROM _sqlite_migrations")}
            columns = {row[1] for row in connection.execute("PRAGMA table_info(chat)")}
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert applied in (set(known()[:version]), set(known())), step
        assert ("edition" in columns) == (known()[2] in applied), step
        store = Store(folder)
        assert len(store.chats.path(Scope.of(LOCAL_USER, "chat"), "b", limit=9)) == len(LINES)
        store.close()
        if not killed:
            return
    pytest.fail("the migration never got through")


def test_a_migration_that_fails_leaves_the_old_version_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import storage.migrations as module

    folder = folder_of(tmp_path, 1)
    monkeypatch.setattr(module, "SCHEMA_3", (*module.SCHEMA_3, "CREATE TABLE chat (id TEXT)"))
    with pytest.raises(Exception, match="already exists"):
        Database(folder.database)
    with closing(sqlite3.connect(folder.database)) as connection:
        assert [row[0] for row in connection.execute("SELECT name FROM _sqlite_migrations")] == [known()[0]]
        assert not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'forgetting_event'").fetchone()


def test_an_older_index_learns_that_paid_is_pay(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, 5)
    with closing(sqlite3.connect(folder.database, isolation_level=None)) as connection:
        connection.execute("UPDATE revision SET text = 'I paid the women for the knives.', sha256 = ? WHERE id = 'r0'", (sha256("x"),))
        connection.execute("UPDATE memory SET text = 'Mara paid the women for the knives.' WHERE ordinal = 1")
        connection.execute("UPDATE memory_fts SET words = 'mara paid the women for the knive' WHERE rowid = 1")
    store = Store(folder)
    (wanted,) = query_terms("pay")
    words = store.database.read().execute("SELECT words FROM memory_fts WHERE rowid = 1").fetchone()[0].split()
    assert words == [*query_terms("mara pay"), "the", *query_terms("woman"), "for", "the", *query_terms("knife")]
    assert wanted in words
    assert [s.text for s in store.search.spoken(Scope.of(LOCAL_USER, "chat"), sought("pay"))] == ["I paid the women for the knives."]
    store.close()
