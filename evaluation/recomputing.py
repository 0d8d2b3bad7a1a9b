"""`python -m evaluation table RUN`: a run's tables made again from what it wrote of each single question.

The figures come from the same functions as when the run was measured, so they are the same to the last digit; a test holds every task to that. What a task measures
of more than single questions (`forgetting`, `insights`, `abstention`) stands as its run wrote it, and is said so.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from errors import KeepsakeError
from evaluation import answers, capacity, efficiency, extraction, learning, probes, qa, retrieval
from evaluation.datasets import DataRefused
from evaluation.figure_files import read_figures, read_written
from evaluation.items import ITEMS, Item, read_items
from evaluation.records import ROWS, RUN, TABLES, Figure
from evaluation.report import render_rows, render_tables

FIGURES: Mapping[str, Callable[[Sequence[Item], int], Iterator[Figure]]] = {
    "retrieval": lambda items, seed: retrieval.figures_of(items, seed=seed),
    "capacity": lambda items, seed: capacity.figures_of(items, seed=seed),
    "learning": lambda items, seed: learning.figures_of(items, seed=seed),
    "qa": lambda items, seed: _answers(items, seed),
    "probes": lambda items, seed: probes.figures_of(items, seed=seed),
    "efficiency": lambda items, seed: efficiency.figures_of(items),
    "extraction": lambda items, seed: (f for own in _systems(items) for f in extraction.figures_of(own, seed=seed)),
}
"""By task what its figures are, from the items of one data set."""


def recomputed(folder: Path) -> tuple[list[Figure], list[str]]:
    """(figures, tasks whose figures stand as they were written) of a run's folder, or of a folder of runs (`evaluation all`). Raises DataRefused."""
    run = read_written(folder / RUN)
    named = _named(run)
    if named:
        parts = [recomputed(folder / name) for name in named]
        return [figure for figures, _ in parts for figure in figures], list(dict.fromkeys(task for _, tasks in parts for task in tasks))
    written = read_figures(folder)
    tasks = list(dict.fromkeys(figure.task for figure in written))
    if not (folder / ITEMS).is_file() or not set(tasks) <= set(FIGURES):
        return written, tasks
    items, seed = list(read_items(folder)), run.get("seed") if isinstance(run, dict) else None
    if not isinstance(seed, int):
        raise DataRefused(file=RUN, where="seed", reason="it is no whole number")
    places = dict.fromkeys((item.task, item.dataset) for item in items)
    return [f for task, dataset in places for f in FIGURES[task]([i for i in items if (i.task, i.dataset) == (task, dataset)], seed)], []


def main(arguments: Sequence[str]) -> int:
    """Exit status: 0 written, 1 the run was refused, 2 wrong usage."""
    parser = argparse.ArgumentParser(prog="python -m evaluation table", description="Make a run's tables again from its single questions.")
    parser.add_argument("run", type=Path, help="a run's folder, or one that `evaluation all` left")
    parser.add_argument("--out", type=Path, help="where the tables are written; default: the run's folder")
    options = parser.parse_args(arguments)
    try:
        figures, as_written = recomputed(options.run)
    except KeepsakeError as error:
        print(error, file=sys.stderr)
        return 1
    out: Path = options.out or options.run
    out.mkdir(parents=True, exist_ok=True)
    records = [asdict(figure) for figure in figures]
    (out / TABLES).write_text(render_tables(records), encoding="utf-8", newline="\n")
    (out / ROWS).write_text(render_rows(records), encoding="utf-8", newline="\n")
    said = f"; more than means over single questions, so as they were written: {', '.join(as_written)}" if as_written else ""
    print(f"{len(figures)} figures in {out / TABLES} and {out / ROWS}{said}")
    return 0


def _answers(items: Sequence[Item], seed: int) -> Iterator[Figure]:
    yield from qa.figures_of([i for i in items if i.unit != answers.ANSWER])
    yield from answers.figures_of([i for i in items if i.unit == answers.ANSWER], seed=seed)


def _systems(items: Sequence[Item]) -> list[list[Item]]:
    return [[i for i in items if i.system == name] for name in dict.fromkeys(i.system for i in items)]


def _named(run: Any) -> list[str]:
    """The runs that an `all` consists of, by their folders in it."""
    settings = run.get("settings") if isinstance(run, dict) else None
    found = settings.get("steps") if isinstance(settings, dict) else None
    return [name for name in found if isinstance(name, str) and ".." not in Path(name).parts] if isinstance(found, list) else []
