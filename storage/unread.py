"""From which round on a branch has memory work that is not done: what waits, is under way or has failed."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Mapping

from storage.chats import Chats
from storage.database import Database
from storage.scope import Scope

LOOKED_AT = 64
"""Of each branch, kind and state: work of a branch is queued in the order of its rounds, so the oldest is of the first of them."""
_OPEN = """
    WITH ours AS (
        SELECT id, row_number() OVER (PARTITION BY branch_id, kind, state ORDER BY id) AS place FROM task
        WHERE chat_id = :chat AND user_id = :user AND state IN ('queued', 'leased', 'failed') AND kind IN (SELECT value FROM json_each(:kinds))
    )
    SELECT t.branch_id, t.payload FROM ours o CROSS JOIN task t ON t.id = o.id WHERE o.place <= :most"""
_NEAR = """
    WITH RECURSIVE near (id, parent_id, round) AS (
        SELECT m.id, m.parent_id, m.round FROM branch b JOIN message m ON m.id = b.head_id WHERE b.id = :branch AND b.chat_id = :chat
        UNION ALL SELECT m.id, m.parent_id, m.round FROM near n JOIN message m ON m.id = n.parent_id WHERE m.round >= :least
    )
    SELECT min(round) FROM near WHERE id IN (SELECT value FROM json_each(:ids))"""
"""The first round of these messages on a path, of which nothing is looked at that is older than the oldest of them."""


class Unread:
    """Reads alone."""

    def __init__(self, database: Database, chats: Chats) -> None:
        self._db = database
        self._chats = chats

    def first(self, scope: Scope, branch_id: str, *, kinds: Collection[str]) -> int | None:
        """The first round of the branch's path that a task of these kinds has still to do; None where none has. Work on messages counts on every branch that
        has them, other work on its own branch."""
        self._chats.check(scope)
        found: list[int] = []
        named: list[str] = []
        with self._db.snapshot() as connection:
            asked = {"chat": scope.chat_id, "user": scope.user_id, "kinds": json.dumps(sorted(kinds)), "most": LOOKED_AT}
            for row in connection.execute(_OPEN, asked):
                payload = json.loads(row["payload"])
                if ids := payload.get("message_ids"):
                    named += map(str, ids)
                elif row["branch_id"] == branch_id:
                    found.append(_first(payload))
            if named and (on_path := self._first_of(connection, scope, branch_id, named)) is not None:
                found.append(on_path)
        return min(found, default=None)

    @staticmethod
    def _first_of(connection: sqlite3.Connection, scope: Scope, branch_id: str, message_ids: list[str]) -> int | None:
        ids = json.dumps(message_ids)
        (least,) = connection.execute(
            "SELECT min(round) FROM message WHERE chat_id = ? AND id IN (SELECT value FROM json_each(?))", (scope.chat_id, ids)
        ).fetchone()
        if least is None:
            return None
        (first,) = connection.execute(_NEAR, {"branch": branch_id, "chat": scope.chat_id, "least": least, "ids": ids}).fetchone()
        return int(first) if first is not None else None


def _first(payload: Mapping[str, object]) -> int:
    """Of work that names rounds: its first, or its last where it names no other."""
    for name in ("first_round", "last_round"):
        number = payload.get(name)
        if isinstance(number, int):
            return number
    return 0
