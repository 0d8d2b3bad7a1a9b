"""The data folder: one owner at a time, and the places of what it holds."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import IO

from storage.errors import FolderBusy, storage_error


class DataFolder:
    """Paths inside the data folder and its lock.

    The owner alone opens Chroma and runs the worker (another process's writes make Chroma's queries stale). The lock is `flock` on an open file, so it
    goes with the process however that ends.
    """

    def __init__(self, root: Path) -> None:
        self.root = root.expanduser().resolve()
        self.database = self.root / "keepsake.db"
        self.index = self.root / "index"
        self.cache = self.root / "cache"
        self._lock: IO[str] | None = None
        try:
            for folder in (self.root, self.cache):
                folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise storage_error(error) from error

    def try_own(self) -> bool:
        """Take the folder if nobody holds it; True when it is ours (now or already)."""
        if self._lock is not None:
            return True
        try:
            handle = (self.root / "owner.lock").open("a+", encoding="utf-8")
        except OSError as error:
            raise storage_error(error) from error
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            handle.close()
            return False
        handle.seek(0)
        handle.truncate()
        handle.write(str(os.getpid()))
        handle.flush()
        self._lock = handle
        return True

    def own(self) -> None:
        """Take the folder; FolderBusy names the process that holds it."""
        if self.try_own():
            return
        try:
            holder = (self.root / "owner.lock").read_text(encoding="utf-8").strip() or "unknown"
        except OSError:
            holder = "unknown"
        raise FolderBusy(
            f"The data folder {self.root} is in use by another Keepsake (process {holder}). Nothing was changed. "
            "Close that one, or set KEEPSAKE_DATA_DIR to another folder.",
            folder=str(self.root),
            process=holder,
        )

    def release(self) -> None:
        if self._lock is not None:
            self._lock.close()
            self._lock = None
