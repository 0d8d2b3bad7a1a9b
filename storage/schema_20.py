"""Schema 20: characters that join a conversation when it is under way."""

from __future__ import annotations

SCHEMA_20: tuple[str, ...] = (
    # joined: 0 of those a conversation began with; 1 of one that came later, and belongs to those branches alone on whose path somebody noticed it.
    "ALTER TABLE chat_member ADD COLUMN joined INTEGER NOT NULL DEFAULT 0 CHECK (joined IN (0, 1))",
)
