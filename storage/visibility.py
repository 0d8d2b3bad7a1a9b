"""What a branch may see, kept up to date instead of computed anew.

A memory is visible on a branch only if all its sources are active on the branch's path with the same hash. A source is a message in one of the wordings
that are listed for it: several where the same words were written again, and where what a person wrote about one was taken along to its next. Computing
that for 10,000 rounds takes 70 ms; a turn only appends, so the set of the last turn is extended by what came since: the new messages at the head, the
memories born since, and the memories that rest on one of the new messages. `chat.structure` counts every other change (a selection, a revision, a status,
a pin); when it differs, the set is computed from nothing. Forgetting counts as such a change: it comes once in a unit.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

from storage.paths import ACTIVE, FORGOTTEN, PATH, walk
from storage.records import SAID, SESSION, TAKEN_BACK, UNIT, Kind, Message

T = TypeVar("T")

CACHED_BRANCHES = 16
MOST_SOURCES = 999_999
MOST_COVERED = 64
"""Rounds that one reading covers at most, whatever a file from elsewhere says; a unit has six."""
EXTEND_MESSAGES = 64
"""Further than this behind, a set is computed anew."""

_COLUMNS = f"""m.ordinal, m.id, m.kind, m.round_first, m.round_last, m.origin, m.pinned, m.excluded, m.source_count, m.slot, m.slot_rank,
    CASE WHEN m.kind = 'insight' OR m.slot = '{TAKEN_BACK}'
        THEN (SELECT group_concat(g.ground_id) FROM memory_ground g WHERE g.memory_id = m.id) END AS grounds"""
_FROM_PATH = f"""
    WITH RECURSIVE {PATH}, {ACTIVE}, {FORGOTTEN}
    SELECT {_COLUMNS}
    FROM active a CROSS JOIN memory_source s ON s.revision_id = a.revision_id
        CROSS JOIN revision r ON r.id = a.revision_id AND r.sha256 = s.sha256
        CROSS JOIN memory m ON m.id = s.memory_id
    WHERE m.chat_id = :chat AND m.status = 'active' AND (m.id IN (SELECT memory_id FROM forgotten)) = :forgotten
    GROUP BY m.ordinal HAVING count(*) = m.source_count
    ORDER BY 1"""
_SINCE = f"""
    SELECT {_COLUMNS}, s.revision_id, s.sha256 AS source_hash, r.sha256
    FROM memory m JOIN memory_source s ON s.memory_id = m.id JOIN revision r ON r.id = s.revision_id
    WHERE m.chat_id = :chat AND m.status = 'active' AND (
        m.ordinal > :ordinal
        OR m.id IN (SELECT n.memory_id FROM json_each(:revisions) w CROSS JOIN memory_source n ON n.revision_id = w.value)
    )"""


@dataclass(frozen=True)
class VisibleSet:
    """What a branch may see now: parallel tuples, in order of birth."""

    ordinals: tuple[int, ...] = ()
    ids: tuple[str, ...] = ()
    rounds: tuple[int, ...] = ()
    """Last round of each memory."""
    kinds: tuple[Kind, ...] = ()
    pinned: tuple[str, ...] = ()
    excluded: frozenset[str] = frozenset()
    """Those that a person keeps out of recall; they are shown."""
    covered: frozenset[int] = frozenset()
    """Rounds that were read as a whole unit: what their messages tell one by one does not hold."""
    taken_back: frozenset[str] = frozenset()
    """Ids of what a later message of the path took back."""
    denied: tuple[tuple[int, str, int, Kind], ...] = ()
    """Of those the (ordinal, id, last round, kind) that would be here if they had not been; kept by `joined` alone."""

    @cached_property
    def by_ordinal(self) -> dict[int, str]:
        return dict(zip(self.ordinals, self.ids, strict=True))

    @cached_property
    def round_of(self) -> dict[str, int]:
        return dict(zip(self.ids, self.rounds, strict=True))

    def before(self, round_number: int) -> VisibleSet:
        """Only memories whose last round came before `round_number`."""
        return self._only([r < round_number for r in self.rounds])

    def within(self, first: int, last: int) -> VisibleSet:
        """Only memories whose last round is one of these, both ends included."""
        return self._only([first <= r <= last for r in self.rounds])

    def where(self, keep: Callable[[Kind, int], bool]) -> VisibleSet:
        """Only memories whose kind and last round pass."""
        return self._only([keep(kind, r) for kind, r in zip(self.kinds, self.rounds, strict=True)])

    @property
    def told(self) -> VisibleSet:
        """With what was taken back later: what was told when it was told. Of a set that nothing was left out of."""
        if not self.denied:
            return self
        ordinals, ids, rounds, kinds = (tuple(column) for column in zip(*sorted(self.denied), strict=True))
        return self.joined(VisibleSet(ordinals, ids, rounds, kinds))

    @cached_property
    def recallable(self) -> VisibleSet:
        """Without what is excluded."""
        return self._only([i not in self.excluded for i in self.ids]) if self.excluded else self

    def without(self, ids: Collection[str]) -> VisibleSet:
        return self._only([i not in ids for i in self.ids]) if ids else self

    def of_kinds(self, kinds: Iterable[Kind]) -> VisibleSet:
        wanted = frozenset(kinds)
        return self._only([k in wanted for k in self.kinds])

    def joined(self, other: VisibleSet) -> VisibleSet:
        """Both, in order of birth."""
        if not other.ids and not other.denied:
            return self
        order = sorted(range(len(self.ids) + len(other.ids)), key=(self.ordinals + other.ordinals).__getitem__)

        def merged(mine: tuple[T, ...], others: tuple[T, ...]) -> tuple[T, ...]:
            both = mine + others
            return tuple(both[i] for i in order)

        return VisibleSet(
            merged(self.ordinals, other.ordinals),
            merged(self.ids, other.ids),
            merged(self.rounds, other.rounds),
            merged(self.kinds, other.kinds),
            self.pinned + other.pinned,
            self.excluded | other.excluded,
            self.covered,
            self.taken_back,
            self.denied + other.denied,
        )

    def _only(self, keep: list[bool]) -> VisibleSet:
        if all(keep):
            return self
        kept = [i for i, k in enumerate(keep) if k]
        ids = tuple(self.ids[i] for i in kept)
        inside = frozenset(ids)
        return VisibleSet(
            ordinals=tuple(self.ordinals[i] for i in kept),
            ids=ids,
            rounds=tuple(self.rounds[i] for i in kept),
            kinds=tuple(self.kinds[i] for i in kept),
            pinned=tuple(p for p in self.pinned if p in inside),
            excluded=self.excluded & inside,
            covered=self.covered,
            taken_back=self.taken_back,
        )


@dataclass(frozen=True)
class _Entry:
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
class _BranchState:
    structure: int
    version: int
    head: str | None
    newest: Message | None
    """On the path, deleted ones not counted."""
    final: int
    """The path's rounds before this one are final."""
    revisions: set[str]
    newest_ordinal: int
    entries: dict[int, _Entry]
    shown: VisibleSet = field(default_factory=VisibleSet)


class Visibility:
    """Sets by branch; safe from any thread. Whoever calls has checked that the branch is the user's."""

    def __init__(self) -> None:
        self._states: OrderedDict[str, _BranchState] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, connection: sqlite3.Connection, *, chat_id: str, branch_id: str) -> VisibleSet:
        """The active memories that a branch may see. connection: inside one read transaction."""
        row = connection.execute(
            "SELECT c.version, c.structure, b.head_id FROM chat c JOIN branch b ON b.chat_id = c.id WHERE c.id = ? AND b.id = ?",
            (chat_id, branch_id),
        ).fetchone()
        with self._lock:
            state = self._states.get(branch_id)
            if (
                state is None
                or state.structure != row["structure"]
                or state.version > row["version"]
                or not self._extend(connection, state, row, chat_id, branch_id)
            ):
                state = _compute(connection, row, chat_id, branch_id)
                self._states[branch_id] = state
                while len(self._states) > CACHED_BRANCHES:
                    self._states.popitem(last=False)
            self._states.move_to_end(branch_id)
            return state.shown

    @staticmethod
    def _extend(connection: sqlite3.Connection, state: _BranchState, row: sqlite3.Row, chat_id: str, branch_id: str) -> bool:
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
            added = [m.revision.id for m in found[:until] if not m.hidden]
            newest = found[0]
        state.revisions.update(added)
        rows = connection.execute(_SINCE, {"chat": chat_id, "ordinal": state.newest_ordinal, "revisions": json.dumps(added)}).fetchall()
        sources: dict[int, list[sqlite3.Row]] = {}
        for source in rows:
            sources.setdefault(source["ordinal"], []).append(source)
        for ordinal, found_sources in sources.items():
            there = sum(s["revision_id"] in state.revisions and s["sha256"] == s["source_hash"] for s in found_sources)
            if there == found_sources[0]["source_count"]:
                state.entries[ordinal] = _entry_of(found_sources[0])
        if sources:
            state.newest_ordinal = max(state.newest_ordinal, *sources)
        final = _final(connection, chat_id, newest)
        if sources or (final != state.final and any(e.slot == TAKEN_BACK for e in state.entries.values())):
            state.shown = _shown(state.entries, final=final)
        state.newest, state.final = newest, final
        state.head, state.version = row["head_id"], row["version"]
        return True


def forgotten(connection: sqlite3.Connection, *, chat_id: str, branch_id: str, kept: VisibleSet) -> VisibleSet:
    """The memories that the branch has forgotten and whose sources it has; computed anew each time. kept: the branch's visible set."""
    rows = connection.execute(_FROM_PATH, {"branch": branch_id, "chat": chat_id, "forgotten": 1})
    return _shown({row["ordinal"]: _entry_of(row) for row in rows}, kept.covered, kept.taken_back)


def _compute(connection: sqlite3.Connection, row: sqlite3.Row, chat_id: str, branch_id: str) -> _BranchState:
    revisions = connection.execute(f"WITH RECURSIVE {PATH}, {ACTIVE} SELECT revision_id FROM active", {"branch": branch_id})
    found = connection.execute(_FROM_PATH, {"branch": branch_id, "chat": chat_id, "forgotten": 0})
    entries = {item["ordinal"]: _entry_of(item) for item in found}
    (ordinal,) = connection.execute("SELECT coalesce(max(ordinal), 0) FROM memory WHERE chat_id = ?", (chat_id,)).fetchone()
    head = walk(connection, chat_id=chat_id, branch_id=branch_id, start=row["head_id"], limit=1) if row["head_id"] else []
    newest = head[0] if head else None
    final = _final(connection, chat_id, newest)
    return _BranchState(
        structure=row["structure"],
        version=row["version"],
        head=row["head_id"],
        newest=newest,
        final=final,
        revisions={r["revision_id"] for r in revisions},
        newest_ordinal=ordinal,
        entries=entries,
        shown=_shown(entries, final=final),
    )


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


def _entry_of(row: sqlite3.Row) -> _Entry:
    kind = Kind(row["kind"])
    return _Entry(
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
    entries: dict[int, _Entry], covered: frozenset[int] = frozenset(), taken_back: frozenset[str] = frozenset(), *, final: int = 0
) -> VisibleSet:
    """In order of birth, one of each slot, without what readings of whole units take the place of, and without what final rounds took back: the newest one may
    have been final, and read, before the messages after it were deleted."""
    taken_back = taken_back.union(*(e.grounds for e in entries.values() if e.slot == TAKEN_BACK and e.round < final))
    taken_back -= {e.id for e in entries.values() if e.pinned or e.written}
    denied = [e for e in entries.values() if e.id in taken_back and e.kind in (Kind.FACT, Kind.PERSONA)]
    if taken_back:
        gone = {e.id for e in denied}
        entries = {n: e for n, e in entries.items() if e.id not in gone and (e.pinned or e.written or taken_back.isdisjoint(e.grounds))}
    holds: dict[str, _Entry] = {}
    for entry in entries.values():
        if entry.slot and entry.slot != SAID and (entry.slot not in holds or entry.rank < holds[entry.slot].rank):
            holds[entry.slot] = entry
    marks = [e for slot, e in holds.items() if slot.startswith(UNIT)]
    lowest = _lowest(entries.values())
    covered = covered.union(*(range(e.first_round, min(e.round, e.first_round + MOST_COVERED) + 1) for e in marks))

    def stands(entry: _Entry) -> bool:
        if entry.slot == SAID:
            return entry.pinned or entry.written or entry.round not in covered
        if entry.slot.startswith(SESSION):
            # What a person pinned stays beside those that were made anew of the same messages.
            return entry.written or entry.rank[0] == lowest[entry.slot] or (entry.pinned and entry.rank[0][:6] == lowest[entry.slot][:6])
        return not entry.slot or holds[entry.slot] is entry

    kept = sorted((e for e in entries.values() if e.slot != TAKEN_BACK and stands(e)), key=lambda e: e.ordinal)
    return VisibleSet(
        ordinals=tuple(e.ordinal for e in kept),
        ids=tuple(e.id for e in kept),
        rounds=tuple(e.round for e in kept),
        kinds=tuple(e.kind for e in kept),
        pinned=tuple(e.id for e in kept if e.pinned),
        excluded=frozenset(e.id for e in (*kept, *denied) if e.excluded),
        covered=covered,
        taken_back=taken_back,
        denied=tuple((e.ordinal, e.id, e.round, e.kind) for e in denied if stands(e)),
    )


def _lowest(entries: Iterable[_Entry]) -> dict[str, str]:
    """By slot of a session the rank of those that hold; pinned ones only where there are no others."""
    found: dict[str, tuple[bool, str]] = {}
    for entry in entries:
        if entry.slot.startswith(SESSION) and not entry.written:
            mine = (entry.pinned, entry.rank[0])
            found[entry.slot] = min(mine, found.get(entry.slot, mine))
    return {slot: rank for slot, (_, rank) in found.items()}
