"""Schema 19: conversations that listen. Which messages were overheard and not said to the character, and what other programs may bring lines with.

A token is kept as its SHA-256 alone, opens one conversation, and is taken out of every backup like a login (`storage.accounts.without_logins`).
"""

from __future__ import annotations

SCHEMA_19: tuple[str, ...] = (
    "ALTER TABLE message ADD COLUMN heard INTEGER NOT NULL DEFAULT 0 CHECK (heard IN (0, 1))",
    """CREATE TABLE listen_token (
        id TEXT PRIMARY KEY,
        sha256 TEXT NOT NULL UNIQUE,
        user_id TEXT NOT NULL REFERENCES user (id),
        chat_id TEXT NOT NULL REFERENCES chat (id),
        name TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        used_at INTEGER
    ) STRICT""",
    "CREATE INDEX listen_token_by_chat ON listen_token (chat_id)",
    "CREATE INDEX listen_token_by_user ON listen_token (user_id)",
)
