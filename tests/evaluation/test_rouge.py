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
