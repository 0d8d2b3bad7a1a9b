"""Schema 2: what a branch has forgotten.

Forgetting depends on what was recalled on a path, so it hangs on that path's messages like the recall events that decide it: two branches that
share a memory may forget it at different times, or only one of them.
"""

from __future__ import annotations

SCHEMA_2: tuple[str, ...] = (
    # The newest event of a memory on a branch's path holds; `id` is the order.
    """CREATE TABLE forgetting_event (
        id INTEGER PRIMARY KEY,
        memory_id TEXT NOT NULL REFERENCES memory (id),
        message_id TEXT NOT NULL REFERENCES message (id),
        chat_id TEXT NOT NULL REFERENCES chat (id),
        round INTEGER NOT NULL,
        effect TEXT NOT NULL CHECK (effect IN ('forgotten', 'restored')),
        created_at INTEGER NOT NULL,
        UNIQUE (memory_id, message_id, effect)
    ) STRICT""",
    "CREATE INDEX forgetting_event_by_chat ON forgetting_event (chat_id, memory_id)",
)
