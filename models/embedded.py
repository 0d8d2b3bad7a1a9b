"""Models in a file: the bundled SmolLM2-135M-Instruct, or a GGUF file of a person's own, in a child process and reached through LiteLLM like any other."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from typing import Any

import httpx

from models.dialect import Dialects
from models.errors import ModelUnavailable
from models.gateway import COUNT_CACHE, Endpoint, LiteLLMModel, litellm
from models.llama_child import CONTEXT_TOKENS
from models.llama_server import BUNDLED_ALIAS, Address, LlamaServer, Weights
from models.reply_text import readable
from models.wire import Exchange
from settings import Settings

NAME = "SmolLM2-135M-Instruct (bundled)"
SAMPLING: dict[str, float | int] = {
    # A 135M model loops when it is sure and rambles when it is not: cut the tail of unlikely tokens, make what was just said a little less likely, and
    # punish repeats of whole runs (DRY) rather than of single words, which names and "the" need.
    "top_k": 40,
    "min_p": 0.05,
    "repeat_penalty": 1.1,
    "repeat_last_n": 128,
    "dry_multiplier": 0.8,
    "dry_allowed_length": 3,
}
TOP_P = 0.9
TEMPERATURE = 0.3
TURN_POLL_S = 0.05
STOP_POLL_S = 0.05
STOP_LIMIT_S = 2.0
"""A cancelled request ends within one batch of the prompt (0.2 to 0.6 s); one that has not ended by now ends with its process."""
WINDOW_SPARE = 512
"""Beyond the configured window, for what a chat template adds and a count may miss."""
COUNT_TIMEOUT_S = 10.0


class FileModel(LiteLLMModel):
    """One request at a time, as the child has one slot; replies of a second chat wait for their turn.

    server: of this model's file, shared with others that load the same; released: called when this one is closed. fixed: sent to llama.cpp with every request.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        server: LlamaServer,
        *,
        released: Callable[[], None],
        fixed: Mapping[str, object],
        dialects: Dialects | None = None,
    ) -> None:
        # A child that died is started again by the next attempt.
        super().__init__(replace(endpoint, base=None, key=None, retries=max(1, endpoint.retries)), dialects)
        self.here = True
        self._server = server
        self._released = released
        self._fixed = fixed
        # A child of ours on 127.0.0.1, asked in plain HTTP: reading the machine's certificates for it would take longer than everything else here.
        self._http = httpx.Client(timeout=COUNT_TIMEOUT_S, trust_env=False, verify=False)
        self._exact = lru_cache(COUNT_CACHE)(self._tokenized)

    def count_tokens(self, text: str) -> int:
        """The model's own count of the text as it is sent, without the tokens of the chat template. Raises ModelUnavailable if the child does not start."""
        return self._exact(text) if text else 0

    def warm(self) -> None:
        """Import LiteLLM and start the child. Why the child does not start is said by the first reply."""
        try:
            self._server.address()
        except ModelUnavailable:
            return
        litellm()

    def close(self) -> None:
        self._released()
        self._http.close()

    def _tokenized(self, text: str) -> int:
        body = {"content": readable(text), "add_special": False, "parse_special": False}
        for last in (False, True):
            address = self._server.address()
            try:
                answer = self._http.post(f"{address.url}/tokenize", headers=_authorization(address), json=body).raise_for_status()
                return len(answer.json()["tokens"])
            except (httpx.HTTPError, ValueError, KeyError) as error:
                if last:
                    raise ModelUnavailable(
                        f"{self.name} does not answer. Nothing you wrote is lost; try again.", model=self.name
                    ) from error
                self._server.kill(address)
        raise AssertionError("unreachable")

    def _open(self, request: dict[str, Any], exchange: Exchange, over: Callable[[], bool]) -> Any:
        while not self._server.turn.acquire(timeout=TURN_POLL_S):
            if over():
                raise ModelUnavailable("The reply was cancelled before its turn came.", model=self.name)
        address: Address | None = None
        opened = False
        exchange.on_closed = lambda: self._finish(address if exchange.hung_up or not opened else None)
        address = self._server.address()
        chosen = self._endpoint.sampling.model_dump(include={"min_p", "repeat_penalty"}, exclude_none=True)
        request = {"top_p": TOP_P} | request
        request |= {
            "api_base": f"{address.url}/v1",
            "api_key": address.key,
            "extra_body": {"return_progress": True, **self._fixed, **chosen},
        }
        with self._answering(address, over):
            stream = litellm().completion(**request)
        opened = True
        return stream

    @contextmanager
    def _answering(self, address: Address, over: Callable[[], bool]) -> Iterator[None]:
        """Before the first byte there is no stream to hang up: a child that is silent STOP_LIMIT_S after nobody waits any more is ended."""
        answered = threading.Event()

        def watch() -> None:
            while not answered.wait(TURN_POLL_S):
                if over():
                    if not answered.wait(STOP_LIMIT_S):
                        self._server.kill(address)
                    return

        threading.Thread(target=watch, name="model-answering", daemon=True).start()
        try:
            yield
        finally:
            answered.set()

    def _finish(self, stopping: Address | None) -> None:
        """Let the next request in. stopping: where one was broken off, which must really have stopped before."""
        try:
            limit = time.monotonic() + STOP_LIMIT_S
            while stopping is not None and self._busy(stopping):
                if time.monotonic() > limit:
                    self._server.kill(stopping)
                    return
                time.sleep(STOP_POLL_S)
        finally:
            self._server.turn.release()

    def _busy(self, address: Address) -> bool:
        try:
            slots = self._http.get(f"{address.url}/slots", headers=_authorization(address), timeout=STOP_LIMIT_S).json()
        except (httpx.TimeoutException, ValueError):
            return True
        except (httpx.HTTPError, RuntimeError):
            return False  # the child is gone, or the client closed with the model
        return any(slot.get("is_processing") for slot in slots)


class EmbeddedModel(FileModel):
    """The bundled model."""

    demo = True

    def __init__(self, settings: Settings) -> None:
        endpoint = Endpoint.of_chat(settings, model=f"openai/{BUNDLED_ALIAS}", name=NAME, temperature=TEMPERATURE)
        window = min(endpoint.context_tokens, CONTEXT_TOKENS)
        # Memory for what it has read grows with the window: 22 MB a thousand tokens.
        server = LlamaServer(Weights(window=min(CONTEXT_TOKENS, window + WINDOW_SPARE)))
        super().__init__(replace(endpoint, context_tokens=window), server, released=server.close, fixed=SAMPLING)


def _authorization(address: Address) -> dict[str, str]:
    return {"Authorization": f"Bearer {address.key}"}
