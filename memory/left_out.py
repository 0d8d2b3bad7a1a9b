"""What a cue would have brought to mind, had it been there to be recalled: forgotten, taken back, left out by a person, hidden, told elsewhere.

A receipt names it beside what was recalled. Each memory is weighed by itself, its own meaning and words, by the weights of recall, and has its place among
the candidates weighed in the same way. Reads only.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memory.cues import Cue, meant, read_cue
from memory.keys import Place
from memory.recall import Recall, Recaller, ends
from memory.recipes import Recipe
from memory.retrieval import Found, rank
from models.embedder import Embedder
from storage.absences import Absence, Why
from storage.index import IndexFailed, MemoryIndex
from storage.records import Kind
from storage.scope import Scope
from storage.store import Store
from storage.visible import VisibleSet
from storage.words import KeyRow, Rarity

NEAREST = 60
"""Looked at, by meaning and by words each; many say the same as a candidate does."""
MOST = 6
"""Named in a receipt."""
HALF = 0.5
"""Of what the nearest comes to: less is like the cue in passing."""
ALONE = Recipe("alone", answers=0, context=0, feedback=0, again=0, matter=0, cross=0, newest=False, events=False)
"""What a memory comes to without its round and the talk."""


@dataclass(frozen=True)
class LeftOut:
    memory_id: str
    place: int
    """Where it would have stood among the candidates, each by itself."""
    absence: Absence


class LeftOuts:
    """k: of MOOM App. D; what would have stood behind so many is not named."""

    def __init__(self, store: Store, embedder: Embedder, index: MemoryIndex, recaller: Recaller, *, k: int) -> None:
        self._store = store
        self._embedder = embedder
        self._index = index
        self._recaller = recaller
        self._k = k

    def of(self, scope: Scope, branch_id: str, cue: Cue, recall: Recall) -> tuple[LeftOut, ...]:
        """The nearest first. recall: what the cue brought to mind just now; of one that was cut short nothing can be said."""
        if recall.degraded in ("timeout", "error"):
            return ()
        unseen = self._store.memories.unseen(scope, recall.among, ends(cue.round))
        if not unseen.ids:
            return ()
        query = self._recaller.embed_cue(scope.user_id, cue.text)
        near = [i for i, _ in self._store.memories.search_words(scope, unseen, cue.text, limit=NEAREST)]
        with suppress(IndexFailed):  # then what the words found
            near += [i for i, _ in self._index.search(query[np.newaxis], among=unseen.members, k=NEAREST)[0]]
        candidates = [c.memory_id for c in recall.candidates]
        rows = self._store.memories.keys(scope, [*candidates, *near])
        known = {rows[i].text for i in candidates if i in rows}
        absences = self._store.memories.absences(
            scope, branch_id, (i for i in near if i in rows and rows[i].text not in known), held_back=self._store.controls.held_back(scope)
        )
        considered = {recall.among.rounds[at] for i in candidates if (at := recall.among.position(i)) is not None}
        rounds = unseen.round_of
        absences = {i: a for i, a in absences.items() if not (rounds[i] in considered and _told_anew(rows[i], a))}
        if not absences:
            return ()
        return self._placed(scope, cue, recall, [rows[i] for i in (*candidates, *absences) if i in rows], query, unseen, absences)

    def _placed(
        self,
        scope: Scope,
        cue: Cue,
        recall: Recall,
        rows: list[KeyRow],
        query: NDArray[np.float32],
        unseen: VisibleSet,
        absences: dict[str, Absence],
    ) -> tuple[LeftOut, ...]:
        asked = read_cue(cue)
        here, there = (self._store.memories.rarity(seen, asked.terms) for seen in (recall.among, unseen))
        ranked = rank(
            Found(
                places=[_alone(number, row) for number, row in enumerate(rows)],
                asked=asked,
                meant=meant(cue, {name for row in rows for name in row.knowers}),
                # What only stands in what is left out is not for that reason nothing.
                rarity=Rarity(
                    here.memories + there.memories, {t: here.holding[t] + there.holding[t] for t in here.holding.keys() & there.holding}
                ),
                vectors=self._store.vectors.of_memories(scope.user_id, self._embedder.fingerprint, [row.id for row in rows]),
                background=self._recaller.background(scope, recall.among),
                query=query,
            ),
            ALONE,
        )
        texts = {row.id: row.text for row in rows}
        least = HALF * ranked[0].fused
        few = len(recall.candidates) < self._k
        found: dict[str, LeftOut] = {}
        before = 0
        for one in ranked:
            if one.memory_id not in absences:
                before += 1
            elif before < self._k and one.fused > 0 and one.fused >= least and (one.sparse is not None or not few):
                # Cosines of one embedder crowd together: beside few others one alone says nothing.
                found.setdefault(texts[one.memory_id], LeftOut(one.memory_id, before + 1, absences[one.memory_id]))
        return tuple(found.values())[:MOST]


def _alone(number: int, row: KeyRow) -> Place:
    return Place(number, row, (), None) if row.kind is Kind.EPISODE else Place(number, None, (row,), None)


def _told_anew(row: KeyRow, absence: Absence) -> bool:
    """Whether its round as it stands says what it said: the round in another wording of its reply, or what an older reading made of it."""
    return absence.why is Why.SUPERSEDED or (absence.why is Why.ELSEWHERE and row.kind is Kind.EPISODE)
