"""When the messages of a path were said, and where sessions were ended: what sessions follow from."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from storage.chats import Chats
from storage.database import Database
from storage.paths import PATH
from storage.records import from_ms
from storage.scope import Scope
from storage.wall import as_read, at_ms


@dataclass(frozen=True)
class Moment:
    """One message of a path. Deleted and hidden ones count: a session ends where it ended, whatever is left of what was said in it."""

    round: int
    said_at: datetime
    """Where the story has a clock of its own what that showed, as if in UTC: it shows the same wherever it was asked."""
    ended: bool
    """The session was ended, by hand or by silence, with this as its newest message."""


_COLUMNS = (
    "m.round, m.said_at, m.utc_offset, EXISTS (SELECT 1 FROM session s WHERE s.chat_id = m.chat_id AND s.last_message_id = m.id) AS ended"
)


class Sessions:
    def __init__(self, database: Database, chats: Chats) -> None:
        self._db = database
        self._chats = chats

    def moments(self, scope: Scope, branch_id: str, *, first_round: int = 1) -> list[Moment]:
        """The messages of a branch's path from a round on, oldest first."""
        self._chats.check(scope)
        self._chats.branch_chat(scope, branch_id)
        rows = self._db.read().execute(
            f"WITH RECURSIVE {PATH} SELECT {_COLUMNS} FROM path p JOIN message m ON m.id = p.id WHERE m.round >= :first ORDER BY m.depth",
            {"branch": branch_id, "first": max(1, first_round)},
        )
        return self._read(scope, rows)

    def dates(self, scope: Scope, branch_id: str) -> dict[int, tuple[datetime, datetime]]:
        """When the first and the last message of each round of a branch's path were said, rounds rising."""
        self._chats.check(scope)
        self._chats.branch_chat(scope, branch_id)
        rows = self._db.read().execute(
            f"""WITH RECURSIVE {PATH} SELECT m.round, min(m.said_at) AS began, max(m.said_at) AS ended
            FROM path p JOIN message m ON m.id = p.id GROUP BY m.round ORDER BY m.round""",
            {"branch": branch_id},
        )
        return {row["round"]: (from_ms(row["began"]), from_ms(row["ended"])) for row in rows}

    def around(self, scope: Scope, message_id: str) -> list[Moment]:
        """A message, and after it whatever follows it directly on any branch."""
        self._chats.check(scope)
        rows = self._db.read().execute(
            f"SELECT {_COLUMNS} FROM message m WHERE m.chat_id = :chat AND (m.id = :id OR m.parent_id = :id) ORDER BY m.depth",
            {"chat": scope.chat_id, "id": message_id},
        )
        return self._read(scope, rows)

    def _read(self, scope: Scope, rows: Iterable[sqlite3.Row]) -> list[Moment]:
        in_story = self._chats.chat(scope).clock is not None
        said = ((row, at_ms(row["said_at"], row["utc_offset"])) for row in rows)
        return [Moment(row["round"], as_read(at).replace(tzinfo=UTC) if in_story else at, bool(row["ended"])) for row, at in said]
