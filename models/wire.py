"""The HTTP under LiteLLM: what is sent as its server takes it, and what comes back made regular before any library reads it.

Servers that say they speak OpenAI's protocol answer in a dozen ways: JSON instead of a stream, content as a list, thoughts under five names, an error in a
success, no reason for the end. LiteLLM drops or mistakes most of that. So each answer is read here, event by event and within limits, and passed on in the one
form that every client knows; what else it told stands in its `Exchange`.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import re
import socket
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Literal

import httpcore
import httpx

from models.peers import connectable, refuse_literal

MOST_EVENT_BYTES = 4 * 2**20
"""Of one event or one whole answer: the longest reply there can be, each letter written as an escape."""
MOST_ERROR_BYTES = 64 * 2**10
_BOM = b"\xef\xbb\xbf"
_LINE_END = re.compile(rb"\r\n|\n|\r(?!\Z)")
_FIELD = re.compile(rb"\s*(?:data:\s*)+", re.IGNORECASE)
_TEXT = re.compile(rb'"(content|text|reasoning_content|reasoning)"\s*:\s*"((?:[^"\\]|\\.)*)', re.DOTALL)
"""The beginning of what an event says that is too long to be read whole."""
_HALF_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{0,3})?\Z")
_LENGTH = re.compile(r"length|max.?tokens|max.?output|token.?limit", re.IGNORECASE)
_FILTER = re.compile(r"filter|safety|sensitive|block|prohibit|recitation|moderat|refus|spii", re.IGNORECASE)
_TOOLS = re.compile(r"tool|function", re.IGNORECASE)
_BROKEN = re.compile(r"error|abort|cancel|fail", re.IGNORECASE)
_THOUGHTS = (
    "reasoning_content",
    "reasoning",
    "thinking",
    "reasoning_text",
    "thought",
    "thinking_content",
    "cot_content",
    "thinking_blocks",
    "reasoning_details",
)
"""Where an event may say what the model thinks; servers that use two of them say the same in both."""

Shape = Literal["", "events", "json", "page", "other"]
"""Of an answer's body: not known yet, a stream of events, JSON, a web page, none of these."""


@dataclass
class Exchange:
    """One request and what is known of its answer. without: names that are not sent; renamed: names that are sent as others."""

    without: frozenset[str] = frozenset()
    renamed: Mapping[str, str] = field(default_factory=dict)
    sent: frozenset[str] = frozenset()
    """Names of what was sent."""
    status: int = 0
    refusal: str = ""
    """The body of an answer that is none, or the error that came in one."""
    regular: bool = False
    """Whether it speaks OpenAI's protocol, so that what follows is known."""
    shape: Shape = ""
    finish: Literal["", "stop", "length", "filter", "tools"] = ""
    done: bool = False
    """The server itself said that the answer is over."""
    broken: bool = False
    """Something came that cannot be read, or it failed midway."""
    called: bool = False
    """It wanted to call a tool."""
    told: dict[str, str] = field(default_factory=dict)
    """What came so far, by the names of a delta."""
    in_pieces: bool = False
    """Some of it came in deltas."""
    hung_up: bool = False
    on_progress: Callable[[int, int], None] = field(default=lambda read, total: None)
    on_closed: Callable[[], None] = field(default=lambda: None)
    _response: httpx.Response | None = None

    def hang_up(self) -> None:
        """End it now from any thread, so that the server stops working on it. Closing alone does not wake a thread that waits in a read."""
        self.hung_up = True
        stream = self._response.extensions.get("network_stream") if self._response is not None else None
        wire = stream.get_extra_info("socket") if stream is not None else None
        if wire is not None:
            with contextlib.suppress(OSError):  # already closed by the other side
                wire.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Give the connection back, in the reading thread when it has left the stream.

        A response that is left open is closed by the garbage collector, and that may run in a thread that is just inside httpcore's connection pool: it
        then waits for a lock that it holds itself, and every later request waits with it.
        """
        if self._response is not None:
            with contextlib.suppress(httpx.HTTPError, OSError, RuntimeError):
                self._response.close()
        self.on_closed()


_current: ContextVar[Exchange | None] = ContextVar("exchange", default=None)


@contextlib.contextmanager
def exchanging(exchange: Exchange) -> Iterator[None]:
    """Let the requests of this thread be this exchange's."""
    token = _current.set(exchange)
    try:
        yield
    finally:
        _current.reset(token)


def guarded(client: httpx.Client) -> httpx.Client:
    """The same client, all of whose requests go through here: proxies of the environment and certificates stay as they were."""
    client._transport = Wire(client._transport)
    client._mounts = {pattern: Wire(one) if one is not None else None for pattern, one in client._mounts.items()}
    client.follow_redirects = False
    return client


class Wire(httpx.BaseTransport):
    def __init__(self, inner: httpx.BaseTransport) -> None:
        self._inner = inner
        pool = getattr(inner, "_pool", None)
        if pool is not None:
            pool._network_backend = _Backend(pool._network_backend)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        refuse_literal(request.url.host)
        exchange = _current.get()
        if exchange is None:
            return self._inner.handle_request(request)
        if exchange.status >= 400:
            # LiteLLM asks again by itself after some refusals, with empty messages in between that nobody said: what is learned is learned above.
            raise httpx.ReadError("refused before")
        response = self._inner.handle_request(_as_taken(request, exchange))
        response.request = request
        exchange._response = response
        exchange.status = response.status_code
        headers = [
            (k, v) for k, v in response.headers.raw if k.lower() not in (b"content-encoding", b"content-length", b"transfer-encoding")
        ]
        if response.status_code >= 400:
            body = b"".join(_at_most(response.iter_bytes(), MOST_ERROR_BYTES))
            exchange.refusal = body.decode("utf-8", "replace")
            response.close()
            return httpx.Response(response.status_code, headers=headers, content=body, extensions=response.extensions)
        if not request.url.path.endswith("/completions"):
            return httpx.Response(
                response.status_code, headers=headers, stream=_Body(response, response.iter_bytes()), extensions=response.extensions
            )
        exchange.regular = True
        headers = [(k, v) for k, v in headers if k.lower() != b"content-type"] + [(b"content-type", b"text/event-stream; charset=utf-8")]
        events = (b"data: " + data + b"\n\n" for data in _regular(response.iter_bytes(), exchange))
        return httpx.Response(response.status_code, headers=headers, stream=_Body(response, events), extensions=response.extensions)

    def close(self) -> None:
        self._inner.close()


class _Body(httpx.SyncByteStream):
    def __init__(self, response: httpx.Response, pieces: Iterable[bytes]) -> None:
        self._response, self._pieces = response, pieces

    def __iter__(self) -> Iterator[bytes]:
        yield from self._pieces

    def close(self) -> None:
        self._response.close()


class _Backend(httpcore.NetworkBackend):
    """Connects to the address that was looked at, and to no other that its name may mean by then."""

    def __init__(self, inner: httpcore.NetworkBackend) -> None:
        self._inner = inner

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        failure: Exception = httpcore.ConnectError(f"{host} has no address")
        try:
            addresses = connectable(host)
        except OSError as error:
            raise httpcore.ConnectError(str(error)) from error
        for address in addresses:
            try:
                return self._inner.connect_tcp(address, port, timeout=timeout, local_address=local_address, socket_options=socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
        raise failure

    def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: Iterable[Any] | None = None
    ) -> httpcore.NetworkStream:
        return self._inner.connect_unix_socket(path, timeout=timeout, socket_options=socket_options)

    def sleep(self, seconds: float) -> None:
        self._inner.sleep(seconds)


def _as_taken(request: httpx.Request, exchange: Exchange) -> httpx.Request:
    """The request with what its server takes, under the names it takes it by."""
    try:
        body = json.loads(request.read())
    except ValueError:
        return request
    if not isinstance(body, dict):
        return request
    kept = {exchange.renamed.get(name, name): value for name, value in body.items() if name not in exchange.without}
    exchange.sent = frozenset(kept)
    headers = [(k, v) for k, v in request.headers.raw if k.lower() not in (b"content-length", b"transfer-encoding", b"accept-encoding")]
    content = json.dumps(kept, ensure_ascii=False).encode()
    # Nothing is to be unpacked into more than was sent.
    return httpx.Request(
        request.method,
        request.url,
        headers=[*headers, (b"accept-encoding", b"identity"), (b"content-length", str(len(content)).encode())],
        content=content,
        extensions=request.extensions,
    )


def _at_most(pieces: Iterable[bytes], most: int) -> Iterator[bytes]:
    for piece in pieces:
        yield piece[:most]
        most -= len(piece)
        if most <= 0:
            return


# What comes


def _regular(pieces: Iterator[bytes], exchange: Exchange) -> Iterator[bytes]:
    """The data of the events of a well-formed answer, up to where the server's own ends."""
    for data in _data(pieces, exchange):
        if data is None:  # too long to be read
            exchange.finish, exchange.done = "length", True
            break
        if data.strip(b'" ').upper() == b"[DONE]":
            exchange.done = True
            break
        yield from _event(data, exchange)
        if exchange.broken:
            return
    if exchange.done or exchange.finish:
        yield json.dumps(_chunk({}, "length" if exchange.finish == "length" else "stop")).encode()
        yield b"[DONE]"


def _data(pieces: Iterator[bytes], exchange: Exchange) -> Iterator[bytes | None]:
    """What each event or line holds. None after the readable beginning of one that is too long."""
    lines = _lines(pieces)
    held = b""
    for line in lines:
        if not exchange.shape and line.strip():
            line = line.removeprefix(_BOM)
            exchange.shape = _shape(line)
        if exchange.shape == "json":
            yield from _whole(line, lines, exchange)
            return
        if exchange.shape in ("page", "other"):
            exchange.broken = True
            said = b"\n".join(_at_most(itertools.chain([line], lines), MOST_ERROR_BYTES)).decode("utf-8", "replace")
            exchange.refusal = said if exchange.shape == "page" or not re.search("[\0\ufffd]", said) else ""
            return
        if len(line) > MOST_EVENT_BYTES:
            yield _beginning(line)
            yield None
            return
        named = _FIELD.match(line)
        if named is None:
            if held and not line.strip():
                yield held
                held = b""
            continue
        text = line[named.end() :].strip()
        held = (held + b"\n" + text) if held else text
        # Some leave out the empty line between two events: what can be read alone is one.
        if held == b"[DONE]" or _read(held) is not None:
            yield held
            held = b""
        elif len(held) > MOST_EVENT_BYTES:
            yield _beginning(held)
            yield None
            return
    if held:
        yield held


def _whole(first: bytes, lines: Iterator[bytes], exchange: Exchange) -> Iterator[bytes | None]:
    """JSON without events: one answer, or one object a line."""
    body = first
    for line in lines:
        if len(body) > MOST_EVENT_BYTES:
            break
        if (whole := _read(body)) is not None and "choices" in whole and line.strip().startswith((b"{", b"[")):
            yield body
            body = line
        else:
            body += b"\n" + line
    if len(body) > MOST_EVENT_BYTES:
        yield _beginning(body)
        yield None
        return
    yield body
    whole = _read(body)
    exchange.done = exchange.done or (whole is not None and "choices" in whole)


def _lines(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Lines without their ends. One that is longer than is read ends there, and nothing follows it."""
    held = bytearray()
    for piece in pieces:
        looked = max(len(held) - 1, 0)
        held += piece
        while (end := _LINE_END.search(held, looked)) is not None:
            yield bytes(held[: end.start()])
            del held[: end.end()]
            looked = 0
        if len(held) > MOST_EVENT_BYTES:
            yield bytes(held)
            return
    if held:
        yield bytes(held).rstrip(b"\r")


def _shape(line: bytes) -> Shape:
    head = line.lstrip()[:256]
    if head[:1] in (b"{", b"["):
        return "json"
    if head[:1] == b"<":
        return "page"
    return "events" if re.match(rb"(?:data|event|id|retry)?\s*:", head, re.IGNORECASE) else "other"


def _read(data: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(data.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    if isinstance(found, list) and len(found) == 1:
        found = found[0]
    return found if isinstance(found, dict) else None


def _beginning(data: bytes) -> bytes:
    """The text of an event that is too long, as far as it is looked at, as an event."""
    delta: dict[str, str] = {}
    for name, text in _TEXT.findall(data):
        said = _HALF_ESCAPE.sub("", text.decode("utf-8", "replace"))
        with contextlib.suppress(ValueError):
            delta.setdefault("content" if name == b"text" else name.decode(), json.loads(f'"{said}"', strict=False))
    return json.dumps(_chunk(delta, None)).encode()


def _event(data: bytes, exchange: Exchange) -> Iterator[bytes]:
    event = _read(data)
    if event is None:
        exchange.broken = exchange.shape == "json" or data.lstrip()[:1] in (b"{", b"[") or not data.isascii()
        return
    progress = event.get("prompt_progress")  # llama.cpp, when asked for with return_progress
    if isinstance(progress, dict):
        with contextlib.suppress(KeyError, TypeError, ValueError):
            exchange.on_progress(int(progress["processed"]), int(progress["total"]))
    choices = event.get("choices")
    choices = choices if isinstance(choices, list) else [choices]
    choice = next((one for one in choices if isinstance(one, dict) and not one.get("index")), None)
    if _wrong(event, choice):
        exchange.broken, exchange.refusal = True, json.dumps({**event, **(choice or {})}, ensure_ascii=False)[:MOST_ERROR_BYTES]
        return
    if choice is None:
        if _said_of_it(event):
            exchange.refusal = json.dumps(event, ensure_ascii=False)[:MOST_ERROR_BYTES]
        if exchange.shape == "json" and not isinstance(event.get("choices"), list):  # of something else
            exchange.broken, exchange.shape = True, "other"
        return
    piece, whole = choice.get("delta") or {"content": choice.get("text")}, choice.get("message")
    delta = _delta(piece if isinstance(piece, dict) else {"content": piece}, exchange)
    exchange.in_pieces = exchange.in_pieces or bool(delta)
    for name, text in (_delta(whole if isinstance(whole, dict) else {"content": whole}, exchange) if whole else {}).items():
        told = exchange.told.get(name, "") + delta.get(name, "")
        delta[name] = delta.get(name, "") + _not_told(text, told, in_pieces=exchange.in_pieces)
    for name, text in delta.items():
        exchange.told[name] = exchange.told.get(name, "") + text
    if any(delta.values()):
        yield json.dumps(_chunk(delta, None)).encode()
    _finish(choice.get("finish_reason"), exchange)


def _wrong(event: Mapping[str, Any], choice: Mapping[str, Any] | None) -> bool:
    """Whether an event tells of an error, wherever it does."""
    if event.get("error") or (choice or {}).get("error"):
        return True
    if choice is not None:
        return False
    if any(event.get(name) for name in ("errors", "detail", "error_msg", "promptFeedback")):
        return True
    marked = "error" in (event.get("object"), event.get("type")) or event.get("success") is False or event.get("code") not in (None, 0, 200)
    return marked and _said_of_it(event)


def _said_of_it(event: Mapping[str, Any]) -> bool:
    return any(isinstance(event.get(name), str) and event[name] for name in ("message", "msg"))


def _not_told(whole: str, told: str, *, in_pieces: bool) -> str:
    """What of a message was not told by the pieces before it. in_pieces: there were some, so that it says them again; else it may be a piece itself."""
    if whole.lstrip().startswith(told.lstrip()):
        return whole[len(whole) - len(whole.lstrip()) + len(told.lstrip()) :] if told.strip() else whole
    return "" if in_pieces and told.strip() else whole


def _delta(said: Mapping[str, Any], exchange: Exchange) -> dict[str, str]:
    more = said.get("provider_specific_fields")
    said = {**more, **said} if isinstance(more, dict) else said
    exchange.called = exchange.called or bool(said.get("tool_calls") or said.get("function_call"))
    words, thought = _texts(said.get("content"))
    words = words or _texts(said.get("refusal"))[0]
    apart = next((text for name in _THOUGHTS if (text := "".join(_texts(said.get(name))))), "")
    found = {"content": words, "reasoning_content": thought or apart}
    return {name: text for name, text in found.items() if text}


def _texts(content: object) -> tuple[str, str]:
    """The words and the thoughts of content, which is a text or a list of parts."""
    if isinstance(content, str):
        return content, ""
    if isinstance(content, Mapping):
        content = [content]
    if not isinstance(content, list):
        return "", ""
    words, thoughts = "", ""
    for part in content:
        if isinstance(part, str):
            words += part
        elif isinstance(part, Mapping):
            thinks = "think" in str(part.get("type")) or "reason" in str(part.get("type"))
            text = next(
                (
                    "".join(_texts(part[name]))
                    for name in ("text", "thinking", "content", "reasoning", "summary", "value")
                    if part.get(name)
                ),
                "",
            )
            words, thoughts = (words, thoughts + text) if thinks else (words + text, thoughts)
    return words, thoughts


def _finish(reason: object, exchange: Exchange) -> None:
    if not reason or not isinstance(reason, str):
        return
    if _BROKEN.search(reason):
        exchange.broken = True
    elif _LENGTH.search(reason):
        exchange.finish = "length"
    elif _FILTER.search(reason):
        exchange.finish = "filter"
    elif _TOOLS.search(reason):
        exchange.finish, exchange.called = "tools", True
    else:
        exchange.finish = exchange.finish or "stop"


def _chunk(delta: Mapping[str, str], finish: str | None) -> dict[str, Any]:
    choice = {"index": 0, "delta": {"role": "assistant", **delta}, "finish_reason": finish}
    return {"id": "reply", "object": "chat.completion.chunk", "created": 0, "model": "model", "choices": [choice]}
