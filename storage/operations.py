"""What the operations on a conversation have in common: one transaction, one step of the undo log, one branch."""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager

from storage import undo
from storage.chats import Chats
from storage.database import Database
from storage.errors import NotFound
from storage.paths import PATH, message_on_path
from storage.records import Message, now_ms
from storage.scope import Scope
from storage.undo import Change

TAIL = """
    WITH RECURSIVE tail (id, parent_id) AS (
        SELECT id, parent_id FROM message WHERE id = :head AND chat_id = :chat
        UNION ALL SELECT m.id, m.parent_id FROM tail t JOIN message m ON m.id = t.parent_id WHERE t.parent_id IS NOT :stop
    )"""
"""The messages from `head` up to, and without, `stop`."""


class Operations:
    def __init__(self, database: Database, chats: Chats) -> None:
        self._db = database
        self._chats = chats

    def _operation(self, scope: Scope) -> AbstractContextManager[sqlite3.Connection]:
        self._chats.check(scope)
        return self._db.write()

    def _record(self, connection: sqlite3.Connection, scope: Scope, branch_id: str, operation: str, changes: Sequence[Change]) -> None:
        self._keep_undone(connection, scope)
        undo.record(connection, scope.chat_id, branch_id, operation, changes)
        self._changed(connection, scope)

    @staticmethod
    def _changed(connection: sqlite3.Connection, scope: Scope) -> None:
        connection.execute("UPDATE chat SET version = version + 1, structure = structure + 1 WHERE id = ?", (scope.chat_id,))

    @staticmethod
    def _keep_undone(connection: sqlite3.Connection, scope: Scope, *, heads: Mapping[str, str | None] | None = None) -> None:
        """What was said and undone can be redone only until something else is done; then it goes to the bin instead of nowhere. heads: where branches
        stood, if they have moved on already."""
        tails: dict[str, Change] = {}
        for step in undo.undone_steps(connection, scope.chat_id):
            tails.update({c.target[0]: c for c in step.changes if c.thing == "head"})
        for branch_id, change in tails.items():
            (head,) = connection.execute("SELECT head_id FROM branch WHERE id = ?", (branch_id,)).fetchone()
            head = (heads or {}).get(branch_id, head)
            rows = connection.execute(
                f"{TAIL} SELECT t.id, t.parent_id FROM tail t", {"head": change.after, "chat": scope.chat_id, "stop": head}
            ).fetchall()
            if change.after is not None and rows and rows[-1]["parent_id"] == head and change.after != head:
                connection.execute(
                    """INSERT INTO bin_item (id, chat_id, branch_id, kind, message_id, head_id, created_at)
                    VALUES (?, ?, ?, 'tail', ?, ?, ?)""",
                    (secrets.token_hex(16), scope.chat_id, branch_id, rows[-1]["id"], change.after, now_ms()),
                )

    @staticmethod
    def _parent(connection: sqlite3.Connection, scope: Scope, message_id: str) -> str | None:
        row = connection.execute("SELECT parent_id FROM message WHERE id = ? AND chat_id = ?", (message_id, scope.chat_id)).fetchone()
        return row["parent_id"] if row is not None else None

    @staticmethod
    def _on_path(connection: sqlite3.Connection, scope: Scope, branch_id: str, message_id: str) -> Message:
        """The message with the wording the branch has; NotFound if it is not on the branch's path or was taken out of it."""
        return message_on_path(connection, chat_id=scope.chat_id, branch_id=branch_id, message_id=message_id)

    @staticmethod
    def _standing(connection: sqlite3.Connection, scope: Scope, branch_id: str) -> sqlite3.Row:
        row = connection.execute(
            "SELECT * FROM branch WHERE id = ? AND chat_id = ? AND deleted_at IS NULL", (branch_id, scope.chat_id)
        ).fetchone()
        if row is None:
            raise NotFound("This branch does not exist any more. Nothing was changed.")
        found: sqlite3.Row = row
        return found

    @staticmethod
    def _selection(connection: sqlite3.Connection, branch_id: str, message_id: str, after: list[str | None]) -> Change:
        change = Change("selection", (branch_id, message_id), None, after)
        return Change("selection", change.target, undo.value_now(connection, "", change), after)

    @staticmethod
    def _active(connection: sqlite3.Connection, scope: Scope, branch_id: str) -> Change:
        (now,) = connection.execute("SELECT active_branch_id FROM chat WHERE id = ?", (scope.chat_id,)).fetchone()
        return Change("active", (scope.chat_id,), now, branch_id)

    @staticmethod
    def _fork(connection: sqlite3.Connection, scope: Scope, branch_id: str, *, head: str | None, name: str) -> str:
        new_id = secrets.token_hex(16)
        connection.execute(
            "INSERT INTO branch (id, chat_id, parent_id, forked_at, name, head_id, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (new_id, scope.chat_id, branch_id, head, name, head, now_ms()),
        )
        connection.execute(
            f"""WITH RECURSIVE {PATH} INSERT INTO selection (branch_id, message_id, revision_id, state)
            SELECT :branch, s.message_id, s.revision_id, s.state FROM selection s WHERE s.branch_id = :from AND s.message_id IN (SELECT id FROM path)""",
            {"branch": new_id, "from": branch_id},
        )
        connection.execute(
            f"""WITH RECURSIVE {PATH} INSERT INTO story_end (branch_id, message_id)
            SELECT :branch, e.message_id FROM story_end e WHERE e.branch_id = :from AND e.message_id IN (SELECT id FROM path)""",
            {"branch": new_id, "from": branch_id},
        )
        connection.execute(
            f"""WITH RECURSIVE {PATH} INSERT INTO wording_out (branch_id, revision_id, taken_at)
            SELECT :branch, o.revision_id, o.taken_at FROM wording_out o JOIN revision r ON r.id = o.revision_id
            WHERE o.branch_id = :from AND r.message_id IN (SELECT id FROM path)""",
            {"branch": new_id, "from": branch_id},
        )
        connection.execute(
            f"""WITH RECURSIVE {PATH} INSERT INTO bin_item (id, chat_id, branch_id, kind, message_id, head_id, created_at)
            SELECT lower(hex(randomblob(16))), i.chat_id, :branch, i.kind, i.message_id, i.head_id, i.created_at FROM bin_item i
            WHERE i.branch_id = :from AND i.kind = 'message' AND i.message_id IN (SELECT id FROM path)""",
            {"branch": new_id, "from": branch_id},
        )
        return new_id
