"""Rounds of what is heard: which lines belong together follows from the lines alone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from memory.listening import MOST_CHARS, MOST_LINES, goes_on, openings

START = datetime(2026, 5, 1, 9, tzinfo=UTC)


@dataclass(frozen=True)
class Said:
    speaker: str
    text: str
    said_at: datetime


def said(*lines: tuple[str, str] | tuple[str, str, float]) -> list[Said]:
    """Lines of (speaker, text, minutes since the one before, a half where nothing is said)."""
    at, made = START, []
    for speaker, text, *minutes in lines:
        at += timedelta(minutes=float(minutes[0]) if minutes else 0.5)
        made.append(Said(speaker, text, at))
    return made


LONG = "I went down to the harbour to see whether the boats were in."


def test_what_one_speaker_says_in_a_stretch_is_a_round_and_another_opens_the_next() -> None:
    assert openings(said(("Ann", LONG), ("Ann", "They were."), ("Bo", LONG), ("Ann", LONG))) == [True, False, True, True]


def test_a_short_line_of_another_belongs_to_what_it_answers() -> None:
    assert openings(said(("Ann", LONG), ("Bo", "Really?"), ("Cy", "Nice!"), ("Bo", LONG))) == [True, False, False, True]
    assert openings(said(("安", "我昨天去了港口看船，船都回来了。"), ("波", "嗯。"), ("波", "那条蓝色的船也在吗？我找了它好久。"))) == [
        True,
        False,
        True,
    ]


def test_who_goes_on_after_a_short_line_of_another_opens_a_round() -> None:
    assert openings(said(("Ann", LONG), ("Bo", "Yes."), ("Ann", "So I waited there until it was dark."))) == [True, False, True]


def test_a_silence_and_a_date_that_goes_back_open_a_round() -> None:
    assert openings(said(("Ann", LONG), ("Ann", "And then?", 5.1))) == [True, True]
    assert openings(said(("Ann", LONG), ("Ann", "And then?", 5))) == [True, False]
    assert openings(said(("Ann", LONG), ("Ann", "And then?", -6))) == [True, True]


def test_a_round_is_full_at_its_bounds() -> None:
    assert openings(said(*[("Ann", "More.")] * (MOST_LINES + 1))) == [True, *[False] * (MOST_LINES - 1), True]
    assert openings(said(("Ann", "x" * (MOST_CHARS - 5)), ("Ann", "12345"), ("Ann", "6"))) == [True, False, True]


lines = st.lists(
    st.tuples(
        st.sampled_from(["Ann", "Bo", "Cy"]), st.sampled_from(["Hm.", "嗯", LONG, "y" * 400]), st.sampled_from([0.0, 0.5, 4.0, 6.0, -7.0])
    ),
    min_size=1,
    max_size=25,
)


@given(lines, st.integers(0, 25))
def test_lines_that_come_in_two_parts_make_the_rounds_that_they_make_at_once(drawn: list[tuple[str, str, float]], cut: int) -> None:
    everything = said(*drawn)
    whole = openings(everything)
    first = whole[:cut]
    began = max((place for place, opens in enumerate(first) if opens), default=0)
    assert openings(everything[cut:], everything[began : len(first)]) == whole[cut:]


def test_nothing_goes_on_where_no_round_is_open() -> None:
    assert not goes_on([], said(("Ann", "Hm."))[0])
