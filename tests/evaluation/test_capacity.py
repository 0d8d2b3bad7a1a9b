"""Noise is laid between the sessions of a conversation, hides behind its names and dates, and changes neither its words nor its questions."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest

from evaluation.capacity import BREAK, TIMES, evaluate, figures_of, with_noise
from evaluation.datasets import DataRefused, RetrievalData, read_locomo
from evaluation.items import Item, named
from evaluation.retrieval import CUTS, DELIVERED, MEASURES


def _conversation(key: str, names: tuple[str, str], sessions: int) -> dict[str, object]:
    talk: dict[str, object] = {"speaker_a": names[0], "speaker_b": names[1]}
    for s in range(1, sessions + 1):
        talk[f"session_{s}_date_time"] = f"1:56 pm on {s} May, 2023"
        talk[f"session_{s}"] = [
            {"speaker": names[n % 2], "dia_id": f"D{s}:{n + 1}", "text": f"{names[n % 2]} of {key} tells of matter {s} and thing {n}."}
            for n in range(4)
        ]
    return {"sample_id": key, "conversation": talk, "qa": [{"question": "What of matter 2?", "evidence": ["D2:1"], "category": 4}]}


@pytest.fixture
def data(tmp_path: Path) -> RetrievalData:
    made = [_conversation("one", ("Mara", "Nell"), 3), _conversation("two", ("Ivo", "Ruth"), 5), _conversation("three", ("Ana", "Ben"), 5)]
    (tmp_path / "made.json").write_text(json.dumps(made), encoding="utf-8")
    return read_locomo(tmp_path / "made.json")


@pytest.mark.parametrize("factor", TIMES)
def test_noise_is_between_and_the_rest_is_as_it_was(data: RetrievalData, factor: int) -> None:
    grown = with_noise(data, factor=factor, seed=5)
    (conversation,) = grown.conversations
    own = [m for m in conversation.messages if not m.external_id.startswith("noise")]
    assert [(m.external_id, m.text, m.said_at) for m in own] == [(m.external_id, m.text, m.said_at) for m in data.conversations[0].messages]
    noise = len(conversation.messages) - len(own)
    assert noise >= min(factor * len(own), 40)
    assert noise < factor * len(own) + 4 or noise == 0
    assert {m.speaker for m in conversation.messages} == {"Mara", "Nell"}
    assert not any(name in m.text for m in conversation.messages for name in ("Ivo", "Ruth", "Ana", "Ben"))
    assert all(a.said_at <= b.said_at for a, b in pairwise(conversation.messages))
    assert len({m.external_id for m in conversation.messages}) == len(conversation.messages)
    assert [q.id for q in grown.questions] == ["one-q1"]


def test_the_same_seed_gives_the_same_noise(data: RetrievalData) -> None:
    assert with_noise(data, factor=1, seed=3) == with_noise(data, factor=1, seed=3)
    assert with_noise(data, factor=1, seed=3) != with_noise(data, factor=1, seed=4)


def test_what_is_lost_is_told_against_the_conversation_by_itself(data: RetrievalData) -> None:
    figures = list(evaluate(data, systems=["sparse-turns"], seed=0, times=(0, 1)))
    lost = {f.category: f.value for f in figures if f.metric == "recall_fraction_minus_alone" and f.k == 10}
    assert [category.split(":")[0] for category in lost if category] == ["noise of 0 times its length", "noise of 1 times its length"]
    assert next(iter(lost.values())) == 0.0


def test_one_conversation_alone_has_no_noise(data: RetrievalData) -> None:
    with pytest.raises(DataRefused, match="other conversations"):
        list(evaluate(data.first(), systems=["sparse-turns"], seed=0))


def test_where_a_loss_is_first_told_from_none_is_said_once() -> None:
    scores = [named(metric, k) for metric, _ in MEASURES for k in CUTS]
    items = [
        Item(
            task="capacity", dataset="made", system="made", unit="turn", item=str(n), categories=(f"noise {tokens}",), conversation="one",
            scores=dict.fromkeys([*scores, *DELIVERED], kept), costs={"seconds": 0.1, "memories": 5.0, "tokens": tokens},
        )
        for tokens, kept in ((100.0, 1.0), (200.0, 0.0), (300.0, 0.0))
        for n in range(30)
    ]  # fmt: skip
    found = [f for f in figures_of(items, seed=0) if f.category == BREAK]
    assert [(f.metric, f.k) for f in found] == [("recall_fraction_tokens", 5), ("recall_fraction_tokens", 10), ("recall_any_tokens", 10)]
    assert {f.value for f in found} == {200.0}
