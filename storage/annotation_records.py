"""Records of the annotation workbench. Frozen; times are milliseconds since 1970 UTC, as these pages and files use them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from storage.accounts import Role as HouseRole

ANNOTATOR, REVIEWER = "annotator", "reviewer"


class State(StrEnum):
    """Where a dialogue stands. It follows from its rows (`storage.annotation_states`) and is written nowhere."""

    UNASSIGNED = "unassigned"
    IN_ANNOTATION = "in_annotation"
    READY = "ready"
    IN_REVIEW = "in_review"
    ADJUDICATED = "adjudicated"
    RELEASED = "released"


@dataclass(frozen=True)
class Member:
    """Who asks: every query of the workbench is this person's."""

    user_id: str
    role: HouseRole

    @property
    def annotates(self) -> bool:
        return self.role in ("annotator", "reviewer", "admin")

    @property
    def reviews(self) -> bool:
        return self.role in ("reviewer", "admin")

    @property
    def manages(self) -> bool:
        return self.role == "admin"


@dataclass(frozen=True)
class Asked:
    """A character that conversations are asked for with. by: whose own it is, an admin's who shares its card; empty for a built-in one."""

    id: str
    name: str
    by: str = ""


@dataclass(frozen=True)
class Project:
    id: str
    name: str
    overlap: int
    """Annotators of each dialogue; what one alone made is not reviewed."""
    lease_hours: int
    categories: tuple[str, ...]
    created_at: int
    closed_at: int | None
    guideline: int
    """The newest version."""
    briefing: str = ""
    """What players are told who may give a conversation."""
    target_rounds: int = 0
    """How long such a conversation should be; 0: none is asked for."""
    owner: str = ""
    """Whose own it is, seen by nobody else; empty: the house's."""
    suggestions: bool = False
    """Whether the engine's suggestions are offered where nobody's work can be biased by them."""
    characters: tuple[Asked, ...] = ()
    """With whom conversations are asked for; empty: with anybody."""


@dataclass(frozen=True)
class Given:
    """A conversation that its player gave to a project."""

    item_id: str
    project_name: str
    title: str
    chat_id: str
    turns: int
    consent_at: int


@dataclass(frozen=True)
class Turn:
    """One message of a dialogue."""

    number: int
    """From 1, in order."""
    round: int
    session: int
    role: str
    speaker: str
    text: str
    said_at: int
    """By the clock of who said it, as if that were UTC's: a data set has days and no zones."""
    external_id: str


@dataclass(frozen=True)
class Item:
    """A dialogue of a project, with how far it is."""

    id: str
    project_id: str
    number: int
    title: str
    language: str
    chat_id: str | None
    created_at: int
    gold_at: int | None
    released_at: int | None
    turns: int
    submitted: int
    """Annotators who are done."""
    held: int
    """Annotators at work whose lease stands."""
    reviewed: bool
    """A review has begun whose lease stands, or it is done."""
    overlap: int
    owner: str = ""
    """Of a project of somebody's own: who sees it, and nobody else."""

    @property
    def state(self) -> State:
        if self.released_at is not None:
            return State.RELEASED
        if self.gold_at is not None:
            return State.ADJUDICATED
        if self.submitted >= self.overlap:
            return State.IN_REVIEW if self.reviewed else State.READY
        return State.IN_ANNOTATION if self.submitted or self.held else State.UNASSIGNED


@dataclass(frozen=True)
class Quote:
    """Words of a turn. start, end: places in its text, in code points."""

    turn: int
    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Evidence:
    """Where in the dialogue it stands. turns: sorted, each once."""

    turns: tuple[int, ...]
    quotes: tuple[Quote, ...] = ()

    def value(self) -> dict[str, object]:
        return {"turns": list(self.turns), "quotes": [vars(quote) for quote in self.quotes]}

    def json(self) -> str:
        return json.dumps(self.value(), ensure_ascii=False, sort_keys=True)

    @classmethod
    def of(cls, text: str) -> Evidence:
        value = json.loads(text)
        return cls(tuple(value["turns"]), tuple(Quote(**quote) for quote in value["quotes"]))


@dataclass(frozen=True)
class Point:
    """A memory point: what a reader of the dialogue holds worth remembering."""

    id: str
    number: int
    text: str
    category: str
    language: str
    evidence: Evidence
    note: str = ""
    unclear: bool = False
    version: int = 1
    created_at: int = 0
    updated_at: int = 0
    suggestion: Mapping[str, object] | None = None
    """What of the engine's it was made from: id, text, turns, and what was changed; None: a person wrote it alone."""

    def content(self) -> dict[str, object]:
        """What a person wrote, as the audit trail and files keep it."""
        return {
            "number": self.number,
            "text": self.text,
            "category": self.category,
            "language": self.language,
            "evidence": self.evidence.value(),
            "note": self.note,
            "unclear": self.unclear,
            **({"suggestion": dict(self.suggestion)} if self.suggestion is not None else {}),
        }

    @classmethod
    def of(cls, id: str, content: Mapping[str, object]) -> Point:
        return cls(id=id, **{**content, "evidence": Evidence.of(json.dumps(content["evidence"]))})  # type: ignore[arg-type]

    def at(self, moment: int, *, version: int) -> Point:
        return replace(self, updated_at=moment, created_at=self.created_at or moment, version=version)


@dataclass(frozen=True)
class Assignment:
    """One person's work on one dialogue."""

    id: str
    item_id: str
    project_id: str
    user_id: str
    role: str
    guideline: int
    """The version they read last."""
    place: int
    """The turn they were at."""
    draft: str
    """JSON of the form they had open; empty without one."""
    lease_until: int
    started_at: int
    submitted_at: int | None


@dataclass(frozen=True)
class Gold:
    """An adjudicated memory point. provenance: how it came about: source, reason, confidence, note, and the points it is of."""

    number: int
    text: str
    category: str
    language: str
    evidence: Evidence
    provenance: Mapping[str, object]


@dataclass(frozen=True)
class AuditEvent:
    id: int
    item_id: str | None
    assignment_id: str | None
    user_id: str
    at: int
    action: str
    subject: str
    before: str
    after: str
