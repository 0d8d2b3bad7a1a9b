"""The story opened down to what was said."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from chat.views.conversation import KeptView


@dataclass(frozen=True)
class SpokenView:
    name: str
    role: str
    """`user` or `character`."""
    text: str
    """Its beginning, where it is long."""
    cut: bool


@dataclass(frozen=True)
class SpokenRoundView:
    round: int
    said_at: datetime
    lines: tuple[SpokenView, ...]
    """As they were spoken."""
    kept: KeptView


@dataclass(frozen=True)
class SpanView:
    first: int
    last: int
    rounds: tuple[SpokenRoundView, ...]
    """Oldest first."""
