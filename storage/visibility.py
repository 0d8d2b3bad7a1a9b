"""What a branch may see, kept up to date instead of computed anew.

A memory is visible on a branch only if all its sources are active on the branch's path with the same hash. What came along from another conversation has none,
and is on every path. A source is a message in one of the wordings that are listed for it: several where the same words were written again, and where what a
person wrote about one was taken along to its next. Computing that for 10,000 rounds takes 70 ms; a turn only appends, so the set of the last turn is extended by
what came since: the new messages at the head, the memories born since, and the memories that rest on one of the new messages. `chat.structure` counts every
other change (a selection, a revision, a status, a pin); when it differs, the set is computed from nothing. Forgetting counts as such a change: it comes once
in a unit.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import numpy as np

from storage.paths import ACTIVE, FORGOTTEN, PATH, WITNESSED, walk
from storage.records import CARRIED, SAID, SESSION, TAKEN_BACK, UNIT, Kind, Message
from storage.visible import VisibleSet
from storage.witnesses import MINE

CACHED_BRANCHES = 16
MOST_SOURCES = 999_999
MOST_COVERED = 64
"""Rounds that one reading covers at most, whatever a file from elsewhere says; a unit has six."""
EXTEND_MESSAGES = 64
"""Further than this behind, a set is computed anew."""

_COLUMNS = f"""m.ordinal, m.id, m.kind, m.round_first, m.round_last, m.origin, m.pinned, m.excluded, m.source_count, m.slot, m.slot_rank,
    CASE WHEN m.kind = 'insight' OR m.slot = '{TAKEN_BACK}'
        THEN (SELECT group_concat(g.ground_id) FROM memory_ground g WHERE g.memory_id = m.id) END AS grounds"""
_BROUGHT_ALONG = f"""
    UNION ALL
    SELECT {_COLUMNS.replace("m.origin", f"iif(m.payload ->> '$.{CARRIED}.edited', 'user', 'model')")}
    FROM memory m
    WHERE m.chat_id = :chat AND m.source_count = 0 AND m.status = 'active' AND (m.id IN (SELECT memory_id FROM forgotten)) = :forgotten"""
"""What rests on no message is on every path. It is kept like what a person wrote, but only what they did write can be taken back by nothing."""
_FROM_PATH = f"""
    WITH RECURSIVE {PATH}, {ACTIVE}, {FORGOTTEN}
    SELECT {_COLUMNS}
    FROM active a CROSS JOIN memory_source s ON s.revision_id = a.revision_id
        CROSS JOIN revision r ON r.id = a.revision_id AND r.sha256 = s.sha256
        CROSS JOIN memory m ON m.id = s.memory_id
    WHERE m.chat_id = :chat AND m.status = 'active' AND (m.id IN (SELECT memory_id FROM forgotten)) = :forgotten
    GROUP BY m.ordinal HAVING count(*) = m.source_count
    {_BROUGHT_ALONG}
    ORDER BY 1"""
_FROM_WITNESSED = _FROM_PATH.replace(ACTIVE, WITNESSED).replace("WHERE m.chat_id", f"WHERE {MINE} AND m.chat_id")
_SINCE = f"""
    WITH found (id) AS (
        SELECT m.id FROM memory m WHERE m.ordinal > :ordinal AND m.chat_id = :chat
        UNION SELECT n.memory_id FROM json_each(:revisions) w CROSS JOIN memory_source n ON n.revision_id = w.value
    )
    SELECT {_COLUMNS}, s.revision_id, s.sha256 AS source_hash, r.sha256
    FROM found f CROSS JOIN memory m ON m.id = f.id CROSS JOIN memory_source s ON s.memory_id = m.id
        CROSS JOIN revision r ON r.id = s.revision_id
    WHERE m.chat_id = :chat AND m.status = 'active'"""
_SINCE_WITNESSED = f"{_SINCE} AND {MINE}"


@dataclass(frozen=True)
class Entry:
    ordinal: int
    id: str
    kind: Kind
    first_round: int
    round: int
    written: bool
    """By a person."""
    pinned: bool
    excluded: bool
    slot: str
    """Of several that share one only that of the lowest rank shows."""
    rank: tuple[str, int]
    grounds: tuple[str, ...] = ()
    """Of an insight and of a mark that something was taken back."""


@dataclass
class BranchState:
    structure: int
    version: int
    head: str | None
    newest: Message | None
    """On the path, deleted ones not counted."""
    final: int
    """The path's rounds before this one are final."""
    revisions: set[str]
    newest_ordinal: int
    entries: dict[int, Entry]
    shown: VisibleSet = field(default_factory=VisibleSet)
    episodes: dict[str, Entry] = field(default_factory=dict)
    """By slot, those that hold."""
    takes_back: bool = False
    """Whether anything on the path takes something back."""

    def show(self, final: int) -> None:
        """Compute from all entries what of them shows."""
        self.shown = _shown(self.entries, final=final)
        self.episodes = {}
        for entry in self.entries.values():
            if entry.kind is Kind.EPISODE and (entry.slot not in self.episodes or entry.rank < self.episodes[entry.slot].rank):
                self.episodes[entry.slot] = entry
        self.takes_back = any(e.slot == TAKEN_BACK for e in self.entries.values())

    def show_also(self, added: Sequence[Entry]) -> bool:
        """Show what is new and stands beside everything else, or is a fuller episode of a round; False, with nothing changed, where more may depend on it:
        looking through all of a long story takes as long as everything else in a recall."""
        shown = self.shown
        newest = shown.ordinals[-1] if shown.ordinals else 0
        if any(not self._stands_alone(e) or e.ordinal <= newest for e in added):
            return False
        wanted = {e.ordinal: e for e in added}
        keep = np.ones(len(shown.ordinals), dtype=np.bool_)
        for entry in added:
            if entry.kind is not Kind.EPISODE:
                continue
            holds = self.episodes.get(entry.slot)
            if holds is not None and holds.rank <= entry.rank:
                wanted.pop(entry.ordinal)
                continue
            if holds is not None and wanted.pop(holds.ordinal, None) is None:
                keep[bisect_left(shown.ordinals, holds.ordinal)] = False
            self.episodes[entry.slot] = entry
        kept = shown._only(keep)
        # What was taken back is not among what shows, and keeps what was decided of it; an episode that gives way was never excluded.
        if (kept.denied, kept.excluded) != (shown.denied, shown.excluded):
            kept = replace(kept, denied=shown.denied, excluded=shown.excluded)
        self.shown = kept.grown(_columns(sorted(wanted.values(), key=lambda e: e.ordinal)))
        return True

    def _stands_alone(self, entry: Entry) -> bool:
        """Whether nothing but an episode of the same round decides whether it shows, and it decides about nothing else."""
        if entry.pinned or entry.excluded or entry.written or entry.id in self.shown.taken_back:
            return False
        if entry.kind is Kind.EPISODE:
            holds = self.episodes.get(entry.slot)
            return holds is None or not (holds.pinned or holds.written or holds.excluded)
        return entry.slot == SAID and entry.round not in self.shown.covered and not entry.grounds


class Visibility:
    """Sets by branch and by who looks; safe from any thread. Whoever calls has checked that the branch is the user's, and the witness one of the chat's."""

    def __init__(self) -> None:
        self._states: OrderedDict[tuple[str, str], BranchState] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, connection: sqlite3.Connection, *, chat_id: str, branch_id: str, witness: str = "") -> VisibleSet:
        """The active memories that a branch may see. connection: inside one read transaction."""
        with self.state(connection, chat_id=chat_id, branch_id=branch_id, witness=witness) as state:
            return state.shown

    @contextmanager
    def state(self, connection: sqlite3.Connection, *, chat_id: str, branch_id: str, witness: str = "") -> Iterator[BranchState]:
        """What a branch's set is made of, held still meanwhile."""
        row = connection.execute(
            "SELECT c.version, c.structure, b.head_id FROM chat c JOIN branch b ON b.chat_id = c.id WHERE c.id = ? AND b.id = ?",
            (chat_id, branch_id),
        ).fetchone()
        with self._lock:
            state = self._states.get((branch_id, witness))
            if (
                state is None
                or state.structure != row["structure"]
                or state.version > row["version"]
                or not self._extend(connection, state, row, chat_id, branch_id, witness)
            ):
                state = _compute(connection, row, chat_id, branch_id, witness)
                self._states[branch_id, witness] = state
                while len(self._states) > CACHED_BRANCHES:
                    self._states.popitem(last=False)
            self._states.move_to_end((branch_id, witness))
            yield state

    @staticmethod
    def _extend(connection: sqlite3.Connection, state: BranchState, row: sqlite3.Row, chat_id: str, branch_id: str, witness: str) -> bool:
        """Bring a state up to date in place; False if the path did not simply grow."""
        if state.version == row["version"]:
            return True
        added: list[str] = []
        newest = state.newest
        if row["head_id"] != state.head:
            found = (
                walk(connection, chat_id=chat_id, branch_id=branch_id, start=row["head_id"], limit=EXTEND_MESSAGES)
                if row["head_id"]
                else []
            )
            until = next((position for position, m in enumerate(found) if m.id == state.head), None)
            if until is None:
                return False
            added = [m.revision.id for m in found[:until] if not m.hidden and m.seen_by(witness)]
            newest = found[0]
        state.revisions.update(added)
        since = {"chat": chat_id, "ordinal": state.newest_ordinal, "revisions": json.dumps(added), "witness": witness}
        rows = connection.execute(_SINCE_WITNESSED if witness else _SINCE, since).fetchall()
        sources: dict[int, list[sqlite3.Row]] = {}
        for source in rows:
            sources.setdefault(source["ordinal"], []).append(source)
        new: list[Entry] = []
        for ordinal, found_sources in sources.items():
            there = sum(s["revision_id"] in state.revisions and s["sha256"] == s["source_hash"] for s in found_sources)
            if there == found_sources[0]["source_count"]:
                state.entries[ordinal] = _entry_of(found_sources[0])
                new.append(state.entries[ordinal])
        if sources:
            state.newest_ordinal = max(state.newest_ordinal, *sources)
        final = _final(connection, chat_id, newest)
        if (final != state.final and state.takes_back) or not state.show_also(new):
            state.show(final)
        state.newest, state.final = newest, final
        state.head, state.version = row["head_id"], row["version"]
        return True


def forgotten(connection: sqlite3.Connection, *, chat_id: str, branch_id: str, kept: VisibleSet, witness: str = "") -> VisibleSet:
    """The memories that the branch has forgotten and whose sources it has; computed anew each time. kept: the branch's visible set."""
    seen = {"branch": branch_id, "chat": chat_id, "forgotten": 1, "witness": witness}
    rows = connection.execute(_FROM_WITNESSED if witness else _FROM_PATH, seen)
    return _shown({row["ordinal"]: _entry_of(row) for row in rows}, kept.covered, kept.taken_back)


def _compute(connection: sqlite3.Connection, row: sqlite3.Row, chat_id: str, branch_id: str, witness: str) -> BranchState:
    active = WITNESSED if witness else ACTIVE
    seen = {"branch": branch_id, "chat": chat_id, "forgotten": 0, "witness": witness}
    revisions = connection.execute(f"WITH RECURSIVE {PATH}, {active} SELECT revision_id FROM active", seen)
    found = connection.execute(_FROM_WITNESSED if witness else _FROM_PATH, seen)
    entries = {item["ordinal"]: _entry_of(item) for item in found}
    (ordinal,) = connection.execute("SELECT coalesce(max(ordinal), 0) FROM memory WHERE chat_id = ?", (chat_id,)).fetchone()
    head = walk(connection, chat_id=chat_id, branch_id=branch_id, start=row["head_id"], limit=1) if row["head_id"] else []
    newest = head[0] if head else None
    final = _final(connection, chat_id, newest)
    state = BranchState(
        structure=row["structure"],
        version=row["version"],
        head=row["head_id"],
        newest=newest,
        final=final,
        revisions={r["revision_id"] for r in revisions},
        newest_ordinal=ordinal,
        entries=entries,
    )
    state.show(final)
    return state


def _final(connection: sqlite3.Connection, chat_id: str, newest: Message | None) -> int:
    """The first round that more may still be said in: the newest one, unless its session is over."""
    if newest is None:
        return 0
    over = connection.execute("SELECT 1 FROM session WHERE chat_id = ? AND last_message_id = ?", (chat_id, newest.id)).fetchone()
    return newest.round + 1 if over else newest.round


def fullness(sources: int) -> str:
    """A rank of what rests on so many sources, 6 digits; the fullest comes first, for it is newest: an episode was made again when its round was complete, a
    plot when a message of its span came back."""
    return f"{MOST_SOURCES - sources:06d}"


def _entry_of(row: sqlite3.Row) -> Entry:
    kind = Kind(row["kind"])
    return Entry(
        ordinal=row["ordinal"],
        id=row["id"],
        kind=kind,
        first_round=row["round_first"],
        round=row["round_last"],
        written=row["origin"] == "user",
        pinned=bool(row["pinned"]),
        excluded=bool(row["excluded"]),
        slot=f"episode:{row['round_last']}" if kind is Kind.EPISODE else row["slot"],
        rank=(row["slot_rank"] or fullness(row["source_count"]), -row["ordinal"]),
        grounds=tuple(row["grounds"].split(",")) if row["grounds"] else (),
    )


def _shown(
    entries: dict[int, Entry], covered: frozenset[int] = frozenset(), taken_back: frozenset[str] = frozenset(), *, final: int = 0
) -> VisibleSet:
    """In order of birth, one of each slot, without what readings of whole units take the place of, and without what final rounds took back: the newest one may
    have been final, and read, before the messages after it were deleted."""
    taken_back = taken_back.union(*(e.grounds for e in entries.values() if e.slot == TAKEN_BACK and e.round < final))
    taken_back -= {e.id for e in entries.values() if e.pinned or e.written}
    denied = [e for e in entries.values() if e.id in taken_back and e.kind in (Kind.FACT, Kind.PERSONA)]
    if taken_back:
        gone = {e.id for e in denied}
        entries = {n: e for n, e in entries.items() if e.id not in gone and (e.pinned or e.written or taken_back.isdisjoint(e.grounds))}
    holds: dict[str, Entry] = {}
    for entry in entries.values():
        if entry.slot and entry.slot != SAID and (entry.slot not in holds or entry.rank < holds[entry.slot].rank):
            holds[entry.slot] = entry
    marks = [e for slot, e in holds.items() if slot.startswith(UNIT)]
    lowest = _lowest(entries.values())
    covered = covered.union(*(range(e.first_round, min(e.round, e.first_round + MOST_COVERED) + 1) for e in marks))

    def stands(entry: Entry) -> bool:
        if entry.slot == SAID:
            return entry.pinned or entry.written or entry.round not in covered
        if entry.slot.startswith(SESSION):
            # What a person pinned stays beside those that were made anew of the same messages.
            return entry.written or entry.rank[0] == lowest[entry.slot] or (entry.pinned and entry.rank[0][:6] == lowest[entry.slot][:6])
        return not entry.slot or holds[entry.slot] is entry

    kept = sorted((e for e in entries.values() if e.slot != TAKEN_BACK and stands(e)), key=lambda e: e.ordinal)
    return replace(
        _columns(kept),
        pinned=tuple(e.id for e in kept if e.pinned),
        excluded=frozenset(e.id for e in (*kept, *denied) if e.excluded),
        covered=covered,
        taken_back=taken_back,
        denied=tuple(sorted((e.ordinal, e.id, e.round, e.kind) for e in denied if stands(e))),
    )


def _columns(entries: Sequence[Entry]) -> VisibleSet:
    return VisibleSet(
        ordinals=tuple(e.ordinal for e in entries),
        ids=tuple(e.id for e in entries),
        rounds=tuple(e.round for e in entries),
        kinds=tuple(e.kind for e in entries),
    )


def _lowest(entries: Iterable[Entry]) -> dict[str, str]:
    """By slot of a session the rank of those that hold; pinned ones only where there are no others."""
    found: dict[str, tuple[bool, str]] = {}
    for entry in entries:
        if entry.slot.startswith(SESSION) and not entry.written:
            mine = (entry.pinned, entry.rank[0])
            found[entry.slot] = min(mine, found.get(entry.slot, mine))
    return {slot: rank for slot, (_, rank) in found.items()}
