"""What is to come in Chinese keeps its day and its condition, a story's own calendar is not today's, and plain statements of oneself are told."""

from __future__ import annotations

import pytest

from tests.memory.extraction.chinese_said import extracted, facts_of, values_of


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("等我攒够了钱，我带我妈来看你！", ["等林小雨攒够了钱，林小雨带自己的妈妈来看阿澜。"]),
        ("明早八点，我的车在你家门口等。", ["2024年5月11日八点林小雨的车在阿澜家门口等。"]),
        ("明天周末，我教你下围棋。", ["2024年5月11日林小雨教阿澜下围棋。"]),
        ("我明天早上七点来接你。", ["林小雨2024年5月11日七点来接阿澜。"]),
        ("我们约好周二下午三点见。", ["林小雨他们约好2024年5月14日下午三点见。"]),
        ("我下个月去大连替你看看。", ["林小雨2024年6月去大连替阿澜看看。"]),
        ("我周日晚上有钢琴课，惨了。", ["林小雨2024年5月12日晚上有钢琴课。"]),
        ("我上周五有钢琴课。", ["林小雨2024年5月3日有钢琴课。"]),
        ("等我一下，我去开门。", []),
        ("等我毕业了，想怎么玩就怎么玩吗？", []),
        ("我记到今天。", []),
        ("我理解你。", []),
    ],
)
def test_what_is_to_come_keeps_its_day_and_its_condition(text: str, facts: list[str]) -> None:
    assert facts_of(text) == facts


@pytest.mark.parametrize("text", ["民国十六年我到了天津。去年我在报社登了一篇小说。", "我的灵根断了，去年我拜了师父。"])
def test_a_story_of_its_own_calendar_has_no_day_of_today(text: str) -> None:
    assert any("去年" in fact.text and fact.event is None for fact in extracted(text).facts)


def test_without_one_last_year_is_a_year() -> None:
    assert facts_of("去年我在报社登了一篇小说。") == ["2023年林小雨在报社登了一篇小说。"]


@pytest.mark.parametrize(
    ("text", "facts", "values"),
    [
        ("我不喝酒。", ["林小雨不喝酒。"], ["food_disliked=酒"]),
        ("我不抽烟。", ["林小雨不抽烟。"], []),
        ("我只抽雪茄。", ["林小雨只抽雪茄。"], []),
        ("我怕冷。", ["林小雨怕冷。"], []),
        ("我晕血。", ["林小雨晕血。"], []),
        ("现在我都三十六了。", ["现在林小雨都三十六岁了。"], ["age=三十六"]),
        ("我才五十一，不算老。", ["林小雨才五十一，不算老。"], ["age=五十一"]),
        ("那时候年轻，二十五六，火气大。", [], []),
        ("我不吃了。", [], []),
    ],
)
def test_plain_statements_of_oneself(text: str, facts: list[str], values: list[str]) -> None:
    assert facts_of(text) == facts
    assert values_of(text) == values
