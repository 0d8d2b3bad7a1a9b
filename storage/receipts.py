"""Receipts: what each reply was made from. One per reply revision, never changed."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from storage.chats import Chats
from storage.database import Database
from storage.records import from_ms, now_ms
from storage.scope import Scope


@dataclass(frozen=True)
class StoredReceipt:
    message_id: str
    """The reply; or the user's message while no reply came of it."""
    revision_id: str | None
    made_at: datetime
    body: Mapping[str, object]


class Receipts:
    def __init__(self, database: Database, chats: Chats) -> None:
        self._db = database
        self._chats = chats

    def add(self, scope: Scope, *, message_id: str, revision_id: str | None, body: Mapping[str, object]) -> None:
        """Join this with the reply's own write in one transaction (`Database.write` nests)."""
        self._chats.check(scope)
        with self._db.write() as connection:
            connection.execute(
                "INSERT INTO receipt (id, chat_id, message_id, revision_id, body, created_at) VALUES (?, ?, ?, ?, ?, ?)",
                (secrets.token_hex(16), scope.chat_id, message_id, revision_id, json.dumps(dict(body), ensure_ascii=False), now_ms()),
            )

    def of_message(self, scope: Scope, message_id: str) -> StoredReceipt | None:
        """The newest receipt of a message."""
        self._chats.check(scope)
        row = (
            self._db.read()
            .execute(
                "SELECT * FROM receipt WHERE chat_id = ? AND message_id = ? ORDER BY created_at DESC, rowid DESC LIMIT 1",
                (scope.chat_id, message_id),
            )
            .fetchone()
        )
        if row is None:
            return None
        return StoredReceipt(row["message_id"], row["revision_id"], from_ms(row["created_at"]), json.loads(row["body"]))

    def which_have(self, scope: Scope, message_ids: list[str]) -> set[str]:
        """Of these messages, those with a receipt."""
        self._chats.check(scope)
        rows = self._db.read().execute(
            "SELECT DISTINCT r.message_id FROM json_each(?) w CROSS JOIN receipt r ON r.message_id = w.value WHERE r.chat_id = ?",
            (json.dumps(message_ids), scope.chat_id),
        )
        return {row["message_id"] for row in rows}
