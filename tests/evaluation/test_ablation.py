"""The table of what each part of recall is worth is made by one command, over one set or a folder of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evaluation.__main__ import main
from evaluation.ablation import METRIC, ROWS, TABLE, K, read_sets, systems_of, table
from evaluation.datasets import DataRefused
from evaluation.records import Figure
from tests.evaluation.test_retrieval import QUESTIONS, TALK


def _sets(folder: Path) -> Path:
    for name in ("one", "two"):
        (folder / name).mkdir(parents=True)
        made = [{"sample_id": name, "conversation": TALK, "qa": QUESTIONS}]
        (folder / name / "made.json").write_text(json.dumps(made), encoding="utf-8")
    (folder / "notes").mkdir()
    (folder / "notes" / "readme.json").write_text("{}", encoding="utf-8")
    return folder


@pytest.mark.long
def test_one_command_leaves_a_row_for_each_part_and_a_column_for_each_set(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert main(["ablation", "--data", str(_sets(tmp_path / "sets")), "--out", str(out), "--systems", "without-again,without-newest"]) == 0
    head, _, *rows = (out / TABLE).read_text(encoding="utf-8").splitlines()
    assert head == "| without | one (2) | two (2) |"
    assert [row.split(" | ")[0] for row in rows] == ["| again", "| newest"]
    assert "no questions in: notes" in (out / "report.md").read_text(encoding="utf-8")


def test_a_folder_without_any_question_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(DataRefused):
        read_sets(tmp_path, quick=False)


def test_every_part_has_its_row_and_a_part_that_cannot_speak_is_not_measured() -> None:
    assert set(ROWS) <= set(systems_of(cross=True))
    assert set(systems_of(cross=True)) - set(systems_of(cross=False)) == {"without-cross"}


def test_bold_is_what_is_not_by_chance() -> None:
    def difference(system: str, value: float, low: float, high: float) -> Figure:
        return Figure(task="retrieval", dataset="made", system=system, metric=METRIC, k=K, value=value, n=9, ci_low=low, ci_high=high)

    made = table([difference("without-answers", -0.081, -0.102, -0.063), difference("without-speaker", 0.001, -0.003, 0.006)])
    assert "| answers | **−.081** [−.102, −.063] |" in made
    assert "| speaker | +.001 [−.003, +.006] |" in made
    assert "| again | 0 |" in table([difference("without-again", 0.0, 0.0, 0.0)])
