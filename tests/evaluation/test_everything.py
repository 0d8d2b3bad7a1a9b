"""One command measures all there is to measure in a folder, and never the same thing twice."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evaluation import everything as module
from evaluation.__main__ import main
from evaluation.apart import _told, apart
from evaluation.datasets import DataRefused
from evaluation.everything import steps_of
from evaluation.items import ITEMS
from evaluation.records import METRICS, Figure, RunInfo
from evaluation.running import Wanted, already, measured
from evaluation.tasks import TASKS
from tests.evaluation.test_ablation import _sets


def _report(out: Path) -> str:
    return (out / "report.md").read_text(encoding="utf-8")


def test_what_suits_no_task_is_left_out_with_its_reason(tmp_path: Path) -> None:
    steps, left_out = steps_of(_sets(tmp_path / "sets"), tmp_path / "out", seed=0, quick=True)
    assert {(s.wanted.name, s.folder.name) for s in steps} >= {("retrieval", "one"), ("retrieval", "two"), ("learning", "one")}
    assert any(line.startswith("retrieval: notes:") for line in left_out)
    assert "forgetting: not in a quick run" in left_out


def test_a_folder_without_data_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty").mkdir()
    assert main(["all", "--data", str(tmp_path / "empty"), "--out", str(tmp_path / "out"), "--quick"]) == 1
    assert "Nothing was measured" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_one_report_over_all_and_nothing_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "TASKS", {"retrieval": TASKS["retrieval"]})
    monkeypatch.setattr(module, "QUICK_SYSTEMS", {"retrieval": ("sparse-turns", "dense-turns")})
    order = ["all", "--data", str(_sets(tmp_path / "sets")), "--out", str(tmp_path / "out"), "--quick", "--jobs", "1"]
    assert main(order) == 0
    whole = json.loads((tmp_path / "out" / "metrics.json").read_text(encoding="utf-8"))
    parts = [json.loads((tmp_path / "out" / "retrieval" / name / "metrics.json").read_text(encoding="utf-8")) for name in ("one", "two")]
    assert whole == [record for part in parts for record in part]
    assert "left out: retrieval: notes:" in _report(tmp_path / "out")
    written = [(tmp_path / "out" / "retrieval" / name / ITEMS).stat().st_mtime_ns for name in ("one", "two")]
    (tmp_path / "out" / "retrieval" / "two" / "metrics.json").unlink()  # as a run that was cut leaves it
    assert main(order) == 0
    again = [(tmp_path / "out" / "retrieval" / name / ITEMS).stat().st_mtime_ns for name in ("one", "two")]
    assert again[0] == written[0]
    assert again[1] > written[1]
    assert "retrieval of one: as measured before" in _report(tmp_path / "out")
    assert "retrieval of two: as measured before" not in _report(tmp_path / "out")
    assert json.loads((tmp_path / "out" / "metrics.json").read_text(encoding="utf-8"))[: len(parts[0])] == parts[0]


def test_what_a_data_set_turns_out_to_lack_leaves_a_task_out_and_fails_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(wanted: Wanted, out: Path) -> None:
        raise DataRefused(file=wanted.path.name, where="", reason="it needs adversarial questions")

    monkeypatch.setattr(module, "TASKS", {"retrieval": TASKS["retrieval"]})
    monkeypatch.setattr(module, "QUICK_SYSTEMS", {"retrieval": ("sparse-turns",)})
    monkeypatch.setattr(module, "measured", refused)
    assert main(["all", "--data", str(_sets(tmp_path / "sets")), "--out", str(tmp_path / "out"), "--quick", "--jobs", "1"]) == 0
    assert "left out: retrieval: one: it needs adversarial questions" in _report(tmp_path / "out")
    assert " failed: " not in _report(tmp_path / "out")


@pytest.mark.parametrize(
    ("line", "told"), [('{"share": 0.5}\n', {"share": 0.5}), ("Give feedback: https://example.org\n", {}), ("3\n", {})]
)
def test_what_a_library_prints_ends_no_measurement(line: str, told: dict[str, float]) -> None:
    assert _told(line) == told


@pytest.mark.long
def test_several_at_a_time_give_what_each_gives_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sets = _sets(tmp_path / "sets")
    task = TASKS["retrieval"]()

    def wanted(name: str) -> Wanted:
        return Wanted("retrieval", task, sets / name, ("sparse-turns",), 0, True, ["made"])

    steps = [(wanted(name), tmp_path / "out" / name) for name in ("one", "notes", "two")]
    one, refused, two = apart(steps, jobs=2)
    assert (one.failed, two.failed) == ("", "")
    assert refused.refused, "what is no data set of this task is left out, and stops nothing"
    measured(wanted("two"), tmp_path / "alone")
    beside, alone = (
        json.loads((folder / METRICS).read_text(encoding="utf-8")) for folder in (tmp_path / "out" / "two", tmp_path / "alone")
    )
    assert [{**figure, "seconds": None} for figure in beside] == [{**figure, "seconds": None} for figure in alone]
    assert apart(steps[:1], jobs=2)[0].before

    killed = tmp_path / "out" / "two" / METRICS
    killed.unlink()
    monkeypatch.setenv("KEEPSAKE_EMBEDDER", "no such kind of embedder")
    (failed,) = apart(steps[2:], jobs=2)
    assert failed.failed, "a process that dies says so"
    assert not killed.exists()


def test_tables_are_made_again_where_one_step_was_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def some(wanted: Wanted, out: Path) -> tuple[list[Figure], RunInfo]:
        if wanted.path.name == "one":
            raise DataRefused(file="one", where="", reason="it needs adversarial questions")
        return measured(wanted, out)

    monkeypatch.setattr(module, "TASKS", {"retrieval": TASKS["retrieval"]})
    monkeypatch.setattr(module, "QUICK_SYSTEMS", {"retrieval": ("sparse-turns",)})
    monkeypatch.setattr(module, "measured", some)
    out = tmp_path / "out"
    assert main(["all", "--data", str(_sets(tmp_path / "sets")), "--out", str(out), "--quick", "--jobs", "1"]) == 0
    written = (out / "tables.md").read_bytes()
    (out / "tables.md").unlink()
    assert main(["table", str(out)]) == 0
    assert (out / "tables.md").read_bytes() == written


def test_another_seed_other_systems_and_other_data_are_other_runs(tmp_path: Path) -> None:
    place = _sets(tmp_path / "sets") / "one"
    wanted = Wanted("retrieval", TASKS["retrieval"](), place, ("sparse-turns",), 0, True, ["made"])
    measured(wanted, tmp_path / "run")
    assert already(wanted, tmp_path / "run")
    for other in (
        Wanted("retrieval", wanted.task, place, ("sparse-turns",), 1, True, ["made"]),
        Wanted("retrieval", wanted.task, place, ("dense-turns",), 0, True, ["made"]),
        Wanted("retrieval", wanted.task, place, ("sparse-turns",), 0, False, ["made"]),
    ):
        assert not already(other, tmp_path / "run")
    file = place / "made.json"
    file.write_text(file.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    assert not already(wanted, tmp_path / "run")
