"""What people chose about language models: ways to them, which serves in which role, and presets of sampling. All of it as settings.

Connections and roles are the house's; presets are a user's and go with the account. A key stands here sealed alone (`models.key_box`).
"""

from __future__ import annotations

from storage.database import Database

_HOUSE = "models"
_CONNECTION, _ROLE, _PRESET, _DIALECT = "connection ", "role ", "sampling ", "dialect "
_AFTER = "\uffff"


class ModelSettings:
    """Values are JSON, read and checked by whoever asks. Writes join the caller's transaction."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def connections(self) -> dict[str, str]:
        """By id."""
        return self._all(_HOUSE, _CONNECTION)

    def keep_connection(self, connection_id: str, value: str) -> None:
        self._put(_HOUSE, _CONNECTION + connection_id, value)

    def remove_connection(self, connection_id: str) -> None:
        self._drop(_HOUSE, _CONNECTION + connection_id)

    def dialects(self) -> dict[str, str]:
        """What was learned of how servers want to be spoken to, by server and model."""
        return self._all(_HOUSE, _DIALECT)

    def keep_dialect(self, key: str, value: str) -> None:
        self._put(_HOUSE, _DIALECT + key, value)

    def roles(self) -> dict[str, str]:
        """By name of the role."""
        return self._all(_HOUSE, _ROLE)

    def choose(self, role: str, value: str) -> None:
        self._put(_HOUSE, _ROLE + role, value)

    def presets(self, user_id: str) -> dict[str, str]:
        """The user's own, by id."""
        return self._all(f"user:{user_id}", _PRESET)

    def keep_preset(self, user_id: str, preset_id: str, value: str) -> None:
        self._put(f"user:{user_id}", _PRESET + preset_id, value)

    def remove_preset(self, user_id: str, preset_id: str) -> None:
        self._drop(f"user:{user_id}", _PRESET + preset_id)

    def _all(self, scope: str, kind: str) -> dict[str, str]:
        rows = self._db.read().execute(
            "SELECT key, value FROM setting WHERE scope = ? AND key >= ? AND key < ? ORDER BY key", (scope, kind, kind + _AFTER)
        )
        return {row["key"].removeprefix(kind): str(row["value"]) for row in rows}

    def _put(self, scope: str, key: str, value: str) -> None:
        with self._db.write() as connection:
            connection.execute(
                "INSERT INTO setting (scope, key, value) VALUES (?, ?, ?) ON CONFLICT (scope, key) DO UPDATE SET value = excluded.value",
                (scope, key, value),
            )

    def _drop(self, scope: str, key: str) -> None:
        with self._db.write() as connection:
            connection.execute("DELETE FROM setting WHERE scope = ? AND key = ?", (scope, key))
