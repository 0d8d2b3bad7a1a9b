"""Vectors of texts that are needed soon, made beside what is done until then: reading keeps one core busy, an embedder that reads a text alone another."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import Future

import numpy as np
from numpy.typing import NDArray

from models.errors import EmbeddingFailed

HELD = 128
"""Texts that are held or under way at most, some 200 kB: what is made and nobody comes for (a task that was given up) makes room for others; while all are
under way nothing more is begun, and is embedded when it is asked for."""


class Ahead:
    """embed: texts to vectors [n, d], safe from any thread. Held in memory alone, by user; what is taken is gone."""

    def __init__(self, embed: Callable[[Sequence[str]], NDArray[np.float32]]) -> None:
        self._embed = embed
        self._made: dict[tuple[str, str], Future[NDArray[np.float32]]] = {}
        self._lock = threading.Lock()
        self._threads: set[threading.Thread] = set()
        self._closed = False

    def begin(self, user_id: str, texts: Mapping[str, str]) -> None:
        """Begin to embed texts, by key, that are not under way already."""
        with self._lock:
            wanted = {key: text for key, text in texts.items() if (user_id, key) not in self._made}
            if self._closed or not wanted or not self._room(len(wanted)):
                return
            begun: dict[str, Future[NDArray[np.float32]]] = {key: Future() for key in wanted}
            # A thread of its own each time: it takes the niceness of the thread that begins it, and one that hangs keeps no program from ending.
            thread = threading.Thread(target=self._make, args=(wanted, begun), name="embedding-ahead", daemon=True)
            try:
                thread.start()
            except RuntimeError:  # no thread to be had: it is embedded when it is asked for
                return
            self._threads = {thread, *(t for t in self._threads if t.is_alive())}
            self._made.update({(user_id, key): future for key, future in begun.items()})

    def _room(self, count: int) -> bool:
        """Whether so many more may be held, once the oldest that are made have gone as far as it takes."""
        over = len(self._made) + count - HELD
        made = [key for key, future in self._made.items() if future.done()][: max(0, over)]
        if len(made) < over:
            return False
        for key in made:
            del self._made[key]
        return True

    def drop(self) -> None:
        """Drop all that is held: something was erased, and what is of others is embedded when it is asked for."""
        with self._lock:
            self._made.clear()

    def close(self, *, timeout: float = 5.0) -> None:
        """Begin nothing more and wait for what is under way: the runtime aborts a program that ends while it is at work."""
        with self._lock:
            self._closed = True
            threads = list(self._threads)
        for thread in threads:
            thread.join(timeout)

    def take(self, user_id: str, keys: Collection[str]) -> dict[str, NDArray[np.float32]]:
        """Vectors of those of these texts that were begun, waiting for what is under way; without those that failed."""
        with self._lock:
            futures = {key: future for key in keys if (future := self._made.pop((user_id, key), None)) is not None}
        return {key: future.result() for key, future in futures.items() if future.exception() is None}

    def _make(self, texts: Mapping[str, str], begun: Mapping[str, Future[NDArray[np.float32]]]) -> None:
        try:
            for future, vector in zip(begun.values(), self._embed(list(texts.values())), strict=True):
                future.set_result(vector)
        except BaseException as error:  # whoever waits must not wait for ever
            for future in begun.values():
                if not future.done():
                    future.set_exception(error)
            if not isinstance(error, EmbeddingFailed):
                raise
