"""Regular probes as the pages ask for them: written, linted, handed in, reviewed by somebody else. Values are checked here, rights in `storage.annotation_regular`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from annotation import fields
from annotation.agreement import Figure, review_agreement
from annotation.errors import FieldMissing, FieldRefused, FieldTooLong, ProbeFaulty
from annotation.probe_lint import Remark, SetView, lint, together
from storage.annotation_errors import NothingLeft
from storage.annotation_records import Gold, Item, Member, Project, Turn
from storage.annotation_regular_records import EDITED, OPTIONS, REJECTED, OpenItem, ProbeWork, Regular, ToReview
from storage.store import Store

MAX_LINE, MAX_OPTION, MAX_DRAFT = 500, 300, 20_000
MOST_OF_ONE = 300
"""Probes of one person on one dialogue."""
REASONS = ("several_right", "none_right", "given_away", "not_called_for", "wording", "other")
"""Why a reviewer changed or rejected a probe."""

_Id = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}$")]
_Line = Annotated[str, StringConstraints(strip_whitespace=True, max_length=MAX_LINE)]
_Option = Annotated[str, StringConstraints(strip_whitespace=True, max_length=MAX_OPTION)]


class _Fields(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class RegularFields(_Fields):
    """A probe as it is being written: what is missing is empty, and is said by the lint."""

    id: _Id
    gold: int = Field(ge=1, le=fields.MAX_PLACE)
    language: Literal["", "en", "zh"]
    line: _Line
    options: list[_Option] = Field(min_length=OPTIONS, max_length=OPTIONS)
    note: Annotated[str, StringConstraints(strip_whitespace=True, max_length=fields.MAX_NOTE)] = ""
    version: int = Field(default=0, ge=0)

    def probe(self) -> Regular:
        return Regular(self.id, self.gold, self.language, self.line, tuple(self.options), self.note, self.version)


class VerdictFields(_Fields):
    verdict: Literal["accepted", "edited", "rejected"]
    reason: Literal["", "several_right", "none_right", "given_away", "not_called_for", "wording", "other"] = ""
    note: Annotated[str, StringConstraints(strip_whitespace=True, max_length=fields.MAX_NOTE)] = ""
    probe: RegularFields | None = None


@dataclass(frozen=True)
class RegularSheet:
    """All that a person needs to write probes on a dialogue. counts: handed in by anybody, by number of the gold point."""

    work: ProbeWork
    project: Project
    item: Item
    turns: Sequence[Turn]
    gold: Sequence[Gold]
    own: Sequence[tuple[Regular, Sequence[Remark]]]
    counts: Mapping[int, int]
    to_review: bool


@dataclass(frozen=True)
class RegularReviewSheet:
    """A probe before a reviewer. point, remarks: none before they have chosen."""

    shown: ToReview
    point: Gold | None
    remarks: Sequence[Remark]


class RegularProbes:
    def __init__(self, store: Store) -> None:
        self._stored = store.annotation_regular
        self._reviews = store.annotation_regular_reviews
        self._projects = store.annotation_projects

    def open_items(self, member: Member, project_id: str) -> list[OpenItem]:
        return self._stored.open_items(member, project_id)

    def sheet(self, member: Member, item_id: str) -> RegularSheet:
        """Begins the member's work on the dialogue's probes. Raises NotThere."""
        work = self._stored.take(member, item_id)
        found, turns, gold = self._stored.material(member, item_id)
        return RegularSheet(
            work, self._projects.project(member, found.project_id), found, turns, gold, self._own(member, item_id, turns),
            self._stored.counts(member, item_id), self._waiting(member, item_id),
        )  # fmt: skip

    def own(self, member: Member, item_id: str) -> tuple[list[tuple[Regular, Sequence[Remark]]], Mapping[int, int], bool]:
        """What changes while somebody writes."""
        _, turns, _ = self._stored.material(member, item_id)
        return self._own(member, item_id, turns), self._stored.counts(member, item_id), self._waiting(member, item_id)

    def remarks(self, member: Member, item_id: str, value: object) -> list[Remark]:
        """The lint of a probe that is being written; nothing is kept."""
        asked = fields.read(RegularFields, value)
        _, turns, _ = self._stored.material(member, item_id)
        return lint(asked.language, asked.line, asked.options, turns)

    def keep(self, member: Member, item_id: str, value: object) -> Regular:
        asked = fields.read(RegularFields, value)
        if asked.version == 0 and len(self._stored.own(member, item_id)) >= MOST_OF_ONE:
            raise FieldRefused("These are enough probes for one dialogue.", field="probes")
        return self._stored.keep(member, item_id, asked.probe())

    def keep_draft(self, member: Member, work_id: str, *, draft: str) -> None:
        if len(draft) > MAX_DRAFT:
            raise FieldTooLong("This form is too long to be kept.", field="draft", limit=MAX_DRAFT)
        try:
            kept = json.dumps(json.loads(draft), ensure_ascii=False) if draft else ""
        except (ValueError, RecursionError) as error:
            raise FieldRefused("This form could not be kept.", field="draft") from error
        self._stored.keep_draft(member, work_id, draft=kept.encode("utf-8", "replace").decode("utf-8"))

    def submit(self, member: Member, item_id: str, probe_id: str, *, version: int) -> Regular:
        """Raises ProbeFaulty for one that the lint finds a fault in."""
        _, turns, _ = self._stored.material(member, item_id)
        mine = next((one for one in self._stored.own(member, item_id) if one.id == probe_id), None)
        if mine is not None:
            self._sound(mine, turns)
        return self._stored.submit(member, probe_id, version=version)

    def remove(self, member: Member, probe_id: str, *, version: int) -> None:
        self._stored.remove(member, probe_id, version=version)

    # Reviewing

    def review(self, member: Member, item_id: str) -> RegularReviewSheet:
        return self._before(member, self._reviews.to_review(member, item_id))

    def answer(self, member: Member, probe_id: str, *, version: int, shown: int) -> RegularReviewSheet:
        """shown: the place of the chosen option as the reviewer sees them."""
        if not 0 <= shown < OPTIONS:
            raise FieldRefused("There are four options.", field="options")
        return self._before(member, self._reviews.answer(member, probe_id, version=version, shown=shown))

    def decide(self, member: Member, probe_id: str, value: object, *, version: int) -> Regular:
        asked = fields.read(VerdictFields, value)
        if asked.verdict != "accepted" and not asked.reason:
            raise FieldMissing("Give the reason. Nothing was changed.", field="reason")
        if asked.verdict == REJECTED and not asked.note:
            raise FieldMissing("To reject something, write why. Nothing was changed.", field="note")
        if (asked.verdict == EDITED) != (asked.probe is not None):
            raise FieldRefused("This cannot be decided so. Nothing was changed.", field="verdict")
        edited = None
        if asked.probe is not None:
            edited = replace(asked.probe.probe(), id=probe_id)
            self._sound(edited, ())
        return self._reviews.decide(
            member, probe_id, version=version, verdict=asked.verdict, reason=asked.reason, remark=asked.note, edited=edited
        )

    def take_back(self, member: Member, probe_id: str, *, version: int) -> RegularReviewSheet:
        """Raises NotThere, BothDecided."""
        return self._before(member, self._reviews.take_back(member, probe_id, version=version))

    # Of a project

    def standing(self, member: Member, project_id: str) -> list[Regular]:
        """The accepted ones of every dialogue that is open to an admin or reviewer."""
        found: list[Regular] = []
        for one in self._stored.open_items(member, project_id):
            found += self._stored.standing(member, one.item.id)
        return found

    def set_view(self, member: Member, project_id: str) -> SetView | None:
        reviews = [r for one in self._stored.open_items(member, project_id) for r in self._reviews.reviews(member, one.item.id)]
        return together(self.standing(member, project_id), reviews)

    def agreement(self, member: Member, project_id: str) -> list[Figure]:
        """Of two reviewers who decided without knowing of each other, on what to do with a probe and on the right reply; empty where no two have."""
        open_ones = self._stored.open_items(member, project_id)
        pairs = [pair for one in open_ones for pair in self._reviews.pairs(member, one.item.id)]
        if not pairs:
            return []
        verdicts = [(one.verdict, other.verdict) for one, other in pairs]
        choices = [(str(one.choice), str(other.choice)) for one, other in pairs]
        return [*review_agreement("verdict", verdicts, "probes"), *review_agreement("choice", choices, "probes")]

    # Steps

    def _own(self, member: Member, item_id: str, turns: Sequence[Turn]) -> list[tuple[Regular, Sequence[Remark]]]:
        return [(one, lint(one.language, one.line, one.options, turns)) for one in self._stored.own(member, item_id)]

    def _waiting(self, member: Member, item_id: str) -> bool:
        if not member.reviews:
            return False
        try:
            self._reviews.to_review(member, item_id)
        except NothingLeft:
            return False
        return True

    def _before(self, member: Member, shown: ToReview) -> RegularReviewSheet:
        if shown.mine is None:
            return RegularReviewSheet(shown, point=None, remarks=())
        probe = shown.probe
        _, turns, gold = self._stored.material(member, probe.item_id)
        point = next((one for one in gold if one.number == probe.gold), None)
        return RegularReviewSheet(shown, point=point, remarks=lint(probe.language, probe.line, probe.options, turns))

    @staticmethod
    def _sound(probe: Regular, turns: Sequence[Turn]) -> None:
        faults = [one for one in lint(probe.language, probe.line, probe.options, turns) if one.fault]
        if faults:
            raise ProbeFaulty(f"This probe cannot be handed in: {', '.join(one.code for one in faults)}.", n=len(faults))
