"""Killing a process at a chosen line, as a power loss or `kill -9` would: nothing is closed, no `finally` runs."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable
from types import FrameType
from typing import Any

KILLED = 9


def killed_at(step: int, files: tuple[str, ...], work: Callable[[], object]) -> bool:
    """Do the work in a child that dies before the `step`-th line it runs in these files; False if it got through first."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # fork beside threads: the child does nothing with them
        child = os.fork()
    if child == 0:
        left = [step]

        def trace(frame: FrameType, event: str, argument: object) -> Any:
            if not frame.f_code.co_filename.endswith(files):
                return None
            if event == "line":
                left[0] -= 1
                if left[0] == 0:
                    os._exit(KILLED)
            return trace

        sys.settrace(trace)
        try:
            work()
        except BaseException:  # noqa: BLE001 - the parent is told by the status
            os._exit(1)
        os._exit(0)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert status in (0, KILLED), "the work failed by itself"
    return status == KILLED
