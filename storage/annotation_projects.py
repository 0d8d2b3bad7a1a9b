"""Annotation projects: their dialogues, guidelines, and who works on what. Every method is asked by a `Member`."""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from storage.annotation_errors import NotAllowed, NothingLeft, NotReady, NotThere, ProjectClosed
from storage.annotation_records import ANNOTATOR, REVIEWER, Asked, Assignment, AuditEvent, Item, Member, Project, Turn
from storage.annotation_sight import assignment_of, items_of, managing, own_of_item, seen_item, sees_project
from storage.database import Database
from storage.erasing_annotation import erase_dialogues
from storage.erasures import withdrawn
from storage.records import now_ms, stable_id

HOUR_MS = 3_600_000
_PROJECT = (
    """SELECT p.*, (SELECT max(version) FROM annotation_guideline g WHERE g.project_id = p.id) AS guideline FROM annotation_project p"""
)


@dataclass(frozen=True)
class NewItem:
    """A dialogue on its way in."""

    title: str
    language: str
    turns: Sequence[Turn]
    chat_id: str | None = None
    player_id: str = ""
    consent_at: int | None = None


class AnnotationProjects:
    def __init__(self, database: Database) -> None:
        self._db = database

    # Projects

    def projects(self, member: Member) -> list[Project]:
        """The house's open ones for whoever annotates, closed ones that they work in, and their own; all of the house's for an admin; newest first."""
        if not member.annotates:
            return []
        rows = self._db.read().execute(
            f"""{_PROJECT} WHERE (p.user_id IS NULL AND (:manages OR p.closed_at IS NULL OR EXISTS (SELECT 1 FROM annotation_assignment a
                JOIN annotation_item i ON i.id = a.item_id WHERE i.project_id = p.id AND a.user_id = :user))) OR p.user_id = :user
            ORDER BY p.created_at DESC, p.rowid DESC""",
            {"manages": int(member.manages), "user": member.user_id},
        )
        return [_project(row) for row in rows]

    def project(self, member: Member, project_id: str) -> Project:
        row = self._db.read().execute(f"{_PROJECT} WHERE p.id = ?", (project_id,)).fetchone()
        if row is None or not member.annotates or not sees_project(member, row["user_id"] or ""):
            raise NotThere("This project is not there.")
        return _project(row)

    def manages(self, member: Member, project_id: str) -> bool:
        """Whether a member runs a project: an admin the house's, anybody their own. Raises NotThere."""
        return self.project(member, project_id).owner == member.user_id or member.manages

    def make(
        self,
        member: Member,
        *,
        name: str,
        overlap: int,
        lease_hours: int,
        categories: Sequence[str],
        guideline: str,
        briefing: str = "",
        target_rounds: int = 0,
    ) -> Project:
        managing(member)
        made = secrets.token_hex(16)
        with self._db.write() as connection:
            now = now_ms()
            connection.execute(
                """INSERT INTO annotation_project (id, name, overlap, lease_hours, categories, briefing, target_rounds, made_by, created_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)""",
                (
                    made,
                    name,
                    overlap,
                    lease_hours,
                    json.dumps(list(categories), ensure_ascii=False),
                    briefing,
                    target_rounds,
                    member.user_id,
                    now,
                ),
            )
            connection.execute(
                "INSERT INTO annotation_guideline (project_id, version, text, made_by, created_at) VALUES (?, 1, ?, ?, ?)",
                (made, guideline, member.user_id, now),
            )
            note(connection, member, project_id=made, action="project_made", after=name)
        return self.project(member, made)

    def close(self, member: Member, project_id: str, *, closed_at: int | None) -> None:
        """closed_at: None opens it again. Nobody takes a dialogue of a closed one; who has begun may finish."""
        managing(member)
        self.project(member, project_id)
        with self._db.write() as connection:
            connection.execute("UPDATE annotation_project SET closed_at = ? WHERE id = ?", (closed_at, project_id))
            note(connection, member, project_id=project_id, action="project_closed" if closed_at else "project_opened")

    def suggest(self, member: Member, project_id: str, *, on: bool) -> None:
        """Whether the engine's suggestions are offered in it."""
        if not self.manages(member, project_id):
            raise NotAllowed("Only an admin may do this.")
        with self._db.write() as connection:
            connection.execute("UPDATE annotation_project SET suggestions = ? WHERE id = ?", (int(on), project_id))
            note(connection, member, project_id=project_id, action="suggestions_on" if on else "suggestions_off")

    def guidelines(self, member: Member, project_id: str) -> list[tuple[int, str, int]]:
        """(version, text, when), oldest first."""
        self.project(member, project_id)
        rows = self._db.read().execute(
            "SELECT version, text, created_at FROM annotation_guideline WHERE project_id = ? ORDER BY version", (project_id,)
        )
        return [(row["version"], row["text"], row["created_at"]) for row in rows]

    def add_guideline(self, member: Member, project_id: str, text: str) -> int:
        """A further version; the earlier ones stay. Returns its number."""
        managing(member)
        self.project(member, project_id)
        with self._db.write() as connection:
            (version,) = connection.execute(
                "SELECT coalesce(max(version), 0) + 1 FROM annotation_guideline WHERE project_id = ?", (project_id,)
            ).fetchone()
            connection.execute(
                "INSERT INTO annotation_guideline (project_id, version, text, made_by, created_at) VALUES (?, ?, ?, ?, ?)",
                (project_id, version, text, member.user_id, now_ms()),
            )
            note(connection, member, project_id=project_id, action="guideline_added", subject=str(version))
        return int(version)

    # Dialogues

    def items(self, member: Member, project_id: str) -> list[Item]:
        """How far each dialogue is. Whoever is no admin gets those they have worked on alone."""
        self.project(member, project_id)
        found = items_of(self._db.read(), project_id, now_ms())
        if member.manages:
            return found
        mine = {one.item_id for one in self.assignments(member)}
        return [one for one in found if one.id in mine]

    def item(self, member: Member, item_id: str) -> Item:
        return seen_item(self._db.read(), member, item_id, now_ms())

    def turns(self, member: Member, item_id: str) -> list[Turn]:
        """The dialogue, for whoever may read it."""
        with self._db.snapshot() as connection:
            seen_item(connection, member, item_id, now_ms())
            return turns_of(connection, item_id)

    def add_items(self, member: Member, project_id: str, items: Sequence[NewItem]) -> list[str]:
        """Ids in order. A dialogue that is in the project already, turn for turn, is not added a second time."""
        managing(member)
        made = []
        with self._db.write() as connection:
            self.project(member, project_id)
            for one in items:
                item_id = item_id_of(project_id, one)
                made.append(item_id)
                if add_item(connection, project_id, item_id, one):
                    note(connection, member, project_id=project_id, item_id=item_id, action="dialogue_added", after=one.title)
        return made

    def remove_item(self, member: Member, item_id: str) -> None:
        """Take a dialogue out for good, with all that was made of it: an admin, or the player it came from. What a player gave goes from backups too, once the
        erasure is finished (`storage.erasures`).
        """
        with self._db.write() as connection:
            row = connection.execute(
                "SELECT i.project_id, i.player_id, p.user_id FROM annotation_item i JOIN annotation_project p ON p.id = i.project_id WHERE i.id = ?",
                (item_id,),
            ).fetchone()
            if row is None or not (member.manages or row["player_id"] == member.user_id) or not sees_project(member, row["user_id"] or ""):
                raise NotThere("This dialogue is not there. It may have been withdrawn.")
            erase_dialogues(connection, [item_id])
            if row["player_id"]:
                withdrawn(connection, row["player_id"], item_id)
            note(connection, member, project_id=row["project_id"], action="dialogue_removed", subject=item_id)

    def release(self, member: Member, item_id: str) -> None:
        """Show what was adjudicated to those who annotated it."""
        managing(member)
        with self._db.write() as connection:
            found = seen_item(connection, member, item_id, now_ms())
            if found.gold_at is None:
                raise NotReady("There is no gold of this dialogue yet.")
            connection.execute("UPDATE annotation_item SET released_at = coalesce(released_at, ?) WHERE id = ?", (now_ms(), item_id))
            note(connection, member, project_id=found.project_id, item_id=item_id, action="released")

    # Who works on what

    def assignments(self, member: Member) -> list[Assignment]:
        """A member's own, newest first."""
        rows = self._db.read().execute(
            """SELECT a.*, i.project_id FROM annotation_assignment a JOIN annotation_item i ON i.id = a.item_id
            WHERE a.user_id = ? ORDER BY a.started_at DESC, a.id""",
            (member.user_id,),
        )
        return [assignment_of(row) for row in rows]

    def waiting(self, member: Member, project_id: str, role: str) -> int:
        """How many dialogues a member could take now."""
        return len(self._free(self._db.read(), member, project_id, role, now_ms()))

    def take(self, member: Member, project_id: str, role: str) -> Assignment:
        """The next dialogue for a member, held for the project's hours from now, renewed by each piece of work.

        To annotate: first those that somebody else has begun, then in an order of each member's own. To review: in order. Raises NothingLeft.
        """
        if not (member.reviews if role == REVIEWER else member.annotates):
            raise NotAllowed("This is for reviewers.")
        with self._db.write() as connection:
            project = self.project(member, project_id)
            if project.closed_at is not None:
                raise ProjectClosed("This project is closed. What you have begun you may finish.")
            now = now_ms()
            free = self._free(connection, member, project_id, role, now)
            if not free:
                raise NothingLeft("No dialogue of this project waits for you.")
            chosen, made = free[0], secrets.token_hex(16)
            connection.execute(
                """INSERT INTO annotation_assignment (id, item_id, user_id, role, guideline, lease_until, started_at) VALUES (?, ?, ?, ?, ?, ?, ?)""",
                (made, chosen.id, member.user_id, role, 0, now + project.lease_hours * HOUR_MS, now),
            )
            note(connection, member, project_id=project_id, item_id=chosen.id, assignment_id=made, action=f"taken_to_{role}")
            found = own_of_item(connection, member, chosen.id)
        assert found is not None
        return found

    def _free(self, connection: sqlite3.Connection, member: Member, project_id: str, role: str, now: int) -> list[Item]:
        taken = {row[0] for row in connection.execute("SELECT item_id FROM annotation_assignment WHERE user_id = ?", (member.user_id,))}
        played = {row[0] for row in connection.execute("SELECT id FROM annotation_item WHERE player_id = ?", (member.user_id,))}
        found = [one for one in items_of(connection, project_id, now) if one.id not in taken | played and one.gold_at is None]
        if role == REVIEWER:
            return [one for one in found if one.overlap > 1 and one.submitted >= one.overlap and not one.reviewed]
        open_ones = [one for one in found if one.submitted + one.held < one.overlap]
        return sorted(open_ones, key=lambda one: (-(one.submitted + one.held), stable_id(member.user_id, one.id)))

    # The audit trail

    def events(self, member: Member, project_id: str) -> list[AuditEvent]:
        """Of a project, oldest first; what was written, of dialogues with gold alone."""
        if not self.manages(member, project_id):
            raise NotAllowed("Only an admin may do this.")
        rows = self._db.read().execute(
            """SELECT e.*, i.gold_at FROM annotation_event e LEFT JOIN annotation_item i ON i.id = e.item_id WHERE e.project_id = ? ORDER BY e.id""",
            (project_id,),
        )
        return [_event(row, told=row["assignment_id"] is None or row["gold_at"] is not None) for row in rows]

    def progress(self, member: Member, project_id: str) -> list[Mapping[str, object]]:
        """Per person: what they hold and have submitted. Counts, for an admin."""
        managing(member)
        self.project(member, project_id)
        rows = self._db.read().execute(
            """SELECT coalesce(c.name, u.name) AS name, a.role, count(a.submitted_at) AS submitted,
                sum(a.submitted_at IS NULL AND a.lease_until > ?) AS held, sum(a.submitted_at IS NULL AND a.lease_until <= ?) AS lapsed
            FROM annotation_assignment a JOIN annotation_item i ON i.id = a.item_id JOIN user u ON u.id = a.user_id
            LEFT JOIN account c ON c.user_id = u.id WHERE i.project_id = ? GROUP BY a.user_id, a.role ORDER BY name, a.role""",
            (now_ms(), now_ms(), project_id),
        )
        return [dict(row) for row in rows]


def note(
    connection: sqlite3.Connection,
    member: Member,
    *,
    project_id: str,
    action: str,
    item_id: str | None = None,
    assignment_id: str | None = None,
    subject: str = "",
    before: str = "",
    after: str = "",
) -> int:
    """One more row of the audit trail, in the transaction that does what it tells of. Returns its number."""
    cursor = connection.execute(
        """INSERT INTO annotation_event (project_id, item_id, assignment_id, user_id, at, action, subject, before, after)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        (project_id, item_id, assignment_id, member.user_id, now_ms(), action, subject, before, after),
    )
    return int(cursor.lastrowid or 0)


def item_id_of(project_id: str, one: NewItem) -> str:
    """The same words in the same project are one dialogue."""
    return stable_id("annotation", project_id, *(part for t in one.turns for part in (t.speaker, t.text, t.external_id)))


def add_item(connection: sqlite3.Connection, project_id: str, item_id: str, one: NewItem) -> bool:
    """False where it is there already."""
    if connection.execute("SELECT 1 FROM annotation_item WHERE id = ?", (item_id,)).fetchone():
        return False
    connection.execute(
        """INSERT INTO annotation_item (id, project_id, number, title, language, chat_id, player_id, consent_at, created_at)
        VALUES (?, ?, (SELECT coalesce(max(number), 0) + 1 FROM annotation_item WHERE project_id = ?), ?, ?, ?, ?, ?, ?)""",
        (item_id, project_id, project_id, one.title, one.language, one.chat_id, one.player_id, one.consent_at, now_ms()),
    )
    connection.executemany(
        "INSERT INTO annotation_turn (item_id, number, round, session, role, speaker, text, said_at, external_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [(item_id, t.number, t.round, t.session, t.role, t.speaker, t.text, t.said_at, t.external_id) for t in one.turns],
    )
    return True


def turns_of(connection: sqlite3.Connection, item_id: str) -> list[Turn]:
    rows = connection.execute("SELECT * FROM annotation_turn WHERE item_id = ? ORDER BY number", (item_id,))
    return [Turn(**{name: row[name] for name in Turn.__dataclass_fields__}) for row in rows]


def _project(row: sqlite3.Row) -> Project:
    return Project(
        id=row["id"],
        name=row["name"],
        overlap=row["overlap"],
        lease_hours=row["lease_hours"],
        categories=tuple(json.loads(row["categories"])),
        created_at=row["created_at"],
        closed_at=row["closed_at"],
        guideline=row["guideline"],
        briefing=row["briefing"],
        target_rounds=row["target_rounds"],
        owner=row["user_id"] or "",
        suggestions=bool(row["suggestions"]),
        characters=tuple(Asked(**one) for one in json.loads(row["characters"])),
    )


def _event(row: sqlite3.Row, *, told: bool) -> AuditEvent:
    return AuditEvent(
        id=row["id"],
        item_id=row["item_id"],
        assignment_id=row["assignment_id"],
        user_id=row["user_id"],
        at=row["at"],
        action=row["action"],
        subject=row["subject"],
        before=row["before"] if told else "",
        after=row["after"] if told else "",
    )


__all__ = ["ANNOTATOR", "AnnotationProjects", "NewItem", "add_item", "item_id_of", "note", "turns_of"]
