"""Schema 3: a story that can be rewritten.

What the person changes is a change of selections, heads and branches; nothing here removes a message.
"""

from __future__ import annotations

SCHEMA_3: tuple[str, ...] = (
    # Counts what people did to a conversation (not replies, not memory work): a page that shows an older number is told to look again.
    "ALTER TABLE chat ADD COLUMN edition INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE branch ADD COLUMN deleted_at INTEGER",
    # What was deleted and can come back: single messages, and what stood below a cut.
    """CREATE TABLE bin_item (
        id TEXT PRIMARY KEY,
        chat_id TEXT NOT NULL REFERENCES chat (id),
        branch_id TEXT NOT NULL REFERENCES branch (id),
        kind TEXT NOT NULL CHECK (kind IN ('message', 'tail')),
        message_id TEXT NOT NULL REFERENCES message (id),
        head_id TEXT REFERENCES message (id),
        created_at INTEGER NOT NULL
    ) STRICT""",
    "CREATE INDEX bin_item_by_chat ON bin_item (chat_id, created_at)",
    # Of several memories that share a slot on a path only the one of the lowest rank holds (`storage.visibility`).
    "ALTER TABLE memory ADD COLUMN slot TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE memory ADD COLUMN slot_rank TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE memory ADD COLUMN excluded INTEGER NOT NULL DEFAULT 0 CHECK (excluded IN (0, 1))",
    "CREATE INDEX memory_by_user ON memory (chat_id) WHERE origin = 'user'",
    "CREATE INDEX memory_by_exclusion ON memory (chat_id) WHERE excluded = 1",
    # The message that a decision about a memory hangs on: with the hash of the memory's text it finds a memory that was derived anew.
    "ALTER TABLE user_edit ADD COLUMN message_id TEXT NOT NULL DEFAULT ''",
    "CREATE INDEX user_edit_by_content ON user_edit (chat_id, message_id, content_sha256)",
    # What extraction gave for an input, so that deriving again costs no model; it goes with its chat. The table had no rows before.
    "DROP TABLE derivation",
    """CREATE TABLE derivation (
        chat_id TEXT NOT NULL REFERENCES chat (id),
        key TEXT NOT NULL,
        kind TEXT NOT NULL,
        version TEXT NOT NULL,
        output TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        PRIMARY KEY (chat_id, key)
    ) STRICT, WITHOUT ROWID""",
    # Which wordings were read for what they tell: alone, and (question_id) as the answer to the message before.
    """CREATE TABLE extraction (
        revision_id TEXT NOT NULL REFERENCES revision (id),
        question_id TEXT NOT NULL,
        version TEXT NOT NULL,
        chat_id TEXT NOT NULL REFERENCES chat (id),
        PRIMARY KEY (revision_id, question_id, version)
    ) STRICT, WITHOUT ROWID""",
    "CREATE INDEX extraction_by_chat ON extraction (chat_id)",
    # What was to be erased for good: ids alone. A row is written before anything is removed and kept afterwards, so that a crash, a full disk or
    # an older backup cannot bring anything back (`storage.erasures`). It refers to what is gone, hence no foreign keys.
    """CREATE TABLE erasure (
        id INTEGER PRIMARY KEY,
        kind TEXT NOT NULL CHECK (kind IN ('chat', 'account', 'memory', 'bin')),
        user_id TEXT NOT NULL,
        chat_id TEXT NOT NULL DEFAULT '',
        targets TEXT NOT NULL DEFAULT '{}',
        state TEXT NOT NULL CHECK (state IN ('recorded', 'rows', 'files', 'done')),
        created_at INTEGER NOT NULL
    ) STRICT""",
    # How far a chat's queue has come since it was last empty is counted back from the task that ended last.
    "CREATE INDEX task_by_end ON task (chat_id, finished_at) WHERE state = 'done'",
    # Derived by an earlier version, with sources told less exactly: made anew at the next start (`chat.upkeep.catch_up`). Nobody could edit or pin them.
    "UPDATE memory SET status = 'superseded' WHERE kind <> 'episode' AND origin = 'model'",
)
