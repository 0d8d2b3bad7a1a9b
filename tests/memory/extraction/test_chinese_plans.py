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
        ("我晕血。", ["林小雨晕血。"], ["health=晕血"]),
        ("现在我都三十六了。", ["现在林小雨都三十六岁了。"], ["age=三十六"]),
        ("我才五十一，不算老。", ["林小雨才五十一，不算老。"], ["age=五十一"]),
        ("那时候年轻，二十五六，火气大。", [], []),
        ("我不吃了。", [], []),
    ],
)
def test_plain_statements_of_oneself(text: str, facts: list[str], values: list[str]) -> None:
    assert facts_of(text) == facts
    assert values_of(text) == values


@pytest.mark.parametrize(
    ("text", "facts", "values"),
    [
        ("三，我养了只乌龟，叫铁蛋。", ["林小雨养了只乌龟，叫铁蛋。"], ["pets=乌龟，叫铁蛋"]),
        ("队长，明天我不去码头了，我要去医院。", ["2024年5月11日林小雨不去码头了，要去医院。"], []),
        ("几点了，我明天有面试。", ["林小雨2024年5月11日有面试。"], ["plans=面试"]),
        ("可我答应过我姐要回家。", ["林小雨答应过自己的姐姐要回家。"], ["family=姐"]),
        ("我怕凉。", ["林小雨怕凉。"], []),
        ("我怕蛇。", ["林小雨怕蛇。"], ["fears=蛇"]),
        ("我要退群！", [], []),
        ("我使不惯铁的。", [], []),
        ("我真的很害怕出现意外。", [], []),
        ("我签到明年五月。", [], []),
    ],
)
def test_openings_outcries_and_things_that_stand_elsewhere(text: str, facts: list[str], values: list[str]) -> None:
    assert facts_of(text) == facts
    assert values_of(text) == values


@pytest.mark.parametrize(
    ("question", "text", "facts"),
    [
        ("你做什么工作的？", "出版公司，做封面设计。", []),
        ("你做什么工作的？", "会计。", ["林小雨的职业是会计。"]),
        ("你有什么忌口？", "百合就好，大枣不要。", []),
        ("你有什么忌口？", "香菜。", ["林小雨不吃香菜。"]),
    ],
)
def test_answers_that_are_of_something_else(question: str, text: str, facts: list[str]) -> None:
    assert facts_of(text, question=question) == facts
