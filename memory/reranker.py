"""A reranker that learns online, from what replies cite, which recalled memories are of use (RMM 6, App. A.1). Pure: arrays in, arrays out.

The paper adapts query and memories by linear residuals, q' = q + Wq q and m' = m + Wm m (d x d, zero at first), scores by s = q'.m', shows M of the K
retrieved, drawn by Gumbel noise at temperature tau, and learns by REINFORCE with reward +1 for a memory that is cited and -1 for one that is not.

Taken literally that loses what retrieval knows: cosines of the first twenty lie so close that the noise decides (measured: of what should be shown 25 %
is, instead of 67 %). So ours learns what is to be *added* to the standardised fused score,

    z = c (s - mean) / std + (q'.m' - q.m),

and shows the M largest; with exploration on, the M largest of z / tau + Gumbel noise, where tau is so small that before anything was learned little is
lost by it: one draw of that order has the Plackett-Luce probability at z / tau, which is what the gradient is taken of. Three more things differ, each measured
(docs/learning.md): q and m are taken less the mean of the pool and made unit vectors, since embeddings crowd around a common direction along which nothing
can be told apart; the baseline b is the mean reward of what was shown, so that a cue to which nothing fits does not push down everything that happened to be
there; and of the two matrices only the diagonals are learned, 2 d numbers instead of 2 d^2, since a hundred replies cannot teach 300,000 and citations made by
chance would do harm. The paper's form stays as a baseline.
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
"""Norm of either half of the weights beyond which an update is not taken; an hour of talk comes to a tenth of it."""


@dataclass(frozen=True)
class Method:
    """rate: eta, times the dimension where diagonals are learned, since products of unit vectors are 1 / d; temperature: tau; exploring: tau where what is
    shown is drawn; baseline: b, None for the mean reward of what was shown; fused: c, the weight of the standardised fused score, 0 for the paper's form,
    which knows only q'.m'; centred: whether q and m are taken less the pool's mean; diagonal: whether only the diagonals of Wq and Wm are learned."""

    name: str
    fused: float
    rate: float
    temperature: float
    exploring: float
    baseline: float | None
    centred: bool
    diagonal: bool

    def shape(self, dimension: int) -> tuple[int, ...]:
        """Of the weights, Wq and Wm one after the other."""
        return (2, dimension) if self.diagonal else (2, dimension, dimension)


OURS = Method("ours", fused=0.3, rate=0.008, temperature=0.5, exploring=0.1, baseline=None, centred=True, diagonal=True)
PAPER = Method("paper", fused=0.0, rate=1e-3, temperature=0.5, exploring=0.5, baseline=0.5, centred=False, diagonal=False)
METHODS = {method.name: method for method in (OURS, PAPER)}


@dataclass(frozen=True)
class Shown:
    """What was shown for one cue, for learning from later. query: [d]; memories: [K, d]; both as they are scored; scores: z [K]; order: places of what was
    shown, first to last [M]; temperature: of the draw."""

    query: Floats
    memories: Floats
    scores: Floats
    order: NDArray[np.int64]
    temperature: float


class Reranker:
    """The weights of one user for one embedder. Not safe from several threads."""

    def __init__(self, dimension: int, method: Method = OURS, *, weights: Floats | None = None, updates: int = 0) -> None:
        """weights: of the method's shape, as `weights` gives them; zero at first."""
        self.method = method
        self.dimension = dimension
        shape = method.shape(dimension)
        self.weights: Floats = np.zeros(shape, dtype=np.float32) if weights is None else np.array(weights, dtype=np.float32)
        if self.weights.shape != shape or not np.isfinite(self.weights).all():
            raise ValueError(f"weights are not {list(shape)} finite numbers")
        self.updates = updates
        self.rejected = 0
        """Updates that were not taken, since they would have left the weights without bounds."""
        self._gradient = np.zeros_like(self.weights)
        self._gathered = 0

    def scores(self, query: Floats, memories: Floats, fused: Floats) -> Floats:
        """z [K] of the pool. query: [d]; memories: [K, d]; unit vectors; fused: [K], before learning."""
        return self._scores(*self._seen(query, memories), fused)

    def _scores(self, query: Floats, memories: Floats, fused: Floats) -> Floats:
        adapted_query, adapted = self._adapted(query, memories)
        own: Floats = adapted @ adapted_query
        if self.method.fused == 0.0:
            return own
        spread = float(fused.std())
        standard = (fused - fused.mean()) / spread if spread > 0 else np.zeros_like(fused)
        residual = own - memories @ query
        scored: Floats = np.asarray(self.method.fused * standard + residual, dtype=np.float32)
        return scored

    def show(self, query: Floats, memories: Floats, fused: Floats, *, count: int, noise: np.random.Generator | None = None) -> Shown:
        """The `count` best of the pool; with noise, one draw. Ties go to the earlier place."""
        query, memories = self._seen(query, memories)
        scores = self._scores(query, memories, fused)
        keys = scores.astype(np.float64)
        if noise is not None:
            keys = keys / self.method.exploring + noise.gumbel(size=len(keys))
        order = np.argsort(-keys, kind="stable")[:count]
        return Shown(query, memories, scores, order, self.method.temperature if noise is None else self.method.exploring)

    def learn(self, shown: Shown, rewards: Floats) -> bool:
        """Take in what became of what was shown. rewards: +1 or -1 of each [M]. Whether an update was due and taken."""
        query, memories = shown.query, shown.memories
        adapted_query, adapted = self._adapted(query, memories)
        with np.errstate(invalid="ignore", over="ignore"):  # what is not finite is not taken, below
            baseline = rewards.mean() if self.method.baseline is None else self.method.baseline
            along = policy_gradient(shown.scores / shown.temperature, shown.order, rewards - baseline)
            # By z it is steeper by 1 / tau; a sharper draw must not make longer steps.
            along = along / self.method.temperature
            # z_i = (q + Wq q).(m_i + Wm m_i) + what does not depend on the weights
            if self.method.diagonal:
                self._gradient[0] += (along @ adapted) * query
                self._gradient[1] += adapted_query * (along @ memories)
            else:
                self._gradient[0] += np.outer(along @ adapted, query)
                self._gradient[1] += np.outer(adapted_query, along @ memories)
        self._gathered += 1
        return self._gathered >= BATCH and self._step()

    def _step(self) -> bool:
        rate = self.method.rate * (self.dimension if self.method.diagonal else 1)
        proposed = self.weights + np.float32(rate) * self._gradient
        self._gradient[:] = 0.0
        self._gathered = 0
        if not np.isfinite(proposed).all() or float(np.linalg.norm(proposed.reshape(2, -1), axis=1).max()) > LARGEST:
            self.rejected += 1
            return False
        self.weights = proposed
        self.updates += 1
        return True

    def _seen(self, query: Floats, memories: Floats) -> tuple[Floats, Floats]:
        if not self.method.centred:
            return query, memories
        middle = memories.mean(axis=0)
        return _unit(query - middle), _unit(memories - middle)

    def _adapted(self, query: Floats, memories: Floats) -> tuple[Floats, Floats]:
        if self.method.diagonal:
            return query + self.weights[0] * query, memories + memories * self.weights[1]
        return query + self.weights[0] @ query, memories + memories @ self.weights[1].T


def _unit(vectors: Floats) -> Floats:
    scaled: Floats = vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-6)
    return scaled


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
