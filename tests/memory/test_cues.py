"""What a cue says about what it means: times, tense, and what it asks."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.cues import Cue, Tense, asking_share, asks_something, ends_asking, read_cue

TODAY = datetime(2024, 5, 15, 20, tzinfo=UTC)  # a Wednesday


def _ranges(text: str) -> list[tuple[date, date]]:
    return [(r.first.date(), r.last.date()) for r in read_cue(Cue(text, 9, TODAY)).ranges]


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("What did we do last weekend?", date(2024, 5, 11), date(2024, 5, 12)),
        ("Where did I sail in March?", date(2024, 3, 1), date(2024, 3, 31)),
        ("What did I buy three days ago?", date(2024, 5, 12), date(2024, 5, 12)),
        ("Who visited on 2 May 2023?", date(2023, 5, 2), date(2023, 5, 2)),
        ("我三天前说了什么？", date(2024, 5, 12), date(2024, 5, 12)),
        ("上个月我们去了哪里？", date(2024, 4, 1), date(2024, 4, 30)),
        ("What are we doing tomorrow?", date(2024, 5, 16), date(2024, 5, 16)),
    ],
)
def test_a_time_in_a_cue_is_a_range(text: str, first: date, last: date) -> None:
    assert _ranges(text) == [(first, last)]


@pytest.mark.parametrize("text", ["I was in the park today.", "我今天很累", "May I come in?", "What is my sister's name?"])
def test_no_time_is_guessed_and_today_is_none(text: str) -> None:
    assert _ranges(text) == []


@given(st.lists(st.sampled_from("the bees sister roof library 蜜蜂 妹妹 屋顶 who what 谁".split()), max_size=8).map(" ".join))
def test_without_an_expression_there_is_no_range(text: str) -> None:
    assert _ranges(text) == []


def test_without_a_date_no_time_can_be_read() -> None:
    assert read_cue(Cue("What did we do last weekend?", 9)).ranges == ()


@pytest.mark.parametrize(
    ("text", "tense"),
    [
        ("Where does Clara live now?", Tense.NOW),
        ("Where did Clara live before?", Tense.BEFORE),
        ("她现在在哪里工作？", Tense.NOW),
        ("她以前在哪里工作？", Tense.BEFORE),
        ("Where was Clara born?", Tense.OPEN),
        ("I live here now.", Tense.OPEN),
    ],
)
def test_now_and_before_are_read_where_something_is_asked(text: str, tense: Tense) -> None:
    assert read_cue(Cue(text, 9)).tense is tense


@pytest.mark.parametrize(
    ("text", "when"),
    [("When did we meet?", True), ("How long have you sailed?", True), ("我们什么时候认识的？", True), ("When we met, it rained.", False)],
)
def test_whether_a_time_is_asked_for(text: str, when: bool) -> None:
    assert read_cue(Cue(text, 9)).when is when


def test_what_only_asks() -> None:
    assert ends_asking("Bo: Nice! And you? 😊".replace(" 😊", "~"))
    assert not ends_asking("Where? Never mind.")
    assert asking_share("Where? When?") == 1.0
    assert asking_share("I keep bees. And you?") == 0.5
    assert asking_share("") == 0.0
    assert asks_something("Tell me what you planted")
    assert not asks_something("I planted figs.")
