"""What somebody marks in their own conversations while they play: a project of their own that nobody else sees, in which each dialogue follows the open branch.

A dialogue grows with its branch. What was rewritten takes the place of what was there as long as no mark rests on it or on anything behind it; else the dialogue
stays as it is, with its marks, and later ones go to another of the same conversation. So no mark is ever moved to words that it was not made on.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from storage.annotation_errors import AlreadySubmitted, NotThere
from storage.annotation_probes import Probe
from storage.annotation_projects import HOUR_MS, AnnotationProjects, note
from storage.annotation_records import ANNOTATOR, Assignment, Member, Project, Turn
from storage.annotation_sight import own_of_item
from storage.annotation_work import points_of
from storage.database import Database
from storage.records import now_ms

LEASE_HOURS = 2160
"""Nobody else can take such a dialogue."""


@dataclass(frozen=True)
class Said:
    """A message of the open branch as a turn. revision_id: of the wording."""

    turn: Turn
    revision_id: str


@dataclass(frozen=True)
class Mark:
    """kind: `point` or `probe`. revision_ids: the wordings it rests on. assignment_id: of a point, the work it is in."""

    kind: str
    id: str
    version: int
    revision_ids: tuple[str, ...]
    text: str
    assignment_id: str = ""


class AnnotationMarks:
    def __init__(self, database: Database, projects: AnnotationProjects) -> None:
        self._db = database
        self._projects = projects

    def project(self, member: Member) -> Project | None:
        """The member's own, once there is one."""
        row = self._db.read().execute("SELECT id FROM annotation_project WHERE user_id = ?", (member.user_id,)).fetchone()
        return self._projects.project(member, row["id"]) if row is not None else None

    def make(self, member: Member, *, name: str, categories: Sequence[str], guideline: str) -> Project:
        """The member's own project; the one that is there where there is one."""
        with self._db.write() as connection:
            there = connection.execute("SELECT id FROM annotation_project WHERE user_id = ?", (member.user_id,)).fetchone()
            made = there["id"] if there is not None else secrets.token_hex(16)
            if there is None:
                now = now_ms()
                connection.execute(
                    """INSERT INTO annotation_project (id, name, overlap, lease_hours, categories, made_by, created_at, user_id)
                    VALUES (?, ?, 1, ?, ?, ?, ?, ?)""",
                    (made, name, LEASE_HOURS, json.dumps(list(categories), ensure_ascii=False), member.user_id, now, member.user_id),
                )
                connection.execute(
                    "INSERT INTO annotation_guideline (project_id, version, text, made_by, created_at) VALUES (?, 1, ?, ?, ?)",
                    (made, guideline, member.user_id, now),
                )
                note(connection, member, project_id=made, action="project_made", after=name)
        return self._projects.project(member, made)

    def follow(self, member: Member, project: Project, chat_id: str, title: str, language: str, said: Sequence[Said]) -> Assignment:
        """The member's work on the dialogue of a conversation, brought up to what is said there now. said: the open branch, of a chat of the member's own,
        which the caller has read through its scope. Raises AlreadySubmitted.
        """
        with self._db.write() as connection:
            rows = connection.execute(
                "SELECT id FROM annotation_item WHERE project_id = ? AND chat_id = ? ORDER BY number DESC", (project.id, chat_id)
            ).fetchall()
            works = [work for row in rows if (work := own_of_item(connection, member, row["id"])) is not None]
            # The one that this branch goes on from, whatever was marked on another meanwhile; else the newest, if it can follow.
            for mine in works:
                there = _wordings(connection, mine.item_id)
                if there == [one.revision_id for one in said[: len(there)]]:
                    if mine.submitted_at is not None:
                        raise AlreadySubmitted("What you marked in this conversation is submitted. Nothing was changed.")
                    _caught_up(connection, mine, said)
                    return mine
            if works and works[0].submitted_at is None and _caught_up(connection, works[0], said):
                return works[0]
            return self._begin(connection, member, project, chat_id, title, language, said)

    def catch_up(self, member: Member, item_id: str, said: Sequence[Said]) -> None:
        """Add what was said since, where the dialogue is still that of the open branch and is being worked on."""
        with self._db.write() as connection:
            mine = own_of_item(connection, member, item_id)
            if mine is not None and mine.submitted_at is None:
                _caught_up(connection, mine, said)

    def _begin(
        self,
        connection: sqlite3.Connection,
        member: Member,
        project: Project,
        chat_id: str,
        title: str,
        language: str,
        said: Sequence[Said],
    ) -> Assignment:
        item_id, work_id, now = secrets.token_hex(16), secrets.token_hex(16), now_ms()
        connection.execute(
            """INSERT INTO annotation_item (id, project_id, number, title, language, chat_id, player_id, consent_at, created_at)
            VALUES (?, ?, (SELECT coalesce(max(number), 0) + 1 FROM annotation_item WHERE project_id = ?), ?, ?, ?, ?, ?, ?)""",
            (item_id, project.id, project.id, title, language, chat_id, member.user_id, now, now),
        )
        _write(connection, item_id, said)
        connection.execute(
            "INSERT INTO annotation_assignment (id, item_id, user_id, role, guideline, lease_until, started_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (work_id, item_id, member.user_id, ANNOTATOR, project.guideline, now + LEASE_HOURS * HOUR_MS, now),
        )
        note(connection, member, project_id=project.id, item_id=item_id, action="marked_with_consent", subject=chat_id)
        found = own_of_item(connection, member, item_id)
        assert found is not None
        return found

    def of_chat(self, member: Member, chat_id: str) -> list[Mark]:
        """Every mark of the member's own in one conversation, whatever branch it was made on."""
        with self._db.snapshot() as connection:
            works = connection.execute(
                """SELECT a.id, a.item_id FROM annotation_assignment a JOIN annotation_item i ON i.id = a.item_id
                JOIN annotation_project p ON p.id = i.project_id
                WHERE p.user_id = ? AND i.chat_id = ? AND a.user_id = ? ORDER BY i.number""",
                (member.user_id, chat_id, member.user_id),
            ).fetchall()
            found = []
            for work in works:
                wordings = dict(
                    connection.execute(
                        "SELECT number, revision_id FROM annotation_turn WHERE item_id = ? AND revision_id <> ''", (work["item_id"],)
                    ).fetchall()
                )
                for point in points_of(connection, work["id"]):
                    rests = tuple(wordings[turn] for turn in point.evidence.turns if turn in wordings)
                    found.append(Mark("point", point.id, point.version, rests, point.text, work["id"]))
            rows = connection.execute(
                """SELECT b.* FROM annotation_probe b JOIN annotation_project p ON p.id = b.project_id
                WHERE p.user_id = ? AND b.chat_id = ? ORDER BY b.created_at, b.rowid""",
                (member.user_id, chat_id),
            )
            return found + [Mark("probe", row["id"], row["version"], (row["revision_id"],), row["p"]) for row in rows]

    def add_probe(self, member: Member, project: Project, probe: Probe, *, chat_id: str, revision_id: str) -> None:
        """An item of the probe table of the member's own project, taken from a wording of a conversation of theirs. Sent twice it is there once."""
        with self._db.write() as connection:
            connection.execute(
                """INSERT OR IGNORE INTO annotation_probe (id, project_id, language, topic, p, q, a, created_at, chat_id, revision_id, writers)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
                (
                    probe.id,
                    project.id,
                    probe.language,
                    probe.topic,
                    probe.p,
                    probe.q,
                    probe.a,
                    now_ms(),
                    chat_id,
                    revision_id,
                    json.dumps([member.user_id]),
                ),
            )
            note(connection, member, project_id=project.id, action="probes_kept", subject="1")

    def remove_probe(self, member: Member, probe_id: str) -> None:
        with self._db.write() as connection:
            row = connection.execute(
                "SELECT p.id FROM annotation_probe b JOIN annotation_project p ON p.id = b.project_id WHERE b.id = ? AND p.user_id = ?",
                (probe_id, member.user_id),
            ).fetchone()
            if row is None:
                raise NotThere("This is not there, or is not yours.")
            connection.execute("DELETE FROM annotation_probe_review WHERE probe_id = ?", (probe_id,))
            connection.execute("DELETE FROM annotation_probe WHERE id = ?", (probe_id,))
            note(connection, member, project_id=row["id"], action="probe_removed", subject=probe_id)


def _caught_up(connection: sqlite3.Connection, mine: Assignment, said: Sequence[Said]) -> bool:
    """Make the dialogue what is said; False where a mark rests on, or stands behind, what reads otherwise now."""
    there = _wordings(connection, mine.item_id)
    same = 0
    while same < min(len(there), len(said)) and there[same] == said[same].revision_id:
        same += 1
    if same < len(there):
        if same < _highest(connection, mine):
            return False
        connection.execute("DELETE FROM annotation_turn WHERE item_id = ? AND number > ?", (mine.item_id, same))
        connection.execute("UPDATE annotation_assignment SET place = 1 WHERE id = ? AND place > ?", (mine.id, same))
    _write(connection, mine.item_id, said[same:])
    return True


def _wordings(connection: sqlite3.Connection, item_id: str) -> list[str]:
    rows = connection.execute("SELECT revision_id FROM annotation_turn WHERE item_id = ? ORDER BY number", (item_id,))
    return [row["revision_id"] for row in rows]


def _write(connection: sqlite3.Connection, item_id: str, said: Sequence[Said]) -> None:
    connection.executemany(
        """INSERT INTO annotation_turn (item_id, number, round, session, role, speaker, text, said_at, external_id, revision_id)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        [
            (item_id, t.number, t.round, t.session, t.role, t.speaker, t.text, t.said_at, t.external_id, one.revision_id)
            for one in said
            for t in (one.turn,)
        ],
    )


def _highest(connection: sqlite3.Connection, mine: Assignment) -> int:
    """The last turn that any state of the work names, so that what undo brings back stands where it stood."""
    rows = connection.execute("SELECT before, after FROM annotation_event WHERE assignment_id = ?", (mine.id,))
    states = [state for row in rows for state in (row["before"], row["after"]) if state.startswith("{")]
    turns = [0]
    for state in [*states, *([mine.draft] if mine.draft else [])]:
        value = json.loads(state)
        evidence = value.get("evidence") if isinstance(value, dict) else None
        named = evidence.get("turns") if isinstance(evidence, dict) else None
        turns += [turn for turn in named if isinstance(turn, int)] if isinstance(named, list) else []
    return max(turns)
