"""Vectors in SQLite: one embedding per text ever, so rebuilding an index embeds nothing."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from storage.database import Database
from storage.records import sha256

Vector = NDArray[np.float32]

QUERY_CHARS = 600
"""Longest part of a cue that is embedded, characters; the whole cue still counts for sparse search. Embedding time grows with length: 12 ms for a line."""


STANDING = "+standing"
"""Ends the fingerprint of vectors of texts that nobody said: a character's cues and everyday facts. They are hundreds, and erasing what was said leaves them."""


class Vectors:
    """Keyed by (user, embedder fingerprint, role of the text, SHA-256 of the text)."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def get(self, user_id: str, fingerprint: str, role: str, hashes: Iterable[str]) -> dict[str, Vector]:
        """Vectors [d] by text hash, of those that are stored."""
        rows = self._db.read().execute(
            """SELECT v.text_sha256, v.vector FROM json_each(?) w CROSS JOIN vector v
            ON v.user_id = ? AND v.fingerprint = ? AND v.role = ? AND v.text_sha256 = w.value""",
            (json.dumps(list(dict.fromkeys(hashes))), user_id, fingerprint, role),
        )
        return {row["text_sha256"]: np.frombuffer(row["vector"], dtype="<f4") for row in rows}

    def put(self, user_id: str, fingerprint: str, role: str, vectors: Mapping[str, Vector]) -> None:
        with self._db.write() as connection:
            connection.executemany(
                "INSERT OR IGNORE INTO vector (user_id, fingerprint, role, text_sha256, vector) VALUES (?, ?, ?, ?, ?)",
                [(user_id, fingerprint, role, key, np.asarray(value, dtype="<f4").tobytes()) for key, value in vectors.items()],
            )

    def which_have(self, fingerprint: str, memory_ids: Sequence[str]) -> set[str]:
        """Of these memories, of any user, those with a passage vector: ids alone, for upkeep of the index."""
        rows = self._db.read().execute(
            """SELECT m.id FROM json_each(?) w CROSS JOIN memory m ON m.id = w.value CROSS JOIN chat c ON c.id = m.chat_id
            CROSS JOIN vector v ON v.user_id = c.user_id AND v.fingerprint = ? AND v.role = 'passage' AND v.text_sha256 = m.text_sha256""",
            (json.dumps(list(memory_ids)), fingerprint),
        )
        return {row["id"] for row in rows}

    def lacking(self, fingerprint: str, keys: Sequence[str]) -> list[tuple[str, str, str]]:
        """(user id, chat id, memory id) of persona values under one of these keys, of any user, that have no passage vector: ids alone, for upkeep."""
        rows = self._db.read().execute(
            """SELECT c.user_id, m.chat_id, m.id FROM memory m JOIN chat c ON c.id = m.chat_id
            WHERE m.kind = 'persona' AND m.status <> 'deleted' AND c.deleted_at IS NULL
            AND m.payload ->> 'key' IN (SELECT value FROM json_each(?)) AND NOT EXISTS (SELECT 1 FROM vector v WHERE v.user_id = c.user_id
                AND v.fingerprint = ? AND v.role = 'passage' AND v.text_sha256 = m.text_sha256) ORDER BY m.ordinal""",
            (json.dumps(list(keys)), fingerprint),
        )
        return [(row["user_id"], row["chat_id"], row["id"]) for row in rows]

    def of_memories(self, user_id: str, fingerprint: str, memory_ids: Sequence[str]) -> dict[str, Vector]:
        """Passage vectors [d] by memory id, of the user's memories that have one."""
        rows = self._db.read().execute(
            """SELECT m.id, v.vector FROM json_each(?) w CROSS JOIN memory m ON m.id = w.value
            CROSS JOIN chat c ON c.id = m.chat_id AND c.user_id = ?
            CROSS JOIN vector v ON v.user_id = c.user_id AND v.fingerprint = ? AND v.role = 'passage' AND v.text_sha256 = m.text_sha256""",
            (json.dumps(list(memory_ids)), user_id, fingerprint),
        )
        return {row["id"]: np.frombuffer(row["vector"], dtype="<f4") for row in rows}


def sweep_vectors(connection: sqlite3.Connection, user_id: str) -> None:
    """Drop every vector of a user whose text no memory (passages) and no wording (cues) of theirs has, but for STANDING ones. What is still needed is embedded
    again."""
    connection.create_function("cue_sha256", 1, lambda text: sha256(text[:QUERY_CHARS]), deterministic=True)
    connection.execute(
        f"""DELETE FROM vector WHERE user_id = :user AND role = 'passage' AND fingerprint NOT LIKE '%{STANDING}' AND text_sha256 NOT IN (
            SELECT m.text_sha256 FROM memory m JOIN chat c ON c.id = m.chat_id WHERE c.user_id = :user AND m.status <> 'deleted')""",
        {"user": user_id},
    )
    connection.execute(
        f"""DELETE FROM vector WHERE user_id = :user AND role = 'query' AND fingerprint NOT LIKE '%{STANDING}' AND text_sha256 NOT IN (
            SELECT CASE WHEN length(r.text) <= {QUERY_CHARS} THEN r.sha256 ELSE cue_sha256(r.text) END
            FROM chat c JOIN message m ON m.chat_id = c.id JOIN revision r ON r.message_id = m.id WHERE c.user_id = :user)""",
        {"user": user_id},
    )
