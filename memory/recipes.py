"""Recipes of recall: weights of the parts of a score, as data with a name. What each part is worth: docs/retrieval.md."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any


@dataclass(frozen=True)
class Recipe:
    """Weights; a part of weight 0 is not computed. Dense, sparse and context are scaled to 0..1 first: 1 is the best of what was found."""

    name: str
    dense: float = 1.0
    sparse: float = 1.0
    facts: float = 0.5
    """Facts in the key: of each of their words against one of the round's own, and of the nearest fact against the round itself."""
    answers: float = 0.7
    """The question in the key of its answer."""
    context: float = 1.0
    """The talk before the cue."""
    near: tuple[float, float] = (0.2, 0.7)
    """A question goes on with that talk if it is as like it as that, on the way from what is like nothing (0) to what fits the question best (1): below the
    first the talk does not count, from the second on in full."""
    feedback: float = 0.2
    """Likeness to the first FEEDBACK of a first ranking (Rocchio)."""
    speaker: float = 0.1
    """Said by, or told of, whom the cue is about."""
    dated: float = 0.2
    """It says when something was, and the cue asks when."""
    within: float = 0.5
    """Said or done in the time that the cue names."""
    asking: float = 0.4
    """Taken away from what only asks."""
    again: float = 0.3
    """Taken away from further memories of a round."""
    cross: float = 1.0
    """What a cross-encoder makes of it, 0 to 1, where one is set (`memory.cross_reading`)."""
    matter: float = 1.0
    """The player told in it what the cue asks of them (`memory.matters`)."""
    newest: bool = True
    """Of two facts that say the same of different times the newer first, where the cue asks how it is now."""
    events: bool = True
    """A time may be named by what happened then (`memory.timeline_anchors`)."""


FUSED = Recipe("fused")
PLAIN = Recipe(
    "plain",
    facts=0,
    answers=0,
    context=0,
    feedback=0,
    speaker=0,
    dated=0,
    within=0,
    asking=0,
    again=0,
    cross=0,
    matter=0,
    newest=False,
    events=False,
)
DENSE = replace(PLAIN, name="dense", sparse=0.0)
SPARSE = replace(PLAIN, name="sparse", dense=0.0)


PARTS: Mapping[str, object] = {
    **dict.fromkeys(
        ("dense", "sparse", "facts", "answers", "context", "feedback", "speaker", "dated", "within", "asking", "again", "matter", "cross"),
        0.0,
    ),
    "near": (-2.0, -1.0),  # the talk counts in full, whatever is asked
    "newest": False,
    "events": False,
}
"""What a recipe is made of, each with the value that leaves it out."""


def without(part: str) -> Recipe:
    """The fused recipe less one of its parts."""
    values: dict[str, Any] = {**asdict(FUSED), "name": f"without-{part}", part: PARTS[part]}
    return Recipe(**values)


RECIPES = {recipe.name: recipe for recipe in (FUSED, PLAIN, DENSE, SPARSE, *map(without, PARTS))}
