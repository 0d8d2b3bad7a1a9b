"""The recipes: each step is what it says, leaves a run of its own, and is not measured twice."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from chat.assembly import open_memory
from evaluation import experiments, key_expansion
from evaluation.__main__ import main
from evaluation.datasets import DataRefused, RetrievalData
from evaluation.experiment_tasks import MEASURES
from evaluation.experiments import EXPERIMENTS, Experiment
from evaluation.forgetting_grid import VARIANTS
from evaluation.forgetting_sweep import points
from evaluation.granularity import Piece, scores_of, sessions_of, within
from evaluation.key_expansion import merge
from evaluation.plots import FOLDER
from evaluation.question_files import read_retrieval
from evaluation.reranking import systems
from evaluation.sizes import grown, reached, tokens_of
from evaluation.talks import written
from evaluation.tasks import Task
from settings import Settings
from storage.records import Kind
from storage.scope import LOCAL_USER

THINGS = ("harp", "kayak", "lemon tree", "tram ticket")


def _talk(key: str, names: tuple[str, str], sessions: int) -> dict[str, object]:
    talk: dict[str, object] = {"speaker_a": names[0], "speaker_b": names[1]}
    for s in range(1, sessions + 1):
        talk[f"session_{s}_date_time"] = f"1:56 pm on {s} May, 2023"
        talk[f"session_{s}"] = [
            {"speaker": names[0], "dia_id": f"D{s}:1", "text": f"I bought a {THINGS[s % 4]} at the market of {key} today."},
            {"speaker": names[1], "dia_id": f"D{s}:2", "text": "Where will you put it?"},
            {"speaker": names[0], "dia_id": f"D{s}:3", "text": "My sister Ines keeps such things in her workshop in Ghent."},
            {"speaker": names[1], "dia_id": f"D{s}:4", "text": "I like old maps and I hate rain."},
        ]
    return {
        "sample_id": key,
        "conversation": talk,
        "qa": [{"question": "Who keeps things in a workshop in Ghent?", "evidence": ["D1:3"], "category": 4}],
        "observation": {"session_1_observation": {names[0]: [[f"{names[0]}'s sister Ines has a workshop in Ghent.", "D1:3"]]}},
    }


@pytest.fixture
def data(tmp_path: Path) -> Path:
    made = [_talk("one", ("Mara", "Nell"), 3), _talk("two", ("Ivo", "Ruth"), 4)]
    (tmp_path / "made.json").write_text(json.dumps(made), encoding="utf-8")
    return tmp_path / "made.json"


def _metrics(folder: Path) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads((folder / "metrics.json").read_text(encoding="utf-8"))
    return found


def test_every_recipe_names_a_measure_and_its_quick_steps_are_steps() -> None:
    for name, experiment in EXPERIMENTS.items():
        assert experiment.measure in MEASURES, name
        assert set(experiment.quick) <= set(experiment.steps)
        for values in experiment.steps.values():
            task = MEASURES[experiment.measure](values, name)
            assert isinstance(task, Task)
            assert set(experiment.names) <= set(task.systems)


def test_steps_are_runs_of_their_own_and_are_not_measured_twice(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    order = ["experiment", "forgetting-k", "--data", str(data), "--out", str(tmp_path / "out"), "--quick"]
    assert main(order) == 0
    step = tmp_path / "out" / "forgetting-k" / "turns"
    assert json.loads((step / "run.json").read_text(encoding="utf-8"))["fingerprint"]
    whole = _metrics(tmp_path / "out")
    assert {str(r["category"]).split(":")[0] for r in whole} == {"turns"}
    assert [{**r, "category": None} for r in whole] == [{**r, "category": None} for r in _metrics(step)]
    report = (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    assert "MOOM App. D" in report
    assert "](plots/forgetting-sweep" in report
    assert [p.suffix for p in sorted((tmp_path / "out" / "plots").iterdir())] == [".png", ".svg"]
    assert "facts: not in a quick run" in report
    before = (step / "metrics.json").stat().st_mtime_ns
    assert main(order) == 0
    assert (step / "metrics.json").stat().st_mtime_ns == before
    assert "turns: as measured before" in (tmp_path / "out" / "report.md").read_text(encoding="utf-8")


def test_what_a_step_cannot_measure_is_left_out_with_its_reason(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["experiment", "history-length", "--data", str(data), "--out", str(tmp_path / "out"), "--quick"]) == 1
    assert "too few for 32,000" in capsys.readouterr().err
    assert not (tmp_path / "out" / "metrics.json").exists()


def test_a_sweep_changes_one_parameter_and_begins_with_what_it_is_told_against() -> None:
    found = points(VARIANTS["stored"], "k")
    assert next(iter(found)) == "k 9"
    assert sorted({v.k for v in found.values()}) == [1, 3, 5, 9, 15, 25]
    assert len({v.policy for v in found.values()}) == 1
    ratios = points(VARIANTS["keepsake"], "alpha:beta")
    assert next(iter(ratios)) == "as it is"
    assert all(np.isclose(v.policy.alpha + v.policy.beta, 1.0) for v in ratios.values())  # type: ignore[attr-defined]
    with pytest.raises(KeyError):
        points(VARIANTS["fifo"], "k")


def test_k_and_m_are_what_the_step_says() -> None:
    assert {s.shown for s in systems(10).values()} == {10}
    assert [name for name, s in systems(5).items() if s.noise] == ["paper-frozen", "paper"]


def test_a_budget_ends_with_the_first_piece_that_does_not_fit() -> None:
    pieces = [Piece("a", ("1",), 10), Piece("b", ("1",), 10), Piece("c", ("2", "3"), 25), Piece("d", ("4",), 1)]
    assert within(pieces, tokens=35) == ("1", "2", "3")
    assert within(pieces, tokens=34) == ("1",)
    assert within(pieces, tokens=36) == ("1", "2", "3", "4")
    scored = scores_of(pieces, ["3", "4"])
    assert scored["recall_fraction@5"] == 1.0
    assert scored["recall_in_500_tokens"] == 1.0


def test_granularities_hold_what_they_are_called(data: Path, tmp_path: Path) -> None:
    (read,) = read_retrieval(data)
    assert [len(piece.turns) for piece in sessions_of(read.conversations[0])] == [4, 4, 4]
    assert main(["experiment", "granularity", "--data", str(data), "--out", str(tmp_path / "out"), "--quick"]) == 0
    values = {(r["system"], r["metric"], r["k"]): r["value"] for r in _metrics(tmp_path / "out")}
    for system in ("turn", "session", "mix", "topic", "best"):
        assert 0.0 <= float(str(values[system, "recall_fraction", 5])) <= 1.0
    for k in (5, 10):
        assert float(str(values["best", "recall_fraction", k])) >= max(
            float(str(values[name, "recall_fraction", k])) for name in ("turn", "session")
        )


def test_keys_are_expanded_by_facts_beside_the_turn_in_it_or_not_at_all(data: Path, tmp_path: Path) -> None:
    assert main(["experiment", "key-expansion", "--data", str(data), "--out", str(tmp_path / "out"), "--quick"]) == 0
    values = {(r["system"], r["metric"], r["k"]): float(str(r["value"])) for r in _metrics(tmp_path / "out")}
    turns = values["value", "texts_embedded", None]
    assert turns == 12
    assert turns < values["merged", "texts_embedded", None] <= 2 * turns, "a turn with facts is embedded again"
    assert values["folded", "texts_embedded", None] > turns
    for system in ("value", "folded", "merged"):
        assert 0.0 < values[system, "recall_fraction", 5] <= 1.0
    assert list((tmp_path / "out" / FOLDER).glob("key-expansion*.svg"))


def test_questions_with_a_talk_before_them_are_left_out_of_keys_and_counted(data: Path) -> None:
    (read,) = read_retrieval(data)
    assert key_expansion.notices(read) == read.notices
    some = replace(read, questions=(*read.questions, replace(read.questions[0], id="later", talk=read.conversations[0].messages[:1])))
    assert key_expansion.asked(some) == list(read.questions)
    assert key_expansion.notices(some)[-1] == "made: 1 questions with a talk before them were left out"


def test_a_merged_key_stands_for_its_facts_alone(data: Path, tmp_path: Path) -> None:
    (read,) = read_retrieval(data)
    memory = open_memory(Settings(data_dir=tmp_path / "data", memory_model=""))
    try:
        talk = written(memory, read.conversations[0], observe=True)
        seen = memory.store.memories.visible(talk.scope, talk.branch_id)
        facts, fingerprint = seen.of_kinds((Kind.FACT,)).ids, memory.embedder.fingerprint
        before = memory.store.vectors.of_memories(LOCAL_USER, fingerprint, seen.ids)
        again = merge(memory, talk)
        after = memory.store.vectors.of_memories(LOCAL_USER, fingerprint, seen.ids)
        assert facts
        assert before.keys() - after.keys() == set(facts)
        assert sum(not np.array_equal(before[i], after[i]) for i in after) == again > 0
        assert not memory.index.ids() & set(facts)
    finally:
        memory.close()


def test_a_history_grows_to_its_size_or_is_left_out(data: Path) -> None:
    (read,) = read_retrieval(data)
    own, all_of_it = tokens_of(read.conversations[0].messages), reached(read)
    (first, *_) = grown(read, tokens=own + 10, seed=1, most=None)
    assert first.tokens >= own + 10
    assert {q.conversation_key for q in first.questions} == {first.conversation.key}
    assert len(grown(read, tokens=all_of_it, seed=1, most=1)) == 1
    assert grown(read, tokens=2 * all_of_it, seed=1, most=None) == []


def test_sizes_are_measured_and_told(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = Experiment("How long?", "here", "made", "size", {"short": {"tokens": 200, "most": None}}, names=("keepsake", "sparse"))
    monkeypatch.setattr(experiments, "EXPERIMENTS", {"history-length": made})
    assert experiments.conducted("history-length", data, tmp_path / "out", seed=0, quick=True, command=["made"]) == 0
    values = {(r["system"], r["category"], r["metric"]): r for r in _metrics(tmp_path / "out")}
    found = values["keepsake", "short", "recall_any"]
    assert found["k"] == 10
    assert float(str(found["tokens"])) >= 200
    assert float(str(values["keepsake", "short", "read_seconds"]["value"])) > 0
    assert ("keepsake", "short", "write_seconds") in values


@pytest.mark.long
def test_merging_and_the_ablation_are_compared_with_what_people_noted(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KEEPSAKE_MEMORY_MODEL", raising=False)
    assert main(["experiment", "persona-merge", "--data", str(data), "--out", str(tmp_path / "merge")]) == 0
    found = _metrics(tmp_path / "merge")
    assert {r["system"] for r in found} == {"rules", "rules+embedding"}
    assert {r["n"] for r in found if r["metric"] == "rougeL_recall"} == {2}
    assert "no memory model is set" in (tmp_path / "merge" / "report.md").read_text(encoding="utf-8")
    assert main(["experiment", "engine-ablation", "--data", str(data), "--out", str(tmp_path / "parts")]) == 0
    parts = {(r["system"], r["metric"]): float(str(r["value"])) for r in _metrics(tmp_path / "parts")}
    assert parts["keepsake", "evidence"] == 1.0
    assert parts["keepsake", "evidence"] >= parts["persona-only", "evidence"]
    assert parts["keepsake", "prompt_tokens"] > parts["narrative-only", "prompt_tokens"] > 0
    assert ("without-facts", "rougeL_f1_minus_keepsake") in parts


def test_questions_without_a_conversation_are_refused() -> None:
    empty = RetrievalData("made", (), (), 0, 0, 0)
    from evaluation.sizes import evaluate

    with pytest.raises(DataRefused, match="too few for 10"):
        list(evaluate(empty, names=["keepsake"], tokens=10, most=None, seed=0, note=lambda item: None, task="made"))
