"""MemGPT (Packer et al., 2023): a queue of messages, a short core memory the model edits itself, and an archive it writes to and searches by calling functions."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from pydantic import BaseModel, Field

from evaluation.baselines.system import K, MemorySystem, Recalled, Said, Shelf, Summary, as_said
from models.embedder import Embedder
from models.gateway import estimate
from models.structured import StructuredModel

WINDOW = 8000
"""Tokens; at 70 % of them the older half of the queue is told as a summary that goes on from the last one (their section 2.2)."""
PRESSURE = 0.7
_CORE = 2000
"""Characters of core memory."""
_ACT = (
    "You manage the memory of a conversation. You see its core memory, what earlier talk came to, and the latest messages. Decide what to do before the reply: "
    '"core" adds a line to core memory (facts about the people that always matter), "archive" stores a line to be searched for later, "search" looks something up '
    'in the archive, "none" does nothing. Answer as JSON: {"function": "core", "text": "…"}.'
)
_FOLD = 'Tell in a few sentences what this earlier summary and these messages come to. Answer as JSON: {"summary": "…"}.'


class _Act(BaseModel):
    function: Literal["core", "archive", "search", "none"]
    text: str = Field(default="", max_length=2000)


class MemGPT(MemorySystem):
    """One decision a round; the reply's own request is the chat's and not counted here."""

    name = "memgpt-style"

    def __init__(self, model: StructuredModel | None, embedder: Embedder) -> None:
        super().__init__(model, embedder)
        self._archive = Shelf(self._embedder)
        self._queue: list[Said] = []
        self._core: list[str] = []
        self._folded = ""

    def write(self, messages: Sequence[Said]) -> None:
        self._queue += messages
        act = self.ask(_ACT, self._shown(), _Act)
        if act.function == "core" and act.text:
            self._core = [*self._core, act.text]
            while sum(map(len, self._core)) > _CORE:
                self._core.pop(0)
        elif act.function == "archive" and act.text:
            self._archive.put(act.text, messages[-1].at)
        if estimate(self._shown()) > PRESSURE * WINDOW:
            half = len(self._queue) // 2
            told, self._queue = self._queue[:half], self._queue[half:]
            self._folded = self.ask(_FOLD, "\n".join([self._folded, *(m.line for m in told)]), Summary).summary
            for message in told:
                self._archive.keep(as_said([message]))

    def read(self, cue: str, *, at: datetime) -> list[Recalled]:
        found = [self._archive.kept[place] for place in self._archive.best(cue, count=K)]
        # The queue stands in every prompt there; what is newest comes first, as a small prompt may not hold all of it.
        latest = [as_said([message]) for message in reversed(self._queue)]
        return [*(Recalled(text, at) for text in [*self._core, self._folded] if text), *found, *latest]

    def _shown(self) -> str:
        return "\n".join(["Core memory:", *self._core, "Earlier:", self._folded, "Latest:", *(m.line for m in self._queue)])
