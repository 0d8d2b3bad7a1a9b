"""`python -m evaluation compare A B --out DIR [--systems a,b]`: two runs, or two systems of one, question by question.

What both measured is paired: the same task, data set, unit and question. The difference's interval is the paired bootstrap's, its p the sign-flip
permutation test's, two-sided; since many measures are compared at once, Holm's correction stands beside it.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from errors import KeepsakeError
from evaluation.datasets import DataRefused
from evaluation.items import ITEMS, Item, read_items
from evaluation.measures import Interval, paired_difference
from evaluation.plots import write_plots
from evaluation.records import RUN, Figure, describe_run, write_run
from evaluation.report import markdown, plain
from evaluation.seeds import seed

FLIPS = 10_000
"""Random sign assignments: the smallest p is then 1 in 10,001."""
TABLE, LIST = "comparison.md", "comparisons.json"
COMPARED = "compared"
"""Folder inside a run's in which the page keeps comparisons with it."""


@dataclass(frozen=True)
class Comparison:
    """One measure of what two runs have in common. first, second: means; difference: second minus first; p: by chance at least this far; holm: corrected."""

    task: str
    dataset: str
    systems: tuple[str, str]
    category: str | None
    unit: str
    metric: str
    first: float
    second: float
    difference: Interval
    p: float
    holm: float = 1.0


def compared(first: Iterable[Item], second: Iterable[Item], *, systems: tuple[str, str] | None, seed: int) -> list[Comparison]:
    """systems: those to set against each other, of the first and the second run; None: each with its namesake. Raises DataRefused where nothing is in both."""
    ours, theirs = _by_system(first), _by_system(second)
    pairs = [systems] if systems else [(name, name) for name in ours if name in theirs]
    found = [c for pair in pairs for c in _pair(ours.get(pair[0], {}), theirs.get(pair[1], {}), pair, seed=seed)]
    if not found:
        raise DataRefused(file=ITEMS, where="", reason="the two have no question in common")
    return _corrected(found)


def flipped(differences: NDArray[np.float64], *, seed: int, flips: int = FLIPS) -> float:
    """p of the sign-flip permutation test: how often signs given by chance bring the mean at least as far from 0. differences: [n]."""
    if not differences.any():
        return 1.0
    rng = np.random.default_rng(seed)
    reached = abs(differences.sum()) * (1 - 1e-12)
    beyond = 0
    block = max(1, 4_000_000 // differences.size)
    for done in range(0, flips, block):
        signs = rng.integers(0, 2, size=(min(block, flips - done), differences.size)) * 2 - 1
        beyond += int((abs(signs @ differences) >= reached).sum())
    return (beyond + 1) / (flips + 1)


def table(comparisons: Sequence[Comparison]) -> str:
    """Markdown, a heading for each task and data set."""
    lines: list[str] = []
    for place in dict.fromkeys((c.task, c.dataset) for c in comparisons):
        lines += [f"## {plain(place[0])}: {plain(place[1])}", ""]
        rows = [["systems", "part", "measure", "first", "second", "difference", "p", "p (Holm)", "n"]]
        for c in comparisons:
            if (c.task, c.dataset) == place:
                systems = c.systems[0] if c.systems[0] == c.systems[1] else " → ".join(c.systems)
                interval = f"{c.difference.value:+.3f} [{c.difference.low:+.3f}, {c.difference.high:+.3f}]"
                shown = f"**{interval}**" if c.holm < 0.05 else interval
                values = (f"{c.first:.3f}", f"{c.second:.3f}", shown, _p(c.p), _p(c.holm), str(c.difference.n))
                rows.append([plain(systems), plain(c.category or "all"), plain(c.metric), *values])
        lines += markdown(rows)
    return "\n".join(lines)


def main(arguments: Sequence[str]) -> int:
    """Exit status: 0 compared, 1 the runs were refused, 2 wrong usage."""
    parser = argparse.ArgumentParser(prog="python -m evaluation compare", description="Compare two runs question by question.")
    parser.add_argument("first", type=Path, help="a run's folder")
    parser.add_argument("second", type=Path, help="another's, or the same one with --systems")
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument(
        "--systems", default="", help="one of the first run and one of the second, with a comma; default: each with its namesake"
    )
    parser.add_argument("--seed", type=seed, default=0)
    options = parser.parse_args(arguments)
    names = tuple(name for name in options.systems.split(",") if name)
    if len(names) not in (0, 2):
        parser.error("--systems takes two names")
    try:
        systems = (names[0], names[1]) if names else None
        found = compared(read_items(options.first), read_items(options.second), systems=systems, seed=options.seed)
        files = [f for folder in dict.fromkeys((options.first, options.second)) for f in sorted(folder.rglob(ITEMS))]
        run = describe_run(
            command=["python", "-m", "evaluation", "compare", *arguments],
            seed=options.seed,
            quick=False,
            settings={"first": str(options.first), "second": str(options.second), "systems": list(names), "comparisons": len(found)},
            data=files,
            notices=[
                f"{len(found)} comparisons; bold: below .05 after Holm's correction over all of them",
                *_unlike(options.first, options.second),
            ],
        )
    except KeepsakeError as error:
        print(error, file=sys.stderr)
        return 1
    figures = list(_figures(found))
    write_run(options.out, figures, run, plots=write_plots(options.out, [asdict(figure) for figure in figures]))
    (options.out / TABLE).write_text(table(found), encoding="utf-8")
    (options.out / LIST).write_text(json.dumps([asdict(c) for c in found], ensure_ascii=False), encoding="utf-8")
    for line in run.notices[1:]:
        print(line, file=sys.stderr)
    print(f"{len(found)} comparisons; read {options.out / TABLE}")
    return 0


def _unlike(first: Path, second: Path) -> list[str]:
    """What two runs were not measured alike on, though their questions bear the same names."""
    ours, theirs = (_written(folder) for folder in (first, second))
    differing = {
        "data_sha256": f"the two runs are of different data: {ours.get('data_sha256')} and {theirs.get('data_sha256')}",
        "quick": f"the {'first' if ours.get('quick') else 'second'} run is of a part of the data alone (--quick), the other of all of it",
        "seed": f"the two runs have different seeds: {ours.get('seed')} and {theirs.get('seed')}",
    }
    return [said for name, said in differing.items() if name in ours and name in theirs and ours[name] != theirs[name]]


def _written(folder: Path) -> dict[str, object]:
    try:
        found = json.loads((folder / RUN).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _by_system(items: Iterable[Item]) -> dict[str, dict[tuple[str, str, str, str], Item]]:
    found: dict[str, dict[tuple[str, str, str, str], Item]] = {}
    for item in items:
        found.setdefault(item.system, {})[item.place] = item
    return found


def _pair(
    ours: Mapping[tuple[str, str, str, str], Item], theirs: Mapping[tuple[str, str, str, str], Item], systems: tuple[str, str], *, seed: int
) -> Iterator[Comparison]:
    both = [(one, theirs[place]) for place, one in ours.items() if place in theirs]
    for task, dataset, unit in dict.fromkeys((a.task, a.dataset, a.unit) for a, _ in both):
        part = [(a, b) for a, b in both if (a.task, a.dataset, a.unit) == (task, dataset, unit)]
        for category in (None, *sorted({kind for a, _ in part for kind in a.categories})):
            inside = [(a, b) for a, b in part if category is None or category in a.categories]
            for metric in dict.fromkeys(m for a, b in inside for m in a.scores if m in b.scores):
                scores = [(a.scores[metric], b.scores[metric]) for a, b in inside if metric in a.scores and metric in b.scores]
                if len(scores) < 2:
                    continue  # one by itself says nothing of chance
                first, second = (np.array(side, dtype=np.float64) for side in zip(*scores, strict=True))
                difference = paired_difference(second, first, seed=seed)
                p = flipped(second - first, seed=seed)
                yield Comparison(task, dataset, systems, category, unit, metric, float(first.mean()), float(second.mean()), difference, p)


def _corrected(found: Sequence[Comparison]) -> list[Comparison]:
    """Holm (1979): the smallest p times the number of tests, the next times one less, never falling."""
    holm = [1.0] * len(found)
    worst = 0.0
    for rank, place in enumerate(sorted(range(len(found)), key=lambda n: found[n].p)):
        worst = max(worst, min(1.0, found[place].p * (len(found) - rank)))
        holm[place] = worst
    return [replace(c, holm=h) for c, h in zip(found, holm, strict=True)]


def _figures(found: Iterable[Comparison]) -> Iterator[Figure]:
    for c in found:
        system = f"{c.systems[1]} minus {c.systems[0]}"

        def figure(metric: str, value: float, interval: Interval | None = None, c: Comparison = c, system: str = system) -> Figure:
            return Figure(
                task=c.task,
                dataset=c.dataset,
                system=system,
                category=c.category,
                unit=c.unit,
                metric=metric,
                value=value,
                n=c.difference.n,
                ci_low=interval.low if interval else None,
                ci_high=interval.high if interval else None,
            )

        yield figure(f"{c.metric}_difference", c.difference.value, c.difference)
        yield figure(f"{c.metric}_p", c.p)
        yield figure(f"{c.metric}_p_holm", c.holm)


def _p(value: float) -> str:
    return "<.001" if value < 0.001 else f"{value:.3f}"
