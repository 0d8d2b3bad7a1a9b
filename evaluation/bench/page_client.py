"""A page without a browser: events of the page over raw HTTP, as its components send them, and a model's endpoint for the program to talk with."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import httpx

Update = Mapping[str, Any]

TIMEOUT_S = 120.0
"""Of one event: a follower is told something every two seconds."""


class EventRefused(RuntimeError):
    """The page did not answer an event as it should."""


class PageClient:
    """url: where the program is served, without accounts; tab: what the browser calls this tab. One event at a time."""

    def __init__(self, url: str, tab: str) -> None:
        self._http = httpx.Client(base_url=url, timeout=TIMEOUT_S, headers={"origin": url.rstrip("/")})
        self._tab = tab
        self._editions: dict[str, int] = {}
        """Of each conversation the one that this page shows."""
        config = self._http.get("/config").raise_for_status().json()
        elements = {component["id"]: component["props"].get("elem_id") for component in config["components"]}
        self._events = {
            (elements.get(target[0]), target[1]): (dependency["id"], len(dependency["inputs"]))
            for dependency in config["dependencies"]
            for target in dependency["targets"]
        }

    def close(self) -> None:
        self._http.close()

    def event(self, element: str, name: str, data: Mapping[str, object]) -> Iterator[dict[str, Any]]:
        """What the server says to an event of a component, as it says it. Raises EventRefused and httpx.HTTPError."""
        number, inputs = self._events[element, name]
        asked = {"data": [None] * inputs, "event_data": data, "fn_index": number, "session_hash": self._tab, "trigger_id": None}
        joined = self._http.post("/gradio_api/queue/join", json=asked)
        if joined.status_code != 200:
            raise EventRefused(f"{element}.{name}: {joined.status_code} {joined.text[:200]}")
        with self._http.stream("GET", "/gradio_api/queue/data", params={"session_hash": self._tab}) as stream:
            for line in stream.iter_lines():
                if line.startswith("data: "):
                    said = json.loads(line.removeprefix("data: "))
                    yield said
                    if said.get("msg") == "process_completed" and not said.get("success"):
                        raise EventRefused(f"{element}.{name}: {line[:300]}")

    def values(self, element: str, name: str, data: Mapping[str, object]) -> list[Any]:
        """What an event changes, each component's value as it was sent at last; None where it stays."""
        *_, last = (said for said in self.event(element, name, data) if said.get("msg") == "process_completed")
        values = [_value(one) for one in last["output"]["data"]]
        for shown in values:
            if isinstance(shown, dict) and {"chat", "edition", "messages"} <= shown.keys():
                self._editions[str(shown["chat"])] = int(shown["edition"])
        return values

    def begin(self, character_id: str) -> str:
        """A new conversation; its id."""
        values = self.values("k-transcript", "create", {"character": character_id})
        return next(str(value["id"]) for value in values if isinstance(value, dict) and {"id", "push", "n"} <= value.keys())

    def say(self, chat_id: str, text: str, *, token: str) -> None:
        """Send what the player says; returns once it is acknowledged. Raises EventRefused."""
        values = self.values("k-composer", "send", {"chat": chat_id, "text": text, "token": token, "edition": self._editions[chat_id]})
        if not any(isinstance(value, dict) and value.get("token") == token and value.get("accepted") for value in values):
            raise EventRefused(f"what was sent was not accepted: {str(values)[:300]}")

    def follow(self, chat_id: str) -> None:
        """Follow the reply until it is written."""
        self.values("k-place", "follow", {"chat": chat_id})


def _value(told: Any) -> Any:
    try:
        return json.loads(told) if isinstance(told, str) else told
    except ValueError:
        return told


@contextmanager
def model_endpoint(reply: Callable[[random.Random], str], *, seconds: float = 0.0) -> Iterator[str]:
    """An endpoint that speaks OpenAI's protocol on 127.0.0.1; its address. seconds: a reply takes from its first word to its last."""
    rng = random.Random(0)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            words = reply(rng).split(" ")
            try:
                for number, word in enumerate(words):
                    self._send({"delta": {"content": word if number == 0 else f" {word}"}, "finish_reason": None})
                    time.sleep(seconds / len(words))
                self._send({"delta": {}, "finish_reason": "stop"})
                self._write("data: [DONE]\n\n")
                self.wfile.write(b"0\r\n\r\n")
            except OSError:
                self.close_connection = True

        def _send(self, choice: dict[str, object]) -> None:
            self._write(
                f"data: {json.dumps({'id': '1', 'object': 'chat.completion.chunk', 'model': 'm', 'choices': [{'index': 0, **choice}]})}\n\n"
            )

        def _write(self, text: str) -> None:
            self.wfile.write(b"%x\r\n%s\r\n" % (len(text.encode()), text.encode()))

        def log_message(self, format: str, *args: object) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()
