"""A chat as a file and back: `python -m chat.portable export CHAT_ID FILE`, `import FILE`, `text CHAT_ID FILE`, `markdown CHAT_ID FILE`,
`jsonl CHAT_ID FILE`, `list`.

A bundle (docs/bundle.md) holds everything of one chat. Imported where the chat is not, it is that chat again; where it is, it is a copy beside it.
"""

from __future__ import annotations

if __name__ == "__main__":
    from stopping import heed

    heed("Stopped.")

import argparse
import os
import re
import secrets
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO

from accounts.names import user_named
from chat.imported import Fault, ImportRefused
from chat.portable_checking import Checked
from chat.portable_export import bundle_lines
from chat.portable_fields import SUFFIX
from chat.portable_ids import Ids
from chat.portable_jsonl import jsonl_lines
from chat.portable_markdown import markdown_lines
from chat.portable_players import enrol_players
from chat.portable_reading import BundleReader
from chat.portable_records import TaskRecord
from chat.portable_text import text_lines
from chat.portable_writing import BundleWriter, enrol
from errors import KeepsakeError
from machine import NEW_FILE
from memory.engine import INDEX_TASK
from storage.errors import storage_error
from storage.records import NewTask, Rank
from storage.scope import Scope
from storage.store import Store

INDEX_BATCH = 64
"""Memories of one indexing task; embedding them takes three seconds where nothing is known of them."""
KEPT_S = 600
"""How long an exported file waits to be fetched: the page fetches it at once."""
NAME_CHARS = 60
FORMS = {"bundle": SUFFIX, "text": ".txt", "markdown": ".md", "jsonl": ".jsonl"}
"""What a chat may be exported as, and how such a file's name ends."""


CHECKING, WRITING = "checking", "writing"
"""Stages of an import."""
Look = Callable[[str, int], None]
"""Told a stage and how many bytes of the file it has read."""


@dataclass(frozen=True)
class Taken:
    """What a bundle was imported as."""

    chat_id: str
    is_copy: bool
    """The chat was there already, so it came in as another beside it."""


class Portable:
    """wake: tells the worker of new tasks."""

    def __init__(self, store: Store, *, wake: Callable[[], None] = lambda: None) -> None:
        self._store = store
        self._wake = wake

    def lines(self, user_id: str, chat_id: str) -> Iterator[bytes]:
        """The chat's bundle, line by line; taken in one thread. Raises NotFound, ExportFailed."""
        return bundle_lines(self._store.bundles, Scope.of(user_id, chat_id))

    def text(self, user_id: str, chat_id: str) -> Iterator[bytes]:
        """What stands on the active branch as `Name: text` with dates, which `chat.importer` reads back."""
        return text_lines(self._store.chats, Scope.of(user_id, chat_id))

    def markdown(self, user_id: str, chat_id: str) -> Iterator[bytes]:
        """What stands on the active branch, for reading."""
        return markdown_lines(self._store, Scope.of(user_id, chat_id))

    def jsonl(self, user_id: str, chat_id: str) -> Iterator[bytes]:
        """The active branch as role-play programs keep chats, all wordings in it; `chat.importer` reads it back."""
        return jsonl_lines(self._store, Scope.of(user_id, chat_id))

    def export(self, user_id: str, chat_id: str, form: str = "bundle") -> Path:
        """A file in the data folder's cache, to be fetched soon, in a folder of its own with an unguessable name. form: of FORMS. Raises NotFound, ExportFailed."""
        lines = {"bundle": self.lines, "text": self.text, "markdown": self.markdown, "jsonl": self.jsonl}[form]
        folder = self._store.folder
        chat = self._store.chats.chat(Scope.of(user_id, chat_id))
        folder.clear_exports(older_than_s=KEPT_S)
        with folder.copying():  # else it might hold what is being erased
            own = folder.exports / secrets.token_hex(16)
            try:
                own.mkdir(parents=True, mode=0o700)
            except OSError as error:
                raise storage_error(error) from error
            path = own / (file_name(chat.title or chat.character_name) + FORMS[form])
            try:
                write_file(path, lines(user_id, chat_id))
            except BaseException:
                own.rmdir()
                raise
        return path

    def load(self, user_id: str, path: Path) -> str:
        """The id of the chat that a bundle was imported as. Raises ImportRefused, after which nothing is changed."""
        return self.take(user_id, path, name=path.name).chat_id

    def take(self, user_id: str, path: Path, *, name: str, look: Look = lambda stage, done: None) -> Taken:
        """Import a bundle. name: what the file is called in an error. look: told how far it is; what it raises takes everything back.

        Raises ImportRefused, after which nothing is changed.
        """
        try:
            with _opened(path) as stream:
                checked = Checked(stream, look=partial(look, CHECKING))
                stream.seek(0)
                taken = self._write(user_id, checked, stream, partial(look, WRITING))
        except Fault as fault:
            shown = name.encode("utf-8", "replace").decode("utf-8")
            raise ImportRefused(file=shown, where=fault.where, reason=fault.reason, kind=fault.kind) from fault
        self._wake()
        return taken

    def _write(self, user_id: str, checked: Checked, stream: IO[bytes], look: Callable[[int], None]) -> Taken:
        bundles = self._store.bundles
        with bundles.writing() as rows:
            is_copy = bundles.chat_exists(checked.chat.id)
            ids = Ids(checked.chat.id, secrets.token_hex(16) if is_copy else checked.chat.id)
            if not is_copy:
                places = {**checked.loose, **checked.named}
                for taken in bundles.taken(list(places)):
                    raise Fault(f"line {places[taken]}", f"the id {taken} is that of something in another conversation", kind="taken")
            characters = {record.id: enrol(bundles, rows, record, user_id=user_id) for record in checked.characters}
            players = enrol_players(bundles, rows, checked.chat.players, user_id=user_id)
            writer = BundleWriter(rows, ids, user_id=user_id, characters=characters, players=players)
            reader = BundleReader(stream, seen=True, look=look)
            indexed = False
            for _, record in reader.records():
                if isinstance(record, TaskRecord) and not indexed:
                    # What recall finds by meaning must be there before open work goes on.
                    indexed = self._index(user_id, ids, writer, rows.flush, checked)
                writer.write(record)
            if not indexed:
                self._index(user_id, ids, writer, rows.flush, checked)
            if reader.digest != checked.digest:
                raise Fault("", "it was changed while it was read", kind="damaged")
        return Taken(ids.chat, is_copy)

    def _index(self, user_id: str, ids: Ids, writer: BundleWriter, flush: Callable[[], None], checked: Checked) -> bool:
        """Queue what fills the index; the owner of the folder does it, this process or another."""
        flush()
        run = secrets.token_hex(16)
        scope = Scope.of(user_id, ids.chat)
        branch = ids.of(checked.chat.active_branch)
        for start in range(0, len(writer.indexed), INDEX_BATCH):
            part = writer.indexed[start : start + INDEX_BATCH]
            self._store.tasks.add(scope, NewTask(INDEX_TASK, branch, (run, str(start)), {"memory_ids": part}, Rank.IMPORT))
        return True


def file_name(title: str) -> str:
    """A title as the name of a file: letters, digits and hyphens."""
    return re.sub(r"[^\w]+", "-", title).strip("-_")[:NAME_CHARS].strip("-_") or "chat"


def write_file(path: Path, lines: Iterable[bytes]) -> int:
    """Write a file that is whole or not there, readable by its owner alone; its size in bytes. An existing one is never replaced."""
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        handle = os.open(part, NEW_FILE, 0o600)
        try:
            with os.fdopen(handle, "wb") as stream:
                for line in lines:
                    stream.write(line)
                stream.flush()
                os.fsync(stream.fileno())
                size = stream.tell()
            os.link(part, path)
        finally:
            part.unlink(missing_ok=True)
    except FileExistsError as error:
        raise FileThere(f"{path} is there already. Nothing was written: give another name.") from error
    except OSError as error:
        raise storage_error(error) from error
    return size


class FileThere(KeepsakeError):
    code = "file_there"


@contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    try:
        if not path.is_file():  # also keeps pipes and devices, which may never end, from being opened
            raise Fault("", "it is not a file, or there is none of that name")
        stream = path.open("rb")
    except OSError as error:
        raise Fault("", f"it could not be read ({error.strerror})") from error
    with stream:
        yield stream


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status: 0 done, 1 refused or failed (with the reason), 2 wrong usage, 130 or 143 stopped."""
    parser = argparse.ArgumentParser(prog="python -m chat.portable", description="Take a chat out of Keepsake as a file, or bring one in.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="the chats and their ids")
    for name, purpose in (
        ("export", "everything of a chat, as a bundle"),
        ("text", "what was said on its active branch, as plain text"),
        ("markdown", "the same, for reading"),
        ("jsonl", "the same with all wordings, as role-play programs keep chats"),
    ):
        command = commands.add_parser(name, help=purpose)
        command.add_argument("chat", metavar="CHAT_ID")
        command.add_argument("file", type=Path)
    commands.add_parser("import", help="a bundle, as the chat it was or a copy").add_argument("file", type=Path)
    parser.add_argument("--account", metavar="NAME", help="whose chats, where there are accounts; without it the local user's")
    options = parser.parse_args(arguments)
    try:
        return import_file(options.file, account=options.account) if options.command == "import" else _export(options)
    except KeepsakeError as error:
        print(error, file=sys.stderr)
        return 1


def import_file(file: Path, *, account: str | None = None) -> int:
    """Import a bundle and fill the index, unless the running app does that; exit status. account: whose it becomes, the local user's without one."""
    from chat.assembly import open_store
    from chat.importer import remember
    from settings import quiet_libraries, read_settings

    settings = read_settings()
    quiet_libraries(settings)
    store = open_store(settings)
    user_id = user_named(store.accounts, account)
    chat_id = Portable(store).load(user_id, file)
    print(f"chat {chat_id}")
    queue = remember(settings, store, Scope.of(user_id, chat_id))
    if queue.failed:
        print(f"{queue.failed} tasks failed ({queue.last_error}); the Memories panel can try them again.", file=sys.stderr)
    return 1 if queue.failed else 0


def _export(options: argparse.Namespace) -> int:
    from chat.assembly import open_store
    from settings import read_settings

    store = open_store(read_settings())
    try:
        user_id = user_named(store.accounts, options.account)
        if options.command == "list":
            for chat in store.chats.of_user(user_id):
                print(f"{chat.id}  {chat.updated_at:%Y-%m-%d}  {chat.character_name}  {chat.title}")
            return 0
        portable = Portable(store)
        lines = {"text": portable.text, "markdown": portable.markdown, "jsonl": portable.jsonl}.get(options.command, portable.lines)
        size = write_file(options.file, lines(user_id, options.chat))
    finally:
        store.close()
    print(f"{options.file}: {size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
