"""Putting one of several wordings of a message away: out of the leafing, into the bin, and back with all that was remembered of it."""

from __future__ import annotations

import json

import pytest

from chat.portable_jsonl import jsonl_lines
from storage.errors import ChangedElsewhere, LastWording, NotFound
from storage.scope import LOCAL_USER
from tests.chat.conftest import Talk, talk
from tests.chat.rewritten import among_known, edition, rewriting, shown

__all__ = ["talk"]

PORTO, LEITH, CORK = (f"I live in a small flat in {town}." for town in ("Porto", "Leith", "Cork"))


def lives_in(talk: Talk) -> set[str]:
    return among_known(talk, "Porto", "Leith", "Cork")


def worded(talk: Talk) -> str:
    """A message in three wordings, the last of which stands; its id."""
    talk.say(PORTO, "A fine town.")
    talk.say("Good night.", "Night.")
    line = shown(talk)[1]
    for words in (LEITH, CORK):
        rewriting(talk).edit(LOCAL_USER, talk.chat_id, line.id, words, edition=edition(talk))
    talk.remembered()
    return line.id


def put_away(talk: Talk, message_id: str, place: int) -> None:
    rewriting(talk).put_away(LOCAL_USER, talk.chat_id, message_id, place=place, edition=edition(talk))


def leaf(talk: Talk) -> tuple[str, int, int]:
    message = shown(talk)[1]
    return message.text, message.variant, message.variants


def test_an_edit_is_a_further_wording_and_the_one_that_is_shown_can_go(talk: Talk) -> None:
    message_id = worded(talk)
    assert leaf(talk) == (CORK, 3, 3)
    put_away(talk, message_id, 3)
    assert leaf(talk) == (LEITH, 2, 2)
    assert lives_in(talk) == {"Leith"}
    rewriting(talk).undo(LOCAL_USER, talk.chat_id, edition=edition(talk))
    assert leaf(talk) == (CORK, 3, 3)
    assert lives_in(talk) == {"Cork"}
    rewriting(talk).redo(LOCAL_USER, talk.chat_id, edition=edition(talk))
    assert leaf(talk) == (LEITH, 2, 2)


def test_of_the_first_the_next_takes_the_place_and_the_last_stays(talk: Talk) -> None:
    message_id = worded(talk)
    put_away(talk, message_id, 2)
    assert leaf(talk) == (CORK, 2, 2), "one that is not shown goes without a change"
    rewriting(talk).swipe(LOCAL_USER, talk.chat_id, message_id, to=1, edition=edition(talk))
    put_away(talk, message_id, 1)
    assert leaf(talk) == (CORK, 1, 1)
    with pytest.raises(LastWording):
        put_away(talk, message_id, 1)
    for place in (0, 2, -1, 99):
        with pytest.raises(NotFound):
            rewriting(talk).swipe(LOCAL_USER, talk.chat_id, message_id, to=place, edition=edition(talk))
        with pytest.raises(NotFound):
            put_away(talk, message_id, place)
    with pytest.raises(ChangedElsewhere):
        rewriting(talk).put_away(LOCAL_USER, talk.chat_id, message_id, place=1, edition=edition(talk) - 1)
    swipes = [json.loads(line) for line in jsonl_lines(talk.house.memory.store, talk.scope)]
    assert "swipes" not in swipes[2]
    assert swipes[2]["mes"] == CORK


def test_the_bin_has_it_and_brings_it_back_to_be_read(talk: Talk) -> None:
    message_id = worded(talk)
    put_away(talk, message_id, 2)
    (item,) = rewriting(talk).bin(LOCAL_USER, talk.chat_id)
    assert (item.kind, item.text, item.round, item.count) == ("wording", LEITH, 1, 1)
    rewriting(talk).restore(LOCAL_USER, talk.chat_id, item.id, edition=edition(talk))
    assert leaf(talk) == (LEITH, 2, 3)
    assert lives_in(talk) == {"Leith"}
    assert rewriting(talk).bin(LOCAL_USER, talk.chat_id) == ()
    with pytest.raises(NotFound):
        rewriting(talk).restore(LOCAL_USER, talk.chat_id, item.id, edition=edition(talk))


def test_a_branch_takes_it_along_and_then_goes_its_own_way(talk: Talk) -> None:
    message_id = worded(talk)
    put_away(talk, message_id, 2)
    main = talk.branch_id
    rewriting(talk).branch(LOCAL_USER, talk.chat_id, message_id, "other", edition=edition(talk))
    assert leaf(talk) == (CORK, 2, 2)
    put_away(talk, message_id, 2)
    assert leaf(talk) == (PORTO, 1, 1)
    rewriting(talk).switch(LOCAL_USER, talk.chat_id, main, edition=edition(talk))
    assert leaf(talk) == (CORK, 2, 2)


def test_nobody_puts_away_what_is_not_theirs(talk: Talk) -> None:
    message_id = worded(talk)
    talk.house.memory.store.chats.ensure_user("somebody", "")
    with pytest.raises(NotFound):
        rewriting(talk).put_away("somebody", talk.chat_id, message_id, place=1, edition=edition(talk))
    with pytest.raises(NotFound):
        rewriting(talk).put_away(LOCAL_USER, talk.chat_id, "no-such", place=1, edition=edition(talk))
    assert leaf(talk) == (CORK, 3, 3)
