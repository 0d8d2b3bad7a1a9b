"""Erasing one memory for good: its text wherever it was written, and what rests on it. The row stays, without a word, so that its id cannot come back.

A memory stands, besides its own row, in the word index, in receipts (the prompt as it was sent), in what extraction gave, and in insights and pieces of the
story that rest on it. In a prompt it is told: with the player's name where the memory says "the player", on one line, cut when it is long.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from storage.records import from_ms, sha256
from storage.vectors import sweep_vectors

MARK = "▇▇▇"
"""What stands in a receipt where an erased text stood."""
STAND_INS = ("the player", "The player", "玩家")
"""Words of a memory that a prompt may tell as the player's name."""
HEAD_CHARS = 30
"""So much of a text tells a line that was cut."""
SENTENCE_CHARS = 12
SENTENCE_CHARS_CJK = 6
"""Shorter texts are no sentences: they are looked for in lines about the memory alone, since they may be part of any other word."""

VALUE_PARTS = 8
"""A value may hold commas: as many of its parts are looked at together."""

_RESTING = ("insight", "plot", "topic")
_CJK = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")
_ESCAPED = re.compile(r"([<\[\]]) ")


@dataclass(frozen=True)
class Erased:
    """What must be known of a memory to find it in a receipt."""

    id: str
    kind: str
    texts: tuple[str, ...]
    """What it says and, by hand, said before."""
    said_at: int
    round_first: int
    elsewhere: bool
    """Whether another memory that stays says the same."""
    key: str = ""
    """Of a value of the player's persona."""
    known: str = ""
    """Of one that a person put in their own words: hex SHA-256 of what the model had made (`storage.decisions`)."""

    def said_before(self, text: str) -> bool:
        """Whether a text, of a value its words alone, is what the model had made."""
        return bool(self.known) and sha256(f"{self.key}: {text}" if self.kind == "persona" else text) == self.known

    @property
    def prefix(self) -> str:
        """How its line in a prompt begins (`chat.prompt`)."""
        return f"- ({from_ms(self.said_at):%Y-%m-%d}, round {self.round_first}) "

    @cached_property
    def whole(self) -> list[re.Pattern[str]]:
        return [_told(text) for text in self.texts if _is_sentence(text)]

    @cached_property
    def heads(self) -> list[re.Pattern[str]]:
        return [_told(text[:HEAD_CHARS]) for text in self.texts]


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
    texts = [text for m in memories for text in m.texts if _is_sentence(text)]
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


def redact_receipts(connection: sqlite3.Connection, chat_id: str, memories: Sequence[Erased]) -> None:
    """Put a mark in the place of every telling of these memories in the chat's receipts; ids stay."""
    if not memories:
        return
    by_id = {m.id: m for m in memories}
    values = [m for m in memories if m.kind == "persona"]

    def redact(body: dict[str, Any]) -> None:
        told = {c["memory_id"] for c in body.get("candidates", ()) if c.get("delivered")} | set(body.get("pinned", ()))
        *history, (role, last) = body["prompt"]
        lines = last.split("\n")
        for memory in (by_id[i] for i in told if i in by_id):
            lines = _without(lines, memory)
        for value in values:
            lines = [_without_value(line, value) for line in lines]
        last = "\n".join(lines)
        for memory in memories:
            if memory.kind != "persona" and not memory.elsewhere:
                for pattern in memory.whole:
                    last = pattern.sub(MARK, last)
        body["prompt"] = [*history, [role, last]]

    _rewrite(connection, chat_id, redact)


def redact_messages(connection: sqlite3.Connection, chat_id: str, texts: Iterable[str]) -> None:
    """Put a mark in the place of erased wordings in the chat's receipts: as a cue, in the history, and as the message that was answered."""
    gone = {_plain(text) for text in texts}
    longest_first = sorted(gone, key=len, reverse=True)

    def redact(body: dict[str, Any]) -> None:
        if _plain(str(body.get("query", ""))) in gone:
            body["query"] = MARK
        *history, (role, last) = body["prompt"]
        plain = _plain(last)
        for text in longest_first:
            if plain == text or plain.endswith("\n\n" + text):
                last = re.sub("".join(re.escape(c) + (" ?" if c in "<[]" else "") for c in text) + r"\Z", MARK, last)
                break
        body["prompt"] = [*([r, MARK if _plain(content) in gone else content] for r, content in history), [role, last]]

    if gone:
        _rewrite(connection, chat_id, redact)


def merge_words(connection: sqlite3.Connection) -> None:
    """Write the word index anew from its rows: the terms of what was deleted stay in it until its parts are merged."""
    connection.execute("INSERT INTO memory_fts (memory_fts) VALUES ('rebuild')")


def _rewrite(connection: sqlite3.Connection, chat_id: str, redact: Callable[[dict[str, Any]], None]) -> None:
    ids = [row[0] for row in connection.execute("SELECT id FROM receipt WHERE chat_id = ?", (chat_id,))]
    for receipt_id in ids:
        (stored,) = connection.execute("SELECT body FROM receipt WHERE id = ?", (receipt_id,)).fetchone()
        body = json.loads(stored)
        if not body.get("prompt"):
            continue
        redact(body)
        written = json.dumps(body, ensure_ascii=False)
        if written != stored:
            connection.execute("UPDATE receipt SET body = ? WHERE id = ?", (written, receipt_id))


def _without(lines: Sequence[str], memory: Erased) -> list[str]:
    """The lines of a prompt that told a memory, without what they said of it. Where none is recognised (it was edited since), every line of its day and round."""
    ours = [place for place, line in enumerate(lines) if line.startswith(memory.prefix)]
    known = [place for place in ours if any(head.search(lines[place]) for head in memory.heads)]
    gone = set(known or ours)
    return [memory.prefix + MARK if place in gone else line for place, line in enumerate(lines)]


def _without_value(line: str, value: Erased) -> str:
    """The sketch of the player is one line in brackets' heading: a value in it stands between separators."""
    if not line.startswith(("[", "【")):
        return line
    for text in value.texts:
        line = re.sub(rf"(?<![^\s:：;；,，]){re.escape(text)}(?![^\s;；,，])", MARK, line)
    if value.known:
        parts = re.split(r"((?:[:;,]\s|[：；，\]】])\s*)", line)  # words at even places, what parts them between
        for first in range(0, len(parts), 2):
            for last in range(first, min(first + 2 * VALUE_PARTS, len(parts)), 2):
                if value.said_before(_plain("".join(parts[first : last + 1]))):
                    return "".join([*parts[:first], MARK, *parts[last + 1 :]])
    return line


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
    if _is_sentence(text):
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
        if any(text == part or (_is_sentence(text) and text in part) for text in texts for part in said) or any(
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


def _is_sentence(text: str) -> bool:
    return len(text) >= (SENTENCE_CHARS_CJK if _CJK.search(text) else SENTENCE_CHARS)


def _told(text: str) -> re.Pattern[str]:
    """A text as a prompt may have told it: another name for the player, one line, brackets escaped."""
    parts = re.split("(" + "|".join(map(re.escape, STAND_INS)) + r"|\s+|[<\[\]])", text)
    return re.compile("".join(map(_part, parts)))


def _part(part: str) -> str:
    if part in STAND_INS:
        return r"[^\n()]{1,60}?"
    if not part.strip():
        return r"\s+(?:/\s+)?" if part else ""
    return re.escape(part) + (" ?" if part in "<[]" else "")


def _plain(text: str) -> str:
    return _ESCAPED.sub(r"\1", text)
