"""中文里离开上下文就听不懂的话：告别、决心、没说对什么的心情、没名字的地方，都不单独记。"""

from __future__ import annotations

from datetime import datetime

import pytest

from memory.extraction import chinese
from memory.extraction.draft import Extraction, Line

SAID_AT = datetime(2024, 6, 12, 10)


def _said(text: str) -> Extraction:
    return chinese.extract(Line(text, "林岚", "阿德", True, SAID_AT))


def _told(text: str) -> list[str]:
    return [fact.text for fact in _said(text).facts]


@pytest.mark.parametrize(
    "text",
    [
        "现在我要去准备晚餐了。",
        "现在我必须离开了，有些事情需要处理。",
        "我会努力工作，找出自己的优点，并寻求帮助。",
        "我将尝试一些拉伸和呼吸练习，希望它们能让我平静。",
        "我也可以再试试在家里做些瑜伽，感受内心的平静。",
        "我基本上已经着迷了。",
        "我现在在办公室里面，没有风扇或者空调。",
        "我会尽情享受自己喜欢的活动。",
        "我的灵感来自一次去往挪威的旅行。",
        "等我走得累的时候，我希望能在一些小餐馆和街头小吃摊品尝当地美食。",
        "我的心情一下子变得非常舒畅。",
        "我一直沉浸在木雕的世界中。",
        "我最喜欢的是《河灯》，《河灯》非常有感觉，歌词也很优美。",
        "我不想因为自己的紧张而使一切变得糟糕。",
        "我打算先去城市里的一些老教堂。",
        "我已经学到了很多有用的知识和经验。",
        "我还没有计划，不过很快应该就会去的。",
    ],
)
def test_partings_resolutions_and_what_points_nowhere_are_not_told(text: str) -> None:
    assert _told(text) == []


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("我平时会尽量早睡，周末去爬山。", ["林岚平时会尽量早睡，周末去爬山。"]),
        ("我要坚持写完一本关于养蜂的小说。", ["林岚要坚持写完一本关于养蜂的小说。"]),
        ("有时周末我会去旧书店淘唱片。", ["周末林岚有时会去旧书店淘唱片。"]),
        ("我周末去爬山了。", ["林岚2024年6月8日那个周末去爬山了。"]),
        ("我的具体计划是游览一些老钟楼和博物馆，参加当地的音乐节。", ["林岚的具体计划是游览一些老钟楼和博物馆。"]),
        ("我想去里斯本住两周，品尝当地的美食。", ["林岚想去里斯本住两周，品尝当地的美食。"]),
        ("我会多陪陪我妈，给她做饭。", ["林岚会多陪陪自己的妈妈，给她做饭。"]),
        ("我一直想去海边，但是担心时间不够。", ["林岚一直想去海边，但是担心时间不够。"]),
        ("我打算先去里斯本的一些老教堂。", ["林岚打算先去里斯本的一些老教堂。"]),
        ("比如昨天我在准备做木工用的锯子，但是不知道选哪种。", ["2024年6月11日林岚在准备做木工用的锯子，但是不知道选哪种。"]),
    ],
)
def test_what_says_of_what_and_whom_is_told(text: str, facts: list[str]) -> None:
    assert _told(text) == facts


def test_what_only_agrees_is_left_out_in_front() -> None:
    (fact,) = _told("对，我经常自己做饭，而且吃得挺简单的，少去外面吃饭也是省钱的好办法。")
    assert fact.startswith("林岚经常自己做饭")


@pytest.mark.parametrize("text", ["我最近在学习一门新技能。", "我正在看一部很棒的电影。", "我打算在旅行中住在一些当地的民宿。"])
def test_one_of_a_kind_is_no_value(text: str) -> None:
    assert not {value.key for value in _said(text).values} & {"activity", "plans"}


def test_a_named_one_is() -> None:
    assert {(value.key, value.value) for value in _said("我最近在学习陶艺。").values} == {("activity", "学习陶艺")}


@pytest.mark.parametrize(
    "advice", ["你可以尝试一些合适的方法。", "你可以根据自己的喜好进行选择和安排。", "你可以选择任何舒适的姿势。", "你可以尝试寻找原因。"]
)
def test_advice_that_names_nothing_is_none(advice: str) -> None:
    assert not [fact for fact in _told(advice) if "建议" in fact]
