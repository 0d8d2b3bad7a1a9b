"""Units, chapters and arcs: when they close, and which sentences tell them."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from memory.narrative import ARC, CHAPTER, Span, choose, closed_by


def closed(rounds: int) -> Counter[int]:
    """Tiers closed by a path of rounds 0 .. rounds."""
    return Counter(span.tier for last in range(rounds) for span in closed_by(last, last + 1))


def test_six_hundred_rounds_make_a_hundred_units_twenty_chapters_and_four_arcs() -> None:
    assert closed(600) == {1: 100, CHAPTER: 20, ARC: 4}


def test_thirty_rounds_make_one_chapter() -> None:
    assert closed(29)[CHAPTER] == 0
    assert closed(30)[CHAPTER] == 1
    assert closed_by(29, 30) == [Span(1, 24, 29), Span(CHAPTER, 0, 29)]


def test_a_hole_at_the_border_closes_the_piece_all_the_same() -> None:
    assert closed_by(27, 31) == [Span(1, 24, 29), Span(CHAPTER, 0, 29)]


@given(st.lists(st.integers(0, 900), min_size=2, max_size=40, unique=True))
def test_every_piece_is_closed_once_however_the_rounds_lie(rounds: list[int]) -> None:
    path = sorted(rounds)
    spans = [span for last, following in pairwise(path) for span in closed_by(last, following)]
    assert len(spans) == len(set(spans))
    for span in spans:
        assert span.first <= max(r for r in path if r <= span.last)


def unit(rows: list[list[float]]) -> np.ndarray:
    made = np.asarray(rows, dtype=np.float32)
    return made / np.linalg.norm(made, axis=1, keepdims=True)


def test_few_sentences_are_all_told() -> None:
    assert choose(unit([[1, 0], [0, 1]]), most=4) == [0, 1]
    assert choose(np.zeros((0, 2), dtype=np.float32), most=4) == []


def test_of_look_alikes_one_is_told() -> None:
    rows = [[1, 0, 0.01], [1, 0, 0], [1, 0.01, 0], [0, 1, 0], [0, 1, 0.01], [0, 0.01, 1]]
    chosen = choose(unit(rows), most=3)
    assert {0 if i < 3 else 1 if i < 5 else 2 for i in chosen} == {0, 1, 2}


def test_what_happened_on_a_day_is_told_before_its_like() -> None:
    rows = [[1, 0.1, 0], [1, 0, 0.1], [0, 1, 0], [0, 0, 1]]
    assert 0 in choose(unit(rows), most=2)
    assert 1 in choose(unit(rows), most=2, weights=[0, 0.3, 0, 0])
    assert 0 not in choose(unit(rows), most=2, weights=[0, 0.3, 0, 0])


@given(st.integers(1, 30), st.integers(1, 6), st.integers(0, 1000))
def test_the_choice_is_in_order_without_repeats_and_the_same_each_time(n: int, most: int, seed: int) -> None:
    vectors = unit(np.random.default_rng(seed).normal(size=(n, 8)).tolist())
    chosen = choose(vectors, most=most)
    assert chosen == sorted(set(chosen)) == choose(vectors, most=most)
    assert len(chosen) == min(n, most)
