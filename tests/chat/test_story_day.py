"""A story with a day of its own: what is said is said on it, and counted from it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from chat.errors import DayNotPossible
from memory.sessions import IDLE, sessions
from storage.records import Kind, StoryClock
from storage.scope import LOCAL_USER
from storage.wall import as_read, on_wall
from tests.chat.conftest import Talk

NOON = datetime(1820, 5, 3, 12, tzinfo=UTC)


def set_day(talk: Talk, day: str, *, runs: bool = False) -> None:
    service = talk.house.service
    service.rewriting.set_day(
        LOCAL_USER, talk.chat_id, day, runs=runs, edition=service.transcript(LOCAL_USER, talk.chat_id, limit=1).edition
    )


def said_at(talk: Talk) -> list[datetime]:
    return [m.said_at for m in talk.house.service.transcript(LOCAL_USER, talk.chat_id, limit=60).messages]


def test_what_is_said_is_said_on_the_storys_day_and_yesterday_is_the_day_before(talk: Talk) -> None:
    talk.say("I like rye bread.", "Noted.")
    set_day(talk, "1820-05-03")
    talk.say("Yesterday I bought a brass lamp in Dover.", "Brass keeps.")
    talk.say("Good night.", "Good night.")
    talk.remembered()
    assert [as_read(at) for at in said_at(talk)[-4:]] == [as_read(NOON)] * 4
    assert said_at(talk)[1] > NOON + timedelta(days=60_000), "what was said before keeps its day"
    store = talk.house.memory.store
    facts = store.memories.get(talk.scope, store.memories.visible(talk.scope, talk.branch_id).of_kinds((Kind.FACT,)).ids).values()
    (lamp,) = (f for f in facts if "lamp" in f.text)
    assert lamp.event_from is not None
    assert lamp.event_from.date().isoformat() == "1820-05-02"
    sent = talk.model.prompts
    assert "[In the story it is 1820-05-03 today]" in sent[-1][-1].content
    assert "[In the story" not in sent[0][-1].content
    view = talk.house.service.story(LOCAL_USER, talk.chat_id)
    assert (view.day, view.day_runs) == ("1820-05-03", False)


def test_a_session_ends_where_the_day_changes_and_not_where_it_stands(talk: Talk) -> None:
    store = talk.house.memory.store

    def over() -> bool:
        return store.chats.session_closed(talk.scope, talk.house.service.transcript(LOCAL_USER, talk.chat_id, limit=9).messages[-3].id)

    talk.say("I like rye bread.", "Noted.")
    set_day(talk, "1820-05-03")
    talk.say("I like tea.", "Noted.")
    assert over()
    assert store.chats.idle(before=datetime.now(UTC) - timedelta(minutes=30)) == [], "it is quiet for half an hour by no clock on the wall"
    talk.say("I like milk.", "Noted.")
    assert not over()
    with store.database.write() as connection:
        connection.execute("UPDATE message SET created_at = created_at - 3600000")
    assert store.chats.idle(before=datetime.now(UTC) - timedelta(minutes=30)) == [(LOCAL_USER, talk.chat_id)]
    talk.say("I like jam.", "Noted.")
    assert over()


@pytest.mark.parametrize(("before", "after"), [(0, 480), (480, 0)])
def test_no_session_ends_where_the_story_goes_on_from_another_place(talk: Talk, before: int, after: int) -> None:
    set_day(talk, "1890-05-01")
    store = talk.house.memory.store
    with on_wall(before):
        talk.say("I like rye bread.", "Noted.")
        last = talk.house.service.transcript(LOCAL_USER, talk.chat_id, limit=1).messages[-1].id
    with on_wall(after):
        talk.say("I like tea.", "Noted.")
    assert not store.chats.session_closed(talk.scope, last)
    said = store.sessions.moments(talk.scope, talk.branch_id)
    assert [(one.first, one.last) for one in sessions(said, idle=IDLE)] == [(1, 2)]


def test_the_day_is_taken_back_and_set_again(talk: Talk) -> None:
    service = talk.house.service

    def edition() -> int:
        return service.transcript(LOCAL_USER, talk.chat_id, limit=1).edition

    set_day(talk, "1820-05-03", runs=True)
    service.rewriting.undo(LOCAL_USER, talk.chat_id, edition=edition())
    assert service.story(LOCAL_USER, talk.chat_id).day == ""
    service.rewriting.redo(LOCAL_USER, talk.chat_id, edition=edition())
    assert service.story(LOCAL_USER, talk.chat_id).day_runs
    set_day(talk, "")
    talk.say("Hello.", "Good day.")
    assert said_at(talk)[-1] > NOON + timedelta(days=60_000)


@pytest.mark.parametrize("day", ["1820-13-01", "0001-01-01", "9999-12-31", "yesterday", "1820-05-03T10:00", "20", "\ud800"])
def test_what_is_no_day_changes_nothing(talk: Talk, day: str) -> None:
    with pytest.raises(DayNotPossible):
        set_day(talk, day)
    assert talk.house.service.story(LOCAL_USER, talk.chat_id).day == ""


def test_a_clock_goes_on_with_the_walls_or_stands() -> None:
    wall = datetime(2026, 1, 1, 8, tzinfo=UTC)
    later = wall + timedelta(days=2)
    assert StoryClock(wall, NOON, runs=True).at(later) == NOON + timedelta(days=2)
    assert StoryClock(wall, NOON, runs=False).at(later) == NOON
