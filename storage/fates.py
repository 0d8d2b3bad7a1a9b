"""What was forgotten on a path and what came back, in the order in which it happened; of several characters to one of them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

from storage.chats import Chats
from storage.database import Database
from storage.paths import ACTIVE, PATH
from storage.records import Effect, RecallEvent
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

    def recalls(self, scope: Scope, branch_id: str, memory_ids: Iterable[str]) -> dict[str, list[RecallEvent]]:
        """Recall events of some memories that hang on user messages of a branch's path, by id, in no particular order (`Memories.events` has all of them)."""
        self._chats.check(scope)
        self._chats.branch_chat(scope, branch_id)
        found: dict[str, list[RecallEvent]] = {i: [] for i in memory_ids}
        # The pluses keep SQLite from looking through the path for every event: among 3,000 rounds 409 ms, and 23 with them.
        rows = self._db.read().execute(
            f"""WITH RECURSIVE {PATH}, {ACTIVE}
            SELECT e.memory_id, e.round, e.effect FROM json_each(:ids) w CROSS JOIN recall_event e ON e.memory_id = w.value
            WHERE +e.chat_id = :chat AND +e.witness = :witness AND +e.message_id IN (SELECT message_id FROM active)""",
            {"branch": branch_id, "chat": scope.chat_id, "ids": json.dumps(list(found)), "witness": scope.witness},
        )
        for memory_id, round_number, effect in rows:
            found[memory_id].append(RecallEvent(memory_id, round_number, Effect(effect)))
        return found

    def structure(self, scope: Scope) -> int:
        """Counts what may change what a memory of the chat says or stands on, besides what is added."""
        self._chats.check(scope)
        (now,) = self._db.read().execute("SELECT structure FROM chat WHERE id = ?", (scope.chat_id,)).fetchone()
        return int(now)

    def of_path(self, scope: Scope, branch_id: str) -> list[Fate]:
        """Every forgetting and return on a branch's path, oldest first."""
        self._chats.check(scope)
        self._chats.branch_chat(scope, branch_id)
        with self._db.snapshot() as connection:
            if connection.execute("SELECT 1 FROM forgetting_event WHERE chat_id = ? LIMIT 1", (scope.chat_id,)).fetchone() is None:
                return []
            rows = connection.execute(
                f"""WITH RECURSIVE {PATH} SELECT memory_id, round, effect FROM forgetting_event
                WHERE chat_id = :chat AND witness = :witness AND message_id IN (SELECT id FROM path) ORDER BY id""",
                {"branch": branch_id, "chat": scope.chat_id, "witness": scope.witness},
            )
            return [Fate(row["memory_id"], row["round"], row["effect"] == "forgotten") for row in rows]
