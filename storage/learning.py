"""What was learned of a user's memories: weights of the reranker by embedder, and the record of how learning went. Numbers and ids, no text.

A row of `reranker_state` under an embedder's fingerprint holds the weights in force; rows under the fingerprint and the name of a slot hold copies to go
back to. The record is a setting of the user. All of it goes with the account.
"""

from __future__ import annotations

from dataclasses import dataclass

from storage.database import Database
from storage.records import now_ms

BEST, SINCE = "best", "since"
"""Slots: the copy that did best, and the one that is being watched."""


@dataclass(frozen=True)
class StoredWeights:
    weights: bytes
    """Float32, little-endian, of the shape that the reranker's method gives them; empty before anything was learned."""
    updates: int
    frozen: bool


class LearningStates:
    """Every method names the user it is about. Writes join the caller's transaction."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def record(self, user_id: str, fingerprint: str) -> str | None:
        """The record of learning with an embedder, as it was put."""
        row = self._db.read().execute("SELECT value FROM setting WHERE scope = ? AND key = ?", _record(user_id, fingerprint)).fetchone()
        return str(row["value"]) if row is not None else None

    def put_record(self, user_id: str, fingerprint: str, value: str) -> None:
        with self._db.write() as connection:
            connection.execute(
                "INSERT INTO setting (scope, key, value) VALUES (?, ?, ?) ON CONFLICT (scope, key) DO UPDATE SET value = excluded.value",
                (*_record(user_id, fingerprint), value),
            )

    def weights(self, user_id: str, fingerprint: str, slot: str = "") -> StoredWeights | None:
        row = (
            self._db.read()
            .execute(
                "SELECT weights, updates, frozen FROM reranker_state WHERE user_id = ? AND fingerprint = ?",
                (user_id, _named(fingerprint, slot)),
            )
            .fetchone()
        )
        return StoredWeights(bytes(row["weights"]), row["updates"], bool(row["frozen"])) if row is not None else None

    def put_weights(self, user_id: str, fingerprint: str, stored: StoredWeights, *, slot: str = "") -> None:
        with self._db.write() as connection:
            connection.execute(
                """INSERT INTO reranker_state (user_id, fingerprint, weights, updates, frozen, updated_at) VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT (user_id, fingerprint) DO UPDATE SET weights = excluded.weights, updates = excluded.updates, frozen = excluded.frozen,
                    updated_at = excluded.updated_at""",
                (user_id, _named(fingerprint, slot), stored.weights, stored.updates, int(stored.frozen), now_ms()),
            )

    def drop(self, user_id: str, fingerprint: str) -> None:
        """Forget the weights in force, every copy and the record."""
        names = [_named(fingerprint, slot) for slot in ("", BEST, SINCE)]
        with self._db.write() as connection:
            connection.executemany("DELETE FROM reranker_state WHERE user_id = ? AND fingerprint = ?", [(user_id, name) for name in names])
            connection.execute("DELETE FROM setting WHERE scope = ? AND key = ?", _record(user_id, fingerprint))


def _record(user_id: str, fingerprint: str) -> tuple[str, str]:
    return f"user:{user_id}", f"learning {fingerprint}"


def _named(fingerprint: str, slot: str) -> str:
    return f"{fingerprint} {slot}" if slot else fingerprint
