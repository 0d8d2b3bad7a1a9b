"""What a session changed of the sketch."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from memory.persona import normalised, sketch
from memory.persona_changes import changes
from memory.persona_keys import KEYS
from storage.records import Kind, Memory

AT = datetime(2025, 1, 1, tzinfo=UTC)


def value(key: str, text: str, round_number: int) -> Memory:
    return Memory(
        id=f"{key} {text} {round_number}",
        chat_id="c",
        kind=Kind.PERSONA,
        text=text,
        language="en",
        round_first=round_number,
        round_last=round_number,
        said_at=AT,
        sources=(),
        derivation_key="",
        payload={"key": key},
    )


def told(before: list[Memory], after: list[Memory]) -> list[tuple[str, str, str, str]]:
    found = changes(sketch(before), sketch([*before, *after]))
    return [(c.key.name, c.turn.value, c.value.text if c.value else "", c.was.text if c.was else "") for c in found]


def test_what_is_new_changed_and_true_no_more_is_told_by_key() -> None:
    before = [value("residence", "Perth", 1), value("pets", "cat", 2), value("food_liked", "oysters", 3)]
    after = [value("residence", "Leith", 9), value("pets", "dog", 9), value("food_disliked", "oysters", 10)]
    assert told(before, after) == [  # in the registry's order
        ("pets", "new", "dog", ""),
        ("residence", "changed", "Leith", "Perth"),
        ("food_liked", "retired", "", "oysters"),
        ("food_disliked", "new", "oysters", ""),
    ]


def test_what_says_more_of_the_same_is_a_change_and_what_is_said_again_is_none() -> None:
    before = [value("family", "sister", 1), value("name", "Mara", 1)]
    assert told(before, [value("family", "sister Ida", 8), value("name", "mara", 9)]) == [("family", "changed", "sister Ida", "sister")]


def test_what_was_taken_back_is_true_no_more() -> None:
    before = [value("occupation", "piano tuner", 1)]
    (change,) = changes(sketch(before), sketch([]))
    assert (change.turn.value, change.value, change.was) == ("retired", None, before[0])


VALUES = st.lists(st.tuples(st.sampled_from(sorted(KEYS)), st.sampled_from(["a", "b", "a b", "c"]), st.integers(1, 20)), max_size=12)


@given(VALUES, st.integers(1, 20))
def test_nothing_changes_but_what_differs(said: list[tuple[str, str, int]], since: int) -> None:
    values = [value(*one) for one in dict.fromkeys(said)]
    before, now = sketch([v for v in values if v.round_last < since]), sketch(values)
    found = changes(before, now)
    was = {(e.key.name, normalised(v.text)) for e in before for v in e.values}
    holds = {(e.key.name, normalised(v.text)) for e in now for v in e.values}
    assert {(c.key.name, normalised(c.value.text)) for c in found if c.value} == holds - was
    assert {(c.key.name, normalised(c.was.text)) for c in found if c.was} == was - holds
    assert changes(now, now) == ()
