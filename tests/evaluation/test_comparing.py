"""Two runs are compared question by question, and a difference by chance is not taken for one."""

from __future__ import annotations

import gzip
import itertools
import json
from pathlib import Path

import numpy as np
import pytest

from evaluation.__main__ import main
from evaluation.comparing import TABLE, compared, flipped, table
from evaluation.datasets import DataRefused
from evaluation.items import ITEMS, Item, read_items, write_items


def _item(place: int, score: float, *, system: str = "keepsake", kind: str = "temporal") -> Item:
    return Item(
        task="retrieval", dataset="made", system=system, unit="turn", item=f"q{place}", categories=(kind,), scores={"recall@5": score}
    )


def test_items_come_back_as_they_were_and_equal_items_are_an_equal_file(tmp_path: Path) -> None:
    items = [_item(n, n / 7, kind="时间") for n in range(5)]
    for name in ("a", "b"):
        write_items(tmp_path / name, items)
    assert list(read_items(tmp_path / "a")) == items
    assert (tmp_path / "a" / ITEMS).read_bytes() == (tmp_path / "b" / ITEMS).read_bytes()
    assert [p.name for p in (tmp_path / "a").iterdir()] == [ITEMS]


@pytest.mark.parametrize("line", ["{", json.dumps({"task": "retrieval"}), json.dumps({**_item(0, 1.0).__dict__, "scores": {"r": "high"}})])
def test_a_broken_item_is_named(tmp_path: Path, line: str) -> None:
    good = json.dumps(_item(0, 1.0).__dict__)
    with gzip.open(tmp_path / ITEMS, "wt", encoding="utf-8") as stream:
        stream.write(f"{good}\n{line}\n")
    with pytest.raises(DataRefused, match="line 2"):
        list(read_items(tmp_path))


def test_a_file_that_was_cut_is_named(tmp_path: Path) -> None:
    write_items(tmp_path, [_item(n, float(n)) for n in range(500)])
    whole = (tmp_path / ITEMS).read_bytes()
    (tmp_path / ITEMS).write_bytes(whole[: len(whole) // 2])
    with pytest.raises(DataRefused, match="to its end"):
        list(read_items(tmp_path))


def test_a_folder_without_items_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(DataRefused, match="no run"):
        list(read_items(tmp_path))


def test_p_is_the_share_of_all_signs_that_reach_as_far() -> None:
    differences = np.array([0.5, 0.25, 0.5, -0.25, 0.5, 1.0])
    signs = np.array(list(itertools.product((-1, 1), repeat=6)))
    exact = float((abs(signs @ differences) >= differences.sum() - 1e-12).mean())
    assert flipped(differences, seed=1, flips=40_000) == pytest.approx(exact, abs=0.01)
    assert flipped(np.zeros(9), seed=1) == 1.0


def test_only_what_both_answered_counts_and_parts_are_told_apart() -> None:
    first = [_item(n, 0.0, kind="temporal" if n % 2 else "multi-hop") for n in range(20)]
    second = [_item(n, 1.0 if n % 2 else 0.0, kind="temporal" if n % 2 else "multi-hop") for n in range(5, 30)]
    found = {c.category: c for c in compared(first, second, systems=None, seed=0)}
    assert found[None].difference.n == 15
    assert found[None].difference.value == pytest.approx(8 / 15)
    assert (found["temporal"].second, found["multi-hop"].second) == (1.0, 0.0)
    assert found["temporal"].p < 0.02
    assert found["multi-hop"].p == 1.0


def test_holm_multiplies_the_smallest_by_all_and_never_falls() -> None:
    rng = np.random.default_rng(3)
    first = [_item(n, float(rng.normal()), kind="abc"[n % 3]) for n in range(60)]
    second = [
        _item(n, one.scores["recall@5"] + (0.6 if n % 3 == 0 else 0.1) * float(rng.normal(1, 1)), kind="abc"[n % 3])
        for n, one in enumerate(first)
    ]
    found = sorted(compared(first, second, systems=None, seed=0), key=lambda c: c.p)
    expected, worst = [], 0.0
    for rank, one in enumerate(found):
        worst = max(worst, min(1.0, one.p * (len(found) - rank)))
        expected.append(worst)
    assert [c.holm for c in found] == pytest.approx(expected)
    assert "**" in table(found)
    assert found[0].holm >= found[0].p


def test_equal_runs_differ_in_nothing() -> None:
    items = [_item(n, n % 2) for n in range(12)]
    assert {(c.difference.value, c.p, c.holm) for c in compared(items, items, systems=None, seed=0)} == {(0.0, 1.0, 1.0)}


def test_the_command_sets_two_systems_of_one_run_against_each_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_items(
        tmp_path / "run",
        [_item(n, float(n % 2), system=name) if name == "plain" else _item(n, 1.0) for n in range(30) for name in ("plain", "keepsake")],
    )
    run = str(tmp_path / "run")
    assert main(["compare", run, run, "--systems", "plain,keepsake", "--out", str(tmp_path / "out")]) == 0
    assert "| plain → keepsake | all | recall@5 | 0.500 | 1.000 |" in (tmp_path / "out" / TABLE).read_text(encoding="utf-8")
    figures = json.loads((tmp_path / "out" / "metrics.json").read_text(encoding="utf-8"))
    assert {f["metric"] for f in figures} == {"recall@5_difference", "recall@5_p", "recall@5_p_holm"}
    assert main(["compare", run, run, "--systems", "plain,nobody", "--out", str(tmp_path / "none")]) == 1
    assert "no question in common" in capsys.readouterr().err


def test_runs_on_other_data_are_compared_and_said_to_be(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, sha in (("a", "x1"), ("b", "x2")):
        write_items(tmp_path / name, [_item(n, n / 7) for n in range(5)])
        (tmp_path / name / "run.json").write_text(json.dumps({"data_sha256": sha, "seed": 0}), encoding="utf-8")
    assert main(["compare", str(tmp_path / "a"), str(tmp_path / "b"), "--out", str(tmp_path / "out")]) == 0
    assert "the two runs are of different data: x1 and x2" in (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    assert "different data" in capsys.readouterr().err
    for name, quick, seed in (("a", True, 3), ("b", False, 4)):
        (tmp_path / name / "run.json").write_text(json.dumps({"quick": quick, "seed": seed}), encoding="utf-8")
    assert main(["compare", str(tmp_path / "b"), str(tmp_path / "a"), "--out", str(tmp_path / "parts")]) == 0
    said = capsys.readouterr().err.splitlines()
    assert "the second run is of a part of the data alone (--quick), the other of all of it" in said
    assert "the two runs have different seeds: 4 and 3" in said
    assert main(["compare", str(tmp_path / "a"), str(tmp_path / "a"), "--out", str(tmp_path / "same")]) == 0
    assert "different" not in capsys.readouterr().err
