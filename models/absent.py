"""A model that was chosen and cannot be had: whoever asks it is told why, and nothing else answers in its place."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from models.chat_model import ChatMessage, ChatModel, Form, OnProgress, ReplyStream
from models.errors import ModelError
from models.gateway import estimate


class AbsentModel(ChatModel):
    """error: why."""

    def __init__(self, name: str, error: ModelError, *, context_tokens: int, reply_tokens: int) -> None:
        self.name = name
        self.context_tokens = context_tokens
        self.reply_tokens = reply_tokens
        self.error = error

    def stream(
        self, messages: Sequence[ChatMessage], *, cancel: threading.Event, on_progress: OnProgress | None = None, form: Form | None = None
    ) -> ReplyStream:
        return _Never(self.error)

    def count_tokens(self, text: str) -> int:
        return estimate(text)


class _Never(ReplyStream):
    def __init__(self, error: ModelError) -> None:
        self._error = error

    def __next__(self) -> str:
        raise type(self._error)(str(self._error), **self._error.params)
