"""Role-play: thresholds, recall by meaning, four sides rated three times, and the command with and without a judge."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from evaluation.__main__ import main
from evaluation.insight_cases import BUILT_IN_CASES
from evaluation.judging import Judge
from evaluation.role_judging import _SYSTEM, SIDES, RoleRating, mean, rated
from evaluation.semantic_recall import different_pairs, recalled, threshold_of
from models.scripted import Script, ScriptedModel
from models.structured import StructuredModel
from tests.evaluation.test_answers import _served
from tests.models.openai_endpoint import Answer, OpenAIEndpoint


def test_the_threshold_is_the_lowest_that_accepts_a_hundredth_of_what_differs() -> None:
    cosines = np.arange(200) / 200  # 0 … .995
    found = threshold_of(cosines, embedder="e5")
    assert (cosines >= found).sum() == 2
    assert (cosines >= np.nextafter(found, 0.0)).sum() == 3
    assert threshold_of([0.8, 0.9], embedder="e5") > 0.9
    assert threshold_of(cosines, embedder="st:Qwen3-Embedding-0.6B:1024") == 0.7
    with pytest.raises(ValueError, match="known to differ"):
        threshold_of([], embedder="e5")


def test_pairs_of_one_group_are_not_known_to_differ() -> None:
    vectors = np.array([[1.0, 0.0], [0.8, 0.6], [0.0, 1.0]], dtype=np.float32)
    assert different_pairs(vectors, ["a", "a", "b"]).tolist() == pytest.approx([0.0, 0.6])


def test_gold_is_recalled_if_one_of_the_found_is_near_enough() -> None:
    gold = np.array([[1.0, 0.0], [0.0, 1.0]], dtype=np.float32)
    found = np.array([[0.8, 0.6], [1.0, 0.0]], dtype=np.float32)
    assert recalled(gold, found, threshold=0.7) == 0.5
    assert recalled(gold, found, threshold=0.6) == 1.0
    assert recalled(gold, found[:0], threshold=0.6) == 0.0


def _rating(**changes: int) -> str:
    return json.dumps(dict.fromkeys(SIDES, 4) | changes)


def test_three_calls_are_averaged_and_their_spread_told() -> None:
    inner = ScriptedModel(
        *(Script((text,)) for text in (_rating(), _rating(logic=1), _rating(logic=1))), context_tokens=8192, reply_tokens=256
    )
    found = rated(Judge(StructuredModel(inner)), {"reply": "Mind the tide."}, language="en")
    assert found is not None
    assert found.scores == {"information": 4, "logic": 2, "consistency": 4, "attractiveness": 4}
    assert found.spread == pytest.approx(np.std([4.0, 3.25, 3.25]))
    assert len(inner.prompts) == 3
    one = mean([RoleRating(information=5, logic=4, consistency=3, attractiveness=2)])
    assert (one.scores["attractiveness"], one.spread, one.calls) == (2, 0.0, 1)


def test_a_call_that_cannot_be_read_is_left_out() -> None:
    answers = (_rating(logic=6), "none", _rating(), _rating())
    inner = ScriptedModel(*(Script((text,)) for text in answers), context_tokens=8192, reply_tokens=256)
    found = rated(Judge(StructuredModel(inner)), {"reply": "…"}, language="zh")
    assert found is not None
    assert found.calls == 2
    assert "玩家" in inner.prompts[0][0].content


def test_the_instructions_name_all_four_sides_in_both_languages() -> None:
    for text in _SYSTEM.values():
        assert all(f'"{side}"' in text for side in SIDES)


@pytest.fixture
def case(tmp_path: Path) -> Path:
    lines = BUILT_IN_CASES.read_text(encoding="utf-8").splitlines()
    chosen = [line for line in lines if json.loads(line)["stance"] and json.loads(line)["language"] == "en"][:2]
    (tmp_path / "cases.jsonl").write_text("\n".join(chosen), encoding="utf-8")
    return tmp_path / "cases.jsonl"


def _values(out: Path) -> dict[tuple[str, str], float]:
    found = json.loads((out / "metrics.json").read_text(encoding="utf-8"))
    return {(f["system"], f["metric"]): f["value"] for f in found if f["category"] in (None, "en")}


def test_recall_needs_no_model_and_what_needs_one_is_said_to_be_missing(
    case: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for role in ("MEMORY", "JUDGE"):
        monkeypatch.delenv(f"KEEPSAKE_{role}_MODEL", raising=False)
    assert main(["roleplay", "--data", str(case), "--out", str(tmp_path / "out"), "--systems", "keepsake,without-facts,no-memory"]) == 0
    found = _values(tmp_path / "out")
    assert found["keepsake", "fact_recall"] > 0
    assert found["without-facts", "fact_recall"] == found["no-memory", "fact_recall"] == 0.0
    assert 0.5 < found["threshold", "fact_threshold"] < 1
    assert not any(metric in SIDES for _, metric in found)
    report = (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    assert "no replies: no memory model is set" in report
    assert "no judge is set" in report


def test_replies_are_written_and_rated(case: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replies = [Answer((json.dumps({"reply": "You keep more than you say."}),))] * 2
    ratings = [Answer((_rating(consistency=5),))] * 6
    with OpenAIEndpoint(*replies) as model, OpenAIEndpoint(*ratings) as judge:
        _served(monkeypatch, "MEMORY", model.url)
        _served(monkeypatch, "JUDGE", judge.url)
        assert main(["roleplay", "--data", str(case), "--out", str(tmp_path / "out"), "--systems", "no-memory"]) == 0
        shown = json.loads(judge.requests[0].body["messages"][1]["content"])
        assert len(judge.requests) == 6
    assert set(shown) == {"character", "told", "insight", "question", "reply"}
    assert shown["reply"] == "You keep more than you say."
    found = _values(tmp_path / "out")
    assert found["no-memory", "consistency"] == 5.0
    assert found["no-memory", "quality"] == 4.25
    assert found["no-memory", "judge_spread"] == 0.0
