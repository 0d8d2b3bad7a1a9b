"""What strangers made is read in processes of their own: `apart(read, raw)` is `read(raw)`, with a bound on memory and processor time.

A parser in C holds every other thread of a program up until it has read its file, and makes a hundred bytes of one. Here that stops nobody: a few processes
(`python -m chat.reading_process`) read one file after the other, give way to everything else, and end when nothing comes. What takes too much ends its process
alone, and is refused with HeavyFile.

Functions are named by module and name; what they take and give is pickled, by our own program on both sides.
"""

from __future__ import annotations

import gc
import importlib
import os
import pickle
import secrets
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client, Connection, Listener
from pathlib import Path
from typing import Any, TypeVar, TypeVarTuple, Unpack

from errors import KeepsakeError

ROOT = Path(__file__).resolve().parents[1]
MOST = 2
"""Processes at once, each at one file."""
MEMORY_BYTES = 2**30
"""That a file may take while it is read. Honest ones of the largest size take half."""
PROCESSOR_S = 60
"""Of one file; honest ones of the largest size take ten."""
KEPT_BYTES = 300 * 2**20
"""A process that ever took more ends after its file, as what it took is not all given back."""
IDLE_S = 120.0
"""Then a process ends that nobody asks for anything."""
NICENESS = 10
SMALL_BYTES = 2**16
"""Of a text: brackets alone become four megabytes, in a hundredth of a second."""
Args = TypeVarTuple("Args")
Made = TypeVar("Made")


class HeavyFile(KeepsakeError):
    """Reading it takes more memory or time than an honest file does."""

    code = "file_heavy"


def apart(read: Callable[[Unpack[Args]], Made], *args: *Args) -> Made:
    """What `read` returns, or raises. Raises HeavyFile."""
    made: list[Made] = list(_readers.pieces(read, args))
    return made[0]


def pieces_apart(read: Callable[[Unpack[Args]], Iterator[Made]], *args: *Args) -> Iterator[Made]:
    """What `read` yields, or raises: many pieces, as one that is long would stop this program while it is unpacked. Raises HeavyFile."""
    return _readers.pieces(read, args)


def apart_if_large(read: Callable[[bytes], Made], raw: bytes) -> Made:
    """The same of a text, which is read here where it is small: nothing large is made of that. Raises HeavyFile."""
    return read(raw) if len(raw) <= SMALL_BYTES else apart(read, raw)


class _Process:
    """One of them, while it is there."""

    def __init__(self) -> None:
        key = secrets.token_bytes(32)
        with Listener(authkey=key) as listener:
            self._process = subprocess.Popen([sys.executable, "-m", "chat.reading_process"], cwd=ROOT, stdin=subprocess.PIPE)
            assert self._process.stdin is not None
            with self._process.stdin as told:
                pickle.dump((listener.address, key), told)
            threading.Thread(target=self._knock, args=(listener.address,), name="reading-process", daemon=True).start()
            self._connection: Connection = listener.accept()

    def _knock(self, address: Any) -> None:
        """One that ends before it has begun is not waited for: somebody comes without the key."""
        self._process.wait()
        with suppress(OSError, EOFError, AuthenticationError):
            Client(address, authkey=b"none").close()

    def begins(self, job: bytes) -> bool:
        """Whether it is there still, and has taken it."""
        try:
            self._connection.send_bytes(job)
            self._connection.recv_bytes()
        except (EOFError, OSError):
            self.end()
            return False
        return True

    def heard(self) -> tuple[str, Any]:
        """How a piece goes, and the piece. Raises HeavyFile where the process has ended over it."""
        try:
            kind, value = pickle.loads(self._connection.recv_bytes())
        except (EOFError, OSError):
            kind, value = "heavy", None
        if kind == "heavy":
            raise HeavyFile("Reading this file takes more memory or time than there is for one. Nothing was changed.")
        return kind, value

    def end(self) -> None:
        self._connection.close()
        self._process.kill()
        self._process.wait()


class _Readers:
    """The processes that wait for something to read, and who waits for one of them."""

    def __init__(self) -> None:
        self._room = threading.BoundedSemaphore(MOST)
        self._idle: list[_Process] = []

    def pieces(self, read: Callable[..., Any], args: tuple[Any, ...]) -> Iterator[Any]:
        job = pickle.dumps((read.__module__, read.__qualname__, args), protocol=5)
        with self._room:
            process = self._taken_by(job)
            ended = False
            try:
                while not ended:
                    kind, value = process.heard()
                    ended = kind != "piece"
                    if kind == "piece":
                        yield value
                if kind == "error":
                    raise _again(*value)
            finally:
                if ended:
                    self._idle.append(process)
                else:
                    process.end()

    def _taken_by(self, job: bytes) -> _Process:
        while self._idle:
            if (process := self._idle.pop()).begins(job):
                return process
        process = _Process()
        if not process.begins(job):
            raise OSError("the process that reads files does not begin")
        return process


_readers = _Readers()


def _again(kind: type[Exception], args: tuple[Any, ...], state: dict[str, Any]) -> Exception:
    """An error as it was raised, whatever it is made of."""
    error = kind.__new__(kind, *args)
    error.__dict__.update(state)
    return error


# The process


def _work(connection: Connection) -> None:
    while connection.poll(IDLE_S):
        module, name, args = pickle.loads(connection.recv_bytes())
        connection.send_bytes(b"")
        _answer(connection, getattr(importlib.import_module(module), name), args)
        if _most_bytes() > KEPT_BYTES:
            return


def _answer(connection: Connection, read: Callable[..., Any], args: tuple[Any, ...]) -> None:
    def say(kind: str, value: object = None) -> None:
        connection.send_bytes(pickle.dumps((kind, value), protocol=5))

    _bound()
    gc.disable()  # nothing of a file is a circle, and millions of things would be looked through again and again
    try:
        made = read(*args)
        for piece in made if isinstance(made, Iterator) else (made,):
            say("piece", piece)
        say("end")
    except (MemoryError, RecursionError):
        say("heavy")
    except Exception as error:  # noqa: BLE001  # whatever it is, it is raised again where it was asked for
        if not isinstance(error, KeepsakeError):
            error.add_note(traceback.format_exc())
        say("error", (type(error), error.args, error.__dict__))


def _bound() -> None:
    """Let what is read next have so much memory and processor time, where the system can count them: what is counted before a file is read holds everywhere."""
    try:
        import resource
    except ImportError:  # Windows
        return
    with suppress(OSError, ValueError):
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + MEMORY_BYTES, resource.RLIM_INFINITY))
    with suppress(OSError, ValueError):
        used = resource.getrusage(resource.RUSAGE_SELF)
        resource.setrlimit(resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime) + PROCESSOR_S, resource.RLIM_INFINITY))


def _most_bytes() -> int:
    """The most that this process ever had; 0 where the system does not tell it apart from what its parent had."""
    with suppress(OSError, ValueError, IndexError):
        return int(Path("/proc/self/status").read_text(encoding="ascii").partition("VmHWM:")[2].split()[0]) * 1024
    return 0


def _main() -> None:
    address, key = pickle.load(sys.stdin.buffer)
    with suppress(AttributeError, OSError):
        os.nice(NICENESS)
    with Client(address, authkey=key) as connection, suppress(EOFError, OSError):
        _work(connection)


if __name__ == "__main__":
    _main()
