"""Several characters at once: all of it or nothing, each with a way back, and as an archive of cards."""

from __future__ import annotations

import io
import zipfile

import pytest

from chat import characters
from chat.errors import CharactersTooMany
from chat.many_characters import ManyCharacters
from errors import KeepsakeError
from personas.cards.png import SIGNATURE
from personas.cards.reading import read_card
from personas.record import MAX_TAGS
from personas.written import CharacterTagsTooMany, CharacterTextTooLong, Written
from storage.errors import CharacterNotFound
from storage.scope import LOCAL_USER
from tests.chat.conftest import Talk, talk

__all__ = ["talk"]

NELL = "builtin:nell-garrow"


def many(talk: Talk) -> ManyCharacters:
    return talk.house.service.many_characters


def made(talk: Talk, name: str, *tags: str, user: str = LOCAL_USER) -> str:
    return talk.house.service.own_characters.create(user, Written(name=name, language="en", tags=tags))


def tags(talk: Talk) -> dict[str, tuple[str, ...]]:
    return {one.name: one.tags for one in talk.house.service.own_characters.all(LOCAL_USER)}


def test_tags_come_and_go_for_those_alone_that_are_another_by_it(talk: Talk) -> None:
    ivo, una = made(talk, "Ivo", "clocks"), made(talk, "Una", "Sea", "fog")
    assert many(talk).tag(LOCAL_USER, [ivo, una, ivo], "sea") == [ivo]
    assert tags(talk) == {"Ivo": ("clocks", "sea"), "Una": ("Sea", "fog")}
    assert many(talk).untag(LOCAL_USER, [ivo, una], "SEA、fog") == [ivo, una]
    assert tags(talk) == {"Ivo": ("clocks",), "Una": ()}
    assert many(talk).tag(LOCAL_USER, [ivo], " , ") == []
    many(talk).tag(LOCAL_USER, [una], "NSFW")
    assert {one.name: one.adult for one in talk.house.service.own_characters.all(LOCAL_USER)} == {"Ivo": "", "Una": "tags"}


def test_nothing_is_done_where_one_of_them_cannot(talk: Talk) -> None:
    talk.house.memory.store.chats.ensure_user("other", "")
    ivo, full, theirs = made(talk, "Ivo"), made(talk, "Full", *map(str, range(MAX_TAGS))), made(talk, "Eve", user="other")
    with pytest.raises(CharacterTagsTooMany):
        many(talk).tag(LOCAL_USER, [ivo, full], "sea")
    with pytest.raises(CharacterTextTooLong):
        many(talk).tag(LOCAL_USER, [ivo], "x" * 201)
    for act in (many(talk).remove, many(talk).restore, many(talk).favour):
        with pytest.raises(CharacterNotFound):
            act(LOCAL_USER, [ivo, theirs])
    for wrong in (NELL, theirs, "", "no-such"):
        with pytest.raises(CharacterNotFound):
            many(talk).tag(LOCAL_USER, [ivo, wrong], "sea")
    assert tags(talk)["Ivo"] == ()
    assert len(talk.house.service.own_characters.all("other")) == 1
    assert not talk.house.service.own_characters.favourites(LOCAL_USER)


def test_removed_they_come_back_where_there_is_room(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    both = [made(talk, "Ivo"), made(talk, "Una")]
    assert list(many(talk).remove(LOCAL_USER, both)) == both
    assert not tags(talk)
    monkeypatch.setattr(characters, "MOST_CHARACTERS", 1)
    with pytest.raises(CharactersTooMany):
        many(talk).restore(LOCAL_USER, both)
    monkeypatch.undo()
    many(talk).restore(LOCAL_USER, both)
    assert set(tags(talk)) == {"Ivo", "Una"}


def test_the_cast_can_be_kept_on_top_with_them(talk: Talk) -> None:
    ivo = made(talk, "Ivo")
    assert list(many(talk).favour(LOCAL_USER, [ivo, NELL])) == [ivo, NELL]
    assert list(many(talk).favour(LOCAL_USER, [ivo, NELL])) == [], "they are"
    assert list(many(talk).unfavour(LOCAL_USER, [NELL, ivo])) == [NELL, ivo]
    assert not talk.house.service.own_characters.favourites(LOCAL_USER)


def both_languages(error: KeepsakeError) -> tuple[str, str]:
    return str(error), error.code


def test_they_leave_as_cards_that_come_in_again(talk: Talk) -> None:
    ivo, una = made(talk, "../Ivo", "clocks"), made(talk, "雾")
    service = talk.house.service
    outgoing, left_out = service.everything.export_cards(LOCAL_USER, [ivo, una, ivo], tell=both_languages)
    fetched = service.transfers.fetch(LOCAL_USER, outgoing.ticket)
    archive = zipfile.ZipFile(io.BytesIO(fetched.path.read_bytes()))
    fetched.discard()
    assert (outgoing.path.name.startswith("keepsake-characters-"), list(left_out)) == (True, [])
    assert archive.namelist() == ["001-Ivo.png", "002-雾.png"]
    cards = [archive.read(name) for name in archive.namelist()]
    assert all(card.startswith(SIGNATURE) for card in cards)
    assert [read_card(card).card.name for card in cards] == ["../Ivo", "雾"]
    for wrong in ([], [NELL], [ivo, "no-such"]):
        with pytest.raises(CharacterNotFound):
            service.everything.export_cards(LOCAL_USER, wrong, tell=both_languages)
