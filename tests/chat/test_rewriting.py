"""What a player does to a conversation, and that memory follows: nothing that was taken back lives on, nothing that came back is lost."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from chat.errors import MessageEmpty, MessageTooLong, NameTooLong, NothingToAnswer, NothingToContinue, ReplyRunning
from chat.limits import MAX_MESSAGE_CHARS, MAX_NAME_CHARS
from chat.rewriting import Rewriting
from chat.text import joined
from chat.views import Phase
from errors import KeepsakeError
from models.gateway_errors import ModelFailed
from models.scripted import Script
from storage.errors import CannotUndo, ChangedElsewhere, NotFound
from storage.scope import LOCAL_USER
from tests.chat.conftest import Talk
from tests.chat.rewritten import again, among_known, edition, rewriting, shown, told

PORTO, LEITH, TUNER = "I live in a small flat in Porto.", "I live in a small flat in Leith.", "I work as a piano tuner."


def known(talk: Talk) -> set[str]:
    return among_known(talk, "Porto", "Leith", "piano tuner")


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


def test_a_reply_made_again_on_a_branch_is_taken_back_at_once_with_its_branch(talk: Talk) -> None:
    talk.say("One?", "First.")
    reply = shown(talk)[-1]
    talk.say("Two?", "Second.")
    before, tree = talk.texts(), rewriting(talk).tree(LOCAL_USER, talk.chat_id)
    again(talk, reply.id, "Another first.")
    assert rewriting(talk).undoable(LOCAL_USER, talk.chat_id)[0] == "regenerate_in_branch"
    rewriting(talk).undo(LOCAL_USER, talk.chat_id, edition=edition(talk))
    assert talk.texts() == before
    assert rewriting(talk).tree(LOCAL_USER, talk.chat_id).branches == tree.branches
    rewriting(talk).redo(LOCAL_USER, talk.chat_id, edition=edition(talk))
    assert talk.texts() == [before[0], "One?", "Another first."]
    again(talk, reply.id, "A third.")
    assert rewriting(talk).undoable(LOCAL_USER, talk.chat_id)[0] == "regenerate", "there it is the newest reply: a step of its own"
    rewriting(talk).undo(LOCAL_USER, talk.chat_id, edition=edition(talk))
    assert talk.texts() == [before[0], "One?", "Another first."]
    rewriting(talk).undo(LOCAL_USER, talk.chat_id, edition=edition(talk))
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
    talk.say(PORTO, "A fine town.")
    talk.say(TUNER, "By ear, then.")
    talk.say("Good night.", "Night.")
    assert known(talk) == {"Porto", "piano tuner"}
    line = shown(talk)[1]
    rewriting(talk).edit(LOCAL_USER, talk.chat_id, line.id, LEITH, edition=edition(talk))
    assert known(talk) == {"Leith", "piano tuner"}
    assert shown(talk)[1].edited
    assert len(shown(talk)) == 7
    rewriting(talk).undo(LOCAL_USER, talk.chat_id, edition=edition(talk))
    assert known(talk) == {"Porto", "piano tuner"}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<think>Wasps? Say it was wasps.</think>\n", ""),
        ("", "\n[THINK]Wasps![/THINK]"),
        ("【思考】Wasps.【/思考】", ""),
        ("Wasps.</think>", ""),
    ],
)
@pytest.mark.parametrize("on_a_branch", [False, True])
def test_thoughts_that_are_pasted_into_a_wording_are_kept_apart_from_it(talk: Talk, on_a_branch: bool, before: str, after: str) -> None:
    service = talk.house.service
    talk.say(PORTO, "A fine town.")
    edit = rewriting(talk).edit_in_branch if on_a_branch else rewriting(talk).edit
    for place, text in ((1, LEITH), (2, "A grey town.")):
        if on_a_branch and place == 2:
            talk.model.enqueue(Script(("A town.",)))
            service.request_reply(LOCAL_USER, talk.chat_id)
            talk.wait()
        message = shown(talk)[place]
        edit(LOCAL_USER, talk.chat_id, message.id, f"{before}{text}{after}", edition=edition(talk))
        assert talk.texts()[place] == text
        receipt = service.receipt(LOCAL_USER, talk.chat_id, message.id)
        assert receipt is not None
        assert "Wasps" in receipt.thoughts
    talk.say("Good night.", "Night.")
    assert "Wasps" not in str(talk.model.prompts[-1])
    assert known(talk) == {"Leith"}
    talk.remembered()
    kept = talk.house.memory.store.database.read().execute("SELECT count(*) FROM memory WHERE text LIKE '%wasps%'").fetchone()[0]
    assert kept == 0


def test_thoughts_added_to_a_wording_that_stays_are_kept_and_words_that_are_only_thought_are_none(talk: Talk) -> None:
    talk.say(PORTO, "A fine town.")
    reply = shown(talk)[2]
    with pytest.raises(MessageEmpty):
        rewriting(talk).edit(LOCAL_USER, talk.chat_id, reply.id, "<think>Wasps.</think>", edition=edition(talk))
    rewriting(talk).edit(LOCAL_USER, talk.chat_id, reply.id, "<think>Wasps.</think>A fine town.", edition=edition(talk))
    receipt = talk.house.service.receipt(LOCAL_USER, talk.chat_id, reply.id)
    assert receipt is not None
    assert (talk.texts()[2], receipt.thoughts) == ("A fine town.", "Wasps.")
    for plain in ("[1] < 2 【x】", " <b>Hm</b> ", "Here is my tea."):
        rewriting(talk).edit(LOCAL_USER, talk.chat_id, reply.id, plain, edition=edition(talk))
        assert talk.texts()[2] == plain


def test_an_edit_on_a_branch_leaves_the_other_as_it_was(talk: Talk) -> None:
    talk.say(PORTO, "A fine town.")
    talk.say("Good night.", "Night.")
    before = talk.texts()
    rewriting(talk).edit_in_branch(LOCAL_USER, talk.chat_id, shown(talk)[1].id, LEITH, edition=edition(talk))
    assert talk.texts() == [before[0], LEITH]
    talk.model.enqueue(Script(("A grey town.",)))
    talk.house.service.request_reply(LOCAL_USER, talk.chat_id)
    talk.wait()
    talk.say("Good night.", "Night.")
    assert known(talk) == {"Leith"}
    first = rewriting(talk).tree(LOCAL_USER, talk.chat_id).branches[0]
    rewriting(talk).switch(LOCAL_USER, talk.chat_id, first.id, edition=edition(talk))
    assert talk.texts() == before
    assert known(talk) == {"Porto"}


def test_an_edit_on_a_branch_is_taken_back_at_once_with_its_branch(talk: Talk) -> None:
    talk.say(PORTO, "A fine town.")
    talk.say("Good night.", "Night.")
    before, tree = talk.texts(), rewriting(talk).tree(LOCAL_USER, talk.chat_id)
    rewriting(talk).edit_in_branch(LOCAL_USER, talk.chat_id, shown(talk)[1].id, LEITH, edition=edition(talk))
    assert rewriting(talk).undoable(LOCAL_USER, talk.chat_id)[0] == "edit_in_branch"
    rewriting(talk).undo(LOCAL_USER, talk.chat_id, edition=edition(talk))
    assert talk.texts() == before
    assert rewriting(talk).tree(LOCAL_USER, talk.chat_id).branches == tree.branches
    assert known(talk) == {"Porto"}
    rewriting(talk).redo(LOCAL_USER, talk.chat_id, edition=edition(talk))
    assert talk.texts() == [before[0], LEITH]


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
