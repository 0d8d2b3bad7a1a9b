"""Measures of retrieval and their intervals. Pure; every rate is a fraction 0–1.

A ranking is a sequence of *turn ids*, best first and each once; gold is the set of turns that answer. k counts turns delivered however a
system packs them: a memory of six turns uses up six of k (`delivered`).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

RESAMPLES = 2000
"""Bootstrap samples: the Monte Carlo error of a 95 % bound is then about a fortieth of the interval's width, below what a report prints."""
_BLOCK = 4_000_000
"""Drawn indices held at once, 32 MB."""


@dataclass(frozen=True)
class RetrievalScores:
    """One question's scores at one k; all ≤ fraction ≤ any."""

    any: float
    fraction: float
    all: float
    ndcg: float


@dataclass(frozen=True)
class Interval:
    """A value over n questions and its 95 % interval (or of the level asked for)."""

    value: float
    low: float
    high: float
    n: int


def delivered(items: Iterable[Sequence[str]], *, k: int) -> tuple[str, ...]:
    """The first k turns that ranked items deliver, each turn once, at its best place.

    items: per ranked item the turns it holds, in the order the reader sees them. An item that would pass k is cut there. A turn that an
    earlier item already delivered (overlapping windows) costs nothing again.
    """
    _check_k(k)
    turns: dict[str, None] = {}
    for item in items:
        for turn in item:
            turns.setdefault(turn)
            if len(turns) == k:
                return tuple(turns)
    return tuple(turns)


def recall_any(ranking: Sequence[str], gold: Collection[str], *, k: int) -> float:
    """1 if at least one gold turn is among the first k, else 0."""
    return float(_hits(ranking, gold, k).any())


def recall_fraction(ranking: Sequence[str], gold: Collection[str], *, k: int) -> float:
    """The share of the gold turns among the first k."""
    return float(_hits(ranking, gold, k).sum() / len(set(gold)))


def recall_all(ranking: Sequence[str], gold: Collection[str], *, k: int) -> float:
    """1 if every gold turn is among the first k, else 0; 0 as well when there are more gold turns than k."""
    return float(_hits(ranking, gold, k).sum() == len(set(gold)))


def ndcg(ranking: Sequence[str], gold: Collection[str], *, k: int) -> float:
    """Normalised discounted cumulative gain at k, binary gains.

    Σ hit_i / log2(i + 1), i from 1, over the same sum for a ranking that puts all gold first.
    """
    hits = _hits(ranking, gold, k)
    discount = 1.0 / np.log2(np.arange(2, k + 2))
    return float((hits * discount[: len(hits)]).sum() / discount[: min(k, len(set(gold)))].sum())


def retrieval_scores(items: Iterable[Sequence[str]], gold: Collection[str], *, k: int) -> RetrievalScores:
    """All four measures of ranked items at k turns delivered. Raises ValueError for empty gold or k < 1."""
    ranking = delivered(items, k=k)
    return RetrievalScores(
        any=recall_any(ranking, gold, k=k),
        fraction=recall_fraction(ranking, gold, k=k),
        all=recall_all(ranking, gold, k=k),
        ndcg=ndcg(ranking, gold, k=k),
    )


def mean_interval(values: ArrayLike, *, seed: int, resamples: int = RESAMPLES, level: float = 0.95) -> Interval:
    """Mean of values [n] with its percentile bootstrap interval (Efron), questions drawn with replacement.

    The same values, seed and resamples give the same interval. Raises ValueError for no values, values that are not finite or not a vector.
    """
    sample = np.asarray(values, dtype=np.float64)
    if sample.ndim != 1 or sample.size == 0 or not np.isfinite(sample).all():
        raise ValueError("an interval needs a vector of at least one finite value")
    if resamples < 1 or not 0 < level < 1:
        raise ValueError("an interval needs at least one resample and a level between 0 and 1")
    means = _resampled_means(sample, np.random.default_rng(seed), resamples)
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(sample.mean()), float(low), float(high), sample.size)


def paired_difference(ours: ArrayLike, theirs: ArrayLike, *, seed: int, resamples: int = RESAMPLES, level: float = 0.95) -> Interval:
    """Mean of ours − theirs over the same questions [n] in the same order, with its interval; 0 outside it is a difference at that level.

    Raises ValueError as `mean_interval`, and when the two differ in shape.
    """
    first, second = np.asarray(ours, dtype=np.float64), np.asarray(theirs, dtype=np.float64)
    if first.shape != second.shape:
        raise ValueError("a paired difference needs both systems' values for the same questions")
    return mean_interval(first - second, seed=seed, resamples=resamples, level=level)


def ratio_interval(parts: ArrayLike, wholes: ArrayLike, *, seed: int, resamples: int = RESAMPLES, level: float = 0.95) -> Interval:
    """Σ parts / Σ wholes over questions [n], with its percentile bootstrap interval; precision and F1 over all questions are such ratios.

    Samples without a whole say nothing and are left out. Raises ValueError as `mean_interval`, when the two differ in shape, and when there is
    no whole at all.
    """
    above, below = np.asarray(parts, dtype=np.float64), np.asarray(wholes, dtype=np.float64)
    if above.ndim != 1 or above.shape != below.shape or not np.isfinite(above).all() or not np.isfinite(below).all():
        raise ValueError("a ratio needs two vectors of finite values for the same questions")
    if (below < 0).any() or not below.sum() > 0:
        raise ValueError("a ratio needs wholes that are not negative, and one above 0")
    rng = np.random.default_rng(seed)
    drawn = [rng.integers(above.size, size=above.size) for _ in range(resamples)]
    ratios = [above[rows].sum() / below[rows].sum() for rows in drawn if below[rows].sum() > 0]
    low, high = np.quantile(ratios, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(above.sum() / below.sum()), float(low), float(high), above.size)


def proportion_interval(hits: int, n: int) -> Interval:
    """hits / n with its 95 % interval by Wilson's score, which holds where hits are few or none and the bootstrap knows nothing of the rest.

    Raises ValueError unless 0 ≤ hits ≤ n and n ≥ 1.
    """
    if n < 1 or not 0 <= hits <= n:
        raise ValueError("a proportion needs at least one question, and no more hits than questions")
    z, p = NormalDist().inv_cdf(0.975), hits / n
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    # Rounding may put a bound a hair beyond the value at the ends.
    return Interval(p, max(0.0, min(p, middle - half)), min(1.0, max(p, middle + half)), n)


def _resampled_means(sample: NDArray[np.float64], rng: np.random.Generator, resamples: int) -> NDArray[np.float64]:
    rows = max(1, _BLOCK // sample.size)
    blocks = [
        sample[rng.integers(sample.size, size=(min(rows, resamples - done), sample.size))].mean(axis=1)
        for done in range(0, resamples, rows)
    ]
    return np.concatenate(blocks)


def _hits(ranking: Sequence[str], gold: Collection[str], k: int) -> NDArray[np.bool_]:
    """bool [≤ k]: which of the first k turns are gold."""
    _check_k(k)
    wanted = set(gold)
    if not wanted:
        raise ValueError("a question without gold turns has no recall")
    if len(set(ranking)) < len(ranking):
        raise ValueError("a ranking names a turn twice; see `delivered`")
    return np.fromiter((turn in wanted for turn in ranking[:k]), dtype=np.bool_)


def _check_k(k: int) -> None:
    if k < 1:
        raise ValueError("k counts turns and is at least 1")
