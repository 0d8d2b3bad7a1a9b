"""What is kept when not everything can be: forgetting policies behind one interface, side by side for the program and for measuring.

    S = alpha / (exp(gamma (r_c - b)) + (1 - eps)) + beta * sum over r in R_c, r < r_c of 1 / (r_c - r + eps)      (MOOM eq. 3)

r_c: current round, b: round of birth, R_c: rounds whose cue reinforced the memory. A policy gives every memory a value, higher is kept longer, from its
birth and from the cues that reinforced or inhibited it; who goes is decided by rank (`weakest`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

ALPHA = 0.1
BETA = 0.9
GAMMA = 1.0
EPSILON = 1e-9
_MAX_EXPONENT = 700.0
"""exp overflows a double at 709.8; at 700 the time term is 1e-305, far below anything that ranks."""


@dataclass(frozen=True)
class Held:
    """Memories in the order of their path, and what cues did to them."""

    births: Ints
    """Round of birth [n]."""
    memory: Ints
    """Whom each event befell, as a place among the n [e]."""
    rounds: Ints
    """Its round [e], rising."""
    reinforced: Flags
    """Whether it reinforced or inhibited [e]."""
    strengths: Floats
    """Strength at birth [n], > 0 (`memory.strength`)."""

    def until(self, current_round: int) -> Held:
        """Without the events of later rounds."""
        end = int(np.searchsorted(self.rounds, current_round, side="right"))
        return replace(self, memory=self.memory[:end], rounds=self.rounds[:end], reinforced=self.reinforced[:end])

    def reinforcements(self) -> Ints:
        """How often each was reinforced [n]."""
        return np.bincount(self.memory[self.reinforced], minlength=len(self.births))

    def last_reinforced(self) -> Ints:
        """Round of each one's last reinforcement [n], -1 for none."""
        last = np.full(len(self.births), -1, dtype=np.int64)
        last[self.memory[self.reinforced]] = self.rounds[self.reinforced]  # of several the last one stands, as rounds rise
        return last

    def inhibitions(self, *, only_round: int | None = None) -> Ints:
        """How often each was inhibited since its last reinforcement [n]; only_round: counting those of one round alone."""
        counts = ~self.reinforced & (self.rounds > self.last_reinforced()[self.memory])
        if only_round is not None:
            counts &= self.rounds == only_round
        return np.bincount(self.memory[counts], minlength=len(self.births))


class Policy(ABC):
    name: str

    @abstractmethod
    def values(self, held: Held, *, current_round: int) -> Floats:
        """Value [n] of each memory, higher is kept longer. held: without events after `current_round`."""

    def for_each_token(self, values: Floats, tokens: Ints) -> Floats:
        """The same [n] where tokens run short: of two that are worth the same the shorter is kept. tokens: of each memory [n]."""
        return values / np.maximum(1, tokens)


def hold(kept: Floats, strengths: Floats) -> Floats:
    """w (1 + S_kept): how firmly memories are held (ours)."""
    return strengths * (1.0 + kept)


class Inhibition(StrEnum):
    STORED = "stored"
    """Every inhibition since the last reinforcement halves (ours)."""
    ONE_ROUND = "one-round"
    """Those of the current round alone halve, and are gone with the next (the paper's words, taken as they stand)."""
    NONE = "none"


@dataclass(frozen=True)
class CompetitionInhibition(Policy):
    """S_kept: MOOM eq. 3 with its inhibition read in one of three ways. by_strength: w (1 + S_kept) instead, with w the strength at birth (ours): what a
    memory tells holds it, and what cues do to it raises that."""

    name: str
    inhibition: Inhibition
    alpha: float = ALPHA
    beta: float = BETA
    gamma: float = GAMMA
    factor: float = 0.5
    """What one inhibition leaves of a value; the paper halves."""
    by_strength: bool = False

    def values(self, held: Held, *, current_round: int) -> Floats:
        exponents = np.minimum(self.gamma * (current_round - held.births), _MAX_EXPONENT)
        values: Floats = self.alpha / (np.exp(exponents) + (1.0 - EPSILON))
        # Only strictly earlier rounds count: r = r_c would divide by eps.
        counts = held.reinforced & (held.rounds < current_round)
        recency = 1.0 / (current_round - held.rounds[counts] + EPSILON)
        values += self.beta * np.bincount(held.memory[counts], weights=recency, minlength=len(held.births))
        if self.inhibition is not Inhibition.NONE:
            only = current_round if self.inhibition is Inhibition.ONE_ROUND else None
            values *= np.power(self.factor, held.inhibitions(only_round=only))
        return hold(values, held.strengths) if self.by_strength else values


@dataclass(frozen=True)
class Ebbinghaus(Policy):
    """Retention exp(-t / S) (MemoryBank): t rounds since the memory was last recalled, S its strength, which each recall raises by one step.

    MemoryBank's published code multiplies by S where the curve divides, so that what is recalled often fades faster; this is the curve.
    """

    name: str = "ebbinghaus"
    step: float = 1.0
    """Rounds that one recall adds to S, and that S has at birth."""

    def values(self, held: Held, *, current_round: int) -> Floats:
        since = current_round - np.maximum(held.births, held.last_reinforced())
        exponents = np.minimum(since / (self.step * (1.0 + held.reinforcements())), _MAX_EXPONENT)
        retention: Floats = np.exp(-exponents)
        return retention


@dataclass(frozen=True)
class Fifo(Policy):
    """First in, first out."""

    name: str = "fifo"

    def values(self, held: Held, *, current_round: int) -> Floats:
        return held.births.astype(np.float64)

    def for_each_token(self, values: Floats, tokens: Ints) -> Floats:
        """A place in time is not shared out among words."""
        return values


@dataclass(frozen=True)
class Chance(Policy):
    """Whatever chance says, once for each memory: what any policy must beat."""

    name: str = "random"
    seed: int = 0

    def values(self, held: Held, *, current_round: int) -> Floats:
        return np.random.default_rng(self.seed).random(len(held.births))


STORED = CompetitionInhibition("stored", Inhibition.STORED)
"""The paper's parameters, with inhibitions that stay."""
ONE_ROUND = CompetitionInhibition("one-round", Inhibition.ONE_ROUND)
NO_INHIBITION = CompetitionInhibition("no-inhibition", Inhibition.NONE)
KEEPSAKE = CompetitionInhibition("keepsake", Inhibition.STORED, by_strength=True)
"""What the program forgets by."""


def weakest(values: Floats, *, births: Ints, costs: Floats, capacity: float, spared: Flags) -> list[int]:
    """Places of the memories to forget so that the costs [n] of the others come to at most `capacity`: the lowest values first, of equal ones the oldest,
    then the first in order; none that is spared [n], even if what is left is then too much."""
    excess = float(costs.sum()) - capacity
    lost: list[int] = []
    for place in np.lexsort((births, values)):  # stable, so that what ties in both stays in order
        if excess <= 0:
            break
        if not spared[place]:
            lost.append(int(place))
            excess -= float(costs[place])
    return lost
