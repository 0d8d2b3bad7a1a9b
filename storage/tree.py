"""Rewriting a conversation: further wordings, deleting, hiding, cutting, undo. Branches and the bin stand beside it.

Nothing is erased here. Every operation is one transaction, one step of the undo log, and changes one branch alone: a further wording is selected on the
branch it was made on, and a fork takes the selections of its path along.
"""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Sequence

from storage import undo
from storage.errors import CannotUndo, ChangedElsewhere, NotFound
from storage.operations import Operations
from storage.paths import message_of_id
from storage.records import Message, NewMessage, NewTask, NewWording, Revision, now_ms, sha256, stable_id
from storage.scope import Scope
from storage.undo import Change
from storage.wording_rows import index_wording

AGAIN_IN_BRANCH = "regenerate_in_branch"
"""The step that goes to a new branch for the reply that is made again there, which joins it once it has come."""


class Tree(Operations):
    def edition(self, scope: Scope) -> int:
        """How often a person changed the conversation: what `claim` expects."""
        self._chats.check(scope)
        (now,) = self._db.read().execute("SELECT edition FROM chat WHERE id = ?", (scope.chat_id,)).fetchone()
        return int(now)

    def claim(self, scope: Scope, edition: int) -> int:
        """Begin an operation of a page that shows `edition`, inside the caller's transaction: the new edition, or ChangedElsewhere."""
        self._chats.check(scope)
        with self._db.write() as connection:
            (now,) = connection.execute("SELECT edition FROM chat WHERE id = ?", (scope.chat_id,)).fetchone()
            if now != edition:
                raise ChangedElsewhere(
                    "This conversation was changed in another tab. Nothing was done here; the page now shows it as it is.", edition=now
                )
            connection.execute("UPDATE chat SET edition = edition + 1, version = version + 1 WHERE id = ?", (scope.chat_id,))
            return int(now) + 1

    # Wordings

    def wordings(self, scope: Scope, message_id: str) -> list[Revision]:
        """Every wording of a message, oldest first."""
        self._chats.check(scope)
        rows = self._db.read().execute(
            "SELECT r.* FROM revision r JOIN message m ON m.id = r.message_id WHERE r.message_id = ? AND m.chat_id = ? ORDER BY r.ordinal",
            (message_id, scope.chat_id),
        )
        return [Revision(r["id"], r["text"], r["sha256"], r["origin"], r["status"], r["model"], r["ordinal"], r["player"]) for r in rows]

    def reword(self, scope: Scope, branch_id: str, message_id: str, wording: NewWording, *, operation: str) -> Message:
        """Write a further wording of a message and select it on the branch; the message as it now stands. A hidden one stays hidden."""
        with self._operation(scope) as connection:
            state = _state(self._on_path(connection, scope, branch_id, message_id))
            change = self._word(connection, scope, branch_id, message_id, wording, state=state)
            fork = undo.last_done(connection, scope.chat_id)
            if fork is not None and fork.operation == AGAIN_IN_BRANCH and _awaits(fork, branch_id):
                undo.join(connection, scope.chat_id, fork, change)
                self._changed(connection, scope)
            else:
                self._record(connection, scope, branch_id, operation, [change])
            return message_of_id(connection, chat_id=scope.chat_id, branch_id=branch_id, message_id=message_id)

    def reword_in_branch(
        self, scope: Scope, branch_id: str, message_id: str, wording: NewWording, *, operation: str
    ) -> tuple[str, Message]:
        """The same on a new branch that ends with the message, and go there; its id and the message. One step: taken back, the conversation is where it was."""
        with self._operation(scope) as connection:
            state = _state(self._on_path(connection, scope, branch_id, message_id))
            new_id = self._fork(connection, scope, branch_id, head=message_id, name="")
            changes = [
                Change("branch", (new_id,), now_ms(), None),
                self._active(connection, scope, new_id),
                self._word(connection, scope, new_id, message_id, wording, state=state),
            ]
            self._record(connection, scope, branch_id, operation, changes)
            return new_id, message_of_id(connection, chat_id=scope.chat_id, branch_id=new_id, message_id=message_id)

    def _word(
        self, connection: sqlite3.Connection, scope: Scope, branch_id: str, message_id: str, wording: NewWording, *, state: str
    ) -> Change:
        """Write a further wording of a message; the change that selects it."""
        (ordinal,) = connection.execute("SELECT max(ordinal) + 1 FROM revision WHERE message_id = ?", (message_id,)).fetchone()
        revision_id = stable_id("revision", message_id, ordinal)
        connection.execute(
            """INSERT INTO revision (id, message_id, ordinal, text, sha256, origin, status, model, player, created_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
            (
                revision_id,
                message_id,
                ordinal,
                wording.text,
                sha256(wording.text),
                wording.origin,
                wording.status,
                wording.model,
                wording.player,
                now_ms(),
            ),
        )
        index_wording(connection, chat_id=scope.chat_id, revision_id=revision_id, text=wording.text)
        return self._selection(connection, branch_id, message_id, [revision_id, state])

    def swipe(self, scope: Scope, branch_id: str, message_id: str, ordinal: int) -> None:
        """Select a wording that exists; NotFound if it does not. A hidden message stays hidden."""
        with self._operation(scope) as connection:
            message = self._on_path(connection, scope, branch_id, message_id)
            row = connection.execute("SELECT id FROM revision WHERE message_id = ? AND ordinal = ?", (message_id, ordinal)).fetchone()
            if row is None:
                raise NotFound("This wording does not exist.")
            if message.revision.id != row["id"]:
                change = self._selection(connection, branch_id, message_id, [row["id"], _state(message)])
                self._record(connection, scope, branch_id, "swipe", [change])

    # Taking out and hiding

    def delete(self, scope: Scope, branch_id: str, message_id: str) -> None:
        """Take one message out of the branch; what follows stays. The newest is cut off, so that the branch goes on from what is left."""
        with self._operation(scope) as connection:
            message = self._on_path(connection, scope, branch_id, message_id)
            newest = self._chats.head(scope, branch_id)
            if newest is not None and newest.id == message_id:
                self._cut(connection, scope, branch_id, message, operation="delete")
                return
            hidden = message_id if message.hidden else None
            item = Change("bin", (secrets.token_hex(16),), None, [branch_id, "message", message_id, hidden, now_ms()])
            gone = self._selection(connection, branch_id, message_id, [message.revision.id, "deleted"])
            self._record(connection, scope, branch_id, "delete", [gone, item])

    def delete_from(self, scope: Scope, branch_id: str, message_id: str) -> None:
        """Cut the branch before a message; what came after is kept in the bin as one piece."""
        with self._operation(scope) as connection:
            message = self._on_path(connection, scope, branch_id, message_id)
            self._cut(connection, scope, branch_id, message, operation="delete_from")

    def hide(self, scope: Scope, branch_id: str, message_id: str) -> None:
        """Keep a message for the reader and from the model."""
        self._show(scope, branch_id, message_id, "hidden", "hide")

    def show(self, scope: Scope, branch_id: str, message_id: str) -> None:
        self._show(scope, branch_id, message_id, "active", "show")

    def _show(self, scope: Scope, branch_id: str, message_id: str, state: str, operation: str) -> None:
        with self._operation(scope) as connection:
            message = self._on_path(connection, scope, branch_id, message_id)
            if message.hidden != (state == "hidden"):
                change = self._selection(connection, branch_id, message_id, [message.revision.id, state])
                self._record(connection, scope, branch_id, operation, [change])

    def _cut(self, connection: sqlite3.Connection, scope: Scope, branch_id: str, message: Message, *, operation: str) -> None:
        (head,) = connection.execute("SELECT head_id FROM branch WHERE id = ?", (branch_id,)).fetchone()
        changes = [
            Change("head", (branch_id,), head, message.parent_id),
            Change("bin", (secrets.token_hex(16),), None, [branch_id, "tail", message.id, head, now_ms()]),
        ]
        self._record(connection, scope, branch_id, operation, changes)

    # Undo

    def undoable(self, scope: Scope) -> tuple[str, str]:
        """Names of the operations that undo takes back and redo does again; "" where there is none."""
        self._chats.check(scope)
        with self._db.snapshot() as connection:
            done, undone = undo.last_done(connection, scope.chat_id), undo.first_undone(connection, scope.chat_id)
        return (done.operation if done else "", undone.operation if undone else "")

    def undo(self, scope: Scope) -> list[Change]:
        """Take the last step back; what it had changed."""
        with self._operation(scope) as connection:
            step = undo.last_done(connection, scope.chat_id)
            if step is None:
                raise CannotUndo("There is nothing to take back.")
            undo.take_back(connection, scope.chat_id, step)
            self._changed(connection, scope)
            return list(step.changes)

    def redo(self, scope: Scope) -> list[Change]:
        with self._operation(scope) as connection:
            step = undo.first_undone(connection, scope.chat_id)
            if step is None:
                raise CannotUndo("There is nothing to do again.")
            undo.do_again(connection, scope.chat_id, step)
            self._changed(connection, scope)
            return list(step.changes)

    def say(self, scope: Scope, branch_id: str, new: NewMessage, *, tasks: Sequence[NewTask]) -> Message:
        """Append what a person says, with the tasks it causes; a step of the undo log like everything they do."""
        with self._operation(scope) as connection:
            (before,) = connection.execute("SELECT head_id FROM branch WHERE id = ? AND chat_id = ?", (branch_id, scope.chat_id)).fetchone()
            (message,) = self._chats.append(scope, branch_id, [new], tasks=tasks)
            self._keep_undone(connection, scope, heads={branch_id: before})
            undo.said(connection, scope.chat_id, branch_id, before=before, after=message.id)
            return message


def _awaits(fork: undo.Step, branch_id: str) -> bool:
    """Whether the reply that a branch was made for has not come yet."""
    return fork.changes[0].target == (branch_id,) and all(c.thing != "selection" for c in fork.changes)


def _state(message: Message) -> str:
    return "hidden" if message.hidden else "active"
