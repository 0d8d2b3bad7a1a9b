"""A run of the universal table without the page: the same project, run and figures, in a data folder that lasts from one command to the next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from annotation.dialogues import from_file
from annotation.errors import FileRefused
from annotation.probe_runs import ProbeRuns
from annotation.probe_settings import called, differences
from annotation.probing import Probing, RunView
from annotation.workbench import Workbench
from chat.assembly import open_store
from chat.model_choice import ModelChoice
from evaluation.records import Figure, describe_run, measured, write_run
from models.build import build_embedder
from settings import Settings
from storage.annotation_projects import NewItem
from storage.annotation_records import Member
from storage.annotation_run_rows import EMBEDDER, Run, Setting
from storage.scope import LOCAL_USER

HOUSE = "house"
"""The data folder, in the folder that the figures go to."""
SELF = Member(LOCAL_USER, "admin")
NAME = "Probes"


@dataclass
class Asked:
    """A run that goes on, or is done."""

    probing: Probing
    project: str
    id: str
    data: Path
    out: Path
    command: Sequence[str]

    @property
    def view(self) -> RunView:
        return next(one for one in self.probing.runs(SELF, self.project) if one.run.id == self.id)

    @property
    def all(self) -> int:
        return self.view.all

    @property
    def found(self) -> int:
        return self.view.found

    @property
    def goes_on(self) -> bool:
        return self.view.run.state in ("waiting", "running")

    @property
    def doing(self) -> str:
        """For the bar of a terminal."""
        now = self.view.progress
        if now is None:
            return ""
        name = named(self.view.run.settings[now.setting])
        return f"{name}: {now.done} of {now.all} tasks of memory" if now.stage == "living" else name

    def told(self) -> str:
        """Write the figures. Why it failed, empty where it did not; then nothing is written."""
        view = self.view
        if view.run.state != "done":
            return view.run.error or view.run.state
        figures = []
        for one in view.figures:
            bare = Figure(
                task="probes",
                dataset=view.run.title,
                system=named(view.run.settings[one.setting]),
                category=f"{one.distance} rounds behind",
                unit="memory",
                metric="recall",
                k=one.k,
                value=0.0,
                embedder=view.run.how.get(EMBEDDER) or None,
                model=view.run.how.get("reader") or None,
            )
            figures.append(measured(bare, one.interval))
        run = describe_run(
            command=self.command, seed=0, quick=False, settings={"settings": [vars(s) for s in view.run.settings]}, data=[self.data]
        )
        write_run(self.out, figures, run)
        return ""


def named(setting: Setting) -> str:
    return setting.name or called(setting)


@contextmanager
def asked(
    data: Path, key: str, wanted: Sequence[Setting], distances: Sequence[int], *, out: Path, command: Sequence[str]
) -> Iterator[Asked]:
    """The run that is wanted, begun or gone on with; with another embedder or other models it is another run. It is stopped where the block ends before
    it. distances: in rounds. Raises KeepsakeError."""
    dialogue = _dialogue(data, key)
    settings = Settings().model_copy(update={"data_dir": out / HOUSE})
    store = open_store(settings)
    store.folder.own()
    embedder = build_embedder(settings)
    models = ModelChoice(store, settings)
    runs = ProbeRuns(store, settings, embedder=embedder, models=models)
    try:
        bench, probing = Workbench(store), Probing(store, embedder, runs)
        project = next((one.id for one in bench.projects.projects(SELF) if one.name == NAME), None) or _project(bench)
        (item,) = bench.projects.add_items(SELF, project, [dialogue])
        probing.take_ours(SELF, project)
        alike = (item, tuple(wanted), tuple(sorted(set(distances))), runs.models.names(replies="no"))
        before = next((v.run for v in probing.runs(SELF, project) if _asked_for(v.run) == alike), None)
        if before is None:
            value = {
                "kind": "universal",
                "settings": [{"name": one.name, **differences(one)} for one in wanted],
                "distances": list(distances),
            }
            run_id = probing.begin(SELF, project, item, value)
        else:
            run_id = before.id
            if before.state != "done":
                probing.go_on(SELF, run_id)
        yield Asked(probing, project, run_id, data, out, command)
    finally:
        runs.close()
        models.close()
        store.close()
        store.folder.release()


def _asked_for(run: Run) -> tuple[str, tuple[Setting, ...], tuple[int, ...], Mapping[str, str]]:
    """What makes two runs the same one."""
    return run.item_id, run.settings, run.distances, run.how


def _dialogue(data: Path, key: str) -> NewItem:
    found = [one for one in from_file(data) if one.title.startswith(key)]
    if len(found) != 1:
        names = ", ".join(one.title for one in from_file(data)[:20])
        raise FileRefused(
            where=str(data), reason=f"{len(found)} dialogues are called that; there are {names}" if key else f"name one of {names}"
        )
    return found[0]


def _project(bench: Workbench) -> str:
    value = {"name": NAME, "overlap": 1, "lease_hours": 24, "categories": ["Profile"], "guideline": ""}
    return bench.make_project(SELF, value).id
