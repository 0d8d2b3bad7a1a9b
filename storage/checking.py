"""Looking over a data folder: whether what must agree agrees. Changes nothing, migrates nothing."""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from storage.backup import sound
from storage.errors import FolderTooNew, StorageDamaged
from storage.folder import DataFolder
from storage.index import IndexFailed, contents
from storage.migrations import applied_to, known
from storage.records import sha256

log = logging.getLogger(__name__)
WAITED_S = 10.0
"""So long a start waits for the pages to be looked over; some gigabytes. Of what is larger the rest is looked over beside it."""


def check_pages(path: Path, *, later: Callable[[StorageDamaged], object], waited_s: float = WAITED_S) -> threading.Thread:
    """Look over every page of the database; the thread that does it, which may still be at it. Raises StorageDamaged, which names the table.

    later: told what is found when the program is open already.
    """
    found: list[str] = []
    late = threading.Event()

    def look() -> None:
        found.append(page_fault(path))
        if found[0] and late.is_set():
            later(_damaged(found[0]))

    looking = threading.Thread(target=look, name="page-check", daemon=True)
    looking.start()
    looking.join(waited_s)
    late.set()
    if found and found[0]:
        raise _damaged(found[0])
    if looking.is_alive():
        log.info("the database is large: its pages are still looked over while the program runs")
    return looking


def _damaged(fault: str) -> StorageDamaged:
    return StorageDamaged(
        f"The database is damaged ({fault}). Nothing was changed. `python -m storage backups` lists the copies that were made of it, and "
        "`python -m storage restore FILE` brings one back.",
        reason=fault,
    )


def page_fault(path: Path) -> str:
    """The first table with a page that is not as SQLite wrote it, and what is wrong with it; empty if all are in order, or there is no database."""
    if not path.exists() or path.stat().st_size == 0:
        return ""
    table = ""
    try:
        with closing(sqlite3.connect(path, timeout=15.0, isolation_level=None)) as connection:
            for (table,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0").fetchall():
                quoted = table.replace('"', '""')
                fault = str(connection.execute(f'PRAGMA quick_check("{quoted}")').fetchone()[0])
                if fault != "ok":
                    return f"table {table}: {' '.join(fault.replace('*** in database main ***', '').split())}"
    except sqlite3.OperationalError:
        return ""  # it cannot be opened or read at all, which whoever opens it says
    except sqlite3.DatabaseError as error:
        return f"table {table}: {error}" if table else str(error)
    return ""


@dataclass(frozen=True)
class Finding:
    what: str
    fault: str
    """Empty where all is well."""
    note: str = ""


def check(folder: DataFolder) -> Iterator[Finding]:
    """One finding for each thing looked at. The index is looked at only if the folder can be owned: another process's Chroma must not be opened."""
    if not folder.database.exists():
        yield Finding("database", f"there is none in {folder.root}")
        return
    if folder.database.stat().st_size == 0:
        yield Finding("database", f"{folder.database} is empty")
        return
    held: set[str] | None = None
    try:
        with closing(sqlite3.connect(folder.database, timeout=15.0, isolation_level=None)) as connection:
            connection.execute("BEGIN")
            try:
                for finding in _of_database(connection):
                    yield finding
                    if finding.fault and finding.what in ("pages", "schema"):
                        return
                held = {row[0] for row in connection.execute("SELECT id FROM memory WHERE status <> 'deleted'")}
            finally:
                connection.execute("ROLLBACK")
    except sqlite3.DatabaseError as error:
        yield Finding("pages", str(error))
        return
    yield _of_index(folder, held)
    for copy in folder.copies():
        yield Finding(f"copy {copy.name}", "" if sound(copy) else "damaged", f"{copy.stat().st_size / 1e6:.1f} MB")


def _of_database(connection: sqlite3.Connection) -> Iterator[Finding]:
    faults = [row[0] for row in connection.execute("PRAGMA quick_check(5)")]
    yield Finding("pages", "" if faults == ["ok"] else "; ".join(faults))
    try:
        applied = applied_to(connection)
    except FolderTooNew as error:
        yield Finding("schema", str(error))
        return
    behind = len(known()) - len(applied)
    yield Finding(
        "schema", "" if applied else "not a database of Keepsake", f"{applied[-1] if applied else ''}, {behind} migrations to come"
    )
    dangling = [f"{row[0]} -> {row[2]}" for row in connection.execute("PRAGMA foreign_key_check")]
    yield Finding("references", f"{len(dangling)} lead nowhere, as in {dangling[0]}" if dangling else "")
    yield _of_words(connection)
    if behind == 0:
        yield _of_wordings(connection)
    yield _of_hashes(connection, "wordings", "SELECT text, sha256 FROM revision")
    yield _of_hashes(connection, "memories", "SELECT text, text_sha256 FROM memory WHERE status <> 'deleted'")
    if behind == 0:
        (waiting,) = connection.execute("SELECT count(*) FROM erasure WHERE state IN ('recorded', 'rows')").fetchone()
        yield Finding("erasures", f"{waiting} not finished; the next start of Keepsake goes on with them" if waiting else "")


def _of_words(connection: sqlite3.Connection) -> Finding:
    (rows,) = connection.execute("SELECT count(*) FROM memory_fts").fetchone()
    (missing,) = connection.execute(
        "SELECT count(*) FROM memory m WHERE m.status <> 'deleted' AND NOT EXISTS (SELECT 1 FROM memory_fts f WHERE f.rowid = m.ordinal)"
    ).fetchone()
    (surplus,) = connection.execute(
        "SELECT count(*) FROM memory_fts f LEFT JOIN memory m ON m.ordinal = f.rowid WHERE m.id IS NULL"
    ).fetchone()
    fault = f"{missing} memories are not in it, {surplus} entries have no memory" if missing or surplus else ""
    return Finding("word index", fault, f"{rows} entries")


def _of_wordings(connection: sqlite3.Connection) -> Finding:
    (rows,) = connection.execute("SELECT count(*) FROM message_fts").fetchone()
    (missing,) = connection.execute(
        """SELECT count(*) FROM revision r LEFT JOIN revision_words w ON w.revision_id = r.id
        WHERE w.ordinal IS NULL OR NOT EXISTS (SELECT 1 FROM message_fts f WHERE f.rowid = w.ordinal)"""
    ).fetchone()
    (surplus,) = connection.execute(
        "SELECT count(*) FROM message_fts f LEFT JOIN revision_words w ON w.ordinal = f.rowid WHERE w.ordinal IS NULL"
    ).fetchone()
    fault = f"{missing} wordings are not in it, {surplus} entries have no wording" if missing or surplus else ""
    return Finding("word index of messages", fault, f"{rows} entries")


def _of_hashes(connection: sqlite3.Connection, what: str, query: str) -> Finding:
    wrong = count = 0
    for text, digest in connection.execute(query):
        count += 1
        wrong += sha256(text) != digest
    return Finding(what, f"{wrong} of {count} do not have the text their hash was made of" if wrong else "", str(count))


def _of_index(folder: DataFolder, held: set[str] | None) -> Finding:
    if not folder.index.exists():
        return Finding("index", "", "none; the next start builds it")
    if not folder.try_own():
        return Finding("index", "", "not looked at: the app has it")
    try:
        collections = contents(folder.index)
    except IndexFailed as error:
        return Finding("index", str(error))
    entries = set().union(*collections.values()) if collections else set()
    orphans = entries - (held or set())
    return Finding(
        "index", f"{len(orphans)} entries have no memory; the next start removes them" if orphans else "", f"{len(entries)} entries"
    )
