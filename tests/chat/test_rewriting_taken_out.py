"""What is hidden or taken out of a conversation is nowhere, memory included, and comes back whole."""

from __future__ import annotations

import pytest

from models.scripted import Script
from storage.errors import CannotUndo, LastBranch
from storage.records import Kind
from storage.scope import LOCAL_USER
from tests.chat.conftest import Talk
from tests.chat.rewritten import among_known, edition, known, rewriting, shown

PORTO, TUNER = "I live in a small flat in Porto.", "I work as a piano tuner."


def test_what_is_hidden_reaches_the_model_neither_as_history_nor_as_memory(talk: Talk) -> None:
    talk.say("My secret word is quicksilver.", "I will keep it.")
    line = shown(talk)[1]
    rewriting(talk).hide(LOCAL_USER, talk.chat_id, line.id, edition=edition(talk))
    assert shown(talk)[1].hidden
    talk.say("What is my secret word?", "I do not know.")
    assert "quicksilver" not in str(talk.model.prompts[-1])
    rewriting(talk).show(LOCAL_USER, talk.chat_id, line.id, edition=edition(talk))
    talk.say("And now?", "Quicksilver.")
    assert "quicksilver" in str(talk.model.prompts[-1])


def test_a_hidden_message_stays_hidden_however_it_is_worded(talk: Talk) -> None:
    talk.say("The key is under the crimson pot.", "Noted.")
    message, reply = shown(talk)[-2:]
    for each in (message, reply):
        rewriting(talk).hide(LOCAL_USER, talk.chat_id, each.id, edition=edition(talk))
    rewriting(talk).edit(LOCAL_USER, talk.chat_id, message.id, "The key is under the indigo pot.", edition=edition(talk))
    rewriting(talk).edit(LOCAL_USER, talk.chat_id, reply.id, "Under the indigo pot.", edition=edition(talk))
    rewriting(talk).swipe(LOCAL_USER, talk.chat_id, reply.id, to=1, edition=edition(talk))
    assert [(m.text, m.hidden) for m in shown(talk)[-2:]] == [("The key is under the indigo pot.", True), ("Noted.", True)]
    talk.say("Where is the key?", "I could not say.")
    assert "pot" not in str(talk.model.prompts[-1])
    rewriting(talk).show(LOCAL_USER, talk.chat_id, message.id, edition=edition(talk))
    assert [m.hidden for m in shown(talk)[-4:-2]] == [False, True]


def test_a_reply_that_goes_on_under_a_hidden_message_is_not_taken_for_one_to_an_earlier_round(talk: Talk) -> None:
    talk.say("My sister Ida is a nurse.", "Noted.")
    talk.say("The key is under the crimson pot.", "I will keep it.")
    rewriting(talk).hide(LOCAL_USER, talk.chat_id, shown(talk)[-2].id, edition=edition(talk))
    talk.model.enqueue(Script(("And the lamp is lit.",)))
    rewriting(talk).resume(LOCAL_USER, talk.chat_id, edition=edition(talk))
    talk.wait()
    talk.remembered()
    store = talk.house.memory.store
    visible = store.memories.visible(talk.scope, talk.branch_id).of_kinds((Kind.EPISODE,))
    found = {m.round_last: (m.round_first, m.text) for m in store.memories.get(talk.scope, visible.ids).values()}
    assert {last: first for last, (first, _) in found.items()} == {1: 1, 2: 2}
    assert "Ida" in found[1][1]
    assert "lamp" in found[2][1]
    assert "Ida" not in found[2][1]


def test_a_hidden_message_comes_back_hidden_from_the_bin(talk: Talk) -> None:
    for line in ("The key is under the crimson pot.", "Good night."):
        talk.say(line, "Noted.")
    key = next(m for m in shown(talk) if "crimson" in m.text)
    for number, hide in enumerate((True, False)):
        change = rewriting(talk).hide if hide else rewriting(talk).show
        change(LOCAL_USER, talk.chat_id, key.id, edition=edition(talk))
        rewriting(talk).delete(LOCAL_USER, talk.chat_id, key.id, edition=edition(talk))
        (item,) = rewriting(talk).bin(LOCAL_USER, talk.chat_id)
        rewriting(talk).restore(LOCAL_USER, talk.chat_id, item.id, edition=edition(talk))
        assert [m.hidden for m in shown(talk) if m.id == key.id] == [hide], number


def test_deleting_from_here_is_undone_with_everything_that_was_remembered(talk: Talk) -> None:
    for line in (PORTO, TUNER, "Good night."):
        talk.say(line, "Noted.")
    before, remembered = talk.texts(), known(talk)
    assert remembered
    scores = [(m.id, m.score) for m in talk.house.service.memories(LOCAL_USER, talk.chat_id, limit=600).memories]
    rewriting(talk).delete_from(LOCAL_USER, talk.chat_id, shown(talk)[1].id, edition=edition(talk))
    assert talk.texts() == before[:1]
    assert known(talk) == {}
    (item,) = rewriting(talk).bin(LOCAL_USER, talk.chat_id)
    assert (item.kind, item.text, item.count, item.round) == ("tail", PORTO, 6, 1)
    rewriting(talk).undo(LOCAL_USER, talk.chat_id, edition=edition(talk))
    assert talk.texts() == before
    assert known(talk) == remembered
    assert [(m.id, m.score) for m in talk.house.service.memories(LOCAL_USER, talk.chat_id, limit=600).memories] == scores
    assert rewriting(talk).bin(LOCAL_USER, talk.chat_id) == ()


def test_what_was_cut_comes_back_on_a_branch_once_the_talk_went_on(talk: Talk) -> None:
    talk.say("One.", "Uno.")
    talk.say("Two.", "Due.")
    rewriting(talk).delete_from(LOCAL_USER, talk.chat_id, shown(talk)[3].id, edition=edition(talk))
    talk.say("Three.", "Tre.")
    (item,) = rewriting(talk).bin(LOCAL_USER, talk.chat_id)
    rewriting(talk).restore(LOCAL_USER, talk.chat_id, item.id, edition=edition(talk))
    assert talk.texts()[1:] == ["One.", "Uno.", "Two.", "Due."]
    assert len(rewriting(talk).tree(LOCAL_USER, talk.chat_id).branches) == 2


def test_saying_is_undone_with_its_reply_and_what_replaces_it_sends_it_to_the_bin(talk: Talk) -> None:
    talk.say("One.", "Uno.")
    rewriting(talk).undo(LOCAL_USER, talk.chat_id, edition=edition(talk))
    assert len(talk.texts()) == 1
    rewriting(talk).redo(LOCAL_USER, talk.chat_id, edition=edition(talk))
    assert talk.texts()[1:] == ["One.", "Uno."]
    rewriting(talk).undo(LOCAL_USER, talk.chat_id, edition=edition(talk))
    talk.say("Two.", "Due.")
    (item,) = rewriting(talk).bin(LOCAL_USER, talk.chat_id)
    assert (item.text, item.count) == ("One.", 2)
    with pytest.raises(CannotUndo):
        rewriting(talk).redo(LOCAL_USER, talk.chat_id, edition=edition(talk))


def test_one_message_out_of_the_middle_and_back(talk: Talk) -> None:
    talk.say(PORTO, "A fine town.")
    talk.say(TUNER, "By ear, then.")
    talk.say("Good night.", "Night.")
    rewriting(talk).delete(LOCAL_USER, talk.chat_id, shown(talk)[1].id, edition=edition(talk))
    assert among_known(talk, "Porto", "piano tuner") == {"piano tuner"}
    assert PORTO not in talk.texts()
    (item,) = rewriting(talk).bin(LOCAL_USER, talk.chat_id)
    rewriting(talk).restore(LOCAL_USER, talk.chat_id, item.id, edition=edition(talk))
    assert among_known(talk, "Porto", "piano tuner") == {"Porto", "piano tuner"}


def test_branches_are_named_removed_and_brought_back_and_the_last_one_stays(talk: Talk) -> None:
    talk.say("One.", "Uno.")
    rewriting(talk).checkpoint(LOCAL_USER, talk.chat_id, shown(talk)[1].id, "  by the   stove ", edition=edition(talk))
    first, second = rewriting(talk).tree(LOCAL_USER, talk.chat_id).branches
    assert (second.name, second.rounds, second.active, second.own_messages) == ("by the stove", 1, False, 0)
    rewriting(talk).switch(LOCAL_USER, talk.chat_id, second.id, edition=edition(talk))
    rewriting(talk).remove_branch(LOCAL_USER, talk.chat_id, second.id, edition=edition(talk))
    assert len(talk.texts()) == 3
    with pytest.raises(LastBranch):
        rewriting(talk).remove_branch(LOCAL_USER, talk.chat_id, first.id, edition=edition(talk))
    (item,) = rewriting(talk).bin(LOCAL_USER, talk.chat_id)
    assert (item.kind, item.text) == ("branch", "by the stove")
    rewriting(talk).restore(LOCAL_USER, talk.chat_id, item.id, edition=edition(talk))
    assert len(rewriting(talk).tree(LOCAL_USER, talk.chat_id).branches) == 2
