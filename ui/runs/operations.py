"""What the page of runs may ask for, by name. Everything is an admin's, or the one person's where there are no accounts."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from annotation.exchange import export
from annotation.workbench import Workbench
from evaluation.comparing import LIST
from evaluation.datasets import DataRefused
from evaluation.figure_files import read_figures
from evaluation.items import ITEMS
from evaluation.receipts import read_receipt
from evaluation.records import RUN
from evaluation.run_folders import Asked, RunFieldRefused, RunNotAllowed, RunNotThere, RunWithoutGold, Source, read_json
from evaluation.run_queue import RunQueue
from evaluation.run_reading import files, headlines, items_of, questions
from evaluation.tasks import TASKS
from storage.annotation_records import Member
from ui.payload import Payload
from ui.runs import values
from ui.runs.values import Value

GOLD_FORM = "locomo"


@dataclass(frozen=True)
class Desk:
    """What the page works on. bench: where projects' gold comes from."""

    queue: RunQueue
    bench: Workbench


Operation = Callable[[Desk, Member, Payload, Mapping[str, Any]], Value]


@functools.cache
def known(name: str) -> Value:
    """A task's systems, those that are usual, whether it brings its data. The first look at one imports what measures it, which takes seconds. Raises
    RunFieldRefused."""
    if name not in TASKS:
        raise RunFieldRefused("There is no such task. Nothing was started.", field="task")
    task = TASKS[name]()
    return {"systems": list(task.systems), "usual": list(task.usual or task.systems), "own": task.own_data is not None}


def home(desk: Desk, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    projects = desk.bench.projects.projects(member)
    return {
        **runs(desk, member, said, raw),
        "tasks": list(TASKS),
        "data": [{"name": name, "bytes": size} for name, size in desk.queue.folders.data()],
        "projects": [{"id": one.id, "name": one.name} for one in projects],
        "folder": str(desk.queue.folders.data_folder),
    }


def runs(desk: Desk, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    return {"runs": [_listed(desk, run_id) for run_id in desk.queue.folders.ids()]}


def task(desk: Desk, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    return {"task": known(said.text("task")[:40])}


def begin(desk: Desk, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    asked = _asked(raw.get("run"))
    found = known(asked.task)
    if set(asked.systems) - set(found["systems"]):
        raise RunFieldRefused("This task has no such system. Nothing was started.", field="systems")
    if asked.data.kind == "own" and not found["own"]:
        raise RunFieldRefused("This task needs data. Nothing was started.", field="data")
    if asked.data.kind == "file":
        desk.queue.folders.data_path(asked.data.name)
    return {"run": desk.queue.begin(asked, _bring(desk, member, asked.data))}


def watch(desk: Desk, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    run_id = said.id("run")
    return {"run": _listed(desk, run_id), "log": values.log_tail(desk.queue.folders.folder(run_id))}


def stop(desk: Desk, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    desk.queue.stop(said.id("run"))
    return {}


def go_on(desk: Desk, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    run_id = said.id("run")
    desk.queue.go_on(run_id, _bring(desk, member, desk.queue.folders.asked(run_id).data))
    return {}


def remove(desk: Desk, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    desk.queue.folders.remove(said.id("run"))
    return runs(desk, member, said, raw)


def remove_data(desk: Desk, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    """A single file."""
    path = desk.queue.folders.data_path(said.text("name")[:300])
    if not path.is_file():
        raise RunNotThere("This is a folder, and stays. Nothing was deleted.")
    path.unlink()
    return home(desk, member, said, raw)


def open_run(desk: Desk, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    run_id = said.id("run")
    folder = desk.queue.folders.whole(run_id)
    others = [one for one in desk.queue.folders.ids() if one != run_id and desk.queue.folders.state(one).state == "done"]
    return {
        "run": _listed(desk, run_id),
        "log": values.log_tail(folder),
        "facts": values.facts(read_json(folder / RUN)),
        "figures": values.figures(read_figures(folder)),
        "files": sorted(files(folder)),
        "questions": (folder / ITEMS).is_file(),
        "others": [_listed(desk, one) for one in others],
    }


def asked_questions(desk: Desk, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    run_id = said.id("run")
    order = said.one_of("order", "file", "worst", "apart")
    found = questions(
        desk.queue.folders.whole(run_id),
        find=said.text("find")[:200],
        category=said.text("category")[:200],
        order=order,
        start=said.number("start"),
    )
    return {"run": _listed(desk, run_id), **asdict(found)}


def question(desk: Desk, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    """One, down to its receipt."""
    run_id, dataset, item = said.id("run"), said.text("dataset")[:300], said.text("item")[:300]
    folder = desk.queue.folders.whole(run_id)
    scored = items_of(folder, dataset=dataset, item=item)
    if not scored:
        raise RunNotThere("This run has no such question.")
    receipt = read_receipt(folder, dataset=dataset, item=item)
    return {
        "run": _listed(desk, run_id),
        "dataset": dataset,
        "item": item,
        "categories": list(scored[0].categories),
        "scores": {one.system: dict(one.scores) for one in scored},
        "receipt": receipt.model_dump() if receipt is not None else None,
    }


def compare(desk: Desk, member: Member, said: Payload, raw: Mapping[str, Any]) -> Value:
    """Two runs, each system with its namesake, or one system of each."""
    first, second = said.id("first"), said.id("second")
    systems = tuple(name for name in (said.text("first_system")[:80], said.text("second_system")[:80]) if name)
    folder = desk.queue.compare(first, second, systems if len(systems) == 2 else ())
    return {
        "first": _listed(desk, first),
        "second": _listed(desk, second),
        "compared": json.loads((folder / LIST).read_text(encoding="utf-8")),
        "plots": [name for name in sorted(files(folder)) if name.endswith(".svg")],
        "mark": (folder / LIST).stat().st_mtime_ns // 1_000_000,
    }


OPERATIONS: Mapping[str, Operation] = {
    "home": home,
    "runs": runs,
    "task": task,
    "begin": begin,
    "watch": watch,
    "stop": stop,
    "go_on": go_on,
    "remove": remove,
    "remove_data": remove_data,
    "open": open_run,
    "questions": asked_questions,
    "question": question,
    "compare": compare,
}


def allow(member: Member) -> None:
    """Raises RunNotAllowed for everybody who does not run the house."""
    if not member.manages:
        raise RunNotAllowed("Runs of the evaluation are for admins.")


def answer(desk: Desk, member: Member, raw: Mapping[str, Any]) -> Value:
    """Raises KeepsakeError."""
    allow(member)
    said = Payload(raw)
    return OPERATIONS[said.one_of("do", "home", *OPERATIONS)](desk, member, said, raw)


def _listed(desk: Desk, run_id: str) -> Value:
    folders = desk.queue.folders
    state = folders.state(run_id)
    try:
        head = headlines(folders.whole(run_id)) if state.state == "done" else ("", [])
    except DataRefused:
        head = ("", [])  # a file was taken away: the run's own page says what is missing
    return values.run(run_id, folders.asked(run_id), state, folders.folder(run_id), head)


def _asked(value: object) -> Asked:
    try:
        return Asked.model_validate(value)
    except ValidationError as error:
        place = error.errors()[0]["loc"]
        raise RunFieldRefused(
            "A field of the run is missing or of another form. Nothing was started.", field=str(place[0]) if place else "run"
        ) from error


def _bring(desk: Desk, member: Member, source: Source) -> Callable[[Path], None]:
    """Puts a project's gold into a folder, without what was taken back until then; nothing for other data. Raises KeepsakeError, as what it gives does."""
    if source.kind != "gold":
        return lambda folder: None

    def gold() -> bytes:
        made = export(desk.bench.exchange, member, source.name, GOLD_FORM)
        if not json.loads(made.content):
            raise RunWithoutGold("This project has no gold that you may see yet. Nothing was started.")
        return made.content

    def put(folder: Path) -> None:
        content = gold()
        folder.mkdir(mode=0o700, exist_ok=True)
        (folder / "gold.json").write_bytes(content)

    gold()
    return put
