"""What a player does to a conversation, and that memory follows: nothing that was taken back lives on, nothing that came back is lost."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from chat.conversations import Conversations
from chat.errors import MessageEmpty, MessageTooLong, NameTooLong, NothingToAnswer, NothingToContinue, ReplyRunning
from chat.limits import MAX_MESSAGE_CHARS, MAX_NAME_CHARS
from chat.rewriting import Rewriting
from chat.text import joined
from chat.views import BinWeightView, MessageView, Phase
from errors import KeepsakeError
from models.gateway_errors import ModelFailed
from models.scripted import Script
from storage.errors import CannotUndo, ChangedElsewhere, LastBranch, NotFound
from storage.records import Kind
from storage.scope import LOCAL_USER
from tests.chat.conftest import Talk


def rewriting(talk: Talk) -> Rewriting:
    return talk.house.service.rewriting


def conversations(talk: Talk) -> Conversations:
    return talk.house.service.conversations


def edition(talk: Talk) -> int:
    return talk.house.service.transcript(LOCAL_USER, talk.chat_id).edition


def shown(talk: Talk) -> tuple[MessageView, ...]:
    return talk.house.service.transcript(LOCAL_USER, talk.chat_id, limit=600).messages


def again(talk: Talk, message_id: str, *reply: str) -> None:
    talk.model.enqueue(Script(reply))
    rewriting(talk).regenerate(LOCAL_USER, talk.chat_id, message_id, edition=edition(talk))
    talk.wait()


def known(talk: Talk) -> dict[str, list[str]]:
    talk.house.memory.worker.wake()
    talk.remembered()
    view = talk.house.service.persona(LOCAL_USER, talk.chat_id)
    return {e.key: [v.text for v in e.values] for e in view.entries}


def told(talk: Talk) -> set[str]:
    talk.remembered()
    return {m.text for m in talk.house.service.memories(LOCAL_USER, talk.chat_id, shelf="fact", limit=600).memories}


def test_each_wording_has_its_own_receipt(talk: Talk) -> None:
    service = talk.house.service
    talk.say("My name is Mara.", "I keep no boat.")
    talk.say("Good evening.", "The kettle is on.")
    reply = shown(talk)[-1]
    first = service.receipt(LOCAL_USER, talk.chat_id, reply.id)
    rewriting(talk).edit(LOCAL_USER, talk.chat_id, shown(talk)[1].id, "My name is Ada.", edition=edition(talk))
    again(talk, reply.id, "A second kettle.")
    second = service.receipt(LOCAL_USER, talk.chat_id, reply.id)
    assert first is not None
    assert second is not None
    assert "Ada" in str(second.prompt)
    assert service.receipt(LOCAL_USER, talk.chat_id) == second
    rewriting(talk).swipe(LOCAL_USER, talk.chat_id, reply.id, to=1, edition=edition(talk))
    assert service.receipt(LOCAL_USER, talk.chat_id, reply.id) == service.receipt(LOCAL_USER, talk.chat_id) == first
    rewriting(talk).edit(LOCAL_USER, talk.chat_id, reply.id, "In my own words.", edition=edition(talk))
    assert service.receipt(LOCAL_USER, talk.chat_id, reply.id) is None, "nobody made this one"
    assert [m.has_receipt for m in shown(talk)] == [False, False, True, False, False]
    rewriting(talk).delete(LOCAL_USER, talk.chat_id, shown(talk)[2].id, edition=edition(talk))
    assert service.receipt(LOCAL_USER, talk.chat_id, shown(talk)[2].id) is None


def test_a_further_variant_stands_beside_the_first_and_going_back_brings_its_memory_back(talk: Talk) -> None:
    talk.say("Good evening.", "My boat is called Heron.")
    first = shown(talk)[-1]
    again(talk, first.id, "I keep no boat.")
    second = shown(talk)[-1]
    assert (second.id, second.text, second.variant, second.variants) == (first.id, "I keep no boat.", 2, 2)
    assert len(talk.model.prompts) == 2
    assert talk.model.prompts[0] == talk.model.prompts[1]
    talk.say("And the weather?", "Fair.")
    after_second = told(talk)
    assert not any("Heron" in text for text in after_second)
    rewriting(talk).swipe(LOCAL_USER, talk.chat_id, first.id, to=1, edition=edition(talk))
    assert any("Heron" in text for text in told(talk))
    embedded = talk.house.memory.embedder
    calls: list[int] = []
    passages = embedded.passages
    embedded.passages = lambda texts: calls.append(len(texts)) or passages(texts)  # type: ignore[method-assign, func-returns-value]
    try:
        rewriting(talk).swipe(LOCAL_USER, talk.chat_id, first.id, to=2, edition=edition(talk))
        assert told(talk) == after_second
    finally:
        embedded.passages = passages  # type: ignore[method-assign]
    assert calls == []
    assert len(talk.model.prompts) == 3


def test_an_older_reply_is_made_again_on_a_branch_of_its_own(talk: Talk) -> None:
    talk.say("One?", "First.")
    reply = shown(talk)[-1]
    talk.say("Two?", "Second.")
    before = talk.texts()
    again(talk, reply.id, "Another first.")
    assert talk.texts() == [before[0], "One?", "Another first."]
    tree = rewriting(talk).tree(LOCAL_USER, talk.chat_id)
    assert [b.active for b in tree.branches] == [False, True]
    rewriting(talk).switch(LOCAL_USER, talk.chat_id, tree.branches[0].id, edition=edition(talk))
    assert talk.texts() == before


def test_a_variant_that_fails_changes_nothing_and_one_that_is_stopped_is_kept(talk: Talk) -> None:
    talk.say("Good evening.", "Evening.")
    reply = shown(talk)[-1]
    talk.model.enqueue(Script((), error=ModelFailed("no model")))
    rewriting(talk).regenerate(LOCAL_USER, talk.chat_id, reply.id, edition=edition(talk))
    assert talk.wait().phase is Phase.FAILED
    assert (shown(talk)[-1].text, shown(talk)[-1].variants) == ("Evening.", 1)
    talk.model.enqueue(Script(("Well", " then"), hangs=True))
    rewriting(talk).regenerate(LOCAL_USER, talk.chat_id, reply.id, edition=edition(talk))
    while "then" not in talk.job().text:
        pass
    talk.house.service.stop(LOCAL_USER, talk.chat_id)
    talk.wait()
    assert (shown(talk)[-1].text, shown(talk)[-1].status, shown(talk)[-1].variants) == ("Well then", "stopped", 2)


def test_an_older_reply_that_is_made_again_in_vain_leaves_the_conversation_where_it_was(talk: Talk) -> None:
    for line in ("One?", "Two?"):
        talk.say(line, f"{line} Yes.")
    before, tree = talk.texts(), rewriting(talk).tree(LOCAL_USER, talk.chat_id)
    seen = edition(talk)
    talk.model.enqueue(Script((), error=ModelFailed("no model")))
    rewriting(talk).regenerate(LOCAL_USER, talk.chat_id, shown(talk)[2].id, edition=seen)
    assert talk.wait().phase is Phase.FAILED
    assert talk.texts() == before
    assert rewriting(talk).tree(LOCAL_USER, talk.chat_id).branches == tree.branches
    assert edition(talk) > seen
    again(talk, shown(talk)[2].id, "One at last.")
    assert talk.texts() == [before[0], "One?", "One at last."]


def test_an_edited_line_is_remembered_as_it_reads_now_and_later_turns_stay(talk: Talk) -> None:
    talk.say("I live in Porto.", "A fine town.")
    talk.say("I am allergic to walnuts.", "No cake then.")
    talk.say("Good night.", "Night.")
    assert known(talk) == {"residence": ["Porto"], "allergies": ["walnuts"]}
    line = shown(talk)[1]
    rewriting(talk).edit(LOCAL_USER, talk.chat_id, line.id, "I live in Leith.", edition=edition(talk))
    assert known(talk) == {"residence": ["Leith"], "allergies": ["walnuts"]}
    assert shown(talk)[1].edited
    assert len(shown(talk)) == 7
    rewriting(talk).undo(LOCAL_USER, talk.chat_id, edition=edition(talk))
    assert known(talk)["residence"] == ["Porto"]


def test_an_edit_on_a_branch_leaves_the_other_as_it_was(talk: Talk) -> None:
    talk.say("I live in Porto.", "A fine town.")
    talk.say("Good night.", "Night.")
    before = talk.texts()
    rewriting(talk).edit_in_branch(LOCAL_USER, talk.chat_id, shown(talk)[1].id, "I live in Leith.", edition=edition(talk))
    assert talk.texts() == [before[0], "I live in Leith."]
    talk.model.enqueue(Script(("A grey town.",)))
    talk.house.service.request_reply(LOCAL_USER, talk.chat_id)
    talk.wait()
    talk.say("Good night.", "Night.")
    assert known(talk) == {"residence": ["Leith"]}
    first = rewriting(talk).tree(LOCAL_USER, talk.chat_id).branches[0]
    rewriting(talk).switch(LOCAL_USER, talk.chat_id, first.id, edition=edition(talk))
    assert talk.texts() == before
    assert known(talk) == {"residence": ["Porto"]}


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
    for line in ("I live in Porto.", "I am allergic to walnuts.", "Good night."):
        talk.say(line, "Noted.")
    before, remembered = talk.texts(), known(talk)
    scores = [(m.id, m.score) for m in talk.house.service.memories(LOCAL_USER, talk.chat_id, limit=600).memories]
    rewriting(talk).delete_from(LOCAL_USER, talk.chat_id, shown(talk)[1].id, edition=edition(talk))
    assert talk.texts() == before[:1]
    assert known(talk) == {}
    (item,) = rewriting(talk).bin(LOCAL_USER, talk.chat_id)
    assert (item.kind, item.text, item.count, item.round) == ("tail", "I live in Porto.", 6, 1)
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
    talk.say("I live in Porto.", "A fine town.")
    talk.say("I am allergic to walnuts.", "No cake then.")
    talk.say("Good night.", "Night.")
    rewriting(talk).delete(LOCAL_USER, talk.chat_id, shown(talk)[1].id, edition=edition(talk))
    assert known(talk) == {"allergies": ["walnuts"]}
    assert "I live in Porto." not in talk.texts()
    (item,) = rewriting(talk).bin(LOCAL_USER, talk.chat_id)
    rewriting(talk).restore(LOCAL_USER, talk.chat_id, item.id, edition=edition(talk))
    assert known(talk) == {"residence": ["Porto"], "allergies": ["walnuts"]}


def test_a_reply_goes_on_where_it_ended_and_a_draft_leaves_no_trace(talk: Talk) -> None:
    talk.say("Tell me a tale.", "Once there was a gander")
    talk.model.enqueue(Script(("who would not swim.",)))
    rewriting(talk).resume(LOCAL_USER, talk.chat_id, edition=edition(talk))
    talk.wait()
    assert shown(talk)[-1].text == "Once there was a gander who would not swim."
    before = talk.texts()
    talk.model.enqueue(Script(("Why not?",)))
    rewriting(talk).draft(LOCAL_USER, talk.chat_id, edition=edition(talk))
    job = talk.wait()
    assert (job.kind, job.text) == ("draft", "Why not?")
    assert talk.texts() == before


def test_a_tab_that_shows_an_older_state_is_told_and_changes_nothing(talk: Talk) -> None:
    talk.say("One.", "Uno.")
    stale = edition(talk)
    rewriting(talk).edit(LOCAL_USER, talk.chat_id, shown(talk)[1].id, "Edited.", edition=stale)
    before = talk.texts()
    with pytest.raises(ChangedElsewhere):
        talk.house.service.send(LOCAL_USER, talk.chat_id, "Two.", token="x", edition=stale)
    with pytest.raises(ChangedElsewhere):
        rewriting(talk).delete(LOCAL_USER, talk.chat_id, shown(talk)[1].id, edition=stale)
    assert talk.texts() == before
    talk.model.enqueue(Script(("Due.",)))
    now = edition(talk)
    talk.house.service.send(LOCAL_USER, talk.chat_id, "Two.", token="x", edition=now)
    talk.wait()
    talk.house.service.send(LOCAL_USER, talk.chat_id, "Two.", token="x", edition=now)  # an answer that was lost on its way: asked again
    assert talk.texts()[-2:] == ["Two.", "Due."]


def test_nothing_is_rewritten_while_a_reply_is_being_made(talk: Talk) -> None:
    talk.say("One.", "Uno.")
    line = shown(talk)[1]
    talk.model.enqueue(Script(("Du",), hangs=True))
    talk.send("Two.")
    with pytest.raises(ReplyRunning):
        rewriting(talk).edit(LOCAL_USER, talk.chat_id, line.id, "Edited.", edition=edition(talk))
    talk.house.service.stop(LOCAL_USER, talk.chat_id)
    talk.wait()
    rewriting(talk).edit(LOCAL_USER, talk.chat_id, line.id, "Edited.", edition=edition(talk))
    assert talk.texts()[1] == "Edited."


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


def _remembered(talk: Talk) -> int:
    """Memories of the chat, in sight or not."""
    (count,) = talk.house.memory.store.database.read().execute("SELECT count(*) FROM memory WHERE status <> 'deleted'").fetchone()
    return int(count)


@pytest.mark.parametrize(
    ("ask", "error"),
    [
        (lambda r, u, c, m, e: r.edit(u, c, m, "  ", edition=e), MessageEmpty),
        (lambda r, u, c, m, e: r.edit(u, c, m, "x" * (MAX_MESSAGE_CHARS + 1), edition=e), MessageTooLong),
        (lambda r, u, c, m, e: r.branch(u, c, m, "x" * (MAX_NAME_CHARS + 1), edition=e), NameTooLong),
        (lambda r, u, c, m, e: r.regenerate(u, c, m, edition=e), NothingToAnswer),
        (lambda r, u, c, m, e: r.swipe(u, c, m, to=9, edition=e), NotFound),
        (lambda r, u, c, m, e: r.delete(u, c, "nobody", edition=e), NotFound),
        (lambda r, u, c, m, e: r.switch(u, c, "nowhere", edition=e), NotFound),
        (lambda r, u, c, m, e: r.restore(u, c, "nothing", edition=e), NotFound),
        (lambda r, u, c, m, e: r.redo(u, c, edition=e), CannotUndo),
        (lambda r, u, c, m, e: r.delete("somebody-else", c, m, edition=e), NotFound),
        (lambda r, u, c, m, e: r.tree("somebody-else", c), NotFound),
        (lambda r, u, c, m, e: r.bin("somebody-else", c), NotFound),
    ],
)
def test_what_cannot_be_done_is_told_and_changes_nothing(
    talk: Talk, ask: Callable[[Rewriting, str, str, str, int], object], error: type[KeepsakeError]
) -> None:
    talk.say("One.", "Uno.")
    before, now = shown(talk), edition(talk)
    with pytest.raises(error):
        ask(rewriting(talk), LOCAL_USER, talk.chat_id, before[1].id, now)
    assert shown(talk) == before
    assert edition(talk) == now


def test_an_empty_chat_has_nothing_to_continue(talk: Talk) -> None:
    rewriting(talk).delete_from(LOCAL_USER, talk.chat_id, shown(talk)[0].id, edition=edition(talk))
    for ask in (rewriting(talk).resume, rewriting(talk).draft):
        with pytest.raises(NothingToContinue):
            ask(LOCAL_USER, talk.chat_id, edition=edition(talk))
    talk.say("Hello?", "Here I am.")
    assert talk.texts() == ["Hello?", "Here I am."]


@pytest.mark.parametrize(
    ("text", "more", "whole"),
    [
        ("He sat down", "and wept.", "He sat down and wept."),
        ("He sat down.", "“Go,” he said.", "He sat down. “Go,” he said."),
        ("他坐了下来，", "哭了。", "他坐了下来，哭了。"),
        ("He sat down\n", "and wept.", "He sat down\nand wept."),
        ("Once there was a gander", "Once there was a gander who swam.", "Once there was a gander who swam."),
        ("He sat", ", then rose.", "He sat, then rose."),
        ("He sat.", "   ", "He sat."),
    ],
)
def test_a_continuation_joins_without_seam(text: str, more: str, whole: str) -> None:
    assert joined(text, more) == whole
