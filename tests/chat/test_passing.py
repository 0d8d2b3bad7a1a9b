"""Temporary conversations: a real reply, and afterwards not a byte of it."""

from __future__ import annotations

import pytest

from chat.errors import MessageEmpty, NothingToAnswer, PassingGone, PassingTooMany, ReplyRunning
from chat.passing import MOST, UNSEEN_S, PassingChats
from chat.views import PassingView
from models.errors import ModelUnavailable
from models.scripted import Script
from storage.errors import CharacterNotFound
from storage.scope import LOCAL_USER
from tests.chat.conftest import Talk
from tests.storage.lived_in import traces
from tests.waiting import PATIENCE_S, until

NELL = "builtin:nell-garrow"


def ended(passing: PassingChats, token: str) -> PassingView:
    return until(lambda: view if (view := passing.look(LOCAL_USER, token)).job is None else None)


def texts(view: PassingView) -> list[tuple[str, str, str]]:
    return [(m.role, m.text, m.status) for m in view.messages]


def test_it_answers_and_leaves_no_byte(talk: Talk) -> None:
    passing, store = talk.house.service.passing, talk.house.memory.store
    talk.say("My name is Mara and I keep bees.")
    talk.remembered()
    before = {
        t: store.database.read().execute(f"SELECT count(*) FROM {t}").fetchone()[0]
        for t in ("chat", "message", "memory", "receipt", "task", "vector")
    }
    view = passing.begin(LOCAL_USER, NELL)
    assert (len(view.messages), view.messages[0].role, view.job) == (1, "character", None)
    talk.model.enqueue(Script(("A quixotic ", "lantern.")), Script(("Again the zyzzyva.",)))
    passing.say(LOCAL_USER, view.token, "My secret is a heliotrope key.")
    ended(passing, view.token)
    passing.say(LOCAL_USER, view.token, "Do you know my name?")
    last = ended(passing, view.token)
    assert texts(last)[1:] == [
        ("user", "My secret is a heliotrope key.", "complete"),
        ("character", "A quixotic lantern.", "complete"),
        ("user", "Do you know my name?", "complete"),
        ("character", "Again the zyzzyva.", "complete"),
    ]
    prompt = "\n".join(m.content for m in talk.model.prompts[-1])
    assert "heliotrope" in prompt
    assert "quixotic" in prompt
    assert "Mara" not in prompt, "no other conversation is remembered in it"
    talk.house.memory.store.database.checkpoint()
    assert traces(store.folder.root, "heliotrope", "quixotic", "zyzzyva", view.token) == [], "nothing is on the disk while it goes on"
    passing.leave(LOCAL_USER, view.token)
    with pytest.raises(PassingGone):
        passing.look(LOCAL_USER, view.token)
    assert before == {t: store.database.read().execute(f"SELECT count(*) FROM {t}").fetchone()[0] for t in before}
    assert talk.house.service.search.find(LOCAL_USER, "heliotrope").messages == ()
    assert not any("heliotrope" in str(vars(holder)) for holder in (passing, passing._jobs))
    assert traces(store.folder.root, "heliotrope", "quixotic") == []


def test_a_reply_that_is_stopped_or_fails_can_be_asked_for_again(talk: Talk) -> None:
    passing = talk.house.service.passing
    token = passing.begin(LOCAL_USER, NELL).token
    talk.model.enqueue(Script(("Half of ",), hangs=True))
    passing.say(LOCAL_USER, token, "Go on.")
    until(lambda: (job := passing.look(LOCAL_USER, token).job) and job.text)
    with pytest.raises(ReplyRunning):
        passing.say(LOCAL_USER, token, "And?")
    passing.stop(LOCAL_USER, token)
    assert texts(ended(passing, token))[-1] == ("character", "Half of", "stopped")
    with pytest.raises(NothingToAnswer):
        passing.again(LOCAL_USER, token)
    talk.model.enqueue(Script((), error=ModelUnavailable("no", url="x", reason="y")), Script(("Here.",)))
    passing.say(LOCAL_USER, token, "Still there?")
    failed = ended(passing, token)
    assert failed.error_code == ModelUnavailable.code
    assert texts(failed)[-1][0] == "user"
    passing.again(LOCAL_USER, token)
    assert texts(ended(passing, token))[-1] == ("character", "Here.", "complete")
    assert passing.look(LOCAL_USER, token).error_code == ""


def test_leaving_while_a_reply_is_written_ends_it(talk: Talk) -> None:
    passing = talk.house.service.passing
    token = passing.begin(LOCAL_USER, NELL).token
    talk.model.enqueue(Script(("Half",), hangs=True))
    passing.say(LOCAL_USER, token, "Go on.")
    job = passing._jobs.get(token)
    assert job is not None
    passing.leave(LOCAL_USER, token)
    assert job.wait(PATIENCE_S)
    assert job.stopped
    passing.leave(LOCAL_USER, token)


def test_nobody_reaches_anothers_and_what_nobody_looks_at_is_gone(talk: Talk) -> None:
    now = 0.0
    passing = PassingChats(talk.house.memory.store, talk.house.service._turn, names={"en": "You"}, clock=lambda: now)
    token = passing.begin(LOCAL_USER, NELL).token
    for act in (
        lambda: passing.look("eve", token),
        lambda: passing.say("eve", token, "x"),
        lambda: passing.again("eve", token),
        lambda: passing.stop("eve", token),
        lambda: passing.look(LOCAL_USER, ""),
    ):
        with pytest.raises(PassingGone):
            act()
    passing.leave("eve", token)
    now = UNSEEN_S
    assert passing.look(LOCAL_USER, token).token == token
    with pytest.raises(MessageEmpty):
        passing.say(LOCAL_USER, token, " \n ")
    for _ in range(MOST - 1):
        passing.begin(LOCAL_USER, NELL)
    with pytest.raises(PassingTooMany):
        passing.begin(LOCAL_USER, NELL)
    passing.begin("bob", NELL)
    with pytest.raises(CharacterNotFound):
        passing.begin(LOCAL_USER, "nobody")
    now = 2 * UNSEEN_S + 1
    with pytest.raises(PassingGone):
        passing.look(LOCAL_USER, token)
    assert passing._chats == {}
