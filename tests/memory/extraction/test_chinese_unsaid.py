"""中文里断了尾巴的话：没说是什么的数目、没说下去的“说”、没有宾语的“给人家打”，不单独记；他和她不张冠李戴。"""

from __future__ import annotations

from datetime import datetime

import pytest

from memory.extraction import chinese
from memory.extraction.draft import ENDED, Denial, Extraction, Line

SAID_AT = datetime(2024, 6, 12, 10)


def _said(text: str) -> Extraction:
    return chinese.extract(Line(text, "林岚", "阿德", True, SAID_AT))


def _told(text: str) -> list[str]:
    return [fact.text for fact in _said(text).facts]


@pytest.mark.parametrize(
    "text",
    [
        "我哥一口气吃了七个。",
        "那些苹果，我妈吃剩下的，我都留着。",
        "这是我爸挑的。",
        "我听老魏说，你的店从来不关门。",
        "我屋里房东不让养。",
        "明天我给人家打。",
        "我活这么大，这是什么？",
    ],
)
def test_what_does_not_say_of_what_is_not_told(text: str) -> None:
    assert _told(text) == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("我哥一口气吃了七个包子。", "林岚的哥哥一口气吃了七个包子。"),
        ("我爸坐火车来的。", "林岚的爸爸坐火车来的。"),
        ("我屋里房东不让养猫。", "林岚屋里房东不让养猫。"),
        ("我每周给我妈打电话。", "林岚每周给林岚的妈妈打电话。"),
        ("我去面试了，面试的那个老板问我，你会不会修车？", "林岚去面试了。"),
        ("我爸退休了，他天天去钓鱼。", "林岚的爸爸天天去钓鱼。"),
        ("我妈在学校教书，她很喜欢孩子。", "林岚的妈妈很喜欢孩子。"),
    ],
)
def test_what_says_it_is_told(text: str, told: str) -> None:
    assert told in _told(text)


def test_he_is_nobody_of_whom_was_said_she() -> None:
    assert _told("我妈在苏州一家酒店做饭，她供他，我也供他。") == ["林岚的妈妈在苏州一家酒店做饭。"]
    assert _told("我妈在苏州一家酒店做饭，我每个月给她寄钱。") == ["林岚的妈妈在苏州一家酒店做饭，林岚每个月给她寄钱。"]


@pytest.mark.parametrize("text", ["我从小就爱坐边上。", "我喜欢坐最后一排。", "我爱坐在角落里。"])
def test_where_one_sits_is_no_taste(text: str) -> None:
    assert [v.value for v in _said(text).values if v.key in ("liked", "hobbies")] == []


@pytest.mark.parametrize(("text", "value"), [("我喜欢坐火车。", "坐火车"), ("我喜欢坐过山车。", "坐过山车")])
def test_what_one_rides_is(text: str, value: str) -> None:
    assert ("liked", value) in [(v.key, v.value) for v in _said(text).values]


@pytest.mark.parametrize(
    ("text", "value"), [("香菜我现在爱吃了。", "香菜"), ("苦瓜我最近也爱吃了。", "苦瓜"), ("豆汁我现在喜欢喝了，你信吗？", "豆汁")]
)
def test_what_one_eats_gladly_by_now(text: str, value: str) -> None:
    assert ("food_liked", value) in [(v.key, v.value) for v in _said(text).values]


@pytest.mark.parametrize("text", ["香菜我妈现在爱吃了。", "香菜我现在不爱吃了。"])
def test_what_another_eats_or_one_no_more_is_not_eaten_gladly(text: str) -> None:
    assert [v.value for v in _said(text).values if v.key == "food_liked"] == []


@pytest.mark.parametrize(
    ("text", "thing"), [("我现在敢坐飞机了。", "坐飞机"), ("我终于敢打电话了。", "电话"), ("我明天再打，我现在敢打了。", "打")]
)
def test_what_one_dares_now_one_fears_no_more(text: str, thing: str) -> None:
    assert any(d.act == ENDED and d.about[0] == "fears" and (d.about[1] in thing or thing in d.about[1]) for d in _said(text).denials)


@pytest.mark.parametrize("text", ["我不敢打了。", "我敢坐飞机。", "我妈敢坐飞机了。", "我想敢坐飞机了再去。"])
def test_what_one_does_not_dare_yet_is_feared(text: str) -> None:
    assert not any(isinstance(d, Denial) and d.act == ENDED for d in _said(text).denials)
