"""The bin of a conversation: what was taken out and can come back. Nothing in it is erased before it is emptied."""

from __future__ import annotations

import sqlite3

from storage.errors import NotFound
from storage.operations import TAIL, Operations
from storage.records import BinItem, from_ms, now_ms
from storage.scope import Scope
from storage.undo import Change


class Bin(Operations):
    def items(self, scope: Scope, branch_id: str) -> list[BinItem]:
        """What was taken out of a branch, newest first."""
        self._chats.check(scope)
        rows = self._db.read().execute(
            "SELECT * FROM bin_item WHERE chat_id = ? AND branch_id = ? ORDER BY created_at DESC, rowid DESC", (scope.chat_id, branch_id)
        )
        return [BinItem(r["id"], r["branch_id"], r["kind"], r["message_id"], r["head_id"], from_ms(r["created_at"])) for r in rows]

    def tail(self, scope: Scope, item: BinItem) -> list[str]:
        """Ids of the messages of a bin item, newest first."""
        if item.kind == "message":
            return [item.message_id]
        rows = self._db.read().execute(
            f"{TAIL} SELECT t.id FROM tail t",
            {
                "head": item.head_id,
                "chat": scope.chat_id,
                "stop": self._parent(self._db.read(), scope, item.message_id),
            },
        )
        return [row["id"] for row in rows]

    def restore(self, scope: Scope, item_id: str) -> str:
        """Bring back what is in the bin; the branch it is on. A tail goes back to its place if nothing was said there since, else to a branch of its own."""
        with self._operation(scope) as connection:
            row = connection.execute("SELECT * FROM bin_item WHERE id = ? AND chat_id = ?", (item_id, scope.chat_id)).fetchone()
            if row is None:
                return self._restore_branch(connection, scope, item_id)
            branch_id = str(row["branch_id"])
            self._standing(connection, scope, branch_id)
            taken = Change("bin", (item_id,), [branch_id, row["kind"], row["message_id"], row["head_id"], row["created_at"]], None)
            if row["kind"] == "message":
                message = connection.execute(
                    "SELECT revision_id FROM selection WHERE branch_id = ? AND message_id = ?", (branch_id, row["message_id"])
                ).fetchone()
                state = "hidden" if row["head_id"] is not None else "active"
                back = self._selection(connection, branch_id, row["message_id"], [message["revision_id"] if message else None, state])
                self._record(connection, scope, branch_id, "restore", [taken, back])
                return branch_id
            (head,) = connection.execute("SELECT head_id FROM branch WHERE id = ?", (branch_id,)).fetchone()
            if head == self._parent(connection, scope, row["message_id"]):
                self._record(connection, scope, branch_id, "restore", [taken, Change("head", (branch_id,), head, row["head_id"])])
                return branch_id
            new_id = self._fork(connection, scope, branch_id, head=row["head_id"], name="")
            changes = [taken, Change("branch", (new_id,), now_ms(), None), self._active(connection, scope, new_id)]
            self._record(connection, scope, new_id, "restore", changes)
            return new_id

    def _restore_branch(self, connection: sqlite3.Connection, scope: Scope, branch_id: str) -> str:
        row = connection.execute(
            "SELECT deleted_at FROM branch WHERE id = ? AND chat_id = ? AND deleted_at IS NOT NULL", (branch_id, scope.chat_id)
        ).fetchone()
        if row is None:
            raise NotFound("This is not in the bin any more.")
        self._record(connection, scope, branch_id, "restore", [Change("branch", (branch_id,), row["deleted_at"], None)])
        return branch_id

    def wording(self, scope: Scope, item: BinItem) -> str:
        """What the first message of a bin item says, as its branch had it."""
        row = (
            self._db.read()
            .execute(
                """SELECT r.text FROM message m LEFT JOIN selection s ON s.message_id = m.id AND s.branch_id = ?
                JOIN revision r ON r.id = coalesce(s.revision_id, (SELECT id FROM revision WHERE message_id = m.id AND ordinal = 0))
                WHERE m.id = ? AND m.chat_id = ?""",
                (item.branch_id, item.message_id, scope.chat_id),
            )
            .fetchone()
        )
        return str(row["text"]) if row is not None else ""
