"""What a search found."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class FoundView:
    kind: str
    """`message`, or the kind of a memory."""
    chat_id: str
    title: str
    """Of its conversation."""
    language: str
    round: int
    """Where it stands; of a memory the first of its rounds."""
    speaker: str
    """Empty for a memory."""
    said_at: datetime
    pieces: tuple[tuple[str, bool], ...]
    """A part of its text in pieces: the words, and whether that is what was looked for."""
    hidden: bool
    """A message that is kept from the model."""


@dataclass(frozen=True)
class SearchView:
    text: str
    """What was looked for."""
    chat_id: str
    """In one conversation; empty for all."""
    messages: tuple[FoundView, ...]
    """The newest first, as the memories."""
    memories: tuple[FoundView, ...]
    messages_in_all: int
    memories_in_all: int
