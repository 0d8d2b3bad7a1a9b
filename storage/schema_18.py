"""Schema 18: marks made while playing, outlines and suggestions of the engine, and conversations held for a project."""

from __future__ import annotations

SCHEMA_18: tuple[str, ...] = (
    # user_id: whose own it is, seen by nobody else; NULL: the house's. suggestions: whether the engine's are offered. characters: with whom conversations
    # are asked for, in JSON; empty: with anybody.
    "ALTER TABLE annotation_project ADD COLUMN user_id TEXT REFERENCES user (id)",
    "ALTER TABLE annotation_project ADD COLUMN suggestions INTEGER NOT NULL DEFAULT 0 CHECK (suggestions IN (0, 1))",
    "ALTER TABLE annotation_project ADD COLUMN characters TEXT NOT NULL DEFAULT '[]'",
    # revision_id: the wording that a turn of one's own conversation is; erased from here with it (`storage.erasing_annotation`).
    "ALTER TABLE annotation_turn ADD COLUMN revision_id TEXT NOT NULL DEFAULT ''",
    "CREATE INDEX annotation_turn_by_revision ON annotation_turn (revision_id) WHERE revision_id <> ''",
    # suggestion: what of the engine's a point was made from, in JSON; empty: it was written by a person alone.
    "ALTER TABLE annotation_point ADD COLUMN suggestion TEXT NOT NULL DEFAULT ''",
    # Where an item of the table was taken from a conversation: the wording it is of.
    "ALTER TABLE annotation_probe ADD COLUMN chat_id TEXT REFERENCES chat (id)",
    "ALTER TABLE annotation_probe ADD COLUMN revision_id TEXT NOT NULL DEFAULT ''",
    # What the engine makes of a dialogue that it lives through for itself. turns: how many the dialogue had; told: plots and facts with their turns, in JSON.
    """CREATE TABLE annotation_outline (
        item_id TEXT PRIMARY KEY REFERENCES annotation_item (id),
        state TEXT NOT NULL CHECK (state IN ('waiting', 'running', 'done', 'failed')),
        turns INTEGER NOT NULL,
        told TEXT NOT NULL DEFAULT '',
        made_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID""",
    # Suggestions that somebody has put away.
    """CREATE TABLE annotation_dismissal (
        assignment_id TEXT NOT NULL REFERENCES annotation_assignment (id),
        suggestion TEXT NOT NULL,
        at INTEGER NOT NULL,
        PRIMARY KEY (assignment_id, suggestion)
    ) STRICT, WITHOUT ROWID""",
    # A conversation that a player has begun for a project. item_id: what was handed in of it; reason: why it was handed in short of the length asked for.
    """CREATE TABLE annotation_taking (
        id TEXT PRIMARY KEY,
        project_id TEXT NOT NULL REFERENCES annotation_project (id),
        user_id TEXT NOT NULL REFERENCES user (id),
        chat_id TEXT NOT NULL REFERENCES chat (id),
        character_id TEXT NOT NULL,
        consent_at INTEGER NOT NULL,
        handed_at INTEGER,
        item_id TEXT,
        reason TEXT NOT NULL DEFAULT '',
        UNIQUE (chat_id)
    ) STRICT""",
    "CREATE INDEX annotation_taking_by_user ON annotation_taking (user_id)",
)
