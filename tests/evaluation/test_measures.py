"""Retrieval measures against values worked out by hand, and the properties that hold for any ranking."""

from __future__ import annotations

from math import log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.measures import (
    delivered,
    mean_interval,
    ndcg,
    paired_difference,
    proportion_interval,
    ratio_interval,
    recall_all,
    recall_any,
    recall_fraction,
    retrieval_scores,
)

RANKING = ["a", "x", "b", "y", "c"]
GOLD = {"a", "b", "c", "missing"}


@pytest.mark.parametrize(("k", "fraction"), [(1, 0.25), (2, 0.25), (3, 0.5), (5, 0.75), (50, 0.75)])
def test_recall_by_hand(k: int, fraction: float) -> None:
    assert recall_any(RANKING, GOLD, k=k) == 1.0
    assert recall_fraction(RANKING, GOLD, k=k) == fraction
    assert recall_all(RANKING, GOLD, k=k) == 0.0


def test_recall_all_needs_all_and_room_for_all() -> None:
    assert recall_all(RANKING, {"a", "b"}, k=3) == 1.0
    assert recall_all(RANKING, {"a", "b"}, k=2) == 0.0
    assert recall_all(["a", "b"], {"a", "b", "c"}, k=2) == 0.0


def test_ndcg_by_hand() -> None:
    ideal_3 = 1 + 1 / log2(3) + 1 / 2
    assert ndcg(RANKING, GOLD, k=3) == pytest.approx((1 + 1 / 2) / ideal_3)
    assert ndcg(RANKING, GOLD, k=5) == pytest.approx((1 + 1 / 2 + 1 / log2(6)) / (ideal_3 + 1 / log2(5)))
    assert ndcg(["x", "a"], {"a"}, k=2) == pytest.approx(1 / log2(3))
    assert ndcg(["a"], {"a"}, k=10) == 1.0
    assert ndcg([], {"a"}, k=10) == 0.0


def test_k_counts_turns_however_items_are_packed() -> None:
    assert delivered([["a", "b", "c"], ["d", "e"]], k=4) == ("a", "b", "c", "d")
    assert delivered([["a", "b"], ["b", "c"], ["a"], ["d"]], k=3) == ("a", "b", "c")
    assert delivered([["a"], [], ["b"]], k=10) == ("a", "b")
    packed, single = [["x", "y", "a"]], [["x"], ["y"], ["a"]]
    assert retrieval_scores(packed, {"a"}, k=2) == retrieval_scores(single, {"a"}, k=2)
    assert retrieval_scores(packed, {"a"}, k=2).any == 0.0


@pytest.mark.parametrize(("ranking", "gold", "k"), [(["a"], set(), 1), (["a", "a"], {"a"}, 2), (["a"], {"a"}, 0)])
def test_what_has_no_measure_is_an_error(ranking: list[str], gold: set[str], k: int) -> None:
    for measure in (recall_any, recall_fraction, recall_all, ndcg):
        with pytest.raises(ValueError, match=r"."):
            measure(ranking, gold, k=k)


TURNS = st.sampled_from([f"D{i}" for i in range(12)])
ITEMS = st.lists(st.lists(TURNS, max_size=4), max_size=8)


@given(ITEMS, st.sets(TURNS, min_size=1), st.integers(1, 15))
def test_bounds_order_and_growth_with_k(items: list[list[str]], gold: set[str], k: int) -> None:
    now, next_ = retrieval_scores(items, gold, k=k), retrieval_scores(items, gold, k=k + 1)
    assert 0 <= now.all <= now.fraction <= now.any <= 1
    assert 0 <= now.ndcg <= 1 + 1e-12
    assert now.any <= next_.any
    assert now.fraction <= next_.fraction
    assert now.all <= next_.all
    assert (now.ndcg > 0) == (now.any > 0)


@given(ITEMS, st.integers(1, 15))
def test_delivered_is_a_growing_prefix_of_distinct_turns(items: list[list[str]], k: int) -> None:
    turns = delivered(items, k=k)
    assert len(turns) == len(set(turns)) == min(k, len({turn for item in items for turn in item}))
    assert delivered(items, k=k + 1)[:k] == turns


def test_the_interval_is_that_of_the_normal_approximation_for_many_values() -> None:
    values = np.arange(4000) % 10 < 3
    found = mean_interval(values, seed=7)
    half = 1.96 * float(np.sqrt(0.3 * 0.7 / 4000))
    assert found.value == pytest.approx(0.3)
    assert found.low == pytest.approx(0.3 - half, abs=0.0015)
    assert found.high == pytest.approx(0.3 + half, abs=0.0015)
    assert found.n == 4000
    assert found == mean_interval(values, seed=7)
    assert found != mean_interval(values, seed=8)


def test_the_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    rng = np.random.default_rng(3)
    found = [mean_interval(rng.random(80) < 0.4, seed=i, resamples=500) for i in range(300)]
    covered = sum(interval.low <= 0.4 <= interval.high for interval in found) / len(found)
    assert 0.90 <= covered <= 0.99


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30), st.integers(0, 9))
def test_an_interval_stays_within_its_values(values: list[float], seed: int) -> None:
    found = mean_interval(values, seed=seed, resamples=50)
    assert min(values) - 1e-12 <= found.low <= found.high <= max(values) + 1e-12


def test_pairing_takes_out_what_both_systems_share() -> None:
    rng = np.random.default_rng(1)
    hard = rng.random(400)
    ours, theirs = hard + 0.02 + rng.normal(0, 0.01, 400), hard
    difference = paired_difference(ours, theirs, seed=1)
    assert difference.value == pytest.approx(0.02, abs=0.002)
    assert 0.01 < difference.low < difference.high < 0.03
    assert mean_interval(ours, seed=1).low < mean_interval(theirs, seed=1).high
    zero = paired_difference(hard, hard, seed=1)
    assert (zero.value, zero.low, zero.high) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("values", [[], [float("nan")], [[1.0], [2.0]], [float("inf")]])
def test_no_interval_of_nothing(values: list[float]) -> None:
    with pytest.raises(ValueError, match="finite"):
        mean_interval(values, seed=0)


def test_a_pair_needs_the_same_questions() -> None:
    with pytest.raises(ValueError, match="same questions"):
        paired_difference([1.0, 2.0], [1.0], seed=0)


def test_a_ratio_of_sums_by_hand() -> None:
    found = ratio_interval([1, 0, 2], [1, 1, 4], seed=1)
    assert (found.value, found.n) == (0.5, 3)
    assert 0.0 <= found.low <= found.value <= found.high <= 1.0
    assert ratio_interval([1, 1], [1, 1], seed=1).low == 1.0
    assert ratio_interval([1, 0], [1, 0], seed=1).low == 1.0  # samples of the second alone say nothing


@pytest.mark.parametrize(("parts", "wholes"), [([], []), ([1], [0]), ([1], [1, 2]), ([1], [-1]), ([float("nan")], [1])])
def test_a_ratio_needs_a_whole(parts: list[float], wholes: list[float]) -> None:
    with pytest.raises(ValueError, match="ratio"):
        ratio_interval(parts, wholes, seed=1)


@pytest.mark.parametrize(
    ("hits", "n", "low", "high"), [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (5, 10, 0.2366, 0.7634), (1, 81, 0.0022, 0.0667)]
)
def test_a_proportion_has_wilsons_interval(hits: int, n: int, low: float, high: float) -> None:
    found = proportion_interval(hits, n)
    assert (found.value, found.n) == (hits / n, n)
    assert (found.low, found.high) == (pytest.approx(low, abs=1e-4), pytest.approx(high, abs=1e-4))


@pytest.mark.parametrize(("hits", "n"), [(0, 0), (2, 1), (-1, 5)])
def test_a_proportion_needs_as_many_questions_as_hits(hits: int, n: int) -> None:
    with pytest.raises(ValueError, match="proportion"):
        proportion_interval(hits, n)
