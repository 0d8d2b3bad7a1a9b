"""Whether a conversation remembers, and what came along to it from others.

What came along is kept as memories of the conversation's own that rest on no message: they are on every path of it, are no function of any, and nothing that is
derived takes their place. Of which conversation each is from stands in its payload.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import replace

from storage.carried_rows import set_batch
from storage.memory_rows import insert_memory
from storage.operations import Operations
from storage.records import CARRIED, OFF, Memory
from storage.scope import Scope
from storage.undo import Change, value_now


class Carrying(Operations):
    def switch(self, scope: Scope, branch_id: str, *, on: bool) -> bool:
        """Let the chat recall and derive from now on, or neither; False if it is so already. A step of the undo log. branch_id: where the person was."""
        with self._operation(scope) as connection:
            if self._chats.chat(scope).remembers == on:
                return False
            change = Change("memory", (scope.chat_id,), None, None if on else OFF)
            now = value_now(connection, scope.chat_id, change)
            self._record(
                connection, scope, branch_id, "remember" if on else "pause_memory", [Change("memory", change.target, now, change.after)]
            )
            return True

    def earliest(self, scope: Scope) -> int:
        """The first round, counted backwards from the beginning, of what came along already; 0 where nothing did."""
        self._chats.check(scope)
        row = (
            self._db.read()
            .execute("SELECT min(round_first) FROM memory WHERE chat_id = ? AND source_count = 0", (scope.chat_id,))
            .fetchone()
        )
        return min(0, row[0] or 0)

    def known(self, scope: Scope, ids: Iterable[str]) -> set[str]:
        """Of these ids of memories those that the chat has, or had and that were deleted for good: they do not come again."""
        self._chats.check(scope)
        rows = self._db.read().execute(
            "SELECT m.id FROM json_each(?) w CROSS JOIN memory m ON m.id = w.value WHERE m.chat_id = ? AND m.status <> 'superseded'",
            (json.dumps(list(ids)), scope.chat_id),
        )
        return {row["id"] for row in rows}

    def begin_with(self, scope: Scope, memories: Sequence[Memory]) -> list[str]:
        """Let a chat that begins have these memories; ids of those that it has now. memories: what others rest on comes before them."""
        with self._operation(scope) as connection:
            kept = self._insert(connection, memories, secrets.token_hex(16))
            self._changed(connection, scope)
            return kept

    def bring(self, scope: Scope, branch_id: str, memories: Sequence[Memory]) -> list[str]:
        """Let a chat have these memories from now on, as of its beginning; ids of those that it had not. A step of the undo log if there are any. branch_id: where the
        person was. memories: as of `begin_with`."""
        with self._operation(scope) as connection:
            batch = secrets.token_hex(16)
            kept = self._insert(connection, memories, batch)
            if kept:
                set_batch(connection, scope.chat_id, batch, there=False)  # recording the step puts them there
                self._record(connection, scope, branch_id, "bring", [Change("carried", (batch,), None, True)])
            return kept

    @staticmethod
    def _insert(connection: sqlite3.Connection, memories: Sequence[Memory], batch: str) -> list[str]:
        """What is there already, or was deleted there for good, is passed over; what was taken back comes again."""
        kept: list[str] = []
        for memory in memories:
            whence = memory.payload[CARRIED]
            known = {row["id"] for row in connection.execute(_KNOWN, (json.dumps(list(memory.grounds)),))}
            marked = replace(
                memory,
                grounds=tuple(g for g in memory.grounds if g in known),
                payload={**memory.payload, CARRIED: {**(whence if isinstance(whence, dict) else {}), "batch": batch}},
            )
            if insert_memory(connection, marked):
                connection.execute(
                    f"UPDATE memory SET payload = json_set(payload, '$.{CARRIED}.batch', ?) WHERE id = ?", (batch, memory.id)
                )
                kept.append(memory.id)
        return kept

    def brought_from(self, user_id: str, chat_ids: Iterable[str]) -> dict[str, int]:
        """How many memories came along from each of these chats to others of the user's, and are there."""
        rows = self._db.read().execute(
            f"""SELECT m.payload ->> '$.{CARRIED}.chat' AS chat, count(*) AS n FROM chat c CROSS JOIN memory m ON m.chat_id = c.id
            WHERE c.user_id = ? AND m.source_count = 0 AND m.status = 'active'
                AND m.payload ->> '$.{CARRIED}.chat' IN (SELECT value FROM json_each(?)) GROUP BY 1""",
            (user_id, json.dumps(list(chat_ids))),
        )
        return {row["chat"]: row["n"] for row in rows}


_KNOWN = "SELECT m.id FROM json_each(?) w CROSS JOIN memory m ON m.id = w.value WHERE m.status <> 'deleted'"
