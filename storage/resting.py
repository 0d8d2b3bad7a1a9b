"""Which memories rest on which messages."""

from __future__ import annotations

import json
from collections.abc import Iterable

from storage.chats import Chats
from storage.database import Database
from storage.records import Kind
from storage.scope import Scope


class Resting:
    def __init__(self, database: Database, chats: Chats) -> None:
        self._db = database
        self._chats = chats

    def on(self, scope: Scope, message_ids: Iterable[str], *, kinds: Iterable[Kind]) -> dict[str, set[str]]:
        """By message the ids of the active memories of some kinds that rest on a wording of it, whether a branch sees them or not."""
        self._chats.check(scope)
        rows = self._db.read().execute(
            """SELECT DISTINCT m.id AS message_id, k.id AS memory_id FROM json_each(?) w CROSS JOIN message m ON m.id = w.value
            CROSS JOIN revision r ON r.message_id = m.id CROSS JOIN memory_source s ON s.revision_id = r.id CROSS JOIN memory k ON k.id = s.memory_id
            WHERE m.chat_id = ? AND k.status = 'active' AND k.kind IN (SELECT value FROM json_each(?))""",
            (json.dumps(list(message_ids)), scope.chat_id, json.dumps([kind.value for kind in kinds])),
        )
        found: dict[str, set[str]] = {}
        for row in rows:
            found.setdefault(row["message_id"], set()).add(row["memory_id"])
        return found
