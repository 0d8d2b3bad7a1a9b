"""Schema 8: the files of a character."""

from __future__ import annotations

SCHEMA_8: tuple[str, ...] = (
    # avatar: a small PNG of our own making; picture: the PNG a card came in, without the card; member: a file beside a card in an archive, by its name there.
    """CREATE TABLE character_file (
        character_id TEXT NOT NULL REFERENCES character (id),
        kind TEXT NOT NULL CHECK (kind IN ('avatar', 'picture', 'member')),
        name TEXT NOT NULL DEFAULT '',
        content BLOB NOT NULL,
        UNIQUE (character_id, kind, name)
    ) STRICT""",
)
