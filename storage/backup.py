"""Backups of the database: made while the app runs, checked, rotated; and one brought back.

Only SQLite is backed up: the index is rebuilt from it. A backup holds everything that was ever said, so erasing reaches into backups too (`storage.erasures`).
"""

from __future__ import annotations

import contextlib
import filecmp
import logging
import os
import re
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from storage.accounts import without_logins
from storage.decisions import Tombstone, carry_tombstones, tombstones
from storage.erasures import Record, carry, records
from storage.errors import BackupUnusable, FolderBusy, NoRoom, storage_error
from storage.folder import DataFolder
from storage.migrations import acts, applied_to, strange, upgrade

log = logging.getLogger(__name__)

STEP_PAGES = 512
STEP_PAUSE_S = 0.002
"""Two megabytes at a time, so that whoever answers meanwhile gets the processor and the disk in between."""
RESERVE_BYTES = 256 * 2**20
"""Left free on the disk by a backup: conversations must go on."""
_NAME = re.compile(r"keepsake-(\d{8}-\d{6})\.db")


@dataclass(frozen=True)
class Backup:
    path: Path
    made_at: datetime
    bytes: int


@dataclass(frozen=True)
class Restored:
    aside: Path | None
    """Where the database that was there is kept; None if there was none."""
    erased: int
    """Erasures made since the backup, repeated on it."""


class Backups:
    """keep: how many are kept, at least one."""

    def __init__(self, folder: DataFolder, *, keep: int) -> None:
        self._folder = folder
        self._keep = keep

    def all(self) -> list[Backup]:
        """Newest first."""
        found = []
        for path in self._folder.backups.glob("*.db"):
            named = _NAME.fullmatch(path.name)
            if named:
                found.append(Backup(path, datetime.strptime(named[1], "%Y%m%d-%H%M%S").replace(tzinfo=UTC), path.stat().st_size))
        return sorted(found, key=lambda b: b.made_at, reverse=True)

    def due(self, every: timedelta) -> bool:
        """Whether the newest backup was made, or found to be still true, longer ago than this."""
        newest = self.all()[:1]
        return not newest or time.time() - newest[0].path.stat().st_mtime >= every.total_seconds()

    def make(self, *, rotate: bool = True, on_progress: Callable[[int, int], None] = lambda done, total: None) -> Backup | None:
        """A new backup, or None if the newest one says the same. on_progress: pages copied, pages in all.

        Raises NoRoom before anything is written, BackupUnusable if the copy is not sound (the database is damaged then), StorageFull or StorageFailed.
        """
        try:
            with self._folder.copying(), self._part() as part:
                self._check_room()
                _copy(self._folder.database, part, on_progress)
                _log_out(part)
                newest = self.all()[:1]
                if newest and filecmp.cmp(part, newest[0].path, shallow=False):
                    os.utime(newest[0].path)
                    return None
                made = self._keep_as_backup(part)
                if rotate:
                    for old in self.all()[self._keep :]:
                        old.path.unlink()
                return made
        except (sqlite3.Error, OSError) as error:
            raise storage_error(error) from error

    @contextlib.contextmanager
    def _part(self) -> Iterator[Path]:
        """A file only the owner may read, gone in the end unless it was renamed."""
        self._folder.backups.mkdir(exist_ok=True, mode=0o700)
        part = self._folder.backups / "keepsake.part"
        _fresh(part)
        try:
            yield part
        finally:
            part.unlink(missing_ok=True)

    def _check_room(self) -> None:
        wanted = sum(p.stat().st_size for p in self._folder.root.glob("keepsake.db*") if p.suffix in (".db", ".db-wal"))
        free = shutil.disk_usage(self._folder.backups).free
        if free - wanted < RESERVE_BYTES:
            raise NoRoom(
                f"No backup was made: it needs {wanted // 2**20 + 1} MB and {RESERVE_BYTES // 2**20} MB are to stay free, but the disk has "
                f"{free // 2**20} MB. Older backups are kept; free some space.",
                needed=wanted,
                free=free,
            )

    def _keep_as_backup(self, part: Path) -> Backup:
        newest = max((b.made_at for b in self.all()), default=datetime.min.replace(tzinfo=UTC))
        at = max(
            datetime.now(UTC).replace(microsecond=0), newest + timedelta(seconds=1)
        )  # the names tell the order, whatever the clock does
        path = self._folder.backups / f"keepsake-{at:%Y%m%d-%H%M%S}.db"
        os.replace(part, path)
        _sync(self._folder.backups)
        return Backup(path, at, path.stat().st_size)

    def restore(self, file: Path) -> Restored:
        """Make a backup the database. The folder must be owned; at every moment of it the folder holds the old database or the new one, whole.

        The index is removed: the next start builds it again from the vectors in the database. Raises BackupUnusable or FolderTooNew with nothing changed.
        """
        staged = self._folder.restoring
        try:
            if not file.is_file():
                raise BackupUnusable(f"{file} is not a file. Nothing was changed.", file=str(file))
            _fresh(staged)
            try:
                _copy(file, staged)
                erased = self._bring_up(staged, file)
            except sqlite3.DatabaseError as error:
                if any(word in str(error) for word in ("disk", "full", "locked")):
                    raise
                raise _unusable(file, str(error)) from error
            aside = self._set_aside()
            shutil.rmtree(self._folder.index, ignore_errors=True)
            self._retire_log()
            os.replace(staged, self._folder.database)
            _sync(self._folder.root)
            return Restored(aside, erased)
        except (sqlite3.Error, OSError) as error:
            raise storage_error(error) from error
        finally:
            staged.unlink(missing_ok=True)

    def _bring_up(self, staged: Path, file: Path) -> int:
        """Bring a staged backup to today's schema and erase from it what was erased since; how many erasures found something."""
        with closing(sqlite3.connect(staged, isolation_level=None)) as connection:
            if not applied_to(connection):
                raise BackupUnusable(f"{file} is not a backup of Keepsake. Nothing was changed.", file=str(file))
            # Before anything is written: a trigger would act then.
            if found := acts(connection):
                raise _unusable(file, f"it holds the {found}, which Keepsake did not make")
            upgrade(connection)
            if found := strange(connection):
                raise _unusable(file, f"its {found} is not as Keepsake made it")
            connection.execute("PRAGMA secure_delete = ON")
            connection.execute("PRAGMA foreign_keys = OFF")
            connection.execute("BEGIN IMMEDIATE")
            known, decided = self._erased()
            erased = carry(connection, known)
            carry_tombstones(connection, decided)
            without_logins(connection)
            connection.execute("COMMIT")
            if erased:
                connection.execute("VACUUM")
            connection.execute("PRAGMA journal_mode = DELETE")
        return erased

    def _erased(self) -> tuple[list[Record], list[Tombstone]]:
        """Every erasure of the present database, and what must not be derived again; none where it cannot tell."""
        if not self._folder.database.exists():
            return [], []
        with closing(sqlite3.connect(self._folder.database)) as connection, contextlib.suppress(sqlite3.Error):
            return records(connection), tombstones(connection)
        return [], []

    def _set_aside(self) -> Path | None:
        """Keep the present database as a backup; a damaged one as it is, under a name of its own."""
        if not self._folder.database.exists():
            return None
        try:
            made = self.make(rotate=False)
            return made.path if made else self.all()[0].path
        except BackupUnusable:
            at = datetime.now(UTC)
            kept = self._folder.backups / f"damaged-{at:%Y%m%d-%H%M%S}.db"
            shutil.copy2(self._folder.database, kept)
            kept.chmod(0o600)
            return kept

    def _retire_log(self) -> None:
        """Empty the present database's write-ahead log and remove it: found beside another database, it would be taken for that one's."""
        database = self._folder.database
        if database.exists():
            try:
                with closing(sqlite3.connect(database, isolation_level=None)) as connection:
                    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                    connection.execute("PRAGMA journal_mode = DELETE")
            except sqlite3.OperationalError as error:
                if "locked" in str(error):
                    raise FolderBusy(
                        f"The database in {self._folder.root} is in use, by an import perhaps. Nothing was changed; wait until it has ended.",
                        folder=str(self._folder.root),
                        process="import",
                    ) from error
                log.warning("the present database is damaged; its write-ahead log is removed with it")
            except sqlite3.DatabaseError:
                log.warning("the present database is damaged; its write-ahead log is removed with it")
        for suffix in ("-wal", "-shm", "-journal"):
            database.with_name(database.name + suffix).unlink(missing_ok=True)


def _unusable(file: Path, reason: str) -> BackupUnusable:
    return BackupUnusable(f"{file} is not a backup of Keepsake as it was made: {reason}. Nothing was changed.", file=str(file))


def _fresh(path: Path) -> None:
    """An empty file only the owner may read. What a killed process left beside it would be taken for its log."""
    for suffix in ("", "-journal", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def sound(path: Path) -> bool:
    """Whether a file is a database whose pages are in order."""
    try:
        with closing(sqlite3.connect(path)) as connection:
            return bool(connection.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok")
    except sqlite3.DatabaseError:
        return False


def _copy(source_path: Path, target: Path, on_progress: Callable[[int, int], None] = lambda done, total: None) -> None:
    """Copy a database as it is now, in steps, into one file without a log, and check the copy. Raises BackupUnusable."""

    def step(_status: int, remaining: int, total: int) -> None:
        on_progress(total - remaining, total)
        time.sleep(STEP_PAUSE_S)

    try:
        with (
            closing(sqlite3.connect(source_path, timeout=15.0, isolation_level=None)) as source,
            closing(sqlite3.connect(target, isolation_level=None)) as copy,
        ):
            source.execute("PRAGMA query_only = ON")
            # One state throughout: without an open transaction a copy begins anew whenever somebody writes.
            source.execute("BEGIN")
            source.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone()
            source.backup(copy, pages=STEP_PAGES, progress=step)
            copy.execute("PRAGMA journal_mode = DELETE")
            faults = [row[0] for row in copy.execute("PRAGMA quick_check(3)")]
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError as error:
        raise BackupUnusable(f"{source_path} is no sound database ({error}). Nothing was changed.", file=str(source_path)) from error
    if faults != ["ok"]:
        raise BackupUnusable(f"{source_path} is no sound database ({faults[0]}). Nothing was changed.", file=str(source_path))


def _log_out(copy: Path) -> None:
    with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute("BEGIN IMMEDIATE")
        without_logins(connection)
        connection.execute("COMMIT")


def _sync(folder: Path) -> None:
    """Make a rename durable, where a folder can be opened for that."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
