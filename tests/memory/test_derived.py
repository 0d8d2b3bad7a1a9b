"""Conclusions from several values: what they need, what forbids them, and that they follow from the path alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.derived import DERIVED, MOOD, derive, kind_of
from storage.records import Memory
from tests.memory.derived_pairs import PAIRS
from tests.memory.test_persona import value

KEYS = {key.name: key for key in (*DERIVED, MOOD)}


def derived(*values: Memory, now: int = 20) -> dict[str, tuple[str, list[str]]]:
    return {d.key.name: (d.kind, [v.text for v in d.grounds]) for d in derive(values, now=now)}


@pytest.mark.parametrize("name", PAIRS)
def test_a_value_is_of_the_kind_that_a_reader_says_or_of_none(name: str) -> None:
    said = {text: kind_of(KEYS[name], text) for text, _ in PAIRS[name]}
    assert {text: found[0] if found else "" for text, found in said.items()} == dict(PAIRS[name])


def test_two_values_of_different_rounds_come_to_a_conclusion_that_names_them() -> None:
    said = [value("food_liked", "honey cookies", 2), value("favorite_food", "chocolate", 7)]
    assert derived(*said) == {"flavour": ("sweet", ["honey cookies", "chocolate"])}
    assert derived(value("food_liked", "麻辣烫", 2), value("food_liked", "水煮鱼", 7)) == {"flavour": ("spicy", ["麻辣烫", "水煮鱼"])}
    assert derived(value("favorite_book", "《三体》", 2), value("liked", "科幻电影", 7)) == {
        "genre": ("science_fiction", ["《三体》", "科幻电影"])
    }
    assert derived(value("hobbies", "sailing", 2), value("favorite_place", "the beach", 7)) == {
        "kind_of_place": ("sea", ["sailing", "the beach"])
    }


def test_one_value_and_two_of_one_round_and_the_same_twice_come_to_none() -> None:
    assert derived(value("food_liked", "chocolate", 2)) == {}
    assert derived(value("food_liked", "chocolate", 2), value("food_liked", "ice cream", 2, 1)) == {}
    assert derived(value("food_liked", "a chocolate", 2), value("favorite_food", "hot chocolate", 9)) == {}


def test_another_kind_half_as_frequent_leaves_it_open() -> None:
    sweet = [value("food_liked", text, at) for at, text in enumerate(("chocolate", "ice cream", "honey"), start=1)]
    assert derived(*sweet, value("food_liked", "lemons", 8)) == {"flavour": ("sweet", ["chocolate", "ice cream", "honey"])}
    assert derived(*sweet, value("food_liked", "lemons", 8), value("food_liked", "pickles", 9)) == {}


def test_a_dislike_of_the_kind_forbids_it_and_what_was_taken_back_does_not_count() -> None:
    spicy = [value("food_liked", "kimchi", 1), value("food_liked", "chilli crab", 4)]
    assert derived(*spicy) == {"flavour": ("spicy", ["kimchi", "chilli crab"])}
    assert derived(*spicy, value("food_disliked", "wasabi", 9)) == {}
    assert derived(*spicy, value("food_disliked", "kimchi", 9)) == {}
    assert (
        derived(value("favorite_book", "The Hobbit", 1), value("favorite_film", "Harry Potter", 3), value("favorite_film", "Alien", 8))
        == {}
    )


def test_a_mood_is_looked_back_upon_over_the_last_rounds() -> None:
    low = [value("mood", "tired", 3), value("mood", "lonely", 8)]
    assert derived(*low) == {"mood_lately": ("low", ["tired", "lonely"])}
    assert derived(*low, now=34) == {}, "only one of them is within the last thirty rounds"
    assert derived(value("mood", "tired", 3), value("mood", "tired", 8)) == {"mood_lately": ("low", ["tired", "tired"])}
    assert derived(value("mood", "tired", 3), value("mood", "lonely", 3, 1)) == {}
    assert derived(*low, value("mood", "happy", 12)) == {}, "the newest is otherwise"
    assert derived(*low, value("mood", "happy", 5), value("mood", "sad", 12)) == {"mood_lately": ("low", ["tired", "lonely", "sad"])}
    assert derived(value("mood", "很累", 3), value("mood", "不开心", 8)) == {"mood_lately": ("low", ["很累", "不开心"])}


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["food_liked", "food_disliked", "favorite_food", "hobbies", "mood", "liked", "disliked"]),
            st.sampled_from([text for pairs in PAIRS.values() for text, _ in pairs]),
            st.integers(1, 30),
        ),
        max_size=30,
    ),
    st.randoms(),
)
def test_it_is_the_same_in_whatever_order_values_are_read_and_always_has_its_grounds(
    said: list[tuple[str, str, int]], random: object
) -> None:
    values = [value(key, text, at, place) for place, (key, text, at) in enumerate(said)]
    shuffled = list(values)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    made = derive(values, now=30)
    assert derive(shuffled, now=30) == made
    for one in made:
        assert len({v.round_last for v in one.grounds}) >= 2
        assert {kind_of(one.key, v.text)[0] for v in one.grounds if kind_of(one.key, v.text)} == {one.kind}  # type: ignore[index]
