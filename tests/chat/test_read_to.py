"""How far memory has read a conversation: final rounds of which no reading is left."""

from __future__ import annotations

import pytest

from chat.read_to import READING
from storage.records import NewTask
from storage.scope import LOCAL_USER, Scope
from storage.unread import LOOKED_AT
from tests.chat.conftest import Talk, talk
from tests.chat.rewritten import edition, rewriting, shown

__all__ = ["talk"]


def read_to(talk: Talk) -> int:
    return talk.house.service.transcript(LOCAL_USER, talk.chat_id).read_to


def task(talk: Talk, kind: str, branch_id: str = "", **payload: object) -> int:
    """A task that nobody does: the worker has failed at it."""
    store = talk.house.memory.store
    store.tasks.add(talk.scope, NewTask(kind, branch_id or talk.branch_id, (f"{kind} {payload}",), payload))
    with store.database.write() as connection:
        (made,) = connection.execute("SELECT max(id) FROM task").fetchone()
        connection.execute("UPDATE task SET state = 'failed' WHERE id = ?", (made,))
    return int(made)


def rounds(talk: Talk, n: int) -> None:
    for number in range(1, n + 1):
        talk.say(f"I live in Porto, as I said {number} times.", "Noted.")
    talk.remembered()


def test_the_newest_round_is_read_when_the_next_begins_or_the_session_ends(talk: Talk) -> None:
    assert read_to(talk) == 0
    rounds(talk, 1)
    assert read_to(talk) == 0
    rounds(talk, 2)
    assert read_to(talk) == 2
    talk.house.service.end_session(LOCAL_USER, talk.chat_id)
    talk.remembered()
    assert read_to(talk) == 3


def test_what_is_left_to_read_holds_the_mark_and_other_work_does_not(talk: Talk) -> None:
    rounds(talk, 4)
    line = next(m for m in shown(talk) if m.round == 2)
    for kind in ("learn", "index", "tell", "insight"):
        task(talk, kind, first_round=1, last_round=1)
    assert read_to(talk) == 3
    failed = task(talk, "extract", message_ids=[line.id])
    assert read_to(talk) == 1
    task(talk, "mend", first_round=1)
    assert read_to(talk) == 0
    with talk.house.memory.store.database.write() as connection:
        connection.execute("UPDATE task SET state = 'done' WHERE id > ?", (failed,))
    assert read_to(talk) == 1
    talk.house.service.controls.cancel(LOCAL_USER, talk.chat_id, failed)
    assert read_to(talk) == 3, "given up by a person"


def test_work_of_another_branch_counts_where_its_messages_are(talk: Talk) -> None:
    rounds(talk, 3)
    second, third = (next(m for m in shown(talk) if m.round == number) for number in (2, 3))
    main = talk.branch_id
    rewriting(talk).branch(LOCAL_USER, talk.chat_id, second.id, "other", edition=edition(talk))
    talk.say("I moved to Cork.", "Did you?")
    talk.say("I did.", "I see.")
    talk.remembered()
    assert read_to(talk) == 3
    task(talk, "extract", main, message_ids=[third.id])
    assert read_to(talk) == 3, "not on this branch"
    task(talk, "mend", main, first_round=1)
    assert read_to(talk) == 3, "another branch's"
    task(talk, "extract", main, message_ids=[second.id])
    assert read_to(talk) == 1


def test_much_work_of_another_branch_does_not_hide_that_of_the_open_one(talk: Talk) -> None:
    rounds(talk, 3)
    main, store = talk.branch_id, talk.house.memory.store
    second = next(m for m in shown(talk) if m.round == 2)
    rewriting(talk).branch(LOCAL_USER, talk.chat_id, second.id, "other", edition=edition(talk))
    talk.say("I moved to Cork.", "Did you?")
    talk.say("I did.", "I see.")
    talk.remembered()
    lines = {m.round: m for m in shown(talk)}
    for n in range(LOOKED_AT + 6):
        task(talk, "extract", main, message_ids=[f"{n:064x}"])
    task(talk, "extract", message_ids=[lines[3].id])
    assert store.chats.chat(talk.scope).branch_id != main
    assert read_to(talk) == 2


def test_nobody_learns_anything_of_anothers_work(talk: Talk) -> None:
    rounds(talk, 2)
    store = talk.house.memory.store
    store.chats.ensure_user("somebody", "")
    with pytest.raises(Exception, match="does not exist or is not yours"):
        store.unread.first(Scope.of("somebody", talk.chat_id), talk.branch_id, kinds=READING)
