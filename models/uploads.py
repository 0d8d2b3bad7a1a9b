"""Models in files that come from a browser: one at a time, straight to disk, looked at as soon as there is something to see, and in the folder when whole or not at all.

Nothing is taken up again: what did not come to its end is thrown away, also what an earlier run of the program left.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import threading
from pathlib import Path
from typing import BinaryIO

from errors import KeepsakeError
from models.connection import FILE_NAME
from models.downloads import PARTS, ROOM_EVERY, SPARE_BYTES
from models.gguf import MAGIC, read_header
from storage.errors import storage_error

MOST_BYTES = 64 * 2**30
"""Of one file: more than this program can run on any computer it is made for."""
_PREFIX = "upload-"
_LATER = "-of-"


class UploadRefused(KeepsakeError):
    """The base of why a model's file is not taken."""

    code = "upload_refused"


class UploadName(UploadRefused):
    """Params: name."""

    code = "upload_name"


class UploadThere(UploadRefused):
    """A file of that name is in the folder; params: name."""

    code = "upload_there"


class UploadTooLarge(UploadRefused):
    """Params: limit, in gigabytes."""

    code = "upload_too_large"


class UploadNoRoom(UploadRefused):
    """Params: needed, free, in gigabytes."""

    code = "upload_no_room"


class UploadRunning(UploadRefused):
    code = "upload_running"


class UploadNoModel(UploadRefused):
    """Not GGUF, or damaged; params: name."""

    code = "upload_no_model"


class UploadNoChat(UploadRefused):
    """GGUF without a template for conversations; params: name."""

    code = "upload_no_chat"


class UploadCut(UploadRefused):
    """Another number of bytes came than was announced; params: name."""

    code = "upload_cut"


class Uploads:
    """folder: of models. Made by the one process that owns the data folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._parts = folder / PARTS
        self._busy = threading.Lock()
        self._sweep()

    def check(self, name: str, size: int) -> None:
        """Whether a file of this name and so many bytes would be taken. Raises UploadName, UploadThere, UploadTooLarge, UploadNoRoom, UploadRunning."""
        if not FILE_NAME.fullmatch(name):
            raise UploadName(
                "The name of a model's file ends in .gguf and has letters, digits, dots, hyphens and underscores.", name=name[:200]
            )
        if not 0 < size <= MOST_BYTES:
            raise UploadTooLarge(f"{MOST_BYTES // 2**30} GiB are the most, and a file has a size.", limit=round(MOST_BYTES / 1e9))
        if (self._folder / name).exists():
            raise UploadThere(f"There is a file {name} in the folder of models already. Rename one of them.", name=name)
        self._check_room(size)
        if self._busy.locked():
            raise UploadRunning("A model's file is coming in already. Wait until it is there, or cancel it.")

    def begin(self, name: str, size: int) -> Upload:
        """To be closed, whatever becomes of it. Raises as `check` does, and StorageFull or StorageFailed."""
        self.check(name, size)
        if not self._busy.acquire(blocking=False):
            raise UploadRunning("A model's file is coming in already. Wait until it is there, or cancel it.")
        try:
            self._parts.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._sweep()
            return Upload(self, self._parts / f"{_PREFIX}{secrets.token_hex(8)}.part", self._folder / name, size)
        except OSError as error:
            self._busy.release()
            raise storage_error(error) from error
        except BaseException:
            self._busy.release()
            raise

    def check_room(self, needed: int) -> None:
        """Raises UploadNoRoom."""
        self._check_room(needed)

    def ended(self) -> None:
        """Called by an upload that was closed."""
        self._busy.release()

    def _check_room(self, needed: int) -> None:
        place = self._folder if self._folder.is_dir() else self._folder.parent
        free = shutil.disk_usage(place).free
        if free < needed + SPARE_BYTES:
            raise UploadNoRoom(
                f"There is not enough room: {needed + SPARE_BYTES:,} bytes are wanted, {free:,} are free.",
                needed=round((needed + SPARE_BYTES) / 1e9, 1),
                free=round(free / 1e9, 1),
            )

    def _sweep(self) -> None:
        for path in self._parts.glob(f"{_PREFIX}*.part") if self._parts.is_dir() else ():
            with contextlib.suppress(OSError):
                path.unlink()


class Upload:
    """One file on its way. size: bytes that were announced."""

    def __init__(self, uploads: Uploads, part: Path, target: Path, size: int) -> None:
        self._uploads = uploads
        self._part = part
        self._target = target
        self._size = size
        self._done = self._looked = 0
        self._open = True
        self._file: BinaryIO = part.open("xb")

    def write(self, piece: bytes) -> None:
        """Raises UploadNoModel as soon as it shows, UploadCut, UploadNoRoom, StorageFull, StorageFailed."""
        if self._done < len(MAGIC) and not MAGIC.startswith((self._head() + piece)[: len(MAGIC)]):
            raise self._no_model()
        if self._done + len(piece) > self._size:
            raise self._cut()
        try:
            self._file.write(piece)
        except OSError as error:
            raise storage_error(error) from error
        self._done += len(piece)
        if self._done - self._looked >= ROOM_EVERY:
            self._looked = self._done
            self._uploads.check_room(self._size - self._done)

    def _head(self) -> bytes:
        """What came so far, while it is shorter than the magic."""
        self._file.flush()
        return self._part.read_bytes()[: len(MAGIC)]

    def finish(self) -> str:
        """Put the file into the folder; its name. Raises UploadCut, UploadNoModel, UploadNoChat, UploadThere, StorageFull, StorageFailed."""
        if self._done != self._size:
            raise self._cut()
        name = self._target.name
        try:
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()
            header = read_header(self._part)
            if header is None:
                raise self._no_model()
            # Of a model in several files the first alone brings the template.
            if not header.chats and not (_LATER in name and "-00001-of-" not in name):
                raise UploadNoChat(f"{name} has no chat template: one cannot talk with it. It was not kept.", name=name)
            if self._target.exists():
                raise UploadThere(f"There is a file {name} in the folder of models already. Rename one of them.", name=name)
            os.replace(self._part, self._target)
        except OSError as error:
            raise storage_error(error) from error
        return name

    def close(self) -> None:
        """What is not in the folder by now is thrown away."""
        if not self._open:
            return
        self._open = False
        with contextlib.suppress(OSError):
            self._file.close()
        with contextlib.suppress(OSError):
            self._part.unlink(missing_ok=True)
        self._uploads.ended()

    def _no_model(self) -> UploadNoModel:
        return UploadNoModel(f"{self._target.name} is no GGUF file that is known here. It was not kept.", name=self._target.name)

    def _cut(self) -> UploadCut:
        return UploadCut(f"{self._target.name} did not come whole. It was not kept; choose it again.", name=self._target.name)
