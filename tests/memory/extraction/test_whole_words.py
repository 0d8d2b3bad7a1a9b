"""Nothing that belongs to a saying is cut off it, and nothing is told of people who were not named."""

from __future__ import annotations

from datetime import datetime

import pytest

from memory.extraction import english
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
