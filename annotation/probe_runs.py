"""Probe runs: what was told in passing is asked for many rounds later; does it come to mind, and at which rank?

For each setting of memory the dialogue is lived through once in a data folder of its own, with the items told in it one by one, each a round of the player's at
places spread over its beginning; everything that is really said goes on behind them. Then, for each item and distance, a branch is forked at the round that lies so
far behind it, and its question is the cue. Rank 1 is what is recalled first; `near` is how like the answer the most like of the first k is.

A run is done in one thread, gives way to replies, can be stopped at any step, and goes on where it was: what it found is kept result by result, though a setting
that was begun is lived through again.
"""

from __future__ import annotations

import contextlib
import logging
import os
import shutil
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import numpy as np
from tqdm import tqdm

from chat.assembly import Memory, open_memory
from chat.cast import character_named
from chat.imported import ImportedConversation, ImportedMessage
from chat.importer import Cast, Importer
from evaluation.measures import Interval, proportion_interval
from memory.engine import Cue
from settings import Settings
from storage.annotation_errors import RunGone
from storage.annotation_probes import AnnotationProbes, Probe, Result, Run, Setting
from storage.annotation_records import Turn
from storage.records import from_ms, stable_id
from storage.scope import LOCAL_USER, Scope
from storage.store import Store

log = logging.getLogger(__name__)

CUTS = (1, 3, 9)
NICENESS = 19
FOLDER = "probe-runs"
_STEP = timedelta(seconds=1)


class _Stopped(Exception):
    """Somebody stopped the run, or the program ends."""


@dataclass(frozen=True)
class Progress:
    """Of the run under way. done, all: tasks of memory while a setting is lived through, then questions."""

    run_id: str = ""
    setting: int = 0
    stage: str = ""
    done: int = 0
    all: int = 0


@dataclass(frozen=True)
class Recalled:
    """recall@k of one setting and distance, by Wilson's interval. near: mean, where there is one."""

    setting: int
    distance: int
    k: int
    interval: Interval
    near: float | None


def rounds_of(turns: Sequence[Turn]) -> int:
    return len({turn.round for turn in turns})


def with_probes(turns: Sequence[Turn], probes: Sequence[Probe], *, longest: int) -> ImportedConversation:
    """The dialogue with each item told by the player between two rounds, spread evenly over the rounds that have `longest` behind them."""
    player = next(turn.speaker for turn in turns if turn.role == "user")
    other = next((turn.speaker for turn in turns if turn.speaker != player), f"not {player}")
    starts = [n for n, turn in enumerate(turns) if n == 0 or turn.round != turns[n - 1].round]
    room = max(1, len(starts) - longest)
    places: dict[int, list[Probe]] = {}
    for n, probe in enumerate(probes):
        places.setdefault(starts[min(room - 1, n * room // len(probes))], []).append(probe)
    said: list[ImportedMessage] = []
    for n, turn in enumerate(turns):
        for probe in places.get(n, []):
            said.append(ImportedMessage(f"P{probe.id}", player, probe.p, from_ms(turn.said_at) - _STEP, turn.session, len(said) + 1))
        said.append(ImportedMessage(f"T{turn.number}", turn.speaker, turn.text, from_ms(turn.said_at), turn.session, len(said) + 1))
    return ImportedConversation("probed", "probed", (player, other), tuple(said), ())


def recalls(run: Run, results: Sequence[Result]) -> list[Recalled]:
    """The figures of a run, as far as it is."""
    found = []
    for setting in range(len(run.settings)):
        for distance in run.distances:
            some = [one for one in results if (one.setting, one.distance) == (setting, distance)]
            near = [one.near for one in some if one.near is not None]
            for k in CUTS:
                if some:
                    hits = sum(one.rank is not None and one.rank <= k for one in some)
                    mean = float(np.mean(near)) if near else None
                    found.append(Recalled(setting, distance, k, proportion_interval(hits, len(some)), mean))
    return found


class ProbeRuns:
    """breathe: waits while a reply is made."""

    def __init__(self, store: Store, settings: Settings, *, breathe: Callable[[], object] = lambda: None) -> None:
        self._probes: AnnotationProbes = store.annotation_probes
        self._settings = settings
        self._breathe = breathe
        self._folder = store.folder.cache / FOLDER
        shutil.rmtree(self._folder, ignore_errors=True)  # of a crash
        self._probes.left_running()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._ended = False
        self.progress = Progress()

    def wake(self) -> None:
        """See whether a run waits."""
        with self._lock:
            if self._ended or (self._thread is not None and self._thread.is_alive()):
                return
            self._thread = threading.Thread(target=self._work, name="probe-runs", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Stop what is under way; it can be gone on with."""
        with self._lock:
            self._ended = True
            thread = self._thread
        if thread is not None:
            thread.join(30)
        shutil.rmtree(self._folder, ignore_errors=True)

    def wait(self) -> None:
        """Until nothing runs (tests, command lines)."""
        if self._thread is not None:
            self._thread.join()

    def _work(self) -> None:
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
        while not self._ended and (run_id := self._probes.next_waiting()):
            try:
                self._do(self._probes.run(run_id))
                self._probes.ended(run_id, "done")
            except _Stopped:
                self._probes.ended(run_id, "stopped")
            except RunGone:
                log.info("a probe run ended, as its dialogue was taken out")
            except Exception as error:  # the thread's border: told where the run is shown, with its trace in the log
                log.exception("a probe run failed")
                self._probes.ended(run_id, "failed", error=type(error).__name__)
            finally:
                self.progress = Progress()

    def _do(self, run: Run) -> None:
        turns = self._probes.turns(run.item_id)
        done = {(one.setting, one.distance, one.probe) for one in self._probes.results(run.id)}
        for number, setting in enumerate(run.settings):
            missing = [(d, p) for d in run.distances for p in run.probes if (number, d, p.id) not in done]
            if missing:
                folder = self._folder / run.id / str(number)
                shutil.rmtree(folder, ignore_errors=True)
                try:
                    self._ask_all(run, number, setting, turns, missing, folder)
                finally:
                    shutil.rmtree(self._folder / run.id, ignore_errors=True)

    def _ask_all(
        self, run: Run, number: int, setting: Setting, turns: Sequence[Turn], missing: Sequence[tuple[int, Probe]], folder: Path
    ) -> None:
        changes = {
            "data_dir": folder,
            "memory_capacity": setting.capacity,
            "memory_capacity_tokens": setting.capacity_tokens,
            "recall_k": setting.k,
        }
        memory = open_memory(self._settings.model_copy(update=changes))
        memory.engine.breathe_with(lambda: self._still(run.id))
        try:
            conversation = with_probes(turns, run.probes, longest=max(run.distances))
            player, other = conversation.speakers[:2]
            language = "zh" if run.probes[0].language == "zh" else "en"
            character = character_named(memory.store, LOCAL_USER, other, language=language)
            importer = Importer(memory.store, conversation, Cast(player, other), character_id=character, language=language)
            with tqdm(disable=True) as bar:
                importer.write(bar)
            self._live(memory, run, number, importer.scope)
            for n, (distance, probe) in enumerate(missing):
                self._note(run, number, "asking", n, len(missing))
                self._probes.found(run.id, [self._ask(memory, importer, number, setting, distance, probe)])
        finally:
            memory.close()

    def _live(self, memory: Memory, run: Run, number: int, scope: Scope) -> None:
        done = 0
        waiting = memory.store.tasks.queue(scope).waiting
        while (task := memory.store.tasks.lease()) is not None:
            self._note(run, number, "living", done, max(waiting, done + 1))
            memory.engine.run(task)
            memory.store.tasks.finish(task)
            done += 1

    def _ask(self, memory: Memory, importer: Importer, number: int, setting: Setting, distance: int, probe: Probe) -> Result:
        scope, store = importer.scope, memory.store
        branch = store.chats.chat(scope).branch_id
        told = stable_id("message", importer.chat_id, f"P{probe.id}")
        (message,) = store.chats.messages(scope, branch, [told])
        last = store.chats.span(scope, branch, first_round=message.round + distance - 1, last_round=message.round + distance - 1)[-1]
        fork = store.branches.fork(scope, branch, last.id, probe.topic, operation="checkpoint")
        while (task := store.tasks.lease()) is not None:
            memory.engine.run(task)
            store.tasks.finish(task)
        recall = memory.engine.recall(scope, fork, Cue(probe.q, message.round + distance, last.said_at + _STEP, speaker=message.speaker))
        ranked = [one.memory_id for one in recall.candidates]
        rows = store.memories.get(scope, ranked)
        rank = next((n for n, i in enumerate(ranked, 1) if any(source.message_id == told for source in rows[i].sources)), None)
        texts = [rows[i].text for i in ranked[: setting.k]]
        near = float((memory.embedder.passages(texts) @ memory.embedder.passages([probe.a])[0]).max()) if texts else None
        return Result(number, distance, probe.id, message.round, rank, len(ranked), near)

    def _note(self, run: Run, setting: int, stage: str, done: int, all_of: int) -> None:
        self._still(run.id)
        self.progress = Progress(run.id, setting, stage, done, all_of)

    def _still(self, run_id: str) -> None:
        """Raises _Stopped or RunGone. Waits while a reply is made."""
        if self._ended or self._probes.run(run_id).state != "running":
            raise _Stopped
        self._breathe()
