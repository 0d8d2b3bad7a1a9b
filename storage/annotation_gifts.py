"""Conversations that players give to projects, and take back. Every method is of one user, about that user's own."""

from __future__ import annotations

from dataclasses import replace

from storage.annotation_errors import NotThere
from storage.annotation_projects import NewItem, add_item, item_id_of, note
from storage.annotation_records import Given, Member
from storage.database import Database
from storage.records import now_ms, stable_id


class AnnotationGifts:
    def __init__(self, database: Database) -> None:
        self._db = database

    def invitations(self) -> list[tuple[str, str, str, int]]:
        """(id, name, briefing, rounds) of the open projects that ask players for conversations, with whomever."""
        rows = self._db.read().execute(
            """SELECT id, name, briefing, target_rounds FROM annotation_project WHERE closed_at IS NULL AND target_rounds > 0
            AND characters = '[]' AND user_id IS NULL ORDER BY created_at DESC, id"""
        )
        return [(row["id"], row["name"], row["briefing"], row["target_rounds"]) for row in rows]

    def given(self, member: Member) -> list[Given]:
        rows = self._db.read().execute(
            """SELECT i.id, p.name, i.title, i.chat_id, i.consent_at, (SELECT count(*) FROM annotation_turn t WHERE t.item_id = i.id) AS turns
            FROM annotation_item i JOIN annotation_project p ON p.id = i.project_id WHERE i.player_id = ? ORDER BY i.consent_at DESC, i.id""",
            (member.user_id,),
        )
        return [Given(row["id"], row["name"], row["title"], row["chat_id"], row["turns"], row["consent_at"]) for row in rows]

    def give(self, member: Member, project_id: str, item: NewItem) -> str:
        """item: from a chat of the member's own, which the caller has read through its scope. Returns the dialogue's id."""
        with self._db.write() as connection:
            asked = connection.execute(
                "SELECT 1 FROM annotation_project WHERE id = ? AND closed_at IS NULL AND target_rounds > 0", (project_id,)
            ).fetchone()
            if asked is None:
                raise NotThere("This project is not there, or asks for no conversations any more. Nothing was given.")
            one = replace(item, player_id=member.user_id, consent_at=now_ms())
            # One's own, whoever else said the same words: a greeting alone is the same to everybody.
            words = item_id_of(project_id, one)
            item_id = stable_id("gift", member.user_id, one.chat_id or "", words)
            if connection.execute(
                "SELECT 1 FROM annotation_item WHERE id = ? AND project_id = ? AND player_id = ? AND chat_id IS ?",
                (words, project_id, member.user_id, one.chat_id),
            ).fetchone():
                return words  # given to an earlier version, which called it by its words alone
            if add_item(connection, project_id, item_id, one):
                note(connection, member, project_id=project_id, item_id=item_id, action="given_with_consent", subject=item.chat_id or "")
        return item_id
