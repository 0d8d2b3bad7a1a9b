"""The reranker: scores and gradients by hand and by differences, noise, bounds, and what it learns."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from memory.reranker import BATCH, LARGEST, METHODS, OURS, PAPER, POOL, Floats, Method, Reranker, Shown, policy_gradient


def unit(rng: np.random.Generator, *shape: int) -> Floats:
    rows = rng.normal(size=shape)
    scaled: Floats = (rows / np.linalg.norm(rows, axis=-1, keepdims=True)).astype(np.float32)
    return scaled


def pool(seed: int, *, dimension: int = 12, size: int = POOL) -> tuple[Floats, Floats, Floats]:
    rng = np.random.default_rng(seed)
    return unit(rng, dimension), unit(rng, size, dimension), rng.uniform(size=size).astype(np.float32)


PLAIN = replace(OURS, centred=False)


def test_before_anything_was_learned_the_fused_order_stands() -> None:
    query, memories, fused = pool(0)
    reranker = Reranker(12)
    assert reranker.scores(query, memories, fused) == pytest.approx(OURS.fused * (fused - fused.mean()) / fused.std(), abs=1e-5)
    assert reranker.show(query, memories, fused, count=9).order.tolist() == np.argsort(-fused)[:9].tolist()
    assert Reranker(12, PAPER).scores(query, memories, fused) == pytest.approx(memories @ query, abs=1e-6)


def test_scores_of_equal_memories_are_equal_and_keep_their_order() -> None:
    query, memories, _ = pool(1)
    shown = Reranker(12).show(query, memories, np.ones(POOL, dtype=np.float32), count=5)
    assert shown.order.tolist() == [0, 1, 2, 3, 4]


def test_a_pool_of_one_and_of_the_same_memory_many_times_is_ranked() -> None:
    query, memories, fused = pool(2)
    assert Reranker(12).show(query, memories[:1], fused[:1], count=9).order.tolist() == [0]
    same = np.repeat(memories[:1], 4, axis=0)
    assert np.isfinite(Reranker(12).scores(query, same, fused[:4])).all()


def test_scores_with_weights_by_hand() -> None:
    query, memories = np.array([0.6, 0.8], dtype=np.float32), np.array([[1, 0], [0, 1]], dtype=np.float32)
    matrices = np.array([[[0, 1], [0, 0]], [[0, 0], [2, 0]]], dtype=np.float32)
    # q' = (.6 + .8, .8); m'1 = (1, 2), m'2 = (0, 1); q'.m' = 3.0, .8
    assert Reranker(2, PAPER, weights=matrices).scores(query, memories, np.zeros(2, dtype=np.float32)) == pytest.approx(
        [3.0, 0.8], abs=1e-6
    )
    diagonals = np.array([[1, 0], [0, 0.5]], dtype=np.float32)
    # q' = (1.2, .8); m'1 = (1, 0), m'2 = (0, 1.5); q'.m' = 1.2, 1.2; q.m = .6, .8; standardised fused scores -1 and 1
    scored = Reranker(2, PLAIN, weights=diagonals).scores(query, memories, np.array([1, 3], dtype=np.float32))
    assert scored == pytest.approx([-OURS.fused + 0.6, OURS.fused + 0.4], abs=1e-6)


def test_query_and_memories_are_seen_from_the_middle_of_the_pool() -> None:
    query, memories = np.array([0.6, 0.8], dtype=np.float32), np.array([[1, 0], [0, 1]], dtype=np.float32)
    # less (.5, .5): q (.1, .3) / .316, m (.5, -.5) / .707 and (-.5, .5) / .707
    shown = Reranker(2).show(query, memories, np.array([1, 3], dtype=np.float32), count=2)
    assert shown.query == pytest.approx([0.316, 0.949], abs=1e-3)
    assert shown.memories == pytest.approx(np.array([[0.707, -0.707], [-0.707, 0.707]]), abs=1e-3)


def _log_chance(utilities: NDArray[np.float64], order: list[int], advantages: list[float]) -> float:
    left, total = list(range(len(utilities))), 0.0
    for place, advantage in zip(order, advantages, strict=True):
        total += advantage * (utilities[place] - math.log(sum(math.exp(utilities[i]) for i in left)))
        left.remove(place)
    return total


@given(seed=st.integers(0, 10_000))
def test_the_gradient_is_that_of_the_probability_of_the_order(seed: int) -> None:
    rng = np.random.default_rng(seed)
    utilities = rng.normal(size=7)
    order, advantages = rng.permutation(7)[:4].tolist(), rng.normal(size=4).tolist()
    found = policy_gradient(utilities.astype(np.float32), np.array(order), np.array(advantages, dtype=np.float32))
    for place in range(7):
        step = np.zeros(7)
        step[place] = 1e-4
        slope = (_log_chance(utilities + step, order, advantages) - _log_chance(utilities - step, order, advantages)) / 2e-4
        assert found[place] == pytest.approx(slope, abs=2e-3)


@pytest.mark.parametrize("method", METHODS.values(), ids=list(METHODS))
def test_an_update_goes_along_the_gradient_by_the_weights(method: Method) -> None:
    rng = np.random.default_rng(3)
    start = rng.normal(scale=0.05, size=method.shape(5)).astype(np.float32)
    reranker = Reranker(5, method, weights=start)
    query, memories, fused = pool(4, dimension=5, size=6)
    shown = reranker.show(query, memories, fused, count=3)
    rewards = np.array([1, -1, 1], dtype=np.float32)

    def value(weights: Floats) -> float:
        scores = Reranker(5, method, weights=weights).scores(query, memories, fused).astype(np.float64)
        baseline = rewards.mean() if method.baseline is None else method.baseline
        return _log_chance(scores / method.temperature, shown.order.tolist(), (rewards - baseline).tolist())

    assert [reranker.learn(shown, rewards) for _ in range(BATCH)] == [False] * (BATCH - 1) + [True]
    moved = (reranker.weights - start) / (method.rate * (5 if method.diagonal else 1) * BATCH)
    for place in [(0, 1), (0, 4), (1, 0), (1, 2)] if method.diagonal else [(0, 1, 2), (0, 4, 4), (1, 0, 3), (1, 2, 1)]:
        step = np.zeros_like(start)
        step[place] = 1e-2
        slope = (value(start + step) - value(start - step)) / 2e-2
        assert moved[place] == pytest.approx(slope, abs=2e-2)


def test_noise_draws_as_often_as_plackett_luce_says() -> None:
    rng = np.random.default_rng(5)
    query, memories = np.zeros(3, dtype=np.float32), unit(rng, 4, 3)
    fused = np.array([0, 1, 2, 3], dtype=np.float32)
    method = replace(PLAIN, fused=0.7, exploring=0.5)
    reranker = Reranker(3, method)
    utilities = reranker.scores(query, memories, fused).astype(np.float64) / method.exploring
    chances = np.exp(utilities) / np.exp(utilities).sum()
    first = np.bincount([int(reranker.show(query, memories, fused, count=2, noise=rng).order[0]) for _ in range(4000)], minlength=4) / 4000
    assert first == pytest.approx(chances, abs=0.03)


def test_one_seed_gives_one_order() -> None:
    query, memories, fused = pool(6)
    drawn = [Reranker(12).show(query, memories, fused, count=9, noise=np.random.default_rng(7)).order.tolist() for _ in range(2)]
    assert drawn[0] == drawn[1]
    assert drawn[0] != np.argsort(-fused)[:9].tolist()


def test_what_is_always_cited_comes_to_the_front_and_what_never_is_goes_back() -> None:
    query, memories, fused = pool(8)
    reranker = Reranker(12)
    wanted = int(np.argsort(-fused)[8])
    before = reranker.show(query, memories, fused, count=POOL).order.tolist().index(wanted)
    for _ in range(60):
        shown = reranker.show(query, memories, fused, count=9)
        reranker.learn(shown, np.where(shown.order == wanted, 1.0, -1.0).astype(np.float32))
    after = reranker.show(query, memories, fused, count=POOL).order.tolist()
    assert before == 8
    assert after.index(wanted) <= 1
    assert reranker.updates == 15


def test_where_all_that_was_shown_is_alike_nothing_is_learned() -> None:
    query, memories, fused = pool(11)
    reranker = Reranker(12)
    for _ in range(BATCH):
        reranker.learn(reranker.show(query, memories, fused, count=9), np.full(9, -1, dtype=np.float32))
    assert reranker.updates == 1
    assert not reranker.weights.any()


@pytest.mark.parametrize("bad", [math.nan, math.inf, 1e6])
def test_an_update_without_bounds_is_not_taken(bad: float) -> None:
    query, memories, fused = pool(9)
    reranker = Reranker(12)
    shown = reranker.show(query, memories, fused, count=9)
    rewards = np.array([1, *[bad] * 8], dtype=np.float32)
    assert not any(reranker.learn(shown, rewards) for _ in range(BATCH))
    assert (reranker.rejected, reranker.updates) == (1, 0)
    assert not reranker.weights.any()
    assert any(reranker.learn(shown, np.linspace(1, -1, 9, dtype=np.float32)) for _ in range(BATCH))
    assert 0 < np.linalg.norm(reranker.weights[0]) < LARGEST


@pytest.mark.parametrize("weights", [np.zeros((2, 3)), np.zeros((2, 12, 12)), np.full((2, 12), np.nan)])
def test_weights_of_another_embedder_are_refused(weights: NDArray[np.float32]) -> None:
    with pytest.raises(ValueError, match="weights are not"):
        Reranker(12, weights=weights)


@pytest.mark.parametrize("dimension", [384, 1024])
def test_it_fits_any_dimension(dimension: int) -> None:
    query, memories, fused = pool(10, dimension=dimension)
    reranker = Reranker(dimension)
    shown = reranker.show(query, memories, fused, count=9)
    assert isinstance(shown, Shown)
    assert any(reranker.learn(shown, np.linspace(1, -1, 9, dtype=np.float32)) for _ in range(BATCH))
    again = Reranker(dimension, weights=reranker.weights, updates=reranker.updates)
    assert again.scores(query, memories, fused) == pytest.approx(reranker.scores(query, memories, fused))
