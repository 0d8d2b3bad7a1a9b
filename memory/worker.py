"""The worker: one niced thread that does the outbox's tasks, and steps aside while a reply is being made."""

from __future__ import annotations

import contextlib
import logging
import os
import threading
import time
from collections.abc import Callable, Iterator

from storage.records import Task
from storage.tasks import Tasks

log = logging.getLogger(__name__)

IDLE_S = 2.0
"""Longest sleep between looks at the outbox; a turn wakes the worker at once, this catches retries and another process's imports."""
MAX_PAUSE_S = 120.0
"""A reply may hold memory work back for this long at a stretch, so that an endless one cannot starve it."""


class Worker:
    """run: does one task; it may raise anything, which marks the task for another attempt. niceness: 0 where no reply is ever made beside it."""

    def __init__(
        self, tasks: Tasks, run: Callable[[Task], None], *, before: Callable[[Callable[[], bool]], None] | None = None, niceness: int = 19
    ) -> None:
        self._tasks = tasks
        self._run = run
        self._before = before
        self._untidy = threading.Event()
        self._untidy.set()
        self._niceness = niceness
        self._wake = threading.Event()
        self._stop = threading.Event()
        self._replies = 0
        self._resumed = threading.Condition()
        self._thread = threading.Thread(target=self._loop, name="memory-worker", daemon=True)

    def start(self) -> None:
        self._tasks.release_all()
        self._thread.start()

    def wake(self) -> None:
        """There may be a new task."""
        self._wake.set()

    def tidy(self) -> None:
        """Do once more what comes before the first task: something was erased."""
        self._untidy.set()
        self._wake.set()

    def stop(self, *, timeout: float = 30.0) -> bool:
        """Ask the worker to end after its current task; True when it has. A task cut off here comes back at the next start."""
        self._stop.set()
        self._wake.set()
        with self._resumed:
            self._resumed.notify_all()
        if self._thread.is_alive():
            self._thread.join(timeout)
        return not self._thread.is_alive()

    @contextlib.contextmanager
    def paused(self) -> Iterator[None]:
        """No new task begins inside this block."""
        with self._resumed:
            self._replies += 1
        try:
            yield
        finally:
            with self._resumed:
                self._replies -= 1
                self._resumed.notify_all()

    def may_go_on(self) -> bool:
        """Wait while a reply is being made; False when the worker is to end."""
        deadline = time.monotonic() + MAX_PAUSE_S
        with self._resumed:
            while self._replies and not self._stop.is_set():
                left = deadline - time.monotonic()
                if left <= 0:
                    break
                self._resumed.wait(left)
        return not self._stop.is_set()

    def _loop(self) -> None:
        # Measured: a 900-token prompt is read in 3.0 s alone, 6.3-9.1 s beside an embedding thread, 3.0 s beside one at nice 19.
        if self._niceness:
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), self._niceness)
        while self.may_go_on():
            if self._before is not None and self._untidy.is_set():
                self._untidy.clear()
                try:
                    self._before(self.may_go_on)
                except Exception:
                    log.exception("upkeep before the first task failed; it is tried again at the next start")
                continue
            if not self._one():
                self._wake.wait(IDLE_S)
                self._wake.clear()

    def _one(self) -> bool:
        """Do one task; False when none is due."""
        try:
            task = self._tasks.lease()
            if task is None:
                return False
        except Exception:
            log.exception("the outbox could not be read; looking again")
            self._stop.wait(IDLE_S)
            return False
        # A reply may have begun while the task was being leased. At the end of the program the lease is given back by the next start.
        if not self.may_go_on():
            return False
        try:
            self._run(task)
        except Exception as error:  # noqa: BLE001 - whatever a task raises is recorded with it, shown, and tried again
            reason = f"{type(error).__name__}: {error}"
            log.warning("task %s (%s) failed at attempt %d: %s", task.id, task.kind, task.attempts, type(error).__name__)
            self._settle(lambda: self._tasks.fail(task, reason))
        else:
            self._settle(lambda: self._tasks.finish(task))
        return True

    def _settle(self, write: Callable[[], None]) -> None:
        """Write a task's outcome; on a full disk the lease ends by itself and the task, which may be done twice, is done again."""
        try:
            write()
        except Exception:
            log.exception("a task's outcome could not be written; it is done again later")
            self._stop.wait(IDLE_S)
