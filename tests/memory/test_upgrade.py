"""A folder that an older version of extraction has read, opened by this one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from chat.upkeep import catch_up
from memory.engine import mend_task
from memory.reading import messages as reading
from memory.reading.drafts import Extraction
from storage.records import Kind, Message, NewWording
from tests.memory.test_construction import ROUNDS, Live, many, opened, start

TALK = (*ROUNDS, *many(26))
now = reading.alone


def older(message: Message, *, listener: str, opens: bool, others: Sequence[str]) -> Extraction:
    """Takes a place for another, tells twice where somebody lives, and does not know of pets."""
    drafts = now(message, listener=listener, opens=opens, others=others)
    facts = [replace(f, text=f.text.replace("Lisbon", "London")) for f in drafts.facts]
    facts += [replace(f, text=f"{f.subject} has a flat.") for f in facts if "Porto" in f.text]
    values = [v for v in drafts.values if v.key != "pets"]
    values = [replace(v, value=v.value.replace("Porto", "Oporto")) for v in values]
    return Extraction(tuple(facts), tuple(values))


def _reword(live: Live, number: int, text: str) -> None:
    """Edit what the player said in a round, and work through what follows."""
    store = live.memory.store
    (said, *_) = store.chats.span(live.scope, live.branch_id, first_round=number, last_round=number)
    store.tree.reword(live.scope, live.branch_id, said.id, NewWording(text, "user"), operation="edit")
    store.tasks.join(live.scope, mend_task(live.branch_id, first_round=0), least="first_round")
    live.memory.work_off()


def told(live: Live) -> list[tuple[str, str, int, int]]:
    return sorted((m.kind.value, m.text, m.round_first, m.round_last) for kind in Kind for m in live.of(kind))


def test_what_an_older_version_read_is_read_anew_and_nothing_stands_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    memory, fresh = opened(tmp_path / "grown"), opened(tmp_path / "fresh")
    try:
        with monkeypatch.context() as patched:
            patched.setattr(reading, "VERSION", "grounded-0")
            patched.setattr(reading, "alone", older)
            live = start(memory)
            for user, reply in TALK:
                live.say(user, reply)
            _reword(live, 2, "I live in a small flat above a mill in Ghent.")
            _reword(live, 2, TALK[1][0])
            live.end()
            assert "pets" not in live.known()
            assert any("flat." in f.text for f in live.of(Kind.FACT))
            ida, flat = (next(f for f in live.of(Kind.FACT) if word in f.text) for word in ("Ida", "has a flat"))
            memory.store.controls.pin(live.scope, ida.id, True)
            recalled = memory.engine.scored(live.scope, live.branch_id, current_round=live.number)[ida.id]

        assert catch_up(memory.store) == 1
        memory.work_off()
        assert catch_up(memory.store) == 0
        other = start(fresh)
        for user, reply in TALK:
            other.say(user, reply)
        other.end()
        assert told(live) == told(other)
        assert live.known() == other.known()
        assert "cat called Biscuit" in live.known()["pets"]
        assert flat.id not in {f.id for f in live.of(Kind.FACT)}

        # What is told as before is the same memory: still pinned, and as strong as it was.
        (kept,) = (f for f in live.of(Kind.FACT) if f.text == ida.text)
        assert (kept.id, kept.pinned) == (ida.id, True)
        assert memory.engine.scored(live.scope, live.branch_id, current_round=live.number)[ida.id] == recalled
    finally:
        memory.close()
        fresh.close()
