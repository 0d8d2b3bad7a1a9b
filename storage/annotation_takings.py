"""Conversations that players hold for a project: who has begun one with whom, and what was handed in of it. Every method is of one user, about that user's own."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from storage.annotation_errors import AlreadySubmitted, NotThere
from storage.annotation_gifts import AnnotationGifts
from storage.annotation_projects import NewItem, note
from storage.annotation_records import Asked, Member
from storage.database import Database
from storage.records import now_ms


@dataclass(frozen=True)
class Task:
    """A project that asks for conversations with a character of its choice. rounds: how long they should be."""

    project_id: str
    name: str
    briefing: str
    rounds: int
    characters: tuple[Asked, ...]


@dataclass(frozen=True)
class Taking:
    """handed_at, item_id: of what was handed in, as long as the project has it."""

    id: str
    project_id: str
    project_name: str
    briefing: str
    target: int
    chat_id: str
    character_id: str
    open: bool
    """The project takes conversations still."""
    handed_at: int | None
    item_id: str
    reason: str


_TAKING = """SELECT t.*, p.name, p.briefing, p.target_rounds, p.closed_at, i.id AS there FROM annotation_taking t
    JOIN annotation_project p ON p.id = t.project_id LEFT JOIN annotation_item i ON i.id = t.item_id"""


class AnnotationTakings:
    def __init__(self, database: Database, gifts: AnnotationGifts) -> None:
        self._db = database
        self._gifts = gifts

    def tasks(self) -> list[Task]:
        """What is asked of everybody, newest first."""
        rows = self._db.read().execute(
            """SELECT * FROM annotation_project WHERE closed_at IS NULL AND target_rounds > 0 AND characters <> '[]' AND user_id IS NULL
            ORDER BY created_at DESC, id"""
        )
        return [
            Task(r["id"], r["name"], r["briefing"], r["target_rounds"], tuple(Asked(**one) for one in json.loads(r["characters"])))
            for r in rows
        ]

    def begin(self, member: Member, project_id: str, chat_id: str, character_id: str) -> str:
        """chat_id: of a chat of the member's own that was made for it. Returns the taking's id."""
        made = secrets.token_hex(16)
        with self._db.write() as connection:
            connection.execute(
                "INSERT INTO annotation_taking (id, project_id, user_id, chat_id, character_id, consent_at) VALUES (?, ?, ?, ?, ?, ?)",
                (made, project_id, member.user_id, chat_id, character_id, now_ms()),
            )
            note(connection, member, project_id=project_id, action="task_taken", subject=character_id)
        return made

    def own(self, member: Member) -> list[Taking]:
        """Newest first; those in the bin are not there."""
        rows = self._db.read().execute(
            f"{_TAKING} JOIN chat c ON c.id = t.chat_id AND c.deleted_at IS NULL WHERE t.user_id = ? ORDER BY t.consent_at DESC, t.id",
            (member.user_id,),
        )
        return [_taking(row) for row in rows]

    def taking(self, member: Member, taking_id: str) -> Taking:
        row = self._db.read().execute(f"{_TAKING} WHERE t.id = ? AND t.user_id = ?", (taking_id, member.user_id)).fetchone()
        if row is None:
            raise NotThere("This task is not there, or is not yours.")
        return _taking(row)

    def of_chat(self, member: Member, chat_id: str) -> Taking | None:
        row = self._db.read().execute(f"{_TAKING} WHERE t.chat_id = ? AND t.user_id = ?", (chat_id, member.user_id)).fetchone()
        return _taking(row) if row is not None else None

    def hand_in(self, member: Member, taking_id: str, item: NewItem, *, reason: str) -> str:
        """Give what the conversation is to its project; the dialogue's id. Raises AlreadySubmitted, NotThere where the project is closed."""
        with self._db.write() as connection:
            taking = self.taking(member, taking_id)
            if taking.item_id:
                raise AlreadySubmitted("This is handed in already. Nothing was changed.")
            item_id = self._gifts.give(member, taking.project_id, item)
            connection.execute(
                "UPDATE annotation_taking SET handed_at = ?, item_id = ?, reason = ? WHERE id = ?", (now_ms(), item_id, reason, taking.id)
            )
            note(connection, member, project_id=taking.project_id, item_id=item_id, action="task_handed_in", after=reason)
        return item_id

    def leave(self, member: Member, taking_id: str) -> None:
        """Stop. The conversation stays the player's; what was handed in is taken out by whoever calls, ahead of this."""
        with self._db.write() as connection:
            taking = self.taking(member, taking_id)
            connection.execute("DELETE FROM annotation_taking WHERE id = ?", (taking.id,))
            note(connection, member, project_id=taking.project_id, action="task_left")

    # For whoever runs the project

    def ask(self, member: Member, project_id: str, characters: Sequence[Asked]) -> None:
        """Say with whom conversations are asked for; the caller has checked that the member runs the project."""
        with self._db.write() as connection:
            connection.execute(
                "UPDATE annotation_project SET characters = ? WHERE id = ?",
                (json.dumps([vars(one) for one in characters], ensure_ascii=False), project_id),
            )
            note(connection, member, project_id=project_id, action="characters_asked", after=", ".join(one.name for one in characters))

    def counts(self, project_id: str) -> tuple[int, int, list[str]]:
        """Begun, handed in, and why some were handed in short."""
        rows = (
            self._db.read()
            .execute(
                """SELECT t.reason, i.id AS there FROM annotation_taking t LEFT JOIN annotation_item i ON i.id = t.item_id WHERE t.project_id = ?
            ORDER BY t.handed_at""",
                (project_id,),
            )
            .fetchall()
        )
        return len(rows), sum(row["there"] is not None for row in rows), [row["reason"] for row in rows if row["there"] and row["reason"]]


def _taking(row: object) -> Taking:
    value = dict(row)  # type: ignore[call-overload]
    there = value["there"] or ""
    return Taking(
        id=value["id"],
        project_id=value["project_id"],
        project_name=value["name"],
        briefing=value["briefing"],
        target=value["target_rounds"],
        chat_id=value["chat_id"],
        character_id=value["character_id"],
        open=value["closed_at"] is None,
        handed_at=value["handed_at"] if there else None,
        item_id=there,
        reason=value["reason"] if there else "",
    )
