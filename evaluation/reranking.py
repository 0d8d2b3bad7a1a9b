"""K and M: how many memories are called up, and how many of them shown, by the learned reranker and by the one it began as (RMM 8.7, Table 6)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from evaluation.datasets import RetrievalData
from evaluation.items import Item
from evaluation.learning import FROZEN, System
from evaluation.learning import evaluate as learn
from evaluation.records import Figure
from memory.reranker import OURS, PAPER

NAMES = (FROZEN, "learned", "paper-frozen", "paper")


def systems(shown: int) -> dict[str, System]:
    """By name, each showing M memories; the paper's draw by chance and learn from that."""
    return {
        FROZEN: System(OURS, shown, learns=False),
        "learned": System(OURS, shown),
        "paper-frozen": System(PAPER, shown, noise=True, learns=False),
        "paper": System(PAPER, shown, noise=True),
    }


def evaluate(
    data: RetrievalData, *, names: Sequence[str], pool: int, shown: int, seed: int, note: Callable[[Item], None]
) -> Iterator[Figure]:
    """pool: K; shown: M, and the k that recall is told at. The figures are `evaluation.learning`'s, over the second half of the questions in each order."""
    yield from learn(data, systems=names, seed=seed, note=note, among=systems(shown), size=pool, cut=shown)
