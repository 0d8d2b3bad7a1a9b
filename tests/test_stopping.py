"""A command-line program that is told to end says so, ends soon with the signal's status, and goes on where it was the next time."""

from __future__ import annotations

import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from tests.evaluation.test_ablation import _sets
from tests.waiting import PATIENCE_S, until

ROOT = Path(__file__).resolve().parent.parent
NUMBERS = [signal.SIGINT, signal.SIGTERM]


def begun(data: Path, *command: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "KEEPSAKE_DATA_DIR": str(data)},
    )


def ended(process: subprocess.Popen[str], number: signal.Signals) -> str:
    """What it says when it is told to end."""
    process.send_signal(number)
    _, said = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 128 + number, said
    assert "Traceback" not in said
    return said


def _done(database: Path, state: str) -> int:
    try:
        with closing(sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)) as connection:
            (count,) = connection.execute("SELECT count(*) FROM task WHERE state = ?", (state,)).fetchone()
    except sqlite3.Error:
        return 0
    return int(count)


@pytest.mark.parametrize("number", NUMBERS)
def test_an_import_that_is_stopped_at_work_goes_on_from_there(tmp_path: Path, number: signal.Signals) -> None:
    lines = [f"Ann: On walk {n} I met a fox near stone {n * 7}.\nBo: Foxes again! That makes {n + 1}." for n in range(40)]
    (tmp_path / "s.txt").write_text("\n".join(["2023-05-08", *lines]), encoding="utf-8")
    command = ("-m", "chat.importer", str(tmp_path / "s.txt"), "--user", "Ann", "--character", "Bo")
    first = begun(tmp_path / "d", *command)
    database = tmp_path / "d" / "keepsake.db"
    until(lambda: _done(database, "done") or first.poll() is not None)
    said = ended(first, number)
    assert "What was imported is kept; the same command goes on from there." in said
    assert "failed" not in said
    before = _done(database, "done")
    assert _done(database, "leased") == 0, "what was at work is done at once by the next"
    again = begun(tmp_path / "d", *command)
    out, _ = again.communicate(timeout=PATIENCE_S)
    assert (again.returncode, out.startswith("0 new of 80 messages")) == (0, True)
    assert _done(database, "done") > before > 0


@pytest.mark.parametrize("number", NUMBERS)
def test_a_measurement_that_is_stopped_says_so_at_any_moment(tmp_path: Path, number: signal.Signals) -> None:
    data = str(_sets(tmp_path / "sets"))
    for name, command in (
        ("all", ("evaluation", "all", "--data", data, "--jobs", "2")),
        ("bench", ("evaluation.bench", "--parts", "recall")),
    ):
        for seconds in (0.2, 3.0):
            process = begun(tmp_path / "d", "-m", *command, "--out", str(tmp_path / name))
            time.sleep(seconds)
            if process.poll() is None:  # a machine that has measured all by then shows nothing
                assert "Stopped." in ended(process, number)


@pytest.mark.parametrize("number", NUMBERS)
def test_what_holds_a_program_up_keeps_it_no_longer_than_a_few_seconds(tmp_path: Path, number: signal.Signals) -> None:
    holding = """
import stopping, sys, time
stopping.heed("Stopped.")
stopping.LAST_S = float(sys.argv[1])
try:
    print("at work", flush=True)
    time.sleep(600)
finally:
    print("putting away", flush=True)
    time.sleep(600)
"""
    for last, twice in ((0.5, False), (600.0, True)):
        process = begun(tmp_path, "-c", holding, str(last))
        assert process.stdout is not None
        assert process.stdout.readline() == "at work\n"
        process.send_signal(number)
        assert process.stdout.readline() == "putting away\n"
        began = time.monotonic()
        if twice:
            process.send_signal(signal.SIGINT)
        process.wait(timeout=PATIENCE_S)
        assert process.returncode == 128 + number
        assert time.monotonic() - began < 60


def test_every_command_of_these_heeds_it_before_it_imports_what_takes_long() -> None:
    files = ["chat/importer", "chat/portable", "chat/listen", "annotation/__main__", "storage/__main__", "evaluation/__main__"]
    for file in (*files, "evaluation/bench/__main__"):
        text = (ROOT / f"{file}.py").read_text(encoding="utf-8")
        first = re.search(r"^(?:import|from) (?!__future__).*|^if .*", text, re.MULTILINE)
        assert first is not None
        assert first[0].startswith('if __name__ == "__main__":'), file


@pytest.mark.parametrize("number", NUMBERS)
def test_it_ends_soon_where_the_signal_comes_while_an_object_is_put_away(number: signal.Signals) -> None:
    """What is raised in a weak reference's callback is printed and forgotten by Python."""
    program = f"""
import signal, stopping, time, weakref
stopping.LAST_S = 3_600.0
stopping.heed("Stopped.")
class One: pass
one = One()
told = weakref.ref(one, lambda _: signal.raise_signal({int(number)}))
del one
while True:
    time.sleep(0.01)
"""
    process = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert (process.returncode, process.stderr.strip()) == (128 + number, "Stopped.")
