"""What the engine makes of a dialogue: its outline, for whoever may read the dialogue, and what may be suggested of it. Made once and kept with the dialogue."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from storage.annotation_projects import turns_of
from storage.annotation_records import ANNOTATOR, Assignment, Item, Member, Turn
from storage.annotation_sight import own, seen_item
from storage.database import Database
from storage.records import now_ms

GROWN = 24
"""Turns by which a dialogue has to grow until it is gone through anew."""


@dataclass(frozen=True)
class Outline:
    """told: what `annotation.outlines` writes. turns: how many the dialogue had."""

    state: str
    turns: int
    told: Mapping[str, object]


class AnnotationOutlines:
    def __init__(self, database: Database) -> None:
        self._db = database

    def of(self, member: Member, item_id: str) -> Outline | None:
        """For whoever may read the dialogue. Raises NotThere."""
        with self._db.snapshot() as connection:
            seen_item(connection, member, item_id, now_ms())
            row = connection.execute("SELECT * FROM annotation_outline WHERE item_id = ?", (item_id,)).fetchone()
        return Outline(row["state"], row["turns"], json.loads(row["told"]) if row["told"] else {}) if row is not None else None

    def ask(self, member: Member, item_id: str) -> bool:
        """Have it made where it is not there, failed, or the dialogue has grown; whether there is something to do."""
        with self._db.write() as connection:
            turns = seen_item(connection, member, item_id, now_ms()).turns
            row = connection.execute("SELECT state, turns FROM annotation_outline WHERE item_id = ?", (item_id,)).fetchone()
            if row is not None and row["state"] != "failed" and not (row["state"] == "done" and turns >= row["turns"] + GROWN):
                return bool(row["state"] != "done")
            connection.execute(
                """INSERT INTO annotation_outline (item_id, state, turns, made_at) VALUES (?, 'waiting', ?, ?)
                ON CONFLICT (item_id) DO UPDATE SET state = 'waiting', turns = excluded.turns, made_at = excluded.made_at""",
                (item_id, turns, now_ms()),
            )
            return True

    def next_waiting(self) -> tuple[str, list[Turn]]:
        """The dialogue that waits longest, which is being gone through from now on; an empty name if none does. For the thread that does it."""
        with self._db.write() as connection:
            row = connection.execute(
                "SELECT item_id, turns FROM annotation_outline WHERE state = 'waiting' ORDER BY made_at, item_id LIMIT 1"
            ).fetchone()
            if row is None:
                return "", []
            connection.execute("UPDATE annotation_outline SET state = 'running' WHERE item_id = ?", (row["item_id"],))
            return str(row["item_id"]), turns_of(connection, row["item_id"])[: row["turns"]]

    def wanted(self, item_id: str) -> bool:
        """Whether a dialogue that is being gone through is still there."""
        row = self._db.read().execute("SELECT state FROM annotation_outline WHERE item_id = ?", (item_id,)).fetchone()
        return row is not None and row["state"] == "running"

    def ended(self, item_id: str, state: str, told: Mapping[str, object] | None = None) -> None:
        """state: `done`, `failed` or `waiting`. Nothing where the dialogue is gone, or reads otherwise by now."""
        with self._db.write() as connection:
            connection.execute(
                "UPDATE annotation_outline SET state = ?, told = coalesce(?, told) WHERE item_id = ? AND state = 'running'",
                (state, json.dumps(dict(told), ensure_ascii=False) if told is not None else None, item_id),
            )

    def left_running(self) -> None:
        """What was under way when the program ended begins anew."""
        with self._db.write() as connection:
            connection.execute("UPDATE annotation_outline SET state = 'waiting' WHERE state = 'running'")

    # Suggestions

    def may_suggest(self, member: Member, assignment_id: str) -> tuple[Assignment, Item]:
        """Somebody's own work and its dialogue; whether suggestions are offered there is `annotation.suggesting`'s to say. Raises NotThere."""
        with self._db.snapshot() as connection:
            mine = own(connection, member, assignment_id, ANNOTATOR)
            return mine, seen_item(connection, member, mine.item_id, now_ms())

    def dismissed(self, assignment_id: str) -> set[str]:
        rows = self._db.read().execute("SELECT suggestion FROM annotation_dismissal WHERE assignment_id = ?", (assignment_id,))
        return {row["suggestion"] for row in rows}

    def used(self, assignment_id: str) -> set[str]:
        """Suggestions that a point, as it stands, was made from."""
        rows = self._db.read().execute(
            "SELECT suggestion ->> '$.id' AS id FROM annotation_point WHERE assignment_id = ? AND suggestion <> '' AND removed_at IS NULL",
            (assignment_id,),
        )
        return {row["id"] for row in rows}

    def dismiss(self, member: Member, assignment_id: str, suggestion: str) -> None:
        """Put a suggestion away."""
        with self._db.write() as connection:
            mine = own(connection, member, assignment_id, ANNOTATOR)
            connection.execute(
                "INSERT OR IGNORE INTO annotation_dismissal (assignment_id, suggestion, at) VALUES (?, ?, ?)",
                (mine.id, suggestion, now_ms()),
            )

    def bring_back(self, member: Member, assignment_id: str, suggestion: str) -> None:
        with self._db.write() as connection:
            mine = own(connection, member, assignment_id, ANNOTATOR)
            connection.execute("DELETE FROM annotation_dismissal WHERE assignment_id = ? AND suggestion = ?", (mine.id, suggestion))
