"""The workbench: what its pages may ask for, by a member, with every value checked. What is remembered of a dialogue is read nowhere else."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from annotation import fields, review
from annotation.agreement import Doubled, Figure, agreement
from annotation.collecting import Cast, Collecting
from annotation.errors import FieldRefused, FieldTooLong
from annotation.giving import Giving
from annotation.marking import Marking
from annotation.matching import Part, parts
from annotation.outlines import Outlines
from annotation.probing import Probing
from annotation.regular import RegularProbes
from annotation.suggesting import Share, Suggesting, marked, share
from storage.annotation_errors import NotThere
from storage.annotation_records import ANNOTATOR, REVIEWER, Assignment, Gold, Item, Member, Point, Project, Turn
from storage.annotation_reviews import Decision
from storage.annotation_work import Submission
from storage.records import now_ms
from storage.store import Store

MAX_DRAFT = 60_000
"""Characters of an open form as JSON."""


@dataclass(frozen=True)
class Sheet:
    """All that a person needs to work on a dialogue."""

    assignment: Assignment
    project: Project
    item: Item
    turns: Sequence[Turn]
    guideline: tuple[int, str, int]
    points: Sequence[Point]
    """The annotator's own."""
    can_undo: bool
    can_redo: bool


@dataclass(frozen=True)
class ReviewSheet:
    sheet: Sheet
    parts: Sequence[Part]
    decisions: Mapping[str, Decision]
    standing: review.Standing


@dataclass(frozen=True)
class Flag:
    """What a reviewer says that the guidelines leave open. text, turn: what it is about; empty, 0 where those who wrote it are gone."""

    item: Item
    verdict: str
    reason: str
    note: str
    text: str
    turn: int


@dataclass(frozen=True)
class AgreementView:
    figures: Sequence[Figure]
    dialogues: int
    points: tuple[int, int]


class Workbench:
    """probing, outlines, cast: None where no memory engine or chat service stands beside it (tests, command lines). tidy: has files follow what was erased."""

    def __init__(
        self,
        store: Store,
        probing: Probing | None = None,
        outlines: Outlines | None = None,
        cast: Cast | None = None,
        tidy: Callable[[], None] = lambda: None,
    ) -> None:
        self.probing = probing
        self.outlines = outlines
        self.projects = store.annotation_projects
        self.work = store.annotation_work
        self.reviews = store.annotation_reviews
        self.exchange = store.annotation_dumps
        self.giving = Giving(store, tidy)
        self.collecting = Collecting(store, self.giving, cast)
        self.marking = Marking(store)
        self.suggesting = Suggesting(store, outlines)
        self.regular = RegularProbes(store)

    # Projects

    def make_project(self, member: Member, value: object) -> Project:
        asked = fields.read(fields.ProjectFields, value)
        if len(set(asked.categories)) < len(asked.categories):
            raise FieldRefused("Two categories have one name. Nothing was made.", field="categories")
        return self.projects.make(
            member,
            name=asked.name,
            overlap=asked.overlap,
            lease_hours=asked.lease_hours,
            categories=asked.categories,
            guideline=asked.guideline,
            briefing=asked.briefing,
            target_rounds=asked.target_rounds,
        )

    def add_guideline(self, member: Member, project_id: str, text: str) -> int:
        if len(text) > fields.MAX_GUIDELINE:
            raise FieldTooLong("The guidelines are too long. Nothing was changed.", field="guideline", limit=fields.MAX_GUIDELINE)
        return self.projects.add_guideline(member, project_id, fields.storable(text))

    def close_project(self, member: Member, project_id: str, *, closed: str) -> None:
        """closed: `yes` or anything else."""
        self.projects.close(member, project_id, closed_at=now_ms() if closed == "yes" else None)

    # Annotating

    def sheet(self, member: Member, assignment_id: str, role: str = ANNOTATOR) -> Sheet:
        mine = self.work.assignment(member, assignment_id, role)
        project = self.projects.project(member, mine.project_id)
        if project.owner:
            self.marking.catch_up(member, self.projects.item(member, mine.item_id))
            mine = self.work.assignment(member, assignment_id, role)
        can_undo, can_redo = self.work.steps(member, mine.id)
        return Sheet(
            mine,
            project,
            self.projects.item(member, mine.item_id),
            self.projects.turns(member, mine.item_id),
            self.projects.guidelines(member, mine.project_id)[-1],
            self.work.points(member, mine.id) if role == ANNOTATOR else (),
            can_undo,
            can_redo,
        )

    def keep_point(self, member: Member, assignment_id: str, value: object) -> Point:
        mine = self.work.assignment(member, assignment_id, ANNOTATOR)
        asked = fields.read(fields.PointFields, value)
        project = self.projects.project(member, mine.project_id)
        point = fields.point(asked, self.projects.turns(member, mine.item_id), project.categories)
        before = next((one for one in self.work.points(member, mine.id) if one.id == point.id), None)
        original = self.suggesting.original(member, mine, project, asked.suggestion) if asked.suggestion and before is None else None
        if before is not None and before.suggestion is not None:  # it stays one, however far it is from it by now
            original = before.suggestion
        if original is not None:
            point = marked(point, original)
        return self.work.keep_point(member, assignment_id, point)

    def keep_draft(self, member: Member, assignment_id: str, *, draft: str, place: int) -> None:
        """draft: JSON of an open form, held to a size and to being JSON; empty for a closed one."""
        if len(draft) > MAX_DRAFT:
            raise FieldTooLong("This form is too long to be kept.", field="draft", limit=MAX_DRAFT)
        try:
            kept = json.dumps(json.loads(draft), ensure_ascii=False) if draft else ""
        except (ValueError, RecursionError) as error:
            raise FieldRefused("This form could not be kept.", field="draft") from error
        kept = kept.encode("utf-8", "replace").decode("utf-8")
        self.work.keep_draft(member, assignment_id, draft=kept, place=max(1, min(place, fields.MAX_PLACE)))

    # Reviewing

    def review_sheet(self, member: Member, assignment_id: str) -> ReviewSheet:
        sheet = self.sheet(member, assignment_id, REVIEWER)
        found = self._parts(member, sheet.item.id)
        decisions = review.lasting(found, self.reviews.decisions(member, assignment_id))
        return ReviewSheet(sheet, found, decisions, review.standing(found, decisions))

    def decide(self, member: Member, assignment_id: str, part_id: str, value: object, *, before: object) -> None:
        """before: the decision that the page shows; None for none."""
        mine = self.work.assignment(member, assignment_id, REVIEWER)
        asked = fields.read(fields.DecisionFields, value)
        found = self._parts(member, mine.item_id)
        part = next((one for one in found if one.id == part_id), None)
        if len(part_id) > 64 or (part is None and not part_id.startswith(review.ADDED)):
            raise NotThere("This difference is not there any more.")
        review.check(asked, part, found, own=part_id)
        content: dict[str, Any] = asked.model_dump()
        if asked.point is not None:
            turns = self.projects.turns(member, mine.item_id)
            content["point"] = fields.gold_content(asked.point, turns, self._categories(member, mine))
        since = part.changed_at if part is not None else 0
        self.reviews.decide(member, assignment_id, part_id, content, before=before if isinstance(before, Mapping) else None, since=since)

    def finish(self, member: Member, assignment_id: str) -> list[Gold]:
        def made(submitted: Sequence[Submission], decisions: Sequence[Decision]) -> tuple[list[Gold], Collection[str]]:
            a, b = submitted
            found = parts(a.points, b.points)
            lasting = review.lasting(found, decisions)
            return review.gold(found, lasting), lasting

        return self.reviews.finish(member, assignment_id, made)

    # Figures

    def agreement(self, member: Member, project_id: str) -> AgreementView:
        """Over the dialogues that have gold: during the study nobody sees how far they agree. For admins."""
        self.projects.progress(member, project_id)  # raises NotAllowed
        project = self.projects.project(member, project_id)
        doubled = []
        for item in self.projects.items(member, project_id):
            if item.gold_at is None:
                continue
            try:
                found = self.work.submissions(member, item.id)
            except NotThere:  # of an admin who annotated it and may not see the other's work yet
                continue
            if len(found) == 2:
                doubled.append(Doubled(found[0].points, found[1].points, item.turns))
        counts = (sum(len(one.a) for one in doubled), sum(len(one.b) for one in doubled))
        return AgreementView(agreement(doubled, project.categories), len(doubled), counts)

    def flags(self, member: Member, project_id: str) -> list[Flag]:
        """Collected for whoever writes the guidelines, of dialogues whose gold they may see."""
        if not self.projects.manages(member, project_id):
            return []
        found: list[Flag] = []
        for item in self.projects.items(member, project_id):
            if item.gold_at is not None and (flagged := self.reviews.flagged(member, item.id)):
                pointed = self._pointed(member, item.id)
                found += [_flag(item, decision.content, pointed.get(decision.part)) for decision in flagged]
        return found

    def share(self, member: Member, project_id: str) -> Share:
        """How much of a project's gold the engine suggested, as far as the member sees it."""
        found: list[Gold] = []
        for item in self.projects.items(member, project_id):
            with suppress(NotThere):
                found += self.work.gold(member, item.id) if item.gold_at is not None else []
        return share(found)

    def _parts(self, member: Member, item_id: str) -> list[Part]:
        a, b = self.work.submissions(member, item_id)
        return parts(a.points, b.points)

    def _pointed(self, member: Member, item_id: str) -> Mapping[str, Point]:
        """For each part, what A wrote, or B."""
        try:
            found = self._parts(member, item_id)
        except (NotThere, ValueError):  # an account is gone
            return {}
        return {part.id: point for part in found if (point := part.a or part.b) is not None}

    def _categories(self, member: Member, mine: Assignment) -> Sequence[str]:
        return self.projects.project(member, mine.project_id).categories


def _flag(item: Item, content: Mapping[str, Any], point: Point | None) -> Flag:
    text, turn = (point.text, point.evidence.turns[0]) if point is not None else ("", 0)
    if content.get("point"):
        text, turn = content["point"]["text"], content["point"]["evidence"]["turns"][0]
    return Flag(item, content["verdict"], content["reason"], content["note"], text, turn)
