"""Abstention runs on the product's own recall: what cannot be answered, what its looks give away, and the area between."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from evaluation.abstention import ABSTAINED, ADVERSARIAL, FOREIGN, asked_of, evaluate
from evaluation.datasets import DataRefused
from evaluation.question_files import read_retrieval
from evaluation.separation import Group, auroc, auroc_difference, auroc_interval
from evaluation.surface import left_out, looks


def _talk(key: str, first: str, second: str, said: tuple[str, str], asked: list[tuple[str, int]]) -> Mapping[str, object]:
    turns = [
        {"speaker": who, "dia_id": f"D1:{n}", "text": text} for n, (who, text) in enumerate(zip((first, second), said, strict=True), 1)
    ]
    talk = {"speaker_a": first, "speaker_b": second, "session_1_date_time": "1:56 pm on 8 May, 2023", "session_1": turns}
    return {
        "sample_id": key,
        "conversation": talk,
        "qa": [{"question": question, "category": category, "evidence": ["D1:1"]} for question, category in asked],
    }


BEES = _talk(
    "bees", "Ann", "Bo",
    ("My bees live on the roof of the library in Ghent.", "I planted a fig tree in a barrel last week."),
    [("Where do Ann's bees live?", 4), ("What did Bo plant in a barrel?", 1), ("What did Ann plant in a barrel?", 5)],
)  # fmt: skip
BOATS = _talk(
    "boats", "Cem", "Dora",
    ("I sold the blue rowing boat to my uncle in Split.", "My daughter plays the cello in a school orchestra."),
    [("What did Cem sell to his uncle?", 4), ("What does Dora's daughter play?", 4), ("Which boat did Dora sell to her uncle?", 5)],
)  # fmt: skip


@pytest.fixture
def talks(tmp_path: Path) -> Path:
    path = tmp_path / "made.json"
    path.write_text(json.dumps([BEES, BOATS]), encoding="utf-8")
    return path


def test_what_cannot_be_answered(talks: Path) -> None:
    (data,) = read_retrieval(talks)
    asked = asked_of(data)
    assert [(a.conversation, a.kind) for a in asked if a.kind == ADVERSARIAL] == [("bees", ADVERSARIAL), ("boats", ADVERSARIAL)]
    foreign = [(a.conversation, a.question.text) for a in asked if a.kind == FOREIGN]
    assert foreign[:2] == [("bees", "What did Ann sell to his uncle?"), ("bees", "What does Bo's daughter play?")]
    assert len(foreign) == 4
    assert sum(not a.kind for a in asked) == 4


def test_questions_to_be_abstained_from_are_known_by_their_ids(tmp_path: Path) -> None:
    def question(name: str, *said: str) -> dict[str, object]:
        sessions = [{"date": "2023/05/21 (Sun) 12:44", "turns": [{"role": "user", "content": text}]} for text in said]
        return {"question_id": name, "question_type": "one", "question": "Why?", "question_date": "", "evidence_sessions": sessions}

    file = tmp_path / "made.jsonl"
    items = [question("q1", "I moved."), question("q2_abs"), question("q3_abs", "I stayed."), question("q4")]
    file.write_text("\n".join(json.dumps(item) for item in items), encoding="utf-8")
    (data,) = read_retrieval(file)
    assert {(a.question.id, a.kind) for a in asked_of(data)} == {("q1", ""), ("q2_abs", ABSTAINED), ("q3_abs", ABSTAINED)}
    assert data.questions_without_evidence == 2


def test_the_figures_tell_who_did_what_apart(talks: Path) -> None:
    (data,) = read_retrieval(talks)
    figures = list(evaluate(data, systems=["surface", "keepsake-turns"], seed=0))
    found = {(f.system, f.category, f.metric): f for f in figures}
    ours = found["keepsake-turns", ADVERSARIAL, "auroc"]
    assert (ours.value, ours.n) == (1.0, 6)
    assert found["keepsake-turns", f"{ADVERSARIAL}: bees", "auroc"].n == 3
    assert found["keepsake-turns", FOREIGN, "auroc"].value == 1.0
    difference = found["keepsake-turns", ADVERSARIAL, "auroc_minus_surface"]
    assert difference.value == pytest.approx(1.0 - found["surface", ADVERSARIAL, "auroc"].value)
    assert found["keepsake-turns", ADVERSARIAL, "refused"].n == 2
    assert found["keepsake-turns", ADVERSARIAL, "answered"].n == 4


def test_data_without_unanswerable_questions_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "made.json"
    path.write_text(json.dumps([{**BEES, "qa": [{"question": "Where?", "category": 4, "evidence": ["D1:1"]}]}]), encoding="utf-8")
    (data,) = read_retrieval(path)
    with pytest.raises(DataRefused, match="cannot"):
        list(evaluate(data, systems=["surface"], seed=0))


def test_the_area_counts_pairs() -> None:
    assert auroc([3.0, 1.0], [2.0, 0.0]) == 0.75
    assert auroc([1.0], [1.0]) == 0.5
    assert auroc([0.0, 1.0], [2.0]) == 0.0
    for good, bad in (([], [1.0]), ([1.0], []), ([float("nan")], [1.0])):
        with pytest.raises(ValueError, match="finite scores"):
            auroc(good, bad)


def test_the_area_of_several_conversations_is_the_mean_of_theirs() -> None:
    rng = np.random.default_rng(3)
    apart = Group(tuple(rng.normal(2, 1, 80)), tuple(rng.normal(0, 1, 40)))
    shifted = Group(tuple(100 + v for v in apart.good), tuple(100 + v for v in apart.bad))
    found = auroc_interval([apart, shifted], seed=0)
    assert found.value == pytest.approx(auroc(apart.good, apart.bad))
    assert (found.n, found.low < found.value < found.high) == (240, True)
    assert auroc_difference([apart], [apart], seed=0).high == 0.0
    chance = Group(tuple(rng.normal(0, 1, 80)), tuple(rng.normal(0, 1, 40)))
    assert auroc_difference([apart], [chance], seed=0).low > 0
    with pytest.raises(ValueError, match="same questions"):
        auroc_difference([apart], [shifted, apart], seed=0)


def test_looks_learn_from_other_conversations_alone() -> None:
    assert looks("How many bees did Ann buy?", ("Ann", "Bo")) != looks("When did Bo buy bees?", ("Ann", "Bo"))
    assert looks("Did Ann meet Clara?", ("Ann", "Bo"))[-3] == 1.0  # another name than theirs
    features = {key: np.array([[0.0], [1.0], [0.0], [1.0]]) for key in "abc"}
    truth = {
        "a": np.array([True, False, True, False]),
        "b": np.array([False, True, False, True]),
        "c": np.array([False, True, False, True]),
    }
    scores = left_out(features, truth)
    assert scores["a"][1] > scores["a"][0]  # as b and c have it, and wrong of a
