"""An engine that reads by what was learned (`memory.ways`): facts are people's own words, and all that holds of memory holds of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest

from chat.assembly import open_memory
from memory.denying import ended
from memory.engine import mend_task
from memory.extracting import facts_of_path
from memory.extraction import grounded
from memory.facts import memories_of, path_order
from memory.reading import messages
from memory.ways import Ways
from settings import Settings
from storage.records import Kind, Memory, Message, NewWording, Revision, Role, sha256
from tests.memory import test_attacks
from tests.memory.test_construction import ROUNDS, START, Live, start

AT = datetime(2024, 5, 1, tzinfo=UTC)
REVERSALS = json.loads((Path(__file__).parent / "reversals.json").read_text(encoding="utf-8"))
"""(what was told, what was said after it): where the first holds no longer, and where it stays."""


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    memory = open_memory(Settings(data_dir=tmp_path / "data", _env_file=None), ways=Ways(reading="learned"))  # type: ignore[call-arg]
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
    told = facts_of_path(path, live.memory.store.chats.chat(live.scope), by=messages)
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


def _gone(told: str, after: str) -> tuple[int, int]:
    """How many memories of what was told there are, and how many are taken back by what was said after it, a round later."""
    speaker = "Mara" if told.isascii() else "林夏"
    first, second = (
        Message(f"m{n}", None, n, n, Role.USER, speaker, AT, Revision(f"r{n}", text, sha256(text), "user", "complete"))
        for n, text in ((1, told), (2, after))
    )
    held: list[Memory] = memories_of("c", first, None, messages.alone(first, listener="Nell", opens=True))
    return len(held), len(ended(messages.alone(second, listener="Nell", opens=True).endings, second, held))


def test_much_of_what_comes_otherwise_takes_back_what_was_told_and_little_of_what_only_looks_so() -> None:
    """No gate: the bounds hold what the shipped file does (11 of 23, 8 of 36), so that another one is not worse unseen."""
    ends = [_gone(told, after) for told, after in REVERSALS["ends"]]
    stays = [_gone(told, after) for told, after in REVERSALS["stays"]]
    assert sum(gone > 0 for _, gone in ends) >= 0.4 * sum(held > 0 for held, _ in ends)
    assert sum(gone > 0 for _, gone in stays) <= 0.25 * len(stays)


def test_hardly_any_attack_leaves_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three do: two lines in the form of a memory block, told as their speaker's own words, and a neighbour by the other's surname."""
    learned = SimpleNamespace(
        alone=messages.alone, answering=messages.answering, listener_of=grounded.listener_of, others_of=grounded.others_of
    )
    monkeypatch.setattr(test_attacks, "grounded", learned)
    found = test_attacks.attacks()
    left = {a.id for a in found if test_attacks.faults(a, test_attacks.told(a), own=_own(a), other=_other(a))}
    assert len(left) <= 3, left


def _own(attack: test_attacks.Attack) -> str:
    return attack.player if attack.place == "player" else attack.character


def _other(attack: test_attacks.Attack) -> str:
    return attack.character if attack.place == "player" else attack.player
