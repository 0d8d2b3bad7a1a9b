"""What a reply was made from."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class CandidateView:
    """One candidate of a recall with everything that decided its place."""

    rank: int
    memory_id: str
    kind: str
    """`episode`, `fact` or `insight`; empty if it was erased."""
    text: str
    first_round: int
    last_round: int
    said_at: datetime
    dense: float | None
    sparse: float | None
    fused: float
    learned: float | None
    """What it came to by what earlier replies used; None where that was not asked."""
    parts: tuple[tuple[str, float], ...]
    """(part of the recipe, what it added to `fused`), the greatest first; empty in receipts of older versions."""
    effect: str
    """`reinforced`, `inhibited` or empty."""
    delivered: bool
    """Whether its text stood in the prompt that was sent."""
    reason: str
    """Why it was not delivered: `rank`, `budget`, `in_context` or empty."""
    cited: bool
    """Whether the reply used it; who says so is the receipt's `cited_by`."""


@dataclass(frozen=True)
class SectionView:
    name: str
    """`card`, `history`, `persona`, `memories` or `message`."""
    tokens: int
    items: int


@dataclass(frozen=True)
class ReceiptView:
    """What one reply was made from."""

    id: str
    message_id: str
    round: int
    query: str
    made_at: datetime
    model: str
    embedder: str
    degraded: str
    """Empty, or why recall fell back to recent rounds and pins: `timeout` or `error`."""
    cross: str
    """What came of a cross-encoder, as `memory.cross_reading` names it; empty where none is set."""
    recall_ms: float
    first_token_ms: float | None
    cited_by: str
    """Who says what the reply used: `model`, of all of them; `words`, a guess; empty where it is not known."""
    cited: int
    """How many it used."""
    candidates: tuple[CandidateView, ...]
    sections: tuple[SectionView, ...]
    prompt: tuple[tuple[str, str], ...]
    """(role, text) of every message as it was sent."""
