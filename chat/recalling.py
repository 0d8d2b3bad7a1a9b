"""Recall within its time budget: a slow or broken memory never fails or delays a reply."""

from __future__ import annotations

import logging
import threading
import time
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from math import inf

from errors import KeepsakeError
from memory.engine import Cue, LeftOut, MemoryEngine
from memory.recall import Recall, degraded_recall
from metrics import RECALL, RECALLS
from storage.scope import Scope
from storage.tasks import RoundRobin
from threads import Threads

log = logging.getLogger(__name__)

THREADS = 2
"""Recalls that are done at once."""
STUCK_S = 10.0
"""A recall that takes so long is stuck: another thread takes the place of its own, which nothing can end."""
MOST_STUCK = 4
"""Threads that are replaced so while they are stuck."""
IDLE_S = 30.0
"""A thread that nothing was asked of for so long ends, and what is kept for it with it."""
PATIENCE_S = 1.0
"""Longest time that a reply which is written waits for what recall left out."""
_LOOKING = Threads("left-out", most=16)
"""Look for what recalls left out."""


NOT_REMEMBERING = "off"
"""Why nothing was recalled: memory is switched off in the conversation (`degraded` of a receipt)."""


def no_recall(cue: Cue) -> Recall:
    """Of a conversation that remembers nothing now: nothing, pins included."""
    return degraded_recall(cue, pinned=(), reason=NOT_REMEMBERING, milliseconds=0.0)


@dataclass(eq=False)
class _Asked:
    scope: Scope
    branch_id: str
    cue: Cue
    found: Recall | None = None
    ended: threading.Event = field(default_factory=threading.Event)


class BoundedRecall:
    """budget_s: after so many seconds a reply goes on with recent rounds and pins. Where others recall, a recall waits its turn within that time: users take
    turns, and each one's own are done in their order."""

    def __init__(self, engine: MemoryEngine, *, budget_s: float) -> None:
        self._engine = engine
        self._budget_s = budget_s
        self._state = threading.Condition()
        self._waiting: list[_Asked] = []
        self._under_way: dict[threading.Thread, float] = {}
        """Threads, and since when each has been at its recall, monotonic seconds; infinity for one that has none."""
        self._turns = RoundRobin()

    def __call__(self, scope: Scope, branch_id: str, cue: Cue) -> Recall:
        with RECALL.time():
            found = self._recalled(scope, branch_id, cue)
        RECALLS.labels(degraded=found.degraded or "no").inc()
        return found

    def _recalled(self, scope: Scope, branch_id: str, cue: Cue) -> Recall:
        started = time.perf_counter()
        asked = _Asked(scope, branch_id, cue)
        with self._state:
            self._waiting.append(asked)
            self._hire()
            self._state.notify()
        asked.ended.wait(self._budget_s)
        with self._state:
            if asked in self._waiting:
                self._waiting.remove(asked)
        if asked.found is not None:
            return asked.found
        return self._without(scope, branch_id, cue, "error" if asked.ended.is_set() else "timeout", started)

    def _hire(self) -> None:
        """Have a thread for what waits: THREADS at most, but for those whose recall is stuck."""
        idle = sum(since == inf for since in self._under_way.values())
        if idle < len(self._waiting) and self._sound() < THREADS:
            thread = threading.Thread(target=self._work, name="recall", daemon=True)
            try:
                thread.start()
            except RuntimeError:  # the machine has no more: those that there are do it in time, or it goes on without
                return
            self._under_way[thread] = inf

    def _sound(self) -> int:
        """Threads but for those whose recall is stuck, as far as these are replaced."""
        now = time.monotonic()
        stuck = sum(now - since > STUCK_S for since in self._under_way.values())
        return len(self._under_way) - min(stuck, MOST_STUCK)

    def _work(self) -> None:
        me = threading.current_thread()
        while (asked := self._next(me)) is not None:
            try:
                asked.found = self._engine.recall(asked.scope, asked.branch_id, asked.cue)
            except Exception:
                log.exception("recall failed; the reply goes on with recent rounds and pins")
            finally:
                asked.ended.set()
            del asked  # while it waits for more, a thread keeps nothing of what it did

    def _next(self, me: threading.Thread) -> _Asked | None:
        """What is recalled next; None when nothing was asked for a while, or others have taken the place of a thread that was stuck."""
        with self._state:
            self._under_way[me] = inf
            if self._sound() > THREADS or not self._state.wait_for(lambda: self._waiting, IDLE_S):
                del self._under_way[me]
                return None
            user = self._turns.first(asked.scope.user_id for asked in self._waiting)
            asked = next(asked for asked in self._waiting if asked.scope.user_id == user)
            self._waiting.remove(asked)
            self._turns.served(user)
            self._under_way[me] = time.monotonic()
            return asked

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
        self._looking: Future[None] | None = None

    def begin(self) -> None:
        """Look for it, if that was not begun yet."""
        if self._looking is None and self._found is None:
            self._looking = _LOOKING.begin(self._look)

    def _look(self) -> None:
        try:
            self._found = self._engine.left_out(self._scope, self._branch_id, self._cue, self._recall)
        except Exception:
            log.exception("what recall left out could not be found; the receipt goes without it")

    def found(self) -> tuple[LeftOut, ...] | None:
        """None where it could not be found, or not in time."""
        self.begin()
        if self._looking is not None:
            with suppress(TimeoutError):
                self._looking.result(PATIENCE_S)
        return self._found
