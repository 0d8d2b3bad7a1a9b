"""Competition-inhibition scores: the formula, and the traps public re-implementations fell into."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.competing import Contest, Laid
from memory.forgetting import Capacity, Competitor, effects, overflow, scores
from memory.forgetting_policies import KEEPSAKE, Fifo
from storage.records import Effect, Kind, RecallEvent
from storage.visible import VisibleSet


def _value(birth: int, events: list[tuple[int, Effect]], current: int) -> float:
    return scores({"m": birth}, [RecallEvent("m", r, e) for r, e in events], current_round=current)["m"].value


R, INHIBITED = Effect.REINFORCED, Effect.INHIBITED


def test_the_time_term_is_the_papers() -> None:
    assert _value(10, [], 10) == pytest.approx(0.05, rel=1e-6)
    assert _value(10, [], 13) == pytest.approx(0.1 / (math.exp(3) + 1), rel=1e-6)


def test_a_very_old_memory_does_not_overflow() -> None:
    assert 0 <= _value(0, [], 10_000) < 1e-300


def test_a_reinforcement_in_the_current_round_does_not_count_yet() -> None:
    assert _value(0, [(5, R)], 5) == pytest.approx(_value(0, [], 5))
    assert _value(0, [(5, R)], 6) == pytest.approx(0.9 + 0.1 / (math.exp(6) + 1), rel=1e-6)


def test_each_inhibition_since_the_last_reinforcement_halves_and_stays() -> None:
    free = _value(0, [(2, R)], 10)
    assert _value(0, [(2, R), (4, INHIBITED)], 10) == pytest.approx(free / 2)
    assert _value(0, [(2, R), (4, INHIBITED), (5, INHIBITED)], 10) == pytest.approx(free / 4)
    assert _value(0, [(2, R), (4, INHIBITED), (5, INHIBITED), (7, R)], 10) == pytest.approx(_value(0, [(2, R), (7, R)], 10))


def test_ranks_decide_effects() -> None:
    ranked = [f"m{i}" for i in range(30)]
    made = effects(ranked, firmly=ranked, current_round=4, k=9)
    assert [e.effect for e in made] == [R] * 9 + [INHIBITED] * 9
    assert [e.memory_id for e in made] == [f"m{i}" for i in range(18)]
    assert effects(["a"], firmly={"a"}, current_round=1, k=9) == [RecallEvent("a", 1, R)]


def test_of_the_first_ranks_only_what_is_recalled_is_reinforced_and_where_nothing_is_nothing_is_inhibited() -> None:
    ranked = [f"m{i}" for i in range(6)]
    assert effects(ranked, firmly={"m1", "m4"}, current_round=4, k=3) == [
        RecallEvent("m1", 4, R),
        *(RecallEvent(f"m{i}", 4, INHIBITED) for i in (3, 4, 5)),
    ]
    assert effects(ranked, firmly={"m4"}, current_round=4, k=3) == []


_EVENTS = st.lists(
    st.tuples(st.sampled_from("abc"), st.integers(0, 50), st.sampled_from([R, INHIBITED])), max_size=40, unique_by=lambda e: e[:2]
)


@given(events=_EVENTS, order=st.randoms(), current=st.integers(0, 60))
def test_a_score_is_finite_positive_and_independent_of_the_order_of_events(
    events: list[tuple[str, int, Effect]], order, current: int
) -> None:
    log = [RecallEvent(*e) for e in events]
    births = {"a": 0, "b": 3, "c": 7}
    first = scores(births, log, current_round=current)
    order.shuffle(log)
    assert scores(births, log, current_round=current) == first
    assert all(math.isfinite(s.value) and s.value >= 0 for s in first.values())


@given(events=_EVENTS)
def test_inhibiting_never_helps(events: list[tuple[str, int, Effect]]) -> None:
    log = [RecallEvent(*e) for e in events if e[0] == "a"]
    before = scores({"a": 0}, log, current_round=60)["a"].value
    after = scores({"a": 0}, [*log, RecallEvent("a", 55, INHIBITED)], current_round=60)["a"].value
    assert after <= before


def _competitors(count: int, events: list[RecallEvent], *, strengths: dict[str, float] | None = None, spared: str = "") -> list[Competitor]:
    births = {f"m{i}": i for i in range(count)}
    kept = scores(births, events, current_round=count)
    return [
        Competitor(i, birth, kept[i].value, (strengths or {}).get(i, 1.0), tokens=10 * (1 + birth % 2), spared=i in spared.split())
        for i, birth in births.items()
    ]


def test_the_weakest_beyond_the_capacity_are_forgotten_and_the_spared_never() -> None:
    recalled = [RecallEvent("m0", 8, R), RecallEvent("m5", 9, R)]
    competitors = _competitors(10, recalled, spared="m9 m8")
    assert overflow(competitors, Capacity(6)) == ["m1", "m2", "m3", "m4"]
    assert overflow(competitors, Capacity(10)) == []
    assert set(overflow(competitors, Capacity(1))) == {f"m{i}" for i in range(8)}


def test_what_tells_little_goes_before_what_is_recalled_less() -> None:
    recalled = [RecallEvent("m0", 3, R)]  # .9 / 1 at round 4, so it is held at 1.9 w; the others at little more than w
    strengths = {"m0": 1.0, "m1": 1.8, "m2": 2.0, "m3": 5.0}
    assert overflow(_competitors(4, recalled, strengths=strengths), Capacity(2)) == ["m1", "m0"]
    inhibited = [*recalled, RecallEvent("m0", 4, INHIBITED)]  # 1.45 w
    assert overflow(_competitors(4, inhibited, strengths=strengths), Capacity(2)) == ["m0", "m1"]


def test_where_tokens_run_short_what_is_held_least_for_each_goes() -> None:
    # Tokens 10, 20, 10, 20, all held alike: the longer ones first, the older of them before the younger.
    assert overflow(_competitors(4, []), Capacity(4, tokens=45)) == ["m1"]
    assert overflow(_competitors(4, []), Capacity(4, tokens=20)) == ["m1", "m3"]
    assert overflow(_competitors(4, []), Capacity(3, tokens=20)) == ["m0", "m1", "m3"]
    assert overflow(_competitors(4, [], spared="m1"), Capacity(4, tokens=0)) == []


def test_of_equals_the_oldest_goes_first_and_then_the_first_of_the_path() -> None:
    equals = [Competitor(i, birth, 0.0, 1.0, tokens=5, spared=False) for i, birth in (("c", 2), ("b", 3), ("a", 3))]
    assert overflow(equals, Capacity(1)) == ["c", "b"]


@given(
    events=_EVENTS,
    strengths=st.lists(st.floats(1e-6, 40), min_size=3, max_size=3),
    tokens=st.lists(st.integers(0, 90), min_size=3, max_size=3),
    capacity=st.builds(Capacity, st.integers(0, 4), st.integers(0, 120)),
    spared=st.frozensets(st.sampled_from("abc")),
)
def test_the_worker_forgets_by_the_policy_what_the_sheet_says_would_go(
    events: list[tuple[str, int, Effect]], strengths: list[float], tokens: list[int], capacity: Capacity, spared: frozenset[str]
) -> None:
    births = {"a": 0, "b": 3, "c": 7}
    log = [RecallEvent(*e) for e in events]
    kept = scores(births, log, current_round=60)
    laid = [Laid(i, birth, w, t) for (i, birth), w, t in zip(births.items(), strengths, tokens, strict=True)]
    seen = VisibleSet((0, 1, 2), tuple(births), tuple(births.values()), (Kind.FACT,) * 3)
    field = Contest(seen, VisibleSet(), spared)
    lost = field.lost(laid, log, capacity, policy=KEEPSAKE, current_round=60)
    assert lost == overflow(field.competitors(laid, kept), capacity)


def test_first_in_first_out_goes_by_age_also_where_tokens_run_short() -> None:
    laid = [Laid("old", 1, 1.0, 1), Laid("long", 2, 1.0, 50), Laid("new", 3, 1.0, 10)]
    field = Contest(VisibleSet((0, 1, 2), ("old", "long", "new"), (1, 2, 3), (Kind.FACT,) * 3), VisibleSet(), frozenset())
    assert field.lost(laid, [], Capacity(3, 55), policy=Fifo(), current_round=4) == ["old", "long"]
    assert field.lost(laid, [], Capacity(3, 55), policy=KEEPSAKE, current_round=4) == ["long"]
