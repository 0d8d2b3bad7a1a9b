"""What a person decided about memories: edits, pins, exclusions, deletions; and how it holds when memories are derived anew.

A decision changes the memory's row and is written down (`user_edit`) with what the memory is known by whatever its id: a message it hangs on and a
hash of what the model made there. Extraction of another version, a rebuild or another branch may derive the same under another id; the decision finds it.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence

from storage.chats import Chats
from storage.database import Database
from storage.decisions import Identity, decided, in_model_words, known_by, twins
from storage.errors import CannotUndo, MemoryNotFound
from storage.former import Faded, Former, Worded, bring_back, fade_as_before, word_as_before, worded
from storage.paths import PATH
from storage.records import CARRIED, UNIT, Memory, Revision, now_ms, sha256
from storage.scope import Scope
from storage.terms import index_text

FIRST_RANK = "!"
"""Of several memories in one slot the one that a person wrote shows: it sorts before every rank that is derived."""

Erase = Callable[[sqlite3.Connection, str, str, str], Sequence[str]]
"""(connection, user id, chat id, memory id) -> ids of everything that was erased, the memory's first (`storage.erasures.Erasures.memory`)."""

_RESTING = """
    WITH RECURSIVE resting (id) AS (
        SELECT g.memory_id FROM json_each(:ids) w JOIN memory_ground g ON g.ground_id = w.value
        UNION SELECT g.memory_id FROM resting r JOIN memory_ground g ON g.ground_id = r.id
    )"""


_TAKEN_ALONG = """
    WITH wording AS (
        SELECT s.message_id, s.revision_id, s.sha256, r.ordinal FROM memory_source s CROSS JOIN revision r ON r.id = s.revision_id
        WHERE s.memory_id = ?
    )
    SELECT w.revision_id FROM wording w
    WHERE EXISTS (SELECT 1 FROM wording f WHERE f.message_id = w.message_id AND f.ordinal < w.ordinal AND f.sha256 <> w.sha256)"""
"""The wordings of its messages that a memory rests on because a person wrote about an older one."""


class Controls:
    def __init__(self, database: Database, chats: Chats) -> None:
        self._db = database
        self._chats = chats

    # Decisions: one transaction each, or a part of the caller's

    def edit(self, scope: Scope, memory_id: str, *, text: str, language: str, payload: Mapping[str, object] | None = None) -> Worded | None:
        """Put a person's own words in the place of a memory's; what it was, or None if it says that already. payload: entries to replace. Raises
        MemoryNotFound.

        Id, scores, grounds and what else the model read stay. What the model made of the old words is taken away and comes back if it is derived again.
        """
        self._chats.check(scope)
        with self._db.write() as connection:
            row = _row(connection, scope, memory_id)
            if row["text"] == text:
                return None
            former = worded(connection, row, now=sha256(text))
            known = self._decide(connection, scope, row, "edit", content=text)
            # Of a person who takes the model's own words back nothing is left.
            own, carried = in_model_words(row, text, known), row["source_count"] == 0
            kept = {**(payload or {}), **({CARRIED: {"edited": not own}} if carried else {})}
            connection.execute(
                """UPDATE memory SET text = :text, text_sha256 = :sha, language = :language, origin = :origin,
                    payload = json_patch(payload, :payload), slot_rank = CASE slot WHEN '' THEN slot_rank ELSE :first END WHERE id = :id""",
                {
                    "text": text,
                    "sha": sha256(text),
                    "language": language,
                    "origin": "model" if own and not carried else "user",
                    "payload": json.dumps(kept, ensure_ascii=False),
                    "first": FIRST_RANK,
                    "id": memory_id,
                },
            )
            if own:
                _leave_wordings(connection, scope, memory_id)
            connection.execute("UPDATE memory_fts SET words = ? WHERE rowid = ?", (index_text(text), row["ordinal"]))
            _release(connection, [memory_id])
            _restructured(connection, scope)
            return former

    def take_back(self, scope: Scope, former: Former) -> None:
        """Let a memory be what it was before a decision. Raises MemoryNotFound, and CannotUndo if something else was decided since."""
        self._chats.check(scope)
        with self._db.write() as connection:
            row = _row(connection, scope, former.memory_id)
            if isinstance(former, Faded):
                if not fade_as_before(connection, scope.chat_id, former):
                    raise CannotUndo("This cannot be taken back any more. Nothing was changed.")
            else:
                if row["text_sha256"] != former.now:
                    raise CannotUndo("This memory has been edited again since. Nothing was changed.")
                self._decide(connection, scope, row, "edit", content=former.text)
                if former.origin == "model":
                    _leave_wordings(connection, scope, former.memory_id)
                word_as_before(connection, row, former)
                _release(connection, [former.memory_id])
            _restructured(connection, scope)

    def pin(self, scope: Scope, memory_id: str, pinned: bool) -> bool:
        """Keep a memory in every prompt and from being forgotten, or no longer; False if it is so already. Raises MemoryNotFound."""
        return self._mark(scope, memory_id, "pinned", pinned, "pin" if pinned else "unpin")

    def exclude(self, scope: Scope, memory_id: str, excluded: bool) -> bool:
        """Keep a memory out of recall, sketch and story, or no longer; False if it is so already. Raises MemoryNotFound."""
        return self._mark(scope, memory_id, "excluded", excluded, "exclude" if excluded else "include")

    def _mark(self, scope: Scope, memory_id: str, column: str, value: bool, action: str) -> bool:
        self._chats.check(scope)
        with self._db.write() as connection:
            row = _row(connection, scope, memory_id)
            if bool(row[column]) == value:
                return False
            known = self._decide(connection, scope, row, action)
            ids = [memory_id, *twins(connection, row, known)]
            connection.execute(
                f"UPDATE memory SET {column} = ? WHERE id IN (SELECT value FROM json_each(?))", (int(value), json.dumps(ids))
            )
            if column == "excluded":
                _release(connection, ids)
            _restructured(connection, scope)
            return True

    def delete(self, scope: Scope, memory_id: str, erase: Erase) -> tuple[str, ...]:
        """Erase a memory's text, and all that says the same there, for good; ids of everything erased. Raises MemoryNotFound.

        Of the decision only a hash is kept, so that what was deleted is known when it is derived again and is not kept then.
        """
        self._chats.check(scope)
        with self._db.write() as connection:
            row = _row(connection, scope, memory_id)
            known = known_by(connection, row)
            erased: dict[str, None] = {}
            for twin in (memory_id, *twins(connection, row, known)):
                erased |= dict.fromkeys(erase(connection, scope.user_id, scope.chat_id, twin))
            self._decide(connection, scope, row, "tombstone", known=known)
            _restructured(connection, scope)
            return tuple(erased)

    def restore(self, scope: Scope, memory_id: str, *, message_id: str, round_number: int) -> Faded | None:
        """Hang on a message of the path that a forgotten memory was brought back there; what it was. Raises MemoryNotFound."""
        self._chats.check(scope)
        with self._db.write() as connection:
            row = _row(connection, scope, memory_id)
            self._decide(connection, scope, row, "restore")
            former = bring_back(
                connection,
                memory_id,
                message_id=message_id,
                chat_id=scope.chat_id,
                round_number=round_number,
                witness=scope.witness,
                at=now_ms(),
            )
            _restructured(connection, scope)
            return former

    def carry(self, scope: Scope, old: Revision, new: Revision) -> None:
        """Let what a person wrote about one wording of a message hold for the next one as well, inside the caller's transaction."""
        self._chats.check(scope)
        with self._db.write() as connection:
            connection.execute(
                """INSERT OR IGNORE INTO memory_source (memory_id, message_id, revision_id, sha256)
                SELECT s.memory_id, s.message_id, ?, ? FROM memory_source s CROSS JOIN memory m ON m.id = s.memory_id
                WHERE s.revision_id = ? AND m.origin = 'user' AND m.chat_id = ?""",
                (new.id, new.sha256, old.id, scope.chat_id),
            )
            _restructured(connection, scope)

    def supersede_all(self, scope: Scope) -> None:
        """Take away everything the model made in the chat, but for what is pinned or edited, with the marks of what was read: all of it is derived anew."""
        self._chats.check(scope)
        with self._db.write() as connection:
            connection.execute(
                "UPDATE memory SET status = 'superseded' WHERE chat_id = ? AND status = 'active' AND origin = 'model' AND pinned = 0",
                (scope.chat_id,),
            )
            connection.execute("DELETE FROM extraction WHERE chat_id = ?", (scope.chat_id,))
            connection.execute("DELETE FROM derivation WHERE chat_id = ?", (scope.chat_id,))
            _restructured(connection, scope)

    @staticmethod
    def _decide(
        connection: sqlite3.Connection, scope: Scope, row: sqlite3.Row, action: str, *, content: str = "", known: Identity | None = None
    ) -> Identity:
        known = known or known_by(connection, row)
        connection.execute(
            """INSERT INTO user_edit (user_id, chat_id, memory_id, action, content, content_sha256, message_id, created_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)""",
            (scope.user_id, scope.chat_id, row["id"], action, content, known.content, known.message_id, now_ms()),
        )
        return known

    # Reading

    def wanted(self, scope: Scope, memories: Sequence[Memory]) -> list[Memory]:
        """Those of newly derived memories that no decision keeps out: what is not to be kept need not be embedded either."""
        self._chats.check(scope)
        with self._db.snapshot() as connection:
            return [m for m in memories if decided(connection, m) is not None]

    def first_wordings(self, scope: Scope, memory_ids: Iterable[str]) -> dict[tuple[str, str], str]:
        """(memory id, message id) -> hash of the wording that the memory was derived from, whatever further ones a person's words were taken along to."""
        self._chats.check(scope)
        rows = self._db.read().execute(
            """SELECT s.memory_id, s.message_id, s.sha256, min(r.ordinal) FROM json_each(?) w CROSS JOIN memory_source s ON s.memory_id = w.value
            CROSS JOIN revision r ON r.id = s.revision_id CROSS JOIN message m ON m.id = s.message_id
            WHERE m.chat_id IN (SELECT value FROM json_each(?)) GROUP BY s.memory_id, s.message_id""",
            (json.dumps(list(memory_ids)), json.dumps(sorted(scope.chat_ids))),
        )
        return {(row["memory_id"], row["message_id"]): row["sha256"] for row in rows}

    def held_back(self, scope: Scope) -> set[str]:
        """Memories of the scope's chats that rest on an excluded one: they are not recalled either."""
        self._chats.check(scope)
        rows = self._db.read().execute(
            """SELECT g.memory_id FROM memory f CROSS JOIN memory_ground g ON g.ground_id = f.id
            WHERE f.excluded = 1 AND f.chat_id IN (SELECT value FROM json_each(?))""",
            (json.dumps(sorted(scope.chat_ids)),),
        )
        return {row["memory_id"] for row in rows}

    def restored(self, scope: Scope, branch_id: str, *, after_round: int) -> set[str]:
        """What was brought back on the branch's path after a round and has not been forgotten since."""
        self._chats.check(scope)
        self._chats.branch_chat(scope, branch_id)
        rows = self._db.read().execute(
            f"""WITH RECURSIVE {PATH} SELECT memory_id FROM (
                SELECT memory_id, effect, round, max(id) FROM forgetting_event
                WHERE chat_id = :chat AND witness = :witness AND message_id IN (SELECT id FROM path) GROUP BY memory_id
            ) WHERE effect = 'restored' AND round > :round""",
            {"branch": branch_id, "chat": scope.chat_id, "round": after_round, "witness": scope.witness},
        )
        return {row["memory_id"] for row in rows}

    def of_messages(self, scope: Scope, message_ids: Iterable[str]) -> set[str]:
        """Ids of the memories of the scope's chats that rest on a wording of one of these messages, whatever their state."""
        self._chats.check(scope)
        rows = self._db.read().execute(
            """SELECT DISTINCT s.memory_id FROM json_each(?) w CROSS JOIN message m ON m.id = w.value CROSS JOIN revision r ON r.message_id = m.id
            CROSS JOIN memory_source s ON s.revision_id = r.id WHERE m.chat_id IN (SELECT value FROM json_each(?))""",
            (json.dumps(list(message_ids)), json.dumps(sorted(scope.chat_ids))),
        )
        return {row["memory_id"] for row in rows}


def _row(connection: sqlite3.Connection, scope: Scope, memory_id: str) -> sqlite3.Row:
    row: sqlite3.Row | None = connection.execute(
        "SELECT * FROM memory WHERE id = ? AND chat_id = ? AND status = 'active'", (memory_id, scope.chat_id)
    ).fetchone()
    if row is None:
        raise MemoryNotFound("This memory is not there any more: it was deleted, or made anew from a changed text. Nothing was changed.")
    return row


def _leave_wordings(connection: sqlite3.Connection, scope: Scope, memory_id: str) -> None:
    """Have a memory rest on nothing but the words it came from. What the wordings it was taken along to tell was not kept beside it, so they are read again."""
    wordings = json.dumps([row["revision_id"] for row in connection.execute(_TAKEN_ALONG, (memory_id,))])
    connection.execute(
        "DELETE FROM memory_source WHERE memory_id = ? AND revision_id IN (SELECT value FROM json_each(?))", (memory_id, wordings)
    )
    connection.execute(
        """DELETE FROM extraction WHERE chat_id = :chat
            AND (revision_id IN (SELECT value FROM json_each(:wordings)) OR question_id IN (SELECT value FROM json_each(:wordings)))""",
        {"chat": scope.chat_id, "wordings": wordings},
    )
    # A unit was read as a whole with its mark: one goes with the other, and what its messages tell one by one holds until it is read again.
    connection.execute(
        """UPDATE memory SET status = 'superseded' WHERE chat_id = :chat AND status = 'active' AND origin = 'model' AND pinned = 0
            AND payload ->> 'model' IS NOT NULL AND (kind IN ('fact', 'persona') OR substr(slot, 1, :length) = :unit)
            AND id IN (SELECT s.memory_id FROM json_each(:wordings) w CROSS JOIN memory_source s ON s.revision_id = w.value)""",
        {"chat": scope.chat_id, "wordings": wordings, "unit": UNIT, "length": len(UNIT)},
    )


def _release(connection: sqlite3.Connection, ids: Sequence[str]) -> None:
    """Take away what the model concluded from memories that are not as they were; what still follows is derived again and comes back."""
    connection.execute(
        f"""{_RESTING} UPDATE memory SET status = 'superseded'
        WHERE id IN (SELECT id FROM resting) AND status = 'active' AND origin = 'model' AND pinned = 0""",
        {"ids": json.dumps(list(ids))},
    )


def _restructured(connection: sqlite3.Connection, scope: Scope) -> None:
    connection.execute("UPDATE chat SET version = version + 1, structure = structure + 1 WHERE id = ?", (scope.chat_id,))
