"""MemoryBank (Zhong et al., 2024): turns kept as they are, each day told as events and as a portrait of the user, both also over all days; what is not recalled fades."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import datetime

import numpy as np

from evaluation.baselines.system import K, MemorySystem, Recalled, Said, Shelf, Summary, as_said
from models.embedder import Embedder
from models.structured import StructuredModel

_DAY = 'Summarise the events of this day of a conversation in a few sentences, naming who did what. Answer as JSON: {"summary": "…"}.'
_PORTRAIT = 'Describe the user\'s personality and mood as this day of a conversation shows them, in a few sentences. Answer as JSON: {"summary": "…"}.'
_ALL_DAYS = (
    'Put these daily summaries together into one summary of all that happened, shorter than they are. Answer as JSON: {"summary": "…"}.'
)
_ALL_PORTRAITS = 'Put these daily impressions of a user together into one portrait of their personality. Answer as JSON: {"summary": "…"}.'


class MemoryBank(MemorySystem):
    """Retention exp(−t / S), t days since the last recall; S begins at 1 and grows by 1 with each recall (their section 2.3)."""

    name = "memorybank-style"

    def __init__(self, model: StructuredModel | None, embedder: Embedder) -> None:
        super().__init__(model, embedder)
        self._shelf = Shelf(self._embedder)
        self._strength: list[float] = []
        self._last: list[datetime] = []
        self._today: list[Said] = []
        self._days: list[str] = []
        self._portraits: list[str] = []
        self._whole: list[str] = []

    def write(self, messages: Sequence[Said]) -> None:
        self._put(as_said(messages))
        self._today += messages

    def end(self) -> None:
        if not self._today:
            return
        talk, at = "\n".join(m.line for m in self._today), self._today[-1].at
        self._days.append(self.ask(_DAY, talk, Summary).summary)
        self._portraits.append(self.ask(_PORTRAIT, talk, Summary).summary)
        self._whole = [
            self.ask(_ALL_DAYS, "\n".join(self._days), Summary).summary,
            self.ask(_ALL_PORTRAITS, "\n".join(self._portraits), Summary).summary,
        ]
        self._put(Recalled(self._days[-1], at))
        self._today = []

    def read(self, cue: str, *, at: datetime) -> list[Recalled]:
        kept = np.array(
            [math.exp(-max(0.0, (at - last).total_seconds() / 86_400) / s) for last, s in zip(self._last, self._strength, strict=True)],
            dtype=np.float32,
        )
        found = self._shelf.best(cue, weigh=lambda cosines: cosines * kept, count=K)
        for place in found:
            self._strength[place] += 1
            self._last[place] = at
        return [Recalled(text, at) for text in self._whole] + [self._shelf.kept[place] for place in found]

    def _put(self, told: Recalled) -> None:
        self._shelf.keep(told)
        self._strength.append(1.0)
        self._last.append(told.at)
