"""`python -m evaluation all --data DIR --out OUT [--quick]`: every task on every data set of a folder that it suits, one report over all.

Each task leaves its figures in OUT/TASK/DATASET as if it had been run alone; what is there already and follows from the same data, code, settings and seed
is not measured again, so a run that was cut goes on where it was.
"""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tqdm import tqdm

from chat.imported import ImportRefused
from errors import KeepsakeError
from evaluation.apart import TIMED, Outcome, apart
from evaluation.datasets import DataRefused
from evaluation.plots import write_plots
from evaluation.question_files import read_questions, retrieval_files
from evaluation.records import METRICS, Figure, describe_run, write_run
from evaluation.running import Wanted, already, measured
from evaluation.tasks import TASKS

QUICK_SYSTEMS = {
    "retrieval": ("keepsake-turns", "dense-turns", "sparse-turns"),
    "abstention": ("surface", "keepsake-turns"),
    "learning": ("frozen", "learned", "learned-random-citations"),
    "forgetting": (),
    "capacity": (),
    "roleplay": ("keepsake", "without-insights"),
    "extraction": ("reader-half", "reader-quarter", "sentences-idf-half"),
}
"""What a quick run compares; empty: the task is left out of it. A task that is not named has its usual systems."""
ALONE = frozenset({"ablation", "agreement", "all"})
"""Tasks that are no part of it: the ablation measures retrieval once more for each part of it, a quarter of an hour; agreement is of ratings, not of conversations."""


@dataclass(frozen=True)
class Step:
    wanted: Wanted
    folder: Path


def steps_of(path: Path, out: Path, *, seed: int, quick: bool) -> tuple[list[Step], list[str]]:
    """(what is to be measured, what is left out and why). Raises DataRefused where nothing suits any task."""
    tasks = {name: make() for name, make in TASKS.items() if name not in ALONE}
    steps: list[Step] = []
    left_out: list[str] = []
    for name, task in tasks.items():
        systems = QUICK_SYSTEMS.get(name) if quick else None
        if systems == ():
            left_out.append(f"{name}: not in a quick run")
            continue
        places = [task.own_data] if task.own_data else places_of(path)
        for place in places:
            wanted = Wanted(name, task, place, systems or task.usual or task.systems, seed, quick, _command(name, place, out))
            try:
                task.read(place, quick)
            except (DataRefused, ImportRefused) as error:
                left_out.append(f"{name}: {place.name}: {_reason(error)}")
            else:
                steps.append(Step(wanted, out / name / (place.stem if place.is_file() else place.resolve().name)))
    if not any(step.wanted.task.own_data is None for step in steps):
        raise DataRefused(file=path.name, where="", reason="no task has anything to measure in it")
    return steps, left_out


def places_of(path: Path) -> list[Path]:
    """The data sets of a folder of folders; a path that is one itself."""
    folders = sorted(p for p in path.iterdir() if p.is_dir()) if path.is_dir() else []
    return folders or [path]


def everything(path: Path, out: Path, *, seed: int, quick: bool, jobs: int, command: Sequence[str]) -> int:
    """Exit status: 0 all measured that suits the data, 1 nothing does, or a task failed (the others are measured all the same). jobs: how many tasks are measured at
    a time. Raises KeyboardInterrupt; what is measured is kept."""
    try:
        steps, left_out = steps_of(path, out, seed=seed, quick=quick)
    except KeepsakeError as error:
        print(error, file=sys.stderr)
        return 1
    outcomes = (_one_by_one if jobs == 1 else partial(apart, jobs=jobs))([(step.wanted, step.folder) for step in steps])
    figures: list[Figure] = []
    notices: list[str] = []
    failed: list[str] = []
    done: list[str] = []
    for step, outcome in zip(steps, outcomes, strict=True):
        label = f"{step.wanted.name} of {step.folder.name}"
        if outcome.refused:  # what a data set lacks may only show when it is measured on
            left_out.append(f"{step.wanted.name}: {step.folder.name}: {outcome.refused}")
            continue
        if outcome.failed:
            failed.append(f"{label} failed: {outcome.failed}")
            print(failed[-1], file=sys.stderr)
            continue
        figures += _read(step.folder)
        done.append(f"{step.wanted.name}/{step.folder.name}")
        notices += [f"{label}: as measured before, by the same code on the same data"] if outcome.before else []
        notices += [f"{label}: {notice}" for notice in outcome.notices]
    if jobs > 1:
        notices.append(f"{jobs} tasks were measured at a time, but for {', '.join(sorted(TIMED))}: other seconds are of a busy machine")
    data = tuple(dict.fromkeys(f for place in places_of(path) for f in _files(place)))
    run = describe_run(
        command=command,
        seed=seed,
        quick=quick,
        settings={"steps": done},  # what was left out or failed has no folder that tables could be made from
        data=data,
        notices=[*failed, *notices, *(f"left out: {line}" for line in left_out)],
    )
    write_run(out, figures, run, plots=write_plots(out, [dataclasses.asdict(figure) for figure in figures]))
    print(f"{len(figures)} figures of {len(done)} runs in {out}; read {out / 'report.md'}")
    return 1 if failed else 0


def _one_by_one(steps: Sequence[tuple[Wanted, Path]]) -> list[Outcome]:
    """In this process."""
    outcomes = []
    with tqdm(steps, desc="Tasks", unit="task", disable=None) as shown:
        for wanted, folder in shown:
            shown.set_postfix_str(f"{wanted.name} of {folder.name}")
            try:
                if already(wanted, folder):
                    outcomes.append(Outcome(before=True))
                else:
                    outcomes.append(Outcome(notices=list(measured(wanted, folder)[1].notices)))
            except (DataRefused, ImportRefused) as error:
                outcomes.append(Outcome(refused=_reason(error)))
            except KeepsakeError as error:
                outcomes.append(Outcome(failed=str(error)))
    return outcomes


def _read(folder: Path) -> Iterator[Figure]:
    names = [f.name for f in dataclasses.fields(Figure)]
    for record in json.loads((folder / METRICS).read_text(encoding="utf-8")):
        yield Figure(**{name: record[name] for name in names})


def _files(place: Path) -> tuple[Path, ...]:
    try:
        read_questions(place)
        return retrieval_files(place)
    except (DataRefused, ImportRefused):
        return ()


def _command(name: str, place: Path, out: Path) -> list[str]:
    return ["python", "-m", "evaluation", name, "--data", str(place), "--out", str(out / name)]


def _reason(error: KeepsakeError) -> str:
    return str(error.params.get("reason", error)) if hasattr(error, "params") else str(error)
