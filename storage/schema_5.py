"""Schema 5: chapters that a person closed early."""

from __future__ import annotations

SCHEMA_5: tuple[str, ...] = (
    # The round of the message is the last of its chapter, on this branch; a fork takes those of its path along, as it does selections.
    """CREATE TABLE story_end (
        branch_id TEXT NOT NULL REFERENCES branch (id),
        message_id TEXT NOT NULL REFERENCES message (id),
        PRIMARY KEY (branch_id, message_id)
    ) STRICT, WITHOUT ROWID""",
)
