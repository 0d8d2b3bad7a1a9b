"""Whose it is and what one lives by: pronouns that mean somebody else, names called out, trades told as what is done for a living, what is on one's calendar."""

from __future__ import annotations

import pytest

from tests.memory.extraction.english_said import facts_of, values_of


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("I'm allergic to walnuts, badly, I carry an EpiPen.", ["Mara is allergic to walnuts.", "Mara carries an EpiPen."]),
        ("I like smoked herring, Aurel, I've had three since.", ["Mara likes smoked herring, Mara has had three since."]),
        ("Priya has known her for years.", []),
        ("My sister took the dog with her.", ["Mara's sister took the dog with her."]),
        ("He said a survey is a service, Mara, we serve the client.", []),
        ("I held the plumb bob, don't laugh, on its string.", []),
        ("I slipped on a green one.", []),
        ("I believe hanging with loved ones is amazing.", ["Mara believes hanging with loved ones is amazing."]),
        ("I began it nine years back.", []),
        ("Isaac told me.", []),
        ("Mrs Hall has got a second iron. He's getting married in June.", ["Mrs Hall has got a second iron."]),
        ("He hasn't swum since Gwenver. He was frightened too. He had his shoes on.", []),
        ("Nine years ago in November I missed the tide by an hour.", ["In November 2015 Mara missed the tide by an hour."]),
    ],
)
def test_of_whom_it_is_said_or_nothing(text: str, facts: list[str]) -> None:
    assert facts_of(text) == facts


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("I wrote to her.", "How's your Portuguese?"),
        ("He's very good at arrangements.", "Somebody'll be standing on the grass, then. Have you told him?"),
    ],
)
def test_a_language_and_nobody_are_no_persons(text: str, question: str) -> None:
    assert facts_of(text, question=question) == []


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("I mend pipe organs for a living.", {("occupation", "mend pipe organs")}),
        ("I drive the night bus in Cork.", {("occupation", "drive the night bus")}),
        ("I drive the bus to work.", set()),
        ("I drive my truck.", {("belongings", "truck")}),
        ("I make a living as a translator.", {("occupation", "translator")}),
        ("I run a bakery in Ghent.", {("occupation", "run a bakery in Ghent")}),
        ("I run a marathon in May.", set()),
        ("I run the shop today.", set()),
        ("I've an audition on Friday for the youth orchestra.", {("plans", "audition on Friday for the youth orchestra")}),
        ("I've got a dentist's appointment next Tuesday.", {("plans", "dentist's appointment next Tuesday")}),
        ("I have a lesson every Monday.", set()),
        ("I had an audition on Friday.", set()),
        (
            "I live in Olomouc with my husband Jonas.",
            {("residence", "Olomouc"), ("household", "husband Jonas"), ("partner", "husband Jonas")},
        ),
        ("I live with a greyhound and a cat.", {("household", "a greyhound and a cat")}),
        ("I like smoked herring, Aurel, I've had three since.", {("food_liked", "smoked herring")}),
    ],
)
def test_what_one_lives_by_with_whom_and_what_is_to_come(text: str, values: set[tuple[str, str]]) -> None:
    assert values_of(text) == values


def test_what_one_runs_is_told_and_a_day_one_has_something_on_lies_ahead() -> None:
    assert facts_of("I run a bakery in Ghent.") == ["Mara runs a bakery in Ghent."]
    assert facts_of("I've an audition on Friday for the youth orchestra.") == [
        "Mara has an audition on 14 June 2024 for the youth orchestra."
    ]


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("Owen sleeps like a stone. He's asked ninety people to the wedding.", "Owen has asked ninety people to the wedding."),
        ("I won't go in past the knees, mind.", "Mara won't go in past the knees."),
    ],
)
def test_what_was_done_is_no_passive_and_what_trails_falls_away(text: str, facts: str) -> None:
    assert facts in facts_of(text)


def test_ends_and_what_was_hurt_are_told_as_they_were() -> None:
    assert facts_of("I've two boys, Emil and Jan.") == ["Mara has two boys, Emil and Jan."]
    assert facts_of("I hurt my back again.") == ["Mara hurt their back again."]
    assert values_of("My brother-in-law Edin called. I drive him to the clinic every Thursday.") == {("family", "brother-in-law Edin")}


def test_what_is_of_whom_nobody_named_is_not_told() -> None:
    assert facts_of("Ida. She's in Lisbon. She went at twenty.", question="Have you got one? A sister?") == []
    assert facts_of("We said it so often, we can't have a cat, that I got to thinking it was me.") == []


def test_a_value_keeps_its_day_to_the_end_and_every_brick_is_no_dislike() -> None:
    paper = ("plans", "sit the paper for chartered surveyor on the sixteenth of May")
    assert values_of("I'm going to sit the paper for chartered surveyor on the sixteenth of May.") == {paper}
    assert values_of("I hate every brick.") == set()
