"""A whole project out of the database and into another, with every id and moment as it is. What may not be seen yet stays behind and is counted."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from storage.annotation_errors import AlreadyHere, NotAllowed
from storage.annotation_probe_dumps import NO_PROBES, ProbeDump, probes_dumped, write_probes
from storage.annotation_projects import AnnotationProjects, note, turns_of
from storage.annotation_records import ANNOTATOR, Assignment, AuditEvent, Gold, Item, Member, Point, Project, Turn
from storage.annotation_sight import assignment_of, managing, sees_gold
from storage.annotation_work import gold_of, points_of
from storage.database import Database
from storage.records import now_ms, stable_id


@dataclass(frozen=True)
class Work:
    """by: a name that stands for the person in this dump alone (`p1`)."""

    assignment: Assignment
    by: str
    points: Sequence[Point]
    decisions: Mapping[str, Mapping[str, object]]


@dataclass(frozen=True)
class Dialogue:
    """works: of those whose account is there still; gold outlives them."""

    item: Item
    turns: Sequence[Turn]
    works: Sequence[Work]
    gold: Sequence[Gold]
    told: bool
    """Whether it has gold that whoever asked may see."""


@dataclass(frozen=True)
class Dump:
    project: Project
    guidelines: Sequence[tuple[int, str, int]]
    dialogues: Sequence[Dialogue]
    events: Sequence[tuple[str, AuditEvent]]
    """Each with who did it, by the names of this dump."""
    withheld: int
    """Pieces of work, and regular probes, that are not in it: they are not reviewed yet, or may not be seen by whoever asked."""
    probes: ProbeDump = NO_PROBES


class AnnotationDumps:
    def __init__(self, database: Database, projects: AnnotationProjects) -> None:
        self._db = database
        self._projects = projects

    def dump(self, member: Member, project_id: str) -> Dump:
        """For admins, and of one's own project. Raises NotThere, NotAllowed."""
        project = self._projects.project(member, project_id)
        if not self._projects.manages(member, project_id):
            raise NotAllowed("Only an admin may do this.")
        names: dict[str, str] = {}
        dialogues, withheld = [], 0
        with self._db.snapshot() as connection:
            for item in self._projects.items(member, project_id):
                rows = [assignment_of(row) for row in connection.execute(_WORKS, (item.id,))]
                told = item.gold_at is not None and sees_gold(connection, member, item.id, now_ms())
                shown = [one for one in rows if told and one.submitted_at is not None]
                withheld += len(rows) - len(shown)
                works = [_work(connection, one, names) for one in shown]
                dialogues.append(Dialogue(item, turns_of(connection, item.id), works, gold_of(connection, item.id) if told else (), told))
            open_ones = {one.item.id for one in dialogues if one.told}
            probes, hidden = probes_dumped(connection, project_id, open_ones, lambda user_id: _named(user_id, names))
            withheld += hidden
            known = {work.assignment.id for one in dialogues for work in one.works} | {one.probe.id for one in probes.regular}
            events = [e for e in self._projects.events(member, project_id) if e.assignment_id is None or e.assignment_id in known]
            guidelines = self._projects.guidelines(member, project_id)
        return Dump(project, guidelines, dialogues, [(_named(e.user_id, names), e) for e in events], withheld, probes)

    def restore(self, member: Member, dump: Dump) -> Project:
        """The project as it was, with people who are nobody here. Raises AlreadyHere where it, or a part of it, is here."""
        managing(member)
        project = dump.project
        with self._db.write() as connection:
            try:
                connection.execute(
                    """INSERT INTO annotation_project (id, name, overlap, lease_hours, categories, briefing, target_rounds, made_by, created_at, closed_at)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
                    (
                        project.id, project.name, project.overlap, project.lease_hours, json.dumps(list(project.categories), ensure_ascii=False),
                        project.briefing, project.target_rounds, member.user_id, project.created_at, project.closed_at,
                    ),
                )  # fmt: skip
                connection.executemany(
                    "INSERT INTO annotation_guideline (project_id, version, text, made_by, created_at) VALUES (?, ?, ?, '', ?)",
                    [(project.id, *one) for one in dump.guidelines],
                )
                for dialogue in dump.dialogues:
                    _write(connection, project.id, dialogue)
                write_probes(connection, project.id, dump.probes, lambda by: _known(connection, project.id, by))
                for by, event in dump.events:
                    _write_event(connection, project.id, _person(project.id, by), event)
            except sqlite3.IntegrityError as error:
                raise AlreadyHere("This project, or a part of it, is here already. Nothing was taken in.") from error
            note(connection, member, project_id=project.id, action="project_taken_in")
        return self._projects.project(member, project.id)


_WORKS = """SELECT a.*, i.project_id FROM annotation_assignment a JOIN annotation_item i ON i.id = a.item_id
    WHERE a.item_id = ? ORDER BY a.role, a.submitted_at, a.rowid"""


def _work(connection: sqlite3.Connection, one: Assignment, names: dict[str, str]) -> Work:
    points = points_of(connection, one.id) if one.role == ANNOTATOR else []
    rows = connection.execute("SELECT part, content FROM annotation_decision WHERE assignment_id = ? ORDER BY part", (one.id,))
    return Work(one, _named(one.user_id, names), points, {row["part"]: json.loads(row["content"]) for row in rows})


def _named(user_id: str, names: dict[str, str]) -> str:
    return names.setdefault(user_id, f"p{len(names) + 1}")


def _person(project_id: str, by: str) -> str:
    return stable_id("annotator of a file", project_id, by)


def _known(connection: sqlite3.Connection, project_id: str, by: str) -> str:
    """A person of a file as somebody whom rows can name."""
    person = _person(project_id, by)
    connection.execute("INSERT OR IGNORE INTO user (id, name, role, created_at) VALUES (?, ?, 'annotator', ?)", (person, by, now_ms()))
    return person


def _write(connection: sqlite3.Connection, project_id: str, dialogue: Dialogue) -> None:
    item = dialogue.item
    connection.execute(
        """INSERT INTO annotation_item (id, project_id, number, title, language, created_at, gold_at, released_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)""",
        (item.id, project_id, item.number, item.title, item.language, item.created_at, item.gold_at, item.released_at),
    )
    connection.executemany(
        "INSERT INTO annotation_turn (item_id, number, round, session, role, speaker, text, said_at, external_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [(item.id, t.number, t.round, t.session, t.role, t.speaker, t.text, t.said_at, t.external_id) for t in dialogue.turns],
    )
    for work in dialogue.works:
        one, person = work.assignment, _known(connection, project_id, work.by)
        connection.execute(
            """INSERT INTO annotation_assignment (id, item_id, user_id, role, guideline, place, lease_until, started_at, submitted_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)""",
            (one.id, item.id, person, one.role, one.guideline, one.place, one.lease_until, one.started_at, one.submitted_at),
        )
        connection.executemany(
            """INSERT INTO annotation_point (id, assignment_id, number, text, category, language, evidence, note, unclear, version, created_at, updated_at, suggestion)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
            [
                (
                    p.id,
                    one.id,
                    p.number,
                    p.text,
                    p.category,
                    p.language,
                    p.evidence.json(),
                    p.note,
                    int(p.unclear),
                    p.version,
                    p.created_at,
                    p.updated_at,
                    json.dumps(dict(p.suggestion), ensure_ascii=False, sort_keys=True) if p.suggestion is not None else "",
                )
                for p in work.points
            ],
        )
        connection.executemany(
            "INSERT INTO annotation_decision (assignment_id, part, content, decided_at) VALUES (?, ?, ?, ?)",
            [
                (one.id, part, json.dumps(dict(content), ensure_ascii=False, sort_keys=True), one.submitted_at or 0)
                for part, content in work.decisions.items()
            ],
        )
    connection.executemany(
        "INSERT INTO annotation_gold (item_id, number, text, category, language, evidence, provenance) VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
            (
                item.id,
                g.number,
                g.text,
                g.category,
                g.language,
                g.evidence.json(),
                json.dumps(dict(g.provenance), ensure_ascii=False, sort_keys=True),
            )
            for g in dialogue.gold
        ],
    )


def _write_event(connection: sqlite3.Connection, project_id: str, person: str, event: AuditEvent) -> None:
    connection.execute(
        """INSERT INTO annotation_event (project_id, item_id, assignment_id, user_id, at, action, subject, before, after)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        (project_id, event.item_id, event.assignment_id, person, event.at, event.action, event.subject, event.before, event.after),
    )
