"""The active path of a branch, as SQL. Shared by everything that reads what a branch may see.

A path is the chain of messages from a branch's head to the root. A message's active revision is the branch's selection, else the first one: whoever writes
a further wording selects it on their branch, so no other branch changes.
"""

from __future__ import annotations

import json
import sqlite3

from storage.errors import NotFound
from storage.records import Message, Revision, Role
from storage.wall import at_ms

SPAN_PAGE = 100
SPAN_MESSAGES = 3
"""Of a round, mostly: one more than those of a round of two shows that it is over."""

PATH = """
    path (id, parent_id) AS (
        SELECT m.id, m.parent_id FROM branch b JOIN message m ON m.id = b.head_id WHERE b.id = :branch
        UNION ALL
        SELECT m.id, m.parent_id FROM path p JOIN message m ON m.id = p.parent_id
    )"""
"""Common table expression: every message of the branch, newest first; parameter :branch."""

ACTIVE = """
    active (message_id, revision_id) AS MATERIALIZED (
        SELECT p.id, coalesce(s.revision_id, (SELECT r.id FROM revision r WHERE r.message_id = p.id AND r.ordinal = 0))
        FROM path p LEFT JOIN selection s ON s.branch_id = :branch AND s.message_id = p.id
        WHERE coalesce(s.state, 'active') = 'active'
    )"""
"""Common table expression on PATH: the revisions that count, without deleted and hidden messages."""

WITNESSED = """
    active (message_id, revision_id) AS MATERIALIZED (
        SELECT p.id, coalesce(s.revision_id, (SELECT r.id FROM revision r WHERE r.message_id = p.id AND r.ordinal = 0))
        FROM path p CROSS JOIN message w ON w.id = p.id LEFT JOIN selection s ON s.branch_id = :branch AND s.message_id = p.id
        WHERE coalesce(s.state, 'active') = 'active' AND EXISTS (SELECT 1 FROM json_each(w.present) j WHERE j.value = :witness)
    )"""
"""The same of what one of several characters witnessed; parameter :witness."""

FORGOTTEN = """
    forgotten (memory_id) AS MATERIALIZED (
        SELECT memory_id FROM (
            SELECT memory_id, effect, max(id) FROM forgetting_event
            WHERE chat_id = :chat AND witness = :witness AND message_id IN (SELECT id FROM path) GROUP BY memory_id
        ) WHERE effect = 'forgotten'
    )"""
"""Common table expression on PATH: memories whose newest forgetting event on the path is that they were forgotten; parameters :chat and :witness."""

_WALK = """
    WITH RECURSIVE path (id, parent_id) AS (
        SELECT id, parent_id FROM message WHERE id = :start AND chat_id = :chat
        UNION ALL
        SELECT m.id, m.parent_id FROM path p JOIN message m ON m.id = p.parent_id
    )
    SELECT m.id, m.parent_id, m.depth, m.round, m.role, m.speaker, m.said_at, m.utc_offset, r.id AS revision_id, r.text, r.sha256, r.origin, r.status, r.model,
        r.ordinal, r.player, coalesce(s.state, 'active') AS state, m.present, m.room, m.heard
    FROM path p CROSS JOIN message m ON m.id = p.id
    LEFT JOIN selection s ON s.branch_id = :branch AND s.message_id = m.id
    JOIN revision r ON r.id = coalesce(s.revision_id, (SELECT n.id FROM revision n WHERE n.message_id = m.id AND n.ordinal = 0))
    WHERE coalesce(s.state, 'active') <> 'deleted'
        AND (:witness = '' OR EXISTS (SELECT 1 FROM json_each(m.present) j WHERE j.value = :witness))
    LIMIT :limit"""
_ROOM = f"""
    WITH RECURSIVE {PATH}
    SELECT m.room FROM path p CROSS JOIN message m ON m.id = p.id LEFT JOIN selection s ON s.branch_id = :branch AND s.message_id = m.id
    WHERE m.room IS NOT NULL AND coalesce(s.state, 'active') <> 'deleted'
    LIMIT 1"""

_NOTICED = f"""
    WITH RECURSIVE {PATH}
    SELECT 1 FROM path p CROSS JOIN message m ON m.id = p.id WHERE EXISTS (SELECT 1 FROM json_each(m.present) j WHERE j.value = :name)
    LIMIT 1"""


def walk(connection: sqlite3.Connection, *, chat_id: str, branch_id: str, start: str, limit: int, witness: str = "") -> list[Message]:
    """Up to `limit` messages from `start` back towards the root, newest first; deleted ones are passed over, and what a witness did not witness."""
    rows = connection.execute(_WALK, {"start": start, "chat": chat_id, "branch": branch_id, "limit": limit, "witness": witness})
    return [message_of(row) for row in rows]


def room_at(connection: sqlite3.Connection, *, branch_id: str) -> tuple[str, ...] | None:
    """Who is there at a branch's head, of several characters; None where nobody came or went yet."""
    row = connection.execute(_ROOM, {"branch": branch_id}).fetchone()
    return tuple(json.loads(row["room"])) if row is not None else None


def noticed(connection: sqlite3.Connection, *, branch_id: str, name: str) -> bool:
    """Whether a character witnessed anything of a branch's path, what was taken out of it included: it belongs there, wherever it is now."""
    row = connection.execute(_NOTICED, {"branch": branch_id, "name": name}).fetchone()
    return row is not None


def span(
    connection: sqlite3.Connection, *, chat_id: str, branch_id: str, first_round: int, last_round: int, witness: str = ""
) -> list[Message]:
    """The messages of some rounds of a branch, oldest first; deleted and hidden ones are left out."""
    if last_round < first_round:
        return []
    top = connection.execute(
        # The path comes newest first, so that near its end nothing further back is looked at: of 100,000 messages that took half a second.
        f"""WITH RECURSIVE {PATH} SELECT p.id FROM path p CROSS JOIN message m ON m.id = p.id
        WHERE m.chat_id = :chat AND m.round <= :last LIMIT 1""",
        {"branch": branch_id, "chat": chat_id, "last": last_round},
    ).fetchone()
    found: list[Message] = []
    start = top["id"] if top is not None else None
    few = min(SPAN_PAGE, SPAN_MESSAGES * (last_round - first_round + 1))
    while start is not None:
        page = walk(connection, chat_id=chat_id, branch_id=branch_id, start=start, limit=few, witness=witness)
        found += [m for m in page if m.round >= first_round and not m.hidden]
        start = page[-1].parent_id if len(page) == few and page[-1].round >= first_round else None
    return found[::-1]


def message_on_path(connection: sqlite3.Connection, *, chat_id: str, branch_id: str, message_id: str) -> Message:
    """One message of a branch with the wording the branch has; NotFound if it is not on the branch's path or was taken out of it."""
    row = connection.execute(
        f"WITH RECURSIVE {PATH} SELECT 1 FROM path JOIN branch b ON b.id = :branch WHERE path.id = :message AND b.chat_id = :chat",
        {"branch": branch_id, "message": message_id, "chat": chat_id},
    ).fetchone()
    if row is None:
        raise NotFound("This message is not part of the conversation any more. Nothing was changed.")
    return message_of_id(connection, chat_id=chat_id, branch_id=branch_id, message_id=message_id)


def message_of_id(connection: sqlite3.Connection, *, chat_id: str, branch_id: str, message_id: str) -> Message:
    """One message with the wording a branch has; NotFound if it does not exist or was taken out of the branch."""
    for found in walk(connection, chat_id=chat_id, branch_id=branch_id, start=message_id, limit=1):
        if found.id == message_id:
            return found
    raise NotFound("This message is not part of the conversation any more. Nothing was changed.")


def message_of(row: sqlite3.Row) -> Message:
    return Message(
        id=row["id"],
        parent_id=row["parent_id"],
        depth=row["depth"],
        round=row["round"],
        role=Role(row["role"]),
        speaker=row["speaker"],
        said_at=at_ms(row["said_at"], row["utc_offset"]),
        revision=Revision(
            id=row["revision_id"],
            text=row["text"],
            sha256=row["sha256"],
            origin=row["origin"],
            status=row["status"],
            model=row["model"],
            ordinal=row["ordinal"],
            player=row["player"],
        ),
        hidden=row["state"] == "hidden",
        present=tuple(json.loads(row["present"])) if row["present"] != "[]" else (),
        room=tuple(json.loads(row["room"])) if row["room"] is not None else None,
        heard=bool(row["heard"]),
    )
