"""A small real endpoint that speaks OpenAI's streaming chat protocol on 127.0.0.1, and fails in the ways that real ones do."""

from __future__ import annotations

import json
import socket
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Literal

Break = Literal["stall", "garbage", "cut", "cut quietly"]
STEP_S = 0.02


@dataclass(frozen=True)
class Answer:
    """One answer. before_s: silence before the status line; after_headers_s: between it and the first piece; between_s: before each piece but the first;
    held: a piece of this number, from 0 on, is sent only when its event is set, so that what the pieces before it show stands until a test has seen it.

    breaks, after the pieces: `stall` says nothing more, `garbage` sends a line that is not JSON, `cut` ends the connection in the middle of the body,
    `cut quietly` closes a body of no declared length, which looks like its end.
    """

    pieces: Sequence[str] = ("Hello", " there")
    thoughts: Sequence[str] = ()
    """Sent apart, before the pieces, as reasoning models are served by some."""
    status: int = 200
    before_s: float = 0.0
    after_headers_s: float = 0.0
    between_s: float = 0.0
    held: Mapping[int, threading.Event] = field(default_factory=dict)
    finish_reason: str = "stop"
    breaks: Break | None = None
    error: str = "no"
    raw: Sequence[bytes] | None = None
    """The body as it is, piece by piece, with its type; then nothing of the pieces above is sent."""
    content_type: str = "text/event-stream"


@dataclass
class Request:
    body: dict[str, Any]
    authorization: str
    left: threading.Event = field(default_factory=threading.Event)
    """Set when the client hung up before the answer was over."""


Rule = Callable[[dict[str, Any]], Answer | None]
"""What it says to a body that it does not take; None for one that it takes."""


class OpenAIEndpoint:
    """Answers in the order enqueued, then `Answer()` for ever; `requests` are what came. rules: looked at first, and what they refuse takes no answer away."""

    def __init__(self, *answers: Answer, rules: Sequence[Rule] = ()) -> None:
        self.requests: list[Request] = []
        self._rules = rules
        self._answers = deque(answers)
        self.closing = threading.Event()
        endpoint = self

        class Handler(_Handler):
            house = endpoint

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._http.server_port}/v1"
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    def __enter__(self) -> OpenAIEndpoint:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()

    def enqueue(self, *answers: Answer) -> None:
        self._answers.extend(answers)

    def answer(self, body: dict[str, Any]) -> Answer:
        refused = next((said for rule in self._rules if (said := rule(body)) is not None), None)
        if refused is not None:
            return refused
        return self._answers.popleft() if self._answers else Answer()


def roles_of(body: dict[str, Any]) -> list[str]:
    return [message["role"] for message in body["messages"]]


def takes_turns(body: dict[str, Any]) -> bool:
    """Whether, after a system message first, user and assistant alternate, the user first and last."""
    roles = roles_of(body)
    rest = roles[1:] if roles[:1] == ["system"] else roles
    return bool(rest) and rest[-1] == "user" and all(role == ("user", "assistant")[place % 2] for place, role in enumerate(rest))


def dead_url() -> str:
    """An address where nobody listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{free.getsockname()[1]}/v1"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    house: OpenAIEndpoint

    def log_message(self, format: str, *args: object) -> None:
        return

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        request = Request(body, self.headers.get("Authorization", ""))
        answer = self.house.answer(body)
        self.house.requests.append(request)
        try:
            self._play(answer, request)
        except OSError:
            request.left.set()
        self.close_connection = True

    def _play(self, answer: Answer, request: Request) -> None:
        self._wait(answer.before_s, request)
        if answer.status != 200:
            self._refuse(answer)
            return
        if answer.raw is not None:
            self._send_raw(answer)
            return
        self.chunked = answer.breaks != "cut quietly"
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked") if self.chunked else self.send_header("Connection", "close")
        self.end_headers()
        self._wait(answer.after_headers_s, request)
        for thought in answer.thoughts:
            self._event({"role": "assistant", "reasoning_content": thought})
        for number, piece in enumerate(answer.pieces):
            self._wait(answer.between_s if number else 0.0, request)
            while number in answer.held and not answer.held[number].is_set():
                self._wait(STEP_S, request)
            self._event({"role": "assistant", "content": piece})
        match answer.breaks:
            case "stall":
                self._wait(3600, request)
            case "garbage":
                self._line("data: {not json\n\n")
            case "cut" | "cut quietly":
                self.connection.shutdown(socket.SHUT_RDWR)
                return
            case None:
                self._event({}, answer.finish_reason)
        self._line("data: [DONE]\n\n")
        self.wfile.write(b"0\r\n\r\n")

    def _send_raw(self, answer: Answer) -> None:
        assert answer.raw is not None
        self.send_response(200)
        self.send_header("Content-Type", answer.content_type)
        self.send_header("Connection", "close")
        self.end_headers()
        for number, piece in enumerate(answer.raw):
            if number and answer.between_s and self.house.closing.wait(answer.between_s):
                return
            self.wfile.write(piece)
            self.wfile.flush()

    def _refuse(self, answer: Answer) -> None:
        data = (
            answer.error
            if answer.error[:1] in "{[<"
            else json.dumps({"error": {"message": answer.error, "type": "invalid_request_error", "code": str(answer.status)}})
        ).encode()
        self.send_response(answer.status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _event(self, delta: dict[str, str], finish_reason: str | None = None) -> None:
        choice = {"index": 0, "delta": delta, "finish_reason": finish_reason}
        event = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}
        self._line(f"data: {json.dumps(event)}\n\n")

    def _line(self, text: str) -> None:
        data = text.encode()
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data) if self.chunked else data)
        self.wfile.flush()

    def _wait(self, seconds: float, request: Request) -> None:
        """Sleep, but notice a client that hangs up and the end of the test."""
        self.connection.settimeout(None)
        while seconds > 0 and not self.house.closing.wait(min(STEP_S, seconds)):
            seconds -= STEP_S
            self.connection.setblocking(False)
            try:
                gone = self.connection.recv(1, socket.MSG_PEEK) == b""
            except BlockingIOError:
                gone = False
            finally:
                self.connection.setblocking(True)
            if gone:
                raise ConnectionResetError
        if self.house.closing.is_set() and seconds > 0:
            raise ConnectionResetError
