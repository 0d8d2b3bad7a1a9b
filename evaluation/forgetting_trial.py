"""One conversation lived through under one forgetting policy: what is still kept at its end, and what of that a question brings back.

Memories are the conversation's turns, or anything made of them; each turn is a cue that ranks what is held by dense relevance, reinforces the first k and
inhibits the next k; then the weakest go until the capacity holds. Vectors are given, so that a trial is arithmetic (about .1 s for 600 turns).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memory.forgetting_policies import Held, Policy, weakest

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Question:
    vector: NDArray[np.float32]
    """Query vector [d]."""
    evidence: tuple[int, ...]
    """Turns that answer, as places in the conversation."""
    category: str
    id: str = ""


@dataclass(frozen=True)
class Talk:
    """A conversation of T turns and the n memories made of it, in path order."""

    cues: NDArray[np.float32]
    """Query vectors of the turns [T, d]."""
    vectors: NDArray[np.float32]
    """Passage vectors of the memories [n, d]."""
    births: NDArray[np.int64]
    """Turn each memory is made at [n], rising."""
    turns: tuple[tuple[int, ...], ...]
    """Turns each memory holds."""
    tokens: Floats
    """Tokens of each memory [n]."""
    strengths: Floats
    """Strength at birth [n] (`memory.strength`)."""
    questions: tuple[Question, ...]


@dataclass(frozen=True)
class Capacity:
    """What may be kept: a share of the conversation's turns, a number of memories, or tokens."""

    kind: str
    """`share`, `items` or `tokens`."""
    size: float

    @property
    def name(self) -> str:
        return {"share": f"{self.size:g} of the turns", "items": f"{self.size:g} items", "tokens": f"{self.size:,.0f} tokens"}[self.kind]

    def costs(self, talk: Talk) -> Floats:
        return talk.tokens if self.kind == "tokens" else np.ones(len(talk.births))

    def limit(self, talk: Talk) -> float:
        return float(int(self.size * len(talk.cues))) if self.kind == "share" else self.size


def kept(talk: Talk, policy: Policy, capacity: Capacity, *, k: int, per_token: bool = False) -> NDArray[np.bool_]:
    """Which memories are held after the last turn [n].

    per_token: where capacity is in tokens, rank by value for each token instead of value.
    """
    costs, limit = capacity.costs(talk), capacity.limit(talk)
    relevance = talk.cues @ talk.vectors.T
    alive = np.zeros(len(talk.births), dtype=np.bool_)
    log = _Log(2 * k * len(talk.cues))
    born = np.searchsorted(talk.births, np.arange(len(talk.cues)), side="right")
    first = 0
    for turn, past in enumerate(born):
        held = np.flatnonzero(alive)
        ranked = held[np.argsort(-relevance[turn, held], kind="stable")][: 2 * k]
        log.add(turn, ranked, k=k)
        alive[first:past] = True
        first = past
        held = np.flatnonzero(alive)
        if costs[held].sum() > limit:
            values = policy.values(log.held(talk), current_round=turn)[held]
            if per_token and capacity.kind == "tokens":
                values = values / costs[held]
            none = np.zeros(len(held), dtype=np.bool_)
            lost = weakest(values, births=talk.births[held], costs=costs[held], capacity=limit, spared=none)
            alive[held[lost]] = False
    return alive


class _Log:
    """Events of a trial, in arrays that are long enough from the start."""

    def __init__(self, most: int) -> None:
        self._memory = np.empty(most, dtype=np.int64)
        self._rounds = np.empty(most, dtype=np.int64)
        self._reinforced = np.empty(most, dtype=np.bool_)
        self._end = 0

    def add(self, turn: int, ranked: NDArray[np.int64], *, k: int) -> None:
        span = slice(self._end, self._end + len(ranked))
        self._memory[span] = ranked
        self._rounds[span] = turn
        self._reinforced[span] = np.arange(len(ranked)) < k
        self._end = span.stop

    def held(self, talk: Talk) -> Held:
        end = self._end
        return Held(talk.births, self._memory[:end], self._rounds[:end], self._reinforced[:end], talk.strengths)


def covered(talk: Talk, alive: NDArray[np.bool_]) -> Floats:
    """For each question the share of its evidence turns that a kept memory holds."""
    there = np.zeros(len(talk.cues))
    there[[turn for place in np.flatnonzero(alive) for turn in talk.turns[place]]] = 1.0
    return np.array([there[list(q.evidence)].mean() for q in talk.questions])


def recalled(talk: Talk, alive: NDArray[np.bool_], *, k: int) -> Floats:
    """For each question the share of its evidence turns in the k kept memories that are nearest to it."""
    held = np.flatnonzero(alive)
    shares = []
    for question in talk.questions:
        nearest = held[np.argsort(-(talk.vectors[held] @ question.vector), kind="stable")][:k]
        found = {turn for place in nearest for turn in talk.turns[place]}
        shares.append(sum(turn in found for turn in question.evidence) / len(question.evidence))
    return np.array(shares)


def covered_by_age(talk: Talk, alive: NDArray[np.bool_], *, buckets: int) -> list[tuple[int, float]]:
    """(bucket, share covered) of every evidence turn of every question; bucket 0 holds the oldest fifth of the turns, if there are five."""
    there = np.zeros(len(talk.cues))
    there[[turn for place in np.flatnonzero(alive) for turn in talk.turns[place]]] = 1.0
    return [(turn * buckets // len(talk.cues), float(there[turn])) for q in talk.questions for turn in q.evidence]
