"""What LiteLLM's exceptions mean to the person who waits. No message holds a key, a prompt or an answer: those exceptions quote them."""

from __future__ import annotations

import re
import ssl
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeVar
from urllib.parse import urlsplit

import httpx

from models.errors import ModelBusy, ModelError, ModelFailed, ModelOnlyThought, ModelRefused, ModelTimeout, ModelUnavailable

KEPT = "Nothing you wrote is lost"
PAGE_WORDS = {
    "CONTEXT_TOKENS": "its window",
    "API_KEY": "its key",
    "MODEL": "its model",
    "API_BASE": "its address",
    "TIMEOUT_S": "its time limit",
}
"""What the settings are called of a connection that was entered on the page."""
NOT_CHAT = re.compile(r"not a chat model|not support(?:ed)? .{0,30}chat|chat template|chat[/_ ]completions? (?:is|are) not", re.IGNORECASE)
"""In what an endpoint says of itself: read, never passed on."""
BUSY_STATUS = frozenset({429, 503, 529})


@dataclass(frozen=True)
class ModelAddress:
    """How a model is named to the user. host: scheme, host and port, without path or credentials; empty for a provider's own address; role: `chat` or
    `memory`, whose settings are named; empty for one that was entered on the page."""

    name: str
    host: str
    role: str = "chat"

    @classmethod
    def of(cls, name: str, base: str | None, role: str = "chat") -> ModelAddress:
        if not base:
            return cls(name, "", role)
        parts = urlsplit(base)
        try:
            port = f":{parts.port}" if parts.port else ""
        except ValueError:
            port = ""
        return cls(name, f"{parts.scheme}://{parts.hostname or ''}{port}", role)

    def setting(self, name: str) -> str:
        """The environment variable of one of the role's settings, or what the page calls it."""
        return f"KEEPSAKE_{self.role.upper()}_{name}" if self.role else PAGE_WORDS[name]

    def __str__(self) -> str:
        named = not self.host or self.host.partition("://")[2] in self.name
        return self.name if named else f"{self.name} at {self.host}"


def model_error(error: BaseException, address: ModelAddress, *, begun: bool, timeout_s: float) -> ModelError:
    """error: anything the request or its stream raised; begun: whether pieces had come. Nothing of the error's own text is passed on."""
    if isinstance(error, ModelError):
        return error
    causes = list(_causes(error))
    kinds = {kind.__name__ for cause in causes for kind in type(cause).__mro__}
    if kinds & {"Timeout", "APITimeoutError", "TimeoutException", "ReadTimeout"}:
        return timed_out(address, timeout_s, begun=begun)
    if begun:
        return broke_off(address)
    if any(isinstance(cause, ssl.SSLError) or "CERTIFICATE_VERIFY_FAILED" in str(cause) for cause in causes):
        return _said(
            ModelUnavailable,
            f"The certificate of {address} is not one that this computer trusts. {KEPT}. Check its address, or have the certificate put right.",
            address,
            reason="certificate",
        )
    statuses = [code for cause in causes if isinstance(code := getattr(cause, "status_code", None), int)]
    status = next(iter(statuses), 0)
    if any(300 <= code < 400 for code in statuses) or any(isinstance(c, httpx.HTTPStatusError) and c.response.is_redirect for c in causes):
        return _said(
            ModelRefused,
            f"{address} leads on to another address, which is not followed with a key. {KEPT}. Set {address.setting('API_BASE')} to the address it leads to.",
            address,
            reason="redirect",
        )
    # These say "connection" in LiteLLM's classes for a dead address and for a stream cut short alike: the cause tells them apart.
    if any(isinstance(cause, httpx.ConnectError | ConnectionRefusedError) for cause in causes):
        return _said(
            ModelUnavailable,
            f"Nobody answers at {address}. {KEPT}. Check that the model runs and that its address is right, then try again.",
            address,
            reason="address",
        )
    if "ContextWindowExceededError" in kinds:
        return _said(
            ModelRefused,
            f"The prompt is longer than {address} reads. {KEPT}. Lower {address.setting('CONTEXT_TOKENS')} to what it has, then try again.",
            address,
            reason="window",
        )
    if "ContentPolicyViolationError" in kinds:
        return _said(
            ModelRefused,
            f"The content filter of {address} refused the conversation. {KEPT}. Say it differently, or use another model.",
            address,
            reason="filter",
        )
    if kinds & {"AuthenticationError", "PermissionDeniedError", "PaymentRequiredError"} or status in (401, 402, 403):
        start = " and start Keepsake again" if address.role else ""
        return _said(
            ModelRefused,
            f"The key was refused by {address}. {KEPT}. Set {address.setting('API_KEY')} to a valid key{start}.",
            address,
            reason="key",
        )
    if kinds & {"RateLimitError", "ServiceUnavailableError"} or status in BUSY_STATUS:
        return _said(
            ModelBusy, f"Too many requests for {address} at the moment. {KEPT}. Wait a little, then try again.", address, reason="busy"
        )
    if kinds & {"NotFoundError", "BadRequestError", "UnprocessableEntityError"} or 400 <= status < 500:
        return _said(
            ModelRefused,
            f"The request was refused by {address}: most often it does not know the model's name. {KEPT}. Check "
            f"{address.setting('MODEL')} and {address.setting('API_BASE')}.",
            address,
            reason="not_chat" if any(NOT_CHAT.search(str(cause)) for cause in causes) else "model",
        )
    if any(isinstance(cause, httpx.TransportError) for cause in causes):
        return _said(ModelUnavailable, f"The connection to {address} broke before it answered. {KEPT}. Try again.", address, reason="broke")
    return _said(ModelFailed, f"{address} failed before it answered ({type(error).__name__}). {KEPT}. Try again.", address, reason="failed")


def timed_out(address: ModelAddress, timeout_s: float, *, begun: bool) -> ModelTimeout:
    kept = "What had come is kept" if begun else KEPT
    said = f"{address} was silent for {timeout_s:.0f} s. {kept}. Try again, or raise {address.setting('TIMEOUT_S')}."
    return _said(ModelTimeout, said, address, reason="timeout")


def broke_off(address: ModelAddress) -> ModelFailed:
    return _said(ModelFailed, f"{address} broke off in the middle of the reply. What had come is kept. Try again.", address, reason="broke")


def filtered(address: ModelAddress) -> ModelRefused:
    return _said(
        ModelRefused,
        f"The content filter of {address} stopped the reply. What had come is kept. Say it differently.",
        address,
        reason="filter",
    )


def only_thought(address: ModelAddress, reply_tokens: int) -> ModelOnlyThought:
    return _said(
        ModelOnlyThought,
        f"{address} thought, and gave no reply. A reply may have {reply_tokens} tokens, and thinking counts among them: give it more (Models, Sampling), or switch "
        "the thinking off where the model runs.",
        address,
        reason="thought",
    )


def worth_retrying(error: ModelError) -> bool:
    """A connection error, a rate limit or a server error; a silence has already cost the user the whole time limit."""
    return isinstance(error, ModelUnavailable | ModelBusy | ModelFailed)


Known = TypeVar("Known", bound=ModelError)


def _said(kind: type[Known], message: str, address: ModelAddress, *, reason: str) -> Known:
    """reason: one of models.errors.FAULTS."""
    error = kind(message[0].upper() + message[1:] if message.startswith("the ") else message, model=address.name)
    error.reason = reason
    return error


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The error and what it was raised from, outermost first."""
    seen: set[int] = set()
    waiting: list[BaseException | None] = [error]
    while waiting:
        cause = waiting.pop(0)
        if cause is None or id(cause) in seen:
            continue
        seen.add(id(cause))
        yield cause
        original = getattr(cause, "original_exception", None)
        waiting += [original if isinstance(original, BaseException) else None, cause.__cause__, cause.__context__]
