"""What a person decided about a memory, found again when the memory is derived anew under whatever id (`storage.controls` writes it)."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from storage.records import CARRIED, Kind, Memory, sha256
from storage.witnesses import MIND


@dataclass(frozen=True)
class Identity:
    """What a memory is known by when it is derived anew."""

    message_id: str
    """A fact, a value and a piece of the story hang on the last message they rest on, in path order; an episode on the first of its round, for it grows
    with its reply; an insight on none, since other facts may give ground for the same reading."""
    content: str
    """Hex SHA-256 of what the model made: a fact's text, a value's key and text; of the others their place, for their text follows from what is there
    (a topic's: its session and the first fact it rests on)."""


def decided(connection: sqlite3.Connection, memory: Memory) -> Memory | None:
    """A newly derived memory as a person wants it: with its pin and exclusion; None if it was deleted, or stands as it was edited or pinned."""
    if connection.execute("SELECT 1 FROM user_edit WHERE chat_id = ? LIMIT 1", (memory.chat_id,)).fetchone() is None:
        return memory
    messages = cited(memory.payload) or [s.message_id for s in memory.sources]
    known = _identity(connection, memory.kind, memory.text, memory.payload, memory.slot, messages)
    rows = connection.execute(
        "SELECT memory_id, action FROM user_edit WHERE chat_id = ? AND (memory_id = ? OR (message_id = ? AND content_sha256 = ?)) ORDER BY id",
        (memory.chat_id, memory.id, known.message_id, known.content),
    ).fetchall()
    actions = [row["action"] for row in rows]
    if "tombstone" in actions or _reworded(connection, memory):
        return None
    if any(_stands_for(connection, other, memory) for other in {row["memory_id"] for row in rows} - {memory.id}):
        return None
    return replace(
        memory, pinned=_last(actions, "pin", "unpin", memory.pinned), excluded=_last(actions, "exclude", "include", memory.excluded)
    )


def cited(payload: Mapping[str, object]) -> list[str]:
    """Ids of the messages that a model named as those which say it; of what it read as a whole unit, all of which are sources."""
    found = payload.get("cites")
    return [str(i) for i in found] if isinstance(found, list) else []


def _reworded(connection: sqlite3.Connection, memory: Memory) -> bool:
    """Whether a model tells once more of a message of which something was deleted for good: in other words, so no hash would know it."""
    messages = cited(memory.payload)
    if not messages:
        return False
    row = connection.execute(
        """SELECT 1 FROM json_each(?) w CROSS JOIN user_edit e ON e.message_id = w.value
        WHERE e.chat_id = ? AND e.action = 'tombstone' LIMIT 1""",
        (json.dumps(messages), memory.chat_id),
    ).fetchone()
    return row is not None


def _last(actions: Sequence[str], on: str, off: str, default: bool) -> bool:
    return next((action == on for action in reversed(actions) if action in (on, off)), default)


def _stands_for(connection: sqlite3.Connection, other: str, memory: Memory) -> bool:
    """Whether another row is there wherever `memory` would be: an edited one that rests on no other wordings, or on the very same one that is pinned, or was
    and outlived a rebuild by that, and says the same."""
    row = connection.execute("SELECT origin, pinned, text FROM memory WHERE id = ? AND status = 'active'", (other,)).fetchone()
    if row is None:
        return False
    sources = connection.execute("SELECT message_id, revision_id FROM memory_source WHERE memory_id = ?", (other,)).fetchall()
    listed = {s["revision_id"] for s in sources}
    mine = {s.message_id for s in memory.sources}
    shared = {s["message_id"] for s in sources if s["message_id"] in mine}
    if {s["message_id"] for s in sources} != shared or any(s.revision_id not in listed for s in memory.sources if s.message_id in shared):
        return False
    return row["origin"] == "user" or (shared == mine and (bool(row["pinned"]) or (row["text"] == memory.text and not memory.grounds)))


@dataclass(frozen=True)
class Tombstone:
    """That a person erased a memory for good; it holds no word of it."""

    user_id: str
    chat_id: str
    memory_id: str
    known: Identity
    created_at: int
    """Milliseconds since 1970 UTC."""


def tombstones(connection: sqlite3.Connection) -> list[Tombstone]:
    """Every one of a database."""
    rows = connection.execute(
        "SELECT user_id, chat_id, memory_id, message_id, content_sha256, created_at FROM user_edit WHERE action = 'tombstone' ORDER BY id"
    )
    return [Tombstone(row[0], row[1], row[2], Identity(row[3], row[4]), row[5]) for row in rows]


def carry_tombstones(connection: sqlite3.Connection, known: Sequence[Tombstone]) -> None:
    """Set tombstones of another database into this one, where it has their chats, inside the caller's transaction: what was erased stays away there too."""
    there = set(tombstones(connection))
    chats = {(row[0], row[1]) for row in connection.execute("SELECT user_id, id FROM chat")}
    connection.executemany(
        """INSERT INTO user_edit (user_id, chat_id, memory_id, action, content_sha256, message_id, created_at)
        VALUES (?, ?, ?, 'tombstone', ?, ?, ?)""",
        [
            (t.user_id, t.chat_id, t.memory_id, t.known.content, t.known.message_id, t.created_at)
            for t in known
            if t not in there and (t.user_id, t.chat_id) in chats
        ],
    )


def known_by(connection: sqlite3.Connection, row: sqlite3.Row) -> Identity:
    """What a stored memory is known by: as it was when it was decided about for the first time, since then its text may be a person's."""
    first = connection.execute(
        "SELECT message_id, content_sha256 FROM user_edit WHERE memory_id = ? AND chat_id = ? ORDER BY id LIMIT 1",
        (row["id"], row["chat_id"]),
    ).fetchone()
    if first is not None:
        return Identity(first["message_id"], first["content_sha256"])
    payload = json.loads(row["payload"])
    messages = cited(payload) or [
        s["message_id"] for s in connection.execute("SELECT message_id FROM memory_source WHERE memory_id = ?", (row["id"],))
    ]
    return _identity(connection, Kind(row["kind"]), row["text"], payload, row["slot"], messages)


def _identity(
    connection: sqlite3.Connection, kind: Kind, text: str, payload: Mapping[str, object], slot: str, messages: Sequence[str]
) -> Identity:
    if kind is Kind.INSIGHT or CARRIED in payload:
        return Identity("", _content(kind, text, payload, slot))
    first, last = connection.execute(
        """WITH source AS (SELECT m.id, m.depth FROM json_each(?) w CROSS JOIN message m ON m.id = w.value)
        SELECT (SELECT id FROM source ORDER BY depth LIMIT 1), (SELECT id FROM source ORDER BY depth DESC LIMIT 1)""",
        (json.dumps(list(messages)),),
    ).fetchone()
    if kind is Kind.EPISODE:
        return Identity(first, _content(kind, text, payload, slot))
    return Identity(last, _content(kind, text, payload, slot))


def in_model_words(row: sqlite3.Row, text: str, known: Identity) -> bool:
    """Whether a text is what the model made of a stored memory's source; of what follows from other memories that is not known."""
    kind = Kind(row["kind"])
    return kind in (Kind.FACT, Kind.PERSONA) and _content(kind, text, json.loads(row["payload"]), row["slot"]) == known.content


def _content(kind: Kind, text: str, payload: Mapping[str, object], slot: str) -> str:
    """The hash of what the model made, or of its place where its text follows from what is there."""
    told = {
        Kind.EPISODE: kind.value,
        Kind.INSIGHT: slot,
        Kind.PLOT: slot,
        Kind.PERSONA: f"{payload.get('key', '')}: {text}",
        Kind.TOPIC: f"{slot}: {payload.get('anchor', '')}",
    }
    if CARRIED in payload and kind in (Kind.PLOT, Kind.TOPIC):
        told[kind] = f"{kind.value}: {text}"  # it has no place here
    # Of what is one character's own, that character's: others may have one in the same place.
    mind = payload.get(MIND)
    return sha256(told.get(kind, text) + (f" of {mind}" if mind else ""))


def twins(connection: sqlite3.Connection, row: sqlite3.Row, known: Identity) -> list[str]:
    """The chat's other memories that are known by the same, whatever their state but deleted."""
    if known.message_id:
        found = connection.execute(
            """SELECT DISTINCT m.* FROM revision r CROSS JOIN memory_source s ON s.revision_id = r.id CROSS JOIN memory m ON m.id = s.memory_id
            WHERE r.message_id = ? AND m.chat_id = ? AND m.kind = ? AND m.status <> 'deleted' AND m.id <> ?""",
            (known.message_id, row["chat_id"], row["kind"], row["id"]),
        )
    else:
        found = connection.execute(
            "SELECT * FROM memory WHERE chat_id = ? AND kind = ? AND status <> 'deleted' AND slot = ? AND id <> ?",
            (row["chat_id"], row["kind"], row["slot"], row["id"]),
        )
    return [other["id"] for other in found.fetchall() if known_by(connection, other) == known]
