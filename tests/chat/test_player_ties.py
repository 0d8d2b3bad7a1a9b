"""A persona that is tied to a character: new conversations with it begin so, before the default."""

from __future__ import annotations

import pytest

from chat.players import OwnPlayers
from personas.written import Written
from storage.errors import CharacterNotFound, PlayerNotFound
from storage.scope import LOCAL_USER, Scope
from tests.chat.conftest import Talk, talk

__all__ = ["talk"]

NELL, RAFFERTY = "builtin:nell-garrow", "builtin:rafferty-moth"


def players(talk: Talk) -> OwnPlayers:
    return talk.house.service.own_players


def made(talk: Talk, name: str, user: str = LOCAL_USER) -> str:
    return players(talk).create(user, name=name, description="", picture=None)


def begun_as(talk: Talk, character_id: str) -> str:
    chat_id = talk.house.service.create(LOCAL_USER, character_id)
    return talk.house.memory.store.chats.chat(Scope.of(LOCAL_USER, chat_id)).user_name


def test_a_conversation_begins_as_who_is_tied_to_its_character_and_else_as_the_default(talk: Talk) -> None:
    made(talk, "Ann")
    mara = made(talk, "Mara")
    players(talk).tie(LOCAL_USER, mara, NELL)
    assert (begun_as(talk, NELL), begun_as(talk, RAFFERTY)) == ("Mara", "Ann")
    assert dict(players(talk).all(LOCAL_USER).ties) == {NELL: mara}
    passing = talk.house.service.passing
    assert passing.say(LOCAL_USER, passing.begin(LOCAL_USER, NELL).token, "Hm.").messages[1].name == "Mara"
    several = talk.house.service.groups.create(LOCAL_USER, [NELL, RAFFERTY])
    assert talk.house.memory.store.chats.chat(Scope.of(LOCAL_USER, several)).user_name == "Ann", "of several the default"
    players(talk).untie(LOCAL_USER, NELL)
    players(talk).untie(LOCAL_USER, NELL)
    assert begun_as(talk, NELL) == "Ann"


def test_conversations_that_are_there_stay_as_they_are(talk: Talk) -> None:
    before = talk.house.memory.store.chats.chat(talk.scope).user_name
    players(talk).tie(LOCAL_USER, made(talk, "Mara"), NELL)
    assert talk.house.memory.store.chats.chat(talk.scope).user_name == before


def test_removed_it_ties_nothing_and_restored_it_does_again_and_erased_it_is_gone(talk: Talk) -> None:
    mara = made(talk, "Mara")
    made(talk, "Ann")
    own = talk.house.service.own_characters
    ivo = own.create(LOCAL_USER, Written(name="Ivo", language="en"))
    for character in (NELL, ivo):
        players(talk).tie(LOCAL_USER, mara, character)
    players(talk).make_default(LOCAL_USER, "")
    players(talk).remove(LOCAL_USER, mara)
    assert begun_as(talk, NELL) != "Mara"
    players(talk).restore(LOCAL_USER, mara)
    assert begun_as(talk, RAFFERTY) != "Mara"
    own.remove(LOCAL_USER, ivo)
    own.erase(LOCAL_USER, ivo)
    assert set(players(talk).all(LOCAL_USER).ties) == {NELL}
    players(talk).remove(LOCAL_USER, mara)
    players(talk).erase(LOCAL_USER, mara)
    assert not players(talk).all(LOCAL_USER).ties


def test_nobody_ties_what_is_not_theirs(talk: Talk) -> None:
    talk.house.memory.store.chats.ensure_user("other", "")
    theirs, mine = made(talk, "Ann", "other"), made(talk, "Mara")
    ivo = talk.house.service.own_characters.create("other", Written(name="Ivo", language="en"))
    with pytest.raises(PlayerNotFound):
        players(talk).tie(LOCAL_USER, theirs, NELL)
    for character in (ivo, "", "builtin:nobody"):
        with pytest.raises(CharacterNotFound):
            players(talk).tie(LOCAL_USER, mine, character)
    assert not players(talk).all(LOCAL_USER).ties
    assert not players(talk).all("other").ties
