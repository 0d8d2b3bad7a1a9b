"""Which day it was where something was said: kept with it, and read back as it was."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
import sqlite_utils
from hypothesis import given
from hypothesis import strategies as st

from memory.episodes import episode_of
from memory.reading.drafts import DateRange
from storage.checking import check
from storage.erasing_receipts import Erased
from storage.folder import DataFolder
from storage.migrations import migrations
from storage.records import NewMessage, Role, StoryClock, from_ms, to_ms
from storage.scope import LOCAL_USER, Scope
from storage.store import Store
from storage.wall import MOST_OFFSET, at_ms, later_day, moment_key, offset_of, on_wall, wall_ms, wall_now, wall_zone, zone_of
from tests.conftest import OpenChat
from tests.storage.test_migrations import LINES, folder_of

SHANGHAI, NEW_YORK, KOLKATA = 480, -300, 330
ONE_IN_THE_MORNING = datetime(2024, 5, 5, 1, tzinfo=zone_of(SHANGHAI))
"""Five in the evening of 4 May, UTC."""

offsets = st.integers(-MOST_OFFSET, MOST_OFFSET)
moments = st.datetimes(datetime(2, 1, 1), datetime(9998, 12, 31)).map(lambda at: at.replace(microsecond=at.microsecond // 1000 * 1000))


def said(chat: OpenChat, at: datetime, number: int = 1) -> NewMessage:
    return NewMessage(Role.USER, "You", f"line {number}", at, f"u{number}", "user", opens_round=True)


@given(at=moments, offset=offsets)
def test_a_moment_comes_back_as_it_was_on_its_wall(at: datetime, offset: int) -> None:
    moment = at.replace(tzinfo=zone_of(offset))
    back = at_ms(to_ms(moment), offset_of(moment))
    assert back == moment
    assert (back.replace(tzinfo=None), offset_of(back)) == (at, offset)
    assert moment_key(back) == moment_key(moment)
    assert (moment_key(moment) == str(to_ms(moment))) is (offset == 0), "what was derived before walls were kept is known by what it was"
    assert wall_ms(back) == to_ms(at.replace(tzinfo=UTC))


@pytest.mark.parametrize("offset", [0, SHANGHAI, NEW_YORK, KOLKATA, MOST_OFFSET, -MOST_OFFSET])
def test_a_message_keeps_the_day_of_whoever_said_it(chat: OpenChat, offset: int) -> None:
    at = datetime(2024, 5, 5, 0, 30, tzinfo=zone_of(offset))
    (message,) = chat.store.chats.append(chat.scope, chat.branch_id, [said(chat, at)])
    (again,) = chat.store.chats.path(chat.scope, chat.branch_id, limit=9)
    assert message == again
    assert again.said_at == at
    assert again.said_at.isoformat() == at.isoformat()
    assert [m.said_at.isoformat() for m in chat.store.sessions.moments(chat.scope, chat.branch_id)] == [at.isoformat()]


def test_a_memory_is_read_back_with_the_days_it_was_told_with(chat: OpenChat) -> None:
    messages = chat.store.chats.append(chat.scope, chat.branch_id, [said(chat, ONE_IN_THE_MORNING)])
    elsewhere = zone_of(NEW_YORK)
    day = datetime(2024, 5, 4, tzinfo=elsewhere), datetime(2024, 5, 4, 23, 59, 59, tzinfo=elsewhere)
    episode = replace(episode_of(chat.scope.chat_id, messages), event_from=day[0], event_to=day[1])
    chat.store.memories.add(chat.scope, [episode])
    kept = chat.store.memories.get(chat.scope, [episode.id])[episode.id]
    assert kept.said_at.isoformat() == ONE_IN_THE_MORNING.isoformat()
    assert kept.event_from is not None
    assert kept.event_to is not None
    assert {kept.event_from.date().isoformat(), kept.event_to.date().isoformat()} == {"2024-05-04"}, (
        "the same day, though it was named on another wall"
    )
    row = chat.store.memories.keys(chat.scope, [episode.id])[episode.id]
    assert (row.said_at, row.event_from, row.event_to) == (kept.said_at, kept.event_from, kept.event_to)
    assert row.said_at.date().isoformat() == "2024-05-05"


@pytest.mark.parametrize(("day", "found"), [(4, False), (5, True), (6, False)])
@pytest.mark.parametrize("asked", [SHANGHAI, 0, NEW_YORK])
def test_what_was_said_on_a_day_is_found_by_that_day_wherever_it_is_asked(chat: OpenChat, day: int, found: bool, asked: int) -> None:
    messages = chat.store.chats.append(chat.scope, chat.branch_id, [said(chat, ONE_IN_THE_MORNING)])
    chat.store.memories.add(chat.scope, [episode_of(chat.scope.chat_id, messages)])
    visible = chat.store.memories.visible(chat.scope, chat.branch_id)
    wanted = DateRange(datetime(2024, 5, day, tzinfo=zone_of(asked)), datetime(2024, 5, day, 23, 59, 59, tzinfo=zone_of(asked)))
    assert wanted.holds(messages[0].said_at) is found
    assert bool(chat.store.memories.told_within(chat.scope, visible, wanted.first, wanted.last, limit=9)) is found


def test_days_meet_by_their_names_and_not_by_their_hours() -> None:
    def day(number: int, offset: int) -> DateRange:
        return DateRange(datetime(2024, 5, number, tzinfo=zone_of(offset)), datetime(2024, 5, number, 23, 59, 59, tzinfo=zone_of(offset)))

    there, here = day(5, SHANGHAI), day(5, NEW_YORK)
    assert here.meets(there.first, there.last)
    assert not day(4, NEW_YORK).meets(there.first, there.last), "the hours of these two overlap"


def test_across_the_date_line_the_later_may_be_of_the_earlier_day() -> None:
    home = datetime(2024, 5, 4, 20, tzinfo=zone_of(NEW_YORK))
    assert home > ONE_IN_THE_MORNING
    assert later_day(home, than=ONE_IN_THE_MORNING)
    assert not later_day(ONE_IN_THE_MORNING, than=home)
    assert not later_day(ONE_IN_THE_MORNING + timedelta(hours=3), than=ONE_IN_THE_MORNING)


@pytest.mark.parametrize("odd", [timedelta(hours=15), timedelta(hours=-23), timedelta(hours=8, minutes=5, seconds=43)])
def test_a_zone_that_no_place_has_tells_nothing_of_a_day(chat: OpenChat, odd: timedelta) -> None:
    at = datetime(2024, 5, 5, 12, tzinfo=timezone(odd))
    (message,) = chat.store.chats.append(chat.scope, chat.branch_id, [said(chat, at)])
    assert message.said_at == at
    assert offset_of(message.said_at) == (485 if odd < timedelta(hours=9) and odd > timedelta(0) else 0)


def test_now_is_on_the_wall_of_whoever_asks_and_else_of_this_program() -> None:
    here = datetime.now().astimezone().utcoffset()
    with on_wall(KOLKATA):
        assert wall_now().utcoffset() == timedelta(hours=5, minutes=30)
        with on_wall(None):
            assert wall_now().utcoffset() == here
        assert offset_of(wall_now()) == KOLKATA
    assert wall_now().utcoffset() == here
    assert abs(wall_now() - datetime.now(UTC)) < timedelta(seconds=5)


def test_a_storys_clock_shows_the_same_on_every_wall(chat: OpenChat) -> None:
    clock = StoryClock(datetime.now(UTC) - timedelta(hours=11), datetime(1820, 5, 3, 12, tzinfo=UTC), runs=True)
    story = replace(chat.store.chats.chat(chat.scope), clock=clock)
    for offset in (SHANGHAI, 0, NEW_YORK, MOST_OFFSET, -MOST_OFFSET):
        with on_wall(offset):
            assert (story.now().date().isoformat(), story.now().hour, offset_of(story.now())) == ("1820-05-03", 23, offset)
        assert offset_of(story.now(zone_of(offset))) == offset
    assert offset_of(story.now()) == offset_of(datetime.now(wall_zone()))


def test_what_is_erased_is_looked_for_under_the_day_that_a_prompt_told() -> None:
    """Older backups know the moment alone: any day is looked for that it was somewhere."""
    told = Erased("m", "fact", ("x",), to_ms(ONE_IN_THE_MORNING), 3, elsewhere=False).prefixes
    assert {"- (2024-05-04, round 3) ", "- (2024-05-05, round 3) ", "- (2024-05-05，第3轮) "} <= set(told)
    noon = Erased("m", "fact", ("x",), to_ms(datetime(2024, 5, 5, 12, tzinfo=UTC)), 3, elsewhere=False).prefixes
    assert noon[0] == "- (2024-05-05, round 3) "


@pytest.mark.parametrize("version", [5, 23])
def test_what_was_said_before_walls_were_kept_has_the_days_it_had(tmp_path: Path, version: int) -> None:
    folder = folder_of(tmp_path, 5)
    with closing(sqlite3.connect(folder.database, isolation_level=None)) as connection:
        connection.execute("UPDATE message SET said_at = ?", (to_ms(ONE_IN_THE_MORNING),))
        connection.execute("UPDATE memory SET said_at = ?", (to_ms(ONE_IN_THE_MORNING),))
        if version == 23:
            migrations.apply(sqlite_utils.Database(connection, execute_plugins=False), stop_before="m024_walls")
            assert "utc_offset" not in {row[1] for row in connection.execute("PRAGMA table_info(message)")}
    store = Store(folder)
    scope = Scope.of(LOCAL_USER, "chat")
    path = store.chats.path(scope, "b", limit=9)
    assert [m.text for m in reversed(path)] == [text for _, text in LINES]
    assert {m.said_at.isoformat() for m in path} == {"2024-05-04T17:00:00+00:00"}
    assert store.memories.get(scope, ["episode"])["episode"].said_at == ONE_IN_THE_MORNING
    assert [found for found in check(folder) if found.fault] == []
    store.close()


def test_no_wall_is_further_than_the_furthest(tmp_path: Path) -> None:
    store = Store(DataFolder(tmp_path / "data"), durable=False)
    with pytest.raises(sqlite3.IntegrityError, match="CHECK"), store.database.write() as connection:
        connection.execute(
            """INSERT INTO message (id, chat_id, depth, round, role, speaker, said_at, created_at, utc_offset)
            VALUES ('m', 'c', 0, 0, 'user', 'x', 0, 0, 841)"""
        )
    store.close()


@pytest.mark.parametrize("day", ["0001-01-01", "2024-05-04", "9999-12-31"])
def test_what_is_erased_is_sought_under_every_day_that_a_wall_showed(day: str) -> None:
    at = to_ms(datetime.fromisoformat(f"{day}T12:00:00+00:00"))
    erased = Erased(id="m", kind="fact", texts=("Ann keeps bees.",), said_at=at, round_first=1, elsewhere=False)
    assert any(f"{from_ms(at):%Y-%m-%d}" in prefix for prefix in erased.prefixes)
    assert any("05-05" in prefix for prefix in erased.prefixes) == (day == "2024-05-04")
