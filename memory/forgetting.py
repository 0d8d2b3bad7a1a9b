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

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from memory.forgetting_policies import KEEPSAKE, STORED, Floats, Held, hold, weakest
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
    held = known(births, events, strengths=np.ones(len(births)), current_round=current_round)
    values, reinforced, inhibited = STORED.values(held, current_round=current_round), held.reinforcements(), held.inhibitions()
    return {i: Score(float(values[at]), int(reinforced[at]), int(inhibited[at])) for at, i in enumerate(births)}


def known(births: Mapping[str, int], events: Iterable[RecallEvent], *, strengths: Floats, current_round: int) -> Held:
    """The memories in `births`, in its order, as a policy sees them at `current_round`. strengths: at birth [n]; events of other memories and of later rounds are
    passed over."""
    place = {memory_id: i for i, memory_id in enumerate(births)}
    # In one order, whatever that of reading: a sum's last digit depends on it.
    log = sorted((e.round, place[e.memory_id], e.effect is Effect.REINFORCED) for e in events if e.memory_id in place)
    return Held(
        births=np.fromiter(births.values(), np.int64, len(births)),
        memory=np.fromiter((m for _, m, _ in log), np.int64, len(log)),
        rounds=np.fromiter((r for r, _, _ in log), np.int64, len(log)),
        reinforced=np.fromiter((up for _, _, up in log), np.bool_, len(log)),
        strengths=strengths,
    ).until(current_round)


def effects(ranked_ids: Sequence[str], *, firmly: Collection[str], current_round: int, k: int) -> list[RecallEvent]:
    """The events of one cue: ranks 1..k are reinforced, k+1..2k inhibited, the rest untouched (MOOM App. D). ranked_ids: what the cue reaches at all, best first;
    firmly: what it reaches so that it is recalled. Of the first k the others are let alone, and where none is recalled nothing is inhibited."""
    recalled = [i for i in ranked_ids[:k] if i in firmly]
    others = ranked_ids[k : 2 * k] if recalled else ()
    return [
        *(RecallEvent(memory_id, current_round, Effect.REINFORCED) for memory_id in recalled),
        *(RecallEvent(memory_id, current_round, Effect.INHIBITED) for memory_id in others),
    ]


@dataclass(frozen=True)
class Capacity:
    """What a branch keeps of facts and insights."""

    memories: int
    tokens: int = 0
    """0: as many as they come to."""


class Rival(Protocol):
    """A memory that competes for its place, whatever decides."""

    @property
    def id(self) -> str: ...

    @property
    def birth(self) -> int: ...

    @property
    def tokens(self) -> int: ...


@dataclass(frozen=True)
class Competitor:
    """A memory as it competes for its place by what the program forgets by."""

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
    """What the program forgets so that the capacity holds: what is held least by w (1 + S_kept), as `excess` has it; `competitors` come in path order."""
    values = hold(np.array([c.kept for c in competitors]), np.array([c.strength for c in competitors]))
    rates = KEEPSAKE.for_each_token(values, np.array([c.tokens for c in competitors], dtype=np.int64))
    return excess(competitors, values, rates, capacity, spared={c.id for c in competitors if c.spared})


def excess(rivals: Sequence[Rival], values: Floats, rates: Floats, capacity: Capacity, *, spared: Collection[str]) -> list[str]:
    """What has to go so that the capacity holds: what is worth least, of equals the oldest, then the first of the path, which `rivals` come in the order of; never
    what is spared. values [n]: higher is kept; rates [n]: the same where tokens run short. By rank, not by a threshold: at age 3 the time term is a tenth of that
    at birth, so nothing new would live."""
    lost = _weakest(rivals, values, capacity.memories, costs=[1] * len(rivals), spared=spared)
    if capacity.tokens:
        gone = set(lost)
        left = [place for place, rival in enumerate(rivals) if rival.id not in gone]
        some = [rivals[place] for place in left]
        lost += _weakest(some, rates[left], capacity.tokens, costs=[max(1, rival.tokens) for rival in some], spared=spared)
    return lost


def _weakest(rivals: Sequence[Rival], values: Floats, capacity: int, *, costs: Sequence[int], spared: Collection[str]) -> list[str]:
    places = weakest(
        values,
        births=np.array([r.birth for r in rivals], dtype=np.int64),
        costs=np.array(costs, dtype=np.float64),
        capacity=capacity,
        spared=np.array([r.id in spared for r in rivals], dtype=np.bool_),
    )
    return [rivals[place].id for place in places]
