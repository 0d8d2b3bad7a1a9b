"""Backups: whole, private, few, in nobody's way; and the way back."""

from __future__ import annotations

import shutil
import sqlite3
import time
from collections import namedtuple
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from storage import backup as module
from storage.__main__ import main
from storage.backup import Backups, sound
from storage.checking import check
from storage.errors import BackupUnusable, FolderBusy, FolderTooNew, NoRoom, StorageFull
from storage.folder import DataFolder
from storage.scope import LOCAL_USER
from storage.store import Store
from tests.conftest import OpenChat, open_chat
from tests.storage.kills import killed_at
from tests.storage.lived_in import live, traces


@pytest.fixture
def backups(store: Store) -> Backups:
    return Backups(store.folder, keep=3)


def texts(database: Path) -> list[str]:
    with closing(sqlite3.connect(database)) as connection:
        return [row[0] for row in connection.execute("SELECT text FROM revision ORDER BY text")]


def test_a_backup_is_whole_private_and_one_file(chat: OpenChat, backups: Backups) -> None:
    chat.say("hello", "hi", number=1)
    made = backups.make()
    assert made is not None
    assert made.path.stat().st_mode & 0o777 == 0o600
    assert sound(made.path)
    assert texts(made.path) == ["hello", "hi"]
    assert [p.name for p in made.path.parent.iterdir()] == [made.path.name]
    assert made.path.name == f"keepsake-{made.made_at:%Y%m%d-%H%M%S}.db"


def test_none_is_made_when_nothing_changed_and_it_counts_as_fresh(chat: OpenChat, backups: Backups) -> None:
    chat.say("hello", number=1)
    made = backups.make()
    assert made is not None
    assert not backups.due(timedelta(hours=1))
    old = time.time() - 7200
    import os

    os.utime(made.path, (old, old))
    assert backups.due(timedelta(hours=1))
    assert backups.make() is None
    assert not backups.due(timedelta(hours=1))
    chat.say("more", number=2)
    assert backups.make() is not None
    assert len(backups.all()) == 2


def test_only_the_newest_are_kept(chat: OpenChat, backups: Backups) -> None:
    for number in range(5):
        chat.say(f"line {number}", number=number)
        assert backups.make()
    assert len(backups.all()) == 3
    assert texts(backups.all()[0].path)[-1] == "line 4"
    assert [b.made_at for b in backups.all()] == sorted((b.made_at for b in backups.all()), reverse=True)


def test_a_disk_with_little_room_gets_none(chat: OpenChat, backups: Backups, monkeypatch: pytest.MonkeyPatch) -> None:
    chat.say("hello", number=1)
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage(10**12, 10**12, module.RESERVE_BYTES))
    with pytest.raises(NoRoom, match="free some space"):
        backups.make()
    assert list(backups._folder.backups.iterdir()) == []


def test_a_disk_that_fills_up_midway_leaves_nothing_behind(chat: OpenChat, backups: Backups, monkeypatch: pytest.MonkeyPatch) -> None:
    chat.say("hello", number=1)

    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(module, "_copy", full)
    with pytest.raises(StorageFull):
        backups.make()
    assert list(backups._folder.backups.iterdir()) == []


def test_writers_are_not_held_up_and_the_backup_shows_one_moment(chat: OpenChat, backups: Backups, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(60):
        chat.say("x" * 20_000, number=number)
    monkeypatch.setattr(module, "STEP_PAGES", 16)
    written = []

    def write(done: int, total: int) -> None:
        if len(written) < 20:
            chat.say("meanwhile", number=1000 + len(written))
            written.append((done, total))

    made = backups.make(on_progress=write)
    assert made is not None
    assert len(written) == 20, "each of them between two steps of the backup"
    with closing(sqlite3.connect(made.path)) as copy:
        assert copy.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert copy.execute("SELECT count(*) FROM message").fetchone()[0] == 60


def test_a_restored_backup_is_the_database_and_the_other_is_kept(tmp_path: Path) -> None:
    store = Store(DataFolder(tmp_path))
    store.chats.ensure_user(LOCAL_USER, "")
    store.chats.ensure_character("c1", user_id=None, name="Mara", language="en", card={}, persona={}, stances=[])
    chat = open_chat(store)
    chat.say("first", number=1)
    backups = Backups(store.folder, keep=1)
    made = backups.make()
    assert made is not None
    chat.say("second", number=2)
    store.folder.index.mkdir()
    (store.folder.index / "chroma.sqlite3").write_bytes(b"of the other database")
    folder = DataFolder(tmp_path)
    folder.own()
    with pytest.raises(FolderBusy, match="in use"):
        Backups(folder, keep=1).restore(made.path)
    assert texts(store.folder.database) == ["first", "second"]
    store.close()
    restored = Backups(folder, keep=1).restore(made.path)
    assert texts(folder.database) == ["first"]
    assert restored.aside is not None
    assert texts(restored.aside) == ["first", "second"]
    assert made.path.exists()
    assert not folder.index.exists()
    assert sorted(p.name for p in tmp_path.glob("keepsake.db*")) == ["keepsake.db"]
    back = Store(folder)
    OpenChat(back, chat.scope, chat.branch_id).say("third", number=3)
    assert [m.text for m in back.chats.path(chat.scope, chat.branch_id, limit=9)] == ["third", "first"]
    back.close()


def test_what_is_no_backup_is_refused_and_nothing_is_changed(chat: OpenChat, backups: Backups, tmp_path: Path) -> None:
    chat.say("hello", number=1)
    store = chat.store
    made = backups.make()
    assert made is not None
    store.close()
    before = store.folder.database.read_bytes()
    text, strange, newer, torn = (tmp_path / name for name in ("text", "strange", "newer", "torn"))
    text.write_text("hello, I am a letter", encoding="utf-8")
    with closing(sqlite3.connect(strange)) as connection:
        connection.execute("CREATE TABLE t (a)")
    shutil.copy(made.path, newer)
    with closing(sqlite3.connect(newer)) as connection:
        connection.execute("INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('keepsake', 'm999_future', 'now')")
        connection.commit()
    content = bytearray(made.path.read_bytes())
    content[4096 * 3 : 4096 * 9] = b"\xff" * 4096 * 6
    torn.write_bytes(bytes(content))
    store.folder.own()
    for file, error in ((text, BackupUnusable), (strange, BackupUnusable), (newer, FolderTooNew), (torn, BackupUnusable)):
        with pytest.raises(error, match="Nothing was changed"):
            backups.restore(file)
    with pytest.raises(BackupUnusable, match="not a file"):
        backups.restore(tmp_path / "missing")
    assert store.folder.database.read_bytes() == before
    assert not store.folder.restoring.exists()
    store.folder.release()


def test_a_damaged_database_is_set_aside_and_replaced(chat: OpenChat, backups: Backups) -> None:
    chat.say("hello", number=1)
    made = backups.make()
    assert made is not None
    folder = chat.store.folder
    chat.store.close()
    folder.database.write_bytes(b"SQLite format 3\x00" + b"\x00" * 5000)
    folder.own()
    restored = backups.restore(made.path)
    assert restored.aside is not None
    assert restored.aside.name.startswith("damaged-")
    assert texts(folder.database) == ["hello"]
    folder.release()


def test_what_was_erased_since_a_backup_is_erased_from_it_too(store: Store, backups: Backups, tmp_path: Path) -> None:
    chat, other = open_chat(store), open_chat(store)
    live(chat, "The heliotrope locker code.")
    live(other, "The ferry at dawn.")
    made = backups.make()
    assert made is not None
    elsewhere = tmp_path / "carried-away.db"
    shutil.copy(made.path, elsewhere)
    store.erasures.chat(LOCAL_USER, chat.scope.chat_id)
    store.erasures.finish()
    store.close()
    store.folder.own()
    restored = backups.restore(elsewhere)
    assert restored.erased == 1
    assert traces(store.folder.root, "heliotrope") == []
    assert "The ferry at dawn." in texts(store.folder.database)
    store.folder.release()


@pytest.mark.long
@pytest.mark.parametrize("apart", [3, 1])
def test_killed_anywhere_a_restore_leaves_the_old_or_the_new_database_whole(tmp_path: Path, apart: int) -> None:
    """Every line of it, or every third, in a process that dies there."""
    root = tmp_path / "data"
    store = Store(DataFolder(root))
    store.chats.ensure_user(LOCAL_USER, "")
    store.chats.ensure_character("c1", user_id=None, name="Mara", language="en", card={}, persona={}, stances=[])
    chat = open_chat(store)
    chat.say("old", number=1)
    made = Backups(store.folder, keep=3).make()
    assert made is not None
    chat.say("only in the new one", number=2)
    store.close()
    outcomes = set()
    step = 1
    while True:
        work = tmp_path / f"at-{step}"
        shutil.copytree(root, work)

        def restore(work: Path = work) -> None:
            folder = DataFolder(work)
            folder.own()
            Backups(folder, keep=3).restore(work / "backups" / made.path.name)

        killed = killed_at(step, ("storage/backup.py",), restore)
        folder = DataFolder(work)
        folder.own()
        assert not folder.restoring.exists()
        again = Store(folder)
        said = texts(folder.database)
        assert said in (["old"], ["old", "only in the new one"]), step
        assert [f for f in check(folder) if f.fault] == [], step
        again.close()
        folder.release()
        outcomes.add(len(said))
        shutil.rmtree(work)
        if not killed:
            break
        step += apart
    assert outcomes == {1, 2}
    assert step > 60


def test_the_command_backs_up_lists_checks_and_restores(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("KEEPSAKE_DATA_DIR", str(tmp_path))
    store = Store(DataFolder(tmp_path))
    store.chats.ensure_user(LOCAL_USER, "")
    store.chats.ensure_character("c1", user_id=None, name="Mara", language="en", card={}, persona={}, stances=[])
    chat = open_chat(store)
    live(chat, "first")
    assert main(["backup"]) == 0
    assert main(["backup"]) == 0
    assert "Nothing changed" in capsys.readouterr().out
    (made,) = Backups(store.folder, keep=1).all()
    assert main(["backups"]) == 0
    assert made.path.name in capsys.readouterr().out
    assert main(["check"]) == 0
    assert "FAULT" not in capsys.readouterr().out
    store.folder.own()
    assert main(["restore", made.path.name]) == 1
    assert "in use" in capsys.readouterr().err
    store.folder.release()
    store.close()
    assert main(["restore", made.path.name]) == 0
    assert "is the database now" in capsys.readouterr().out
    with closing(sqlite3.connect(store.folder.database)) as connection:
        connection.execute("UPDATE revision SET text = text || '!'")
        connection.execute("DELETE FROM memory_fts")
        connection.execute("INSERT INTO session VALUES ('s', 'nowhere', 'nothing', 0, 'idle')")
        connection.commit()
    assert main(["check"]) == 1
    out = capsys.readouterr().out
    for what in ("wordings", "word index", "references"):
        assert f"FAULT  {what}" in out
