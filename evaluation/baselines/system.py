"""A memory that reads a conversation round by round and is asked what it recalls."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, Field

from models.chat_model import ChatMessage
from models.embedder import Embedder
from models.structured import StructuredModel

K = 9
"""Memories a reply gets, as many as the program delivers."""

T = TypeVar("T", bound=BaseModel)


@dataclass(frozen=True)
class Said:
    """One message. session: its number, which changes where the conversation pauses."""

    speaker: str
    text: str
    at: datetime
    session: int
    id: str = ""
    """Of its conversation, for who asks which turns were recalled."""

    @property
    def line(self) -> str:
        return f"{self.speaker}: {self.text}"


@dataclass(frozen=True)
class Recalled:
    """turns: ids of the messages whose own words it holds; none where it is told anew."""

    text: str
    at: datetime
    turns: tuple[str, ...] = ()


def as_said(messages: Sequence[Said]) -> Recalled:
    """A round as it was said."""
    return Recalled("\n".join(m.line for m in messages), messages[0].at, tuple(m.id for m in messages if m.id))


class MemorySystem(ABC):
    """model: asked for what a paper asks a language model for, None for a memory that asks none; embedder: for what it finds by meaning."""

    name: str

    def __init__(self, model: StructuredModel | None, embedder: Embedder) -> None:
        self._model = model
        self._embedder = embedder

    @abstractmethod
    def write(self, messages: Sequence[Said]) -> None:
        """Takes in one round."""

    @abstractmethod
    def read(self, cue: str, *, at: datetime) -> list[Recalled]:
        """What a reply to a cue is given, best first."""

    def end(self) -> None:  # noqa: B027  # most have nothing to do then
        """Called when a session is over."""

    def ask(self, instruction: str, material: str, kind: type[T]) -> T:
        """Raises what StructuredModel.ask raises."""
        if self._model is None:
            raise ValueError(f"{self.name} needs a model")
        messages = [ChatMessage("system", instruction), ChatMessage("user", material)]
        return self._model.ask(messages, kind, purpose=self.name, on_call=lambda call: None)


class Summary(BaseModel):
    summary: str = Field(min_length=1, max_length=4000)


@dataclass
class Shelf:
    """Texts with their vectors, found by cosine."""

    embedder: Embedder
    kept: list[Recalled] = field(default_factory=list)
    vectors: list[NDArray[np.float32]] = field(default_factory=list)

    def put(self, text: str, at: datetime) -> None:
        self.keep(Recalled(text, at))

    def keep(self, told: Recalled) -> None:
        self.kept.append(told)
        self.vectors.append(self.embedder.passages([told.text])[0])

    def cosines(self, cue: str) -> NDArray[np.float32]:
        """[n], of each kept text."""
        if not self.vectors:
            return np.zeros(0, dtype=np.float32)
        found: NDArray[np.float32] = np.stack(self.vectors) @ self.embedder.queries([cue])[0]
        return found

    def best(
        self, cue: str, *, count: int = K, weigh: Callable[[NDArray[np.float32]], NDArray[np.float32]] = lambda scores: scores
    ) -> list[int]:
        """Places of the best, best first. weigh: cosines [n] → scores [n]."""
        return [int(place) for place in np.argsort(-weigh(self.cosines(cue)), kind="stable")[:count]]
