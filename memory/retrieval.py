"""Fusing what dense and sparse search found into one ranking. Weights are data: a named recipe, not code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

CANDIDATES = 60
"""Candidates from each search."""


@dataclass(frozen=True)
class Recipe:
    """Weights of the min-max normalised scores."""

    name: str
    dense: float
    sparse: float
    context: float
    """Weight of the similarity to the last rounds, for cues that say little themselves."""


FUSED = Recipe("fused", dense=1.0, sparse=1.0, context=0.15)
DENSE = Recipe("dense", dense=1.0, sparse=0.0, context=0.0)
SPARSE = Recipe("sparse", dense=0.0, sparse=1.0, context=0.0)
RECIPES = {recipe.name: recipe for recipe in (FUSED, DENSE, SPARSE)}


@dataclass(frozen=True)
class Candidate:
    memory_id: str
    dense: float | None
    """Cosine similarity to the cue; None if the memory has no vector yet."""
    sparse: float | None
    """BM25; None if it shares no content term with the cue."""
    context: float | None
    fused: float


def fuse(
    *,
    dense: Mapping[str, float],
    sparse: Mapping[str, float],
    context: Mapping[str, float],
    births: Mapping[str, int],
    recipe: Recipe,
) -> list[Candidate]:
    """Rank the union of what was found, best first; ties go to the older memory.

    dense, sparse, context: score by memory id; births: ordinal by id, of every id in them.
    """
    ids = [i for i in dict.fromkeys((*dense, *sparse)) if i in births]
    parts = ((recipe.dense, _normalised(dense)), (recipe.sparse, _scaled(sparse)), (recipe.context, _normalised(context)))
    total = {i: sum(weight * part.get(i, 0.0) for weight, part in parts) for i in ids}
    ranked: Sequence[str] = sorted(ids, key=lambda i: (-total[i], births[i]))
    return [Candidate(i, dense.get(i), sparse.get(i), context.get(i), total[i]) for i in ranked]


def _normalised(scores: Mapping[str, float]) -> dict[str, float]:
    """Min-max to 0..1: cosines of one embedder crowd in a narrow band, so only their differences say anything."""
    if not scores:
        return {}
    low, high = min(scores.values()), max(scores.values())
    return {i: (s - low) / (high - low) if high > low else 1.0 for i, s in scores.items()}


def _scaled(scores: Mapping[str, float]) -> dict[str, float]:
    """Divided by the best: a BM25 of nothing shared is a true zero, so the weakest match stays above a miss."""
    high = max(scores.values(), default=0.0)
    return {i: s / high for i, s in scores.items()} if high > 0 else {}
