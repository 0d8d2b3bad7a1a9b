"""ROUGE against values worked out by hand, and the properties that hold for any two texts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.rouge import common_length, rouge_l, rouge_n, words

TOLD, NOTED = words("Ann painted a small lake in May."), words("Ann painted the lake in spring.")


def test_rouge_by_hand() -> None:
    two = rouge_n(TOLD, NOTED, n=2)  # "ann painted", "lake in" of 6 and of 5 pairs
    assert (two.precision, two.recall, two.f1) == pytest.approx((2 / 6, 2 / 5, 4 / 11))
    longest = rouge_l(TOLD, NOTED)  # "ann painted lake in" of 7 and of 6 words
    assert (longest.precision, longest.recall, longest.f1) == pytest.approx((4 / 7, 4 / 6, 8 / 13))
    assert rouge_n(TOLD, NOTED, n=1).recall == pytest.approx(4 / 6)


def test_a_pair_counts_as_often_as_both_have_it() -> None:
    assert rouge_n(words("a b a b a b"), words("a b c a b"), n=2).precision == pytest.approx(2 / 5)


def test_order_matters_to_the_longest_subsequence_alone() -> None:
    assert rouge_l(words("bo met ann"), words("ann met bo")).f1 == pytest.approx(1 / 3)
    assert rouge_n(words("bo met ann"), words("ann met bo"), n=1).f1 == 1.0


def test_words_are_letters_and_digits_and_single_chinese_characters() -> None:
    assert words("Ann's café, on 3 May!") == ("ann", "s", "café", "on", "3", "may")
    assert words("安住在Rome。") == ("安", "住", "在", "rome")


def test_nothing_shared_is_nothing() -> None:
    assert rouge_l((), NOTED).f1 == rouge_n(TOLD, (), n=2).f1 == rouge_n(("a",), ("a",), n=2).f1 == 0.0
    with pytest.raises(ValueError, match="at least 1"):
        rouge_n(TOLD, NOTED, n=0)


SEQUENCES = st.lists(st.sampled_from("abcd"), max_size=9)


@given(SEQUENCES, SEQUENCES)
def test_the_longest_subsequence_is_that_of_the_textbook(first: list[str], second: list[str]) -> None:
    table = [[0] * (len(second) + 1) for _ in range(len(first) + 1)]
    for i, a in enumerate(first):
        for j, b in enumerate(second):
            table[i + 1][j + 1] = table[i][j] + 1 if a == b else max(table[i][j + 1], table[i + 1][j])
    assert common_length(first, second) == common_length(second, first) == table[-1][-1]


REFERENCE = {
    ("Ann's sister Clara keeps bees on a roof in Ghent.", "Clara, Ann's sister, is a bee-keeper: she keeps bees on the roof."): (
        (0.4, 0.307692308, 0.347826087),
        (0.636363636, 0.5, 0.56),
    ),
    ("Bo moved to 3.5 Quay Street in 2023.", "In 2023 Bo moved to Quay Street."): (
        (0.5, 0.666666667, 0.571428571),
        (0.555555556, 0.714285714, 0.625),
    ),
    ("the cat the cat the dog", "the cat and the dog and the cat"): ((0.6, 0.428571429, 0.5), (0.666666667, 0.5, 0.571428571)),
    ("It rained.", "Nell sails."): ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
}
"""(memory, note) → ROUGE-2 and ROUGE-L as rouge-score 0.1.2 gives them: precision, recall, F1."""


@pytest.mark.parametrize("pair", REFERENCE)
def test_values_are_those_of_the_reference_package(pair: tuple[str, str]) -> None:
    told, noted = (words(text) for text in pair)
    for found, expected in zip((rouge_n(told, noted, n=2), rouge_l(told, noted)), REFERENCE[pair], strict=True):
        assert (found.precision, found.recall, found.f1) == pytest.approx(expected, abs=1e-8)
