"""Schema 14: annotation projects, their dialogues, what annotators and reviewers make of them, and who did what."""

from __future__ import annotations

SCHEMA_14: tuple[str, ...] = (
    # target_rounds: how long conversations that players give should be; 0: they are not asked to give any.
    # A project belongs to the house: `made_by` is no key, so that it outlives the account that made it.
    """CREATE TABLE annotation_project (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        overlap INTEGER NOT NULL CHECK (overlap IN (1, 2)),
        lease_hours INTEGER NOT NULL CHECK (lease_hours BETWEEN 1 AND 2160),
        categories TEXT NOT NULL,
        briefing TEXT NOT NULL DEFAULT '',
        target_rounds INTEGER NOT NULL DEFAULT 0,
        made_by TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        closed_at INTEGER
    ) STRICT""",
    """CREATE TABLE annotation_guideline (
        project_id TEXT NOT NULL REFERENCES annotation_project (id),
        version INTEGER NOT NULL,
        text TEXT NOT NULL,
        made_by TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        PRIMARY KEY (project_id, version)
    ) STRICT, WITHOUT ROWID""",
    # A dialogue as it was when it came into the project. `chat_id`, `player_id`: where it came from a player's chat; erasing that chat erases it here.
    """CREATE TABLE annotation_item (
        id TEXT PRIMARY KEY,
        project_id TEXT NOT NULL REFERENCES annotation_project (id),
        number INTEGER NOT NULL,
        title TEXT NOT NULL,
        language TEXT NOT NULL,
        chat_id TEXT REFERENCES chat (id),
        player_id TEXT NOT NULL DEFAULT '',
        consent_at INTEGER,
        created_at INTEGER NOT NULL,
        gold_at INTEGER,
        released_at INTEGER,
        UNIQUE (project_id, number)
    ) STRICT""",
    "CREATE INDEX annotation_item_by_chat ON annotation_item (chat_id)",
    """CREATE TABLE annotation_turn (
        item_id TEXT NOT NULL REFERENCES annotation_item (id),
        number INTEGER NOT NULL,
        round INTEGER NOT NULL,
        session INTEGER NOT NULL,
        role TEXT NOT NULL,
        speaker TEXT NOT NULL,
        text TEXT NOT NULL,
        said_at INTEGER NOT NULL,
        external_id TEXT NOT NULL,
        PRIMARY KEY (item_id, number)
    ) STRICT, WITHOUT ROWID""",
    # One row per person and dialogue: nobody annotates one twice, and nobody reviews what they annotated. `draft` is the form they have open.
    """CREATE TABLE annotation_assignment (
        id TEXT PRIMARY KEY,
        item_id TEXT NOT NULL REFERENCES annotation_item (id),
        user_id TEXT NOT NULL REFERENCES user (id),
        role TEXT NOT NULL CHECK (role IN ('annotator', 'reviewer')),
        guideline INTEGER NOT NULL,
        place INTEGER NOT NULL DEFAULT 1,
        draft TEXT NOT NULL DEFAULT '',
        lease_until INTEGER NOT NULL,
        started_at INTEGER NOT NULL,
        submitted_at INTEGER,
        UNIQUE (item_id, user_id)
    ) STRICT""",
    "CREATE INDEX annotation_assignment_by_user ON annotation_assignment (user_id, submitted_at)",
    # evidence: {"turns": [1, 2], "quotes": [{"turn": 1, "start": 0, "end": 4, "text": "…"}]}, places in characters (code points).
    """CREATE TABLE annotation_point (
        id TEXT PRIMARY KEY,
        assignment_id TEXT NOT NULL REFERENCES annotation_assignment (id),
        number INTEGER NOT NULL,
        text TEXT NOT NULL,
        category TEXT NOT NULL,
        language TEXT NOT NULL,
        evidence TEXT NOT NULL,
        note TEXT NOT NULL DEFAULT '',
        unclear INTEGER NOT NULL DEFAULT 0 CHECK (unclear IN (0, 1)),
        version INTEGER NOT NULL DEFAULT 1,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL,
        removed_at INTEGER
    ) STRICT""",
    "CREATE INDEX annotation_point_by_assignment ON annotation_point (assignment_id, number)",
    # part: names the points of both annotators that are decided about together (`annotation.matching`), or a point that the reviewer added.
    """CREATE TABLE annotation_decision (
        assignment_id TEXT NOT NULL REFERENCES annotation_assignment (id),
        part TEXT NOT NULL,
        content TEXT NOT NULL,
        version INTEGER NOT NULL DEFAULT 1,
        decided_at INTEGER NOT NULL,
        PRIMARY KEY (assignment_id, part)
    ) STRICT, WITHOUT ROWID""",
    # No key leads to a person: gold stays when an account is removed.
    """CREATE TABLE annotation_gold (
        item_id TEXT NOT NULL REFERENCES annotation_item (id),
        number INTEGER NOT NULL,
        text TEXT NOT NULL,
        category TEXT NOT NULL,
        language TEXT NOT NULL,
        evidence TEXT NOT NULL,
        provenance TEXT NOT NULL,
        PRIMARY KEY (item_id, number)
    ) STRICT, WITHOUT ROWID""",
    # The universal probe table of a project: what is told (p), asked much later (q), and the answer that shows it was remembered (a).
    """CREATE TABLE annotation_probe (
        id TEXT PRIMARY KEY,
        project_id TEXT NOT NULL REFERENCES annotation_project (id),
        language TEXT NOT NULL,
        topic TEXT NOT NULL,
        p TEXT NOT NULL,
        q TEXT NOT NULL,
        a TEXT NOT NULL,
        version INTEGER NOT NULL DEFAULT 1,
        created_at INTEGER NOT NULL
    ) STRICT""",
    # settings, distances: as asked for, in JSON. A run that was ended goes on where it was: what it has found stands in the next table.
    """CREATE TABLE annotation_run (
        id TEXT PRIMARY KEY,
        item_id TEXT NOT NULL REFERENCES annotation_item (id),
        settings TEXT NOT NULL,
        distances TEXT NOT NULL,
        probes TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('waiting', 'running', 'done', 'stopped', 'failed')),
        error TEXT NOT NULL DEFAULT '',
        created_at INTEGER NOT NULL,
        ended_at INTEGER
    ) STRICT""",
    # rank: of the first memory that rests on what was told, among `candidates`; NULL where none does. near: likeness of what was recalled to the answer.
    """CREATE TABLE annotation_result (
        run_id TEXT NOT NULL REFERENCES annotation_run (id),
        setting INTEGER NOT NULL,
        distance INTEGER NOT NULL,
        probe TEXT NOT NULL,
        told_round INTEGER NOT NULL,
        rank INTEGER,
        candidates INTEGER NOT NULL,
        near REAL,
        PRIMARY KEY (run_id, setting, distance, probe)
    ) STRICT, WITHOUT ROWID""",
    # The audit trail. Rows are added, never changed; they go with the dialogue or the account they are of.
    """CREATE TABLE annotation_event (
        id INTEGER PRIMARY KEY,
        project_id TEXT NOT NULL REFERENCES annotation_project (id),
        item_id TEXT REFERENCES annotation_item (id),
        assignment_id TEXT,
        user_id TEXT NOT NULL,
        at INTEGER NOT NULL,
        action TEXT NOT NULL,
        subject TEXT NOT NULL DEFAULT '',
        before TEXT NOT NULL DEFAULT '',
        after TEXT NOT NULL DEFAULT ''
    ) STRICT""",
    "CREATE INDEX annotation_event_by_assignment ON annotation_event (assignment_id, id)",
    "CREATE INDEX annotation_event_by_project ON annotation_event (project_id, id)",
)
