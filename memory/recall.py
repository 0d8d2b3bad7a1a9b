"""Recall: what a cue brings to mind, with everything that decided it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import timedelta

import numpy as np
from numpy.typing import NDArray

from memory.cues import Asked, Cue, ends_asking, meant, read_cue
from memory.forgetting import effects
from memory.keys import PAUSE, Rounds
from memory.retrieval import CANDIDATES, FUSED, Candidate, Found, Recipe, rank
from memory.support import Judged, Support, support
from models.embedder import Embedder
from storage.index import IndexFailed, MemoryIndex
from storage.records import Kind, RecallEvent, sha256
from storage.scope import Scope
from storage.store import Store
from storage.terms import query_terms
from storage.vectors import QUERY_CHARS
from storage.visible import VisibleSet
from storage.words import Rarity

__all__ = ["Cue", "Recall", "Recaller", "degraded_recall"]

CONTEXT_ROUNDS = 3
"""Rounds before the cue that stand for what the talk is about; their vectors are stored, so they cost no embedding."""
FADING = 0.64
"""How much less each round before counts."""
EMBEDDING = 2
"""Cues that are embedded at once, each while its words are searched for."""
BACKGROUND = 64
"""Memories, spread evenly over the path, that show how like a cue anything is."""


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
    order: tuple[str, ...] = ()
    """Ids in the order in which they may stand in the prompt, where that was learned (`memory.learning`)."""
    learned: Mapping[str, float] = field(default_factory=dict)
    """Learned score of those that it put in order, by id."""
    drawn: bool = False
    """Whether chance had a hand in that order."""
    cross: str = ""
    """What came of reading it with a cross-encoder, as `memory.cross_reading` names it; empty where none is set."""

    @property
    def ranking(self) -> tuple[str, ...]:
        return self.order or tuple(c.memory_id for c in self.candidates)


@dataclass(frozen=True)
class _Talk:
    """The rounds before a cue."""

    rounds: frozenset[int] = frozenset()
    vector: NDArray[np.float32] | None = None
    """What they say on the whole."""
    terms: Mapping[str, float] = field(default_factory=dict)
    """How near each of its terms was said, 0 to 1."""


def _ends(cue_round: int) -> dict[Kind, int]:
    """Episodes up to the last round. Facts and insights one round less: those of the last round are written beside the reply, sooner or later than this
    recall; that round stands in the prompt anyway, and so a live chat and its import have the same scores."""
    return {Kind.EPISODE: cue_round, Kind.FACT: cue_round - 1, Kind.INSIGHT: cue_round - 1}


def degraded_recall(cue: Cue, *, pinned: tuple[str, ...], reason: str, milliseconds: float) -> Recall:
    return Recall(cue.text, FUSED.name, (), pinned, (), reason, milliseconds)


class Recaller:
    """Finds, fuses and ranks. Reads only; safe from any thread."""

    def __init__(self, store: Store, embedder: Embedder, index: MemoryIndex, *, k: int) -> None:
        self._store = store
        self._embedder = embedder
        self._index = index
        self._k = k
        self._embedding = ThreadPoolExecutor(EMBEDDING, thread_name_prefix="cue")
        self.incomplete: Callable[[], bool] = lambda: False
        """Whether the index holds only part of the past for now."""

    def recall(self, scope: Scope, branch_id: str, cue: Cue, *, recipe: Recipe = FUSED, query: NDArray[np.float32] | None = None) -> Recall:
        """What the cue brings to mind of what the branch may see. An index that cannot be read leaves sparse search and says so.

        query: vector [d] of the cue, where the caller has it; then nothing at all is written, else it is kept for further replies to the same cue.
        """
        started = time.perf_counter()
        visible = self._candidates(scope, branch_id, cue)
        degraded = "reindexing" if visible.ids and self.incomplete() else ""
        candidates: list[Candidate] = []
        if visible.ids:
            vector = self._vector_of(scope.user_id, cue.text) if recipe.dense and query is None else None
            asked, rounds = read_cue(cue), Rounds(visible)
            talk = self._talk(scope, rounds, cue) if recipe.context else _Talk()
            rarity = self._store.memories.rarity(visible, dict.fromkeys((*asked.terms, *talk.terms)))
            found = dict.fromkeys(self._by_words(scope, visible, cue, asked, talk, rarity, recipe))
            if not recipe.dense:
                query = None
            else:
                query = vector() if vector is not None else query
                assert query is not None
                searched = np.stack([query] if talk.vector is None else [query, talk.vector])
                try:
                    for nearest in self._index.search(searched, among=visible.members, k=CANDIDATES):
                        found |= dict.fromkeys(i for i, _ in nearest)
                except IndexFailed:
                    query, degraded = None, "error"
            found |= dict.fromkeys(visible.pinned)
            candidates = self._ranked(scope, visible, rounds, cue, asked, talk, rarity, list(found), query, recipe)[:CANDIDATES]
        events = effects([c.memory_id for c in candidates], current_round=cue.round, k=self._k)
        pinned = self.pinned(scope, branch_id, cue)
        return Recall(cue.text, recipe.name, tuple(candidates), pinned, tuple(events), degraded, (time.perf_counter() - started) * 1000)

    def support(self, scope: Scope, branch_id: str, cue: Cue, recall: Recall, *, query: NDArray[np.float32] | None = None) -> Support:
        """How well what was recalled for a question supports an answer to it. Only what the branch may recall now counts. query: as for `recall`."""
        visible = self._candidates(scope, branch_id, cue)
        candidates = [c for c in recall.candidates if c.memory_id in visible.members]
        asked, rounds = read_cue(cue), Rounds(visible)
        hit, alone = rounds.around(c.memory_id for c in candidates)
        rows = self._store.memories.keys(scope, [*rounds.members(hit), *rounds.episodes(r - 1 for r in hit), *alone])
        names = frozenset(name for row in rows.values() for name in row.knowers)
        rarity = self._store.memories.rarity(visible, asked.terms)
        ground = 0.0
        if any(c.dense is not None for c in candidates):
            query = self.embed_cue(scope.user_id, cue.text) if query is None else query
            ground = float((self._background(scope, visible) @ query).mean())
        return support(
            Judged(cue.text, asked, meant(cue, names), names, rounds.places(hit, alone, rows), candidates, rarity, ground, cue.speaker)
        )

    def pinned(self, scope: Scope, branch_id: str, cue: Cue) -> tuple[str, ...]:
        """What stands in the prompt whatever the cue brings to mind. A topic does if it is pinned; it is not recalled by itself."""
        visible = self._store.memories.visible(scope, branch_id)
        if not visible.pinned:
            return ()
        kept = visible.up_to({**_ends(cue.round), Kind.TOPIC: cue.round})
        return kept.recallable.without(self._store.controls.held_back(scope)).pinned

    def _candidates(self, scope: Scope, branch_id: str, cue: Cue) -> VisibleSet:
        """What the branch may recall: nothing that a person excluded, nor what rests on it."""
        visible = self._store.memories.visible(scope, branch_id).up_to(_ends(cue.round))
        return visible.recallable.without(self._store.controls.held_back(scope))

    def _talk(self, scope: Scope, rounds: Rounds, cue: Cue) -> _Talk:
        """The last rounds before the cue, as far back as no longer silence lies between."""
        ids = rounds.episodes(range(cue.round - 1, cue.round - 1 - CONTEXT_ROUNDS, -1))
        rows = self._store.memories.keys(scope, ids)
        later, kept = cue.said_at, []
        for i in (i for i in ids if i in rows):  # one may have been erased since what can be seen was read
            if later is not None and not timedelta(0) <= later - rows[i].said_at < PAUSE:
                break
            kept.append(i)
            later = rows[i].said_at
        terms: dict[str, float] = {}
        for age, i in enumerate(kept):
            for term in query_terms(rows[i].text):
                terms.setdefault(term, FADING**age)
        vectors = self._store.vectors.of_memories(scope.user_id, self._embedder.fingerprint, kept)
        return _Talk(frozenset(rounds.around(kept)[0]), _faded([vectors[i] for i in kept if i in vectors]), terms)

    def _by_words(
        self, scope: Scope, visible: VisibleSet, cue: Cue, asked: Asked, talk: _Talk, rarity: Rarity, recipe: Recipe
    ) -> Iterable[str]:
        found: list[str] = []
        if recipe.sparse:
            around = list(talk.terms)
            found += [
                i for i, _ in self._store.memories.search_words(scope, visible, cue.text, around=around, counted=rarity, limit=CANDIDATES)
            ]
        if recipe.within:
            for wanted in asked.ranges:
                found += self._store.memories.told_within(scope, visible, wanted.first, wanted.last, limit=CANDIDATES)
        return found

    def _ranked(
        self,
        scope: Scope,
        visible: VisibleSet,
        rounds: Rounds,
        cue: Cue,
        asked: Asked,
        talk: _Talk,
        rarity: Rarity,
        found: Sequence[str],
        query: NDArray[np.float32] | None,
        recipe: Recipe,
    ) -> list[Candidate]:
        hit, alone = rounds.around(found)
        rows = self._store.memories.keys(scope, [*rounds.members(hit), *rounds.episodes(r - 1 for r in hit), *alone])
        if recipe.answers:
            # What answers a question that was found is found with it.
            asking = {r + 1 for r in hit if (e := rounds.episodes([r])) and e[0] in rows and ends_asking(rows[e[0]].text)} - hit
            rows |= self._store.memories.keys(scope, rounds.members(asking))
            hit |= asking
        places = rounds.places(hit, alone, rows)
        spread = visible.ids[:: max(1, len(visible.ids) // BACKGROUND)]
        wanted = [*rows, *spread] if query is not None else []
        vectors = self._store.vectors.of_memories(scope.user_id, self._embedder.fingerprint, wanted)
        ground = [vectors[i] for i in spread if i in vectors]
        return rank(
            Found(
                places=places,
                asked=asked,
                meant=meant(cue, {name for row in rows.values() for name in row.knowers}),
                rarity=rarity,
                vectors=vectors,
                background=np.stack(ground) if ground else np.zeros((0, self._embedder.dimension), dtype=np.float32),
                query=query,
                context=talk.vector if query is not None else None,
                around=talk.terms,
                in_context=talk.rounds,
            ),
            recipe,
        )

    def _background(self, scope: Scope, visible: VisibleSet) -> NDArray[np.float32]:
        """Vectors [b, d] of memories spread over the path."""
        spread = visible.ids[:: max(1, len(visible.ids) // BACKGROUND)]
        vectors = self._store.vectors.of_memories(scope.user_id, self._embedder.fingerprint, spread)
        return np.stack(list(vectors.values())) if vectors else np.zeros((1, self._embedder.dimension), dtype=np.float32)

    def embed_cue(self, user_id: str, text: str) -> NDArray[np.float32]:
        """Query vector [d] of a cue, stored, so that asking for another reply embeds nothing."""
        return self._vector_of(user_id, text)()

    def _vector_of(self, user_id: str, text: str) -> Callable[[], NDArray[np.float32]]:
        """Begin to embed a cue, if it has no vector yet; what waits for it and stores it. Raises EmbeddingFailed there."""
        wanted = text[:QUERY_CHARS]
        key = sha256(wanted)
        stored = self._store.vectors.get(user_id, self._embedder.fingerprint, "query", [key])
        if key in stored:
            return lambda: stored[key]
        embedding = self._embedding.submit(self._embedder.queries, [wanted])

        def vector() -> NDArray[np.float32]:
            (made,) = embedding.result()
            self._store.vectors.put(user_id, self._embedder.fingerprint, "query", {key: made})
            return np.asarray(made, dtype=np.float32)

        return vector


def _faded(vectors: Sequence[NDArray[np.float32]]) -> NDArray[np.float32] | None:
    """The mean of what was said, newest first, each less than the one after it."""
    if not vectors:
        return None
    weights = FADING ** np.arange(len(vectors))
    return np.asarray(np.average(np.stack(vectors), axis=0, weights=weights), dtype=np.float32)
