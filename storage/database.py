"""SQLite: one writer at a time, a reader per thread, durable commits.

`write()` is the only way to change anything: it serialises writers of this process by a lock and those of other processes by BEGIN IMMEDIATE
with a busy timeout. Readers never wait for it (WAL).
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from weakref import WeakSet

from storage.errors import storage_error
from storage.migrations import migrate

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


class _Connection(sqlite3.Connection):
    """One that may be known without being kept."""


class _Reader:
    """A thread's connection, closed when the thread ends: left to itself a connection stays open until the garbage collector finds it, which is seldom."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def __del__(self) -> None:
        self.connection.close()


class Database:
    """path: the database file; created and migrated when opened.

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
        try:
            _make_private(path)
            self._writer = self._connect(read_only=False)
            migrate(self._writer, path)
        except (sqlite3.Error, OSError) as error:
            raise storage_error(error) from error

    def _connect(self, *, read_only: bool) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self.path, timeout=BUSY_TIMEOUT_MS / 1000, isolation_level=None, check_same_thread=False, factory=_Connection
        )
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
        with self._registry:
            self._open.add(connection)
        return connection

    def read(self) -> sqlite3.Connection:
        """This thread's read-only connection; it is closed when the thread ends."""
        if self._closed:
            raise sqlite3.ProgrammingError("the database is closed")
        reader: _Reader | None = getattr(self._local, "reader", None)
        if reader is None:
            reader = self._local.reader = _Reader(self._connect(read_only=True))
        return reader.connection

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

        Nested use joins the outer transaction. Raises StorageFull or StorageFailed with the state rolled back.
        """
        with self._writing:
            if self._in_transaction():
                yield self._writer
                return
            try:
                self._writer.execute("BEGIN IMMEDIATE")
                try:
                    yield self._writer
                    self._writer.execute("COMMIT")
                except BaseException:
                    # A full disk may already have rolled back by itself.
                    if self._in_transaction():
                        self._writer.execute("ROLLBACK")
                    raise
            except sqlite3.IntegrityError:
                raise
            except sqlite3.Error as error:
                raise storage_error(error) from error

    @contextmanager
    def alone(self) -> Iterator[sqlite3.Connection]:
        """A connection of its own for upkeep, while no other writer of this process is at work; it is in no transaction.

        Foreign keys are not enforced on it: to delete a chat row by row, each row's referrers would be looked for in whole tables. Whoever deletes
        through it deletes the referrers too (`storage.erasing`). Raises StorageFull or StorageFailed, with the open transaction rolled back.
        """
        with self._writing:
            if self._in_transaction():
                raise RuntimeError("upkeep begins outside a transaction")
            connection = self._connect(read_only=False)
            try:
                connection.execute("PRAGMA foreign_keys = OFF")
                yield connection
            except sqlite3.Error as error:
                raise storage_error(error) from error
            finally:
                connection.close()  # rolls back what was not committed

    def _in_transaction(self) -> bool:
        return self._writer.in_transaction

    def checkpoint(self) -> bool:
        """Fold the write-ahead log into the database file and empty it; False if a reader was in the way."""
        with self._writing:
            (busy, *_) = self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return not busy

    def close(self) -> None:
        """Close every connection; a thread still reading gets an error, so stop the threads first."""
        with self._writing, self._registry:
            self._closed = True
            for connection in list(self._open):
                connection.close()
            self._open.clear()
