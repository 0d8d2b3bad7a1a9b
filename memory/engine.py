"""The memory engine's one façade: what a turn enqueues, what the worker does, what recall answers, what the panels read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta

import numpy as np
from numpy.typing import NDArray

from memory.answerer import Answerer, Asking
from memory.construction import INDEXED, Construction, UnknownTask, final_tasks, round_tasks
from memory.cross_reading import CrossReader
from memory.cues import Cue, cue_of
from memory.fading import Fadings
from memory.forgetting import Capacity, Score, scores
from memory.gathered import Grounds
from memory.indexing import Indexing, Progress
from memory.keeping import INDEX_TASK, Keeper, index_task
from memory.learning import LEARN_TASK, Learner, learn_task
from memory.left_out import LeftOut, LeftOuts
from memory.mending import ANEW, INSIGHT_TASK, insight_task, mend_task
from memory.overview import Overview
from memory.reading.messages import VERSION as EXTRACTION
from memory.recall import Recall, Recaller
from memory.recipes import Recipe
from memory.rederiving import Rederiver
from memory.sessions import IDLE
from memory.support import Support
from memory.tastes import Tastes
from memory.ways import ORDINARY, Ways
from models.embedder import Embedder
from models.seat import Seat
from models.structured import StructuredModel
from storage.index import MemoryIndex
from storage.records import Kind, Memory, Task
from storage.scope import Scope
from storage.store import Store

__all__ = [
    "ANEW",
    "EXTRACTION",
    "INDEXED",
    "INDEX_TASK",
    "INSIGHT_TASK",
    "LEARN_TASK",
    "Answerer",
    "Asking",
    "Cue",
    "Grounds",
    "LeftOut",
    "MemoryEngine",
    "UnknownTask",
    "cue_of",
    "final_tasks",
    "index_task",
    "insight_task",
    "learn_task",
    "mend_task",
    "round_tasks",
]


DUE = 2
"""Times k: of a ranking what may stand in a prompt. Rounds that are in the history anyway leave their places to the next ones."""


class MemoryEngine:
    """store: the truth; embedder and index: of one fingerprint; k: of MOOM App. D; capacity: of facts and insights on a branch; idle: silence that
    ends a session; reader: who reads and tells now, None for memory without a language model; cross: reads what was recalled once more,
    None where no cross-encoder is set; ways: how it remembers, where that is compared. What `fadings` shows is told by the program's own."""

    def __init__(
        self,
        store: Store,
        embedder: Embedder,
        index: MemoryIndex,
        *,
        k: int,
        capacity: Capacity,
        idle: timedelta = IDLE,
        reader: Seat[StructuredModel | None] | None = None,
        cross: CrossReader | None = None,
        ways: Ways = ORDINARY,
    ) -> None:
        self._store = store
        self._k = k
        self.cross = cross
        self._embedder = embedder
        self._recaller = Recaller(store, embedder, index, k=k, recipe=ways.recipe)
        self._left_outs = LeftOuts(store, embedder, index, self._recaller, k=k)
        self._keeper = Keeper(store, embedder, index)
        self._construction = Construction(
            store, self._keeper, self._recaller, capacity=capacity, idle=idle, reader=reader or Seat(None), ways=ways
        )
        self._rederiver = Rederiver(store, self._construction.deriver)
        self._indexing = Indexing(store, embedder, index, self._keeper)
        self._recaller.incomplete = lambda: self._indexing.reindexing is not None
        self.capacity = capacity.memories
        self.fadings = Fadings(store, fingerprint=embedder.fingerprint, capacity=capacity)
        self.idle = idle
        self.learning = Learner(store, fingerprint=embedder.fingerprint, dimension=embedder.dimension)
        self.answerer = Answerer(store, embedder, self._recaller)
        tastes = Tastes(store, self._keeper.standing, fingerprint=embedder.fingerprint)
        self.overview = Overview(store, tastes, fingerprint=embedder.fingerprint)

    @property
    def embedder_name(self) -> str:
        return self._embedder.fingerprint

    def close(self) -> None:
        """Wait for what is under way beside the tasks, when none is done any more."""
        self._keeper.close()

    def run(self, task: Task) -> None:
        """Do one task to the end. Doing it again changes nothing; a source that changed meanwhile makes it a no-op."""
        if task.kind == LEARN_TASK:
            self.learning.learn(task)
        else:
            self._construction.run(task)

    def breathe_with(self, wait: Callable[[], object]) -> None:
        """wait: called between the steps of every task; it returns when the task may go on."""
        self._keeper.breathe = wait

    def recall(self, scope: Scope, branch_id: str, cue: Cue, *, recipe: Recipe | None = None) -> Recall:
        """Its order is the one learned from the user's replies, if they turned that on; what it reinforces and inhibits is not touched by that. What is pinned
        is told whole."""
        recipe = recipe or self._recaller.recipe
        recall = self._recaller.recall(scope, branch_id, cue, recipe=recipe)
        if self.cross is not None:

            def texts(ids: Sequence[str]) -> list[str]:
                found = self._store.memories.get(scope, ids)
                return [found[i].text if i in found else "" for i in ids]

            recall = self.cross.read(recall, texts, weight=recipe.cross)
        recall = self.learning.ranked(scope, recall)
        due = [i for i in recall.ranking[: DUE * self._k] if i not in recall.pinned]
        return replace(recall, unsaid=self.unsaid(scope, branch_id, due)) if due else recall

    def unsaid(self, scope: Scope, branch_id: str, ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """By id of some memories whose words of it are not told, as they only say again what was said before on the branch. A pure function of its path."""
        return self._recaller.unsaid(scope, branch_id, ids)

    def left_out(self, scope: Scope, branch_id: str, cue: Cue, recall: Recall) -> tuple[LeftOut, ...]:
        """What the cue would have brought to mind besides, had it been there to be recalled, each with why it was not. Reads only."""
        return self._left_outs.of(scope, branch_id, cue, recall)

    def support(self, scope: Scope, branch_id: str, cue: Cue, recall: Recall) -> Support:
        """How well what was recalled for a question supports an answer to it, 0 to 1, with what that comes of. Reads only."""
        return self._recaller.support(scope, branch_id, cue, recall)

    def cue_vector(self, scope: Scope, text: str) -> NDArray[np.float32]:
        """Query vector [d] of a cue; one that was recalled for is not embedded again."""
        return self._recaller.embed_cue(scope.user_id, text)

    def pinned(self, scope: Scope, branch_id: str, cue: Cue) -> tuple[str, ...]:
        """Ids of what stands in every prompt; read without embedder and index."""
        return self._recaller.pinned(scope, branch_id, cue)

    def rederived(self, scope: Scope, branch_id: str, memory: Memory) -> tuple[str, ...]:
        """What the branch's text gives now in a memory's place; nothing is kept of it."""
        return self._rederiver.texts(scope, branch_id, memory)

    def unindex(self, memory_ids: Sequence[str]) -> None:
        """Take erased memories out of the index. Raises storage.index.IndexFailed; what is left cannot be shown and goes with the next task or start."""
        self._keeper.remove(memory_ids)

    def scored(self, scope: Scope, branch_id: str, *, current_round: int, kinds: tuple[Kind, ...] = tuple(Kind)) -> dict[str, Score]:
        """Forgetting scores of everything the branch may see, by id. A pure function of the path's recall events."""
        visible = self._store.memories.visible(scope, branch_id).of_kinds(kinds)
        return scores(visible.round_of, self._store.memories.events(scope, branch_id), current_round=current_round)

    # Upkeep

    def mended_by(self, due: Callable[[], None]) -> None:
        """due: called when `reconcile` is to be called soon, from any thread; it must not wait."""
        self._indexing.due = due

    @property
    def reindexing(self) -> tuple[int, int] | None:
        """(done, total) while the index does not hold the past yet, as after a change of embedder; total is 0 before it was counted. Else None."""
        return self._indexing.reindexing

    def reconcile(
        self, *, on_progress: Progress = lambda done, total: None, may_go_on: Callable[[], bool] = lambda: True
    ) -> tuple[int, int]:
        """Make the index hold exactly what SQLite holds: (entries added, orphans removed). Rebuilds it from an empty folder without embedding
        anything that was embedded before. `may_go_on` is asked between batches, so that it can be paused or stopped."""
        return self._indexing.reconcile(on_progress=on_progress, may_go_on=may_go_on)

    def rebuild_index(self, *, on_progress: Progress = lambda done, total: None, may_go_on: Callable[[], bool] = lambda: True) -> bool:
        """Write the index anew beside the old one and put it in its place; False if it was stopped: the next call goes on."""
        return self._indexing.rebuild(on_progress=on_progress, may_go_on=may_go_on)

    def finish_erasures(self) -> list[str]:
        """Do what is left of erasures but for Chroma's bytes, which `reconcile` removes; names of backups that had to be removed.

        Raises storage.errors.ErasureUnfinished: until this has returned, nothing may be called erased for good.
        """
        self._keeper.drop_ahead()
        return self._store.erasures.finish(self._indexing.sweep)
