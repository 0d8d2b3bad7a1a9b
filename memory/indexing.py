"""Keeping Chroma in step with SQLite: what is missing is written, what is gone is removed, and after a change of embedder everything is read anew."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

from memory import tastes
from memory.keeping import INDEXED, Keeper
from models.embedder import Embedder
from models.errors import EmbeddingFailed
from storage.index import MemoryIndex
from storage.records import Memory
from storage.scope import Scope
from storage.store import Store

log = logging.getLogger(__name__)

SYNC_BATCH = 500
"""Entries written at once where their vectors are stored."""
EMBED_BATCH = 32
"""Texts embedded between two questions whether to go on; about a second on two cores."""

Progress = Callable[[int, int], None]
"""Called with entries done and entries in all."""


class Indexing:
    """keeper: embeds and writes. One thread at a time calls `reconcile` or `rebuild`; `reindexing` may be read from any."""

    def __init__(self, store: Store, embedder: Embedder, index: MemoryIndex, keeper: Keeper) -> None:
        self._store = store
        self._embedder = embedder
        self._index = index
        self._keeper = keeper
        self._progress: tuple[int, int] | None = None
        self.due: Callable[[], None] = lambda: None
        """Called when `reconcile` is to be called soon: the folder of the index was removed under the program."""
        index.lost = self._lost
        if not index.complete:
            if not index.gone and next(store.memory_ids(INDEXED), None) is None:
                index.mark_complete()
            else:
                self._progress = (0, 0)

    @property
    def reindexing(self) -> tuple[int, int] | None:
        """(done, total) while the index does not hold the past yet, total 0 before it was counted; None when it does."""
        return self._progress

    def _lost(self) -> None:
        if self._progress is None:
            log.warning("the folder of the memory index was removed; it is built again from the database")
            self._progress = (0, 0)
        self.due()

    def sweep(self) -> int:
        """Remove what SQLite does not have, verified; how many entries."""
        held = {memory_id for _, _, memory_id in self._store.memory_ids(INDEXED)}
        orphans = [i for i in self._index.ids() if i not in held]
        self._index.delete(orphans)
        return len(orphans)

    def reconcile(self, *, on_progress: Progress, may_go_on: Callable[[], bool]) -> tuple[int, int]:
        """Make the index hold exactly what SQLite holds: (entries added, orphans removed). `may_go_on` is asked between batches; what was done stays done.

        What was embedded before is not embedded again. Afterwards the files hold nothing else: no vectors of another embedder, none of what was erased.
        """
        if self._index.gone:
            self._progress = (0, 0)
            self._index.reopen()
        removed = self.sweep()
        added, through = self._fill(self._index, on_progress=on_progress, may_go_on=may_go_on)
        if not through:
            return added, removed
        if not self._tastes(may_go_on):
            return added, removed
        if not self._index.complete:
            self._index.mark_complete()
        self._progress = None
        erased = self._store.erasures.index_awaits()
        if erased or self._index.has_others:
            self.rebuild(on_progress=lambda done, total: None, may_go_on=may_go_on)
        return added, removed

    def rebuild(self, *, on_progress: Progress, may_go_on: Callable[[], bool]) -> bool:
        """Write the index anew in a folder of its own and put it in the old one's place; False if it was stopped, to be gone on with next time."""
        erased = self._store.erasures.index_awaits()
        successor = self._index.successor()
        held = {memory_id for _, _, memory_id in self._store.memory_ids(INDEXED)}
        # What was erased since an earlier attempt would leave its bytes behind.
        if successor.ids() - held:
            successor.discard()
            successor = self._index.successor()
        _, through = self._fill(successor, on_progress=on_progress, may_go_on=may_go_on)
        if not through:
            successor.close()
            return False
        successor.mark_complete()
        self._index.give_way(successor)
        self._progress = None
        self.sweep()
        if erased:
            self._store.erasures.index_written_anew(erased)
        return True

    def _fill(self, index: MemoryIndex, *, on_progress: Progress, may_go_on: Callable[[], bool]) -> tuple[int, bool]:
        """(entries written, whether all of what was missing was gone through). First what has a stored vector, then what must be embedded."""
        owners = {memory_id: Scope.of(user_id, chat_id) for user_id, chat_id, memory_id in self._store.memory_ids(INDEXED)}
        present = index.ids()
        missing = [i for i in owners if i not in present]
        embedded = self._store.vectors.which_have(self._embedder.fingerprint, missing)
        unread = [i for i in missing if i not in embedded]
        ready = [i for i in missing if i in embedded]
        batches = [ready[s : s + SYNC_BATCH] for s in range(0, len(ready), SYNC_BATCH)]
        batches += [unread[s : s + EMBED_BATCH] for s in range(0, len(unread), EMBED_BATCH)]
        before, done, total = len(present & owners.keys()), 0, len(owners)
        for batch in batches:
            self._tell(on_progress, before + done, total)
            if not may_go_on():
                return done, False
            by_scope: dict[Scope, list[str]] = {}
            for memory_id in batch:
                by_scope.setdefault(owners[memory_id], []).append(memory_id)
            for scope, ids in by_scope.items():
                memories = list(self._store.memories.get(scope, ids).values())
                self._embed(scope, memories)
                self._keeper.write_index(scope, memories, index)
            done += len(batch)
        if batches:
            self._tell(on_progress, before + done, total)
        return done, True

    def _tastes(self, may_go_on: Callable[[], bool]) -> bool:
        """Embed what tastes are compared by, where another embedder or an older version left none; whether all of it was gone through."""
        missing = self._store.vectors.lacking(self._embedder.fingerprint + tastes.KIND, tastes.taste_keys())
        for start in range(0, len(missing), EMBED_BATCH):
            if not may_go_on():
                return False
            by_scope: dict[Scope, list[str]] = {}
            for user_id, chat_id, memory_id in missing[start : start + EMBED_BATCH]:
                by_scope.setdefault(Scope.of(user_id, chat_id), []).append(memory_id)
            for scope, ids in by_scope.items():
                try:
                    self._keeper.tastes(scope.user_id, self._store.memories.get(scope, ids).values())
                except EmbeddingFailed:
                    log.warning("%d tastes could not be embedded; they are compared by their words", len(ids))
        return True

    def _tell(self, on_progress: Progress, done: int, total: int) -> None:
        if self._progress is not None:
            self._progress = (done, total)
        on_progress(done, total)

    def _embed(self, scope: Scope, memories: Sequence[Memory]) -> None:
        """One text that cannot be embedded must not keep the others out; it is found by its words."""
        try:
            self._keeper.embed(scope.user_id, memories)
        except EmbeddingFailed:
            for memory in memories:
                try:
                    self._keeper.embed(scope.user_id, [memory])
                except EmbeddingFailed:
                    log.warning("memory %s could not be embedded", memory.id)
