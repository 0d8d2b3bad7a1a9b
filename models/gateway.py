"""Any LiteLLM model as a `ChatModel`."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from models.chat_model import ChatMessage, ChatModel, OnProgress
from models.gateway_errors import ModelAddress
from models.gateway_stream import GatewayStream, Opened, Reading
from models.reply_text import readable
from settings import Settings

COUNT_CACHE = 4096
"""Texts whose token count is remembered: the blocks and messages of a turn are counted dozens of times."""
COUNT_SLICE = 4_000
"""Characters counted in one call; the tokenizer's time grows with the square of a text without spaces."""

_importing = threading.Lock()
_litellm: Any = None


def litellm() -> Any:
    """The library, imported when first asked for (about 2.5 s) and told to keep quiet: nothing printed, nothing logged, no content kept."""
    global _litellm
    with _importing:
        if _litellm is None:
            import litellm as library

            library.suppress_debug_info = True
            library.drop_params = True
            library.turn_off_message_logging = True
            library.disable_streaming_logging = True
            library.telemetry = False
            _litellm = library
        return _litellm


class LiteLLMModel(ChatModel):
    """A chat model by its LiteLLM string (`openai/my-model`, `ollama_chat/qwen3`, `anthropic/...`). Reaches nothing before the first reply."""

    default_temperature = 0.7

    def __init__(self, settings: Settings, *, model: str, name: str) -> None:
        self.name = name
        self.context_tokens = settings.chat_context_tokens
        self.reply_tokens = settings.chat_reply_tokens
        self._model = model
        self._base = settings.chat_api_base
        self._key = settings.chat_api_key
        self._timeout_s = settings.chat_timeout_s
        self._retries = settings.chat_retries
        self._temperature = self.default_temperature if settings.chat_temperature is None else settings.chat_temperature
        self._count = lru_cache(COUNT_CACHE)(self._counted)

    @classmethod
    def from_settings(cls, settings: Settings) -> LiteLLMModel:
        """The model that `settings.chat_model` names."""
        return cls(settings, model=settings.chat_model, name=settings.chat_model)

    def stream(self, messages: Sequence[ChatMessage], *, cancel: threading.Event, on_progress: OnProgress | None = None) -> GatewayStream:
        said = [{"role": message.role, "content": readable(message.content)} for message in messages]
        reading = Reading(
            lambda over: self._open(said, over),
            address=ModelAddress.of(self.name, self._base),
            cancel=cancel,
            timeout_s=self._timeout_s,
            retries=self._retries,
            reply_tokens=self.reply_tokens,
        )
        return GatewayStream(reading, on_progress)

    def count_tokens(self, text: str) -> int:
        """LiteLLM's count for the model once the library is loaded (exact where it knows the tokenizer, else of OpenAI's). Before that `estimate`."""
        return self._count(text) if _litellm is not None else estimate(text)

    def warm(self) -> None:
        litellm()

    def _counted(self, text: str) -> int:
        return sum(
            int(litellm().token_counter(model=self._model, text=text[start : start + COUNT_SLICE]))
            for start in range(0, len(text), COUNT_SLICE)
        )

    def _open(self, messages: list[dict[str, str]], over: Callable[[], bool]) -> Opened:
        """One request, without retries; blocks until the endpoint answers. over: whether nobody waits any more. Raises LiteLLM's exceptions or a ModelError."""
        return Opened(litellm().completion(**self._request(messages)))

    def _request(self, messages: list[dict[str, str]]) -> dict[str, Any]:
        request: dict[str, Any] = {
            "model": self._model,
            "messages": messages,
            "stream": True,
            "max_tokens": self.reply_tokens,
            "temperature": self._temperature,
            # LiteLLM's own defaults: 6,000 s, and retries of several layers that multiply (7 requests to one dead endpoint).
            "timeout": self._timeout_s,
            "stream_timeout": self._timeout_s,
            "max_retries": 0,
            "num_retries": 0,
        }
        if self._base is not None:
            # Without a key of ours LiteLLM would send OPENAI_API_KEY of the environment to an address that it is not for.
            request["api_base"] = self._base
            request["api_key"] = "none"
        if self._key is not None:
            request["api_key"] = self._key.get_secret_value()
        return request


def estimate(text: str) -> int:
    """Tokens of a text at most, without a tokenizer: its UTF-8 bytes for what is not ASCII, a third of the letters of each ASCII word (rounded up), one
    for every other character but single spaces.

    Byte-level tokenizers never need more than a token a byte; English words take about a quarter of their letters. It over-counts prose by a third or
    more; only strings of random letters or digits can need more than it says.
    """
    total = word = 0
    for character in text:
        if character.isascii() and character.isalpha():
            word += 1
            continue
        total += -(-word // 3)
        word = 0
        if character != " ":
            total += len(character.encode("utf-8", "replace"))
    return total + -(-word // 3)
