"""A user's own lorebooks: kept, changed, listed, and where each is read."""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass

from storage.database import Database
from storage.errors import LorebookChanged, LorebookNotFound
from storage.records import now_ms


@dataclass(frozen=True)
class Uses:
    """Where a lorebook is read: in every conversation, in those with some characters, in some."""

    everywhere: bool = False
    characters: tuple[str, ...] = ()
    chats: tuple[str, ...] = ()


@dataclass(frozen=True)
class ListedBook:
    id: str
    name: str
    entries: int
    uses: Uses


@dataclass(frozen=True)
class StoredBook:
    id: str
    name: str
    book: Mapping[str, object]
    """A lorebook of V3 as a file has it: `spec` and `data`."""
    uses: Uses
    stamp: int
    """Grows with each change of the book."""


class Lorebooks:
    """Every method names the user; another user's books raise LorebookNotFound like those that never were."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def all(self, user_id: str) -> list[ListedBook]:
        """Newest first."""
        return self._listed(user_id, "IS NULL")

    def removed(self, user_id: str) -> list[ListedBook]:
        return self._listed(user_id, "IS NOT NULL")

    def _listed(self, user_id: str, removed: str) -> list[ListedBook]:
        rows = self._db.read().execute(
            f"""SELECT id, name, uses, CASE WHEN json_valid(book) THEN json_array_length(book, '$.data.entries') END AS entries FROM lorebook
            WHERE user_id = ? AND removed_at {removed} ORDER BY created_at DESC, rowid DESC""",
            (user_id,),
        )
        return [ListedBook(row["id"], row["name"], row["entries"] or 0, _uses(row["uses"])) for row in rows]

    def get(self, user_id: str, book_id: str) -> StoredBook:
        """One that was not removed."""
        row = (
            self._db.read()
            .execute("SELECT * FROM lorebook WHERE user_id = ? AND id = ? AND removed_at IS NULL", (user_id, book_id))
            .fetchone()
        )
        if row is None:
            raise _not_found()
        return _stored(row)

    def read_in(self, user_id: str, *, character_id: str, chat_id: str) -> list[StoredBook]:
        """Those that are read in a conversation, oldest first. chat_id: empty for one that is not kept."""
        rows = self._db.read().execute(
            """SELECT * FROM lorebook WHERE user_id = ? AND removed_at IS NULL AND (uses ->> '$.all' = 1
                OR EXISTS (SELECT 1 FROM json_each(uses, '$.characters') WHERE value = ?)
                OR EXISTS (SELECT 1 FROM json_each(uses, '$.chats') WHERE value = ?)) ORDER BY created_at, rowid""",
            (user_id, character_id, chat_id),
        )
        return [_stored(row) for row in rows]

    def add(self, user_id: str, name: str, book: Mapping[str, object]) -> str:
        book_id, now = secrets.token_hex(16), now_ms()
        with self._db.write() as connection:
            connection.execute(
                "INSERT INTO lorebook (id, user_id, name, book, uses, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
                (book_id, user_id, name, _json(book), _written(Uses()), now, now),
            )
        return book_id

    def change(self, user_id: str, book_id: str, name: str, book: Mapping[str, object], *, stamp: int) -> int:
        """The new stamp. Raises LorebookChanged unless the stamp is still the book's."""
        with self._db.write() as connection:
            new = max(now_ms(), stamp + 1)
            done = connection.execute(
                "UPDATE lorebook SET name = ?, book = ?, updated_at = ? WHERE user_id = ? AND id = ? AND removed_at IS NULL AND updated_at = ?",
                (name, _json(book), new, user_id, book_id, stamp),
            )
            if not done.rowcount:
                if connection.execute("SELECT 1 FROM lorebook WHERE user_id = ? AND id = ?", (user_id, book_id)).fetchone() is None:
                    raise _not_found()
                raise LorebookChanged("This lorebook was changed elsewhere. Nothing was done; what you see now is how it stands.")
        return new

    def use(self, user_id: str, book_id: str, uses: Uses) -> None:
        self._set(user_id, book_id, "uses = ?", _written(uses))

    def remove(self, user_id: str, book_id: str) -> None:
        """Take a book out of the list and out of every conversation; it can be restored as it was."""
        self._set(user_id, book_id, "removed_at = ?", now_ms())

    def restore(self, user_id: str, book_id: str) -> None:
        self._set(user_id, book_id, "removed_at = ?", None)

    def _set(self, user_id: str, book_id: str, what: str, value: str | int | None) -> None:
        with self._db.write() as connection:
            done = connection.execute(f"UPDATE lorebook SET {what} WHERE user_id = ? AND id = ?", (value, user_id, book_id))
            if not done.rowcount:
                raise _not_found()


def erase_lorebooks(connection: sqlite3.Connection, user_id: str, book_ids: list[str]) -> bool:
    """Erase removed books, inside the caller's transaction, from a database of any schema; False if there is none of them."""
    if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'lorebook'").fetchone() is None:
        return False
    done = connection.execute(
        "DELETE FROM lorebook WHERE user_id = ? AND id IN (SELECT value FROM json_each(?))", (user_id, json.dumps(book_ids))
    )
    return done.rowcount > 0


def _not_found() -> LorebookNotFound:
    return LorebookNotFound("There is no such lorebook of yours. Nothing was changed.")


def _json(value: Mapping[str, object]) -> str:
    return json.dumps(value, ensure_ascii=False)


def _written(uses: Uses) -> str:
    return json.dumps({"all": int(uses.everywhere), "characters": list(uses.characters), "chats": list(uses.chats)})


def _uses(text: str) -> Uses:
    told = json.loads(text)
    return Uses(bool(told["all"]), tuple(told["characters"]), tuple(told["chats"]))


def _stored(row: sqlite3.Row) -> StoredBook:
    return StoredBook(row["id"], row["name"], json.loads(row["book"]), _uses(row["uses"]), row["updated_at"])
