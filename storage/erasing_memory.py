"""Erasing one memory for good: its text wherever it was written, and what rests on it. The row stays, without a word, so that its id cannot come back.

A memory stands, besides its own row, in the word index, in receipts (the prompt as it was sent), in what extraction gave, and in insights and pieces of the
story that rest on it. In a prompt it is told: with the player's name where the memory says "the player", on one line, cut when it is long.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence

from storage.erasing_receipts import Erased, is_sentence, redact_receipts
from storage.vectors import sweep_vectors

_RESTING = ("insight", "plot", "topic")


def erase_memory_text(connection: sqlite3.Connection, chat_id: str, memory_id: str) -> tuple[str, ...]:
    """Ids of what was erased: the memory first, then insights, story and superseded twins that rest on it or repeat it; empty if the chat has no such memory.

    Joins the caller's transaction. The decision (`user_edit`) with the hash of the text is the caller's to write.
    """
    memories = erased_memories(connection, chat_id, _with_what_rests_on(connection, chat_id, memory_id))
    if not memories:
        return ()
    ids = json.dumps([m.id for m in memories])
    connection.execute(
        "DELETE FROM memory_fts WHERE rowid IN (SELECT ordinal FROM memory WHERE id IN (SELECT value FROM json_each(?)))", (ids,)
    )
    connection.execute(
        """UPDATE memory SET status = 'deleted', text = '', payload = '{}', subject = '', said_by = '', knowers = '[]', text_sha256 = '', pinned = 0
        WHERE id IN (SELECT value FROM json_each(?))""",
        (ids,),
    )
    connection.execute(
        "UPDATE user_edit SET content = '' WHERE chat_id = ? AND memory_id IN (SELECT value FROM json_each(?))", (chat_id, ids)
    )
    texts = [text for m in memories for text in m.texts if is_sentence(text)]
    _drop_derivations(connection, chat_id, memories)
    for text in texts:
        connection.execute("UPDATE task SET error = '' WHERE chat_id = ? AND instr(error, ?)", (chat_id, text))
    redact_receipts(connection, chat_id, memories)
    (user_id,) = connection.execute("SELECT user_id FROM chat WHERE id = ?", (chat_id,)).fetchone()
    sweep_vectors(connection, user_id)
    merge_words(connection)
    connection.execute("UPDATE chat SET version = version + 1, structure = structure + 1 WHERE id = ?", (chat_id,))
    return tuple(m.id for m in memories)


def erased_memories(connection: sqlite3.Connection, chat_id: str, ids: Sequence[str]) -> list[Erased]:
    """What the chat's rows with these ids say, in the order given; those erased already are left out."""
    wanted = json.dumps(list(ids))
    rows = {
        row[0]: row
        for row in connection.execute(
            """SELECT id, kind, text, said_at, round_first, text_sha256, payload FROM memory
            WHERE chat_id = ? AND text <> '' AND id IN (SELECT value FROM json_each(?))""",
            (chat_id, wanted),
        )
    }
    edits: dict[str, list[str]] = {}
    known: dict[str, str] = {}
    for memory_id, content, original in connection.execute(
        """SELECT memory_id, content, content_sha256 FROM user_edit
        WHERE chat_id = ? AND action = 'edit' AND content <> '' AND memory_id IN (SELECT value FROM json_each(?))""",
        (chat_id, wanted),
    ):
        edits.setdefault(memory_id, []).append(content)
        known[memory_id] = original
    same = {
        row[0]
        for row in connection.execute(
            """SELECT text_sha256 FROM memory WHERE chat_id = ? AND status <> 'deleted' AND id NOT IN (SELECT value FROM json_each(?))
            AND text_sha256 IN (SELECT text_sha256 FROM memory WHERE id IN (SELECT value FROM json_each(?)))""",
            (chat_id, wanted, wanted),
        )
    }
    found = []
    for memory_id in dict.fromkeys(ids):
        if memory_id in rows:
            _, kind, text, said_at, round_first, sha, payload = rows[memory_id]
            texts = tuple(dict.fromkeys((text, *edits.get(memory_id, ()))))
            key = str(json.loads(payload).get("key", ""))
            found.append(Erased(memory_id, kind, texts, said_at, round_first, sha in same, key, known.get(memory_id, "")))
    return found


def merge_words(connection: sqlite3.Connection) -> None:
    """Write the word index anew from its rows: the terms of what was deleted stay in it until its parts are merged."""
    connection.execute("INSERT INTO memory_fts (memory_fts) VALUES ('rebuild')")


def _with_what_rests_on(connection: sqlite3.Connection, chat_id: str, memory_id: str) -> list[str]:
    row = connection.execute("SELECT text, kind FROM memory WHERE id = ? AND chat_id = ?", (memory_id, chat_id)).fetchone()
    if row is None:
        return []
    text, kind = row
    ids = dict.fromkeys(
        found[0]
        for found in connection.execute(
            """WITH RECURSIVE resting (id) AS (
                SELECT ? UNION SELECT g.memory_id FROM resting r JOIN memory_ground g ON g.ground_id = r.id)
            SELECT id FROM resting""",
            (memory_id,),
        )
    )
    if text:
        twins = connection.execute(
            "SELECT id FROM memory WHERE chat_id = ? AND kind = ? AND status = 'superseded' AND text = ?", (chat_id, kind, text)
        )
        ids |= dict.fromkeys(found[0] for found in twins)
    if is_sentence(text):
        # Payloads are JSON: a quotation mark in the text is escaped there.
        retold = connection.execute(
            f"""SELECT id FROM memory WHERE chat_id = ? AND status <> 'deleted' AND kind IN {_RESTING}
            AND (instr(text, ?) OR instr(payload, ?))""",
            (chat_id, text, json.dumps(text, ensure_ascii=False)[1:-1]),
        )
        ids |= dict.fromkeys(found[0] for found in retold)
    return list(ids)


def _drop_derivations(connection: sqlite3.Connection, chat_id: str, memories: Sequence[Erased]) -> None:
    """What extraction gave is kept so that deriving again costs no model; an output with an erased text goes (schemas before 3 kept none)."""
    texts = {text for m in memories for text in m.texts}
    edited = [m for m in memories if m.known]
    if "chat_id" not in [row[1] for row in connection.execute("PRAGMA main.table_info(derivation)")]:
        return
    for key, output in connection.execute("SELECT key, output FROM derivation WHERE chat_id = ?", (chat_id,)).fetchall():
        try:
            said = list(_strings(json.loads(output)))
        except ValueError:
            said = [output]
        if any(text == part or (is_sentence(text) and text in part) for text in texts for part in said) or any(
            m.said_before(part) for m in edited for part in said
        ):
            connection.execute("DELETE FROM derivation WHERE chat_id = ? AND key = ?", (chat_id, key))


def _strings(value: object) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from _strings(part)
    elif isinstance(value, list):
        for part in value:
            yield from _strings(part)
