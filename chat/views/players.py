"""A player's own personas as they are shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class PlayerView:
    id: str
    name: str
    description: str
    stamp: int
    """Grows with each change; a form carries the one it shows."""
    face: int | None
    """Grows with each change, where there is a picture."""
    conversations: int
    """That have it or had it, those in the bin included."""


@dataclass(frozen=True)
class PlayersView:
    listed: tuple[PlayerView, ...]
    removed: tuple[PlayerView, ...]
    default: str
    """Id of the one that new conversations begin with; empty for none."""
    ties: Mapping[str, str]
    """By the id of a character that of the persona with which new conversations with it begin, also where that was removed since."""
    room: int
    """Most tokens of a description that a prompt takes."""


@dataclass(frozen=True)
class PlayedView:
    """Who the player is in a conversation."""

    id: str
    """Empty where it is no persona."""
    name: str
    face: int | None
    follows: bool
    """It has whichever persona is the default."""
