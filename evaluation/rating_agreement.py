"""Do a judge and people, or two judges, rate alike? (RoleMemo 6.1, App. L; LongMemEval A.4)

A file of JSON lines, a rating of one item by one rater each; none is part of this project::

    {"item": "q17", "rater": "reader 1", "label": "right"}
    {"item": "q17", "rater": "judge", "scores": {"logic": 4, "consistency": 5}, "system": "keepsake"}

For each pair of raters, over the items both rated: Cohen's kappa of labels and the share that is the same; Pearson's r of scores, for each side and as the mean over the
sides; and 1 − the mean relative deviation of the second's mean scores from the first's over the sides, for each system (App. L). What is not defined, as a kappa where
all said the same, is left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Annotated, TypeVar

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from evaluation.datasets import DataRefused
from evaluation.layouts import lines_of, record_of
from evaluation.measures import RESAMPLES
from evaluation.records import Figure

T = TypeVar("T")
_Name = Annotated[str, Field(min_length=1, max_length=200)]


class RatingLine(BaseModel):
    """One rating, as the file has it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    item: _Name
    rater: _Name
    system: str = ""
    label: _Name | None = None
    scores: dict[_Name, Annotated[float, Field(allow_inf_nan=False)]] = Field(default_factory=dict)


def read_ratings(file: Path) -> tuple[RatingLine, ...]:
    """Raises DataRefused: for a rating that says nothing, one that is there twice, and fewer than two raters."""
    found: dict[tuple[str, str, str], RatingLine] = {}
    if not file.is_file():
        raise DataRefused(file=file.name, where="", reason="it is no file of ratings, one a line")
    for number, line in lines_of(file):
        where = f"line {number}"
        one = record_of(line, RatingLine, file=file, where=where)
        if one.label is None and not one.scores:
            raise DataRefused(file=file.name, where=where, reason="it has neither a label nor scores")
        if (one.rater, one.system, one.item) in found:
            raise DataRefused(file=file.name, where=where, reason=f"{one.rater} rated {one.item} before")
        found[one.rater, one.system, one.item] = one
    ratings = tuple(found.values())
    if len(raters_of(ratings)) < 2:
        raise DataRefused(file=file.name, where="", reason="agreement needs two raters")
    return ratings


def raters_of(ratings: Sequence[RatingLine]) -> list[str]:
    return list(dict.fromkeys(r.rater for r in ratings))


def evaluate(dataset: str, ratings: Sequence[RatingLine], *, seed: int) -> Iterator[Figure]:
    """The figures of every pair of raters."""
    by_rater = {name: {(r.system, r.item): r for r in ratings if r.rater == name} for name in raters_of(ratings)}
    for first, second in combinations(by_rater, 2):
        both = [key for key in by_rater[first] if key in by_rater[second]]
        ours, theirs = [by_rater[first][key] for key in both], [by_rater[second][key] for key in both]
        system = f"{first} and {second}"

        def figure(
            metric: str, value: float, n: int, bounds: tuple[float, float] | None, category: str | None = None, system: str = system
        ) -> Figure:
            low, high = bounds or (None, None)
            return Figure(
                task="agreement", dataset=dataset, system=system, category=category, unit="item", metric=metric, value=value, n=n,
                ci_low=low, ci_high=high,
            )  # fmt: skip

        labels = [(a.label, b.label) for a, b in zip(ours, theirs, strict=True) if a.label is not None and b.label is not None]
        if labels:
            yield figure("same_label", float(np.mean([a == b for a, b in labels])), len(labels), None)
            if (value := kappa(labels)) is not None:
                yield figure("kappa", value, len(labels), _bounds(labels, kappa, seed))
        sides = [side for side in dict.fromkeys(s for r in ours for s in r.scores) if any(side in r.scores for r in theirs)]
        found = []
        for side in sides:
            pairs = [(a.scores[side], b.scores[side]) for a, b in zip(ours, theirs, strict=True) if side in a.scores and side in b.scores]
            value = pearson(pairs)
            if value is not None:
                found.append(value)
                yield figure("pearson", value, len(pairs), _bounds(pairs, pearson, seed), side)
        if len(found) > 1:
            yield figure("pearson_mean_of_sides", float(np.mean(found)), len(both), None)
        for name in dict.fromkeys(key[0] for key in both):
            means = _means([(a, b) for key, a, b in zip(both, ours, theirs, strict=True) if key[0] == name], sides)
            if means and (value := one_minus_deviation(means)) is not None:
                yield figure("one_minus_deviation", value, sum(key[0] == name for key in both), None, name or None)


def kappa(labels: Sequence[tuple[str | None, str | None]]) -> float | None:
    """Cohen's: (p_o − p_e) / (1 − p_e); None where chance alone would agree as well."""
    n = len(labels)
    left, right = Counter(a for a, _ in labels), Counter(b for _, b in labels)
    chance = sum(left[label] * right[label] for label in left) / n**2
    return None if chance == 1 else (sum(a == b for a, b in labels) / n - chance) / (1 - chance)


def pearson(pairs: Sequence[tuple[float, float]]) -> float | None:
    """None for fewer than two pairs, or where one gave all the same."""
    values = np.array(pairs, dtype=np.float64)
    if len(values) < 2 or (np.ptp(values, axis=0) == 0).any():
        return None
    centred = values - values.mean(axis=0)
    return float((centred[:, 0] * centred[:, 1]).sum() / np.sqrt((centred**2).sum(axis=0).prod()))


def one_minus_deviation(means: Mapping[str, tuple[float, float]]) -> float | None:
    """means: by side those of the first and of the second; None where the first's is 0."""
    if any(first == 0 for first, _ in means.values()):
        return None
    return 1 - float(np.mean([abs(first - second) / abs(first) for first, second in means.values()]))


def _means(pairs: Sequence[tuple[RatingLine, RatingLine]], sides: Sequence[str]) -> dict[str, tuple[float, float]]:
    found = {}
    for side in sides:
        scored = [(a.scores[side], b.scores[side]) for a, b in pairs if side in a.scores and side in b.scores]
        if scored:
            found[side] = (float(np.mean([a for a, _ in scored])), float(np.mean([b for _, b in scored])))
    return found


def _bounds(pairs: Sequence[T], measure: Callable[[Sequence[T]], float | None], seed: int) -> tuple[float, float] | None:
    """Percentile bootstrap over the items; samples for which it is not defined are left out."""
    rng = np.random.default_rng(seed)
    drawn = (measure([pairs[n] for n in rng.integers(len(pairs), size=len(pairs))]) for _ in range(RESAMPLES))
    values = [value for value in drawn if value is not None]
    if len(values) < RESAMPLES / 2:
        return None
    low, high = np.quantile(values, [0.025, 0.975])
    return float(low), float(high)
