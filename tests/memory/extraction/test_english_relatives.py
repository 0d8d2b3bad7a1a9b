"""Whom a message goes on to name, who is dead, and who is nobody at all: cries, places, the listener's "mine"."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memory.extraction.draft import Line
from memory.extraction.grounded import _drafts, _sound
from tests.memory.extraction.english_said import facts_of, values_of


def _kept(text: str) -> set[tuple[str, str]]:
    line = Line(text, "Mara", "Aurel", True, datetime(2024, 6, 12, 10, tzinfo=UTC))
    return {(value.key, value.value) for value in _sound(_drafts(line, "en"), line).values}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("My cousin's moving out. She's called Lena.", ("family", "cousin Lena")),
        ("My uncle is a vet. His name is Otto.", ("family", "uncle Otto")),
        ("I have a son. He's nine and his name is Wim.", ("family", "son Wim")),
        ("My cat is ill again. She's called Pepper.", ("pets", "cat Pepper")),
        ("I've got a girlfriend. Her name's Nora.", ("partner", "girlfriend Nora")),
        ("my sister is getting divorced. shes called greta", ("family", "sister greta")),
    ],
)
def test_a_relative_is_kept_with_the_name_that_the_next_sentence_gives(text: str, value: tuple[str, str]) -> None:
    assert value in _kept(text)


@pytest.mark.parametrize(
    "text",
    [
        "My brother and my uncle came. He's called Otto.",
        "My sister has a friend. She's called Lena.",
        "My aunt married a sailor. He's called Otto.",
        "My dad has a boat. She's called Lena.",
        "My sister phoned my aunt. Her name is Lena.",
    ],
)
def test_where_two_can_be_meant_or_another_nobody_is_named(text: str) -> None:
    assert not any("Lena" in value or "Otto" in value for _, value in _kept(text))


def test_who_is_mourned_is_no_partner() -> None:
    assert not any(key == "partner" for key, _ in values_of("My husband bred mares. He's been gone two winters now; the fever took him."))
    assert not any(key == "partner" for key, _ in values_of("My wife is a baker. She died in spring."))
    assert ("partner", "husband") in values_of("My husband is a sailor. He's gone to Riga.")
    assert ("partner", "wife") in values_of("My wife has a brother. He died in spring.")


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("haha ask my tutor. shes called Mrs Brand and she hates me", ["Mara's tutor is called Mrs Brand; she hates Mara."]),
        ("omg I finally sold my boat", ["Mara finally sold their boat."]),
        ("nooo I have to walk my dog", ["Mara has to walk their dog."]),
        ("I met a woman from Brno. She rode with us.", ["Mara met a woman from Brno; she rode with Mara and others."]),
        ("Mine send me a card each year.", []),
        ("I'm deceased 💀", []),
        ("I'm dead 😂 my boss wears a wig", ["Mara's boss wears a wig."]),
        ("I swear on the moon.", []),
        ("I read the letter.", ["Mara read the letter."]),
        ("I read the paper every morning.", ["Mara reads the paper every morning."]),
        ("I only picked law bc my uncle did it", ["Mara only picked law because their uncle did it."]),
        ("I live w my aunt", ["Mara lives with their aunt."]),
    ],
)
def test_cries_slang_and_places_are_nobody(text: str, facts: list[str]) -> None:
    assert facts_of(text) == facts


def test_what_sort_of_girl_one_is_says_no_gender_and_what_one_is_called_no_taste() -> None:
    assert values_of("I'm a tea girl.") == set()
    assert values_of("I'm a woman.") == {("gender", "woman")}
    assert values_of("I prefer Lea to Mrs. Marsh.") == {("nickname", "Lea")}
    assert values_of("I prefer Bach to Mozart.") == {("liked", "Bach")}


def test_who_offers_something_for_her_is_another() -> None:
    assert facts_of("I built a skiff. June once offered me nine thousand for her.") == ["Mara built a skiff."]


def test_what_it_cost_is_owned_no_more() -> None:
    assert values_of("It cost me my compass.") == set()
    assert values_of("I carry my compass everywhere.") == {("belongings", "compass")}
