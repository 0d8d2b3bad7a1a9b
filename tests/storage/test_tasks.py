"""The outbox: in order within a chat, side by side over chats, never lost, never "nothing"."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from storage import tasks as rules
from storage.records import NewTask, Rank, Task
from storage.store import Store
from tests.conftest import OpenChat, open_chat


def _add(chat: OpenChat, *names: str, rank: Rank = Rank.LIVE, kind: str = "episode") -> None:
    for name in names:
        chat.store.tasks.add(chat.scope, NewTask(kind, chat.branch_id, (name,), {"name": name}, rank))


def _leased(store: Store, **options: Rank) -> object:
    task = store.tasks.lease(**options)
    return task.payload["name"] if task else None


def _through(store: Store, count: int) -> list[object]:
    """The names of so many tasks, each done before the next is leased."""
    names = []
    for _ in range(count):
        task = store.tasks.lease()
        assert task is not None
        names.append(task.payload["name"])
        store.tasks.finish(task)
    return names


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


def test_what_follows_of_a_kind_is_looked_at_in_its_own_chat_and_not_taken(store: Store) -> None:
    first, second = open_chat(store), open_chat(store)
    _add(first, "a")
    _add(second, "c")
    store.tasks.add(first.scope, NewTask("extract", first.branch_id, ("r",), {"name": "r"}))
    _add(first, "b")
    a = store.tasks.lease()
    assert a is not None
    for _ in range(2):
        found = store.tasks.following(a, "episode")
        assert found is not None
        assert (found.payload["name"], found.attempts) == ("b", 0)
    assert store.tasks.following(a, "unit") is None
    store.tasks.finish(a)
    left = [task.payload["name"] for task in iter(store.tasks.lease, None)]
    assert left == ["c", "r"], "b waits for what is before it"


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


def test_what_waits_for_a_language_model_holds_nothing_back_and_keeps_one_thread_at_most(store: Store) -> None:
    first, second = open_chat(store), open_chat(store)

    def add(chat: OpenChat, kind: str, name: str) -> None:
        store.tasks.add(chat.scope, NewTask(kind, chat.branch_id, (name,), {"name": name}))

    def names(*tasks: Task | None) -> list[object]:
        return [task.payload["name"] if task else None for task in tasks]

    add(first, "extract", "a")
    add(first, "read", "b")
    add(first, "tell", "c")
    add(first, "extract", "d")
    add(second, "read", "e")
    a, e = store.tasks.lease(), store.tasks.lease()
    assert names(a, e, store.tasks.lease()) == ["a", "e", None], "b comes after a, and d after a"
    assert a is not None
    assert e is not None
    store.tasks.finish(a)
    d = store.tasks.lease()
    assert names(d, store.tasks.lease()) == ["d", None], "while e waits for the model b does not, and d waits for neither"
    store.tasks.finish(e)
    b = store.tasks.lease()
    assert names(b) == ["b"]
    assert b is not None
    store.tasks.fail(b, "nobody answers")
    assert names(store.tasks.lease()) == [None], "c comes after b, which pauses"
    add(first, "extract", "f")
    assert d is not None
    store.tasks.finish(d)
    assert names(store.tasks.lease()) == ["f"]


def test_a_killed_workers_task_comes_back_but_not_for_ever(chat: OpenChat) -> None:
    _add(chat, "a")
    for _ in range(rules.MAX_CRASHES):
        assert chat.store.tasks.lease() is not None
        chat.store.tasks.release_all()
        with chat.store.database.write() as connection:
            connection.execute("UPDATE task SET not_before = 0")
    assert chat.store.tasks.lease() is None
    assert chat.store.tasks.queue(chat.scope).failed == 1


def test_a_lease_ends_by_itself(chat: OpenChat) -> None:
    _add(chat, "a")
    assert chat.store.tasks.lease() is not None
    with chat.store.database.write() as connection:
        connection.execute("UPDATE task SET leased_until = 1")
    assert chat.store.tasks.lease() is not None


def test_a_crash_too_many_pauses_a_task_so_that_other_chats_get_on(store: Store) -> None:
    first, second = open_chat(store), open_chat(store)
    _add(first, "kills the process")
    for _ in range(3):
        task = store.tasks.lease()
        assert task is not None
        assert task.payload["name"] == "kills the process"
        store.tasks.release_all()
    _add(second, "good")
    task = store.tasks.lease()
    assert task is not None
    assert task.payload["name"] == "good"


def test_a_lease_that_went_to_another_cannot_be_renewed_ended_or_failed(chat: OpenChat) -> None:
    _add(chat, "a")
    slow = chat.store.tasks.lease()
    assert slow is not None
    assert chat.store.tasks.renew(slow)
    with chat.store.database.write() as connection:
        connection.execute("UPDATE task SET leased_until = 1")
    other = chat.store.tasks.lease()
    assert other is not None
    assert not chat.store.tasks.renew(slow)
    chat.store.tasks.finish(slow)
    chat.store.tasks.fail(slow, "late")
    assert [t.state for t in chat.store.task_list.open(chat.scope)] == ["leased"]
    chat.store.tasks.finish(other)
    assert chat.store.task_list.open(chat.scope) == []


def test_what_waits_or_failed_can_be_given_up_and_what_is_done_cannot(chat: OpenChat) -> None:
    _add(chat, "running", "waits", "fails")
    tasks = chat.store.tasks
    running = tasks.lease()
    assert running is not None
    ids = {t.state: t.id for t in chat.store.task_list.open(chat.scope)}
    assert not tasks.cancel(chat.scope, running.id)
    assert not tasks.retry(chat.scope, running.id)
    assert not tasks.retry(chat.scope, ids["queued"]), "it waits for its turn, not for a retry"
    waits = running.id + 1
    assert tasks.cancel(chat.scope, waits)
    assert not tasks.cancel(chat.scope, waits)
    tasks.finish(running)
    failing = tasks.lease()
    assert failing is not None
    assert failing.payload["name"] == "fails"
    tasks.fail(failing, "no luck", for_good=True)
    stranger = open_chat(chat.store, "stranger")
    assert not tasks.retry(stranger.scope, failing.id)
    assert not tasks.cancel(stranger.scope, failing.id)
    assert [(t.state, t.error, t.attempts) for t in chat.store.task_list.open(chat.scope)] == [("failed", "no luck", 1)]
    assert tasks.retry(chat.scope, failing.id)
    assert [(t.state, t.error, t.attempts) for t in chat.store.task_list.open(chat.scope)] == [("queued", "", 0)]


def test_the_list_says_which_rounds_a_task_works_on(chat: OpenChat) -> None:
    said = [chat.say(f"line {n}", "reply", number=n) for n in (1, 2, 3)]
    for name, payload in (
        ("episode", {"message_ids": [m.id for m in said[1]]}),
        ("unit", {"last_round": 5, "next_round": 6}),
        ("mend", {"first_round": 2}),
    ):
        chat.store.tasks.add(chat.scope, NewTask(name, chat.branch_id, (name,), payload))
    listed = chat.store.task_list.open(chat.scope)
    assert [(t.kind, t.first_round, t.last_round) for t in listed] == [("mend", 2, 0), ("unit", 5, 5), ("episode", 2, 2)]


def test_what_is_live_comes_before_what_can_wait_however_long_that_has_waited(store: Store) -> None:
    imported, mended, live = open_chat(store), open_chat(store), open_chat(store)
    _add(imported, "import", "import too", rank=Rank.IMPORT)
    _add(mended, "mend", rank=Rank.LATER)
    assert _leased(store, up_to=Rank.LIVE) is None
    _add(live, "live", "live too")
    assert _through(store, 5) == ["live", "live too", "mend", "import", "import too"]


def test_users_take_turns_whatever_each_has_queued(store: Store) -> None:
    for rank in Rank:
        many, few, late = (open_chat(store, f"{name}-{rank}") for name in ("many", "few", "late"))
        _add(many, *(f"m{n}" for n in range(6)), rank=rank)
        _add(few, "f0", "f1", rank=rank)
        assert _through(store, 2) == ["m0", "f0"]
        _add(late, "l0", rank=rank)
        assert _through(store, 7) == ["l0", "m1", "f1", "m2", "m3", "m4", "m5"], "who comes later does not wait for what is queued"


def test_a_users_chats_side_by_side_take_no_more_turns_than_one(store: Store) -> None:
    chats = [open_chat(store, "busy") for _ in range(3)]
    for place, chat in enumerate(chats):
        _add(chat, f"b{place}", f"b{place + 3}")
    other = open_chat(store, "other")
    _add(other, "o0", "o1")
    assert _through(store, 8) == ["b0", "o0", "b3", "o1", "b1", "b4", "b2", "b5"]


def test_what_is_live_lends_its_rank_to_what_it_waits_for_but_not_to_an_import(store: Store) -> None:
    mended, imported, other = open_chat(store, "a"), open_chat(store, "b"), open_chat(store, "c")
    _add(mended, "mend", rank=Rank.LATER, kind="mend")
    _add(mended, "after it")
    _add(imported, "import", rank=Rank.IMPORT)
    _add(imported, "after that")
    _add(other, "c", rank=Rank.LATER)
    assert _through(store, 5) == ["mend", "after it", "c", "import", "after that"]


def test_what_waits_for_a_retry_or_is_switched_off_costs_its_user_no_turn_of_another_chat(store: Store) -> None:
    first, second = open_chat(store, "one"), open_chat(store, "one")
    _add(first, "fails", "waits behind it")
    task = store.tasks.lease()
    assert task is not None
    store.tasks.fail(task, "later")
    _add(second, "goes on")
    assert _through(store, 1) == ["goes on"]
    assert store.tasks.lease() is None


def test_imports_that_wait_are_counted_by_user(store: Store) -> None:
    one, two = open_chat(store, "one"), open_chat(store, "two")
    _add(one, "a", "b", rank=Rank.IMPORT)
    _add(one, "live")
    _add(two, "c", rank=Rank.IMPORT)
    assert [store.tasks.imports_waiting(user) for user in ("one", "two", "three")] == [2, 1, 0]
    assert _through(store, 4) == ["a", "c", "b", "live"], "in the chat with both, what is live waits for the import before it"
    assert store.tasks.imports_waiting("one") == 0


_WHO = st.tuples(st.integers(0, 2), st.integers(0, 1), st.sampled_from(Rank))


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(st.one_of(_WHO, st.just("lease"), st.integers(0, 3)), max_size=40))
def test_order_rank_and_turns_hold_over_any_queue(store: Store, steps: list[object]) -> None:
    """Of the first rank with anything due, the user served longest ago is next, with the chat of their oldest task that is free: never past an older one."""
    with store.database.write() as connection:
        connection.execute("UPDATE task SET state = 'cancelled'")
    store.tasks._turns = {rank: rules.RoundRobin() for rank in Rank}
    chats = {(user, chat): open_chat(store, f"user-{user}") for user in range(3) for chat in range(2)}
    queued: dict[tuple[int, int], list[tuple[int, str, Rank]]] = {key: [] for key in chats}
    """By chat, in order: (number, name, rank)."""
    held: dict[tuple[int, int], Task] = {}
    served: dict[tuple[Rank, int], int] = {}
    for number, step in enumerate(steps):
        if isinstance(step, tuple):
            user, chat, rank = step
            _add(chats[user, chat], f"{number}", rank=rank)
            queued[user, chat].append((number, f"{number}", rank))
        elif step == "lease":
            due: list[tuple[Rank, int, int, int, tuple[int, int]]] = []
            for key, tasks in queued.items():
                if key not in held and tasks:
                    head = tasks[0][2]
                    due += [(r, served.get((r, key[0]), 0), key[0], n, key) for n, _, r in tasks if head <= max(r, Rank.LATER)]
            found = store.tasks.lease()
            if not due:
                assert found is None
                continue
            assert found is not None
            rank, turn = min(due)[:2]
            fair = {key: n for r, s, _, n, key in sorted(due, reverse=True) if (r, s) == (rank, turn)}
            users = {key[0] for key in fair}
            key = next(key for key, chat in chats.items() if chat.scope.chat_id == found.chat_id)
            assert key[0] in users, "another user's turn"
            assert fair[key] == min(n for k, n in fair.items() if k[0] == key[0]), "an older one of this user is passed"
            assert found.payload["name"] == queued[key][0][1], "an older one of this chat is passed"
            queued[key].pop(0)
            held[key] = found
            served[rank, key[0]] = number + 1
        elif isinstance(step, int) and held:
            key = sorted(held)[step % len(held)]
            store.tasks.finish(held.pop(key))
    for task in held.values():
        store.tasks.finish(task)


_STEPS = st.lists(
    st.tuples(st.sampled_from(["add", "lease", "finish", "fail", "crash", "cancel", "retry", "time"]), st.integers(0, 5)), max_size=40
)


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=_STEPS)
def test_order_within_a_chat_and_progress_hold_whatever_happens(store: Store, steps: list[tuple[str, int]]) -> None:
    """No two tasks of a chat are under way at once, none is passed by an older open one, nothing is lost, and the numbers say what is there."""
    with store.database.write() as connection:
        connection.execute("UPDATE task SET state = 'cancelled'")
    chats = [open_chat(store), open_chat(store)]
    scopes = {c.scope.chat_id: c.scope for c in chats}
    state: dict[int, str] = {}
    owner: dict[int, str] = {}
    held: dict[str, Task] = {}
    since: dict[str, int] = dict.fromkeys(scopes, 0)
    for number, (step, at) in enumerate(steps):
        chat = chats[at % 2]
        if step == "add":
            _add(chat, f"{number}")
            newest = max(t.id for t in store.task_list.open(chat.scope))
            state[newest], owner[newest] = "queued", chat.scope.chat_id
        elif step == "lease":
            with store.database.write() as connection:
                connection.execute("UPDATE task SET not_before = 0 WHERE state = 'queued'")
            task = store.tasks.lease()
            free = [
                min(i for i, s in state.items() if s == "queued" and owner[i] == c)
                for c in scopes
                if c not in held and "queued" in {s for i, s in state.items() if owner[i] == c}
            ]
            assert (task.id if task else None) == min(free, default=None)
            if task:
                held[task.chat_id] = task
                state[task.id] = "leased"
        elif step in ("finish", "fail") and chat.scope.chat_id in held:
            task = held.pop(chat.scope.chat_id)
            if step == "finish":
                store.tasks.finish(task)
                state[task.id] = "done"
                since[task.chat_id] += 1
            else:
                store.tasks.fail(task, "no luck")
                state[task.id] = "failed" if task.attempts >= rules.MAX_ATTEMPTS else "queued"
        elif step == "crash":
            store.tasks.release_all()
            state |= {t.id: "queued" for t in held.values()}
            held.clear()
        elif step in ("cancel", "retry") and owner:
            chosen = sorted(owner)[at % len(owner)]
            act = store.tasks.cancel if step == "cancel" else store.tasks.retry
            done = act(scopes[owner[chosen]], chosen)
            if step == "cancel":
                assert done == (state[chosen] in ("queued", "failed"))
                state[chosen] = "cancelled" if done else state[chosen]
            elif done:
                state[chosen] = "queued"
        for chat_id, scope in scopes.items():
            mine = [s for i, s in state.items() if owner[i] == chat_id]
            progress = store.task_list.progress(scope)
            assert (progress.waiting, progress.running, progress.failed) == tuple(mine.count(s) for s in ("queued", "leased", "failed"))
            assert progress.running <= 1
            assert progress.done >= (since[chat_id] if progress.total else 0)
            if not progress.waiting + progress.running:
                since[chat_id] = 0
                assert progress.total == 0
            assert {t.id: t.state for t in store.task_list.open(scope)} == {
                i: s for i, s in state.items() if owner[i] == chat_id and s in ("queued", "leased", "failed")
            }
