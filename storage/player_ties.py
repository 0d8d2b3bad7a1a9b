"""Which persona of a user's a new conversation with a character begins with: a setting of the user for each character, own or of the cast.

Who erases a character or a persona takes its ties along; a persona that was removed keeps them, for when it comes back.
"""

from __future__ import annotations

import json

from storage.database import Database

_PREFIX = "plays "


class PlayerTies:
    """Every method names the user. Whether there is such a character or persona is not asked here."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def all(self, user_id: str) -> dict[str, str]:
        """Ids of personas by that of the character."""
        rows = self._db.read().execute(
            "SELECT substr(key, 7) AS character, value ->> '$' AS player FROM setting WHERE scope = ? AND key >= 'plays ' AND key < 'plays!'",
            (f"user:{user_id}",),
        )
        return {row["character"]: row["player"] for row in rows}

    def tie(self, user_id: str, character_id: str, player_id: str) -> None:
        with self._db.write() as connection:
            connection.execute(
                "INSERT INTO setting (scope, key, value) VALUES (?, ?, ?) ON CONFLICT (scope, key) DO UPDATE SET value = excluded.value",
                (f"user:{user_id}", _PREFIX + character_id, json.dumps(player_id)),
            )

    def untie(self, user_id: str, character_id: str) -> None:
        with self._db.write() as connection:
            connection.execute("DELETE FROM setting WHERE scope = ? AND key = ?", (f"user:{user_id}", _PREFIX + character_id))
