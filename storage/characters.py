"""A user's own characters: made, changed, removed and listed.

The list is kept beside the table of characters, as settings of the user: a character that came in with a conversation stands in the table as well, belongs
to that conversation and is in nobody's list. One that was removed is out of the list; the conversations with it go on.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

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
    creator: str
    conversations: int
    """With it, those in the bin included."""
    face: int | None
    """Grows with each change, where there is an avatar."""
    adult: str | None
    """By what its card says it is for adults, as `NewCard.adult`; None where nobody looked."""


@dataclass(frozen=True)
class CharacterFile:
    """kind: `avatar`, `picture` or `member`, as the schema has them; name: of a member, or of the whole file that a card came in, kept as a `picture` beside the
    one without the card."""

    kind: str
    content: bytes = field(repr=False)
    name: str = ""


@dataclass(frozen=True)
class OwnCard:
    id: str
    card: Mapping[str, object]
    """Character Card V3."""
    stamp: int
    """Grows with each change."""
    original: Mapping[str, object]
    """The card in the shape it came in; the same as `card` where it was made here."""


@dataclass(frozen=True)
class NewCard:
    """A character to be kept. card: a checked Character Card V3; persona and stances as plain JSON. For one that came in as a file: the object as it came, its
    files, and what tells the file from others."""

    name: str
    language: str
    card: Mapping[str, object]
    persona: object
    stances: object
    original: Mapping[str, object] | None = None
    files: Sequence[CharacterFile] = ()
    origin: str = ""
    adult: str = ""
    """By what the card says of itself that it is for adults (`personas.adult`), empty where it does not."""


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
            f"""SELECT k.id, k.name, k.language, (SELECT count(*) FROM chat c
                    WHERE c.character_id = k.id OR EXISTS (SELECT 1 FROM chat_member n WHERE n.chat_id = c.id AND n.character_id = k.id)) AS conversations,
                coalesce(s.value -> '$.shown', json_object('tagline', k.card_v3 ->> '$.data.extensions.keepsake.tagline',
                    'tags', k.card_v3 -> '$.data.tags', 'creator', k.card_v3 ->> '$.data.creator')) AS shown,
                (SELECT k.updated_at FROM character_file f WHERE f.character_id = k.id AND f.kind = 'avatar') AS face,
                s.value ->> '$.adult' AS adult
            FROM {_LISTED} {removed} ORDER BY k.created_at DESC, k.rowid DESC""",
            {"user": user_id},
        )
        return [_own(row) for row in rows]

    def conversations(self, user_id: str, character_id: str) -> list[tuple[str, str]]:
        """The user's conversations with a character: of each its id and that of the branch it shows."""
        rows = self._db.read().execute(
            """SELECT c.id, c.active_branch_id FROM chat c WHERE c.user_id = :user AND (c.character_id = :id
                OR EXISTS (SELECT 1 FROM chat_member n WHERE n.chat_id = c.id AND n.character_id = :id)) ORDER BY c.id""",
            {"user": user_id, "id": character_id},
        )
        return [(row["id"], row["active_branch_id"]) for row in rows]

    def ids(self, user_id: str) -> set[str]:
        """Of those in the list and those that were removed from it."""
        rows = self._db.read().execute(
            "SELECT substr(key, 11) AS id FROM setting WHERE scope = ? AND key >= 'character ' AND key < 'character!'", (f"user:{user_id}",)
        )
        return {row["id"] for row in rows}

    def faces(self, user_id: str) -> dict[str, int]:
        """Of each of the user's characters that has an avatar, listed or not, a number that grows with each change."""
        rows = self._db.read().execute(
            "SELECT k.id, k.updated_at FROM character k JOIN character_file f ON f.character_id = k.id WHERE k.user_id = ? AND f.kind = 'avatar'",
            (user_id,),
        )
        return {row["id"]: row["updated_at"] for row in rows}

    def face(self, user_id: str, character_id: str) -> bytes:
        """The avatar of one of the user's characters, listed or not: a PNG. Raises CharacterNotFound where there is none."""
        row = (
            self._db.read()
            .execute(
                """SELECT f.content FROM character k JOIN character_file f ON f.character_id = k.id
                WHERE k.user_id = ? AND k.id = ? AND f.kind = 'avatar'""",
                (user_id, character_id),
            )
            .fetchone()
        )
        if row is None:
            raise CharacterNotFound("There is no such picture.")
        return bytes(row["content"])

    def of_origin(self, user_id: str, origin: str) -> list[str]:
        """Ids of those in the list that came in as that file, newest first."""
        rows = self._db.read().execute(
            f"SELECT k.id FROM {_LISTED} NULL AND s.value ->> '$.origin' = :origin ORDER BY k.created_at DESC, k.rowid DESC",
            {"user": user_id, "origin": origin},
        )
        return [row["id"] for row in rows]

    def drop_unused(self, user_id: str, character_id: str) -> None:
        """Remove a character that no conversation is with: one that was made for an import that was taken back. Any other stays."""
        with self._db.write() as connection:
            used = connection.execute("SELECT 1 FROM chat WHERE character_id = ?", (character_id,)).fetchone()
            if used is None and connection.execute("DELETE FROM character WHERE id = ? AND user_id = ?", (character_id, user_id)).rowcount:
                connection.execute("DELETE FROM setting WHERE scope = ? AND key = ?", (f"user:{user_id}", f"character {character_id}"))

    def is_removed(self, user_id: str, character_id: str) -> bool:
        return any(one.id == character_id for one in self.removed(user_id))

    def card(self, user_id: str, character_id: str) -> OwnCard:
        """A character in the user's list."""
        row = (
            self._db.read()
            .execute(
                f"SELECT k.id, k.card, k.card_v3, k.updated_at FROM {_LISTED} NULL AND k.id = :id", {"user": user_id, "id": character_id}
            )
            .fetchone()
        )
        if row is None:
            raise CharacterNotFound("There is no such character of yours. Nothing was changed.")
        return OwnCard(row["id"], json.loads(row["card_v3"]), row["updated_at"], json.loads(row["card"]))

    def files(self, user_id: str, character_id: str) -> list[CharacterFile]:
        """Of a character in the user's list, members in the order they came in."""
        self.card(user_id, character_id)
        rows = self._db.read().execute(
            "SELECT kind, name, content FROM character_file WHERE character_id = ? ORDER BY rowid", (character_id,)
        )
        return [CharacterFile(row["kind"], bytes(row["content"]), row["name"]) for row in rows]

    def add(self, user_id: str, new: NewCard) -> str:
        """The id of a new character in the user's list."""
        character_id = secrets.token_hex(16)
        with self._db.write() as connection:
            connection.execute(
                """INSERT INTO character (id, user_id, name, language, card, card_v3, persona, stances, created_at, updated_at)
                VALUES (:id, :user, :name, :language, coalesce(:original, :card), :card, :persona, :stances, :now, :now)""",
                {"id": character_id, "user": user_id, "now": now_ms(), **_columns(new)},
            )
            _write_files(connection, character_id, new.files)
            self._list(connection, user_id, character_id, _settings(new))
        return character_id

    def note_adult(self, user_id: str, character_id: str, adult: str) -> None:
        """Keep what was found in a card that nobody had looked at."""
        with self._db.write() as connection:
            connection.execute(
                "UPDATE setting SET value = json_set(value, '$.adult', ?) WHERE scope = ? AND key = ?",
                (adult, f"user:{user_id}", f"character {character_id}"),
            )

    def replace(self, user_id: str, character_id: str, new: NewCard) -> None:
        """Put a card that came in as a file in the place of a character's: conversations go on with it. What the character was before is kept as one that was
        removed from the list."""
        before = secrets.token_hex(16)
        with self._db.write() as connection:
            there = self.card(user_id, character_id)
            connection.execute(
                """INSERT INTO character (id, user_id, name, language, card, card_v3, persona, stances, created_at, updated_at)
                SELECT :before, user_id, name, language, card, card_v3, persona, stances, created_at, updated_at FROM character WHERE id = :id""",
                {"before": before, "id": character_id},
            )
            connection.execute("UPDATE character_file SET character_id = ? WHERE character_id = ?", (before, character_id))
            connection.execute(
                """INSERT INTO setting (scope, key, value) SELECT scope, 'character ' || :before, json_set(value, '$.removed_at', :now) FROM setting
                WHERE scope = 'user:' || :user AND key = 'character ' || :id""",
                {"before": before, "now": now_ms(), "user": user_id, "id": character_id},
            )
            self._rename(connection, character_id, new.name)
            connection.execute(
                """UPDATE character SET name = :name, language = :language, card = coalesce(:original, :card), card_v3 = :card, persona = :persona,
                    stances = :stances, updated_at = :now WHERE id = :id""",
                {"id": character_id, "now": max(now_ms(), there.stamp + 1), **_columns(new)},
            )
            _write_files(connection, character_id, new.files)
            self._list(connection, user_id, character_id, _settings(new))

    @staticmethod
    def _list(connection: sqlite3.Connection, user_id: str, character_id: str, value: Mapping[str, object]) -> None:
        connection.execute(
            "INSERT INTO setting (scope, key, value) VALUES (?, ?, ?) ON CONFLICT (scope, key) DO UPDATE SET value = excluded.value",
            (f"user:{user_id}", f"character {character_id}", json.dumps(value)),
        )

    @staticmethod
    def _rename(connection: sqlite3.Connection, character_id: str, name: str) -> None:
        """Let conversations that exist keep the name they began with, before the character gets another."""
        connection.execute(
            """UPDATE chat SET settings = json_set(settings, '$.character', (SELECT name FROM character WHERE id = :id))
            WHERE character_id = :id AND settings ->> '$.character' IS NULL AND (SELECT name FROM character WHERE id = :id) <> :name""",
            {"id": character_id, "name": name},
        )

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
            self._rename(connection, character_id, new.name)
            connection.execute(
                """UPDATE character SET name = :name, language = :language, card = CASE WHEN card = card_v3 THEN :card ELSE card END, card_v3 = :card,
                    persona = :persona, stances = :stances, updated_at = :now WHERE id = :id AND user_id = :user""",
                {"id": character_id, "user": user_id, "now": max(now_ms(), stamp + 1), **_columns(new)},
            )
            connection.execute(
                "UPDATE setting SET value = json_set(value, '$.shown', json(?), '$.adult', ?) WHERE scope = ? AND key = ?",
                (_json(_shown(new)), new.adult, f"user:{user_id}", f"character {character_id}"),
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


def _settings(new: NewCard) -> dict[str, object]:
    """What the list keeps of a character that is in it."""
    return {"removed_at": None, "origin": new.origin, "shown": _shown(new), "adult": new.adult}


def _shown(new: NewCard) -> dict[str, object]:
    """What a list shows of a card beside its name: kept apart, as a card may be large and the list is drawn often."""
    data = new.card["data"]
    assert isinstance(data, dict)
    ours = data.get("extensions", {}).get("keepsake", {})
    return {"tagline": ours.get("tagline", ""), "tags": data.get("tags", []), "creator": data.get("creator", "")}


def _own(row: sqlite3.Row) -> OwnCharacter:
    shown = json.loads(row["shown"])
    return OwnCharacter(
        id=row["id"],
        name=row["name"],
        language=row["language"],
        tagline=shown["tagline"] or "",
        tags=tuple(shown["tags"] or ()),
        creator=shown["creator"] or "",
        conversations=row["conversations"],
        face=row["face"],
        adult=row["adult"],
    )


def _write_files(connection: sqlite3.Connection, character_id: str, files: Sequence[CharacterFile]) -> None:
    connection.executemany(
        "INSERT INTO character_file (character_id, kind, name, content) VALUES (?, ?, ?, ?)",
        [(character_id, file.kind, file.name, file.content) for file in files],
    )


def _columns(new: NewCard) -> Mapping[str, str | None]:
    dumped: Mapping[str, object] = {"card": new.card, "persona": new.persona, "stances": new.stances}
    original = _json(new.original) if new.original is not None else None
    return {"name": new.name, "language": new.language, "original": original, **{name: _json(value) for name, value in dumped.items()}}


def _json(value: object | Sequence[object]) -> str:
    return json.dumps(value, ensure_ascii=False)
