"""What is typed in haste, told in one word or left in fragments, in English."""

from __future__ import annotations

import pytest

from tests.memory.extraction.english_said import facts_of
from tests.memory.extraction.english_said import said as extracted


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("my nan raised me n my brother", ["Mara's nan raised Mara and their brother."]),
        ("My nan died 3 yrs ago in November.", ["Mara's nan died in November 2021."]),
        ("they moved me to nights at the vet clinic", ["Mara was moved to nights at the vet clinic."]),
        ("they gave me the night shift", ["Mara was given the night shift."]),
        ("they let me go last week", ["Mara was let go in the week of 3 June 2024."]),
        ("they promoted me to head nurse", ["Mara was promoted to head nurse."]),
        (
            "My parents are strict. They sent me to a boarding school in York.",
            ["Mara's parents are strict.", "Mara's parents sent Mara to a boarding school in York."],
        ),
        ("im an illustrator i have a studio in Ghent", ["Mara is an illustrator.", "Mara has a studio in Ghent."]),
        ("I'm the sister I have always been.", ["Mara is the sister Mara has always been."]),
        ("signed w a real publisher on tuesday!!!", ["Mara signed with a real publisher on 11 June 2024."]),
        ("hate mushrooms. love anything w lemon", ["Mara hates mushrooms.", "Mara loves anything with lemon."]),
        ("I've been vegetarian since I was 9. hate mushrooms.", ["Mara has been vegetarian since Mara was 9.", "Mara hates mushrooms."]),
        ("I'm literally a nurse.", ["Mara is a nurse."]),
        ("I studied in Oslo or I would be a miller now.", ["Mara studied in Oslo."]),
        ("i live on peanut butter", ["Mara lives on peanut butter."]),
    ],
)
def test_what_is_typed_in_haste_is_told_written_out(said: str, told: list[str]) -> None:
    assert facts_of(said) == told


@pytest.mark.parametrize(
    "said",
    [
        "heyyy sorry i vanished",
        "NO flour or i am on the bathroom floor for two days.",
        "so im basically a bat now",
        "The one my mother gave me is nobody's business yet.",
        "I really like you too, chicken.",
        "I'd like to finish before I die.",
        "I do, with a parrot called Reverend who only swears in Welsh.",
        "I've got thirty-one left.",
    ],
)
def test_what_says_nothing_alone_is_not_told(said: str) -> None:
    assert facts_of(said, listener="Aurel") == []


def test_numbers_within_a_sentence_end_none() -> None:
    assert facts_of("I ran 3.5 miles on Monday.") == ["Mara ran 3.5 miles on 10 June 2024."]


@pytest.mark.parametrize(
    ("question", "said", "values"),
    [
        ("What can you eat?", "vegetarian, since i was 9. coeliac so NO flour", ["diet=vegetarian", "health=coeliac"]),
        ("What is your sister like?", "vegan. divorced.", []),
        ("Is she vegan?", "vegetarian, I think.", []),
        ("", "vegetarian.", []),
    ],
)
def test_a_state_in_one_word_is_whose_it_is_asked_of(question: str, said: str, values: list[str]) -> None:
    assert [f"{v.key}={v.value}" for v in extracted(said, question=question).values] == values


@pytest.mark.parametrize(
    ("said", "values"),
    [
        ("i live on peanut butter", []),
        ("I live on a boat.", ["residence=a boat"]),
        ("I grew up in Chennai in the water riots.", ["hometown=Chennai"]),
        ("im off on the 23rd", []),
    ],
)
def test_where_one_lives_and_is_from_is_a_place(said: str, values: list[str]) -> None:
    assert [f"{v.key}={v.value}" for v in extracted(said).values] == values


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("My daughter. Wren. She's seven.", "Mara's daughter Wren is seven."),
        ("My wife. She grew sweet peas.", "Mara's wife grew sweet peas."),
    ],
)
def test_who_is_named_in_a_fragment_is_meant_by_what_goes_on(said: str, told: str) -> None:
    assert told in facts_of(said)
    assert facts_of("Hello, my friend. He sold the house.") == []
