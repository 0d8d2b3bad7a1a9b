"""The pieces of a text and where they stand in it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.e5_file import E5File, bundled_file
from models.unigram import Unigram


@pytest.fixture(scope="module")
def tokens() -> Unigram:
    return Unigram(E5File.read(bundled_file()).vocabulary)


@pytest.mark.parametrize("text", ["Hello  world, I'm   fine…", "我叫奶茶，今年２７岁。 ok", "ﬁne ½ x", "日本語テスト𠮷野家 \n new", "a"])
def test_pieces_are_the_same_with_and_without_their_places(tokens: Unigram, text: str) -> None:
    assert [id_ for id_, _, _ in tokens.spans(text)] == tokens.ids(text)


def test_a_piece_stands_where_its_letters_do(tokens: Unigram) -> None:
    text = "My  sister, 阿宁."
    assert "".join(text[start:end] for _, start, end in tokens.spans(text)) == "Mysister,阿宁."


@given(st.text(max_size=80))
def test_places_are_in_order_and_inside_any_text(tokens: Unigram, text: str) -> None:
    at = 0
    for _, start, end in tokens.spans(text):
        assert at <= start <= end <= len(text)
        at = start
