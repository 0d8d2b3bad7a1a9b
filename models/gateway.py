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
from models.dialect import Dialect, Dialects, dialect_key, shaped, tokens_of, trimmed
from models.gateway_errors import ModelAddress
from models.gateway_stream import Asking, GatewayStream, Reading
from models.reach import computes_here
from models.refusals import MOST_LESSONS, Refusal, lessons
from models.reply_text import readable
from models.sampling import UNCHANGED, Sampling
from models.wire import Exchange, guarded
from settings import Settings

COUNT_CACHE = 4096
"""Texts whose token count is remembered: the blocks and messages of a turn are counted dozens of times."""
COUNT_SLICE = 4_000
"""Characters counted in one call; the tokenizer's time grows with the square of a text without spaces."""

LONGEST_S = 1800.0
"""Of one reply, however it trickles: the longest there is at five tokens a second."""

SENT = ("top_p", "presence_penalty", "frequency_penalty")
"""Of a sampling what is sent to any endpoint under its own name."""

VARIED_BY, VARIED_PENALTY = 0.3, 1.2
"""How much warmer a reply is drawn that is to differ from one that repeated itself; and the least penalty on what was said, where there is such a thing."""
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
            # Everything that goes out passes `models.wire`. A redirect is never followed: it would take the key, in whatever header, and what was said to
            # another address than the one that was entered.
            library.client_session = guarded(httpx.Client())
            made = HTTPHandler.create_client
            HTTPHandler.create_client = lambda handler: guarded(made(handler))
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
    longest_s: float = LONGEST_S
    file: str = ""
    """Of a model in a file the file's name, by which it is known."""

    @property
    def dialect_key(self) -> str:
        return dialect_key("file:" if self.file else self.base, self.file or self.model)

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
    """A model by its LiteLLM string (`openai/my-model`, `ollama_chat/qwen3`, `anthropic/...`). Reaches nothing before the first reply. dialects: what is known of
    how its server wants to be spoken to."""

    def __init__(self, endpoint: Endpoint, dialects: Dialects | None = None) -> None:
        self.name = endpoint.name
        self.here = computes_here(endpoint.model, endpoint.base)
        self.dialects = dialects or Dialects()
        self._endpoint = endpoint
        self._count = lru_cache(COUNT_CACHE)(self._counted)

    @classmethod
    def from_settings(cls, settings: Settings, dialects: Dialects | None = None) -> LiteLLMModel:
        """The model that `settings.chat_model` names."""
        return cls(Endpoint.of_chat(settings), dialects)

    @property
    def dialect(self) -> Dialect:
        return self.dialects.of(self._endpoint.dialect_key)

    # Of what was set the server may say later that it has less.
    @property
    def context_tokens(self) -> int:  # type: ignore[override]
        return min(self._endpoint.context_tokens, self.dialect.window or self._endpoint.context_tokens)

    @property
    def reply_tokens(self) -> int:  # type: ignore[override]
        return reply_tokens(self._endpoint, self.dialect)

    @property
    def takes_schemas(self) -> bool:  # type: ignore[override]
        return self.dialect.form == "schema"

    def sampled(self, sampling: Sampling) -> Self:
        """It shares everything with this one but how it draws its words."""
        if sampling == UNCHANGED:
            return self
        like = copy.copy(self)
        like._endpoint = replace(self._endpoint, sampling=sampling)
        return like

    def varied(self) -> Self:
        """Warmer, and where repetition is weighed, with more weight on it."""
        chosen, warm = self._endpoint.sampling, self._endpoint.temperature
        now = warm if chosen.temperature is None else chosen.temperature
        weight = max(chosen.repeat_penalty or 1.0, VARIED_PENALTY)
        return self.sampled(chosen.model_copy(update={"temperature": min(now + VARIED_BY, 1.5), "repeat_penalty": weight}))

    def stream(
        self, messages: Sequence[ChatMessage], *, cancel: threading.Event, on_progress: OnProgress | None = None, form: Form | None = None
    ) -> GatewayStream:
        said = [ChatMessage(message.role, readable(message.content)) for message in messages]
        asking = Request(self, said, form)
        reading = Reading(
            asking,
            address=ModelAddress.of(self.name, self._endpoint.base, self._endpoint.role),
            cancel=cancel,
            timeout_s=self._endpoint.timeout_s,
            longest_s=self._endpoint.longest_s,
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

    def _open(self, request: dict[str, Any], exchange: Exchange, over: Callable[[], bool]) -> Any:
        """One request, without retries; blocks until the endpoint answers. Raises LiteLLM's exceptions or a ModelError."""
        return litellm().completion(**request)

    def _request(self, messages: Sequence[ChatMessage], dialect: Dialect, form: Form | None) -> dict[str, Any]:
        chosen = self._endpoint.sampling
        request: dict[str, Any] = {
            "model": self._endpoint.model,
            "messages": [{"role": message.role, "content": message.content} for message in messages],
            "stream": True,
            "max_tokens": reply_tokens(self._endpoint, dialect),
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
        if form is not None and dialect.form != "none":
            request["response_format"] = response_format(form) if dialect.form == "schema" else {"type": "json_object"}
        return request


class Request(Asking):
    """One reply that is asked of a model, in the way that its server is known to take, and in others as it refuses."""

    def __init__(self, model: LiteLLMModel, messages: Sequence[ChatMessage], form: Form | None) -> None:
        self._model, self._messages, self._form = model, messages, form
        self._dialect = model.dialect
        self._tried = [self._dialect]

    def exchange(self) -> Exchange:
        without, renamed = set(self._dialect.without), {}
        if self._dialect.limit == "none":
            without |= {"max_tokens", "max_completion_tokens"}
        elif self._dialect.limit == "max_completion_tokens":
            renamed["max_tokens"] = "max_completion_tokens"
        return Exchange(without=frozenset(without), renamed=renamed)

    def open(self, exchange: Exchange, over: Callable[[], bool], asked: Callable[[], None]) -> Any:
        litellm()  # seconds at the first time, which are not the endpoint's
        asked()
        return self._model._open(self._model._request(self._planned(), self._dialect, self._form), exchange, over)

    def learn(self, exchange: Exchange) -> bool:
        if not exchange.refusal or exchange.shape in ("page", "other") or len(self._tried) > MOST_LESSONS:
            return False
        found = lessons(
            Refusal.of(exchange.status, exchange.refusal),
            self._dialect,
            sent=exchange.sent,
            prompt_tokens=tokens_of(self._planned(), self._model.count_tokens),
            reply_tokens=reply_tokens(self._model._endpoint, self._dialect),
        )
        for dialect in found:
            if dialect not in self._tried and self._differs(dialect):
                self._tried.append(dialect)
                self._dialect = dialect
                return True
        return False

    def taken(self) -> None:
        if len(self._tried) > 1:
            self._model.dialects.learned(self._model._endpoint.dialect_key, self._dialect)
            self._tried = [self._dialect]

    def why(self, exchange: Exchange) -> str:
        key = self._model._endpoint.key
        refusal = Refusal.of(exchange.status, exchange.refusal)
        return refusal.shown(key=key.get_secret_value() if key else "", prompt=[message.content for message in self._messages])

    def _planned(self, dialect: Dialect | None = None) -> list[ChatMessage]:
        dialect = dialect or self._dialect
        count = self._model.count_tokens
        room = dialect.window - reply_tokens(self._model._endpoint, dialect)
        fitting = trimmed(self._messages, room, count) if dialect.window and tokens_of(self._messages, count) > room else None
        return shaped(fitting or self._messages, dialect)

    def _differs(self, dialect: Dialect) -> bool:
        """Whether what is sent would be another request."""
        if self._planned(dialect) != self._planned():
            return True
        now = self._dialect
        return (dialect.limit, dialect.without, dialect.form, dialect.reply) != (now.limit, now.without, now.form, now.reply)


def reply_tokens(endpoint: Endpoint, dialect: Dialect) -> int:
    """Most tokens of a reply: as is set, and never more than the server gives or half of what it reads."""
    most = endpoint.reply_tokens
    window = min(endpoint.context_tokens, dialect.window or endpoint.context_tokens)
    if endpoint.sampling.max_tokens is not None:
        most = min(endpoint.sampling.max_tokens, window // 2)
    return min(most, dialect.reply or most, window // 2)


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
