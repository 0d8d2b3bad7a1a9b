"""What is put off or booked lies ahead though it was done; what one quit is over; and what is said around a statement stays out of it.

English is said on Wednesday 12 June 2024, Chinese on Monday 20 May 2024.
"""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memory.timeline import mentions, spell
from tests.memory.extraction.english_said import facts_of, values_of

MONDAY = datetime(2024, 5, 20, 10, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("We moved the review to Friday.", "Mara and others moved the review to 14 June 2024."),
        ("I booked the dentist for Tuesday.", "Mara booked the dentist for 18 June 2024."),
        ("My mother postponed her visit until December.", "Mara's mother postponed her visit until December 2024."),
        (
            "On Monday we moved the review to Friday because of the snow.",
            "On 10 June 2024 Mara and others moved the review to 14 June 2024 because of the snow.",
        ),
        ("I quit my job in March.", "Mara quit their job in March 2024."),
        ("I quit in March.", "Mara quit in March 2024."),
        ("I quit smoking.", "Mara quit smoking."),
        ("I cut my hair on Monday.", "Mara cut their hair on 10 June 2024."),
        ("I set two alarms every day.", "Mara sets two alarms every day."),
    ],
)
def test_days_put_off_to_lie_ahead_and_what_was_done_behind(text: str, fact: str) -> None:
    assert facts_of(text) == [fact]


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("I have a drawing class on Friday evening.", "Mara has a drawing class on 14 June 2024."),
        ("I've got a ten-mile run on Saturday, so no wine.", "Mara has got a ten-mile run on 15 June 2024."),
        ("I've got choir on Thursday.", "Mara has got choir on 13 June 2024."),
        ("My aunt has her hearing test on Monday.", "Mara's aunt has her hearing test on 17 June 2024."),
        ("I had a drawing class on Friday.", "Mara had a drawing class on 7 June 2024."),
        ("I got a parcel on Monday.", "Mara got a parcel on 10 June 2024."),
        ("I have a bruise from what I did on Friday.", "Mara has a bruise from what Mara did on 7 June 2024."),
        ("I have a cousin who fell on Friday.", "Mara has a cousin who fell on Friday."),
        ("I have choir on Fridays.", "Mara has choir on Fridays."),
        ("I'm in my last year of law school.", "Mara is in their last year of law school."),
    ],
)
def test_what_one_has_on_a_day_lies_ahead(text: str, fact: str) -> None:
    assert facts_of(text) == [fact]


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("我们把评审改到周五了。", "2024年5月24日"),
        ("牙医约在了周二。", "2024年5月21日"),
        ("会挪到周四了。", "2024年5月23日"),
        ("我们把体检改到下周五了。", "2024年5月31日"),
        ("周五我去看了牙医。", "2024年5月17日"),
    ],
)
def test_a_day_that_something_is_put_off_to_in_chinese(text: str, date: str) -> None:
    assert [spell(m.range, language="zh") for m in mentions(text, said_at=MONDAY, language="zh")] == [date]


def test_a_week_from_monday_to_friday_is_no_day() -> None:
    assert mentions("从周一到周五我都上班了。", said_at=MONDAY, language="zh") == []


def test_nobody_lives_in_a_day_and_what_is_moved_is_not_who_moves() -> None:
    assert values_of("We moved the review to Friday.") == set()
    assert values_of("I moved my office to Berlin.") == set()
    assert values_of("We moved house to Leeds in May.") == {("residence", "Leeds")}
    assert values_of("We moved to Leeds.") == {("residence", "Leeds")}


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("I love swimming, by the way.", "Mara loves swimming."),
        ("I am allergic to shellfish by the way.", "Mara is allergic to shellfish."),
        ("I bake rye bread instead.", "Mara bakes rye bread."),
        ("I now bake rye bread instead of buns.", "Mara now bakes rye bread instead of buns."),
    ],
)
def test_what_trails_behind_a_statement_stays_out_of_it(text: str, fact: str) -> None:
    assert facts_of(text) == [fact]


@pytest.mark.parametrize(
    ("question", "text", "facts"),
    [
        ("What is the boy called?", "Teo. He's obsessed with lighthouses.", ["Teo is obsessed with lighthouses."]),
        ("And what's her name?", "Ida! She plays the cello in Rome.", ["Ida plays the cello in Rome."]),
        ("What's his name?", "Teo.", []),
        ("What's his name?", "Dunno. He is afraid of boats.", []),
        ("What is your son called?", "Teo. He loves trains.", ["Mara's son is called Teo.", "Mara's son loves trains."]),
    ],
)
def test_a_bare_name_says_who_is_meant_behind_it(question: str, text: str, facts: list[str]) -> None:
    assert facts_of(text, question=question) == facts
