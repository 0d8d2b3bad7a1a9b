"""MemoChat (Lu et al., 2023): talk that grows long is written down as memos, a topic with a summary and its turns; each message asks which matter."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from pydantic import BaseModel, Field

from evaluation.baselines.system import MemorySystem, Recalled, Said, as_said
from models.embedder import Embedder
from models.structured import StructuredModel

LONGEST = 10
"""Rounds at hand before they become memos."""
_WRITE = (
    "Divide these numbered lines of a conversation by topic. For each topic give a short name, a summary of one or two sentences, and the first and last line. "
    'Answer as JSON: {"memos": [{"topic": "…", "summary": "…", "first": 1, "last": 4}]}.'
)
_CHOOSE = 'Which of these numbered topics does the message need to be answered? None is a right answer. Answer as JSON: {"topics": [1, 4]}.'


class _Memo(BaseModel):
    topic: str = Field(max_length=200)
    summary: str = Field(max_length=1000)
    first: int
    last: int


class _Memos(BaseModel):
    memos: list[_Memo] = Field(default_factory=list, max_length=40)


class _Chosen(BaseModel):
    topics: list[int] = Field(default_factory=list, max_length=200)


class MemoChat(MemorySystem):
    name = "memochat-style"

    def __init__(self, model: StructuredModel | None, embedder: Embedder) -> None:
        super().__init__(model, embedder)
        self._at_hand: list[Said] = []
        self._rounds = 0
        self._memos: list[tuple[str, Recalled]] = []

    def write(self, messages: Sequence[Said]) -> None:
        self._at_hand += messages
        self._rounds += 1
        if self._rounds < LONGEST:
            return
        lines = "\n".join(f"{n}. {m.line}" for n, m in enumerate(self._at_hand, start=1))
        for memo in self.ask(_WRITE, lines, _Memos).memos:
            turns = self._at_hand[max(0, memo.first - 1) : max(0, memo.last)]
            text = "\n".join([memo.summary, *(m.line for m in turns)])
            self._memos.append((f"{memo.topic}: {memo.summary}", Recalled(text, self._at_hand[-1].at)))
        self._at_hand, self._rounds = [], 0

    def read(self, cue: str, *, at: datetime) -> list[Recalled]:
        """The memos that matter, and what is at hand and stands in none yet, the newest first."""
        latest = [as_said([message]) for message in reversed(self._at_hand)]
        if not self._memos:
            return latest
        topics = "\n".join(f"{n}. {title}" for n, (title, _) in enumerate(self._memos, start=1))
        chosen = self.ask(_CHOOSE, f"{topics}\n\nMessage: {cue}", _Chosen).topics
        return [*(self._memos[n - 1][1] for n in dict.fromkeys(chosen) if 1 <= n <= len(self._memos)), *latest]
