"""Figures of the running program for whoever looks after it: how many, how long, what kind of failure. Never of whom, nor of which conversation.

They are counted always, in memory, for this process; `ui.monitoring` shows them where `KEEPSAKE_METRICS` is on.
"""

from __future__ import annotations

import threading
import time

from prometheus_client import CollectorRegistry, Counter, Histogram

from errors import KeepsakeError

REGISTRY = CollectorRegistry()
REPLIES = Counter("keepsake_replies", "Replies that ended.", ["kind", "outcome"], registry=REGISTRY)
"""kind: `reply`, `variant`, `continue` or `draft`; outcome: `done`, `stopped` or `failed`."""
FIRST_TOKEN = Histogram(
    "keepsake_first_token_seconds",
    "From the start of a reply to its first piece.",
    buckets=(0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 32, 64),
    registry=REGISTRY,
)
ACKNOWLEDGEMENT = Histogram(
    "keepsake_acknowledgement_seconds",
    "Until a message that was sent is safe on disk.",
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 1, 2, 5),
    registry=REGISTRY,
)
RECALL = Histogram(
    "keepsake_recall_seconds",
    "Recall before a reply, time in line included.",
    buckets=(0.01, 0.025, 0.05, 0.1, 0.2, 0.4, 0.8, 1.5, 3),
    registry=REGISTRY,
)
RECALLS = Counter("keepsake_recalls", "Recalls before a reply, by what they went without.", ["degraded"], registry=REGISTRY)
"""degraded: `no`, or why it was not done in full (`memory.recall.Recall.degraded`)."""
TASKS = Counter("keepsake_memory_tasks", "Attempts at tasks of memory that ended.", ["kind", "outcome"], registry=REGISTRY)
"""kind: of `storage.tasks`; outcome: `done` or `failed`."""


class LastFailure:
    """The kind of what failed last, for `/health`: a word of the program's own, no sentence."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kind = ""
        self._at = 0.0

    def note(self, error: BaseException) -> None:
        """An error of our own is of the kind of its code; another, or one that only stands for it, of the kind of its class."""
        named = isinstance(error, KeepsakeError) and error.code != KeepsakeError.code
        with self._lock:
            self._kind = str(getattr(error, "code", "")) if named else type(error.__cause__ or error).__name__
            self._at = time.monotonic()

    @property
    def kind(self) -> str:
        """Empty where nothing has failed since the start."""
        return self._kind

    @property
    def seconds_ago(self) -> int | None:
        with self._lock:
            return int(time.monotonic() - self._at) if self._kind else None


LAST_FAILURE = LastFailure()
