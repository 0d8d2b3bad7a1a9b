"""A second reading of what recall found, by a cross-encoder, where one is set: it puts the first of the ranking in a new order.

It decides what the prompt takes, not what is reinforced: that stays with the fused score, so memory is the same whether the model was there in time,
is another on another machine, or was never there at all.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from memory.recall import Recall
from memory.reranker import POOL
from memory.retrieval import DIGITS
from models.cross_encoder import CrossEncoder, Scores
from models.errors import CrossEncoderFailed

log = logging.getLogger(__name__)

LOADING, READY, FAILED, LATE = "loading", "ready", "failed", "late"
"""How it stands, and in a receipt: `late` where it did not read in time, `ready` where it did."""
PART = "cross"
"""Name of its part of a score."""


class CrossReader:
    """load: makes the model, once, in a thread of its own; budget_s: the longest a recall waits for it."""

    def __init__(self, load: Callable[[], CrossEncoder], *, budget_s: float) -> None:
        self._load = load
        self._budget_s = budget_s
        self._model: CrossEncoder | None = None
        self._reading = threading.Lock()
        self._starting = threading.Lock()
        self._loading: threading.Thread | None = None
        self.state = LOADING
        self.problem = ""
        """Why there is none, in words for a person."""

    def start(self) -> None:
        """Begin to load; does not wait. The first reading does it as well."""
        with self._starting:
            if self._loading is None:
                self._loading = threading.Thread(target=self._make, name="cross-encoder", daemon=True)
                self._loading.start()

    def wait(self) -> None:
        """Until it is loaded or has failed, for measurements."""
        self.start()
        if self._loading is not None:
            self._loading.join()

    def _make(self) -> None:
        try:
            self._model = self._load()
        except CrossEncoderFailed as error:
            self.problem, self.state = str(error), FAILED
            log.warning("%s", error)
        except Exception as error:  # a model from elsewhere may raise anything, and must not be waited for without end
            self.problem, self.state = f"The cross-encoder could not be tried ({type(error).__name__}).", FAILED
            log.exception("the cross-encoder could not be tried")
        else:
            self.state = READY

    def read(self, recall: Recall, texts: Callable[[Sequence[str]], Sequence[str]], *, weight: float) -> Recall:
        """The recall with its first POOL in the order that reading them gives, or as it was, saying why. texts: of memory ids, in their order; weight: of
        what it makes of a text, beside the rest of the score."""
        if not weight or not recall.candidates:
            return recall
        self.start()
        state = self.state
        if state != READY or self._model is None:  # the state is set last
            return replace(recall, cross=state)
        pool = recall.candidates[:POOL]
        state, scores = self._scores(self._model, recall.query, texts([c.memory_id for c in pool]))
        if scores is None:
            return replace(recall, cross=state)
        added = [weight * score for score in scores.tolist()]
        read = [replace(c, fused=round(c.fused + a, DIGITS), parts={**c.parts, PART: a}) for c, a in zip(pool, added, strict=True)]
        read.sort(key=lambda c: -c.fused)
        return replace(recall, candidates=(*read, *recall.candidates[POOL:]), cross=READY)

    def _scores(self, model: CrossEncoder, question: str, texts: Sequence[str]) -> tuple[str, Scores | None]:
        if not self._reading.acquire(blocking=False):
            return LATE, None  # an earlier reading has not ended yet
        until = time.monotonic() + self._budget_s
        found: list[Scores | None] = []
        failed: list[bool] = []

        def work() -> None:
            try:
                found.append(model.scores(question, texts, may_go_on=lambda: time.monotonic() < until))
            except Exception:  # as above; recall goes on without it
                log.exception("the cross-encoder could not read")
                failed.append(True)
            finally:
                self._reading.release()

        thread = threading.Thread(target=work, name="cross-reading", daemon=True)
        try:
            thread.start()
        except RuntimeError:  # no thread to be had
            self._reading.release()
            return LATE, None
        thread.join(self._budget_s)
        if failed:
            return FAILED, None
        return LATE, found[0] if found else None
