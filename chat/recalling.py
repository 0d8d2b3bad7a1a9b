"""Recall within its time budget: a slow or broken memory never fails or delays a reply."""

from __future__ import annotations

import logging
import threading
import time

from errors import KeepsakeError
from memory.engine import Cue, MemoryEngine
from memory.recall import Recall, degraded_recall
from storage.scope import Scope

log = logging.getLogger(__name__)

THREADS = 2
"""Recalls that may be stuck at once before further ones are refused at once."""


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
