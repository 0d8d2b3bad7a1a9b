"""The insights task: what counts as found, wrong and missed, and one run from cases to figures through the real engine."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evaluation.__main__ import main
from evaluation.insight_cases import InsightCase
from evaluation.insights import ONE_CUE, UNREAD, Outcome, conversation_of, measured
from personas.cast import built_in

NELL = next(c for c in built_in() if c.id == "builtin:nell-garrow")
DIARIES = NELL.stances[0]


def case(number: int, *messages: str, stance: str | None = DIARIES.statement, telling: tuple[int, ...] = (1, 2)) -> InsightCase:
    return InsightCase(
        id=f"own-{number}",
        part="test",
        character=NELL.id,
        language="en",
        query_type="attribution",
        stance=stance,
        insufficient=None if stance else "one fact",
        messages=messages or ("One.", "Two."),
        telling=telling,
        query="Why?",
    )


SUFFICIENT, THIN = case(1), case(2, stance=None)


def figures_of(*outcomes: Outcome) -> dict[str, tuple[float, int]]:
    return {name: (interval.value, interval.n) for name, interval in measured(outcomes, reasons=True, seed=0)}


def test_figures_by_hand() -> None:
    found = figures_of(
        Outcome(SUFFICIENT, (0,), 0, 2, None),
        Outcome(SUFFICIENT, (0, 3), 0, 2, None),
        Outcome(SUFFICIENT, (), 0, 1, UNREAD),
        Outcome(SUFFICIENT, (5,), 0, 2, ONE_CUE),
        Outcome(THIN, (), None, 0, None),
        Outcome(THIN, (2, 4), None, 0, None),
    )
    assert found["precision"] == (pytest.approx(2 / 6), 6)
    assert found["recall"] == (0.5, 4)
    assert found["f1"] == (pytest.approx(2 * 2 / (6 + 4)), 6)
    assert found["wrong_insight"] == (0.5, 4)
    assert found["false_insight"] == (0.5, 2)
    assert found["telling_read"] == (pytest.approx(7 / 8), 4)
    assert (found["missed_unread"], found["missed_one_cue"], found["missed_unmatched"]) == ((0.25, 4), (0.25, 4), (0.0, 4))


def test_no_insights_have_no_precision_and_thin_cases_no_recall() -> None:
    assert "precision" not in figures_of(Outcome(SUFFICIENT, (), 0, 0, UNREAD))
    assert set(figures_of(Outcome(THIN, (), None, 0, None))) == {"false_insight"}


def test_a_case_becomes_a_chat_of_its_messages_with_a_reply_to_each() -> None:
    said = conversation_of(case(3, "I have a cat.", "I like tea."), "Nell Garrow").messages
    assert [m.text for m in said] == ["I have a cat.", "Go on.", "I like tea.", "Go on."]
    assert [m.said_at for m in said] == sorted({m.said_at for m in said})


def test_a_run_from_cases_to_figures(tmp_path: Path) -> None:
    cases = [
        case(1, "I keep a diary.", "I like tea.", "I make a list before every trip.", telling=(1, 3)),
        case(2, "I keep a diary.", "I like tea.", stance=None, telling=(1,)),
    ]
    data = tmp_path / "own.jsonl"
    data.write_text("\n".join(c.model_dump_json() for c in cases), encoding="utf-8")
    assert main(["insights", "--data", str(data), "--out", str(tmp_path / "out")]) == 0
    figures = json.loads((tmp_path / "out" / "metrics.json").read_text(encoding="utf-8"))
    whole = {(f["system"], f["metric"]): f["value"] for f in figures if f["category"] is None}
    assert (whole["grounded", "recall"], whole["grounded", "precision"], whole["grounded", "false_insight"]) == (1.0, 1.0, 0.0)
    assert (whole["grounded-without-stances", "recall"], whole["grounded-without-stances", "false_insight"]) == (0.0, 0.0)
    assert ("grounded-without-stances", "precision") not in whole
    assert {f["dataset"] for f in figures} == {"own"}


def test_only_insights_have_data_of_their_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as refused:
        main(["retrieval", "--out", str(tmp_path)])
    assert refused.value.code == 2
    assert "--data" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["insights", "--out", str(tmp_path), "--systems", "dense"])
    assert "grounded-without-stances" in capsys.readouterr().err
