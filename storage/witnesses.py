"""Whose part of a conversation with several characters is read.

A character knows what it witnessed: messages with its name in `message.present`, and memories all of whose sources it witnessed. What follows from its own
part alone (readings of the player, its story, its topics) is its own besides, as no other character can know what it thinks: such a memory names its `mind`
(`payload`). Every set of memories is read for one character. A scope that names none is refused, so that whoever forgets to ask as somebody gets nothing.
"""

from __future__ import annotations

import sqlite3
from dataclasses import replace

from storage.records import Kind, Memory, stable_id
from storage.scope import Scope

MIND = "mind"
"""Entry of a memory's payload: the character whose own it is."""
OWN = (Kind.INSIGHT, Kind.PLOT, Kind.TOPIC)
"""Kinds that follow from one character's part of the talk. What a language model read of it is as well."""

MINE = f"coalesce(m.payload ->> '$.{MIND}', '') IN ('', :witness)"
"""Condition on a memory `m`: nobody else's own; parameter :witness."""
KNOWN = f"""(:witness = '' OR ({MINE} AND NOT EXISTS (
    SELECT 1 FROM memory_source q JOIN message w ON w.id = q.message_id
    WHERE q.memory_id = m.id AND NOT EXISTS (SELECT 1 FROM json_each(w.present) j WHERE j.value = :witness))))"""
"""Condition on a memory `m`: the witness, if one is named, may know it, on whatever branch; parameter :witness."""


class WitnessMissing(ValueError):
    """A memory of several characters was to be read as nobody's, or as somebody's who is none of them: a fault of the program."""


def names_of(connection: sqlite3.Connection, chat_id: str) -> tuple[str, ...]:
    """The characters of a chat with several, in their order; none where there is one."""
    return tuple(row["name"] for row in connection.execute("SELECT name FROM chat_member WHERE chat_id = ? ORDER BY place", (chat_id,)))


def founders_of(connection: sqlite3.Connection, chat_id: str) -> tuple[str, ...]:
    """Those of them with whom the chat began: they are there until somebody leaves."""
    rows = connection.execute("SELECT name FROM chat_member WHERE chat_id = ? AND joined = 0 ORDER BY place", (chat_id,))
    return tuple(row["name"] for row in rows)


def check_witness(connection: sqlite3.Connection, scope: Scope) -> None:
    """Raises WitnessMissing unless the scope names one of the characters of its chat, or none where there is one."""
    names = names_of(connection, scope.chat_id)
    if bool(names) != bool(scope.witness) or (scope.witness and scope.witness not in names):
        raise WitnessMissing("what is remembered of a conversation with several characters is read as one of them")


def own_id(witness: str, memory_id: str) -> str:
    """The id of a memory that is one character's own. memory_id: as it would be of a chat with one."""
    return stable_id("mind", witness, memory_id)


def owned(scope: Scope, memory: Memory) -> Memory:
    """A memory derived from one character's part of the talk as that character's own, under an id of its own; any other as it is."""
    if not scope.witness or MIND in memory.payload or not (memory.kind in OWN or "model" in memory.payload):
        return memory
    return replace(memory, id=own_id(scope.witness, memory.id), payload={**memory.payload, MIND: scope.witness})
