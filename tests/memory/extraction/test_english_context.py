"""English sentences that lean on others: on the one before, on the question, on the listener; and views, things shown, what is taken back."""

from __future__ import annotations

from datetime import datetime

import pytest

from memory.extraction import english, english_parsing
from memory.extraction.draft import Extraction, FactDraft, Line
from memory.extraction.english import extract


def _said(text: str, *, question: str = "", listener: str = "Aurel") -> Extraction:
    return extract(Line(text, "Mara", listener, True, datetime(2024, 6, 12, 10), question))


def _facts(text: str, **how: str) -> list[str]:
    return [fact.text for fact in _said(text, **how).facts]


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("I baked a plum cake for my uncle. It was gone by noon.", ["Mara baked a plum cake for their uncle; it was gone by noon."]),
        ("We climbed to the old fort. The view was stunning.", ["Mara and others climbed to the old fort; the view was stunning."]),
        ("It was gone by noon. I baked a plum cake.", ["Mara baked a plum cake."]),
        ("I sold my boat. Your kite flew over it.", ["Mara sold their boat."]),
        ("I planted beans in the yard. So far it's been dry.", ["Mara planted beans in the yard; so far it's been dry."]),
    ],
)
def test_what_leans_on_the_sentence_before_is_told_with_it(text: str, facts: list[str]) -> None:
    assert _facts(text) == facts


def test_sentences_told_together_rest_on_the_words_of_both() -> None:
    (fact,) = _said("Well, I baked a plum cake yesterday. It was gone by noon!").facts
    assert fact.quote == "I baked a plum cake yesterday. It was gone by noon"
    assert fact.event is not None
    assert fact.event.first.day == 11


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("Old maps tell stories about forgotten towns.", ["Mara says old maps tell stories about forgotten towns."]),
        ("It's important to rest after a long hike.", ["Mara believes it's important to rest after a long hike."]),
        ("Helping neighbours brings joy to a village.", ["Mara believes helping neighbours brings joy to a village."]),
        ("It's a good way to cross the bay.", []),
        ("Yoga clears your mind.", []),
        ("The tower is a great place for lovers.", []),
        ("Honesty is important.", []),
    ],
)
def test_what_holds_in_general_is_the_speakers_view(text: str, facts: list[str]) -> None:
    found = _said(text).facts
    assert [fact.text for fact in found] == facts
    assert all(fact.subject == "Mara" for fact in found)


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("Here's a pic of my family camping at the beach.", ["Mara shows a pic of their family camping at the beach."]),
        ("This is my sister with her red kite.", ["Mara shows their sister with her red kite."]),
        ("Check out my painting for the art show.", ["Mara shows their painting for the art show."]),
        ("Here is your coffee.", []),
        ("This is a very touching story that shows the courage of my town.", []),
        ("These are just my understandings of pop and rock music.", []),
        ("This is great!", []),
    ],
)
def test_things_shown_are_told_as_such(text: str, facts: list[str]) -> None:
    assert _facts(text) == facts


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("I found a shell for your collection.", ["Mara found a shell for Aurel's collection."]),
        ("I'm so proud of you and your painting!", []),
        ("I find that tea clears your mind.", []),
    ],
)
def test_the_listener_may_come_into_what_the_speaker_tells_of_herself(text: str, facts: list[str]) -> None:
    assert _facts(text) == facts
    assert _facts(text, listener="") == []


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("Love hiking in the hills with my uncle.", ["Mara loves hiking in the hills with their uncle."]),
        ("Looking forward to the harbour feast.", ["Mara is looking forward to the harbour feast."]),
        ("Can't wait for our harbour feast.", ["Mara can't wait for their harbour feast."]),
        ("On another note, I sold my canoe.", ["Mara sold their canoe."]),
        ("My sister and I plan a trip to Oslo.", ["Mara's sister and Mara plan a trip to Oslo."]),
        ("I'd recommend rye bread with salted butter.", ["Mara would recommend rye bread with salted butter."]),
        ("We love baking bread.", ["Mara and others love baking bread."]),
        ("Love you!", []),
        ("Looking forward to hearing from you.", []),
        ("Can't wait to see it!", []),
    ],
)
def test_the_openings_of_chat_are_completed(text: str, facts: list[str]) -> None:
    assert _facts(text) == facts


@pytest.mark.parametrize(
    ("question", "answer", "fact"),
    [
        ("How are your dogs?", "They love chasing frisbees in the harbour.", "Mara's dogs love chasing frisbees in the harbour."),
        ("How is your sister?", "She plays the cello in Rome.", "Mara's sister plays the cello in Rome."),
        ("How is your car?", "I painted it green.", "Mara painted Mara's car green."),
        ("How are your dogs?", "I painted their kennel green.", "Mara painted Mara's dogs' kennel green."),
    ],
)
def test_a_pronoun_may_mean_what_the_question_calls_the_speakers(question: str, answer: str, fact: str) -> None:
    (found,) = _said(answer, question=question).facts
    assert isinstance(found, FactDraft)
    assert (found.text, found.from_question, found.quote) == (fact, True, answer.rstrip("."))
    assert _facts(answer) == []


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Do your dogs like your cats?", "They love chasing frisbees."),
        ("What does your brother do?", "She paints old houses."),
        ("How are your days?", "They are full of bread and butter."),
        ("How are your dogs?", "The baker let me feed their old parrot."),
    ],
)
def test_a_pronoun_that_may_mean_two_or_nothing_plain_stays_unread(question: str, answer: str) -> None:
    assert _facts(answer, question=question) == []


def test_what_is_taken_back_leaves_nothing() -> None:
    assert _said("I have a dog. Just kidding!") == Extraction()
    assert _facts("I was lying, I have no sister.") == ["Mara has no sister."]
    assert _facts("I was lying on the beach with my uncle.") == ["Mara was lying on the beach with their uncle."]
    assert _facts("I am not kidding, I have a dog.") == ["Mara has a dog."]


def test_the_numbers_of_a_list_are_no_words() -> None:
    assert _facts("1. I live in Lisbon. 2. I have a dog named Rex.") == ["Mara lives in Lisbon.", "Mara has a dog named Rex."]


def test_a_season_is_no_residence_and_being_down_for_something_no_mood() -> None:
    assert {v.value for v in _said("I live in Lisbon in winter and in Oslo in summer.").values if v.key == "residence"} == {"Lisbon"}
    assert not [v for v in _said("I'm down for a walk by the river.").values if v.key == "mood"]


def test_views_stand_only_where_a_message_tells_nothing_else_and_are_trusted_less() -> None:
    assert _facts("Helping neighbours brings joy to a village. I mended the miller's roof.") == ["Mara mended the miller's roof."]
    (view,) = _said("Helping neighbours brings joy to a village.").facts
    assert view.trust == 0.6


def test_a_question_that_adds_nothing_costs_no_second_parse() -> None:
    english.extract.cache_clear()
    english_parsing._parsed.cache_clear()
    alone = _said("I mended the miller's roof yesterday.")
    assert _said("I mended the miller's roof yesterday.", question="How was your day?") == alone
    assert english_parsing._parsed.cache_info().misses == 1
