"""Schema 1. Times are integers: milliseconds since 1970 UTC. JSON columns hold UTF-8 JSON text. Ids are opaque text."""

from __future__ import annotations

SCHEMA_1: tuple[str, ...] = (
    # People and characters
    """CREATE TABLE user (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        role TEXT NOT NULL DEFAULT 'player' CHECK (role IN ('player', 'annotator', 'reviewer', 'admin')),
        consent INTEGER NOT NULL DEFAULT 0 CHECK (consent IN (0, 1)),
        created_at INTEGER NOT NULL
    ) STRICT""",
    """CREATE TABLE player_persona (
        id TEXT PRIMARY KEY,
        user_id TEXT NOT NULL REFERENCES user (id),
        name TEXT NOT NULL,
        description TEXT NOT NULL DEFAULT '',
        avatar TEXT NOT NULL DEFAULT '',
        created_at INTEGER NOT NULL
    ) STRICT""",
    # A built-in character has no owner; `card` is the original as it came, never rewritten.
    """CREATE TABLE character (
        id TEXT PRIMARY KEY,
        user_id TEXT REFERENCES user (id),
        name TEXT NOT NULL,
        language TEXT NOT NULL,
        card TEXT NOT NULL,
        card_v3 TEXT NOT NULL,
        persona TEXT NOT NULL DEFAULT '{}',
        stances TEXT NOT NULL DEFAULT '[]',
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL
    ) STRICT""",
    # Chats: a tree of messages, branches as heads, selections for what differs from the newest revision
    """CREATE TABLE chat (
        id TEXT PRIMARY KEY,
        user_id TEXT NOT NULL REFERENCES user (id),
        character_id TEXT NOT NULL REFERENCES character (id),
        player_persona_id TEXT REFERENCES player_persona (id),
        title TEXT NOT NULL DEFAULT '',
        language TEXT NOT NULL,
        user_name TEXT NOT NULL DEFAULT '',
        import_key TEXT,
        active_branch_id TEXT NOT NULL,
        version INTEGER NOT NULL DEFAULT 0,
        structure INTEGER NOT NULL DEFAULT 0,
        settings TEXT NOT NULL DEFAULT '{}',
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL,
        deleted_at INTEGER,
        UNIQUE (user_id, import_key)
    ) STRICT""",
    "CREATE INDEX chat_by_user ON chat (user_id, updated_at)",
    """CREATE TABLE branch (
        id TEXT PRIMARY KEY,
        chat_id TEXT NOT NULL REFERENCES chat (id),
        parent_id TEXT REFERENCES branch (id),
        forked_at TEXT,
        name TEXT NOT NULL DEFAULT '',
        head_id TEXT,
        created_at INTEGER NOT NULL
    ) STRICT""",
    "CREATE INDEX branch_by_chat ON branch (chat_id)",
    # `round` is the parent's, plus one where a user utterance opens a round; fixed at birth, so a deletion shifts nothing.
    """CREATE TABLE message (
        id TEXT PRIMARY KEY,
        chat_id TEXT NOT NULL REFERENCES chat (id),
        parent_id TEXT REFERENCES message (id),
        depth INTEGER NOT NULL,
        round INTEGER NOT NULL,
        role TEXT NOT NULL CHECK (role IN ('user', 'character', 'narrator')),
        speaker TEXT NOT NULL,
        said_at INTEGER NOT NULL,
        story_time INTEGER,
        present TEXT NOT NULL DEFAULT '[]',
        external_id TEXT,
        created_at INTEGER NOT NULL,
        UNIQUE (chat_id, external_id)
    ) STRICT""",
    "CREATE INDEX message_by_parent ON message (parent_id)",
    "CREATE INDEX message_by_round ON message (chat_id, round)",
    """CREATE TABLE revision (
        id TEXT PRIMARY KEY,
        message_id TEXT NOT NULL REFERENCES message (id),
        ordinal INTEGER NOT NULL,
        text TEXT NOT NULL,
        sha256 TEXT NOT NULL,
        origin TEXT NOT NULL CHECK (origin IN ('user', 'model', 'import', 'card')),
        status TEXT NOT NULL CHECK (status IN ('complete', 'stopped', 'cut', 'failed')),
        model TEXT NOT NULL DEFAULT '',
        created_at INTEGER NOT NULL,
        UNIQUE (message_id, ordinal)
    ) STRICT""",
    """CREATE TABLE selection (
        branch_id TEXT NOT NULL REFERENCES branch (id),
        message_id TEXT NOT NULL REFERENCES message (id),
        revision_id TEXT REFERENCES revision (id),
        state TEXT NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'deleted', 'hidden')),
        PRIMARY KEY (branch_id, message_id)
    ) STRICT, WITHOUT ROWID""",
    # Sessions follow from message dates; only a close by hand is an event of its own.
    """CREATE TABLE session (
        id TEXT PRIMARY KEY,
        chat_id TEXT NOT NULL REFERENCES chat (id),
        last_message_id TEXT NOT NULL REFERENCES message (id),
        closed_at INTEGER NOT NULL,
        closed_by TEXT NOT NULL CHECK (closed_by IN ('idle', 'user', 'import')),
        UNIQUE (chat_id, last_message_id)
    ) STRICT""",
    # Memories
    """CREATE TABLE memory (
        ordinal INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        chat_id TEXT NOT NULL REFERENCES chat (id),
        kind TEXT NOT NULL CHECK (kind IN ('episode', 'fact', 'insight', 'plot', 'persona', 'topic')),
        text TEXT NOT NULL,
        language TEXT NOT NULL,
        subject TEXT NOT NULL DEFAULT '',
        said_by TEXT NOT NULL DEFAULT '',
        knowers TEXT NOT NULL DEFAULT '[]',
        payload TEXT NOT NULL DEFAULT '{}',
        round_first INTEGER NOT NULL,
        round_last INTEGER NOT NULL,
        said_at INTEGER NOT NULL,
        event_from INTEGER,
        event_to INTEGER,
        trust REAL NOT NULL DEFAULT 1.0,
        pinned INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1)),
        status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'forgotten', 'superseded', 'deleted')),
        origin TEXT NOT NULL DEFAULT 'model' CHECK (origin IN ('model', 'user')),
        derivation_key TEXT NOT NULL,
        text_sha256 TEXT NOT NULL,
        source_count INTEGER NOT NULL,
        created_at INTEGER NOT NULL
    ) STRICT""",
    "CREATE INDEX memory_by_chat ON memory (chat_id, kind, round_last)",
    "CREATE INDEX memory_by_text ON memory (text_sha256)",
    """CREATE TABLE memory_source (
        memory_id TEXT NOT NULL REFERENCES memory (id),
        message_id TEXT NOT NULL REFERENCES message (id),
        revision_id TEXT NOT NULL REFERENCES revision (id),
        sha256 TEXT NOT NULL,
        PRIMARY KEY (memory_id, revision_id)
    ) STRICT, WITHOUT ROWID""",
    "CREATE INDEX memory_source_by_revision ON memory_source (revision_id, memory_id)",
    """CREATE TABLE memory_ground (
        memory_id TEXT NOT NULL REFERENCES memory (id),
        ground_id TEXT NOT NULL REFERENCES memory (id),
        ordinal INTEGER NOT NULL,
        PRIMARY KEY (memory_id, ground_id)
    ) STRICT, WITHOUT ROWID""",
    "CREATE INDEX memory_ground_by_ground ON memory_ground (ground_id)",
    """CREATE TABLE derivation (
        user_id TEXT NOT NULL REFERENCES user (id),
        key TEXT NOT NULL,
        kind TEXT NOT NULL,
        prompt_version TEXT NOT NULL,
        model TEXT NOT NULL,
        output TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        PRIMARY KEY (user_id, key)
    ) STRICT, WITHOUT ROWID""",
    # One embedding per text ever: keyed by what was embedded, owned by the user whose text it is.
    """CREATE TABLE vector (
        user_id TEXT NOT NULL REFERENCES user (id),
        fingerprint TEXT NOT NULL,
        role TEXT NOT NULL CHECK (role IN ('passage', 'query')),
        text_sha256 TEXT NOT NULL,
        vector BLOB NOT NULL,
        PRIMARY KEY (user_id, fingerprint, role, text_sha256)
    ) STRICT""",
    # Sparse index: `scope` holds the chat's token, `words` stems and Chinese bigrams made by storage.terms.
    "CREATE VIRTUAL TABLE memory_fts USING fts5 (scope, words, tokenize = \"unicode61 remove_diacritics 0\", detail = 'full')",
    "CREATE VIRTUAL TABLE memory_terms USING fts5vocab ('memory_fts', 'row')",
    # Outbox
    """CREATE TABLE task (
        id INTEGER PRIMARY KEY,
        key TEXT NOT NULL UNIQUE,
        kind TEXT NOT NULL,
        user_id TEXT NOT NULL REFERENCES user (id),
        chat_id TEXT NOT NULL REFERENCES chat (id),
        branch_id TEXT NOT NULL REFERENCES branch (id),
        payload TEXT NOT NULL,
        state TEXT NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'leased', 'done', 'failed', 'cancelled')),
        attempts INTEGER NOT NULL DEFAULT 0,
        not_before INTEGER NOT NULL DEFAULT 0,
        leased_until INTEGER NOT NULL DEFAULT 0,
        error TEXT NOT NULL DEFAULT '',
        created_at INTEGER NOT NULL,
        finished_at INTEGER
    ) STRICT""",
    "CREATE INDEX task_open ON task (state, not_before, id) WHERE state IN ('queued', 'leased', 'failed')",
    "CREATE INDEX task_by_chat ON task (chat_id, state, id)",
    # Recall
    """CREATE TABLE recall_event (
        memory_id TEXT NOT NULL REFERENCES memory (id),
        message_id TEXT NOT NULL REFERENCES message (id),
        chat_id TEXT NOT NULL REFERENCES chat (id),
        round INTEGER NOT NULL,
        rank INTEGER NOT NULL,
        effect TEXT NOT NULL CHECK (effect IN ('reinforced', 'inhibited')),
        created_at INTEGER NOT NULL,
        PRIMARY KEY (memory_id, message_id)
    ) STRICT, WITHOUT ROWID""",
    "CREATE INDEX recall_event_by_message ON recall_event (message_id)",
    "CREATE INDEX recall_event_by_chat ON recall_event (chat_id)",
    """CREATE TABLE receipt (
        id TEXT PRIMARY KEY,
        chat_id TEXT NOT NULL REFERENCES chat (id),
        message_id TEXT NOT NULL REFERENCES message (id),
        revision_id TEXT UNIQUE REFERENCES revision (id),
        body TEXT NOT NULL,
        created_at INTEGER NOT NULL
    ) STRICT""",
    "CREATE INDEX receipt_by_message ON receipt (message_id)",
    # What people did, learned and set
    """CREATE TABLE undo_log (
        id INTEGER PRIMARY KEY,
        chat_id TEXT NOT NULL REFERENCES chat (id),
        branch_id TEXT NOT NULL REFERENCES branch (id),
        operation TEXT NOT NULL,
        forward TEXT NOT NULL,
        backward TEXT NOT NULL,
        undone INTEGER NOT NULL DEFAULT 0 CHECK (undone IN (0, 1)),
        created_at INTEGER NOT NULL
    ) STRICT""",
    "CREATE INDEX undo_log_by_chat ON undo_log (chat_id, id)",
    """CREATE TABLE user_edit (
        id INTEGER PRIMARY KEY,
        user_id TEXT NOT NULL REFERENCES user (id),
        chat_id TEXT NOT NULL REFERENCES chat (id),
        memory_id TEXT NOT NULL,
        action TEXT NOT NULL CHECK (action IN ('edit', 'pin', 'unpin', 'exclude', 'include', 'restore', 'tombstone')),
        content TEXT NOT NULL DEFAULT '',
        content_sha256 TEXT NOT NULL DEFAULT '',
        created_at INTEGER NOT NULL
    ) STRICT""",
    "CREATE INDEX user_edit_by_memory ON user_edit (memory_id, id)",
    """CREATE TABLE reranker_state (
        user_id TEXT NOT NULL REFERENCES user (id),
        fingerprint TEXT NOT NULL,
        weights BLOB NOT NULL,
        updates INTEGER NOT NULL DEFAULT 0,
        frozen INTEGER NOT NULL DEFAULT 1 CHECK (frozen IN (0, 1)),
        updated_at INTEGER NOT NULL,
        PRIMARY KEY (user_id, fingerprint)
    ) STRICT""",
    """CREATE TABLE setting (
        scope TEXT NOT NULL,
        key TEXT NOT NULL,
        value TEXT NOT NULL,
        PRIMARY KEY (scope, key)
    ) STRICT, WITHOUT ROWID""",
)
