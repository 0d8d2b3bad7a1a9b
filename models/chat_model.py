"""What a chat model is to the rest of the house."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from models.sampling import Sampling

OnProgress = Callable[[int, int], None]
"""(prompt tokens read, prompt tokens in all)."""
Form = Mapping[str, object]
"""A JSON schema that a whole answer is to follow."""


@dataclass(frozen=True)
class ChatMessage:
    role: Literal["system", "user", "assistant"]
    content: str


class ReplyStream(ABC):
    """An iterator over the pieces of one reply.

    Raises `models.errors.ModelError`; pieces yielded before stay valid. Ends quietly within about 0.1 s after its cancel event is set, in
    whatever phase. `finish_reason` is None until the end: then `stop`, `length` (the token limit cut it) or `cancelled`.
    """

    finish_reason: str | None = None
    on_thought: Callable[[str], None] = staticmethod(lambda text: None)
    """Called, in the thread that iterates, with what the model thinks aloud; none of that is among the pieces."""
    on_withdrawn: Callable[[], None] = staticmethod(lambda: None)
    """Called when the pieces yielded so far turn out to have been thought, as some models mark only the end of it; the thought comes next."""

    def __iter__(self) -> Iterator[str]:
        return self

    @abstractmethod
    def __next__(self) -> str: ...

    def close(self) -> None:  # noqa: B027 - most have nothing to end
        """Nobody waits for the rest: end the request now. `finish_reason` is then `stop`."""


class ChatModel(ABC):
    """name: for receipts and the page; context_tokens: of prompt and reply together; reply_tokens: most tokens of a reply; demo: it is the small bundled one,
    of which less is asked; here: it computes on this machine, so memory work steps aside while it writes; takes_schemas: whether it has refused no request with
    a form so far."""

    demo = False
    here = False
    takes_schemas: bool = True
    name: str
    context_tokens: int
    reply_tokens: int

    @abstractmethod
    def stream(
        self, messages: Sequence[ChatMessage], *, cancel: threading.Event, on_progress: OnProgress | None = None, form: Form | None = None
    ) -> ReplyStream:
        """Begin a reply. Returns at once; errors come from the iterator. form: asked for where the endpoint knows such a thing, never warranted."""

    @abstractmethod
    def count_tokens(self, text: str) -> int:
        """Tokens of a text, exact or never less than the model's own count."""

    def sampled(self, sampling: Sampling) -> ChatModel:
        """This model, drawing its words as is asked for; itself where it knows no such thing."""
        return self

    def varied(self) -> ChatModel:
        """This model, less set on the words that it would draw; itself where it knows no such thing."""
        return self

    def warm(self) -> None:  # noqa: B027 - most models have nothing to load
        """Load what is loaded late, so that the first reply need not wait for it. Never raises."""

    def close(self) -> None:  # noqa: B027
        """End what the model started."""
