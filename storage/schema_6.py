"""Schema 6: what was said can be searched for."""

from __future__ import annotations

SCHEMA_6: tuple[str, ...] = (
    # Numbers wordings for the index below; rows of `revision` have no number that outlives a database written anew.
    """CREATE TABLE revision_words (
        ordinal INTEGER PRIMARY KEY,
        revision_id TEXT NOT NULL UNIQUE REFERENCES revision (id)
    ) STRICT""",
    # As `memory_fts`, by ordinal: the token of the chat, and the terms of one wording.
    "CREATE VIRTUAL TABLE message_fts USING fts5 (scope, words, tokenize = \"unicode61 remove_diacritics 0\", detail = 'full')",
)
