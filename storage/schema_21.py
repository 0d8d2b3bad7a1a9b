"""Schema 21: regular probes are asked at distances, and two people review each."""

from __future__ import annotations

SCHEMA_21: tuple[str, ...] = (
    # distance: whole rounds behind the last one that the point is told in; 0: after the whole dialogue, as every choice was until now.
    """CREATE TABLE annotation_choice_21 (
        run_id TEXT NOT NULL REFERENCES annotation_run (id),
        setting INTEGER NOT NULL,
        distance INTEGER NOT NULL DEFAULT 0,
        probe TEXT NOT NULL,
        chosen INTEGER,
        trouble TEXT NOT NULL DEFAULT '',
        rank INTEGER,
        candidates INTEGER NOT NULL,
        PRIMARY KEY (run_id, setting, distance, probe)
    ) STRICT, WITHOUT ROWID""",
    """INSERT INTO annotation_choice_21 (run_id, setting, distance, probe, chosen, trouble, rank, candidates)
        SELECT run_id, setting, 0, probe, chosen, trouble, rank, candidates FROM annotation_choice""",
    "DROP TABLE annotation_choice",
    "ALTER TABLE annotation_choice_21 RENAME TO annotation_choice",
    "UPDATE annotation_run SET distances = '[0]' WHERE kind = 'regular'",
    # settles: 1 of the decision that stands whatever others decided: a third person's, an admin's, and every one from before there were two.
    # proposal: what a reviewer would have in place of the author's words, as JSON; edited: what the author had written, where that was followed.
    """CREATE TABLE annotation_regular_review_21 (
        regular_id TEXT NOT NULL REFERENCES annotation_regular (id),
        version INTEGER NOT NULL,
        reviewer TEXT NOT NULL,
        settles INTEGER NOT NULL DEFAULT 0 CHECK (settles IN (0, 1)),
        choice INTEGER NOT NULL CHECK (choice BETWEEN 0 AND 3),
        answered_at INTEGER NOT NULL,
        verdict TEXT CHECK (verdict IN ('accepted', 'edited', 'rejected')),
        reason TEXT NOT NULL DEFAULT '',
        note TEXT NOT NULL DEFAULT '',
        proposal TEXT NOT NULL DEFAULT '',
        edited TEXT NOT NULL DEFAULT '',
        decided_at INTEGER,
        PRIMARY KEY (regular_id, version, reviewer, settles)
    ) STRICT""",
    """INSERT INTO annotation_regular_review_21
            (regular_id, version, reviewer, settles, choice, answered_at, verdict, reason, note, proposal, edited, decided_at)
        SELECT regular_id, version, reviewer, verdict IS NOT NULL, choice, answered_at, verdict, reason, note, '', edited, decided_at
        FROM annotation_regular_review ORDER BY rowid""",
    "DROP TABLE annotation_regular_review",
    "ALTER TABLE annotation_regular_review_21 RENAME TO annotation_regular_review",
)
