"""Models in files of a person's own: a folder of them, what each says of itself, and the processes that run them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from models.connection import FILE_NAME, Connection
from models.dialect import Dialects
from models.embedded import FileModel
from models.errors import FileUnfit
from models.gateway import Endpoint
from models.gguf import GgufHeader, read_header
from models.llama_server import LlamaServer, Weights

FIXED: dict[str, object] = {"chat_template_kwargs": {"enable_thinking": False}}
"""A model that could think aloud first would keep a reader waiting for minutes on a processor; one that knows no such word ignores it."""
WINDOW_SPARE = 512
"""Beyond what is asked for, for what a chat template adds and a count may miss."""


@dataclass(frozen=True)
class ModelFile:
    """header: None where the file cannot be read as a GGUF file."""

    name: str
    size: int
    header: GgufHeader | None


class ModelFolder:
    """folder: made when it is first needed. A name is looked up among what lies in it; no path from outside is ever followed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def files(self) -> tuple[ModelFile, ...]:
        """By name. Of a model in several files the first alone."""
        found = []
        for path in sorted(self.folder.iterdir()) if self.folder.is_dir() else ():
            later = "-of-" in path.name and "-00001-of-" not in path.name
            if FILE_NAME.fullmatch(path.name) and path.is_file() and not later:
                found.append(self._described(path))
        return tuple(found)

    def path(self, name: str) -> Path:
        """Raises FileUnfit if no such file lies in the folder."""
        path = self.folder / name
        if not FILE_NAME.fullmatch(name) or not path.is_file():
            raise FileUnfit(f"There is no file {name} in the folder of models. Nothing was changed.", name=name)
        return path

    def usable(self, name: str) -> ModelFile:
        """Raises FileUnfit if no such file lies there, or if it is no model that one can talk with."""
        found = self._described(self.path(name))
        if found.header is None or not found.header.chats:
            raise FileUnfit(
                f"{name} is no GGUF file of a model that one can talk with (it has no chat template). Nothing was changed.", name=name
            )
        return found

    @staticmethod
    def _described(path: Path) -> ModelFile:
        stat = path.stat()
        return ModelFile(path.name, stat.st_size, _header(str(path), stat.st_size, stat.st_mtime_ns))


@lru_cache(128)
def _header(path: str, size: int, changed: int) -> GgufHeader | None:
    """Read anew when the file is another."""
    return read_header(Path(path))


class FileModels:
    """Makes models of files. Two of the same file, window and threads share a process, which ends with the last of them."""

    def __init__(self, folder: ModelFolder) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._servers: dict[Weights, tuple[LlamaServer, int]] = {}

    def made(self, connection: Connection, endpoint: Endpoint, dialects: Dialects | None = None) -> FileModel:
        """Nothing is loaded yet. Raises FileUnfit."""
        file = self._folder.usable(connection.model)
        trained = file.header.context_length if file.header else 0
        window = min(endpoint.context_tokens, trained) if trained else endpoint.context_tokens
        spare = min(window + WINDOW_SPARE, trained) if trained else window + WINDOW_SPARE
        weights = Weights(str(self._folder.path(connection.model)), spare, connection.threads, connection.shown)
        reply = min(endpoint.reply_tokens, window // 2)
        asked = Endpoint(**{**vars(endpoint), "context_tokens": window, "reply_tokens": reply})
        return FileModel(asked, self._taken(weights), released=self._release(weights), fixed=FIXED, dialects=dialects)

    def _taken(self, weights: Weights) -> LlamaServer:
        with self._lock:
            server, users = self._servers.get(weights) or (LlamaServer(weights), 0)
            self._servers[weights] = (server, users + 1)
            return server

    def _release(self, weights: Weights) -> Callable[[], None]:
        once = threading.Lock()

        def release() -> None:
            if not once.acquire(blocking=False):
                return
            with self._lock:
                server, users = self._servers.pop(weights)
                if users > 1:
                    self._servers[weights] = (server, users - 1)
                    return
            server.close()

        return release
