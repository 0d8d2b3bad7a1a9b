"""What systems other than ours lack: the program's own modules are imported without it, and do without it."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
import time
import weakref
from pathlib import Path

import psutil
import pytest

import machine

ROOT = Path(__file__).resolve().parents[1]

ELSEWHERE = """
import sys

class Elsewhere:  # modules of the standard library that only some systems have
    def find_spec(self, name, path=None, target=None):
        if name in ("fcntl", "resource", "pwd", "grp", "termios"):
            asks = sys._getframe(1)
            while "importlib" in asks.f_code.co_filename:
                asks = asks.f_back
            if asks.f_code.co_filename.startswith(ROOT) and "/.venv/" not in asks.f_code.co_filename:
                raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return None

for name in ("fcntl", "resource", "pwd", "grp", "termios"):
    sys.modules.pop(name, None)
sys.meta_path.insert(0, Elsewhere())
import gc
import os
for name in ("setpriority", "getpriority", "PRIO_PROCESS", "sched_getaffinity", "killpg", "fork", "getuid", "geteuid", "setsid"):
    if hasattr(os, name):
        delattr(os, name)
import signal
for name in ("SIGSTOP", "SIGCONT", "SIGKILL", "SIGHUP", "SIGALRM"):
    if hasattr(signal, name):
        delattr(signal, name)
sys.path.insert(0, ROOT)
"""


def elsewhere(program: str, *arguments: str) -> str:
    """What a program prints where the system's own ways are missing to our modules."""
    done = subprocess.run(
        [sys.executable, "-c", f"ROOT = {str(ROOT)!r}\n{ELSEWHERE}\n{program}", *arguments],
        cwd=ROOT, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_everything_the_page_starts_with_is_imported_without_them() -> None:
    said = elsewhere(
        "import app, chat.assembly, ui.page, annotation.probe_runs, annotation.outlines, evaluation.run_queue, evaluation.run_child, storage.__main__\n"
        "import models.llama_server, models.llama_child, machine\nsys.platform = 'darwin'\nmachine.lower_thread(19)\nprint(machine.cores() >= 1, machine.memory_mb() > 1)"
    )
    assert said.split() == ["True", "True"]


def test_a_data_folder_has_one_owner_without_them(tmp_path: Path) -> None:
    program = (
        "from pathlib import Path\nfrom storage.folder import DataFolder\nfrom storage.errors import FolderBusy\n"
        "first, second = DataFolder(Path(sys.argv[1])), DataFolder(Path(sys.argv[1]))\nfirst.own()\n"
        "try: second.own()\nexcept FolderBusy as busy: print(busy.params['process'] == str(os.getpid()))\n"
        "first.release()\nsecond.own()\nprint('owned')"
    )
    assert elsewhere(program, str(tmp_path)).split() == ["True", "owned"]


@pytest.fixture
def child() -> subprocess.Popen[bytes]:
    made = subprocess.Popen([sys.executable, "-c", "import time\nwhile True: time.sleep(0.01)"])
    try:
        yield made  # type: ignore[misc]
    finally:
        made.kill()
        made.wait()


def state_becomes(pid: int, *wanted: str) -> None:
    end = time.monotonic() + 60
    while psutil.Process(pid).status() not in wanted:
        assert time.monotonic() < end
        time.sleep(0.01)


def test_a_process_stands_still_and_goes_on(child: subprocess.Popen[bytes]) -> None:
    machine.hold(child.pid, still=True)
    state_becomes(child.pid, psutil.STATUS_STOPPED)
    machine.hold(child.pid, still=False)
    state_becomes(child.pid, psutil.STATUS_SLEEPING, psutil.STATUS_RUNNING)


def test_a_process_that_is_gone_is_no_error(child: subprocess.Popen[bytes]) -> None:
    child.kill()
    child.wait()
    machine.hold(child.pid, still=True)
    machine.lower_process(child.pid, 10)


@pytest.mark.skipif(sys.platform != "linux", reason="threads have priorities of their own on Linux alone")
def test_a_thread_is_lowered_and_no_other() -> None:
    def lowered() -> None:
        machine.lower_thread(7)
        found.append(os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))

    found: list[int] = []
    before = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
    thread = threading.Thread(target=lowered)
    thread.start()
    thread.join()
    assert found == [max(7, before)]
    assert os.getpriority(os.PRIO_PROCESS, threading.get_native_id()) == before


def test_the_collector_passes_over_what_was_there_and_finds_what_came_since() -> None:
    class Round:
        """Refers to itself, so that nothing but the collector finds it."""

        def __init__(self) -> None:
            self.itself = self

    before = [Round()]
    try:
        machine.pass_over_what_is_there()
        assert gc.get_freeze_count() > 0
        assert not any(one is before for one in gc.get_objects())
        since = weakref.ref(Round())
        gc.collect()
        assert since() is None
    finally:
        gc.unfreeze()
