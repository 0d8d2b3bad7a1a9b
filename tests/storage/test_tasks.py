"""The outbox: in order within a chat, side by side over chats, never lost, never "nothing"."""

from __future__ import annotations

from storage import tasks as rules
from storage.records import NewTask
from storage.store import Store
from tests.conftest import OpenChat, open_chat


def _add(chat: OpenChat, *names: str) -> None:
    for name in names:
        chat.store.tasks.add(chat.scope, NewTask("episode", chat.branch_id, (name,), {"name": name}))


def test_tasks_of_a_chat_run_in_order_and_other_chats_go_on(store: Store) -> None:
    first, second = open_chat(store), open_chat(store)
    _add(first, "a", "b")
    _add(second, "c")
    a = store.tasks.lease()
    c = store.tasks.lease()
    assert a is not None
    assert c is not None
    assert (a.payload["name"], c.payload["name"]) == ("a", "c")
    assert store.tasks.lease() is None
    store.tasks.finish(a)
    b = store.tasks.lease()
    assert b is not None
    assert b.payload["name"] == "b"


def test_a_failing_task_is_tried_again_then_shown_then_run_again_on_demand(chat: OpenChat) -> None:
    _add(chat, "bad", "good")
    tasks, database = chat.store.tasks, chat.store.database
    for _ in range(rules.MAX_ATTEMPTS):
        with database.write() as connection:
            connection.execute("UPDATE task SET not_before = 0")
        task = tasks.lease()
        assert task is not None
        assert task.payload["name"] == "bad"
        tasks.fail(task, "no luck")
    queue = tasks.queue(chat.scope)
    assert (queue.waiting, queue.failed, queue.last_error) == (1, 1, "no luck")
    good = tasks.lease()
    assert good is not None
    assert good.payload["name"] == "good", "a failed task blocks nothing"
    tasks.finish(good)
    assert tasks.retry_failed(chat.scope) == 1
    again = tasks.lease()
    assert again is not None
    assert (again.payload["name"], again.attempts) == ("bad", 1)


def test_a_pause_before_the_next_attempt_holds_the_chat_back_in_order(chat: OpenChat) -> None:
    _add(chat, "first", "second")
    task = chat.store.tasks.lease()
    assert task is not None
    chat.store.tasks.fail(task, "later")
    assert chat.store.tasks.lease() is None


def test_a_killed_workers_task_comes_back_but_not_for_ever(chat: OpenChat) -> None:
    _add(chat, "a")
    for _ in range(rules.MAX_CRASHES):
        assert chat.store.tasks.lease() is not None
        chat.store.tasks.release_all()
    assert chat.store.tasks.lease() is None
    assert chat.store.tasks.queue(chat.scope).failed == 1


def test_a_lease_ends_by_itself(chat: OpenChat) -> None:
    _add(chat, "a")
    assert chat.store.tasks.lease() is not None
    with chat.store.database.write() as connection:
        connection.execute("UPDATE task SET leased_until = 1")
    assert chat.store.tasks.lease() is not None
