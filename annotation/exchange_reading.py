"""A project's own file, read back. Everything in it is somebody's data: types, sizes and places are checked, and it is taken in whole or not at all."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from annotation import fields
from annotation.dialogues import MAX_DIALOGUES, MAX_TURNS
from annotation.errors import FileRefused
from annotation.exchange import FORMAT, READABLE, VERSION
from annotation.exchange_probes import KINDS as PROBE_KINDS
from annotation.exchange_probes import ProbeLine, RegularLine, RunLine, probes_of
from annotation.matching import parts
from annotation.review import ADDED
from errors import KeepsakeError
from storage.annotation_dumps import AnnotationDumps, Dialogue, Dump, Work
from storage.annotation_records import ANNOTATOR, Assignment, AuditEvent, Evidence, Gold, Item, Member, Point, Project, Turn

_Id = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}$")]
_Name = Annotated[str, StringConstraints(pattern=r"^p[0-9]{1,5}$")]
_Moment = Annotated[int, Field(ge=0, le=10**14)]
_MAX_STATE = 2**21
"""Characters of a point as the trail has it: what a page may send at once, with its escapes."""
_Number = Annotated[int, Field(ge=0, le=fields.MAX_PLACE)]


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class _Project(_Line):
    id: _Id
    name: str = Field(min_length=1, max_length=fields.MAX_NAME)
    overlap: int = Field(ge=1, le=2)
    lease_hours: int = Field(ge=1, le=2160)
    categories: list[Annotated[str, StringConstraints(min_length=1, max_length=fields.MAX_NAME)]] = Field(
        min_length=1, max_length=fields.MAX_CATEGORIES
    )
    briefing: str = Field(default="", max_length=fields.MAX_GUIDELINE)
    target_rounds: int = Field(default=0, ge=0, le=fields.MAX_ROUNDS)
    created_at: _Moment
    closed_at: _Moment | None


class _Header(_Line):
    kind: Literal["keepsake-annotation"]
    version: int
    withheld: _Number
    project: _Project


class _Guideline(_Line):
    kind: Literal["guideline"]
    version: int = Field(ge=1, le=100_000)
    text: str = Field(max_length=fields.MAX_GUIDELINE)
    at: _Moment


class _Turn(_Line):
    number: int = Field(ge=1, le=MAX_TURNS)
    round: _Number
    session: _Number
    role: Literal["user", "character", "narrator"]
    speaker: str = Field(min_length=1, max_length=200)
    text: str = Field(min_length=1, max_length=20_000)
    said_at: int = Field(ge=-(10**14), le=10**14)
    external_id: str = Field(max_length=200)


class _Dialogue(_Line):
    kind: Literal["dialogue"]
    id: _Id
    number: int = Field(ge=1, le=100_000)
    title: str = Field(max_length=200)
    language: Literal["en", "zh"]
    created_at: _Moment
    gold_at: _Moment | None
    released_at: _Moment | None
    turns: list[_Turn] = Field(min_length=1, max_length=MAX_TURNS)


class _Suggestion(_Line):
    id: _Id
    text: str = Field(min_length=1, max_length=2_000)
    turns: list[_Number] = Field(max_length=fields.MAX_TURNS)
    changed: list[Literal["text", "messages"]] = Field(max_length=2)


class _Evidence(fields.EvidenceFields):
    """It is longer than a person can choose at once: messages of quotes count too, and points are merged."""

    turns: list[Annotated[int, Field(ge=1, le=fields.MAX_PLACE)]] = Field(max_length=MAX_TURNS)
    quotes: list[fields.QuoteFields] = Field(default_factory=list, max_length=10_000)


class _Content(fields.GoldFields):
    evidence: _Evidence


class _Decision(fields.DecisionFields):
    point: _Content | None = None


class _Point(_Content):
    id: _Id
    number: _Number
    note: str = Field(max_length=fields.MAX_NOTE)
    unclear: bool
    version: int = Field(ge=1)
    created_at: _Moment
    updated_at: _Moment
    suggestion: _Suggestion | None = None


class _Work(_Line):
    kind: Literal["work"]
    dialogue: int
    id: _Id
    by: _Name
    role: Literal["annotator", "reviewer"]
    guideline: _Number
    place: _Number
    lease_until: _Moment
    started_at: _Moment
    submitted_at: _Moment
    points: list[_Point] = Field(max_length=5_000)
    decisions: dict[Annotated[str, StringConstraints(max_length=64)], _Decision] = Field(max_length=10_000)


class _GoldPoint(_Content):
    number: int = Field(ge=1)
    provenance: dict[str, Any] = Field(max_length=20)


class _Gold(_Line):
    kind: Literal["gold"]
    dialogue: int
    points: list[_GoldPoint] = Field(max_length=10_000)


class _Event(_Line):
    kind: Literal["event"]
    by: _Name
    at: _Moment
    action: Annotated[str, StringConstraints(pattern=r"^[a-z_]{1,40}$")]
    dialogue: int | None
    work: _Id | None
    subject: str = Field(max_length=64)
    before: str = Field(max_length=_MAX_STATE)
    after: str = Field(max_length=_MAX_STATE)


_KINDS: Mapping[str, type[BaseModel]] = {
    FORMAT: _Header, "guideline": _Guideline, "dialogue": _Dialogue, "work": _Work, "gold": _Gold, "event": _Event, **PROBE_KINDS,
}  # fmt: skip


def is_project(body: bytes) -> bool:
    """Whether a file is a project's own, and no dialogue."""
    return f'"kind": "{FORMAT}"'.encode() in body[:400]


def load(dumps: AnnotationDumps, member: Member, body: bytes) -> Project:
    """Take a project in. Raises FileRefused, AlreadyHere."""
    read = _lines(body)
    header, *rest = [line for _, line in read]
    if not isinstance(header, _Header) or header.version not in READABLE:
        raise FileRefused(where="line 1", reason=f"it is of no version up to {VERSION}, which are those that are read here")
    guidelines = [(one.version, one.text, one.at) for one in rest if isinstance(one, _Guideline)]
    if not guidelines:
        raise FileRefused(where="", reason="it has no guideline")
    dialogues = _dialogues(read, header.project)
    items = {one.item.number: one.item.id for one in dialogues}
    told = [(number, line) for number, line in read if isinstance(line, ProbeLine | RegularLine | RunLine)]
    probes = probes_of(told, {one.item.number: one for one in dialogues}, reviewed=header.project.overlap > 1)
    works = {work.assignment.id for one in dialogues for work in one.works} | {one.probe.id for one in probes.regular}
    events = []
    for number, line in read:
        if isinstance(line, _Event):
            if (line.dialogue is not None and line.dialogue not in items) or (line.work is not None and line.work not in works):
                raise FileRefused(where=f"line {number}", reason="it tells of a dialogue or a work that is not in the file")
            item_id = items[line.dialogue] if line.dialogue is not None else None
            events.append((line.by, AuditEvent(0, item_id, line.work, "", line.at, line.action, line.subject, line.before, line.after)))
    project = Project(**{**header.project.model_dump(), "categories": tuple(header.project.categories)}, guideline=guidelines[-1][0])
    return dumps.restore(member, Dump(project, guidelines, dialogues, events, 0, probes))


def _lines(body: bytes) -> list[tuple[int, BaseModel]]:
    raw = body.splitlines(keepends=True)
    if len(raw) < 2:
        raise FileRefused(where="", reason="it breaks off")
    digest = hashlib.sha256(b"".join(raw[:-1])).hexdigest()
    found: list[tuple[int, BaseModel]] = []
    for number, line in enumerate(raw, 1):
        try:
            value = json.loads(line)
            kind = str(value["kind"]) if isinstance(value, dict) else ""
            if number == len(raw):
                if kind != "end" or value.get("lines") != len(raw) - 1 or value.get("sha256") != digest:
                    raise FileRefused(where=f"line {number}", reason="it breaks off, or was changed since it was written")
                break
            if kind not in _KINDS or (number == 1) != (kind == FORMAT):
                raise FileRefused(where=f"line {number}", reason="an unknown kind of line")
            found.append((number, fields.read(_KINDS[kind], value)))
        except (ValueError, KeyError, RecursionError) as error:
            raise FileRefused(where=f"line {number}", reason="it is not valid JSON") from error
        except FileRefused:
            raise
        except KeepsakeError as error:
            raise FileRefused(where=f"line {number}", reason=str(error).removesuffix(" Nothing was changed.").rstrip(".")) from error
    return found


def _dialogues(read: Sequence[tuple[int, BaseModel]], project: _Project) -> list[Dialogue]:
    found: dict[int, Dialogue] = {}
    for number, line in read:
        where = f"line {number}"
        try:
            if isinstance(line, _Dialogue):
                if (
                    line.number in found
                    or len(found) >= MAX_DIALOGUES
                    or [t.number for t in line.turns] != list(range(1, len(line.turns) + 1))
                ):
                    raise FileRefused(where=where, reason="a dialogue's number or those of its messages are not in order")
                found[line.number] = _dialogue(line, project)
            elif isinstance(line, _Work | _Gold) and line.dialogue not in found:
                raise FileRefused(where=where, reason="it is of a dialogue that is not in the file")
            elif isinstance(line, _Work):
                one = found[line.dialogue]
                found[line.dialogue] = replace(one, works=[*one.works, _work(line, one, project)])
            elif isinstance(line, _Gold):
                one = found[line.dialogue]
                found[line.dialogue] = replace(one, gold=[_gold(point, one, project) for point in line.points])
        except FileRefused:
            raise
        except KeepsakeError as error:
            raise FileRefused(where=where, reason=str(error).removesuffix(" Nothing was changed.").rstrip(".")) from error
    for one in found.values():
        _check_whole(one, project)
    return list(found.values())


def _check_whole(one: Dialogue, project: _Project) -> None:
    """Work comes with its gold, by no more than the project asks for (gold outlives the accounts that made it), and decisions are about what was submitted."""
    where = f"dialogue {one.item.number}"
    done = [work for work in one.works if work.assignment.role == ANNOTATOR]
    if ((one.works or one.gold) and not one.told) or len(done) > project.overlap:
        raise FileRefused(where=where, reason="its work and its gold do not belong together")
    if len(done) < 2:
        return
    known = {part.id for part in parts(done[0].points, done[1].points)}
    for work in one.works:
        if any(part not in known and not part.startswith(ADDED) for part in work.decisions):
            raise FileRefused(where=where, reason="a decision is about nothing that was submitted")


def _dialogue(line: _Dialogue, project: _Project) -> Dialogue:
    turns = [Turn(**turn.model_dump()) for turn in line.turns]
    item = Item(
        id=line.id, project_id=project.id, number=line.number, title=line.title, language=line.language, chat_id=None, created_at=line.created_at,
        gold_at=line.gold_at, released_at=line.released_at, turns=len(turns), submitted=0, held=0, reviewed=False, overlap=project.overlap,
    )  # fmt: skip
    return Dialogue(item, turns, [], [], told=line.gold_at is not None)


def _work(line: _Work, dialogue: Dialogue, project: _Project) -> Work:
    mine = Assignment(
        id=line.id, item_id=dialogue.item.id, project_id=project.id, user_id="", role=line.role, guideline=line.guideline, place=line.place, draft="",
        lease_until=line.lease_until, started_at=line.started_at, submitted_at=line.submitted_at,
    )  # fmt: skip
    points = [
        Point(
            p.id,
            p.number,
            p.text,
            _known(p.category, project),
            p.language,
            _where(p, dialogue),
            p.note,
            p.unclear,
            p.version,
            p.created_at,
            p.updated_at,
            p.suggestion.model_dump() if p.suggestion is not None else None,
        )
        for p in line.points
    ]
    decisions: dict[str, Mapping[str, object]] = {}
    for part, decision in line.decisions.items():
        content = decision.model_dump()
        if decision.point is not None:
            content["point"] = fields.gold_content(decision.point, dialogue.turns, project.categories)
        decisions[part] = content
    return Work(mine, line.by, points, decisions)


def _gold(point: _GoldPoint, dialogue: Dialogue, project: _Project) -> Gold:
    return Gold(point.number, point.text, _known(point.category, project), point.language, _where(point, dialogue), point.provenance)


def _where(point: fields.GoldFields, dialogue: Dialogue) -> Evidence:
    return fields.evidence(point.evidence, dialogue.turns)


def _known(category: str, project: _Project) -> str:
    if category not in project.categories:
        raise FileRefused(where="", reason="a category that the project has not")
    return category
