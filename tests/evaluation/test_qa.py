"""A question with options is answered from what is recalled, by a model where there is one, by a rough rule else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evaluation.__main__ import main
from evaluation.qa import BLIND, GUESS, MODEL, RULE
from tests.models.openai_endpoint import Answer, OpenAIEndpoint

STEPS = [
    {"user": "My cousin Ines restores harps in Ghent.", "agent": "A patient trade."},
    {"user": "It rained all day on the market.", "agent": "Then the stalls were empty."},
    {"user": "My neighbour Bram sells clocks.", "agent": "He must be on time."},
]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    def item(question: str, right: str) -> dict[str, object]:
        choices = {"A": "boats", "B": "harps", "C": "clocks", "D": "chairs"}
        return {"message_list": STEPS, "QA": {"question": question, "target_step_id": [0], "choices": choices, "ground_truth": right}}

    made = {"simple": [item("What does Ines restore?", "B")], "other": [item("What does the neighbour Bram sell?", "C")]}
    (tmp_path / "made.json").write_text(json.dumps(made), encoding="utf-8")
    return tmp_path / "made.json"


def _figures(out: Path) -> dict[tuple[str, str | None], float]:
    return {(f["system"], f["category"]): f["value"] for f in json.loads((out / "metrics.json").read_text(encoding="utf-8"))}


def test_without_a_model_a_rule_chooses_and_the_report_says_so(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KEEPSAKE_MEMORY_MODEL", raising=False)
    assert main(["qa", "--data", str(data), "--out", str(tmp_path / "out")]) == 0
    found = _figures(tmp_path / "out")
    assert found[RULE, None] == 1.0
    assert {system for system, _ in found} == {RULE, BLIND}
    assert "no memory model is set: a rule chooses" in (tmp_path / "out" / "report.md").read_text(encoding="utf-8")


def test_a_model_is_shown_what_is_recalled_and_once_nothing(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = [Answer((json.dumps({"answer": letter}),)) for letter in "BAAA"]
    with OpenAIEndpoint(*answers) as endpoint:
        for name, value in (("MODEL", "openai/made"), ("API_BASE", endpoint.url), ("API_KEY", "none")):
            monkeypatch.setenv(f"KEEPSAKE_MEMORY_{name}", value)
        assert main(["qa", "--data", str(data), "--out", str(tmp_path / "out"), "--systems", f"{MODEL},{GUESS}"]) == 0
        shown = [json.loads(r.body["messages"][1]["content"])["notes"] for r in endpoint.requests]
    assert any("harps" in note for note in shown[0])
    assert shown[1] == []
    found = _figures(tmp_path / "out")
    assert (found[MODEL, None], found[GUESS, None]) == (0.5, 0.0)


def test_a_set_without_options_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    item = {"message_list": STEPS, "QA": {"question": "What?", "target_step_id": [0]}}
    (tmp_path / "made.json").write_text(json.dumps({"simple": [item]}), encoding="utf-8")
    assert main(["qa", "--data", str(tmp_path / "made.json"), "--out", str(tmp_path / "out")]) == 1
    assert "no question has options" in capsys.readouterr().err


def test_every_plain_memory_and_every_part_of_the_engine_gives_the_rule_something_to_choose_by(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("KEEPSAKE_MEMORY_MODEL", raising=False)
    names = [
        "full-context-nearest",
        "recent-window-nearest",
        "fifo-nearest",
        "ebbinghaus-nearest",
        "narrative-only-nearest",
        "persona-only-nearest",
    ]
    assert main(["qa", "--data", str(data), "--out", str(tmp_path / "out"), "--systems", ",".join(names)]) == 0
    found = _figures(tmp_path / "out")
    assert {system for system, _ in found} == set(names)
    # Three rounds fit whole into a window of nine.
    assert found["full-context-nearest", None] == found["recent-window-nearest", None] == 1.0
