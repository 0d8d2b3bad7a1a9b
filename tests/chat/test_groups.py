"""Conversations with several characters: begun, answered, come and go, rewritten."""

from __future__ import annotations

import pytest

from chat.errors import GroupSize, NobodyThere, NotOfGroup
from chat.views import Phase
from memory.reading.messages import listener_of
from models.scripted import Script
from personas.written import Written
from storage.errors import ChangedElsewhere, NotFound
from storage.scope import LOCAL_USER
from tests.chat.company import ENGLISH, MOTH, NELL, company
from tests.chat.conftest import Talk


def test_it_has_two_to_five_different_characters_that_the_player_may_talk_with(talk: Talk) -> None:
    create = talk.house.service.groups.create
    with pytest.raises(GroupSize):
        create(LOCAL_USER, ENGLISH[:1])
    with pytest.raises(GroupSize):
        create(LOCAL_USER, (ENGLISH[0], ENGLISH[0]))
    with pytest.raises(GroupSize):
        create(LOCAL_USER, tuple(f"builtin:{n}" for n in range(6)))
    with pytest.raises(NotFound):
        create(LOCAL_USER, (ENGLISH[0], "builtin:nobody"))
    assert len(talk.house.service.chats(LOCAL_USER)) == 1


def test_it_begins_with_the_greeting_of_the_first_and_is_listed_by_all_names(talk: Talk) -> None:
    group = company(talk)
    assert group.speakers() == [NELL]
    assert group.group.room == (NELL, MOTH)
    (summary,) = [c for c in talk.house.service.chats(LOCAL_USER) if c.id == group.chat_id]
    assert summary.members == (NELL, MOTH)


def test_whoever_is_named_answers_else_they_take_turns(talk: Talk) -> None:
    group = company(talk)
    group.tell("Moth, are you awake?", "Always.")
    group.tell("And now?", "Now me.")
    group.tell("And now?", "Me again.")
    assert group.speakers()[1:] == ["You", MOTH, "You", NELL, "You", MOTH]


def test_everyone_answers_in_turn_each_with_a_receipt_of_its_own(talk: Talk) -> None:
    group = company(talk)
    group.groups.set_answers(LOCAL_USER, group.chat_id, "all", edition=group.edition)
    group.tell("Is anybody there?", "I am.", "So am I.")
    assert group.speakers()[1:] == ["You", NELL, MOTH]
    shown = talk.house.service.transcript(LOCAL_USER, group.chat_id).messages[-2:]
    receipts = [talk.house.service.receipt(LOCAL_USER, group.chat_id, m.id) for m in shown]
    assert [r.speaker for r in receipts if r is not None] == [NELL, MOTH]
    assert any("Nell Garrow: I am." in m.content for m in group.model.prompts[-1])


def test_stopping_one_stops_those_who_would_have_answered_after(talk: Talk) -> None:
    group = company(talk)
    group.groups.set_answers(LOCAL_USER, group.chat_id, "all", edition=group.edition)
    group.model.enqueue(Script(("I am ",), hangs=True))
    talk.house.service.send(LOCAL_USER, group.chat_id, "Is anybody there?", token="t")
    while group.job().phase is not Phase.WRITING:
        pass
    talk.house.service.stop(LOCAL_USER, group.chat_id)
    group.settled()
    assert group.speakers()[1:] == ["You", NELL]


def test_a_character_speaks_when_asked_and_that_is_a_step(talk: Talk) -> None:
    group = company(talk)
    group.tell("Good evening.", "Evening.", to=NELL)
    group.speak(MOTH, "I disagree.")
    group.speak(MOTH, "Strongly.")
    assert group.speakers()[1:] == ["You", NELL, MOTH, MOTH]
    talk.house.service.rewriting.undo(LOCAL_USER, group.chat_id, edition=group.edition)
    assert group.speakers()[1:] == ["You", NELL, MOTH]
    talk.house.service.rewriting.redo(LOCAL_USER, group.chat_id, edition=group.edition)
    assert group.texts()[-1] == "Strongly."


def test_who_comes_and_goes_stands_in_the_transcript_and_can_be_taken_back(talk: Talk) -> None:
    group = company(talk)
    group.tell("Good evening.", "Evening.")
    group.out(MOTH)
    group.out(MOTH)
    assert group.group.room == (NELL,)
    assert [m.text for m in talk.house.service.transcript(LOCAL_USER, group.chat_id).messages if m.role == "narrator"] == [
        f"{MOTH} leaves."
    ]
    talk.house.service.rewriting.undo(LOCAL_USER, group.chat_id, edition=group.edition)
    assert group.group.room == (NELL, MOTH)
    talk.house.service.rewriting.redo(LOCAL_USER, group.chat_id, edition=group.edition)
    assert group.group.room == (NELL,)
    group.tell("Only you hear this, Nell.", "I do.")
    heard = talk.house.service.transcript(LOCAL_USER, group.chat_id).messages[-2:]
    assert [m.present for m in heard] == [(NELL,), (NELL,)]
    group.back(MOTH)
    assert group.group.room == (NELL, MOTH)


def test_who_is_out_is_not_asked_and_with_nobody_there_nobody_answers(talk: Talk) -> None:
    group = company(talk)
    group.out(MOTH)
    with pytest.raises(NobodyThere):
        group.groups.speak(LOCAL_USER, group.chat_id, MOTH, edition=group.edition)
    with pytest.raises(NotOfGroup):
        group.groups.send_out(LOCAL_USER, group.chat_id, "Somebody", edition=group.edition)
    group.tell("Moth, do you hear me?", "He is out.")
    assert group.speakers()[-1] == NELL
    group.out(NELL)
    before = len(group.model.prompts)
    talk.house.service.send(LOCAL_USER, group.chat_id, "Hello, empty room.", token="alone")
    group.settled()
    assert len(group.model.prompts) == before
    assert group.texts()[-1] == "Hello, empty room."


def test_a_tab_that_shows_an_older_state_moves_nobody(talk: Talk) -> None:
    group = company(talk)
    stale = group.edition
    group.out(MOTH)
    for act in (group.groups.bring_back, group.groups.send_out, group.groups.speak):
        with pytest.raises(ChangedElsewhere):
            act(LOCAL_USER, group.chat_id, NELL, edition=stale)
    assert group.group.room == (NELL,)


def test_a_reply_is_made_again_and_continued_by_whoever_said_it_from_what_they_witnessed(talk: Talk) -> None:
    group = company(talk)
    group.out(MOTH)
    group.tell("I hid the lantern.", "I saw nothing.")
    group.back(MOTH)
    group.tell("Moth, what do you say?", "Nothing.")
    newest = talk.house.service.transcript(LOCAL_USER, group.chat_id).messages[-1]
    group.model.enqueue(Script(("Something.",)))
    talk.house.service.rewriting.regenerate(LOCAL_USER, group.chat_id, newest.id, edition=group.edition)
    group.settled()
    group.model.enqueue(Script(("And more.",)))
    talk.house.service.rewriting.resume(LOCAL_USER, group.chat_id, edition=group.edition)
    group.settled()
    newest = talk.house.service.transcript(LOCAL_USER, group.chat_id).messages[-1]
    assert (newest.name, newest.text, newest.variants) == (MOTH, "Something. And more.", 3)
    for prompt in group.model.prompts[-3:]:
        assert not any("lantern" in m.content for m in prompt)
    group.remembered()
    assert "lantern" not in group.knows(MOTH)
    assert "lantern" in group.knows(NELL)


def test_greetings_for_groups_are_said_where_a_card_has_them(talk: Talk) -> None:
    service = talk.house.service
    own = service.own_characters
    made = own.create(LOCAL_USER, Written("Ivo", "en", description="A ferryman."))
    stored = talk.house.memory.store.characters
    with talk.house.memory.store.database.write() as connection:
        connection.execute(
            "UPDATE character SET card_v3 = json_set(card_v3, '$.data.group_only_greetings', json('[\"Ahoy, both.\",\"Evening, all.\"]')) WHERE id = ?",
            (made,),
        )
    assert stored.ids(LOCAL_USER)
    chat_id = service.groups.create(LOCAL_USER, (ENGLISH[0], made), "At the ferry")
    (greeting,) = service.transcript(LOCAL_USER, chat_id).messages
    assert (greeting.name, greeting.text, greeting.variants) == ("Ivo", "Ahoy, both.", 2)


def test_search_finds_what_was_said_and_what_anybody_of_them_remembers(talk: Talk) -> None:
    group = company(talk)
    group.out(MOTH)
    group.tell("I work as a lighthouse keeper.", "Do you.")
    group.tell("Good night.", "Night.")
    group.remembered()
    found = talk.house.service.search.find(LOCAL_USER, "lighthouse keeper", chat_id=group.chat_id)
    assert [m.speaker for m in found.messages] == ["You"]
    assert found.memories


def test_you_is_whoever_is_there_alone(talk: Talk) -> None:
    group = company(talk)
    chat = talk.house.memory.store.chats.chat(group.scope)
    group.tell("Good evening.", "Evening.")
    group.out(MOTH)
    group.tell("I trust you.", "Do you.")
    path = talk.house.memory.store.chats.path(group.scope, group.branch_id, limit=5)
    assert [listener_of(m, chat) for m in path] == ["the player", NELL, "", "", ""]
