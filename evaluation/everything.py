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
from pathlib import Path

from tqdm import tqdm

from chat.imported import ImportRefused
from errors import KeepsakeError
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
    "extraction": ("grounded-half", "grounded-quarter", "sentences-idf-half"),
}
"""What a quick run compares; empty: the task is left out of it. A task that is not named has its usual systems."""
ALONE = frozenset({"ablation", "agreement", "all"})
"""Tasks that are no part of it: the ablation measures retrieval once more for each part of it, half an hour; agreement is of ratings, not of conversations."""


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


def everything(path: Path, out: Path, *, seed: int, quick: bool, command: Sequence[str]) -> int:
    """Exit status: 0 all measured, 1 the data was refused or a task failed (the others are measured all the same)."""
    try:
        steps, left_out = steps_of(path, out, seed=seed, quick=quick)
    except KeepsakeError as error:
        print(error, file=sys.stderr)
        return 1
    figures: list[Figure] = []
    notices: list[str] = []
    failed: list[str] = []
    with tqdm(steps, desc="Tasks", unit="task", disable=None) as shown:
        for step in shown:
            label = f"{step.wanted.name} of {step.folder.name}"
            shown.set_postfix_str(label)
            try:
                figures += _step(step, label, notices)
            except KeepsakeError as error:
                failed.append(f"{label} failed: {error}")
                tqdm.write(failed[-1], file=sys.stderr)
    data = tuple(dict.fromkeys(f for place in places_of(path) for f in _files(place)))
    run = describe_run(
        command=command,
        seed=seed,
        quick=quick,
        settings={"steps": [f"{s.wanted.name}/{s.folder.name}" for s in steps]},
        data=data,
        notices=[*failed, *notices, *(f"left out: {line}" for line in left_out)],
    )
    write_run(out, figures, run, plots=write_plots(out, [dataclasses.asdict(figure) for figure in figures]))
    print(f"{len(figures)} figures of {len(steps) - len(failed)} runs in {out}; read {out / 'report.md'}")
    return 1 if failed else 0


def _step(step: Step, label: str, notices: list[str]) -> list[Figure]:
    if already(step.wanted, step.folder):
        notices.append(f"{label}: as measured before, by the same code on the same data")
        return list(_read(step.folder))
    figures, run = measured(step.wanted, step.folder)
    notices += [f"{label}: {notice}" for notice in run.notices]
    return figures


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
