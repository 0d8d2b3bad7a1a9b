"""SQLite: one writer at a time, a reader per thread, durable commits.

`write()` is the only way to change anything: it serialises writers of this process by a lock and those of other processes by BEGIN IMMEDIATE
with a busy timeout. Readers never wait for it (WAL).

Where nothing can be written, on a full disk or in a folder for reading only, an existing database is opened for reading. Each `write()` tries again.

Where any statement finds the file damaged, what can be read is read on, and nothing is written any more: a backup that is brought back would not have it.
"""

from __future__ import annotations

import contextlib
import logging
import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from weakref import WeakSet, ref

from errors import KeepsakeError
from metrics import LAST_FAILURE
from storage.errors import StorageDamaged, StorageFull, StorageReadOnly, storage_error
from storage.migrations import applied_to, known, migrate

log = logging.getLogger(__name__)

BUSY_TIMEOUT_MS = 15_000
"""Longest wait for another process's transaction; ours take milliseconds, an import's batch below a second."""

READER_CACHE_KIB = 512
"""Of the file that each reading thread keeps by itself. There are dozens of them, the system keeps the file too, and SQLite's 2,000 each filled up for a quarter
of an hour: with 20 players memory grew by 57 kB a round, and by half of that so."""


def _make_private(path: Path) -> None:
    """The file for its owner's eyes alone, also in a folder that others may enter; SQLite gives its log the same mode."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    with contextlib.suppress(PermissionError):
        path.chmod(0o600)


@contextmanager
def left_for_later() -> Iterator[None]:
    """Leave a write of the program's own, which a later start or look makes up for, where nothing can be written."""
    try:
        yield
    except (StorageFull, StorageReadOnly, StorageDamaged) as error:
        log.debug("left for later: %s", error)


_DAMAGE = frozenset((sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB))


class _Cursor(sqlite3.Cursor):
    """Tells of damage whichever step finds it. Raises StorageDamaged then."""

    connection: _Connection

    @contextmanager
    def _looked_at(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.DatabaseError as error:
            if (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF not in _DAMAGE:
                raise
            raise self.connection.damaged(error) from error

    def execute(self, *given: Any) -> _Cursor:
        with self._looked_at():
            super().execute(*given)
        return self

    def executemany(self, *given: Any) -> _Cursor:
        with self._looked_at():
            super().executemany(*given)
        return self

    def fetchone(self) -> Any:
        with self._looked_at():
            return super().fetchone()

    def fetchmany(self, *given: Any) -> list[Any]:
        with self._looked_at():
            return super().fetchmany(*given)

    def fetchall(self) -> list[Any]:
        with self._looked_at():
            return super().fetchall()

    def __iter__(self) -> Iterator[Any]:  # type: ignore[override]
        with self._looked_at():
            yield from iter(super().__next__, None)  # a row is never None; a cursor is its own iterator, and would come back here


class _Connection(sqlite3.Connection):
    """One that may be known without being kept. damaged: what an error that tells of damage is raised as."""

    damaged: Callable[[sqlite3.Error], KeepsakeError]

    def cursor(self, *_: Any) -> _Cursor:  # type: ignore[override]
        return super().cursor(_Cursor)

    def execute(self, *given: Any) -> _Cursor:
        return self.cursor().execute(*given)

    def executemany(self, *given: Any) -> _Cursor:
        return self.cursor().executemany(*given)


class _Reader:
    """A thread's connection, closed when the thread ends: left to itself a connection stays open until the garbage collector finds it, which is seldom."""

    def __init__(self, connection: sqlite3.Connection, edition: int) -> None:
        self.connection = connection
        self.edition = edition

    def __del__(self) -> None:
        self.connection.close()


class Database:
    """path: the database file; created and migrated when opened. Raises StorageFull or StorageReadOnly where nothing can be written and there is no database of
    today's schema to read.

    durable: False trades the last commits of a power loss for speed (benches and property tests only).
    """

    def __init__(self, path: Path, *, durable: bool = True) -> None:
        self.path = path
        self._durable = durable
        self._writing = threading.RLock()
        self._local = threading.local()
        self._open: WeakSet[sqlite3.Connection] = WeakSet()
        self._registry = threading.Lock()
        self._closed = False
        self._writer: sqlite3.Connection | None = None
        self._reading = path.as_uri()
        """How readers open the file."""
        self._edition = 0
        """Goes up when those that are open are to be opened anew."""
        self.trouble: KeepsakeError | None = None
        """StorageFull or StorageReadOnly from the first write that failed so until one succeeds again."""
        self.damage: StorageDamaged | None = None
        """From when the file was first found damaged until the end."""
        try:
            self._open_to_write()
        except (sqlite3.Error, OSError) as error:
            self._open_to_read(self._why_not(error))

    def _open_to_write(self) -> None:
        _make_private(self.path)
        writer = self._connect(self.path.as_uri(), read_only=False)
        try:
            migrate(writer, self.path)
            if self.trouble is not None:  # SQLite finds out no sooner than this
                writer.execute("BEGIN IMMEDIATE")
                writer.execute("ROLLBACK")
        except BaseException:
            writer.close()
            raise
        self._writer, self._reading = writer, self.path.as_uri()
        self._edition += 1

    def _open_to_read(self, trouble: KeepsakeError) -> None:
        """Readers alone, as far as the disk allows. Raises `trouble` if that is of another kind or there is nothing to read."""
        if not isinstance(trouble, (StorageFull, StorageReadOnly)) or not self.path.exists() or self.path.stat().st_size == 0:
            raise trouble
        wal = self.path.with_name(f"{self.path.name}-wal")
        ways = ["mode=ro"]
        if not (wal.exists() and wal.stat().st_size):
            ways.append("immutable=1")  # SQLite reads the file alone and no log: there is none, and the folder's owner is who would write
        for way in ways:
            self._reading = f"{self.path.as_uri()}?{way}"
            try:
                connection = self._connect(self._reading, read_only=True)
                applied = applied_to(connection)
                connection.close()
            except (sqlite3.Error, OSError):
                continue
            if any(name not in applied for name in known()):
                raise type(trouble)(
                    f"The data folder {self.path.parent} was written by an older Keepsake and must be brought up to date before it can be opened, which "
                    f"needs {'room on its disk, which is full' if isinstance(trouble, StorageFull) else 'it to be writable, which it is not'}. Nothing was "
                    "changed. Mend that and start again, or start the older version."
                )
            log.warning("%s Until then what is there can be read.", trouble)
            self.trouble = trouble
            return
        raise trouble

    def _why_not(self, error: sqlite3.Error | OSError) -> KeepsakeError:
        """What a failed write means: SQLite says of a folder for reading only that it cannot open its log."""
        found = storage_error(error)
        if not isinstance(found, (StorageFull, StorageReadOnly)) and isinstance(error, sqlite3.OperationalError):
            try:
                os.close(os.open(self.path, os.O_RDWR))
            except OSError as reason:
                return storage_error(reason)
        return found

    def _connect(self, uri: str, *, read_only: bool) -> sqlite3.Connection:
        connection = sqlite3.connect(
            uri, uri=True, timeout=BUSY_TIMEOUT_MS / 1000, isolation_level=None, check_same_thread=False, factory=_Connection
        )
        connection.damaged = self._damaged
        try:
            connection.row_factory = sqlite3.Row
            connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
            connection.execute("PRAGMA foreign_keys = ON")
            if read_only:
                connection.execute("PRAGMA query_only = ON")
                connection.execute(f"PRAGMA cache_size = -{READER_CACHE_KIB}")
            else:
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute(f"PRAGMA synchronous = {'FULL' if self._durable else 'OFF'}")
                connection.execute("PRAGMA secure_delete = ON")
        except BaseException:
            connection.close()
            raise
        with self._registry:
            self._open.add(connection)
        return connection

    def _damaged(self, error: sqlite3.Error) -> KeepsakeError:
        found = storage_error(error)
        # A file that is read without its log may be written by another process meanwhile.
        if isinstance(found, StorageDamaged) and "immutable=1" not in self._reading:
            self.note_damage(found)
        return found

    def note_damage(self, found: StorageDamaged) -> None:
        """The file is damaged: from here on nothing is written, and whoever asks is told."""
        if self.damage is None:
            log.error("%s Nothing is written any more.", found)
            self.damage = StorageDamaged(str(found), **found.params)  # never raised itself, as `trouble`
        LAST_FAILURE.note(self.damage)

    def _whole(self) -> None:
        """Raises StorageDamaged where the file is not."""
        if self.damage is not None:
            raise StorageDamaged(str(self.damage), **self.damage.params)

    def read(self) -> sqlite3.Connection:
        """This thread's read-only connection; it is closed when the thread ends."""
        if self._closed:
            raise sqlite3.ProgrammingError("the database is closed")
        if self._reading.endswith("?mode=ro"):
            return self._passing()
        reader: _Reader | None = getattr(self._local, "reader", None)
        if reader is None or (reader.edition != self._edition and not reader.connection.in_transaction):
            self._local.former = reader  # something may still be reading from it
            edition = self._edition
            reader = self._local.reader = _Reader(self._connect(self._reading, read_only=True), edition)
        return reader.connection

    def _passing(self) -> sqlite3.Connection:
        """This thread's connection, closed as soon as nobody holds it: all of a process share SQLite's index of its log, which is for reading only for as long as
        any of those is open that found it so."""
        known: ref[sqlite3.Connection] | None = getattr(self._local, "passing", None)
        connection = known() if known is not None else None
        if connection is None:
            connection = self._connect(self._reading, read_only=True)
            self._local.passing = ref(connection)
        return connection

    @contextmanager
    def snapshot(self) -> Iterator[sqlite3.Connection]:
        """Several reads that see one state of the database."""
        connection = self.read()
        if connection.in_transaction:
            yield connection
            return
        connection.execute("BEGIN")
        try:
            yield connection
        finally:
            connection.execute("COMMIT")

    @contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """One transaction: all of it is durable when the block ends, or none of it happened.

        Nested use joins the outer transaction. Raises StorageFull, StorageReadOnly, StorageDamaged or StorageFailed with the state rolled back.
        """
        with self._writing:
            if self._writer is not None and self._writer.in_transaction:
                yield self._writer
                return
            self._whole()
            try:
                writer = self._able_to_write()
                changes = writer.total_changes
                writer.execute("BEGIN IMMEDIATE")
                try:
                    yield writer
                    writer.execute("COMMIT")
                except BaseException:
                    # A full disk may already have rolled back by itself.
                    if writer.in_transaction:
                        writer.execute("ROLLBACK")
                    raise
                if writer.total_changes > changes:
                    self.trouble = None
            except sqlite3.IntegrityError:
                raise
            except sqlite3.Error as error:
                raise self._noted(error) from error

    def _able_to_write(self) -> sqlite3.Connection:
        """The writer; opened now if it could not be before. Raises StorageFull or StorageReadOnly if it still cannot."""
        if self._writer is None:
            try:
                self._open_to_write()
            except (sqlite3.Error, OSError) as error:
                raise self._noted(error) from error
        assert self._writer is not None
        return self._writer

    def _noted(self, error: sqlite3.Error | OSError) -> KeepsakeError:
        found = self._why_not(error)
        if isinstance(found, (StorageFull, StorageReadOnly)):
            if self.trouble is None:
                log.warning("%s", found)
            self.trouble = type(found)(str(found))  # never raised itself: what is keeps alive all that was at work
        return found

    def try_to_write(self) -> None:
        """Find out whether anything can be written now; `trouble` says afterwards. Changes nothing. Raises StorageFull, StorageReadOnly or StorageFailed."""
        with self.write() as connection:
            (number,) = connection.execute("PRAGMA user_version").fetchone()
            connection.execute(f"PRAGMA user_version = {int(number)}")  # writes a page, as it is
        self.trouble = None

    @contextmanager
    def alone(self) -> Iterator[sqlite3.Connection]:
        """A connection of its own for upkeep, while no other writer of this process is at work; it is in no transaction.

        Foreign keys are not enforced on it: to delete a chat row by row, each row's referrers would be looked for in whole tables. Whoever deletes
        through it deletes the referrers too (`storage.erasing`). Raises StorageFull or StorageFailed, with the open transaction rolled back.
        """
        with self._writing:
            self._whole()
            if self._able_to_write().in_transaction:
                raise RuntimeError("upkeep begins outside a transaction")
            connection = self._connect(self.path.as_uri(), read_only=False)
            try:
                connection.execute("PRAGMA foreign_keys = OFF")
                yield connection
            except sqlite3.Error as error:
                raise self._noted(error) from error
            finally:
                connection.close()  # rolls back what was not committed

    def checkpoint(self) -> bool:
        """Fold the write-ahead log into the database file and empty it; False if a reader was in the way, or nothing can be written."""
        with self._writing:
            if self._writer is None:
                return False
            (busy, *_) = self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return not busy

    def close(self) -> None:
        """Close every connection; a thread still reading gets an error, so stop the threads first."""
        with self._writing, self._registry:
            self._closed = True
            for connection in list(self._open):
                connection.close()
            self._open.clear()
