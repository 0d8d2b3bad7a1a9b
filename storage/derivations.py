"""What was derived from which input: outputs by key, so that deriving again costs no model, and marks of what was read already."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

from storage.chat_rows import touch
from storage.chats import Chats
from storage.database import Database
from storage.records import now_ms
from storage.scope import Scope


class Derivations:
    """Of one chat each: what is erased with a chat must not live on in another's cache."""

    def __init__(self, database: Database, chats: Chats) -> None:
        self._db = database
        self._chats = chats

    def get(self, scope: Scope, key: str, *, version: str) -> str | None:
        """The output under a key, as it was put by this version. What another put there, by chance or by a forged file, is none."""
        self._chats.check(scope)
        row = (
            self._db.read()
            .execute("SELECT output FROM derivation WHERE chat_id = ? AND key = ? AND version = ?", (scope.chat_id, key, version))
            .fetchone()
        )
        return str(row["output"]) if row is not None else None

    def has(self, scope: Scope, *, version: str) -> bool:
        """Whether there is any output of this version."""
        self._chats.check(scope)
        found = self._db.read().execute("SELECT 1 FROM derivation WHERE chat_id = ? AND version = ? LIMIT 1", (scope.chat_id, version))
        return found.fetchone() is not None

    def put(self, scope: Scope, outputs: Mapping[str, str], *, kind: str, version: str) -> None:
        """outputs: by key, in the place of one that is there, which nobody could use. Joins the transaction that stores what came of them."""
        if not outputs:
            return
        self._chats.check(scope)
        with self._db.write() as connection:
            connection.executemany(
                "INSERT OR REPLACE INTO derivation (chat_id, key, kind, version, output, created_at) VALUES (?, ?, ?, ?, ?, ?)",
                [(scope.chat_id, key, kind, version, output, now_ms()) for key, output in outputs.items()],
            )

    def show(self, scope: Scope, outputs: Mapping[str, str], *, kind: str, version: str) -> None:
        """`put` what is shown as it is, beside no memory: the chat has changed with it."""
        with self._db.write() as connection:
            self.put(scope, outputs, kind=kind, version=version)
            touch(connection, scope.chat_id, said=False)

    def mark(self, scope: Scope, read: Sequence[tuple[str, str]], *, version: str) -> None:
        """Note (revision, revision of the question or "") pairs as read; joins the transaction that stores what came of them."""
        if not read:
            return
        self._chats.check(scope)
        with self._db.write() as connection:
            connection.executemany(
                "INSERT OR IGNORE INTO extraction (revision_id, question_id, version, chat_id) VALUES (?, ?, ?, ?)",
                [(revision, question, version, scope.chat_id) for revision, question in read],
            )

    def marked(self, scope: Scope, revisions: Iterable[str], *, version: str) -> set[tuple[str, str]]:
        """Of these revisions, the pairs that were read."""
        self._chats.check(scope)
        rows = self._db.read().execute(
            """SELECT e.revision_id, e.question_id FROM json_each(?) w CROSS JOIN extraction e ON e.revision_id = w.value
            WHERE e.chat_id = ? AND e.version = ?""",
            (json.dumps(list(revisions)), scope.chat_id, version),
        )
        return {(row["revision_id"], row["question_id"]) for row in rows}

    def chats_unread(self, *, version: str) -> list[tuple[str, str]]:
        """(user id, chat id) of every chat that went on past its first round and of which nothing was read by this version. Upkeep: ids alone."""
        rows = self._db.read().execute(
            """SELECT c.user_id, c.id FROM chat c WHERE c.deleted_at IS NULL
                AND EXISTS (SELECT 1 FROM message m WHERE m.chat_id = c.id AND m.round > 1)
                AND NOT EXISTS (SELECT 1 FROM extraction e WHERE e.chat_id = c.id AND e.version = ?)""",
            (version,),
        )
        return [(row["user_id"], row["id"]) for row in rows]
