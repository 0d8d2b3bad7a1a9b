"""What a probe run comes to: shares with Wilson's interval, means with a bootstrap interval, and how far a judge and people agree. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from annotation.agreement import NO_UNITS, ONE_LABEL, RESAMPLES, Figure, cohen_kappa
from evaluation.measures import Interval, mean_interval, proportion_interval
from storage.annotation_run_rows import NO_MEMORY, TOO_SHORT, WHOLE, Choice, Label, Reply, Result, Run

CUTS = (1, 3, 9)
SEED = 0


@dataclass(frozen=True)
class Recalled:
    """recall@k of one setting and distance, by Wilson's interval. near: mean, where there is one."""

    setting: int
    distance: int
    k: int
    interval: Interval
    near: float | None


@dataclass(frozen=True)
class Chosen:
    """Four-option accuracy at one setting and distance, or without any memory (NO_MEMORY, WHOLE). accuracy: None where no probe could be asked. recalled: the share of
    probes with a memory of their point among the nine; None without memory. trouble: how often nothing was chosen, by why; these count as wrong. left_out: probes whose
    dialogue is too short for the distance; these count for nothing."""

    setting: int
    distance: int
    accuracy: Interval | None
    recalled: Interval | None
    trouble: Mapping[str, int]
    left_out: int


@dataclass(frozen=True)
class Scored:
    """Mean judged score of one setting and distance, 0 to 5; None where nothing was judged. unjudged: how many replies were not, by why."""

    setting: int
    distance: int
    mean: Interval | None
    unjudged: Mapping[str, int]


def recalls(run: Run, results: Sequence[Result]) -> list[Recalled]:
    """The figures of a run, as far as it is."""
    found = []
    for setting in range(len(run.settings)):
        for distance in run.distances:
            some = [one for one in results if (one.setting, one.distance) == (setting, distance)]
            near = [one.near for one in some if one.near is not None]
            for k in CUTS:
                if some:
                    hits = sum(one.rank is not None and one.rank <= k for one in some)
                    mean = float(np.mean(near)) if near else None
                    found.append(Recalled(setting, distance, k, proportion_interval(hits, len(some)), mean))
    return found


def accuracies(run: Run, choices: Sequence[Choice]) -> list[Chosen]:
    """By setting and distance, the whole dialogue behind those that are counted, and last without memory."""
    found = []
    distances = sorted(run.distances, key=lambda d: (d == WHOLE, d))
    for setting, distance in [(s, d) for s in range(len(run.settings)) for d in distances] + [(NO_MEMORY, WHOLE)]:
        some = [one for one in choices if (one.setting, one.distance) == (setting, distance)]
        asked = [one for one in some if one.trouble != TOO_SHORT]
        if some:
            right = proportion_interval(sum(one.chosen == 0 for one in asked), len(asked)) if asked else None
            recalled = (
                proportion_interval(sum(one.rank is not None and one.rank <= CUTS[-1] for one in asked), len(asked)) if asked else None
            )
            trouble = Counter(one.trouble for one in asked if one.trouble)
            there = recalled if setting != NO_MEMORY else None
            found.append(Chosen(setting, distance, right, there, dict(trouble), len(some) - len(asked)))
    return found


def scores(run: Run, replies: Sequence[Reply]) -> list[Scored]:
    found = []
    for setting in range(len(run.settings)):
        for distance in run.distances:
            some = [one for one in replies if (one.setting, one.distance) == (setting, distance)]
            given = [one.score for one in some if one.score is not None]
            if some:
                mean = mean_interval(given, seed=SEED) if given else None
                found.append(Scored(setting, distance, mean, dict(Counter(one.trouble for one in some if one.score is None))))
    return found


def judge_agreement(replies: Sequence[Reply], labels: Sequence[Label]) -> list[Figure]:
    """Pearson's r and Cohen's kappa of the judge's scores and people's, each label a pair; empty where nobody has labelled."""
    given = {one.id: one.score for one in replies if one.score is not None}
    pairs = Counter((given[one.reply_id], one.score) for one in labels if one.reply_id in given)
    if not pairs:
        return []
    return [_figure("pearson", pairs), _figure("kappa", pairs)]


def pearson(pairs: Mapping[tuple[int, int], int]) -> float | None:
    """(one, other) → how often. None where either never differs."""
    weights = np.array(list(pairs.values()), dtype=np.float64)
    values = np.array(list(pairs), dtype=np.float64)
    centred = values - np.average(values, axis=0, weights=weights)
    products = weights @ (centred[:, 0] * centred[:, 1])
    spread = (weights @ centred[:, 0] ** 2) * (weights @ centred[:, 1] ** 2)
    return float(products / np.sqrt(spread)) if spread > 0 else None


def _figure(name: str, pairs: Counter[tuple[int, int]]) -> Figure:
    """With a 95 % percentile bootstrap interval over the pairs."""

    def measure(some: Mapping[tuple[int, int], int]) -> float | None:
        if name == "pearson":
            return pearson(some)
        table: dict[tuple[Hashable, Hashable], int] = {(one, other): count for (one, other), count in some.items()}
        return cohen_kappa(table)

    kinds, counts = list(pairs), np.array(list(pairs.values()), dtype=np.int64)
    n = int(counts.sum())
    value = measure(pairs)
    if value is None:
        return Figure(name, None, n, "pairs", why=NO_UNITS if not n else ONE_LABEL)
    drawn = np.random.default_rng(SEED).multinomial(n, counts / n, size=RESAMPLES)
    values = [v for row in drawn if (v := measure({k: int(c) for k, c in zip(kinds, row, strict=True) if c})) is not None]
    if len(values) * 2 < RESAMPLES:
        return Figure(name, value, n, "pairs")
    low, high = np.quantile(values, [0.025, 0.975])
    return Figure(name, value, n, "pairs", float(low), float(high))
