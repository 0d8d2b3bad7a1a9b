"""Threads that are kept for the next piece of work: never more than a bound at once, and none of them keeps the program from ending."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

T = TypeVar("T")

IDLE_S = 30.0
"""So long a thread waits for work before it ends, and with it what is kept for it (a connection to the database)."""


class Threads:
    """name: of each thread; most: at once, what comes beyond that waits its turn. Safe from any thread."""

    def __init__(self, name: str, *, most: int, idle_s: float = IDLE_S) -> None:
        self._name = name
        self._most = most
        self._idle_s = idle_s
        self._state = threading.Condition()
        self._waiting: deque[Callable[[], None]] = deque()
        self._count = self._idle = 0

    def __len__(self) -> int:
        """How many there are now."""
        return self._count

    def begin(self, work: Callable[[], T]) -> Future[T]:
        """Do it in a thread as soon as one is free. Raises RuntimeError where there is none and none can be had."""
        outcome: Future[T] = Future()
        with self._state:
            self._waiting.append(lambda: _do(work, outcome))
            if self._idle >= len(self._waiting):
                self._state.notify()
            elif self._count < self._most:
                self._hire()
        return outcome

    def _hire(self) -> None:
        try:
            threading.Thread(target=self._serve, name=self._name, daemon=True).start()
        except RuntimeError:  # the machine has no more: what waits is done by those that there are
            if self._count == 0:
                self._waiting.clear()
                raise
        else:
            self._count += 1

    def _serve(self) -> None:
        while (work := self._next()) is not None:
            work()
            del work  # while it waits for more, a thread keeps nothing of what it did

    def _next(self) -> Callable[[], None] | None:
        with self._state:
            self._idle += 1
            try:
                if not self._waiting and not self._state.wait_for(lambda: self._waiting, self._idle_s):
                    self._count -= 1
                    return None
                return self._waiting.popleft()
            finally:
                self._idle -= 1


def _do(work: Callable[[], T], outcome: Future[T]) -> None:
    if not outcome.set_running_or_notify_cancel():
        return
    try:
        outcome.set_result(work())
    except BaseException as error:  # noqa: BLE001 - whoever waits is told; the thread goes on with what is next
        outcome.set_exception(error)
