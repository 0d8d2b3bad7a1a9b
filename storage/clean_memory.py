"""Memory that is handed out empty, while a library writes what it was handed to disk.

Chroma's HNSW files are written with their unused capacity, which is whatever the process had in freed memory: ids, texts of conversations, keys. (Of 300
small indexes 55 held ids that had been erased.) glibc fills what it hands out if told to; it is told so around Chroma's calls alone, since filling costs time.
"""

from __future__ import annotations

import ctypes
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_M_PERTURB = -6
"""glibc's malloc.h: memory is handed out filled with the complement of this byte, and filled with the byte when it is freed."""
_lock = threading.Lock()
_users = 0


@contextmanager
def clean_memory() -> Iterator[None]:
    """Inside, memory is handed out as zeros, to every thread. Where the C library is another one, nothing happens."""
    global _users
    with _lock:
        _users += 1
        if _users == 1:
            _perturb(0xFF)
    try:
        yield
    finally:
        with _lock:
            _users -= 1
            if _users == 0:
                _perturb(0)


def _perturb(byte: int) -> None:
    set_option = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if set_option is not None:
        set_option(_M_PERTURB, byte)
