"""The worker: niced threads that do the outbox's tasks, each chat's in order and chats side by side.

They step aside while this machine's own model makes a reply. What can wait gives way to what was just said: between two steps of a long task its thread does
the live ones that are due, and then goes on with it.
"""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field

from machine import lower_thread
from metrics import LAST_FAILURE, TASKS
from storage.database import left_for_later
from storage.errors import StorageDamaged, StorageFull, StorageReadOnly
from storage.records import Rank, Task
from storage.tasks import LEASE_MS, Tasks

log = logging.getLogger(__name__)

IDLE_S = 2.0
"""Longest sleep between looks at the outbox; a turn wakes the worker at once, this catches retries and another process's imports."""
MAX_PAUSE_S = 60.0
"""Replies may hold memory work back for so long at a stretch, however many follow each other."""
RESPITE_S = 20.0
"""After each such stretch it goes on for so long, whatever is being written, so that no number of players of this machine's own model starves it."""
HANG_S = 300.0
"""A task that takes no step for so long hangs; the slowest step (a model call on a large unit) takes about two minutes."""
WATCH_S = 2.0
"""Between looks for tasks that hang."""
MAX_LOST = 4
"""Threads lost to tasks that hang and replaced, in one run of the program: nothing can end a thread."""
RENEW_S = LEASE_MS / 1000 / 3
TIDY_WAIT_S = 5.0
"""Longest wait for tasks under way before upkeep that needs the index for itself: nobody's memory goes on meanwhile. Then it is put off until those are done."""


class Abandoned(BaseException):
    """The task of this thread was given up, or given to another worker; raised at its next step, so that it ends without writing anything more.

    No failure of the task's own, so what goes on after those does not go on after this.
    """


class Ending(BaseException):
    """The program ends, or upkeep is due that a long task would hold up; raised at the next step of this thread's task, which is given back and begun anew."""


@dataclass
class _Post:
    """A thread and what it does. Changed by its own thread, but for `lost`."""

    thread: threading.Thread | None = None
    task: Task | None = None
    begun: float = 0.0
    """When the task was taken, monotonic seconds."""
    stepped: float = 0.0
    """When the task took its last step, monotonic seconds."""
    renewed: float = 0.0
    looked: float = 0.0
    """When it was last looked, between two steps of a task that can wait, whether something live is due."""
    seen: int = -1
    """The news that were known then."""
    lost: bool = False


@dataclass
class _Local(threading.local):
    post: _Post | None = field(default=None)


class Worker:
    """run: does one task; it may raise anything, which marks the task for another attempt. before: upkeep that has the index for itself, done before the
    first task and after `tidy`. niceness: 0 where no reply is ever made beside it. threads: tasks, of different chats, that are done at once. resumed: kinds
    of tasks that lose little when they are begun anew, so that upkeep need not wait for them."""

    def __init__(
        self,
        tasks: Tasks,
        run: Callable[[Task], None],
        *,
        before: Callable[[Callable[[], bool]], None] | None = None,
        niceness: int = 19,
        threads: int = 1,
        resumed: Collection[str] = (),
    ) -> None:
        self._tasks = tasks
        self._run = run
        self._before = before
        self._niceness = niceness
        self._resumed = frozenset(resumed)
        self.threads = threads
        self._stop = threading.Event()
        self._state = threading.Condition()
        self._desk = threading.Lock()
        """Held while a task is taken: the outbox is written meanwhile, so nobody who only looks at `_state` may wait for it."""
        self._replies = 0
        self._paused_since = 0.0
        self._news = 0
        self._untidy = before is not None
        self._tidying = False
        self._posts: list[_Post] = []
        self._threads: list[threading.Thread] = []
        self._lost = 0
        self._local = _Local()

    def start(self) -> None:
        with left_for_later():  # the leases end by themselves
            self._tasks.release_all()
        with self._state:
            for _ in range(self.threads):
                self._hire()
        self._begin(threading.Thread(target=self._watch, name="memory-watch", daemon=True))

    def wake(self) -> None:
        """There may be a new task."""
        with self._state:
            self._news += 1
            self._state.notify_all()

    def tidy(self) -> None:
        """Do once more what comes before the first task: something was erased."""
        with self._state:
            self._untidy = self._before is not None
        self.wake()

    def stop(self, *, timeout: float = 30.0) -> bool:
        """Ask the worker to end after its current tasks; True when it has. A task cut off here comes back at the next start."""
        self._stop.set()
        self.wake()
        deadline = time.monotonic() + timeout
        for thread in list(self._threads):
            thread.join(max(0.0, deadline - time.monotonic()))
        return not any(thread.is_alive() for thread in self._threads)

    @contextlib.contextmanager
    def paused(self) -> Iterator[None]:
        """This machine's own model makes a reply in this block: no new task begins, and those under way wait at their next step."""
        with self._state:
            if not self._replies:
                self._paused_since = time.monotonic()
            self._replies += 1
        try:
            yield
        finally:
            with self._state:
                self._replies -= 1
                self._state.notify_all()

    @property
    def replying(self) -> bool:
        """Whether a reply is being made now."""
        return self._replies > 0

    def may_go_on(self) -> bool:
        """Wait while this machine's own model makes a reply; False when the worker is to end."""
        with self._state:
            while self._replies and not self._stop.is_set():
                left = MAX_PAUSE_S - (time.monotonic() - self._paused_since) % (MAX_PAUSE_S + RESPITE_S)
                if left <= 0:
                    break
                self._state.wait(left)
        return not self._stop.is_set()

    def after_live(self) -> bool:
        """For work beside the worker's that can wait longer than all of it: wait while replies and live rounds are at work, as long as a pause lasts at most;
        False when the worker is to end."""
        goes_on = self.may_go_on()
        deadline = time.monotonic() + MAX_PAUSE_S
        with self._state:
            while goes_on and not self._stop.is_set() and any(p.task is not None and p.task.rank is Rank.LIVE for p in self._posts):
                if (left := deadline - time.monotonic()) <= 0:
                    break
                self._state.wait(left)
        return not self._stop.is_set()

    def breathe(self) -> None:
        """A step of a task is done: wait while this machine's own model makes a reply, hold the task's lease, and if it can wait, do first what is live.
        Elsewhere than in the worker's threads nothing waits.

        Raises Abandoned and Ending.
        """
        post = self._local.post
        if post is None:
            return
        self._step(post)
        if post.task is not None and post.task.rank > Rank.LIVE:
            self._live_first(post)

    def _step(self, post: _Post) -> None:
        """Raises Abandoned and Ending."""
        post.stepped = time.monotonic()
        goes_on = self.may_go_on()
        if post.lost:
            raise Abandoned("given up: it took no step for too long")
        if not goes_on or self._gives_way(post):
            raise Ending
        post.stepped = time.monotonic()
        if post.task is not None and post.stepped - post.renewed > RENEW_S:
            if not self._tasks.renew(post.task):
                raise Abandoned("another worker has it")
            post.renewed = post.stepped

    def _live_first(self, post: _Post) -> None:
        """Do what is live and due before a task that can wait goes on. Nothing is held between its steps: no lock, no transaction. Raises as `_step` does."""
        while post.seen != self._news or time.monotonic() - post.looked > IDLE_S:
            post.seen, post.looked = self._news, time.monotonic()
            while True:
                begun, renewed = post.begun, post.renewed
                found = self._one(post, up_to=Rank.LIVE)
                post.begun, post.renewed = begun, renewed
                self._step(post)
                if not found:
                    break

    def _gives_way(self, post: _Post) -> bool:
        """Whether upkeep is due and waits for nothing but this thread's task, which can be resumed."""
        alone = not any(other.task is not None for other in list(self._posts) if other is not post)
        return (self._untidy or self._tidying) and alone and post.task is not None and post.task.kind in self._resumed

    # Threads

    def _hire(self) -> None:
        post = _Post()
        post.thread = threading.Thread(target=self._loop, args=(post,), name="memory-worker", daemon=True)
        self._posts.append(post)
        self._begin(post.thread)

    def _begin(self, thread: threading.Thread) -> None:
        self._threads.append(thread)
        thread.start()

    def _loop(self, post: _Post) -> None:
        # Measured: a 900-token prompt is read in 3.0 s alone, 6.3-9.1 s beside an embedding thread, 3.0 s beside one at nice 19.
        lower_thread(self._niceness)
        self._local.post = post
        while self.may_go_on() and not post.lost:
            with self._state:
                seen = self._news
            if self._tidy_up():
                continue
            if not self._one(post):
                with self._state:
                    if seen == self._news and not self._stop.is_set():
                        self._state.wait(IDLE_S)

    def _watch(self) -> None:
        """Give up tasks that hang and put other threads in the place of theirs."""
        while not self._stop.wait(WATCH_S):
            now = time.monotonic()
            for post in list(self._posts):
                task = post.task
                if task is not None and now - post.stepped > HANG_S:
                    self._give_up(post, task)

    def _give_up(self, post: _Post, task: Task) -> None:
        with self._state:
            if post.task is not task:
                return
            post.lost = True
            self._posts.remove(post)
            self._state.notify_all()
            self._lost += 1
            replaced = self._lost <= MAX_LOST
            if replaced:
                self._hire()
        log.error("task %s (%s) hangs; its thread is %s", task.id, task.kind, "replaced" if replaced else "lost")
        # Tried again by hand alone: each attempt may cost a thread.
        self._settle(lambda: self._tasks.fail(task, f"it took no step for {HANG_S:.0f} seconds", for_good=True))

    # Work

    def _tidy_up(self) -> bool:
        """Do the upkeep if it is due and nothing is under way; False if it is not due or was put off."""
        with self._desk:
            long_ago = time.monotonic() - TIDY_WAIT_S
            if not self._untidy or self._tidying or any(p.task is not None and p.begun < long_ago for p in self._posts):
                return False
            self._tidying = True
        with self._state:
            deadline = time.monotonic() + TIDY_WAIT_S
            while any(p.task is not None for p in self._posts) and not self._stop.is_set() and time.monotonic() < deadline:
                self._state.wait(deadline - time.monotonic())
            due = not any(p.task is not None for p in self._posts) and not self._stop.is_set()
            self._untidy = not due
        try:
            if due and self._before is not None:
                self._before(self.may_go_on)
        except Exception:
            log.exception("upkeep failed; it is tried again at the next start")
        finally:
            self._tidying = False
            self.wake()
        return due

    def _one(self, post: _Post, *, up_to: Rank = Rank.IMPORT) -> bool:
        """Do one task, in between where the thread has one already; False when none is due."""
        outer = post.task
        task = self._take(post, up_to)
        if task is None:
            return False
        try:
            # A reply may have begun while the task was being leased.
            if not self.may_go_on():
                self._settle(lambda: self._tasks.give_back(task))
                return False
            post.stepped = time.monotonic()
            self._run(task)
        except Ending:
            self._settle(lambda: self._tasks.give_back(task))
        except Abandoned as error:
            log.warning("task %s (%s): %s", task.id, task.kind, error)
        except Exception as error:  # noqa: BLE001 - whatever a task raises is recorded with it, shown, and tried again
            reason = f"{type(error).__name__}: {error}"
            TASKS.labels(kind=task.kind, outcome="failed").inc()
            LAST_FAILURE.note(error)
            log.warning("task %s (%s) failed at attempt %d: %s", task.id, task.kind, task.attempts, type(error).__name__)
            if not post.lost:
                self._settle(lambda: self._tasks.fail(task, reason))
        else:
            TASKS.labels(kind=task.kind, outcome="done").inc()
            if not post.lost:
                self._settle(lambda: self._tasks.finish(task))
        finally:
            with self._state:
                post.task = outer
                self._state.notify_all()
        return True

    def _take(self, post: _Post, up_to: Rank) -> Task | None:
        with self._desk:
            if self._tidying or self._stop.is_set() or post.lost:
                return None
            try:
                task = self._tasks.lease(up_to=up_to)
            except (StorageFull, StorageReadOnly, StorageDamaged):
                # Said once, by whoever opened the folder or failed first; it is tried again.
                return None
            except Exception:
                log.exception("the outbox could not be read; looking again")
                return None
            if task is not None:
                post.begun = post.stepped = post.renewed = time.monotonic()
                post.task = task
            return task

    def _settle(self, write: Callable[[], None]) -> None:
        """Write a task's outcome; on a full disk the lease ends by itself and the task, which may be done twice, is done again."""
        try:
            write()
        except Exception:
            log.exception("a task's outcome could not be written; it is done again later")
            self._stop.wait(IDLE_S)
