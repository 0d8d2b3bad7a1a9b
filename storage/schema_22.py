"""Schema 22: what a conversation brought along from another rests on no message of its own (`storage.carrying`)."""

from __future__ import annotations

SCHEMA_22: tuple[str, ...] = ("CREATE INDEX memory_carried ON memory (chat_id) WHERE source_count = 0",)
