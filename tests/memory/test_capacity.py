"""What goes when room runs short, on a real store, embedder and index."""

from __future__ import annotations

from pathlib import Path

from storage.records import Kind
from tests.memory.test_construction import Live, opened, start

LONE = "My sister Clara keeps bees on the roof of the library in Porto."
ALIKE = ("tea", "coffee", "milk", "cocoa", "lemonade", "cider", "juice", "broth", "mead", "cordial", "ale", "buttermilk")


def drinks(live: Live) -> None:
    """One thing that is told once, then a dozen that are much alike and that each next one calls up."""
    live.say(LONE, "How many hives?")
    for drink in ALIKE:
        live.say(f"I like {drink}.", "A good cup.")


def texts(live: Live, *, forgotten: bool = False) -> set[str]:
    memories = live.memory.store.memories
    held = memories.forgotten(live.scope, live.branch_id) if forgotten else memories.visible(live.scope, live.branch_id)
    return {m.text for m in memories.get(live.scope, held.of_kinds((Kind.FACT,)).ids).values()}


def test_what_was_told_once_outlives_many_that_are_alike(tmp_path: Path) -> None:
    memory = opened(tmp_path, memory_capacity=8)
    try:
        live = start(memory)
        drinks(live)
        lost = texts(live, forgotten=True)
        assert lost
        assert not any("Clara" in text for text in lost)
        assert any("Clara" in text for text in texts(live))
        # The last to be weighed were those of round 11; what came since waits for the end of its unit.
        assert len([m for m in live.of(Kind.FACT) if m.round_last < 12]) == 8
    finally:
        memory.close()


def test_another_folder_forgets_the_same(tmp_path: Path) -> None:
    """Chat and memory ids differ there: what ties must not go by them."""
    lost = []
    for name in ("one", "two"):
        memory = opened(tmp_path / name, memory_capacity=8)
        try:
            live = start(memory)
            drinks(live)
            lost.append(texts(live, forgotten=True))
        finally:
            memory.close()
    assert lost[0] == lost[1] != set()
