"""Runs of the page: one process after the other, which can be stopped, gone on with, and stands still while a reply is made."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluation import run_folders, run_queue
from evaluation.receipts import RECEIPTS, UNFINISHED
from evaluation.run_folders import (
    ASKED,
    FAILURE,
    GOLD,
    SCRATCH,
    Asked,
    RunFolders,
    RunNotThere,
    RunStillEmpty,
    RunUnderWay,
    RunWithoutGold,
    Source,
    State,
)
from evaluation.run_queue import RunQueue
from settings import Settings
from tests.evaluation.test_retrieval import QUESTIONS, TALK
from tests.waiting import PATIENCE_S, until

SLOW = "import time\nwhile True: time.sleep(.05)"


def folders(tmp_path: Path) -> RunFolders:
    return RunFolders(tmp_path)


def settings(tmp_path: Path, **changes: object) -> Settings:
    return Settings(data_dir=tmp_path, _env_file=None, **changes)  # type: ignore[arg-type, call-arg]


def asked(name: str = "made.json") -> Asked:
    return Asked(task="retrieval", data=Source(kind="file", name=name), systems=("sparse-turns",))


def data(tmp_path: Path, samples: object) -> None:
    (tmp_path / "evaluation-data").mkdir()
    (tmp_path / "evaluation-data" / "made.json").write_text(json.dumps(samples), encoding="utf-8")


def doing(pid: int) -> str:
    """Sleeping, running, stopped (`T`) …, as the system says it."""
    return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]


@pytest.mark.parametrize("name", ["", ".", "..", "../x", "a" * 32, "0" * 31, "0" * 33, "0" * 32 + "/..", "/etc", "\0", "０" * 32])
def test_a_name_that_is_no_runs_leads_nowhere(tmp_path: Path, name: str) -> None:
    with pytest.raises(RunNotThere):
        folders(tmp_path).folder(name)


def test_only_data_of_the_folder_is_found_and_no_link_is_followed(tmp_path: Path) -> None:
    data(tmp_path, [])
    outside = tmp_path / "secret.json"
    outside.write_text("{}", encoding="utf-8")
    place = tmp_path / "evaluation-data"
    (place / "link.json").symlink_to(outside)
    (place / "far").symlink_to(tmp_path)
    (place / "set").mkdir()
    (place / "set" / "one.jsonl").write_text("{}", encoding="utf-8")
    (place / "set" / "deep.json").symlink_to(outside)
    (place / ".hidden.json").write_text("{}", encoding="utf-8")
    assert [name for name, _ in folders(tmp_path).data()] == ["made.json", "set", "set/one.jsonl"]
    for name in (
        "../secret.json",
        "link.json",
        "far",
        "far/secret.json",
        "set/deep.json",
        str(outside),
        "",
        ".",
        ".hidden.json",
        "set/../made.json",
    ):
        with pytest.raises(RunNotThere):
            folders(tmp_path).data_path(name)


@pytest.mark.long
def test_a_run_is_measured_and_its_scratch_goes(tmp_path: Path) -> None:
    data(tmp_path, [{"sample_id": "c1", "conversation": TALK, "qa": QUESTIONS}])
    queue = RunQueue(settings(tmp_path), niceness=0)
    run_id = queue.begin(asked())
    with pytest.raises(RunStillEmpty):
        queue.folders.whole(run_id)
    queue.wait(PATIENCE_S)
    state = queue.folders.state(run_id)
    assert (state.state, state.error) == ("done", None)
    folder = queue.folders.whole(run_id)
    assert {"metrics.json", "report.md", "items.jsonl.gz", "receipts.jsonl.gz", "progress.json", "log.txt", "plots"} <= {
        p.name for p in folder.iterdir()
    }
    assert not (folder / SCRATCH).exists()
    assert "Conversations › Ann & Bo › Memory" in (folder / "log.txt").read_text(encoding="utf-8")
    out = queue.compare(run_id, run_id, ())
    assert json.loads((out / "comparisons.json").read_text(encoding="utf-8"))[0]["difference"]["value"] == 0.0
    with pytest.raises(RunNotThere):
        queue.compare(run_id, "../..", ())
    queue.folders.remove(run_id)
    assert not folder.exists()


@pytest.mark.long
def test_data_that_cannot_be_read_is_refused_with_its_place(tmp_path: Path) -> None:
    data(tmp_path, [{"sample_id": "c1", "conversation": TALK, "qa": [{"question": "", "category": 1}]}])
    queue = RunQueue(settings(tmp_path), niceness=0)
    run_id = queue.begin(asked())
    queue.wait(PATIENCE_S)
    state = queue.folders.state(run_id)
    assert state.state == "failed"
    assert state.error is not None
    assert state.error["code"] == "data_refused"
    assert (state.error["params"]["file"], state.error["params"]["where"]) == ("made.json", "c1, question 1")


@pytest.fixture
def slow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[RunQueue]:
    """A queue whose process does nothing, for ever."""
    data(tmp_path, [])
    real = subprocess.Popen

    def started(command: list[str], **more: object) -> object:
        return real([sys.executable, "-c", SLOW] if "evaluation.run_child" in command else command, **more)  # type: ignore[call-overload]

    monkeypatch.setattr(run_queue.subprocess, "Popen", started)
    queue = RunQueue(settings(tmp_path))
    yield queue
    queue.close()  # a test that failed leaves no process behind


def test_runs_asked_for_at_once_wait_in_their_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = folders(tmp_path)
    monkeypatch.setattr(run_folders.time, "time", lambda: 1_700_000_000.0)
    ids = [made.make(asked()) for _ in range(6)]
    assert made.ids() == ids[::-1]
    assert made.waiting() == ids[0]


def test_what_is_stopped_can_be_gone_on_with_and_not_be_deleted_under_way(slow: RunQueue) -> None:
    first, second = slow.begin(asked()), slow.begin(asked())
    until(lambda: slow.folders.state(first).state == "running")
    assert slow.folders.state(second).state == "waiting", "one at a time"
    for refused in (lambda: slow.folders.remove(first), lambda: slow.go_on(first), lambda: slow.go_on(second)):
        with pytest.raises(RunUnderWay):
            refused()
    slow.stop(second)
    assert slow.folders.state(second).state == "stopped"
    slow.stop(first)
    until(lambda: slow.folders.state(first).state == "stopped")
    slow.go_on(first)
    until(lambda: slow.folders.state(first).state == "running")
    slow.close()
    assert slow.folders.state(first).state == "stopped"


def test_gold_lies_beside_no_run_that_waits_and_is_what_is_left_of_it_when_the_run_begins(slow: RunQueue) -> None:
    told = ["all that there is"]

    def bring(folder: Path) -> None:
        if not told:
            raise RunWithoutGold("It was taken back.")
        folder.mkdir(exist_ok=True)
        (folder / "gold.json").write_text(told[0], encoding="utf-8")

    gold = Asked(task="extraction", data=Source(kind="gold", name="p"))
    first = slow.begin(asked())
    second, third = slow.begin(gold, bring), slow.begin(gold, bring)
    until(lambda: slow.folders.state(first).state == "running")
    assert not (slow.folders.folder(second) / GOLD).exists()
    told[0] = "what was not taken back"
    slow.stop(first)
    until(lambda: slow.folders.state(second).state == "running" and slow.pid != 0)
    assert (slow.folders.folder(second) / GOLD / "gold.json").read_text(encoding="utf-8") == told.pop()
    slow.stop(second)
    until(lambda: slow.folders.state(third).state == "failed")
    assert (slow.folders.state(third).error or {})["code"] == "run_no_gold"
    slow.close()


def test_a_run_of_a_program_that_is_gone_is_stopped(tmp_path: Path) -> None:
    queue = RunQueue(settings(tmp_path), niceness=0)
    run_id = queue.folders.make(asked())
    queue.folders.note(run_id, State(state="running", seconds=7))
    (queue.folders.folder(run_id) / GOLD).mkdir()
    again = RunQueue(settings(tmp_path), niceness=0)
    assert again.folders.state(run_id) == State(state="stopped", seconds=7)
    assert not (again.folders.folder(run_id) / GOLD).exists(), "a project's gold is not kept beside the project"


@pytest.mark.parametrize("state", ["done", "stopped", "failed", "waiting"])
@pytest.mark.parametrize("kind", ["gold", "file"])
def test_words_of_gold_that_an_earlier_version_kept_go_at_the_start(tmp_path: Path, kind: str, state: str) -> None:
    before = folders(tmp_path)
    run_id = before.make(Asked(task="retrieval", data=Source(kind=kind, name="p")))  # type: ignore[arg-type]
    before.note(run_id, State(state=state))  # type: ignore[arg-type]
    kept = [before.folder(run_id) / RECEIPTS, before.folder(run_id) / UNFINISHED / "shelf" / "part.json"]
    for file in kept:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"{}")
    RunQueue(settings(tmp_path))
    assert [file.exists() for file in kept] == [kind == "file"] * 2
    assert before.state(run_id).state == ("stopped" if (kind, state) == ("gold", "waiting") else state), "who asked for it brings it anew"


def test_a_run_stands_still_while_a_reply_is_made(slow: RunQueue) -> None:
    replying = False
    slow._replying = lambda: replying
    run_id = slow.begin(asked())
    until(lambda: slow.folders.state(run_id).state == "running")
    until(lambda: slow.pid != 0)
    pid = slow.pid
    until(lambda: doing(pid) in "SR")
    until(lambda: os.getpriority(os.PRIO_PROCESS, pid) == 19)
    replying = True
    until(lambda: doing(pid) == "T")
    replying = False
    until(lambda: doing(pid) in "SR")
    os.kill(pid, signal.SIGKILL)
    until(lambda: slow.folders.state(run_id).state == "failed")
    error = slow.folders.state(run_id).error
    assert error is not None
    assert error["code"] == "run_died"
    slow.close()


def test_a_run_that_works_too_long_is_ended(slow: RunQueue) -> None:
    slow._most_s = 0.1
    run_id = slow.begin(asked())
    slow.wait(PATIENCE_S)
    error = slow.folders.state(run_id).error
    assert error is not None
    assert error["code"] == "run_late"


def test_a_run_that_takes_too_much_memory_ends_itself(tmp_path: Path) -> None:
    data(tmp_path, [{"sample_id": "c1", "conversation": TALK, "qa": QUESTIONS}])
    queue = RunQueue(settings(tmp_path), niceness=0)
    queue._memory_mb = 1
    run_id = queue.begin(asked())
    queue.wait(PATIENCE_S)
    error = queue.folders.state(run_id).error
    assert error is not None
    assert error["code"] == "run_memory"
    assert float(error["params"]["used"]) > 1
    assert (queue.folders.folder(run_id) / FAILURE).is_file()
    assert (queue.folders.folder(run_id) / ASKED).is_file()
