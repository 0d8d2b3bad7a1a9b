"""From two annotations and a reviewer's decisions to gold. Pure.

Every part (`annotation.matching`) has a decision, or both agreed on it fully and it stands as A wrote it until the reviewer says otherwise. A decision takes A or
B, an edited point, merges the part into another, or rejects it; points that nobody found are added under parts of the reviewer's own.

An annotation can be taken back while a review rests, and its place go to somebody else: what was decided about points that are paired otherwise now, or gone, holds
no more, and where a point was changed since the part is decided about anew.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from annotation.errors import FieldMissing, FieldRefused, MergedIntoNothing, Undecided
from annotation.fields import DecisionFields
from annotation.matching import Part
from storage.annotation_records import Evidence, Gold, Point
from storage.annotation_reviews import Decision

ADDED = "added-"
"""Beginning of the parts that a reviewer adds."""
KEEPS = ("agreed", "a", "b", "edited", "added")
"""Verdicts that make gold."""


def check(decision: DecisionFields, part: Part | None, parts: Sequence[Part], *, own: str = "") -> None:
    """Whether a decision may be made about a part (None: one that the reviewer adds, by the name `own`). Raises FieldMissing or FieldRefused."""
    verdict = decision.verdict
    fits = {
        "agreed": part is not None and part.agreed,
        "a": part is not None and part.a is not None,
        "b": part is not None and part.b is not None,
        "edited": part is not None,
        "merged": part is not None,
        "rejected": part is not None or own.startswith(ADDED),
        "added": part is None and own.startswith(ADDED),
    }[verdict]
    if not fits:
        raise FieldRefused("This cannot be decided so. Nothing was changed.", field="verdict")
    if verdict in ("edited", "added") and decision.point is None:
        raise FieldMissing("What it is to say is missing. Nothing was changed.", field="text")
    if verdict == "merged" and (decision.into == (part.id if part else "") or not decision.into):
        raise FieldMissing("Say what it is merged with. Nothing was changed.", field="into")
    if verdict == "agreed":
        return
    if not decision.reason:
        raise FieldMissing("Give the reason. Nothing was changed.", field="reason")
    if not decision.confidence:
        raise FieldMissing("Say how sure you are. Nothing was changed.", field="confidence")
    if verdict == "rejected" and not decision.note:
        raise FieldMissing("To reject something, write why. Nothing was changed.", field="note")


@dataclass(frozen=True)
class Standing:
    """How a review stands."""

    open: tuple[str, ...]
    """Parts that still need a decision."""
    astray: tuple[str, ...]
    """Merged into what makes no gold."""
    outdated: tuple[str, ...] = ()
    """Of the open ones: decided about, and a point was changed since."""


def lasting(parts: Sequence[Part], decisions: Sequence[Decision]) -> dict[str, Decision]:
    """The decisions that are about what there is, by part."""
    known = {part.id for part in parts}
    return {one.part: one for one in decisions if one.part in known or one.part.startswith(ADDED)}


def standing(parts: Sequence[Part], decisions: Mapping[str, Decision]) -> Standing:
    outdated = tuple(part.id for part in parts if part.id in decisions and decisions[part.id].decided_at < part.changed_at)
    kept = {part.id for part in parts if part.agreed and part.id not in decisions}
    kept |= {name for name, one in decisions.items() if one.content["verdict"] in KEEPS and name not in outdated}
    astray = tuple(
        sorted(
            name
            for name, one in decisions.items()
            if one.content["verdict"] == "merged" and one.content["into"] not in kept and name not in outdated
        )
    )
    undecided = tuple(part.id for part in parts if part.id in outdated or (not part.agreed and part.id not in decisions))
    return Standing(undecided, astray, outdated)


def gold(parts: Sequence[Part], decisions: Mapping[str, Decision]) -> list[Gold]:
    """The adjudicated points in the order of the dialogue. Raises Undecided or MergedIntoNothing."""
    how = standing(parts, decisions)
    if how.open:
        raise Undecided(f"{len(how.open)} differences are not decided yet.", n=len(how.open))
    if how.astray:
        raise MergedIntoNothing("A point is merged with one that was rejected or merged itself. Decide it anew.")
    by_id = {part.id: part for part in parts}
    merged: dict[str, list[Point]] = {}
    for name, one in decisions.items():
        if one.content["verdict"] == "merged":
            merged.setdefault(str(one.content["into"]), []).extend(_points(by_id[name]))
    made = []
    for name in [*by_id, *sorted(name for name in decisions if name not in by_id)]:
        content = decisions[name].content if name in decisions else {"verdict": "agreed"}
        if content["verdict"] not in KEEPS:
            continue
        part = by_id.get(name)
        chosen = _said(part, content)
        found = merged.get(name, [])
        turns = sorted({*chosen.evidence.turns, *(t for p in found for t in p.evidence.turns)})
        quotes = sorted({*chosen.evidence.quotes, *(q for p in found for q in p.evidence.quotes)}, key=lambda q: (q.turn, q.start, q.end))
        origin = {
            "source": content["verdict"],
            "points": [p.id for p in (*(_points(part) if part else ()), *found)],
            "merged": len(found),
            **{key: content[key] for key in ("reason", "confidence", "note", "flag") if content.get(key)},
        }
        made.append(Gold(0, chosen.text, chosen.category, chosen.language, Evidence(tuple(turns), tuple(quotes)), origin))
    ordered = sorted(made, key=lambda g: (g.evidence.turns[0], g.text))
    return [Gold(n, g.text, g.category, g.language, g.evidence, g.provenance) for n, g in enumerate(ordered, 1)]


def _points(part: Part) -> tuple[Point, ...]:
    return tuple(p for p in (part.a, part.b) if p is not None)


def _said(part: Part | None, content: Mapping[str, object]) -> Point:
    """What the gold of a part says."""
    given = content.get("point")
    if isinstance(given, Mapping):
        return Point.of("", {**given, "number": 0, "note": "", "unclear": False})
    assert part is not None
    chosen = part.b if content["verdict"] == "b" else part.a
    assert chosen is not None
    return chosen
