"""Reading a path: with a store, message by message, and without one."""

from __future__ import annotations

from pathlib import Path

from memory.extracting import facts_of_path
from memory.facts import path_order
from storage.records import Kind
from tests.memory.test_construction import ROUNDS, opened, start


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
