"""Chinese typed with spaces, pictures and laughter where marks would stand: a question drops itself alone, and numbers and foreign words divide nothing."""

from __future__ import annotations

import pytest

from memory.extraction.chinese_run_on import divided
from tests.memory.extraction.chinese_said import facts_of, values_of


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("我感冒了 明天不去了", "我感冒了，明天不去了"),
        ("你来吗😂我到了", "你来吗？我到了"),
        ("外公来接行不行 我妈出差", "外公来接行不行？我妈出差"),
        ("我高度近视 500度 平时戴隐形", "我高度近视，500度，平时戴隐形"),
        ("上次考了38 惨", "上次考了38，惨"),
        ("我不知道去哪里 就回家了", "我不知道去哪里，就回家了"),
        ("笑死hhh 我也是", "笑死。   我也是"),
        ("我有 3 只猫", "我有 3 只猫"),
        ("我用 Python 写代码", "我用 Python 写代码"),
        ("《春 江》很好听", "《春 江》很好听"),
    ],
)
def test_a_space_between_clauses_is_a_mark(text: str, marked: str) -> None:
    assert divided(text) == marked
    assert len(divided(text)) == len(text)


@pytest.mark.parametrize(
    ("text", "facts", "values"),
    [
        (
            "我小时候父母分开了 现在跟外公住 外公来接行吗",
            ["林小雨小时候父母分开了，现在跟外公住。"],
            ["household=外公", "family=外公"],
        ),
        ("我是医学生 每天背书背到吐 你呢", ["林小雨是医学生，每天背书背到吐。"], ["occupation=医学生"]),
        ("你那儿有别的吗 我对芒果过敏", ["林小雨对芒果过敏。"], ["allergies=芒果"]),
        ("我养了一只橘猫 叫南瓜 你要看照片吗", ["林小雨养了一只橘猫，叫南瓜。"], ["pets=橘猫，叫南瓜"]),
        (
            "我家就在河边 我妈开早餐店 卖豆浆油条",
            ["林小雨家里就在河边，林小雨的妈妈开早餐店，卖豆浆油条。"],
            ["residence=河边", "family=妈"],
        ),
        ("我学画画的 学了六年了 惨了", ["林小雨是学画画的，学了六年了。"], []),
        ("我先睡了 明天我得送我妹上学", ["2024年5月11日林小雨得送自己的妹妹上学。"], ["family=妹"]),
    ],
)
def test_run_on_talk_is_read_like_talk_with_marks(text: str, facts: list[str], values: list[str]) -> None:
    assert facts_of(text) == facts
    assert values_of(text) == values


@pytest.mark.parametrize(
    "text",
    [
        "如果我中了奖 我就买一艘船",
        "我跟老师说那是我哥的 其实是我的",
        "到了到了 你在哪",
        "我刚说九十分来着 记错了",
        "别提了 惨",
        "我自己戒了五年了",
    ],
)
def test_run_on_talk_that_tells_nothing(text: str) -> None:
    assert facts_of(text) == []
    assert values_of(text) == []
