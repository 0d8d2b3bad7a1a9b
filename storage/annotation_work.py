"""What one person makes of one dialogue: memory points, the form they have open, undo, submitting. Others' work is read in `comparable` alone."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from storage.annotation_errors import AlreadySubmitted, ChangedMeanwhile, LeaseLost, NothingToUndo, NotThere, ReviewBegun
from storage.annotation_projects import HOUR_MS, note
from storage.annotation_records import ANNOTATOR, REVIEWER, Assignment, Evidence, Gold, Member, Point
from storage.annotation_sight import comparable, item, own, reviewing, sees_gold
from storage.annotation_steps import Step, Steps, next_redo, next_undo
from storage.database import Database
from storage.records import now_ms

_EDITS = ("point", "decision")
"""Actions that can be undone; `undo` and `redo` name the event they are about."""


@dataclass(frozen=True)
class Submission:
    """One annotator's submitted work, without a name."""

    assignment_id: str
    points: tuple[Point, ...]


class AnnotationWork:
    def __init__(self, database: Database) -> None:
        self._db = database

    # Reading

    def assignment(self, member: Member, assignment_id: str, role: str = "") -> Assignment:
        return own(self._db.read(), member, assignment_id, role)

    def points(self, member: Member, assignment_id: str) -> list[Point]:
        """A member's own points, in order."""
        with self._db.snapshot() as connection:
            own(connection, member, assignment_id, ANNOTATOR)
            return points_of(connection, assignment_id)

    def submissions(self, member: Member, item_id: str) -> list[Submission]:
        """Everybody's submitted work on a dialogue, for whoever may compare it (`storage.annotation_sight`)."""
        with self._db.snapshot() as connection:
            found = comparable(connection, member, item_id, now_ms())
            return [Submission(one.id, tuple(points_of(connection, one.id))) for one in found]

    def gold(self, member: Member, item_id: str) -> list[Gold]:
        with self._db.snapshot() as connection:
            if not sees_gold(connection, member, item_id, now_ms()):
                raise NotThere("There is no gold of this dialogue that you may see yet.")
            return gold_of(connection, item_id)

    def steps(self, member: Member, assignment_id: str) -> tuple[bool, bool]:
        """Whether there is something to undo, and to redo."""
        with self._db.snapshot() as connection:
            own(connection, member, assignment_id)
            steps = _steps(connection, assignment_id)
        return next_undo(steps) is not None, next_redo(steps) is not None

    # Writing

    @contextmanager
    def at_work(self, member: Member, assignment_id: str, role: str) -> Iterator[tuple[sqlite3.Connection, Assignment]]:
        """One transaction of a member's own unsubmitted work; its lease begins anew. Raises NotThere, AlreadySubmitted, LeaseLost."""
        with self._db.write() as connection:
            mine = own(connection, member, assignment_id, role)
            if role == REVIEWER:
                reviewing(member)  # who reviewed once may have another role by now
            if mine.submitted_at is not None:
                raise AlreadySubmitted("This is submitted already. Nothing was changed.")
            now = now_ms()
            found = item(connection, mine.item_id, now)
            if role == REVIEWER and found.submitted < found.overlap:
                raise ReviewBegun("An annotation is missing again. The review goes on once it is there; nothing was changed.")
            others = found.reviewed if role == REVIEWER else found.submitted + found.held >= found.overlap
            if mine.lease_until <= now and (others or found.gold_at is not None):
                raise LeaseLost("Somebody else has taken this dialogue, as nothing was done here for long. What you wrote is kept.")
            (hours,) = connection.execute("SELECT lease_hours FROM annotation_project WHERE id = ?", (mine.project_id,)).fetchone()
            connection.execute("UPDATE annotation_assignment SET lease_until = ? WHERE id = ?", (now + hours * HOUR_MS, mine.id))
            yield connection, mine

    def keep_draft(self, member: Member, assignment_id: str, *, draft: str, place: int) -> None:
        """The form as it stands, and the turn they are at. draft: empty for a closed form."""
        with self._db.write() as connection:
            mine = own(connection, member, assignment_id)
            connection.execute("UPDATE annotation_assignment SET draft = ?, place = ? WHERE id = ?", (draft, place, mine.id))

    def read_guideline(self, member: Member, assignment_id: str, version: int) -> None:
        with self._db.write() as connection:
            mine = own(connection, member, assignment_id)
            connection.execute(
                """UPDATE annotation_assignment SET guideline = max(guideline, min(:version,
                    (SELECT max(version) FROM annotation_guideline WHERE project_id = :project))) WHERE id = :id""",
                {"version": version, "project": mine.project_id, "id": mine.id},
            )
            note(
                connection, member, project_id=mine.project_id, item_id=mine.item_id, assignment_id=mine.id, action="guideline_read",
                subject=str(version),
            )  # fmt: skip

    def keep_point(self, member: Member, assignment_id: str, point: Point) -> Point:
        """Add a point (version 0), or change the one of its id if it still has its version; the form it was in is closed.

        Sent a second time, as where the answer was lost, it is there already. Raises ChangedMeanwhile.
        """
        with self.at_work(member, assignment_id, ANNOTATOR) as (connection, mine):
            before = _row(connection, mine.id, point.id)
            sent = before is not None and point.version == before.version - 1
            if before is not None and (sent or point.version == 0) and before.content() | {"number": 0} == point.content() | {"number": 0}:
                return before
            if (before.version if before is not None else 0) != point.version:
                raise ChangedMeanwhile("Another tab changed this. Nothing was done here; what you see now is how it stands.")
            if before is None and connection.execute("SELECT 1 FROM annotation_point WHERE id = ?", (point.id,)).fetchone():
                raise ChangedMeanwhile("This was deleted. Undo brings it back.")
            kept = _write_point(connection, mine.id, point, number=before.number if before is not None else 0)
            _noted(connection, member, mine, "point", point.id, before.content() if before else None, kept.content())
            connection.execute("UPDATE annotation_assignment SET draft = '' WHERE id = ?", (mine.id,))
        return kept

    def remove_point(self, member: Member, assignment_id: str, point_id: str, *, version: int) -> None:
        with self.at_work(member, assignment_id, ANNOTATOR) as (connection, mine):
            before = _row(connection, mine.id, point_id)
            if before is None:
                return
            if before.version != version:
                raise ChangedMeanwhile("Another tab changed this. Nothing was done here; what you see now is how it stands.")
            _remove(connection, mine.id, point_id)
            _noted(connection, member, mine, "point", point_id, before.content(), None)

    def undo(self, member: Member, assignment_id: str, role: str) -> str:
        """Take the last change of this work back; what it was about is returned. Raises NothingToUndo."""
        return self._step(member, assignment_id, role, "undo", next_undo)

    def redo(self, member: Member, assignment_id: str, role: str) -> str:
        return self._step(member, assignment_id, role, "redo", next_redo)

    def _step(self, member: Member, assignment_id: str, role: str, action: str, choose: Callable[[Steps], Step | None]) -> str:
        with self.at_work(member, assignment_id, role) as (connection, mine):
            step = choose(_steps(connection, mine.id))
            if step is None:
                raise NothingToUndo("There is nothing to take back.")
            wanted = step.before if action == "undo" else step.after
            _restore(connection, mine.id, step, wanted)
            note(
                connection, member, project_id=mine.project_id, item_id=mine.item_id, assignment_id=mine.id, action=action, subject=str(step.id),
                before=step.after if action == "undo" else step.before, after=wanted,
            )  # fmt: skip
        return step.subject

    def submit(self, member: Member, assignment_id: str) -> None:
        """Hand the points in. Where nobody else annotates the dialogue they are its gold. Raises as `at_work`."""
        with self.at_work(member, assignment_id, ANNOTATOR) as (connection, mine):
            now = now_ms()
            moment = _first_moment(connection, mine) or now
            connection.execute("UPDATE annotation_assignment SET submitted_at = ?, draft = '' WHERE id = ?", (moment, mine.id))
            note(connection, member, project_id=mine.project_id, item_id=mine.item_id, assignment_id=mine.id, action="submitted")
            if item(connection, mine.item_id, now).overlap == 1:
                gold = [
                    Gold(n, p.text, p.category, p.language, p.evidence, _alone(p)) for n, p in enumerate(points_of(connection, mine.id), 1)
                ]
                write_gold(connection, mine.item_id, gold)

    def give_back(self, member: Member, assignment_id: str) -> None:
        """Let somebody else have the place. What was written is kept; who comes back goes on if the place is free still. Raises NotThere, AlreadySubmitted."""
        with self._db.write() as connection:
            mine = own(connection, member, assignment_id)
            if mine.submitted_at is not None:
                raise AlreadySubmitted("This is submitted already. Nothing was changed.")
            now = now_ms()
            if mine.lease_until <= now:
                return
            connection.execute("UPDATE annotation_assignment SET lease_until = ? WHERE id = ?", (now, mine.id))
            note(connection, member, project_id=mine.project_id, item_id=mine.item_id, assignment_id=mine.id, action="given_back")

    def reopen(self, member: Member, assignment_id: str) -> None:
        """Take a submission back, until somebody reviews it. Raises ReviewBegun."""
        with self._db.write() as connection:
            mine = own(connection, member, assignment_id, ANNOTATOR)
            found = item(connection, mine.item_id, now_ms())
            if mine.submitted_at is None:
                return
            if (found.gold_at is not None and not found.owner) or found.reviewed:
                raise ReviewBegun("What you submitted is being reviewed. It stays as it is.")
            if found.owner:  # nobody else has read it: what was made of it goes back to being open
                connection.execute("DELETE FROM annotation_gold WHERE item_id = ?", (mine.item_id,))
                connection.execute("UPDATE annotation_item SET gold_at = NULL WHERE id = ?", (mine.item_id,))
            until = now_ms() + HOUR_MS
            connection.execute("UPDATE annotation_assignment SET submitted_at = NULL, lease_until = ? WHERE id = ?", (until, mine.id))
            note(connection, member, project_id=mine.project_id, item_id=mine.item_id, assignment_id=mine.id, action="reopened")


def _first_moment(connection: sqlite3.Connection, mine: Assignment) -> int | None:
    """When this was handed in before, if a review has decided about it since: who hands in anew stays the A or the B that they were. The trail has both moments."""
    (moment,) = connection.execute(
        """SELECT max(e.at) FROM annotation_event e WHERE e.assignment_id = ? AND e.action = 'submitted'
        AND EXISTS (SELECT 1 FROM annotation_decision d JOIN annotation_assignment a ON a.id = d.assignment_id WHERE a.item_id = ?)""",
        (mine.id, mine.item_id),
    ).fetchone()
    return moment if moment is None else int(moment)


def _alone(point: Point) -> dict[str, object]:
    """How gold that one person made came about."""
    suggested = {"suggested": dict(point.suggestion)} if point.suggestion is not None else {}
    return {"source": "single", "points": [point.id], "note": point.note, **suggested}


def points_of(connection: sqlite3.Connection, assignment_id: str) -> list[Point]:
    rows = connection.execute(
        "SELECT * FROM annotation_point WHERE assignment_id = ? AND removed_at IS NULL ORDER BY number", (assignment_id,)
    )
    return [_point(row) for row in rows]


def gold_of(connection: sqlite3.Connection, item_id: str) -> list[Gold]:
    return [
        Gold(r["number"], r["text"], r["category"], r["language"], Evidence.of(r["evidence"]), json.loads(r["provenance"]))
        for r in connection.execute("SELECT * FROM annotation_gold WHERE item_id = ? ORDER BY number", (item_id,))
    ]


def write_gold(connection: sqlite3.Connection, item_id: str, gold: list[Gold]) -> None:
    connection.execute("DELETE FROM annotation_gold WHERE item_id = ?", (item_id,))
    connection.executemany(
        "INSERT INTO annotation_gold (item_id, number, text, category, language, evidence, provenance) VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
            (
                item_id,
                g.number,
                g.text,
                g.category,
                g.language,
                g.evidence.json(),
                json.dumps(dict(g.provenance), ensure_ascii=False, sort_keys=True),
            )
            for g in gold
        ],
    )
    connection.execute("UPDATE annotation_item SET gold_at = ? WHERE id = ?", (now_ms(), item_id))


def _steps(connection: sqlite3.Connection, assignment_id: str) -> Steps:
    rows = connection.execute(
        """SELECT id, action, subject, before, after, at FROM annotation_event
        WHERE assignment_id = ? AND action IN ('point', 'decision', 'undo', 'redo') ORDER BY id""",
        (assignment_id,),
    )
    return [Step(row["id"], row["action"], row["subject"], row["before"], row["after"], row["at"]) for row in rows]


def _restore(connection: sqlite3.Connection, assignment_id: str, step: Step, wanted: str) -> None:
    """Make a point or a decision what it was; empty: it was not there."""
    if step.action == "decision":
        connection.execute("DELETE FROM annotation_decision WHERE assignment_id = ? AND part = ?", (assignment_id, step.subject))
        if wanted:
            connection.execute(
                "INSERT INTO annotation_decision (assignment_id, part, content, decided_at) VALUES (?, ?, ?, ?)",
                (assignment_id, step.subject, wanted, step.at),  # it was made then: of points as they were
            )
    elif wanted:
        point = Point.of(step.subject, json.loads(wanted))
        _write_point(connection, assignment_id, point, number=point.number)
    else:
        _remove(connection, assignment_id, step.subject)


def _write_point(connection: sqlite3.Connection, assignment_id: str, point: Point, *, number: int) -> Point:
    """number: 0 for the next one."""
    if number == 0:
        (number,) = connection.execute(
            "SELECT coalesce(max(number), 0) + 1 FROM annotation_point WHERE assignment_id = ?", (assignment_id,)
        ).fetchone()
    now = now_ms()
    connection.execute(
        """INSERT INTO annotation_point (id, assignment_id, number, text, category, language, evidence, note, unclear, suggestion, created_at, updated_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET text = excluded.text, category = excluded.category, language = excluded.language, evidence = excluded.evidence,
            note = excluded.note, unclear = excluded.unclear, suggestion = excluded.suggestion, updated_at = excluded.updated_at, removed_at = NULL, version = version + 1
        WHERE assignment_id = excluded.assignment_id""",
        (
            point.id, assignment_id, number, point.text, point.category, point.language, point.evidence.json(), point.note, int(point.unclear),
            _text(point.suggestion), now, now,
        ),
    )  # fmt: skip
    found = _row(connection, assignment_id, point.id)
    assert found is not None
    return found


def _remove(connection: sqlite3.Connection, assignment_id: str, point_id: str) -> None:
    connection.execute(
        "UPDATE annotation_point SET removed_at = ?, version = version + 1 WHERE id = ? AND assignment_id = ?",
        (now_ms(), point_id, assignment_id),
    )


def _row(connection: sqlite3.Connection, assignment_id: str, point_id: str) -> Point | None:
    row = connection.execute(
        "SELECT * FROM annotation_point WHERE id = ? AND assignment_id = ? AND removed_at IS NULL", (point_id, assignment_id)
    ).fetchone()
    return _point(row) if row is not None else None


def _noted(
    connection: sqlite3.Connection, member: Member, mine: Assignment, action: str, subject: str, before: object | None, after: object | None
) -> None:
    note(
        connection, member, project_id=mine.project_id, item_id=mine.item_id, assignment_id=mine.id, action=action, subject=subject,
        before=_text(before), after=_text(after),
    )  # fmt: skip


def _text(content: object | None) -> str:
    return json.dumps(content, ensure_ascii=False, sort_keys=True) if content is not None else ""


def _point(row: sqlite3.Row) -> Point:
    return Point(
        id=row["id"],
        number=row["number"],
        text=row["text"],
        category=row["category"],
        language=row["language"],
        evidence=Evidence.of(row["evidence"]),
        note=row["note"],
        unclear=bool(row["unclear"]),
        version=row["version"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        suggestion=json.loads(row["suggestion"]) if row["suggestion"] else None,
    )
