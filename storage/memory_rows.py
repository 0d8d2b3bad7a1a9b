"""Rows of derived memories: written, written once more, and read."""

from __future__ import annotations

import json
import sqlite3
from datetime import datetime

from storage.decisions import decided
from storage.records import CARRIED, Kind, Memory, Source, now_ms, stable_id, to_ms
from storage.terms import index_text
from storage.wall import at_ms, offset_of, zone_of


def insert_memory(connection: sqlite3.Connection, memory: Memory) -> bool:
    """Store a derived memory as a person wants it, if its sources still hold, inside the caller's transaction; whether anything changed."""
    for source in memory.sources:
        row = connection.execute(
            "SELECT r.sha256 FROM revision r JOIN message m ON m.id = r.message_id WHERE r.id = ? AND m.chat_id = ?",
            (source.revision_id, memory.chat_id),
        ).fetchone()
        if row is None or row["sha256"] != source.sha256:
            return False
    kept = decided(connection, memory)
    if kept is None:
        return False
    memory = kept
    cursor = connection.execute(
        """INSERT INTO memory (id, chat_id, kind, text, language, subject, said_by, knowers, payload, round_first, round_last, said_at, event_from,
            event_to, trust, pinned, status, origin, excluded, slot, slot_rank, derivation_key, text_sha256, source_count, created_at, utc_offset)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING""",
        (
            memory.id,
            memory.chat_id,
            memory.kind.value,
            memory.text,
            memory.language,
            memory.subject,
            memory.said_by,
            json.dumps(list(memory.knowers), ensure_ascii=False),
            json.dumps(dict(memory.payload), ensure_ascii=False),
            memory.round_first,
            memory.round_last,
            to_ms(memory.said_at),
            _day_ms(memory.event_from, memory),
            _day_ms(memory.event_to, memory),
            memory.trust,
            int(memory.pinned),
            memory.status,
            memory.origin,
            int(memory.excluded),
            memory.slot,
            memory.slot_rank,
            memory.derivation_key,
            memory.text_sha256,
            len(memory.sources),
            now_ms(),
            offset_of(memory.said_at),
        ),
    )
    if cursor.rowcount == 0:
        return _again(connection, memory)
    connection.executemany(
        "INSERT INTO memory_ground (memory_id, ground_id, ordinal) VALUES (?, ?, ?)",
        [(memory.id, ground, place) for place, ground in enumerate(memory.grounds)],
    )
    connection.executemany(
        "INSERT INTO memory_source (memory_id, message_id, revision_id, sha256) VALUES (?, ?, ?, ?)",
        [(memory.id, s.message_id, s.revision_id, s.sha256) for s in memory.sources],
    )
    _add_words(connection, cursor.lastrowid or 0, memory)
    return True


def _day_ms(day: datetime | None, memory: Memory) -> int | None:
    """A day that a memory tells of, on the wall that the memory is read back by: the same day, though another of those whom it rests on said it elsewhere."""
    return to_ms(day.replace(tzinfo=zone_of(offset_of(memory.said_at)))) if day is not None else None


def _again(connection: sqlite3.Connection, memory: Memory) -> bool:
    """Derived again, a superseded memory is what it was, with its scores; from the same words in another wording of its message, it rests on either."""
    back = connection.execute("UPDATE memory SET status = 'active' WHERE id = ? AND status = 'superseded'", (memory.id,)).rowcount
    back += _told_again(connection, memory)
    listed = connection.executemany(
        "INSERT OR IGNORE INTO memory_source (memory_id, message_id, revision_id, sha256) VALUES (?, ?, ?, ?)",
        [(memory.id, s.message_id, s.revision_id, s.sha256) for s in memory.sources],
    ).rowcount
    if back or listed:  # its ordinal is an old one: sets that are extended by what is new would miss it
        connection.execute("UPDATE chat SET structure = structure + 1 WHERE id = ?", (memory.chat_id,))
    return bool(back or listed)


def _told_again(connection: sqlite3.Connection, memory: Memory) -> int:
    """Of a fact or value whose words went with those of another that was deleted for good, while it itself was not: put them back.

    Whether it itself was deleted is known by its words (`decided`); of what follows from other memories it is not, so that stays away.
    """
    if memory.kind not in (Kind.FACT, Kind.PERSONA):
        return 0
    row = connection.execute("SELECT ordinal FROM memory WHERE id = ? AND status = 'deleted'", (memory.id,)).fetchone()
    if row is None:
        return 0
    connection.execute(
        """UPDATE memory SET status = 'active', text = ?, subject = ?, said_by = ?, knowers = ?, payload = ?, text_sha256 = ?, pinned = ?, excluded = ?
        WHERE id = ?""",
        (
            memory.text,
            memory.subject,
            memory.said_by,
            json.dumps(list(memory.knowers), ensure_ascii=False),
            json.dumps(dict(memory.payload), ensure_ascii=False),
            memory.text_sha256,
            int(memory.pinned),
            int(memory.excluded),
            memory.id,
        ),
    )
    _add_words(connection, row["ordinal"], memory)
    return 1


def _add_words(connection: sqlite3.Connection, ordinal: int, memory: Memory) -> None:
    words = (ordinal, scope_token(memory.chat_id), index_text(memory.text))
    connection.execute("INSERT INTO memory_fts (rowid, scope, words) VALUES (?, ?, ?)", words)


def memory_of(row: sqlite3.Row, sources: tuple[Source, ...], grounds: tuple[str, ...]) -> Memory:
    payload, offset = json.loads(row["payload"]), row["utc_offset"]
    # Kept like what a person wrote, what came along from elsewhere is their own only where they wrote it.
    carried = payload.get(CARRIED)
    return Memory(
        id=row["id"],
        chat_id=row["chat_id"],
        kind=Kind(row["kind"]),
        text=row["text"],
        language=row["language"],
        round_first=row["round_first"],
        round_last=row["round_last"],
        said_at=at_ms(row["said_at"], offset),
        sources=sources,
        grounds=grounds,
        derivation_key=row["derivation_key"],
        subject=row["subject"],
        said_by=row["said_by"],
        knowers=tuple(json.loads(row["knowers"])),
        payload=payload,
        event_from=at_ms(row["event_from"], offset) if row["event_from"] is not None else None,
        event_to=at_ms(row["event_to"], offset) if row["event_to"] is not None else None,
        trust=row["trust"],
        pinned=bool(row["pinned"]),
        status=row["status"],
        origin=row["origin"] if not carried or carried.get("edited") else "model",
        excluded=bool(row["excluded"]),
        slot=row["slot"],
        slot_rank=row["slot_rank"],
    )


def scope_token(chat_id: str) -> str:
    """The chat's token in the scope column: one word, never equal to a word of any text."""
    return "c" + stable_id("scope", chat_id)
