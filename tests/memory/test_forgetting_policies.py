"""Forgetting policies against their formulas, worked out by hand."""

from __future__ import annotations

from math import exp

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.forgetting_policies import (
    KEEPSAKE,
    NO_INHIBITION,
    ONE_ROUND,
    STORED,
    Chance,
    Ebbinghaus,
    Fifo,
    Held,
    Policy,
    weakest,
)

Event = tuple[int, int, bool]
"""(memory, round, whether it reinforced)."""


def held(births: list[int], events: list[Event], *, strengths: list[float] | None = None) -> Held:
    rows = sorted(events, key=lambda e: e[1])
    return Held(
        births=np.array(births, dtype=np.int64),
        memory=np.array([m for m, _, _ in rows], dtype=np.int64),
        rounds=np.array([r for _, r, _ in rows], dtype=np.int64),
        reinforced=np.array([up for _, _, up in rows], dtype=np.bool_),
        strengths=np.array(strengths or [1.0] * len(births)),
    )


def value(policy: Policy, birth: int, events: list[tuple[int, bool]], current: int) -> float:
    return float(policy.values(held([birth], [(0, r, up) for r, up in events]), current_round=current)[0])


UP, DOWN = True, False


@pytest.mark.parametrize("age", [0, 1, 3, 10, 709, 710, 100_000])
def test_eq_3_to_nine_digits_at_any_age(age: int) -> None:
    time_term = 0.1 / (exp(age) + 1 - 1e-9) if age < 700 else 0.0
    assert value(STORED, 0, [], age) == pytest.approx(time_term, rel=1e-9, abs=1e-300)
    recalled = [(r, UP) for r in (1, 2, 4) if r < age]
    recall_term = sum(0.9 / (age - r + 1e-9) for r, _ in recalled)
    assert value(STORED, 0, recalled, age) == pytest.approx(time_term + recall_term, rel=1e-9, abs=1e-300)


def test_a_worked_example_of_eq_3() -> None:
    # Born in 2, recalled in 4 and 7, now 9: .1 / (e^7 + 1) + .9 (1/5 + 1/2)
    assert value(NO_INHIBITION, 2, [(4, UP), (7, UP)], 9) == pytest.approx(0.1 / (exp(7) + 1) + 0.63, abs=1e-8)


def test_three_readings_of_one_inhibition() -> None:
    events = [(2, UP), (4, DOWN), (6, DOWN)]
    free = value(NO_INHIBITION, 0, events, 6)
    assert free == pytest.approx(0.9 / 4 + 0.1 / (exp(6) + 1), rel=1e-9)
    assert value(STORED, 0, events, 6) == pytest.approx(free / 4, rel=1e-12)
    assert value(ONE_ROUND, 0, events, 6) == pytest.approx(free / 2, rel=1e-12)
    assert value(ONE_ROUND, 0, events, 7) == value(NO_INHIBITION, 0, events, 7)
    assert value(STORED, 0, [*events, (7, UP)], 8) == value(NO_INHIBITION, 0, [*events, (7, UP)], 8)


def test_strength_at_birth_holds_and_cues_raise_it() -> None:
    events: list[Event] = [(0, 3, UP), (1, 3, UP), (0, 5, DOWN), (1, 5, DOWN)]
    first, second = KEEPSAKE.values(held([1, 1], events, strengths=[0.5, 2.0]), current_round=8)
    # S = .1 / (e^7 + 1) + .9 / 5, halved once.
    assert second == pytest.approx(2 * (1 + (0.1 / (exp(7) + 1) + 0.18) / 2), abs=1e-9)
    assert second == pytest.approx(4 * first, rel=1e-12)
    assert KEEPSAKE.values(held([0], [], strengths=[0.7]), current_round=100_000)[0] == pytest.approx(0.7, rel=1e-9)


@pytest.mark.parametrize(
    ("since", "recalls", "expected"), [(0, 0, 1.0), (3, 0, exp(-3)), (3, 1, exp(-1.5)), (10, 4, exp(-2)), (100_000, 0, 0.0)]
)
def test_ebbinghaus_recall_makes_it_last_longer(since: int, recalls: int, expected: float) -> None:
    events = [(r, UP) for r in range(1, recalls + 1)]
    assert value(Ebbinghaus(), 0, events, recalls + since) == pytest.approx(expected, abs=1e-9)
    assert value(Ebbinghaus(step=2.0), 0, events, recalls + 2 * since) == pytest.approx(expected, abs=1e-9)


def test_first_in_goes_first() -> None:
    assert Fifo().values(held([1, 2, 5], [(0, 6, UP)]), current_round=9).tolist() == [1, 2, 5]


def test_chance_draws_once_for_each_memory() -> None:
    before = Chance(seed=3).values(held([1, 2], []), current_round=2)
    after = Chance(seed=3).values(held([1, 2, 3], [(0, 2, UP)]), current_round=3)
    assert after[:2].tolist() == before.tolist()
    assert Chance(seed=4).values(held([1, 2], []), current_round=2).tolist() != before.tolist()


def test_later_events_are_not_known_yet() -> None:
    whole = held([0], [(0, 2, UP), (0, 5, DOWN), (0, 9, UP)])
    assert whole.until(5).rounds.tolist() == [2, 5]
    assert whole.until(5).inhibitions().tolist() == [1]
    assert whole.inhibitions().tolist() == [0]
    assert whole.reinforcements().tolist() == [2]


_EVENTS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 50), st.booleans()), max_size=40, unique_by=lambda e: e[:2])


@pytest.mark.parametrize("policy", [STORED, ONE_ROUND, NO_INHIBITION, Ebbinghaus()], ids=lambda p: p.name)
@given(events=_EVENTS, current=st.integers(50, 100_000))
def test_values_are_finite_and_a_recall_never_hurts(policy: Policy, events: list[Event], current: int) -> None:
    before = policy.values(held([0, 0, 0], events), current_round=current)
    assert np.isfinite(before).all()
    assert (before >= 0).all()
    more = [*(e for e in events if e[:2] != (1, 50)), (1, 50, UP)]
    assert (
        policy.values(held([0, 0, 0], more), current_round=current + 1)[1]
        >= policy.values(held([0, 0, 0], events), current_round=current + 1)[1]
    )


def test_the_weakest_go_until_the_capacity_holds() -> None:
    values, births = np.array([3.0, 1.0, 2.0, 1.0]), np.array([0, 7, 1, 5])
    costs, nobody = np.array([10.0, 5.0, 20.0, 5.0]), np.zeros(4, dtype=np.bool_)
    assert weakest(values, births=births, costs=np.ones(4), capacity=2, spared=nobody) == [3, 1]
    assert weakest(values, births=births, costs=costs, capacity=30, spared=nobody) == [3, 1]
    assert weakest(values, births=births, costs=costs, capacity=29, spared=nobody) == [3, 1, 2]
    assert weakest(values, births=births, costs=costs, capacity=40, spared=nobody) == []
    assert weakest(values, births=births, costs=costs, capacity=0, spared=np.array([True, False, False, True])) == [1, 2]


def test_what_ties_in_value_and_birth_goes_in_path_order() -> None:
    equal = np.zeros(5)
    births = np.array([4, 2, 2, 4, 2])
    assert weakest(equal, births=births, costs=np.ones(5), capacity=1, spared=np.zeros(5, dtype=np.bool_)) == [1, 2, 4, 0]
