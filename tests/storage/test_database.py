"""The database: durable or not at all, one owner, and clear words when it cannot go on."""

from __future__ import annotations

import errno
import multiprocessing
import os
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from itertools import product
from pathlib import Path

import psutil
import pytest
import sqlite_utils

from errors import KeepsakeError
from storage.backup import Backups
from storage.checking import check, check_pages, page_fault
from storage.database import Database
from storage.errors import FolderBusy, FolderTooNew, StorageDamaged, StorageFull, StorageReadOnly
from storage.folder import DataFolder
from storage.migrations import known, migrations
from storage.store import Store
from tests.conftest import OpenChat, open_chat


def test_an_error_inside_a_transaction_undoes_all_of_it(store: Store) -> None:
    def interrupted() -> None:
        with store.database.write() as connection:
            connection.execute("INSERT INTO setting VALUES ('a', 'b', 'c')")
            with store.database.write() as nested:
                nested.execute("INSERT INTO setting VALUES ('a', 'd', 'e')")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        interrupted()
    assert store.database.read().execute("SELECT count(*) FROM setting").fetchone()[0] == 0


def test_reads_cannot_write(store: Store) -> None:
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        store.database.read().execute("DELETE FROM user")


def test_a_full_disk_says_so_and_keeps_what_was_acknowledged(chat: OpenChat) -> None:
    chat.say("hello", "hi", number=1)
    with chat.store.database.write() as connection:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
    chat.store.database._writer.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StorageFull, match="disk"):
        chat.say("x" * 200_000, number=2)
    chat.store.database._writer.execute("PRAGMA max_page_count = 1000000")
    assert [m.text for m in chat.store.chats.path(chat.scope, chat.branch_id, limit=9)] == ["hi", "hello"]
    chat.say("and on", number=3)
    assert chat.store.chats.path(chat.scope, chat.branch_id, limit=1)[0].text == "and on"


WHY = [(errno.ENOSPC, StorageFull, "full"), (errno.EROFS, StorageReadOnly, "only be read")]
"""What the system says where nothing can be written, and what a person is told."""


def deny_writing(monkeypatch: pytest.MonkeyPatch, why: int) -> None:
    def refuse(path: Path) -> None:
        raise OSError(why, os.strerror(why))

    monkeypatch.setattr("storage.database._make_private", refuse)


@pytest.mark.parametrize("log_can_be_opened", [True, False])
@pytest.mark.parametrize(("why", "error", "said"), WHY)
def test_where_nothing_can_be_written_what_is_there_is_read_and_writing_goes_on_later(
    chat: OpenChat, why: int, error: type[KeepsakeError], said: str, log_can_be_opened: bool
) -> None:
    chat.say("hello", "hi", number=1)
    chat.store.close()
    path = chat.store.folder.database
    before = path.read_bytes()
    index_of_log = path.with_name("keepsake.db-shm")
    if not log_can_be_opened:
        index_of_log.symlink_to("nowhere/else")
    with pytest.MonkeyPatch.context() as denied:
        deny_writing(denied, why)
        store = Store(DataFolder(chat.store.folder.root))
        again = OpenChat(store, chat.scope, chat.branch_id)
        assert [m.text for m in store.chats.path(chat.scope, chat.branch_id, limit=9)] == ["hi", "hello"]
        with pytest.raises(error, match=said):
            again.say("lost", number=2)
        with pytest.raises(error, match=said), store.database.alone():
            pass
        assert isinstance(store.database.trouble, error)
        assert path.read_bytes() == before
    if not log_can_be_opened:
        index_of_log.unlink()
    again.say("and on", number=2)
    assert store.database.trouble is None
    assert [m.text for m in store.chats.path(chat.scope, chat.branch_id, limit=9)] == ["and on", "hi", "hello"]
    store.close()


@pytest.mark.parametrize(("why", "error", "said"), WHY)
def test_what_must_be_brought_up_to_date_first_is_refused_where_nothing_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, why: int, error: type[KeepsakeError], said: str
) -> None:
    path = tmp_path / "keepsake.db"
    Database(path).close()
    before = path.read_bytes()
    monkeypatch.setattr(migrations, "_migrations", list(migrations._migrations))

    @migrations(name="m998_test")
    def change_nothing(db: sqlite_utils.Database) -> None:
        """One more than the database has had."""

    deny_writing(monkeypatch, why)
    with pytest.raises(error, match="written by an older Keepsake and must be brought up to date"):
        Database(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(("why", "error", "said"), WHY)
def test_a_new_folder_is_refused_where_nothing_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, why: int, error: type[KeepsakeError], said: str
) -> None:
    deny_writing(monkeypatch, why)
    with pytest.raises(error, match=said):
        Store(DataFolder(tmp_path))


def test_a_write_that_finds_no_room_is_noted_until_one_finds_some(chat: OpenChat) -> None:
    database = chat.store.database
    database.try_to_write()
    assert database.trouble is None
    with database.write() as connection:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StorageFull):
        chat.say("x" * 200_000, number=1)
    with database.write():
        pass  # nothing was written, so nothing is known
    assert isinstance(database.trouble, StorageFull)
    with database.write() as connection:
        connection.execute("PRAGMA max_page_count = 1000000")
    chat.say("again", number=1)
    assert database.trouble is None


def test_writers_of_many_threads_lose_nothing(store: Store) -> None:
    chats = [open_chat(store) for _ in range(6)]
    threads = [threading.Thread(target=lambda c=c: [c.say(f"t{i}", "r", number=i) for i in range(30)]) for c in chats]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [len(store.chats.path(c.scope, c.branch_id, limit=100)) for c in chats] == [60] * 6


def test_a_folder_of_a_newer_version_is_refused_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "keepsake.db"
    Database(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute("INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('keepsake', 'm999_future', 'now')")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(FolderTooNew, match="m999_future"):
        Database(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("left", "trace"),
    [
        *product([b"", None], ["index", "backups/keepsake-20240501-120000.db", "keepsake.before-m003_rewriting.db"]),
        (b"", "owner.lock"),  # with no file at all, a command may have looked into a new folder
    ],
)
def test_a_used_folder_whose_database_is_empty_or_gone_is_not_begun_anew(tmp_path: Path, left: bytes | None, trace: str) -> None:
    folder = DataFolder(tmp_path)
    if left is not None:
        folder.database.write_bytes(left)
    (tmp_path / trace).parent.mkdir(exist_ok=True)
    if trace == "index":
        (tmp_path / trace).mkdir()
    else:
        (tmp_path / trace).touch()
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path.is_file()}
    with pytest.raises(StorageDamaged, match="restore FILE"):
        Store(folder)
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path.is_file()} == before
    assert next(finding.fault for finding in check(folder))


def test_an_empty_file_in_a_new_folder_is_one_that_a_crash_left(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    folder.database.touch()
    Store(folder).close()
    assert folder.database.stat().st_size > 0, "else the second start would be refused"
    Store(folder).close()


def test_a_backup_takes_the_place_of_an_empty_database(chat: OpenChat) -> None:
    chat.say("hello", number=1)
    folder = chat.store.folder
    backups = Backups(folder, keep=7)
    made = backups.make()
    assert made is not None
    chat.store.close()
    for path in folder.root.glob("keepsake.db*"):
        path.write_bytes(b"")
    with pytest.raises(StorageDamaged):
        Store(folder)
    folder.own()
    backups.restore(made.path)
    folder.release()
    again = Store(folder)
    assert [m.text for m in again.chats.path(chat.scope, chat.branch_id, limit=9)] == ["hello"]
    again.close()


def test_migrating_an_older_folder_keeps_a_copy_and_its_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "keepsake.db"
    first = Database(path)
    with first.write() as connection:
        connection.execute("INSERT INTO setting VALUES ('s', 'k', 'v')")
    first.close()
    monkeypatch.setattr(migrations, "_migrations", list(migrations._migrations))

    @migrations(name="m998_test")
    def add_column(db: sqlite_utils.Database) -> None:
        db.execute("ALTER TABLE setting ADD COLUMN note TEXT")

    second = Database(path)
    assert dict(second.read().execute("SELECT * FROM setting").fetchone()) == {"scope": "s", "key": "k", "value": "v", "note": None}
    second.close()
    assert known()[-1] == "m998_test"
    copy = sqlite3.connect(tmp_path / "keepsake.before-m998_test.db")
    assert copy.execute("SELECT value FROM setting").fetchall() == [("v",)]
    copy.close()


def test_two_processes_may_open_a_fresh_folder_at_once(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=_open, args=(tmp_path / "keepsake.db",)) for _ in range(4)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [p.exitcode for p in processes] == [0] * 4


def _open(path: Path) -> None:
    Database(path).close()


def test_a_data_folder_has_one_owner(tmp_path: Path) -> None:
    first, second = DataFolder(tmp_path), DataFolder(tmp_path)
    first.own()
    assert first.try_own()
    assert not second.try_own()
    with pytest.raises(FolderBusy, match="in use"):
        second.own()
    first.release()
    second.own()
    second.release()


def test_the_database_is_for_its_owner_alone_even_in_an_open_folder(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    database = Database(tmp_path / "keepsake.db")
    try:
        with database.write() as connection:
            connection.execute("INSERT INTO setting VALUES ('a', 'b', 'c')")
        modes = {p.name: p.stat().st_mode & 0o777 for p in tmp_path.glob("keepsake.db*")}
        assert modes == dict.fromkeys(("keepsake.db", "keepsake.db-wal", "keepsake.db-shm"), 0o600)
    finally:
        database.close()


def test_a_thread_that_ends_leaves_nothing_open(tmp_path: Path) -> None:
    database = Database(tmp_path / "keepsake.db")
    held: list[int] = []

    def read() -> None:
        with database.snapshot() as connection:
            held.append(connection.execute("SELECT count(*) FROM chat").fetchone()[0])

    def after(count: int) -> int:
        for _ in range(count):
            thread = threading.Thread(target=read)
            thread.start()
            thread.join()
        return psutil.Process().num_fds()

    few = after(3)
    assert after(100) <= few
    assert len(held) == 103
    database.close()


def test_connections_of_threads_at_work_are_closed_with_the_database(tmp_path: Path) -> None:
    database = Database(tmp_path / "keepsake.db")
    read, closed, refused = threading.Event(), threading.Event(), []

    def work() -> None:
        connection = database.read()
        read.set()
        closed.wait(60)
        try:
            connection.execute("SELECT 1")
        except sqlite3.ProgrammingError as error:
            refused.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    read.wait(60)
    database.close()
    closed.set()
    thread.join(60)
    assert len(refused) == 1


def never(found: StorageDamaged) -> None:
    raise AssertionError(found)


def break_table(path: Path, table: str) -> None:
    """Spoil the first page of a table, in the file alone: a connection that is open finds it when it reads that page next."""
    with closing(sqlite3.connect(path)) as connection:
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xa5" * size)


@pytest.mark.parametrize(
    "read",
    [
        lambda cursor: cursor.fetchone(),
        lambda cursor: cursor.fetchmany(2),
        lambda cursor: cursor.fetchall(),
        lambda cursor: list(cursor),
    ],
)
def test_whatever_step_finds_damage_tells_of_it_and_nothing_is_written_any_more(
    chat: OpenChat, read: Callable[[sqlite3.Cursor], object]
) -> None:
    chat.say("hello", "hi", number=1)
    database, path = chat.store.database, chat.store.folder.database
    assert database.checkpoint()
    break_table(path, "receipt")
    database = Database(path)  # nothing of the page is in its memory
    with pytest.raises(StorageDamaged):
        read(database.read().execute("SELECT * FROM receipt"))
    assert database.damage is not None
    for block in (database.write, database.alone):
        with pytest.raises(StorageDamaged, match="restore FILE"), block():
            raise AssertionError
    assert database.read().execute("SELECT count(*) FROM message").fetchone()[0] == 2
    database.close()


def test_what_is_no_damage_is_raised_as_it_was(chat: OpenChat) -> None:
    with pytest.raises(sqlite3.OperationalError, match="malformed"):
        chat.store.database.read().execute("SELECT json('{')")
    with pytest.raises(sqlite3.OperationalError):
        chat.store.database.read().execute("SELECT * FROM nothing")
    assert chat.store.database.damage is None


@pytest.mark.parametrize("table", ["message", "revision", "memory", "receipt", "setting"])
def test_a_damaged_page_is_found_and_its_table_named(tmp_path: Path, table: str) -> None:
    path = tmp_path / "keepsake.db"
    Database(path).close()
    assert page_fault(path) == ""
    check_pages(path, later=never).join()
    break_table(path, table)
    with pytest.raises(StorageDamaged, match=f"table {table}: .*restore FILE"):
        check_pages(path, later=never)


def test_a_large_database_is_looked_over_beside_the_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    go_on = threading.Event()

    def slow(path: Path) -> str:
        go_on.wait(60)
        return "table message: broken"

    monkeypatch.setattr("storage.checking.page_fault", slow)
    told: list[StorageDamaged] = []
    looking = check_pages(tmp_path / "keepsake.db", later=told.append, waited_s=0.01)
    assert looking.is_alive(), "the start goes on"
    go_on.set()
    looking.join(60)
    assert [one.params["reason"] for one in told] == ["table message: broken"]


def test_where_there_is_no_database_yet_nothing_is_damaged(tmp_path: Path) -> None:
    check_pages(tmp_path / "keepsake.db", later=never).join()
    assert not (tmp_path / "keepsake.db").exists()
