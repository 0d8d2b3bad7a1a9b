"""One reply through LiteLLM: a thread that reads the blocking stream, and the iterator that waits for it no longer than a cancel allows."""

from __future__ import annotations

import contextlib
import inspect
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import Any

import httpx

from models.chat_model import OnProgress, ReplyStream
from models.errors import ModelError
from models.gateway_errors import ModelAddress, broke_off, filtered, model_error, only_thought, timed_out, worth_retrying
from models.reply_text import ReplyText, readable
from models.thoughts import Heard, ThoughtFilter
from threads import Threads

POLL_S = 0.05
"""How soon a waiting iterator notices its cancel event."""
BACKOFF_S = 0.5
"""Before the first retry; twice as long before each further one."""
MAX_TOKEN_CHARS = 32
"""An endpoint that ignores the token limit is cut after this many characters for each token asked for: none of a real vocabulary is longer on average."""

_READERS = Threads("model-reply", most=256)
"""Read what endpoints answer: a thread that waits for a dead one keeps none from the others."""


@dataclass(frozen=True)
class Progress:
    """Prompt tokens read and in all."""

    read: int
    total: int


@dataclass(frozen=True)
class End:
    """How a reply ended: a finish reason or an error."""

    reason: str | None
    error: ModelError | None = None


@dataclass(frozen=True)
class Thought:
    """What the model thinks aloud. withdrawn: so were the pieces before it."""

    text: str
    withdrawn: bool = False


Event = str | Progress | Thought | End


class Opened:
    """A LiteLLM stream that can be hung up from another thread, and whose raw chunks are seen.

    LiteLLM drops what it does not know from a chunk, so the provider's own stream under it is wrapped: each chunk that it yields passes `on_chunk` first.
    """

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self._raw = stream.completion_stream
        self.on_chunk: Callable[[Any], None] = lambda chunk: None
        if hasattr(self._raw, "__next__"):
            stream.completion_stream = self._observed()

    def __iter__(self) -> Iterator[Any]:
        return iter(self._stream)

    @property
    def finished(self) -> bool:
        """Whether the provider itself said that the reply is over; LiteLLM says `stop` for a connection cut midway too."""
        return bool(self._stream.received_finish_reason or self._stream.intermittent_finish_reason)

    def _observed(self) -> Iterator[Any]:
        for chunk in self._raw:
            self.on_chunk(chunk)
            yield chunk

    def hang_up(self) -> None:
        """End the request now, so that the server stops working on it. Closing alone does not wake a thread that waits in a read."""
        response = _response(self._raw)
        connection = response.extensions.get("network_stream") if response is not None else None
        wire = connection.get_extra_info("socket") if connection is not None else None
        if wire is not None:
            try:
                wire.shutdown(socket.SHUT_RDWR)
            except OSError:
                return  # already closed by the other side

    def close(self) -> None:
        """Give the connection back, in the reading thread when it has left the stream.

        A response that is left open is closed by the garbage collector, and that may run in a thread that is just inside httpcore's connection pool: it
        then waits for a lock that it holds itself, and every later request waits with it.
        """
        response = _response(self._raw)
        if response is not None:
            with contextlib.suppress(httpx.HTTPError, OSError, RuntimeError):
                response.close()

    def done(self) -> None:
        """Called by the reading thread after `close`, however the stream ended."""


def _response(raw: Any) -> httpx.Response | None:
    """The HTTP response under a provider's stream; None if it has none that we know of: then the reading thread leaves at its next chunk.

    OpenAI's stream has it as `response`. LiteLLM's own iterators keep only the generator `response.iter_lines()`, whose local `self` it is.
    """
    response = getattr(raw, "response", None)
    lines = getattr(raw, "streaming_response", None)
    if response is None and inspect.isgenerator(lines):
        response = inspect.getgeneratorlocals(lines).get("self")
    return response if isinstance(response, httpx.Response) else None


@dataclass
class Reading:
    """What the reading thread does and shares with its iterator.

    open: one request, given how to ask whether it is still wanted; raises anything. retries: further attempts before the first piece.
    """

    open: Callable[[Callable[[], bool]], Opened]
    address: ModelAddress
    cancel: threading.Event
    timeout_s: float
    retries: int
    reply_tokens: int
    events: SimpleQueue[Event] = field(default_factory=SimpleQueue)
    heard_at: float = field(default_factory=time.monotonic)
    """When the endpoint last gave a sign of life, of time.monotonic()."""
    begun: bool = False
    """Whether a piece has come."""
    _left: threading.Event = field(default_factory=threading.Event)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _opened: Opened | None = None
    _said: bool = False
    _thought: bool = False

    def start(self) -> None:
        _READERS.begin(self._run)

    def leave(self) -> None:
        """End the request; the thread ends soon after. From any thread, any number of times."""
        self._left.set()
        with self._lock:
            opened, self._opened = self._opened, None
        if opened is not None:
            opened.hang_up()

    def over(self) -> bool:
        """Whether nobody waits for the reply any more."""
        return self.cancel.is_set() or self._left.is_set()

    def _run(self) -> None:
        for attempt in range(self.retries + 1):
            self.heard_at = time.monotonic()
            try:
                end = self._attempt()
            except Exception as error:  # noqa: BLE001 - every provider raises its own; all become one of ours
                end = End(None, model_error(error, self.address, begun=self.begun, timeout_s=self.timeout_s))
            if self.over():
                return
            retry = end.error is not None and not self.begun and worth_retrying(end.error) and attempt < self.retries
            if not retry:
                self.events.put(end)
                return
            pause = BACKOFF_S * 2**attempt
            self.heard_at = time.monotonic() + pause
            if self.cancel.wait(pause) or self.over():
                return

    def _attempt(self) -> End:
        opened = self.open(self.over)
        opened.on_chunk = self._notice
        with self._lock:
            self._opened = opened
        try:
            return self._read(opened)
        finally:
            with self._lock:
                self._opened = None
            opened.close()
            opened.done()

    def _read(self, opened: Opened) -> End:
        if self.over():  # cancelled while the request was being made
            opened.hang_up()
            return End("cancelled")
        text, thoughts, said, reason = ReplyText(), ThoughtFilter(), 0, None
        for chunk in opened:
            if self.over():
                opened.hang_up()
                return End("cancelled")
            self.heard_at = time.monotonic()
            if not chunk.choices:
                continue
            choice = chunk.choices[0]
            reason = choice.finish_reason or reason
            piece, apart = choice.delta.content or "", getattr(choice.delta, "reasoning_content", None) or ""
            said += len(piece) + len(apart)
            self._think(apart)
            text = self._hear(text, thoughts.feed(piece))
            if said > self.reply_tokens * MAX_TOKEN_CHARS:
                opened.hang_up()
                reason = "length"
                break
        text = self._hear(text, thoughts.end())
        self._say(text.end())
        if reason != "length" and not opened.finished:
            return End(None, broke_off(self.address))
        if reason == "content_filter":
            return End(None, filtered(self.address))
        if self._thought and not self._said:
            return End(None, only_thought(self.address, self.reply_tokens))
        return End("length" if reason == "length" else "stop")

    def _hear(self, text: ReplyText, heard: Heard) -> ReplyText:
        """What is held of the reply after this."""
        if heard.withdrawn:
            text, self._said = ReplyText(), False
        self._think(heard.thought, withdrawn=heard.withdrawn)
        self._say(text.feed(heard.said))
        return text

    def _think(self, thought: str, *, withdrawn: bool = False) -> None:
        if thought or withdrawn:
            self.begun = self._thought = True
            self.events.put(Thought(readable(thought), withdrawn))

    def _say(self, piece: str) -> None:
        if piece:
            self.begun = True
            self._said = self._said or not piece.isspace()
            self.events.put(piece)

    def _notice(self, chunk: Any) -> None:
        self.heard_at = time.monotonic()
        progress = getattr(chunk, "prompt_progress", None)  # llama.cpp, when asked for with return_progress
        if isinstance(progress, dict):
            self.events.put(Progress(int(progress["processed"]), int(progress["total"])))


class GatewayStream(ReplyStream):
    """The iterator. Progress is told in the thread that iterates."""

    def __init__(self, reading: Reading, on_progress: OnProgress | None) -> None:
        self._reading = reading
        self._on_progress = on_progress
        self._ended = False
        reading.start()

    def __next__(self) -> str:
        while not self._ended:
            if self._reading.cancel.is_set():
                self._end("cancelled")
                break
            try:
                event = self._reading.events.get(timeout=POLL_S)
            except Empty:
                self._check_silence()
                continue
            if isinstance(event, str):
                return event
            if isinstance(event, Thought):
                if event.withdrawn:
                    self.on_withdrawn()
                self.on_thought(event.text)
                continue
            if isinstance(event, Progress):
                if self._on_progress is not None:
                    self._on_progress(event.read, event.total)
                continue
            self._end(event.reason)
            if event.error is not None:
                raise event.error
        raise StopIteration

    def close(self) -> None:
        if not self._ended:
            self._end("stop")

    def _check_silence(self) -> None:
        reading = self._reading
        if time.monotonic() - reading.heard_at > reading.timeout_s and reading.events.empty():
            self._end(None)
            raise timed_out(reading.address, reading.timeout_s, begun=reading.begun)

    def _end(self, reason: str | None) -> None:
        self._ended = True
        self.finish_reason = reason
        self._reading.leave()

    def __del__(self) -> None:
        # An iterator that is dropped halfway must not leave the model working for nobody.
        if not self._ended:
            self._reading.leave()
