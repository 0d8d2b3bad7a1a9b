"""A reranker that learns online, from what replies cite, which recalled memories are of use (RMM 6, App. A.1). Pure: arrays in, arrays out.

The paper adapts query and memories by linear residuals, q' = q + Wq q and m' = m + Wm m (d x d, zero at first), scores by s = q'.m', shows M of the K
retrieved, drawn by Gumbel noise at temperature tau, and learns by REINFORCE with reward +1 for a memory that is cited and -1 for one that is not.

Taken literally that loses what retrieval knows: cosines of the first twenty lie so close that the noise decides (measured: of what should be shown 25 %
is, instead of 67 %). So ours learns what is to be *added* to the standardised fused score,

    z = c (s - mean) / std + (q'.m' - q.m),

and shows the M largest; with exploration on, the M largest of z / tau + Gumbel noise: one draw of that order has the Plackett-Luce probability at z / tau,
which is what the gradient is taken of. The paper's form stays as a baseline.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

POOL = 20
"""K: the first of the fused ranking, that are ranked anew (paper)."""
BATCH = 4
"""Replies whose gradients are gathered for one update (paper)."""
LARGEST = 100.0
"""Frobenius norm of either matrix beyond which an update is not taken; an hour of talk comes to a tenth of it."""


@dataclass(frozen=True)
class Method:
    """temperature: tau; rate: eta; baseline: b; fused: c, the weight of the standardised fused score, 0 for the paper's form, which knows only q'.m'."""

    name: str
    fused: float
    rate: float
    temperature: float = 0.5
    baseline: float = 0.5


OURS = Method("ours", fused=3.0, rate=0.1)
PAPER = Method("paper", fused=0.0, rate=1e-3)
METHODS = {method.name: method for method in (OURS, PAPER)}


@dataclass(frozen=True)
class Shown:
    """What was shown for one cue, for learning from later. query: [d]; memories: [K, d], unit rows; scores: z [K]; order: places of what was shown, first
    to last [M]."""

    query: Floats
    memories: Floats
    scores: Floats
    order: NDArray[np.int64]


class Reranker:
    """The weights of one user for one embedder. Not safe from several threads."""

    def __init__(self, dimension: int, method: Method = OURS, *, weights: Floats | None = None, updates: int = 0) -> None:
        """weights: [2, d, d], Wq and Wm as `weights` gives them; zero at first."""
        self.method = method
        self.dimension = dimension
        self.weights: Floats = (
            np.zeros((2, dimension, dimension), dtype=np.float32) if weights is None else np.array(weights, dtype=np.float32)
        )
        if self.weights.shape != (2, dimension, dimension) or not np.isfinite(self.weights).all():
            raise ValueError(f"weights are not [2, {dimension}, {dimension}] finite numbers")
        self.updates = updates
        self.rejected = 0
        """Updates that were not taken, since they would have left the weights without bounds."""
        self._gradient = np.zeros_like(self.weights)
        self._gathered = 0

    def scores(self, query: Floats, memories: Floats, fused: Floats) -> Floats:
        """z [K] of the pool. fused: [K], before learning."""
        own = self._adapted(query, memories)
        if self.method.fused == 0.0:
            return own
        spread = float(fused.std())
        standard = (fused - fused.mean()) / spread if spread > 0 else np.zeros_like(fused)
        residual = own - memories @ query
        scored: Floats = np.asarray(self.method.fused * standard + residual, dtype=np.float32)
        return scored

    def show(self, query: Floats, memories: Floats, fused: Floats, *, count: int, noise: np.random.Generator | None = None) -> Shown:
        """The `count` best of the pool; with noise, one draw. Ties go to the earlier place."""
        scores = self.scores(query, memories, fused)
        keys = scores.astype(np.float64)
        if noise is not None:
            keys = keys / self.method.temperature + noise.gumbel(size=len(keys))
        order = np.argsort(-keys, kind="stable")[:count]
        return Shown(query, memories, scores, order)

    def learn(self, shown: Shown, rewards: Floats) -> bool:
        """Take in what became of what was shown. rewards: +1 or -1 of each [M]. Whether an update was due and taken."""
        query, memories = shown.query, shown.memories
        adapted_query = query + self.weights[0] @ query
        adapted = memories + memories @ self.weights[1].T
        with np.errstate(invalid="ignore", over="ignore"):  # what is not finite is not taken, below
            along = policy_gradient(shown.scores / self.method.temperature, shown.order, rewards - self.method.baseline)
            along = along / self.method.temperature
            # z_i = (q + Wq q).(m_i + Wm m_i) + what does not depend on the weights
            self._gradient[0] += np.outer(along @ adapted, query)
            self._gradient[1] += np.outer(adapted_query, along @ memories)
        self._gathered += 1
        return self._gathered >= BATCH and self._step()

    def _step(self) -> bool:
        proposed = self.weights + np.float32(self.method.rate) * self._gradient
        self._gradient[:] = 0.0
        self._gathered = 0
        if not np.isfinite(proposed).all() or float(np.linalg.norm(proposed.reshape(2, -1), axis=1).max()) > LARGEST:
            self.rejected += 1
            return False
        self.weights = proposed
        self.updates += 1
        return True

    def _adapted(self, query: Floats, memories: Floats) -> Floats:
        scored: Floats = (memories + memories @ self.weights[1].T) @ (query + self.weights[0] @ query)
        return scored


def policy_gradient(utilities: Floats, order: NDArray[np.int64], advantages: Floats) -> Floats:
    """Gradient by the utilities [K] of sum_t advantage_t log P(order_t | order_<t), P Plackett-Luce. order, advantages: [M]."""
    count, pool = len(order), len(utilities)
    taken = np.zeros((count, pool), dtype=bool)
    for place in range(1, count):
        taken[place] = taken[place - 1]
        taken[place, order[place - 1]] = True
    left = np.where(taken, -np.inf, utilities[None, :].astype(np.float64))
    left -= left.max(axis=1, keepdims=True)
    chances = np.exp(left)
    chances /= chances.sum(axis=1, keepdims=True)
    chosen = np.zeros((count, pool))
    chosen[np.arange(count), order] = 1.0
    gradient: Floats = (np.asarray(advantages, dtype=np.float64) @ (chosen - chances)).astype(np.float32)
    return gradient
