"""Generative Agents (Park et al., 2023): a stream of observations, each rated for importance by a model; recall by recency, importance and relevance; reflection."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, Field

from evaluation.baselines.system import K, MemorySystem, Recalled, Said, Shelf
from models.embedder import Embedder
from models.structured import StructuredModel

DECAY = 0.995
"""Of recency, for each hour since the last recall (their section 4.1)."""
THRESHOLD = 150
"""Sum of importances of the latest observations at which it reflects (4.2)."""
_RATE = (
    "On a scale of 1 to 10, where 1 is wholly mundane and 10 is extremely poignant, rate how important this is to the one who remembers it. "
    'Answer as JSON: {"importance": 5}.'
)
_QUESTIONS = 'Given these statements, what are the three most salient questions that can be answered about those who speak? Answer as JSON: {"questions": ["…"]}.'
_INSIGHTS = (
    "What five insights follow from these numbered statements? Name for each the numbers it follows from. "
    'Answer as JSON: {"insights": [{"text": "…", "because": [1, 5]}]}.'
)


class _Rating(BaseModel):
    importance: int = Field(ge=1, le=10)


class _Questions(BaseModel):
    questions: list[str] = Field(default_factory=list, max_length=10)


class _Insight(BaseModel):
    text: str = Field(max_length=1000)
    because: list[int] = Field(default_factory=list, max_length=100)


class _Insights(BaseModel):
    insights: list[_Insight] = Field(default_factory=list, max_length=20)


class GenerativeAgents(MemorySystem):
    name = "generative-agents-style"

    def __init__(self, model: StructuredModel | None, embedder: Embedder) -> None:
        super().__init__(model, embedder)
        self._shelf = Shelf(self._embedder)
        self._importance: list[int] = []
        self._last: list[datetime] = []
        self._since = 0

    def write(self, messages: Sequence[Said]) -> None:
        for message in messages:
            self._since += self._put(message.line, message.at)
        if self._since >= THRESHOLD:
            self._since = 0
            self._reflect(messages[-1].at)

    def read(self, cue: str, *, at: datetime) -> list[Recalled]:
        return [self._shelf.kept[place] for place in self._found(cue, at, count=K)]

    def _put(self, text: str, at: datetime) -> int:
        rating = self.ask(_RATE, text, _Rating).importance
        self._shelf.put(text, at)
        self._importance.append(rating)
        self._last.append(at)
        return rating

    def _found(self, cue: str, at: datetime, *, count: int) -> list[int]:
        hours = np.array([(at - last).total_seconds() / 3600 for last in self._last], dtype=np.float32)

        def weigh(cosines: NDArray[np.float32]) -> NDArray[np.float32]:
            return _scaled(DECAY**hours) + _scaled(np.array(self._importance, dtype=np.float32)) + _scaled(cosines)

        found = self._shelf.best(cue, count=count, weigh=weigh) if self._last else []
        for place in found:
            self._last[place] = at
        return found

    def _reflect(self, at: datetime) -> None:
        latest = "\n".join(r.text for r in self._shelf.kept[-100:])
        for question in self.ask(_QUESTIONS, latest, _Questions).questions[:3]:
            found = [self._shelf.kept[place].text for place in self._found(question, at, count=20)]
            statements = "\n".join(f"{n}. {text}" for n, text in enumerate(found, start=1))
            for insight in self.ask(_INSIGHTS, f"{statements}\n\n{question}", _Insights).insights[:5]:
                self._put(insight.text, at)


def _scaled(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """To 0–1, as their three parts are before they are added."""
    low, high = values.min(initial=np.inf), values.max(initial=-np.inf)
    return (values - low) / (high - low) if high > low else np.zeros_like(values)
