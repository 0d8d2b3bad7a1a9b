"""Strength at birth: what a memory tells and how unlike it is to what stands before it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory import strength
from memory.strength import DATED, distinctness, strengths, told


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("The ferry to Heron Island sank.", 4),
        ("The ferry sank. Did the ferry sink?", 2),
        ("Did you see the ferry to Heron Island?", 0),
        ("Oh. It was so, and it is.", 0),
        ("", 0),
        ("你去过杭州吗？", 0),
        ("A boat, a boat, a boat.", 1),
    ],
)
def test_what_is_stated_counts_each_term_once_and_questions_tell_nothing(text: str, terms: int) -> None:
    assert told(text) == terms


def test_chinese_statements_tell_more_than_courtesies() -> None:
    assert told("我在杭州的茶馆弹古琴。") > told("好的，谢谢你！") > told("你在杭州弹琴吗？")


def unit(*rows: tuple[float, float]) -> np.ndarray:
    vectors = np.array(rows, dtype=np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def test_distinct_is_what_is_unlike_everything_before_it() -> None:
    first = distinctness(unit((1, 0), (0, 1), (3, 4), (0, -1)), of=range(4))
    # Cosines with what stands before: none; 0; .6 and .8; 0, -1 and -.8.
    assert first == pytest.approx([1.0, 1.0, 0.2, 1.0], abs=1e-6)


def test_a_repetition_is_hardly_laid_down_and_the_first_telling_keeps_its_strength() -> None:
    once, again = strengths(["Clara keeps bees."] * 2, unit((1, 0), (1, 0)), dated=np.array([False, False]), of=[0, 1])
    assert once == pytest.approx(3.0)
    assert 0 < again < 1e-4


def test_a_day_doubles() -> None:
    plain, dated = (strengths(["Clara sold honey."], unit((1, 0)), dated=np.array([day]), of=[0])[0] for day in (False, True))
    assert dated == DATED * plain


def test_comparing_in_blocks_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    vectors = rng.normal(size=(50, 8)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    whole = distinctness(vectors, of=range(50))
    monkeypatch.setattr(strength, "_BLOCK", 7)
    assert distinctness(vectors, of=range(50)) == pytest.approx(whole, abs=1e-6)


@given(st.integers(1, 12), st.integers(0, 11))
def test_what_comes_later_changes_no_strength(count: int, cut: int) -> None:
    rng = np.random.default_rng(count)
    vectors = rng.normal(size=(count, 6)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    cut = min(cut, count)
    assert distinctness(vectors, of=range(count))[:cut] == pytest.approx(distinctness(vectors[:cut], of=range(cut)), abs=1e-6)


def test_some_of_a_path_have_the_strength_they_have_among_all() -> None:
    texts = ["Clara keeps bees.", "Clara keeps hens.", "The ferry sank on Monday.", "Thanks!"]
    vectors, dated = unit((1, 0), (4, 3), (0, 1), (1, 1)), np.array([False, False, True, False])
    whole = strengths(texts, vectors, dated=dated, of=range(4))
    assert strengths(texts, vectors, dated=dated, of=[1, 3]).tolist() == whole[[1, 3]].tolist()
    # told 3, 3, 3, 1 (a courtesy has a word as well); nearest before: none, .8, .6, .99; a day doubles the third.
    assert whole[:3] == pytest.approx([3.0, 3 * 0.2, 2 * 3 * 0.4], abs=1e-5)
