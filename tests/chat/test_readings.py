"""A reading that the player calls not true is away, stays away, and can be taken back."""

from __future__ import annotations

import pytest

from chat import views
from chat.portable import Portable
from memory.engine import Cue
from storage.errors import MemoryNotFound, NotFound
from storage.scope import LOCAL_USER
from tests.chat.conftest import Talk
from tests.chat.remembering import controls, fact, rebuilt, replayed, service

LINES = (
    "My name is Mara and I'm thirty-four years old.",
    "I grew up in a fishing village by the sea.",
    "What of the fog?",
    "I swim in the sea every morning before work.",
    "Good night.",
    "Hm.",
)


@pytest.fixture
def read(talk: Talk) -> Talk:
    for line in LINES:
        talk.say(line, "Noted.")
    talk.remembered()
    return talk


def readings(talk: Talk) -> tuple[views.InsightView, ...]:
    return service(talk).insights(LOCAL_USER, talk.chat_id).insights


def edition(talk: Talk) -> int:
    return service(talk).transcript(LOCAL_USER, talk.chat_id).edition


def deny(talk: Talk) -> None:
    service(talk).rewriting.deny(LOCAL_USER, talk.chat_id, readings(talk)[0].id, edition=edition(talk))


def is_recalled(talk: Talk) -> bool:
    recall = talk.house.memory.engine.recall(talk.scope, talk.branch_id, Cue(readings(talk)[0].statement, 99))
    return readings(talk)[0].id in {c.memory_id for c in recall.candidates}


def test_what_is_not_true_stays_away_however_memory_is_made_anew(read: Talk) -> None:
    assert len(readings(read)) == 1
    assert is_recalled(read)
    deny(read)
    for again in (lambda: None, lambda: replayed(read), lambda: rebuilt(read)):
        again()
        (one,) = readings(read)
        assert (one.untrue, one.excluded) == (True, True)
        assert not is_recalled(read)


def test_it_is_a_step_that_can_be_taken_back_and_done_again(read: Talk) -> None:
    rewriting = service(read).rewriting
    deny(read)
    assert rewriting.undoable(LOCAL_USER, read.chat_id)[0] == "untrue"
    rewriting.undo(LOCAL_USER, read.chat_id, edition=edition(read))
    assert [(one.untrue, one.excluded) for one in readings(read)] == [(False, False)]
    assert is_recalled(read)
    rewriting.redo(LOCAL_USER, read.chat_id, edition=edition(read))
    assert [one.untrue for one in readings(read)] == [True]
    rebuilt(read)
    rewriting.undo(LOCAL_USER, read.chat_id, edition=edition(read))
    rebuilt(read)
    assert [(one.untrue, one.excluded) for one in readings(read)] == [(False, False)]


def test_true_after_all_is_a_step_as_well(read: Talk) -> None:
    deny(read)
    service(read).rewriting.allow(LOCAL_USER, read.chat_id, readings(read)[0].id, edition=edition(read))
    assert [one.untrue for one in readings(read)] == [False]
    service(read).rewriting.undo(LOCAL_USER, read.chat_id, edition=edition(read))
    assert [one.untrue for one in readings(read)] == [True]


def test_what_was_left_out_before_is_left_out_again(read: Talk) -> None:
    controls(read).exclude(LOCAL_USER, read.chat_id, readings(read)[0].id)
    assert [(one.untrue, one.excluded) for one in readings(read)] == [(False, True)]
    deny(read)
    assert [one.untrue for one in readings(read)] == [True]
    service(read).rewriting.undo(LOCAL_USER, read.chat_id, edition=edition(read))
    assert [(one.untrue, one.excluded) for one in readings(read)] == [(False, True)]


def test_a_later_decision_does_not_stop_undo(read: Talk) -> None:
    deny(read)
    controls(read).include(LOCAL_USER, read.chat_id, readings(read)[0].id)
    service(read).rewriting.undo(LOCAL_USER, read.chat_id, edition=edition(read))
    assert [one.untrue for one in readings(read)] == [False]


def test_nobody_elses_and_nothing_but_a_reading(read: Talk) -> None:
    rewriting = service(read).rewriting
    with pytest.raises(NotFound):
        rewriting.deny("stranger", read.chat_id, readings(read)[0].id, edition=edition(read))
    with pytest.raises(MemoryNotFound):
        rewriting.deny(LOCAL_USER, read.chat_id, fact(read, "village").id, edition=edition(read))
    assert [one.untrue for one in readings(read)] == [False]


def test_it_leaves_and_comes_back_in_a_bundle(read: Talk) -> None:
    deny(read)
    portable = Portable(read.house.memory.store, wake=lambda: None)
    copy = portable.load(LOCAL_USER, portable.export(LOCAL_USER, read.chat_id))
    found = service(read).insights(LOCAL_USER, copy).insights
    assert [one.untrue for one in found] == [True]
    changed = service(read).transcript(LOCAL_USER, copy).edition
    service(read).rewriting.undo(LOCAL_USER, copy, edition=changed)
    assert [one.untrue for one in service(read).insights(LOCAL_USER, copy).insights] == [False]


def test_the_card_says_what_the_newest_session_changed(talk: Talk) -> None:
    for line in (LINES[0], "I live in a small flat in Perth.", "I work as a piano tuner.", "I play the cello every evening."):
        talk.say(line, "Noted.")
    talk.remembered()
    first = service(talk).persona(LOCAL_USER, talk.chat_id)
    assert (first.since, first.changes) == (0, ()), "there is nothing to compare with yet"
    service(talk).end_session(LOCAL_USER, talk.chat_id)
    for line in (
        "I moved to a small flat in Leith last week.",
        "I no longer play the cello.",
        "My dog Biscuit is three years old.",
        "Hm.",
    ):
        talk.say(line, "Noted.")
    talk.remembered()
    view = service(talk).persona(LOCAL_USER, talk.chat_id)
    assert (view.since, view.over) == (5, False)
    turned = {(c.key, c.turn): (c.value.text if c.value else "", c.was.text if c.was else "") for c in view.changes}
    leith, perth = turned["residence", "changed"]
    assert ("Leith" in leith, "Perth" in perth) == (True, True)
    ((none, played),) = [values for (_, turn), values in turned.items() if turn == "retired"]
    assert (none, "cello" in played) == ("", True)
    dog, none = turned["pets", "new"]
    assert ("Biscuit" in dog, none) == (True, "")
    assert not any(key == "name" for key, _ in turned)
    rebuilt(talk)
    assert service(talk).persona(LOCAL_USER, talk.chat_id).changes == view.changes
