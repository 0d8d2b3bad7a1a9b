"""Records of probe runs, and their rows."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from storage.annotation_probes import Probe

UNIVERSAL, REGULAR = "universal", "regular"
NO_MEMORY = -1
"""In place of a setting: chosen without any memory, from what is asked alone."""
WHOLE = 0
"""In place of a distance: after the whole dialogue."""
FIRST = "first"
"""Among what a run keeps of how it is done: the round from which on items are told, where it is not the first."""
EMBEDDER = "embedder"
"""Among the same: the fingerprint of what finds. Older runs do not say."""
TOO_SHORT = "too_short"
"""In place of a choice: the dialogue ends before so many rounds lie behind the point. It counts for nothing."""


@dataclass(frozen=True)
class Setting:
    """How memory is set for one part of a run; what older records do not have is as the program comes (`annotation.probe_settings` says what each may be).

    name: somebody's own, or empty; capacity_tokens: 0 for as many as the capacity comes to; alpha to factor: of what is forgotten by; reading: `grounded`, `llm`, or
    empty for what reads in the house.
    """

    name: str
    capacity: int
    capacity_tokens: int
    k: int
    forgetting: str = "keepsake"
    alpha: float = 0.1
    beta: float = 0.9
    gamma: float = 1.0
    factor: float = 0.5
    recipe: str = "fused"
    insights: str = "on"
    story: str = "paper"
    reading: str = ""


@dataclass(frozen=True)
class Question:
    """A regular probe as it is asked. options: the right one first; seed: of the order they are shown in; turns: the messages its point is told in."""

    id: str
    language: str
    line: str
    options: tuple[str, ...]
    seed: int
    turns: tuple[int, ...]


@dataclass(frozen=True)
class Run:
    id: str
    item_id: str
    title: str
    settings: tuple[Setting, ...]
    distances: tuple[int, ...]
    """Of regular probes from the round that their point was told in last; WHOLE among them where they are asked after the whole dialogue too."""
    probes: tuple[Probe, ...]
    """As they were when the run was asked for."""
    state: str
    error: str
    created_at: int
    kind: str = UNIVERSAL
    questions: tuple[Question, ...] = ()
    """Of a run of regular probes, in place of `probes`."""
    how: Mapping[str, str] = field(default_factory=dict)
    """Names of what reads, answers, replies, judges and finds (EMBEDDER, and a cross-encoder), empty where nothing does; and FIRST."""

    @property
    def first(self) -> int:
        """The round from which on items of the table are told."""
        told = self.how.get(FIRST, "")
        return max(1, int(told)) if told.isascii() and told.isdigit() else 1

    ended_at: int | None = None


@dataclass(frozen=True)
class Result:
    setting: int
    distance: int
    probe: str
    told_round: int
    rank: int | None
    candidates: int
    near: float | None


@dataclass(frozen=True)
class Choice:
    """What was chosen of a regular probe. setting: or NO_MEMORY; distance: in rounds, or WHOLE; chosen: a place among the kept options, 0 the right one; trouble: why
    there is none. rank: of the first memory that rests on what the point is told in."""

    setting: int
    distance: int
    probe: str
    chosen: int | None
    trouble: str
    rank: int | None
    candidates: int


@dataclass(frozen=True)
class Reply:
    """The character's reply to a universal probe's question. score: how near the answer the judge found it, 0 to 5; None with `trouble`, why it is not judged."""

    id: str
    setting: int
    distance: int
    probe: str
    reply: str
    score: int | None
    why: str
    trouble: str


@dataclass(frozen=True)
class Label:
    """What a person gave to a reply."""

    reply_id: str
    by: str
    score: int
    at: int


def write_results(connection: sqlite3.Connection, run_id: str, results: Sequence[Result], replies: Sequence[Reply]) -> None:
    connection.executemany(
        """INSERT OR REPLACE INTO annotation_result (run_id, setting, distance, probe, told_round, rank, candidates, near)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)""",
        [(run_id, r.setting, r.distance, r.probe, r.told_round, r.rank, r.candidates, r.near) for r in results],
    )
    connection.executemany(
        """INSERT OR REPLACE INTO annotation_reply (id, run_id, setting, distance, probe, reply, score, why, trouble)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        [(r.id, run_id, r.setting, r.distance, r.probe, r.reply, r.score, r.why, r.trouble) for r in replies],
    )


def write_choices(connection: sqlite3.Connection, run_id: str, choices: Sequence[Choice]) -> None:
    connection.executemany(
        """INSERT OR REPLACE INTO annotation_choice (run_id, setting, distance, probe, chosen, trouble, rank, candidates)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)""",
        [(run_id, c.setting, c.distance, c.probe, c.chosen, c.trouble, c.rank, c.candidates) for c in choices],
    )


def results_of(connection: sqlite3.Connection, run_id: str) -> list[Result]:
    rows = connection.execute("SELECT * FROM annotation_result WHERE run_id = ? ORDER BY setting, distance, probe", (run_id,))
    return [Result(r["setting"], r["distance"], r["probe"], r["told_round"], r["rank"], r["candidates"], r["near"]) for r in rows]


def choices_of(connection: sqlite3.Connection, run_id: str) -> list[Choice]:
    rows = connection.execute("SELECT * FROM annotation_choice WHERE run_id = ? ORDER BY setting, distance, probe", (run_id,))
    return [Choice(r["setting"], r["distance"], r["probe"], r["chosen"], r["trouble"], r["rank"], r["candidates"]) for r in rows]


def replies_of(connection: sqlite3.Connection, run_id: str) -> list[Reply]:
    rows = connection.execute("SELECT * FROM annotation_reply WHERE run_id = ? ORDER BY setting, distance, probe", (run_id,))
    return [Reply(**{name: row[name] for name in Reply.__dataclass_fields__}) for row in rows]


def labels_of(connection: sqlite3.Connection, run_id: str) -> list[Label]:
    rows = connection.execute(
        """SELECT l.* FROM annotation_reply_label l JOIN annotation_reply p ON p.id = l.reply_id WHERE p.run_id = ? ORDER BY l.at, l.rowid""",
        (run_id,),
    )
    return [Label(r["reply_id"], r["user_id"], r["score"], r["at"]) for r in rows]


def run_of(row: sqlite3.Row) -> Run:
    asked = json.loads(row["probes"])
    regular = row["kind"] == REGULAR
    return Run(
        id=row["id"],
        item_id=row["item_id"],
        title=row["title"],
        settings=tuple(Setting(**one) for one in json.loads(row["settings"])),
        distances=tuple(json.loads(row["distances"])),
        probes=() if regular else tuple(Probe(**one) for one in asked),
        state=row["state"],
        error=row["error"],
        created_at=row["created_at"],
        kind=row["kind"],
        questions=tuple(Question(**{**one, "options": tuple(one["options"]), "turns": tuple(one["turns"])}) for one in asked)
        if regular
        else (),
        how=json.loads(row["how"]),
        ended_at=row["ended_at"],
    )
