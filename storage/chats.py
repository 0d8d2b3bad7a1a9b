"""Users, characters, chats, branches and the message tree."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from storage.chat_rows import MEMBERS, PLAYED, PLAYER, WEIGHT, Place, append_message, binned_chat_of, chat_of, touch
from storage.database import Database
from storage.errors import CharacterNotFound, NotFound
from storage.paths import span, walk
from storage.records import (
    BinnedChat,
    Chat,
    Kind,
    Member,
    Memory,
    Message,
    NewMessage,
    NewTask,
    StoredCharacter,
    from_ms,
    now_ms,
    stable_id,
    to_ms,
)
from storage.scope import Scope
from storage.tasks import enqueue

MAX_ROUND_MESSAGES = 50
"""Most messages of one round that are kept together; a group chat's round holds a handful."""

LISTED = ("folder", "favourite", "archived", "sampling")
"""Settings of a chat that are its user's own: where it stands in the list, and how its replies are drawn; they travel nowhere."""

_CHAT = f"""SELECT c.*, k.name AS character_name, {MEMBERS}, {PLAYER} FROM chat c JOIN character k ON k.id = c.character_id {PLAYED}
    WHERE c.deleted_at IS NULL AND c.user_id = ?"""


class Chats:
    def __init__(self, database: Database) -> None:
        self._db = database

    # Users and characters

    def ensure_user(self, user_id: str, name: str) -> None:
        with self._db.write() as connection:
            connection.execute("INSERT OR IGNORE INTO user (id, name, created_at) VALUES (?, ?, ?)", (user_id, name, now_ms()))

    def ensure_character(
        self,
        character_id: str,
        *,
        user_id: str | None,
        name: str,
        language: str,
        card: Mapping[str, object],
        persona: object,
        stances: object,
    ) -> None:
        """Insert a character, or bring a built-in one up to this program's version. `card` is kept whole."""
        text = json.dumps(card, ensure_ascii=False)
        with self._db.write() as connection:
            connection.execute(
                """INSERT INTO character (id, user_id, name, language, card, card_v3, persona, stances, created_at, updated_at)
                VALUES (:id, :user, :name, :language, :card, :card, :persona, :stances, :now, :now)
                ON CONFLICT (id) DO UPDATE SET name = :name, language = :language, card = :card, card_v3 = :card, persona = :persona,
                    stances = :stances, updated_at = :now
                WHERE card <> :card AND user_id IS :user""",
                {
                    "id": character_id,
                    "user": user_id,
                    "name": name,
                    "language": language,
                    "card": text,
                    "persona": json.dumps(persona, ensure_ascii=False),
                    "stances": json.dumps(stances, ensure_ascii=False),
                    "now": now_ms(),
                },
            )

    def character(self, user_id: str, character_id: str) -> StoredCharacter:
        row = (
            self._db.read()
            .execute("SELECT * FROM character WHERE id = ? AND (user_id IS NULL OR user_id = ?)", (character_id, user_id))
            .fetchone()
        )
        if row is None:
            raise CharacterNotFound("There is no such character.")
        return StoredCharacter(id=row["id"], name=row["name"], language=row["language"], card_v3=json.loads(row["card_v3"]))

    # Chats

    def check(self, scope: Scope) -> None:
        """NotFound unless every chat of the scope exists and belongs to its user."""
        marks = ",".join("?" * len(scope.chat_ids))
        (count,) = (
            self._db.read()
            .execute(
                f"SELECT count(*) FROM chat WHERE user_id = ? AND deleted_at IS NULL AND id IN ({marks})", (scope.user_id, *scope.chat_ids)
            )
            .fetchone()
        )
        if count != len(scope.chat_ids):
            raise NotFound("This chat does not exist or is not yours. Nothing was changed; choose one from the list.")

    def chat(self, scope: Scope) -> Chat:
        row = self._db.read().execute(f"{_CHAT} AND c.id = ?", (scope.user_id, scope.chat_id)).fetchone()
        if row is None:
            raise NotFound("This chat does not exist or is not yours. Nothing was changed; choose one from the list.")
        return chat_of(row)

    def of_user(self, user_id: str) -> list[Chat]:
        """The user's chats, last touched first."""
        rows = self._db.read().execute(f"{_CHAT} ORDER BY c.updated_at DESC, c.rowid DESC", (user_id,))
        return [chat_of(row) for row in rows]

    def create(
        self,
        user_id: str,
        *,
        character_id: str,
        title: str,
        language: str,
        user_name: str,
        greeting: NewMessage | None = None,
        import_key: str | None = None,
        group: bool = False,
        player_id: str = "",
        members: Sequence[Member] = (),
        greetings: Sequence[NewMessage] = (),
        listens: bool = False,
    ) -> str:
        """A new chat's id. player_id: the persona that has the name; members: of several characters all, that of `character_id` first, greetings theirs; listens:
        nobody answers in it.

        With an `import_key` that exists already, that chat's id and nothing is changed."""
        with self._db.write() as connection:
            if import_key is not None:
                row = connection.execute("SELECT id FROM chat WHERE user_id = ? AND import_key = ?", (user_id, import_key)).fetchone()
                if row is not None:
                    return str(row["id"])
            chat_id, branch_id, now = secrets.token_hex(16), secrets.token_hex(16), now_ms()
            connection.execute(
                """INSERT INTO chat (id, user_id, character_id, title, language, user_name, import_key, active_branch_id, settings,
                    created_at, updated_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
                (
                    chat_id,
                    user_id,
                    character_id,
                    title,
                    language,
                    user_name,
                    import_key,
                    branch_id,
                    json.dumps(
                        {
                            "group": group or bool(members),
                            **({"player": [player_id, user_name]} if player_id else {}),
                            **({"listens": True} if listens else {}),
                        },
                        ensure_ascii=False,
                    ),
                    now,
                    now,
                ),
            )
            connection.execute("INSERT INTO branch (id, chat_id, created_at) VALUES (?, ?, ?)", (branch_id, chat_id, now))
            if player_id:
                connection.execute("INSERT INTO chat_player (chat_id, player_id, name) VALUES (?, ?, ?)", (chat_id, player_id, user_name))
            connection.executemany(
                "INSERT INTO chat_member (chat_id, place, character_id, name, joined) VALUES (?, ?, ?, ?, ?)",
                [(chat_id, place, member.character_id, member.name, int(member.joined)) for place, member in enumerate(members)],
            )
            for new in greetings if greeting is None else (greeting, *greetings):
                append_message(connection, chat_id=chat_id, branch_id=branch_id, new=new)
        return chat_id

    def imported_as(self, user_id: str, import_key: str) -> tuple[str, bool] | None:
        """The chat that was imported under a key, and whether it is in the bin."""
        row = (
            self._db.read()
            .execute("SELECT id, deleted_at FROM chat WHERE user_id = ? AND import_key = ?", (user_id, import_key))
            .fetchone()
        )
        return (str(row["id"]), row["deleted_at"] is not None) if row is not None else None

    def drop_empty(self, scope: Scope) -> None:
        """Remove a chat in which nothing was ever said: one whose import was taken back. Any other stays."""
        self.check(scope)
        with self._db.write() as connection:
            if connection.execute("SELECT 1 FROM message WHERE chat_id = ? LIMIT 1", (scope.chat_id,)).fetchone() is None:
                connection.execute("DELETE FROM branch WHERE chat_id = ?", (scope.chat_id,))
                connection.execute("DELETE FROM chat WHERE id = ? AND user_id = ?", (scope.chat_id, scope.user_id))

    def rename(self, scope: Scope, title: str) -> None:
        self.check(scope)
        with self._db.write() as connection:
            connection.execute("UPDATE chat SET title = ?, version = version + 1 WHERE id = ?", (title, scope.chat_id))

    def arrange(self, scope: Scope, **places: str | bool) -> None:
        """What is the user's own about a chat (LISTED): where it stands in the list (`folder`, `favourite`, `archived`), and by which preset its replies are drawn
        (`sampling`). What is empty or false leaves no trace."""
        self.check(scope)
        with self._db.write() as connection:
            for name, value in places.items():
                if name not in LISTED:
                    raise ValueError(f"a list knows no {name}")
                if value:
                    statement = "UPDATE chat SET settings = json_set(settings, ?, json(?)), version = version + 1 WHERE id = ?"
                    connection.execute(statement, (f"$.{name}", json.dumps(value, ensure_ascii=False), scope.chat_id))
                else:
                    statement = "UPDATE chat SET settings = json_remove(settings, ?), version = version + 1 WHERE id = ?"
                    connection.execute(statement, (f"$.{name}", scope.chat_id))

    def bin(self, scope: Scope) -> None:
        """Put a chat into the bin: it is out of every list, its memory work rests, and nothing of it is erased."""
        self.check(scope)
        with self._db.write() as connection:
            connection.execute("UPDATE chat SET deleted_at = ?, version = version + 1 WHERE id = ?", (now_ms(), scope.chat_id))

    def unbin(self, user_id: str, chat_id: str) -> None:
        with self._db.write() as connection:
            back = connection.execute(
                "UPDATE chat SET deleted_at = NULL, version = version + 1 WHERE id = ? AND user_id = ? AND deleted_at IS NOT NULL",
                (chat_id, user_id),
            )
            if not back.rowcount:
                raise NotFound("This chat is not in the bin.")

    def binned(self, user_id: str) -> list[BinnedChat]:
        """The user's chats in the bin, newest first."""
        rows = self._db.read().execute(
            f"""SELECT c.*, k.name AS character_name, {MEMBERS}, coalesce(m.round, 0) AS rounds, {WEIGHT}, {PLAYER}
            FROM chat c JOIN character k ON k.id = c.character_id {PLAYED}
            JOIN branch b ON b.id = c.active_branch_id LEFT JOIN message m ON m.id = b.head_id
            WHERE c.deleted_at IS NOT NULL AND c.user_id = ? ORDER BY c.deleted_at DESC""",
            (user_id,),
        )
        return [binned_chat_of(row) for row in rows]

    def branch_chat(self, scope: Scope, branch_id: str) -> None:
        """NotFound unless the branch belongs to the scope's chat."""
        row = self._db.read().execute("SELECT 1 FROM branch WHERE id = ? AND chat_id = ?", (branch_id, scope.chat_id)).fetchone()
        if row is None:
            raise NotFound("This branch does not exist in this chat.")

    # Messages

    def append(
        self, scope: Scope, branch_id: str, new: Sequence[NewMessage], *, tasks: Sequence[NewTask] = (), after: str | None = None
    ) -> list[Message]:
        """Append messages to a branch's head and enqueue the tasks they cause, all in one transaction.

        A message whose `external_id` the chat has already is returned as it stands and not written again. With `after`, the head must still be that
        message (a reply belongs to the line it answers): ValueError otherwise.
        """
        self.check(scope)
        with self._db.write() as connection:
            if after is not None:
                head = connection.execute("SELECT head_id FROM branch WHERE id = ?", (branch_id,)).fetchone()["head_id"]
                newest = walk(connection, chat_id=scope.chat_id, branch_id=branch_id, start=head, limit=1) if head else []
                if [m.id for m in newest] != [after]:
                    raise ValueError("the conversation went on meanwhile")
            ids = [append_message(connection, chat_id=scope.chat_id, branch_id=branch_id, new=item) for item in new]
            for task in tasks:
                enqueue(connection, user_id=scope.user_id, chat_id=scope.chat_id, task=task)
            touch(connection, scope.chat_id)
            return [walk(connection, chat_id=scope.chat_id, branch_id=branch_id, start=item, limit=1)[0] for item in ids]

    def head(self, scope: Scope, branch_id: str) -> Message | None:
        """The newest message of a branch, or None in an empty one."""
        newest = self.path(scope.seen_by(""), branch_id, limit=1)
        return newest[0] if newest else None

    def path(self, scope: Scope, branch_id: str, *, limit: int, before: str | None = None) -> list[Message]:
        """Up to `limit` newest messages of a branch that the scope's witness saw, newest first; with `before`, those that precede that message."""
        self.check(scope)
        with self._db.snapshot() as connection:
            if before is None:
                row = connection.execute(
                    "SELECT head_id AS start FROM branch WHERE id = ? AND chat_id = ?", (branch_id, scope.chat_id)
                ).fetchone()
            else:
                row = connection.execute(
                    "SELECT parent_id AS start FROM message WHERE id = ? AND chat_id = ?", (before, scope.chat_id)
                ).fetchone()
            if row is None:
                raise NotFound("This part of the conversation does not exist.")
            if row["start"] is None:
                return []
            return walk(connection, chat_id=scope.chat_id, branch_id=branch_id, start=row["start"], limit=limit, witness=scope.witness)

    def messages(self, scope: Scope, branch_id: str, message_ids: Sequence[str]) -> list[Message]:
        """These messages of the scope's chat in the order asked, each with the revision the branch has; deleted and foreign ones are left out."""
        self.check(scope)
        found = []
        with self._db.snapshot() as connection:
            for message_id in message_ids:
                one = walk(connection, chat_id=scope.chat_id, branch_id=branch_id, start=message_id, limit=1, witness=scope.witness)
                found += [m for m in one if m.id == message_id]
        return found

    def speaker(self, scope: Scope, message_id: str) -> str:
        """Who said a message of the scope's chat; empty if there is none. It never changes."""
        row = self._db.read().execute("SELECT speaker FROM message WHERE id = ? AND chat_id = ?", (message_id, scope.chat_id)).fetchone()
        return str(row["speaker"]) if row is not None else ""

    def narrators(self, scope: Scope, memories: Iterable[Memory]) -> dict[str, frozenset[str]]:
        """By id of a remembered round the names under which, in its messages in the scope's chat, the story was told and nobody spoke."""
        self.check(scope)
        sources = [[memory.id, source.message_id] for memory in memories if memory.kind is Kind.EPISODE for source in memory.sources]
        rows = self._db.read().execute(
            """SELECT w.value ->> 0 AS memory_id, m.speaker FROM json_each(?) w CROSS JOIN message m ON m.id = w.value ->> 1 AND m.chat_id = ?
            GROUP BY 1, 2 HAVING MIN(m.role = 'narrator')""",
            (json.dumps(sources), scope.chat_id),
        )
        names: dict[str, frozenset[str]] = {}
        for row in rows:
            names[row["memory_id"]] = names.get(row["memory_id"], frozenset()) | {row["speaker"]}
        return names

    def place(self, scope: Scope, message_id: str) -> Place:
        """Where a message of the scope's chat stands in the tree; it never changes."""
        row = (
            self._db.read().execute("SELECT depth, round FROM message WHERE id = ? AND chat_id = ?", (message_id, scope.chat_id)).fetchone()
        )
        if row is None:
            raise NotFound("This message does not exist in this chat.")
        return Place(row["depth"], row["round"])

    def span(self, scope: Scope, branch_id: str, *, first_round: int, last_round: int) -> list[Message]:
        """The messages of some rounds of a branch, both ends included, oldest first, hidden ones left out."""
        self.check(scope)
        with self._db.snapshot() as connection:
            chat_id, witness = scope.chat_id, scope.witness
            return span(connection, chat_id=chat_id, branch_id=branch_id, first_round=first_round, last_round=last_round, witness=witness)

    def newest_round(self, scope: Scope, branch_id: str) -> list[Message]:
        """The messages of the branch's newest round, oldest first, hidden ones left out."""
        newest = self.path(scope.seen_by(""), branch_id, limit=MAX_ROUND_MESSAGES)
        return [m for m in reversed(newest) if m.round == newest[0].round and not m.hidden]

    def written_at(self, scope: Scope, message_id: str) -> datetime:
        """When a message of the scope's chat was written, whatever day it was in the story. Raises NotFound."""
        self.check(scope)
        row = self._db.read().execute("SELECT created_at FROM message WHERE chat_id = ? AND id = ?", (scope.chat_id, message_id)).fetchone()
        if row is None:
            raise NotFound("There is no such message.")
        return from_ms(row["created_at"])

    def version(self, scope: Scope) -> int:
        """A number that grows with every change to what the chat shows or remembers."""
        return self.chat(scope).version

    def external_ids(self, scope: Scope) -> set[str]:
        """The external ids of every message of the chat, for resuming an import."""
        self.check(scope)
        rows = self._db.read().execute("SELECT external_id FROM message WHERE chat_id = ? AND external_id IS NOT NULL", (scope.chat_id,))
        return {row["external_id"] for row in rows}

    def idle(self, *, before: datetime) -> list[tuple[str, str]]:
        """(user id, chat id) of every chat whose newest message was said before a moment and whose session is not closed since. Where a story has a clock
        of its own, or had one set to days that are not yet, the moment it was written counts; so it does of what was heard, which may be of long ago and
        come line by line.

        Upkeep over all chats: it reads and returns no content.
        """
        rows = self._db.read().execute(
            """SELECT c.user_id, c.id FROM chat c JOIN branch b ON b.id = c.active_branch_id JOIN message m ON m.id = b.head_id
            WHERE c.deleted_at IS NULL AND m.round > 0 AND ? >
                CASE WHEN c.settings ->> '$.clock' IS NULL AND NOT m.heard THEN min(m.said_at, m.created_at) ELSE m.created_at END
                AND NOT EXISTS (SELECT 1 FROM session s WHERE s.chat_id = c.id AND s.last_message_id = m.id)""",
            (to_ms(before),),
        )
        return [(row["user_id"], row["id"]) for row in rows]

    def session_closed(self, scope: Scope, last_message_id: str) -> bool:
        """Whether the session that ends with a message is over: its last round is final then."""
        self.check(scope)
        row = self._db.read().execute("SELECT 1 FROM session WHERE chat_id = ? AND last_message_id = ?", (scope.chat_id, last_message_id))
        return row.fetchone() is not None

    def session_ends(self, scope: Scope, message_ids: Sequence[str]) -> set[str]:
        """Of these messages, those with which a session ended."""
        self.check(scope)
        rows = self._db.read().execute(
            "SELECT s.last_message_id FROM json_each(?) w CROSS JOIN session s ON s.last_message_id = w.value WHERE s.chat_id = ?",
            (json.dumps(list(message_ids)), scope.chat_id),
        )
        return {row["last_message_id"] for row in rows}

    def close_session(self, scope: Scope, last_message_id: str, *, closed_by: str) -> None:
        """Record that the session that ends with a message is over; joins the caller's transaction. closed_by: `idle`, `user` or `import`."""
        self.check(scope)
        with self._db.write() as connection:
            connection.execute(
                "INSERT OR IGNORE INTO session (id, chat_id, last_message_id, closed_at, closed_by) VALUES (?, ?, ?, ?, ?)",
                (stable_id("session", scope.chat_id, last_message_id), scope.chat_id, last_message_id, now_ms(), closed_by),
            )
