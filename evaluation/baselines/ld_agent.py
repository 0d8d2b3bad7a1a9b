"""LD-Agent (Li et al., 2024): events told when a session ends, personas of both sides read from every message; recall by meaning, shared nouns and time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import datetime

import numpy as np
from pydantic import BaseModel, Field

from evaluation.baselines.system import K, MemorySystem, Recalled, Said, Shelf, Summary
from evaluation.rouge import words
from models.embedder import Embedder
from models.structured import StructuredModel

HALF_LIFE_DAYS = 7.0
_EVENTS = 'Summarise the events of this session of a conversation in a few sentences. Answer as JSON: {"summary": "…"}.'
_TRAITS = 'What does this message tell of the speaker\'s own persona? An empty list is a right answer. Answer as JSON: {"traits": ["…"]}.'


class _Traits(BaseModel):
    traits: list[str] = Field(default_factory=list, max_length=20)


class LDAgent(MemorySystem):
    name = "ld-agent-style"

    def __init__(self, model: StructuredModel | None, embedder: Embedder) -> None:
        super().__init__(model, embedder)
        self._events = Shelf(self._embedder)
        self._personas: dict[str, list[str]] = {}
        self._session: list[Said] = []

    def write(self, messages: Sequence[Said]) -> None:
        self._session += messages
        for message in messages:
            known = self._personas.setdefault(message.speaker, [])
            known += [trait for trait in self.ask(_TRAITS, message.line, _Traits).traits if trait not in known]

    def end(self) -> None:
        if self._session:
            told = self.ask(_EVENTS, "\n".join(m.line for m in self._session), Summary).summary
            self._events.put(told, self._session[-1].at)
            self._session = []

    def read(self, cue: str, *, at: datetime) -> list[Recalled]:
        asked = set(words(cue))

        def shared(text: str) -> float:
            told = set(words(text))
            return len(asked & told) / max(1, min(len(asked), len(told)))

        fading = [math.exp(-math.log(2) * max(0.0, (at - r.at).total_seconds() / 86_400) / HALF_LIFE_DAYS) for r in self._events.kept]
        factor = np.array([(1 + shared(r.text)) * (0.5 + f / 2) for r, f in zip(self._events.kept, fading, strict=True)], dtype=np.float32)
        found = [self._events.kept[place] for place in self._events.best(cue, count=K, weigh=lambda cosines: cosines * factor)]
        return [*(Recalled(f"{who}: {trait}", at) for who, traits in self._personas.items() for trait in traits[-10:]), *found]
