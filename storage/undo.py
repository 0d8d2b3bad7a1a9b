"""What a person did to a conversation, as changes that can be taken back: the undo log.

A change says of one thing what it was and what it is. Undoing sets it back, redoing forward; each first checks that the thing still is as the change
left it. Saying something is in the log too, so that undoing goes back step by step and never has to jump over what came later.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from storage.carried_rows import batch_now, set_batch
from storage.errors import CannotUndo
from storage.readings_rows import reading_now, set_reading
from storage.records import now_ms

KEPT = 500
"""Steps that can be taken back, a chat."""


@dataclass(frozen=True)
class Change:
    """thing: `head`, `branch` (whether it stands), `name`, `selection` (of a message on a branch), `active` (branch of the chat), `bin` (an item),
    `wording` (since when one is put away on a branch, in milliseconds since 1970), `end` (whether a chapter of a branch was closed early with a message),
    `preset` (of the chat's story), `clock` (of its day), `note` (of its author), `player` (of the chat: the persona that the player has, and its name
    there), `listens` (whether it only listens), `memory` (of the chat: `off` while it remembers nothing), `carried` (whether what came along at once is
    there), `reading` (what was said of a character's)."""

    thing: str
    target: tuple[str, ...]
    before: object
    after: object

    def as_json(self) -> list[object]:
        return [self.thing, list(self.target), self.before, self.after]

    @classmethod
    def of_json(cls, value: Sequence[object]) -> Change:
        thing, target, before, after = value
        if not isinstance(thing, str) or not isinstance(target, list):
            raise TypeError("not a change of this program")
        return cls(thing, tuple(str(t) for t in target), before, after)


@dataclass(frozen=True)
class Step:
    """A row of the log."""

    id: int
    branch_id: str
    operation: str
    changes: tuple[Change, ...]


def set_value(connection: sqlite3.Connection, chat_id: str, change: Change, value: object) -> None:
    """Make the thing of a change be `value`. Every write goes through here, done for the first time, undone or redone."""
    match change.thing:
        case "head":
            connection.execute("UPDATE branch SET head_id = ? WHERE id = ? AND chat_id = ?", (value, change.target[0], chat_id))
        case "branch":
            connection.execute("UPDATE branch SET deleted_at = ? WHERE id = ? AND chat_id = ?", (value, change.target[0], chat_id))
        case "name":
            connection.execute("UPDATE branch SET name = ? WHERE id = ? AND chat_id = ?", (value, change.target[0], chat_id))
        case "active":
            connection.execute("UPDATE chat SET active_branch_id = ? WHERE id = ?", (value, chat_id))
        case "selection":
            branch_id, message_id = change.target
            if value is None:
                connection.execute("DELETE FROM selection WHERE branch_id = ? AND message_id = ?", (branch_id, message_id))
            else:
                revision_id, state = _pair(value)
                connection.execute(
                    """INSERT INTO selection (branch_id, message_id, revision_id, state) VALUES (?, ?, ?, ?)
                    ON CONFLICT (branch_id, message_id) DO UPDATE SET revision_id = excluded.revision_id, state = excluded.state""",
                    (branch_id, message_id, revision_id, state),
                )
        case "bin":
            (item_id,) = change.target
            if value is None:
                connection.execute("DELETE FROM bin_item WHERE id = ? AND chat_id = ?", (item_id, chat_id))
            else:
                branch_id, kind, message_id, head_id, created_at = value if isinstance(value, list) else []
                connection.execute(
                    """INSERT OR IGNORE INTO bin_item (id, chat_id, branch_id, kind, message_id, head_id, created_at)
                    VALUES (?, ?, ?, ?, ?, ?, ?)""",
                    (item_id, chat_id, branch_id, kind, message_id, head_id, created_at),
                )
        case "wording":
            if value is None:
                connection.execute("DELETE FROM wording_out WHERE branch_id = ? AND revision_id = ?", change.target)
            else:
                connection.execute(
                    "INSERT OR IGNORE INTO wording_out (branch_id, revision_id, taken_at) VALUES (?, ?, ?)", (*change.target, value)
                )
        case "end":
            if value is None:
                connection.execute("DELETE FROM story_end WHERE branch_id = ? AND message_id = ?", change.target)
            else:
                connection.execute("INSERT OR IGNORE INTO story_end (branch_id, message_id) VALUES (?, ?)", change.target)
        case "preset":
            if value is None:
                connection.execute("UPDATE chat SET settings = json_remove(settings, '$.story') WHERE id = ?", (chat_id,))
            else:
                connection.execute("UPDATE chat SET settings = json_set(settings, '$.story', ?) WHERE id = ?", (value, chat_id))
        case "clock" | "note" | "player" | "listens" | "memory":
            place = f"$.{change.thing}"
            if value is None:
                connection.execute("UPDATE chat SET settings = json_remove(settings, ?) WHERE id = ?", (place, chat_id))
            else:
                connection.execute(
                    "UPDATE chat SET settings = json_set(settings, ?, json(?)) WHERE id = ?",
                    (place, json.dumps(value, ensure_ascii=False), chat_id),
                )
        case "carried":
            set_batch(connection, chat_id, change.target[0], there=bool(value))
        case "reading":
            set_reading(connection, chat_id, change.target[0], value)
        case unknown:
            raise CannotUndo(f"This program does not know how to take back {unknown!r}.")


def value_now(connection: sqlite3.Connection, chat_id: str, change: Change) -> object:
    """What the thing of a change is now, in the form of its `before` and `after`."""
    match change.thing:
        case "head" | "branch" | "name":
            column = {"head": "head_id", "branch": "deleted_at", "name": "name"}[change.thing]
            row = connection.execute(
                f"SELECT {column} AS v FROM branch WHERE id = ? AND chat_id = ?", (change.target[0], chat_id)
            ).fetchone()
            return row["v"] if row is not None else None
        case "active":
            return connection.execute("SELECT active_branch_id AS v FROM chat WHERE id = ?", (chat_id,)).fetchone()["v"]
        case "selection":
            row = connection.execute(
                "SELECT revision_id, state FROM selection WHERE branch_id = ? AND message_id = ?", change.target
            ).fetchone()
            return [row["revision_id"], row["state"]] if row is not None else None
        case "bin":
            row = connection.execute("SELECT * FROM bin_item WHERE id = ? AND chat_id = ?", (change.target[0], chat_id)).fetchone()
            return [row["branch_id"], row["kind"], row["message_id"], row["head_id"], row["created_at"]] if row is not None else None
        case "wording":
            row = connection.execute("SELECT taken_at FROM wording_out WHERE branch_id = ? AND revision_id = ?", change.target).fetchone()
            return row["taken_at"] if row is not None else None
        case "end":
            row = connection.execute("SELECT 1 FROM story_end WHERE branch_id = ? AND message_id = ?", change.target).fetchone()
            return True if row is not None else None
        case "clock" | "note" | "player" | "listens" | "memory":
            place = f"$.{change.thing}"
            kept = connection.execute("SELECT settings -> ? AS v FROM chat WHERE id = ?", (place, chat_id)).fetchone()["v"]
            return json.loads(kept) if kept is not None else None
        case "carried":
            return batch_now(connection, chat_id, change.target[0])
        case "reading":
            return reading_now(connection, chat_id, change.target[0])
        case "preset":
            return connection.execute("SELECT json_extract(settings, '$.story') AS v FROM chat WHERE id = ?", (chat_id,)).fetchone()["v"]
    return None


def record(connection: sqlite3.Connection, chat_id: str, branch_id: str, operation: str, changes: Sequence[Change]) -> None:
    """Do changes for the first time and log them as one step; what had been undone can then not be redone any more."""
    for change in changes:
        set_value(connection, chat_id, change, change.after)
    _log(connection, chat_id, branch_id, operation, changes)


def join(connection: sqlite3.Connection, chat_id: str, step: Step, change: Change) -> None:
    """Do a change for the first time as part of the step that was done last."""
    set_value(connection, chat_id, change, change.after)
    changes = (*step.changes, change)
    connection.execute("UPDATE undo_log SET forward = ?, backward = ? WHERE id = ?", (_forward(changes), _backward(changes), step.id))


def said(connection: sqlite3.Connection, chat_id: str, branch_id: str, *, before: str | None, after: str) -> None:
    """Log that something was said: the branch's head has moved already."""
    moved(connection, chat_id, branch_id, "send", before=before, after=after)


def moved(connection: sqlite3.Connection, chat_id: str, branch_id: str, operation: str, *, before: str | None, after: str) -> None:
    """Log an operation by which the branch's head has moved already."""
    _log(connection, chat_id, branch_id, operation, [Change("head", (branch_id,), before, after)])


def _log(connection: sqlite3.Connection, chat_id: str, branch_id: str, operation: str, changes: Sequence[Change]) -> None:
    connection.execute("DELETE FROM undo_log WHERE chat_id = ? AND undone = 1", (chat_id,))
    connection.execute(
        "INSERT INTO undo_log (chat_id, branch_id, operation, forward, backward, created_at) VALUES (?, ?, ?, ?, ?, ?)",
        (chat_id, branch_id, operation, _forward(changes), _backward(changes), now_ms()),
    )
    connection.execute(
        """DELETE FROM undo_log WHERE chat_id = :chat
            AND id <= (SELECT id FROM undo_log WHERE chat_id = :chat ORDER BY id DESC LIMIT 1 OFFSET :kept)""",
        {"chat": chat_id, "kept": KEPT},
    )


def _forward(changes: Sequence[Change]) -> str:
    return json.dumps([c.as_json() for c in changes])


def _backward(changes: Sequence[Change]) -> str:
    return json.dumps([Change(c.thing, c.target, c.after, c.before).as_json() for c in reversed(changes)])


def last_done(connection: sqlite3.Connection, chat_id: str) -> Step | None:
    """The step that undoing takes back."""
    return _step(
        connection.execute("SELECT * FROM undo_log WHERE chat_id = ? AND undone = 0 ORDER BY id DESC LIMIT 1", (chat_id,)).fetchone()
    )


def first_undone(connection: sqlite3.Connection, chat_id: str) -> Step | None:
    """The step that redoing does again."""
    return _step(connection.execute("SELECT * FROM undo_log WHERE chat_id = ? AND undone = 1 ORDER BY id LIMIT 1", (chat_id,)).fetchone())


def undone_steps(connection: sqlite3.Connection, chat_id: str) -> list[Step]:
    """Every step that could be redone, oldest first."""
    rows = connection.execute("SELECT * FROM undo_log WHERE chat_id = ? AND undone = 1 ORDER BY id", (chat_id,)).fetchall()
    return [step for step in map(_step, rows) if step is not None]


def take_back(connection: sqlite3.Connection, chat_id: str, step: Step) -> None:
    """Undo a step. A head that has moved on since (a reply came) is what redoing brings back."""
    changes = []
    for change in reversed(step.changes):
        now = value_now(connection, chat_id, change)
        if now != change.after and change.thing != "reading" and not (change.thing == "head" and _stands_on(connection, now, change.after)):
            raise CannotUndo("This cannot be taken back any more: the conversation has changed since. Nothing was changed.")
        changes.append(Change(change.thing, change.target, change.before, now))
    for change in changes:
        set_value(connection, chat_id, change, change.before)
    _mark(connection, step.id, tuple(reversed(changes)), undone=1)


def do_again(connection: sqlite3.Connection, chat_id: str, step: Step) -> None:
    """Redo a step that was undone."""
    for change in step.changes:
        if value_now(connection, chat_id, change) != change.before and change.thing != "reading":
            raise CannotUndo("This cannot be done again: the conversation has changed since. Nothing was changed.")
    for change in step.changes:
        set_value(connection, chat_id, change, change.after)
    _mark(connection, step.id, step.changes, undone=0)


def _mark(connection: sqlite3.Connection, step_id: int, changes: Sequence[Change], *, undone: int) -> None:
    connection.execute("UPDATE undo_log SET undone = ?, forward = ? WHERE id = ?", (undone, _forward(changes), step_id))


def _stands_on(connection: sqlite3.Connection, head: object, message_id: object) -> bool:
    """Whether a head is a message or comes after it. Only replies can have come since, so the way is short."""
    row = connection.execute(
        """WITH RECURSIVE path (id, parent_id) AS (
            SELECT id, parent_id FROM message WHERE id = :head
            UNION ALL SELECT m.id, m.parent_id FROM path p JOIN message m ON m.id = p.parent_id LIMIT 100
        ) SELECT 1 FROM path WHERE id = :wanted""",
        {"head": head, "wanted": message_id},
    ).fetchone()
    return row is not None


def _step(row: sqlite3.Row | None) -> Step | None:
    if row is None:
        return None
    return Step(row["id"], row["branch_id"], row["operation"], tuple(Change.of_json(c) for c in json.loads(row["forward"])))


def _pair(value: object) -> tuple[str | None, str]:
    if not isinstance(value, list) or len(value) != 2:
        raise TypeError("not a selection of this program")
    return value[0], str(value[1])
