"""English without a model: what is plainly said becomes facts and values of the right owner, and nothing else does."""

from __future__ import annotations

import re
import threading
from datetime import datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.extraction.draft import Extraction, Line
from memory.extraction.english import extract
from memory.persona_keys import KEYS

SAID_AT = datetime(2024, 6, 12, 10)  # a Wednesday
FIRST_OR_SECOND = re.compile(r"(?<![\w'-])(?:i|me|my|mine|myself|we|us|our|ours|ourselves|you|your|yours|yourself)(?![\w-])", re.IGNORECASE)


def _said(text: str, *, question: str = "", speaker: str = "Mara", listener: str = "Aurel", is_player: bool = True) -> Extraction:
    return extract(Line(text, speaker, listener, is_player, SAID_AT, question))


def _facts(text: str, **how: object) -> list[str]:
    return [fact.text for fact in _said(text, **how).facts]  # type: ignore[arg-type]


def _values(text: str, **how: object) -> set[tuple[str, str]]:
    return {(value.key, value.value) for value in _said(text, **how).values}  # type: ignore[arg-type]


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
    assert _facts(text) == facts


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
    assert _said(text) == Extraction()


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("My name is John Vale.", {("name", "John Vale")}),
        ("I'm Mara.", {("name", "Mara")}),
        ("Call me Bee.", {("nickname", "Bee")}),
        ("I'm 34.", {("age", "34")}),
        ("I'm 34 minutes late.", set()),
        ("I'm a woman.", {("gender", "woman")}),
        ("I was born in Leeds on 3 May 1990.", {("hometown", "Leeds"), ("birthday", "3 May 1990")}),
        ("I'm from Porto.", {("hometown", "Porto")}),
        ("I'm Portuguese.", {("nationality", "Portuguese")}),
        ("I speak Greek.", {("languages", "Greek")}),
        ("I'm married to Tom.", {("partner", "married to Tom")}),
        ("My sister Ida is allergic to nuts.", {("family", "sister Ida")}),
        ("I've got two brothers.", {("family", "two brothers")}),
        ("My best friend Lea moved to Oslo.", {("friends", "best friend Lea")}),
        ("I have a cat named Miso.", {("pets", "cat named Miso")}),
        ("I work as a baker.", {("occupation", "baker")}),
        ("I'm not a nurse.", set()),
        ("I work at the town library.", {("workplace", "the town library")}),
        ("I study biology at the University of Porto.", {("field_of_study", "biology"), ("school", "the University of Porto")}),
        ("I'm good at chess.", {("skills", "chess")}),
        ("I can play the guitar.", {("skills", "play the guitar")}),
        ("I won the regional chess cup.", {("achievements", "won the regional chess cup")}),
        ("I live in a small flat in Lisbon.", {("residence", "a small flat in Lisbon")}),
        ("I used to live in Rome.", set()),
        ("My favourite colour is teal.", {("favorite_color", "teal")}),
        ("Pizza is my favorite food.", {("favorite_food", "Pizza")}),
        ("I really like pears.", {("food_liked", "pears")}),
        ("I can't stand coriander.", {("food_disliked", "coriander")}),
        ("I don't eat meat.", {("food_disliked", "meat")}),
        ("I don't like jazz.", {("music_disliked", "jazz")}),
        ("I can't stand spiders.", {("animals_disliked", "spiders")}),
        ("I have no brothers but two sisters.", {("family", "two sisters")}),
        ("I feel sick.", {("health", "sick")}),
        ("I left my husband at the station.", {("partner", "husband")}),
        ("I like hot dogs.", {("liked", "hot dogs")}),
        ("My favourite season is autumn.", {("favorite_season", "autumn")}),
        ("My favourite sport is tennis.", {("favorite_sport", "tennis")}),
        ("My favourite game is chess.", {("favorite_game", "chess")}),
        ("I am a Scorpio.", {("zodiac", "Scorpio")}),
        ("My star sign is Gemini.", {("zodiac", "Gemini")}),
        ("I'm Leo.", {("name", "Leo")}),
        ("I have cancer.", {("health", "cancer")}),
        ("I'm Catholic.", {("faith", "Catholic")}),
        ("I'm a pacifist.", {("beliefs", "pacifist")}),
        ("I'm very stubborn and impatient.", {("traits", "stubborn"), ("traits", "impatient")}),
        ("I'm a perfectionist.", {("traits", "perfectionist")}),
        ("I'm lazy today.", set()),
        ("I'm shy about singing.", set()),
        ("I'm not patient.", set()),
        ("My brother is stubborn.", {("family", "brother")}),
        ("I'm vegan.", {("diet", "vegan")}),
        ("I live alone.", {("household", "alone")}),
        ("I live with my parents.", {("household", "parents"), ("family", "parents")}),
        ("I live with fear.", set()),
        ("I'm worried about the exam.", {("worries", "exam")}),
        ("I'm worried about it.", set()),
        ("I don't worry about money.", set()),
        ("I bought a red bicycle.", {("belongings", "red bicycle")}),
        ("I'm allergic to nuts.", {("allergies", "nuts")}),
        ("Maybe I'm allergic to nuts.", set()),
        ("I broke my leg.", {("health", "broke my leg")}),
        ("I enjoy hiking in the hills.", {("hobbies", "hiking in the hills")}),
        ("I run five miles every morning.", {("habits", "run five miles every morning")}),
        ("I'm going to repaint the kitchen.", {("plans", "repaint the kitchen")}),
        ("I want to become a pilot.", {("goals", "become a pilot")}),
        ("I believe that everyone deserves a second chance.", {("beliefs", "everyone deserves a second chance")}),
        ("I'm scared of moths.", {("fears", "moths")}),
        ("I'm tired.", {("mood", "tired")}),
        ("I'm sometimes tired.", set()),
        ("I'm reading a book about bees.", {("activity", "reading a book about bees")}),
        ("I'm in the library.", {("whereabouts", "in the library")}),
        ("I'm in love.", set()),
        ("My boss said I am lazy.", set()),
        ("My dad thinks I'm single.", {("family", "dad")}),
        ("If I were single, I'd move to Rome.", set()),
    ],
)
def test_values_of_the_player(text: str, values: set[tuple[str, str]]) -> None:
    assert _values(text) == values


@pytest.mark.parametrize(
    ("question", "answer", "value", "fact"),
    [
        ("Hello! What's your name?", "Ida Vale.", ("name", "Ida Vale"), "Mara's name is Ida Vale."),
        (
            "Where do you live?",
            "In a small flat in Lisbon.",
            ("residence", "a small flat in Lisbon"),
            "Mara lives in a small flat in Lisbon.",
        ),
        ("How old are you?", "34", ("age", "34"), "Mara is 34."),
        ("So, what do you do for a living?", "Carpenter.", ("occupation", "Carpenter"), "Mara is a carpenter."),
        ("What's your favourite colour?", "Teal!", ("favorite_color", "Teal"), "Mara's favourite colour is Teal."),
        ("Do you have any pets?", "Yes, a cat named Miso.", ("pets", "cat named Miso"), "Mara has a cat named Miso."),
        ("Do you like jazz?", "Yes.", ("music_liked", "jazz"), "Mara likes jazz."),
        ("Do you eat meat?", "No.", ("food_disliked", "meat"), "Mara does not eat meat."),
        ("Can you swim?", "Yes!", ("skills", "swim"), "Mara can swim."),
    ],
)
def test_a_short_answer_means_what_was_asked(question: str, answer: str, value: tuple[str, str], fact: str) -> None:
    found = _said(answer, question=question)
    assert [(v.key, v.value, v.from_question) for v in found.values] == [(*value, True)]
    assert [(f.text, f.from_question) for f in found.facts] == [(fact, True)]
    assert all(f.quote in answer for f in found.facts)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Do you like my painting?", "Yes."),
        ("Do you want to dance or sleep?", "Yes."),
        ("Where do you live?", "Why do you ask?"),
        ("What's your name?", "It's a secret."),
        ("Is it raining?", "Yes."),
        ("What did he say?", "Nothing."),
    ],
)
def test_an_answer_that_tells_nothing_lasting_leaves_nothing(question: str, answer: str) -> None:
    assert _said(answer, question=question) == Extraction()


def test_the_player_without_a_name() -> None:
    assert _facts("I have a sister and I live with her.", speaker="the player")[0].startswith("The player has a sister")
    assert _facts("My dog bit me.", speaker="the player") == ["The player's dog bit the player."]


def test_a_promise_names_whom_it_was_given() -> None:
    assert _facts("I'll carve you a wooden spoon.", is_player=False, speaker="Aurel", listener="Mara") == [
        "Aurel will carve Mara a wooden spoon."
    ]
    assert _facts("I'll carve you a wooden spoon.", listener="") == []


def test_a_fact_is_about_whom_it_names() -> None:
    assert _said("My sister Ida is a vet.").facts[0].subject == "Mara's sister Ida"
    assert _said("Ida works at a bakery.").facts[0].subject == "Ida"
    assert _said("I love my sister Ida.").facts[0].subject == "Mara"
    assert _said("My brother's car broke down and I fixed the car.").facts[-1].subject == "Mara"


def test_a_character_tells_of_itself_but_has_no_player_values() -> None:
    found = _said("I grew up in a lighthouse and I fear storms.", is_player=False, speaker="Aurel", listener="Mara")
    assert [fact.text for fact in found.facts] == ["Aurel grew up in a lighthouse.", "Aurel fears storms."]
    assert found.values == ()


def test_gestures_are_not_speech_and_quotation_marks_may_hold_it() -> None:
    assert _facts("*waves at my sister Ida* I work as a baker. *I own a castle*") == ["Mara works as a baker."]
    assert _facts('"I work as a baker," she says, and I look at my castle. "I love plums."') == [
        "Mara works as a baker.",
        "Mara loves plums.",
    ]
    assert _values("*sighs* I *really* like pears.") == {("food_liked", "pears")}


def test_a_hedge_lowers_trust() -> None:
    assert _said("I think Leeds has the best library.").facts[0].trust < _said("I love the library of Leeds.").facts[0].trust == 1.0


def test_a_relative_day_becomes_its_date() -> None:
    fact = _said("I adopted a puppy yesterday.").facts[0]
    assert fact.text == "Mara adopted a puppy on 11 June 2024."
    assert fact.event is not None
    assert fact.event.first.date() == fact.event.last.date() == (SAID_AT - timedelta(days=1)).date()
    assert _said("I adopted a puppy.").facts[0].event is None


def test_the_same_thing_said_twice_is_one_fact() -> None:
    assert _facts("I love plums. Yes, I love plums!") == ["Mara loves plums."]


def test_quotes_and_values_are_verbatim_behind_chat_spelling() -> None:
    text = "im gonna repaint my kitchen & i’m lovin' my old bike!"
    found = _said(text)
    assert found.facts
    assert all(fact.quote in text for fact in found.facts)
    assert all(value.value in text and value.quote in text for value in found.values)


def test_a_dash_typed_in_haste_ends_a_value_and_a_hyphen_does_not() -> None:
    found = _said("I live in Leith- it rains a lot. I teach first- and second-year pupils.")
    assert [(v.key, v.value) for v in found.values if v.key == "residence"] == [("residence", "Leith")]
    assert found.facts[0].quote.startswith("I live in Leith- it")
    assert any("first- and second-year" in fact.text for fact in found.facts)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("The story that I live in Rome is false.", []),
        ("The rumour that I'm pregnant spreads.", []),
        ("The idea that I'm diabetic is ridiculous.", []),
        ("The truth is that I live in Rome.", ["Rome"]),
        ("The fact that I live in Rome helps.", ["Rome"]),
    ],
)
def test_what_is_only_told_of_one_is_no_value(text: str, values: list[str]) -> None:
    assert [v.value for v in _said(text).values] == values


def test_half_a_word_is_no_value() -> None:
    assert _said("I'm colour-blind. My old dog is half-deaf, and I'm half-deaf too.").values == ()


def test_long_sentences_become_short_facts() -> None:
    text = (
        "I cleaned the big kitchen of my grandmother on the hill, cut the onions and the garlic into thin strips, "
        "washed all the plates that the guests had left on the tables, and then I carried the old chairs into the garden."
    )
    facts = _facts(text)
    assert len(facts) >= 2
    assert all(len(fact.split()) <= 26 for fact in facts)


def test_threads_share_one_parser() -> None:
    found: list[list[str]] = []
    threads = [threading.Thread(target=lambda: found.append(_facts("I love my sister Ida."))) for _ in range(8)]
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
    found = _said(text, question=question)
    assert found == _said(text, question=question)
    for fact in found.facts:
        assert fact.quote in text
        assert fact.subject
        assert 0 < fact.trust <= 1
        assert not FIRST_OR_SECOND.search(re.sub(r'"[^"]*"', "", fact.text)), fact.text
    for value in found.values:
        assert value.key in KEYS
        assert 0 < len(value.value) <= 70
        assert value.quote in text
        assert value.value in text or (value.from_question and value.value in question)


@pytest.mark.parametrize(
    "text", ["I love tea. " * 20_000, "a" * 100_000, "((" * 30_000, '"' * 9_000, "*" * 9_000, "\n" * 50_000, "my " * 40_000]
)
def test_endless_text_is_cut_not_feared(text: str) -> None:
    assert len(_said(text).facts) <= 1


@pytest.mark.parametrize(
    "text",
    [
        "I no longer live in Berlin.",
        "I no longer work at Google.",
        "I no longer have a dog.",
        "I'm no longer afraid of the dark.",
        "I no longer want to be an actor.",
        "I have neither a car nor a bike.",
        "I like neither tea nor coffee.",
        "I have no pets.",
        "I speak no French.",
        "I almost bought a motorcycle.",
        "I nearly won the race.",
        "I'm almost 50.",
        "I was almost called Oliver.",
        "Don't call me Danny.",
        "Never call me Ollie.",
        "I hate being called Danny.",
        "My least favourite colour is brown.",
        "Let's pretend I'm a detective and you're my partner.",
        "My business partner Leo stole our money.",
        "My girlfriend left me last night.",
        "My wife is dead.",
        "I have no brothers or sisters.",
        "We have no cats and dogs.",
        "I don't hate cats.",
        "I'm sick of my job.",
        "I'm sick and tired of winter.",
        "I gave my dog away last year.",
        "I sold my horse.",
        "I left my husband because he drank.",
        "I study at night.",
    ],
)
def test_what_is_denied_gone_or_another_s_is_no_value(text: str) -> None:
    assert _values(text) == set()


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("I don't just like chess.", ["Mara doesn't just like chess."]),
        ("I forgot to feed the cat.", ["Mara forgot to feed the cat."]),
        ("My sister loves jazz and so do I.", []),
    ],
)
def test_a_fact_keeps_its_meaning_and_form(text: str, facts: list[str]) -> None:
    assert _facts(text) == facts


def test_a_month_is_no_hedge_and_an_in_law_no_sister() -> None:
    assert [fact.trust for fact in _said("I sold my boat last May.").facts] == [1.0]
    assert _values("My sister-in-law works at Google.") == {("family", "sister-in-law")}
