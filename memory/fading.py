"""How alive memories are and how they came to be so: courses of their scores, who is nearest to being forgotten, and who was forgotten when.

Reads only; no model call, no embedding. Everything follows from the path: births, recall events, what was forgotten there and what came back.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from memory.competing import Contest, Laid, contest, laid_down
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
KEPT_BRANCHES = 8
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
    weakest: tuple[Course, ...]
    """Of the lowest score first; of the same score the one that would be forgotten sooner, where that is known."""
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
        self._kept: OrderedDict[str, tuple[int, tuple[str, ...], tuple[str, ...], Sequence[Laid]]] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, scope: Scope, branch_id: str, *, current_round: int, chosen: str = "") -> Fading:
        """chosen: id of a memory that is looked at closely; one that the branch may not see is as none."""
        fates = self._store.fates.of_path(scope, branch_id)
        field = contest(self._store, scope, branch_id, last_round=current_round, next_round=current_round + 1)
        last_fate = {f.memory_id: f.round for f in fates}
        gone = dict(zip(field.gone.ids, field.gone.rounds, strict=True))
        lost = sorted(gone, key=lambda i: (-last_fate.get(i, 0), -gone[i]))[:LISTED]
        looked_at = self._chosen(scope, branch_id, chosen)
        recalls = self._store.fates.recalls(scope, branch_id, {*field.kept.ids, *lost, *([looked_at.id] if looked_at else [])})
        births = field.kept.round_of
        kept = scores(births, (e for i in births for e in recalls[i]), current_round=current_round)  # by the scores that are shown
        laid = self._laid(scope, branch_id, field)
        competitors = field.competitors(laid, kept)
        alive = sorted(kept, key=lambda i: -kept[i].value)[:LISTED]
        going = overflow(competitors, Capacity(0))
        nearly = going[:LISTED]
        turn = {i: at for at, i in enumerate(going)}
        weakest = sorted(kept, key=lambda i: (kept[i].value, turn.get(i, len(turn))))[:LISTED]
        shown = self._store.memories.get(scope, {*alive, *nearly, *weakest, *lost})
        needed = _needed(competitors, self._capacity)

        def drawn(memory: Memory, *, most: int) -> Course:
            own = recalls[memory.id]
            rounds = drawn_rounds(memory.round_last, current_round, own, most=most)
            return Course(
                memory=memory,
                score=scores({memory.id: memory.round_last}, own, current_round=current_round)[memory.id],
                rounds=tuple(rounds),
                values=tuple(course(memory.round_last, own, rounds).tolist()),
                forgotten=memory.id in gone,
                fates=tuple(f for f in fates if f.memory_id == memory.id),
                spared=memory.id in field.spared,
                needs=needed.get(memory.id),
            )

        close = drawn(looked_at, most=LOOKED_AT) if looked_at is not None else None
        if close is not None:
            close = replace(close, befell=_befell(close.memory.round_last, recalls[close.memory.id], current_round))
        return Fading(
            capacity=self._capacity,
            held=len(births),
            room=_room({**births, **gone}, fates, current_round),
            alive=tuple(drawn(shown[i], most=SMALL) for i in alive),
            nearly=tuple(drawn(shown[i], most=SMALL) for i in nearly),
            weakest=tuple(drawn(shown[i], most=SMALL) for i in weakest),
            lost=tuple(drawn(shown[i], most=SMALL) for i in lost),
            lost_all=len(gone),
            chosen=close,
            weighed=len(laid) == len(births),
        )

    def _laid(self, scope: Scope, branch_id: str, field: Contest) -> Sequence[Laid]:
        """As what is held was laid down; empty while a vector is missing: without it nobody can say what a memory is like. Kept until the path changes, since it
        asks for the words of everything that ever competed."""
        structure = self._store.fates.structure(scope)
        known = self._kept.get(branch_id)
        if known is not None and known[0] == structure and known[1] == field.kept.ids and known[2] == field.gone.ids:
            return known[3]
        path = field.path(self._store, scope)
        vectors = self._store.vectors.of_memories(scope.user_id, self._fingerprint, [m.id for m in path])
        if not path or any(m.id not in vectors for m in path):
            return ()
        laid = laid_down(path, np.stack([vectors[m.id] for m in path]), of=field.kept.round_of)
        with self._lock:
            self._kept[branch_id] = (structure, field.kept.ids, field.gone.ids, laid)
            self._kept.move_to_end(branch_id)
            while len(self._kept) > KEPT_BRANCHES:
                self._kept.popitem(last=False)
        return laid

    def _chosen(self, scope: Scope, branch_id: str, memory_id: str) -> Memory | None:
        """A memory that the branch may see, forgotten or not, and that has a score."""
        if not memory_id:
            return None
        memories = self._store.memories
        seen = memories.visible(scope, branch_id).position(memory_id) is not None
        if not seen and memory_id not in memories.forgotten(scope, branch_id).members:
            return None
        found = memories.get(scope, [memory_id]).get(memory_id)
        return found if found is not None and found.kind in SCORED else None


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


def _room(births: Mapping[str, int], fates: Iterable[Fate], current_round: int) -> tuple[Held, ...]:
    """How many of a path's competing memories were held, at each round in which that changed, and now."""
    steps: dict[int, int] = {}
    for birth in births.values():
        at = max(0, birth)  # what came along from elsewhere was there from the beginning
        steps[at] = steps.get(at, 0) + 1
    out: set[str] = set()
    for fate in fates:
        if fate.memory_id in births and (fate.memory_id in out) != fate.forgotten:
            steps[fate.round] = steps.get(fate.round, 0) + (-1 if fate.forgotten else 1)
            (out.add if fate.forgotten else out.discard)(fate.memory_id)
    found: list[Held] = []
    count = 0
    for at in sorted(steps):
        count += steps[at]
        found.append(Held(at, count))
    return (*found, Held(current_round, count)) if found and found[-1].round < current_round else tuple(found)
