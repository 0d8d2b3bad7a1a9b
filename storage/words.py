"""Sparse search over what memories say, and the rows that a memory is found by: its words, its speaker, its dates."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache

from storage.memory_rows import scope_token
from storage.records import Kind
from storage.scope import Scope
from storage.terms import query_terms
from storage.visible import VisibleSet
from storage.wall import at_ms, wall_ms
from storage.witnesses import KNOWN

MAX_QUERY_TERMS = 12
"""Rarest terms of a cue that sparse search uses: at 100,000 memories a whole cue as OR took 258 ms, the 12 rarest with a scope token 16."""
MAX_CONTEXT_TERMS = 8
"""Rarest terms of the talk around a cue that help to find candidates."""
MOST_READ, MOST_READ_AROUND = 30_000, 5_000
"""Memories that sparse search looks through for a cue, and for the talk around it: 100,000 take 30 to 40 ms."""
MOST_TERMS = 400
"""Of a text, that are looked at."""
COUNTED = 500
"""Most memories that are looked through to count a term."""


@dataclass(frozen=True)
class KeyRow:
    """What of a memory decides whether it is found."""

    id: str
    kind: Kind
    text: str
    words: tuple[str, ...]
    """Its terms in reading order, stop terms included."""
    said_by: str
    knowers: tuple[str, ...]
    subject: str
    said_at: datetime
    event_from: datetime | None
    event_to: datetime | None


@dataclass(frozen=True)
class Rarity:
    """In how many of the visible memories terms stand."""

    memories: int
    holding: Mapping[str, float]
    everywhere: Mapping[str, int] = field(default_factory=dict)
    """In how many of the data folder."""


def search(
    connection: sqlite3.Connection,
    scope: Scope,
    visible: VisibleSet,
    text: str,
    *,
    around: Sequence[str] = (),
    counted: Rarity | None = None,
    limit: int,
) -> list[tuple[str, float]]:
    """(memory id, BM25 score, higher is better) of the visible memories that share content terms with a text, best first.

    The text's MAX_QUERY_TERMS rarest terms count, and the MAX_CONTEXT_TERMS rarest of `around`; without any nothing is found. counted: of these terms.
    """
    own = query_terms(text)
    others = [t for t in dict.fromkeys(around) if t not in set(own)]
    holding = counted.everywhere if counted else _holding(connection, (*own[:MOST_TERMS], *others))
    terms = _rarest(connection, holding, own, MAX_QUERY_TERMS, most_memories=MOST_READ)
    terms += _rarest(connection, holding, others, MAX_CONTEXT_TERMS, most_memories=MOST_READ_AROUND)
    if not terms or not visible.ids:
        return []
    scopes = " OR ".join(f'scope : "{scope_token(chat)}"' for chat in sorted(scope.chat_ids))
    words = " OR ".join(f'"{term}"' for term in terms)
    statement = """SELECT rowid, -bm25(memory_fts, 0.0, 1.0) AS score FROM memory_fts
        WHERE memory_fts MATCH ? ORDER BY score DESC, rowid LIMIT ?"""
    wide = limit * 2
    while True:
        rows = connection.execute(statement, (f"({scopes}) AND words : ({words})", wide)).fetchall()
        found = [(i, float(row["score"])) for row in rows if (i := visible.at(row["rowid"])) is not None]
        if len(found) >= limit or len(rows) < wide:
            return found[:limit]
        wide *= 4


def rarity(connection: sqlite3.Connection, visible: VisibleSet, terms: Iterable[str]) -> Rarity:
    """Counted among the visible, so that no other chat or branch decides what is found. A term that more than COUNTED memories of the folder hold is
    taken to be as common here as there."""
    holding: dict[str, float] = {}
    indexed = _indexed(connection)
    everywhere = _holding(connection, list(terms)[:MOST_TERMS])
    for term, number in everywhere.items():
        if number > COUNTED:
            holding[term] = number * len(visible.ids) / indexed
        else:
            rows = connection.execute("SELECT rowid FROM memory_fts WHERE memory_fts MATCH ?", (f'words : "{term}"',))
            holding[term] = sum(visible.at(row["rowid"]) is not None for row in rows)
    return Rarity(len(visible.ids), holding, everywhere)


def key_rows(connection: sqlite3.Connection, scope: Scope, ids: Iterable[str]) -> dict[str, KeyRow]:
    """By id; foreign and unknown ids are not in the answer, nor what the scope's witness cannot know."""
    rows = connection.execute(
        f"""SELECT m.id, m.kind, m.text, f.words, m.said_by, m.knowers, m.subject, m.said_at, m.utc_offset, m.event_from, m.event_to
        FROM json_each(:ids) x CROSS JOIN memory m ON m.id = x.value JOIN memory_fts f ON f.rowid = m.ordinal
        WHERE m.chat_id IN (SELECT value FROM json_each(:chats)) AND {KNOWN}""",
        {"ids": json.dumps(list(dict.fromkeys(ids))), "chats": json.dumps(sorted(scope.chat_ids)), "witness": scope.witness},
    )
    return {
        row["id"]: KeyRow(
            id=row["id"],
            kind=Kind(row["kind"]),
            text=row["text"],
            words=tuple(row["words"].split()),
            said_by=row["said_by"],
            knowers=_names(row["knowers"]),
            subject=row["subject"],
            said_at=at_ms(row["said_at"], row["utc_offset"]),
            event_from=at_ms(row["event_from"], row["utc_offset"]) if row["event_from"] is not None else None,
            event_to=at_ms(row["event_to"], row["utc_offset"]) if row["event_to"] is not None else None,
        )
        for row in rows
    }


@lru_cache(maxsize=1_000)
def _names(listed: str) -> tuple[str, ...]:
    return tuple(json.loads(listed))


def told_within(
    connection: sqlite3.Connection, scope: Scope, visible: VisibleSet, first: datetime, last: datetime, *, limit: int
) -> list[str]:
    """Visible memories that were said, or tell of something, between two times, each by its own wall; the newest first."""
    start, end = wall_ms(first), wall_ms(last)
    rows = connection.execute(
        """SELECT ordinal FROM memory WHERE chat_id IN (SELECT value FROM json_each(?)) AND kind IN ('episode', 'fact', 'insight')
            AND (said_at + utc_offset * 60000 BETWEEN ? AND ?
                OR (event_from + utc_offset * 60000 <= ? AND event_to + utc_offset * 60000 >= ?)) ORDER BY ordinal DESC""",
        (json.dumps(sorted(scope.chat_ids)), start, end, end, start),
    )
    found = (i for row in rows if (i := visible.at(row["ordinal"])) is not None)
    return [i for i, _ in zip(found, range(limit), strict=False)]


def _rarest(
    connection: sqlite3.Connection, holding: Mapping[str, int], terms: Sequence[str], most: int, *, most_memories: int
) -> list[str]:
    """Those that are somewhere, the first of equals first, as long as what holds them is few enough to be looked through; the rarest in any case.

    What more than half of all memories hold has no weight in BM25: it counts where there is nothing else.
    """
    there = sorted((t for t in terms if t in holding), key=lambda term: holding[term])
    half = _indexed(connection) / 2
    some = [t for t in there if holding[t] <= half] or there
    chosen: list[str] = []
    read = 0
    for term in some[:most]:
        read += holding[term]
        if chosen and read > most_memories:
            break
        chosen.append(term)
    return chosen


def _indexed(connection: sqlite3.Connection) -> int:
    """About how many memories the sparse index holds."""
    (indexed,) = connection.execute("SELECT coalesce(max(id), 0) FROM memory_fts_docsize").fetchone()
    return int(indexed)


def _holding(connection: sqlite3.Connection, terms: Iterable[str]) -> dict[str, int]:
    counts = {}
    for term in terms:
        row = connection.execute("SELECT doc FROM memory_terms WHERE term = ?", (term,)).fetchone()
        if row is not None:
            counts[term] = int(row["doc"])
    return counts
