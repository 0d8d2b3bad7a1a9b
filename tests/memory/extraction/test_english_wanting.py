"""What a sentence leaves to the talk around it: told with the fact before it or not at all, and lists to their end."""

from __future__ import annotations

from datetime import datetime

import pytest

from memory.extraction.draft import Extraction, Line
from memory.extraction.grounded import _extractor

SAID_AT = datetime(2024, 6, 12, 10)


def _said(text: str) -> Extraction:
    return _extractor("en")(Line(text, "Mara", "Aurel", True, SAID_AT))


def _told(text: str) -> list[str]:
    return [fact.text for fact in _said(text).facts]


def _values(text: str) -> set[tuple[str, str]]:
    return {(value.key, value.value) for value in _said(text).values}


@pytest.mark.parametrize(
    "text",
    [
        "I want to bring my camera.",
        "I'm going to bring some snacks.",
        "We play every weekend.",
        "I finally joined last week.",
        "I took a lot of pictures.",
        "I have a problem.",
        "I met a big problem today.",
        "I encountered some troubles on Monday.",
        "My progress is slow.",
        "The best part was the swim with my sister.",
        "I think the most interesting part is the courage of the captain.",
        "I cried for the main character.",
        "I think the taste was rich but mild.",
        "My sister and I met a baker during the whole process.",
        "I have several places in mind, such as Porto and Faro.",
        "I want to try some local dishes and sweets.",
        "I plan to stay in some local homestays.",
        "I want to see some old churches in the city.",
        "I plan to go hiking to see the waterfalls and caves.",
        "I don't want to ruin everything because of my nerves.",
        "I need to find such a club where I can sing with others.",
        "I'm looking forward to my itinerary.",
        "I believe my next trip will be cheaper.",
        "I would love to visit there someday.",
        "Patience is an important step.",
        "I was immersed in the world of maps.",
        "I saw so many beautiful landscapes that were so majestic.",
        'On Monday I saw a really great one called "Salt", which tells of a baker.',
        "Another thing I enjoy doing is baking with my aunt.",
        "I experienced something strange and sad on Monday.",
        "I made a plan so that I have enough time to visit each city.",
        "My inspiration came from a walk with my aunt.",
        "Here's the recipe I recommend: fry the leeks until golden, set them aside.",
    ],
)
def test_what_only_the_talk_before_completes_is_not_told_alone(text: str) -> None:
    assert _told(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "I want to bring my camera to the fair.",
        "I brought my sister flowers.",
        "We play chess every weekend.",
        "I play with my nieces every weekend.",
        "My dogs play every morning in the yard.",
        "I joined a choir last week.",
        "I took a lot of pictures of the bay.",
        "I took some pictures at my cousin's wedding.",
        "I love taking photos.",
        "I have a problem with my knee.",
        "I have some money problems.",
        "I'm making good progress with my novel.",
        "My daughter's progress at school makes me happy.",
        "My choir sang the last part of the song.",
        "I cried for the main character of my sister's novel.",
        "I loved the main character in Emma.",
        "I enjoyed the process of dyeing wool.",
        "I have several places in mind for our wedding.",
        "I want to try the local dishes in Naples.",
        "I volunteer at a local shelter.",
        "I like living in the city with my aunt.",
        "I want to paint the old churches of Cologne.",
        "I plan to go hiking to see the waterfalls of Iceland.",
        "I booked my trip to Lisbon.",
        "I went to the lake with my aunt and saw some beautiful scenery.",
        "I bought something warm for my aunt.",
        "I take a picture of the slip whenever I buy anything.",
        "I've walked here, all two miles.",
        "My inspiration for the quilt came from a walk with my aunt.",
        "The course I attended helps me a lot with my garden.",
        "It was such a lovely walk with my mother, and I fed the swans.",
    ],
)
def test_what_says_of_what_or_where_is_told(text: str) -> None:
    assert len(_told(text)) == 1


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("I climbed Mount Toba last week. I also took a lot of pictures.", ["Mara climbed Mount Toba in the week of 3 June 2024; Mara took a lot of pictures."]),
        ("I want to travel with my aunt, but I don't have much money.", ["Mara wants to travel with their aunt; Mara doesn't have much money."]),
        ("I visited a map museum. I was immersed in the world of maps.", ["Mara visited a map museum; Mara was immersed in the world of maps."]),
        ("I am writing a novel. My progress is slow.", ["Mara is writing a novel; Mara's progress is slow."]),
        ("I plan to go for a walk in the old park. I want to bring my camera.", ["Mara plans to go for a walk in the old park; Mara wants to bring their camera."]),
        ("I plan to spend two weeks in Peru. I hope to try some local food.", ["Mara plans to spend two weeks in Peru; Mara hopes to try some local food."]),
        ("I'm planning a trip to Lisbon. I bought a hat for my trip.", ["Mara is planning a trip to Lisbon.", "Mara bought a hat for their trip to Lisbon."]),
        ("I ran a marathon in Riga. The best part was the view from the hill.", ["Mara ran a marathon in Riga; the best part was the view from the hill."]),
    ],
)  # fmt: skip
def test_it_is_told_behind_what_says_of_what_or_where(text: str, facts: list[str]) -> None:
    assert _told(text) == facts


def test_progress_is_of_something_that_is_done() -> None:
    assert "progress" not in " ".join(_told("I feel lonely in my flat. My progress is slow."))


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("Thank you for the advice. I will pay attention to my posture.", []),
        ("You're right. I will work hard to find my strengths.", []),
        ("Thanks for the tip! I will practice the tango in Riga on Friday.", ["Mara will practice the tango in Riga on 14 June 2024."]),
        ("I will study law in my sister's town.", ["Mara will study law in their sister's town."]),
        ("I'm all ears!", []),
        ("I will chat with you more tomorrow.", []),
        ("Now I'm going to practice my flute.", []),
        ("Now I'm going to order some soup for tonight.", ["Now Mara is going to order some soup for 12 June 2024."]),
        ("I'm feeling pretty good today.", []),
        ("It's always tough to hear that a neighbour is ill.", []),
        ("Here are some popular soups from Riga that are easy to make.", []),
        ("On a brighter note, I baked a pie for my aunt.", ["Mara baked a pie for their aunt."]),
        (
            "I'm going to practice my flute with my aunt tomorrow.",
            ["Mara is going to practice their flute with their aunt on 13 June 2024."],
        ),
        ("I'm not feeling very well today.", ["Mara is not feeling very well on 12 June 2024."]),
        ("I'm feeling good about my new job at the mill.", ["Mara is feeling good about their new job at the mill."]),
        ("I'm in the office now and there's no fan.", []),
        ("I'm looking forward to our next chat.", []),
        ("I'm looking forward to the opera with my aunt.", ["Mara is looking forward to the opera with their aunt."]),
        ("I don't own a boat, so it's a bit unfortunate.", ["Mara doesn't own a boat."]),
        ("I will always support your decision.", []),
    ],
)
def test_courtesies_and_resolutions_are_no_news(text: str, facts: list[str]) -> None:
    assert _told(text) == facts


def test_who_lives_in_a_film_is_nobody_the_speaker_knows() -> None:
    text = "The film tells the story of a baker named Ada. In the end, Ada opened a new shop and found happiness."
    assert not [fact for fact in _told(text) if fact.startswith(("Ada", "In the end"))]
    assert _told("My friend Ada moved here. In the end, Ada opened a new shop in Leith.")[-1].endswith("opened a new shop in Leith.")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("I like making country dishes like hot and sour bean stew, onion pie, etc.", ("hobbies", "making country dishes like hot and sour bean stew")),
        ("I want to visit cities like Porto, Faro, and Lagos.", ("goals", "visit cities like Porto, Faro, and Lagos")),
        ("I want to visit some museums to see the paintings, coins and clocks.", ("goals", "visit some museums to see the paintings, coins and clocks")),
        ("I love reading, cooking and old maps.", ("hobbies", "reading")),
    ],
)  # fmt: skip
def test_a_list_belongs_to_a_value_to_its_end(text: str, value: tuple[str, str]) -> None:
    assert value in _values(text)


def test_samples_of_which_not_all_belong_to_a_value_are_left_out() -> None:
    text = "I want to visit cities like the old harbour town of Porto in the north, the white town of Faro, and the quiet fishing town of Lagos."
    assert ("goals", "visit cities") in _values(text)


@pytest.mark.parametrize(
    "text",
    [
        "I'm preparing for the interview.",
        "I plan to stay in some local homestays.",
        "I'm learning a new skill.",
        "I'm currently working for a company.",
        "With your help I feel happy.",
        "These tips are useful, and I'm grateful.",
    ],
)
def test_what_says_nothing_as_a_value_is_none(text: str) -> None:
    assert _values(text) == set()


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        (
            "On Monday I told my sister a story about an old captain who listened to the records in the yard at dawn with the guards, feeling the "
            "sense of freedom that had been taken from all of the sailors.",
            [
                "On 10 June 2024 Mara told their sister a story about an old captain who listened to the records in the yard at dawn with the guards."
            ],
        ),
        (
            "Sleep is very important. Improving work efficiency and avoiding wasting time are also crucial in our office.",
            [],
        ),
    ],
)
def test_a_long_sentence_is_cut_where_a_phrase_ends(text: str, facts: list[str]) -> None:
    assert _told(text) == facts


def test_what_a_book_does_to_its_reader_is_not_told_as_done_by_the_reader() -> None:
    text = 'Recently, I have been reading a book called "Salt", which is very touching and thought-provoking, and made me deeply understand the value of a quiet life.'
    assert not [fact for fact in _told(text) if "Mara made Mara" in fact]


@pytest.mark.parametrize(
    "text",
    [
        "My gran taught me when I was ten, on the stove at Ghent.",
        "I was offered something.",
        "I want to do something on the twentieth.",
        "I think the goose knows.",
        "I swear I didn't know on the second of March.",
        "I withdrew on the Monday.",
        "I said what about Rex, he hates birds.",
        "I learned it in March, and then I thought: by heart.",
    ],
)
def test_what_does_not_say_what_was_taught_offered_or_known_is_not_told(text: str) -> None:
    assert _told(text) == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("My gran taught me to knit when I was ten.", "Mara's gran taught Mara to knit when Mara was ten."),
        ("My aunt taught me Greek.", "Mara's aunt taught Mara Greek."),
        ("Mr Hale taught me at primary school.", "Mr Hale taught Mara at primary school."),
        ("I was offered a job in Leeds.", "Mara was offered a job in Leeds."),
        ("I found something of my mother's in the loft.", "Mara found something of their mother's in the loft."),
        ("I told the doctor about my knee.", "Mara told the doctor about their knee."),
        ("My brother knows how to sail.", "Mara's brother knows how to sail."),
        ("I withdrew from university in Leeds.", "Mara withdrew from university in Leeds."),
        ("I stopped smoking in March.", "Mara stopped smoking in March 2024."),
        ("I have to tell you, but I've been eating cake so as not to.", "Mara has been eating cake."),
    ],
)
def test_what_says_it_is_told(text: str, told: str) -> None:
    assert told in _told(text)


def test_words_of_an_i_that_are_only_spoken_of_are_nobodys() -> None:
    said = "\"I've 'good morning', and 'one coffee', and 'I am the sister'. The wireless man says them too fast.\""
    assert _told(said) == ["Mara has 'good morning', and 'one coffee'."]
    assert _told("I walked from the bakers' to the smiths' with my sister.") == [
        "Mara walked from the bakers' to the smiths' with their sister."
    ]


@pytest.mark.parametrize(
    "text",
    [
        "I can swim eleven strokes.",
        "I can play three chords on the guitar.",
        "It's the only thing I can cook.",
        "I'm going to stand outside with the goose.",
        "I'm going to wait in the car.",
        "I like levels, and your wedge, and soup.",
    ],
)
def test_how_far_one_has_come_a_step_and_what_is_there_are_no_values(text: str) -> None:
    assert _values(text) == set()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("I can swim.", ("skills", "swim")),
        ("I can type ninety words a minute.", ("skills", "type ninety words a minute")),
        ("I can speak four languages.", ("skills", "speak four languages")),
        ("I'm going to sit the paper for surveyors in May.", ("plans", "sit the paper for surveyors in May")),
        ("I'm going to stand for the council.", ("plans", "stand for the council")),
        ("I'm going to sit in the garden with Tom tomorrow.", ("plans", "sit in the garden with Tom tomorrow")),
        ("I like tea and rain.", ("liked", "rain")),
    ],
)
def test_what_one_can_plans_and_likes_is_a_value(text: str, value: tuple[str, str]) -> None:
    assert value in _values(text)
