"""Who may see what of an annotation project: the one place that decides it, inside the queries that read.

Nobody sees another's memory points before the dialogue is reviewed; the reviewer sees both once both are submitted; who annotated sees the other's work and the
gold once it is released; an admin sees dialogues, and work once there is gold of it. Who annotates alone sees their gold at once. A project of one's own is seen by
its owner and by no admin. What may not be seen is not there.
"""

from __future__ import annotations

import sqlite3

from storage.annotation_errors import NotAllowed, NotThere
from storage.annotation_records import ANNOTATOR, REVIEWER, Assignment, Item, Member

_ITEM = """SELECT i.*, p.overlap, p.user_id AS owner,
    (SELECT count(*) FROM annotation_turn t WHERE t.item_id = i.id) AS turns,
    (SELECT count(*) FROM annotation_assignment a WHERE a.item_id = i.id AND a.role = 'annotator' AND a.submitted_at IS NOT NULL) AS submitted,
    (SELECT count(*) FROM annotation_assignment a WHERE a.item_id = i.id AND a.role = 'annotator' AND a.submitted_at IS NULL
        AND a.lease_until > :now) AS held,
    EXISTS (SELECT 1 FROM annotation_assignment a WHERE a.item_id = i.id AND a.role = 'reviewer'
        AND (a.submitted_at IS NOT NULL OR a.lease_until > :now)) AS reviewed
    FROM annotation_item i JOIN annotation_project p ON p.id = i.project_id"""
_ASSIGNMENT = "SELECT a.*, i.project_id FROM annotation_assignment a JOIN annotation_item i ON i.id = a.item_id"


def items_of(connection: sqlite3.Connection, project_id: str, now: int) -> list[Item]:
    """Every dialogue of a project, in order: how far each is, none of its words."""
    rows = connection.execute(f"{_ITEM} WHERE i.project_id = :project ORDER BY i.number", {"project": project_id, "now": now})
    return [item_of(row) for row in rows]


def item(connection: sqlite3.Connection, item_id: str, now: int) -> Item:
    """How far a dialogue is, whoever asks: for rules, not for showing."""
    row = connection.execute(f"{_ITEM} WHERE i.id = :item", {"item": item_id, "now": now}).fetchone()
    if row is None:
        raise NotThere("This dialogue is not there. It may have been withdrawn.")
    return item_of(row)


def seen_item(connection: sqlite3.Connection, member: Member, item_id: str, now: int) -> Item:
    """A dialogue whose words a member may read: admins, and whoever has worked on it. Raises NotThere."""
    found = item(connection, item_id, now)
    if not sees_project(member, found.owner) or (not member.manages and own_of_item(connection, member, item_id) is None):
        raise NotThere("This dialogue is not there. It may have been withdrawn.")
    return found


def sees_project(member: Member, owner: str) -> bool:
    """owner: of a project; empty for the house's."""
    return owner in ("", member.user_id)


def seen_project(connection: sqlite3.Connection, member: Member, project_id: str) -> None:
    """Raises NotThere for a project that is not there or is somebody else's own."""
    row = connection.execute("SELECT user_id FROM annotation_project WHERE id = ?", (project_id,)).fetchone()
    if row is None or not sees_project(member, row["user_id"] or ""):
        raise NotThere("This project is not there.")


def seen_run(connection: sqlite3.Connection, member: Member, run_id: str) -> None:
    """Raises NotThere for a run of probes in no project that a member sees."""
    row = connection.execute(
        "SELECT i.project_id FROM annotation_run r JOIN annotation_item i ON i.id = r.item_id WHERE r.id = ?", (run_id,)
    ).fetchone()
    if row is None:
        raise NotThere("This run is not there any more.")
    seen_project(connection, member, row["project_id"])


def own_of_item(connection: sqlite3.Connection, member: Member, item_id: str) -> Assignment | None:
    row = connection.execute(f"{_ASSIGNMENT} WHERE a.item_id = ? AND a.user_id = ?", (item_id, member.user_id)).fetchone()
    return assignment_of(row) if row is not None else None


def own(connection: sqlite3.Connection, member: Member, assignment_id: str, role: str = "") -> Assignment:
    """A member's own work. Raises NotThere."""
    row = connection.execute(f"{_ASSIGNMENT} WHERE a.id = ? AND a.user_id = ?", (assignment_id, member.user_id)).fetchone()
    if row is None or (role and row["role"] != role):
        raise NotThere("This work is not there, or is not yours.")
    return assignment_of(row)


def submitted(connection: sqlite3.Connection, item_id: str) -> list[Assignment]:
    """What annotators have submitted of a dialogue, first come first."""
    rows = connection.execute(
        f"{_ASSIGNMENT} WHERE a.item_id = ? AND a.role = ? AND a.submitted_at IS NOT NULL ORDER BY a.submitted_at, a.rowid",
        (item_id, ANNOTATOR),
    )
    return [assignment_of(row) for row in rows]


def comparable(connection: sqlite3.Connection, member: Member, item_id: str, now: int) -> list[Assignment]:
    """The submitted work of a dialogue that a member may see side by side. Raises NotThere where it is none of theirs, or not yet."""
    found = item(connection, item_id, now)
    mine = own_of_item(connection, member, item_id)
    reviewing = mine is not None and mine.role == REVIEWER and member.reviews and found.submitted >= found.overlap
    released = found.released_at is not None and mine is not None
    managing = member.manages and found.gold_at is not None and (mine is None or found.released_at is not None)
    alone = mine is not None and found.overlap == 1 and found.gold_at is not None
    if not sees_project(member, found.owner) or not (reviewing or released or managing or alone):
        raise NotThere("What others made of this dialogue is not shown yet.")
    return submitted(connection, item_id)


def sees_gold(connection: sqlite3.Connection, member: Member, item_id: str, now: int) -> bool:
    found = item(connection, item_id, now)
    mine = own_of_item(connection, member, item_id)
    if found.gold_at is None or not sees_project(member, found.owner):
        return False
    return (
        (found.released_at is not None and (mine is not None or member.manages))
        or (mine is not None and (mine.role == REVIEWER or found.overlap == 1))
        or (member.manages and mine is None)
    )


def managing(member: Member) -> None:
    if not member.manages:
        raise NotAllowed("Only an admin may do this.")


def reviewing(member: Member) -> None:
    if not member.reviews:
        raise NotAllowed("Only a reviewer or an admin may do this.")


def item_of(row: sqlite3.Row) -> Item:
    return Item(
        id=row["id"],
        project_id=row["project_id"],
        number=row["number"],
        title=row["title"],
        language=row["language"],
        chat_id=row["chat_id"],
        created_at=row["created_at"],
        gold_at=row["gold_at"],
        released_at=row["released_at"],
        turns=row["turns"],
        submitted=row["submitted"],
        held=row["held"],
        reviewed=bool(row["reviewed"]),
        overlap=row["overlap"],
        owner=row["owner"] or "",
    )


def assignment_of(row: sqlite3.Row) -> Assignment:
    return Assignment(
        id=row["id"],
        item_id=row["item_id"],
        project_id=row["project_id"],
        user_id=row["user_id"],
        role=row["role"],
        guideline=row["guideline"],
        place=row["place"],
        draft=row["draft"],
        lease_until=row["lease_until"],
        started_at=row["started_at"],
        submitted_at=row["submitted_at"],
    )
