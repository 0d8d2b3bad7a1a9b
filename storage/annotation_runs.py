"""Probe runs with what they found: of the universal table, and of regular probes. A run reads a dialogue of its project and nothing else."""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections.abc import Mapping, Sequence

from storage.annotation_errors import NotThere, RunGone
from storage.annotation_probes import Probe
from storage.annotation_projects import note, turns_of
from storage.annotation_records import Member, Turn
from storage.annotation_run_rows import (
    REGULAR,
    UNIVERSAL,
    Choice,
    Label,
    Question,
    Reply,
    Result,
    Run,
    Setting,
    choices_of,
    labels_of,
    replies_of,
    results_of,
    run_of,
    write_choices,
    write_results,
)
from storage.annotation_sight import managing, reviewing, seen_project, seen_run
from storage.database import Database
from storage.records import now_ms

_RUN = "SELECT r.*, i.title, i.project_id FROM annotation_run r JOIN annotation_item i ON i.id = r.item_id"


class AnnotationRuns:
    def __init__(self, database: Database) -> None:
        self._db = database

    def begin(
        self,
        member: Member,
        project_id: str,
        item_id: str,
        settings: Sequence[Setting],
        *,
        distances: Sequence[int] = (),
        probes: Sequence[Probe] = (),
        questions: Sequence[Question] = (),
        how: Mapping[str, str],
    ) -> str:
        """A run of the items of the table at some distances, or of regular probes. For admins. Returns its id."""
        managing(member)
        made, kind = secrets.token_hex(16), REGULAR if questions else UNIVERSAL
        asked = [vars(one) for one in questions] if questions else [one.as_asked() for one in probes]
        with self._db.write() as connection:
            seen_project(connection, member, project_id)
            if (
                connection.execute("SELECT 1 FROM annotation_item WHERE id = ? AND project_id = ?", (item_id, project_id)).fetchone()
                is None
            ):
                raise NotThere("This dialogue is not there. It may have been withdrawn.")
            connection.execute(
                """INSERT INTO annotation_run (id, item_id, settings, distances, probes, state, created_at, kind, how)
                VALUES (?, ?, ?, ?, ?, 'waiting', ?, ?, ?)""",
                (
                    made, item_id, json.dumps([vars(one) for one in settings], ensure_ascii=False), json.dumps(list(distances)),
                    json.dumps(asked, ensure_ascii=False), now_ms(), kind, json.dumps(dict(how), ensure_ascii=False),
                ),
            )  # fmt: skip
            note(connection, member, project_id=project_id, item_id=item_id, action=f"{kind}_run", subject=made)
        return made

    def runs(self, member: Member, project_id: str) -> list[Run]:
        """Newest first. For reviewers and admins."""
        reviewing(member)
        seen_project(self._db.read(), member, project_id)
        rows = self._db.read().execute(f"{_RUN} WHERE i.project_id = ? ORDER BY r.created_at DESC, r.rowid DESC", (project_id,))
        return [run_of(row) for row in rows]

    def run(self, run_id: str) -> Run:
        """For the thread that does it. Raises RunGone where its dialogue was taken out."""
        row = self._db.read().execute(f"{_RUN} WHERE r.id = ?", (run_id,)).fetchone()
        if row is None:
            raise RunGone("This run is not there any more.")
        return run_of(row)

    def wish(self, member: Member, run_id: str, state: str) -> None:
        """Stop a run, or have it go on: `stopped` or `waiting`. What is done stays done."""
        managing(member)
        before = ("waiting", "running") if state == "stopped" else ("stopped", "failed")
        with self._db.write() as connection:
            seen_run(connection, member, run_id)
            changed = connection.execute(
                f"UPDATE annotation_run SET state = ?, error = '' WHERE id = ? AND state IN ({','.join('?' * len(before))})",
                (state, run_id, *before),
            ).rowcount
            if changed:
                item_id, project_id = connection.execute(
                    "SELECT i.id, i.project_id FROM annotation_item i JOIN annotation_run r ON r.item_id = i.id WHERE r.id = ?", (run_id,)
                ).fetchone()
                action = "run_stopped" if state == "stopped" else "run_gone_on"
                note(connection, member, project_id=project_id, item_id=item_id, action=action, subject=run_id)

    def next_waiting(self) -> str:
        """The oldest run that waits, which runs from now on; empty if none does."""
        with self._db.write() as connection:
            row = connection.execute("SELECT id FROM annotation_run WHERE state = 'waiting' ORDER BY created_at, rowid LIMIT 1").fetchone()
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

    # What was found

    def found(self, run_id: str, results: Sequence[Result], replies: Sequence[Reply] = ()) -> None:
        with self._db.write() as connection:
            _there(connection, run_id)
            write_results(connection, run_id, results, replies)

    def chosen(self, run_id: str, choices: Sequence[Choice]) -> None:
        with self._db.write() as connection:
            _there(connection, run_id)
            write_choices(connection, run_id, choices)

    def results(self, run_id: str) -> list[Result]:
        return results_of(self._db.read(), run_id)

    def choices(self, run_id: str) -> list[Choice]:
        return choices_of(self._db.read(), run_id)

    def replies(self, run_id: str) -> list[Reply]:
        return replies_of(self._db.read(), run_id)

    def labels(self, run_id: str) -> list[Label]:
        return labels_of(self._db.read(), run_id)

    # People's own labels

    def unlabelled(self, member: Member, run_id: str) -> tuple[Reply | None, int]:
        """A judged reply of a run that this person has not labelled, in an order of the run's own, and how many they have. What the judge gave is not in it."""
        reviewing(member)
        with self._db.snapshot() as connection:
            seen_run(connection, member, run_id)
            mine = {one.reply_id for one in labels_of(connection, run_id) if one.by == member.user_id}
            rest = [one for one in replies_of(connection, run_id) if one.id not in mine and one.score is not None]
        first = min(rest, key=lambda one: one.id, default=None)
        bare = Reply(first.id, first.setting, first.distance, first.probe, first.reply, None, "", "") if first is not None else None
        return bare, len(mine)

    def label(self, member: Member, reply_id: str, score: int) -> str:
        """Returns the run's id. A second label of the same person takes the first one's place. Raises NotThere."""
        reviewing(member)
        with self._db.write() as connection:
            row = connection.execute(
                """SELECT p.run_id, r.item_id, i.project_id FROM annotation_reply p JOIN annotation_run r ON r.id = p.run_id
                JOIN annotation_item i ON i.id = r.item_id WHERE p.id = ?""",
                (reply_id,),
            ).fetchone()
            if row is None:
                raise NotThere("This reply is not there any more.")
            seen_project(connection, member, row["project_id"])
            connection.execute(
                "INSERT OR REPLACE INTO annotation_reply_label (reply_id, user_id, score, at) VALUES (?, ?, ?, ?)",
                (reply_id, member.user_id, score, now_ms()),
            )
            note(
                connection, member, project_id=row["project_id"], item_id=row["item_id"], action="reply_labelled", subject=reply_id,
                after=str(score),
            )  # fmt: skip
        return str(row["run_id"])


def _there(connection: sqlite3.Connection, run_id: str) -> None:
    if connection.execute("SELECT 1 FROM annotation_run WHERE id = ?", (run_id,)).fetchone() is None:
        raise RunGone("This run is not there any more.")
