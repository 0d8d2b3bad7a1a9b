"""What long role-play brings up: contractions, titles, quotations inside quotations, weeks that are no date."""

from __future__ import annotations

from datetime import datetime

import pytest

from memory.extraction import chinese, english
from memory.extraction.draft import Extraction, Line

AT = datetime(2024, 6, 12, 10)


def _en(text: str) -> Extraction:
    return english.extract(Line(text, "Mara", "Aurel", True, AT, ""))


def _zh(text: str) -> Extraction:
    return chinese.extract(Line(text, "林岚", "老顾", True, AT, ""))


def _facts(found: Extraction) -> list[str]:
    return [fact.text for fact in found.facts]


def _values(found: Extraction) -> list[tuple[str, str]]:
    return [(value.key, value.value) for value in found.values]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("My uncle Ned is kind. He's painted the whole fence.", "Mara's uncle Ned has painted the whole fence."),
        ("My uncle Ned is kind. He's invited to the party.", "Mara's uncle Ned is invited to the party."),
        ("My uncle Ned is proud. He's given a medal every year.", "Mara's uncle Ned is given a medal every year."),
        ("Mrs Pell sells eggs. She's bought a horse.", "Mrs Pell has bought a horse."),
    ],
)
def test_what_somebody_has_done_is_not_done_to_them(text: str, told: str) -> None:
    assert told in _facts(_en(text))


@pytest.mark.parametrize(
    "text", ["Mrs Pell sells eggs. He lives in Leith.", "Mr Dunn rang. She lives in Leith.", "Somebody'll be there. He lives in Leith."]
)
def test_a_pronoun_means_nobody_of_another_title_and_nobody_who_is_anybody(text: str) -> None:
    assert not any(fact.startswith(("Mrs Pell lives", "Mr Dunn lives", "Somebody")) for fact in _facts(_en(text)))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("I fell ill the last week of August.", "Mara fell ill the last week of August."),
        ("I fell ill last week.", "Mara fell ill in the week of 3 June 2024."),
        ("I was at home for the last week.", "Mara was at home for the week of 3 June 2024."),
        ("I was at home the past month.", "Mara was at home in May 2024."),
    ],
)
def test_a_week_of_something_is_no_week_before_today(text: str, told: str) -> None:
    assert _facts(_en(text)) == [told]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("And this is Rosie. She lives in Leith.", "Rosie lives in Leith."),
        ("My uncle Ned was a mine inspector.", "Mara's uncle Ned was a mine inspector."),
        ("My uncle Ned worked in the mine.", "Mara's uncle Ned worked in the mine."),
    ],
)
def test_who_was_introduced_is_meant_and_a_mine_is_nobodys(text: str, told: str) -> None:
    assert told in _facts(_en(text))


def test_where_two_were_named_neither_is_taken_for_the_other() -> None:
    assert not any(
        "Hall" in fact for fact in _facts(_en("Rosalind Hall, but nobody calls me that. And this is Biscuit. She's a retired greyhound."))
    )


def test_what_is_quoted_inside_of_speech_is_somebody_elses() -> None:
    assert _facts(_en("\"'I never eat plums.' You told me that in May. I keep bees.\"")) == ["Mara keeps bees."]
    assert _facts(_en("*She nods.* \"'I'm late. I sold the mill.' So he wrote. I keep bees.\" *She sits.*")) == ["Mara keeps bees."]
    assert _facts(_en("\"I don't eat plums. I keep the neighbours' bees.\"")) != []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("I like pickled herring.", ("food_liked", "pickled herring")),
        ("I like bread pudding.", ("food_liked", "bread pudding")),
        ("I like swimming.", ("hobbies", "swimming")),
        ("I'm a bridge inspector.", ("occupation", "bridge inspector")),
    ],
)
def test_values_stand_under_their_key(text: str, value: tuple[str, str]) -> None:
    assert _values(_en(text)) == [value]


@pytest.mark.parametrize("text", ["I'm no good at swimming.", "I called off my sister's wedding.", "I didn't call off the wedding."])
def test_what_is_not_so_or_not_ones_own_is_no_value_of_these(text: str) -> None:
    assert not {"skills", "partner"} & {key for key, _ in _values(_en(text))}


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("我拿手机录下来了。", []),
        ("我拿手的是红烧肉。", [("skills", "红烧肉")]),
        ("考上了才算数。", []),
        ("我考上了北大。", [("school", "北大"), ("achievements", "考上了北大")]),
    ],
)
def test_words_that_only_look_like_a_skill_or_a_success_are_none(text: str, values: list[tuple[str, str]]) -> None:
    assert _values(_zh(text)) == values


def test_somebody_who_is_who_they_are_is_no_fact() -> None:
    found = _zh("对，我是林岚。")
    assert _facts(found) == []
    assert _values(found) == [("name", "林岚")]
