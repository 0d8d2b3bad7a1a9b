"""Schema 23: wordings that a person put away."""

from __future__ import annotations

SCHEMA_23: tuple[str, ...] = (
    # The wording is not leafed through on this branch; it is there, and can come back. A fork takes those of its path along, as it does selections.
    """CREATE TABLE wording_out (
        branch_id TEXT NOT NULL REFERENCES branch (id),
        revision_id TEXT NOT NULL REFERENCES revision (id),
        taken_at INTEGER NOT NULL,
        PRIMARY KEY (branch_id, revision_id)
    ) STRICT, WITHOUT ROWID""",
)
