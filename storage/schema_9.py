"""Schema 9: characters listed without a look at their cards, which may be large."""

from __future__ import annotations

SCHEMA_9: tuple[str, ...] = (
    # What the list of a user's characters shows beside what is kept of them as settings.
    "CREATE INDEX character_by_user ON character (user_id, id, created_at, updated_at, name, language)",
)
