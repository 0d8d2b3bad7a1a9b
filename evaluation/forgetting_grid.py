"""The policies that are compared, the grid that each is tuned on, and the sweeps of its parameters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from evaluation.forgetting_trial import Capacity, Talk, covered, kept
from memory.forgetting_policies import (
    KEEPSAKE,
    NO_INHIBITION,
    ONE_ROUND,
    STORED,
    Chance,
    CompetitionInhibition,
    Ebbinghaus,
    Fifo,
    Inhibition,
    Policy,
)

BETAS = (0.9, 0.5, 0.1, 0.01)
"""alpha = 1 - beta, as in App. D."""
GAMMAS = (1.0, 0.01, 0.001)
FACTORS = (0.5, 0.9, 0.97)
KS = (9, 5, 18)
STEPS = (1.0, 10.0, 100.0)
DRAWS = 10
"""Of a policy of chance."""


@dataclass(frozen=True)
class Variant:
    """A policy with everything of it that is tuned."""

    name: str
    policy: Policy
    k: int = KS[0]
    per_token: bool = False
    """Where capacity is in tokens, rank by value for each token."""

    def policies(self, seed: int) -> list[Policy]:
        return [Chance(seed=seed + i) for i in range(DRAWS)] if isinstance(self.policy, Chance) else [self.policy]

    def values(self) -> Iterator[tuple[str, float]]:
        """(parameter, value)."""
        if isinstance(self.policy, CompetitionInhibition):
            yield from (("alpha", self.policy.alpha), ("beta", self.policy.beta), ("gamma", self.policy.gamma))
            yield from (("factor", self.policy.factor), ("k", float(self.k)))
        if isinstance(self.policy, Ebbinghaus):
            yield from (("step", self.policy.step), ("k", float(self.k)))
        yield "per token", float(self.per_token)

    def grid(self) -> list[Variant]:
        """What is tried, the paper's values first."""
        policy = self.policy
        if isinstance(policy, CompetitionInhibition) and self.name not in FIXED:
            factors = (policy.factor,) if policy.inhibition is Inhibition.NONE else FACTORS
            return [
                replace(self, policy=replace(policy, alpha=1 - beta, beta=beta, gamma=gamma, factor=factor), k=k)
                for beta, gamma, factor, k in product(BETAS, GAMMAS, factors, KS)
            ]
        if isinstance(policy, Ebbinghaus):
            return [replace(self, policy=replace(policy, step=step), k=k) for step, k in product(STEPS, KS)]
        return [self]

    def sweeps(self) -> Iterator[tuple[str, Variant]]:
        policy = self.policy
        if isinstance(policy, CompetitionInhibition):
            for beta in (0.99, 0.9, 0.7, 0.5, 0.3, 0.1, 0.01, 0.0):
                yield f"alpha:beta {1 - beta:g}:{beta:g}", replace(self, policy=replace(policy, alpha=1 - beta, beta=beta))
            for gamma in (2.0, 1.0, 0.1, 0.01, 0.001, 0.0):
                yield f"gamma {gamma:g}", replace(self, policy=replace(policy, gamma=gamma))
            for k in (1, 3, 5, 9, 15, 25):
                yield f"k {k}", replace(self, k=k)


TUNED = replace(KEEPSAKE, name="keepsake-tuned")
CUES_ONLY_RAISE = replace(KEEPSAKE, name="keepsake-no-inhibition", inhibition=Inhibition.NONE)
BIRTH = replace(KEEPSAKE, name="birth", inhibition=Inhibition.NONE, alpha=0.0, beta=0.0)
"""Strength at birth alone: no cue changes anything."""
_COMPARED = (KEEPSAKE, TUNED, CUES_ONLY_RAISE, BIRTH, STORED, ONE_ROUND, NO_INHIBITION, Ebbinghaus(), Fifo(), Chance())
VARIANTS = {policy.name: Variant(policy.name, policy) for policy in _COMPARED}
FIXED = (KEEPSAKE.name, CUES_ONLY_RAISE.name, BIRTH.name)
"""Not tuned: as the program has them."""


def tune(talks: Sequence[Talk], variant: Variant, *, at: Sequence[Capacity], at_tokens: Sequence[Capacity]) -> Variant:
    """The first of the grid's best by the share of evidence covered, mean over the capacities `at`; then, at those in tokens, whether to rank by value for
    each token."""

    def share(candidate: Variant, capacities: Sequence[Capacity]) -> float:
        lives = [
            covered(talk, kept(talk, policy, capacity, k=candidate.k, per_token=candidate.per_token)).mean()
            for talk in talks
            for capacity in capacities
            for policy in candidate.policies(0)
        ]
        return float(np.mean(lives))

    best = max(variant.grid(), key=lambda v: share(v, at))
    return max((best, replace(best, per_token=True)), key=lambda v: share(v, at_tokens))
