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
        "Love the design, it's so unique.",
        "Gonna be great singing for folks from home.",
        "I'll ttyl.",
        "I tried making one.",
        "I'm filled with warmth when I look at it.",
        "Forests have a good effect on our mental health.",
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
        ("I set two alarms every night.", "Mara sets two alarms every night."),
        ("I set two alarms last night.", "Mara set two alarms on 11 June 2024."),
        ("I put up the old tent yesterday.", "Mara put up the old tent on 11 June 2024."),
        ("I like to listen to the rain, read maps and cook.", "Mara likes to listen to the rain, read maps and cook."),
        ("I like sailing and want to travel to Peru.", "Mara likes sailing and wants to travel to Peru."),
        (
            "I like to read crime or fantasy novels, which can help me rest.",
            "Mara likes to read crime or fantasy novels, which can help Mara rest.",
        ),
        ("We have a photo together.", "Mara and others have a photo together."),
        ("Just bought a boat, but haven't sailed yet.", "Mara bought a boat, but hasn't sailed yet."),
        (
            "Sometimes I get caught up in my studies and forget to rest.",
            "Sometimes Mara gets caught up in their studies and forgets to rest.",
        ),
        ("Just yesterday I joined a choir.", "On 11 June 2024 Mara joined a choir."),
        ("I retook the pilot test in spring.", "Mara retook the pilot test in spring."),
        ("Working on old boats can be a real joy.", "Mara believes working on old boats can be a real joy."),
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
        ("I don't drink anymore.", "Mara doesn't drink anymore."),
        ("I never learned to swim.", "Mara never learned to swim."),
    ],
)
def test_news_is_found_behind_what_leads_up_to_it(text: str, fact: str) -> None:
    assert _facts(text) == [fact]


@pytest.mark.parametrize(
    ("question", "answer", "facts"),
    [
        ("Wow, that's a fine lute! Where did you get it?", "I got it from an old sailor.", ["Mara got the lute from an old sailor."]),
        ("That plate is lovely! Did you make it?", "Yes, I made it in June.", ["Mara made the plate in June 2024."]),
        ("How did you come to have Susie?", "I adopted her when I was lonely.", ["Mara adopted Susie when Mara was lonely."]),
        ("What breed is Toby?", "He's a shepherd dog.", ["Toby is a shepherd dog."]),
        ("Those flowers look great! What kind are they?", "They're called harbour lilies.", ["The flowers are called harbour lilies."]),
    ],
)
def test_a_pronoun_may_mean_the_one_thing_a_question_speaks_of(question: str, answer: str, facts: list[str]) -> None:
    found = _said(answer, question=question).facts
    assert [fact.text for fact in found] == facts
    assert all(fact.from_question for fact in found)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("You showed your courage. How was it?", "I was glad to make it through without a scratch."),
        ("How was your trip with the boat?", "It was lovely being out on the bay."),
        ("Do you like the satisfaction of mending nets?", "It gives me a sense of calm."),
        ("That's a fine lute! Where is your drum?", "I sold it in June."),
        ("That's a fine lute! Is it old?", "I bought a drum and a flute. It was painted by my uncle."),
    ],
)
def test_what_may_mean_several_things_or_none_is_not_told(question: str, answer: str) -> None:
    assert not [fact for fact in _said(answer, question=question).facts if fact.from_question]


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("Guess what, I sold my boat.", ["Mara sold their boat."]),
        ("Just wanted to tell you that I'm running for mayor.", ["Mara is running for mayor."]),
        (
            "I almost forgot, yesterday my friends and I sang in the square.",
            ["On 11 June 2024 Mara's friends and Mara sang in the square."],
        ),
        ("Since you mentioned bread, I baked rye rolls last week.", ["Mara baked rye rolls in the week of 3 June 2024."]),
        ("Nope, never been to Rome.", ["Mara has never been to Rome."]),
        ("I love going to this park near my house.", ["Mara loves going to a park near their house."]),
        ("I started helping here after a flood in the valley.", ["Mara started helping after a flood in the valley."]),
        ("I live here with my uncle.", []),
    ],
)
def test_what_leads_up_to_a_statement_falls_away(text: str, facts: list[str]) -> None:
    assert _facts(text) == facts


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ('I nod slowly. "My father kept bees," I say, leaning on the bar.', ["Mara's father kept bees."]),
        ('Elena walks over to the window. "I never liked the sea," she says.', ["Mara never liked the sea."]),
        ('She smiles. "I grew up in Oslo."', ["Mara grew up in Oslo."]),
        ('I watched a film called "The Reef". "Let it go" is my favourite song.', ['Mara watched a film called "The Reef".']),
    ],
)
def test_speech_is_found_in_a_scene_told_without_asterisks(text: str, facts: list[str]) -> None:
    assert _facts(text) == facts


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("It reminds me of when I used to sing with my husband.", "Mara used to sing with their husband."),
        ("That reminds me of the time we sailed to Malta with my uncle.", "Mara and others sailed to Malta with their uncle."),
        (
            "My friends and I wrote a song in which we greet the sea.",
            "Mara's friends and Mara wrote a song in which Mara and Mara's friends greet the sea.",
        ),
        ("My uncle is a painter. He's been having trouble with the engine.", "Mara's uncle has been having trouble with the engine."),
        ("My uncle visited me. He built the shed with his own hands.", "Mara's uncle built the shed with his own hands."),
        ("My band and I sang. We had so much fun rehearsing.", "Mara and Mara's band had so much fun rehearsing."),
        ("My sister visited me. We baked rye bread.", "Mara and Mara's sister baked rye bread."),
        ("We got married in a small chapel.", "Mara got married in a small chapel."),
    ],
)
def test_what_comes_to_mind_is_told_and_with_whom_it_was(text: str, fact: str) -> None:
    assert fact in _facts(text)


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("My dog is called Biscuit.", "pets", "dog is called Biscuit"),
        ("My sister's name is Ida.", "family", "sister's name is Ida"),
        ("My girlfriend, Toby and I are going camping.", "partner", "girlfriend"),
        ("I study at King's College.", "school", "King's College"),
        ("I sleep badly.", "health", "sleep badly"),
        ("I work at the mill on Tanner Street.", "workplace", "the mill on Tanner Street"),
    ],
)
def test_values_are_whole(text: str, key: str, value: str) -> None:
    assert [v.value for v in _said(text).values if v.key == key] == [value]


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("Will is my brother. He works at a mill.", ["Will is Mara's brother; he works at a mill."]),
        ("May moved to Leith last year.", ["May moved to Leith in 2023."]),
        ("Rose gave me a kettle.", ["Rose gave Mara a kettle."]),
        ("I was born in May.", ["Mara was born in May."]),
        ("Mark my words.", []),
        ("My aunt's brother keeps goats. He is a smith.", ["Mara's aunt's brother keeps goats.", "Mara's aunt's brother is a smith."]),
        ("Otto's sister Ida is allergic to nuts.", ["Otto's sister Ida is allergic to nuts."]),
        ("I went to Leith. I miss her.", ["Mara went to Leith."]),
        ("I cried over My Road in March.", ['Mara cried over "My Road in March".']),
        ("I don't have a goat, I have two.", ["Mara doesn't have a goat, Mara has two."]),
        ("I told Ida this morning.", []),
        ("I hate rain lol", ["Mara hates rain."]),
        ("I start at the mill on the 14th.", ["Mara starts at the mill on 14 June 2024."]),
        ('"A pie, please." *sits down* I am a tailor from Leith.', ["Mara is a tailor from Leith."]),
    ],
)
def test_names_owners_and_registers_of_role_play(text: str, facts: list[str]) -> None:
    assert _facts(text) == facts


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("I rarely eat beans.", set()),
        ("I don't have a goat, I have two.", set()),
        ("My birthday's March 3rd btw.", {("birthday", "March 3rd")}),
        ("My partner, Sergeant Holm, found a key.", set()),
        ("I live near the old mill.", {("residence", "near the old mill")}),
    ],
)
def test_what_a_value_says_no_more_than_its_speaker_did(text: str, values: set[tuple[str, str]]) -> None:
    assert {(v.key, v.value) for v in _said(text).values} == values


def test_a_message_without_end_is_read_in_bounded_time() -> None:
    assert _facts("(I live " * 3_000 + ")" * 3_000) is not None
    assert _facts("I live in Leith. " + "(" * 10_000) == ["Mara lives in Leith."]
