"""English without a model: what is plainly said becomes facts and values of the right owner, and nothing else does."""

from __future__ import annotations

import re
import threading
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.extraction.draft import Extraction, stands_in
from memory.persona_keys import KEYS
from tests.memory.extraction.english_said import SAID_AT, facts_of, said, values_of

FIRST_OR_SECOND = re.compile(r"(?<![\w'-])(?:i|me|my|mine|myself|we|us|our|ours|ourselves|you|your|yours|yourself)(?![\w-])", re.IGNORECASE)


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("I'm a nurse at St Mary's.", ["Mara is a nurse at St Mary's."]),
        ("I'm Mara, a baker from Leeds.", ["Mara is a baker from Leeds."]),
        ("I don't like jazz.", ["Mara doesn't like jazz."]),
        ("I've got a cold and I can't stand coriander.", ["Mara has got a cold.", "Mara can't stand coriander."]),
        ("I try new soups every week and carry a notebook.", ["Mara tries new soups every week and carries a notebook."]),
        ("I haven't finished my thesis.", ["Mara hasn't finished their thesis."]),
        ("My brother teaches me chess.", ["Mara's brother teaches Mara chess."]),
        ("My sister Ida called. She lives in Rome.", ["Mara's sister Ida called.", "Mara's sister Ida lives in Rome."]),
        ("My brother and I went to Oslo.", ["Mara's brother and Mara went to Oslo."]),
        ("We have two cats and a dog named Rex.", ["Mara has two cats and a dog named Rex."]),
        ("We painted the fence and fixed the gate.", ["Mara and others painted the fence and fixed the gate."]),
        ("Gonna bake some bread for my neighbours, which is great!", ["Mara is going to bake some bread for their neighbours."]),
        ("Went to the harbour with my uncle.", ["Mara went to the harbour with their uncle."]),
        ("Well, by the way, I play the cello.", ["Mara plays the cello."]),
        ("I finished the quilt - want to see a photo?", ["Mara finished the quilt."]),
        ("I baked a pie and it was delicious.", ["Mara baked a pie and it was delicious."]),
        ("I painted that harbour.", ["Mara painted a harbour."]),
        ('I watched a film called "Paper Moon".', ['Mara watched a film called "Paper Moon".']),
        ('My dad said "I hate jazz".', ['Mara\'s dad said "I hate jazz".']),
        ("My boss said I am a lazy cook.", ["Mara's boss said Mara is a lazy cook."]),
        ("I will carve Aurel a spoon.", ["Mara will carve Aurel a spoon."]),
        ("Ida is allergic to nuts.", ["Ida is allergic to nuts."]),
        ("I used to live in Rome.", ["Mara used to live in Rome."]),
        ("i love hiking and my dog hates rain", ["Mara loves hiking.", "Mara's dog hates rain."]),
    ],
)
def test_what_is_said_is_told_in_third_person(text: str, facts: list[str]) -> None:
    assert facts_of(text) == facts


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   \n",
        "?!… 🙂🙂",
        "Hello, how are you?",
        "Thanks so much, I really appreciate it!",
        "That's great! It sounds amazing.",
        "I hope you like it.",
        "Let's go to the market.",
        "Take care of your garden.",
        "If I were rich, I would buy a boat.",
        "I wish I had a dog.",
        "Imagine I lived on the moon.",
        "Do you think I like tea?",
        "I'm dying of hunger!",
        "I'm so proud of you!",
        "I'm sorry to hear that.",
        "It was so powerful.",
        "She said she was there.",
        "I totally agree with that.",
        "*I walk to the window and tell my sister Ida a story*",
        "We need to help each other.",
    ],
)
def test_talk_about_the_talk_is_not_a_fact(text: str) -> None:
    assert said(text) == Extraction()


def test_the_player_without_a_name() -> None:
    assert facts_of("I have a sister and I live with her.", speaker="the player")[0].startswith("The player has a sister")
    assert facts_of("My dog bit me.", speaker="the player") == ["The player's dog bit the player."]


def test_a_promise_names_whom_it_was_given() -> None:
    assert facts_of("I'll carve you a wooden spoon.", is_player=False, speaker="Aurel", listener="Mara") == [
        "Aurel will carve Mara a wooden spoon."
    ]
    assert facts_of("I'll carve you a wooden spoon.", listener="") == []


def test_a_fact_is_about_whom_it_names() -> None:
    assert said("My sister Ida is a vet.").facts[0].subject == "Mara's sister Ida"
    assert said("Ida works at a bakery.").facts[0].subject == "Ida"
    assert said("I love my sister Ida.").facts[0].subject == "Mara"
    assert said("My brother's car broke down and I fixed the car.").facts[-1].subject == "Mara"


def test_a_character_tells_of_itself_but_has_no_player_values() -> None:
    found = said("I grew up in a lighthouse and I fear storms.", is_player=False, speaker="Aurel", listener="Mara")
    assert [fact.text for fact in found.facts] == ["Aurel grew up in a lighthouse.", "Aurel fears storms."]
    assert found.values == ()


def test_gestures_are_not_speech_and_quotation_marks_may_hold_it() -> None:
    assert facts_of("*waves at my sister Ida* I work as a baker. *I own a castle*") == ["Mara works as a baker."]
    assert facts_of('"I work as a baker," she says, and I look at my castle. "I love plums."') == [
        "Mara works as a baker.",
        "Mara loves plums.",
    ]
    assert values_of("*sighs* I *really* like pears.") == {("food_liked", "pears")}


def test_a_hedge_lowers_trust() -> None:
    assert said("I think Leeds has the best library.").facts[0].trust < said("I love the library of Leeds.").facts[0].trust == 1.0


def test_a_relative_day_becomes_its_date() -> None:
    fact = said("I adopted a puppy yesterday.").facts[0]
    assert fact.text == "Mara adopted a puppy on 11 June 2024."
    assert fact.event is not None
    assert fact.event.first.date() == fact.event.last.date() == (SAID_AT - timedelta(days=1)).date()
    assert said("I adopted a puppy.").facts[0].event is None


def test_the_same_thing_said_twice_is_one_fact() -> None:
    assert facts_of("I love plums. Yes, I love plums!") == ["Mara loves plums."]


def test_quotes_and_values_are_verbatim_behind_chat_spelling() -> None:
    text = "im gonna repaint my kitchen & i’m lovin' my old bike!"
    found = said(text)
    assert found.facts
    assert all(fact.quote in text for fact in found.facts)
    assert all(stands_in(value.value, text) and value.quote in text for value in found.values)


def test_a_dash_typed_in_haste_ends_a_value_and_a_hyphen_does_not() -> None:
    found = said("I live in Leith- it rains a lot. I teach first- and second-year pupils.")
    assert [(v.key, v.value) for v in found.values if v.key == "residence"] == [("residence", "Leith")]
    assert found.facts[0].quote.startswith("I live in Leith- it")
    assert any("first- and second-year" in fact.text for fact in found.facts)


def test_half_a_word_is_no_value() -> None:
    assert said("I'm half-blind. My old dog is half-deaf, and I'm half-deaf too.").values == ()


def test_long_sentences_become_short_facts() -> None:
    text = (
        "I cleaned the big kitchen of my grandmother on the hill, cut the onions and the garlic into thin strips, "
        "washed all the plates that the guests had left on the tables, and then I carried the old chairs into the garden."
    )
    facts = facts_of(text)
    assert len(facts) >= 2
    assert all(len(fact.split()) <= 26 for fact in facts)


def test_threads_share_one_parser() -> None:
    found: list[list[str]] = []
    threads = [threading.Thread(target=lambda: found.append(facts_of("I love my sister Ida."))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [["Mara loves their sister Ida."]] * 8


_WORDS = st.sampled_from(
    "I I'm my me we you your she it is am are was have love like hate live work in at the a an not don't sister cat Rome nurse tired"
    ' yesterday and but because if that called "Ida" *waves* , . ! ? - … \n going to want can\'t yes no said 34 pizza'.split(" ")
)
_TEXTS = st.one_of(st.text(max_size=200), st.lists(_WORDS, max_size=40).map(" ".join))


@settings(max_examples=150, deadline=None)
@given(text=_TEXTS, question=_TEXTS)
def test_any_text_is_read_soundly(text: str, question: str) -> None:
    found = said(text, question=question)
    assert found == said(text, question=question)
    for fact in found.facts:
        assert fact.quote in text
        assert fact.subject
        assert 0 < fact.trust <= 1
        assert not FIRST_OR_SECOND.search(re.sub(r'"[^"]*"', "", fact.text)), fact.text
    for value in found.values:
        assert value.key in KEYS
        assert 0 < len(value.value) <= 70
        assert value.quote in text
        assert stands_in(value.value, text) or (value.from_question and stands_in(value.value, question))


@pytest.mark.parametrize(
    "text", ["I love tea. " * 20_000, "a" * 100_000, "((" * 30_000, '"' * 9_000, "*" * 9_000, "\n" * 50_000, "my " * 40_000]
)
def test_endless_text_is_cut_not_feared(text: str) -> None:
    assert len(said(text).facts) <= 1


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("I don't just like chess.", ["Mara doesn't just like chess."]),
        ("I forgot to feed the cat.", ["Mara forgot to feed the cat."]),
        ("My sister loves jazz and so do I.", []),
    ],
)
def test_a_fact_keeps_its_meaning_and_form(text: str, facts: list[str]) -> None:
    assert facts_of(text) == facts


def test_a_month_is_no_hedge_and_an_in_law_no_sister() -> None:
    assert [fact.trust for fact in said("I sold my boat last May.").facts] == [1.0]
    assert values_of("My sister-in-law works at Google.") == {("family", "sister-in-law")}
