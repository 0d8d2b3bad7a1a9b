"""Values of a person's sketch, by what they are of."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass

from storage.scope import Scope
from storage.visible import VisibleSet


@dataclass(frozen=True)
class Told:
    """A value, and where it was told. place: among the values of its round."""

    key: str
    text: str
    said_by: str
    round: int
    place: int


def told_under(connection: sqlite3.Connection, scope: Scope, visible: VisibleSet, keys: Iterable[str]) -> list[Told]:
    """Values under some keys, of those that may be seen."""
    rows = connection.execute(
        """SELECT m.id, m.payload ->> 'key' AS key, m.text, m.said_by, m.round_last, COALESCE(m.payload ->> 'place', 0) AS place FROM memory m
        WHERE m.chat_id IN (SELECT value FROM json_each(?)) AND m.kind = 'persona' AND m.status = 'active'
        AND m.payload ->> 'key' IN (SELECT value FROM json_each(?)) ORDER BY m.ordinal""",
        (json.dumps(sorted(scope.chat_ids)), json.dumps(list(keys))),
    )
    return [
        Told(row["key"], row["text"], row["said_by"], row["round_last"], int(row["place"])) for row in rows if row["id"] in visible.members
    ]
