"""Probe runs: what was told in passing is asked for many rounds later; does it come to mind, and at which rank? And regular probes: is the right reply chosen?

For each setting of memory the dialogue is lived through once in a data folder of its own (`annotation.probe_living`). In a run of the universal table its items are
told in it one by one, each a round of the player's at places spread over its beginning, and everything that is really said goes on behind them; then, for each item
and distance, a branch is forked at the round that lies so far behind it, and its question is the cue. Regular probes are asked of the dialogue as it is, after all of
it or on a branch that is cut so many rounds behind their point.

A run is done in one thread, gives way to replies, can be stopped at any step, and goes on where it was: what it found is kept result by result, though a setting
that was begun is lived through again.
"""

from __future__ import annotations

import logging
import shutil
import threading
from collections.abc import Callable
from dataclasses import dataclass

from annotation.probe_asking import Asking
from annotation.probe_living import lived, with_probes
from annotation.probe_models import ProbeModelChoice, ProbeModels
from chat.model_choice import ModelChoice
from machine import lower_thread
from models.embedder import Embedder
from models.transformer_embedders import label
from settings import Settings
from storage.annotation_errors import RunGone
from storage.annotation_run_rows import NO_MEMORY, REGULAR, WHOLE, Run
from storage.annotation_runs import AnnotationRuns
from storage.database import left_for_later
from storage.store import Store

log = logging.getLogger(__name__)

NICENESS = 19
FOLDER = "probe-runs"
MODEL_CHANGED = "model_changed"
"""Why a run does not go on: other models serve now than when it was asked for, or another embedder or cross-encoder finds."""


class _Stopped(Exception):
    """Somebody stopped the run, or the program ends."""


class _ModelsChanged(Exception):
    """What it has found so far was found by others."""


@dataclass(frozen=True)
class Progress:
    """Of the run under way. done, all: tasks of memory while a setting is lived through, then questions."""

    run_id: str = ""
    setting: int = 0
    stage: str = ""
    done: int = 0
    all: int = 0


class ProbeRuns:
    """embedder: as `settings` have it; models: who serves in the house, where there is one; breathe: waits while a reply is made;
    niceness: of the thread, from 0 to 19."""

    def __init__(
        self,
        store: Store,
        settings: Settings,
        *,
        embedder: Embedder,
        models: ModelChoice | None = None,
        breathe: Callable[[], object] = lambda: None,
        niceness: int = NICENESS,
    ) -> None:
        self._runs: AnnotationRuns = store.annotation_runs
        self._settings = settings
        self.models = ProbeModelChoice(
            models, embedder=embedder.fingerprint, cross=label(settings.cross_encoder) if settings.cross_encoder else ""
        )
        self.cross = bool(settings.cross_encoder)
        """Whether one reads what was recalled once more."""
        self._breathe = breathe
        self._niceness = niceness
        self._folder = store.folder.cache / FOLDER
        shutil.rmtree(self._folder, ignore_errors=True)  # of a crash
        with left_for_later():
            self._runs.left_running()
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
        lower_thread(self._niceness)
        while not self._ended and (run_id := self._runs.next_waiting()):
            try:
                self._do(self._runs.run(run_id))
                self._runs.ended(run_id, "done")
            except _Stopped:
                self._runs.ended(run_id, "stopped")
            except _ModelsChanged:
                self._runs.ended(run_id, "failed", error=MODEL_CHANGED)
            except RunGone:
                log.info("a probe run ended, as its dialogue was taken out")
            except Exception as error:  # the thread's border: told where the run is shown, with its trace in the log
                log.exception("a probe run failed")
                self._runs.ended(run_id, "failed", error=type(error).__name__)
            finally:
                self.progress = Progress()

    def _do(self, run: Run) -> None:
        with self.models.taken(run.how) as models:
            if models is None:
                raise _ModelsChanged
            for number in range(len(run.settings)):
                self._do_setting(run, number, models)

    def _do_setting(self, run: Run, number: int, models: ProbeModels) -> None:
        """Nothing is lived through where nothing is missing."""
        regular = run.kind == REGULAR
        asked = {(one.setting, one.distance, one.probe) for one in self._runs.results(run.id)}
        chosen = {(one.setting, one.distance, one.probe) for one in self._runs.choices(run.id)}
        items = [(d, p) for d in run.distances for p in run.probes if (number, d, p.id) not in asked]
        # What can be guessed is asked once, beside the first setting.
        places = [(number, d) for d in run.distances] + ([(NO_MEMORY, WHOLE)] if not number else [])
        questions = [(s, d, q) for s, d in places for q in run.questions if (s, d, q.id) not in chosen]
        if not (questions if regular else items):
            return
        turns = self._runs.turns(run.item_id)
        language = (run.questions[0] if regular else run.probes[0]).language
        folder = self._folder / run.id / str(number)
        shutil.rmtree(folder, ignore_errors=True)
        try:
            with lived(
                self._settings,
                run.settings[number],
                with_probes(turns, run.probes, longest=max(run.distances), first=run.first),
                folder=folder,
                language=language,
                reader=models.reader,
                note=lambda done, all_of: self._note(run, number, "living", done, all_of),
            ) as dialogue:
                asking = Asking(dialogue, self._settings, number, run.settings[number], models)
                for n, (distance, probe) in enumerate(items):
                    self._note(run, number, "asking", n, len(items))
                    result, replies = asking.item(run.id, probe, distance)
                    self._runs.found(run.id, [result], replies)
                for n, (place, distance, question) in enumerate(questions):
                    self._note(run, number, "asking", n, len(questions))
                    self._runs.chosen(run.id, [asking.guess(question) if place == NO_MEMORY else asking.question(question, distance)])
        finally:
            shutil.rmtree(self._folder / run.id, ignore_errors=True)

    def _note(self, run: Run, setting: int, stage: str, done: int, all_of: int) -> None:
        self._still(run.id)
        self.progress = Progress(run.id, setting, stage, done, all_of)

    def _still(self, run_id: str) -> None:
        """Raises _Stopped or RunGone. Waits while a reply is made."""
        if self._ended or self._runs.run(run_id).state != "running":
            raise _Stopped
        self._breathe()
