"""Schema 4: what memory costs, where a language model makes it."""

from __future__ import annotations

SCHEMA_4: tuple[str, ...] = (
    # One row for each chat, purpose and model; counts, never words.
    """CREATE TABLE model_use (
        chat_id TEXT NOT NULL REFERENCES chat (id),
        purpose TEXT NOT NULL,
        model TEXT NOT NULL,
        calls INTEGER NOT NULL DEFAULT 0,
        failed INTEGER NOT NULL DEFAULT 0,
        prompt_tokens INTEGER NOT NULL DEFAULT 0,
        answer_tokens INTEGER NOT NULL DEFAULT 0,
        seconds REAL NOT NULL DEFAULT 0,
        PRIMARY KEY (chat_id, purpose, model)
    ) STRICT, WITHOUT ROWID""",
)
