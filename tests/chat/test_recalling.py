"""Recall in company: each waits its turn within its time, users take turns, and what is stuck for good holds up nobody for ever."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.recalling import MOST_STUCK, THREADS, BoundedRecall
from memory.engine import Cue
from memory.recall import Recall, degraded_recall
from storage.scope import Scope
from storage.tasks import RoundRobin

GENEROUS_S = 60.0


def _bounded(recall: Callable[[Scope], None], *, budget_s: float = GENEROUS_S) -> BoundedRecall:
    """recall: what is done in each recall."""

    def found(scope: Scope, branch_id: str, cue: Cue) -> Recall:
        recall(scope)
        return degraded_recall(cue, pinned=(branch_id,), reason="", milliseconds=0.0)

    engine: Any = SimpleNamespace(recall=found, pinned=lambda *_: ("pin",))
    return BoundedRecall(engine, budget_s=budget_s)


def _ask(recalls: BoundedRecall, user: str, *, branch: str = "b") -> tuple[threading.Thread, list[Recall]]:
    results: list[Recall] = []
    thread = threading.Thread(target=lambda: results.append(recalls(Scope.of(user, f"chat-{user}"), branch, Cue("cue", 1))))
    thread.start()
    return thread, results


def _until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + GENEROUS_S
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.002)


def test_who_asks_while_others_recall_waits_and_is_remembered_too() -> None:
    go, begun, most, lock = threading.Event(), [], [], threading.Lock()

    def recall(scope: Scope) -> None:
        with lock:
            begun.append(scope.user_id)
            most.append(len(begun))
        go.wait(GENEROUS_S)

    recalls = _bounded(recall)
    asked = [_ask(recalls, f"{n}") for n in range(12)]
    _until(lambda: len(recalls._waiting) == 12 - THREADS and len(begun) == THREADS)
    go.set()
    for thread, _ in asked:
        thread.join(GENEROUS_S)
    assert [results[0].degraded for _, results in asked] == [""] * 12


def test_users_take_turns_whoever_asks_for_how_much() -> None:
    go, order, lock = threading.Event(), [], threading.Lock()

    def recall(scope: Scope) -> None:
        go.wait(GENEROUS_S)
        with lock:
            order.append(scope.user_id)

    recalls = _bounded(recall)
    asked = []
    for user in ["many"] * (THREADS + 6) + ["few", "fewer"]:
        asked.append(_ask(recalls, user))
        _until(lambda: len(recalls._waiting) + sum(s < float("inf") for s in recalls._under_way.values()) == len(asked))
    go.set()
    for thread, _ in asked:
        thread.join(GENEROUS_S)
    # Those under way are the first's, then each of the others comes before the first again.
    assert {"few", "fewer"} <= set(order[: 2 * THREADS + 2])


def test_who_has_waited_too_long_goes_on_without_and_nothing_is_recalled_for_nobody() -> None:
    go, begun = threading.Event(), []

    def recall(scope: Scope) -> None:
        begun.append(scope.user_id)
        go.wait(GENEROUS_S)

    recalls = _bounded(recall, budget_s=0.3)
    stuck = [_ask(recalls, f"stuck-{n}") for n in range(THREADS)]
    _until(lambda: len(begun) == THREADS)
    waits, results = _ask(recalls, "waits")
    waits.join(GENEROUS_S)
    assert (results[0].degraded, results[0].pinned) == ("timeout", ("pin",))
    for thread, _ in stuck:
        thread.join(GENEROUS_S)
    go.set()
    assert recalls._waiting == []
    assert len(begun) == THREADS


def test_recalls_that_never_end_are_replaced_up_to_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chat.recalling.STUCK_S", 0.0)
    go = threading.Event()

    def recall(scope: Scope) -> None:
        if scope.user_id.startswith("stuck"):
            go.wait(GENEROUS_S)

    recalls = _bounded(recall, budget_s=0.2)
    for number in range(MOST_STUCK):
        thread, results = _ask(recalls, f"stuck-{number}")
        thread.join(GENEROUS_S)
        assert results[0].degraded == "timeout"
    monkeypatch.setattr(recalls, "_budget_s", GENEROUS_S)
    thread, results = _ask(recalls, "another")
    thread.join(GENEROUS_S)
    assert results[0].degraded == ""
    monkeypatch.setattr(recalls, "_budget_s", 0.2)
    for number in range(3 * THREADS):
        thread, _ = _ask(recalls, f"stuck-again-{number}")
        thread.join(GENEROUS_S)
    assert len(recalls._under_way) <= THREADS + MOST_STUCK
    go.set()


def test_a_thread_that_nothing_is_asked_of_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chat.recalling.IDLE_S", 0.01)
    recalls = _bounded(lambda scope: None)
    thread, results = _ask(recalls, "one")
    thread.join(GENEROUS_S)
    assert results[0].degraded == ""
    _until(lambda: not recalls._under_way)


@given(st.lists(st.sampled_from("abcdef"), min_size=1, max_size=30))
def test_nobody_who_waits_is_passed_twice(asks: list[str]) -> None:
    turns, waiting = RoundRobin(), list(asks)
    since: dict[str, set[str]] = {}
    while waiting:
        user = turns.first(waiting)
        for other in {*waiting} - {user}:
            passed = since.setdefault(other, set())
            assert user not in passed, "it was served before, after the other had begun to wait"
            passed.add(user)
        since[user] = set()
        waiting.remove(user)
        turns.served(user)
