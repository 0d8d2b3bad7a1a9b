"""Branches of a conversation. A fork is a head and a copy of the selections of its path: what both share is stored, and remembered, once."""

from __future__ import annotations

from storage.errors import LastBranch
from storage.operations import Operations
from storage.records import Branch, from_ms, now_ms
from storage.scope import Scope
from storage.undo import Change


class Branches(Operations):
    def all(self, scope: Scope) -> list[Branch]:
        """The branches that stand, oldest first."""
        return self._branches(scope, "b.deleted_at IS NULL")

    def removed(self, scope: Scope) -> list[tuple[Branch, int]]:
        """Branches in the bin, with when they went there (milliseconds since 1970 UTC)."""
        removed = self._branches(scope, "b.deleted_at IS NOT NULL")
        when = {
            r["id"]: r["deleted_at"]
            for r in self._db.read().execute("SELECT id, deleted_at FROM branch WHERE chat_id = ?", (scope.chat_id,))
        }
        return [(b, when[b.id]) for b in removed]

    def _branches(self, scope: Scope, condition: str) -> list[Branch]:
        self._chats.check(scope)
        rows = self._db.read().execute(
            f"SELECT b.* FROM branch b WHERE b.chat_id = ? AND {condition} ORDER BY b.created_at, b.rowid", (scope.chat_id,)
        )
        return [Branch(r["id"], r["name"], r["parent_id"], r["forked_at"], r["head_id"], from_ms(r["created_at"])) for r in rows]

    def fork(self, scope: Scope, branch_id: str, message_id: str, name: str, *, operation: str) -> str:
        """A new branch that ends at a message of another; its id. operation: `checkpoint` stays, any other goes there."""
        with self._operation(scope) as connection:
            self._on_path(connection, scope, branch_id, message_id)
            new_id = self._fork(connection, scope, branch_id, head=message_id, name=name)
            changes = [Change("branch", (new_id,), now_ms(), None)]
            if operation != "checkpoint":
                changes.append(self._active(connection, scope, new_id))
            self._record(connection, scope, branch_id, operation, changes)
            return new_id

    def switch(self, scope: Scope, branch_id: str) -> None:
        """Go to another branch that stands."""
        with self._operation(scope) as connection:
            self._standing(connection, scope, branch_id)
            change = self._active(connection, scope, branch_id)
            if change.before != change.after:
                self._record(connection, scope, branch_id, "switch", [change])

    def rename(self, scope: Scope, branch_id: str, name: str) -> None:
        with self._operation(scope) as connection:
            row = self._standing(connection, scope, branch_id)
            self._record(connection, scope, branch_id, "rename_branch", [Change("name", (branch_id,), row["name"], name)])

    def remove(self, scope: Scope, branch_id: str) -> None:
        """Put a branch into the bin; from the active one the chat goes to its parent, else to the oldest. Raises LastBranch."""
        with self._operation(scope) as connection:
            self._standing(connection, scope, branch_id)
            others = [b for b in self.all(scope) if b.id != branch_id]
            if not others:
                raise LastBranch("This is the only branch of the chat; delete the chat instead. Nothing was changed.")
            changes = [Change("branch", (branch_id,), None, now_ms())]
            (active,) = connection.execute("SELECT active_branch_id FROM chat WHERE id = ?", (scope.chat_id,)).fetchone()
            if active == branch_id:
                (parent,) = connection.execute("SELECT parent_id FROM branch WHERE id = ?", (branch_id,)).fetchone()
                changes.append(Change("active", (scope.chat_id,), active, next((b.id for b in others if b.id == parent), others[0].id)))
            self._record(connection, scope, branch_id, "remove_branch", changes)
