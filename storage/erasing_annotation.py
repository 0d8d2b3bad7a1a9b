"""Erasing from the workbench: whole dialogues with all that was made of them, and, of a dialogue that somebody marked while playing, wordings that were erased from
its conversation, with what rests on them.

Conversations that players gave are copies, made with consent: they go with the whole conversation, or when they are taken back.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable

GONE = "[…]"


_OF_ITEM = "(SELECT value FROM json_each(?))"
_OF_WORK = f"assignment_id IN (SELECT id FROM annotation_assignment WHERE item_id IN {_OF_ITEM})"
_OF_RUN = f"run_id IN (SELECT id FROM annotation_run WHERE item_id IN {_OF_ITEM})"
_OF_DIALOGUE: tuple[tuple[str, str], ...] = (
    ("point", _OF_WORK),
    ("decision", _OF_WORK),
    ("dismissal", _OF_WORK),
    ("reply_label", f"reply_id IN (SELECT id FROM annotation_reply WHERE {_OF_RUN})"),
    *((table, _OF_RUN) for table in ("result", "choice", "reply")),
    ("regular_review", f"regular_id IN (SELECT id FROM annotation_regular WHERE item_id IN {_OF_ITEM})"),
    *(
        (table, f"item_id IN {_OF_ITEM}")
        for table in ("assignment", "gold", "turn", "event", "run", "outline", "probe_work", "regular")
    ),
    ("item", f"id IN {_OF_ITEM}"),
)  # fmt: skip
"""Rows of a dialogue by table, those first that others are named by."""


def erase_dialogues(connection: sqlite3.Connection, item_ids: Iterable[str]) -> bool:
    """Dialogues with everything that was made of them; False where none is there. Works on databases of older schemas as well."""
    known = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    among = json.dumps(sorted(item_ids))
    gone = 0
    for table, where in _OF_DIALOGUE:
        if f"annotation_{table}" in known:
            gone = connection.execute(f"DELETE FROM annotation_{table} WHERE {where}", (among,)).rowcount
    return gone > 0


def erase_marked(connection: sqlite3.Connection, chat_id: str, revision_ids: Iterable[str]) -> None:
    """Empty the turns of these wordings and delete the marks that rest on them, with every earlier state of them. An older schema has none."""
    if not _knows(connection):
        return
    among = json.dumps(sorted(revision_ids))
    rows = connection.execute(
        "SELECT item_id, number FROM annotation_turn WHERE revision_id IN (SELECT value FROM json_each(?))", (among,)
    ).fetchall()
    doomed: dict[str, set[int]] = {}
    for item_id, number in rows:
        doomed.setdefault(item_id, set()).add(number)
    for item_id, numbers in doomed.items():
        _erase_marks(connection, item_id, numbers)
    connection.execute(
        "UPDATE annotation_turn SET text = ?, speaker = '…', revision_id = '' WHERE revision_id IN (SELECT value FROM json_each(?))",
        (GONE, among),
    )
    probes = [
        row[0]
        for row in connection.execute(
            "SELECT id FROM annotation_probe WHERE chat_id = ? AND revision_id IN (SELECT value FROM json_each(?))", (chat_id, among)
        )
    ]
    erase_probes(connection, probes)


def erase_probes_of(connection: sqlite3.Connection, chat_id: str) -> None:
    """The items of probe tables that were taken from a conversation, and runs that asked for them."""
    if _knows(connection):
        erase_probes(connection, [row[0] for row in connection.execute("SELECT id FROM annotation_probe WHERE chat_id = ?", (chat_id,))])


def erase_probes(connection: sqlite3.Connection, probe_ids: Iterable[str]) -> None:
    among = json.dumps(sorted(probe_ids))
    runs = "SELECT r.id FROM annotation_run r, json_each(r.probes) p, json_each(?) d WHERE p.value ->> '$.id' = d.value"
    connection.execute(
        f"DELETE FROM annotation_reply_label WHERE reply_id IN (SELECT id FROM annotation_reply WHERE run_id IN ({runs}))", (among,)
    )
    for table in ("result", "choice", "reply"):
        connection.execute(f"DELETE FROM annotation_{table} WHERE run_id IN ({runs})", (among,))
    connection.execute(f"DELETE FROM annotation_run WHERE id IN ({runs})", (among,))
    # How they were worded stands in the audit trail as well.
    connection.execute(
        "DELETE FROM annotation_event WHERE action IN ('probe_kept', 'probe_removed') AND subject IN (SELECT value FROM json_each(?))",
        (among,),
    )
    connection.execute("DELETE FROM annotation_probe_review WHERE probe_id IN (SELECT value FROM json_each(?))", (among,))
    connection.execute("DELETE FROM annotation_probe WHERE id IN (SELECT value FROM json_each(?))", (among,))


def _erase_marks(connection: sqlite3.Connection, item_id: str, numbers: set[int]) -> None:
    works = [row[0] for row in connection.execute("SELECT id FROM annotation_assignment WHERE item_id = ?", (item_id,))]
    points: set[str] = set()
    for work in works:
        for point_id, evidence in connection.execute("SELECT id, evidence FROM annotation_point WHERE assignment_id = ?", (work,)):
            if numbers & set(json.loads(evidence)["turns"]):
                points.add(point_id)
        for subject, before, after in connection.execute(
            "SELECT subject, before, after FROM annotation_event WHERE assignment_id = ? AND action = 'point'", (work,)
        ):
            for state in (before, after):
                if state and numbers & set(json.loads(state)["evidence"]["turns"]):
                    points.add(subject)
        # Undo leads to what is gone: a step of `undo` and `redo` names its event, and its states tell of the point.
        if points:
            connection.execute(
                """DELETE FROM annotation_event WHERE assignment_id = ? AND action IN ('point', 'undo', 'redo', 'decision')""", (work,)
            )
        connection.execute("UPDATE annotation_assignment SET draft = '' WHERE id = ?", (work,))
    among = json.dumps(sorted(points))
    connection.execute("DELETE FROM annotation_point WHERE id IN (SELECT value FROM json_each(?))", (among,))
    for number, evidence in connection.execute("SELECT number, evidence FROM annotation_gold WHERE item_id = ?", (item_id,)).fetchall():
        if numbers & set(json.loads(evidence)["turns"]):
            connection.execute("DELETE FROM annotation_gold WHERE item_id = ? AND number = ?", (item_id, number))
    connection.execute("DELETE FROM annotation_outline WHERE item_id = ?", (item_id,))


def _knows(connection: sqlite3.Connection) -> bool:
    """Whether a database is of a schema in which conversations are marked."""
    return connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'annotation_outline'").fetchone() is not None
