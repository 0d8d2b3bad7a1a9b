"""Work that takes long, in threads of its own: one person's waits for that person's, and what everybody else asks for meanwhile has the other threads."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from typing import TypeVar, TypeVarTuple, Unpack
from weakref import WeakValueDictionary

AT_ONCE = 6
"""In the whole house. What is read is read in fewer processes (`chat.reading_process`); these threads write it."""
AT_ONCE_EACH = 2
Args = TypeVarTuple("Args")
Made = TypeVar("Made")

_threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="heavy")
_own: WeakValueDictionary[tuple[asyncio.AbstractEventLoop, str], asyncio.Semaphore] = WeakValueDictionary()


async def heavily(user: str, work: Callable[[Unpack[Args]], Made], *args: *Args) -> Made:
    """What `work` gives, or raises, when it is its turn among the same person's."""
    loop = asyncio.get_running_loop()
    own = _own.setdefault((loop, user), asyncio.Semaphore(AT_ONCE_EACH))
    async with own:
        return await loop.run_in_executor(_threads, partial(copy_context().run, work, *args))
