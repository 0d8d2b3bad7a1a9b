"""A local server that stands in for the model hub: its addresses, redirects, records and ranges, over real HTTP, with the faults of real networks."""

from __future__ import annotations

import hashlib
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

COMMIT = "c" * 40


@dataclass
class Hub:
    """content: of the one file. breaks_at: a connection ends after so many bytes of its body, `breaks` times; slow_s: before each piece; lies: the bytes differ
    from the record; plain: no record of a checksum; ranges: whether it knows them; status: refuses with this; moved: the repository has another name now."""

    content: bytes
    repo: str = "Maker/Tiny-GGUF"
    file: str = "tiny.gguf"
    breaks_at: int = 0
    breaks: int = 0
    slow_s: float = 0.0
    lies: bool = False
    plain: bool = False
    ranges: bool = True
    status: int = 200
    moved: bool = False
    asked: list[tuple[str, str, dict[str, str]]] = field(default_factory=list)

    def __enter__(self) -> Hub:
        handler: Any = type("Handler", (_Handler,), {"hub": self})
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._http.daemon_threads = True
        self.closing = threading.Event()
        self.url = f"http://127.0.0.1:{self._http.server_port}"
        threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.content).hexdigest()

    @property
    def ranges_asked(self) -> list[str]:
        return [headers.get("range", "") for method, path, headers in self.asked if method == "GET" and path.startswith("/cdn")]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    hub: Hub

    def log_message(self, format: str, *args: object) -> None:
        return

    def do_HEAD(self) -> None:
        self._answer("HEAD")

    def do_GET(self) -> None:
        self._answer("GET")

    def _answer(self, method: str) -> None:
        hub = self.hub
        hub.asked.append((method, self.path, {name.lower(): value for name, value in self.headers.items()}))
        if hub.status != 200:
            self._head(hub.status, {})
        elif self.path.startswith("/cdn/"):
            self._file()
        elif hub.moved and self.path.startswith(f"/{hub.repo}/"):
            self._head(307, {"Location": self.path.replace(hub.repo, "Maker/Renamed-GGUF", 1)})
        elif self.path.split("/resolve/")[-1].split("/", 1)[-1] != hub.file:
            self._head(404, {})
        else:
            record = {"X-Linked-Etag": f'"{hub.sha256}"', "X-Linked-Size": str(len(hub.content))}
            told = {"X-Repo-Commit": COMMIT, **({} if hub.plain else record)}
            self._head(302, {**told, "Location": f"{hub.url}/cdn/{hub.file}"})

    def _head(self, status: int, headers: dict[str, str], length: int = 0) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(length))
        self.end_headers()

    def _file(self) -> None:
        hub = self.hub
        body = bytes(len(hub.content)) if hub.lies else hub.content
        asked = self.headers.get("Range", "")
        start = int(asked.removeprefix("bytes=").removesuffix("-")) if asked and hub.ranges else 0
        body = body[start:]
        self._head(206 if start else 200, {}, len(body))
        breaks = hub.breaks > 0
        hub.breaks -= breaks
        for at in range(0, len(body), 65536):
            if hub.closing.wait(hub.slow_s) or (breaks and at >= hub.breaks_at):
                self.close_connection = True
                self.connection.close()
                return
            try:
                self.wfile.write(body[at : at + 65536])
            except OSError:
                return
