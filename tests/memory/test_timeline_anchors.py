"""Times that a cue names by what happened: found by a grammar, dated by what is remembered, else no range at all."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.reading.drafts import DateRange
from memory.timeline_anchors import Anchor, Side, anchors, event_of, range_of
from memory.timeline_chinese import looks_ahead as zh_ahead
from memory.timeline_english import looks_ahead
from storage.records import Kind
from storage.terms import index_text
from storage.words import KeyRow

ASKED = datetime(2024, 5, 15, 20, tzinfo=UTC)


def _found(text: str, language: str = "en") -> list[tuple[str, Side, tuple[int, int] | None]]:
    return [(a.phrases[0], a.side, a.window) for a in anchors(text, said_at=ASKED, language=language)]


@pytest.mark.parametrize(
    ("text", "phrase", "side", "window"),
    [
        ("What did we eat before the wedding?", "the wedding", Side.BEFORE, None),
        ("Before the wedding, what did we eat?", "the wedding", Side.BEFORE, None),
        ("How have you slept since the accident?", "the accident", Side.AFTER, None),
        ("Where did we go the week after we met?", "we met", Side.AFTER, (0, 7)),
        ("What did I buy the day before the wedding and why?", "the wedding", Side.BEFORE, (-1, -1)),
        ("What did I say two weeks before Ida's party?", "Ida's party", Side.BEFORE, (-17, -11)),
        ("Who called right after moving to Leith?", "moving to Leith", Side.AFTER, (0, 7)),
        ("What did Ida sing during her audition?", "her audition", Side.AROUND, None),
        ("Where did I work before Tobias adopted the goose?", "Tobias adopted the goose", Side.BEFORE, None),
        ("Before I met Tom, where did I live?", "I met Tom", Side.BEFORE, None),
        ("What have I done since I was born?", "I was born", Side.AFTER, None),
    ],
)
def test_what_happened_is_found_in_english(text: str, phrase: str, side: Side, window: tuple[int, int] | None) -> None:
    assert _found(text) == [(phrase, side, window)]


@pytest.mark.parametrize(
    ("text", "phrase", "side", "window"),
    [
        ("在婚礼之前我们去了哪里？", "婚礼", Side.BEFORE, None),
        ("搬家以后我住在哪儿？", "搬家", Side.AFTER, None),
        ("自从我们认识以来，你变了吗？", "认识", Side.AFTER, None),
        ("婚礼前一天我做了什么？", "婚礼", Side.BEFORE, (-1, -1)),
        ("搬家后的第二周谁来过？", "搬家", Side.AFTER, (7, 14)),
        ("毕业那天你说了什么？", "毕业", Side.AROUND, None),
        ("车祸之后他还好吗？", "车祸", Side.AFTER, None),
        ("离婚后我做了什么？", "离婚", Side.AFTER, None),
        ("手术前我说了什么？", "手术", Side.BEFORE, None),
        ("为什么搬家后没有电话？", "搬家", Side.AFTER, None),
        ("搬到广州之前我住哪里？", "搬到广州", Side.BEFORE, None),
    ],
)
def test_what_happened_is_found_in_chinese(text: str, phrase: str, side: Side, window: tuple[int, int] | None) -> None:
    assert _found(text, "zh") == [(phrase, side, window)]


@pytest.mark.parametrize(
    "text",
    [
        "Have we met before?",
        "Before that, what was it?",
        "Will you look after the goose?",
        "She was named after her aunt.",
        "Since you like bees, come along.",
        "After all, why not?",
        "What happened before 3 July 2023?",
        "Where was I during the summer?",
        "What did you see on the trip, after my trip on 30 August?",
        "Tell me before you go.",
        "the day before yesterday",
        "after a long day",
        "Since I was ten, what did I like?",
    ],
)
def test_other_words_and_dates_are_no_event(text: str) -> None:
    assert _found(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "她以前在哪里工作？",
        "我妹妹以前住哪儿？",
        "三年以前",
        "很久以前",
        "从那以后呢？",
        "在此之前",
        "小明之前说过什么？",
        "两天后见",
        "他生病提前回家",
        "婚礼前后呢？",
        "买完然后呢",
    ],
)
def test_other_words_are_no_event_in_chinese(text: str) -> None:
    assert _found(text, "zh") == []


_LEADS = "before after since until till during following prior leading time day".split()


@given(st.text(max_size=80), st.sampled_from(["en", "zh"]))
def test_without_an_expression_there_is_none(text: str, language: str) -> None:
    expressed = any(word in text.lower() for word in _LEADS) if language == "en" else any(c in text for c in "前后来间天候")
    assert expressed or anchors(text, said_at=ASKED, language=language) == ()


def _row(text: str, said: datetime, *, kind: Kind = Kind.FACT, on: date | None = None, of: str = "Ann") -> KeyRow:
    day = datetime(on.year, on.month, on.day, tzinfo=UTC) if on else None
    return KeyRow(text, kind, text, tuple(index_text(text).split()), of, (of,), of, said, day, day)


def _event(phrase: str, *rows: KeyRow, language: str = "en") -> DateRange | None:
    return event_of(phrase, rows, weight=lambda term: 1.0, ahead=zh_ahead if language == "zh" else looks_ahead)


MARCH, APRIL, JUNE = (datetime(2023, month, 4, 18, tzinfo=UTC) for month in (3, 4, 6))


def test_the_day_that_a_fact_was_dated_to_goes_before_the_days_on_which_it_was_talked_of() -> None:
    wedding = _row("Ann's wedding was on 3 June.", JUNE, on=date(2023, 6, 3))
    dress = _row("Ann tried on the third wedding dress with Ida in Leith.", MARCH, on=date(2023, 3, 3))
    told = _row("Ann: The wedding was all bells.", JUNE, kind=Kind.EPISODE)
    found = _event("the wedding", dress, wedding, told)
    assert found is not None
    assert found.first.date() == date(2023, 6, 3)


def test_without_such_a_fact_it_is_the_day_on_which_it_was_first_told_as_something_that_was() -> None:
    planned = _row("Ann: We will brace for an accident.", MARCH, kind=Kind.EPISODE)
    asked = _row("Bo: Was there an accident?", MARCH, kind=Kind.EPISODE)
    told = _row("Ann: We had an accident on the ice road.", APRIL, kind=Kind.EPISODE)
    later = _row("Ann: The accident taught me to brake.", JUNE, kind=Kind.EPISODE)
    found = _event("the accident", later, planned, told, asked)
    assert found is not None
    assert found.first.date() == APRIL.date()


def test_what_happened_on_many_days_or_is_not_known_gives_no_day() -> None:
    lessons = [_row("Ann: The lesson went well.", MARCH + timedelta(days=n), kind=Kind.EPISODE) for n in range(5)]
    assert _event("the lesson", *lessons) is None
    assert _event("the charity race", _row("Ann: The race was long.", MARCH, kind=Kind.EPISODE)) is None
    assert _event("", *lessons) is None


def test_in_chinese_as_well() -> None:
    moved = _row("林小雨搬家到了厦门。", APRIL, on=date(2023, 4, 1), of="林小雨")
    found = _event("搬家", moved, _row("林小雨：我打算搬家。", MARCH, kind=Kind.EPISODE), language="zh")
    assert found is not None
    assert found.first.date() == date(2023, 4, 1)


@pytest.mark.parametrize(
    ("side", "window", "first", "last"),
    [
        (Side.AFTER, None, date(2023, 6, 3), ASKED.date()),
        (Side.AFTER, (0, 7), date(2023, 6, 4), date(2023, 6, 11)),
        (Side.BEFORE, (-1, -1), date(2023, 6, 2), date(2023, 6, 2)),
        (Side.AROUND, None, date(2023, 6, 3), date(2023, 6, 4)),
        (Side.BEFORE, None, date(1, 1, 1), date(2023, 6, 2)),
    ],
)
def test_the_range_lies_on_the_side_that_is_meant(side: Side, window: tuple[int, int] | None, first: date, last: date) -> None:
    event = DateRange(datetime(2023, 6, 3, tzinfo=UTC), datetime(2023, 6, 4, 23, 59, 59, tzinfo=UTC))
    found = range_of(Anchor(("x",), side, window), event, asked=ASKED)
    assert found is not None
    assert (found.first.date(), found.last.date()) == (first, last)


def test_what_is_all_to_come_is_no_range() -> None:
    event = DateRange(ASKED + timedelta(days=9), ASKED + timedelta(days=9))
    assert range_of(Anchor(("x",), Side.AFTER), event, asked=ASKED) is None
