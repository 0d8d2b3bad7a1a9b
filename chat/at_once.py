"""So many questions to a model at a time, where somebody waits for the answer and may stop waiting."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

WAIT_S = 0.2


class AtOnce:
    """most: how many at a time."""

    def __init__(self, most: int) -> None:
        self._free = threading.BoundedSemaphore(most)
        self._asked: set[threading.Event] = set()
        self._changed = threading.Condition()
        self._closed = False

    @contextmanager
    def turn(self, breathe: Callable[[], None], cancel: threading.Event) -> Iterator[None]:
        """Held while a question is on its way. breathe: called while waiting, and once when the turn has come; what it raises ends the waiting. cancel: of this
        question alone, set where all of them end."""
        with self._changed:
            self._asked.add(cancel)
            if self._closed:
                cancel.set()
        try:
            while not self._free.acquire(timeout=WAIT_S):
                breathe()
            try:
                breathe()
                yield
            finally:
                self._free.release()
        finally:
            with self._changed:
                self._asked.discard(cancel)
                self._changed.notify_all()

    def close(self, *, timeout: float) -> None:
        """Stop every question and wait so long for its end: a model that is silent must not keep the program from ending. Further ones are stopped from the beginning."""
        with self._changed:
            self._closed = True
            for cancel in self._asked:
                cancel.set()
            self._changed.wait_for(lambda: not self._asked, timeout)
