"""A user's own characters: made, changed, removed and listed.

The list is kept beside the table of characters, as settings of the user: a character that came in with a conversation stands in the table as well, belongs
to that conversation and is in nobody's list. One that was removed is out of the list; the conversations with it go on.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from storage.database import Database
from storage.errors import CharacterChanged, CharacterNotFound
from storage.records import now_ms

_LISTED = """character k JOIN setting s ON s.scope = 'user:' || k.user_id AND s.key = 'character ' || k.id
    WHERE k.user_id = :user AND s.value ->> '$.removed_at' IS"""


@dataclass(frozen=True)
class OwnCharacter:
    """What a list shows of a character."""

    id: str
    name: str
    language: str
    tagline: str
    tags: tuple[str, ...]
    conversations: int
    """With it, those in the bin included."""


@dataclass(frozen=True)
class OwnCard:
    id: str
    card: Mapping[str, object]
    """Character Card V3."""
    stamp: int
    """Grows with each change."""


@dataclass(frozen=True)
class NewCard:
    """A character to be kept. card: a checked Character Card V3; persona and stances as plain JSON."""

    name: str
    language: str
    card: Mapping[str, object]
    persona: object
    stances: object


class Characters:
    """Every method names the user whose characters it is about; another user's raise CharacterNotFound like those that never were."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def all(self, user_id: str) -> list[OwnCharacter]:
        """Those in the user's list, newest first."""
        return self._listed(user_id, "NULL")

    def removed(self, user_id: str) -> list[OwnCharacter]:
        """Those that were removed from it, newest first."""
        return self._listed(user_id, "NOT NULL")

    def _listed(self, user_id: str, removed: str) -> list[OwnCharacter]:
        rows = self._db.read().execute(
            f"""SELECT k.id, k.name, k.language, k.card_v3 ->> '$.data.extensions.keepsake.tagline' AS tagline, k.card_v3 -> '$.data.tags' AS tags,
                (SELECT count(*) FROM chat c WHERE c.character_id = k.id) AS conversations
            FROM {_LISTED} {removed} ORDER BY k.created_at DESC, k.rowid DESC""",
            {"user": user_id},
        )
        return [
            OwnCharacter(r["id"], r["name"], r["language"], r["tagline"] or "", tuple(json.loads(r["tags"] or "[]")), r["conversations"])
            for r in rows
        ]

    def is_removed(self, user_id: str, character_id: str) -> bool:
        return any(one.id == character_id for one in self.removed(user_id))

    def card(self, user_id: str, character_id: str) -> OwnCard:
        """A character in the user's list."""
        row = (
            self._db.read()
            .execute(f"SELECT k.id, k.card_v3, k.updated_at FROM {_LISTED} NULL AND k.id = :id", {"user": user_id, "id": character_id})
            .fetchone()
        )
        if row is None:
            raise CharacterNotFound("There is no such character of yours. Nothing was changed.")
        return OwnCard(row["id"], json.loads(row["card_v3"]), row["updated_at"])

    def add(self, user_id: str, new: NewCard) -> str:
        """The id of a new character in the user's list."""
        character_id = secrets.token_hex(16)
        with self._db.write() as connection:
            connection.execute(
                """INSERT INTO character (id, user_id, name, language, card, card_v3, persona, stances, created_at, updated_at)
                VALUES (:id, :user, :name, :language, :card, :card, :persona, :stances, :now, :now)""",
                {"id": character_id, "user": user_id, "now": now_ms(), **_columns(new)},
            )
            connection.execute(
                "INSERT INTO setting (scope, key, value) VALUES (?, ?, ?)",
                (f"user:{user_id}", f"character {character_id}", json.dumps({"removed_at": None})),
            )
        return character_id

    def change(self, user_id: str, character_id: str, new: NewCard, *, stamp: int) -> None:
        """Give a character another card. stamp: of the card that was changed; CharacterChanged if it is another by now.

        In conversations that exist it keeps the name they began with: their memory tells of it by that name. A card in the shape it came in stays; one that
        was made here is no original of anything and goes.
        """
        with self._db.write() as connection:
            there = self.card(user_id, character_id)
            if there.stamp != stamp:
                raise CharacterChanged(
                    "This character was changed elsewhere meanwhile. Nothing was saved; what you wrote is still in the form."
                )
            connection.execute(
                """UPDATE chat SET settings = json_set(settings, '$.character', (SELECT name FROM character WHERE id = :id))
                WHERE character_id = :id AND settings ->> '$.character' IS NULL AND (SELECT name FROM character WHERE id = :id) <> :name""",
                {"id": character_id, "name": new.name},
            )
            connection.execute(
                """UPDATE character SET name = :name, language = :language, card = CASE WHEN card = card_v3 THEN :card ELSE card END, card_v3 = :card,
                    persona = :persona, stances = :stances, updated_at = :now WHERE id = :id AND user_id = :user""",
                {"id": character_id, "user": user_id, "now": max(now_ms(), stamp + 1), **_columns(new)},
            )

    def remove(self, user_id: str, character_id: str) -> None:
        """Take a character out of the list. Conversations with it stay as they are and go on."""
        self.card(user_id, character_id)
        self._mark(user_id, character_id, removed_at=now_ms())

    def restore(self, user_id: str, character_id: str) -> None:
        """Take a removed character into the list again."""
        if not self.is_removed(user_id, character_id):
            raise CharacterNotFound("There is no such character of yours. Nothing was changed.")
        self._mark(user_id, character_id, removed_at=None)

    def _mark(self, user_id: str, character_id: str, *, removed_at: int | None) -> None:
        with self._db.write() as connection:
            connection.execute(
                "UPDATE setting SET value = json_set(value, '$.removed_at', ?) WHERE scope = ? AND key = ?",
                (removed_at, f"user:{user_id}", f"character {character_id}"),
            )


def _columns(new: NewCard) -> Mapping[str, str]:
    dumped: Mapping[str, object] = {"card": new.card, "persona": new.persona, "stances": new.stances}
    return {"name": new.name, "language": new.language, **{name: _json(value) for name, value in dumped.items()}}


def _json(value: object | Sequence[object]) -> str:
    return json.dumps(value, ensure_ascii=False)
