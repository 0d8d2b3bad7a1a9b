"""What a person said of a character's readings: that one is not true.

A reading is known by its slot, which a path has one insight of, whatever facts it rests on: so what is not true stays away when memory is made anew, and when
other facts would give ground for the same. It is a step of the undo log. Kept as an exclusion (`user_edit`) that says why.
"""

from __future__ import annotations

import sqlite3

from storage.errors import MemoryNotFound
from storage.operations import Operations
from storage.readings_rows import UNTRUE, reading_now
from storage.records import Kind, Memory
from storage.scope import Scope
from storage.undo import Change


class Readings(Operations):
    def deny(self, scope: Scope, branch_id: str, memory: Memory) -> bool:
        """Say that a reading is not true; False if that was said. branch_id: where the person was. MemoryNotFound for what is no reading."""
        return self._say(scope, branch_id, memory, UNTRUE, "untrue")

    def allow(self, scope: Scope, branch_id: str, memory: Memory) -> bool:
        """Say no longer that a reading is not true, nor leave it out; False if it counts."""
        return self._say(scope, branch_id, memory, None, "true")

    def _say(self, scope: Scope, branch_id: str, memory: Memory, value: str | None, operation: str) -> bool:
        if memory.kind is not Kind.INSIGHT or not memory.slot or memory.chat_id != scope.chat_id:
            raise MemoryNotFound("This is no reading of the character's. Nothing was changed.")
        with self._operation(scope) as connection:
            now = reading_now(connection, scope.chat_id, memory.slot)
            if now == value:
                return False
            self._record(connection, scope, branch_id, operation, [Change("reading", (memory.slot,), now, value)])
            return True

    def untrue(self, scope: Scope) -> set[str]:
        """Hashes of the slots of which a person said so."""
        self._chats.check(scope)
        return _said(self._db.read(), scope.chat_id)


def _said(connection: sqlite3.Connection, chat_id: str) -> set[str]:
    rows = connection.execute(
        """SELECT content_sha256, content, max(id) FROM user_edit
        WHERE chat_id = ? AND message_id = '' AND action IN ('exclude', 'include') GROUP BY content_sha256""",
        (chat_id,),
    )
    return {row["content_sha256"] for row in rows if row["content"] == UNTRUE}
