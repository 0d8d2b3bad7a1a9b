"""The course of a memory's score over the rounds of a path, by the very formula that forgetting uses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from memory.forgetting_policies import STORED, Flags, Floats, Held, Ints
from storage.records import Effect, RecallEvent

BLOCK = 400_000
"""Moved events held at once: some 20 MB."""
MOST_POINTS = 240
"""Rounds that a curve is drawn by where there are more, beside those at which something befell the memory."""


def course(birth: int, events: Iterable[RecallEvent], rounds: Sequence[int]) -> Floats:
    """S_kept of one memory at each of some rounds [n] (`memory.forgetting.scores` at that round). events: of that memory, on one path.

    A score depends on distances between rounds alone. So what the memory was at each wanted round becomes a memory of its own, moved until all of them stand
    at one round, and the formula is asked once.
    """
    happened, up = _log(events)
    wanted = np.asarray(rounds, dtype=np.int64)
    return _asked(birth, happened, up, wanted, np.searchsorted(happened, wanted, side="right"))


def before(birth: int, events: Iterable[RecallEvent], rounds: Sequence[int]) -> Floats:
    """As `course`, each without what befell the memory in that very round."""
    happened, up = _log(events)
    wanted = np.asarray(rounds, dtype=np.int64)
    return _asked(birth, happened, up, wanted, np.searchsorted(happened, wanted, side="left"))


def _log(events: Iterable[RecallEvent]) -> tuple[Ints, Flags]:
    """Rounds [e], rising, and whether each reinforced [e]."""
    log = sorted((e.round, e.effect is Effect.REINFORCED) for e in events)
    return np.fromiter((r for r, _ in log), np.int64, len(log)), np.fromiter((u for _, u in log), np.bool_, len(log))


def _asked(birth: int, happened: Ints, up: Flags, wanted: Ints, known: Ints) -> Floats:
    """known: how many of the events count at each of the wanted rounds [n]."""
    values = np.zeros(len(wanted))
    start = 0
    while start < len(wanted):
        sizes = np.cumsum(known[start:])
        end = start + max(1, int(np.searchsorted(sizes, BLOCK, side="right")))
        values[start:end] = _moved(birth, happened, up, wanted[start:end], known[start:end])
        start = end
    return values


def _moved(birth: int, happened: Ints, up: Flags, wanted: Ints, known: Ints) -> Floats:
    now = int(wanted.max())
    memory = np.repeat(np.arange(len(wanted)), known)
    event = np.arange(len(memory)) - np.repeat(np.cumsum(known) - known, known)
    moved = happened[event] + now - wanted[memory]
    order = np.argsort(moved, kind="stable")
    held = Held(
        births=birth + now - wanted,
        memory=memory[order],
        rounds=moved[order],
        reinforced=up[event][order],
        strengths=np.ones(len(wanted)),
    )
    return STORED.values(held, current_round=now)


def drawn_rounds(birth: int, last: int, events: Iterable[RecallEvent], *, most: int = MOST_POINTS) -> list[int]:
    """Rounds to draw a course by: every one where there are few, else some at equal distances and, since a course has its edges there, those in which
    something befell the memory with the two that follow; of too many of these the newest."""
    if last - birth < most:
        return list(range(birth, last + 1))
    even = {birth + (last - birth) * step // (most - 1) for step in range(most)}
    befell = sorted({e.round for e in events}, reverse=True)[:most]
    return sorted({r for r in (*even, *(at + step for at in befell for step in (0, 1, 2))) if birth <= r <= last})
