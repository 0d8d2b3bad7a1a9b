"""What topics are called."""

from __future__ import annotations

import pytest

from memory.topic_headings import OPENING, Headings


def headed(*topics: list[str], language: str = "en", called: tuple[str, ...] = ("Mara", "Nell Garrow")) -> list[str]:
    headings = Headings(language, called=called)
    for texts in topics:
        headings.learn(texts, language)
    return [headings.of(texts, language) for texts in topics]


@pytest.mark.parametrize(
    ("text", "heading"),
    [
        ("Mara runs a bakery in Ghent.", "Bakery, Ghent"),
        ("Mara went to San Francisco with Tobias.", "San Francisco, Tobias"),
        ("Mara can swim.", "Swim"),
        ("There are bees on Mara's roof.", "Bees, roof"),
    ],
)
def test_a_topic_is_called_by_the_things_and_names_it_holds(text: str, heading: str) -> None:
    assert headed([text]) == [heading]


def test_what_more_of_its_sentences_hold_goes_first() -> None:
    garden = ["Mara has a wooden shed.", "Mara's tomatoes need sun.", "Snails ate Mara's tomatoes.", "Mara sold the tomatoes in Leith."]
    (heading,) = headed(garden)
    assert heading.split(", ")[0] == "Tomatoes"
    assert len(heading.split(", ")) == 3


def test_what_every_topic_of_a_path_holds_makes_room_for_what_one_holds() -> None:
    cargo = ["lamps", "pears", "copper", "wool", "salt", "honey"]
    days = [[f"Mara's ship came into the harbour at noon, and men carried {thing} to the quay."] for thing in cargo]
    assert all(thing in heading for heading, thing in zip(headed(*days), cargo, strict=True))


@pytest.mark.parametrize(
    ("text", "heading"),
    [("林晚在杭州开了一家面包店。", "杭州、面包店"), ("林晚的弟弟是蛋糕师傅。", "弟弟、蛋糕、师傅"), ("林晚每天跑步。", "跑步")],
)
def test_chinese_topics_are_called_in_chinese_words(text: str, heading: str) -> None:
    assert headed([text], language="zh", called=("林晚", "沈砚")) == [heading]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Mara Garrow.", "en"),
        ("Mara likes it.", "en"),
        ("The player talks to Nell Garrow.", "en"),
        ("林晚喜欢。", "zh"),
        ("42", "en"),
        ("玩家觉得很好。", "zh"),
    ],
)
def test_a_heading_is_never_empty_and_never_a_talker_alone(text: str, language: str) -> None:
    called = ("Mara Garrow", "Nell Garrow", "林晚")
    (heading,) = headed([text], language=language, called=called)
    assert heading
    assert heading not in ("Mara", "Nell", "Nell Garrow", "林晚", "The player", "Player", "玩家")


def test_where_no_word_says_anything_the_sentence_begins_the_heading() -> None:
    assert headed(["Mara likes it."]) == ["Mara likes it"]
    (heading,) = headed(["Mara " + "really " * 30 + "likes it."])
    assert heading.endswith("…")
    assert len(heading) <= OPENING + 1


def test_a_heading_does_not_hang_on_how_often_it_is_asked_for() -> None:
    texts = ["Mara planted tomatoes.", "Ida is a nurse in Leith."]
    assert headed(texts) == headed(texts)
