"""Who competes for a place in memory, and how firmly each is held: what forgetting decides by, and what a person is shown of it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memory import narrative
from memory.facts import path_order
from memory.forgetting import Capacity, Competitor, Score, excess, known
from memory.forgetting_policies import Policy
from memory.strength import strengths
from models.gateway import estimate
from storage.records import Kind, Memory, RecallEvent
from storage.scope import Scope
from storage.store import Store
from storage.visible import VisibleSet

COMPETING = (Kind.FACT, Kind.INSIGHT)
"""Kinds that compete for capacity; episodes are scored, never forgotten."""

RESTORED_ROUNDS = narrative.CHAPTER_ROUNDS
"""What a person brought back is spared for so many rounds: it was the weakest, so the next unit would forget it again and bringing it back would be no
more than a look. Its score is left as it is, for it follows from what was recalled and nothing else; within a chapter talk may come to it and raise it."""


@dataclass(frozen=True)
class Contest:
    """Who competes on a path, before anybody is weighed."""

    kept: VisibleSet
    """What is still held."""
    gone: VisibleSet
    """What was forgotten: it was there when others were laid down, and a strength at birth does not change when something before it goes."""
    spared: frozenset[str]

    def path(self, store: Store, scope: Scope) -> list[Memory]:
        """Everything that ever competed, in its order."""
        return sorted(store.memories.get(scope, (*self.kept.ids, *self.gone.ids)).values(), key=path_order)

    def lost(
        self, laid: Sequence[Laid], events: Iterable[RecallEvent], capacity: Capacity, *, policy: Policy, current_round: int
    ) -> list[str]:
        """What goes by a policy so that the capacity holds. laid: what is still held, in path order; events: of the path."""
        births = self.kept.round_of
        strengths = np.array([one.strength for one in laid])
        held = known({one.id: births[one.id] for one in laid}, events, strengths=strengths, current_round=current_round)
        values = policy.values(held, current_round=current_round)
        rates = policy.for_each_token(values, np.array([one.tokens for one in laid], dtype=np.int64))
        return excess(laid, values, rates, capacity, spared=self.spared)

    def competitors(self, laid: Iterable[Laid], kept: Mapping[str, Score]) -> list[Competitor]:
        """What is still held, in path order. kept: its scores."""
        return [Competitor(one.id, one.birth, kept[one.id].value, one.strength, one.tokens, one.id in self.spared) for one in laid]


@dataclass(frozen=True)
class Laid:
    """A memory as it was laid down, whatever was recalled since."""

    id: str
    birth: int
    strength: float
    tokens: int


def laid_down(path: Sequence[Memory], vectors: NDArray[np.float32], *, of: Collection[str]) -> list[Laid]:
    """Those memories of a path whose ids are in `of`, in its order. vectors: of the path [n, d]."""
    places = [place for place, memory in enumerate(path) if memory.id in of]
    dated = np.array([m.event_from is not None for m in path], dtype=np.bool_)
    found = strengths([m.text for m in path], vectors, dated=dated, of=places)
    return [
        Laid(path[place].id, path[place].round_last, float(strength), estimate(path[place].text))
        for place, strength in zip(places, found, strict=True)
    ]


def contest(store: Store, scope: Scope, branch_id: str, *, last_round: int, next_round: int) -> Contest:
    """Who competes on a branch when its path goes on from one round to the next."""
    kept = store.memories.visible(scope, branch_id).of_kinds(COMPETING).before(next_round)
    unit_start = last_round // narrative.THETA_1 * narrative.THETA_1
    spared = {i for i, r in kept.round_of.items() if r >= unit_start} | set(kept.pinned)
    spared |= store.controls.restored(scope, branch_id, after_round=next_round - RESTORED_ROUNDS)
    gone = store.memories.forgotten(scope, branch_id).of_kinds(COMPETING).before(next_round)
    return Contest(kept, gone, frozenset(spared))
