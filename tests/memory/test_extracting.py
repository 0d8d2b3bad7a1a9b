"""Reading a path: with a store, message by message, and without one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from memory.extracting import facts_of_path
from memory.facts import path_order
from memory.reading import messages as reading
from storage.records import Kind, Message, Revision, Role, sha256
from tests.memory.test_construction import ROUNDS, START, opened, start


@pytest.mark.parametrize(
    "text",
    [
        "((I'm at work right now, back soon))",
        "(OOC: I live in Hull.)",
        "ooc: I live in Hull.",
        "【ooc 我住在杭州。】",
        "My email is mara@example.com.",
    ],
)
def test_what_is_out_of_character_or_cut_off_is_not_remembered(text: str) -> None:
    said = Message("m", None, 1, 1, Role.USER, "Mara", START, Revision("r", text, sha256(text), "user", "complete"))
    told = reading.alone(said, listener="Nell Garrow", opens=True)
    assert (told.facts, told.values) == ((), ())
    assert reading.alone(replace(said, revision=replace(said.revision, text="I live in Hull.")), listener="Nell Garrow", opens=True).values


def test_a_path_read_without_a_store_tells_the_same_facts_in_the_same_order(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    try:
        live = start(memory)
        for user, reply in (*ROUNDS, ("We keep a goose.", "What is it called?"), ("Gertrude.", "A fine name.")):
            live.say(user, reply)
        live.end()
        path = memory.store.chats.span(live.scope, live.branch_id, first_round=0, last_round=live.number)
        told = facts_of_path(path, memory.store.chats.chat(live.scope))
        assert [f.id for f in told] == [f.id for f in sorted(live.of(Kind.FACT), key=path_order)]
        assert len(told) >= 6
    finally:
        memory.close()
