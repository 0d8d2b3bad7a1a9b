"""The reviewer's decisions about what two annotators made of a dialogue, and the gold that comes of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from storage.annotation_errors import ChangedMeanwhile
from storage.annotation_projects import note
from storage.annotation_records import REVIEWER, Gold, Member
from storage.annotation_sight import own
from storage.annotation_work import AnnotationWork, write_gold
from storage.database import Database
from storage.records import now_ms


@dataclass(frozen=True)
class Decision:
    """part: what it is about (`annotation.matching`). content: as `annotation.fields` has checked it."""

    part: str
    content: Mapping[str, object]
    version: int


class AnnotationReviews:
    def __init__(self, database: Database, work: AnnotationWork) -> None:
        self._db = database
        self._work = work

    def decisions(self, member: Member, assignment_id: str) -> list[Decision]:
        """A reviewer's own."""
        with self._db.snapshot() as connection:
            own(connection, member, assignment_id, REVIEWER)
            rows = connection.execute("SELECT * FROM annotation_decision WHERE assignment_id = ? ORDER BY part", (assignment_id,))
            return [Decision(row["part"], json.loads(row["content"]), row["version"]) for row in rows]

    def decide(
        self, member: Member, assignment_id: str, part: str, content: Mapping[str, object], *, before: Mapping[str, object] | None
    ) -> None:
        """before: the decision that the page shows, None for none. Raises ChangedMeanwhile where it is another."""
        with self._work.at_work(member, assignment_id, REVIEWER) as (connection, mine):
            row = connection.execute(
                "SELECT content FROM annotation_decision WHERE assignment_id = ? AND part = ?", (mine.id, part)
            ).fetchone()
            present = json.loads(row["content"]) if row is not None else None
            if present == content:
                return
            if present != before:
                raise ChangedMeanwhile("Another tab changed this. Nothing was done here; what you see now is how it stands.")
            text = json.dumps(dict(content), ensure_ascii=False, sort_keys=True)
            connection.execute(
                """INSERT INTO annotation_decision (assignment_id, part, content, decided_at) VALUES (?, ?, ?, ?)
                ON CONFLICT (assignment_id, part) DO UPDATE SET content = excluded.content, decided_at = excluded.decided_at, version = version + 1""",
                (mine.id, part, text, now_ms()),
            )
            note(
                connection, member, project_id=mine.project_id, item_id=mine.item_id, assignment_id=mine.id, action="decision", subject=part,
                before=row["content"] if row is not None else "", after=text,
            )  # fmt: skip

    def finish(self, member: Member, assignment_id: str, gold: list[Gold]) -> None:
        """End the review. gold: what its decisions come to (`annotation.review`)."""
        with self._work.at_work(member, assignment_id, REVIEWER) as (connection, mine):
            write_gold(connection, mine.item_id, gold)
            connection.execute("UPDATE annotation_assignment SET submitted_at = ?, draft = '' WHERE id = ?", (now_ms(), mine.id))
            note(
                connection, member, project_id=mine.project_id, item_id=mine.item_id, assignment_id=mine.id, action="reviewed",
                after=str(len(gold)),
            )  # fmt: skip
