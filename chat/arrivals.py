"""How many files may come in at once: one of each person's and a few in the whole house, so that nobody's slow one keeps the others out, and only while there is
room on the disk for all of them."""

from __future__ import annotations

import shutil
import threading
from pathlib import Path

from chat.errors import ImportNoRoom, ImportRunning

MOST = 3
"""In the whole house."""
RESERVE_BYTES = 256 * 2**20
"""Left free on the disk: conversations must go on."""


class Arrivals:
    """folder: on the disk that files go to. room: how many times its size a file takes up."""

    def __init__(self, folder: Path, *, room: int) -> None:
        self._folder = folder
        self._room = room
        self._sizes: dict[str, int] = {}
        self._lock = threading.Lock()

    def begin(self, user_id: str, size: int) -> None:
        """A file of this person's comes; whoever begins it ends it. size: bytes that are announced, 0 if unknown. Raises ImportRunning or ImportNoRoom."""
        with self._lock:
            if user_id in self._sizes or len(self._sizes) >= MOST:
                raise ImportRunning("Another import is under way. Wait for its end, then try again; nothing was changed.")
            self.check(self._room * (size + sum(self._sizes.values())))
            self._sizes[user_id] = size

    def end(self, user_id: str) -> None:
        with self._lock:
            del self._sizes[user_id]

    def check(self, needed: int = 0) -> None:
        """Raises ImportNoRoom where so many bytes more would leave too little."""
        free = shutil.disk_usage(self._folder).free
        if free - needed < RESERVE_BYTES:
            raise ImportNoRoom(
                f"The disk has {free // 2**20} MB left, too little for this file. Nothing was changed; free some space.", free=free // 2**20
            )
