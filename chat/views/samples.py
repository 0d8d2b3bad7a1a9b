"""The sample stories, as the page shows them."""

from __future__ import annotations

from dataclasses import dataclass

OWN_ROUNDS = 12
"""Pieces of work."""


@dataclass(frozen=True)
class SampleView:
    key: str
    language: str
    title: str
    about: str
    character: str
    rounds: int
    chat_id: str
    """Empty while the user has not added it, or has put it into the bin."""
    binned: bool
    done: int
    """Pieces of memory work that are done, of `total`; both 0 where none is left to do."""
    total: int
    failed: int

    @property
    def building(self) -> bool:
        """Whether its memory is still being made: more than what a round or two of the reader's own leave to do."""
        return self.total > OWN_ROUNDS
