"""Every row of one chat, read in one moment and written in one transaction: what a bundle (`chat.portable`) is made from and becomes.

Left out: what belongs to a folder and not to a chat (users, settings, vectors, reranker weights), what is made anew (the word index), and columns that
only mean something here (leases of tasks, their errors).
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from storage.chats import Chats
from storage.database import Database
from storage.memory_rows import scope_token
from storage.scope import Scope
from storage.terms import index_text

COLUMNS: Mapping[str, tuple[str, ...]] = {
    "character": ("id", "user_id", "name", "language", "card", "card_v3", "persona", "stances", "created_at", "updated_at"),
    "character_file": ("character_id", "kind", "name", "content"),
    "player_persona": ("id", "user_id", "name", "description", "face", "created_at", "updated_at", "removed_at"),
    "chat": (
        *("id", "user_id", "character_id", "title", "language", "user_name", "import_key", "active_branch_id"),
        *("version", "structure", "edition", "settings", "created_at", "updated_at"),
    ),
    "chat_player": ("chat_id", "player_id", "name"),
    "chat_member": ("chat_id", "place", "character_id", "name", "joined"),
    "message": (
        *("id", "chat_id", "parent_id", "depth", "round", "role", "speaker", "said_at", "utc_offset", "story_time"),
        *("present", "room", "heard", "external_id", "created_at"),
    ),
    "revision": ("id", "message_id", "ordinal", "text", "sha256", "origin", "status", "model", "player", "created_at"),
    "revision_words": ("ordinal", "revision_id"),
    "message_fts": ("rowid", "scope", "words"),
    "extraction": ("revision_id", "question_id", "version", "chat_id"),
    "branch": ("id", "chat_id", "parent_id", "forked_at", "name", "head_id", "created_at", "deleted_at"),
    "selection": ("branch_id", "message_id", "revision_id", "state"),
    "story_end": ("branch_id", "message_id"),
    "wording_out": ("branch_id", "revision_id", "taken_at"),
    "session": ("id", "chat_id", "last_message_id", "closed_at", "closed_by"),
    "memory": (
        *("ordinal", "id", "chat_id", "kind", "text", "language", "subject", "said_by", "knowers", "payload", "round_first", "round_last"),
        *("said_at", "utc_offset", "event_from", "event_to", "trust", "pinned", "excluded", "status", "origin", "slot", "slot_rank"),
        *("derivation_key", "text_sha256", "source_count", "created_at"),
    ),
    "memory_source": ("memory_id", "message_id", "revision_id", "sha256"),
    "memory_ground": ("memory_id", "ground_id", "ordinal"),
    "memory_fts": ("rowid", "scope", "words"),
    "derivation": ("chat_id", "key", "kind", "version", "output", "created_at"),
    "recall_event": ("memory_id", "message_id", "chat_id", "round", "rank", "effect", "created_at", "witness"),
    "forgetting_event": ("memory_id", "message_id", "chat_id", "round", "effect", "created_at", "witness"),
    "receipt": ("id", "chat_id", "message_id", "revision_id", "body", "created_at"),
    "user_edit": ("user_id", "chat_id", "memory_id", "action", "content", "content_sha256", "message_id", "created_at"),
    "undo_log": ("chat_id", "branch_id", "operation", "forward", "backward", "undone", "created_at"),
    "bin_item": ("id", "chat_id", "branch_id", "kind", "message_id", "head_id", "created_at"),
    "task": ("key", "kind", "user_id", "chat_id", "branch_id", "payload", "state", "created_at", "finished_at", "rank"),
}
"""Tables and columns that a chat is written with, each table after those it refers to."""

_ORDER: Mapping[str, str] = {
    # Parents and grounds have lower numbers than what rests on them; so have facts lower ordinals than their insights.
    "message": "depth, rowid",
    "branch": "rowid",
    "session": "closed_at, last_message_id",
    "memory": "ordinal",
    "derivation": "key",
    "forgetting_event": "id",
    "receipt": "rowid",
    "user_edit": "id",
    "undo_log": "id",
    "bin_item": "rowid",
    "task": "id",
}
_NAMED = ("message", "branch", "memory", "receipt", "bin_item")
PAGE = 500
"""Rows whose parts are fetched together."""
BUFFER = 2_000


class ChatRows:
    """A chat's rows inside one read transaction, in an order in which each comes after what it refers to."""

    def __init__(self, connection: sqlite3.Connection, chat_id: str) -> None:
        self._connection = connection
        self._chat_id = chat_id

    def chat(self) -> sqlite3.Row:
        return self._one("SELECT * FROM chat WHERE id = ?")

    def character(self) -> sqlite3.Row:
        return self._one("SELECT k.* FROM chat c JOIN character k ON k.id = c.character_id WHERE c.id = ?")

    def members(self) -> list[sqlite3.Row]:
        """Of several characters each with its name here, in their order; none where there is one."""
        return self._connection.execute(
            "SELECT k.*, n.name AS member, n.joined FROM chat_member n JOIN character k ON k.id = n.character_id WHERE n.chat_id = ? ORDER BY n.place",
            (self._chat_id,),
        ).fetchall()

    def avatar(self, character_id: str) -> bytes | None:
        """The picture of one of its characters."""
        row = self._connection.execute(
            "SELECT content FROM character_file WHERE character_id = ? AND kind = 'avatar'", (character_id,)
        ).fetchone()
        return bytes(row["content"]) if row is not None else None

    def players(self) -> list[sqlite3.Row]:
        """The personas that the chat has and had, each once for each name it had there."""
        return self._connection.execute(
            """SELECT p.*, h.name AS called FROM chat_player h JOIN player_persona p ON p.id = h.player_id WHERE h.chat_id = ?
            ORDER BY p.created_at, p.rowid, h.name""",
            (self._chat_id,),
        ).fetchall()

    def count(self, table: str) -> int:
        return int(self._one(f"SELECT count(*) AS n FROM {table} WHERE chat_id = ?")["n"])

    def cues(self) -> int:
        """Messages that recall events hang on."""
        return int(self._one("SELECT count(DISTINCT message_id) AS n FROM recall_event WHERE chat_id = ?")["n"])

    def rows(self, table: str) -> Iterator[sqlite3.Row]:
        yield from self._connection.execute(f"SELECT * FROM {table} WHERE chat_id = ? ORDER BY {_ORDER[table]}", (self._chat_id,))

    def paged(self, table: str) -> Iterator[list[sqlite3.Row]]:
        """The rows of a table, PAGE at a time."""
        page: list[sqlite3.Row] = []
        for row in self.rows(table):
            page.append(row)
            if len(page) == PAGE:
                yield page
                page = []
        if page:
            yield page

    def parts(self, statement: str, ids: Iterable[str], *, by: str) -> dict[str, list[sqlite3.Row]]:
        """Rows that belong to some of the ids, by the column that says to which. statement: with `w.value` for an id."""
        found: dict[str, list[sqlite3.Row]] = {}
        for row in self._connection.execute(statement, (json.dumps(list(ids)),)):
            found.setdefault(row[by], []).append(row)
        return found

    def recalls(self) -> Iterator[list[sqlite3.Row]]:
        """Recall events, those of one message together, best rank first; messages in order of depth."""
        group: list[sqlite3.Row] = []
        for row in self._connection.execute(
            """SELECT e.* FROM recall_event e JOIN message m ON m.id = e.message_id WHERE e.chat_id = ?
            ORDER BY m.depth, m.rowid, e.rank, e.memory_id""",
            (self._chat_id,),
        ):
            if group and group[0]["message_id"] != row["message_id"]:
                yield group
                group = []
            group.append(row)
        if group:
            yield group

    def _one(self, statement: str) -> sqlite3.Row:
        row: sqlite3.Row = self._connection.execute(statement, (self._chat_id,)).fetchone()
        return row


class RowWriter:
    """Rows of a new chat, written together; inside one transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._waiting: dict[str, list[Sequence[object]]] = {table: [] for table in COLUMNS}
        self._count = 0
        (newest,) = connection.execute(
            "SELECT max((SELECT coalesce(max(ordinal), 0) FROM memory), (SELECT coalesce(max(rowid), 0) FROM memory_fts))"
        ).fetchone()
        self._ordinal: int = newest
        (self._wording,) = connection.execute("SELECT coalesce(max(ordinal), 0) FROM revision_words").fetchone()

    def next_ordinal(self) -> int:
        """The ordinal of the next memory."""
        self._ordinal += 1
        return self._ordinal

    def add(self, table: str, *values: object) -> None:
        """values: in the order of COLUMNS."""
        self._waiting[table].append(values)
        self._count += 1
        if self._count >= BUFFER:
            self.flush()

    def add_words(self, ordinal: int, chat_id: str, text: str) -> None:
        self.add("memory_fts", ordinal, scope_token(chat_id), index_text(text))

    def add_wording(self, chat_id: str, revision_id: str, text: str) -> None:
        """Make a wording searchable."""
        self._wording += 1
        self.add("revision_words", self._wording, revision_id)
        self.add("message_fts", self._wording, scope_token(chat_id), index_text(text))

    def flush(self) -> None:
        for table, rows in self._waiting.items():
            if rows:
                columns = COLUMNS[table]
                marks = ", ".join("?" * len(columns))
                self._connection.executemany(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})", rows)
                rows.clear()
        self._count = 0


class Bundles:
    def __init__(self, database: Database, chats: Chats) -> None:
        self._db = database
        self._chats = chats

    @contextmanager
    def reading(self, scope: Scope) -> Iterator[ChatRows]:
        """The scope's one chat as it stands now, however long reading takes. In one thread."""
        self._chats.check(scope)
        with self._db.snapshot() as connection:
            yield ChatRows(connection, scope.chat_id)

    @contextmanager
    def writing(self) -> Iterator[RowWriter]:
        """One transaction for a whole chat."""
        with self._db.write() as connection:
            writer = RowWriter(connection)
            yield writer
            writer.flush()

    # Asked inside `writing`, so that the answers hold

    def chat_exists(self, chat_id: str) -> bool:
        """Whether the id is taken, by whomever, in the bin or not."""
        return self._first("SELECT 1 FROM chat WHERE id = ?", chat_id) is not None

    def taken(self, ids: Sequence[str]) -> set[str]:
        """Of these ids, those that a message, branch, memory, receipt or thing in a bin has."""
        found: set[str] = set()
        with self._db.write() as connection:
            for table in _NAMED:
                rows = connection.execute(f"SELECT t.id FROM json_each(?) w JOIN {table} t ON t.id = w.value", (json.dumps(list(ids)),))
                found.update(row["id"] for row in rows)
        return found

    def character(self, character_id: str) -> tuple[str | None, str] | None:
        """(owner, None for a built-in one; card as it is used) of a character; None if there is none."""
        row = self._first("SELECT user_id, card_v3 FROM character WHERE id = ?", character_id)
        return (row["user_id"], row["card_v3"]) if row is not None else None

    def player(self, player_id: str) -> tuple[str, str, str] | None:
        """(owner, name, what it says) of a player's persona; None if there is none."""
        row = self._first("SELECT user_id, name, description FROM player_persona WHERE id = ?", player_id)
        return (row["user_id"], row["name"], row["description"]) if row is not None else None

    def player_like(self, user_id: str, name: str, description: str) -> str | None:
        """The id of a persona in the user's list that is so called and says so."""
        row = self._first(
            "SELECT id FROM player_persona WHERE user_id = ? AND name = ? AND description = ? AND removed_at IS NULL ORDER BY created_at",
            *(user_id, name, description),
        )
        return str(row["id"]) if row is not None else None

    def players_of(self, user_id: str) -> int:
        """How many personas are in the user's list."""
        row = self._first("SELECT count(*) AS n FROM player_persona WHERE user_id = ? AND removed_at IS NULL", user_id)
        return int(row["n"]) if row is not None else 0

    def other_users(self, user_id: str) -> bool:
        return self._first("SELECT 1 FROM user WHERE id <> ?", user_id) is not None

    def _first(self, statement: str, *values: str) -> sqlite3.Row | None:
        with self._db.write() as connection:
            row: sqlite3.Row | None = connection.execute(statement, values).fetchone()
            return row
