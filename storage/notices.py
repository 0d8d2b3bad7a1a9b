"""What a user was told once and what they want kept out of sight: settings of the user, so that they hold on every device and go with the account."""

from __future__ import annotations

from storage.database import Database

_ACCEPTED, _HIDES_ADULT = "notice", "hides_adult"


class Notices:
    """Every method names the user."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def accepted(self, user_id: str) -> bool:
        """Whether the user was told what characters are, and said so."""
        return self._is_set(user_id, _ACCEPTED)

    def accept(self, user_id: str) -> None:
        self._set(user_id, _ACCEPTED)

    def hides_adult(self, user_id: str) -> bool:
        """Whether characters for adults stay out of the user's lists."""
        return self._is_set(user_id, _HIDES_ADULT)

    def hide_adult(self, user_id: str) -> None:
        self._set(user_id, _HIDES_ADULT)

    def show_adult(self, user_id: str) -> None:
        with self._db.write() as connection:
            connection.execute("DELETE FROM setting WHERE scope = ? AND key = ?", (f"user:{user_id}", _HIDES_ADULT))

    def _is_set(self, user_id: str, key: str) -> bool:
        return self._db.read().execute("SELECT 1 FROM setting WHERE scope = ? AND key = ?", (f"user:{user_id}", key)).fetchone() is not None

    def _set(self, user_id: str, key: str) -> None:
        with self._db.write() as connection:
            connection.execute(
                "INSERT INTO setting (scope, key, value) VALUES (?, ?, 'true') ON CONFLICT (scope, key) DO NOTHING",
                (f"user:{user_id}", key),
            )
