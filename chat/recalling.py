"""Recall within its time budget: a slow or broken memory never fails or delays a reply."""

from __future__ import annotations

import logging
import threading
import time

from errors import KeepsakeError
from memory.engine import Cue, LeftOut, MemoryEngine
from memory.recall import Recall, degraded_recall
from storage.scope import Scope

log = logging.getLogger(__name__)

THREADS = 2
"""Recalls that may be stuck at once before further ones are refused at once."""
PATIENCE_S = 1.0
"""Longest time that a reply which is written waits for what recall left out."""


NOT_REMEMBERING = "off"
"""Why nothing was recalled: memory is switched off in the conversation (`degraded` of a receipt)."""


def no_recall(cue: Cue) -> Recall:
    """Of a conversation that remembers nothing now: nothing, pins included."""
    return degraded_recall(cue, pinned=(), reason=NOT_REMEMBERING, milliseconds=0.0)


class BoundedRecall:
    """budget_s: after so many seconds a reply goes on with recent rounds and pins."""

    def __init__(self, engine: MemoryEngine, *, budget_s: float) -> None:
        self._engine = engine
        self._budget_s = budget_s
        self._free = threading.BoundedSemaphore(THREADS)

    def __call__(self, scope: Scope, branch_id: str, cue: Cue) -> Recall:
        started = time.perf_counter()
        found: list[Recall] = []
        if not self._free.acquire(blocking=False):
            return self._without(scope, branch_id, cue, "timeout", started)

        def work() -> None:
            try:
                found.append(self._engine.recall(scope, branch_id, cue))
            except Exception:
                log.exception("recall failed; the reply goes on with recent rounds and pins")
            finally:
                self._free.release()

        thread = threading.Thread(target=work, name="recall", daemon=True)
        thread.start()
        thread.join(self._budget_s)
        if thread.is_alive():
            return self._without(scope, branch_id, cue, "timeout", started)
        return found[0] if found else self._without(scope, branch_id, cue, "error", started)

    def _without(self, scope: Scope, branch_id: str, cue: Cue, reason: str, started: float) -> Recall:
        try:
            pinned = self._engine.pinned(scope, branch_id, cue)
        except KeepsakeError:
            pinned = ()
        return degraded_recall(cue, pinned=pinned, reason=reason, milliseconds=(time.perf_counter() - started) * 1000)


class Beside:
    """What a recall left out, looked for while the model writes the reply: its first word has not waited, and what may be recalled is still as it was."""

    def __init__(self, engine: MemoryEngine, scope: Scope, branch_id: str, cue: Cue, recall: Recall) -> None:
        self._engine, self._scope, self._branch_id, self._cue, self._recall = engine, scope, branch_id, cue, recall
        # What is switched off leaves nothing out.
        self._found: tuple[LeftOut, ...] | None = () if recall.degraded == NOT_REMEMBERING else None
        self._thread: threading.Thread | None = None

    def begin(self) -> None:
        """Look for it, if that was not begun yet."""
        if self._thread is None and self._found is None:
            self._thread = threading.Thread(target=self._look, name="left-out", daemon=True)
            self._thread.start()

    def _look(self) -> None:
        try:
            self._found = self._engine.left_out(self._scope, self._branch_id, self._cue, self._recall)
        except Exception:
            log.exception("what recall left out could not be found; the receipt goes without it")

    def found(self) -> tuple[LeftOut, ...] | None:
        """None where it could not be found, or not in time."""
        self.begin()
        if self._thread is not None:
            self._thread.join(PATIENCE_S)
        return self._found
