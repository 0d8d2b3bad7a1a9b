"""Work that takes long, in threads of its own: one person's waits for that person's, and what everybody else asks for meanwhile has the other threads."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from typing import TypeVar, TypeVarTuple, Unpack
from weakref import WeakValueDictionary

from chat.errors import ExportsRunning

AT_ONCE = 6
"""In the whole house. What is read is read in fewer processes (`chat.reading_process`); these threads write it."""
AT_ONCE_EACH = 2
MOST_EXPORTS = 2 * AT_ONCE_EACH
"""Of one person, files that are written or wait for it."""
Args = TypeVarTuple("Args")
Made = TypeVar("Made")

_threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="heavy")
_own: WeakValueDictionary[tuple[asyncio.AbstractEventLoop, str], asyncio.Semaphore] = WeakValueDictionary()
_exporting: Counter[str] = Counter()
_lock = threading.Lock()


async def heavily(user: str, work: Callable[[Unpack[Args]], Made], *args: *Args) -> Made:
    """What `work` gives, or raises, when it is its turn among the same person's."""
    loop = asyncio.get_running_loop()
    own = _own.setdefault((loop, user), asyncio.Semaphore(AT_ONCE_EACH))
    async with own:
        return await loop.run_in_executor(_threads, partial(copy_context().run, work, *args))


async def exporting(user: str, work: Callable[[Unpack[Args]], Made], *args: *Args) -> Made:
    """Write a file to be fetched, as other long work is done. Raises ExportsRunning where so many of that person's are not written yet."""
    with _lock:
        if _exporting[user] >= MOST_EXPORTS:
            raise ExportsRunning("Several of your exports are not written yet. Wait for one of them, then try again.")
        _exporting[user] += 1
    try:
        return await heavily(user, work, *args)
    finally:
        with _lock:
            _exporting[user] -= 1
            if not _exporting[user]:
                del _exporting[user]
