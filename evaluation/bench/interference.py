"""Does memory work hold a reply back? Time to the first token with 200 tasks queued and the worker running, and with it stopped, in alternating
pairs; and how soon a stop acts, on the bundled model.

The model's own time to read a prompt of the same length varies by a few percent between calls; pairs that alternate which side goes first keep
that out of the difference.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import numpy as np

from chat.assembly import House, open_house
from chat.views import JobView, Phase
from evaluation.bench.conversation import made_rounds
from evaluation.records import Figure
from memory.engine import final_tasks, round_tasks
from settings import Settings
from storage.records import NewMessage, Role
from storage.scope import LOCAL_USER, Scope

START = datetime(2024, 3, 1, tzinfo=UTC)
QUEUED = 200
PREPARED = 12
WAIT_S = 120.0


def first_token(pairs: int) -> Iterator[Figure]:
    """At least 30 pairs say something; median and 95th percentile of worker-on over worker-off."""
    off: list[float] = []
    on: list[float] = []
    with tempfile.TemporaryDirectory() as name:
        house = open_house(Settings(data_dir=Path(name)))
        house.model.warm()
        try:
            house.memory.worker.start()
            backlog = _Backlog(house)
            chat_id = backlog.chat_with_memories()
            lines = iter(made_rounds(10_000, seed=11, start=START))
            for _ in range(3):  # the prefix is read once, the caches are warm
                _ask(house, chat_id, next(lines).user)
                backlog.drain()
            for pair in range(pairs):
                for working in (pair % 2 == 0, pair % 2 == 1):
                    backlog.drain()  # first: what is queued is older than the new chat's tasks and would be done before them
                    chat_id = backlog.chat_with_memories()
                    if working:
                        backlog.fill()
                        on.append(_ask(house, chat_id, next(lines).user))
                    else:
                        with house.memory.worker.paused():
                            backlog.fill()
                            off.append(_ask(house, chat_id, next(lines).user))
            backlog.drain()
            model = house.model.name
            embedder = house.memory.embedder.fingerprint
        finally:
            house.close()
    ratios = {
        "first_token_median_on_over_off": statistics.median(on) / statistics.median(off),
        "first_token_p95_on_over_off": float(np.quantile(on, 0.95) / np.quantile(off, 0.95)),
        "first_token_median_seconds_off": statistics.median(off),
        "first_token_median_seconds_on": statistics.median(on),
    }
    for metric, value in ratios.items():
        yield Figure(
            task="efficiency",
            dataset="made",
            system="keepsake",
            unit="reply",
            metric=metric,
            value=value,
            n=pairs,
            model=model,
            embedder=embedder,
        )


def stop_seconds(times: int) -> Iterator[Figure]:
    """From `stop` until the page shows it, until the partial reply is kept, and until the model could begin another reply."""
    shown: dict[Phase, list[float]] = {Phase.READING: [], Phase.WRITING: []}
    kept: dict[Phase, list[float]] = {Phase.READING: [], Phase.WRITING: []}
    with tempfile.TemporaryDirectory() as name:
        house = open_house(Settings(data_dir=Path(name)))
        house.model.warm()
        try:
            for number in range(times):
                for phase in shown:
                    chat_id = house.service.create(LOCAL_USER, "builtin:nell-garrow")
                    # Long enough to be read for seconds, and different each time, so that no cache spares the reading.
                    text = " ".join(r.user for r in made_rounds(25, seed=1000 + 2 * number + (phase is Phase.WRITING), start=START))
                    house.service.send(LOCAL_USER, chat_id, text, token=f"{phase}{number}")
                    _until(house, chat_id, partial(_under_way, phase))
                    started = time.perf_counter()
                    house.service.stop(LOCAL_USER, chat_id)
                    job = house.service.job(LOCAL_USER, chat_id)
                    assert job is not None
                    assert job.phase is Phase.STOPPED
                    shown[phase].append(time.perf_counter() - started)
                    _until(house, chat_id, lambda job: job.final)
                    kept[phase].append(time.perf_counter() - started)
            model = house.model.name
        finally:
            house.close()
    for phase in shown:
        for metric, values in (("stop_shown_max_seconds", shown[phase]), ("stop_kept_max_seconds", kept[phase])):
            yield Figure(
                task="efficiency",
                dataset="made",
                system="keepsake",
                category=phase.value,
                unit="reply",
                metric=metric,
                value=max(values),
                n=len(values),
                model=model,
            )


class _Backlog:
    """Further chats, one for each worker thread, with enough rounds to keep them all busy, queued again and again."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._store = house.memory.store
        ids = [house.service.create(LOCAL_USER, "builtin:nell-garrow") for _ in range(house.memory.worker.threads)]
        self._scopes = [Scope.of(LOCAL_USER, chat_id) for chat_id in ids]
        self._rounds = enumerate(made_rounds(1_000_000, seed=5, start=START))

    def fill(self) -> None:
        """Queue tasks until QUEUED wait, each of a round of its own, in all chats alike."""
        missing = QUEUED - sum(self._store.tasks.queue(scope).waiting for scope in self._scopes)
        with self._store.database.write():
            for _, (number, made) in zip(range(missing), self._rounds, strict=False):
                scope = self._scopes[number % len(self._scopes)]
                branch_id = self._store.chats.chat(scope).branch_id
                new = [
                    NewMessage(Role.USER, "You", made.user, made.said_at, f"b{number}u", "user", opens_round=True),
                    NewMessage(Role.CHARACTER, "Nell", made.reply, made.said_at, f"b{number}r", "model", opens_round=False),
                ]
                messages = self._store.chats.append(scope, branch_id, new)
                for task in [*round_tasks(branch_id, messages), *final_tasks(branch_id, messages, next_round=None)]:
                    self._store.tasks.add(scope, task)
        self._house.memory.worker.wake()

    def chat_with_memories(self) -> str:
        """A new chat with PREPARED rounds, remembered. The rounds are the same each time: their vectors and the model's cache serve again, so every
        measurement begins from the same state and recall has something to find."""
        chat_id = self._house.service.create(LOCAL_USER, "builtin:nell-garrow")
        scope = Scope.of(LOCAL_USER, chat_id)
        branch_id = self._store.chats.chat(scope).branch_id
        for number, made in enumerate(made_rounds(PREPARED, seed=77, start=START)):
            new = [
                NewMessage(Role.USER, "You", made.user, made.said_at, f"p{number}u", "user", opens_round=True),
                NewMessage(Role.CHARACTER, "Nell", made.reply, made.said_at, f"p{number}r", "model", opens_round=False),
            ]
            messages = self._store.chats.append(scope, branch_id, new)
            for task in round_tasks(branch_id, messages):
                self._store.tasks.add(scope, task)
        self._house.memory.worker.wake()
        while self._store.tasks.queue(scope).waiting:
            time.sleep(0.01)
        return chat_id

    def drain(self) -> None:
        """Drop what waits, so that the next measurement starts from nothing queued."""
        with self._store.database.write() as connection:
            connection.execute("UPDATE task SET state = 'cancelled' WHERE state = 'queued'")
        while any(self._store.tasks.queue(scope).waiting for scope in self._scopes):
            time.sleep(0.01)


def _under_way(phase: Phase, job: JobView) -> bool:
    """Whether the reply is in the middle of a phase: some of the prompt is read, or something is written."""
    return job.phase is phase and (job.read_tokens > 0 if phase is Phase.READING else bool(job.text))


def _ask(house: House, chat_id: str, text: str) -> float:
    """Seconds from `send` to the first token; the reply is then stopped and awaited."""
    house.service.send(LOCAL_USER, chat_id, text, token=f"{chat_id}{text}")
    started = time.perf_counter()
    _until(house, chat_id, lambda job: bool(job.text) or job.final)
    seconds = time.perf_counter() - started
    house.service.stop(LOCAL_USER, chat_id)
    job = _until(house, chat_id, lambda job: job.final)
    if job.error_code is not None:
        raise RuntimeError(f"the reply failed: {job.error_code}")
    return seconds


def _until(house: House, chat_id: str, reached: Callable[[JobView], bool]) -> JobView:
    end = time.monotonic() + WAIT_S
    while time.monotonic() < end:
        job = house.service.job(LOCAL_USER, chat_id)
        if job is not None and reached(job):
            return job
        if job is not None and job.final:
            raise RuntimeError(f"the reply ended before: {job.phase}, {job.error_code}")
        time.sleep(0.001)
    raise TimeoutError("the reply did not get there")
