"""English remarks of which a part is told: what trails behind falls away if nobody can tell what it means, and only where the rest stays true."""

from __future__ import annotations

from datetime import datetime

import pytest

from memory.extraction.draft import Line
from memory.extraction.english import extract


def _facts(text: str) -> list[str]:
    return [fact.text for fact in extract(Line(text, "Mara", "Aurel", True, datetime(2024, 6, 12, 10))).facts]


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("I drive my mother to the clinic on Sundays, they expect it.", "Mara drives their mother to the clinic on Sundays."),
        ("I left my aunt's party while they were cutting the cake.", "Mara left their aunt's party."),
        (
            "I carried a stranger's pram up the stairs, and left before she thanked me.",
            "Mara carried a stranger's pram up the stairs, and left.",
        ),
        ("I bake bread from memory, there was never a scale, she guided my hands.", "Mara bakes bread from memory."),
        ("I moved the piano into the attic because they complained.", "Mara moved the piano into the attic."),
        ("My uncle showed me how to knot a net, in that light.", "Mara's uncle showed Mara how to knot a net."),
        ("I ate dinner with Tom before the concert and the ceremony.", "Mara ate dinner with Tom."),
        ("Before the interview and the exam, I ate dinner with Tom.", "Mara ate dinner with Tom."),
    ],
)
def test_what_nobody_can_tell_falls_away(text: str, fact: str) -> None:
    assert _facts(text) == [fact]


@pytest.mark.parametrize(
    "text",
    [
        "I bought a kayak but gave it back.",
        "I only sing in the choir when they ask.",
        "I don't visit my aunt because she shouts.",
        "I cry when they leave the harbour.",
    ],
)
def test_what_may_change_the_rest_does_not(text: str) -> None:
    assert _facts(text) in ([], [text.replace("I ", "Mara ", 1).replace("don't", "doesn't").replace("my", "their")])


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("They don't know that I write songs at night.", "Mara writes songs at night."),
        ("Nobody at the office knows that I keep bees.", "Mara keeps bees."),
        ("There's a telescope in my attic with a cracked lens.", "There's a telescope in Mara's attic with a cracked lens."),
        ("I'd rather walk an hour than take the bus.", "Mara would rather walk an hour than take the bus."),
        ("I eat at the same table I ate at as a child.", "Mara eats at the same table Mara ate at as a child."),
        ("It takes me an hour to fall asleep.", "It takes Mara an hour to fall asleep."),
        ("The only thing I cook is lentils.", "The only thing Mara cooks is lentils."),
        ("My cousin and I would build rafts when I was a boy.", "Mara's cousin and Mara would build rafts when Mara was a boy."),
        ("I could never throw a letter away.", "Mara could never throw a letter away."),
        ("I hang up before people can answer.", "Mara hangs up before people can answer."),
        ("I've been really busy lately.", "Mara has been really busy."),
        ("My sleep hasn't been great.", "Mara's sleep hasn't been great."),
        ("My friends seem to be very busy.", "Mara's friends seem to be very busy."),
        ("I hope to try the local dumplings.", "Mara hopes to try the local dumplings."),
        ("I don't know how to swim.", "Mara doesn't know how to swim."),
        ("Nobody in my family calls me on my birthday.", "Nobody in Mara's family calls Mara on their birthday."),
        ("I stand up on the tram for anyone with a cane.", "Mara stands up on the tram for anyone with a cane."),
        ("I used to fish with my dad, we'd row out at dawn.", "Mara used to fish with their dad."),
        ("Just been planting beans in the yard.", "Mara has been planting beans in the yard."),
        ("My job is dull and badly paid.", "Mara's job is dull and badly paid."),
        ("I still paint boats, even if my hands shake.", "Mara still paints boats, even if their hands shake."),
    ],
)
def test_more_ways_to_tell_of_oneself(text: str, fact: str) -> None:
    assert _facts(text) == [fact]


@pytest.mark.parametrize(
    "text",
    [
        "They think that I write songs at night.",
        "Our children are our future.",
        "Everyone tells me so.",
        "I don't know how to begin.",
        "I stand up and open the door.",
        "He says I keep bees.",
        "There's a lot on my mind.",
        "There's no telescope in my attic.",
        "I would build a raft.",
        "I couldn't agree more.",
        "I couldn't have built the raft.",
        "The same thing happened.",
        "It takes an hour to fall asleep.",
        "I've been great.",
        "My job is great.",
        "If my hands shook I would paint.",
    ],
)
def test_and_what_is_none(text: str) -> None:
    assert _facts(text) == []


def test_what_is_done_in_company_is_the_speakers_as_well() -> None:
    told = extract(Line("My sister and I haven't spoken since the harvest.", "Mara", "Aurel", True, datetime(2024, 6, 12, 10)))
    assert [(f.text, f.subject) for f in told.facts] == [("Mara's sister and Mara haven't spoken since the harvest.", "Mara")]
