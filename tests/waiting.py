"""Waiting for what another thread or process does: that it comes is what a test states, when is up to the machine."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

PATIENCE_S = 300.0
"""Far longer than anything takes beside other work; only what never comes takes so long."""
Found = TypeVar("Found")


def until(true: Callable[[], Found], told: Callable[[], object] = lambda: "it did not come") -> Found:
    """What it is once it is anything. told: what a failure says."""
    end = time.monotonic() + PATIENCE_S
    while not (found := true()):
        assert time.monotonic() < end, told()
        time.sleep(0.005)
    return found
