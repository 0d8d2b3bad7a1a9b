"""Schema 7: accounts, who is logged in, and how often a login failed."""

from __future__ import annotations

SCHEMA_7: tuple[str, ...] = (
    # A user without a row here cannot log in. The role is the user's (schema 1). `name_key` is the name as it is compared.
    """CREATE TABLE account (
        user_id TEXT PRIMARY KEY REFERENCES user (id),
        name TEXT NOT NULL,
        name_key TEXT NOT NULL UNIQUE,
        password TEXT NOT NULL,
        must_change INTEGER NOT NULL CHECK (must_change IN (0, 1)),
        locked_at INTEGER,
        created_at INTEGER NOT NULL
    ) STRICT""",
    # The browser has the token; here is its hash alone. Never in a backup (`storage.backup`).
    """CREATE TABLE login (
        token_sha256 TEXT PRIMARY KEY,
        user_id TEXT NOT NULL REFERENCES user (id),
        created_at INTEGER NOT NULL,
        seen_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID""",
    "CREATE INDEX login_by_user ON login (user_id)",
    # `key` is a hash: people type passwords where a name belongs.
    """CREATE TABLE login_failure (
        key TEXT PRIMARY KEY,
        count INTEGER NOT NULL,
        last_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID""",
)
