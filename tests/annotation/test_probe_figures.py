"""What probe runs come to, against other implementations."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from annotation.exchange_runs import HEAD, rows
from annotation.probe_figures import accuracies, judge_agreement, scores
from annotation.probes import default_probes
from storage.annotation_probe_dumps import RunDump
from storage.annotation_run_rows import Choice, Label, Reply, Result, Run, Setting

ONE = (Setting("roomy", 300, 0, 9),)


def test_agreement_of_judge_and_people_is_as_others_compute_it() -> None:
    rng = np.random.default_rng(7)
    one = rng.integers(0, 6, 40)
    other = np.clip(one + rng.integers(-1, 2, 40), 0, 5)
    replies = [Reply(f"{n:032x}", 0, 4, "p", "r", int(score), "", "") for n, score in enumerate(one)]
    found = {f.name: f for f in judge_agreement(replies, [Label(f"{n:032x}", "x", int(score), 0) for n, score in enumerate(other)])}
    assert found["pearson"].value == pytest.approx(np.corrcoef(one, other)[0, 1])
    assert found["kappa"].value == pytest.approx(cohen_kappa_score(one, other))
    low, high = found["pearson"].low, found["pearson"].high
    assert low is not None
    assert high is not None
    assert low < np.corrcoef(one, other)[0, 1] < high
    (flat, _) = judge_agreement(replies[:1], [Label(replies[0].id, "x", 3, 0)])
    assert (flat.value, flat.why) == (None, "one_label")
    assert judge_agreement(replies, []) == []


def test_what_was_not_chosen_counts_as_wrong() -> None:
    run = Run("r", "i", "t", ONE, (30, 90), (), "done", "", 0, kind="regular")
    some = [
        Choice(0, 30, "a", 0, "", 1, 9),
        Choice(0, 30, "b", 2, "", None, 9),
        Choice(0, 30, "c", None, "refused", 3, 9),
        Choice(0, 30, "d", None, "invalid", 12, 20),
        Choice(0, 30, "e", None, "too_short", None, 0),
        Choice(0, 90, "a", None, "too_short", None, 0),
    ]
    found, far = accuracies(run, some)
    assert found.recalled is not None
    assert found.accuracy is not None
    assert (found.accuracy.value, found.accuracy.n, found.recalled.value) == (0.25, 4, 0.5)
    assert (found.trouble, found.left_out) == ({"refused": 1, "invalid": 1}, 1), "what could not be asked is in no share"
    assert (far.accuracy, far.recalled, far.left_out) == (None, None, 1)
    assert scores(run, []) == []


def test_where_nothing_is_forgotten_a_table_tells_no_number_of_memories_kept() -> None:
    some = (Setting("", 60, 0, 9), Setting("all", 300, 0, 9, forgetting="none"))
    probes = tuple(default_probes("p")[:1])
    run = Run("r", "i", "t", some, (4,), probes, "done", "", 0)
    found = RunDump(run, [Result(n, 4, probes[0].id, 1, 1, 9, 0.5) for n in (0, 1)], [], [], [])
    told = [dict(zip(HEAD, row, strict=True)) for row in rows([found], {"i": 1})]
    kept = {(one["setting"], one["memories_kept"], one["tokens_kept"], one["k"]) for one in told}
    assert kept == {("capacity=60", 60, 0, 9), ("all", "", "", 9)}
