"""What a cue says about what it means: times, tense, and what it asks."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.cues import Cue, Tense, asking_share, asks_something, ends_asking, read_cue
from tests.pace import STEADY, eightfold

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


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("What have we done in the last two weeks?", date(2024, 5, 1), date(2024, 5, 15)),
        ("What did I do in the past month?", date(2024, 4, 15), date(2024, 5, 15)),
        ("What did I tell you over the past few days?", date(2024, 5, 10), date(2024, 5, 15)),
        ("最近几天我说了什么？", date(2024, 5, 10), date(2024, 5, 15)),
        ("过去两周我做了什么？", date(2024, 5, 1), date(2024, 5, 15)),
        ("最近一个月我跑了几次步？", date(2024, 4, 15), date(2024, 5, 15)),
        ("What has happened since March?", date(2024, 3, 1), date(2024, 5, 15)),
        ("Where did I go after 3 May?", date(2024, 5, 4), date(2024, 5, 15)),
        ("Where did I live before March?", date(1, 1, 1), date(2024, 2, 29)),
        ("Where did I live until 2019?", date(1, 1, 1), date(2018, 12, 31)),
        ("What did I do between March and May?", date(2024, 3, 1), date(2024, 5, 31)),
        ("What did I do from Monday to Friday?", date(2024, 5, 6), date(2024, 5, 10)),
        ("What must I do before next Friday?", date(2024, 5, 15), date(2024, 5, 23)),
        ("What did I buy over the weekend before 4 May?", date(2024, 4, 27), date(2024, 5, 4)),
        ("三月以来发生了什么？", date(2024, 3, 1), date(2024, 5, 15)),
        ("从三月开始我做了什么？", date(2024, 3, 1), date(2024, 5, 15)),
        ("三月之前我住在哪里？", date(1, 1, 1), date(2024, 2, 29)),
        ("三月后我们去了哪里？", date(2024, 4, 1), date(2024, 5, 15)),
        ("从三月到五月我做了什么？", date(2024, 3, 1), date(2024, 5, 31)),
        ("去年八月三号后的三天我做了什么？", date(2023, 8, 3), date(2023, 8, 6)),
    ],
)
def test_a_side_of_a_time_and_what_lies_so_far_back_are_ranges(text: str, first: date, last: date) -> None:
    assert _ranges(text) == [(first, last)]


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("What did I do between June and August?", [(date(2025, 6, 1), date(2025, 8, 31))]),
        ("What did I do from May to December?", [(date(2025, 5, 1), date(2025, 12, 31))]),
        ("What did I do from May to June?", [(date(2026, 5, 1), date(2026, 6, 30))]),
        ("What did I do between 3 June and 5 August?", [(date(2025, 6, 3), date(2025, 8, 5))]),
        ("What did I do between June and August 2024?", [(date(2024, 6, 1), date(2024, 8, 31))]),
        ("What did I do between Friday and Tuesday?", [(date(2026, 7, 10), date(2026, 7, 14))]),
        ("从六月到八月我去了哪里？", [(date(2025, 6, 1), date(2025, 8, 31))]),
        ("从十二月到二月我去了哪里？", [(date(2025, 12, 1), date(2026, 2, 28))]),
        ("从周五到周二我做了什么？", [(date(2026, 7, 10), date(2026, 7, 14))]),
        (
            "What did I do between June 2026 and August 2025?",
            [(date(2026, 6, 1), date(2026, 6, 30)), (date(2025, 8, 1), date(2025, 8, 31))],
        ),
    ],
)
def test_of_a_span_whose_ends_fall_into_two_years_or_weeks_the_end_says_which(text: str, spans: list[tuple[date, date]]) -> None:
    asked = read_cue(Cue(text, 9, datetime(2026, 7, 15, 20, tzinfo=UTC)))
    assert [(r.first.date(), r.last.date()) for r in asked.ranges] == spans


@pytest.mark.parametrize("text", ["我将近三个月没见他", "我接近三年没见他", "附近两天都很热", "我靠近两天就走"])
def test_what_is_near_is_not_the_last(text: str) -> None:
    assert _ranges(text) == []


def test_what_has_no_end_is_preferred_and_not_looked_for() -> None:
    for text in ("Where did I live before March?", "三月以来发生了什么？"):
        asked = read_cue(Cue(text, 9, TODAY))
        assert asked.open_ended == asked.ranges
    assert read_cue(Cue("What did I do in March?", 9, TODAY)).open_ended == ()


@pytest.mark.parametrize("text", ["What did we say the day before yesterday?", "我三天以前说了什么？", "What did I do in the past month?"])
def test_the_words_of_a_time_ask_for_nothing_earlier(text: str) -> None:
    assert read_cue(Cue(text, 9, TODAY)).tense is not Tense.BEFORE


NAMED = st.sampled_from(
    "before after since until from to between and the last past few two 31 999 days weeks March Friday 3 May 2023 yesterday next week".split()
    + "三月 之前 以后 以来 从 到 最近 过去 几 两 天 个月 周 年 前 后 开始 今天 5月3日 9999 的".split()
)


@given(
    st.lists(NAMED, max_size=14), st.sampled_from(["", " "]), st.datetimes(min_value=datetime(1, 1, 2), max_value=datetime(9999, 12, 30))
)
def test_whatever_names_a_time_on_any_day_gives_ranges_that_go_forward(words: list[str], between: str, day: datetime) -> None:
    asked = read_cue(Cue(between.join(words), 9, day.replace(tzinfo=UTC)))
    assert all(r.first <= r.last for r in asked.ranges)
    assert len(asked.ranges) <= 8


@pytest.mark.parametrize(
    "text",
    ["I was in the park today.", "我今天很累", "May I come in?", "What is my sister's name?", "Since today is our first talk, who am I?"],
)
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


@pytest.mark.parametrize("piece", ["两年前", "三个月前", "下个月", "two years ago, "])
def test_a_cue_full_of_dates_is_read_while_one_waits(piece: str) -> None:
    assert eightfold(lambda times: read_cue(Cue(piece * times, 3, datetime(2024, 5, 1, tzinfo=UTC))), 2_500 // len(piece)) < STEADY
