"""Probes as the pages ask for them: the table of a project, and its runs. For admins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from annotation import fields
from annotation.errors import DistanceTooLong, FieldMissing, FieldRefused
from annotation.probe_runs import ProbeRuns, Progress, Recalled, recalls, rounds_of
from annotation.probes import Close, ProbeFields, close_pairs, default_probes
from models.embedder import Embedder
from storage.annotation_probes import Probe, Run, Setting
from storage.annotation_records import Member
from storage.store import Store

MOST_SETTINGS, MOST_DISTANCES, MOST_PROBES = 4, 6, 100


class SettingFields(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    name: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=60)]
    capacity: int = Field(ge=1, le=100_000)
    capacity_tokens: int = Field(ge=0, le=10_000_000)
    k: int = Field(ge=1, le=20)


class RunFields(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    settings: list[SettingFields] = Field(min_length=1, max_length=MOST_SETTINGS)
    distances: list[Annotated[int, Field(ge=2, le=fields.MAX_ROUNDS)]] = Field(min_length=1, max_length=MOST_DISTANCES)


@dataclass(frozen=True)
class RunView:
    run: Run
    found: int
    """Answers so far."""
    all: int
    figures: Sequence[Recalled]
    progress: Progress | None


class Probing:
    def __init__(self, store: Store, embedder: Embedder, runs: ProbeRuns) -> None:
        self._table = store.annotation_probes
        self._projects = store.annotation_projects
        self._embedder = embedder
        self._runs = runs

    def table(self, member: Member, project_id: str) -> list[Probe]:
        return self._table.probes(member, project_id)

    def close_pairs(self, member: Member, project_id: str) -> list[Close]:
        return close_pairs(self.table(member, project_id), self._embedder)

    def take_ours(self, member: Member, project_id: str) -> None:
        """Add our thirty items in both languages; those that are there stay as they are."""
        self._table.keep(member, project_id, default_probes(project_id))

    def keep(self, member: Member, project_id: str, value: object) -> None:
        asked = fields.read(ProbeFields, value)
        there = self.table(member, project_id)
        if asked.version == 0 and len(there) >= MOST_PROBES:
            raise FieldRefused("The table is full.", field="probes")
        self._table.keep(member, project_id, [Probe(**asked.model_dump())])

    def remove(self, member: Member, project_id: str, probe_id: str) -> None:
        self._table.remove(member, project_id, probe_id)

    def begin(self, member: Member, project_id: str, item_id: str, value: object) -> str:
        """Ask for a run of all items of the dialogue's language. Raises DistanceTooLong, FieldMissing."""
        asked = fields.read(RunFields, value)
        item = self._projects.item(member, item_id)
        probes = [one for one in self.table(member, project_id) if one.language == item.language]
        if not probes:
            raise FieldMissing("The table has no item in the language of this dialogue.", field="probes")
        rounds = rounds_of(self._projects.turns(member, item_id))
        if max(asked.distances) >= rounds:
            raise DistanceTooLong(f"This dialogue has {rounds} rounds; no question can be asked so far behind.", rounds=rounds)
        settings = [Setting(**one.model_dump()) for one in asked.settings]
        made = self._table.begin(member, project_id, item_id, settings, sorted(set(asked.distances)), probes)
        self._runs.wake()
        return made

    def stop(self, member: Member, run_id: str) -> None:
        self._table.wish(member, run_id, "stopped")

    def go_on(self, member: Member, run_id: str) -> None:
        self._table.wish(member, run_id, "waiting")
        self._runs.wake()

    def runs(self, member: Member, project_id: str) -> list[RunView]:
        progress = self._runs.progress
        found = []
        for run in self._table.runs(member, project_id):
            results = self._table.results(run.id)
            every = len(run.settings) * len(run.distances) * len(run.probes)
            found.append(RunView(run, len(results), every, recalls(run, results), progress if progress.run_id == run.id else None))
        return found


def shown(view: RunView) -> Mapping[str, object]:
    """A run as the page gets it."""
    run, progress = view.run, view.progress
    return {
        "id": run.id,
        "title": run.title,
        "state": run.state,
        "settings": [vars(one) for one in run.settings],
        "distances": list(run.distances),
        "probes": len(run.probes),
        "found": view.found,
        "all": view.all,
        "stage": {"name": progress.stage, "done": progress.done, "all": progress.all, "setting": progress.setting} if progress is not None else None,
        "figures": [
            {"setting": f.setting, "distance": f.distance, "k": f.k, "value": f.interval.value, "low": f.interval.low, "high": f.interval.high,
             "n": f.interval.n, "near": f.near}
            for f in view.figures
        ],
    }  # fmt: skip
