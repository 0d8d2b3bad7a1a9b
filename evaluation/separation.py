"""How well a score tells two kinds of question apart: the area under the ROC curve, with intervals. Pure.

Where there are several conversations the area is taken within each, since nobody compares scores across them, and the mean of the areas is the figure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluation.measures import RESAMPLES, Interval


@dataclass(frozen=True)
class Group:
    """Scores of the questions of one conversation. good [p]: of those that should score higher; bad [n]: of the others; both hold something."""

    good: tuple[float, ...]
    bad: tuple[float, ...]


def auroc(good: ArrayLike, bad: ArrayLike) -> float:
    """The share of pairs in which the good one scores higher; equal scores count half. Raises ValueError where one side is empty or not finite."""
    return float(_wins(good, bad).mean())


def auroc_interval(groups: Sequence[Group], *, seed: int, resamples: int = RESAMPLES) -> Interval:
    """Mean area over groups with its 95 % percentile bootstrap interval; the questions of each side of each group are drawn with replacement.

    n counts questions. Raises ValueError as `auroc`, and without a group.
    """
    return _interval([_wins(g.good, g.bad) for g in groups], groups, seed=seed, resamples=resamples)


def auroc_difference(ours: Sequence[Group], theirs: Sequence[Group], *, seed: int, resamples: int = RESAMPLES) -> Interval:
    """Ours − theirs over the same questions in the same order, drawn together. Raises ValueError as `auroc_interval`, and when they differ in shape."""
    if [(len(g.good), len(g.bad)) for g in ours] != [(len(g.good), len(g.bad)) for g in theirs]:
        raise ValueError("a difference needs both systems' scores of the same questions")
    wins = [_wins(a.good, a.bad) - _wins(b.good, b.bad) for a, b in zip(ours, theirs, strict=True)]
    return _interval(wins, ours, seed=seed, resamples=resamples)


def _interval(wins: Sequence[NDArray[np.float64]], groups: Sequence[Group], *, seed: int, resamples: int) -> Interval:
    if not wins:
        raise ValueError("an area needs at least one group")
    rng = np.random.default_rng(seed)
    areas = np.zeros(resamples)
    for table in wins:
        good, bad = table.shape
        # How often each question was drawn stands for the drawn questions themselves.
        drawn = rng.multinomial(good, np.full(good, 1 / good), size=resamples) @ table
        areas += (drawn * rng.multinomial(bad, np.full(bad, 1 / bad), size=resamples)).sum(axis=1) / (good * bad)
    low, high = np.quantile(areas / len(wins), [0.025, 0.975])
    value = float(np.mean([table.mean() for table in wins]))
    return Interval(value, float(low), float(high), sum(len(g.good) + len(g.bad) for g in groups))


def _wins(good: ArrayLike, bad: ArrayLike) -> NDArray[np.float64]:
    """[p, n]: 1 where the good one scores higher, ½ where both score the same."""
    above, below = np.asarray(good, dtype=np.float64), np.asarray(bad, dtype=np.float64)
    if (
        above.ndim != 1
        or below.ndim != 1
        or not above.size
        or not below.size
        or not (np.isfinite(above).all() and np.isfinite(below).all())
    ):
        raise ValueError("an area needs finite scores on both sides")
    difference = above[:, None] - below[None, :]
    return np.asarray((difference > 0) + 0.5 * (difference == 0), dtype=np.float64)
