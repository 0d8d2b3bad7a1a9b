"""Schema 10: a player's own personas, who the player was in a conversation, and whom a wording was said to."""

from __future__ import annotations

SCHEMA_10: tuple[str, ...] = (
    # The table of schema 1, which nothing was written to. face: a small PNG of our own making. removed_at: out of the list, and still in the
    # conversations that have it.
    "ALTER TABLE player_persona DROP COLUMN avatar",
    "ALTER TABLE player_persona ADD COLUMN face BLOB",
    "ALTER TABLE player_persona ADD COLUMN updated_at INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE player_persona ADD COLUMN removed_at INTEGER",
    "CREATE INDEX player_persona_by_user ON player_persona (user_id, created_at)",
    # Every persona that a conversation has had, under each name it had there: its prompts may hold what the persona says.
    """CREATE TABLE chat_player (
        chat_id TEXT NOT NULL REFERENCES chat (id),
        player_id TEXT NOT NULL REFERENCES player_persona (id),
        name TEXT NOT NULL,
        PRIMARY KEY (chat_id, player_id, name)
    ) STRICT, WITHOUT ROWID""",
    "CREATE INDEX chat_player_by_player ON chat_player (player_id)",
    # How the player was called when a wording was made; empty where that is the name the conversation began with.
    "ALTER TABLE revision ADD COLUMN player TEXT NOT NULL DEFAULT ''",
)
