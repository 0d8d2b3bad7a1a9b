"""Schema 11: conversations with several characters. Who belongs to one, who was in the room, and what each of them recalled and forgot.

`message.present` (schema 1) names the members that witnessed a message; `message.room` is set by a message that says who comes or goes: the members that are
there from it on. Recall and forgetting hang on a member as well, as each has a memory of its own: empty where a conversation has one character.
"""

from __future__ import annotations

SCHEMA_11: tuple[str, ...] = (
    # name: as it is called in this conversation, for good; by it `message.present` and everything a member knows are told apart.
    """CREATE TABLE chat_member (
        chat_id TEXT NOT NULL REFERENCES chat (id),
        place INTEGER NOT NULL,
        character_id TEXT NOT NULL REFERENCES character (id),
        name TEXT NOT NULL,
        PRIMARY KEY (chat_id, place),
        UNIQUE (chat_id, name)
    ) STRICT, WITHOUT ROWID""",
    "CREATE INDEX chat_member_by_character ON chat_member (character_id)",
    "ALTER TABLE message ADD COLUMN room TEXT",
    # A key cannot be widened in place. The columns of the key come first: SQLite 3.40 checks the integrity of such a table by their places.
    """CREATE TABLE recall_event_11 (
        memory_id TEXT NOT NULL REFERENCES memory (id),
        message_id TEXT NOT NULL REFERENCES message (id),
        witness TEXT NOT NULL DEFAULT '',
        chat_id TEXT NOT NULL REFERENCES chat (id),
        round INTEGER NOT NULL,
        rank INTEGER NOT NULL,
        effect TEXT NOT NULL CHECK (effect IN ('reinforced', 'inhibited')),
        created_at INTEGER NOT NULL,
        PRIMARY KEY (memory_id, message_id, witness)
    ) STRICT, WITHOUT ROWID""",
    """INSERT INTO recall_event_11 (memory_id, message_id, chat_id, round, rank, effect, created_at)
        SELECT memory_id, message_id, chat_id, round, rank, effect, created_at FROM recall_event""",
    "DROP TABLE recall_event",
    "ALTER TABLE recall_event_11 RENAME TO recall_event",
    "CREATE INDEX recall_event_by_message ON recall_event (message_id)",
    "CREATE INDEX recall_event_by_chat ON recall_event (chat_id)",
    """CREATE TABLE forgetting_event_11 (
        id INTEGER PRIMARY KEY,
        memory_id TEXT NOT NULL REFERENCES memory (id),
        message_id TEXT NOT NULL REFERENCES message (id),
        chat_id TEXT NOT NULL REFERENCES chat (id),
        round INTEGER NOT NULL,
        effect TEXT NOT NULL CHECK (effect IN ('forgotten', 'restored')),
        created_at INTEGER NOT NULL,
        witness TEXT NOT NULL DEFAULT '',
        UNIQUE (memory_id, message_id, effect, witness)
    ) STRICT""",
    """INSERT INTO forgetting_event_11 (id, memory_id, message_id, chat_id, round, effect, created_at)
        SELECT id, memory_id, message_id, chat_id, round, effect, created_at FROM forgetting_event""",
    "DROP TABLE forgetting_event",
    "ALTER TABLE forgetting_event_11 RENAME TO forgetting_event",
    "CREATE INDEX forgetting_event_by_chat ON forgetting_event (chat_id, memory_id)",
)
