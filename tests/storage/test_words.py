"""Sparse search: English stems, Chinese words of two characters, scope, and hostile queries."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory.episodes import episode_of
from storage import words
from storage.terms import index_text, query_terms, sought
from storage.words import MAX_QUERY_TERMS
from tests.conftest import OpenChat, open_chat

LINES = (
    "I bought new running shoes at the market",
    "我妹妹在杭州开了一家茶馆",
    "The lighthouse keeper's daughter plays the cello",
    "他答应把戒指还给她",
    "Nothing much happened today",
)


@pytest.fixture
def filled(chat: OpenChat) -> OpenChat:
    for number, line in enumerate(LINES, start=1):
        chat.store.memories.add(chat.scope, [episode_of(chat.scope.chat_id, chat.say(line, "…", number=number))])
    return chat


def _rounds(chat: OpenChat, query: str) -> list[int]:
    visible = chat.store.memories.visible(chat.scope, chat.branch_id)
    return [visible.round_of[i] for i, _ in chat.store.memories.search_words(chat.scope, visible, query, limit=5)]


@pytest.mark.parametrize(
    ("query", "round_number"),
    [("which shoe did I buy for a run?", 1), ("茶馆", 2), ("杭州的妹妹", 2), ("Who plays a cello?", 3), ("戒指", 4), ("keeper’s", 3)],
)
def test_the_right_line_comes_first(filled: OpenChat, query: str, round_number: int) -> None:
    assert _rounds(filled, query)[0] == round_number


@pytest.mark.parametrize("query", ["", "the of and", "的了是", '"', "NEAR(a b) OR scope : x*", "'; DROP TABLE memory; --", "💥"])
def test_queries_without_content_or_with_syntax_find_nothing_and_break_nothing(filled: OpenChat, query: str) -> None:
    assert _rounds(filled, query) == []


def test_another_chats_lines_are_out_of_reach(filled: OpenChat) -> None:
    other = open_chat(filled.store)
    other.store.memories.add(other.scope, [episode_of(other.scope.chat_id, other.say("my running shoes", "…", number=1))])
    assert _rounds(other, "lighthouse cello") == []
    assert _rounds(other, "shoes") == [1]


def test_the_rarest_terms_of_a_long_cue_count(filled: OpenChat) -> None:
    common = " ".join(f"word{i}" for i in range(MAX_QUERY_TERMS + 5))
    for number in range(10, 14):
        filled.store.memories.add(filled.scope, [episode_of(filled.scope.chat_id, filled.say(common, "…", number=number))])
    assert _rounds(filled, f"{common} cello")[0] == 3


def test_what_most_memories_hold_is_looked_for_only_where_there_is_nothing_else(filled: OpenChat, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(10, 20):
        line = f"The harbour again, and a gull, day {number}"
        filled.store.memories.add(filled.scope, [episode_of(filled.scope.chat_id, filled.say(line, "…", number=number))])
    assert _rounds(filled, "cello at the harbour") == [3]
    assert min(_rounds(filled, "the harbour")) > len(LINES)
    monkeypatch.setattr(words, "MOST_READ", 1)
    assert _rounds(filled, "cello shoes") in ([1], [3])  # the rarest in any case, and no more than may be looked through


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(max_size=200))
def test_any_text_makes_clean_terms(text: str) -> None:
    for term in (*query_terms(text), *index_text(text).split()):
        assert '"' not in term
        assert not any(c.isspace() for c in term)


def test_irregular_forms_are_found_by_their_base() -> None:
    assert query_terms("paid") == query_terms("pays") == query_terms("PAY")
    assert query_terms("The children drove") == query_terms("a child driving")
    assert query_terms("left leaves rose") == tuple(dict.fromkeys(query_terms("left") + query_terms("leaves") + query_terms("rose")))
    assert sought("buy").spans("She bought bread.") == [(4, 10)]
