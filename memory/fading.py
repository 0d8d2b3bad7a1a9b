"""How alive memories are and how they came to be so: courses of their scores, who is nearest to being forgotten, and who was forgotten when.

Reads only; no model call, no embedding. Everything follows from the path: births, recall events, what was forgotten there and what came back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from memory.competing import Contest, contest
from memory.courses import before, course, drawn_rounds
from memory.forgetting import Capacity, Competitor, Score, overflow, scores
from memory.forgetting_policies import hold
from storage.fates import Fate
from storage.records import Effect, Kind, Memory, RecallEvent
from storage.scope import Scope
from storage.store import Store

LISTED = 5
"""Memories of each group."""
SMALL = 48
"""Rounds that a small curve is drawn by, at least."""
LOOKED_AT = 240
"""The same of the chosen one's."""
BEFELL = 200
"""Newest events of the chosen one that are told one by one."""
SCORED = (Kind.FACT, Kind.INSIGHT, Kind.EPISODE)
"""Kinds that cues reinforce and inhibit."""


@dataclass(frozen=True)
class Befell:
    """What one round did to a memory."""

    round: int
    effect: Effect
    before: float
    """S_kept in that round without it."""
    after: float
    """S_kept in the round that follows, or, of the newest, in it."""


@dataclass(frozen=True)
class Course:
    memory: Memory
    score: Score
    rounds: tuple[int, ...]
    values: tuple[float, ...]
    """S_kept at each of the rounds."""
    forgotten: bool
    fates: tuple[Fate, ...]
    """Of it alone, oldest first."""
    spared: bool = False
    """It is not forgotten now, however low it is: pinned, of the newest rounds, or brought back."""
    needs: float | None = None
    """The score at which it is held no firmer than what goes next; negative where it keeps its place without any. None where nothing has to go."""
    befell: tuple[Befell, ...] = ()
    """Of the chosen one, the newest BEFELL of them, oldest first."""


@dataclass(frozen=True)
class Held:
    """How many facts and insights were held from a round on."""

    round: int
    count: int


@dataclass(frozen=True)
class Fading:
    capacity: Capacity
    held: int
    room: tuple[Held, ...]
    """The course of that number, oldest first."""
    alive: tuple[Course, ...]
    """Of the highest score first."""
    nearly: tuple[Course, ...]
    """In the order in which they would be forgotten."""
    lost: tuple[Course, ...]
    """Forgotten, the newest first."""
    lost_all: int
    chosen: Course | None
    weighed: bool
    """Whether it is known who would go next; not while the index is made anew."""


class Fadings:
    """fingerprint: of the embedder; capacity: of facts and insights on a branch."""

    def __init__(self, store: Store, *, fingerprint: str, capacity: Capacity) -> None:
        self._store = store
        self._fingerprint = fingerprint
        self._capacity = capacity

    def of(self, scope: Scope, branch_id: str, *, current_round: int, chosen: str = "") -> Fading:
        """chosen: id of a memory that is looked at closely; one that the branch may not see is as none."""
        memories = self._store.memories
        events = memories.events(scope, branch_id)
        fates = self._store.fates.of_path(scope, branch_id)
        field = contest(self._store, scope, branch_id, events=events, last_round=current_round, next_round=current_round + 1)
        births = {m.id: m.round_last for m in field.path if m.id in field.kept}
        field = replace(field, kept=scores(births, events, current_round=current_round))  # by the scores that are shown
        kept = field.kept
        competitors = self._weighed(scope, field)
        gone = {m.id: m for m in field.path if m.id not in field.kept}
        last_fate = {f.memory_id: f for f in fates}
        alive = sorted(kept, key=lambda i: -kept[i].value)[:LISTED]
        nearly = overflow(competitors, Capacity(0))[:LISTED]
        lost = sorted(gone, key=lambda i: (-_round_of(last_fate.get(i)), -gone[i].round_last))
        shown = {i: m for m in field.path if (i := m.id) in {*alive, *nearly, *lost[:LISTED]}}
        looked_at = self._chosen(scope, branch_id, chosen, field)
        wanted = {**shown, **({looked_at.id: looked_at} if looked_at is not None else {})}
        by_memory: dict[str, list[RecallEvent]] = {i: [] for i in wanted}
        for event in events:
            if event.memory_id in by_memory:
                by_memory[event.memory_id].append(event)
        needed = _needed(competitors, self._capacity)

        def drawn(memory: Memory, *, most: int) -> Course:
            own = by_memory[memory.id]
            rounds = drawn_rounds(memory.round_last, current_round, own, most=most)
            found = scores({memory.id: memory.round_last}, own, current_round=current_round)[memory.id]
            return Course(
                memory=memory,
                score=found,
                rounds=tuple(rounds),
                values=tuple(course(memory.round_last, own, rounds).tolist()),
                forgotten=memory.id in gone,
                fates=tuple(f for f in fates if f.memory_id == memory.id),
                spared=memory.id in field.spared,
                needs=needed.get(memory.id),
            )

        close = drawn(looked_at, most=LOOKED_AT) if looked_at is not None else None
        if close is not None:
            close = replace(close, befell=_befell(close.memory.round_last, by_memory[close.memory.id], current_round))
        return Fading(
            capacity=self._capacity,
            held=len(field.kept),
            room=_room(field.path, fates, current_round),
            alive=tuple(drawn(shown[i], most=SMALL) for i in alive),
            nearly=tuple(drawn(shown[i], most=SMALL) for i in nearly),
            lost=tuple(drawn(shown[i], most=SMALL) for i in lost[:LISTED]),
            lost_all=len(lost),
            chosen=close,
            weighed=len(competitors) == len(field.kept),
        )

    def _weighed(self, scope: Scope, field: Contest) -> list[Competitor]:
        """Empty while a vector is missing: without it nobody can say what a memory is like."""
        vectors = self._store.vectors.of_memories(scope.user_id, self._fingerprint, [m.id for m in field.path])
        if not field.path or any(m.id not in vectors for m in field.path):
            return []
        return field.competitors(np.stack([vectors[m.id] for m in field.path]))

    def _chosen(self, scope: Scope, branch_id: str, memory_id: str, field: Contest) -> Memory | None:
        if not memory_id:
            return None
        known = next((m for m in field.path if m.id == memory_id), None)
        if known is not None:
            return known
        if self._store.memories.visible(scope, branch_id).position(memory_id) is None:
            return None
        found = self._store.memories.get(scope, [memory_id]).get(memory_id)
        return found if found is not None and found.kind in SCORED else None


def _round_of(fate: Fate | None) -> int:
    return fate.round if fate is not None else 0


def _needed(competitors: Sequence[Competitor], capacity: Capacity) -> Mapping[str, float]:
    """By id the score at which a memory is held just as firmly as the firmest of those that go, or would go if one more came: w (1 + S) of both alike.

    Empty while there is room. Where tokens decide, each is held for its length, and no one score says it.
    """
    if capacity.tokens or len(competitors) < capacity.memories:
        return {}
    going = overflow(competitors, Capacity(min(capacity.memories, len(competitors) - 1)))
    if not going:
        return {}
    last = next(c for c in competitors if c.id == going[-1])
    line = float(hold(np.array([last.kept]), np.array([last.strength]))[0])
    return {c.id: line / c.strength - 1.0 for c in competitors}


def _befell(birth: int, events: Iterable[RecallEvent], current_round: int) -> tuple[Befell, ...]:
    log = sorted(events, key=lambda e: (e.round, e.effect is Effect.REINFORCED))
    newest = log[-BEFELL:]
    was = before(birth, log, [e.round for e in newest])
    then = course(birth, log, [min(e.round + 1, current_round) for e in newest])
    return tuple(Befell(e.round, e.effect, float(b), float(a)) for e, b, a in zip(newest, was, then, strict=True))


def _room(path: Iterable[Memory], fates: Iterable[Fate], current_round: int) -> tuple[Held, ...]:
    """How many of a path's competing memories were held, at each round in which that changed, and now."""
    members = {m.id for m in path}
    steps: dict[int, int] = {}
    for memory in path:
        steps[memory.round_last] = steps.get(memory.round_last, 0) + 1
    out: set[str] = set()
    for fate in fates:
        if fate.memory_id in members and (fate.memory_id in out) != fate.forgotten:
            steps[fate.round] = steps.get(fate.round, 0) + (-1 if fate.forgotten else 1)
            (out.add if fate.forgotten else out.discard)(fate.memory_id)
    found: list[Held] = []
    count = 0
    for at in sorted(steps):
        count += steps[at]
        found.append(Held(at, count))
    return (*found, Held(current_round, count)) if found and found[-1].round < current_round else tuple(found)
