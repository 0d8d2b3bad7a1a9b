"""What others wrote, as in a file of memory, may be any number of values and any text: the sketch takes no longer for it than a page can wait."""

from __future__ import annotations

import pytest

from memory.persona import MOST_NAME_CHARS, MOST_NAMED, MOST_VALUES, normalised, sketch, teller
from memory.persona_keys import KEYS
from tests.memory.test_persona import value
from tests.pace import STEADY, eightfold


@pytest.mark.parametrize("key", ["family", "food_liked", "health", "residence", "relationships"])
def test_thousands_of_values_of_one_key_are_folded_soon_and_the_newest_stand(key: str) -> None:
    (entry,) = sketch([value(key, f"w{n} bees", n) for n in range(4_000)])
    assert eightfold(lambda many: sketch([value(key, f"w{n} bees", n) for n in range(many)]), 500) < STEADY
    assert entry.values[0].text == "w3999 bees"
    assert len(entry.values) + len(entry.former) <= MOST_VALUES


def test_what_stands_in_one_place_keeps_its_order() -> None:
    said = [value(key, text, 1) for key in KEYS for text in ("first", "second")]
    assert sketch(said) == sketch(tuple(said))
    assert [v.text for v in next(e for e in sketch(said) if e.key.name == "residence").values] == ["second"]


def test_a_text_of_marks_is_compared_at_once() -> None:
    assert normalised("a" + "!" * 100_000 + "b") == "a" + "!" * 100_000 + "b"
    assert normalised("!?  a!b !?") == "a!b"
    assert eightfold(lambda many: normalised("a" + "!" * many + "b"), 50_000) < STEADY


def test_no_name_makes_a_text_grow_without_end() -> None:
    text = "The player knows the player. " * 1_000
    assert teller("x" * (MOST_NAME_CHARS + 1))(text) == text
    assert len(teller("Annabella")(text)) <= len(text) + MOST_NAMED * MOST_NAME_CHARS
    assert teller("Ann")("The player met the player.") == "Ann met Ann."
