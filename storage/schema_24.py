"""Schema 24: which day it was on the wall of who spoke. Minutes that it was ahead of UTC, beside every moment a day is read from; moments stay in UTC."""

from __future__ import annotations

SCHEMA_24: tuple[str, ...] = (
    # Of what was said before this, nobody knows where: it keeps the days it was remembered under.
    "ALTER TABLE message ADD COLUMN utc_offset INTEGER NOT NULL DEFAULT 0 CHECK (utc_offset BETWEEN -840 AND 840)",
    # Of a memory: of when it was said, and of the days that it tells of.
    "ALTER TABLE memory ADD COLUMN utc_offset INTEGER NOT NULL DEFAULT 0 CHECK (utc_offset BETWEEN -840 AND 840)",
)
