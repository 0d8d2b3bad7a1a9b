"""Schema 13: lorebooks that a user keeps beside those in cards."""

from __future__ import annotations

SCHEMA_13: tuple[str, ...] = (
    # book: a lorebook of V3, whole, with every key it came with. uses: where it is read, as JSON: {"all": 0 or 1, "characters": [ids], "chats": [ids]}; an id
    # of what was erased names nothing.
    """CREATE TABLE lorebook (
        id TEXT PRIMARY KEY,
        user_id TEXT NOT NULL REFERENCES user (id),
        name TEXT NOT NULL,
        book TEXT NOT NULL,
        uses TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL,
        removed_at INTEGER
    ) STRICT""",
    "CREATE INDEX lorebook_by_user ON lorebook (user_id, removed_at, created_at)",
)
