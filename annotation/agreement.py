"""How far two annotators agree on memory points. Pure.

Memory points have no fixed set of items, so a kappa over all of them is not defined, and one that drops what only one person marked flatters. Reported are: F1 of
the matched points, Cohen's kappa of the categories of matched pairs (and of nothing else), and Krippendorff's alpha (nominal) over the dialogue's turns. Each
with n and a 95 % percentile bootstrap interval over its units; where a figure is not defined it is None, with the reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from annotation.matching import match, overlap
from evaluation.measures import proportion_interval
from storage.annotation_records import Point

RESAMPLES = 1000
NO_UNITS, ONE_LABEL = "no_units", "one_label"
"""Why a figure is not defined: there is nothing to compare; every label is the same, so chance alone would agree always."""


@dataclass(frozen=True)
class Figure:
    """unit: what n counts: what either marked (a pair counts once), pairs, or turns. low, high: None where fewer than half of the resamples had a value."""

    name: str
    value: float | None
    n: int
    unit: str
    low: float | None = None
    high: float | None = None
    why: str = ""


@dataclass(frozen=True)
class Doubled:
    """A dialogue that two people annotated. turns: how many it has."""

    a: Sequence[Point]
    b: Sequence[Point]
    turns: int


def cohen_kappa(table: Mapping[tuple[Hashable, Hashable], int]) -> float | None:
    """(label of one, label of the other) → how often. None where chance agreement is 1 or there is nothing (Cohen 1960)."""
    n = sum(table.values())
    if not n:
        return None
    rows: Counter[Hashable] = Counter()
    columns: Counter[Hashable] = Counter()
    for (row, column), count in table.items():
        rows[row] += count
        columns[column] += count
    chance = sum(rows[label] * columns[label] for label in rows) / n / n
    seen = sum(count for (row, column), count in table.items() if row == column) / n
    return None if chance == 1 else (seen - chance) / (1 - chance)


def alpha_nominal(units: Mapping[tuple[Hashable, ...], int]) -> float | None:
    """Krippendorff's alpha for nominal data. units: the labels that one unit was given (missing ones left out) → how many units have just these.

    Units with fewer than two labels pair with nothing and count for nothing. None where no unit has two, or all labels are one.
    """
    seen = 0.0
    totals: Counter[Hashable] = Counter()
    for labels, count in units.items():
        if len(labels) < 2 or not count:
            continue
        given = Counter(labels)
        seen += count * sum(k * (len(labels) - k) for k in given.values()) / (len(labels) - 1)
        for label, k in given.items():
            totals[label] += k * count
    n = sum(totals.values())
    if not n:
        return None
    expected = sum(k * (n - k) for k in totals.values()) / (n - 1)
    return None if expected == 0 else 1 - seen / expected


def agreement(doubled: Sequence[Doubled], categories: Sequence[str], *, seed: int = 0) -> list[Figure]:
    """Every figure over some dialogues; in order: F1 at three thresholds, pairs, turns, turns by category."""
    found = [
        _figure(name, _f1_units(doubled, threshold), _f1, unit="marked", seed=seed)
        for name, threshold in (("f1", 0.5), ("f1_any", 0.0), ("f1_exact", 1.0))
    ]
    pairs = [(one.a[i], one.b[j]) for one in doubled for i, j in match(one.a, one.b)]
    found.append(_figure("kappa_category", Counter((x.category, y.category) for x, y in pairs), cohen_kappa, unit="pairs", seed=seed))
    found.append(_figure("same_turns", Counter(x.evidence.turns == y.evidence.turns for x, y in pairs), _share, unit="pairs", seed=seed))
    found.append(_figure("turn_overlap", Counter(overlap(x.evidence, y.evidence) for x, y in pairs), _mean, unit="pairs", seed=seed))
    found.append(_figure("alpha_turns", _turn_units(doubled, None), alpha_nominal, unit="turns", seed=seed))
    for category in categories:
        units = _turn_units(doubled, category)
        found.append(_figure(f"alpha_turns:{category}", units, alpha_nominal, unit="turns", seed=seed))
    return found


def review_agreement(name: str, labels: Sequence[tuple[str, ...]], unit: str) -> list[Figure]:
    """How far people who looked at the same thing without knowing of each other said the same: the share of things of which all did (Wilson's interval), and
    Krippendorff's alpha, as it is not the same two every time. labels: of each thing what it was given, by two or more."""
    if not labels:
        return [Figure(f"same_{name}", None, 0, unit, why=NO_UNITS), Figure(f"alpha_{name}", None, 0, unit, why=NO_UNITS)]
    same = proportion_interval(sum(len(set(one)) == 1 for one in labels), len(labels))
    share = Figure(f"same_{name}", same.value, same.n, unit, same.low, same.high)
    return [share, _figure(f"alpha_{name}", Counter(tuple(sorted(one)) for one in labels), alpha_nominal, unit=unit, seed=0)]


def _figure(name: str, units: Mapping[Hashable, int], measure: Callable[..., float | None], *, unit: str, seed: int) -> Figure:
    """Units that are alike are counted, not listed: a resample is then one draw from a multinomial distribution."""
    kinds, counts = list(units), np.array(list(units.values()), dtype=np.int64)
    n = int(counts.sum())
    value = measure(units)
    if value is None:
        return Figure(name, None, n, unit, why=NO_UNITS if not n else ONE_LABEL)
    drawn = np.random.default_rng(seed).multinomial(n, counts / n, size=RESAMPLES)
    values = [v for row in drawn if (v := measure({k: int(c) for k, c in zip(kinds, row, strict=True) if c})) is not None]
    if len(values) * 2 < RESAMPLES:
        return Figure(name, value, n, unit)
    low, high = np.quantile(values, [0.025, 0.975])
    return Figure(name, value, n, unit, float(low), float(high))


def _f1_units(doubled: Sequence[Doubled], threshold: float) -> Counter[Hashable]:
    """Pairs and points without one. n counts these."""
    units: Counter[Hashable] = Counter()
    for one in doubled:
        paired = len(match(one.a, one.b, threshold=threshold))
        units["pair"] += paired
        units["single"] += len(one.a) + len(one.b) - 2 * paired
    return Counter({k: n for k, n in units.items() if n})


def _f1(units: Mapping[Hashable, int]) -> float | None:
    whole = 2 * units.get("pair", 0) + units.get("single", 0)
    return 2 * units.get("pair", 0) / whole if whole else None


def _turn_units(doubled: Sequence[Doubled], category: str | None) -> Counter[Hashable]:
    """For each turn, whether either marked it (with a point of a category)."""
    units: Counter[Hashable] = Counter()
    for one in doubled:
        marked = [{t for p in points if category in (None, p.category) for t in p.evidence.turns} for points in (one.a, one.b)]
        units.update((turn in marked[0], turn in marked[1]) for turn in range(1, one.turns + 1))
    return units


def _share(units: Mapping[Hashable, int]) -> float | None:
    n = sum(units.values())
    return units.get(True, 0) / n if n else None


def _mean(units: Mapping[float, int]) -> float | None:
    n = sum(units.values())
    return sum(value * count for value, count in units.items()) / n if n else None
