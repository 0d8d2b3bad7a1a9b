"""What a measuring run leaves behind."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from evaluation.records import Figure, RunInfo, data_hash, describe_run, machine_noise, write_run
from evaluation.report import guarded, render_rows

CONTRACT = ["task", "dataset", "system", "category", "unit", "metric", "k", "value", "n", "ci_low", "ci_high"]
CONTRACT += ["memories", "tokens", "seconds", "calls", "embedder", "model"]
FIGURE = Figure(task="retrieval", dataset="five", system="bm25", metric="recall_any", k=5, value=0.625, n=40, ci_low=0.5, ci_high=0.75)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "five.json"
    path.write_text("[]")
    return path


@pytest.fixture
def run(data: Path) -> RunInfo:
    return describe_run(command=["python", "-m", "evaluation", "retrieval"], seed=3, quick=True, settings={"recall_k": 9}, data=[data])


def test_metrics_hold_exactly_the_contract(tmp_path: Path, run: RunInfo) -> None:
    write_run(tmp_path / "out", [FIGURE], run)
    (record,) = json.loads((tmp_path / "out" / "metrics.json").read_text())
    assert list(record) == CONTRACT
    given = {"task": "retrieval", "dataset": "five", "system": "bm25", "metric": "recall_any", "k": 5, "value": 0.625, "n": 40}
    assert record == dict.fromkeys(CONTRACT) | given | {"ci_low": 0.5, "ci_high": 0.75}


def test_a_run_says_how_it_came_about(tmp_path: Path, data: Path, run: RunInfo) -> None:
    secret = replace(run, settings={"chat_api_key": SecretStr("sk-very-secret"), "data_dir": Path("x")}, notices=("left out: 4",))
    write_run(tmp_path, [FIGURE], secret)
    written = json.loads((tmp_path / "run.json").read_text())
    assert written["command"] == ["python", "-m", "evaluation", "retrieval"]
    assert (written["seed"], written["quick"], written["data"]) == (3, True, ["five.json"])
    assert written["data_sha256"] == data_hash([data])
    assert written["settings"] == {"chat_api_key": "set", "data_dir": "x"}
    assert {"python", "sqlite", "numpy"} <= set(written["versions"])
    assert written["noise"]["median_s"] > 0
    assert "left out: 4" in (tmp_path / "report.md").read_text()
    assert not any("sk-very-secret" in path.read_text() for path in tmp_path.glob("*.*"))


def test_the_report_has_systems_as_rows_and_escapes_names(tmp_path: Path, run: RunInfo) -> None:
    ours = replace(FIGURE, system="ours | <b>", value=0.75, ci_low=None, ci_high=None, seconds=1.5, calls=0, memories=1234.0)
    temporal = replace(FIGURE, category="temporal", metric="ndcg", k=10)
    write_run(tmp_path, [FIGURE, replace(FIGURE, k=10, value=0.7), ours, temporal], run)
    report = (tmp_path / "report.md").read_text()
    assert "| system | recall_any@5 | recall_any@10 | n |" in report
    assert "| bm25 | 0.625 [0.500, 0.750] | 0.700 [0.500, 0.750] | 40 |" in report
    assert "| ours \\| &lt;b> | 0.750 | – | 40 |" in report
    assert "### temporal" in report
    assert "| ours \\| &lt;b> | 1,234 | 1.500 | 0 |" in report


def test_an_earlier_run_is_replaced_whole_and_kept_when_writing_fails(tmp_path: Path, run: RunInfo) -> None:
    write_run(tmp_path, [FIGURE], run)
    write_run(tmp_path, [replace(FIGURE, value=0.5)], run)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert set(before) == {"five.json", "metrics.json", "run.json", "report.md", "tables.md", "figures.csv"}
    assert json.loads(before["metrics.json"])[0]["value"] == 0.5
    with pytest.raises(TypeError, match="no place in a JSON"):
        write_run(tmp_path, [FIGURE], replace(run, settings={"odd": object()}))
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_run_cut_off_between_its_files_does_not_look_whole(tmp_path: Path, run: RunInfo) -> None:
    write_run(tmp_path, [FIGURE], run)
    (tmp_path / "report.md").unlink()
    (tmp_path / "report.md").mkdir()  # the second of the renames fails
    with pytest.raises(OSError, match=r"."):
        write_run(tmp_path, [FIGURE], run)
    assert not (tmp_path / "metrics.json").exists()
    assert not list(tmp_path.glob(".*"))


@pytest.mark.parametrize("bad", [{"value": float("nan")}, {"ci_high": None}, {"ci_low": 0.9}, {"seconds": float("inf")}])
def test_a_figure_is_a_finite_number_with_a_whole_interval(bad: Any) -> None:
    with pytest.raises(ValueError, match="recall_any of bm25"):
        replace(FIGURE, **bad)


def test_the_hash_of_data_depends_on_names_and_bytes_not_on_order(tmp_path: Path) -> None:
    one, two = tmp_path / "1", tmp_path / "2"
    one.write_text("a")
    two.write_text("b")
    first = data_hash([one, two])
    assert first == data_hash([two, one])
    two.write_text("c")
    assert data_hash([one, two]) != first


def test_noise_is_measured(run: RunInfo) -> None:
    noise = machine_noise(repeats=5)
    assert noise["median_s"] > 0
    assert noise["spread"] >= 0


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"])
def test_nothing_in_a_table_is_computed_also_of_full_width_signs(sign: str) -> None:
    assert render_rows([{"system": f"{sign}1+1", "value": -0.5}]).splitlines()[1].lstrip('"').startswith("'")
    assert guarded(-0.5) == -0.5
    assert guarded(f"a{sign}") == f"a{sign}"
