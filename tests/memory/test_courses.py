"""The course of a score is what the engine would have said in each round."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory import courses
from memory.courses import before, course, drawn_rounds
from memory.forgetting import scores
from storage.records import Effect, RecallEvent

R, INHIBITED = Effect.REINFORCED, Effect.INHIBITED
LOGS = st.lists(st.tuples(st.integers(0, 90), st.sampled_from([R, INHIBITED])), max_size=60, unique_by=lambda e: e[0])


def logged(events: list[tuple[int, Effect]]) -> list[RecallEvent]:
    return [RecallEvent("m", round_number, effect) for round_number, effect in events]


@given(birth=st.integers(0, 30), events=LOGS, rounds=st.lists(st.integers(0, 120), max_size=40), block=st.sampled_from([1, 7, 400_000]))
def test_a_course_is_the_engines_score_in_every_round(birth: int, events: list[tuple[int, Effect]], rounds: list[int], block: int) -> None:
    log = logged([(birth + r, e) for r, e in events])
    wanted = [birth + r for r in rounds]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(courses, "BLOCK", block)
        drawn = course(birth, log, wanted)
    for at, value in zip(wanted, drawn, strict=True):
        assert abs(value - scores({"m": birth}, log, current_round=at)["m"].value) <= 1e-9


@given(birth=st.integers(0, 30), events=LOGS)
def test_before_a_round_nothing_of_it_counts(birth: int, events: list[tuple[int, Effect]]) -> None:
    log = logged([(birth + r, e) for r, e in events])
    for event in log:
        earlier = [e for e in log if e.round < event.round]
        (value,) = before(birth, log, [event.round])
        assert abs(value - scores({"m": birth}, earlier, current_round=event.round)["m"].value) <= 1e-9


def test_a_course_rises_when_it_is_recalled_and_halves_when_others_win() -> None:
    values = course(1, logged([(5, R), (8, INHIBITED)]), list(range(1, 10)))
    assert values[5] > 0.9 > values[4], "in the round that follows"
    assert values[7] == pytest.approx(values[6] * (1 / 3) / (1 / 2) / 2, rel=0.01)


def test_a_short_course_is_drawn_round_by_round_and_a_long_one_by_its_edges() -> None:
    assert drawn_rounds(3, 9, []) == [3, 4, 5, 6, 7, 8, 9]
    long = drawn_rounds(0, 3000, logged([(1234, R), (2999, INHIBITED)]), most=50)
    assert {0, 1234, 1235, 1236, 2999, 3000} <= set(long)
    assert long == sorted(set(long))
    assert len(long) <= 50 + 5
    crowded = drawn_rounds(0, 3000, logged([(n, R) for n in range(3000)]), most=50)
    assert len(crowded) <= 50 + 3 * 50
