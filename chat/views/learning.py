"""How learning stands, as the page shows it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class LearningView:
    mode: str
    """`off`, `learning` or `frozen`: applied as it is."""
    exploring: bool
    updates: int
    counted: int
    """Replies that were ever taken in."""
    shares: tuple[float, ...]
    """Running mean of the share of shown memories that replies used, oldest first; at most `chat.learning.POINTS`."""
    mean: float | None
    """Over the newest replies; None before the first."""
    fell: tuple[float, float] | None
    """(before, after): means for which learning went back and stopped."""
    newest: int
    """Replies that a running mean is taken of."""
