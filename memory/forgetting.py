"""Competition-inhibition forgetting: scores as a pure function of recall events (MOOM 3.3, App. D).

    S = alpha / (exp(gamma (r_c - b)) + (1 - eps)) + beta * sum over r in R_c, r < r_c of 1 / (r_c - r + eps)
    S_kept = S * 2 ** -n

r_c: current round, b: round of birth, R_c: rounds whose cue reinforced the memory, n: inhibitions since the last reinforcement. Inhibition is
stored by counting events, because a score that is recomputed forgets a halving done once.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from storage.records import Effect, RecallEvent

ALPHA = 0.1
BETA = 0.9
GAMMA = 1.0
EPSILON = 1e-9
_MAX_EXPONENT = 700.0
"""exp overflows a double at 709.8; at 700 the time term is 1e-305, far below anything that ranks."""


@dataclass(frozen=True)
class Score:
    value: float
    """S_kept; higher is kept longer."""
    reinforced: int
    inhibited: int
    """Inhibitions since the last reinforcement (n)."""


def scores(births: Mapping[str, int], events: Iterable[RecallEvent], *, current_round: int) -> dict[str, Score]:
    """S_kept of every memory in `births` (id -> round of birth) at `current_round`. Events of other memories and of later rounds are passed over."""
    reinforced: dict[str, list[int]] = {}
    inhibited: dict[str, list[int]] = {}
    for event in events:
        if event.memory_id in births and event.round <= current_round:
            (reinforced if event.effect is Effect.REINFORCED else inhibited).setdefault(event.memory_id, []).append(event.round)
    return {
        memory_id: _score(birth, reinforced.get(memory_id, ()), inhibited.get(memory_id, ()), current_round=current_round)
        for memory_id, birth in births.items()
    }


def _score(birth: int, reinforced: Sequence[int], inhibited: Sequence[int], *, current_round: int) -> Score:
    exponent = min(GAMMA * (current_round - birth), _MAX_EXPONENT)
    time_term = ALPHA / (math.exp(exponent) + (1.0 - EPSILON))
    # Only strictly earlier rounds count: r = r_c would divide by eps.
    # fsum: the order in which events are read must not change a score.
    recall_term = BETA * math.fsum(1.0 / (current_round - r + EPSILON) for r in reinforced if r < current_round)
    last = max(reinforced, default=-1)
    n = sum(1 for r in inhibited if r > last)
    return Score(value=(time_term + recall_term) * 2.0**-n, reinforced=len(reinforced), inhibited=n)


def effects(ranked_ids: Sequence[str], *, current_round: int, k: int) -> list[RecallEvent]:
    """The events of one cue: ranks 1..k are reinforced, k+1..2k inhibited, the rest untouched (MOOM App. D)."""
    return [
        RecallEvent(memory_id, current_round, Effect.REINFORCED if rank < k else Effect.INHIBITED)
        for rank, memory_id in enumerate(ranked_ids[: 2 * k])
    ]


def overflow(kept: Mapping[str, Score], *, births: Mapping[str, int], capacity: int, spared: Collection[str]) -> list[str]:
    """What is forgotten so that `capacity` memories stay: the lowest scores, of equal ones the oldest; never what is spared (pinned, or of the newest
    unit: at age 3 the time term is a tenth of that at birth, so nothing new would live). By rank, not by a threshold, for the same reason."""
    excess = len(kept) - capacity
    weakest = sorted((i for i in kept if i not in spared), key=lambda i: (kept[i].value, births[i], i))
    return weakest[: max(0, excess)]
