"""Learning, measured: the same orders and noise for all, ranked before learned from, and what citations teach or do not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from evaluation.learning import FROZEN, SYSTEMS, Pool, run
from memory.reranker import OURS, POOL

DIMENSION = 24


def pools(count: int, *, seed: int = 0) -> list[Pool]:
    """Questions whose evidence lies along one axis that the fused score knows nothing of."""
    rng = np.random.default_rng(seed)
    found = []
    for number in range(count):
        vectors = rng.normal(size=(POOL, DIMENSION))
        query = rng.normal(size=DIMENSION)
        useful = rng.permutation(POOL)[:3]
        query[0], vectors[:, 0] = 3.0, -1.0
        vectors[useful, 0] = 4.0
        unit = [(v / np.linalg.norm(v, axis=-1, keepdims=True)).astype(np.float32) for v in (query, vectors)]
        turns = tuple((f"{number}-{i}",) for i in range(POOL))
        fused = np.sort(rng.uniform(size=POOL))[::-1].astype(np.float32)
        found.append(Pool("c", unit[0], unit[1], fused, turns, frozenset(turns[i][0] for i in useful)))
    return found


def test_what_citations_tell_is_learned_and_what_chance_tells_is_not() -> None:
    asked = pools(60)
    frozen, learned, random = (run(asked, SYSTEMS[name], seed=0, shuffles=3) for name in (FROZEN, "learned", "learned-random-citations"))
    means = [{metric: float(np.mean(values)) for metric, values in result.values.items()} for result in (frozen, learned, random)]
    assert means[1]["ndcg"] > means[0]["ndcg"] + 0.05
    assert means[1]["usefulness"] > means[0]["usefulness"] + 0.03
    assert means[2]["ndcg"] < means[1]["ndcg"]


def test_only_the_second_half_counts_and_each_order_is_the_same_for_all() -> None:
    asked = pools(8)
    frozen = run(asked, SYSTEMS[FROZEN], seed=0, shuffles=1)
    assert len(frozen.values["ndcg"]) == 4
    still = replace(SYSTEMS["learned"], method=replace(OURS, rate=0.0))
    assert run(asked, still, seed=0, shuffles=1).values == frozen.values


def test_noise_is_that_of_the_seed() -> None:
    asked = pools(8)
    once, again, other = (run(asked, SYSTEMS["frozen-noise"], seed=seed, shuffles=2).values for seed in (0, 0, 1))
    assert once == again
    assert once != other


@pytest.mark.parametrize("name", list(SYSTEMS))
def test_every_system_runs(name: str) -> None:
    result = run(pools(8), SYSTEMS[name], seed=0, shuffles=1)
    assert all(0 <= value <= 1 for values in result.values.values() for value in values)
