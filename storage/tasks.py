"""The outbox: memory work that a turn caused, written in the turn's transaction, done later, never lost and never done twice.

A task is queued, leased (with an end, so a killed worker's task comes back), done, or failed after its last attempt. Failed is shown and can be
re-run; it is never taken for "nothing to remember".
"""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass, replace

from storage.database import Database
from storage.records import NewTask, Task, now_ms
from storage.scope import Scope

LEASE_MS = 600_000
"""Longest a task may run before another worker may take it; the slowest (a model call on a large unit) takes about two minutes."""
MAX_ATTEMPTS = 5
MAX_CRASHES = 20
BACKOFF_MS = (1_000, 5_000, 30_000, 120_000)
"""Pause after the first, second, ... failed attempt."""


@dataclass(frozen=True)
class Queue:
    waiting: int
    failed: int
    last_error: str


def enqueue(connection: sqlite3.Connection, *, user_id: str, chat_id: str, task: NewTask) -> None:
    """Add a task inside the caller's transaction; one with the same key changes nothing."""
    connection.execute(
        """INSERT INTO task (key, kind, user_id, chat_id, branch_id, payload, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (key) DO NOTHING""",
        (task.key(chat_id), task.kind, user_id, chat_id, task.branch_id, json.dumps(dict(task.payload), ensure_ascii=False), now_ms()),
    )


class Tasks:
    def __init__(self, database: Database) -> None:
        self._db = database

    def add(self, scope: Scope, task: NewTask) -> None:
        """Enqueue for the scope's one chat, joining the caller's transaction if there is one."""
        with self._db.write() as connection:
            enqueue(connection, user_id=scope.user_id, chat_id=scope.chat_id, task=task)

    def join(self, scope: Scope, task: NewTask, *, least: str) -> None:
        """Enqueue in the place of waiting tasks of the same kind and branch; of the payload's number `least` the smallest stays."""
        with self._db.write() as connection:
            waiting = connection.execute(
                "SELECT id, payload FROM task WHERE chat_id = ? AND branch_id = ? AND kind = ? AND state = 'queued' AND attempts = 0",
                (scope.chat_id, task.branch_id, task.kind),
            ).fetchall()
            numbers = [json.loads(row["payload"])[least] for row in waiting] + [task.payload[least]]
            connection.executemany("DELETE FROM task WHERE id = ?", [(row["id"],) for row in waiting])
            joined = replace(task, payload={**task.payload, least: min(numbers)})
            enqueue(connection, user_id=scope.user_id, chat_id=scope.chat_id, task=joined)

    def lease(self) -> Task | None:
        """Take the oldest task that is due, or None.

        Tasks of one chat run in order: a chat whose oldest open task is leased or waiting for a retry is passed over, other chats go on; a failed task
        blocks nothing.
        """
        now = now_ms()
        due = self._db.read().execute(_NEXT, {"now": now}).fetchone()
        if due is None:
            return None
        with self._db.write() as connection:
            row = connection.execute(_NEXT, {"now": now}).fetchone()
            if row is None:
                return None
            connection.execute(
                "UPDATE task SET state = 'leased', leased_until = ?, attempts = attempts + 1 WHERE id = ?", (now + LEASE_MS, row["id"])
            )
        return Task(
            id=row["id"],
            key=row["key"],
            kind=row["kind"],
            user_id=row["user_id"],
            chat_id=row["chat_id"],
            branch_id=row["branch_id"],
            payload=json.loads(row["payload"]),
            attempts=row["attempts"] + 1,
        )

    def finish(self, task: Task) -> None:
        with self._db.write() as connection:
            connection.execute("UPDATE task SET state = 'done', error = '', finished_at = ? WHERE id = ?", (now_ms(), task.id))
            self._changed(connection, task.chat_id)

    def fail(self, task: Task, error: str) -> None:
        """Put a task back for a later attempt, or mark it failed after the last one."""
        last = task.attempts >= MAX_ATTEMPTS
        pause = BACKOFF_MS[min(task.attempts, len(BACKOFF_MS)) - 1]
        with self._db.write() as connection:
            connection.execute(
                "UPDATE task SET state = ?, error = ?, not_before = ?, finished_at = ? WHERE id = ?",
                ("failed" if last else "queued", error[:500], now_ms() + pause, now_ms() if last else None, task.id),
            )
            self._changed(connection, task.chat_id)

    def release_all(self) -> int:
        """Give every leased task back, when the folder's owner starts: whoever held them is gone.

        A task that was cut off MAX_CRASHES times is suspected of killing the process itself and marked failed instead.
        """
        with self._db.write() as connection:
            return connection.execute(
                """UPDATE task SET leased_until = 0, state = CASE WHEN attempts >= ? THEN 'failed' ELSE 'queued' END,
                    error = CASE WHEN attempts >= ? THEN 'interrupted again and again' ELSE error END
                WHERE state = 'leased'""",
                (MAX_CRASHES, MAX_CRASHES),
            ).rowcount

    def retry_failed(self, scope: Scope) -> int:
        """Queue the scope's failed tasks again; how many."""
        with self._db.write() as connection:
            count = 0
            for chat_id in scope.chat_ids:
                count += connection.execute(
                    "UPDATE task SET state = 'queued', attempts = 0, not_before = 0, error = '' WHERE state = 'failed' AND chat_id = ? AND user_id = ?",
                    (chat_id, scope.user_id),
                ).rowcount
                self._changed(connection, chat_id)
            return count

    def queue(self, scope: Scope) -> Queue:
        marks = ",".join("?" * len(scope.chat_ids))
        rows = self._db.read().execute(
            f"""SELECT state, count(*) AS n, max(error) AS error FROM task
            WHERE user_id = ? AND chat_id IN ({marks}) AND state IN ('queued', 'leased', 'failed') GROUP BY state""",
            (scope.user_id, *scope.chat_ids),
        )
        by_state = {row["state"]: row for row in rows}
        failed = by_state.get("failed")
        return Queue(
            waiting=sum(row["n"] for state, row in by_state.items() if state != "failed"),
            failed=failed["n"] if failed else 0,
            last_error=failed["error"] if failed else "",
        )

    @staticmethod
    def _changed(connection: sqlite3.Connection, chat_id: str) -> None:
        connection.execute("UPDATE chat SET version = version + 1 WHERE id = ?", (chat_id,))


_NEXT = """
    SELECT t.* FROM task t
    WHERE ((t.state = 'queued' AND t.not_before <= :now) OR (t.state = 'leased' AND t.leased_until < :now))
        AND EXISTS (SELECT 1 FROM chat c WHERE c.id = t.chat_id AND c.deleted_at IS NULL)
        AND NOT EXISTS (
            SELECT 1 FROM task o WHERE o.chat_id = t.chat_id AND o.state IN ('queued', 'leased') AND o.id < t.id
        )
    ORDER BY t.id LIMIT 1"""
