"""The data folder: one owner at a time, and the places of what it holds."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import BaseFileLock, FileLock, Timeout

from storage.errors import FolderBusy, StorageDamaged, storage_error

OWNER = "owner.pid"
"""Names the process that has the folder, to whoever comes second: the lock's own file cannot be read on every system while it is held."""


class DataFolder:
    """Paths inside the data folder and its lock.

    The owner alone opens Chroma and runs the worker (another process's writes make Chroma's queries stale). The lock is the system's own on an open
    file, so it goes with the process however that ends.
    """

    def __init__(self, root: Path) -> None:
        self.root = root.expanduser().resolve()
        self.database = self.root / "keepsake.db"
        self.index = self.root / "index"
        self.cache = self.root / "cache"
        self.backups = self.root / "backups"
        self.models = self.root / "models"
        """Files of language models, put there by a person or fetched."""
        self.exports = self.cache / "exports"
        """Chats on their way out, each in a folder of its own."""
        self.imports = self.cache / "imports"
        """Chats on their way in."""
        self.restoring = self.root / "keepsake.db.restoring"
        """A backup on its way to become the database; after a crash it is of no use."""
        self._lock: BaseFileLock | None = None
        try:
            self.root.mkdir(parents=True, exist_ok=True, mode=0o700)
            with contextlib.suppress(OSError):  # whoever writes in it says why that is not possible
                self.cache.mkdir(exist_ok=True, mode=0o700)
        except OSError as error:
            raise storage_error(error) from error

    def check_database(self) -> None:
        """StorageDamaged if there is no database, or an empty file in its place, where one has been: to begin anew in silence would look as if all were lost.

        A fresh folder has none either, and for a moment an empty one.
        """
        try:
            if self.database.exists() and self.database.stat().st_size > 0:
                return
        except OSError as error:
            raise storage_error(error) from error
        if self.index.exists() or self.copies() or (self.database.exists() and (self.root / "owner.lock").exists()):
            what = "is empty" if self.database.exists() else "is missing"
            raise StorageDamaged(
                f"The database {self.database} {what}, though this data folder has been in use. Nothing was changed. `python -m storage backups` lists "
                "the copies that were made of it, and `python -m storage restore FILE` brings one back. To begin anew, set KEEPSAKE_DATA_DIR to "
                "another folder or move this one away.",
                reason=f"it {what}",
            )

    def try_own(self) -> bool:
        """Take the folder if nobody holds it; True when it is ours (now or already). One that can only be read is ours without a lock: nobody writes there."""
        if self._lock is not None:
            return True
        lock = self._lock_on("owner.lock")
        try:
            lock.acquire(blocking=False)
        except Timeout:
            return False
        except OSError as error:
            if error.errno == errno.EROFS:
                return True
            raise storage_error(error) from error
        self._lock = lock
        with contextlib.suppress(OSError):  # only told to whoever comes second
            (self.root / OWNER).write_text(str(os.getpid()), encoding="utf-8")
        with contextlib.suppress(OSError):
            for leftover in self.root.glob(f"{self.restoring.name}*"):
                leftover.unlink(missing_ok=True)
        return True

    def _lock_on(self, name: str) -> FileLock:
        return FileLock(self.root / name, mode=0o600, thread_local=False, preserve_lock_file=True)

    def own(self) -> None:
        """Take the folder; FolderBusy names the process that holds it."""
        if self.try_own():
            return
        try:
            holder = (self.root / OWNER).read_text(encoding="utf-8").strip() or "unknown"
        except OSError:
            holder = "unknown"
        raise FolderBusy(
            f"The data folder {self.root} is in use by another Keepsake (process {holder}). Nothing was changed. "
            "Close that one, or set KEEPSAKE_DATA_DIR to another folder.",
            folder=str(self.root),
            process=holder,
        )

    @contextmanager
    def copying(self) -> Iterator[None]:
        """Hold off every other process and thread that makes, scrubs or removes copies of the database: a copy begun before an erasure must not
        appear after it."""
        with self._lock_on("copies.lock"):
            yield

    def clear_exports(self, *, older_than_s: float = 0.0) -> None:
        """Remove what has waited to be fetched for longer than this. What is being fetched is still sent whole."""
        newest = time.time() - older_than_s
        for waiting in self.exports.iterdir() if self.exports.is_dir() else ():
            with contextlib.suppress(FileNotFoundError):  # it was fetched meanwhile
                if waiting.stat().st_mtime <= newest:
                    shutil.rmtree(waiting, ignore_errors=True)

    def clear_imports(self) -> None:
        """Remove what a crash left of files that were coming in."""
        shutil.rmtree(self.imports, ignore_errors=True)

    def copies(self) -> list[Path]:
        """Every copy of the database in the folder: backups, damaged databases set aside, and those made before a migration."""
        return sorted([*self.backups.glob("*.db"), *self.root.glob(f"{self.database.stem}.before-*.db")])

    def release(self) -> None:
        if self._lock is not None:
            self._lock.release()
            self._lock = None
