"""Answers of a given form from a language model: JSON schema first, tolerant reading second, one repair, then failed."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import json_repair
from pydantic import BaseModel, ValidationError

from errors import KeepsakeError
from models.chat_model import ChatMessage, ChatModel
from models.thoughts import without_thoughts

MAX_ANSWER_CHARS = 200_000
"""Longer ones are not read: no answer of ours needs a tenth of it, and repairing takes time that grows with the length."""
_OBJECT = re.compile(r"\{(?=\s*[\"'])|\{\s*\}")
_BRACE = re.compile(r"\{")
"""Where an object begins, and where else it may: a brace in the words before it may stand for anything."""
_REPAIR = (
    "That could not be read: {reason}. Give the whole answer once more, as one JSON object of the form that was asked for and nothing else; "
    "leave things out rather than be cut off."
)

T = TypeVar("T", bound=BaseModel)


class AnswerUnreadable(KeepsakeError):
    """A model answered twice with something that has not the form it was asked for; params: `model`, `reason`."""

    code = "answer_unreadable"

    def __init__(self, *, model: str, reason: str) -> None:
        super().__init__(
            f"{model} gave no answer that could be read: {reason}. Nothing was changed; it can be asked again.", model=model, reason=reason
        )


@dataclass(frozen=True)
class Call:
    """One request to a model, for the count of what memory costs."""

    purpose: str
    model: str
    prompt_tokens: int
    """Of prompt and answer, counted here: providers count a little differently."""
    answer_tokens: int
    seconds: float
    failed: bool
    """It ended with an error, or its answer could not be read."""


OnCall = Callable[[Call], None]


@dataclass(frozen=True)
class _Asking:
    purpose: str
    on_call: OnCall
    on_piece: Callable[[], object]
    cancel: threading.Event


class StructuredModel:
    """A language model that is asked for records instead of prose. From any thread."""

    def __init__(self, model: ChatModel) -> None:
        self._model = model

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def prompt_tokens(self) -> int:
        """Room for a prompt."""
        return self._model.context_tokens - self._model.reply_tokens

    @property
    def takes_schemas(self) -> bool:
        """Whether the endpoint has refused no request with a schema so far."""
        return self._model.takes_schemas

    def count_tokens(self, text: str) -> int:
        return self._model.count_tokens(text)

    def close(self) -> None:
        self._model.close()

    def lent(self) -> StructuredModel:
        """The same model for somebody who closes what they are given: theirs to close, and nothing ends by it."""
        return _Lent(self._model)

    def ask(
        self,
        messages: Sequence[ChatMessage],
        kind: type[T],
        *,
        purpose: str,
        on_call: OnCall,
        on_piece: Callable[[], object] = lambda: None,
        cancel: threading.Event | None = None,
    ) -> T:
        """One answer as a record of `kind`, whose items are to be checked by whoever asks.

        Raises models.errors.ModelError, and AnswerUnreadable after one repair that did not help. on_call: told of each request, whatever came of it;
        on_piece: called as pieces come and when an answer is over, so that a long one is not taken for a silence; what it raises ends the request. cancel:
        ends a request that is silent; `on_piece` has to raise then, or what came is read as an answer.
        """
        asking = _Asking(purpose, on_call, on_piece, cancel or threading.Event())
        answer, text, reason = self._request(messages, kind, asking)
        if answer is None:
            repair = (*messages, ChatMessage("assistant", text[:2000] or "-"), ChatMessage("user", _REPAIR.format(reason=reason)))
            answer, _, reason = self._request(repair, kind, asking)
        if answer is None:
            raise AnswerUnreadable(model=self.name, reason=reason)
        return answer

    def _request(self, messages: Sequence[ChatMessage], kind: type[T], asking: _Asking) -> tuple[T | None, str, str]:
        """An answer, its text, and why it is none."""
        began = time.monotonic()
        pieces: list[str] = []
        answer: T | None = None
        stream = self._model.stream(messages, cancel=asking.cancel, form=kind.model_json_schema())
        stream.on_withdrawn = pieces.clear
        try:
            for piece in stream:
                pieces.append(piece)
                asking.on_piece()
            asking.on_piece()
            reason = "it was cut off at the limit of its length" if stream.finish_reason == "length" else ""
            answer, reason = _read("".join(pieces), kind, reason)
        finally:
            text = "".join(pieces)
            asking.on_call(
                Call(
                    purpose=asking.purpose,
                    model=self.name,
                    prompt_tokens=sum(self.count_tokens(m.content) for m in messages),
                    answer_tokens=self.count_tokens(text) if text else 0,
                    seconds=time.monotonic() - began,
                    failed=answer is None,
                )
            )
        return answer, text, reason


class _Lent(StructuredModel):
    def close(self) -> None:
        """It is somebody else's."""


def _read(text: str, kind: type[T], reason: str) -> tuple[T | None, str]:
    if reason:
        return None, reason
    bare = without_thoughts(text)
    starts = [found.start() for found in (_OBJECT.search(bare), _BRACE.search(bare)) if found]
    if not starts:
        return None, "there was no JSON object in it" if bare.strip() else "it was empty"
    if len(bare) > MAX_ANSWER_CHARS:
        return None, "it was far too long"
    # Where what looks most like its beginning is within it, as after a key without quotes, the answer begins at the first brace.
    answers = (_validated(bare[start:], kind) for start in dict.fromkeys(starts))
    first = next(answers)
    return first if first[0] is not None else next((later for later in answers if later[0] is not None), first)


def _validated(text: str, kind: type[T]) -> tuple[T | None, str]:
    """The first object of the form in a text that begins with one, or why there is none."""
    try:
        found: object = json_repair.loads(text)
    except (ValueError, RecursionError):
        return None, "its JSON could not be read"
    # Where several values stand one after another the library gives a list of them: the first object of the form is the answer.
    fields = set(kind.model_fields)
    several = found if isinstance(found, list) else [found]
    found = next((item for item in several if isinstance(item, Mapping) and fields & set(item)), None)
    if found is None:
        return None, f"it had none of {', '.join(kind.model_fields)}"
    try:
        return kind.model_validate(found), ""
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        return None, ": ".join(part for part in (".".join(map(str, first["loc"])), first["msg"]) if part)
