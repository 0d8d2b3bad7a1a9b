"""Erasing for good, in an order that survives a crash and a full disk.

An erasure is first recorded (`erasure`, ids alone). Then its rows go, in one transaction; then the files are made to follow: the database is written anew
without its free pages, the write-ahead log is emptied, every backup and other copy in the folder has the same rows erased, and what cannot be erased from
is removed. Whatever is cut off is taken up again at the next start. The record stays: a backup brought back later is erased from before it becomes the database.
"""

from __future__ import annotations

import json
import logging
import shutil
import sqlite3
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from errors import KeepsakeError
from storage.database import Database
from storage.erasing import erase_account, erase_characters, erase_chat, erase_messages, erase_players, resting_on, unshown
from storage.erasing_annotation import erase_dialogues
from storage.erasing_memory import erase_memory_text
from storage.errors import CharacterNotFound, ErasureUnfinished, LorebookNotFound, NotFound, PlayerNotFound, storage_error
from storage.folder import DataFolder
from storage.lorebooks import erase_lorebooks
from storage.records import now_ms

log = logging.getLogger(__name__)

CHECKPOINT_TRIES = 3
CHECKPOINT_PAUSE_S = 0.25
"""A reader in the middle of a query holds the write-ahead log; each try waits for as long as a lock is waited for."""


@dataclass(frozen=True)
class Record:
    """What is to be erased. targets: ids by name, of what the kind needs besides user and chat."""

    id: int
    kind: str
    user_id: str
    chat_id: str
    targets: Mapping[str, Sequence[str]]
    state: str
    created_at: int
    """Milliseconds since 1970 UTC."""


@dataclass(frozen=True)
class Weight:
    """What would be erased."""

    messages: int
    branches: int
    memories: int


class Erasures:
    """Chat, account and bin are erased by their method; a memory inside its caller's transaction. All are finished by `finish`."""

    def __init__(self, folder: DataFolder, database: Database) -> None:
        self._folder = folder
        self._db = database

    def chat(self, user_id: str, chat_id: str) -> None:
        """Erase everything of a chat, in the bin or not. Raises NotFound, or ErasureUnfinished if it is recorded but could not be done yet."""
        if self._db.read().execute("SELECT 1 FROM chat WHERE id = ? AND user_id = ?", (chat_id, user_id)).fetchone() is None:
            raise NotFound("This chat does not exist or is not yours. Nothing was changed; choose one from the list.")
        self._begin("chat", user_id, chat_id, {})

    def character(self, user_id: str, character_id: str) -> None:
        """Erase a character that was removed from its user's list and that no conversation is with. Raises CharacterNotFound, or as `chat` does."""
        free = self._db.read().execute(
            """SELECT 1 FROM character k JOIN setting s ON s.scope = 'user:' || k.user_id AND s.key = 'character ' || k.id
            WHERE k.user_id = ? AND k.id = ? AND s.value ->> '$.removed_at' IS NOT NULL AND NOT EXISTS (SELECT 1 FROM chat c WHERE c.character_id = k.id)""",
            (user_id, character_id),
        )
        if free.fetchone() is None:
            raise CharacterNotFound(
                "There is no such character among those you removed, or a conversation is still with it. Nothing was erased."
            )
        self._begin("bin", user_id, "", {"characters": [character_id]})

    def player(self, user_id: str, player_id: str) -> None:
        """Erase a persona that was removed from its user's list and that no conversation has or had. Raises PlayerNotFound, or as `chat` does."""
        free = self._db.read().execute(
            """SELECT 1 FROM player_persona p WHERE p.user_id = ? AND p.id = ? AND p.removed_at IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM chat_player h WHERE h.player_id = p.id)""",
            (user_id, player_id),
        )
        if free.fetchone() is None:
            raise PlayerNotFound("There is no such persona among those you removed, or a conversation still has it. Nothing was erased.")
        self._begin("bin", user_id, "", {"players": [player_id]})

    def lorebook(self, user_id: str, book_id: str) -> None:
        """Erase a lorebook that was removed from its user's list. Raises LorebookNotFound, or as `chat` does."""
        found = self._db.read().execute(
            "SELECT 1 FROM lorebook WHERE user_id = ? AND id = ? AND removed_at IS NOT NULL", (user_id, book_id)
        )
        if found.fetchone() is None:
            raise LorebookNotFound("There is no such lorebook among those you removed. Nothing was erased.")
        self._begin("bin", user_id, "", {"lorebooks": [book_id]})

    def account(self, user_id: str) -> None:
        """Erase a user and everything of theirs. Raises as `chat` does."""
        if self._db.read().execute("SELECT 1 FROM user WHERE id = ?", (user_id,)).fetchone() is None:
            raise NotFound("There is no such user.")
        self._begin("account", user_id, "", {})

    def empty_bin(self, user_id: str, chat_id: str) -> int:
        """Erase what no branch of a chat shows any more; how many messages. Undo of that chat ends with it. Raises as `chat` does."""
        if self._db.read().execute("SELECT 1 FROM chat WHERE id = ? AND user_id = ?", (chat_id, user_id)).fetchone() is None:
            raise NotFound("This chat does not exist or is not yours. Nothing was changed; choose one from the list.")
        with self._db.snapshot() as connection:
            found = unshown(connection, chat_id)
        if any(found.values()):
            self._begin("bin", user_id, chat_id, found)
        return len(found["messages"])

    def unshown(self, user_id: str, chat_id: str) -> Weight:
        """What `empty_bin` would erase; nothing for a chat of somebody else."""
        with self._db.snapshot() as connection:
            if connection.execute("SELECT 1 FROM chat WHERE id = ? AND user_id = ?", (chat_id, user_id)).fetchone() is None:
                return Weight(0, 0, 0)
            found = unshown(connection, chat_id)
            return Weight(len(found["messages"]), len(found["branches"]), len(resting_on(connection, found["messages"])))

    def memory(self, connection: sqlite3.Connection, user_id: str, chat_id: str, memory_id: str) -> tuple[str, ...]:
        """Erase a memory's text and what rests on it, inside the caller's transaction; ids of what was erased, the memory's first. Files follow in `finish`."""
        erased = erase_memory_text(connection, chat_id, memory_id)
        if erased:
            _record(connection, "memory", user_id, chat_id, {"memories": erased}, state="rows")
        return erased

    def waiting(self) -> int:
        """Erasures whose files are not done yet: their rows are gone from the app, but the folder may still hold the texts."""
        (count,) = self._db.read().execute("SELECT count(*) FROM erasure WHERE state IN ('recorded', 'rows')").fetchone()
        return int(count)

    def _begin(self, kind: str, user_id: str, chat_id: str, targets: Mapping[str, Sequence[str]]) -> None:
        with self._db.write() as connection:
            record = _record(connection, kind, user_id, chat_id, targets, state="recorded")
        try:
            self._erase_rows(record)
        except KeepsakeError as error:
            raise ErasureUnfinished(
                f"It will be erased, but that is not done yet ({error}) The next start of Keepsake goes on with it.", reason=str(error)
            ) from error

    def _erase_rows(self, record: Record) -> None:
        with self._db.alone() as connection:
            connection.execute("BEGIN IMMEDIATE")
            apply(connection, record)
            connection.execute("UPDATE erasure SET state = 'rows' WHERE id = ?", (record.id,))
            connection.execute("COMMIT")

    def finish(self, sweep: Callable[[], object] = lambda: None) -> list[str]:
        """Do what is left of every erasure; names of copies that could not be erased from and were removed. Does nothing when nothing is left.

        sweep: removes from the index what SQLite no longer has. Raises ErasureUnfinished; what was done stays done, and the rest is done by the next call.
        """
        if not self.waiting():
            return []
        try:
            for record in records(self._db.read(), "recorded"):
                self._erase_rows(record)
            waiting = records(self._db.read(), "rows")
            sweep()
            self._write_anew()
            removed = self._scrub_copies(waiting)
            with self._db.write() as connection:
                connection.executemany("UPDATE erasure SET state = 'files' WHERE id = ?", [(r.id,) for r in waiting])
            self._empty_log()
        except (KeepsakeError, sqlite3.Error, OSError) as error:
            reason = error if isinstance(error, KeepsakeError) else storage_error(error)
            raise ErasureUnfinished(
                f"What was erased is gone from the app, but the folder may still hold traces ({reason}) The next start of Keepsake removes them.",
                reason=str(reason),
            ) from error
        return removed

    def index_awaits(self) -> int:
        """The newest erasure whose vectors Chroma's files may still hold (it marks entries deleted and keeps their bytes); 0 if there is none."""
        (newest,) = self._db.read().execute("SELECT coalesce(max(id), 0) FROM erasure WHERE state = 'files'").fetchone()
        return int(newest)

    def index_written_anew(self, newest: int) -> None:
        """The index was built from nothing after erasure `newest`."""
        with self._db.write() as connection:
            connection.execute("UPDATE erasure SET state = 'done' WHERE state = 'files' AND id <= ?", (newest,))

    def _write_anew(self) -> None:
        with self._db.alone() as connection:
            connection.execute("VACUUM")
        self._empty_log()

    def _empty_log(self) -> None:
        for _ in range(CHECKPOINT_TRIES):
            if self._db.checkpoint():
                return
            time.sleep(CHECKPOINT_PAUSE_S)
        raise sqlite3.OperationalError("the write-ahead log is in use")

    def _scrub_copies(self, waiting: Sequence[Record]) -> list[str]:
        removed = []
        with self._folder.copying():
            self._folder.clear_exports()
            for leftover in self._folder.backups.glob("*.part*"):
                leftover.unlink(missing_ok=True)
            for copy in self._folder.copies():
                if not scrub(copy, waiting):
                    copy.unlink()
                    log.warning("the copy %s could not be erased from and was removed", copy.name)
                    removed.append(copy.name)
        shutil.rmtree(self._folder.index.with_name(f"{self._folder.index.name}.damaged"), ignore_errors=True)
        return removed


def scrub(copy: Path, waiting: Sequence[Record]) -> bool:
    """Erase from a copy of the database; False if that is impossible (it is damaged, or of a schema that cannot be read). Raises StorageFull."""
    try:
        with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
            connection.execute("PRAGMA secure_delete = ON")
            connection.execute("PRAGMA foreign_keys = OFF")
            connection.execute("PRAGMA journal_mode = DELETE")
            connection.execute("BEGIN IMMEDIATE")
            touched = [apply(connection, record) for record in _unknown_to(connection, waiting)]
            connection.execute("COMMIT")
            if any(touched):
                connection.execute("VACUUM")
            sound: bool = connection.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok"
            return sound
    except sqlite3.OperationalError as error:
        if "no such" in str(error):
            return False
        raise
    except sqlite3.DatabaseError:
        return False


def apply(connection: sqlite3.Connection, record: Record) -> bool:
    """Erase what a record names from a database, inside the caller's transaction; False if the database has none of it."""
    if record.kind == "account":
        return erase_account(connection, record.user_id)
    if record.kind == "chat":
        return erase_chat(connection, record.chat_id)
    if record.kind == "bin" and "characters" in record.targets:
        return erase_characters(connection, record.user_id, record.targets["characters"])
    if record.kind == "bin" and "players" in record.targets:
        return erase_players(connection, record.user_id, record.targets["players"])
    if record.kind == "bin" and "lorebooks" in record.targets:
        return erase_lorebooks(connection, record.user_id, list(record.targets["lorebooks"]))
    if record.kind == "bin" and "dialogues" in record.targets:
        return erase_dialogues(connection, record.targets["dialogues"])
    if record.kind == "bin":
        return erase_messages(connection, record.chat_id, messages=record.targets["messages"], branches=record.targets["branches"])
    erased = [erase_memory_text(connection, record.chat_id, memory_id) for memory_id in record.targets["memories"]]
    return any(erased)


def withdrawn(connection: sqlite3.Connection, user_id: str, item_id: str) -> None:
    """Record that a player's dialogue was taken out of its project, inside the transaction that does it. Files follow in `finish`, and a backup that is brought back."""
    _record(connection, "bin", user_id, "", {"dialogues": [item_id]}, state="rows")


def records(connection: sqlite3.Connection, *states: str) -> list[Record]:
    """The records in these states, or all of them, oldest first."""
    rows = connection.execute(
        """SELECT id, kind, user_id, chat_id, targets, state, created_at FROM erasure
        WHERE ?1 = '[]' OR state IN (SELECT value FROM json_each(?1)) ORDER BY id""",
        (json.dumps(states),),
    )
    return [Record(r[0], r[1], r[2], r[3], json.loads(r[4]), r[5], r[6]) for r in rows]


def carry(connection: sqlite3.Connection, known: Sequence[Record]) -> int:
    """Erase from this database what records of another name, inside the caller's transaction, and keep the records; how many found something."""
    found = 0
    for record in _unknown_to(connection, known):
        _record(connection, record.kind, record.user_id, record.chat_id, record.targets, state="rows", created_at=record.created_at)
        found += apply(connection, record)
    return found


def _unknown_to(connection: sqlite3.Connection, known: Sequence[Record]) -> list[Record]:
    """Those of the records that a database does not show as done: it is of an earlier moment. What was written under the same account since is not theirs."""
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'erasure'").fetchone():
        return list(known)
    done = {(r.kind, r.user_id, r.chat_id, r.created_at) for r in records(connection) if r.state != "recorded"}
    return [r for r in known if (r.kind, r.user_id, r.chat_id, r.created_at) not in done]


def _record(
    connection: sqlite3.Connection,
    kind: str,
    user_id: str,
    chat_id: str,
    targets: Mapping[str, Sequence[str]],
    *,
    state: str,
    created_at: int | None = None,
) -> Record:
    at = created_at or now_ms()
    cursor = connection.execute(
        "INSERT INTO erasure (kind, user_id, chat_id, targets, state, created_at) VALUES (?, ?, ?, ?, ?, ?)",
        (kind, user_id, chat_id, json.dumps(dict(targets)), state, at),
    )
    return Record(int(cursor.lastrowid or 0), kind, user_id, chat_id, targets, state, at)
