"""Trying a model: one short real request, how fast it was answered, and whether answers can be had as JSON, which memory needs."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, Field

from models.chat_model import ChatMessage, ChatModel
from models.errors import ModelError
from models.gateway import litellm
from models.structured import AnswerUnreadable, StructuredModel

LIMIT_S = 90.0
"""Of both requests together: a model in a file may have to be loaded first."""
SHOWN_CHARS = 300
"""Of the answer; then the request is hung up."""
_ASKED = "Say good evening to a traveller who comes in from the rain, in one short sentence."
_FORMED = 'Answer with JSON and nothing else: {"colour": the colour of grass, as one word, "legs": the number of legs of a horse}.'

Json = Literal["", "schema", "text", "no"]
"""Not tried; asked for by a schema; only by words, as the endpoint refuses schemas; not to be had."""


@dataclass(frozen=True)
class Trial:
    """fault: one of models.errors.FAULTS, empty where it answered; detail: the fault in plain English; tokens_per_s: of the answer after its first piece."""

    fault: str = ""
    detail: str = ""
    answer: str = ""
    first_ms: float = 0.0
    tokens_per_s: float = 0.0
    json: Json = ""


class _Formed(BaseModel):
    colour: str = Field(min_length=1, max_length=40)
    legs: int


def trial(model: ChatModel, *, limit_s: float = LIMIT_S) -> Trial:
    """What came of trying a model. Never raises what a model raises."""
    litellm()  # seconds at the first time, which are not the model's
    over = threading.Event()
    timer = threading.Timer(limit_s, over.set)
    timer.daemon = True
    timer.start()
    try:
        spoken = _spoken(model, over, limit_s)
        return spoken if spoken.fault else Trial(**{**vars(spoken), "json": _formed(model, over)})
    finally:
        timer.cancel()
        over.set()


def _spoken(model: ChatModel, over: threading.Event, limit_s: float) -> Trial:
    began = time.monotonic()
    first = 0.0
    pieces: list[str] = []
    stream = model.stream([ChatMessage("user", _ASKED)], cancel=over)

    def withdraw() -> None:  # what was thought is no answer, nor its time
        nonlocal first
        pieces.clear()
        first = 0.0

    stream.on_withdrawn = withdraw
    try:
        for piece in stream:
            first = first or time.monotonic() - began
            pieces.append(piece)
            if sum(map(len, pieces)) >= SHOWN_CHARS:
                break
    except ModelError as error:
        said = error.params.get("said")
        return Trial(fault=error.reason or "failed", detail=f"{error} It says: “{said}”" if said else str(error))
    finally:
        del stream  # hangs up where more would come
    if over.is_set():
        return Trial(fault="timeout", detail=f"{model.name} had not answered after {limit_s:.0f} s.")
    text = "".join(pieces)
    if not text.strip():
        return Trial(fault="empty", detail=f"{model.name} answered with nothing.")
    after = time.monotonic() - began - first
    rate = model.count_tokens(text) / after if after > 0.05 else 0.0
    return Trial(answer=text.strip()[:SHOWN_CHARS], first_ms=first * 1000, tokens_per_s=rate)


class _Over(Exception):
    """The time for trying is over."""


def _formed(model: ChatModel, over: threading.Event) -> Json:
    asked = StructuredModel(model)

    def look() -> None:
        if over.is_set():
            raise _Over

    try:
        asked.ask([ChatMessage("user", _FORMED)], _Formed, purpose="trial", on_call=lambda _: None, on_piece=look, cancel=over)
    except (ModelError, AnswerUnreadable, _Over):
        return "no"
    return "schema" if asked.takes_schemas else "text"
