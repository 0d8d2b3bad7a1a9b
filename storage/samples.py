"""Which of a user's chats are sample stories, and whether a person has made one of them their own."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from storage.chats import Chats
from storage.database import Database
from storage.records import stable_id
from storage.scope import Scope


@dataclass(frozen=True)
class SampleRow:
    chat_id: str
    binned: bool


def sample_key(key: str) -> str:
    """The import key of a sample's chat: a user has each once."""
    return stable_id("sample", key)


class Samples:
    def __init__(self, database: Database, chats: Chats) -> None:
        self._db = database
        self._chats = chats

    def of_user(self, user_id: str, keys: Collection[str]) -> dict[str, SampleRow]:
        """Of the stories with these keys those that the user has, in the bin or not."""
        names = {sample_key(key): key for key in keys}
        rows = self._db.read().execute(
            f"SELECT id, import_key, deleted_at FROM chat WHERE user_id = ? AND import_key IN ({','.join('?' * len(names))})",
            (user_id, *names),
        )
        return {names[row["import_key"]]: SampleRow(row["id"], row["deleted_at"] is not None) for row in rows}

    def everybodys(self, keys: Collection[str]) -> list[tuple[str, str, SampleRow]]:
        """(user id, story's key, chat) of every sample that anybody has, for upkeep: ids alone."""
        users = [row["user_id"] for row in self._db.read().execute("SELECT DISTINCT user_id FROM chat WHERE import_key IS NOT NULL")]
        return [(user_id, key, row) for user_id in users for key, row in self.of_user(user_id, keys).items()]

    def untouched(self, scope: Scope) -> bool:
        """Whether everything in the scope's chat is as it was imported: nobody said, rewrote, branched, named, decided or marked anything in it."""
        self._chats.check(scope)
        row = (
            self._db.read()
            .execute(
                """SELECT c.edition = 0
                AND NOT EXISTS (SELECT 1 FROM message m JOIN revision r ON r.message_id = m.id WHERE m.chat_id = c.id AND r.origin <> 'import')
                AND NOT EXISTS (SELECT 1 FROM user_edit e WHERE e.chat_id = c.id)
                AND NOT EXISTS (SELECT 1 FROM annotation_item i WHERE i.chat_id = c.id)
                AND NOT EXISTS (SELECT 1 FROM annotation_probe b WHERE b.chat_id = c.id) AS untouched
                FROM chat c WHERE c.id = ?""",
                (scope.chat_id,),
            )
            .fetchone()
        )
        return bool(row["untouched"])
