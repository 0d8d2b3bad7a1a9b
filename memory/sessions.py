"""Sessions: stretches of a path between silences (RMM 5.1).

A session ends where the next round was begun after `idle` or more, where a person, a silence or an import ended it, and, so that one of a thousand rounds
asks for no more than others, at every sixtieth round. No edit and no deletion moves a border, and a branch shares those of its path.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import groupby, pairwise

from memory.narrative import THETA_1
from storage.sessions import Moment

IDLE = timedelta(minutes=30)
"""Silence after which a session is over, if nothing else is set."""
LONGEST = 10 * THETA_1
"""Rounds of one session at most; a border stands at every multiple of it."""


@dataclass(frozen=True)
class Session:
    """Rounds of one session, both ends included."""

    first: int
    last: int
    over: bool
    """False for the newest while it may go on."""


def sessions(path: Sequence[Moment], *, idle: timedelta) -> list[Session]:
    """The sessions of consecutive rounds of a path, oldest first. path: oldest first, beginning where a session does."""
    rounds = [list(said) for _, said in groupby(path, key=lambda m: m.round)]
    if not rounds:
        return []
    found: list[Session] = []
    first = rounds[0][0].round
    for said, following in pairwise(rounds):
        if ends(said, following[0], idle=idle):
            found.append(Session(first, said[-1].round, over=True))
            first = following[0].round
    return [*found, Session(first, rounds[-1][-1].round, over=any(m.ended for m in rounds[-1]))]


def ends(said: Sequence[Moment], following: Moment, *, idle: timedelta) -> bool:
    """Whether a session ends between the messages of a round and the first of the next."""
    silence = following.said_at - said[-1].said_at
    return silence >= idle or any(m.ended for m in said) or following.round // LONGEST > said[-1].round // LONGEST
