"""The universal probe table of a project, and probe runs with what they found. For admins; a run reads a dialogue of its project and nothing else."""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from storage.annotation_errors import ChangedMeanwhile, NotThere, RunGone
from storage.annotation_projects import note, turns_of
from storage.annotation_records import Member, Turn
from storage.annotation_sight import managing
from storage.database import Database
from storage.records import now_ms


@dataclass(frozen=True)
class Probe:
    """p: told; q: asked much later; a: the answer that shows it was remembered (MOOM App. H)."""

    id: str
    language: str
    topic: str
    p: str
    q: str
    a: str
    version: int = 0


@dataclass(frozen=True)
class Setting:
    """How memory is set for one part of a run. capacity_tokens: 0 for as many as the capacity comes to."""

    name: str
    capacity: int
    capacity_tokens: int
    k: int


@dataclass(frozen=True)
class Run:
    id: str
    item_id: str
    title: str
    settings: tuple[Setting, ...]
    distances: tuple[int, ...]
    probes: tuple[Probe, ...]
    """As they were when the run was asked for."""
    state: str
    error: str
    created_at: int


@dataclass(frozen=True)
class Result:
    setting: int
    distance: int
    probe: str
    told_round: int
    rank: int | None
    candidates: int
    near: float | None


_RUN = "SELECT r.*, i.title, i.project_id FROM annotation_run r JOIN annotation_item i ON i.id = r.item_id"


class AnnotationProbes:
    def __init__(self, database: Database) -> None:
        self._db = database

    # The table

    def probes(self, member: Member, project_id: str) -> list[Probe]:
        managing(member)
        rows = self._db.read().execute(
            "SELECT * FROM annotation_probe WHERE project_id = ? ORDER BY language, created_at, rowid", (project_id,)
        )
        return [Probe(r["id"], r["language"], r["topic"], r["p"], r["q"], r["a"], r["version"]) for r in rows]

    def keep(self, member: Member, project_id: str, probes: Sequence[Probe]) -> None:
        """Add those of version 0, change those that still have their version. Raises ChangedMeanwhile, NotThere."""
        managing(member)
        with self._db.write() as connection:
            if connection.execute("SELECT 1 FROM annotation_project WHERE id = ?", (project_id,)).fetchone() is None:
                raise NotThere("This project is not there.")
            for one in probes:
                if one.version == 0:
                    connection.execute(
                        "INSERT OR IGNORE INTO annotation_probe (id, project_id, language, topic, p, q, a, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                        (one.id, project_id, one.language, one.topic, one.p, one.q, one.a, now_ms()),
                    )
                elif not connection.execute(
                    """UPDATE annotation_probe SET language = ?, topic = ?, p = ?, q = ?, a = ?, version = version + 1
                    WHERE id = ? AND project_id = ? AND version = ?""",
                    (one.language, one.topic, one.p, one.q, one.a, one.id, project_id, one.version),
                ).rowcount:
                    raise ChangedMeanwhile("Another tab changed this. Nothing was done here.")
            note(connection, member, project_id=project_id, action="probes_kept", subject=str(len(probes)))

    def remove(self, member: Member, project_id: str, probe_id: str) -> None:
        managing(member)
        with self._db.write() as connection:
            connection.execute("DELETE FROM annotation_probe WHERE id = ? AND project_id = ?", (probe_id, project_id))
            note(connection, member, project_id=project_id, action="probe_removed", subject=probe_id)

    # Runs

    def begin(
        self, member: Member, project_id: str, item_id: str, settings: Sequence[Setting], distances: Sequence[int], probes: Sequence[Probe]
    ) -> str:
        managing(member)
        made = secrets.token_hex(16)
        with self._db.write() as connection:
            if (
                connection.execute("SELECT 1 FROM annotation_item WHERE id = ? AND project_id = ?", (item_id, project_id)).fetchone()
                is None
            ):
                raise NotThere("This dialogue is not there. It may have been withdrawn.")
            values = [json.dumps([vars(one) for one in part], ensure_ascii=False) for part in (settings, probes)]
            connection.execute(
                "INSERT INTO annotation_run (id, item_id, settings, distances, probes, state, created_at) VALUES (?, ?, ?, ?, ?, 'waiting', ?)",
                (made, item_id, values[0], json.dumps(list(distances)), values[1], now_ms()),
            )
            note(connection, member, project_id=project_id, item_id=item_id, action="probe_run", subject=made)
        return made

    def runs(self, member: Member, project_id: str) -> list[Run]:
        """Newest first."""
        managing(member)
        rows = self._db.read().execute(f"{_RUN} WHERE i.project_id = ? ORDER BY r.created_at DESC, r.id", (project_id,))
        return [_run(row) for row in rows]

    def run(self, run_id: str) -> Run:
        """For the thread that does it. Raises RunGone where its dialogue was taken out."""
        row = self._db.read().execute(f"{_RUN} WHERE r.id = ?", (run_id,)).fetchone()
        if row is None:
            raise RunGone("This run is not there any more.")
        return _run(row)

    def wish(self, member: Member, run_id: str, state: str) -> None:
        """Stop a run, or have it go on: `stopped` or `waiting`. What is done stays done."""
        managing(member)
        before = ("waiting", "running") if state == "stopped" else ("stopped", "failed")
        with self._db.write() as connection:
            connection.execute(
                f"UPDATE annotation_run SET state = ?, error = '' WHERE id = ? AND state IN ({','.join('?' * len(before))})",
                (state, run_id, *before),
            )

    def next_waiting(self) -> str:
        """The oldest run that waits, which runs from now on; empty if none does."""
        with self._db.write() as connection:
            row = connection.execute("SELECT id FROM annotation_run WHERE state = 'waiting' ORDER BY created_at, id LIMIT 1").fetchone()
            if row is None:
                return ""
            connection.execute("UPDATE annotation_run SET state = 'running' WHERE id = ?", (row["id"],))
            return str(row["id"])

    def ended(self, run_id: str, state: str, *, error: str = "") -> None:
        """Unless somebody stopped it meanwhile."""
        with self._db.write() as connection:
            connection.execute(
                "UPDATE annotation_run SET state = ?, error = ?, ended_at = ? WHERE id = ? AND state = 'running'",
                (state, error, now_ms(), run_id),
            )

    def left_running(self) -> None:
        """What ran when the program ended goes on when somebody asks for it."""
        with self._db.write() as connection:
            connection.execute("UPDATE annotation_run SET state = 'stopped' WHERE state = 'running'")

    def turns(self, item_id: str) -> list[Turn]:
        """The dialogue of a run, for the thread that does it."""
        return turns_of(self._db.read(), item_id)

    def found(self, run_id: str, results: Sequence[Result]) -> None:
        with self._db.write() as connection:
            if connection.execute("SELECT 1 FROM annotation_run WHERE id = ?", (run_id,)).fetchone() is None:
                raise RunGone("This run is not there any more.")
            connection.executemany(
                """INSERT OR REPLACE INTO annotation_result (run_id, setting, distance, probe, told_round, rank, candidates, near)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)""",
                [(run_id, r.setting, r.distance, r.probe, r.told_round, r.rank, r.candidates, r.near) for r in results],
            )

    def results(self, run_id: str) -> list[Result]:
        rows = self._db.read().execute("SELECT * FROM annotation_result WHERE run_id = ? ORDER BY setting, distance, probe", (run_id,))
        return [Result(r["setting"], r["distance"], r["probe"], r["told_round"], r["rank"], r["candidates"], r["near"]) for r in rows]


def _run(row: sqlite3.Row) -> Run:
    return Run(
        id=row["id"],
        item_id=row["item_id"],
        title=row["title"],
        settings=tuple(Setting(**one) for one in json.loads(row["settings"])),
        distances=tuple(json.loads(row["distances"])),
        probes=tuple(Probe(**one) for one in json.loads(row["probes"])),
        state=row["state"],
        error=row["error"],
        created_at=row["created_at"],
    )
