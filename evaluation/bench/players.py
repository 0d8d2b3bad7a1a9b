"""Many players at once: what each waits for, and whether memory keeps up, with a model elsewhere that writes for five seconds.

Every player has an account, a conversation and a thread of their own and writes once a minute through the service that the page uses. What a round costs is the
processor's time of this whole process over the rounds that it remembered; work offered over work possible is that times the rounds written, over the time that
the processor had for it. Above 1 nobody could keep up.
"""

from __future__ import annotations

import os
import resource
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from chat.assembly import House, open_house
from evaluation.bench.conversation import Round, made_rounds
from evaluation.records import Figure
from models.chat_model import ChatMessage, Form, OnProgress, ReplyStream
from models.scripted import Script, ScriptedModel
from settings import Settings
from storage.records import Rank
from storage.scope import LOCAL_USER, Scope

PLAYERS = (1, 10, 40, 100)
SECONDS = 300.0
EVERY_S = 60.0
"""Each player writes once in so long."""
SILENT_S, PIECES, BETWEEN_S = 1.0, 20, 0.2
"""A reply: its model is silent, then writes; five seconds."""
READY_S = 30.0
"""Memory of a round that is made within so long after it is ready when the player writes again."""
LOOK_S = 0.25
"""How often an open page looks how far a reply is."""
START = datetime(2024, 3, 1, tzinfo=UTC)
CAST = ("builtin:nell-garrow", "builtin:rafferty-moth")
BESIDE = 20
"""Live rounds beside two samples that are being built."""


class Elsewhere(ScriptedModel):
    """A model of another machine; replies of a made conversation, none kept."""

    def __init__(self, *, silent_s: float = SILENT_S, between_s: float = BETWEEN_S) -> None:
        super().__init__(context_tokens=8192, reply_tokens=400, here=False)
        self._silent_s, self._between_s = silent_s, between_s
        self._told = made_rounds(1_000_000, seed=4, start=START)
        self._one = threading.Lock()

    def stream(
        self, messages: Sequence[ChatMessage], *, cancel: threading.Event, on_progress: OnProgress | None = None, form: Form | None = None
    ) -> ReplyStream:
        with self._one:
            text = next(self._told).reply
            size = -(-len(text) // PIECES)
            pieces = [text[at : at + size] for at in range(0, len(text), size)]
            self.enqueue(Script(pieces, before_s=self._silent_s, between_s=self._between_s))
            stream = super().stream(messages, cancel=cancel, on_progress=on_progress, form=form)
            self.prompts.clear()
            self.forms.clear()
        return stream


@dataclass
class _Player:
    """Changed by its own thread alone."""

    user_id: str
    chat_id: str
    acknowledged: list[float] = field(default_factory=list)
    """Seconds until each message was kept."""
    failed: int = 0


@dataclass(frozen=True)
class _Held:
    """What the process holds."""

    mib: float
    files: int

    @classmethod
    def now(cls) -> _Held:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return cls(pages * resource.getpagesize() / 2**20, len(os.listdir("/proc/self/fd")))


def players_figures(*, players: Sequence[int] = PLAYERS, seconds: float = SECONDS) -> Iterator[Figure]:
    """For each number of players; and how soon a live round is remembered beside samples that are being built."""
    for count in players:
        yield from _played(count, seconds)
    yield from beside_samples()


def _played(count: int, seconds: float) -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as name:
        house = open_house(Settings(data_dir=Path(name)), model=Elsewhere())
        try:
            house.start(worker=True)
            house.memory.embedder.passages(["warm"])
            yield from _figures(house, count, seconds)
        finally:
            house.close()


def _figures(house: House, count: int, seconds: float) -> Iterator[Figure]:
    store = house.memory.store
    people = []
    for number in range(count):
        store.chats.ensure_user(f"player-{number}", f"Player {number}")
        people.append(_Player(f"player-{number}", house.service.create(f"player-{number}", CAST[number % len(CAST)])))
    held = [_Held.now()]
    began, own, busy = time.monotonic(), time.process_time(), _busy_s()
    threads = [
        threading.Thread(target=_play, args=(house, person, number, began + number * EVERY_S / count, began + seconds), daemon=True)
        for number, person in enumerate(people)
    ]
    for thread in threads:
        thread.start()
    time.sleep(max(0.0, seconds / 3))
    held.append(_Held.now())  # by then everybody has written, and what is loaded late is loaded
    for thread in threads:
        thread.join()
    while time.monotonic() - began < seconds + READY_S and any(store.tasks.queue(Scope.of(p.user_id, p.chat_id)).waiting for p in people):
        time.sleep(0.5)
    held.append(_Held.now())
    wall, cpu, others = time.monotonic() - began, time.process_time() - own, _busy_s() - busy
    others = max(0.0, others - cpu)
    rounds = store.database.read().execute(_READY, {"live": Rank.LIVE, "most": int(READY_S * 1000)}).fetchone()
    first, degraded = _receipts(house)
    acknowledged = [s for person in people for s in person.acknowledged]
    a_round = cpu / max(1, rounds["done"])
    possible = max(1e-9, wall * len(os.sched_getaffinity(0)) - others)
    shown = {
        "memory_ready_share": rounds["ready"] / max(1, rounds["all"]),
        "acknowledged_p50_seconds": float(np.quantile(acknowledged, 0.5)),
        "acknowledged_p95_seconds": float(np.quantile(acknowledged, 0.95)),
        "first_token_p50_seconds": float(np.quantile(first or [0.0], 0.5)),
        "first_token_p95_seconds": float(np.quantile(first or [0.0], 0.95)),
        "recall_degraded_share": degraded / max(1, len(first)),
        "failed": sum(person.failed for person in people),
        "cpu_seconds_a_round": a_round,
        "work_offered_over_possible": a_round * rounds["all"] / possible,
        "others_share_of_cpu": others / (wall * len(os.sched_getaffinity(0))),
    }
    for when, what in zip(("start", "warm", "end"), held, strict=True):
        shown |= {f"rss_{when}_mib": what.mib, f"open_files_{when}": what.files}
    for metric, value in shown.items():
        yield _figure(metric, value, n=len(acknowledged), category=f"players {count}", house=house)


def _play(house: House, person: _Player, number: int, first: float, end: float) -> None:
    """Write once in EVERY_S, wait for the reply, and so on."""
    lines: Iterator[Round] = made_rounds(1_000_000, seed=100 + number, start=START)
    due, sent = first, 0
    while due < end:
        time.sleep(max(0.0, due - time.monotonic()))
        began = time.perf_counter()
        try:
            house.service.send(person.user_id, person.chat_id, next(lines).user, token=f"{number}-{sent}")
            person.acknowledged.append(time.perf_counter() - began)
            _wait(house, person.user_id, person.chat_id)
        except Exception:  # noqa: BLE001 - whatever a player is told instead of a reply is counted
            person.failed += 1
        sent += 1
        due = max(due + EVERY_S, time.monotonic())


def _wait(house: House, user_id: str, chat_id: str) -> None:
    while (job := house.service.job(user_id, chat_id)) is None or not job.committed:
        time.sleep(LOOK_S)
    if job.error_code is not None:
        raise RuntimeError(job.error_code)


_READY = """
    SELECT count(*) AS 'all', coalesce(sum(took <= :most), 0) AS ready, coalesce(sum(took IS NOT NULL), 0) AS done FROM (
        SELECT CASE WHEN min(t.state = 'done') THEN max(t.finished_at - t.created_at) END AS took
        FROM task t LEFT JOIN message m ON m.id = t.payload ->> '$.message_ids[0]'
        WHERE t.rank = :live GROUP BY t.chat_id, coalesce(m.round, t.payload ->> '$.last_round')
    )"""
"""Of every round: how long the slowest of its tasks took from when it was queued to when it was done; nothing where one is not done."""


def _receipts(house: House) -> tuple[list[float], int]:
    """Seconds to the first token of every reply, its model's silence included, and in how many recall was not whole."""
    rows = house.memory.store.database.read().execute("SELECT body ->> '$.first_token_ms', body ->> '$.degraded' FROM receipt").fetchall()
    return [ms / 1000 for ms, _ in rows if ms is not None], sum(bool(degraded) for _, degraded in rows)


def _busy_s() -> float:
    """Processor seconds that this machine has worked, all of its programs."""
    user, nice, system, _, _, *rest = map(int, Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:])
    return (user + nice + system + sum(rest[:2])) / os.sysconf("SC_CLK_TCK")


def beside_samples(times: int = BESIDE) -> Iterator[Figure]:
    """From when a round is final (the next message is kept) until all that it tells is remembered, while two sample stories are built beside it."""
    with tempfile.TemporaryDirectory() as name:
        house = open_house(Settings(data_dir=Path(name)), model=Elsewhere(silent_s=0.0, between_s=0.0))
        try:
            chat_id = house.service.create(LOCAL_USER, CAST[0])
            house.start(worker=True)
            for story in house.service.samples.views(LOCAL_USER)[:2]:
                house.service.samples.add(LOCAL_USER, story.key)
            took = []
            for number, line in enumerate(made_rounds(times + 1, seed=9, start=START)):
                house.service.send(LOCAL_USER, chat_id, line.user, token=f"{number}")
                sent = time.monotonic()
                _wait(house, LOCAL_USER, chat_id)
                while _live(house, chat_id):
                    time.sleep(0.02)
                if not any(view.building for view in house.service.samples.views(LOCAL_USER)):
                    break
                took.append(time.monotonic() - sent)
            shown = {"remembered_median_seconds": statistics.median(took), "remembered_max_seconds": max(took)} if took else {}
            for metric, value in shown.items():
                yield _figure(metric, value, n=len(took), category="beside two samples", house=house)
        finally:
            house.close()


def _live(house: House, chat_id: str) -> int:
    found = house.memory.store.database.read().execute(
        "SELECT count(*) FROM task WHERE chat_id = ? AND state IN ('queued', 'leased') AND rank = ?", (chat_id, Rank.LIVE)
    )
    return int(found.fetchone()[0])


def _figure(metric: str, value: float, *, n: int, category: str, house: House) -> Figure:
    return Figure(
        task="efficiency",
        dataset="made",
        system="keepsake",
        category=category,
        unit="round",
        metric=metric,
        value=value,
        n=n,
        embedder=house.memory.embedder.fingerprint,
        model=house.model.name,
    )
