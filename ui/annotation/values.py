"""Records of the workbench as its page gets them."""

from __future__ import annotations

from typing import Any

from annotation.giving import Preview
from annotation.matching import Part
from annotation.workbench import Flag, ReviewSheet, Sheet
from storage.annotation_records import Assignment, Gold, Item, Point, Project, Turn

Value = dict[str, Any]


def project(one: Project) -> Value:
    return {
        "id": one.id,
        "name": one.name,
        "overlap": one.overlap,
        "lease_hours": one.lease_hours,
        "categories": list(one.categories),
        "closed": one.closed_at is not None,
        "guideline": one.guideline,
        "own": bool(one.owner),
        "suggestions": one.suggestions,
        "rounds": one.target_rounds,
    }


def item(one: Item) -> Value:
    return {
        "id": one.id,
        "number": one.number,
        "title": one.title,
        "language": one.language,
        "turns": one.turns,
        "submitted": one.submitted,
        "held": one.held,
        "overlap": one.overlap,
        "state": one.state.value,
    }


def turn(one: Turn) -> Value:
    return {
        "n": one.number,
        "round": one.round,
        "session": one.session,
        "role": one.role,
        "name": one.speaker,
        "text": one.text,
        "at": one.said_at,
    }


def preview(one: Preview) -> Value:
    return {
        "title": one.title,
        "turns": [turn(each) for each in one.turns],
        "seal": one.seal,
        "found": list(one.found),
        "blacked": one.blacked,
    }


def assignment(one: Assignment) -> Value:
    return {
        "id": one.id,
        "role": one.role,
        "item_id": one.item_id,
        "project_id": one.project_id,
        "guideline": one.guideline,
        "lease_until": one.lease_until,
        "submitted": one.submitted_at is not None,
    }


def point(one: Point) -> Value:
    return {"id": one.id, "version": one.version, **one.content()}


def gold(one: Gold) -> Value:
    return {
        "number": one.number,
        "text": one.text,
        "category": one.category,
        "language": one.language,
        "evidence": one.evidence.value(),
        "provenance": dict(one.provenance),
    }


def sheet(one: Sheet) -> Value:
    version, text, at = one.guideline
    return {
        "assignment": {**assignment(one.assignment), "place": one.assignment.place, "draft": one.assignment.draft},
        "project": project(one.project),
        "item": item(one.item),
        "turns": [turn(each) for each in one.turns],
        "guideline": {"version": version, "text": text, "at": at},
        "points": [point(each) for each in one.points],
        "can_undo": one.can_undo,
        "can_redo": one.can_redo,
    }


def review(one: ReviewSheet) -> Value:
    return {**sheet(one.sheet), **decided(one)}


def decided(one: ReviewSheet) -> Value:
    return {
        "parts": [part(each) for each in one.parts],
        "decisions": {name: dict(found.content) for name, found in one.decisions.items()},
        "open": list(one.standing.open),
        "astray": list(one.standing.astray),
        "outdated": list(one.standing.outdated),
        "can_undo": one.sheet.can_undo,
        "can_redo": one.sheet.can_redo,
    }


def flag(one: Flag) -> Value:
    return {
        "item": one.item.id,
        "number": one.item.number,
        "title": one.item.title,
        "verdict": one.verdict,
        "reason": one.reason,
        "note": one.note,
        "text": one.text,
        "turn": one.turn,
    }


def part(one: Part) -> Value:
    return {
        "id": one.id,
        "agreed": one.agreed,
        "a": point(one.a) if one.a is not None else None,
        "b": point(one.b) if one.b is not None else None,
    }
