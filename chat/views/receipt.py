"""What a reply was made from."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from chat.views.carrying import CarriedView


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
    """Why it was not delivered: `rank`, `budget`, `in_context`, `superseded` (by something newer that was), `repeats` (nothing is left of it
    without what was only said again) or empty."""
    cited: bool
    """Whether the reply used it; who says so is the receipt's `cited_by`."""
    carried: CarriedView | None = None
    """Where it came along from."""


@dataclass(frozen=True)
class LeftOutView:
    """A memory that would have stood among the first candidates, and could not be recalled."""

    memory_id: str
    kind: str
    text: str
    first_round: int
    """0 where it has no round on the open branch to look at."""
    last_round: int
    place: int
    """Among the candidates, each by itself."""
    reason: str
    """As `storage.absences.Why` names it."""
    round: int | None
    """In which it was forgotten or taken back, or of what took its place."""
    by: str
    """What took its place; empty if nothing is known to have, or that was erased."""


@dataclass(frozen=True)
class SectionView:
    name: str
    """`card`, `history`, `persona`, `memories`, `note` or `message`."""
    tokens: int
    items: int


@dataclass(frozen=True)
class LoreView:
    """An entry of a lorebook that was called up."""

    n: int
    """Its place in the book, from 1."""
    name: str
    by: str
    """The key that called it up; empty for one that always stands there."""
    through: int
    """The entry in whose content that key stood; 0 where it was said."""
    tokens: int
    delivered: bool
    """Whether its text stood in the prompt that was sent."""
    book: str = ""
    """The name of its book; empty for the one in the character's card."""


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
    left_out: tuple[LeftOutView, ...]
    """What was erased since is not among them; receipts of older versions have none."""
    sections: tuple[SectionView, ...]
    lore: tuple[LoreView, ...]
    window: int
    """Most tokens of prompt and reply together; 0 in receipts of older versions, as the next."""
    reply: int
    """Of them kept free for the reply."""
    prompt: tuple[tuple[str, str], ...]
    """(role, text) of every message as it was sent."""
    exact: str
    """`same`: by its hash, the prompt is what was sent, to the letter; `erased`: something in it was erased since; `other`: it is something else; empty in
    receipts of older versions."""
    thoughts: str = ""
    """What the model thought aloud before the reply, which no prompt holds; empty where it did not, or something in the prompt was erased since."""
    again: str = ""
    """Why the reply was made again, once, before it was kept: the first `repeats` an earlier one, or `recites` memory; empty where it was not."""
    speaker: str = ""
    """Of several characters the one whose reply it was."""
    heard: bool = False
    """It is no reply's, but says what a line called up that was heard."""
