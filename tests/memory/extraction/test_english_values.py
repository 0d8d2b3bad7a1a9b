"""English values of the player without a model: what is plainly said, what a short answer means, and what is no value."""

from __future__ import annotations

import pytest

from memory.extraction.draft import Extraction
from tests.memory.extraction.english_said import said, values_of


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("My name is John Vale.", {("name", "John Vale")}),
        ("I'm Mara.", {("name", "Mara")}),
        ("Call me Bee.", {("nickname", "Bee")}),
        ("I'm 34.", {("age", "34")}),
        ("I've been allergic to walnuts since I was a kid.", {("allergies", "walnuts")}),
        ("I have been vegetarian for ten years.", {("diet", "vegetarian")}),
        ("I've been afraid of dogs for as long as I can remember.", {("fears", "dogs")}),
        ("I've been vegan before.", set()),
        ("I had been allergic to eggs.", set()),
        ("I've never been allergic to anything.", set()),
        ("I could have been allergic to eggs.", set()),
        ("I've been tired all week.", set()),
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
        ("I broke my leg.", {("health", "broke their leg")}),
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
    assert values_of(text) == values


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
        ("What's your favourite colour?", "Teal!", ("favorite_color", "Teal"), "Mara's favourite colour is teal."),
        ("Do you have any pets?", "Yes, a cat named Miso.", ("pets", "cat named Miso"), "Mara has a cat named Miso."),
        ("Do you like jazz?", "Yes.", ("music_liked", "jazz"), "Mara likes jazz."),
        ("Do you eat meat?", "No.", ("food_disliked", "meat"), "Mara does not eat meat."),
        ("Can you swim?", "Yes!", ("skills", "swim"), "Mara can swim."),
    ],
)
def test_a_short_answer_means_what_was_asked(question: str, answer: str, value: tuple[str, str], fact: str) -> None:
    found = said(answer, question=question)
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
    assert said(answer, question=question) == Extraction()


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
    assert [v.value for v in said(text).values] == values


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
    assert values_of(text) == set()
