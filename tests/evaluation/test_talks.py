"""A data set's conversation is taken in as the program takes it: talked, or heard where nobody answers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from chat.assembly import Memory, open_memory
from evaluation.membench import read_membench
from evaluation.question_files import read_retrieval
from evaluation.retrieval import evaluate
from evaluation.talks import heard, written
from settings import Settings
from storage.records import Kind
from tests.evaluation.test_membench import OBSERVED, _file, _item
from tests.evaluation.test_retrieval import QUESTIONS, TALK


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    opened = open_memory(Settings(data_dir=tmp_path / "data", _env_file=None))  # type: ignore[call-arg]
    yield opened
    opened.close()


def test_membenchs_observation_is_heard(memory: Memory, tmp_path: Path) -> None:
    (conversation,) = read_membench(_file(tmp_path, {"conditional": [_item(OBSERVED, 1)]})).conversations
    talk = written(memory, conversation)
    chat = memory.store.chats.chat(talk.scope)
    path = memory.store.chats.path(talk.scope, talk.branch_id, limit=9)
    assert chat.listens
    assert all(m.heard for m in path)
    assert {talk.turn_of[m.id][1] for m in path} == {m.external_id for m in conversation.messages}
    facts = memory.store.memories.visible(talk.scope, talk.branch_id).of_kinds((Kind.FACT,))
    assert any("aunt Ola" in f.text for f in memory.store.memories.get(talk.scope, facts.ids).values())


def test_a_talk_of_two_is_heard_in_rounds_and_asked_about(memory: Memory, tmp_path: Path) -> None:
    file = tmp_path / "talk.json"
    file.write_text(json.dumps([{"sample_id": "one", "conversation": TALK, "qa": QUESTIONS}]), encoding="utf-8")
    (data,) = read_retrieval(file)
    talk = heard(memory, data.conversations[0])
    assert [m.round for m in memory.store.chats.path(talk.scope, talk.branch_id, limit=9)] == [4, 3, 2, 1]
    assert talk.after == 5
    figures = list(evaluate(data, systems=["keepsake-heard", "keepsake"], seed=0))
    found = {f.system: f.value for f in figures if f.metric == "recall_fraction" and f.k == 10 and f.category is None}
    assert found == {"keepsake-heard": 1.0, "keepsake": 1.0}
