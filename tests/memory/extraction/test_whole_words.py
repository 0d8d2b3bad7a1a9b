"""Nothing that belongs to a saying is cut off it, and nothing is told of people who were not named."""

from __future__ import annotations

from datetime import datetime

import pytest

from memory.extraction import chinese, english
from memory.extraction.draft import Extraction, Line


def _read(text: str) -> Extraction:
    return english.extract(Line(text, "Mara", "Aurel", True, datetime(2024, 6, 12, 10), ""))


@pytest.mark.parametrize(
    ("text", "habit"),
    [
        ("I spend half an hour every day drawing, though it goes slowly.", "spend half an hour every day drawing"),
        ("I spend at least half an hour every day drawing, but I am slow.", "spend at least half an hour every day drawing"),
        ("I run five miles every morning before work.", "run five miles every morning before work"),
    ],
)
def test_what_time_is_spent_on_belongs_to_a_habit(text: str, habit: str) -> None:
    assert [value.value for value in _read(text).values if value.key == "habits"] == [habit]


def test_an_interjection_ends_where_a_compound_goes_on() -> None:
    assert [fact.text for fact in _read("Great, I baked bread yesterday.").facts] == ["Mara baked bread on 11 June 2024."]
    for fact in _read("Good-natured dogs make the best company. Great-tasting bread needs a long rise.").facts:
        assert "natured" not in fact.text or "Good-natured" in fact.text or "good-natured" in fact.text
        assert "tasting" not in fact.text or "reat-tasting" in fact.text


@pytest.mark.parametrize(
    "text", ["We don't have much in common.", "We have known each other for years.", "We don't share many common interests."]
)
def test_a_bond_between_those_who_are_not_named_is_nobodys(text: str) -> None:
    assert not [fact for fact in _read(text).facts if "others" in fact.text]


def test_a_bond_between_those_who_are_named_is_kept() -> None:
    assert [fact.text for fact in _read("My brother and I write to each other every week.").facts] == [
        "Mara's brother and Mara write to each other every week."
    ]


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("Good question, my aunt sells honey cakes in Leith.", "Mara's aunt sells honey cakes in Leith."),
        ("Good news, my sister passed her exam.", "Mara's sister passed her exam."),
        ("Honey, I bought the tickets to Bergen.", "Mara bought the tickets to Bergen."),
        ("Hi, friend, I bought the tickets to Bergen.", "Mara bought the tickets to Bergen."),
        ("Honey cakes and tea are what my aunt sells.", "Honey cakes and tea are what Mara's aunt sells."),
    ],
)
def test_who_is_spoken_to_and_what_praises_them_is_no_part_of_a_fact(text: str, fact: str) -> None:
    assert [f.text for f in _read(text).facts] == [fact]


@pytest.mark.parametrize("text", ["No problem, feel free to ask for my help anytime.", "I have to go prepare dinner now, bye!"])
def test_a_courtesy_and_a_parting_are_no_facts(text: str) -> None:
    assert _read(text).facts == ()


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("非常有趣，我也喜欢动作片。", ["周立喜欢动作片。"]),
        ("你好，AI伴侣，我今天有点烦恼，有些难过。", ["周立2023年5月6日有点烦恼，有些难过。"]),
        ("我刚刚去了公园散步。", ["周立2023年5月6日去了公园散步。"]),
        ("晚上打算和朋友一起去看电影。", ["2023年5月6日周立打算和朋友一起去看电影。"]),
        ("刚刚我骗你的。", []),
        ("我晚上一般看书。", []),
    ],
)
def test_of_this_day_is_told_with_its_date_and_no_form_of_address(text: str, facts: list[str]) -> None:
    read = chinese.extract(Line(text, "周立", "阿忆", True, datetime(2023, 5, 6)))
    assert [fact.text for fact in read.facts] == facts


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("你可以约上几个好友，去尝试一些新的美食或者咖啡馆。", ["阿忆建议陈阳约上几个好友，去尝试一些新的美食或者咖啡馆。"]),
        ("你可以利用一些社交平台，比如论坛，与亲友视频聊天。", []),
        ("你可以买一张去大连的船票，去年的票便宜。", ["阿忆建议陈阳买一张去大连的船票。"]),
    ],
)
def test_advice_is_told_with_what_it_is_for_or_not_at_all(text: str, facts: list[str]) -> None:
    read = chinese.extract(Line(text, "阿忆", "陈阳", False, datetime(2023, 5, 6)))
    assert [fact.text for fact in read.facts] == facts
