"""Why a branch does not recall a memory of its chat."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from storage.records import SAID, TAKEN_BACK, Kind
from storage.visibility import BranchState, Entry
from storage.visible import VisibleSet
from storage.witnesses import KNOWN


class Why(StrEnum):
    EXCLUDED = "excluded"
    """A person keeps it out of recall."""
    FORGOTTEN = "forgotten"
    TAKEN_BACK = "taken_back"
    """A later message of the path took it back."""
    SUPERSEDED = "superseded"
    """Something else is told in its place."""
    HIDDEN = "hidden"
    """A message that it rests on is hidden from the model."""
    DELETED = "deleted"
    """A message that it rests on was taken out of the conversation."""
    ELSEWHERE = "elsewhere"
    """A message that it rests on, or that wording of it, is not on the branch."""


@dataclass(frozen=True)
class Absence:
    why: Why
    round: int | None = None
    """Of what was forgotten or taken back, the round in which that came about; of what was superseded, that of what took its place."""
    by: str = ""
    """Id of the memory that took its place, where one did."""


_ROWS = """
    SELECT m.ordinal, m.id, m.source_count, s.message_id, s.revision_id, s.sha256 = r.sha256 AS holds, n.state
    FROM json_each(:ids) w CROSS JOIN memory m ON m.id = w.value LEFT JOIN memory_source s ON s.memory_id = m.id
        LEFT JOIN revision r ON r.id = s.revision_id
        LEFT JOIN selection n ON n.branch_id = :branch AND n.message_id = s.message_id
    WHERE m.chat_id = :chat AND m.status <> 'deleted'"""
_FORGOTTEN = """
    SELECT e.memory_id, e.round, r.id AS revision_id FROM json_each(:ids) w CROSS JOIN forgetting_event e ON e.memory_id = w.value
        CROSS JOIN revision r ON r.message_id = e.message_id
    WHERE e.chat_id = :chat AND e.witness = :witness AND e.effect = 'forgotten' ORDER BY e.id"""


def unseen(connection: sqlite3.Connection, *, chat_id: str, visible: VisibleSet, ends: Mapping[Kind, int], witness: str = "") -> VisibleSet:
    """What a chat has of some kinds, each before a round, and a visible set has not: on whatever branch it is, in whatever state but erased. What the witness
    cannot know is not left out of its memory; it is none of it.

    Left out is what a round told while only its first message was there, where the set has the round as it is now."""
    rows = connection.execute(
        f"""SELECT ordinal, id, kind, round_last, source_count FROM memory m
        WHERE chat_id = :chat AND kind IN (SELECT value FROM json_each(:kinds)) AND status <> 'deleted' AND {KNOWN} ORDER BY ordinal""",
        {"chat": chat_id, "kinds": json.dumps([kind.value for kind in ends]), "witness": witness},
    ).fetchall()
    here, told = set(visible.ordinals), set(visible.of_kinds([Kind.EPISODE]).rounds)
    before = {kind.value: end for kind, end in ends.items()}
    episode = Kind.EPISODE.value
    kept = [
        (ordinal, memory_id, last_round, Kind(kind))
        for ordinal, memory_id, kind, last_round, sources in rows
        if ordinal not in here and last_round < before[kind] and not (kind == episode and sources == 1 and last_round in told)
    ]
    if not kept:
        return VisibleSet()
    ordinals, ids, rounds, kinds = zip(*kept, strict=True)
    return VisibleSet(ordinals, ids, rounds, kinds)


def absences(
    connection: sqlite3.Connection,
    state: BranchState,
    *,
    chat_id: str,
    branch_id: str,
    witness: str = "",
    ids: Iterable[str],
    held_back: Collection[str],
) -> dict[str, Absence]:
    """By id; nothing of what the branch may recall, nor of what is erased or another chat's. held_back: what rests on something excluded."""
    wanted = json.dumps(list(dict.fromkeys(ids)))
    rows = connection.execute(_ROWS, {"ids": wanted, "branch": branch_id, "chat": chat_id}).fetchall()
    sources: dict[str, list[sqlite3.Row]] = {}
    for row in rows:
        sources.setdefault(row["id"], []).append(row)
    forgotten = {
        row["memory_id"]: row["round"]
        for row in connection.execute(_FORGOTTEN, {"ids": wanted, "chat": chat_id, "witness": witness})
        if row["revision_id"] in state.revisions
    }
    found: dict[str, Absence] = {}
    for memory_id, of in sources.items():
        entry = state.entries.get(of[0]["ordinal"])
        if (missing := _missing(of, state)) is not None:
            found[memory_id] = Absence(missing)
        elif entry is None:
            # Its sources hold, so it was forgotten here, or told anew.
            round_number = forgotten.get(memory_id)
            found[memory_id] = Absence(Why.SUPERSEDED if round_number is None else Why.FORGOTTEN, round_number)
        elif (absence := _held_out(entry, state, held_back)) is not None:
            found[memory_id] = absence
    return found


def _missing(sources: list[sqlite3.Row], state: BranchState) -> Why | None:
    """Why the sources of a memory do not all hold; None if they do. One message may be listed in several wordings, of which one is enough."""
    holding = {s["message_id"] for s in sources if s["holds"] and s["revision_id"] in state.revisions}
    if len(holding) == sources[0]["source_count"]:
        return None
    states = {s["state"] for s in sources if s["message_id"] not in holding}
    if not states <= {"hidden", "deleted"} or not states:
        return Why.ELSEWHERE
    return Why.DELETED if "deleted" in states else Why.HIDDEN


def _held_out(entry: Entry, state: BranchState, held_back: Collection[str]) -> Absence | None:
    """Why what rests on the path is not recalled there; None if it is."""
    shown = state.shown
    if entry.excluded or entry.id in held_back:
        return Absence(Why.EXCLUDED)
    if shown.position(entry.id) is not None:
        return None
    gone = {entry.id, *entry.grounds} & shown.taken_back
    if gone:
        marks = (e for e in state.entries.values() if e.slot == TAKEN_BACK and not gone.isdisjoint(e.grounds))
        return Absence(Why.TAKEN_BACK, min((e.round for e in marks), default=None))
    if entry.slot and entry.slot != SAID:
        for other in state.entries.values():
            if other.slot == entry.slot and other.kind is entry.kind and shown.position(other.id) is not None:
                return Absence(Why.SUPERSEDED, other.round, other.id)
    return Absence(Why.SUPERSEDED)
