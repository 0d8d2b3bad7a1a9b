"""Apps as forks of one process that has imported the program: an app is up in a second or two, where importing takes five of a core each time.

Each is a process of its own all the same, in a session of its own, with the environment it was given, and runs `app.main`. What a start from nothing is like is
tested where `python app.py` is run (`test_first_conversation`, `tests/test_app.py`).
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
IMPORTED = (
    "app",
    "annotation.probe_runs",
    "annotation.workbench",
    "chat.assembly",
    "litellm",
    "ui.accounts.pages",
    "ui.annotation.pages",
    "ui.page",
)
STEP_S = 0.05


class Forked:
    """An app that was forked; what the tests use of `subprocess.Popen`."""

    def __init__(self, forge: Forge, pid: int) -> None:
        self._forge = forge
        self.pid = pid
        self.returncode: int | None = None

    def poll(self) -> int | None:
        if self.returncode is None:
            self.returncode = self._forge.ask({"ended": self.pid})
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        deadline = None if timeout is None else time.monotonic() + timeout
        while (status := self.poll()) is None:
            if deadline is not None and time.monotonic() > deadline:
                raise subprocess.TimeoutExpired("app.py", timeout or 0)
            time.sleep(STEP_S)
        return status

    def terminate(self) -> None:
        if self.poll() is None:
            os.kill(self.pid, signal.SIGTERM)


class Forge:
    """The process that has imported the program. One line asks, one line answers."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.browser.forking"], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def start(self, environment: dict[str, str], log: Path) -> Forked:
        pid = self.ask({"environment": environment, "log": str(log)})
        assert pid is not None
        return Forked(self, pid)

    def ask(self, wanted: dict[str, Any]) -> int | None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(wanted).encode() + b"\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        assert answer is None or isinstance(answer, int)
        return answer

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


def _run(environment: dict[str, str], log: str) -> int:
    """In the fork: as `python app.py` with this environment and its output in a file."""
    os.setsid()
    written = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for number, file in enumerate((nothing, written, written)):
        os.dup2(file, number)
    os.environ.clear()
    os.environ.update(environment)
    import app

    try:
        return app.main()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()


def _ended(pid: int) -> int | None:
    """Exit status of an app as Popen gives it, None while it runs."""
    found, status = os.waitpid(pid, os.WNOHANG)
    return os.waitstatus_to_exitcode(status) if found else None


def serve() -> None:
    from settings import Settings, quiet_libraries

    quiet_libraries(Settings())
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    for name in IMPORTED:
        import_module(name)
    for line in sys.stdin.buffer:
        wanted = json.loads(line)
        if "ended" in wanted:
            answers.write(json.dumps(_ended(wanted["ended"])).encode() + b"\n")
            continue
        pid = os.fork()
        if pid == 0:
            status = 1
            with contextlib.suppress(BaseException):
                status = _run(wanted["environment"], wanted["log"])
            os._exit(status)
        answers.write(json.dumps(pid).encode() + b"\n")


if __name__ == "__main__":
    serve()
