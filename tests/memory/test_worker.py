"""The worker: aside while a reply is made, on after errors, gone when asked."""

from __future__ import annotations

import os
import threading
import time
from collections import Counter
from collections.abc import Callable
from types import SimpleNamespace

import pytest

from memory.worker import HANG_S, MAX_LOST, Worker
from storage.records import NewTask, Rank, Task
from storage.store import Store
from storage.tasks import LEASE_MS, MAX_ATTEMPTS, Queue
from tests.conftest import OpenChat, open_chat
from tests.waiting import PATIENCE_S, until


class Clock:
    """The time that the worker and the outbox go by: it passes when a test lets it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.passed, self.watched = 0.0, 0
        monkeypatch.setattr("memory.worker.WATCH_S", 0.001)
        monkeypatch.setattr("memory.worker.time", SimpleNamespace(monotonic=self._monotonic))
        monkeypatch.setattr("storage.tasks.now_ms", lambda: START_MS + int(self.passed * 1000))

    def _monotonic(self) -> float:
        self.watched += threading.current_thread().name == "memory-watch"
        return self.passed

    def passes(self, seconds: float) -> None:
        """The watch looks at every thread after that, whole looks of them."""
        self.passed += seconds
        seen = self.watched
        until(lambda: self.watched > seen + 1)


START_MS = 1_714_564_800_000


def _add(chat: OpenChat, name: str, *, kind: str = "episode", rank: Rank = Rank.LIVE) -> None:
    chat.store.tasks.add(chat.scope, NewTask(kind, chat.branch_id, (name,), {"name": name}, rank))


def test_tasks_are_done_in_order_at_the_lowest_priority(chat: OpenChat) -> None:
    done: list[object] = []
    priority: list[int] = []

    def run(task: Task) -> None:
        done.append(task.payload["name"])
        priority.append(os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))

    for name in "abc":
        _add(chat, name)
    worker = Worker(chat.store.tasks, run)
    worker.start()
    until(lambda: chat.store.tasks.queue(chat.scope).waiting == 0)
    assert worker.stop(timeout=PATIENCE_S)
    assert done == ["a", "b", "c"]
    assert set(priority) == {19}


def test_no_task_begins_while_a_reply_is_made(chat: OpenChat) -> None:
    done: list[object] = []
    worker = Worker(chat.store.tasks, lambda task: done.append(task.id))
    worker.start()
    with worker.paused():
        _add(chat, "a")
        worker.wake()
        time.sleep(0.3)
        assert done == []
    until(lambda: len(done) == 1)
    assert worker.stop(timeout=PATIENCE_S)


def test_replies_without_end_do_not_starve_memory(chat: OpenChat, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memory.worker.MAX_PAUSE_S", 0.05)
    done: list[object] = []
    worker = Worker(chat.store.tasks, lambda task: done.append(task.id))
    with worker.paused():
        worker.start()
        for name in "abc":
            _add(chat, name)
        until(lambda: len(done) == 3)
        assert worker.replying
    assert worker.stop(timeout=PATIENCE_S)


def test_a_poisoned_task_is_tried_then_shown_and_blocks_nothing(chat: OpenChat, monkeypatch) -> None:
    monkeypatch.setattr("storage.tasks.BACKOFF_MS", (0,))
    monkeypatch.setattr("memory.worker.IDLE_S", 0.02)
    runs: list[object] = []

    def run(task: Task) -> None:
        runs.append(task.payload["name"])
        if task.payload["name"] == "bad":
            raise ValueError("poison")

    _add(chat, "bad")
    _add(chat, "good")
    worker = Worker(chat.store.tasks, run)
    worker.start()
    until(lambda: runs.count("good") == 1)
    assert worker.stop(timeout=PATIENCE_S)
    assert runs.count("bad") == MAX_ATTEMPTS
    queue = chat.store.tasks.queue(chat.scope)
    assert (queue.failed, queue.last_error) == (1, "ValueError: poison")


def test_a_hung_task_does_not_keep_a_reply_from_pausing_or_the_program_from_ending(chat: OpenChat) -> None:
    hang, started = threading.Event(), threading.Event()

    def run(task: Task) -> None:
        started.set()
        hang.wait()

    _add(chat, "hangs")
    worker = Worker(chat.store.tasks, run)
    worker.start()
    assert started.wait(PATIENCE_S)
    with worker.paused():
        pass
    assert not worker.stop(timeout=0.2)
    hang.set()
    assert worker.stop(timeout=PATIENCE_S)


def test_a_long_task_ends_with_the_program_at_its_next_step_and_was_never_begun(chat: OpenChat) -> None:
    started = threading.Event()

    def run(task: Task) -> None:
        started.set()
        while True:
            time.sleep(0.001)
            worker.breathe()

    _add(chat, "long")
    worker = Worker(chat.store.tasks, run)
    worker.start()
    assert started.wait(PATIENCE_S)
    assert worker.stop(timeout=PATIENCE_S)
    again = chat.store.tasks.lease()
    assert again is not None
    assert (again.payload["name"], again.attempts) == ("long", 1)


def test_upkeep_does_not_wait_for_a_task_that_is_resumed(chat: OpenChat) -> None:
    begun, tidied = threading.Semaphore(0), threading.Semaphore(0)

    def run(task: Task) -> None:
        begun.release()
        while True:
            time.sleep(0.001)
            worker.breathe()

    _add(chat, "long", kind="insight")
    worker = Worker(chat.store.tasks, run, before=lambda _: tidied.release(), resumed=["insight"])
    worker.start()
    assert begun.acquire(timeout=PATIENCE_S)
    assert tidied.acquire(timeout=PATIENCE_S)
    worker.tidy()
    assert tidied.acquire(timeout=PATIENCE_S), "it did not wait for the task, which would go on for ever"
    assert begun.acquire(timeout=PATIENCE_S), "and the task was begun anew"
    assert worker.stop(timeout=PATIENCE_S)


def test_chats_are_worked_on_at_once_and_each_in_order(store: Store) -> None:
    chats = [open_chat(store) for _ in range(4)]
    names = {c.scope.chat_id: [f"{n}" for n in range(25)] for c in chats}
    for chat in chats:
        for name in names[chat.scope.chat_id]:
            _add(chat, name)
    done: dict[str, list[object]] = {c.scope.chat_id: [] for c in chats}
    under_way: Counter[str] = Counter()
    most, lock = Counter[str](), threading.Lock()

    def run(task: Task) -> None:
        with lock:
            under_way[task.chat_id] += 1
            most[task.chat_id] = max(most[task.chat_id], under_way[task.chat_id])
            most["all"] = max(most["all"], under_way.total())
        until(lambda: most["all"] == 3)
        done[task.chat_id].append(task.payload["name"])
        with lock:
            under_way[task.chat_id] -= 1

    worker = Worker(store.tasks, run, threads=3)
    worker.start()
    until(lambda: all(len(d) == 25 for d in done.values()))
    assert worker.stop(timeout=PATIENCE_S)
    assert done == names
    assert most.pop("all") == 3
    assert set(most.values()) == {1}


def test_a_hanging_task_holds_up_its_own_chat_alone_and_only_until_it_is_given_up(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    first, second = open_chat(store), open_chat(store)
    hang, done = threading.Event(), []

    def run(task: Task) -> None:
        if task.payload["name"] == "hangs":
            hang.wait()
        done.append(task.payload["name"])

    _add(first, "hangs")
    _add(first, "after")
    _add(second, "beside")
    worker = Worker(store.tasks, run, threads=2)
    worker.start()
    until(lambda: "beside" in done)
    clock.passes(HANG_S)
    assert done == ["beside"]
    clock.passes(1)
    until(lambda: "after" in done)
    until(lambda: len(store.task_list.open(first.scope)) == 1)
    (failed,) = store.task_list.open(first.scope)
    assert (failed.state, failed.error) == ("failed", "it took no step for 300 seconds")
    hang.set()
    until(lambda: "hangs" in done)
    assert worker.stop(timeout=PATIENCE_S)
    assert [t.state for t in store.task_list.open(first.scope)] == ["failed"], (
        "what was given up does not count as done when it ends after all"
    )


def test_every_thread_lost_to_a_task_that_hangs_is_replaced_up_to_a_bound(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    chat, hang, begun = open_chat(store), threading.Event(), threading.Semaphore(0)

    def run(task: Task) -> None:
        begun.release()
        hang.wait()

    for n in range(MAX_LOST + 3):
        _add(chat, f"{n}")
    worker = Worker(store.tasks, run)
    worker.start()
    for n in range(MAX_LOST + 1):
        assert begun.acquire(timeout=PATIENCE_S)
        clock.passes(HANG_S + 1)
        until(lambda n=n: store.tasks.queue(chat.scope).failed == n + 1)  # type: ignore[misc]
    clock.passes(HANG_S + 1)
    assert not begun.acquire(timeout=0.3), "no thread is left"
    assert store.tasks.queue(chat.scope).waiting == 2
    assert not worker.stop(timeout=0.1)
    hang.set()
    assert worker.stop(timeout=PATIENCE_S)


def test_a_long_task_that_takes_steps_is_not_given_up_and_keeps_its_lease(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    chat, runs, step = open_chat(store), [], HANG_S - 1
    assert 10 * step * 1000 > 4 * LEASE_MS
    _add(chat, "long")

    def run(task: Task) -> None:
        runs.append(task.attempts)
        for _ in range(10):
            clock.passes(step)
            worker.wake()  # the other thread, which would take it
            worker.breathe()

    worker = Worker(store.tasks, run, threads=2)
    worker.start()
    until(lambda: store.tasks.queue(chat.scope).waiting == 0)
    assert worker.stop(timeout=PATIENCE_S)
    assert runs == [1]
    assert store.tasks.queue(chat.scope).failed == 0


def test_a_task_under_way_waits_at_its_next_step_while_a_reply_is_made_and_others_do_not(store: Store) -> None:
    chat, steps, begun, enough = open_chat(store), [], threading.Event(), threading.Event()
    _add(chat, "a")

    def run(task: Task) -> None:
        while not enough.is_set():
            time.sleep(0.005)
            worker.breathe()
            steps.append(0)
            begun.set()

    worker = Worker(store.tasks, run)
    worker.start()
    assert begun.wait(PATIENCE_S)
    with worker.paused():
        before = len(steps)
        time.sleep(0.3)
        assert len(steps) <= before + 1, "the step that was under way"
        worker.breathe()  # in a thread that is not the worker's: it has somebody waiting for it
    until(lambda: len(steps) > before + 2)
    enough.set()
    assert worker.stop(timeout=PATIENCE_S)


@pytest.mark.parametrize("rank", [Rank.LATER, Rank.IMPORT])
def test_long_work_gives_way_to_what_is_live_between_its_steps_and_goes_on(store: Store, rank: Rank) -> None:
    long, lives = [open_chat(store) for _ in range(2)], [open_chat(store, f"live-{n}") for n in range(3)]
    begun, go, order, lock = threading.Semaphore(0), threading.Event(), [], threading.Lock()

    def note(name: object) -> None:
        with lock:
            order.append(name)

    def run(task: Task) -> None:
        if task.rank is Rank.LIVE:
            worker.breathe()
            note(task.payload["name"])
            return
        begun.release()
        assert go.wait(PATIENCE_S)
        for _ in range(3):
            worker.breathe()
        note(task.payload["name"])

    for number, chat in enumerate(long):
        _add(chat, f"long {number}", rank=rank)
    worker = Worker(store.tasks, run, threads=2)
    worker.start()
    assert begun.acquire(timeout=PATIENCE_S)
    assert begun.acquire(timeout=PATIENCE_S), "both threads are at long work"
    for chat in lives:
        _add(chat, "live")
        _add(chat, "live too")
    worker.wake()
    go.set()
    until(lambda: len(order) == 8)
    assert worker.stop()
    # The two threads may end the last live one and a long one at once, in either order.
    assert {str(name).split()[0] for name in order[:5]} == {"live"}
    assert all(store.tasks.queue(chat.scope) == Queue(0, 0, "") for chat in (*long, *lives))


def test_what_is_live_fails_by_itself_and_the_long_work_that_it_came_between_does_not(store: Store) -> None:
    long, live, ended = open_chat(store), open_chat(store), []

    def run(task: Task) -> None:
        if task.rank is Rank.LIVE:
            raise ValueError("poison")
        _add(live, "bad")
        worker.wake()
        worker.breathe()
        ended.append(store.tasks.lease())

    _add(long, "long", rank=Rank.IMPORT)
    worker = Worker(store.tasks, run)
    worker.start()
    until(lambda: store.tasks.queue(long.scope).waiting == 0)
    assert worker.stop()
    assert ended == [None], "it had been tried when the long task went on"
    assert [(t.state, t.error) for t in store.task_list.open(live.scope)] == [("queued", "ValueError: poison")]


def test_work_beside_the_workers_waits_for_what_is_live(store: Store) -> None:
    chat, begun, go, waited = open_chat(store), threading.Event(), threading.Event(), []

    def run(task: Task) -> None:
        begun.set()
        go.wait(PATIENCE_S)

    _add(chat, "live")
    worker = Worker(store.tasks, run)
    worker.start()
    assert begun.wait(PATIENCE_S)
    beside = threading.Thread(target=lambda: waited.append(worker.after_live()))
    beside.start()
    time.sleep(0.1)
    assert waited == []
    go.set()
    beside.join(PATIENCE_S)
    assert waited == [True]
    assert worker.stop()


def test_upkeep_has_the_index_for_itself(store: Store) -> None:
    chats = [open_chat(store) for _ in range(3)]
    for chat in chats:
        for n in range(20):
            _add(chat, f"{n}")
    busy, clashes, upkeeps = Counter[str](), [], []

    def run(task: Task) -> None:
        busy["tasks"] += 1
        clashes.append(busy["upkeep"])
        time.sleep(0.003)
        busy["tasks"] -= 1

    def before(may_go_on: Callable[[], bool]) -> None:
        busy["upkeep"] += 1
        clashes.append(busy["tasks"])
        time.sleep(0.02)
        upkeeps.append(may_go_on())
        busy["upkeep"] -= 1

    worker = Worker(store.tasks, run, before=before, threads=3)
    worker.start()
    until(lambda: len(upkeeps) == 1)
    time.sleep(0.02)
    worker.tidy()
    until(lambda: len(upkeeps) == 2)
    until(lambda: all(store.tasks.queue(c.scope).waiting == 0 for c in chats))
    assert worker.stop(timeout=PATIENCE_S)
    assert not any(clashes)
    assert upkeeps == [True, True]


def test_upkeep_that_waits_for_a_long_task_holds_nobody_up(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memory.worker.TIDY_WAIT_S", 0.1)
    slow, quick = open_chat(store), open_chat(store, "another")
    begun, go, done, tidied = threading.Event(), threading.Event(), [], threading.Semaphore(0)

    def run(task: Task) -> None:
        if task.payload["name"] == "slow":
            begun.set()
            go.wait(PATIENCE_S)
        done.append(task.payload["name"])

    worker = Worker(store.tasks, run, before=lambda _: tidied.release(), threads=2)
    worker.start()
    assert tidied.acquire(timeout=PATIENCE_S)
    _add(slow, "slow")
    worker.wake()
    assert begun.wait(PATIENCE_S)
    worker.tidy()
    for name in "abc":
        _add(quick, name)
    worker.wake()
    until(lambda: done == ["a", "b", "c"])
    assert not tidied.acquire(blocking=False), "the slow one may be at the index"
    go.set()
    assert tidied.acquire(timeout=PATIENCE_S)
    assert worker.stop(timeout=PATIENCE_S)


def test_a_task_that_writes_while_the_page_wakes_the_worker_does_not_lock_up(store: Store) -> None:
    """A task is taken under a lock of its own: whoever holds the database may wake the worker."""
    chat, done = open_chat(store), []
    worker = Worker(store.tasks, lambda task: done.append(task.id), threads=2)
    worker.start()
    for n in range(200):
        with store.database.write():
            _add(chat, f"{n}")
            worker.wake()
            with worker.paused():
                pass
    until(lambda: len(done) == 200)
    assert worker.stop(timeout=PATIENCE_S)
