"""Chats on their way out of the data folder and into it, as the page's two file addresses carry them (`ui.transfers`).

Files lie in the data folder's cache under names of our own making, never under one that came from outside, and are gone when their way ends. What a crash
leaves is removed by the next start.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO

from chat.arrivals import Arrivals
from chat.errors import ExportGone
from chat.imported import ImportRefused
from chat.portable import Look, Portable, Taken
from chat.portable_fields import MAX_BYTES
from chat.portable_reading import is_bundle
from machine import NEW_FILE
from storage.errors import storage_error
from storage.folder import DataFolder

ROOM = 2
"""An imported chat takes its file's size once more, in the database."""
MOST_WAITING = 8
"""Files that wait for one person to fetch them; of more the oldest goes, so that nobody fills the disk with what they never fetch."""
FILE = "bundle"
"""What a file is called in errors; the page knows its name."""


@dataclass(frozen=True)
class Outgoing:
    """A bundle that waits to be fetched, once, by whoever was given the ticket."""

    ticket: str
    user_id: str
    path: Path
    size: int
    """Bytes."""

    def discard(self) -> None:
        shutil.rmtree(self.path.parent, ignore_errors=True)


class Incoming:
    """A bundle that comes in piece by piece. Whoever gets one closes it. room: raises ImportNoRoom; a size need not be announced, or be true."""

    def __init__(self, path: Path, stream: IO[bytes], *, room: Callable[[], None], ended: Callable[[], None]) -> None:
        self.path = path
        self.size = 0
        """Bytes so far."""
        self._stream = stream
        self._room, self._let_go = room, ended

    def write(self, piece: bytes) -> None:
        """Raises ImportRefused when it grows too large, ImportNoRoom, StorageFull or StorageFailed."""
        self.size += len(piece)
        if self.size > MAX_BYTES:
            raise too_large()
        self._room()
        try:
            self._stream.write(piece)
        except OSError as error:
            raise storage_error(error) from error

    def ended(self) -> None:
        """All of it is there."""
        try:
            self._stream.close()
        except OSError as error:
            raise storage_error(error) from error

    @property
    def is_bundle(self) -> bool:
        """Whether it is a file of Keepsake's own, and not another program's; once it has ended."""
        return is_bundle(self.path)

    def close(self) -> None:
        """Remove the file, and let the next one come. Once."""
        with contextlib.suppress(OSError):
            self._stream.close()
        self.path.unlink(missing_ok=True)
        self._let_go()


class Transfers:
    def __init__(self, portable: Portable, folder: DataFolder) -> None:
        self._portable = portable
        self._folder = folder
        self._waiting: dict[str, Outgoing] = {}
        self._lock = threading.Lock()
        self._arrivals = Arrivals(folder.root, room=ROOM)
        """Of chats, so that they cannot fill the disk together."""

    def export(self, user_id: str, chat_id: str, form: str = "bundle") -> Outgoing:
        """form: of `chat.portable.FORMS`. Raises NotFound, ExportFailed, StorageFull or StorageFailed."""
        return self.wait(user_id, self._portable.export(user_id, chat_id, form))

    def offer(self, user_id: str, name: str, content: bytes) -> Outgoing:
        """A file of our own making, to be fetched like a bundle. Raises StorageFull or StorageFailed."""
        own = self._folder.exports / secrets.token_hex(16)
        try:
            own.mkdir(parents=True, mode=0o700)
            (own / name).write_bytes(content)
        except OSError as error:
            shutil.rmtree(own, ignore_errors=True)
            raise storage_error(error) from error
        return self.wait(user_id, own / name)

    def wait(self, user_id: str, path: Path) -> Outgoing:
        """A file in a folder of its own below the exports, to be fetched once."""
        made = Outgoing(secrets.token_urlsafe(24), user_id, path, path.stat().st_size)
        with self._lock:
            self._waiting = {ticket: waiting for ticket, waiting in self._waiting.items() if waiting.path.exists()}
            self._waiting[made.ticket] = made
            own = [waiting for waiting in self._waiting.values() if waiting.user_id == user_id]
            surplus = [self._waiting.pop(waiting.ticket) for waiting in own[:-MOST_WAITING]]
        for waiting in surplus:
            waiting.discard()
        return made

    def fetch(self, user_id: str, ticket: str) -> Outgoing:
        """What waits under a ticket; it waits no more, and whoever fetches it discards it. Raises ExportGone."""
        with self._lock:
            found = self._waiting.get(ticket)
            if found is None or found.user_id != user_id or not found.path.exists():
                raise ExportGone("This file was fetched already, or has waited too long. Export the conversation again.")
            return self._waiting.pop(ticket)

    def incoming(self, user_id: str, size: int) -> Incoming:
        """A place for a bundle. size: bytes that are announced, 0 if unknown. Raises ImportRunning, ImportNoRoom, ImportRefused, StorageFull or StorageFailed."""
        if size > MAX_BYTES:
            raise too_large()
        self._arrivals.begin(user_id, size)
        try:
            self._folder.imports.mkdir(exist_ok=True, mode=0o700)
            path = self._folder.imports / secrets.token_hex(16)
            stream = os.fdopen(os.open(path, NEW_FILE, 0o600), "wb")
        except OSError as error:
            self._arrivals.end(user_id)
            raise storage_error(error) from error
        return Incoming(path, stream, room=self._arrivals.check, ended=partial(self._arrivals.end, user_id))

    def take(self, user_id: str, incoming: Incoming, *, look: Look) -> Taken:
        """Import what came in. look: as `Portable.take`'s. Raises ImportRefused, after which nothing is changed."""
        return self._portable.take(user_id, incoming.path, name=FILE, look=look)


def too_large() -> ImportRefused:
    return ImportRefused(file=FILE, where="", reason=f"larger than {MAX_BYTES // 2**30} GiB", kind="large")
