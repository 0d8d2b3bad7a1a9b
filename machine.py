"""What differs between operating systems: priorities, processors, pausing a process. What a system has no way for is left out, and the program goes on."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import os
import sys
import threading

import psutil

NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
"""Flags for a file that must not be there yet; Windows changes line ends unless it is told not to."""

_M_ARENA_MAX = -8
"""malloc.h of glibc."""


def lower_thread(niceness: int) -> None:
    """Let this thread take what others leave. Linux alone gives threads priorities of their own; elsewhere nothing happens."""
    if niceness and sys.platform == "linux":
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), niceness)


def lower_process(pid: int, niceness: int) -> None:
    """Let a child process take what others leave. niceness: 0 to 19; Windows knows only lower or not."""
    with contextlib.suppress(psutil.Error, OSError):
        psutil.Process(pid).nice((psutil.IDLE_PRIORITY_CLASS if niceness else psutil.NORMAL_PRIORITY_CLASS) if psutil.WINDOWS else niceness)


def hold(pid: int, *, still: bool) -> None:
    """Make a process stand still, or go on."""
    with contextlib.suppress(psutil.Error, OSError):
        process = psutil.Process(pid)
        (process.suspend if still else process.resume)()


def cores() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def share_arenas() -> None:
    """Let threads share two heaps of the C library, before any is begun: each of up to eight a core keeps what it freed, and a program of many threads grows by that.

    Only glibc can be told to.
    """
    with contextlib.suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).mallopt(_M_ARENA_MAX, 2)


def pass_over_what_is_there() -> None:
    """Let the garbage collector leave alone what there is now, for as long as the program runs: 600,000 objects, most of them the libraries' own.

    To look through those too took half a second under load, in which nothing else ran, and came once a quarter as many had been made: so long garbage lay about.
    """
    gc.collect()
    gc.freeze()


def give_back_memory() -> bool:
    """Give the system what memory the C library keeps free; whether it did, which only glibc can be told to."""
    try:
        return bool(ctypes.CDLL(None).malloc_trim(0))
    except (AttributeError, OSError, TypeError):  # another library; on Windows there is none to name
        return False


def memory_mb() -> float:
    """Of this process now."""
    return float(psutil.Process().memory_info().rss) / 2**20
