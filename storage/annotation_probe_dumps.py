"""Probes of a project for its files, and back: both kinds with their reviews, and runs with what they found. People stand in them by the names of the dump."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from storage.annotation_probes import Probe, probes_of
from storage.annotation_regular_records import Regular
from storage.annotation_regular_rows import decided, regulars_of
from storage.annotation_run_rows import (
    REGULAR,
    Choice,
    Label,
    Reply,
    Result,
    Run,
    choices_of,
    labels_of,
    replies_of,
    results_of,
    run_of,
    write_choices,
    write_results,
)

Naming = Callable[[str], str]
"""From a person's id to their name in a file, or back."""


@dataclass(frozen=True)
class RegularDump:
    """dialogue: its number; author and reviewers stand in `probe` by their names in the file."""

    dialogue: int
    probe: Regular


@dataclass(frozen=True)
class RunDump:
    run: Run
    results: Sequence[Result]
    choices: Sequence[Choice]
    replies: Sequence[Reply]
    labels: Sequence[Label]


@dataclass(frozen=True)
class ProbeDump:
    table: Sequence[Probe]
    regular: Sequence[RegularDump]
    runs: Sequence[RunDump]


NO_PROBES = ProbeDump((), (), ())


def probes_dumped(connection: sqlite3.Connection, project_id: str, open_ones: Collection[str], named: Naming) -> tuple[ProbeDump, int]:
    """open_ones: ids of the dialogues whose work is told; regular probes of others, and those that wait, are counted alone. A run that is under way is a stopped one."""
    table = [
        replace(
            one, writers=tuple(named(w) for w in one.writers), reviews=tuple(replace(r, reviewer=named(r.reviewer)) for r in one.reviews)
        )
        for one in probes_of(connection, project_id)
    ]
    regular, hidden = [], 0
    for row in connection.execute("SELECT id, number FROM annotation_item WHERE project_id = ? ORDER BY number", (project_id,)).fetchall():
        every = regulars_of(connection, row["id"])
        shown = decided(every) if row["id"] in open_ones else []
        hidden += len(every) - len(shown)
        for one in shown:
            reviews = tuple(replace(r, reviewer=named(r.reviewer)) for r in one.reviews)
            regular.append(RegularDump(row["number"], replace(one, author=named(one.author), reviews=reviews)))
    runs = []
    for row in connection.execute(
        """SELECT r.*, i.title FROM annotation_run r JOIN annotation_item i ON i.id = r.item_id WHERE i.project_id = ? ORDER BY r.created_at, r.rowid""",
        (project_id,),
    ).fetchall():
        run = run_of(row)
        if run.kind == REGULAR and run.item_id not in open_ones:
            continue
        labels = [replace(one, by=named(one.by)) for one in labels_of(connection, run.id)]
        still = replace(run, state="stopped") if run.state in ("waiting", "running") else run
        runs.append(RunDump(still, results_of(connection, run.id), choices_of(connection, run.id), replies_of(connection, run.id), labels))
    return ProbeDump(table, regular, runs), hidden


def write_probes(connection: sqlite3.Connection, project_id: str, dump: ProbeDump, person: Naming) -> None:
    """In the transaction that takes the project in; its dialogues are there already. Raises sqlite3.IntegrityError where a part is here."""
    for one in dump.table:
        connection.execute(
            "INSERT INTO annotation_probe (id, project_id, language, topic, p, q, a, version, writers, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                one.id, project_id, one.language, one.topic, one.p, one.q, one.a, one.version, json.dumps([person(w) for w in one.writers]),
                one.created_at,
            ),
        )  # fmt: skip
        connection.executemany(
            "INSERT INTO annotation_probe_review (probe_id, version, reviewer, verdict, note, at) VALUES (?, ?, ?, ?, ?, ?)",
            [(one.id, r.version, person(r.reviewer), r.verdict, r.note, r.at) for r in one.reviews],
        )
    items = {
        row["number"]: row["id"] for row in connection.execute("SELECT id, number FROM annotation_item WHERE project_id = ?", (project_id,))
    }
    for each in dump.regular:
        _write_regular(connection, items[each.dialogue], each.probe, person)
    for each_run in dump.runs:
        _write_run(connection, each_run, person)


def _write_regular(connection: sqlite3.Connection, item_id: str, one: Regular, person: Naming) -> None:
    author = person(one.author)
    connection.execute(
        """INSERT INTO annotation_regular (id, item_id, gold, user_id, author, language, line, options, note, seed, version, created_at, updated_at, submitted_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        (
            one.id, item_id, one.gold, None if one.stands else author, author, one.language, one.line, json.dumps(list(one.options), ensure_ascii=False),
            one.note, one.seed, one.version, one.created_at, one.updated_at, one.submitted_at,
        ),
    )  # fmt: skip
    connection.executemany(
        """INSERT INTO annotation_regular_review (regular_id, version, reviewer, settles, choice, answered_at, verdict, reason, note, proposal, edited, decided_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        [
            (
                one.id, r.version, person(r.reviewer), int(r.settles), r.choice, r.answered_at, r.verdict or None, r.reason, r.note,
                _content(r.proposal), _content(r.edited), r.decided_at,
            )
            for r in one.reviews
        ],
    )  # fmt: skip


def _content(told: Mapping[str, object] | None) -> str:
    return json.dumps(dict(told), ensure_ascii=False, sort_keys=True) if told is not None else ""


def _write_run(connection: sqlite3.Connection, one: RunDump, person: Naming) -> None:
    run = one.run
    asked = [vars(q) for q in run.questions] if run.questions else [p.as_asked() for p in run.probes]
    connection.execute(
        """INSERT INTO annotation_run (id, item_id, settings, distances, probes, state, error, created_at, ended_at, kind, how)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        (
            run.id, run.item_id, json.dumps([vars(s) for s in run.settings], ensure_ascii=False), json.dumps(list(run.distances)),
            json.dumps(asked, ensure_ascii=False), run.state, run.error, run.created_at, run.ended_at, run.kind, json.dumps(dict(run.how), ensure_ascii=False),
        ),
    )  # fmt: skip
    write_results(connection, run.id, one.results, one.replies)
    write_choices(connection, run.id, one.choices)
    connection.executemany(
        "INSERT INTO annotation_reply_label (reply_id, user_id, score, at) VALUES (?, ?, ?, ?)",
        [(label.reply_id, person(label.by), label.score, label.at) for label in one.labels],
    )
