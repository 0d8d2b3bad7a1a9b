"""What a database that somebody else made or changed can do when it is brought back as a backup: nothing."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from errors import KeepsakeError
from storage.backup import Backups
from storage.errors import BackupUnusable, FolderTooNew
from storage.migrations import strange
from storage.store import Store
from tests.conftest import OpenChat

FORGED: dict[str, tuple[str, type[KeepsakeError]]] = {
    "a trigger that deletes": ("CREATE TRIGGER t AFTER INSERT ON message BEGIN DELETE FROM message; END", BackupUnusable),
    "a trigger that says no": ("CREATE TRIGGER t BEFORE INSERT ON revision BEGIN SELECT RAISE(ABORT, 'no'); END", BackupUnusable),
    "a view": ("CREATE VIEW v AS SELECT * FROM user", BackupUnusable),
    "a view in the place of a table": ("DROP TABLE bin_item; CREATE VIEW bin_item AS SELECT * FROM message", BackupUnusable),
    "an index that refuses": ("CREATE UNIQUE INDEX i ON message (chat_id, depth)", BackupUnusable),
    "an index on an expression": ("CREATE INDEX i ON message (abs(depth))", BackupUnusable),
    "a table more": ("CREATE TABLE extra (x)", BackupUnusable),
    "a virtual table more": ("CREATE VIRTUAL TABLE extra USING fts5 (x)", BackupUnusable),
    "a column more": ("ALTER TABLE message ADD COLUMN extra TEXT NOT NULL DEFAULT 'x'", BackupUnusable),
    "a column that is computed": ("ALTER TABLE message ADD COLUMN extra INTEGER AS (abs(-9223372036854775808))", BackupUnusable),
    "a table less": ("DROP TABLE undo_log", BackupUnusable),
    "an index less": ("DROP INDEX memory_by_chat", BackupUnusable),
    "a table of another shape": ("DROP TABLE bin_item; CREATE TABLE bin_item (id TEXT)", BackupUnusable),
    "a newer program's": ("UPDATE _sqlite_migrations SET name = 'm999_later' WHERE name = 'm004_model_use'", FolderTooNew),
    "not migrated, it says": ("DELETE FROM _sqlite_migrations", BackupUnusable),
}


@pytest.mark.parametrize("case", FORGED)
def test_a_forged_database_is_refused_and_nothing_changes(chat: OpenChat, store: Store, tmp_path: Path, case: str) -> None:
    chat.say("hello", "hi", number=1)
    statements, kind = FORGED[case]
    forged = _forged(store, tmp_path, lambda connection: connection.executescript(statements))
    with pytest.raises(kind, match="Nothing was changed") as caught:
        Backups(store.folder, keep=3).restore(forged)
    assert "Traceback" not in str(caught.value)
    assert _texts(store.folder.database) == ["hello", "hi"]
    assert not list(store.folder.root.glob("*.restoring*"))


@pytest.mark.parametrize(
    "pragma", ["page_size = 65536", "page_size = 512", "encoding = 'UTF-16le'", "user_version = 77", "application_id = 77"]
)
def test_another_layout_of_the_same_is_brought_back(chat: OpenChat, store: Store, tmp_path: Path, pragma: str) -> None:
    chat.say("hello", "hi", number=1)

    def laid_out(connection: sqlite3.Connection) -> None:
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute(f"PRAGMA {pragma}")
        connection.execute("VACUUM")

    other = _forged(store, tmp_path, laid_out)
    store.close()
    Backups(store.folder, keep=3).restore(other)
    again = Store(store.folder, durable=False)
    assert [m.text for m in again.chats.path(chat.scope, chat.branch_id, limit=9)][::-1] == ["hello", "hi"]
    again.close()


@pytest.mark.parametrize("raw", [b"", b"SQLite format 3\0", b"SQLite format 3\0" + b"\xff" * 4096, b"PK\3\4" + b"\0" * 5000, b"\0" * 9000])
def test_what_is_no_database_is_refused(chat: OpenChat, store: Store, tmp_path: Path, raw: bytes) -> None:
    chat.say("hello", "hi", number=1)
    (tmp_path / "raw.db").write_bytes(raw)
    with pytest.raises(KeepsakeError, match="Nothing was changed"):
        Backups(store.folder, keep=3).restore(tmp_path / "raw.db")
    assert _texts(store.folder.database) == ["hello", "hi"]


def test_a_database_of_this_program_has_nothing_strange(store: Store) -> None:
    with closing(sqlite3.connect(store.folder.database)) as connection:
        connection.execute("ANALYZE")
        assert strange(connection) == ""


def _forged(store: Store, tmp_path: Path, forge: Callable[[sqlite3.Connection], object]) -> Path:
    path = tmp_path / "forged.db"
    with closing(sqlite3.connect(store.folder.database)) as source, closing(sqlite3.connect(path, isolation_level=None)) as target:
        source.backup(target)
        target.execute("PRAGMA foreign_keys = OFF")
        forge(target)
    return path


def _texts(database: Path) -> list[str]:
    with closing(sqlite3.connect(database)) as connection:
        return [row[0] for row in connection.execute("SELECT text FROM revision ORDER BY text")]
