"""What a person decides about learning from citations, and the file of what was learned."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

import numpy as np

from chat.errors import LearnedRefused
from chat.transfers import Outgoing, Transfers
from chat.views import LearningView
from memory.engine import MemoryEngine
from memory.learned_file import SUFFIX, most_bytes
from memory.usefulness import Mode

RUNNING = 40
"""Replies that a running mean is taken of: ten updates."""
POINTS = 120
"""Most points of the curve."""
MODES: tuple[str, ...] = get_args(Mode)
FILE = f"keepsake-learned{SUFFIX}"


class LearningControls:
    """Of one user each; there is nothing here of any chat."""

    def __init__(self, engine: MemoryEngine, transfers: Transfers) -> None:
        self._learner = engine.learning
        self._transfers = transfers
        self.most_bytes = most_bytes(self._learner.dimension)

    def view(self, user_id: str) -> LearningView:
        standing = self._learner.standing(user_id)
        shares = running(standing.replies, over=RUNNING)
        return LearningView(
            mode=standing.mode,
            exploring=standing.exploring,
            updates=standing.updates,
            counted=standing.counted,
            shares=tuple(thinned(shares, most=POINTS)),
            mean=shares[-1] if shares else None,
            fell=(standing.fall.before, standing.fall.after) if standing.fall else None,
            newest=RUNNING,
        )

    def choose(self, user_id: str, mode: str, *, exploring: bool) -> None:
        """mode: one of MODES; anything else is `off`."""
        chosen: Mode = "learning" if mode == "learning" else "frozen" if mode == "frozen" else "off"
        self._learner.choose(user_id, chosen, exploring=exploring)

    def reset(self, user_id: str) -> None:
        self._learner.reset(user_id)

    def export(self, user_id: str) -> Outgoing:
        """Raises StorageFull or StorageFailed."""
        return self._transfers.offer(user_id, FILE, self._learner.packed(user_id))

    def take(self, user_id: str, raw: bytes) -> None:
        """Go on from a file. Raises LearnedRefused, after which nothing is changed."""
        try:
            self._learner.unpack(user_id, raw)
        except ValueError as error:
            raise LearnedRefused(
                f"This file holds no weights that can be used here ({error}). Nothing was changed.", reason=str(error)
            ) from error


def running(values: Sequence[float], *, over: int) -> list[float]:
    """Mean of the last `over` values at each place; of as many as there are at the beginning."""
    sums = np.concatenate([[0.0], np.cumsum(values)])
    return [float((sums[i + 1] - sums[max(0, i + 1 - over)]) / min(i + 1, over)) for i in range(len(values))]


def thinned(values: Sequence[float], *, most: int) -> list[float]:
    """At most so many of the values, evenly, the last among them."""
    if len(values) <= most:
        return list(values)
    return [values[i] for i in np.linspace(0, len(values) - 1, most).round().astype(int)]
