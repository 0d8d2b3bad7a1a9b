"""How much longer a thing takes when there is more of it: every machine gives the same answer, where seconds would tell of the machine."""

from __future__ import annotations

import time
from collections.abc import Callable

STEADY = 24.0
"""What takes as much longer as there is more is at 8, what is sorted on the way at 10, what looks at each for each at 64."""


def eightfold(work: Callable[[int], object], size: int) -> float:
    """This thread's processor time for `work(8 * size)` by that for `work(size)`, the best of three each. Under a millisecond counts as one."""
    return _seconds(lambda: work(8 * size)) / max(_seconds(lambda: work(size)), 0.001)


def outlasts(work: Callable[[], object], other: Callable[[], object]) -> float:
    """Processor time of this thread in one thing by that of another, the best of three each."""
    return _seconds(work) / max(_seconds(other), 1e-9)


def _seconds(work: Callable[[], object]) -> float:
    taken = []
    for _ in range(3):
        began = time.thread_time()
        work()
        taken.append(time.thread_time() - began)
    return min(taken)
