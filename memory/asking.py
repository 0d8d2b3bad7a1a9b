"""Questions to the memory model: each asked once, counted with its chat, its answer kept with what came of it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from memory.keeping import Keeper, Read
from models.chat_model import ChatMessage
from models.structured import Call, StructuredModel
from storage.model_uses import ModelUse
from storage.scope import Scope
from storage.store import Store

T = TypeVar("T", bound=BaseModel)
P = TypeVar("P")


class Asker:
    """model: what is asked."""

    def __init__(self, store: Store, keeper: Keeper, model: StructuredModel) -> None:
        self._store = store
        self._keeper = keeper
        self.model = model

    def ask(
        self, scope: Scope, key: str, prompt: Callable[[], Sequence[ChatMessage]], kind: type[T], *, purpose: str, version: str
    ) -> tuple[T, Read]:
        """An answer, and what is to be kept with what comes of it. key: of the question; what was answered before under it is not asked again.

        Raises models.errors.ModelError and models.structured.AnswerUnreadable: then nothing is changed.
        """
        read = Read(version)
        if (stored := self.answered(scope, key, kind, version=version)) is not None:
            return stored, read
        answer = self.model.ask(
            prompt(), kind, purpose=purpose, on_call=lambda call: count_call(self._store, scope, call), on_piece=self._keeper.breathe
        )
        read.outputs[key] = answer.model_dump_json(by_alias=True)
        self._keeper.breathe()
        return answer, read

    def answered(self, scope: Scope, key: str, kind: type[T], *, version: str) -> T | None:
        """What was answered before under a key."""
        stored = self._store.derivations.get(scope, key, version=version)
        if stored is not None:
            with suppress(ValidationError):  # a file from elsewhere may hold anything; then it is asked as if for the first time
                return kind.model_validate_json(stored)
        return None


def most_that_fit(ranked: Sequence[P], prompt: Callable[[Sequence[P]], Sequence[ChatMessage]], model: StructuredModel) -> list[P]:
    """Of what a prompt shows, best first, as much as a model has room for; at least the first."""

    def fits(number: int) -> bool:
        return sum(model.count_tokens(m.content) for m in prompt(ranked[:number])) <= model.prompt_tokens

    if not ranked or fits(len(ranked)):
        return list(ranked)
    return list(ranked[: max(1, bisect_left(range(1, len(ranked)), True, key=lambda number: not fits(number)))])


def count_call(store: Store, scope: Scope, call: Call) -> None:
    """Add a call to what the chat's memory cost."""
    use = ModelUse(call.purpose, call.model, 1, int(call.failed), call.prompt_tokens, call.answer_tokens, call.seconds)
    store.model_uses.add(scope, use)
