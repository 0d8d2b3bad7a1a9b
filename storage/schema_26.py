"""Schema 26: whose turn it is in the outbox. Live work comes before what can wait, and users take turns."""

from __future__ import annotations

SCHEMA_26: tuple[str, ...] = (
    "ALTER TABLE task ADD COLUMN rank INTEGER NOT NULL DEFAULT 0 CHECK (rank BETWEEN 0 AND 2)",
    """UPDATE task SET rank = CASE WHEN kind IN ('mend', 'insight', 'read', 'tell') THEN 1 WHEN coalesce(payload ->> '$.replay', 0) THEN 2 ELSE 0 END
    WHERE state IN ('queued', 'leased', 'failed')""",
    # Who waits, and for what of theirs; the order within a chat; what is under way.
    "CREATE INDEX task_by_rank ON task (rank, user_id, id) WHERE state IN ('queued', 'leased')",
    "CREATE INDEX task_in_order ON task (chat_id, id) WHERE state IN ('queued', 'leased')",
    "CREATE INDEX task_leased ON task (chat_id) WHERE state = 'leased'",
    "DROP INDEX task_open",
)
