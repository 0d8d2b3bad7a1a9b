"""What the engine suggests as memory points: facts that it finds in a dialogue, with the messages they are from. Drafts, for a person to take, word anew or put away.

Offered where one person alone annotates and the project says so: never where two work blind, as both would be led to the same. A point that was made from one
says so for good, with what was changed, and is counted apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from annotation.errors import FieldRefused
from annotation.outlines import Outlines, Progress
from storage.annotation_errors import NotThere
from storage.annotation_records import Assignment, Gold, Member, Point, Project
from storage.store import Store


@dataclass(frozen=True)
class Offered:
    """state: of the outline that they come from; `off` where none are offered."""

    state: str
    suggestions: Sequence[Mapping[str, object]] = ()
    dismissed: int = 0
    progress: Progress | None = None


@dataclass(frozen=True)
class Share:
    """Of gold points: how many were made from suggestions, as they stood and changed."""

    points: int
    as_they_stood: int
    changed: int


class Suggesting:
    """outlines: None where there is no memory engine."""

    def __init__(self, store: Store, outlines: Outlines | None) -> None:
        self._store = store.annotation_outlines
        self._projects = store.annotation_projects
        self._outlines = outlines

    def switch(self, member: Member, project_id: str, *, on: str) -> None:
        """on: `yes` or anything else. Raises FieldRefused where two annotate each dialogue."""
        project = self._projects.project(member, project_id)
        if project.overlap > 1 and on == "yes":
            raise FieldRefused("Where two annotate blind nothing is suggested to either. Nothing was changed.", field="suggestions")
        self._projects.suggest(member, project_id, on=on == "yes")

    def offered(self, member: Member, assignment_id: str) -> Offered:
        """What waits for a decision, in the order of the dialogue. Raises NotThere."""
        mine, project = self._mine(member, assignment_id)
        if not may(project) or mine.submitted_at is not None or self._outlines is None:
            return Offered("off")
        outline, progress = self._outlines.of(member, mine.item_id), self._outlines.progress
        if outline is None or not outline.told:
            return Offered(outline.state if outline else "waiting", progress=progress if progress.item_id == mine.item_id else None)
        away, used = self._store.dismissed(mine.id), self._store.used(mine.id)
        return Offered("done", [one for one in told_in(outline.told) if one["id"] not in away | used], len(away))

    def original(self, member: Member, mine: Assignment, project: Project, suggestion: str) -> Mapping[str, object]:
        """A suggestion as it was made. Raises NotThere for one that was never offered there."""
        outline = self._store.of(member, mine.item_id) if may(project) else None
        found = next((one for one in told_in(outline.told) if one["id"] == suggestion), None) if outline is not None else None
        if found is None:
            raise NotThere("This suggestion is not there any more. Nothing was changed.")
        return found

    def dismiss(self, member: Member, assignment_id: str, suggestion: str) -> None:
        self._store.dismiss(member, assignment_id, suggestion)

    def bring_back(self, member: Member, assignment_id: str, suggestion: str) -> None:
        self._store.bring_back(member, assignment_id, suggestion)

    def _mine(self, member: Member, assignment_id: str) -> tuple[Assignment, Project]:
        mine, _ = self._store.may_suggest(member, assignment_id)
        return mine, self._projects.project(member, mine.project_id)


def may(project: Project) -> bool:
    return project.suggestions and project.overlap == 1


def marked(point: Point, original: Mapping[str, object]) -> Point:
    """A point that was made from a suggestion, with what differs from it."""
    changed = [
        name
        for name, same in (("text", point.text == original["text"]), ("messages", list(point.evidence.turns) == original["turns"]))
        if not same
    ]
    return replace(point, suggestion={"id": original["id"], "text": original["text"], "turns": original["turns"], "changed": changed})


def share(gold: Sequence[Gold]) -> Share:
    made = [one.provenance["suggested"] for one in gold if one.provenance.get("suggested")]
    changed = sum(bool(one.get("changed")) for one in made if isinstance(one, Mapping))
    return Share(len(gold), len(made) - changed, changed)


def told_in(told: Mapping[str, object]) -> list[Mapping[str, object]]:
    found = told.get("suggestions", [])
    assert isinstance(found, list)
    return found
