"""Days are those of who speaks: "today" at one in the morning, "tomorrow" late in the evening, a flight, and what is asked for by a day."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime

import pytest

from memory.cues import read_cue
from memory.engine import Cue, mend_task
from memory.reading.drafts import DateRange, Extraction
from memory.reading.messages import alone
from memory.timeline import mentions
from storage.records import Kind, Message, Revision, Role, sha256
from storage.wall import offset_of, zone_of
from tests.memory.test_construction import START, Live
from tests.memory.test_construction import live as live

SHANGHAI, NEW_YORK, KOLKATA = zone_of(480), zone_of(-300), zone_of(330)


def day_of(span: DateRange) -> date:
    assert span.first.date() == span.last.date()
    return span.first.date()


@pytest.mark.parametrize(
    ("text", "language", "at", "day"),
    [
        ("今天我搬家了。", "zh", datetime(2024, 5, 5, 1, tzinfo=SHANGHAI), date(2024, 5, 5)),
        ("昨天我搬家了。", "zh", datetime(2024, 5, 5, 1, tzinfo=SHANGHAI), date(2024, 5, 4)),
        ("I moved today.", "en", datetime(2024, 5, 5, 1, tzinfo=SHANGHAI), date(2024, 5, 5)),
        ("I moved yesterday.", "en", datetime(2024, 5, 5, 1, tzinfo=SHANGHAI), date(2024, 5, 4)),
        ("I will move tomorrow.", "en", datetime(2024, 5, 4, 23, 30, tzinfo=NEW_YORK), date(2024, 5, 5)),
        ("明天我要搬家。", "zh", datetime(2024, 5, 4, 23, 30, tzinfo=NEW_YORK), date(2024, 5, 5)),
        ("I moved yesterday.", "en", datetime(2024, 5, 5, 4, 45, tzinfo=KOLKATA), date(2024, 5, 4)),
        ("I moved yesterday.", "en", datetime(2024, 5, 5, 4, 45, tzinfo=UTC), date(2024, 5, 4)),
        ("I moved last Sunday.", "en", datetime(2024, 5, 6, 0, 15, tzinfo=SHANGHAI), date(2024, 5, 5)),
    ],
)
def test_a_day_is_counted_from_the_day_on_the_speakers_wall(text: str, language: str, at: datetime, day: date) -> None:
    (mention,) = mentions(text, said_at=at, language=language)
    assert day_of(mention.range) == day
    assert mention.range.first.utcoffset() == at.utcoffset()


@pytest.mark.parametrize(
    ("text", "at", "day"),
    [
        ("昨天我在苏州的图书馆找到了工作。", datetime(2024, 5, 5, 1, tzinfo=SHANGHAI), "2024年5月4日"),
        ("I quit my job at the library yesterday.", datetime(2024, 5, 5, 1, tzinfo=SHANGHAI), "4 May 2024"),
    ],
)
def test_a_fact_tells_of_that_day_and_its_draft_keeps_it(text: str, at: datetime, day: str) -> None:
    said = Message("m", None, 1, 1, Role.USER, "Mara", at, Revision("r", text, sha256(text), "user", "complete"))
    draft = alone(said, listener="Nell", opens=True)
    (fact,) = draft.facts
    assert day in fact.text
    assert fact.event is not None
    assert day_of(fact.event) == date(2024, 5, 4)
    assert Extraction.of_json(draft.as_json()) == draft


@pytest.mark.parametrize(
    ("text", "asked"), [("What did I do yesterday?", SHANGHAI), ("昨天我做了什么？", SHANGHAI), ("昨天我做了什么？", NEW_YORK)]
)
def test_a_cue_asks_for_the_days_of_whoever_asks(text: str, asked: object) -> None:
    at = datetime(2024, 5, 5, 0, 30, tzinfo=SHANGHAI if asked is SHANGHAI else NEW_YORK)
    (wanted,) = read_cue(Cue(text, 9, at)).ranges
    assert day_of(wanted) == date(2024, 5, 4)
    assert wanted.holds(datetime(2024, 5, 4, 23, 59, tzinfo=at.tzinfo))
    assert not wanted.holds(datetime(2024, 5, 5, 0, 1, tzinfo=at.tzinfo))


def say(live: Live, *told: tuple[datetime, str]) -> None:
    """Each line when it was said, on the wall where it was said."""
    before = live.number
    moments: Sequence[datetime] = [at for at, _ in told]
    live.pace = lambda number: moments[number - before - 1] - START
    live.wall = lambda number: offset_of(moments[number - before - 1])
    for _, text in told:
        live.say(text, "Noted.")
    live.end()


def happened(live: Live) -> dict[str, date]:
    return {fact.text: fact.event_from.date() for fact in live.of(Kind.FACT) if fact.event_from is not None}


FLIGHT = (
    (datetime(2024, 5, 4, 22, tzinfo=SHANGHAI), "Yesterday I bought a brass compass in Porto and paid nine euros for it."),
    (datetime(2024, 5, 5, 1, tzinfo=SHANGHAI), "Yesterday I sold my old bicycle to a baker for twenty euros."),
    (datetime(2024, 5, 4, 20, tzinfo=NEW_YORK), "Yesterday I visited my aunt in Braga and stayed for dinner."),
    (datetime(2024, 5, 6, 1, tzinfo=KOLKATA), "I quit my job at the library yesterday."),
)
DAYS = {"compass": date(2024, 5, 3), "bicycle": date(2024, 5, 4), "aunt": date(2024, 5, 3), "library": date(2024, 5, 5)}


def test_in_a_flight_each_day_is_that_of_where_it_was_said(live: Live) -> None:
    say(live, *FLIGHT)
    found = happened(live)
    assert {word: next(day for text, day in found.items() if word in text) for word in DAYS} == DAYS
    assert {m.said_at.isoformat() for m in live.of(Kind.EPISODE)} == {at.isoformat() for at, _ in FLIGHT}


def test_memory_made_again_has_the_same_days(live: Live) -> None:
    say(live, *FLIGHT)
    before, days = live.panels(), happened(live)
    with live.memory.store.database.write() as connection:
        connection.execute("UPDATE memory SET status = 'superseded'")
        connection.execute("DELETE FROM extraction")
        connection.execute("DELETE FROM derivation")
        connection.execute("UPDATE chat SET structure = structure + 1")
    live.memory.store.tasks.add(live.scope, mend_task(live.branch_id, first_round=0))
    live.memory.work_off()
    assert happened(live) == days
    assert live.panels() == before


def test_what_was_said_on_a_day_is_found_by_that_day(live: Live) -> None:
    """By UTC's midnight the second would be of the day that it is asked on, and the first of the day before."""
    say(
        live,
        (datetime(2024, 5, 3, 22, tzinfo=SHANGHAI), "我在集市上看见一个卖铜罗盘的人。"),
        (datetime(2024, 5, 4, 23, tzinfo=SHANGHAI), "我在码头上看见一艘蓝色的渡船。"),
        (datetime(2024, 5, 4, 23, 30, tzinfo=SHANGHAI), "晚安。"),
    )
    for text, day in (("昨天我看见了什么？", date(2024, 5, 4)), ("前天我看见了什么？", date(2024, 5, 3))):
        cue = Cue(text, live.number + 1, datetime(2024, 5, 5, 0, 30, tzinfo=SHANGHAI), speaker="Mara", listener="Nell Garrow")
        candidates = live.memory.engine.recall(live.scope, live.branch_id, cue).candidates
        said = live.memory.store.memories.get(live.scope, [one.memory_id for one in candidates])
        within = {one.memory_id for one in candidates if one.parts.get("within")}
        assert within
        assert within == {m.id for m in said.values() if m.said_at.date() == day}
        assert len(said) > len(within)
