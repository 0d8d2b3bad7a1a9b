"""The outbox: memory work that a turn caused, written in the turn's transaction, done later, never lost and never done twice.

A task is queued, leased (with an end, so a killed worker's task comes back), done, or failed after its last attempt. Failed is shown and can be
re-run; it is never taken for "nothing to remember".
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, replace

from storage.database import Database
from storage.records import OFF, NewTask, Rank, Task, now_ms
from storage.scope import Scope

LEASE_MS = 600_000
"""After so long without a step (`renew`) another worker may take a task; the slowest step (a model call on a large unit) takes about two minutes."""
MAX_ATTEMPTS = 5
MAX_CRASHES = 20
CRASH_PAUSE_MS = (0, 0, 1_000, 5_000, 30_000)
"""Pause after the first, second, ... time that the process ended in the middle of a task: one that ends it itself lets other chats get on in between."""
ASIDE = ("read", "tell", "insight")
"""Kinds that take long, for a language model may be silent for minutes and a character's cues are hundreds of texts to embed: they come after what was there
before them and hold back nothing that comes after. One is done at a time, so that none can keep every thread of the worker busy."""
EVEN_OFF = ("index",)
"""Kinds that are done while a chat remembers nothing: they bring the index in step with what a person decided. All others wait until it does again, so it
catches up by the very work that it would have done."""
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
        """INSERT INTO task (key, kind, user_id, chat_id, branch_id, payload, created_at, rank) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (key) DO NOTHING""",
        (
            task.key(chat_id),
            task.kind,
            user_id,
            chat_id,
            task.branch_id,
            json.dumps(dict(task.payload), ensure_ascii=False),
            now_ms(),
            task.rank,
        ),
    )


class RoundRobin:
    """Whose turn it is: whoever was served longest ago. Not safe from several threads by itself."""

    MOST = 4096
    """Of so many it is known when they were served; whoever was served before them all counts as never served."""

    def __init__(self) -> None:
        self._last: dict[str, int] = {}
        self._count = 0

    def order(self, waiting: Iterable[str]) -> list[str]:
        """Who waits, each once, whose turn comes first; of those never served in the order given."""
        return sorted(dict.fromkeys(waiting), key=lambda one: self._last.get(one, 0))

    def first(self, waiting: Iterable[str]) -> str:
        """Whose turn it is, of at least one."""
        return self.order(waiting)[0]

    def served(self, one: str) -> None:
        self._count += 1
        self._last.pop(one, None)
        self._last[one] = self._count
        if len(self._last) > self.MOST:
            del self._last[next(iter(self._last))]


class Tasks:
    def __init__(self, database: Database) -> None:
        self._db = database
        self._turns = {rank: RoundRobin() for rank in Rank}

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

    def waits(self, scope: Scope, task: NewTask) -> bool:
        """Whether the same work, whatever its key, waits to be begun."""
        rows = self._db.read().execute(
            "SELECT payload FROM task WHERE chat_id = ? AND branch_id = ? AND kind = ? AND state = 'queued' AND attempts = 0",
            (scope.chat_id, task.branch_id, task.kind),
        )
        return any(json.loads(row["payload"]) == dict(task.payload) for row in rows)

    def lease(self, *, up_to: Rank = Rank.IMPORT) -> Task | None:
        """Take the task whose turn it is of those that are due, or None. up_to: nothing that may wait longer than that.

        What is live comes first, then what is long, then imports. Of each, users take turns: whoever was served longest ago is next, with their oldest task that
        is due. Tasks of one chat run in order: a chat whose oldest open task is leased or waiting for a retry is passed over, other chats go on; a failed task
        blocks nothing, nor does one of the kinds ASIDE. What is live and waits for something long of its own chat lends it its rank, but not to an import.
        """
        while (found := self._due(self._db.read(), up_to)) is not None:
            rank, user_id = found
            with self._db.write() as connection:
                now = now_ms()
                row = self._next(connection, rank, user_id, now)
                if row is None:
                    continue  # it was cancelled or put off meanwhile
                connection.execute(
                    "UPDATE task SET state = 'leased', leased_until = ?, attempts = attempts + 1 WHERE id = ?", (now + LEASE_MS, row["id"])
                )
                self._turns[rank].served(user_id)
            return _task(row, attempts=row["attempts"] + 1)
        return None

    def _due(self, connection: sqlite3.Connection, up_to: Rank) -> tuple[Rank, str] | None:
        """Whose turn it is, and of what rank."""
        now = now_ms()
        for rank in Rank:
            if rank <= up_to:
                waiting = (row[0] for row in connection.execute(_WAITING, {"rank": rank}))
                for user_id in self._turns[rank].order(waiting):
                    if self._next(connection, rank, user_id, now) is not None:
                        return rank, user_id
        return None

    @staticmethod
    def _next(connection: sqlite3.Connection, rank: Rank, user_id: str, now: int) -> sqlite3.Row | None:
        asked = {"now": now, "rank": rank, "user": user_id, "lent": max(rank, Rank.LATER)}
        row: sqlite3.Row | None = connection.execute(_NEXT, asked).fetchone()
        return row

    def imports_waiting(self, user_id: str) -> int:
        """A user's tasks that wait to make the memory of what was imported, or are under way."""
        query = f"SELECT count(*) FROM task INDEXED BY task_by_rank WHERE {_OPEN} AND rank = ? AND user_id = ?"
        return int(self._db.read().execute(query, (Rank.IMPORT, user_id)).fetchone()[0])

    def following(self, task: Task, kind: str) -> Task | None:
        """The next waiting task of a kind in a task's chat, to look at: it is not taken."""
        query = "SELECT * FROM task WHERE chat_id = ? AND user_id = ? AND state = 'queued' AND id > ? AND kind = ? ORDER BY id LIMIT 1"
        row = self._db.read().execute(query, (task.chat_id, task.user_id, task.id, kind)).fetchone()
        return _task(row, attempts=row["attempts"]) if row is not None else None

    def renew(self, task: Task) -> bool:
        """Hold a task for another LEASE_MS; False if it is not this lease's any more."""
        with self._db.write() as connection:
            held = connection.execute(f"UPDATE task SET leased_until = ? WHERE {_HELD}", (now_ms() + LEASE_MS, task.id, task.attempts))
            return held.rowcount > 0

    def finish(self, task: Task) -> None:
        """Mark a task done; one that another worker was given meanwhile stays that worker's."""
        with self._db.write() as connection:
            connection.execute(
                f"UPDATE task SET state = 'done', error = '', finished_at = ? WHERE {_HELD}", (now_ms(), task.id, task.attempts)
            )
            self._changed(connection, task.chat_id)

    def give_back(self, task: Task) -> None:
        """Put a task back as if it had never been taken: the program ends."""
        with self._db.write() as connection:
            connection.execute(
                f"UPDATE task SET state = 'queued', leased_until = 0, attempts = attempts - 1 WHERE {_HELD}", (task.id, task.attempts)
            )

    def fail(self, task: Task, error: str, *, for_good: bool = False) -> None:
        """Put a task back for a later attempt, or mark it failed after the last one. for_good: this was the last."""
        last = for_good or task.attempts >= MAX_ATTEMPTS
        pause = BACKOFF_MS[min(task.attempts, len(BACKOFF_MS)) - 1]
        with self._db.write() as connection:
            connection.execute(
                f"UPDATE task SET state = ?, error = ?, not_before = ?, finished_at = ? WHERE {_HELD}",
                (
                    "failed" if last else "queued",
                    error[:500],
                    0 if last else now_ms() + pause,
                    now_ms() if last else None,
                    task.id,
                    task.attempts,
                ),
            )
            self._changed(connection, task.chat_id)

    def release_all(self) -> int:
        """Give every leased task back, when the folder's owner starts: whoever held them is gone.

        A task that was cut off MAX_CRASHES times is suspected of killing the process itself and marked failed instead.
        """
        with self._db.write() as connection:
            held = connection.execute("SELECT id, attempts FROM task INDEXED BY task_leased WHERE state = 'leased'").fetchall()
            for row in held:
                last = row["attempts"] >= MAX_CRASHES
                pause = CRASH_PAUSE_MS[min(row["attempts"], len(CRASH_PAUSE_MS)) - 1]
                connection.execute(
                    """UPDATE task SET leased_until = 0, state = :state, not_before = :not_before, finished_at = :finished,
                        error = CASE WHEN :state = 'failed' THEN 'interrupted again and again' ELSE error END WHERE id = :id""",
                    {
                        "state": "failed" if last else "queued",
                        "not_before": now_ms() + pause if pause else 0,
                        "finished": now_ms() if last else None,
                        "id": row["id"],
                    },
                )
            return len(held)

    def retry_failed(self, scope: Scope) -> int:
        """Queue the scope's failed tasks again; how many."""
        with self._db.write() as connection:
            count = 0
            for chat_id in scope.chat_ids:
                count += connection.execute(
                    f"{_AGAIN} WHERE state = 'failed' AND chat_id = ? AND user_id = ?", (chat_id, scope.user_id)
                ).rowcount
                self._changed(connection, chat_id)
            return count

    def retry(self, scope: Scope, task_id: int) -> bool:
        """Do a failed task again, or one that pauses after a failure now; False if it is neither."""
        return self._set(scope, task_id, f"{_AGAIN} WHERE (state = 'failed' OR (state = 'queued' AND not_before > 0))")

    def cancel(self, scope: Scope, task_id: int) -> bool:
        """Give a task up that waits or has failed; False if it is neither: one under way is done to its end."""
        return self._set(
            scope, task_id, f"UPDATE task SET state = 'cancelled', finished_at = {now_ms()} WHERE state IN ('queued', 'failed')"
        )

    def _set(self, scope: Scope, task_id: int, statement: str) -> bool:
        with self._db.write() as connection:
            changed = connection.execute(
                f"{statement} AND id = ? AND chat_id = ? AND user_id = ?", (task_id, scope.chat_id, scope.user_id)
            ).rowcount
            if changed:
                self._changed(connection, scope.chat_id)
            return changed > 0

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


def _task(row: sqlite3.Row, *, attempts: int) -> Task:
    return Task(
        id=row["id"],
        key=row["key"],
        kind=row["kind"],
        user_id=row["user_id"],
        chat_id=row["chat_id"],
        branch_id=row["branch_id"],
        payload=json.loads(row["payload"]),
        attempts=attempts,
        rank=Rank(row["rank"]),
    )


_HELD = "id = ? AND state = 'leased' AND attempts = ?"
"""This worker's lease and no later one: each attempt has its own number."""
_AGAIN = "UPDATE task SET state = 'queued', attempts = 0, not_before = 0, error = '', finished_at = NULL"
_ASIDE = "(" + ", ".join(f"'{kind}'" for kind in ASIDE) + ")"
_EVEN_OFF = "(" + ", ".join(f"'{kind}'" for kind in EVEN_OFF) + ")"
_ON = f"(SELECT coalesce(c.settings ->> '$.memory', '') <> '{OFF}' FROM chat c WHERE c.id = t.chat_id)"
_OPEN = "state IN ('queued', 'leased')"
_WAITING = f"""
    WITH RECURSIVE waiting (user_id) AS (
        SELECT min(user_id) FROM task INDEXED BY task_by_rank WHERE {_OPEN} AND rank = :rank
        UNION ALL
        SELECT (SELECT min(user_id) FROM task INDEXED BY task_by_rank WHERE {_OPEN} AND rank = :rank AND user_id > w.user_id)
        FROM waiting w WHERE w.user_id IS NOT NULL
    )
    SELECT w.user_id FROM waiting w WHERE w.user_id IS NOT NULL
    ORDER BY (SELECT min(t.id) FROM task t INDEXED BY task_by_rank WHERE t.{_OPEN} AND t.rank = :rank AND t.user_id = w.user_id)"""
"""Each user once, whose task is the oldest first: from one to the next in the index, however many tasks each has."""
_UNDER_WAY = "SELECT w.chat_id FROM task w INDEXED BY task_leased WHERE w.state = 'leased' AND w.leased_until >= :now AND w.kind"
_COUNTS = f"(o.state = 'leased' OR o.kind IN {_EVEN_OFF} OR {_ON})"
_NEXT = f"""
    SELECT h.* FROM task t INDEXED BY task_by_rank
    JOIN task h ON h.id = (
        SELECT o.id FROM task o INDEXED BY task_in_order WHERE o.chat_id = t.chat_id AND o.{_OPEN} AND {_COUNTS}
            AND (o.kind NOT IN {_ASIDE} OR t.kind IN {_ASIDE})
        ORDER BY o.id LIMIT 1
    )
    WHERE t.{_OPEN} AND t.rank = :rank AND t.user_id = :user
        AND (t.kind IN {_ASIDE} OR t.chat_id NOT IN ({_UNDER_WAY} NOT IN {_ASIDE}))
        AND (t.kind IN {_EVEN_OFF} OR {_ON})
        AND EXISTS (SELECT 1 FROM chat c WHERE c.id = t.chat_id AND c.deleted_at IS NULL)
        AND ((h.state = 'queued' AND h.not_before <= :now) OR (h.state = 'leased' AND h.leased_until < :now))
        AND h.rank <= :lent
        AND CASE WHEN h.kind IN {_ASIDE} THEN NOT EXISTS ({_UNDER_WAY} IN {_ASIDE}) ELSE h.chat_id NOT IN ({_UNDER_WAY} NOT IN {_ASIDE}) END
    ORDER BY t.id LIMIT 1"""
"""The first due task of a chat in which a task of this rank and user waits: `h`, which is that task or stands before it."""
