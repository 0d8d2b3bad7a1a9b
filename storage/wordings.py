"""Which wordings of a message a branch offers, and putting one of them away.

Nothing is erased: a wording that was put away is out of the leafing of one branch, in its bin, and goes for good with its message. The one that a branch
shows is always among those it offers.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from storage.errors import LastWording, NotFound
from storage.operations import Operations
from storage.paths import PATH
from storage.records import Message, Revision, from_ms, now_ms
from storage.scope import Scope
from storage.undo import Change


@dataclass(frozen=True)
class PutAway:
    """A wording in the bin of a branch."""

    revision_id: str
    message_id: str
    text: str
    round: int
    taken_at: datetime


class Wordings(Operations):
    def leafing(self, scope: Scope, branch_id: str, messages: Sequence[Message]) -> dict[str, tuple[int, int]]:
        """Of those of these messages that have more than one wording: which one the branch shows, from 1, and of how many."""
        self._chats.check(scope)
        rows = self._db.read().execute(
            """SELECT w.value ->> 0 AS message_id, count(*) AS n, sum(r.ordinal <= (w.value ->> 1)) AS place
            FROM json_each(:shown) w CROSS JOIN revision r ON r.message_id = w.value ->> 0 JOIN message m ON m.id = r.message_id
            WHERE m.chat_id = :chat AND (r.ordinal = w.value ->> 1
                OR NOT EXISTS (SELECT 1 FROM wording_out o WHERE o.branch_id = :branch AND o.revision_id = r.id))
            GROUP BY 1 HAVING n > 1""",
            {"shown": json.dumps([[m.id, m.revision.ordinal] for m in messages]), "chat": scope.chat_id, "branch": branch_id},
        )
        return {row["message_id"]: (row["place"], row["n"]) for row in rows}

    def offered(self, scope: Scope, branch_id: str, message: Message) -> list[Revision]:
        """The wordings of a message that can be leafed through on a branch, oldest first. message: as the branch has it."""
        self._chats.check(scope)
        rows = self._db.read().execute(
            """SELECT r.* FROM revision r JOIN message m ON m.id = r.message_id WHERE r.message_id = :message AND m.chat_id = :chat
            AND (r.id = :shown OR NOT EXISTS (SELECT 1 FROM wording_out o WHERE o.branch_id = :branch AND o.revision_id = r.id))
            ORDER BY r.ordinal""",
            {"message": message.id, "chat": scope.chat_id, "shown": message.revision.id, "branch": branch_id},
        )
        return [Revision(r["id"], r["text"], r["sha256"], r["origin"], r["status"], r["model"], r["ordinal"], r["player"]) for r in rows]

    def put_away(self, scope: Scope, branch_id: str, message_id: str, place: int) -> None:
        """Put the wording at a place among those offered, from 1, into the bin of the branch. If it is the one that is shown, the one before it takes its
        place, of the first the one after it. Raises LastWording for the only one, NotFound where there is none."""
        with self._operation(scope) as connection:
            message = self._on_path(connection, scope, branch_id, message_id)
            offered = self.offered(scope, branch_id, message)
            if not 1 <= place <= len(offered):
                raise NotFound("This wording does not exist.")
            if len(offered) == 1:
                raise LastWording("This is the only wording of the message; delete the message instead. Nothing was changed.")
            gone = offered[place - 1]
            changes = [Change("wording", (branch_id, gone.id), None, now_ms())]
            if gone.id == message.revision.id:
                other = offered[place - 2] if place > 1 else offered[1]
                changes.append(self._selection(connection, branch_id, message_id, [other.id, _state(message)]))
            self._record(connection, scope, branch_id, "put_away", changes)

    def away(self, scope: Scope, branch_id: str) -> list[PutAway]:
        """What was put away of the messages that the branch shows, newest first."""
        self._chats.check(scope)
        rows = self._db.read().execute(
            f"""WITH RECURSIVE {PATH}
            SELECT o.revision_id, o.taken_at, r.message_id, r.text, m.round FROM wording_out o JOIN revision r ON r.id = o.revision_id
            JOIN message m ON m.id = r.message_id AND m.chat_id = :chat LEFT JOIN selection s ON s.branch_id = :branch AND s.message_id = m.id
            WHERE o.branch_id = :branch AND coalesce(s.state, 'active') <> 'deleted' AND r.message_id IN (SELECT id FROM path)
            ORDER BY o.taken_at DESC, o.revision_id""",
            {"branch": branch_id, "chat": scope.chat_id},
        )
        return [PutAway(r["revision_id"], r["message_id"], r["text"], r["round"], from_ms(r["taken_at"])) for r in rows]

    def take_back(self, scope: Scope, branch_id: str, revision_id: str) -> str:
        """Bring a wording back that was put away, and show it; the id of its message. Raises NotFound where it is not away."""
        with self._operation(scope) as connection:
            row = self._row(connection, scope, branch_id, revision_id)
            message = self._on_path(connection, scope, branch_id, row["message_id"])
            changes = [
                Change("wording", (branch_id, revision_id), row["taken_at"], None),
                self._selection(connection, branch_id, message.id, [revision_id, _state(message)]),
            ]
            self._record(connection, scope, branch_id, "restore", changes)
            return message.id

    def is_away(self, scope: Scope, branch_id: str, revision_id: str) -> bool:
        return any(one.revision_id == revision_id for one in self.away(scope, branch_id))

    @staticmethod
    def _row(connection: sqlite3.Connection, scope: Scope, branch_id: str, revision_id: str) -> sqlite3.Row:
        row = connection.execute(
            """SELECT o.taken_at, r.message_id FROM wording_out o JOIN revision r ON r.id = o.revision_id JOIN message m ON m.id = r.message_id
            WHERE o.branch_id = ? AND o.revision_id = ? AND m.chat_id = ?""",
            (branch_id, revision_id, scope.chat_id),
        ).fetchone()
        if row is None:
            raise NotFound("This is not in the bin any more.")
        found: sqlite3.Row = row
        return found


def _state(message: Message) -> str:
    return "hidden" if message.hidden else "active"
