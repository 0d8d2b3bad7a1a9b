"""The outbox as a person looks at it: what is not done, of which rounds, and how far it has come."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from storage.database import Database
from storage.records import from_ms, now_ms
from storage.scope import Scope

LISTED = 200


@dataclass(frozen=True)
class OpenTask:
    id: int
    kind: str
    state: str
    """`queued`, `leased` or `failed`."""
    first_round: int
    last_round: int
    """0: from the first on."""
    attempts: int
    error: str
    waiting_until: datetime | None
    """While it pauses after a failed attempt."""


@dataclass(frozen=True)
class Progress:
    waiting: int
    running: int
    failed: int
    done: int
    """Since the queue was last empty; 0 while it is."""

    @property
    def total(self) -> int:
        return self.done + self.waiting + self.running


class TaskList:
    """Reads alone; a task of another user or chat is not there. Payloads hold ids and numbers, no text."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def counts(self, *, of: Collection[str]) -> dict[tuple[str, str], int]:
        """How many tasks the whole house has in some states, by kind and state: a sum over all users that names none."""
        marks = ",".join("?" * len(of))
        rows = self._db.read().execute(f"SELECT kind, state, count(*) AS n FROM task WHERE state IN ({marks}) GROUP BY kind, state", (*of,))
        return {(row["kind"], row["state"]): row["n"] for row in rows}

    def open(self, scope: Scope, *, limit: int = LISTED) -> list[OpenTask]:
        """The chat's tasks that wait, are being done or have failed, newest first."""
        with self._db.snapshot() as connection:
            rows = connection.execute(
                """SELECT * FROM task WHERE chat_id = ? AND user_id = ? AND state IN ('queued', 'leased', 'failed') ORDER BY id DESC LIMIT ?""",
                (scope.chat_id, scope.user_id, limit),
            ).fetchall()
            payloads = {row["id"]: json.loads(row["payload"]) for row in rows}
            said = _rounds(connection, "SELECT id, round, round FROM message", scope, _named(payloads.values(), "message_ids"))
            kept = _rounds(connection, "SELECT id, round_first, round_last FROM memory", scope, _named(payloads.values(), "memory_ids"))
        now = now_ms()
        tasks = []
        for row in rows:
            first, last = _span(payloads[row["id"]], said | kept)
            pausing = row["state"] == "queued" and row["not_before"] > now
            waiting_until = from_ms(row["not_before"]) if pausing else None
            tasks.append(OpenTask(row["id"], row["kind"], row["state"], first, last, row["attempts"], row["error"], waiting_until))
        return tasks

    def progress(self, scope: Scope) -> Progress:
        with self._db.snapshot() as connection:
            counts = {
                row["state"]: row
                for row in connection.execute(
                    """SELECT state, count(*) AS n, min(created_at) AS since FROM task
                    WHERE chat_id = ? AND user_id = ? AND state IN ('queued', 'leased', 'failed') GROUP BY state""",
                    (scope.chat_id, scope.user_id),
                )
            }
            since = min((row["since"] for state, row in counts.items() if state != "failed"), default=None)
            done = _done_since(connection, scope, since) if since is not None else 0
        waiting, running, failed = (counts[state]["n"] if state in counts else 0 for state in ("queued", "leased", "failed"))
        return Progress(waiting, running, failed, done)


def _done_since(connection: sqlite3.Connection, scope: Scope, since: int) -> int:
    """How many tasks were done since no task was open: one that ended after the oldest open one came was open beside it, and so on back."""
    done = 0
    for row in connection.execute(
        "SELECT created_at, finished_at FROM task WHERE chat_id = ? AND user_id = ? AND state = 'done' ORDER BY finished_at DESC, id DESC",
        (scope.chat_id, scope.user_id),
    ):
        if row["finished_at"] < since:
            break
        since = min(since, row["created_at"])
        done += 1
    return done


def _named(payloads: Iterable[Mapping[str, object]], name: str) -> list[str]:
    found: list[str] = []
    for payload in payloads:
        ids = payload.get(name)
        found += [str(i) for i in ids] if isinstance(ids, list) else []
    return found


def _rounds(connection: sqlite3.Connection, select: str, scope: Scope, ids: list[str]) -> dict[str, tuple[int, int]]:
    rows = connection.execute(f"{select} WHERE chat_id = ? AND id IN (SELECT value FROM json_each(?))", (scope.chat_id, json.dumps(ids)))
    return {row[0]: (row[1], row[2]) for row in rows}


def _span(payload: Mapping[str, object], rounds: Mapping[str, tuple[int, int]]) -> tuple[int, int]:
    """The rounds a task works on: of its messages or memories, or as its payload says."""
    named = [rounds[i] for i in _named([payload], "message_ids") + _named([payload], "memory_ids") if i in rounds]
    if named:
        return min(first for first, _ in named), max(last for _, last in named)
    first, last = payload.get("first_round"), payload.get("last_round")
    if isinstance(last, int):
        return (first if isinstance(first, int) else last), last
    return (first if isinstance(first, int) else 0), 0
