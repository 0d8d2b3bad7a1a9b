"""Conversations with several characters: who belongs to one, who is there, and who comes and goes."""

from __future__ import annotations

import sqlite3

from storage import undo
from storage.operations import Operations
from storage.paths import noticed, room_at
from storage.records import Member, Message, NewMessage
from storage.scope import Scope
from storage.witnesses import founders_of, names_of

_SETTLED = ("note", "clock", "story", "sampling", "character", "folder", "player", "memory")


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
            there = founders_of(connection, scope.chat_id) if room is None else room
        return tuple(name for name in names if name in there)

    def belonging(self, scope: Scope, branch_id: str) -> tuple[str, ...]:
        """The characters that belong to a branch: those the chat began with, and who came later where it witnessed something of the branch. One whose coming was taken
        back is none of them; what it remembers of that is out of sight with the messages it rests on, and comes back with them."""
        self._chats.check(scope)
        self._chats.branch_chat(scope, branch_id)
        with self._db.snapshot() as connection:
            founders = founders_of(connection, scope.chat_id)
            names = names_of(connection, scope.chat_id)
            return tuple(name for name in names if name in founders or noticed(connection, branch_id=branch_id, name=name))

    def join(self, scope: Scope, branch_id: str, member: Member, line: NewMessage) -> Message:
        """Append the line with which a character comes that was not there before; a step of the undo log. line: as of `move`."""
        with self._operation(scope) as connection:
            connection.execute(
                """INSERT INTO chat_member (chat_id, place, character_id, name, joined)
                SELECT :chat, 1 + max(place), :character, :name, 1 FROM chat_member WHERE chat_id = :chat HAVING max(name = :name) = 0""",
                {"chat": scope.chat_id, "character": member.character_id, "name": member.name},
            )
            return self.move(scope, branch_id, line)

    def settle_like(self, scope: Scope, other: Scope) -> None:
        """Give the scope's chat what is set for another of the same user: the author's note, the day, how its story is divided, sampling, the player's persona, its
        folder, and what its character is called there."""
        self._chats.check(other)
        with self._operation(scope) as connection:
            for name in _SETTLED:
                connection.execute(
                    """UPDATE chat SET settings = json_set(settings, :place, json((SELECT settings -> :place FROM chat WHERE id = :other)))
                    WHERE id = :chat AND (SELECT settings -> :place FROM chat WHERE id = :other) IS NOT NULL""",
                    {"place": f"$.{name}", "other": other.chat_id, "chat": scope.chat_id},
                )

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
