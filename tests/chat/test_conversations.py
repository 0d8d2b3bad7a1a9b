"""Whole conversations: named, put into the bin, brought back and erased for good."""

from __future__ import annotations

import pytest

from chat.views import BinWeightView
from models.scripted import Script
from storage.errors import ChangedElsewhere, NotFound
from storage.scope import LOCAL_USER
from tests.chat.conftest import Talk
from tests.chat.rewritten import conversations, edition, known, rewriting, shown


def test_a_chat_in_the_bin_is_out_of_sight_and_comes_back_whole(talk: Talk) -> None:
    talk.say("I live in Porto.", "A fine town.")
    talk.remembered()
    conversations(talk).rename(LOCAL_USER, talk.chat_id, "By the sea")
    conversations(talk).delete(LOCAL_USER, talk.chat_id)
    assert talk.house.service.chats(LOCAL_USER) == ()
    with pytest.raises(NotFound):
        talk.texts()
    (binned,) = conversations(talk).binned(LOCAL_USER)
    assert (binned.id, binned.title, binned.rounds, binned.messages) == (talk.chat_id, "By the sea", 1, 3)
    assert binned.memories == _remembered(talk) > 0
    conversations(talk).restore(LOCAL_USER, talk.chat_id)
    talk.say("Good night.", "Night.")
    assert known(talk) == {"residence": ["Porto"]}


def test_a_page_that_shows_an_older_state_erases_nothing_and_asks_for_no_reply(talk: Talk) -> None:
    """What a question names is what goes: not what another tab has put into the bin since, nor a conversation it took out."""
    talk.say("I live in Porto.", "A fine town.")
    talk.say("Good evening.", "The kettle is on.")
    asked = edition(talk)
    rewriting(talk).delete_from(LOCAL_USER, talk.chat_id, shown(talk)[-1].id, edition=asked)
    with pytest.raises(ChangedElsewhere):
        conversations(talk).empty_bin(LOCAL_USER, talk.chat_id, edition=asked)
    with pytest.raises(ChangedElsewhere):
        talk.house.service.request_reply(LOCAL_USER, talk.chat_id, edition=asked)
    with pytest.raises(ChangedElsewhere):
        conversations(talk).erase_binned(LOCAL_USER, talk.chat_id)
    assert len(rewriting(talk).bin(LOCAL_USER, talk.chat_id)) == 1
    assert len(talk.texts()) == 4
    talk.model.enqueue(Script(("Come in.",)))
    talk.house.service.request_reply(LOCAL_USER, talk.chat_id, edition=edition(talk))
    talk.wait()
    assert talk.texts()[-1] == "Come in."
    conversations(talk).delete(LOCAL_USER, talk.chat_id)
    conversations(talk).erase_binned(LOCAL_USER, talk.chat_id)
    assert conversations(talk).binned(LOCAL_USER) == ()


def test_an_erased_chat_is_gone_for_good_and_an_emptied_bin_has_nothing_to_give_back(talk: Talk) -> None:
    talk.say("I live in Porto.", "A fine town.")
    talk.say("The password is quicksilver.", "I will keep it.")
    talk.remembered()
    rewriting(talk).delete_from(LOCAL_USER, talk.chat_id, shown(talk)[3].id, edition=edition(talk))
    talk.remembered()
    weight = conversations(talk).bin_weight(LOCAL_USER, talk.chat_id)
    assert (weight.messages, weight.branches) == (2, 0)
    remembered = _remembered(talk)
    assert conversations(talk).empty_bin(LOCAL_USER, talk.chat_id, edition=edition(talk)) == 2
    assert weight.memories == remembered - _remembered(talk) > 0
    assert conversations(talk).bin_weight(LOCAL_USER, talk.chat_id) == BinWeightView(0, 0, 0)
    assert rewriting(talk).bin(LOCAL_USER, talk.chat_id) == ()
    talk.say("Good night.", "Night.")
    assert known(talk) == {"residence": ["Porto"]}
    folder = talk.house.memory.store.folder.root
    assert not any(b"quicksilver" in path.read_bytes() for path in folder.rglob("*") if path.is_file())
    conversations(talk).erase(LOCAL_USER, talk.chat_id)
    with pytest.raises(NotFound):
        talk.texts()
    assert [path.name for path in folder.rglob("*") if path.is_file() and b"Porto" in path.read_bytes()] == []
    with pytest.raises(NotFound):
        conversations(talk).erase("somebody-else", talk.chat_id)


def test_nobody_stops_anothers_reply_by_asking_to_erase(talk: Talk) -> None:
    talk.model.enqueue(Script(("The tide",), hangs=True))
    talk.send("What comes at six?")
    for operation in (conversations(talk).erase, conversations(talk).delete):
        with pytest.raises(NotFound):
            operation("somebody-else", talk.chat_id)
    assert not talk.job().final
    conversations(talk).erase(LOCAL_USER, talk.chat_id)
    assert talk.house.service.chats(LOCAL_USER) == ()


def _remembered(talk: Talk) -> int:
    """Memories of the chat, in sight or not."""
    (count,) = talk.house.memory.store.database.read().execute("SELECT count(*) FROM memory WHERE status <> 'deleted'").fetchone()
    return int(count)
