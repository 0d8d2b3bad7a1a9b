"""Probes of a project as the pages ask for them: the universal table and its reviews, runs of both kinds, and people's labels of judged replies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from annotation import fields, probe_settings, table_file
from annotation.agreement import Figure, review_agreement
from annotation.errors import DistanceTooLong, FieldMissing, FieldRefused
from annotation.probe_figures import Chosen, Recalled, Scored, accuracies, judge_agreement, recalls, scores
from annotation.probe_living import concludes, rounds_behind, rounds_of
from annotation.probe_runs import ProbeRuns, Progress
from annotation.probes import Close, ProbeFields, close_pairs, default_probes
from models.embedder import Embedder
from storage.annotation_probes import OBJECTED, Probe, Taken
from storage.annotation_records import Member
from storage.annotation_run_rows import FIRST, REGULAR, WHOLE, Question, Reply, Run, Setting
from storage.annotation_sight import managing
from storage.store import Store

MOST_DISTANCES, MOST_PROBES = 6, 100
LEAST = 2
"""Rounds behind the telling that an item of the table can be asked for: one round has to be over."""


class RunFields(BaseModel):
    """settings: as `annotation.probe_settings` reads them; distances: in rounds; of regular probes also 0, after the whole dialogue. replies: `yes` where the
    character's replies are to be made and judged. first: the round from which on items of the table are told; only: the id of the one that is, empty for all."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    kind: Literal["universal", "regular"] = "universal"
    settings: list[Any]
    distances: list[Annotated[int, Field(ge=0, le=fields.MAX_ROUNDS)]] = Field(default_factory=list, max_length=MOST_DISTANCES)
    replies: Literal["no", "yes"] = "no"
    first: int = Field(default=1, ge=1, le=fields.MAX_ROUNDS)
    only: Annotated[str, StringConstraints(max_length=32)] = ""


class ReviewFields(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    verdict: Literal["", "accepted", "objected"]
    note: Annotated[str, StringConstraints(strip_whitespace=True, max_length=fields.MAX_NOTE)] = ""


@dataclass(frozen=True)
class RunView:
    run: Run
    found: int
    """Answers so far."""
    all: int
    figures: Sequence[Recalled]
    accuracies: Sequence[Chosen]
    scores: Sequence[Scored]
    agreement: Sequence[Figure]
    labelled: int
    progress: Progress | None


@dataclass(frozen=True)
class ToLabel:
    """A reply that a person may label. done: how many of the run they have."""

    reply: Reply | None
    probe: Probe | None
    done: int


class Probing:
    def __init__(self, store: Store, embedder: Embedder, runs: ProbeRuns) -> None:
        self._table = store.annotation_probes
        self._stored = store.annotation_runs
        self._regular = store.annotation_regular
        self._projects = store.annotation_projects
        self._embedder = embedder
        self._runs = runs

    @property
    def models(self) -> Mapping[str, str]:
        """Names of what a run that begins now would ask: `reader`, `answers`, and, where replies can be made and judged, `voice` and `judge`."""
        return self._runs.models.names(replies="yes")

    @property
    def offered(self) -> Mapping[str, Any]:
        """What settings may be made of here."""
        return probe_settings.offered(reader=self.models["reader"], cross=self._runs.cross)

    # The table

    def table(self, member: Member, project_id: str) -> list[Probe]:
        return self._table.probes(member, project_id)

    def close_pairs(self, member: Member, project_id: str) -> list[Close]:
        return close_pairs(self.table(member, project_id), self._embedder)

    def take_ours(self, member: Member, project_id: str) -> None:
        """Add our thirty items in both languages; those that are there stay as they are."""
        self._table.take_in(member, project_id, default_probes(project_id))

    def keep(self, member: Member, project_id: str, value: object) -> None:
        asked = fields.read(ProbeFields, value)
        there = self.table(member, project_id)
        if asked.version == 0 and len(there) >= MOST_PROBES:
            raise FieldRefused("The table is full.", field="probes")
        self._table.keep(member, project_id, Probe(**asked.model_dump()))

    def file(self, member: Member, project_id: str) -> bytes:
        """The table as CSV."""
        return table_file.write(self.table(member, project_id))

    def take_file(self, member: Member, project_id: str, body: bytes) -> Taken:
        """Items of a CSV file into the table, all or none: as `AnnotationProbes.take_file`. Raises as `table_file.read` too."""
        there = {one.id: one for one in self.table(member, project_id)}
        rows = []
        for row in table_file.read(body):
            one = Probe(row.id, row.language, row.topic, row.p, row.q, row.a, row.version)
            before = there.get(row.id)
            if before is None or (one.language, one.topic, one.p, one.q, one.a) != (
                before.language,
                before.topic,
                before.p,
                before.q,
                before.a,
            ):
                # What a form would take away goes; what is here already stands as it is.
                one = replace(one, **{name: fields.storable(getattr(one, name)).strip() for name in table_file.LONGEST})
            rows.append((row.number, one))
        return self._table.take_file(member, project_id, rows, most=MOST_PROBES)

    def review(self, member: Member, project_id: str, probe_id: str, value: object, *, version: int) -> None:
        asked = fields.read(ReviewFields, value)
        if asked.verdict == OBJECTED and not asked.note:
            raise FieldMissing("To object to something, write why. Nothing was changed.", field="note")
        self._table.review(member, project_id, probe_id, version=version, verdict=asked.verdict, remark=asked.note)

    def table_agreement(self, member: Member, project_id: str) -> list[Figure]:
        """Of those who reviewed the same item as it is now; empty where no two have."""
        labels = self._table.verdicts(member, project_id)
        return review_agreement("verdict", labels, "items") if labels else []

    def remove(self, member: Member, project_id: str, probe_id: str) -> None:
        self._table.remove(member, project_id, probe_id)

    # Runs

    def begin(self, member: Member, project_id: str, item_id: str, value: object) -> str:
        """Ask for a run of all items of the dialogue's language, or of the dialogue's accepted regular probes. Raises DistanceTooLong, FieldMissing, and
        what settings are refused by."""
        managing(member)
        asked = fields.read(RunFields, value)
        settings = probe_settings.read(asked.settings)
        reader = self._runs.models.names(replies="no")["reader"]
        place = probe_settings.Place(
            reader=reader,
            concludes=concludes(self._projects.turns(member, item_id)),
            replies=asked.kind != REGULAR and asked.replies == "yes",
            cross=self._runs.cross,
        )
        probe_settings.hold_against(settings, place)
        if asked.kind == REGULAR:
            made = self._begin_regular(member, project_id, item_id, settings, asked)
        else:
            made = self._begin_universal(member, project_id, item_id, settings, asked)
        self._runs.wake()
        return made

    def _begin_universal(self, member: Member, project_id: str, item_id: str, settings: Sequence[Setting], asked: RunFields) -> str:
        item = self._projects.item(member, item_id)
        probes = [one for one in self.table(member, project_id) if one.language == item.language and asked.only in ("", one.id)]
        if not probes:
            raise FieldMissing("The table has no item in the language of this dialogue.", field="probes")
        if not asked.distances:
            raise FieldMissing("How far behind is missing.", field="distances")
        if min(asked.distances) < LEAST:
            raise FieldRefused(f"An item is asked for {LEAST} rounds after it was told at the earliest.", field="distances")
        rounds = rounds_of(self._projects.turns(member, item_id))
        left = rounds - (asked.first - 1)
        if max(asked.distances) >= left:
            raise DistanceTooLong(f"There are {max(left, 0)} rounds; no question can be asked so far behind.", rounds=max(left, 0))
        how = self._runs.models.names(replies=asked.replies)
        if asked.replies == "yes" and not how["judge"]:
            raise FieldRefused("There is no chat model and judge to make and judge replies with.", field="replies")
        if asked.first > 1:
            how[FIRST] = str(asked.first)
        return self._stored.begin(member, project_id, item_id, settings, distances=sorted(set(asked.distances)), probes=probes, how=how)

    def _begin_regular(self, member: Member, project_id: str, item_id: str, settings: Sequence[Setting], asked: RunFields) -> str:
        """Probes that are too near the end for a distance are left out and counted; a distance that none of them has is refused."""
        _, said, gold = self._regular.material(member, item_id)
        turns = {one.number: one.evidence.turns for one in gold}
        questions = [
            Question(one.id, one.language, one.line, one.options, one.seed, turns[one.gold])
            for one in self._regular.standing(member, item_id)
        ]
        if not questions:
            raise FieldMissing("This dialogue has no regular probe that is accepted.", field="probes")
        distances = sorted(set(asked.distances)) or [WHOLE]
        behind = max(rounds_behind(said, one.turns) for one in questions)
        if max(distances) > behind:
            raise DistanceTooLong(
                f"Behind the points of these probes lie {behind} rounds at most; none can be asked so far behind.", rounds=behind
            )
        how = self._runs.models.names(replies="no")
        return self._stored.begin(member, project_id, item_id, settings, distances=distances, questions=questions, how=how)

    def stop(self, member: Member, run_id: str) -> None:
        self._stored.wish(member, run_id, "stopped")

    def go_on(self, member: Member, run_id: str) -> None:
        self._stored.wish(member, run_id, "waiting")
        self._runs.wake()

    def runs(self, member: Member, project_id: str) -> list[RunView]:
        progress = self._runs.progress
        found = []
        for run in self._stored.runs(member, project_id):
            results, choices = self._stored.results(run.id), self._stored.choices(run.id)
            replies, labels = self._stored.replies(run.id), self._stored.labels(run.id)
            every = len(run.settings) * len(run.distances) * (len(run.probes) + len(run.questions)) + len(run.questions)
            found.append(
                RunView(
                    run,
                    len(results) + len(choices),
                    every,
                    recalls(run, results),
                    accuracies(run, choices),
                    scores(run, replies),
                    judge_agreement(replies, labels),
                    len(labels),
                    progress if progress.run_id == run.id else None,
                )
            )
        return found

    # Labels

    def to_label(self, member: Member, run_id: str) -> ToLabel:
        """The next judged reply for a person, with its question and answer and without what the judge gave."""
        reply, done = self._stored.unlabelled(member, run_id)
        probe = next((one for one in self._stored.run(run_id).probes if one.id == reply.probe), None) if reply is not None else None
        return ToLabel(reply, probe, done)

    def label(self, member: Member, reply_id: str, score: int) -> ToLabel:
        if not 0 <= score <= 5:
            raise FieldRefused("A score is 0 to 5.", field="score")
        return self.to_label(member, self._stored.label(member, reply_id, score))


def shown(view: RunView) -> Mapping[str, object]:
    """A run as the page gets it."""
    run, progress = view.run, view.progress
    return {
        "id": run.id,
        "kind": run.kind,
        "title": run.title,
        "state": run.state,
        "error": run.error,
        "how": dict(run.how),
        "settings": [
            {"name": probe_settings.own_name(one), "differs": probe_settings.differences(one)} for one in run.settings
        ],
        "distances": list(run.distances),
        "probes": len(run.probes) + len(run.questions),
        "found": view.found,
        "all": view.all,
        "stage": {"name": progress.stage, "done": progress.done, "all": progress.all, "setting": progress.setting} if progress is not None else None,
        "figures": [
            {"setting": f.setting, "distance": f.distance, "k": f.k, "value": f.interval.value, "low": f.interval.low, "high": f.interval.high,
             "n": f.interval.n, "near": f.near}
            for f in view.figures
        ],
        "accuracies": [
            {"setting": f.setting, "distance": f.distance, "right": vars(f.accuracy) if f.accuracy is not None else None,
             "recalled": vars(f.recalled) if f.recalled is not None else None, "trouble": dict(f.trouble), "left_out": f.left_out}
            for f in view.accuracies
        ],
        "scores": [
            {"setting": f.setting, "distance": f.distance, "mean": vars(f.mean) if f.mean is not None else None, "unjudged": dict(f.unjudged)}
            for f in view.scores
        ],
        "agreement": [vars(one) for one in view.agreement],
        "labelled": view.labelled,
    }  # fmt: skip
