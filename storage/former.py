"""What a person's decision about a memory found there, so that it can be taken back to the letter (`storage.controls`)."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from storage.records import sha256
from storage.terms import index_text


@dataclass(frozen=True)
class Worded:
    """A memory as it was worded, by whom, and what it rested on."""

    memory_id: str
    text: str
    language: str
    origin: str
    payload: str
    """JSON."""
    slot_rank: str
    sources: tuple[tuple[str, str, str], ...]
    """Message, wording and its hash."""
    now: str
    """Hex SHA-256 of the words that were put in the place of these."""


@dataclass(frozen=True)
class Faded:
    """A memory as it was forgotten."""

    memory_id: str
    event: int
    """Id of the event that brought it back."""
    replaced: tuple[object, ...] | None
    """The event of an earlier return on the same message, as a row, whose place that one took."""


Former = Worded | Faded


def worded(connection: sqlite3.Connection, row: sqlite3.Row, *, now: str) -> Worded:
    sources = connection.execute("SELECT message_id, revision_id, sha256 FROM memory_source WHERE memory_id = ?", (row["id"],)).fetchall()
    return Worded(
        row["id"],
        row["text"],
        row["language"],
        row["origin"],
        row["payload"],
        row["slot_rank"],
        tuple((s["message_id"], s["revision_id"], s["sha256"]) for s in sources),
        now,
    )


def word_as_before(connection: sqlite3.Connection, row: sqlite3.Row, former: Worded) -> None:
    """Let a memory say what it said, inside the caller's transaction."""
    connection.execute(
        "UPDATE memory SET text = ?, text_sha256 = ?, language = ?, origin = ?, payload = ?, slot_rank = ? WHERE id = ?",
        (former.text, sha256(former.text), former.language, former.origin, former.payload, former.slot_rank, former.memory_id),
    )
    connection.executemany(
        "INSERT OR IGNORE INTO memory_source (memory_id, message_id, revision_id, sha256) VALUES (?, ?, ?, ?)",
        [(former.memory_id, *source) for source in former.sources],
    )
    connection.execute("UPDATE memory_fts SET words = ? WHERE rowid = ?", (index_text(former.text), row["ordinal"]))


_EVENT = "id, memory_id, message_id, chat_id, round, effect, created_at, witness"


def bring_back(
    connection: sqlite3.Connection, memory_id: str, *, message_id: str, chat_id: str, round_number: int, witness: str, at: int
) -> Faded | None:
    """Write that a memory came back on a message of the chat; None without such a message. Of the events of a path the newest holds: one that was forgotten
    once more on this message must be younger than its first return."""
    replaced = connection.execute(
        f"SELECT {_EVENT} FROM forgetting_event WHERE memory_id = ? AND message_id = ? AND effect = 'restored' AND witness = ?",
        (memory_id, message_id, witness),
    ).fetchone()
    done = connection.execute(
        """INSERT OR REPLACE INTO forgetting_event (memory_id, message_id, chat_id, round, effect, created_at, witness)
        SELECT ?, id, chat_id, ?, 'restored', ?, ? FROM message WHERE id = ? AND chat_id = ?""",
        (memory_id, round_number, at, witness, message_id, chat_id),
    )
    if not done.rowcount or done.lastrowid is None:
        return None
    return Faded(memory_id, done.lastrowid, tuple(replaced) if replaced is not None else None)


def fade_as_before(connection: sqlite3.Connection, chat_id: str, former: Faded) -> bool:
    """Take the event away that brought a memory back; whether it was still there."""
    done = connection.execute(
        "DELETE FROM forgetting_event WHERE id = ? AND memory_id = ? AND chat_id = ? AND effect = 'restored'",
        (former.event, former.memory_id, chat_id),
    )
    if done.rowcount and former.replaced is not None:
        connection.execute(f"INSERT INTO forgetting_event ({_EVENT}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", former.replaced)
    return bool(done.rowcount)
