"""Conversations with several characters: who belongs to one, who is there, and who comes and goes."""

from __future__ import annotations

import sqlite3

from storage import undo
from storage.operations import Operations
from storage.paths import room_at
from storage.records import Message, NewMessage
from storage.scope import Scope
from storage.witnesses import names_of


class Groups(Operations):
    def names(self, scope: Scope) -> tuple[str, ...]:
        """The characters of the scope's chat where it has several; none where it has one."""
        self._chats.check(scope)
        return names_of(self._db.read(), scope.chat_id)

    def minds(self, scope: Scope) -> list[Scope]:
        """The scope as each of its chat's characters sees it; itself where there is one. What is remembered is made for each of them."""
        return [scope.seen_by(name) for name in self.names(scope)] or [scope]

    def room(self, scope: Scope, branch_id: str) -> tuple[str, ...]:
        """Who is there at a branch's head, in the order of the chat's members."""
        self._chats.check(scope)
        self._chats.branch_chat(scope, branch_id)
        with self._db.snapshot() as connection:
            names = names_of(connection, scope.chat_id)
            room = room_at(connection, branch_id=branch_id)
        return tuple(name for name in names if room is None or name in room)

    def move(self, scope: Scope, branch_id: str, line: NewMessage) -> Message:
        """Append a line that says who comes or goes; a step of the undo log. line: with the `room` from then on."""
        with self._operation(scope) as connection:
            before = self._head(connection, scope, branch_id)
            (message,) = self._chats.append(scope, branch_id, [line])
            self._step(connection, scope, branch_id, "presence", before, message.id)
            return message

    def spoke(self, scope: Scope, branch_id: str, message: Message) -> None:
        """Log, inside the caller's transaction, that a character who was asked to speak said a message, which is the branch's newest."""
        with self._operation(scope) as connection:
            self._step(connection, scope, branch_id, "speak", message.parent_id, message.id)

    def set_answers(self, scope: Scope, answers: str) -> None:
        """Who answers a message that asks nobody by name: `one` or `all`."""
        with self._operation(scope) as connection:
            connection.execute(
                "UPDATE chat SET settings = json_set(settings, '$.answers', ?), version = version + 1 WHERE id = ?",
                (answers, scope.chat_id),
            )

    @staticmethod
    def _head(connection: sqlite3.Connection, scope: Scope, branch_id: str) -> str | None:
        row = connection.execute("SELECT head_id FROM branch WHERE id = ? AND chat_id = ?", (branch_id, scope.chat_id)).fetchone()
        return str(row["head_id"]) if row is not None and row["head_id"] is not None else None

    def _step(self, connection: sqlite3.Connection, scope: Scope, branch_id: str, operation: str, before: str | None, after: str) -> None:
        self._keep_undone(connection, scope, heads={branch_id: before})
        undo.moved(connection, scope.chat_id, branch_id, operation, before=before, after=after)
