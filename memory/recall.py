"""Recall: what a cue brings to mind, with everything that decided it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memory.forgetting import effects
from memory.retrieval import CANDIDATES, FUSED, Candidate, Recipe, fuse
from models.embedder import Embedder
from storage.index import IndexFailed, MemoryIndex
from storage.records import Kind, RecallEvent, sha256
from storage.scope import Scope
from storage.store import Store
from storage.vectors import QUERY_CHARS
from storage.visibility import VisibleSet

CONTEXT_ROUNDS = 2
"""Rounds before the cue whose stored vectors stand for what the talk is about; they cost no embedding."""


@dataclass(frozen=True)
class Cue:
    """What is being answered. text: the newest user utterance; round: its round, whose own memories and later ones are not candidates."""

    text: str
    round: int


@dataclass(frozen=True)
class Recall:
    query: str
    recipe: str
    candidates: tuple[Candidate, ...]
    """Best first."""
    pinned: tuple[str, ...]
    events: tuple[RecallEvent, ...]
    degraded: str
    """Empty; `timeout`, `error` or `reindexing` when recall could not be done in full."""
    milliseconds: float


def _may_be_recalled(kind: Kind, last_round: int, cue_round: int) -> bool:
    """Episodes up to the last round. Facts and insights one round less: those of the last round are written beside the reply, sooner or later than this
    recall; that round stands in the prompt anyway, and so a live chat and its import have the same scores."""
    if kind is Kind.EPISODE:
        return last_round < cue_round
    return kind in (Kind.FACT, Kind.INSIGHT) and last_round < cue_round - 1


def degraded_recall(cue: Cue, *, pinned: tuple[str, ...], reason: str, milliseconds: float) -> Recall:
    return Recall(cue.text, FUSED.name, (), pinned, (), reason, milliseconds)


class Recaller:
    """Finds, fuses and ranks. Reads only; safe from any thread."""

    def __init__(self, store: Store, embedder: Embedder, index: MemoryIndex, *, k: int) -> None:
        self._store = store
        self._embedder = embedder
        self._index = index
        self._k = k
        self.incomplete: Callable[[], bool] = lambda: False
        """Whether the index holds only part of the past for now."""

    def recall(self, scope: Scope, branch_id: str, cue: Cue, *, recipe: Recipe = FUSED) -> Recall:
        """What the cue brings to mind of what the branch may see. An index that cannot be read leaves sparse search and says so."""
        started = time.perf_counter()
        visible = self._candidates(scope, branch_id, cue)
        degraded = "reindexing" if visible.ids and self.incomplete() else ""
        candidates: list[Candidate] = []
        if visible.ids:
            sparse = dict(self._store.memories.search_words(scope, visible, cue.text, limit=CANDIDATES)) if recipe.sparse else {}
            try:
                dense, context = self._dense(scope, visible, cue, among=tuple(sparse)) if recipe.dense else ({}, {})
            except IndexFailed:
                dense, context, degraded = {}, {}, "error"
            births = {i: ordinal for ordinal, i in visible.by_ordinal.items()}
            candidates = fuse(dense=dense, sparse=sparse, context=context, births=births, recipe=recipe)[:CANDIDATES]
        events = effects([c.memory_id for c in candidates], current_round=cue.round, k=self._k)
        pinned = self.pinned(scope, branch_id, cue)
        return Recall(cue.text, recipe.name, tuple(candidates), pinned, tuple(events), degraded, (time.perf_counter() - started) * 1000)

    def pinned(self, scope: Scope, branch_id: str, cue: Cue) -> tuple[str, ...]:
        """What stands in the prompt whatever the cue brings to mind. A topic does if it is pinned; it is not recalled by itself."""
        visible = self._store.memories.visible(scope, branch_id)
        if not visible.pinned:
            return ()
        kept = visible.where(lambda kind, last: _may_be_recalled(kind, last, cue.round) or (kind is Kind.TOPIC and last < cue.round))
        return kept.recallable.without(self._store.controls.held_back(scope)).pinned

    def _candidates(self, scope: Scope, branch_id: str, cue: Cue) -> VisibleSet:
        """What the branch may recall: nothing that a person excluded, nor what rests on it."""
        visible = self._store.memories.visible(scope, branch_id).where(lambda kind, last: _may_be_recalled(kind, last, cue.round))
        return visible.recallable.without(self._store.controls.held_back(scope))

    def _dense(self, scope: Scope, visible: VisibleSet, cue: Cue, *, among: Sequence[str]) -> tuple[dict[str, float], dict[str, float]]:
        """Cosine to the cue and to the last rounds, of Chroma's nearest, of `among` and of pinned memories, by id."""
        query = self.embed_cue(scope.user_id, cue.text)
        found = self._index.search(query[None, :], among=visible.ids, k=CANDIDATES)[0]
        recent = [i for i in visible.of_kinds((Kind.EPISODE,)).ids if visible.round_of[i] >= cue.round - CONTEXT_ROUNDS]
        ids = list(dict.fromkeys([i for i, _ in found] + list(among) + list(visible.pinned)))
        # Exact cosines from SQLite's vectors, so that a candidate of sparse search has a dense score on the same scale.
        vectors = self._store.vectors.of_memories(scope.user_id, self._embedder.fingerprint, ids + recent)
        dense = {i: float(vectors[i] @ query) for i in ids if i in vectors}
        around = [vectors[i] for i in recent if i in vectors]
        if not around:
            return dense, {}
        mean = np.mean(around, axis=0)
        return dense, {i: float(vectors[i] @ mean) for i in dense if i not in recent}

    def embed_cue(self, user_id: str, text: str) -> NDArray[np.float32]:
        """Query vector [d] of a cue, stored, so that asking for another reply embeds nothing."""
        wanted = text[:QUERY_CHARS]
        key = sha256(wanted)
        stored = self._store.vectors.get(user_id, self._embedder.fingerprint, "query", [key])
        if key in stored:
            return stored[key]
        vector: NDArray[np.float32] = self._embedder.queries([wanted])[0]
        self._store.vectors.put(user_id, self._embedder.fingerprint, "query", {key: vector})
        return vector
