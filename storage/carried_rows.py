"""The rows of memories that came along from another conversation, as the undo log sets them: all that came at once is there, or none of it."""

from __future__ import annotations

import sqlite3

from storage.records import CARRIED

_BATCH = f"chat_id = ? AND source_count = 0 AND payload ->> '$.{CARRIED}.batch' = ?"


def batch_now(connection: sqlite3.Connection, chat_id: str, batch: str) -> bool | None:
    """True if any of it is there, else None."""
    row = connection.execute(f"SELECT 1 FROM memory WHERE {_BATCH} AND status = 'active' LIMIT 1", (chat_id, batch)).fetchone()
    return True if row is not None else None


def set_batch(connection: sqlite3.Connection, chat_id: str, batch: str, *, there: bool) -> None:
    """Let it be there, or not. What was deleted for good meanwhile stays so."""
    old, new = ("superseded", "active") if there else ("active", "superseded")
    connection.execute(f"UPDATE memory SET status = ? WHERE {_BATCH} AND status = ?", (new, chat_id, batch, old))
