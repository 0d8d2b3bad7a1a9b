"""A scripted model, for tests and benches: answers and faults are enqueued, prompts are recorded."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from models.chat_model import ChatMessage, ChatModel, Form, OnProgress, ReplyStream

STEP_S = 0.01
"""How soon a waiting script notices that it is cancelled."""


@dataclass(frozen=True)
class Script:
    """One reply. before_s: silence while the prompt is "read"; between_s: after each piece; error: raised after the pieces; hangs: never ends by
    itself after the pieces."""

    pieces: Sequence[str] = ()
    before_s: float = 0.0
    between_s: float = 0.0
    error: Exception | None = None
    hangs: bool = False
    finish_reason: str = "stop"


class ScriptedModel(ChatModel):
    """Plays its scripts in order; with none left it repeats `otherwise`, or fails the test if there is none. here: whether it stands for one that computes on
    this machine."""

    def __init__(
        self, *scripts: Script, otherwise: Script | None = None, context_tokens: int = 2400, reply_tokens: int = 220, here: bool = True
    ) -> None:
        self.name = "scripted"
        self.here = here
        self.context_tokens = context_tokens
        self.reply_tokens = reply_tokens
        self.prompts: list[tuple[ChatMessage, ...]] = []
        self.forms: list[Form | None] = []
        self._scripts = deque(scripts)
        self._otherwise = otherwise

    @classmethod
    def endless(cls, pieces: Sequence[str]) -> ScriptedModel:
        return cls(otherwise=Script(tuple(pieces)))

    def enqueue(self, *scripts: Script) -> None:
        self._scripts.extend(scripts)

    def stream(
        self, messages: Sequence[ChatMessage], *, cancel: threading.Event, on_progress: OnProgress | None = None, form: Form | None = None
    ) -> ReplyStream:
        self.prompts.append(tuple(messages))
        self.forms.append(form)
        script = self._scripts.popleft() if self._scripts else self._otherwise
        if script is None:
            raise AssertionError("the script is at its end")
        return _Playing(script, cancel, on_progress)

    def count_tokens(self, text: str) -> int:
        """A word or a Chinese character is a token: near enough for budgets, and the same everywhere."""
        return sum(map(_tokens_of, text.split()))


@lru_cache(maxsize=1 << 14)
def _tokens_of(word: str) -> int:
    return max(1, sum(ord(c) > 0x2E80 for c in word))


@dataclass
class _Playing(ReplyStream):
    script: Script
    cancel: threading.Event
    on_progress: OnProgress | None
    finish_reason: str | None = None
    _play: Iterator[str] | None = field(default=None, repr=False)

    def __next__(self) -> str:
        if self._play is None:
            self._play = self._pieces()
        return next(self._play)

    def _pieces(self) -> Iterator[str]:
        script = self.script
        if self.on_progress:
            self.on_progress(0, 100)
        self.cancel.wait(script.before_s)
        if self.on_progress:
            self.on_progress(100, 100)
        for piece in script.pieces:
            if self.cancel.is_set():
                break
            yield piece
            self.cancel.wait(script.between_s)
        if script.error is not None and not self.cancel.is_set():
            raise script.error
        while script.hangs and not self.cancel.is_set():
            self.cancel.wait(STEP_S)
        self.finish_reason = "cancelled" if self.cancel.is_set() else script.finish_reason
