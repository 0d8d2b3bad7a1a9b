"""What is of the moment, half taken back, promised, or told around what is spoken, in English."""

from __future__ import annotations

import pytest

from tests.memory.extraction.english_said import facts_of
from tests.memory.extraction.english_said import said as extracted


@pytest.mark.parametrize(
    "said",
    [
        "I'm listening. There's a rattle.",
        "I was thinking bowling.",
        "I was going to text yesterday.",
        "I thought I'd stay one winter.",
        "I advise a later hour.",
        "I am obliged to recommend the bunk.",
        "We closed four minutes ago.",
        "I won't be angry tonight. Tomorrow I'll be angry.",
        "I'll take the chair.",
        "I'll find a truck.",
        "I'll go down in a sec.",
        "I only have the Triumph.",
        "Now hush, I've got something in my eye.",
        "God, I'm so sorry, little guy.",
        "omg ok noted no almonds.",
        "This is my last run.",
        "My uncle Lars died on one.",
        "I haven't tonight.",
        "My mother did, until she died.",
        "When at last I stood dripping in the hall of the house, hat in hand, I must have resembled a drowned cat.",
    ],
)
def test_what_is_of_the_moment_is_not_told(said: str) -> None:
    assert facts_of(said) == []


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I only have one kidney.", "Mara only has one kidney."),
        ("I'll find a truck on Monday.", "Mara will find a truck on 17 June 2024."),
        ("I'll never sell the farm.", "Mara will never sell the farm."),
        ("I did well in maths.", "Mara did well in maths."),
        ("I was nineteen when I left home.", "Mara was nineteen when Mara left home."),
        ("I was at Sebastopol. I was nineteen.", "Mara was at Sebastopol; Mara was nineteen."),
        ("I have a home for kids who need one.", "Mara has a home for kids who need one."),
        ("I broke a wrist at work, so stairs plus boxes is a dream.", "Mara broke a wrist at work."),
        ("I was sacked from a bank in May, so no judging here.", "Mara was sacked from a bank in May 2024."),
        ("I got a concussion so my doctor took me off the team.", "Mara got a concussion so their doctor took Mara off the team."),
        ("Fair warning: I don't do heights.", "Mara doesn't do heights."),
        ("ok so real talk i work nights", "Mara works nights."),
        ("he is perfect. im 29 btw the app says 27", "Mara is 29."),
        ("im scared of tight spaces, u know that?", "Mara is scared of tight spaces."),
        ("I got let go today.", "Mara got let go on 12 June 2024."),
        ("I sleepwalk sometimes.", "Mara sleepwalks sometimes."),
        ("I'm gluten intolerant.", "Mara is gluten intolerant."),
        ("I'm allergic to cats, ironically.", "Mara is allergic to cats."),
        ("My knee won't bend for the cot anyway.", "Mara's knee won't bend for the cot."),
        ("We had a son also. He lived four days.", "Mara had a son; he lived four days."),
        ("My mother raised three of us alone.", "Mara's mother raised Mara and others alone."),
        ("I am Mara, surveyor to the Northern Railway.", "Mara is surveyor to the Northern Railway."),
    ],
)
def test_what_lasts_is_told_without_what_does_not(said: str, told: str) -> None:
    assert told in facts_of(said)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I promise I'll come back in April.", "Mara promises Mara will come back in April 2025."),
        ("I give you my word that I'll come back in April.", "Mara gives Aurel their word that Mara will come back in April 2025."),
        ("I swear I will never lie to you.", "Mara swears Mara will never lie to Aurel."),
        ("I promised Agnes I'd be home before the fourteenth.", "Mara promised Agnes Mara would be home before the fourteenth."),
        ("I'll teach you to swim.", "Mara will teach Aurel to swim."),
    ],
)
def test_a_promise_is_told(said: str, told: str) -> None:
    assert facts_of(said, listener="Aurel") == [told]


@pytest.mark.parametrize("said", ["I promise you I'll tell you why before you leave.", "I swear it.", "I promise I'll do it."])
def test_a_promise_of_what_stands_elsewhere_is_not_told(said: str) -> None:
    assert facts_of(said, listener="Aurel") == []


@pytest.mark.parametrize(
    "said",
    [
        "I'm vegan, remember. Well, vegan-ish.",
        "I faint when I see blood. Well, no, that's not true, I used to.",
        "I have my own shop now, on Cooper's Lane. Well. Half of it.",
        "I speak Greek. Kind of.",
    ],
)
def test_what_is_half_taken_back_is_not_told(said: str) -> None:
    found = extracted(said)
    assert not found.facts
    assert not found.values


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I love fish. British food is fine too.", "Mara loves fish."),
        ("I live in Ghent. Not really a city person, but I like the canals.", "Mara lives in Ghent."),
        ("I grew up in Oslo. Finnish is my second language.", "Mara grew up in Oslo."),
    ],
)
def test_what_goes_on_takes_nothing_back(said: str, told: str) -> None:
    assert told in facts_of(said)


def test_a_name_that_stands_alone_is_the_relatives_before_it() -> None:
    found = extracted("My sister lives in Oslo. Mina. She's a vet.")
    assert "Mara's sister Mina is a vet." in [f.text for f in found.facts]
    assert ("family", "sister Mina") in [(v.key, v.value) for v in found.values]
    assert ("family", "dad") in [
        (v.key, v.value) for v in extracted("I gave up sugar when my dad got his diagnosis. Solidarity, you know.").values
    ]


def test_children_are_told_of_in_a_bare_answer() -> None:
    found = extracted("One daughter, Beatrice, who is seven, and who wishes to be a bishop.", question="Have you children?")
    assert [f.text for f in found.facts] == ["Mara has one daughter, Beatrice, who is seven, and who wishes to be a bishop."]


def test_what_stands_in_quotation_marks_is_said_where_the_message_tells_it_in_the_past() -> None:
    said = 'I bowed my head, and followed her. The room was full of ships. "My father built ships," I said at length. "He was a cooper at Hull."'
    assert facts_of(said) == ["Mara's father built ships.", "Mara's father was a cooper at Hull."]
    said = 'She sat then, at last, and the lamp between them hissed. "I had a boy," she said. "I have slept badly since."'
    assert facts_of(said)[:1] == ["Mara had a boy."]
    said = 'The drawer stayed open a long time. "I keep a jar for a trip to Greece," said Mara.'
    assert facts_of(said) == ["Mara keeps a jar for a trip to Greece."]


def test_what_somebody_else_said_is_not_the_speakers() -> None:
    assert facts_of('I went to see my boss. "You are late. I hate lateness," she said. I left.') == ["Mara went to see their boss."]


def test_what_one_saves_up_for_one_does_not_have() -> None:
    assert "belongings" not in [v.key for v in extracted("I'm saving up to open my own framing shop.").values]
