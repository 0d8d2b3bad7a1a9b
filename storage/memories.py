"""Memories, their sources, what a branch may see of them, their words for sparse search, and recall events."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime

from storage import words
from storage.absences import Absence, absences, unseen
from storage.chat_rows import touch
from storage.chats import Chats
from storage.database import Database
from storage.memory_rows import insert_memory, memory_of
from storage.memory_values import Told, told_under
from storage.paths import ACTIVE, PATH
from storage.records import Effect, Kind, Memory, RecallEvent, Source, now_ms
from storage.scope import Scope
from storage.visibility import Visibility, forgotten
from storage.visible import VisibleSet
from storage.witnesses import KNOWN, check_witness
from storage.words import KeyRow, Rarity


class Memories:
    """All reads take a Scope; a memory is seen only if every source of it is on the branch's path with the same hash."""

    def __init__(self, database: Database, chats: Chats) -> None:
        self._db = database
        self._chats = chats
        self._visibility = Visibility()

    # Writing

    def add(
        self, scope: Scope, memories: Sequence[Memory], *, events: Sequence[RecallEvent] = (), cue_message_id: str | None = None
    ) -> list[Memory]:
        """Store memories whose sources still hold, and a cue's recall events, in one transaction. Returns the memories that were new.

        A memory whose source was edited or removed since it was derived is dropped here (compare and swap); one that exists is left as it is.
        """
        self._chats.check(scope)
        with self._db.write() as connection:
            added = [m for m in memories if insert_memory(connection, m)]
            if events and cue_message_id is not None:
                self._record(connection, scope, cue_message_id, events)
            if added or events:
                touch(connection, scope.chat_id, said=False)
        return added

    def record_events(self, scope: Scope, cue_message_id: str, events: Sequence[RecallEvent]) -> None:
        """Hang a cue's recall events on its user message; a second recall for the same message changes nothing."""
        self._chats.check(scope)
        with self._db.write() as connection:
            self._record(connection, scope, cue_message_id, events)
            touch(connection, scope.chat_id, said=False)

    def forget(self, scope: Scope, message_id: str, memory_ids: Sequence[str], *, round_number: int) -> None:
        """Hang on a message of the path that memories were forgotten there. Nothing is erased; doing it again changes nothing."""
        if not memory_ids:
            return
        self._chats.check(scope)
        with self._db.write() as connection:
            connection.executemany(
                """INSERT OR IGNORE INTO forgetting_event (memory_id, message_id, chat_id, round, effect, created_at, witness)
                VALUES (?, ?, ?, ?, 'forgotten', ?, ?)""",
                [(i, message_id, scope.chat_id, round_number, now_ms(), scope.witness) for i in memory_ids],
            )
            connection.execute("UPDATE chat SET version = version + 1, structure = structure + 1 WHERE id = ?", (scope.chat_id,))

    @staticmethod
    def _record(connection: sqlite3.Connection, scope: Scope, message_id: str, events: Sequence[RecallEvent]) -> None:
        there = connection.execute("SELECT 1 FROM recall_event WHERE message_id = ? AND witness = ? LIMIT 1", (message_id, scope.witness))
        if there.fetchone() is not None:
            return
        connection.executemany(
            "INSERT INTO recall_event (memory_id, message_id, chat_id, round, rank, effect, created_at, witness) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (e.memory_id, message_id, scope.chat_id, e.round, rank, e.effect.value, now_ms(), scope.witness)
                for rank, e in enumerate(events, start=1)
            ],
        )

    # Reading

    @contextmanager
    def _as_witness(self, scope: Scope, branch_id: str) -> Iterator[sqlite3.Connection]:
        """One moment of a branch of the scope's chat, as one of its characters where there are several. Raises NotFound and WitnessMissing."""
        self._chats.check(scope)
        self._chats.branch_chat(scope, branch_id)
        with self._db.snapshot() as connection:
            check_witness(connection, scope)
            yield connection

    def visible(self, scope: Scope, branch_id: str) -> VisibleSet:
        """The memories that a branch of the scope's chat may see and has not forgotten."""
        with self._as_witness(scope, branch_id) as connection:
            return self._visibility.of(connection, chat_id=scope.chat_id, branch_id=branch_id, witness=scope.witness)

    def forgotten(self, scope: Scope, branch_id: str) -> VisibleSet:
        """The memories that a branch may see but has forgotten: out of recall, not erased."""
        with self._as_witness(scope, branch_id) as connection:
            kept = self._visibility.of(connection, chat_id=scope.chat_id, branch_id=branch_id, witness=scope.witness)
            return forgotten(connection, chat_id=scope.chat_id, branch_id=branch_id, kept=kept, witness=scope.witness)

    def on_path(self, scope: Scope, branch_id: str) -> VisibleSet:
        """The memories that a branch may see, forgotten or not."""
        with self._as_witness(scope, branch_id) as connection:
            kept = self._visibility.of(connection, chat_id=scope.chat_id, branch_id=branch_id, witness=scope.witness)
            return kept.joined(forgotten(connection, chat_id=scope.chat_id, branch_id=branch_id, kept=kept, witness=scope.witness))

    def unseen(self, scope: Scope, visible: VisibleSet, ends: Mapping[Kind, int]) -> VisibleSet:
        """What the scope's chat has of some kinds, each before a round, and a visible set of it has not (`storage.absences`)."""
        self._chats.check(scope)
        check_witness(self._db.read(), scope)
        return unseen(self._db.read(), chat_id=scope.chat_id, visible=visible, ends=ends, witness=scope.witness)

    def absences(self, scope: Scope, branch_id: str, ids: Iterable[str], *, held_back: Collection[str]) -> dict[str, Absence]:
        """Why a branch does not recall memories, by id, of those it does not (`storage.absences`)."""
        chat_id, witness = scope.chat_id, scope.witness
        with (
            self._as_witness(scope, branch_id) as connection,
            self._visibility.state(connection, chat_id=chat_id, branch_id=branch_id, witness=witness) as state,
        ):
            return absences(connection, state, chat_id=chat_id, branch_id=branch_id, witness=witness, ids=ids, held_back=held_back)

    def slots(self, scope: Scope) -> set[str]:
        """Every slot that a memory of the scope's chats has or had, whatever its state."""
        self._chats.check(scope)
        rows = self._db.read().execute(
            "SELECT DISTINCT slot FROM memory WHERE chat_id IN (SELECT value FROM json_each(?))", (json.dumps(sorted(scope.chat_ids)),)
        )
        return {row["slot"] for row in rows}

    def standing(self, scope: Scope, memories: Sequence[Memory]) -> set[str]:
        """Ids of those of derived memories that stand as active ones on the very wordings they were derived from."""
        self._chats.check(scope)
        rows = self._db.read().execute(
            """SELECT w.value ->> 0 AS id FROM json_each(?) w CROSS JOIN memory m ON m.id = w.value ->> 0
            WHERE m.status = 'active' AND m.chat_id IN (SELECT value FROM json_each(?)) AND NOT EXISTS (
                SELECT 1 FROM json_each(w.value, '$[1]') r
                WHERE NOT EXISTS (SELECT 1 FROM memory_source s WHERE s.memory_id = m.id AND s.revision_id = r.value)
            )""",
            (json.dumps([[m.id, [s.revision_id for s in m.sources]] for m in memories]), json.dumps(sorted(scope.chat_ids))),
        )
        return {row["id"] for row in rows}

    def supersede(self, scope: Scope, ids: Iterable[str]) -> None:
        """Take the place of derived memories away; each comes back when it is derived again. What a person wrote or pinned stays."""
        wanted = list(ids)
        if not wanted:
            return
        self._chats.check(scope)
        with self._db.write() as connection:
            connection.execute(
                """UPDATE memory SET status = 'superseded' WHERE chat_id = ? AND status = 'active' AND origin = 'model' AND pinned = 0
                    AND id IN (SELECT value FROM json_each(?))""",
                (scope.chat_id, json.dumps(wanted)),
            )
            connection.execute("UPDATE chat SET version = version + 1, structure = structure + 1 WHERE id = ?", (scope.chat_id,))

    def get(self, scope: Scope, ids: Iterable[str]) -> dict[str, Memory]:
        """The scope's memories with these ids; foreign and unknown ids are simply not in the answer, nor what the scope's witness cannot know."""
        self._chats.check(scope)
        wanted = list(dict.fromkeys(ids))
        connection = self._db.read()
        chats = json.dumps(sorted(scope.chat_ids))
        rows = connection.execute(
            f"""SELECT m.* FROM json_each(:ids) x CROSS JOIN memory m ON m.id = x.value
            WHERE m.chat_id IN (SELECT value FROM json_each(:chats)) AND {KNOWN}""",
            {"ids": json.dumps(wanted), "chats": chats, "witness": scope.witness},
        ).fetchall()
        sources: dict[str, list[Source]] = {row["id"]: [] for row in rows}
        for row in connection.execute(
            "SELECT s.* FROM json_each(?) w CROSS JOIN memory_source s ON s.memory_id = w.value", (json.dumps(list(sources)),)
        ):
            sources[row["memory_id"]].append(Source(row["message_id"], row["revision_id"], row["sha256"]))
        grounds: dict[str, list[str]] = {}
        for row in connection.execute(
            "SELECT g.* FROM json_each(?) w CROSS JOIN memory_ground g ON g.memory_id = w.value ORDER BY g.memory_id, g.ordinal",
            (json.dumps(list(sources)),),
        ):
            grounds.setdefault(row["memory_id"], []).append(row["ground_id"])
        return {row["id"]: memory_of(row, tuple(sources[row["id"]]), tuple(grounds.get(row["id"], ()))) for row in rows}

    def told_under(self, scope: Scope, visible: VisibleSet, keys: Iterable[str]) -> list[Told]:
        """Values of the persona under some keys, of those that may be seen."""
        return told_under(self._db.read(), scope, visible, keys)

    def search_words(
        self,
        scope: Scope,
        visible: VisibleSet,
        text: str,
        *,
        around: Sequence[str] = (),
        counted: Rarity | None = None,
        limit: int,
    ) -> list[tuple[str, float]]:
        """(memory id, BM25 score, higher is better) of the visible memories that share content terms with a text, best first. around: terms of the talk
        before it, which count where they are rare; counted: `rarity` of all of them, if it is known."""
        return words.search(self._db.read(), scope, visible, text, around=around, counted=counted, limit=limit)

    def rarity(self, visible: VisibleSet, terms: Iterable[str]) -> Rarity:
        """How rare terms are among visible memories."""
        return words.rarity(self._db.read(), visible, terms)

    def keys(self, scope: Scope, ids: Iterable[str]) -> dict[str, KeyRow]:
        """What decides whether memories of the scope are found, by id."""
        self._chats.check(scope)
        return words.key_rows(self._db.read(), scope, ids)

    def told_within(self, scope: Scope, visible: VisibleSet, first: datetime, last: datetime, *, limit: int) -> list[str]:
        """Visible memories that were said, or tell of something, between two times; the newest first."""
        self._chats.check(scope)
        return words.told_within(self._db.read(), scope, visible, first, last, limit=limit)

    def events(self, scope: Scope, branch_id: str) -> list[RecallEvent]:
        """Recall events that hang on user messages of a branch's path, in no particular order."""
        self._chats.branch_chat(scope, branch_id)
        # The plus keeps SQLite from looking through all events of the chat for every message: 5,000 events took 1.1 s, and take 8 ms.
        rows = self._db.read().execute(
            f"""WITH RECURSIVE {PATH}, {ACTIVE}
            SELECT e.memory_id, e.round, e.effect FROM active a CROSS JOIN recall_event e ON e.message_id = a.message_id
            WHERE +e.chat_id = :chat AND e.witness = :witness""",
            {"branch": branch_id, "chat": scope.chat_id, "witness": scope.witness},
        )
        return [RecallEvent(row["memory_id"], row["round"], Effect(row["effect"])) for row in rows]

    def has_events(self, scope: Scope, message_id: str) -> bool:
        """Whether a cue was already recalled for: a second reply to it must not count twice."""
        self._chats.check(scope)
        row = (
            self._db.read()
            .execute(
                "SELECT 1 FROM recall_event WHERE message_id = ? AND chat_id = ? AND witness = ? LIMIT 1",
                (message_id, scope.chat_id, scope.witness),
            )
            .fetchone()
        )
        return row is not None
