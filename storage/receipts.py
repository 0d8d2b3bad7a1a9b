"""Receipts: what each reply was made from. One per reply revision, never changed."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from storage.chats import Chats
from storage.database import Database
from storage.errors import NotFound
from storage.paths import message_on_path
from storage.records import Message, from_ms, now_ms, sha256
from storage.scope import Scope


@dataclass(frozen=True)
class StoredReceipt:
    id: str
    message_id: str
    """The reply; or the user's message while no reply came of it."""
    round: int
    revision_id: str | None
    made_at: datetime
    body: Mapping[str, object]


def prompt_hash(prompt: Sequence[Sequence[str]]) -> str:
    """Hex SHA-256 of a prompt's (role, text) pairs: of their JSON without spaces, in UTF-8."""
    return sha256(json.dumps([[role, text] for role, text in prompt], ensure_ascii=False, separators=(",", ":")))


class Receipts:
    def __init__(self, database: Database, chats: Chats) -> None:
        self._db = database
        self._chats = chats

    def add(self, scope: Scope, *, message_id: str, revision_id: str | None, body: Mapping[str, object]) -> str:
        """The id of a new receipt. Join this with the reply's own write in one transaction (`Database.write` nests)."""
        self._chats.check(scope)
        receipt_id = secrets.token_hex(16)
        with self._db.write() as connection:
            connection.execute(
                "INSERT INTO receipt (id, chat_id, message_id, revision_id, body, created_at) VALUES (?, ?, ?, ?, ?, ?)",
                (receipt_id, scope.chat_id, message_id, revision_id, json.dumps(dict(body), ensure_ascii=False), now_ms()),
            )

        return receipt_id

    def body(self, scope: Scope, receipt_id: str) -> Mapping[str, Any] | None:
        """What a receipt of the scope's one chat says; None if it has none of that id."""
        self._chats.check(scope)
        row = self._db.read().execute("SELECT body FROM receipt WHERE id = ? AND chat_id = ?", (receipt_id, scope.chat_id)).fetchone()
        found: Mapping[str, Any] | None = json.loads(row["body"]) if row is not None else None
        return found

    def of_message(self, scope: Scope, branch_id: str, message_id: str) -> StoredReceipt | None:
        """The newest receipt of a message as the branch words it; None if that wording has none, or the branch has not the message."""
        self._chats.check(scope)
        with self._db.snapshot() as connection:
            try:
                message = message_on_path(connection, chat_id=scope.chat_id, branch_id=branch_id, message_id=message_id)
            except NotFound:
                return None
            row = connection.execute(
                """SELECT * FROM receipt WHERE chat_id = ? AND message_id = ? AND (revision_id = ? OR revision_id IS NULL)
                ORDER BY created_at DESC, rowid DESC LIMIT 1""",
                (scope.chat_id, message_id, message.revision.id),
            ).fetchone()
        if row is None:
            return None
        return StoredReceipt(row["id"], message.id, message.round, row["revision_id"], from_ms(row["created_at"]), json.loads(row["body"]))

    def read_from(self, scope: Scope, message: Message) -> str:
        """Id of the oldest message that the prompt of a reply, as it is worded, held word for word; empty where no receipt tells."""
        self._chats.check(scope)
        row = (
            self._db.read()
            .execute(
                """SELECT v.message_id FROM receipt r JOIN json_each(r.body, '$.sources') s JOIN revision v ON v.id = s.value
                JOIN message m ON m.id = v.message_id AND m.chat_id = r.chat_id
                WHERE r.chat_id = ? AND r.message_id = ? AND r.revision_id = ? ORDER BY r.created_at DESC, r.rowid DESC, s.key LIMIT 1""",
                (scope.chat_id, message.id, message.revision.id),
            )
            .fetchone()
        )
        return str(row["message_id"]) if row is not None else ""

    def which_have(self, scope: Scope, messages: Sequence[Message]) -> set[str]:
        """Ids of those messages whose wording has a receipt."""
        self._chats.check(scope)
        rows = self._db.read().execute(
            """SELECT DISTINCT r.message_id FROM json_each(?) w CROSS JOIN receipt r ON r.message_id = w.value ->> 0
            WHERE r.chat_id = ? AND (r.revision_id = w.value ->> 1 OR r.revision_id IS NULL)""",
            (json.dumps([[m.id, m.revision.id] for m in messages]), scope.chat_id),
        )
        return {row["message_id"] for row in rows}
