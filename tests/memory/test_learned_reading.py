"""What an engine makes of what the reader reads: facts are people's own words, and all that holds of memory holds of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from chat.assembly import open_memory
from memory.engine import mend_task
from memory.extracting import facts_of_path
from memory.facts import path_order
from settings import Settings
from storage.records import Kind, NewWording, Role
from tests.memory.test_construction import ROUNDS, START, Live, start


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    memory = open_memory(Settings(data_dir=tmp_path / "data", _env_file=None))  # type: ignore[call-arg]
    yield start(memory)
    memory.close()


def _facts(live: Live) -> list[str]:
    return sorted(f.text for f in live.of(Kind.FACT))


def _rebuilt(live: Live) -> list[str]:
    """The facts of the same path, made anew from its text."""
    live.rebuild()
    return _facts(live)


def test_facts_are_the_players_own_words_with_their_days_and_the_sketch_follows(live: Live) -> None:
    for user, reply in ROUNDS:
        live.say(user, reply)
    live.end()
    facts = {f.round_last: f for f in live.of(Kind.FACT) if f.said_by == "Mara"}
    assert facts[3].text == "Mara: “My sister Ida is a nurse.”"
    assert all(f.payload["quoted"] and str(f.payload["quote"]) in ROUNDS[f.round_last - 1][0] for f in facts.values())
    day = (START + timedelta(hours=6) - timedelta(days=1)).date()
    assert facts[6].event_from is not None
    assert facts[6].event_from.date() == day
    assert f"Yesterday ({day.day} {day:%B} {day.year})" in facts[6].text
    assert 7 not in facts
    known = live.known()
    assert known["name"] == ["Mara"]
    assert any("Biscuit" in value or "cat" in value for value in known["pets"])


def test_memory_that_grew_is_memory_made_anew_and_that_of_a_path_without_a_store(live: Live) -> None:
    for user, reply in (*ROUNDS, ("We keep a goose.", "What is it called?"), ("Gertrude. She bites the postman.", "A fine name.")):
        live.say(user, reply)
    live.end()
    grown = _facts(live)
    path = live.memory.store.chats.span(live.scope, live.branch_id, first_round=0, last_round=live.number)
    told = facts_of_path(path, live.memory.store.chats.chat(live.scope))
    assert [f.id for f in told] == [f.id for f in sorted(live.of(Kind.FACT), key=path_order)]
    assert len(grown) >= 6
    assert _rebuilt(live) == grown


def test_an_answer_goes_with_the_question_it_answers(live: Live) -> None:
    live.say("Good evening.", "Where are you from?")
    live.say("Kenya. Nairobi.", "A long way.")
    live.say("Hm.", "Yes?")
    (answer,) = (f for f in live.of(Kind.FACT) if "Nairobi" in f.text)
    assert answer.text.startswith("Mara (to Nell Garrow: “Where are you from?”): “Kenya.")
    assert len(answer.sources) == 2
    (question,) = (
        m for m in live.memory.store.chats.span(live.scope, live.branch_id, first_round=1, last_round=1) if m.role is Role.CHARACTER
    )
    live.memory.store.tree.reword(live.scope, live.branch_id, question.id, NewWording("Where is your boat?", "user"), operation="edit")
    assert answer.id not in {f.id for f in live.of(Kind.FACT)}


def test_a_branch_from_before_it_was_taken_back_still_has_it(live: Live) -> None:
    live.say("I have a dog called Biscuit.", "A dog!")
    live.say("And it rains.", "It does.")
    at = live.last[-1]
    live.say("I don't have a dog any more, Biscuit died.", "Ah.")
    live.say("It rains still.", "Yes.")
    assert "Mara: “I have a dog called Biscuit.”" not in _facts(live)
    other = live.memory.store.branches.fork(live.scope, live.branch_id, at.id, "there", operation="checkpoint")
    live.memory.store.tasks.add(live.scope, mend_task(other, first_round=0))
    live.memory.work_off()
    assert "Mara: “I have a dog called Biscuit.”" in _facts(replace(live, branch_id=other))
    grown = _facts(live)
    assert _rebuilt(live) == grown
