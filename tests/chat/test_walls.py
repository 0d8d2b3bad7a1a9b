"""Whose clock counts in a house: of whoever asks, kept with what is said, from the greeting to what memory tells of it."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from chat.fed_lines import FedLine
from chat.portable import Portable
from models.scripted import Script
from storage.records import Kind, Message
from storage.scope import LOCAL_USER
from storage.wall import offset_of, on_wall, zone_of
from tests.chat.conftest import Talk
from tests.chat.remembering import fact, rebuilt
from tests.chat.test_memory_files import file_of, other, taken
from tests.chat.test_questions import ask

KOLKATA = 330


def another_day() -> int:
    """The offset of a place where it is not the day that it is in UTC, at any hour."""
    return 840 if datetime.now(UTC).hour >= 10 else -720


def path(talk: Talk, chat_id: str = "") -> list[Message]:
    scope = talk.scope if not chat_id else type(talk.scope).of(LOCAL_USER, chat_id)
    store = talk.house.memory.store
    return store.chats.path(scope, store.chats.chat(scope).branch_id, limit=60)[::-1]


def offsets(talk: Talk, chat_id: str = "") -> list[int]:
    return [offset_of(m.said_at) for m in path(talk, chat_id)]


def test_what_is_said_and_answered_has_the_wall_of_whoever_says_it(talk: Talk) -> None:
    here = offset_of(datetime.now().astimezone())
    talk.say("Hello.")
    with on_wall(KOLKATA):
        talk.say("I am in Kolkata.")
    with on_wall(-300):
        talk.say("And now in New York.")
    assert offsets(talk)[1:] == [here] * 2 + [KOLKATA] * 2 + [-300] * 2
    service = talk.house.service
    with on_wall(KOLKATA):
        assert offsets(talk, service.create(LOCAL_USER, "builtin:nell-garrow")) == [KOLKATA]
        several = service.groups.create(LOCAL_USER, ["builtin:nell-garrow", "builtin:rafferty-moth"])
        assert set(offsets(talk, several)) == {KOLKATA}


def test_a_reply_has_the_wall_of_what_it_answers_wherever_it_is_asked_for(talk: Talk) -> None:
    service = talk.house.service
    with on_wall(KOLKATA):
        talk.say("What is the weather?")
    edition = service.transcript(LOCAL_USER, talk.chat_id, limit=1).edition
    talk.model.enqueue(Script(("Windy.",)))
    with on_wall(-300):
        service.rewriting.regenerate(LOCAL_USER, talk.chat_id, path(talk)[-1].id, edition=edition)
        talk.wait()
    assert path(talk)[-1].text == "Windy."
    assert offsets(talk)[-2:] == [KOLKATA] * 2


def test_today_is_the_day_on_the_players_wall_in_memory_and_in_prompts(talk: Talk) -> None:
    offset = another_day()
    today = datetime.now(zone_of(offset)).date()
    assert today != datetime.now(UTC).date()
    with on_wall(offset):
        talk.say("Yesterday I bought a brass lamp.", "Brass keeps.")
        talk.say("Good night.")
    talk.remembered()
    lamp = fact(talk, "lamp")
    assert lamp.happened is not None
    assert [day.date() for day in lamp.happened] == [today - timedelta(days=1)] * 2
    assert lamp.said_at.date() == today
    rebuilt(talk)
    again = fact(talk, "lamp")
    assert (again.id, again.happened, again.said_at) == (lamp.id, lamp.happened, lamp.said_at)
    assert again.said_at.isoformat() == lamp.said_at.isoformat()


def test_a_day_that_leaves_with_a_memory_is_the_same_where_it_arrives(talk: Talk) -> None:
    offset = another_day()
    with on_wall(offset):
        talk.say("Yesterday I bought a brass lamp.", "Brass keeps.")
        talk.say("Good night.")
    talk.remembered()
    lamp = fact(talk, "lamp")
    there = other(talk)
    taken(there, file_of(talk))
    brought = fact(there, "lamp")
    assert brought.said_at.isoformat() == lamp.said_at.isoformat()
    assert brought.happened is not None
    assert lamp.happened is not None
    assert [day.isoformat() for day in brought.happened] == [day.isoformat() for day in lamp.happened]
    assert taken(there, file_of(there)) == (0, 1)


def test_a_copy_a_branch_and_a_wider_conversation_keep_it(talk: Talk, tmp_path: Path) -> None:
    service, store = talk.house.service, talk.house.memory.store
    with on_wall(KOLKATA):
        talk.say("Hello from Kolkata.")
    kept = offsets(talk)[1:]
    branch = store.branches.fork(talk.scope, talk.branch_id, path(talk)[-1].id, "other", operation="branch")
    assert [offset_of(m.said_at) for m in store.chats.path(talk.scope, branch, limit=2)] == kept
    copy = Portable(store).load(LOCAL_USER, Portable(store).export(LOCAL_USER, talk.chat_id))
    assert copy != talk.chat_id
    assert offsets(talk, copy)[1:] == kept
    wide = service.widening.widen(LOCAL_USER, talk.chat_id, "builtin:rafferty-moth")
    assert offsets(talk, wide)[1:3] == kept


def test_lines_that_are_heard_have_the_zone_they_name_else_the_wall_of_whoever_writes_them(talk: Talk) -> None:
    service = talk.house.service
    ear = service.listening.create(LOCAL_USER, "builtin:nell-garrow", player="Ann")
    at = datetime(2024, 5, 5, 1, tzinfo=zone_of(480))
    service.listening.hear(
        LOCAL_USER, ear, [FedLine(1, "Ann", "Yesterday I sold the boat.", at, "heard:1"), FedLine(2, "Bo", "I see.", None, "heard:2")]
    )
    with on_wall(KOLKATA):
        service.listening.say(LOCAL_USER, ear, "And I bought it.", speaker="Bo", token="t")
    assert offsets(talk, ear) == [480, offset_of(datetime.now().astimezone()), KOLKATA]
    assert path(talk, ear)[0].said_at.date() == date(2024, 5, 5)


def test_a_storys_day_ends_on_the_players_wall(talk: Talk) -> None:
    service = talk.house.service
    for offset in (840, -720):
        with on_wall(offset):
            service.rewriting.set_day(
                LOCAL_USER, talk.chat_id, "1820-05-03", runs=False, edition=service.transcript(LOCAL_USER, talk.chat_id, limit=1).edition
            )
            talk.say("Yesterday I bought a brass lamp in Dover.", "Brass keeps.")
            said = path(talk)[-1].said_at
            assert (said.date().isoformat(), said.hour, offset_of(said)) == ("1820-05-03", 12, offset)
            assert service.story(LOCAL_USER, talk.chat_id).day == "1820-05-03"
            assert "[In the story it is 1820-05-03 today]" in talk.model.prompts[-1][-1].content
    talk.say("Good night.")
    talk.remembered()
    store = talk.house.memory.store
    facts = store.memories.get(talk.scope, store.memories.visible(talk.scope, talk.branch_id).of_kinds((Kind.FACT,)).ids).values()
    assert {f.event_from.date().isoformat() for f in facts if f.event_from is not None} == {"1820-05-02"}


def test_a_question_to_the_memory_means_the_days_of_whoever_asks(talk: Talk) -> None:
    offset = another_day()
    with on_wall(offset):
        talk.say("Yesterday I bought a brass lamp at the harbour market.", "Brass keeps.")
        talk.say("Good night.")
        talk.remembered()
        yesterday = (datetime.now(zone_of(offset)) - timedelta(days=1)).date()
        view = ask(talk, "What did I buy at the harbour market yesterday?")
    assert view.answer is not None
    assert view.answer.found
    days = [day.date() for part in (*view.answer.parts, *view.answer.notes) if part.happened is not None for day in part.happened]
    assert days
    assert set(days) == {yesterday}
