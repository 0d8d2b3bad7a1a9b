"""Conversations that listen: what they hear, whether they do, and the tokens by which other programs bring lines."""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from storage import undo
from storage.errors import NotFound
from storage.operations import Operations
from storage.records import Message, NewMessage, now_ms, stable_id
from storage.scope import Scope
from storage.undo import Change, value_now

SEEN_EVERY_S = 60
"""A token that is in use is noted so often: each note is a write to the disk."""


@dataclass(frozen=True)
class ListenToken:
    """name: what its owner calls it; times in milliseconds since 1970."""

    id: str
    name: str
    created_at: int
    used_at: int | None


@dataclass(frozen=True)
class Admitted:
    """Whose a token is, and the one conversation that it opens."""

    token_id: str
    user_id: str
    chat_id: str


class Listening(Operations):
    # What is heard

    def begin(self, scope: Scope, branch_id: str) -> str | None:
        """The branch's head, from which lines go on, inside the caller's transaction."""
        self._chats.check(scope)
        with self._db.write() as connection:
            row = connection.execute("SELECT head_id FROM branch WHERE id = ? AND chat_id = ?", (branch_id, scope.chat_id)).fetchone()
        if row is None:
            raise NotFound("This part of the conversation does not exist.")
        return None if row["head_id"] is None else str(row["head_id"])

    def hear(self, scope: Scope, branch_id: str, lines: Sequence[NewMessage]) -> list[Message]:
        """Append what was heard, all of it one step of the undo log. lines: not yet in the chat, at least one."""
        with self._operation(scope) as connection:
            before = self.begin(scope, branch_id)
            heard = self._chats.append(scope, branch_id, lines)
            self._keep_undone(connection, scope, heads={branch_id: before})
            undo.moved(connection, scope.chat_id, branch_id, "hear", before=before, after=heard[-1].id)
            return heard

    def known(self, scope: Scope, external_ids: Sequence[str]) -> dict[str, tuple[str, str]]:
        """Of lines by their external ids those that the chat was told, on whatever branch and in the bin: who said what, as it came."""
        self._chats.check(scope)
        found: dict[str, tuple[str, str]] = {}
        for external_id in external_ids:
            row = (
                self._db.read()
                .execute(
                    "SELECT m.speaker, r.text FROM message m JOIN revision r ON r.message_id = m.id AND r.ordinal = 0 WHERE m.id = ? AND m.chat_id = ?",
                    (stable_id("message", scope.chat_id, external_id), scope.chat_id),
                )
                .fetchone()
            )
            if row is not None:
                found[external_id] = (row["speaker"], row["text"])
        return found

    def speakers(self, scope: Scope, *, most: int) -> list[str]:
        """Who was heard in a chat, those who spoke last, in the order in which they first did."""
        self._chats.check(scope)
        rows = self._db.read().execute(
            """SELECT speaker FROM (
                SELECT speaker, min(rowid) AS first FROM message WHERE chat_id = ? AND heard = 1 GROUP BY speaker ORDER BY max(rowid) DESC LIMIT ?
            ) ORDER BY first""",
            (scope.chat_id, most),
        )
        return [row["speaker"] for row in rows]

    def choose(self, scope: Scope, branch_id: str, *, listens: bool) -> bool:
        """Let the chat only listen from now on, or be talked in; False if it is so already. A step of the undo log."""
        with self._operation(scope) as connection:
            if self._chats.chat(scope).listens == listens:
                return False
            change = Change("listens", (scope.chat_id,), None, True if listens else None)
            now = value_now(connection, scope.chat_id, change)
            self._record(
                connection, scope, branch_id, "listen" if listens else "take_up", [Change("listens", change.target, now, change.after)]
            )
            return True

    # Tokens

    def tokens(self, scope: Scope) -> list[ListenToken]:
        """Those of a chat, oldest first."""
        self._chats.check(scope)
        rows = self._db.read().execute("SELECT * FROM listen_token WHERE chat_id = ? ORDER BY created_at, id", (scope.chat_id,))
        return [ListenToken(row["id"], row["name"], row["created_at"], row["used_at"]) for row in rows]

    def add_token(self, scope: Scope, *, name: str, sha256: str) -> str:
        """The id of a new token. sha256: of the token, hex; itself it is kept nowhere."""
        token_id = secrets.token_hex(16)
        with self._operation(scope) as connection:
            connection.execute(
                "INSERT INTO listen_token (id, sha256, user_id, chat_id, name, created_at) VALUES (?, ?, ?, ?, ?, ?)",
                (token_id, sha256, scope.user_id, scope.chat_id, name, now_ms()),
            )
        return token_id

    def revoke(self, scope: Scope, token_id: str) -> bool:
        """Whether there was such a token; it opens nothing from now on."""
        with self._operation(scope) as connection:
            gone = connection.execute("DELETE FROM listen_token WHERE id = ? AND chat_id = ?", (token_id, scope.chat_id))
            return gone.rowcount > 0

    def admitted(self, sha256: str) -> Admitted | None:
        """Whose a token is; None for none that holds: it was revoked, its conversation is in the bin, or its owner is locked out or has yet to choose a password."""
        row: sqlite3.Row | None = (
            self._db.read()
            .execute(
                """SELECT t.id, t.user_id, t.chat_id FROM listen_token t JOIN chat c ON c.id = t.chat_id AND c.user_id = t.user_id
                WHERE t.sha256 = ? AND c.deleted_at IS NULL
                    AND NOT EXISTS (SELECT 1 FROM account a WHERE a.user_id = t.user_id AND (a.locked_at IS NOT NULL OR a.must_change))""",
                (sha256,),
            )
            .fetchone()
        )
        return Admitted(row["id"], row["user_id"], row["chat_id"]) if row is not None else None

    def used(self, token_id: str) -> None:
        """Note that a token is in use, if that was not noted just now."""
        with self._db.write() as connection:
            now = now_ms()
            connection.execute(
                "UPDATE listen_token SET used_at = ? WHERE id = ? AND coalesce(used_at, 0) < ?", (now, token_id, now - SEEN_EVERY_S * 1000)
            )
