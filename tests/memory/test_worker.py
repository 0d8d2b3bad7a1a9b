"""The worker: aside while a reply is made, on after errors, gone when asked."""

from __future__ import annotations

import os
import threading
import time
from collections import Counter
from collections.abc import Callable

import pytest

from memory.worker import MAX_LOST, Worker
from storage.records import NewTask, Task
from storage.store import Store
from storage.tasks import MAX_ATTEMPTS
from tests.conftest import OpenChat, open_chat


def _until(condition: Callable[[], bool], seconds: float = 60.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.01)
    return False


def _add(chat: OpenChat, name: str, *, kind: str = "episode") -> None:
    chat.store.tasks.add(chat.scope, NewTask(kind, chat.branch_id, (name,), {"name": name}))


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
    assert _until(lambda: chat.store.tasks.queue(chat.scope).waiting == 0)
    assert worker.stop()
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
    assert _until(lambda: len(done) == 1)
    assert worker.stop()


def test_replies_without_end_do_not_starve_memory(chat: OpenChat, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memory.worker.MAX_PAUSE_S", 0.05)
    done: list[object] = []
    worker = Worker(chat.store.tasks, lambda task: done.append(task.id))
    with worker.paused():
        worker.start()
        for name in "abc":
            _add(chat, name)
        assert _until(lambda: len(done) == 3)
        assert worker.replying
    assert worker.stop()


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
    assert _until(lambda: runs.count("good") == 1)
    assert worker.stop()
    assert runs.count("bad") == MAX_ATTEMPTS
    queue = chat.store.tasks.queue(chat.scope)
    assert (queue.failed, queue.last_error) == (1, "ValueError: poison")


def test_a_hung_task_does_not_keep_a_reply_from_pausing_or_the_program_from_ending(chat: OpenChat) -> None:
    hang, started = threading.Event(), threading.Event()

    def run(task: Task) -> None:
        started.set()
        hang.wait(20)

    _add(chat, "hangs")
    worker = Worker(chat.store.tasks, run)
    worker.start()
    assert started.wait(5)
    begun = time.monotonic()
    with worker.paused():
        pass
    assert not worker.stop(timeout=0.2)
    assert time.monotonic() - begun < 2
    hang.set()
    assert worker.stop()


def test_a_long_task_ends_with_the_program_at_its_next_step_and_was_never_begun(chat: OpenChat) -> None:
    started = threading.Event()

    def run(task: Task) -> None:
        started.set()
        for _ in range(2_000):
            time.sleep(0.01)
            worker.breathe()

    _add(chat, "long")
    worker = Worker(chat.store.tasks, run)
    worker.start()
    assert started.wait(5)
    assert worker.stop(timeout=5)
    again = chat.store.tasks.lease()
    assert again is not None
    assert (again.payload["name"], again.attempts) == ("long", 1)


def test_upkeep_does_not_wait_for_a_task_that_is_resumed(chat: OpenChat) -> None:
    begun, tidied = threading.Semaphore(0), threading.Semaphore(0)

    def run(task: Task) -> None:
        begun.release()
        for _ in range(2_000):
            time.sleep(0.01)
            worker.breathe()

    _add(chat, "long", kind="insight")
    worker = Worker(chat.store.tasks, run, before=lambda _: tidied.release(), resumed=["insight"])
    worker.start()
    assert begun.acquire(timeout=5)
    assert tidied.acquire(timeout=5)
    worker.tidy()
    assert tidied.acquire(timeout=5), "it did not wait for the twenty seconds that the task takes"
    assert begun.acquire(timeout=5), "and the task was begun anew"
    assert worker.stop()


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
        time.sleep(0.002)
        done[task.chat_id].append(task.payload["name"])
        with lock:
            under_way[task.chat_id] -= 1

    worker = Worker(store.tasks, run, threads=3)
    worker.start()
    assert _until(lambda: all(len(d) == 25 for d in done.values()))
    assert worker.stop()
    assert done == names
    assert most.pop("all") == 3
    assert set(most.values()) == {1}


def test_a_hanging_task_holds_up_its_own_chat_alone_and_only_until_it_is_given_up(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memory.worker.HANG_S", 0.4)
    monkeypatch.setattr("memory.worker.WATCH_S", 0.02)
    first, second = open_chat(store), open_chat(store)
    hang, done = threading.Event(), []

    def run(task: Task) -> None:
        if task.payload["name"] == "hangs":
            hang.wait(20)
        done.append(task.payload["name"])

    _add(first, "hangs")
    _add(first, "after")
    _add(second, "beside")
    worker = Worker(store.tasks, run, threads=2)
    worker.start()
    assert _until(lambda: "beside" in done, 0.4)
    assert _until(lambda: "after" in done, 5)
    assert _until(lambda: len(store.task_list.open(first.scope)) == 1, 5)
    (failed,) = store.task_list.open(first.scope)
    assert (failed.state, failed.error) == ("failed", "it took no step for 0 seconds")
    hang.set()
    assert _until(lambda: "hangs" in done, 5)
    assert worker.stop()
    assert [t.state for t in store.task_list.open(first.scope)] == ["failed"], (
        "what was given up does not count as done when it ends after all"
    )


def test_every_thread_lost_to_a_task_that_hangs_is_replaced_up_to_a_bound(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memory.worker.HANG_S", 0.1)
    monkeypatch.setattr("memory.worker.WATCH_S", 0.01)
    chat, hang = open_chat(store), threading.Event()
    for n in range(MAX_LOST + 3):
        _add(chat, f"{n}")
    worker = Worker(store.tasks, lambda task: hang.wait(20) and None)
    worker.start()
    assert _until(lambda: store.tasks.queue(chat.scope).failed == MAX_LOST + 1, 20)
    time.sleep(0.3)
    assert store.tasks.queue(chat.scope).waiting == 2
    assert not worker.stop(timeout=0.1)
    hang.set()
    assert worker.stop()


def test_a_long_task_that_takes_steps_is_not_given_up_and_keeps_its_lease(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memory.worker.HANG_S", 0.3)
    monkeypatch.setattr("memory.worker.WATCH_S", 0.02)
    monkeypatch.setattr("memory.worker.RENEW_S", 0.02)
    monkeypatch.setattr("storage.tasks.LEASE_MS", 200)
    chat, runs = open_chat(store), []
    _add(chat, "long")

    def run(task: Task) -> None:
        runs.append(task.attempts)
        for _ in range(60):
            time.sleep(0.02)
            worker.breathe()

    worker = Worker(store.tasks, run, threads=2)
    worker.start()
    assert _until(lambda: store.tasks.queue(chat.scope).waiting == 0, 10)
    assert worker.stop()
    assert runs == [1]
    assert store.tasks.queue(chat.scope).failed == 0


def test_a_task_under_way_waits_at_its_next_step_while_a_reply_is_made_and_others_do_not(store: Store) -> None:
    chat, steps, begun = open_chat(store), [], threading.Event()
    _add(chat, "a")

    def run(task: Task) -> None:
        for n in range(200):
            time.sleep(0.005)
            worker.breathe()
            steps.append(n)
            begun.set()

    worker = Worker(store.tasks, run)
    worker.start()
    assert begun.wait(5)
    with worker.paused():
        time.sleep(0.1)
        before = len(steps)
        time.sleep(0.2)
        assert len(steps) == before < 200
        worker.breathe()  # in a thread that is not the worker's: it has somebody waiting for it
    assert _until(lambda: len(steps) == 200)
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
    assert _until(lambda: len(upkeeps) == 1)
    time.sleep(0.02)
    worker.tidy()
    assert _until(lambda: len(upkeeps) == 2)
    assert _until(lambda: all(store.tasks.queue(c.scope).waiting == 0 for c in chats))
    assert worker.stop()
    assert not any(clashes)
    assert upkeeps == [True, True]


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
    assert _until(lambda: len(done) == 200)
    assert worker.stop()
