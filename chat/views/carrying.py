"""What can leave a conversation's memory, or is in a file of one, as the page shows it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class OfferedView:
    """One thing that can come along."""

    id: str
    """Of the memory; of a thing in a file its place there."""
    kind: str
    text: str
    """Of a piece of the story a sentence a line."""
    key: str
    said_at: datetime
    first_round: int
    last_round: int
    title: str
    """Of the conversation it was remembered in first."""
    state: str
    """`living`, `former`, `forgotten` or `left_out`."""
    pinned: bool
    may: bool
    """Whether it can: what is another character's own cannot."""
    own: bool
    """It is the player's, told about themself or theirs, so that any character may know it."""
    there: bool = False
    """The conversation that it would come into has it, or had it and it was deleted there for good."""


@dataclass(frozen=True)
class CarryingView:
    """character: whose memory it is; same: whether that is the character whose memory it would become."""

    title: str
    character: str
    character_id: str
    player: str
    language: str
    rounds: int
    same: bool
    things: tuple[OfferedView, ...]


@dataclass(frozen=True)
class TakenView:
    """edition: of the conversation now; new: memories that came along; there: chosen ones that it had, or that were deleted there."""

    edition: int
    new: int
    there: int


@dataclass(frozen=True)
class CarriedView:
    """Where a memory that came along was remembered first. title: as it was then; first, last: rounds of that conversation."""

    title: str
    chat: str
    first: int
    last: int
