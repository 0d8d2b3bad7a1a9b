"""Runs of the page, one after the other, each in a process of its own that stands still while a reply is made.

A run can be stopped at any moment and gone on with: what retrieval, capacity, probes and ablation had of whole conversations is kept (`evaluation.receipts.Shelf`),
and what models answered (`evaluation.asking`); for the rest other tasks begin again. A project's gold is put beside a run when that begins, not while it waits, and
nothing of it is kept: it begins again. A process of an earlier program is gone with it; its run is stopped, as is one that waited to measure on gold.
"""

from __future__ import annotations

import contextlib
import logging
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from errors import KeepsakeError
from evaluation.comparing import COMPARED
from evaluation.receipts import RECEIPTS, UNFINISHED
from evaluation.records import METRICS
from evaluation.run_folders import (
    FAILURE,
    GOLD,
    LOG,
    PROGRESS,
    SCRATCH,
    Asked,
    NotCompared,
    RunError,
    RunFolders,
    RunUnderWay,
    State,
    read_json,
)
from machine import hold, lower_process
from settings import Settings

log = logging.getLogger(__name__)

NICENESS = 19
LOOK_S = 0.2
ENDING_S = 3.0
HELD_S = 600.0
"""Longest that a run stands still at once; a reply takes less."""
COMPARING_S = 300.0
_ROOT = Path(__file__).resolve().parent.parent


class RunQueue:
    """replying: whether a reply is being made now; niceness: of the processes that measure, from 0 to 19."""

    def __init__(self, settings: Settings, *, replying: Callable[[], bool] = lambda: False, niceness: int = NICENESS) -> None:
        self.folders = RunFolders(settings.data_dir.expanduser().resolve())
        self._fonts = settings.data_dir.expanduser().resolve() / "cache" / "matplotlib"
        """Where the drawing library keeps its list of fonts: a home need not be writable."""
        self._memory_mb = settings.evaluation_memory_mb
        self._most_s = settings.evaluation_minutes * 60
        self._replying = replying
        self._niceness = niceness
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._ended = False
        self._stopped: set[str] = set()
        self._bringing: dict[str, Callable[[Path], None]] = {}
        """What puts a project's gold into the folder of a run that waits."""
        self.pid = 0
        """Of the process that measures now; 0: none."""
        for run_id in self.folders.ids():
            state = self.folders.state(run_id)
            gold = self.folders.asked(run_id).data.kind == "gold"
            if state.state == "running" or (state.state == "waiting" and gold):
                self.folders.note(run_id, state.model_copy(update={"state": "stopped"}))
                self._tidy(run_id)
            elif gold:
                self._tidy(run_id)  # earlier versions kept words of it

    def begin(self, asked: Asked, bring: Callable[[Path], None] = lambda folder: None) -> str:
        """bring: puts a project's gold, as it is by then, into the run's folder. Raises OSError."""
        with self._lock:
            run_id = self.folders.make(asked.model_copy(update={"memory_mb": self._memory_mb}))
            self._bringing[run_id] = bring
        self.wake()
        return run_id

    def go_on(self, run_id: str, bring: Callable[[Path], None] = lambda folder: None) -> None:
        """Of one that was stopped or failed. Raises RunNotThere, RunUnderWay."""
        with self._lock:
            state = self.folders.state(run_id)
            if state.state not in ("stopped", "failed"):
                raise RunUnderWay("This run waits, is under way or is done. Nothing was changed.")
            self._bringing[run_id] = bring
            self._stopped.discard(run_id)
            self.folders.note(run_id, State(state="waiting", seconds=state.seconds))
        self.wake()

    def stop(self, run_id: str) -> None:
        """At once; what it has of whole conversations is kept, but not of a project's gold. Raises RunNotThere."""
        with self._lock:
            state = self.folders.state(run_id)
            if state.state == "waiting":
                self.folders.note(run_id, state.model_copy(update={"state": "stopped"}))
                self._tidy(run_id)
            elif state.state == "running":
                self._stopped.add(run_id)

    def wake(self) -> None:
        """See whether a run waits."""
        with self._lock:
            if self._ended or (self._thread is not None and self._thread.is_alive()) or self.folders.waiting() is None:
                return
            self._thread = threading.Thread(target=self._work, name="evaluation-runs", daemon=True)
            self._thread.start()

    def wait(self, timeout: float) -> None:
        """Until nothing runs (tests)."""
        thread = self._thread
        if thread is not None:
            thread.join(timeout)

    def close(self) -> None:
        """Stop what is under way; it can be gone on with."""
        self._ended = True
        self.wait(ENDING_S * 2)

    def compare(self, first: str, second: str, systems: Sequence[str]) -> Path:
        """The folder with what comes of it. systems: none, or one of each. Raises RunNotThere, RunStillEmpty, RunError."""
        runs = [str(self.folders.whole(run_id)) for run_id in (first, second)]
        out = self.folders.folder(first) / COMPARED / second
        chosen = ["--systems", ",".join(systems)] if systems else []
        command = [sys.executable, "-m", "evaluation", "compare", *runs, "--out", str(out), *chosen]
        try:
            with subprocess.Popen(
                command,
                env=_environment(MPLCONFIGDIR=str(self._fonts)),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
            ) as child:
                lower_process(child.pid, self._niceness)
                said, _ = child.communicate(timeout=COMPARING_S)
        except subprocess.TimeoutExpired as error:
            child.kill()
            raise NotCompared("Comparing these runs takes too long here.", reason=f"more than {COMPARING_S:.0f} s") from error
        if child.returncode:
            reason = said.decode("utf-8", "replace").strip().splitlines()[-1:] or [""]
            raise NotCompared("These runs cannot be compared.", reason=reason[0][:300])
        return out

    def _work(self) -> None:
        while not self._ended:
            with self._lock:
                run_id = self.folders.waiting()
                if run_id is None:
                    self._thread = None
                    return
                before = self.folders.state(run_id)
                self.folders.note(run_id, before.model_copy(update={"state": "running", "error": None}))
                bring = self._bringing.pop(run_id, None)
            try:
                if bring is not None:
                    bring(self.folders.folder(run_id) / GOLD)
                self.folders.note(run_id, self._do(run_id, before.seconds))
            except KeepsakeError as error:
                told = {"code": error.code, "params": error.params, "message": str(error)}
                self.folders.note(run_id, State(state="failed", seconds=before.seconds, error=told))
            except Exception as error:  # the thread's border: told where the run is shown, with its trace in the log
                log.exception("a run of the evaluation could not be made")
                failed = {"code": "run_broke", "params": {"kind": type(error).__name__}, "message": str(error)}
                with contextlib.suppress(OSError):
                    self.folders.note(run_id, State(state="failed", seconds=before.seconds, error=failed))
            finally:
                self._tidy(run_id)

    def _do(self, run_id: str, before: float) -> State:
        folder, asked = self.folders.folder(run_id), self.folders.asked(run_id)
        for name in (FAILURE, PROGRESS):
            (folder / name).unlink(missing_ok=True)
        (folder / SCRATCH).mkdir(exist_ok=True)
        data = {"file": lambda: self.folders.data_path(asked.data.name), "gold": lambda: folder / GOLD, "own": lambda: Path()}[
            asked.data.kind
        ]()
        given = "" if asked.data.kind == "own" else str(data)
        with (folder / LOG).open("ab") as heard:
            child = subprocess.Popen(
                [sys.executable, "-m", "evaluation.run_child", str(folder), given],
                env=_environment(TMPDIR=str(folder / SCRATCH), MPLCONFIGDIR=str(self._fonts)), stdin=subprocess.DEVNULL, stdout=heard, stderr=subprocess.STDOUT,
                process_group=0,  # if this program dies while the child stands still, the system wakes it, and it ends
            )  # fmt: skip
        lower_process(child.pid, self._niceness)
        self.pid = child.pid
        spent, why = self._attend(run_id, child, before)
        if why == "stopped":
            return State(state="stopped", seconds=spent)
        if why == "late":
            params = {"limit": round(self._most_s / 60)}
            return State(
                state="failed", seconds=spent, error={"code": "run_late", "params": params, "message": "It took longer than it may."}
            )
        failure = read_json(folder / FAILURE)
        if child.returncode == 0 and (folder / METRICS).is_file():
            return State(state="done", seconds=spent)
        died = {"code": "run_died", "params": {"status": child.returncode}, "message": "Its process ended without a word."}
        return State(state="failed", seconds=spent, error=dict(failure) or died)

    def _attend(self, run_id: str, child: subprocess.Popen[bytes], before: float) -> tuple[float, str]:
        """(seconds it worked, why it was ended: empty if it ended by itself)."""
        spent, held, still = before, 0.0, False
        while child.poll() is None:
            time.sleep(LOOK_S)
            held = held + LOOK_S if still else 0.0
            spent += 0.0 if still else LOOK_S
            why = "stopped" if self._ended or run_id in self._stopped else "late" if spent > self._most_s else ""
            if why:
                _end(child)
                return spent, why
            still = _held(child, still=still, wanted=self._replying() and held < HELD_S)
        return spent, ""

    def _tidy(self, run_id: str) -> None:
        """What is of no use once nothing measures; a project's gold is not kept beside the project, where erasing would not find it, nor are words of it."""
        self._stopped.discard(run_id)
        self._bringing.pop(run_id, None)
        self.pid = 0
        with contextlib.suppress(RunError, OSError):
            folder = self.folders.folder(run_id)
            gold = self.folders.asked(run_id).data.kind == "gold"
            for name in (SCRATCH, GOLD, *((UNFINISHED,) if gold else ())):
                shutil.rmtree(folder / name, ignore_errors=True)
            if gold:
                (folder / RECEIPTS).unlink(missing_ok=True)


def _held(child: subprocess.Popen[bytes], *, still: bool, wanted: bool) -> bool:
    """Whether it stands still now."""
    if wanted != still:
        hold(child.pid, still=wanted)
    return wanted


def _end(child: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError):
        child.terminate()
    hold(child.pid, still=False)
    try:
        child.wait(ENDING_S)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()


def _environment(**changes: str) -> dict[str, str]:
    path = os.pathsep.join([str(_ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    return {**os.environ, "PYTHONPATH": path, "PYTHONUNBUFFERED": "1", "PYTHONIOENCODING": "utf-8", **changes}
