"""How learning goes: the share of what was shown that replies used, period by period, and when to go back. Pure.

A period is PERIOD updates. At its end its mean is compared with that of the best period so far; one that lies clearly below it, by two standard errors of
the difference, says that what was learned since does harm.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal

from memory.reranker import BATCH

PERIOD = 25
"""Updates between two copies of the weights; about a hundred replies."""
CLEARLY = 2.0
"""Standard errors of the difference of two means."""
KEPT = 1000
"""Newest replies whose usefulness is kept, for the chart; none of them is learned from twice. A task is repeated within minutes."""

Mode = Literal["off", "learning", "frozen"]


@dataclass(frozen=True)
class Period:
    """source: who said what was used: `model` or `words` with the model's name, since one cites more than another; begun: updates at its begin."""

    source: str = ""
    begun: int = 0
    replies: int = 0
    total: float = 0.0
    squares: float = 0.0

    def with_reply(self, usefulness: float) -> Period:
        return replace(self, replies=self.replies + 1, total=self.total + usefulness, squares=self.squares + usefulness**2)

    @property
    def mean(self) -> float:
        return self.total / self.replies if self.replies else 0.0

    @property
    def error(self) -> float:
        """Standard error of the mean; without bounds for fewer than two replies."""
        if self.replies < 2:
            return math.inf
        variance = max(0.0, self.squares - self.replies * self.mean**2) / (self.replies - 1)
        return math.sqrt(variance / self.replies)

    def clearly_below(self, other: Period) -> bool:
        return other.mean - self.mean > CLEARLY * math.hypot(self.error, other.error)


@dataclass(frozen=True)
class Fall:
    """Why learning went back and stopped. before, after: mean usefulness of the best period and of the last; to: updates gone back to."""

    before: float
    after: float
    to: int


@dataclass(frozen=True)
class Record:
    """What is kept of learning with one embedder, besides the weights."""

    on: bool = False
    exploring: bool = False
    waiting: tuple[tuple[str, str], ...] = ()
    """(chat, receipt) of replies gathered for the next update."""
    replies: tuple[tuple[str, float], ...] = ()
    """(receipt, usefulness) of the newest, oldest first."""
    counted: int = 0
    """All replies that were ever taken in."""
    period: Period = Period()
    best: Period | None = None
    fall: Fall | None = None

    def knows(self, receipt_id: str) -> bool:
        return any(known == receipt_id for known, _ in self.replies)

    def with_reply(self, receipt_id: str, usefulness: float) -> Record:
        return replace(self, replies=(*self.replies, (receipt_id, usefulness))[-KEPT:], counted=self.counted + 1)

    @property
    def due(self) -> bool:
        return len(self.waiting) >= BATCH
