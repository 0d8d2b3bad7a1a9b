"""Who competes for a place in memory, and how firmly each is held: what forgetting decides by, and what a person is shown of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memory import narrative
from memory.facts import path_order
from memory.forgetting import Competitor, Score, scores
from memory.strength import strengths
from models.gateway import estimate
from storage.records import Kind, Memory, RecallEvent
from storage.scope import Scope
from storage.store import Store

COMPETING = (Kind.FACT, Kind.INSIGHT)
"""Kinds that compete for capacity; episodes are scored, never forgotten."""

RESTORED_ROUNDS = narrative.CHAPTER_ROUNDS
"""What a person brought back is spared for so many rounds: it was the weakest, so the next unit would forget it again and bringing it back would be no
more than a look. Its score is left as it is, for it follows from what was recalled and nothing else; within a chapter talk may come to it and raise it."""


@dataclass(frozen=True)
class Contest:
    path: tuple[Memory, ...]
    """Everything that ever competed on a path, in its order: a strength at birth does not change when something before it goes."""
    kept: Mapping[str, Score]
    """Of what is still held."""
    spared: frozenset[str]

    def competitors(self, vectors: NDArray[np.float32]) -> list[Competitor]:
        """What is still held, in path order. vectors: of `path` [n, d]."""
        places = [place for place, memory in enumerate(self.path) if memory.id in self.kept]
        found = strengths(
            [m.text for m in self.path],
            vectors,
            dated=np.array([m.event_from is not None for m in self.path], dtype=np.bool_),
            of=places,
        )
        held = [(self.path[place], float(strength)) for place, strength in zip(places, found, strict=True)]
        return [Competitor(m.id, m.round_last, self.kept[m.id].value, w, estimate(m.text), m.id in self.spared) for m, w in held]


def contest(store: Store, scope: Scope, branch_id: str, *, events: list[RecallEvent], last_round: int, next_round: int) -> Contest:
    """Who competes on a branch when its path goes on from one round to the next. events: of the path."""
    competing = store.memories.visible(scope, branch_id).of_kinds(COMPETING).before(next_round)
    unit_start = last_round // narrative.THETA_1 * narrative.THETA_1
    spared = {i for i, r in competing.round_of.items() if r >= unit_start} | set(competing.pinned)
    spared |= store.controls.restored(scope, branch_id, after_round=next_round - RESTORED_ROUNDS)
    gone = store.memories.forgotten(scope, branch_id).of_kinds(COMPETING).before(next_round)
    path = sorted(store.memories.get(scope, (*competing.ids, *gone.ids)).values(), key=path_order)
    return Contest(tuple(path), scores(competing.round_of, events, current_round=next_round), frozenset(spared))
