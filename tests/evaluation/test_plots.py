"""Plots of a run: which there are, that they are the same each time, and that they can be read in Chinese, without colour, and with hostile names."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

from evaluation import drawing
from evaluation.plots import charts_of, write_plots
from evaluation.records import Figure
from tests.waiting import PATIENCE_S


def figures(task: str = "retrieval", dataset: str = "five", **changes: object) -> list[dict[str, object]]:
    made = []
    for system, value in (("ours", 0.7), ("dense", 0.5)):
        for category in (None, "时间", "multi-hop"):
            figure = Figure(
                task=task, dataset=dataset, system=system, category=category, unit="turn", metric="recall_fraction", k=10, value=value, n=9,
                ci_low=value - 0.1, ci_high=value + 0.1,
            )  # fmt: skip
            made.append({**asdict(figure), **changes})
    return made


def words(path: Path) -> str:
    return " ".join("".join(one.itertext()) for one in ElementTree.parse(path).iter("{http://www.w3.org/2000/svg}text"))


def test_equal_figures_are_equal_files(tmp_path: Path) -> None:
    for place in ("one", "two"):
        (plot,) = write_plots(tmp_path / place, figures())
    for ending in (".svg", ".png"):
        one, two = ((tmp_path / place / (plot.name + ending)).read_bytes() for place in ("one", "two"))
        assert one == two
    with Image.open(tmp_path / "one" / f"{plot.name}.png") as image:
        assert image.width > 900
        assert len(image.convert("L").getcolors(1 << 20) or ()) > 8


def test_the_words_of_a_plot_are_text_in_either_language(tmp_path: Path) -> None:
    (plot,) = write_plots(tmp_path, figures())
    said = words(tmp_path / f"{plot.name}.svg")
    for word in ("ours", "dense", "multi-hop", "all", "recall_fraction@10", "时间"):
        assert word in said


def test_a_letter_that_no_font_has_stands_as_its_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing, "_chinese", list)
    (plot,) = write_plots(tmp_path, figures())
    assert "时间" in words(tmp_path / f"{plot.name}.svg"), "who reads an SVG has fonts of their own"
    assert drawing._drawable("时a") == "[U+65F6]a"


def test_a_name_is_no_formula_no_markup_and_no_path(tmp_path: Path) -> None:
    (plot,) = write_plots(tmp_path, figures(dataset="../../$x_1$ <b>&'\""))
    assert (tmp_path / f"{plot.name}.svg").resolve().parent == (tmp_path / "plots").resolve()
    assert "$x_1$ <b>&'\"" in words(tmp_path / f"{plot.name}.svg")


def test_series_are_told_apart_without_colour() -> None:
    (chart,) = charts_of(figures())
    assert [s.name for s in chart.series] == ["ours", "dense"]
    assert chart.labels == ["all", "时间", "multi-hop"]
    n = len(drawing.COLOURS)
    assert n == len(set(drawing.COLOURS)) == len(set(drawing.MARKERS)) == len({str(line) for line in drawing.LINES})


def test_each_task_has_the_plots_that_it_calls_for(tmp_path: Path) -> None:
    def titles(records: list[dict[str, object]]) -> list[str]:
        return [chart.title for chart in charts_of(records)]

    sized = [
        {**r, "category": f"noise of {n} times its length: {n * 300 + 300:,} turns, 9,000 tokens"}
        for n in (0, 1)
        for r in figures("capacity")[::3]
    ]
    (capacity,) = charts_of(sized)
    assert [p.x for p in capacity.series[0].points] == [300.0, 600.0]
    curve = [
        {**r, "metric": f"ndcg, tenth {n}", "unit": "question", "ci_low": None, "ci_high": None}
        for n in (1, 2)
        for r in figures("learning")[::3]
    ]
    assert titles(curve) == ["learning: five, ndcg"]
    kept = [
        {**r, "metric": "covered", "k": None, "category": c} for c in ("3,000 tokens", "6,000 tokens") for r in figures("forgetting")[::3]
    ]
    assert titles(kept) == ["forgetting: five, by token, a turn a memory"]
    aged = [
        {**r, "metric": f"covered, fifth {n}", "category": "half, by age of the evidence"}
        for n in (1, 2)
        for r in figures("forgetting")[::3]
    ]
    assert len(titles(aged)) == 1
    costs = [{**r, "metric": "tokens_over_mem0", "category": "20 rounds"} for r in figures("efficiency")[::3]]
    assert [(c.title, c.series[0].mark) for c in charts_of(costs)] == [("efficiency: five, 20 rounds", 1.0)]
    apart = [{**r, "metric": "recall_fraction@10_difference", "k": None} for r in figures()]
    assert titles(apart) == ["comparison, retrieval: five, recall_fraction@10"]
    assert len(write_plots(tmp_path, [*sized, *curve, *kept, *aged, *costs])) == 5
    assert len(write_plots(tmp_path, apart)) == 1
    assert len(list((tmp_path / "plots").iterdir())) == 2, "an earlier run's are gone"


@pytest.mark.long
def test_the_program_starts_without_a_drawing_library() -> None:
    code = "import sys, app, ui.page, evaluation.plots; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=PATIENCE_S).returncode == 0
