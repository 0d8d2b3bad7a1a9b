"""The worker: aside while a reply is made, on after errors, gone when asked."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable

from memory.worker import Worker
from storage.records import NewTask, Task
from storage.tasks import MAX_ATTEMPTS
from tests.conftest import OpenChat


def _until(condition: Callable[[], bool], seconds: float = 60.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.01)
    return False


def _add(chat: OpenChat, name: str) -> None:
    chat.store.tasks.add(chat.scope, NewTask("episode", chat.branch_id, (name,), {"name": name}))


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
