"""Tasks measured several at a time, each in a process of its own: they share nothing but the machine. What measures seconds is measured alone."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from tqdm import tqdm

from evaluation.running import Wanted

TIMED = frozenset({"efficiency"})
"""Tasks whose figures are seconds: nothing may run beside them."""
_ROOT = Path(__file__).resolve().parent.parent
LAST_LINES = 20


@dataclass
class Outcome:
    """notices: of a run that is there; before: it was there already; refused, failed: why it is not."""

    notices: list[str] = field(default_factory=list)
    before: bool = False
    refused: str = ""
    failed: str = ""


_ENDS = {field.name for field in fields(Outcome)}


def _told(line: str) -> dict[str, Any]:
    """What a line of a process says; nothing where a library printed it."""
    try:
        told = json.loads(line)
    except ValueError:
        return {}
    return told if isinstance(told, dict) else {}


def apart(steps: Sequence[tuple[Wanted, Path]], *, jobs: int) -> list[Outcome]:
    """What became of each, in order. steps: (what is wanted, the folder it goes to). Raises KeyboardInterrupt; the processes
    are ended then, and what is measured stays."""
    measuring = _Measuring(len(steps))
    together = [n for n, (wanted, _) in enumerate(steps) if wanted.name not in TIMED]
    alone = [n for n in range(len(steps)) if n not in set(together)]
    try:
        for numbers, width in ((together, jobs), (alone, 1)):
            with ThreadPoolExecutor(width) as pool:
                waiting: set[Future[None]] = {pool.submit(measuring.step, n, *steps[n]) for n in numbers}
                try:
                    while waiting:
                        done, waiting = wait(waiting, timeout=0.5)
                        for one in done:
                            one.result()
                        measuring.show()
                except BaseException:
                    measuring.end()
                    raise
    finally:
        measuring.bar.close()
    return measuring.outcomes


class _Measuring:
    def __init__(self, count: int) -> None:
        self.outcomes = [Outcome() for _ in range(count)]
        self._shares = [0.0] * count
        self._labels: dict[int, str] = {}
        self._running: set[subprocess.Popen[str]] = set()
        self._lock = threading.Lock()
        self._ended = False
        self.bar = tqdm(
            total=count,
            desc="Tasks",
            unit="task",
            disable=None,
            bar_format="{l_bar}{bar}| {n:.2f}/{total} [{elapsed}<{remaining}{postfix}]",
        )

    def step(self, number: int, wanted: Wanted, folder: Path) -> None:
        """Measured in a process that is waited for."""
        # Links stay as they are: what a path leads to may be called otherwise, and a file is told apart by its name too.
        order = {
            "name": wanted.name,
            "path": str(wanted.path.absolute()),
            "systems": list(wanted.systems),
            "seed": wanted.seed,
            "quick": wanted.quick,
            "command": list(wanted.command),
            "folder": str(folder.absolute()),
        }
        command = [sys.executable, "-m", "evaluation.step_child", json.dumps(order)]
        outcome = self.outcomes[number]
        with self._lock:
            if self._ended:
                return
            # A line of a library's, in whatever bytes, must not end the listening: the process would wait for ever for somebody who reads.
            process = subprocess.Popen(
                command, cwd=_ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8", errors="replace"
            )
            self._running.add(process)
        complaints: list[str] = []
        listening = threading.Thread(target=lambda: complaints.extend(process.stderr or ()), daemon=True)
        listening.start()
        self._labels[number] = f"{wanted.name} of {folder.name}"
        ended = False
        for line in process.stdout or ():
            told = _told(line)
            if "share" in told:
                self._shares[number] = told["share"]
                continue
            for name in told.keys() & _ENDS:
                ended = True
                setattr(outcome, name, told[name])
        process.wait()
        listening.join()
        with self._lock:
            self._running.discard(process)
        self._labels.pop(number, None)
        self._shares[number] = 1.0
        if not ended:
            said = "".join(complaints[-LAST_LINES:]).strip()
            outcome.failed = f"its process ended with status {process.returncode}{': ' + said if said else ''}"

    def show(self) -> None:
        self.bar.n = round(sum(self._shares), 4)
        self.bar.set_postfix_str(", ".join(list(self._labels.values())))

    def end(self) -> None:
        with self._lock:
            self._ended = True
            for process in self._running:
                process.terminate()
