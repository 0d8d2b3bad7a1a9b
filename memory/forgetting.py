"""Competition-inhibition forgetting: scores as a pure function of recall events (MOOM 3.3, App. D).

    S = alpha / (exp(gamma (r_c - b)) + (1 - eps)) + beta * sum over r in R_c, r < r_c of 1 / (r_c - r + eps)
    S_kept = S * 2 ** -n

r_c: current round, b: round of birth, R_c: rounds whose cue reinforced the memory, n: inhibitions since the last reinforcement. Inhibition is
stored by counting events, because a score that is recomputed forgets a halving done once. Who is forgotten is decided by

    w (1 + S_kept)

with w the strength at birth (`memory.strength`): by S_kept alone, clusters of look-alikes that every cue calls up crowd out what was said once
(docs/forgetting.md). The formulas themselves stand in `memory.forgetting_policies`, beside what they are compared with.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from memory.forgetting_policies import STORED, Held, hold, weakest
from storage.records import Effect, RecallEvent


@dataclass(frozen=True)
class Score:
    value: float
    """S_kept; higher is kept longer."""
    reinforced: int
    inhibited: int
    """Inhibitions since the last reinforcement (n)."""


def scores(births: Mapping[str, int], events: Iterable[RecallEvent], *, current_round: int) -> dict[str, Score]:
    """S_kept of every memory in `births` (id -> round of birth) at `current_round`. Events of other memories and of later rounds are passed over."""
    place = {memory_id: i for i, memory_id in enumerate(births)}
    # In one order, whatever that of reading: a sum's last digit depends on it.
    log = sorted((e.round, place[e.memory_id], e.effect is Effect.REINFORCED) for e in events if e.memory_id in place)
    held = Held(
        births=np.fromiter(births.values(), np.int64, len(births)),
        memory=np.fromiter((m for _, m, _ in log), np.int64, len(log)),
        rounds=np.fromiter((r for r, _, _ in log), np.int64, len(log)),
        reinforced=np.fromiter((up for _, _, up in log), np.bool_, len(log)),
        strengths=np.ones(len(births)),
    ).until(current_round)
    values, reinforced, inhibited = STORED.values(held, current_round=current_round), held.reinforcements(), held.inhibitions()
    return {i: Score(float(values[at]), int(reinforced[at]), int(inhibited[at])) for i, at in place.items()}


def effects(ranked_ids: Sequence[str], *, current_round: int, k: int) -> list[RecallEvent]:
    """The events of one cue: ranks 1..k are reinforced, k+1..2k inhibited, the rest untouched (MOOM App. D)."""
    return [
        RecallEvent(memory_id, current_round, Effect.REINFORCED if rank < k else Effect.INHIBITED)
        for rank, memory_id in enumerate(ranked_ids[: 2 * k])
    ]


@dataclass(frozen=True)
class Capacity:
    """What a branch keeps of facts and insights."""

    memories: int
    tokens: int = 0
    """0: as many as they come to."""


@dataclass(frozen=True)
class Competitor:
    """A memory as it competes for its place."""

    id: str
    birth: int
    kept: float
    """S_kept."""
    strength: float
    """At birth (w)."""
    tokens: int
    spared: bool
    """Pinned, of the newest unit (what is new has not been looked for yet), or brought back by a person."""


def overflow(competitors: Sequence[Competitor], capacity: Capacity) -> list[str]:
    """What is forgotten so that the capacity holds: what is held least, of equals the oldest, then the first of the path, which `competitors` come in
    the order of; never what is spared. Where tokens run short it is what is held least for each of its tokens. By rank, not by a threshold: at age 3 the
    time term is a tenth of that at birth, so nothing new would live."""
    lost = _weakest(competitors, capacity.memories, costs=[1.0] * len(competitors))
    if capacity.tokens:
        left = [c for c in competitors if c.id not in set(lost)]
        lost += _weakest(left, capacity.tokens, costs=[float(max(1, c.tokens)) for c in left])
    return lost


def _weakest(competitors: Sequence[Competitor], capacity: int, *, costs: Sequence[float]) -> list[str]:
    """The least held for what each costs."""
    held = hold(np.array([c.kept for c in competitors]), np.array([c.strength for c in competitors]))
    places = weakest(
        held / np.array(costs),
        births=np.array([c.birth for c in competitors], dtype=np.int64),
        costs=np.array(costs),
        capacity=capacity,
        spared=np.array([c.spared for c in competitors], dtype=np.bool_),
    )
    return [competitors[place].id for place in places]
