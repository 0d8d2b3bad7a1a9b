"""English as it is typed: subjects left out, hyphens for dashes, things held out with "this", reasons behind "that's why", what one says of whom one talks with."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memory.extraction.draft import Extraction, Line
from memory.extraction.english import extract
from memory.extraction.spacy_alone import load_spacy


@pytest.fixture(scope="module", autouse=True)
def _spacy() -> None:
    load_spacy()


def _read(text: str, *, listener: str = "Oskar") -> Extraction:
    said_at = datetime(2024, 6, 12, 20, tzinfo=UTC)
    return extract(Line(text=text, speaker="Mara", listener=listener, others=(), is_player=True, said_at=said_at, question=""))


def _told(text: str, *, listener: str = "Oskar") -> list[str]:
    return [fact.text for fact in _read(text, listener=listener).facts]


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("Met with the choir for my recital yesterday.", ["Mara met with the choir for their recital on 11 June 2024."]),
        ("Got a lot of exams coming up, so I've been studying hard.", ["Mara got a lot of exams coming up.", "Mara has been studying hard."]),
        ("Used to row a lot, but it's harder now with my shoulder.", []),
        ("Feeling much more confident to show off my boat!", ["Mara is feeling much more confident to show off their boat."]),
        ("Didn't get to see the lighthouse after the storm.", ["Mara didn't get to see the lighthouse after the storm."]),
        ("They're well- we got another goat named Pip too.", ["Mara and others got another goat named Pip."]),
        ("Just bought some new oars - so light!", ["Mara bought some new oars."]),
        ("Last weekend my aunt and I went fishing in one of the lakes.", ["On the weekend of 8 June 2024 Mara's aunt and Mara went fishing in one of the lakes."]),
        ("I'd been wanting to learn the harp for years.", ["Mara had been wanting to learn the harp for years."]),
    ],
)  # fmt: skip
def test_what_chat_leaves_out_is_filled_in(text: str, facts: list[str]) -> None:
    assert _told(text) == facts


@pytest.mark.parametrize(
    "text",
    ["Got it.", "Got me thinking.", "Took a while to get used to the oars.", "Helping each other out - that's what counts.", "Saw that."],
)
def test_half_sentences_of_others_are_not_the_speakers(text: str) -> None:
    assert _told(text) == []


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("I'm working on this project to turn a barn into a studio.", "Mara is working on a project to turn a barn into a studio."),
        ("I go to this quiet place to write by the pond.", "Mara goes to a quiet place to write by the pond."),
        ("I got these new collars for my goats.", "Mara got some new collars for their goats."),
        ("I made this lamp to show my way with glass.", "Mara made a lamp to show their way with glass."),
        ("I saw a puppet show here in Ghent.", "Mara saw a puppet show in Ghent."),
        ("I'm planning to check out a cosy cafe and hang out there.", "Mara is planning to check out a cosy cafe and hang out there."),
        ("I'm taking a sailing course and it's tiring but lovely.", "Mara is taking a sailing course and it's tiring but lovely."),
    ],
)
def test_what_is_held_out_is_one_of_its_kind(text: str, fact: str) -> None:
    assert _told(text) == [fact]


def test_a_reason_stands_for_itself() -> None:
    assert _told("I don't like dogs, that's why I have cats.") == ["Mara doesn't like dogs.", "Mara has cats."]
    assert _told("It made me think of how far I've come since I moved to Oslo three years ago.")[-1] == "Mara moved to Oslo in 2021."


def test_a_pronoun_means_nothing_it_cannot() -> None:
    assert "them" not in " ".join(_told("I made some little tags for them."))
    assert _told("I found a good bench thanks to them.") == []


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("Music calms me.", "Music calms Mara."),
        ("Being out in the hills always refreshes me.", "Being out in the hills always refreshes Mara."),
        ("Balance is key for me.", "Balance is key for Mara."),
        ("Rowing is key for me - it keeps me close to my father.", "Rowing is key for Mara; it keeps Mara close to their father."),
        ("The people at the harbour have become like family to me.", "The people at the harbour have become like family to Mara."),
        ("I wish I could sail to Norway with my brother.", "Mara wishes Mara could sail to Norway with their brother."),
        ("I remember taking a walk with my uncle and finding a cave.", "Mara remembers taking a walk with their uncle and finding a cave."),
    ],
)
def test_what_does_one_good_is_told(text: str, fact: str) -> None:
    assert _told(text) == [fact]


def test_what_is_felt_for_whom_one_talks_with_is_a_view_and_only_where_nothing_else_is_told() -> None:
    proud = _read("I'm so proud of you for teaching children and rowing every morning.")
    assert [(f.text, f.trust < 1) for f in proud.facts] == [
        ("Mara is so proud of Oskar for teaching children and rowing every morning.", True)
    ]
    assert _told("Your way of telling stories to the children is a gift.") == [
        "Mara believes Oskar's way of telling stories to the children is a gift."
    ]
    assert _told("I'm so proud of you for teaching children and rowing. I bought a boat.") == ["Mara bought a boat."]
    assert _told("I'm so proud of you for teaching children and rowing.", listener="") == []
    assert _told("I'm grateful to be able to talk and explore with you.") == []
    assert _told("I'm so proud of you!") == []


def test_an_addition_with_the_listener_in_it_falls_away() -> None:
    assert _told("I have plans for a hike next month and thought it'd be nice if you came along.") == [
        "Mara has plans for a hike in July 2024."
    ]
    assert _told("I came back from Bergen with some notes on old boats that I want to share with you.") == [
        "Mara came back from Bergen with some notes on old boats."
    ]
