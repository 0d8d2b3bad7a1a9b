"""Agreement of raters: against scikit-learn, scipy and numbers worked by hand, from a file to its figures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import pearsonr
from sklearn.metrics import cohen_kappa_score

from evaluation.__main__ import main
from evaluation.datasets import DataRefused
from evaluation.rating_agreement import kappa, one_minus_deviation, pearson, read_ratings


def test_kappa_is_that_of_scikit_learn() -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        labels = [(str(a), str(b)) for a, b in rng.integers(3, size=(30, 2))]
        assert kappa(labels) == pytest.approx(cohen_kappa_score([a for a, _ in labels], [b for _, b in labels]))
    # 20 yes-yes, 5 yes-no, 10 no-yes, 15 no-no: p_o .7, p_e .5.
    table = [("y", "y")] * 20 + [("y", "n")] * 5 + [("n", "y")] * 10 + [("n", "n")] * 15
    assert kappa(table) == pytest.approx(0.4)
    assert kappa([("y", "y")] * 4) is None


def test_pearson_is_that_of_scipy() -> None:
    rng = np.random.default_rng(5)
    pairs = [(float(a), float(b)) for a, b in rng.integers(1, 6, size=(25, 2))]
    assert pearson(pairs) == pytest.approx(pearsonr(*zip(*pairs, strict=True)).statistic)
    assert pearson([(1.0, 2.0), (2.0, 4.0), (3.0, 6.0)]) == pytest.approx(1.0)
    assert pearson([(1.0, 2.0)]) is None
    assert pearson([(3.0, 2.0), (3.0, 4.0)]) is None
    assert pearson([(0.1, 2.0), (0.1, 4.0), (0.1, 7.0)]) is None, "whose mean is not 0.1 to the last digit"


def test_the_deviation_is_relative_to_the_first() -> None:
    # (|4 − 3.8| / 4 + |2 − 2.1| / 2) / 2 = .05
    assert one_minus_deviation({"logic": (4.0, 3.8), "information": (2.0, 2.1)}) == pytest.approx(0.95)
    assert one_minus_deviation({"logic": (0.0, 1.0)}) is None


def _file(path: Path, lines: list[Any]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def test_from_a_file_to_its_figures(tmp_path: Path) -> None:
    lines: list[dict[str, Any]] = []
    for n, (person, judge) in enumerate([(5, 5), (4, 3), (2, 2), (1, 2)]):
        label = "right" if person > 2 else "wrong"
        lines.append(
            {"item": f"q{n}", "rater": "reader", "label": label, "scores": {"logic": person, "information": 6 - person}, "system": "k"}
        )
        lines.append(
            {"item": f"q{n}", "rater": "judge", "label": label, "scores": {"logic": judge, "information": 6 - judge}, "system": "k"}
        )
    lines.append({"item": "q9", "rater": "judge", "label": "right"})
    assert main(["agreement", "--data", str(_file(tmp_path / "r.jsonl", lines)), "--out", str(tmp_path / "out")]) == 0
    found = {(f["metric"], f["category"]): f for f in json.loads((tmp_path / "out" / "metrics.json").read_text(encoding="utf-8"))}
    assert {f["system"] for f in found.values()} == {"reader and judge"}
    assert (found["kappa", None]["value"], found["kappa", None]["n"]) == (1.0, 4)
    assert found["pearson", "logic"]["value"] == pytest.approx(pearsonr([5, 4, 2, 1], [5, 3, 2, 2]).statistic)
    assert found["pearson", "logic"]["ci_low"] <= found["pearson", "logic"]["value"] <= found["pearson", "logic"]["ci_high"]
    assert found["pearson_mean_of_sides", None]["value"] == pytest.approx(found["pearson", "logic"]["value"])
    assert found["one_minus_deviation", "k"]["value"] == 1.0  # means 3 and 3, 3 and 3


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([{"item": "q", "rater": "a"}], r"line 1: it has neither"),
        ([{"item": "q", "rater": "a", "label": "x"}, {"item": "q", "rater": "a", "label": "y"}], r"line 2: a rated q before"),
        ([{"item": "q", "rater": "a", "label": "x"}], r"agreement needs two raters"),
        ([{"item": "q", "rater": "a", "scores": {"logic": "high"}}], r"line 1: its field scores.logic"),
        ([{"rater": "a", "label": "x"}], r"line 1: its field item"),
    ],
)
def test_a_broken_rating_is_named(tmp_path: Path, lines: list[Any], said: str) -> None:
    with pytest.raises(DataRefused, match=said):
        read_ratings(_file(tmp_path / "r.jsonl", lines))
