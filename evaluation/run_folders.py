"""Runs that were asked for on the page, as folders of files: `evaluation-runs/ID/` of the data folder, and the data they are on, `evaluation-data/`.

Beside what every run leaves (`evaluation.records`, `items`, `receipts`, `plots`) a folder holds `asked.json` (what is measured), `state.json` (what became of it),
`progress.json` and `log.txt` (of the process that measures), and `failure.json` where that ended with a reason.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import time
import uuid
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from errors import KeepsakeError
from evaluation.records import METRICS
from evaluation.seeds import MOST_SEED

RUNS, DATA = "evaluation-runs", "evaluation-data"
ASKED, STATE, PROGRESS, LOG, FAILURE, SCRATCH, GOLD = (
    "asked.json",
    "state.json",
    "progress.json",
    "log.txt",
    "failure.json",
    "scratch",
    "gold",
)
SUFFIXES = (".json", ".jsonl")
MOST_DATA = 200
_ID = re.compile(r"[0-9a-f]{32}", re.ASCII)


class RunError(KeepsakeError):
    """Something about a run that a person is told."""

    code = "run"


class RunNotThere(RunError):
    """No such run, file of a run, question or data."""

    code = "run_not_there"


class RunNotAllowed(RunError):
    code = "run_not_allowed"


class RunFieldRefused(RunError):
    """params: field."""

    code = "run_field"


class RunUnderWay(RunError):
    """It has to end first."""

    code = "run_under_way"


class RunStillEmpty(RunError):
    """It has measured nothing yet that could be shown or compared."""

    code = "run_empty"


class RunWithoutGold(RunError):
    """A project has none, or none that who asks may see."""

    code = "run_no_gold"


class DataTooLarge(RunError):
    """params: limit, in MB."""

    code = "run_data_large"


class NotCompared(RunError):
    """params: reason."""

    code = "run_not_compared"


class Source(BaseModel):
    """kind: a file or folder of `evaluation-data`, an annotation project's gold, or what the task brings itself."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: Literal["file", "gold", "own"]
    name: Annotated[str, Field(max_length=300)] = ""
    """Of the file or folder; of a project its id."""
    title: Annotated[str, Field(max_length=300)] = ""


class Asked(BaseModel):
    """What a run is to measure. systems: none for the task's usual ones; at: milliseconds since 1970 UTC."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Annotated[str, Field(max_length=120)] = ""
    task: Annotated[str, Field(max_length=40)]
    data: Source
    systems: Annotated[tuple[Annotated[str, Field(max_length=80)], ...], Field(max_length=40)] = ()
    seed: Annotated[int, Field(ge=0, le=MOST_SEED)] = 0
    quick: bool = True
    at: int = 0
    memory_mb: int = 0


class State(BaseModel):
    """seconds: spent on it so far, without the time it was held for replies; error: code, params and message of why it failed."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    state: Literal["waiting", "running", "done", "stopped", "failed"]
    seconds: float = 0.0
    error: dict[str, Any] | None = None


class RunFolders:
    """root: the data folder."""

    def __init__(self, root: Path) -> None:
        self._runs = root / RUNS
        self.data_folder = root / DATA

    def make(self, asked: Asked) -> str:
        """A new run's id. Raises OSError."""
        run_id = uuid.uuid4().hex
        folder = self._runs / run_id
        folder.mkdir(parents=True, mode=0o700)
        latest = max((known.at for _, known in self._asked()), default=0)
        at = max(int(time.time() * 1000), latest + 1)  # two within a millisecond still wait in the order they were asked for
        write_json(folder / ASKED, asked.model_copy(update={"at": at}).model_dump())
        self.note(run_id, State(state="waiting"))
        return run_id

    def folder(self, run_id: str) -> Path:
        """Raises RunNotThere for what is no run's id or no run."""
        if not _ID.fullmatch(run_id) or not (self._runs / run_id / ASKED).is_file():
            raise RunNotThere("There is no such run.")
        return self._runs / run_id

    def whole(self, run_id: str) -> Path:
        """The folder of one that has ended well. Raises RunNotThere, RunStillEmpty."""
        folder = self.folder(run_id)
        if not (folder / METRICS).is_file():
            raise RunStillEmpty("This run has no figures yet.")
        return folder

    def ids(self) -> list[str]:
        """Newest first."""
        found = [(asked.at, run_id) for run_id, asked in self._asked()]
        return [run_id for _, run_id in sorted(found, reverse=True)]

    def asked(self, run_id: str) -> Asked:
        try:
            return Asked.model_validate_json((self.folder(run_id) / ASKED).read_bytes())
        except (OSError, ValidationError) as error:
            raise RunNotThere("What this run was to measure cannot be read.") from error

    def state(self, run_id: str) -> State:
        try:
            return State.model_validate_json((self.folder(run_id) / STATE).read_bytes())
        except (OSError, ValidationError):
            return State(state="stopped")  # a crash came between the two files: it can be gone on with

    def note(self, run_id: str, state: State) -> None:
        write_json(self._runs / run_id / STATE, state.model_dump())

    def waiting(self) -> str | None:
        """The one that has waited longest."""
        return next((run_id for run_id in reversed(self.ids()) if self.state(run_id).state == "waiting"), None)

    def remove(self, run_id: str) -> None:
        """Raises RunNotThere, RunUnderWay."""
        folder = self.folder(run_id)
        if self.state(run_id).state == "running":
            raise RunUnderWay("This run is under way. Stop it first; nothing was deleted.")
        shutil.rmtree(folder, ignore_errors=True)

    def data(self) -> list[tuple[str, int]]:
        """(name, bytes) of what can be measured on: files and folders of `evaluation-data`, two levels deep."""
        return sorted(self._data())[:MOST_DATA]

    def data_path(self, name: str) -> Path:
        """Raises RunNotThere for anything but a name that `data` gives."""
        if name not in {known for known, _ in self._data()}:
            raise RunNotThere("There is no such data.")
        return self.data_folder / name

    def _data(self) -> Iterator[tuple[str, int]]:
        for place in _inside(self.data_folder):
            if place.is_dir():
                files = [p for p in _inside(place) if p.is_file() and p.suffix in SUFFIXES]
                if files:
                    yield place.name, sum(p.stat().st_size for p in files)
                yield from ((f"{place.name}/{p.name}", p.stat().st_size) for p in files)
            elif place.suffix in SUFFIXES:
                yield place.name, place.stat().st_size

    def _asked(self) -> Iterator[tuple[str, Asked]]:
        for folder in self._runs.iterdir() if self._runs.is_dir() else ():
            if _ID.fullmatch(folder.name) and (folder / ASKED).is_file():
                try:
                    yield folder.name, self.asked(folder.name)
                except RunNotThere:
                    continue


def write_json(path: Path, value: object) -> None:
    """Whole or not at all. Raises OSError."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    draft.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
    draft.replace(path)


def read_json(path: Path) -> Mapping[str, Any]:
    """Empty where there is none, or half of one."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _inside(folder: Path) -> list[Path]:
    """What lies in a folder and is no link: a link may lead anywhere."""
    if not folder.is_dir() or folder.is_symlink():
        return []
    return [place for place in sorted(folder.iterdir()) if not place.name.startswith(".") and not place.is_symlink()]
