"""Who a story's people are, whom one is to meet when, what one told whom, and what leaves out what it is about."""

from __future__ import annotations

import pytest

from tests.memory.extraction.english_said import facts_of, values_of


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("Ketta is a shipwright.", ["Ketta is a shipwright."]),
        ("Wim is nine.", ["Wim is nine."]),
        ("I look after a girl. Ketta is twelve and she signs.", ["Mara looks after a girl.", "Ketta is twelve and she signs."]),
        ("Ketta's birthday is on the ninth.", ["Ketta's birthday is on the ninth."]),
        ("We're meeting on Friday at ten.", ["Mara and others are meeting on 14 June 2024 at ten."]),
        (
            "I told your man at the gate that I was a tailor, just so you know.",
            ["Mara told Aurel's man at the gate that Mara was a tailor."],
        ),
    ],
)
def test_people_of_the_story_appointments_and_what_was_told_of_oneself(text: str, facts: list[str]) -> None:
    assert facts_of(text) == facts


@pytest.mark.parametrize(
    "text",
    [
        "Lisbon is a city.",
        "Ketta is a mess.",
        "Leith is nine miles away.",
        "Monday is my day off.",
        "I told you that I was a tailor.",
        "I told your man that you were a tailor.",
        "We should meet some time.",
    ],
)
def test_what_no_person_is_and_what_is_said_to_the_listener_is_not(text: str) -> None:
    assert facts_of(text) == []


def test_an_hour_makes_a_plan() -> None:
    assert ("plans", "go to the old mill at noon") in values_of("I'll go to the old mill at noon.")
    assert not any(key == "plans" for key, _ in values_of("I'll go to the old mill."))


@pytest.mark.parametrize(
    "text",
    [
        "I have three.",
        "I've been clean for three.",
        "I've got about four put by for the wedding.",
        "I missed the 6pm one.",
        "I'd rather sell to anybody but Tom.",
        "Tom says a fortnight.",
        "A goat named Biscuit, no husband (was engaged, it's fine.",
    ],
)
def test_what_leaves_out_what_it_is_about_is_not_told_alone(text: str) -> None:
    assert facts_of(text) == []


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("I've been sober for six years.", "Mara has been sober for six years."),
        ("I owe Tom twelve thousand.", "Mara owes Tom twelve thousand."),
        ("I have three of his books.", "Mara has three of Tom's books."),
        ("I sell honey to the neighbours.", "Mara sells honey to the neighbours."),
        ("I was on shift and didn't make it in time.", "Mara was on shift."),
        ("I keep bees. My sister has two.", "Mara keeps bees; Mara's sister has two."),
    ],
)
def test_what_says_it_is(text: str, fact: str) -> None:
    assert fact in facts_of("Tom writes. " + text if "his" in text.split() else text)


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("Ketta left school in May. Joined the navy.", ["Ketta left school in May 2024."]),
        ("My brother quit school. Bought a boat.", ["Mara's brother quit school."]),
        ("I quit school. Bought a boat.", ["Mara quit school.", "Mara bought a boat."]),
        ("My cat died and I cried. Went to the vet with her sister.", None),
    ],
)
def test_what_goes_on_without_a_subject_behind_somebody_else_is_not_the_speakers(text: str, facts: list[str] | None) -> None:
    if facts is None:
        assert any("went to the vet" in fact for fact in facts_of(text))
    else:
        assert facts_of(text) == facts


def test_a_road_breathes_not() -> None:
    assert not any(
        "Fen Lane" in fact and "limp" in fact for fact in facts_of("A hare. I hit it with my cart on Fen Lane. He's limping badly.")
    )


def test_a_mind_changed_says_not_from_what_to_what() -> None:
    assert facts_of("I changed my mind about Friday.") == []


def test_though_at_an_end_is_no_part() -> None:
    assert facts_of("im good at chess tho, my dad taught me chess")[0].startswith("Mara is good at chess")
    assert values_of("I'm good at chess though.") == {("skills", "chess")}


def test_an_initial_is_no_with() -> None:
    assert any("Harry W Finch" in fact for fact in facts_of("My uncle is called Harry W Finch."))
    assert facts_of("I went to the pier w my sister.") == ["Mara went to the pier with their sister."]
