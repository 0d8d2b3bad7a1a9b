"""A run's tables can be made again from what it wrote of each single question, and a run that was cut goes on where it was."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evaluation import efficiency, retrieval, running
from evaluation.__main__ import main
from evaluation.datasets import read_locomo
from evaluation.items import Item, read_items, write_items
from evaluation.progress import Progress, attended, counted, steps
from evaluation.receipts import RECEIPTS, UNFINISHED, read_receipt
from evaluation.records import METRICS, ROWS, TABLES
from evaluation.running import Wanted, measured
from evaluation.tasks import TASKS
from tests.evaluation.test_qa import STEPS
from tests.evaluation.test_retrieval import QUESTIONS, TALK

TOLD = {
    "session_1_observation": {
        "Ann": [["Ann's sister Clara keeps bees on a roof in Ghent.", "D1:3"]],
        "Bo": [["Bo grows a fig tree.", "D1:2"]],
    }
}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two conversations with questions and labels."""
    file = tmp_path_factory.mktemp("data") / "made.json"
    samples = [{"sample_id": f"c{n}", "conversation": TALK, "qa": QUESTIONS, "observation": TOLD} for n in (1, 2)]
    file.write_text(json.dumps(samples), encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("task", "systems"),
    [
        ("retrieval", "sparse-turns,dense"),
        ("ablation", "without-again"),
        ("capacity", "sparse-turns"),
        ("learning", "frozen,learned"),
        ("extraction", "reader-half"),
        ("qa", "keepsake-nearest,nearest-to-question"),
    ],
)
def test_the_tables_are_the_same_made_again_from_the_items_alone(data: Path, tmp_path: Path, task: str, systems: str) -> None:
    out = tmp_path / "run"
    if task == "qa":
        data = tmp_path / "options.json"
        choices = {
            "question": "What does Ines restore?",
            "target_step_id": [0],
            "choices": {"A": "boats", "B": "harps"},
            "ground_truth": "B",
        }
        data.write_text(json.dumps({"simple": [{"message_list": STEPS, "QA": choices}]}), encoding="utf-8")
    assert main([task, "--data", str(data), "--out", str(out), "--systems", systems]) == 0
    written = {name: (out / name).read_bytes() for name in (TABLES, ROWS)}
    assert len(written[ROWS].splitlines()) > 3
    assert written[TABLES].decode() in (out / "report.md").read_text(encoding="utf-8")
    for name in (TABLES, ROWS, "report.md"):
        (out / name).unlink()
    figures = json.loads((out / METRICS).read_text(encoding="utf-8"))
    for figure in figures:  # no value of these may be what the tables come from
        figure["value"] = 0.123456
    (out / METRICS).write_text(json.dumps(figures), encoding="utf-8")
    assert main(["table", str(out)]) == 0
    assert {name: (out / name).read_bytes() for name in (TABLES, ROWS)} == written


def test_how_much_noise_there_was_is_part_of_a_questions_name(data: Path, tmp_path: Path) -> None:
    measured(Wanted("capacity", TASKS["capacity"](), data, ("sparse-turns",), 0, True, ["made"]), tmp_path)
    items = list(read_items(tmp_path))
    assert {item.item for item in items} == {"×0: c1-q1", "×0: c1-q2", "×1: c1-q1", "×1: c1-q2"}
    assert len({item.place for item in items}) == len(items), "two runs are compared by these"
    receipt = read_receipt(tmp_path, dataset="made", item="×1: c1-q2")
    assert receipt is not None
    assert "keeps bees" in receipt.turns["D1:3"].text


def test_costs_are_the_same_made_again_from_the_items(data: Path, tmp_path: Path) -> None:
    items: list[Item] = []
    figures = list(efficiency.evaluate(read_locomo(data), systems=["dense-rounds", "fifo"], seed=0, lengths=[2], note=items.append))
    write_items(tmp_path, items)
    assert {f.system for f in figures} == {"dense-rounds", "fifo"}
    assert list(efficiency.figures_of(list(read_items(tmp_path)))) == figures


def test_what_is_no_whole_run_has_no_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["table", str(tmp_path)]) == 1
    assert "no whole run" in capsys.readouterr().err


def test_a_question_can_be_followed_to_what_was_delivered(data: Path, tmp_path: Path) -> None:
    measured(Wanted("retrieval", TASKS["retrieval"](), data, ("sparse-turns", "keepsake"), 0, False, ["made"]), tmp_path)
    receipt = read_receipt(tmp_path, dataset="made", item="c1-q2")
    assert receipt is not None
    assert (receipt.question, receipt.evidence) == ("Where does Clara keep bees?", ("D1:3",))
    assert "keeps bees on a roof" in receipt.turns["D1:3"].text
    assert set(receipt.systems) == {"sparse-turns", "keepsake"}, "two units of memory, one receipt"
    first = receipt.systems["sparse-turns"][0]
    assert (first.rank, first.right, first.delivered, first.turns) == (1, True, True, ("D1:3",))
    assert first.scores["sparse"] is not None
    assert first.scores["fused"] is not None
    assert first.parts
    assert read_receipt(tmp_path, dataset="made", item="c9-q1") is None


def test_a_run_that_was_cut_goes_on_where_it_was(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = Wanted("retrieval", TASKS["retrieval"](), data, ("sparse-turns",), 0, False, ["made"])
    whole, _ = measured(wanted, tmp_path / "whole")
    real = retrieval._measure
    begun: list[str] = []

    def cut(memory: object, conversation: object, *rest: object, **more: object) -> object:
        begun.append(conversation.key)  # type: ignore[attr-defined]
        if len(begun) == 2:
            raise RuntimeError("the power went")
        return real(memory, conversation, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(retrieval, "_measure", cut)
    with pytest.raises(RuntimeError):
        measured(wanted, tmp_path / "cut")
    assert not (tmp_path / "cut" / METRICS).exists()
    again, _ = measured(wanted, tmp_path / "cut")
    assert begun == ["c1", "c2", "c2"]
    assert [(f.metric, f.value, f.ci_low) for f in again] == [(f.metric, f.value, f.ci_low) for f in whole]
    assert (tmp_path / "cut" / RECEIPTS).is_file()
    assert not (tmp_path / "cut" / UNFINISHED).exists()


def test_what_was_kept_of_another_run_is_not_taken(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    task = TASKS["retrieval"]()
    monkeypatch.setattr(running, "write_run", lambda *args, **more: (_ for _ in ()).throw(OSError("full")))
    with pytest.raises(OSError, match="full"):
        measured(Wanted("retrieval", task, data, ("sparse-turns",), 0, False, ["made"]), tmp_path)
    begun: list[str] = []
    real = retrieval._measure

    def counted_measure(memory: object, conversation: object, *rest: object, **more: object) -> object:
        begun.append(conversation.key)  # type: ignore[attr-defined]
        return real(memory, conversation, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(retrieval, "_measure", counted_measure)
    with pytest.raises(OSError, match="full"):
        measured(Wanted("retrieval", task, data, ("sparse-turns",), 0, False, ["made"]), tmp_path)
    assert begun == []
    with pytest.raises(OSError, match="full"):
        measured(Wanted("retrieval", task, data, ("dense-turns",), 0, False, ["made"]), tmp_path)
    assert begun == ["c1", "c2"]


def test_how_much_is_done_follows_from_the_bars_inside_each_other() -> None:
    abandoned = iter(steps(range(50), "Conversations"))  # as a measurement that failed leaves it
    next(abandoned)
    told: list[Progress] = []
    with attended(told.append):
        for _ in steps(("a", "b"), "Conversations"):
            with counted("Memory", 2) as tick:
                tick(2)
                tick(4)
    assert [round(p.share, 3) for p in told] == [0.0, 0.0, 0.25, 0.25, 0.5, 0.5, 0.75, 0.75, 1.0]
    assert (told[2].label, told[2].outer) == ("Memory", ("Conversations",))
    assert [p.share for p in told] == sorted(p.share for p in told)
    told.clear()
    with attended(told.append), counted("Talk", 5) as outer:
        with counted("Memory", 2, worth=4) as tick:
            tick(2)
        for _ in range(4):
            outer(5)
    assert [round(p.share, 3) for p in told] == [0.0, 0.0, 0.4, 0.4, 0.4, 0.6, 0.8]
