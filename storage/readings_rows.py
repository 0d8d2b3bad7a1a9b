"""The rows behind what a person said of a character's readings (`storage.readings`), as the undo log sets them."""

from __future__ import annotations

import json
import sqlite3

from storage.records import now_ms, sha256

UNTRUE, EXCLUDED = "untrue", "excluded"
"""Of a reading: it is not true; it is left out and nothing more. None: it counts."""
READINGS = ("insight:", "reading:")
"""Beginnings of their slots: of a stance of the character's, and of what a model read in a unit."""
STATES = (None, EXCLUDED, UNTRUE)


def reading_now(connection: sqlite3.Connection, chat_id: str, slot: str) -> str | None:
    """What was last said of the reading in a slot."""
    row = connection.execute(
        """SELECT action, content FROM user_edit
        WHERE chat_id = ? AND message_id = '' AND content_sha256 = ? AND action IN ('exclude', 'include') ORDER BY id DESC LIMIT 1""",
        (chat_id, sha256(slot)),
    ).fetchone()
    if row is None or row["action"] == "include":
        return None
    return UNTRUE if row["content"] == UNTRUE else EXCLUDED


def set_reading(connection: sqlite3.Connection, chat_id: str, slot: str, value: object) -> None:
    """Let it be said of the reading in a slot, and hold for everything that stands there or is derived for it; nothing where it has no memory."""
    rows = connection.execute(
        "SELECT id FROM memory WHERE chat_id = ? AND kind = 'insight' AND slot = ? ORDER BY status = 'active' DESC, ordinal DESC",
        (chat_id, slot),
    ).fetchall()
    if not rows:
        return
    left_out = value in (EXCLUDED, UNTRUE)
    connection.execute(
        """INSERT INTO user_edit (user_id, chat_id, memory_id, action, content, content_sha256, message_id, created_at)
        SELECT user_id, id, ?, ?, ?, ?, '', ? FROM chat WHERE id = ?""",
        (
            rows[0]["id"],
            "exclude" if left_out else "include",
            UNTRUE if value == UNTRUE else "",
            sha256(slot),
            now_ms(),
            chat_id,
        ),
    )
    connection.execute(
        "UPDATE memory SET excluded = ? WHERE chat_id = ? AND id IN (SELECT value FROM json_each(?))",
        (int(left_out), chat_id, json.dumps([row["id"] for row in rows])),
    )
