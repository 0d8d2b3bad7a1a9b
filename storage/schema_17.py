"""Schema 17: regular probes with their reviews, reviews of the universal table, choices and judged replies of probe runs."""

from __future__ import annotations

SCHEMA_17: tuple[str, ...] = (
    # Who works on the regular probes of a dialogue: `draft` is the form they have open.
    """CREATE TABLE annotation_probe_work (
        id TEXT PRIMARY KEY,
        item_id TEXT NOT NULL REFERENCES annotation_item (id),
        user_id TEXT NOT NULL REFERENCES user (id),
        draft TEXT NOT NULL DEFAULT '',
        started_at INTEGER NOT NULL,
        UNIQUE (item_id, user_id)
    ) STRICT""",
    # A regular probe. gold: number of the adjudicated point it is about; options: four as JSON, the right one first; seed: of the order they are shown in.
    # user_id: whose it is until it is accepted; then none, so that it stays when the account goes. author is no key for the same reason.
    """CREATE TABLE annotation_regular (
        id TEXT PRIMARY KEY,
        item_id TEXT NOT NULL REFERENCES annotation_item (id),
        gold INTEGER NOT NULL,
        user_id TEXT REFERENCES user (id),
        author TEXT NOT NULL,
        language TEXT NOT NULL,
        line TEXT NOT NULL,
        options TEXT NOT NULL,
        note TEXT NOT NULL DEFAULT '',
        seed INTEGER NOT NULL,
        version INTEGER NOT NULL DEFAULT 1,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL,
        submitted_at INTEGER,
        removed_at INTEGER
    ) STRICT""",
    "CREATE INDEX annotation_regular_by_item ON annotation_regular (item_id, gold)",
    # With a rowid, as the next ones of people: what came at the same moment stays in its order.
    # choice: the place of the option that the reviewer chose before the right one was shown. verdict: NULL until it is decided.
    # edited: what the author had written, as JSON, where the reviewer changed it.
    """CREATE TABLE annotation_regular_review (
        regular_id TEXT NOT NULL REFERENCES annotation_regular (id),
        version INTEGER NOT NULL,
        reviewer TEXT NOT NULL,
        choice INTEGER NOT NULL CHECK (choice BETWEEN 0 AND 3),
        answered_at INTEGER NOT NULL,
        verdict TEXT CHECK (verdict IN ('accepted', 'edited', 'rejected')),
        reason TEXT NOT NULL DEFAULT '',
        note TEXT NOT NULL DEFAULT '',
        edited TEXT NOT NULL DEFAULT '',
        decided_at INTEGER,
        PRIMARY KEY (regular_id, version, reviewer)
    ) STRICT""",
    # writers: everybody who wrote or changed an item of the universal table, as JSON; none of them reviews it. Not known of what is older than this schema.
    "ALTER TABLE annotation_probe ADD COLUMN writers TEXT NOT NULL DEFAULT '[]'",
    # Of the version that was looked at: a change makes it one of the past.
    """CREATE TABLE annotation_probe_review (
        probe_id TEXT NOT NULL REFERENCES annotation_probe (id),
        version INTEGER NOT NULL,
        reviewer TEXT NOT NULL,
        verdict TEXT NOT NULL CHECK (verdict IN ('accepted', 'objected')),
        note TEXT NOT NULL DEFAULT '',
        at INTEGER NOT NULL,
        PRIMARY KEY (probe_id, version, reviewer)
    ) STRICT""",
    # kind: `universal`, or `regular`, whose distances are none. how: what answered, replied and judged, as JSON.
    "ALTER TABLE annotation_run ADD COLUMN kind TEXT NOT NULL DEFAULT 'universal'",
    "ALTER TABLE annotation_run ADD COLUMN how TEXT NOT NULL DEFAULT '{}'",
    # What was chosen of a regular probe: a place among its options as they are kept, 0 the right one; NULL with `trouble`, why there is none.
    # setting -1: without any memory.
    """CREATE TABLE annotation_choice (
        run_id TEXT NOT NULL REFERENCES annotation_run (id),
        setting INTEGER NOT NULL,
        probe TEXT NOT NULL,
        chosen INTEGER,
        trouble TEXT NOT NULL DEFAULT '',
        rank INTEGER,
        candidates INTEGER NOT NULL,
        PRIMARY KEY (run_id, setting, probe)
    ) STRICT, WITHOUT ROWID""",
    # The character's reply to a universal probe's question, and how near the answer a judge found it, 0 to 5; NULL with `trouble`, why it is not judged.
    """CREATE TABLE annotation_reply (
        id TEXT PRIMARY KEY,
        run_id TEXT NOT NULL REFERENCES annotation_run (id),
        setting INTEGER NOT NULL,
        distance INTEGER NOT NULL,
        probe TEXT NOT NULL,
        reply TEXT NOT NULL,
        score INTEGER CHECK (score BETWEEN 0 AND 5),
        why TEXT NOT NULL DEFAULT '',
        trouble TEXT NOT NULL DEFAULT '',
        UNIQUE (run_id, setting, distance, probe)
    ) STRICT""",
    # What people gave to such a reply.
    """CREATE TABLE annotation_reply_label (
        reply_id TEXT NOT NULL REFERENCES annotation_reply (id),
        user_id TEXT NOT NULL REFERENCES user (id),
        score INTEGER NOT NULL CHECK (score BETWEEN 0 AND 5),
        at INTEGER NOT NULL,
        PRIMARY KEY (reply_id, user_id)
    ) STRICT""",
)
