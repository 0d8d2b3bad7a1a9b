"""Memories that need no model: none at all, all of it, the latest, what is like the cue, first in first out, and what fades."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import datetime

import numpy as np

from evaluation.baselines.system import K, MemorySystem, Recalled, Said, Shelf, as_said
from models.embedder import Embedder
from models.structured import StructuredModel

CAPACITY = 100
"""Rounds that the memories with an end keep."""


class NoMemory(MemorySystem):
    name = "no-memory"

    def write(self, messages: Sequence[Said]) -> None:
        pass

    def read(self, cue: str, *, at: datetime) -> list[Recalled]:
        return []


class Rounds(MemorySystem):
    """Every round as it was said, found by meaning."""

    name = "dense-rounds"

    def __init__(self, model: StructuredModel | None, embedder: Embedder) -> None:
        super().__init__(model, embedder)
        self.shelf = Shelf(self._embedder)

    def write(self, messages: Sequence[Said]) -> None:
        self.shelf.keep(as_said(messages))

    def read(self, cue: str, *, at: datetime) -> list[Recalled]:
        return [self.shelf.kept[place] for place in self.shelf.best(cue)]


class FullContext(MemorySystem):
    name = "full-context"

    def __init__(self, model: StructuredModel | None, embedder: Embedder) -> None:
        super().__init__(model, embedder)
        self._all: list[Recalled] = []

    def write(self, messages: Sequence[Said]) -> None:
        self._all.append(as_said(messages))

    def read(self, cue: str, *, at: datetime) -> list[Recalled]:
        return self._all


class RecentWindow(FullContext):
    name = "recent-window"

    def read(self, cue: str, *, at: datetime) -> list[Recalled]:
        return self._all[-K:]


class Fifo(Rounds):
    """The oldest round leaves first."""

    name = "fifo"

    def write(self, messages: Sequence[Said]) -> None:
        super().write(messages)
        del self.shelf.kept[:-CAPACITY], self.shelf.vectors[:-CAPACITY]


class Ebbinghaus(Rounds):
    """What has faded most, exp(−t / S), leaves first; S grows with each recall."""

    name = "ebbinghaus"

    def __init__(self, model: StructuredModel | None, embedder: Embedder) -> None:
        super().__init__(model, embedder)
        self._strength: list[float] = []
        self._last: list[datetime] = []

    def write(self, messages: Sequence[Said]) -> None:
        super().write(messages)
        self._strength.append(1.0)
        self._last.append(messages[0].at)
        if len(self._strength) > CAPACITY:
            now = messages[-1].at
            kept = [
                math.exp(-max(0.0, (now - last).total_seconds() / 86_400) / s) for last, s in zip(self._last, self._strength, strict=True)
            ]
            weakest = int(np.argmin(kept))
            for part in (self.shelf.kept, self.shelf.vectors, self._strength, self._last):
                del part[weakest]

    def read(self, cue: str, *, at: datetime) -> list[Recalled]:
        found = self.shelf.best(cue)
        for place in found:
            self._strength[place] += 1
            self._last[place] = at
        return [self.shelf.kept[place] for place in found]
