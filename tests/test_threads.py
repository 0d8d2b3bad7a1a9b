"""Threads that are kept: as many as are needed at once, no more than the bound, and none that nobody needs."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest

from threads import Threads


def _until(true: Callable[[], bool]) -> None:
    ends = time.monotonic() + 60
    while not true():
        assert time.monotonic() < ends
        time.sleep(0.005)


def test_what_is_done_one_after_the_other_is_done_by_one_thread() -> None:
    threads = Threads("kept", most=8)
    seen = set()
    for _ in range(50):
        seen.add(threads.begin(threading.get_ident).result(60))
        _until(lambda: threads._idle == 1)
    assert len(seen) == len(threads) == 1


def test_no_more_work_than_the_bound_is_under_way_and_the_rest_waits_its_turn() -> None:
    threads = Threads("few", most=3)
    go_on, lock = threading.Event(), threading.Lock()
    at_once: list[int] = []
    under_way = 0

    def work() -> None:
        nonlocal under_way
        with lock:
            under_way += 1
            at_once.append(under_way)
        go_on.wait(60)
        with lock:
            under_way -= 1

    begun = [threads.begin(work) for _ in range(20)]
    _until(lambda: under_way == 3)
    assert len(threads) == 3
    go_on.set()
    for one in begun:
        one.result(60)
    assert max(at_once) == 3
    assert len(at_once) == 20


def test_a_thread_that_nobody_needs_ends() -> None:
    threads = Threads("short", most=4, idle_s=0.01)
    for one in [threads.begin(lambda: time.sleep(0.01)) for _ in range(4)]:
        one.result(60)
    _until(lambda: len(threads) == 0)
    assert threads.begin(lambda: 7).result(60) == 7, "and there is one again when it is needed"


def test_a_failure_is_told_to_whoever_waits_and_the_thread_goes_on() -> None:
    threads = Threads("failing", most=1)

    def fail() -> None:
        raise SystemExit

    failed = threads.begin(fail)
    with pytest.raises(SystemExit):
        failed.result(60)
    assert threads.begin(lambda: 1).result(60) == 1


def test_where_no_thread_is_to_be_had_it_is_said_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(self: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    threads = Threads("none", most=2)
    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", none)
        with pytest.raises(RuntimeError):
            threads.begin(lambda: 1)
    assert threads.begin(lambda: 2).result(60) == 2, "what was refused is not done later"
