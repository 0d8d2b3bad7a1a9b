"""What comes otherwise in a player's life takes back what was told before of it, and nothing else: plans, days, couples, work, animals, diets."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

from memory.denying import taken_back
from memory.extraction import grounded
from memory.extraction.denials import may_deny
from memory.facts import memories_of
from storage.records import Memory, Message, Revision, Role, sha256

AT = datetime(2026, 10, 1, 12, tzinfo=UTC)


def _gone(*said: str) -> list[str]:
    """Of what messages tell, a day apart, what the last one takes back."""
    held: list[Memory] = []
    gone: Sequence[Memory] = ()
    english = said[0].isascii()
    for place, text in enumerate(said):
        revision = Revision(f"r{place}", text, sha256(text), "user", "complete")
        speaker = "Mara" if english else "林夏"
        message = Message(f"m{place}", None, place, 1 + 5 * place, Role.USER, speaker, AT + timedelta(days=place), revision)
        drafts = grounded.alone(message, listener="Nell" if english else "阿忆", opens=True)
        gone = taken_back(drafts.denials, message, held) if may_deny(text) else []
        held += memories_of("c", message, None, drafts)
    return [m.text for m in gone]


@pytest.mark.parametrize(
    ("told", "after", "gone"),
    [
        ("I'm moving to Lisbon in March.", "I'm not moving to Lisbon after all.", "Mara is moving to Lisbon in March 2027."),
        ("I'm moving to Lisbon in March.", "So the Lisbon move isn't happening.", "Mara is moving to Lisbon in March 2027."),
        ("I'm moving to Lisbon in March.", "We decided not to move to Lisbon.", "Mara is moving to Lisbon in March 2027."),
        ("I'm moving to Lisbon in March.", "I won't be moving to Lisbon.", "Mara is moving to Lisbon in March 2027."),
        (
            "I'm moving to Lisbon in March.",
            "I've decided to stay in Ghent instead of moving to Lisbon.",
            "Mara is moving to Lisbon in March 2027.",
        ),
        ("I plan to study medicine.", "I don't want to study medicine any more.", "Mara plans to study medicine."),
        ("I live in Lisbon with my boyfriend Tom.", "Tom and I broke up.", "Mara lives in Lisbon with their boyfriend Tom."),
        (
            "I'm engaged to Owen, the wedding is on 20 December.",
            "Owen and I broke up.",
            "Mara is engaged to Owen; the wedding is on 20 December 2026.",
        ),
        ("I work as a nurse at the hospital in Ghent.", "I quit my job.", "Mara works as a nurse at the hospital in Ghent."),
        ("I have a dog called Biscuit.", "Biscuit died last night.", "Mara has a dog called Biscuit."),
        ("I have a dog called Biscuit.", "We had to put Biscuit down.", "dog called Biscuit"),
        (
            "My sister's wedding is on 12 December.",
            "My sister's wedding has been moved to March 2027.",
            "Mara's sister's wedding is on 12 December 2026.",
        ),
        ("I'm vegetarian.", "I eat meat again now.", "Mara is vegetarian."),
        ("我跟男朋友老郭还有一只猫住。", "我和老郭已经分手了。", "林夏跟男朋友老郭还有一只猫住。"),
        ("妹妹的婚礼定在2026年12月12日。", "妹妹的婚礼改到2027年3月了。", "林夏的妹妹的婚礼定在2026年12月12日。"),
        ("我三月要搬去里斯本。", "我不搬去里斯本了。", "林夏2027年3月要搬去里斯本。"),
        ("我在医院当护士。", "我辞职了。", "林夏在医院当护士。"),
        ("我养了一只狗叫豆豆。", "豆豆昨晚走了。", "林夏养了一只狗叫豆豆。"),
        ("我吃素。", "我现在又吃肉了。", "林夏吃素。"),
        ("我在学西班牙语。", "我不学西班牙语了。", "林夏在学西班牙语。"),
    ],
)
def test_what_comes_otherwise_takes_back_what_was_told_of_it(told: str, after: str, gone: str) -> None:
    assert gone in _gone(told, after)


@pytest.mark.parametrize(
    ("told", "after"),
    [
        ("I'm moving to Lisbon in March.", "I'm not moving to Porto."),
        ("I'm moving to Lisbon in March.", "My sister isn't moving to Lisbon after all."),
        ("I'm moving to Lisbon in March.", "I was thinking about moving to Lisbon instead of working."),
        ("I'm going to Lisbon on Friday.", "I'm not taking the train to Lisbon, I'm flying."),
        ("I plan to study medicine.", "I don't want to study medicine tonight."),
        ("I live in Leith with my boyfriend Tom.", "My sister broke up with Tom."),
        ("I got engaged to Owen on 20 September.", "Owen and I are off to the sea."),
        ("I have a dog called Biscuit.", "My neighbour died last week."),
        ("I have a cat named Turnip.", "The phone died last night."),
        ("I have a sister called Ida.", "Ida died last night."),
        ("My exam is on Friday.", "My brother's exam got moved to Monday."),
        ("I'm vegetarian.", "My brother eats meat again."),
        ("我养了一只狗叫豆豆。", "爷爷走了。"),
        ("我养了一只狗叫豆豆。", "我朋友的狗死了。"),
        ("我养了一只狗叫豆豆。", "今天笑死了。"),
        ("我养了一只猫叫年糕。", "年糕走了两步又趴下了。"),
        ("我三月要搬去里斯本。", "我不搬去昆明了。"),
        ("妹妹的婚礼定在2026年12月12日。", "我的考试推迟到下周一了。"),
        ("我吃素。", "我弟弟又吃肉了。"),
        ("我在学西班牙语。", "今天不学西班牙语了，太累。"),
        ("我跟男朋友老郭住。", "我姐和她男朋友分手了。"),
    ],
)
def test_what_is_of_another_or_of_this_once_takes_nothing_back(told: str, after: str) -> None:
    assert _gone(told, after) == []


@pytest.mark.parametrize(
    ("told", "after"),
    [
        ("我从青岛回来了。", "从前我说再也不回青岛了，这话我也收回。"),
        ("我每年都回青岛。", "我从前说过，我再也不回青岛了，是一时的气话。"),
        ("我从青岛回来了。", "我再也不回青岛了。"),
        ("我养了一只猫。", "我以前说过不养猫了。"),
    ],
)
def test_what_somebody_said_long_ago_takes_nothing_back(told: str, after: str) -> None:
    assert _gone(told, after) == []


@pytest.mark.parametrize(("told", "after", "gone"), [("我每年都回青岛。", "我再也不回青岛了。", "林夏每年都回青岛。")])
def test_what_is_said_now_does(told: str, after: str, gone: str) -> None:
    assert gone in _gone(told, after)


def test_of_what_is_told_together_the_part_that_is_meant_goes_whatever_was_in_the_other() -> None:
    told = "I'm allergic to cats, and she has three of them, so the fitting was mostly sneezing."
    assert "cats" in _gone(told, "I'm not allergic to cats.")
    assert _gone("I was allergic to cats as a child.", "I'm not allergic to cats.") == []


def test_what_one_dares_now_is_feared_no_more() -> None:
    assert "打电话" in _gone("我怕打电话。", "我明天再打，我现在敢打了。")
    assert _gone("我怕打电话。", "我现在敢坐飞机了。") == []
