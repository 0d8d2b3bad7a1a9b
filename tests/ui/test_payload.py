"""What a page sends can be anything at all."""

from __future__ import annotations

import gradio as gr
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui.following import wanted_by
from ui.painter import SHEETS
from ui.payload import MAX_ID_CHARS, MAX_MARKS, MAX_ROUND, Payload

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=300) | st.text("\ud800a,", max_size=300),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(anything)
def test_any_value_reads_as_the_type_that_was_asked_for(value: object) -> None:
    for payload in (
        Payload(value),
        Payload({"x": value}),
        Payload.of(gr.EventData(None, value)),
        Payload.of(gr.EventData(None, {"x": value})),
    ):
        assert len(payload.id("x")) <= MAX_ID_CHARS
        payload.id("x").encode()
        assert len(payload.ids("x", most=2)) <= 2
        assert isinstance(payload.text("x"), str)
        assert 0 <= payload.number("x") <= MAX_ROUND
        offset = Payload({"offset": value}).offset()
        assert offset is None or (offset == value and -840 <= offset <= 840)
        assert payload.one_of("x", "score", "newest") in ("score", "newest")
        marks = payload.marks("x")
        assert len(marks) <= MAX_MARKS
        assert all(isinstance(part, str) for pair in marks.items() for part in pair)
        assert 1 <= wanted_by(payload).limit <= 600
        assert wanted_by(payload).tab in SHEETS


def test_what_is_there_is_read() -> None:
    payload = Payload({"chat": "abc", "round": 12, "order": "newest", "limit": 120, "text": "  a\n"})
    assert payload.id("chat") == "abc"
    assert payload.number("round") == 12
    assert payload.text("text") == "  a\n"
    assert (wanted_by(payload).order, wanted_by(payload).limit) == ("newest", 120)


def test_half_a_surrogate_pair_is_an_id_of_nothing() -> None:
    assert Payload({"chat": "ab\ud800"}).id("chat") == "ab?"
    assert Payload({"chats": "a,b\udfff,c"}).ids("chats", most=2) == ("a", "b?")


def test_marks_are_short_strings_by_name() -> None:
    sent = {"persona": "a1", "story": 3, 4: "b", "memories": "x" * (MAX_ID_CHARS + 1)}
    assert Payload({"marks": sent}).marks("marks") == {"persona": "a1"}
    assert len(Payload({"marks": {str(n): "m" for n in range(500)}}).marks("marks")) == MAX_MARKS


@pytest.mark.parametrize(
    ("value", "offset"),
    [
        (480, 480),
        (-840, -840),
        (840, 840),
        (0, 0),
        (841, None),
        (-841, None),
        (480.0, None),
        (480.5, None),
        ("480", None),
        (True, None),
        (None, None),
    ],
)
def test_an_offset_is_whole_minutes_of_a_place_on_earth_or_none(value: object, offset: int | None) -> None:
    assert Payload({"offset": value}).offset() == offset
    assert Payload({}).offset() is None


@pytest.mark.parametrize(("value", "number"), [(True, 7), ("3", 7), (3.9, 3), (-5, 0), (float("nan"), 7), (float("inf"), 100), (None, 7)])
def test_a_number_is_brought_into_its_bounds(value: object, number: int) -> None:
    assert Payload({"n": value}).number("n", most=100, otherwise=7) == number
