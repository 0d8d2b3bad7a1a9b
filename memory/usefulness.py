"""How learning goes: the share of what was shown that replies used, period by period, and when to go back. Pure.

A period is PERIOD updates. At its end its mean is compared with that of the best period so far, source by source; one that lies clearly below it, by two
standard errors of the difference, says that what was learned since does harm.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from memory.reranker import BATCH

PERIOD = 25
"""Updates between two copies of the weights; about a hundred replies."""
CLEARLY = 2.0
"""Standard errors of the difference of two means."""
COMPARABLE = 0.5
"""Share of a period's replies that must be of sources which the best one knows."""
KEPT = 1000
"""Newest replies whose usefulness is kept, for the chart; none of them is learned from twice. A task is repeated within minutes."""

Mode = Literal["off", "learning", "frozen"]


@dataclass(frozen=True)
class Tally:
    """Usefulness of some replies."""

    replies: int = 0
    total: float = 0.0
    squares: float = 0.0

    def with_reply(self, usefulness: float) -> Tally:
        return Tally(self.replies + 1, self.total + usefulness, self.squares + usefulness**2)

    @property
    def mean(self) -> float:
        return self.total / self.replies if self.replies else 0.0

    @property
    def variance(self) -> float:
        """Of the mean; without bounds for fewer than two replies."""
        if self.replies < 2:
            return math.inf
        return max(0.0, self.squares - self.replies * self.mean**2) / (self.replies - 1) / self.replies


@dataclass(frozen=True)
class Beside:
    """A period beside the best one, by what the same sources said in both. before, after: mean usefulness of the best and of this one."""

    before: float
    after: float
    error: float
    """Standard error of their difference."""

    @property
    def clearly_below(self) -> bool:
        return self.before - self.after > CLEARLY * self.error


@dataclass(frozen=True)
class Period:
    """begun: updates at its begin; tallies: by source, which is who said what was used: `model` or `words` with the model's name. One source cites more than
    another, and replies of several may alternate, where a model leaves its trailer out now and then or conversations have models of their own."""

    begun: int = 0
    tallies: Mapping[str, Tally] = field(default_factory=dict)

    def with_reply(self, source: str, usefulness: float) -> Period:
        return replace(self, tallies={**self.tallies, source: self.tallies.get(source, Tally()).with_reply(usefulness)})

    def beside(self, best: Period) -> Beside | None:
        """None where too few of the replies are of sources that the best period knows as well: then it says nothing of this one. Each source weighs as much
        as the difference of its two means is known."""
        both = [s for s, tally in self.tallies.items() if min(tally.replies, best.tallies.get(s, Tally()).replies) >= 2]
        if sum(self.tallies[s].replies for s in both) < COMPARABLE * sum(t.replies for t in self.tallies.values()) or not both:
            return None
        pairs = [(best.tallies[s], self.tallies[s]) for s in both]
        weights = [b.replies * a.replies / (b.replies + a.replies) for b, a in pairs]
        whole = sum(weights)
        return Beside(
            sum(w * b.mean for w, (b, _) in zip(weights, pairs, strict=True)) / whole,
            sum(w * a.mean for w, (_, a) in zip(weights, pairs, strict=True)) / whole,
            math.sqrt(sum(w**2 * (b.variance + a.variance) for w, (b, a) in zip(weights, pairs, strict=True))) / whole,
        )


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
