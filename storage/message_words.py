"""Word search over what was said: every wording is indexed, and what a conversation shows now is found."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from storage.chats import Chats
from storage.database import Database
from storage.paths import PATH
from storage.records import Role
from storage.scope import Scope
from storage.terms import Sought
from storage.wall import at_ms

MOST_READ = 2_000
"""Wordings, the newest first, that are looked at for one search."""


@dataclass(frozen=True)
class Spoken:
    """A message as a conversation words it now, found by its words."""

    chat_id: str
    message_id: str
    round: int
    role: Role
    speaker: str
    said_at: datetime
    text: str
    hidden: bool


@dataclass(frozen=True)
class Noted:
    """A memory found by its words; whether a branch sees it is not known here."""

    chat_id: str
    memory_id: str


class MessageSearch:
    def __init__(self, database: Database, chats: Chats) -> None:
        self._db = database
        self._chats = chats

    def spoken(self, scope: Scope, sought: Sought) -> list[Spoken]:
        """Messages that hold all that is sought, the newest first, of those on the branches that are open in the scope's chats, as they read there. Hidden
        ones are among them; deleted ones, other wordings and other branches are not."""
        self._chats.check(scope)
        if not sought.literal:
            return []
        with self._db.snapshot() as connection:
            by_chat: dict[str, list[str]] = {}
            for chat_id, revision_id in self._wordings(connection, scope, sought):
                by_chat.setdefault(chat_id, []).append(revision_id)
            found = [spoken for chat_id, revisions in by_chat.items() for spoken in _shown(connection, chat_id, revisions)]
        return sorted(found, key=lambda s: (s.said_at, s.round), reverse=True)

    def noted(self, scope: Scope, sought: Sought) -> list[Noted]:
        """Memories that hold all that is sought, the newest first."""
        self._chats.check(scope)
        if not sought.literal:
            return []
        chats = json.dumps(sorted(scope.chat_ids))
        with self._db.snapshot() as connection:
            if sought.match:
                rows = connection.execute(
                    """SELECT m.chat_id, m.id FROM memory_fts f JOIN memory m ON m.ordinal = f.rowid
                    WHERE memory_fts MATCH ? AND m.chat_id IN (SELECT value FROM json_each(?)) AND m.status = 'active' ORDER BY m.ordinal DESC LIMIT ?""",
                    (sought.match, chats, MOST_READ),
                )
            else:
                rows = connection.execute(
                    """SELECT chat_id, id FROM memory WHERE chat_id IN (SELECT value FROM json_each(?)) AND instr(text, ?) AND status = 'active'
                    ORDER BY ordinal DESC LIMIT ?""",
                    (chats, sought.literal, MOST_READ),
                )
            return [Noted(row["chat_id"], row["id"]) for row in rows]

    @staticmethod
    def _wordings(connection: sqlite3.Connection, scope: Scope, sought: Sought) -> Sequence[tuple[str, str]]:
        chats = json.dumps(sorted(scope.chat_ids))
        if sought.match:
            rows = connection.execute(
                """SELECT m.chat_id, r.id FROM message_fts f JOIN revision_words w ON w.ordinal = f.rowid JOIN revision r ON r.id = w.revision_id
                JOIN message m ON m.id = r.message_id
                WHERE message_fts MATCH ? AND m.chat_id IN (SELECT value FROM json_each(?)) ORDER BY m.said_at DESC LIMIT ?""",
                (sought.match, chats, MOST_READ),
            )
        else:
            rows = connection.execute(
                """SELECT m.chat_id, r.id FROM message m JOIN revision r ON r.message_id = m.id
                WHERE m.chat_id IN (SELECT value FROM json_each(?)) AND instr(r.text, ?) ORDER BY m.said_at DESC LIMIT ?""",
                (chats, sought.literal, MOST_READ),
            )
        return [(row["chat_id"], row["id"]) for row in rows]


def _shown(connection: sqlite3.Connection, chat_id: str, revisions: Sequence[str]) -> list[Spoken]:
    """Of some wordings of a chat those that its open branch shows."""
    (branch,) = connection.execute("SELECT active_branch_id FROM chat WHERE id = ?", (chat_id,)).fetchone()
    rows = connection.execute(
        f"""WITH RECURSIVE {PATH} SELECT m.id, m.round, m.role, m.speaker, m.said_at, m.utc_offset, r.text, coalesce(s.state, 'active') AS state
        FROM json_each(:wanted) w JOIN revision r ON r.id = w.value JOIN path p ON p.id = r.message_id JOIN message m ON m.id = p.id
        LEFT JOIN selection s ON s.branch_id = :branch AND s.message_id = m.id
        WHERE coalesce(s.state, 'active') <> 'deleted' AND CASE WHEN s.revision_id IS NULL THEN r.ordinal = 0 ELSE r.id = s.revision_id END""",
        {"branch": branch, "wanted": json.dumps(list(revisions))},
    )
    return [
        Spoken(
            chat_id=chat_id,
            message_id=row["id"],
            round=row["round"],
            role=Role(row["role"]),
            speaker=row["speaker"],
            said_at=at_ms(row["said_at"], row["utc_offset"]),
            text=row["text"],
            hidden=row["state"] == "hidden",
        )
        for row in rows
    ]
