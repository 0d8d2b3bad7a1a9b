"""What LiteLLM's exceptions mean to the person who waits. No message holds a key, a prompt or an answer: those exceptions quote them."""

from __future__ import annotations

import re
import ssl
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import TypeVar
from urllib.parse import urlsplit

import httpx

from models.errors import ModelBusy, ModelError, ModelFailed, ModelOnlyThought, ModelRefused, ModelTimeout, ModelUnavailable, ModelWordless
from models.refusals import Refusal
from models.wire import Exchange

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


def model_error(error: BaseException, address: ModelAddress, exchange: Exchange, *, begun: bool, timeout_s: float) -> ModelError:
    """error: anything the request or its stream raised; exchange: what is known of the answer; begun: whether pieces had come. Nothing of the error's own text
    is passed on."""
    causes = list(_causes(error))
    ours = next((cause for cause in causes if isinstance(cause, ModelError)), None)
    if ours is not None:
        return ours
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
    # LiteLLM has statuses of its own invention for what is no answer at all: the server's stands before them.
    status = exchange.status or next(iter(statuses), 0)
    if 300 <= status < 400 or any(isinstance(c, httpx.HTTPStatusError) and c.response.is_redirect for c in causes):
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
    if not exchange.status and any(isinstance(cause, httpx.TransportError) for cause in causes):
        return _broke_before(address)
    if exchange.status and exchange.status < 400:
        return broken(address, exchange, begun=False)
    return refused(address, Refusal.of(status, exchange.refusal), kinds=kinds)


def refused(address: ModelAddress, refusal: Refusal, *, kinds: Collection[str] = ()) -> ModelError:
    """The error for a server's own refusal. kinds: names of LiteLLM's classes for it."""
    status = refusal.status
    if refusal.of_window or "ContextWindowExceededError" in kinds:
        return _said(
            ModelRefused,
            f"The prompt is longer than {address} reads. {KEPT}. Lower {address.setting('CONTEXT_TOKENS')} to what it has, then try again.",
            address,
            reason="window",
        )
    if "ContentPolicyViolationError" in kinds or (refusal.of_content and (status < 400 or status in (400, 403, 422, 451))):
        return _said(
            ModelRefused,
            f"The content filter of {address} refused the conversation. {KEPT}. Say it differently, or use another model.",
            address,
            reason="filter",
        )
    if status in (401, 402, 403):
        start = " and start Keepsake again" if address.role else ""
        return _said(
            ModelRefused,
            f"The key was refused by {address}. {KEPT}. Set {address.setting('API_KEY')} to a valid key{start}.",
            address,
            reason="key",
        )
    if status in BUSY_STATUS:
        return _said(
            ModelBusy, f"Too many requests for {address} at the moment. {KEPT}. Wait a little, then try again.", address, reason="busy"
        )
    if 400 <= status < 500 or (status < 400 and refusal.of_model):
        if NOT_CHAT.search(refusal.text):
            return not_chat(address)
        if status == 404 or refusal.of_model:
            return _said(
                ModelRefused,
                f"{address} does not know this model, or its address lacks a part. {KEPT}. Check {address.setting('MODEL')} and {address.setting('API_BASE')}.",
                address,
                reason="model",
            )
        return _said(
            ModelRefused, f"The request was refused by {address}. {KEPT}. See what the server says of it.", address, reason="refused"
        )
    said = f" (status {status})" if status >= 400 else ""
    return _said(ModelFailed, f"{address} failed before it answered{said}. {KEPT}. Try again.", address, reason="failed")


def broken(address: ModelAddress, exchange: Exchange, *, begun: bool) -> ModelError:
    """The error for an answer that was accepted and then was none, or broke off."""
    if begun:
        return broke_off(address)
    if exchange.shape in ("page", "other"):
        return not_chat(address)
    if exchange.refusal:
        return refused(address, Refusal.of(exchange.status, exchange.refusal))
    return _broke_before(address)


def not_chat(address: ModelAddress) -> ModelRefused:
    said = f"What answers at {address} is not a chat model. {KEPT}. Check {address.setting('MODEL')} and {address.setting('API_BASE')}."
    return _said(ModelRefused, said, address, reason="not_chat")


def _broke_before(address: ModelAddress) -> ModelUnavailable:
    return _said(ModelUnavailable, f"The connection to {address} broke before it answered. {KEPT}. Try again.", address, reason="broke")


def without_words(address: ModelAddress, *, called: bool, cut: bool) -> ModelWordless:
    """called: it wanted to call a tool; cut: at the limit of its length, before a word."""
    if called:
        said = f"{address} asked for a tool instead of answering, and there are none here. {KEPT}. Try again, or switch its tools off where it runs."
    elif cut:
        said = f"{address} used up the tokens of its reply without a word. {KEPT}. Give it more (Models, Sampling), or try again."
    else:
        said = f"{address} ended its reply without a word. {KEPT}. Try again."
    return _said(ModelWordless, said, address, reason="tools" if called else "cut" if cut else "empty")


def timed_out(address: ModelAddress, timeout_s: float, *, begun: bool) -> ModelTimeout:
    kept = "What had come is kept" if begun else KEPT
    said = f"{address} was silent for {timeout_s:.0f} s. {kept}. Try again, or raise {address.setting('TIMEOUT_S')}."
    return _said(ModelTimeout, said, address, reason="timeout")


def too_long(address: ModelAddress, longest_s: float) -> ModelTimeout:
    said = f"{address} was not done after {longest_s / 60:.0f} minutes. What had come is kept. Ask it to go on, or for a shorter reply."
    return _said(ModelTimeout, said, address, reason="long")


def broke_off(address: ModelAddress) -> ModelFailed:
    return _said(ModelFailed, f"{address} broke off in the middle of the reply. What had come is kept. Try again.", address, reason="broke")


def filtered(address: ModelAddress, *, begun: bool) -> ModelRefused:
    kept = "What had come is kept" if begun else KEPT
    return _said(
        ModelRefused,
        f"The content filter of {address} stopped the reply. {kept}. Say it differently.",
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
    error.params["fault"] = reason
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
