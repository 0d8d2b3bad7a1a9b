"""What speakers put right of their own words, in one message or in the next; in both languages."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memory.denying import taken_back
from memory.episodes import language_of
from memory.extraction import grounded
from memory.extraction.corrections import corrections, may_correct, mended
from memory.facts import memories_of
from storage.records import Kind, Message, Revision, Role, sha256

AT = datetime(2024, 6, 12, 10, tzinfo=UTC)  # a Wednesday
NAMES = {"en": ("Mara", "Aurel"), "zh": ("林小雨", "阿忆")}


def _message(text: str, round_: int) -> Message:
    speaker, _ = NAMES[language_of(text)]
    return Message(
        f"m{round_}", None, round_, round_, Role.USER, speaker, AT, Revision(f"r{round_}", text, sha256(text), "user", "complete")
    )


def _told(*texts: str) -> tuple[list[str], set[tuple[str, str]]]:
    """The facts and values that stand after messages of one speaker, a round each."""
    memories, gone = [], set()
    before = None
    for round_, text in enumerate(texts, start=1):
        message = _message(text, round_)
        listener = NAMES[language_of(text)][1]
        read = grounded.alone(message, listener=listener, opens=True)
        memories += memories_of("c", message, None, read)
        if before is not None:
            memories += memories_of("c", message, before, grounded.correcting(message, before, listener=listener))
        gone |= {m.id for m in taken_back(read.denials, message, memories)}
        before = message
    standing = [m for m in memories if m.id not in gone]
    return [m.text for m in standing if m.kind is Kind.FACT], {(str(m.payload["key"]), m.text) for m in standing if m.kind is Kind.PERSONA}


@pytest.mark.parametrize(
    ("texts", "facts", "values"),
    [
        (("I'm a cook and I'm 41, no wait, 42.",), ["Mara is a cook.", "Mara is 42."], {("occupation", "cook"), ("age", "42")}),
        (("I grew up in Ghent. Wait, no, I grew up in Bruges.",), ["Mara grew up in Bruges."], {("hometown", "Bruges")}),
        (("I'm fifty-one.", "Sorry, I meant fifty-two."), ["Mara is fifty-two."], {("age", "fifty-two")}),
        (
            ("The match is on Friday.  I play the oboe.", "No wait, it's Saturday."),
            ["Mara plays the oboe."],
            {("hobbies", "play the oboe")},
        ),
        (("I have two goats.", "Correction: three goats."), ["Mara has three goats."], {("pets", "three goats")}),
        (("I live in Hull.", "Oops, I meant Leith."), ["Mara lives in Leith."], {("residence", "Leith")}),
        (("I speak Danish.", "My mistake, I speak Swedish."), ["Mara speaks Swedish."], {("languages", "Swedish")}),
        (("我今年四十一岁，说错了，是四十二岁。",), ["林小雨2024年四十二岁。"], {("age", "四十二岁")}),
        (("我在无锡出生的，不对，我是在常州出生的。",), ["林小雨是在常州出生的。"], {("hometown", "常州")}),
        (("我五十一岁。", "打错了，是五十二岁。"), ["林小雨五十二岁。"], {("age", "五十二岁")}),
        (("我在无锡出生的。", "不对，我是在常州出生的。"), ["林小雨是在常州出生的。"], {("hometown", "常州")}),
        (("我养了一只猫。", "哦不对，我养了两只猫。"), ["林小雨养了两只猫。"], {("pets", "两只猫")}),
    ],
)
def test_what_was_put_right_stands_and_what_was_wrong_does_not(
    texts: tuple[str, ...], facts: list[str], values: set[tuple[str, str]]
) -> None:
    assert _told(*texts) == (facts, values)


def test_what_is_told_of_a_correction_rests_on_its_words_and_on_what_they_mean() -> None:
    earlier, message = _message("I'm fifty-one.", 1), _message("Hm. Sorry, I meant fifty-two.", 2)
    read = grounded.correcting(message, earlier, listener="Aurel")
    assert [(f.quote, f.from_question) for f in read.facts] == [("Hm. Sorry, I meant fifty-two.", True)]
    (alone,) = grounded.alone(_message("I'm 41, no wait, 42. I cook.", 1), listener="Aurel", opens=True).values
    assert alone.quote == "I'm 41, no wait, 42."


def test_a_number_or_a_day_puts_right_what_is_of_its_sort_alone() -> None:
    assert _told("I'm fifty-one and I have two goats.", "I meant fifty-two.")[1] == {("age", "fifty-two"), ("pets", "two goats")}
    assert _told("My birthday is on 3 May.", "I meant the 5th of May, not the 3rd.")[0] == ["Mara's birthday is on the 5th of May."]
    assert _told("I met Ida in Hull and Otto in Leith.", "I meant Bern.")[0] == ["Mara met Ida in Hull and Otto in Leith."]


@pytest.mark.parametrize(
    "text",
    [
        "I mean, I love my brother.",
        "I mean it.",
        "Wait, you keep bees?",
        "No, I have no time.",
        "这样做不对。",
        "我是说真的。",
        "不是我，是他。",
        "你说错了。",
    ],
)
def test_what_only_sounds_like_it_puts_nothing_right(text: str) -> None:
    language = language_of(text)
    assert mended(text, language=language).text == text or not corrections(text, language=language)


def test_most_messages_are_passed_over() -> None:
    assert not may_correct("I live in Hull with three goats. We bake on Sundays.")
    assert not may_correct("我在无锡住了三年，养了一只猫。")
