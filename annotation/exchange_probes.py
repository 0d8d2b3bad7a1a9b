"""Probes in a project's own file (from version 2 on): lines of the kinds `probe`, `regular` and `run`, written and read back without loss."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from annotation import fields
from annotation.errors import FileRefused
from annotation.probe_settings import CHOICES, ORDINARY, differences
from annotation.regular import MAX_LINE, MAX_OPTION
from storage.annotation_dumps import Dialogue
from storage.annotation_probe_dumps import ProbeDump, RegularDump, RunDump
from storage.annotation_probes import Probe, ProbeReview
from storage.annotation_regular_records import OPTIONS, REVIEWERS, Regular, RegularReview, RegularState
from storage.annotation_run_rows import REGULAR, WHOLE, Choice, Label, Question, Reply, Result, Run, Setting

_Id = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}$")]
_Name = Annotated[str, StringConstraints(pattern=r"^p[0-9]{1,5}$")]
_Moment = Annotated[int, Field(ge=0, le=10**14)]
_Count = Annotated[int, Field(ge=0, le=fields.MAX_PLACE)]
_Version = Annotated[int, Field(ge=1, le=fields.MAX_PLACE)]
_Short = Annotated[str, StringConstraints(max_length=200)]
_Text = Annotated[str, StringConstraints(max_length=500)]
_Way = Annotated[str, StringConstraints(max_length=40)]
_Number = Annotated[float, Field(ge=0, le=1000, allow_inf_nan=False)]
_Note = Annotated[str, StringConstraints(max_length=fields.MAX_NOTE)]


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class _ProbeReview(_Line):
    version: _Version
    by: _Name
    verdict: Literal["accepted", "objected"]
    note: _Note
    at: _Moment


class _Asked(_Line):
    id: _Id
    language: Literal["en", "zh"]
    topic: str = Field(max_length=60)
    p: _Text
    q: _Text
    a: _Text
    version: _Count


class ProbeLine(_Asked):
    kind: Literal["probe"]
    created_at: _Moment
    writers: list[_Name] = Field(max_length=100)
    reviews: list[_ProbeReview] = Field(max_length=1_000)


class _Content(_Line):
    gold: int = Field(ge=1, le=fields.MAX_PLACE)
    language: Literal["", "en", "zh"]
    line: str = Field(max_length=MAX_LINE)
    options: list[Annotated[str, StringConstraints(max_length=MAX_OPTION)]] = Field(min_length=OPTIONS, max_length=OPTIONS)
    note: _Note


class _RegularReview(_Line):
    version: _Version
    by: _Name
    choice: int = Field(ge=0, lt=OPTIONS)
    answered_at: _Moment
    verdict: Literal["", "accepted", "edited", "rejected"]
    reason: str = Field(max_length=40)
    note: _Note
    proposal: _Content | None = None
    edited: _Content | None
    decided_at: _Moment | None
    settles: bool | None = None
    """Not in files of the second version, where every decision did."""


class RegularLine(_Content):
    kind: Literal["regular"]
    dialogue: int
    id: _Id
    by: _Name
    seed: int = Field(ge=0, le=2**32)
    version: _Version
    created_at: _Moment
    updated_at: _Moment
    submitted_at: _Moment
    reviews: list[_RegularReview] = Field(max_length=1_000)


class _Setting(_Line):
    name: str = Field(max_length=60)
    capacity: _Count
    capacity_tokens: int = Field(ge=0, le=10_000_000)
    k: int = Field(ge=1, le=20)
    # From version 4 on, where they are not as the program comes.
    forgetting: _Way = ORDINARY.forgetting
    alpha: _Number = ORDINARY.alpha
    beta: _Number = ORDINARY.beta
    gamma: _Number = ORDINARY.gamma
    factor: _Number = ORDINARY.factor
    recipe: _Way = ORDINARY.recipe
    insights: _Way = ORDINARY.insights
    story: _Way = ORDINARY.story
    reading: _Way = ORDINARY.reading


class _Question(_Line):
    id: _Id
    language: Literal["en", "zh"]
    line: str = Field(max_length=MAX_LINE)
    options: list[Annotated[str, StringConstraints(max_length=MAX_OPTION)]] = Field(min_length=OPTIONS, max_length=OPTIONS)
    seed: int = Field(ge=0, le=2**32)
    turns: list[_Count] = Field(max_length=5_000)


class _Result(_Line):
    setting: int = Field(ge=0, le=100)
    distance: _Count
    probe: _Id
    told_round: int
    rank: int | None
    candidates: _Count
    near: float | None


class _Choice(_Line):
    setting: int = Field(ge=-1, le=100)
    distance: _Count = WHOLE
    probe: _Id
    chosen: int | None = Field(ge=0, lt=OPTIONS)
    trouble: str = Field(max_length=40)
    rank: int | None
    candidates: _Count


class _Reply(_Line):
    id: _Id
    setting: int = Field(ge=0, le=100)
    distance: _Count
    probe: _Id
    reply: str = Field(max_length=60_000)
    score: int | None = Field(ge=0, le=5)
    why: str = Field(max_length=500)
    trouble: str = Field(max_length=40)


class _Label(_Line):
    reply_id: _Id
    by: _Name
    score: int = Field(ge=0, le=5)
    at: _Moment


class RunLine(_Line):
    kind: Literal["run"]
    of: Literal["universal", "regular"]
    dialogue: int
    id: _Id
    settings: list[_Setting] = Field(min_length=1, max_length=100)
    distances: list[_Count] = Field(max_length=100)
    probes: list[_Asked] = Field(max_length=1_000)
    questions: list[_Question] = Field(max_length=10_000)
    how: dict[Annotated[str, StringConstraints(max_length=20)], _Short] = Field(max_length=20)
    state: Literal["done", "stopped", "failed"]
    error: str = Field(max_length=200)
    created_at: _Moment
    ended_at: _Moment | None
    results: list[_Result] = Field(max_length=100_000)
    choices: list[_Choice] = Field(max_length=100_000)
    replies: list[_Reply] = Field(max_length=100_000)
    labels: list[_Label] = Field(max_length=100_000)


ProbeLines = ProbeLine | RegularLine | RunLine
KINDS: Mapping[str, type[ProbeLine] | type[RegularLine] | type[RunLine]] = {"probe": ProbeLine, "regular": RegularLine, "run": RunLine}


def lines(dump: ProbeDump, numbers: Mapping[str, int]) -> Iterator[Mapping[str, object]]:
    """numbers: of the dialogues, by id."""
    for one in dump.table:
        reviews = [{"version": r.version, "by": r.reviewer, "verdict": r.verdict, "note": r.note, "at": r.at} for r in one.reviews]
        yield {"kind": "probe", **one.as_asked(), "created_at": one.created_at, "writers": list(one.writers), "reviews": reviews}
    for each in dump.regular:
        probe = each.probe
        yield {
            "kind": "regular",
            "dialogue": each.dialogue,
            "id": probe.id,
            "by": probe.author,
            **probe.content(),
            "seed": probe.seed,
            "version": probe.version,
            "created_at": probe.created_at,
            "updated_at": probe.updated_at,
            "submitted_at": probe.submitted_at,
            "reviews": [{**{k: v for k, v in vars(r).items() if k != "reviewer"}, "by": r.reviewer} for r in probe.reviews],
        }
    for found in dump.runs:
        run = found.run
        yield {
            "kind": "run",
            "of": run.kind,
            "dialogue": numbers[run.item_id],
            "id": run.id,
            "settings": [
                {"name": s.name, "capacity": s.capacity, "capacity_tokens": s.capacity_tokens, "k": s.k, **differences(s)}
                for s in run.settings
            ],
            "distances": list(run.distances),
            "probes": [p.as_asked() for p in run.probes],
            "questions": [vars(q) for q in run.questions],
            "how": dict(run.how),
            "state": run.state,
            "error": run.error,
            "created_at": run.created_at,
            "ended_at": run.ended_at,
            "results": [vars(r) for r in found.results],
            "choices": [vars(c) for c in found.choices],
            "replies": [vars(r) for r in found.replies],
            "labels": [vars(label) for label in found.labels],
        }


def probes_of(read: Sequence[tuple[int, ProbeLines]], dialogues: Mapping[int, Dialogue], *, reviewed: bool) -> ProbeDump:
    """What the lines of a file tell of probes. reviewed: whether its project has reviewers. Raises FileRefused for a line that names what is not in the file."""
    table, regular, runs = [], [], []
    for number, line in read:
        where = f"line {number}"
        if isinstance(line, ProbeLine):
            reviews = tuple(ProbeReview(r.version, r.by, r.verdict, r.note, r.at) for r in line.reviews)
            table.append(
                Probe(
                    line.id, line.language, line.topic, line.p, line.q, line.a, line.version, tuple(line.writers), reviews, line.created_at
                )
            )
            continue
        dialogue = dialogues.get(line.dialogue)
        if dialogue is None:
            raise FileRefused(where=where, reason="it is of a dialogue that is not in the file")
        if isinstance(line, RegularLine):
            regular.append(RegularDump(line.dialogue, _regular(line, dialogue, where, reviewed=reviewed)))
        else:
            runs.append(_run(line, dialogue, where))
    return ProbeDump(table, regular, runs)


def _regular(line: RegularLine, dialogue: Dialogue, where: str, *, reviewed: bool) -> Regular:
    if line.gold not in {one.number for one in dialogue.gold}:
        raise FileRefused(where=where, reason="it is about a point that is not in the file")
    reviews = tuple(
        RegularReview(
            r.version,
            r.by,
            r.choice,
            r.answered_at,
            r.verdict,
            r.reason,
            r.note,
            r.proposal.model_dump() if r.proposal is not None else None,
            r.edited.model_dump() if r.edited is not None else None,
            r.decided_at,
            bool(r.verdict) if r.settles is None else r.settles,
        )
        for r in line.reviews
    )
    found = Regular(
        id=line.id, gold=line.gold, language=line.language, line=line.line, options=tuple(line.options), note=line.note, version=line.version,
        item_id=dialogue.item.id, author=line.by, seed=line.seed, created_at=line.created_at, updated_at=line.updated_at,
        submitted_at=line.submitted_at, reviews=reviews, reviewed=reviewed,
    )  # fmt: skip
    several = Counter((r.version, r.reviewer, r.settles) for r in reviews).most_common(1)
    blind = Counter(r.version for r in reviews if r.verdict and not r.settles).most_common(1)
    if (several and several[0][1] > 1) or (blind and blind[0][1] > REVIEWERS):
        raise FileRefused(where=where, reason="somebody has decided about this probe twice, or more than two have")
    if not (found.stands or found.state is RegularState.REJECTED) or any(r.reviewer == line.by for r in reviews):
        raise FileRefused(where=where, reason="nobody else has decided about this probe")
    return found


def _run(line: RunLine, dialogue: Dialogue, where: str) -> RunDump:
    questions = tuple(Question(q.id, q.language, q.line, tuple(q.options), q.seed, tuple(q.turns)) for q in line.questions)
    if (line.of == REGULAR) != bool(questions) or bool(line.probes) == bool(questions):
        raise FileRefused(where=where, reason="a run is of items of the table or of regular probes")
    if unknown := [name for s in line.settings for name, some in CHOICES.items() if getattr(s, name) not in some]:
        raise FileRefused(where=where, reason=f"a setting’s “{unknown[0]}” is not known here")
    if any(not one.turns or not {turn.number for turn in dialogue.turns}.issuperset(one.turns) for one in questions):
        raise FileRefused(where=where, reason="a regular probe of the run is of messages that the dialogue does not have")
    asked = {one.id for one in line.probes} | {one.id for one in questions}
    for found in (line.results, line.choices, line.replies):
        if any(one.setting >= len(line.settings) or one.probe not in asked for one in found):
            raise FileRefused(where=where, reason="something was found with a setting, or of a probe, that the run does not have")
    run = Run(
        id=line.id, item_id=dialogue.item.id, title=dialogue.item.title, settings=tuple(Setting(**s.model_dump()) for s in line.settings),
        distances=tuple(line.distances) or (WHOLE,), probes=tuple(Probe(**p.model_dump()) for p in line.probes), state=line.state, error=line.error,
        created_at=line.created_at, kind=line.of, questions=questions, how=line.how, ended_at=line.ended_at,
    )  # fmt: skip
    replies = [Reply(**r.model_dump()) for r in line.replies]
    if {label.reply_id for label in line.labels} - {one.id for one in replies}:
        raise FileRefused(where=where, reason="a label is of a reply that is not in the file")
    return RunDump(
        run,
        [Result(**r.model_dump()) for r in line.results],
        [Choice(**c.model_dump()) for c in line.choices],
        replies,
        [Label(**label.model_dump()) for label in line.labels],
    )
