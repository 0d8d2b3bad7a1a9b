"""One reply through LiteLLM: a thread that reads the blocking stream, and the iterator that waits for it no longer than a cancel allows."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import Any, Protocol

from models.chat_model import OnProgress, ReplyStream
from models.errors import ModelError
from models.gateway_errors import (
    ModelAddress,
    broken,
    filtered,
    model_error,
    only_thought,
    timed_out,
    too_long,
    without_words,
    worth_retrying,
)
from models.reply_text import ReplyText, Turn, readable
from models.thoughts import Heard, ThoughtFilter
from models.wire import Exchange, exchanging
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


class Asking(Protocol):
    """One reply as it is asked for, again and again if need be."""

    def open(self, exchange: Exchange, over: Callable[[], bool], asked: Callable[[], None]) -> Any:
        """One request, without retries; blocks until the endpoint answers, and gives LiteLLM's stream. over: whether it is no longer wanted; asked: called when it
        goes out. Raises anything."""

    def exchange(self) -> Exchange:
        """For the next request."""

    def learn(self, exchange: Exchange) -> bool:
        """Whether what was refused can be asked in another way, and is from now on."""

    def taken(self) -> None:
        """The server answers what was asked: what was learned holds."""

    def why(self, exchange: Exchange) -> str:
        """What the server says of its refusal, as it may be shown."""


@dataclass
class Reading:
    """What the reading thread does and shares with its iterator.

    retries: further attempts before the first piece; timeout_s: of silence; longest_s: of the whole reply.
    """

    asking: Asking
    address: ModelAddress
    cancel: threading.Event
    timeout_s: float
    longest_s: float
    retries: int
    reply_tokens: int
    events: SimpleQueue[Event] = field(default_factory=SimpleQueue)
    heard_at: float = math.inf
    """When the endpoint was last asked or said a word, of time.monotonic(). What says nothing (empty pieces, signs of life) is silence."""
    ends_at: float = math.inf
    begun: bool = False
    """Whether a piece has come."""
    _left: threading.Event = field(default_factory=threading.Event)
    _exchange: Exchange | None = None
    _said: bool = False
    _thought: bool = False
    _read_tokens: int = -1
    _text: ReplyText = field(default_factory=ReplyText)
    _turn: Turn = field(default_factory=Turn)

    def start(self) -> None:
        _READERS.begin(self._run)

    def leave(self) -> None:
        """End the request; the thread ends soon after. From any thread, any number of times."""
        self._left.set()
        if (exchange := self._exchange) is not None:
            exchange.hang_up()

    def over(self) -> bool:
        """Whether nobody waits for the reply any more."""
        return self.cancel.is_set() or self._left.is_set()

    def _run(self) -> None:
        attempt, taught = 0, False
        while True:
            exchange = self.asking.exchange()
            exchange.on_progress = self._progress
            try:
                end = self._attempt(exchange)
            except Exception as error:  # noqa: BLE001 - every provider raises its own; all become one of ours
                end = End(None, model_error(error, self.address, exchange, begun=self.begun, timeout_s=self.timeout_s))
            if self.over():
                return
            if end.error is not None and not self.begun:
                if self.asking.learn(exchange):
                    taught = True
                    continue
                if taught and worth_retrying(end.error):  # whoever refuses may close the connection that the next request was just put on
                    taught = False
                    continue
                if said := self.asking.why(exchange):
                    end.error.params["said"] = said
                if worth_retrying(end.error) and attempt < self.retries:
                    pause = BACKOFF_S * 2**attempt
                    attempt += 1
                    self.heard_at = time.monotonic() + pause
                    if self.cancel.wait(pause) or self.over():
                        return
                    continue
            self.events.put(end)
            return

    def _attempt(self, exchange: Exchange) -> End:
        self._exchange = exchange
        try:
            with exchanging(exchange):
                chunks = self.asking.open(exchange, self.over, self.asked)
                if self.over():  # cancelled while the request was being made
                    exchange.hang_up()
                    return End("cancelled")
                return self._read(chunks, exchange)
        finally:
            self._exchange = None
            exchange.close()

    def asked(self) -> None:
        """The request goes out now; what was loaded before is no silence of the endpoint's."""
        self.heard_at = time.monotonic()
        self.ends_at = min(self.ends_at, self.heard_at + self.longest_s)

    def _read(self, chunks: Any, exchange: Exchange) -> End:
        thoughts, left, reason = ThoughtFilter(), self.reply_tokens * MAX_TOKEN_CHARS, ""
        self._text, self._turn = ReplyText(), Turn()
        for chunk in chunks:
            if self.over():
                exchange.hang_up()
                return End("cancelled")
            if not chunk.choices:
                continue
            choice = chunk.choices[0]
            reason = choice.finish_reason or reason
            apart, piece = getattr(choice.delta, "reasoning_content", None) or "", choice.delta.content or ""
            self._think(apart[:left])
            left -= len(apart)
            self._hear(thoughts.feed(piece[: max(0, left)]))
            left -= len(piece)
            if self._turn.over:
                exchange.hang_up()
                exchange.finish = exchange.finish or "stop"
                exchange.done = True
                break
            if left < 0:
                exchange.hang_up()
                exchange.finish, exchange.done = "length", True
                break
        self._hear(thoughts.end())
        self._say(self._text.feed(self._turn.end()) + self._text.end())
        finish = exchange.finish or {"length": "length", "content_filter": "filter", "tool_calls": "tools"}.get(reason, "stop")
        # LiteLLM says `stop` for a connection that was cut midway too.
        ended = exchange.done or exchange.finish or (not exchange.regular and _finished(chunks))
        if exchange.broken or not ended:
            return End(None, broken(self.address, exchange, begun=self.begun))
        if finish == "filter":
            return End(None, filtered(self.address, begun=self._said))
        if not self._said:
            return End(None, self._nothing(exchange, finish))
        self.asking.taken()
        return End("length" if finish == "length" else "stop")

    def _nothing(self, exchange: Exchange, finish: str) -> ModelError:
        """Why a reply without a word is none."""
        if self._thought:
            return only_thought(self.address, self.reply_tokens)
        return without_words(self.address, called=exchange.called or finish == "tools", cut=finish == "length")

    def _hear(self, heard: Heard) -> None:
        if heard.withdrawn:
            self._text, self._turn, self._said = ReplyText(), Turn(), False
        self._think(heard.thought, withdrawn=heard.withdrawn)
        self._say(self._text.feed(self._turn.feed(heard.said)))

    def _think(self, thought: str, *, withdrawn: bool = False) -> None:
        if thought or withdrawn:
            self._begin(thought)
            self._thought = True
            self.events.put(Thought(readable(thought), withdrawn))

    def _say(self, piece: str) -> None:
        if piece:
            self._begin(piece)
            self._said = self._said or not piece.isspace()
            self.events.put(piece)

    def _begin(self, words: str) -> None:
        if words and not words.isspace():
            self.begun = True
            self.heard_at = time.monotonic()

    def _progress(self, read: int, total: int) -> None:
        if read > self._read_tokens:
            self._read_tokens, self.heard_at = read, time.monotonic()
            self.events.put(Progress(read, total))


def _finished(chunks: Any) -> bool:
    """Whether a provider with a protocol of its own said that the reply is over."""
    return bool(getattr(chunks, "received_finish_reason", None) or getattr(chunks, "intermittent_finish_reason", None))


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
            self._check_silence()
            try:
                event = self._reading.events.get(timeout=POLL_S)
            except Empty:
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
        reading, now = self._reading, time.monotonic()
        if now > reading.ends_at:
            self._end(None)
            raise too_long(reading.address, reading.longest_s)
        if now - reading.heard_at > reading.timeout_s and reading.events.empty():
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
