"""Competition-inhibition forgetting: scores as a pure function of recall events (MOOM 3.3, App. D).

    S = alpha / (exp(gamma (r_c - b)) + (1 - eps)) + beta * sum over r in R_c, r < r_c of 1 / (r_c - r + eps)
    S_kept = S * 2 ** -n

r_c: current round, b: round of birth, R_c: rounds whose cue reinforced the memory, n: inhibitions since the last reinforcement. Inhibition is
stored by counting events, because a score that is recomputed forgets a halving done once. The formula itself stands in `memory.forgetting_policies`,
beside what it is compared with.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from memory.forgetting_policies import STORED, Held, Policy, weakest
from storage.records import Effect, RecallEvent


@dataclass(frozen=True)
class Score:
    value: float
    """S_kept; higher is kept longer."""
    reinforced: int
    inhibited: int
    """Inhibitions since the last reinforcement (n)."""


def scores(births: Mapping[str, int], events: Iterable[RecallEvent], *, current_round: int, policy: Policy = STORED) -> dict[str, Score]:
    """S_kept of every memory in `births` (id -> round of birth) at `current_round`. Events of other memories and of later rounds are passed over."""
    place = {memory_id: i for i, memory_id in enumerate(births)}
    # In one order, whatever that of reading: a sum's last digit depends on it.
    log = sorted((e.round, place[e.memory_id], e.effect is Effect.REINFORCED) for e in events if e.memory_id in place)
    held = Held(
        births=np.fromiter(births.values(), np.int64, len(births)),
        memory=np.fromiter((m for _, m, _ in log), np.int64, len(log)),
        rounds=np.fromiter((r for r, _, _ in log), np.int64, len(log)),
        reinforced=np.fromiter((up for _, _, up in log), np.bool_, len(log)),
    ).until(current_round)
    values, reinforced, inhibited = policy.values(held, current_round=current_round), held.reinforcements(), held.inhibitions()
    return {i: Score(float(values[at]), int(reinforced[at]), int(inhibited[at])) for i, at in place.items()}


def effects(ranked_ids: Sequence[str], *, current_round: int, k: int) -> list[RecallEvent]:
    """The events of one cue: ranks 1..k are reinforced, k+1..2k inhibited, the rest untouched (MOOM App. D)."""
    return [
        RecallEvent(memory_id, current_round, Effect.REINFORCED if rank < k else Effect.INHIBITED)
        for rank, memory_id in enumerate(ranked_ids[: 2 * k])
    ]


def overflow(kept: Mapping[str, Score], *, births: Mapping[str, int], capacity: int, spared: Collection[str]) -> list[str]:
    """What is forgotten so that `capacity` memories stay: the lowest scores, of equal ones the oldest, then by the order of `kept`, which is the path's;
    never what is spared (pinned, or of the newest unit: at age 3 the time term is a tenth of that at birth, so nothing new would live). By rank, not by
    a threshold, for the same reason."""
    ids = list(kept)
    lost = weakest(
        np.array([kept[i].value for i in ids]),
        births=np.array([births[i] for i in ids]),
        costs=np.ones(len(ids)),
        capacity=capacity,
        spared=np.array([i in spared for i in ids], dtype=np.bool_),
    )
    return [ids[i] for i in lost]
