"""Recall: what a cue brings to mind, with everything that decided it."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from memory import called_up, timeline_chinese, timeline_english
from memory.cue_vectors import CueVectors, cue_text
from memory.cues import Asked, Cue, ends_asking, meant, read_cue
from memory.episodes import language_of, spoken
from memory.keys import Rounds
from memory.matter_readers import MatterReaders
from memory.matters import Bearing, bearing
from memory.read_rows import ReadRows
from memory.reading.drafts import DateRange
from memory.recipes import FUSED, Recipe
from memory.repeating import REPLIES, recites, repeats
from memory.retrieval import CANDIDATES, Candidate, Found, rank, weight
from memory.support import Judged, Support, support
from memory.talk_before import FADING_SAID, Talk, faded, talk_before
from memory.timeline_anchors import LONG, LOOKED_AT, anchors, event_of, range_of
from models.embedder import Embedder
from storage.index import IndexFailed, MemoryIndex
from storage.memory_values import Told
from storage.records import Kind, RecallEvent
from storage.scope import Scope
from storage.store import Store
from storage.terms import query_terms
from storage.visible import VisibleSet
from storage.words import Rarity

__all__ = ["Cue", "Recall", "Recaller", "degraded_recall"]

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
    unsaid: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By id of those that may be delivered whose words of it, said before them already, are not told again (`memory.repeating`)."""
    among: VisibleSet = field(default_factory=VisibleSet, compare=False, repr=False)
    """What it chose among."""

    @property
    def ranking(self) -> tuple[str, ...]:
        return self.order or tuple(c.memory_id for c in self.candidates)


def ends(cue_round: int) -> dict[Kind, int]:
    """Episodes up to the last round. Facts and insights one round less: those of the last round are written beside the reply, sooner or later than this
    recall; that round stands in the prompt anyway, and so a live chat and its import have the same scores."""
    return {Kind.EPISODE: cue_round, Kind.FACT: cue_round - 1, Kind.INSIGHT: cue_round - 1}


def degraded_recall(cue: Cue, *, pinned: tuple[str, ...], reason: str, milliseconds: float) -> Recall:
    return Recall(cue.text, FUSED.name, (), pinned, (), reason, milliseconds)


class Recaller:
    """Finds, fuses and ranks. Reads only; safe from any thread."""

    def __init__(self, store: Store, embedder: Embedder, index: MemoryIndex, *, k: int, recipe: Recipe = FUSED) -> None:
        self._store = store
        self._embedder = embedder
        self._index = index
        self._k = k
        self.recipe = recipe
        """Of every recall that names no other."""
        self._matters = MatterReaders(store, fingerprint=embedder.fingerprint)
        self._cues = CueVectors(store, embedder)
        self.incomplete: Callable[[], bool] = lambda: False
        """Whether the index holds only part of the past for now."""

    def recall(
        self, scope: Scope, branch_id: str, cue: Cue, *, recipe: Recipe | None = None, query: NDArray[np.float32] | None = None
    ) -> Recall:
        """What the cue brings to mind of what the branch may see. An index that cannot be read leaves sparse search and says so.

        query: vector [d] of the cue, where the caller has it; then, with a recipe without the talk before, nothing at all is written, else what was embedded
        is kept for further replies. Raises EmbeddingFailed.
        """
        started = time.perf_counter()
        recipe = recipe or self.recipe
        visible = self._candidates(scope, branch_id, cue)
        degraded = "reindexing" if visible.ids and self.incomplete() else ""
        candidates: list[Candidate] = []
        events: list[RecallEvent] = []
        if visible.ids:
            asked, rounds = read_cue(cue), Rounds(visible)
            talk = Talk()
            if recipe.context:
                talk = talk_before(self._store, scope, branch_id, rounds, cue, fingerprint=self._embedder.fingerprint)
            wanted = [*([cue_text(cue.text)] if query is None else []), *talk.said] if recipe.dense else []
            vectors = self._cues.of(scope.user_id, wanted)
            since = self._by_events(scope, visible, cue) if recipe.events and recipe.within and asked.asks else ()
            rarity = self._store.memories.rarity(visible, dict.fromkeys((*asked.terms, *talk.terms)))
            looked_for = (*asked.closed, *(r for r in since if r.last - r.first <= LONG))
            narrow = replace(asked, ranges=looked_for)
            found = dict.fromkeys(self._by_words(scope, visible, cue, narrow, talk, rarity, recipe))
            asked = replace(asked, ranges=(*asked.ranges, *since))
            read = ReadRows(self._store, scope, fingerprint=self._embedder.fingerprint)
            context = None
            if not recipe.dense:
                query = None
            else:
                try:
                    near: list[str] = []
                    if vectors.pending:
                        # While cue and talk are being embedded: what will be looked at anyway.
                        context = _meant_by(talk, vectors.there)
                        near = [] if context is None else self._nearest(visible, context)
                        read.ahead(rounds, list({**found, **dict.fromkeys((*near, *visible.pinned))}), _spread(visible))
                    made = vectors.made(*([cue_text(cue.text)] if query is None else []))
                    query = made[cue_text(cue.text)] if query is None else query
                    if context is None and (context := _meant_by(talk, made)) is not None:
                        near = self._nearest(visible, context)
                    found |= dict.fromkeys((*self._nearest(visible, query), *near))
                except IndexFailed:
                    query, context, degraded = None, None, "reindexing" if self.incomplete() else "error"
            found |= dict.fromkeys(visible.pinned)
            there = self._found(scope, visible, rounds, cue, asked, talk, rarity, list(found), query, context, recipe, branch_id, read)
            candidates = rank(there, recipe)[:CANDIDATES]
            events = called_up.events(candidates, called_up.reach(candidates, cue, there), current_round=cue.round, k=self._k)
        pinned = self.pinned(scope, branch_id, cue)
        milliseconds = (time.perf_counter() - started) * 1000
        return Recall(cue.text, recipe.name, tuple(candidates), pinned, tuple(events), degraded, milliseconds, among=visible)

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
            ground = float((self.background(scope, visible) @ query).mean())
        return support(
            Judged(cue.text, asked, meant(cue, names), names, rounds.places(hit, alone, rows), candidates, rarity, ground, cue.speaker)
        )

    def pinned(self, scope: Scope, branch_id: str, cue: Cue) -> tuple[str, ...]:
        """What stands in the prompt whatever the cue brings to mind. A topic does if it is pinned; it is not recalled by itself."""
        visible = self._store.memories.visible(scope, branch_id)
        if not visible.pinned:
            return ()
        kept = visible.up_to({**ends(cue.round), Kind.TOPIC: cue.round})
        return kept.recallable.without(self._store.controls.held_back(scope)).pinned

    def unsaid(self, scope: Scope, branch_id: str, ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """By id, of rounds and facts among some memories, the characters whose words in that round say again what they had said before it on the branch, or read
        out memory. What the player says is never among them."""
        visible = self._store.memories.visible(scope, branch_id)
        rounds, chat = Rounds(visible), self._store.chats.chat(scope)
        characters = {chat.character_name, *(m.name for m in chat.members)}
        of = {
            i: visible.rounds[at] for i in ids if (at := visible.position(i)) is not None and visible.kinds[at] in (Kind.EPISODE, Kind.FACT)
        }
        recalled = sorted(set(of.values()))
        before = {r: sorted({*range(max(0, r - REPLIES), r), *(other for other in recalled if other < r)}, reverse=True) for r in recalled}
        episodes = {r: found[0] for r in {*recalled, *(b for near in before.values() for b in near)} if (found := rounds.episodes([r]))}
        rows = self._store.memories.keys(scope, [*episodes.values(), *of])
        said = {r: spoken(rows[i].text, rows[i].knowers) for r, i in episodes.items() if i in rows}
        again = {
            r: tuple(
                dict.fromkeys(
                    name
                    for name, words in said.get(r, ())
                    if name in characters
                    and (recites(words) or repeats(words, [w for b in before[r] for who, w in said.get(b, ()) if who == name]))
                )
            )
            for r in recalled
        }
        return {
            i: again[r] for i, r in of.items() if again[r] and i in rows and (rows[i].kind is Kind.EPISODE or rows[i].said_by in again[r])
        }

    def _candidates(self, scope: Scope, branch_id: str, cue: Cue) -> VisibleSet:
        """What the branch may recall: nothing that a person excluded, nor what rests on it."""
        visible = self._store.memories.visible(scope, branch_id).up_to(ends(cue.round))
        return visible.recallable.without(self._store.controls.held_back(scope))

    def _by_events(self, scope: Scope, visible: VisibleSet, cue: Cue) -> tuple[DateRange, ...]:
        """The times that a cue names by what happened then, of which it is known when that was."""
        if cue.said_at is None:
            return ()
        language = language_of(cue.text)
        ahead = timeline_chinese.looks_ahead if language == "zh" else timeline_english.looks_ahead
        found: list[DateRange] = []
        for anchor in anchors(cue.text, said_at=cue.said_at, language=language):
            for phrase in anchor.phrases:
                near = [i for i, _ in self._store.memories.search_words(scope, visible, phrase, limit=LOOKED_AT)]
                rows = self._store.memories.keys(scope, near)
                rarity = self._store.memories.rarity(visible, query_terms(phrase))
                event = event_of(phrase, rows.values(), weight=partial(weight, rarity), ahead=ahead)
                if event is not None:
                    found += [wanted for wanted in [range_of(anchor, event, asked=cue.said_at)] if wanted]
                    break
        return tuple(found)

    def _by_words(
        self, scope: Scope, visible: VisibleSet, cue: Cue, asked: Asked, talk: Talk, rarity: Rarity, recipe: Recipe
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

    def _nearest(self, visible: VisibleSet, vector: NDArray[np.float32]) -> list[str]:
        return [i for i, _ in self._index.search(vector[np.newaxis], among=visible.members, k=CANDIDATES)[0]]

    def _found(
        self,
        scope: Scope,
        visible: VisibleSet,
        rounds: Rounds,
        cue: Cue,
        asked: Asked,
        talk: Talk,
        rarity: Rarity,
        found: Sequence[str],
        query: NDArray[np.float32] | None,
        context: NDArray[np.float32] | None,
        recipe: Recipe,
        branch_id: str,
        read: ReadRows,
    ) -> Found:
        hit, alone, rows = read.around(rounds, found)
        borne = Bearing()
        if recipe.matter and asked.asks and query is not None:
            borne = self._bearing(scope, branch_id, cue, asked, query, {name for row in rows.values() for name in row.knowers})
            new = borne.by_round.keys() - hit
            rows |= read.rows([*rounds.members(new), *rounds.episodes(r - 1 for r in new)])
            hit |= new
        if recipe.answers:
            # What answers a question that was found is found with it.
            asking = {r + 1 for r in hit if (e := rounds.episodes([r])) and e[0] in rows and ends_asking(rows[e[0]].text)} - hit
            rows |= read.rows(rounds.members(asking))
            hit |= asking
        places = rounds.places(hit, alone, rows)
        spread = _spread(visible)
        vectors = read.vectors([*rows, *spread] if query is not None else [])
        ground = [vectors[i] for i in spread if i in vectors]
        return Found(
            places=places,
            asked=asked,
            meant=meant(cue, {name for row in rows.values() for name in row.knowers}),
            rarity=rarity,
            vectors=vectors,
            background=np.stack(ground) if ground else np.zeros((0, self._embedder.dimension), dtype=np.float32),
            query=query,
            context=context,
            on_the_whole=talk.vector if query is not None else None,
            around=talk.terms,
            in_context=talk.rounds,
            bearing=borne,
        )

    def _bearing(self, scope: Scope, branch_id: str, cue: Cue, asked: Asked, query: NDArray[np.float32], names: Collection[str]) -> Bearing:
        """What the player told of what a question asks of them."""
        keys, told = self.told_under(scope, branch_id, cue, query, names)
        if not keys:
            return Bearing()
        found = bearing(told, keys, present=asked.present)
        best = sorted(found.by_round.items(), key=lambda pair: (-pair[1], -pair[0]))[:CANDIDATES]
        return replace(found, by_round=dict(best))

    def told_under(
        self, scope: Scope, branch_id: str, cue: Cue, query: NDArray[np.float32], names: Collection[str]
    ) -> tuple[Mapping[str, float], list[Told]]:
        """(how much each key of the sketch is asked for, 0.5 to 1; what was told under these keys before the cue, by whom it means)."""
        reader = self._matters.reader(scope.user_id, language_of(cue.text))
        keys = reader.read(query) if reader is not None else {}
        if not keys:
            return {}, []
        visible = self._store.memories.visible(scope, branch_id).up_to({Kind.PERSONA: cue.round - 1})
        seen = visible.recallable.without(self._store.controls.held_back(scope))
        of = meant(cue, names)
        return keys, [v for v in self._store.memories.told_under(scope, seen, keys) if not of or v.said_by in of]

    def background(self, scope: Scope, visible: VisibleSet) -> NDArray[np.float32]:
        """Vectors [b, d] of memories spread over the path."""
        spread = _spread(visible)
        vectors = self._store.vectors.of_memories(scope.user_id, self._embedder.fingerprint, spread)
        return np.stack(list(vectors.values())) if vectors else np.zeros((1, self._embedder.dimension), dtype=np.float32)

    def embed_cue(self, user_id: str, text: str) -> NDArray[np.float32]:
        """Query vector [d] of a cue, stored, so that asking for another reply embeds nothing. Raises EmbeddingFailed."""
        return self._cues.one(user_id, text)


def _meant_by(talk: Talk, vectors: Mapping[str, NDArray[np.float32]]) -> NDArray[np.float32] | None:
    """What was said before on the whole, [d]; None where nothing was, or some of it is still being embedded, or cannot be."""
    return faded([vectors[text] for text in talk.said], FADING_SAID) if all(text in vectors for text in talk.said) else None


def _spread(visible: VisibleSet) -> tuple[str, ...]:
    """Ids of the BACKGROUND."""
    return visible.ids[:: max(1, len(visible.ids) // BACKGROUND)]
