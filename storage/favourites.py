"""The characters that a user keeps on top: their own and those that came with the program alike.

A setting of the user for each (`favourite ID`), so that two pages that mark two of them never take each other's mark away. Who erases a character takes its mark along.
"""

from __future__ import annotations

from storage.database import Database

_PREFIX = "favourite "


class Favourites:
    """Every method names the user. Whether there is such a character is not asked here."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def all(self, user_id: str) -> frozenset[str]:
        """Ids of those that are marked, also where the character was removed from the list since: brought back, it is marked as before."""
        rows = self._db.read().execute(
            "SELECT substr(key, 11) AS id FROM setting WHERE scope = ? AND key >= 'favourite ' AND key < 'favourite!'", (f"user:{user_id}",)
        )
        return frozenset(row["id"] for row in rows)

    def mark(self, user_id: str, character_id: str) -> None:
        with self._db.write() as connection:
            connection.execute(
                "INSERT INTO setting (scope, key, value) VALUES (?, ?, 'true') ON CONFLICT (scope, key) DO NOTHING",
                (f"user:{user_id}", _PREFIX + character_id),
            )

    def unmark(self, user_id: str, character_id: str) -> None:
        with self._db.write() as connection:
            connection.execute("DELETE FROM setting WHERE scope = ? AND key = ?", (f"user:{user_id}", _PREFIX + character_id))
