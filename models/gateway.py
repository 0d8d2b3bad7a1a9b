"""Any LiteLLM model as a `ChatModel`."""

from __future__ import annotations

import copy
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Self

import httpx
from pydantic import SecretStr

from models.chat_model import ChatMessage, ChatModel, Form, OnProgress
from models.gateway_errors import ModelAddress
from models.gateway_stream import GatewayStream, Opened, Reading
from models.reach import computes_here
from models.reply_text import readable
from models.sampling import UNCHANGED, Sampling
from settings import Settings

COUNT_CACHE = 4096
"""Texts whose token count is remembered: the blocks and messages of a turn are counted dozens of times."""
COUNT_SLICE = 4_000
"""Characters counted in one call; the tokenizer's time grows with the square of a text without spaces."""

SENT = ("top_p", "presence_penalty", "frequency_penalty")
"""Of a sampling what is sent to any endpoint under its own name."""

_importing = threading.Lock()
_litellm: Any = None


def litellm() -> Any:
    """The library, imported when first asked for (about 2.5 s) and told to keep quiet: nothing printed, nothing logged, no content kept."""
    global _litellm
    with _importing:
        if _litellm is None:
            import litellm as library
            from litellm.llms.custom_httpx.http_handler import HTTPHandler

            library.suppress_debug_info = True
            library.drop_params = True
            library.turn_off_message_logging = True
            library.disable_streaming_logging = True
            library.telemetry = False
            # A redirect would take the key, in whatever header, and what was said to another address than the one that was entered.
            library.client_session = httpx.Client(follow_redirects=False)
            made = HTTPHandler.create_client

            def without_redirects(self: HTTPHandler) -> httpx.Client:
                client: httpx.Client = made(self)
                client.follow_redirects = False
                return client

            HTTPHandler.create_client = without_redirects
            _litellm = library
        return _litellm


@dataclass(frozen=True)
class Endpoint:
    """Where a model is reached and how it is asked. role: whose settings an error names, empty for none; base: None for a provider's own address."""

    role: str
    model: str
    """LiteLLM's string."""
    name: str
    """As it is shown."""
    base: str | None
    key: SecretStr | None
    timeout_s: float
    retries: int
    context_tokens: int
    reply_tokens: int
    temperature: float
    sampling: Sampling = UNCHANGED
    """What was chosen beside that, and before it."""

    @classmethod
    def of_chat(cls, settings: Settings, *, model: str = "", name: str = "", temperature: float = 0.7) -> Endpoint:
        """As the settings of the chat model say. temperature: where they say none."""
        return cls(
            role="chat",
            model=model or settings.chat_model,
            name=name or settings.chat_model,
            base=settings.chat_api_base,
            key=settings.chat_api_key,
            timeout_s=settings.chat_timeout_s,
            retries=settings.chat_retries,
            context_tokens=settings.chat_context_tokens,
            reply_tokens=settings.chat_reply_tokens,
            temperature=temperature if settings.chat_temperature is None else settings.chat_temperature,
        )

    @classmethod
    def of_memory(cls, settings: Settings) -> Endpoint:
        """As the settings of the memory model say; always the likeliest words, so that the same text gives the same memory where a model can."""
        return cls(
            role="memory",
            model=settings.memory_model,
            name=settings.memory_model,
            base=settings.memory_api_base,
            key=settings.memory_api_key,
            timeout_s=settings.memory_timeout_s,
            retries=settings.memory_retries,
            context_tokens=settings.memory_context_tokens,
            reply_tokens=settings.memory_answer_tokens,
            temperature=0.0,
        )

    @classmethod
    def of_judge(cls, settings: Settings) -> Endpoint:
        """As the settings of the judge say; always the likeliest words."""
        return cls(
            role="judge",
            model=settings.judge_model,
            name=settings.judge_model,
            base=settings.judge_api_base,
            key=settings.judge_api_key,
            timeout_s=settings.judge_timeout_s,
            retries=settings.judge_retries,
            context_tokens=settings.judge_context_tokens,
            reply_tokens=512,
            temperature=0.0,
        )


class LiteLLMModel(ChatModel):
    """A model by its LiteLLM string (`openai/my-model`, `ollama_chat/qwen3`, `anthropic/...`). Reaches nothing before the first reply."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.name = endpoint.name
        self.context_tokens = endpoint.context_tokens
        self.reply_tokens = endpoint.reply_tokens
        self.here = computes_here(endpoint.model, endpoint.base)
        self._endpoint = endpoint
        self._count = lru_cache(COUNT_CACHE)(self._counted)

    @classmethod
    def from_settings(cls, settings: Settings) -> LiteLLMModel:
        """The model that `settings.chat_model` names."""
        return cls(Endpoint.of_chat(settings))

    def sampled(self, sampling: Sampling) -> Self:
        """It shares everything with this one but how it draws its words."""
        if sampling == UNCHANGED:
            return self
        like = copy.copy(self)
        like._endpoint = replace(self._endpoint, sampling=sampling)
        if sampling.max_tokens is not None:
            like.reply_tokens = min(sampling.max_tokens, self.context_tokens // 2)
        return like

    def stream(
        self, messages: Sequence[ChatMessage], *, cancel: threading.Event, on_progress: OnProgress | None = None, form: Form | None = None
    ) -> GatewayStream:
        said = [{"role": message.role, "content": readable(message.content)} for message in messages]
        reading = Reading(
            lambda over: self._open(said, over, form),
            address=ModelAddress.of(self.name, self._endpoint.base, self._endpoint.role),
            cancel=cancel,
            timeout_s=self._endpoint.timeout_s,
            retries=self._endpoint.retries,
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
            int(litellm().token_counter(model=self._endpoint.model, text=text[start : start + COUNT_SLICE]))
            for start in range(0, len(text), COUNT_SLICE)
        )

    def _open(self, messages: list[dict[str, str]], over: Callable[[], bool], form: Form | None) -> Opened:
        """One request, without retries; blocks until the endpoint answers. over: whether nobody waits any more. Raises LiteLLM's exceptions or a ModelError."""
        request = self._request(messages)
        if form is not None:
            request["response_format"] = response_format(form)
        return Opened(litellm().completion(**request))

    def _request(self, messages: list[dict[str, str]]) -> dict[str, Any]:
        chosen = self._endpoint.sampling
        request: dict[str, Any] = {
            "model": self._endpoint.model,
            "messages": messages,
            "stream": True,
            "max_tokens": self.reply_tokens,
            "temperature": self._endpoint.temperature if chosen.temperature is None else chosen.temperature,
            **{name: value for name in SENT if (value := getattr(chosen, name)) is not None},
            # LiteLLM's own defaults: 6,000 s, and retries of several layers that multiply (7 requests to one dead endpoint).
            "timeout": self._endpoint.timeout_s,
            "stream_timeout": self._endpoint.timeout_s,
            "max_retries": 0,
            "num_retries": 0,
        }
        if self._endpoint.base is not None:
            # Without a key of ours LiteLLM would send OPENAI_API_KEY of the environment to an address that it is not for.
            request["api_base"] = self._endpoint.base
            request["api_key"] = "none"
        if self._endpoint.key is not None:
            request["api_key"] = self._endpoint.key.get_secret_value()
        return request


def response_format(form: Form) -> dict[str, Any]:
    """A JSON schema, as OpenAI's protocol asks for it."""
    return {"type": "json_schema", "json_schema": {"name": "answer", "schema": dict(form)}}


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
