"""Who serves in a role now. Whoever began with one ends with it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

T = TypeVar("T")


class Seat(Generic[T]):
    """first: who sits in it at the beginning; closed: called once with each, when another sits there and nobody uses it any more. From any thread."""

    def __init__(self, first: T, closed: Callable[[T], None] = lambda _: None) -> None:
        self._present = _Held(first)
        self._closed = closed
        self._lock = threading.Lock()

    @property
    def present(self) -> T:
        return self._present.it

    @contextmanager
    def taken(self) -> Iterator[T]:
        """The present one, which stays whole to the end whoever is put in its place meanwhile."""
        with self._lock:
            held = self._present
            held.users += 1
        try:
            yield held.it
        finally:
            with self._lock:
                held.users -= 1
                over = held.leaves()
            if over:
                self._closed(held.it)

    def put(self, new: T) -> None:
        """Who serves whatever begins from now on."""
        with self._lock:
            before, self._present = self._present, _Held(new)
            before.left = True
            over = before.leaves()
        if over:
            self._closed(before.it)

    def close(self) -> None:
        """Close the present one, used or not."""
        with self._lock:
            held = self._present
            held.left, held.users = True, 0
            over = held.leaves()
        if over:
            self._closed(held.it)


class _Held(Generic[T]):
    def __init__(self, it: T) -> None:
        self.it = it
        self.users = 0
        self.left = False
        self._gone = False

    def leaves(self) -> bool:
        """Whether it goes now: once, when it was replaced and nobody uses it."""
        if self._gone or not self.left or self.users > 0:
            return False
        self._gone = True
        return True
