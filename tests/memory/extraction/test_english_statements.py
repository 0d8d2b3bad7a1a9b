"""Which English clauses are told and which are not: scenes, talk about the talk, half sentences, slips of the parser."""

from __future__ import annotations

from datetime import datetime

import pytest

from memory.extraction.draft import Extraction, Line
from memory.extraction.english import extract


def _said(text: str, *, question: str = "", listener: str = "Aurel") -> Extraction:
    return extract(Line(text, "Mara", listener, True, datetime(2024, 6, 12, 10), question))


def _facts(text: str, **how: str) -> list[str]:
    return [fact.text for fact in _said(text, **how).facts]


@pytest.mark.parametrize(
    "text",
    [
        "I pick up the lantern and follow her into the cave.",
        "I nod slowly and open the gate.",
        "I grab your hand and pull you behind the barrel.",
        "I lean back in my chair and sigh.",
        "I sit down next to the fire, warming my hands.",
        "I draw my sword and step in front of you.",
    ],
)
def test_what_is_done_in_a_scene_is_no_fact(text: str) -> None:
    assert _facts(text) == []


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("I walk the dog every morning.", "Mara walks the dog every morning."),
        ("I draw portraits of my neighbours.", "Mara draws portraits of their neighbours."),
        ("I walk to school along the canal.", "Mara walks to school along the canal."),
        ("I picked up the lantern of the old keeper.", "Mara picked up the lantern of the old keeper."),
    ],
)
def test_habits_and_what_was_done_are_facts(text: str, fact: str) -> None:
    assert _facts(text) == [fact]


@pytest.mark.parametrize(
    "text",
    [
        "Working with other painters to create something special sounds amazing.",
        "This is a dream come true for me, as I always wanted to sail.",
        "I have some great news to share.",
        "I'm still figuring out the details.",
        "I can't wait for the weekend.",
        "I'll stay calm and keep going.",
        "My favourite is a park by the river.",
        "We've been together for three years.",
        "Rest is quite important, but don't be too lazy.",
        "It's a valuable subject to learn.",
    ],
)
def test_half_sentences_and_talk_about_the_talk_are_not_told(text: str) -> None:
    assert _facts(text) == []


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("I quit smoking in 2022.", "Mara quit smoking in 2022."),
        ("I put up the old tent yesterday.", "Mara put up the old tent on 11 June 2024."),
        ("I like to listen to the rain, read maps and cook.", "Mara likes to listen to the rain, read maps and cook."),
        ("I like sailing and want to travel to Peru.", "Mara likes sailing and wants to travel to Peru."),
        (
            "I like to read crime or fantasy novels, which can help me rest.",
            "Mara likes to read crime or fantasy novels, which can help Mara rest.",
        ),
        ("We have a photo together.", "Mara and others have a photo together."),
        ("We have a red canoe.", "Mara has a red canoe."),
    ],
)
def test_verbs_keep_their_time_and_number(text: str, fact: str) -> None:
    assert _facts(text) == [fact]


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("Nothing too soon, but my colleague Rob invited me to a dance.", "Mara's colleague Rob invited Mara to a dance."),
        ("Because on Sunday I am rowing across the bay.", "On 16 June 2024 Mara is rowing across the bay."),
        ("I'm thrilled to open a bakery for night owls.", "Mara is thrilled to open a bakery for night owls."),
        ("We prefer to play card games by the stove.", "Mara and others prefer to play card games by the stove."),
        ("These masks I carved last year remind me of the sea.", "The masks Mara carved in 2023 remind Mara of the sea."),
        ("The harbour mural is dear to me as it shows old boats.", "The harbour mural is dear to Mara as it shows old boats."),
        ("I sleep badly.", "Mara sleeps badly."),
    ],
)
def test_news_is_found_behind_what_leads_up_to_it(text: str, fact: str) -> None:
    assert _facts(text) == [fact]
