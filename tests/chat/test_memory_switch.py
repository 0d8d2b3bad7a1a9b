"""A conversation that is told not to remember: nothing is recalled, nothing is read, nothing is lost."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from chat.portable import Portable
from chat.portable_ids import Ids, changes
from chat.portable_records import known_memory
from storage.errors import ChangedElsewhere, NotFound
from storage.scope import LOCAL_USER
from tests.chat.company import ENGLISH
from tests.chat.conftest import TOLD, Talk
from tests.chat.remembering import fact, facts, rebuilt
from tests.chat.rewritten import edition, rewriting
from tests.waiting import until


def switch(talk: Talk, *, on: bool) -> None:
    talk.house.service.remembering.switch(LOCAL_USER, talk.chat_id, on=on, edition=edition(talk))


def off(talk: Talk) -> bool:
    return not talk.house.service.transcript(LOCAL_USER, talk.chat_id).remembers


def rested(talk: Talk) -> None:
    """Until the worker has read what was said later in another conversation: what it may do in this one, it has done."""
    beside = replace(talk, chat_id=talk.house.service.create(LOCAL_USER, ENGLISH[0]), sent=talk.sent + 1000)
    beside.say("I have a parrot called Coco.", "Noted.")
    beside.say("Hm.", "Yes?")
    beside.remembered()
    assert fact(beside, "Coco")


def last_prompt(talk: Talk) -> str:
    return "\n".join(m.content for m in talk.model.prompts[-1])


def everything(talk: Talk) -> list[tuple[object, ...]]:
    rows = talk.house.memory.store.database.read().execute(
        "SELECT kind, text, round_first, round_last, payload ->> '$.key' FROM memory WHERE chat_id = ? AND status = 'active' ORDER BY 1, 2, 3",
        (talk.chat_id,),
    )
    return [tuple(row) for row in rows]


def test_while_it_is_off_nothing_is_recalled_and_the_receipt_says_why(told: Talk) -> None:
    told.house.service.controls.pin(LOCAL_USER, told.chat_id, fact(told, "walnuts").id)
    told.say("May I have some of the cake?", "It has walnuts in it.")
    assert "walnut" in last_prompt(told).split("May I have some of the cake?")[0].split("[What")[-1]
    switch(told, on=False)
    told.say("And is there anything I must not eat?", "I do not know.")
    prompt = last_prompt(told)
    assert "What Nell Garrow remembers" not in prompt
    assert "What Nell Garrow knows" not in prompt
    receipt = told.house.service.receipt(LOCAL_USER, told.chat_id)
    assert receipt is not None
    assert (receipt.degraded, receipt.candidates, receipt.left_out) == ("off", (), ())
    events = told.house.memory.store.memories.events(told.scope, told.branch_id)
    assert not any(e.round == receipt.round for e in events)


def test_what_is_said_meanwhile_is_read_when_it_is_on_again_as_if_it_never_had_been_off(talk: Talk) -> None:
    talk.say(TOLD[0], "Noted.")
    talk.remembered()
    switch(talk, on=False)
    before = everything(talk)
    for line in TOLD[1:]:
        talk.say(line, "Noted.")
    rested(talk)
    assert off(talk)
    assert everything(talk) == before
    switch(talk, on=True)
    talk.remembered()
    caught_up = everything(talk)
    assert any("Biscuit" in str(text) for kind, text, *_ in caught_up if kind == "fact")
    rebuilt(talk)
    assert everything(talk) == caught_up


def test_it_is_a_step_that_can_be_taken_back(told: Talk) -> None:
    switch(told, on=False)
    assert told.house.service.transcript(LOCAL_USER, told.chat_id).undo == "pause_memory"
    told.say("I play the cello.", "How lovely.")
    rested(told)
    for _ in range(2):
        rewriting(told).undo(LOCAL_USER, told.chat_id, edition=edition(told))
    assert not off(told)
    rewriting(told).redo(LOCAL_USER, told.chat_id, edition=edition(told))
    assert off(told)
    rewriting(told).redo(LOCAL_USER, told.chat_id, edition=edition(told))
    switch(told, on=True)
    told.say("Hm.", "Yes?")
    told.remembered()
    assert fact(told, "cello")


def test_a_page_that_shows_another_edition_switches_nothing(told: Talk) -> None:
    with pytest.raises(ChangedElsewhere):
        told.house.service.remembering.switch(LOCAL_USER, told.chat_id, on=False, edition=edition(told) + 1)
    assert not off(told)


def test_what_a_person_decides_meanwhile_holds_and_is_found(told: Talk) -> None:
    switch(told, on=False)
    cat = fact(told, "Biscuit")
    told.house.service.controls.edit(LOCAL_USER, told.chat_id, cat.id, "Mara has a grey cat called Marmalade.")
    store = told.house.memory.store
    until(lambda: not store.database.read().execute("SELECT 1 FROM task WHERE kind = 'index' AND state <> 'done'").fetchone())
    switch(told, on=True)
    told.remembered()
    assert "Mara has a grey cat called Marmalade." in facts(told)
    assert not any("Biscuit" in text for text in facts(told))


def test_nobody_of_several_remembers(talk: Talk) -> None:
    group = replace(talk, chat_id=talk.house.service.groups.create(LOCAL_USER, list(ENGLISH)), sent=90)
    switch(group, on=False)
    group.say("I keep bees behind the boathouse, Nell.", "Do you?")
    group.say("Hm.", "Well.")
    rested(group)
    assert everything(group) == []
    switch(group, on=True)
    group.remembered()
    assert any("bees" in str(text) for kind, text, *_ in everything(group) if kind == "fact")


def test_what_is_overheard_meanwhile_is_remembered_later(talk: Talk) -> None:
    service = talk.house.service
    heard = replace(talk, chat_id=service.listening.create(LOCAL_USER, ENGLISH[0], player="Ann"))
    switch(heard, on=False)
    for number, line in enumerate(("I keep bees behind the boathouse.", "I want to learn to sail this summer.")):
        service.listening.say(LOCAL_USER, heard.chat_id, line, speaker=("Ann", "Ivo")[number], token=f"t{number}")
    service.end_session(LOCAL_USER, heard.chat_id)
    rested(heard)
    assert everything(heard) == []
    switch(heard, on=True)
    heard.remembered()
    assert any("bees" in str(text) for kind, text, *_ in everything(heard) if kind == "fact")


def test_it_travels_in_the_bundle_with_its_steps(told: Talk, tmp_path: Path) -> None:
    switch(told, on=False)
    portable = Portable(told.house.memory.store)
    path = tmp_path / "a.keepsake.jsonl"
    path.write_bytes(b"".join(portable.lines(LOCAL_USER, told.chat_id)))
    records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert next(r for r in records if r["type"] == "chat")["settings"]["memory"] == "off"
    copy = portable.load(LOCAL_USER, path)
    there = replace(told, chat_id=copy)
    assert off(there)
    rewriting(there).undo(LOCAL_USER, copy, edition=edition(there))
    assert not off(there)
    for strange in (True, "on", "", ["off"], 1):
        with pytest.raises(ValueError, match="whether it remembers"):
            known_memory(strange)
        with pytest.raises(ValueError, match="whether it remembers"):
            changes([["memory", ["a" * 32], None, strange]], Ids("a" * 32, "a" * 32))


def test_it_is_nobody_elses(told: Talk) -> None:
    with pytest.raises(NotFound):
        told.house.service.remembering.switch("somebody", told.chat_id, on=False, edition=edition(told))
