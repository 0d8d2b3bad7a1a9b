"""One task measured on one data set, and what it leaves in its folder."""

from __future__ import annotations

import functools
import hashlib
import json
import os
import shutil
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from evaluation.asking import keeping
from evaluation.bert_score import CHECKPOINT, LAYER
from evaluation.items import ITEMS, Item, write_items
from evaluation.plots import write_plots
from evaluation.receipts import UNFINISHED, Shelf, write_receipts
from evaluation.records import METRICS, RUN, Figure, RunInfo, data_hash, describe_run, write_run
from evaluation.tasks import Order, Subject, Task
from settings import Settings

_ROOT = Path(__file__).resolve().parent.parent
_ROOMS = ("accounts", "chat", "evaluation", "memory", "models", "personas", "storage")
_BEARING = ("embedder", "cross_encoder", "memory_model", "judge_model", "chat_model")
"""Settings that a figure depends on."""


@dataclass(frozen=True)
class Wanted:
    """One task on one path."""

    name: str
    task: Task
    path: Path
    systems: Sequence[str]
    seed: int
    quick: bool
    command: Sequence[str]


def measured(wanted: Wanted, folder: Path) -> tuple[list[Figure], RunInfo]:
    """The figures of a task, written into a folder with what each question gave; a run of the same that was cut goes on where it was. Raises KeepsakeError and
    OSError; nothing is written then but what the run can go on from."""
    subject = wanted.task.read(wanted.path, wanted.quick)
    run = describe_run(
        command=wanted.command,
        seed=wanted.seed,
        quick=wanted.quick,
        settings={"systems": list(wanted.systems)},
        data=subject.files,
        notices=subject.notices,
        fingerprint=fingerprint(wanted, subject),
    )
    items: list[Item] = []
    unfinished = folder / UNFINISHED
    shelf = Shelf(unfinished / run.fingerprint[:32])
    with keeping(unfinished / run.fingerprint[:32]):
        figures = list(subject.evaluate(Order(wanted.systems, wanted.seed, folder, items.append, shelf)))
    (folder / METRICS).unlink(missing_ok=True)  # what is half written is no run
    if left := write_receipts(folder, shelf.sink):
        run = replace(run, notices=(*run.notices, f"questions whose receipts had no room: {left:,}"))
    if items:
        write_items(folder, items)
    else:
        (folder / ITEMS).unlink(missing_ok=True)
    write_run(folder, figures, run, plots=write_plots(folder, [asdict(figure) for figure in figures]))
    shutil.rmtree(unfinished, ignore_errors=True)  # its parts stand in the run's files now
    return figures, run


def already(wanted: Wanted, folder: Path) -> bool:
    """Whether a folder holds this very run: the same data, code, settings, systems and seed. Raises KeepsakeError for data that cannot be read."""
    try:
        found = json.loads((folder / RUN).read_text(encoding="utf-8"))["fingerprint"]
    except (OSError, ValueError, KeyError, TypeError):
        return False
    return (folder / METRICS).is_file() and found == fingerprint(wanted, wanted.task.read(wanted.path, wanted.quick))


def fingerprint(wanted: Wanted, subject: Subject) -> str:
    """Hex SHA-256 over all that a run's figures follow from, but for the machine."""
    settings = Settings()
    bearing = [str(getattr(settings, name, "")) for name in _BEARING] + [os.environ.get(name, "") for name in (CHECKPOINT, LAYER)]
    parts = [wanted.name, *wanted.systems, str(wanted.seed), str(wanted.quick), data_hash(subject.files), code_hash(), *bearing]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


@functools.cache
def code_hash() -> str:
    """Hex SHA-256 over the program's files that figures follow from. Raises OSError."""
    whole = hashlib.sha256()
    files = (p for room in _ROOMS for p in (_ROOT / room).rglob("*") if p.suffix in (".py", ".json", ".jsonl"))
    for path in sorted(files):
        whole.update(str(path.relative_to(_ROOT)).encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return whole.hexdigest()
