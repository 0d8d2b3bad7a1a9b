"""What was forgotten on a path and what came back, in the order in which it happened."""

from __future__ import annotations

from dataclasses import dataclass

from storage.chats import Chats
from storage.database import Database
from storage.paths import PATH
from storage.scope import Scope


@dataclass(frozen=True)
class Fate:
    memory_id: str
    round: int
    """From which on it is forgotten, or remembered again."""
    forgotten: bool


class Fates:
    def __init__(self, database: Database, chats: Chats) -> None:
        self._db = database
        self._chats = chats

    def of_path(self, scope: Scope, branch_id: str) -> list[Fate]:
        """Every forgetting and return on a branch's path, oldest first."""
        self._chats.check(scope)
        self._chats.branch_chat(scope, branch_id)
        with self._db.snapshot() as connection:
            if connection.execute("SELECT 1 FROM forgetting_event WHERE chat_id = ? LIMIT 1", (scope.chat_id,)).fetchone() is None:
                return []
            rows = connection.execute(
                f"""WITH RECURSIVE {PATH} SELECT memory_id, round, effect FROM forgetting_event
                WHERE chat_id = :chat AND message_id IN (SELECT id FROM path) ORDER BY id""",
                {"branch": branch_id, "chat": scope.chat_id},
            )
            return [Fate(row["memory_id"], row["round"], row["effect"] == "forgotten") for row in rows]
