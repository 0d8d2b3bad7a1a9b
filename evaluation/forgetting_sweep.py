"""One parameter of forgetting at a time, the others as the paper has them (MOOM App. D, Fig. 6): what share of the questions' evidence is still kept, and recalled.

Every conversation is scored and nothing is tuned, so the paper's own value is only one point of the curve; each other point is told against it as well, paired.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from evaluation.datasets import RetrievalData
from evaluation.forgetting import RECALLED, UNITS, VECTORS
from evaluation.forgetting_grid import VARIANTS, Variant
from evaluation.forgetting_talk import talk_of
from evaluation.forgetting_trial import Capacity, Talk, covered, kept, recalled
from evaluation.items import Item, named
from evaluation.measures import Interval, mean_interval, paired_difference
from evaluation.records import Figure
from evaluation.vector_cache import VectorCache
from memory.forgetting_policies import CompetitionInhibition
from models.build import build_embedder
from settings import Settings

Floats = NDArray[np.float64]
ALPHA_BETA, GAMMA, K = "alpha:beta", "gamma", "k"
NAMES = ("keepsake", "stored", "one-round")
"""As the program has it; the paper's with inhibition kept; and read to the letter, inhibited for one round."""


def points(variant: Variant, parameter: str) -> dict[str, Variant]:
    """Variants by what is changed, the unchanged one first. Raises KeyError for a parameter that is none."""
    if not isinstance(variant.policy, CompetitionInhibition):
        raise KeyError(parameter)
    found = {label: changed for label, changed in variant.sweeps() if label.startswith(f"{parameter} ")}
    if not found:
        raise KeyError(parameter)
    own = next((label for label, changed in found.items() if changed == variant), None)
    head = {own or "as it is": variant}
    return head | found


def evaluate(
    data: RetrievalData, *, names: Sequence[str], parameter: str, unit: str, seed: int, folder: Path, note: Callable[[Item], None]
) -> Iterator[Figure]:
    """unit: `turn` or `fact`, what a memory is. folder: keeps the texts' vectors. Raises KeyError for an unknown name."""
    embedder = build_embedder(Settings())
    vectors = VectorCache(folder / VECTORS, embedder)
    by_key = {c.key: [q for q in data.questions if q.conversation_key == c.key] for c in data.conversations}
    talks = [talk_of(c, by_key[c.key], unit=unit, vectors=vectors) for c in tqdm(data.conversations, desc="Conversations", disable=None)]
    ids = [q.id for c in data.conversations for q in by_key[c.key]]
    for capacity in next(u for u in UNITS if u.name == unit).shares:
        for name in names:
            first: dict[str, Floats] | None = None
            for label, variant in tqdm(points(VARIANTS[name], parameter).items(), desc=name, disable=None):
                found = _live(talks, variant, capacity)
                system = f"{name}, {label}"
                for n, question in enumerate(ids):
                    scores = {"covered": float(found["covered"][n]), named("recalled", RECALLED): float(found["recalled"][n])}
                    note(
                        Item(
                            task="forgetting-sweep", dataset=data.name, system=system, unit=unit, item=f"{capacity.name}:{question}",
                            categories=(capacity.name,), scores=scores,
                        )
                    )  # fmt: skip
                for metric, values in found.items():
                    k = RECALLED if metric == "recalled" else None
                    row = replace(_bare(data.name, system, capacity.name, unit, embedder.fingerprint), k=k)
                    yield _filled(row, metric, mean_interval(values, seed=seed))
                    if first is not None:
                        yield _filled(row, f"{metric}_minus_unchanged", paired_difference(values, first[metric], seed=seed))
                first = first or found


def _live(talks: Sequence[Talk], variant: Variant, capacity: Capacity) -> dict[str, Floats]:
    lives = [(talk, kept(talk, variant.policy, capacity, k=variant.k)) for talk in talks]
    return {
        "covered": np.concatenate([covered(talk, alive) for talk, alive in lives]),
        "recalled": np.concatenate([recalled(talk, alive, k=RECALLED) for talk, alive in lives]),
    }


def _bare(dataset: str, system: str, capacity: str, unit: str, embedder: str) -> Figure:
    return Figure(
        task="forgetting-sweep", dataset=dataset, system=system, category=capacity, unit=unit, metric="", value=0.0, embedder=embedder
    )


def _filled(bare: Figure, metric: str, interval: Interval) -> Figure:
    return replace(bare, metric=metric, value=interval.value, n=interval.n, ci_low=interval.low, ci_high=interval.high)
