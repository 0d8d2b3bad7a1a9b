"""Answers by sentences as they stand: which of them bear on a question, which are chosen, and when memory holds no answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from memory.answering import Answer, extractive
from memory.bearing import Question, Sentence, acting, concerns, sentences_of, weigh
from memory.cues import Cue, read_cue
from memory.reading.drafts import DateRange
from storage.records import Kind
from storage.terms import query_terms
from storage.words import Rarity

NOW = datetime(2024, 6, 20, 12, tzinfo=UTC)
PEOPLE = ("Ann", "Bo", "小雨", "阿岩")


def question(text: str, *, meant: Sequence[str] = (), held: float = 2.0) -> Question:
    asked = read_cue(Cue(text, 99, NOW))
    return Question(text, NOW, asked, frozenset(meant), Rarity(200, dict.fromkeys(query_terms(text), held)))


def said(text: str, by: str = "Ann", *, round: int = 1, near: float = 0.05, **more: object) -> Sentence:
    made = Sentence(
        text, Kind.EPISODE, f"e{round}", round, by, NOW - timedelta(days=100 - round), concerns(text, by, "", PEOPLE), likeness=near
    )
    return replace(made, message_id=f"m{round}", **more)  # type: ignore[arg-type]


def fact(text: str, by: str = "Ann", *, round: int = 1, near: float = 0.06, **more: object) -> Sentence:
    made = Sentence(
        text, Kind.FACT, f"f{round}:{text}", round, by, NOW - timedelta(days=100 - round), concerns(text, by, "", PEOPLE), likeness=near
    )
    return replace(made, **more)  # type: ignore[arg-type]


def texts(answer: Answer) -> list[str]:
    return [part.text for part in answer.parts]


def test_sentences_stand_as_they_were_said() -> None:
    assert sentences_of('I saw Dr. Lund today. "Rest," she said! Will I?\nNo…') == [
        "I saw Dr. Lund today.",
        '"Rest," she said!',
        "Will I?",
        "No…",
    ]
    assert sentences_of("我去了北京。你呢？还好！") == ["我去了北京。", "你呢？", "还好！"]
    assert sentences_of(" \n ") == []
    (long,) = sentences_of("ab " * 400)
    assert (len(long), long[-1]) == (400, "…")


@pytest.mark.parametrize(
    ("text", "right", "wrong"),
    [
        ("What does Ann's sister grow?", "My sister grows quinces behind the mill.", "The mill was loud and cold last week."),
        ("小雨的妹妹养了什么？", "我妹妹养了一只灰色的鹦鹉。", "昨天的雨下得很大，路上都是水。"),
    ],
)
def test_the_sentence_that_says_it_is_the_answer_with_its_round(text: str, right: str, wrong: str) -> None:
    who = "Ann" if right.isascii() else "小雨"
    answer = extractive(
        question(text, meant=[who]), [said(wrong, who, round=3), said(right, who, round=7, near=0.1)], support=0.9, overtaken={}
    )
    assert (answer.found, texts(answer), answer.parts[0].rounds) == (True, [right], (7,))
    assert [note.text for note in answer.notes if note.cited] == [right]


def test_what_bears_too_little_is_shown_as_nearest_and_not_as_an_answer() -> None:
    answer = extractive(
        question("Which ferry did the mayor miss?", held=0), [said("The harbour was quiet.", near=0.01)], support=0.1, overtaken={}
    )
    assert (answer.found, answer.parts, answer.missing) == (False, (), "weak")
    assert [note.text for note in answer.notes] == ["The harbour was quiet."]
    assert extractive(question("Why?"), [], support=0.9, overtaken={}).missing == "nothing"


def test_what_nothing_is_remembered_of_yet_answers_by_what_it_bears() -> None:
    asked = question("What did Ann paint?", meant=["Ann"])
    fresh = said("I painted a row of pears.", near=0.1, memory_id="")
    assert texts(extractive(asked, [fresh], support=0.0, overtaken={})) == [fresh.text]
    assert not extractive(asked, [replace(fresh, text="I slept well.", likeness=0.0)], support=0.0, overtaken={}).found


def test_what_another_did_is_worth_less_than_what_the_one_asked_about_did() -> None:
    asked = question("What did Ann paint?", meant=["Ann"])
    first, second = weigh(asked, [said("I painted the old boat.", "Bo"), said("I painted a row of pears.", "Ann", round=2)])
    assert (first.sentence.said_by, first.bearing - second.bearing > 0.2) == ("Ann", True)


def test_a_reply_answers_by_the_question_it_answers() -> None:
    asked = question("What pet does Ann have?", meant=["Ann"])
    reply = said("Oscar, a guinea pig.", round=5, near=0.02, asked="Do you have a pet, Ann?", asked_likeness=0.1)
    assert weigh(asked, [said("A pet is a lot of work.", round=6, near=0.06), reply])[0].sentence == reply


def test_a_question_or_a_name_answers_nothing() -> None:
    asked = question("What does Ann grow?")
    assert (
        weigh(asked, [said("What does Ann grow?", "Bo"), said("Oh, Ann!", "Bo"), said("Thanks, Ann!", "Bo"), said("嗨，小雨。", "阿岩")])
        == []
    )


@pytest.mark.parametrize(
    "idle", ["Maybe.", "I don't know.", "Well, not sure!", "If I had a boat, I'd sail to Leith.", "我也不知道。", "如果我有一条船就好了。"]
)
def test_what_nobody_knows_or_only_supposes_answers_nothing(idle: str) -> None:
    answer = extractive(
        question("Where is the boat?" if idle.isascii() else "船在哪里？"),
        [said(idle, near=0.2), said("Plum.", round=2)],
        support=0.9,
        overtaken={},
    )
    assert texts(answer) == ["Plum."]


def test_what_only_repeats_the_question_is_no_answer_beside_what_adds_to_it() -> None:
    asked = question("What did Ann learn from her books about ferns?", meant=["Ann"])
    repeats, adds = (
        fact("Ann learned from books about ferns.", near=0.12),
        fact("Ann learned that ferns spread by spores in the shade.", round=2, near=0.1),
    )
    assert weigh(asked, [repeats, adds])[0].sentence == adds


def test_how_long_asks_for_no_day() -> None:
    assert not question("How long does Ann walk the dogs?").dated
    assert question("How long ago did Ann walk the dogs?").dated
    assert question("阿岩什么时候去了海边？").dated


def test_when_asks_for_a_sentence_that_says_a_time() -> None:
    day = DateRange(datetime(2024, 5, 4, tzinfo=UTC), datetime(2024, 5, 4, 23, 59, 59, tzinfo=UTC))
    answer = extractive(
        question("When did Ann sell the boat?", meant=["Ann"]),
        [fact("Ann loves the boat.", round=3), fact("Ann sold the boat on 4 May 2024.", round=5, event=day, near=0.1)],
        support=0.9,
        overtaken={},
    )
    assert (texts(answer), answer.parts[0].event, answer.dated) == (["Ann sold the boat on 4 May 2024."], day, True)


@pytest.mark.parametrize(
    ("text", "told", "expected"),
    [
        ("Where does Ann live now?", ("Ann lives in Oslo.", "Ann lives in Bergen."), [1]),
        ("Where did Ann live before?", ("Ann lives in Oslo.", "Ann lives in Bergen."), [0, 1]),
        ("阿岩现在住在哪里？", ("阿岩住在海边的小楼。", "阿岩住在山上的木屋。"), [1]),
        ("阿岩以前住在哪里？", ("阿岩住在海边的小楼。", "阿岩住在山上的木屋。"), [0, 1]),
    ],
)
def test_of_facts_that_differ_the_newer_is_how_it_is_and_both_are_how_it_was(text: str, told: tuple[str, str], expected: list[int]) -> None:
    who = "Ann" if told[0].isascii() else "阿岩"
    old, new = fact(told[0], who, round=2, near=0.12), fact(told[1], who, round=60, near=0.11)
    answer = extractive(question(text, meant=[who]), [old, new], support=0.9, overtaken={old.memory_id: new.memory_id})
    assert texts(answer) == [told[n] for n in expected]


def test_the_newer_of_two_is_told_once_though_it_was_spoken_as_well() -> None:
    old = fact("Ann lives in Oslo.", "Ann", round=2, near=0.12)
    new = fact("Ann lives in Bergen.", "Ann", round=60, near=0.1, quote="I live in Bergen")
    spoken = said("I live in Bergen before the sea, and well.", "Ann", round=60, near=0.12)
    answer = extractive(
        question("Where did Ann live before?", meant=["Ann"]), [old, new, spoken], support=0.9, overtaken={old.memory_id: new.memory_id}
    )
    assert sum("Oslo" in text for text in texts(answer)) == 1
    assert sum("Bergen" in text for text in texts(answer)) == 1


def test_what_a_fact_was_taken_from_does_not_stand_beside_it() -> None:
    told = fact("Ann keeps two goats.", round=4, quote="I keep two goats", near=0.1)
    answer = extractive(
        question("What does Ann keep?", meant=["Ann"]),
        [told, said("I keep two goats, you know.", round=4, near=0.1)],
        support=0.9,
        overtaken={},
    )
    assert texts(answer) == ["Ann keeps two goats."]


@pytest.mark.parametrize(
    ("text", "meant", "expected"),
    [
        ("What did Ann think of Bo's idea?", {"Ann", "Bo"}, "Ann"),
        ("What did Bo's sister tell Ann?", {"Ann", "Bo"}, "Ann"),
        ("小雨对阿岩的画怎么看？", {"小雨", "阿岩"}, "小雨"),
        ("What did I tell you?", set(), "Me"),
        ("Do you remember what I said?", set(), "Me"),
        ("What did you tell me?", set(), "You"),
        ("你给我推荐过什么？", set(), "You"),
        ("你还记得我喜欢什么吗？", set(), "Me"),
        ("What was it?", set(), ""),
    ],
)
def test_whom_a_question_asks_about(text: str, meant: set[str], expected: str) -> None:
    cue = Cue(text, 9, NOW, speaker="Me", listener="You")
    assert acting(cue, frozenset(meant)) == (frozenset([expected]) if expected else frozenset())


def test_what_the_sketch_holds_of_what_is_asked_answers_it_whatever_recall_made_of_it() -> None:
    asked = question("What's my job?", meant=["Ann"])
    living = said("I mend pipe organs for a living.", near=0.0, asked_for=1.0)
    answer = extractive(asked, [said("I slept well, thanks to the rain.", round=2), living], support=0.05, overtaken={})
    assert (answer.found, texts(answer)[0]) == (True, living.text)
    assert not extractive(asked, [replace(living, asked_for=0.0)], support=0.05, overtaken={}).found


def test_what_held_before_stands_behind_what_holds_unless_it_is_asked_how_it_was() -> None:
    before = said("I live in Leith by the water.", round=1, near=0.1, asked_for=-1.0)
    now = said("I live in Dover by the cliffs.", round=5, near=0.1, asked_for=1.0)
    assert texts(extractive(question("Where do I live?", meant=["Ann"]), [before, now], support=0.9, overtaken={})) == [now.text]
    both = extractive(question("Where did I live before Dover?", meant=["Ann"]), [before, now], support=0.9, overtaken={})
    assert before.text in texts(both)


def test_what_was_taken_back_is_no_answer_beside_another() -> None:
    plan = said("I'm moving to Lisbon in March.", round=1, near=0.12, gone=9)
    not_so = fact("Ann is not moving to Lisbon; the money fell through.", round=9, near=0.1)
    assert texts(extractive(question("Am I moving to Lisbon?", meant=["Ann"]), [plan, not_so], support=0.9, overtaken={})) == [not_so.text]
    parted = said("Tom and I parted.", round=12, near=0.0)
    couple = said("I live in Leith with my boyfriend Tom.", round=2, near=0.2, gone=12)
    asked = question("Do I have a boyfriend?", meant=["Ann"])
    assert texts(extractive(asked, [couple, parted], support=0.9, overtaken={})) == [couple.text, parted.text]  # with what took it back
    before = extractive(question("Did I have a boyfriend before?", meant=["Ann"]), [couple, parted], support=0.9, overtaken={})
    assert couple.text in texts(before)


@pytest.mark.parametrize(
    ("asked", "who", "nameless", "named"),
    [
        ("What is my mother's name?", "Ann", "My mother sent tea from the hills.", "My mother is called Rosa."),
        ("我妈妈叫什么名字？", "小雨", "我妈妈从山里寄来了茶叶。", "我妈妈叫林秀。"),
    ],
)
def test_a_name_is_told_by_nothing_without_one(asked: str, who: str, nameless: str, named: str) -> None:
    asking = question(asked, meant=[who])
    assert not extractive(asking, [said(nameless, who, near=0.1)], support=0.6, overtaken={}).found
    assert (
        texts(extractive(asking, [said(nameless, who, near=0.1), said(named, who, round=2, near=0.1)], support=0.6, overtaken={}))[0]
        == named
    )


def test_a_sentence_brings_the_few_words_behind_it_once() -> None:
    asked = question("How did my father die?", meant=["Ann"])
    died = said("My father died last spring.", after="A heart attack, in the garden.")
    assert texts(extractive(asked, [died], support=0.9, overtaken={})) == ["My father died last spring. A heart attack, in the garden."]
    attack = said("A heart attack, in the garden.", near=0.1)
    assert sum("heart" in text for text in texts(extractive(asked, [died, attack], support=0.9, overtaken={}))) == 1


def test_numbers_in_words_are_numbers() -> None:
    asked = question("How old is the cat?")
    plain, old = weigh(asked, [said("The cat is grey and slow.", round=1), said("The cat is fourteen and slow.", round=1)])
    assert plain.sentence.text == "The cat is fourteen and slow."
    assert plain.bearing > old.bearing
