"""The reviewer's decisions about what two annotators made of a dialogue, and the gold that comes of them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from storage.annotation_errors import ChangedMeanwhile
from storage.annotation_projects import note
from storage.annotation_records import REVIEWER, Gold, Member
from storage.annotation_sight import own, sees_gold, submitted
from storage.annotation_work import AnnotationWork, Submission, points_of, write_gold
from storage.database import Database
from storage.records import now_ms


@dataclass(frozen=True)
class Decision:
    """part: what it is about (`annotation.matching`). content: as `annotation.fields` has checked it."""

    part: str
    content: Mapping[str, object]
    version: int
    decided_at: int


Making = Callable[[Sequence[Submission], Sequence[Decision]], tuple[list[Gold], Collection[str]]]
"""From what was submitted and decided to the gold, with the parts whose decisions it is made of."""


class AnnotationReviews:
    def __init__(self, database: Database, work: AnnotationWork) -> None:
        self._db = database
        self._work = work

    def decisions(self, member: Member, assignment_id: str) -> list[Decision]:
        """A reviewer's own."""
        with self._db.snapshot() as connection:
            own(connection, member, assignment_id, REVIEWER)
            return _decisions(connection, assignment_id)

    def flagged(self, member: Member, item_id: str) -> list[Decision]:
        """What finished reviews of a dialogue say that the guidelines leave open, for whoever may see its gold."""
        with self._db.snapshot() as connection:
            if not sees_gold(connection, member, item_id, now_ms()):
                return []
            done = connection.execute(
                "SELECT id FROM annotation_assignment WHERE item_id = ? AND role = ? AND submitted_at IS NOT NULL", (item_id, REVIEWER)
            )
            return [one for row in done for one in _decisions(connection, row["id"]) if one.content.get("flag")]

    def decide(
        self,
        member: Member,
        assignment_id: str,
        part: str,
        content: Mapping[str, object],
        *,
        before: Mapping[str, object] | None,
        since: int,
    ) -> None:
        """before: the decision that the page shows, None for none. since: when what it is about was changed last. Raises ChangedMeanwhile where it is another."""
        with self._work.at_work(member, assignment_id, REVIEWER) as (connection, mine):
            row = connection.execute(
                "SELECT content, decided_at FROM annotation_decision WHERE assignment_id = ? AND part = ?", (mine.id, part)
            ).fetchone()
            present = json.loads(row["content"]) if row is not None else None
            if present == content and row["decided_at"] >= since:
                return
            if present != before:
                raise ChangedMeanwhile("Another tab changed this. Nothing was done here; what you see now is how it stands.")
            text = json.dumps(dict(content), ensure_ascii=False, sort_keys=True)
            connection.execute(
                """INSERT INTO annotation_decision (assignment_id, part, content, decided_at) VALUES (?, ?, ?, ?)
                ON CONFLICT (assignment_id, part) DO UPDATE SET content = excluded.content, decided_at = excluded.decided_at, version = version + 1""",
                (mine.id, part, text, max(now_ms(), since)),  # also where the clock was set back
            )
            note(
                connection, member, project_id=mine.project_id, item_id=mine.item_id, assignment_id=mine.id, action="decision", subject=part,
                before=row["content"] if row is not None else "", after=text,
            )  # fmt: skip

    def finish(self, member: Member, assignment_id: str, making: Making) -> list[Gold]:
        """End the review with the gold that its decisions come to, in one transaction with what they are about.

        Decisions about what is there no more go; the trail has them."""
        with self._work.at_work(member, assignment_id, REVIEWER) as (connection, mine):
            submissions = [Submission(one.id, tuple(points_of(connection, one.id))) for one in submitted(connection, mine.item_id)]
            gold, parts = making(submissions, _decisions(connection, mine.id))
            write_gold(connection, mine.item_id, gold)
            connection.execute(
                "DELETE FROM annotation_decision WHERE assignment_id = ? AND part NOT IN (SELECT value FROM json_each(?))",
                (mine.id, json.dumps(sorted(parts))),
            )
            connection.execute("UPDATE annotation_assignment SET submitted_at = ?, draft = '' WHERE id = ?", (now_ms(), mine.id))
            note(
                connection, member, project_id=mine.project_id, item_id=mine.item_id, assignment_id=mine.id, action="reviewed",
                after=str(len(gold)),
            )  # fmt: skip
        return gold


def _decisions(connection: sqlite3.Connection, assignment_id: str) -> list[Decision]:
    rows = connection.execute("SELECT * FROM annotation_decision WHERE assignment_id = ? ORDER BY part", (assignment_id,))
    return [Decision(row["part"], json.loads(row["content"]), row["version"], row["decided_at"]) for row in rows]
