"""A player's own personas: who they are in their conversations. Made, changed, removed and listed; one of them is the default.

A conversation keeps which one it has among its settings (`storage.records.Chat`). One that was removed is out of the list; conversations that have it go on.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
from dataclasses import dataclass, field

from storage.chats import Chats
from storage.database import Database
from storage.errors import PlayerChanged, PlayerNotFound
from storage.records import now_ms
from storage.scope import Scope

DEFAULT_KEY = "player"
"""Of the user's setting that names the default one."""


@dataclass(frozen=True)
class Player:
    id: str
    name: str
    description: str = field(repr=False)
    stamp: int
    """Grows with each change."""
    face: bool
    """Whether there is a picture."""
    conversations: int
    """That have it or had it, those in the bin included."""


class Players:
    """Every method names the user; another user's raise PlayerNotFound like those that never were."""

    def __init__(self, database: Database, chats: Chats) -> None:
        self._db = database
        self._chats = chats

    def all(self, user_id: str) -> list[Player]:
        """Those in the user's list, oldest first: a list that grows at its end is one where each stays in its place."""
        return self._listed(user_id, "p.removed_at IS NULL ORDER BY p.created_at, p.rowid")

    def removed(self, user_id: str) -> list[Player]:
        """Those that were removed from it, newest first."""
        return self._listed(user_id, "p.removed_at IS NOT NULL ORDER BY p.removed_at DESC, p.rowid DESC")

    def get(self, user_id: str, player_id: str) -> Player:
        """One of the user's, listed or not."""
        found = self._listed(user_id, "p.id = :id", id=player_id)
        if not found:
            raise PlayerNotFound("There is no such persona of yours. Nothing was changed.")
        return found[0]

    def listed(self, user_id: str, player_id: str) -> Player:
        """One in the user's list."""
        return next((one for one in self.all(user_id) if one.id == player_id), None) or self.get(user_id, "")

    def face(self, user_id: str, player_id: str) -> bytes:
        """The picture of one of the user's, listed or not: a PNG. Raises PlayerNotFound where there is none."""
        row = self._db.read().execute("SELECT face FROM player_persona WHERE user_id = ? AND id = ?", (user_id, player_id)).fetchone()
        if row is None or row["face"] is None:
            raise PlayerNotFound("There is no such picture.")
        return bytes(row["face"])

    def default(self, user_id: str) -> Player | None:
        """The one that new conversations begin with."""
        return next(
            iter(
                self._listed(
                    user_id,
                    "p.removed_at IS NULL AND p.id = (SELECT s.value ->> '$' FROM setting s WHERE s.scope = 'user:' || :user AND s.key = :key)",
                    key=DEFAULT_KEY,
                )
            ),
            None,
        )

    def make_default(self, user_id: str, player_id: str) -> None:
        """Let new conversations begin with one in the list; "" for none."""
        with self._db.write() as connection:
            if not player_id:
                connection.execute("DELETE FROM setting WHERE scope = ? AND key = ?", (f"user:{user_id}", DEFAULT_KEY))
                return
            self.listed(user_id, player_id)
            _set_default(connection, user_id, player_id)

    def add(self, user_id: str, *, name: str, description: str, face: bytes | None) -> str:
        """The id of a new one in the user's list. The first is the default until another is made so."""
        player_id = secrets.token_hex(16)
        with self._db.write() as connection:
            first = not self.all(user_id)
            connection.execute(
                "INSERT INTO player_persona (id, user_id, name, description, face, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
                (player_id, user_id, name, description, face, now_ms(), now_ms()),
            )
            if first:
                _set_default(connection, user_id, player_id)
        return player_id

    def change(self, user_id: str, player_id: str, *, name: str, description: str, face: bytes | None, stamp: int) -> None:
        """stamp: of what was changed; PlayerChanged if it is another by now. Conversations that have it keep the name it has there."""
        with self._db.write() as connection:
            there = self.listed(user_id, player_id)
            if there.stamp != stamp:
                raise PlayerChanged("This persona was changed elsewhere meanwhile. Nothing was saved; what you wrote is still in the form.")
            connection.execute(
                "UPDATE player_persona SET name = ?, description = ?, face = ?, updated_at = ? WHERE id = ? AND user_id = ?",
                (name, description, face, max(now_ms(), stamp + 1), player_id, user_id),
            )

    def remove(self, user_id: str, player_id: str) -> None:
        """Take one out of the list. Conversations that have it go on with it."""
        self.listed(user_id, player_id)
        self._mark(user_id, player_id, removed_at=now_ms())

    def restore(self, user_id: str, player_id: str) -> None:
        if player_id not in {one.id for one in self.removed(user_id)}:
            raise PlayerNotFound("There is no such persona of yours. Nothing was changed.")
        self._mark(user_id, player_id, removed_at=None)

    def _mark(self, user_id: str, player_id: str, *, removed_at: int | None) -> None:
        with self._db.write() as connection:
            connection.execute("UPDATE player_persona SET removed_at = ? WHERE id = ? AND user_id = ?", (removed_at, player_id, user_id))

    # In a conversation

    def had(self, scope: Scope, player_id: str, name: str) -> None:
        """Keep that the scope's chat had one under a name: its prompts may hold what the persona says. Joins the caller's transaction."""
        self._chats.check(scope)
        with self._db.write() as connection:
            connection.execute(
                """INSERT OR IGNORE INTO chat_player (chat_id, player_id, name)
                SELECT c.id, p.id, ? FROM chat c JOIN player_persona p ON p.user_id = c.user_id WHERE c.id = ? AND p.id = ?""",
                (name, scope.chat_id, player_id),
            )

    def names(self, scope: Scope) -> dict[str, set[str]]:
        """Of each that the scope's chat has had, the names it had there."""
        self._chats.check(scope)
        found: dict[str, set[str]] = {}
        for row in self._db.read().execute("SELECT player_id, name FROM chat_player WHERE chat_id = ?", (scope.chat_id,)):
            found.setdefault(row["player_id"], set()).add(row["name"])
        return found

    def _listed(self, user_id: str, which: str, **values: str) -> list[Player]:
        rows = self._db.read().execute(
            f"""SELECT p.id, p.name, p.description, p.updated_at, p.face IS NOT NULL AS face,
                (SELECT count(DISTINCT h.chat_id) FROM chat_player h WHERE h.player_id = p.id) AS conversations
            FROM player_persona p WHERE p.user_id = :user AND {which}""",
            {"user": user_id, **values},
        )
        return [_player(row) for row in rows]


def _set_default(connection: sqlite3.Connection, user_id: str, player_id: str) -> None:
    connection.execute(
        "INSERT INTO setting (scope, key, value) VALUES (?, ?, ?) ON CONFLICT (scope, key) DO UPDATE SET value = excluded.value",
        (f"user:{user_id}", DEFAULT_KEY, json.dumps(player_id)),
    )


def _player(row: sqlite3.Row) -> Player:
    return Player(row["id"], row["name"], row["description"], row["updated_at"], bool(row["face"]), row["conversations"])
