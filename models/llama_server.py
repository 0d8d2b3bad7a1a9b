"""The parent's side of the process of a model in a file."""

from __future__ import annotations

import json
import secrets
import subprocess
import sys
import threading
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import IO

from machine import cores
from models.errors import ModelUnavailable
from models.llama_child import CONTEXT_TOKENS

ROOT = Path(__file__).resolve().parents[1]
START_LIMIT_S = 60.0
"""Ready in 0.5 to 2 s on two cores; a cold disk has to read 98 MB."""
LARGE_START_LIMIT_S = 300.0
"""Of a file of a person's own: a slow disk reads 8 GB in four minutes."""
END_LIMIT_S = 2.0
MAX_THREADS = 4
"""The model is small: more threads wait for each other longer than they work."""


@dataclass(frozen=True)
class Address:
    """Where one living child answers. url: `http://127.0.0.1:PORT`; key: good for this child only."""

    url: str
    key: str = field(repr=False)


BUNDLED_NAME, BUNDLED_ALIAS = "the bundled model", "SmolLM2-135M-Instruct"


@dataclass(frozen=True)
class Weights:
    """What a child loads. path: a GGUF file, empty for the bundled one; window: tokens it has memory for; threads: 0 for as many as suit it; name: in errors."""

    path: str = ""
    window: int = CONTEXT_TOKENS
    threads: int = 0
    name: str = BUNDLED_NAME

    @property
    def order(self) -> dict[str, object]:
        threads = self.threads or min(cores(), cores() if self.path else MAX_THREADS)
        return {"weights": self.path, "window": self.window, "threads": threads, "alias": self.name if self.path else BUNDLED_ALIAS}


class LlamaServer:
    """Starts the child when its address is first asked for and again when it has died. Safe from any thread. turn: held by whoever is being answered, as the
    child has one slot."""

    def __init__(self, weights: Weights | None = None, *, start_limit_s: float | None = None) -> None:
        self._weights = weights or Weights()
        self._start_limit_s = start_limit_s or (LARGE_START_LIMIT_S if self._weights.path else START_LIMIT_S)
        self.turn = threading.Lock()
        self._lock = threading.Lock()
        self._child: _Child | None = None
        self._closed = False

    def address(self) -> Address:
        """The address of a living child; waits while it starts. Raises ModelUnavailable with the reason."""
        with self._lock:
            if self._closed:
                raise ModelUnavailable(f"{_first(self._weights.name)} is being shut down. Nothing you wrote is lost; try again.")
            if self._child is None or not self._child.alive:
                self._child = _Child(self._weights, self._start_limit_s)
            return self._child.address

    @property
    def pid(self) -> int | None:
        """The process id of the living child, None if there is none."""
        child = self._child
        return child.pid if child is not None and child.alive else None

    def kill(self, address: Address | None = None) -> None:
        """End the child at once, whatever it does; the next `address()` starts another. With an address: only if it is that child's."""
        with self._lock:
            if self._child is not None and (address is None or self._child.address == address):
                self._child.kill()
                self._child = None

    def close(self) -> None:
        """End the child for good."""
        with self._lock:
            self._closed = True
            if self._child is not None:
                self._child.kill()
                self._child = None


class _Child:
    """One process from start to end. Raises ModelUnavailable if it is not ready in time."""

    def __init__(self, weights: Weights, limit_s: float) -> None:
        self._weights = weights
        self._last_words: deque[str] = deque(maxlen=5)
        key = secrets.token_urlsafe(32)
        started: SimpleQueue[subprocess.Popen[str] | OSError] = SimpleQueue()
        self._ready: SimpleQueue[str] = SimpleQueue()
        threading.Thread(target=self._keep, args=(started,), name="llama-child", daemon=True).start()
        process = started.get()
        if isinstance(process, OSError):
            raise self._unavailable(str(process)) from process
        self._process = process
        self.pid = process.pid
        try:
            self.address = Address(f"http://127.0.0.1:{self._handshake(key, limit_s)}", key)
        except ModelUnavailable:
            self.kill()
            raise

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def kill(self) -> None:
        self._process.kill()
        try:
            self._process.wait(END_LIMIT_S)
        except subprocess.TimeoutExpired:
            return  # the kernel still takes it away; its port and key are not used again
        if self._process.stdin is not None:
            _close(self._process.stdin)

    def _keep(self, started: SimpleQueue[subprocess.Popen[str] | OSError]) -> None:
        """Start the child and stay until it ends: Linux sends the signal for a parent's death when the *thread* that started it ends."""
        try:
            process = subprocess.Popen(
                [sys.executable, "-m", "models.llama_child"],
                cwd=ROOT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                errors="replace",
            )
        except OSError as error:
            started.put(error)
            return
        assert process.stdout is not None
        assert process.stderr is not None
        errors = threading.Thread(target=self._hear, args=(process.stderr,), name="llama-child-stderr", daemon=True)
        errors.start()
        started.put(process)
        with process.stdout as lines:
            for line in lines:
                self._ready.put(line)
        errors.join()
        process.wait()
        self._ready.put("")

    def _hear(self, lines: IO[str]) -> None:
        """Read what the libraries print, so that a full pipe never stops the child; only the last words are kept, for a failed start."""
        with lines:
            for line in lines:
                if line.strip():
                    self._last_words.append(line.strip()[:200])

    def _handshake(self, key: str, limit_s: float) -> int:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps({"key": key, **self._weights.order}) + "\n")
            self._process.stdin.flush()
            line = self._ready.get(timeout=limit_s)
        except Empty:
            raise self._unavailable(f"it was not ready after {limit_s:.0f} s") from None
        except OSError:  # it ended before it read
            line = ""
        if not line:
            raise self._unavailable(" / ".join(self._last_words) or "its process ended without a word")
        answer = json.loads(line)
        if "error" in answer:
            raise self._unavailable(str(answer["error"]))
        return int(answer["port"])

    def _unavailable(self, reason: str) -> ModelUnavailable:
        if self._weights.path:  # what the libraries say names the file with its folder
            reason = reason.replace(self._weights.path, self._weights.name)
        error = ModelUnavailable(
            f"{_first(self._weights.name)} could not be started ({reason}). Nothing you wrote is lost; try again, or set a model of your own.",
            model=self._weights.name if self._weights.path else BUNDLED_ALIAS,
            reason=reason,
        )
        error.reason = "file"
        return error


def _close(pipe: IO[str]) -> None:
    try:
        pipe.close()
    except OSError:
        return  # what was not yet written to a dead child


def _first(name: str) -> str:
    """A name at the beginning of a sentence."""
    return name[0].upper() + name[1:] if name == BUNDLED_NAME else name
