"""Ranking what was found: each part of a score, weighed by a recipe. Recipes are data with a name; this room is pure.

A round is scored as a whole by its key (`memory.keys`); the one of its memories that fits the cue best stands for it, the others stand for themselves.
Where the weights come from, and what each part is worth: docs/retrieval.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from memory.cues import Asked, Tense
from memory.keys import Place, counts
from memory.matters import Bearing
from memory.reading.drafts import DateRange
from memory.recipes import Recipe
from memory.stale import settled, successions
from storage.records import Kind
from storage.words import KeyRow, Rarity

CANDIDATES = 60
"""Candidates from each search."""
DIGITS = 9
"""What sums in another order may differ by does not decide."""
K1, B = 1.2, 0.75
"""Of BM25, as FTS5 has them."""

Vector = NDArray[np.float32]
Scores = NDArray[np.float64]


FEEDBACK = 3


@dataclass(frozen=True)
class Candidate:
    memory_id: str
    dense: float | None
    """Cosine similarity to the cue; None if the memory has no vector yet."""
    sparse: float | None
    """BM25 of its own words; None if it shares no content term with the cue."""
    context: float | None
    """Cosine similarity to the talk before the cue."""
    fused: float
    parts: Mapping[str, float] = field(default_factory=dict)
    """What `fused` is the sum of, weighed, by the recipe's names; `key` is what the rest of its round adds."""
    overtaken_by: str = ""
    """Id of a newer one that stands in its place, where the cue asks how it is."""


@dataclass(frozen=True)
class Found:
    """What is ranked, and what it is ranked by. vectors: by id; background: [b, d] of memories spread over the path, whose likeness to a cue is none."""

    places: Sequence[Place]
    asked: Asked
    meant: frozenset[str]
    rarity: Rarity
    vectors: Mapping[str, Vector]
    background: Vector
    query: Vector | None = None
    context: Vector | None = None
    """Vector [d] of the talk before the cue, message by message."""
    on_the_whole: Vector | None = None
    """The same, round by round: how far a question goes on with it."""
    around: Mapping[str, float] = field(default_factory=dict)
    """Its terms, with how near they were said, 0 to 1."""
    in_context: frozenset[int] = frozenset()
    """Its rounds: the talk is like itself, which says nothing."""
    bearing: Bearing = field(default_factory=Bearing)
    """What the player told of what is asked."""


def rank(found: Found, recipe: Recipe) -> list[Candidate]:
    """Best first; ties go to the older round."""
    if not found.places:
        return []
    return _Ranking(found, recipe).candidates()


class _Ranking:
    """All arrays [p] run over places; those of members over the places' members in their order."""

    def __init__(self, found: Found, recipe: Recipe) -> None:
        self._found, self._recipe = found, recipe
        self._places = found.places
        self._members = [(n, row) for n, place in enumerate(found.places) for row in place.members]
        self._of = np.array([n for n, _ in self._members])
        self._is_value = np.array([row is found.places[n].episode for n, row in self._members])
        self._wanted = frozenset(found.asked.terms)
        self._outside = np.array([place.round not in found.in_context for place in found.places])
        """The talk before a cue is more like it than all else, and says nothing of how like the rest is."""

    def candidates(self) -> list[Candidate]:
        found, recipe, of = self._found, self._recipe, self._of
        cosine = self._cosine(found.query) if recipe.dense else None
        shared = self._shared(cosine)
        near = self._scaled_dense(cosine)
        words = self._own_words()
        sparse = self._words(found.asked.terms, {}, answers=recipe.answers > 0) if recipe.sparse else np.zeros(len(self._places))
        best = max(_best(sparse, self._outside), _best(words, self._outside[of]))
        sparse, words = np.minimum(sparse, best), np.minimum(words, best)
        scale = recipe.sparse / best if best > 0 else 0.0
        dense = self._dense(cosine)
        whole = recipe.dense * dense + scale * sparse + sum(shared.values())
        if recipe.feedback and cosine is not None:
            dense = self._dense(cosine, whole)
            whole = recipe.dense * dense + scale * sparse + sum(shared.values())
        pairs: list[tuple[int, int]] = []
        if recipe.newest:
            pairs = successions(self._places, whole.tolist(), found.asked, found.bearing.overtaken)
            moved = np.array(settled(whole.tolist(), pairs, found.asked.tense)) - whole
            shared["newest"] = moved
            whole = whole + moved
        own = recipe.dense * near + scale * words
        talk = self._cosine(found.context) if found.context is not None else None
        leaders = self._leaders(own)
        by = self._overtaken(leaders, pairs)
        made = []
        for m, (n, row) in enumerate(self._members):
            parts = {"dense": recipe.dense * float(near[m]), "sparse": scale * float(words[m])}
            parts |= {name: float(values[n]) for name, values in shared.items()}
            if m in leaders:
                parts["key"] = float(whole[n]) - sum(parts.values())
            elif recipe.again:
                parts["again"] = -recipe.again
            kept = {name: value for name, value in parts.items() if value}
            made.append(
                (
                    Candidate(
                        row.id,
                        None if cosine is None or np.isnan(cosine[m]) else float(cosine[m]),
                        float(words[m]) if words[m] > 0 else None,
                        None if talk is None or np.isnan(talk[m]) else float(talk[m]),
                        round(sum(parts.values()), DIGITS),
                        kept,
                        by.get(m, ""),
                    ),
                    int(of[m]),
                )
            )
        return [c for c, _ in sorted(made, key=lambda pair: (-pair[0].fused, pair[1]))]

    def _overtaken(self, leaders: Collection[int], pairs: Sequence[tuple[int, int]]) -> dict[int, str]:
        """By member that stands for a place the id of the one that stands for what took its place; nothing where it is asked how it was."""
        if self._found.asked.tense is Tense.BEFORE:
            return {}
        leader = {self._members[m][0]: m for m in leaders}
        return {leader[older]: self._members[leader[newer]][1].id for older, newer in pairs}

    def _leaders(self, own: Scores) -> set[int]:
        """Of each place the member that fits the cue best by itself; of equals the first."""
        best: dict[int, int] = {}
        for m, (n, _) in enumerate(self._members):
            if n not in best or own[m] > own[best[n]]:
                best[n] = m
        return set(best.values())

    # Meaning

    def _cosine(self, query: Vector | None) -> Scores | None:
        """Of members; nan without a vector."""
        if query is None:
            return None
        missing = np.full(len(query), np.nan, dtype=np.float32)
        stacked = np.stack([self._found.vectors.get(row.id, missing) for _, row in self._members])
        return np.asarray(stacked @ query, dtype=np.float64)

    def _ground(self, query: Vector) -> float:
        """How like the query anything is: cosines of one embedder crowd in a narrow band, so only what is above that says anything."""
        background = self._found.background
        return float((background @ query).mean()) if len(background) else 0.0

    def _scaled_dense(self, cosine: Scores | None) -> Scores:
        if cosine is None or self._found.query is None:
            return np.zeros(len(self._members))
        return _scaled(np.nan_to_num(cosine, nan=-1.0), self._ground(self._found.query), self._outside[self._of])

    def _dense(self, cosine: Scores | None, first: Scores | None = None) -> Scores:
        """Of places, 0..1. first: a ranking of places, for feedback."""
        found, recipe = self._found, self._recipe
        if cosine is None or found.query is None:
            return np.zeros(len(self._places))
        ground = self._ground(found.query)
        filled = np.nan_to_num(cosine, nan=ground)
        value, fact = self._split(filled, ground)
        whole = value + recipe.facts * (np.maximum(value, fact) - value)
        if recipe.answers:
            whole = whole + recipe.answers * self._question(found.query, ground)
        if first is not None:
            heads = [self._head(n) for n in np.argsort(-first, kind="stable") if self._outside[n]][:FEEDBACK]
            like = [found.vectors[i] for i in heads if i in found.vectors]
            if like:
                middle = np.asarray(np.mean(like, axis=0), dtype=np.float32)
                again = self._cosine(middle)
                if again is not None:
                    low = self._ground(middle)
                    near, _ = self._split(np.nan_to_num(again, nan=low), low)
                    whole = whole + recipe.feedback * (near - low)
        return _scaled(whole, ground, self._outside)

    def _split(self, cosine: Scores, ground: float) -> tuple[Scores, Scores]:
        """Of places: cosine of the value, and of its nearest fact. Without a value its nearest fact; without facts the value."""
        value, fact = np.full(len(self._places), -np.inf), np.full(len(self._places), -np.inf)
        np.maximum.at(value, self._of[self._is_value], cosine[self._is_value])
        np.maximum.at(fact, self._of[~self._is_value], cosine[~self._is_value])
        value, fact = np.where(np.isinf(value), fact, value), np.where(np.isinf(fact), value, fact)
        return np.where(np.isinf(value), ground, value), np.where(np.isinf(fact), ground, fact)

    def _question(self, query: Vector, ground: float) -> Scores:
        asked = np.zeros(len(self._places))
        for n, place in enumerate(self._places):
            vector = self._found.vectors.get(place.question.id) if place.question else None
            if vector is not None:
                asked[n] = max(0.0, float(vector @ query) - ground)
        return asked

    def _head(self, n: int) -> str:
        place = self._places[n]
        return place.episode.id if place.episode else place.facts[0].id

    # Words

    def _weight(self, term: str) -> float:
        return weight(self._found.rarity, term)

    def _words(self, terms: Sequence[str], near: Mapping[str, float], *, answers: bool) -> Scores:
        """BM25 of keys. near: by term, how much it counts; 1 where it is not named."""
        wanted, recipe = frozenset(terms), self._recipe
        keys: list[tuple[Mapping[str, float], float]] = []
        for place in self._places:
            held: dict[str, float] = {}
            length = 0.0
            value = [place.episode] if place.episode else []
            for rows, weight in (
                (value, 1.0),
                (place.facts, recipe.facts if value else 1.0),
                ([place.question] if answers and place.question else [], 1.0),
            ):
                if weight and rows:
                    found, size = counts(rows, wanted)
                    length += weight * size
                    for term, n in found.items():
                        held[term] = held.get(term, 0.0) + weight * n
            keys.append((held, length))
        return self._bm25(keys, {t: self._weight(t) * near.get(t, 1.0) for t in wanted})

    def _own_words(self) -> Scores:
        """BM25 of members by themselves."""
        weights = {t: self._weight(t) for t in self._wanted}
        return self._bm25([counts([row], self._wanted) for _, row in self._members], weights)

    @staticmethod
    def _bm25(keys: Sequence[tuple[Mapping[str, float], float]], weights: Mapping[str, float]) -> Scores:
        mean = max(1.0, sum(length for _, length in keys) / len(keys))
        scores = np.zeros(len(keys))
        for n, (held, length) in enumerate(keys):
            norm = K1 * (1 - B + B * length / mean)
            scores[n] = sum(weights[t] * tf * (K1 + 1) / (tf + norm) for t, tf in held.items())
        return scores

    # What a whole round has besides

    def _shared(self, cosine: Scores | None) -> dict[str, Scores]:
        found, recipe = self._found, self._recipe
        parts: dict[str, Scores] = {}
        weight = recipe.context * self._going_on(cosine)
        if weight and (found.context is not None or found.around):
            parts["context"] = weight * self._context()
        if recipe.speaker and found.meant:
            parts["speaker"] = recipe.speaker * self._each(lambda place: _of_one(place, found.meant))
        if recipe.dated and found.asked.when:
            parts["dated"] = recipe.dated * self._each(lambda place: any(f.event_from for f in place.facts))
        if recipe.within and found.asked.ranges:
            parts["within"] = recipe.within * self._each(
                lambda place: any(told_in(row, r) for row in place.members for r in found.asked.ranges)
            )
        if recipe.matter and found.bearing.by_round:
            parts["matter"] = recipe.matter * self._each(
                lambda place: found.bearing.by_round.get(place.round, 0.0) if _talked(place) else 0.0
            )
        if recipe.asking:
            parts["asking"] = -recipe.asking * self._each(lambda place: place.asking)
        return parts

    def _going_on(self, cosine: Scores | None) -> float:
        """0..1: how much a cue goes on with the talk before it. What asks nothing does; a question may be about something else."""
        query, context = self._found.query, self._found.on_the_whole
        if not self._found.asked.asks or cosine is None or query is None or context is None or np.isnan(cosine).all():
            return 1.0
        ground = self._ground(query)
        outside = self._outside[self._of] & ~np.isnan(cosine)
        best = float(cosine[outside].max(initial=ground)) - ground
        like = (float(context @ query) - ground) / best if best > 0 else 1.0
        low, high = self._recipe.near
        return min(1.0, max(0.0, (like - low) / (high - low)))

    def _context(self) -> Scores:
        """Likeness to the talk before, in meaning and words, each 0..1."""
        found = self._found
        outside = self._outside
        talk = self._cosine(found.context)
        total = np.zeros(len(self._places))
        if talk is not None and found.context is not None:
            ground = self._ground(found.context)
            near, _ = self._split(np.nan_to_num(talk, nan=ground), ground)
            total += _scaled(np.where(outside, near, ground), ground, outside)
        if found.around:
            words = self._words(tuple(found.around), found.around, answers=False) * outside
            total += words / max(1e-9, float(words.max(initial=0.0)))
        return total

    def _each(self, of: Callable[[Place], float]) -> Scores:
        return np.array([float(of(place)) for place in self._places])


def weight(rarity: Rarity, term: str) -> float:
    """Of a term in BM25: 0 where nothing holds it."""
    holding = rarity.holding.get(term, 0)
    return max(1e-6, math.log((rarity.memories - holding + 0.5) / (holding + 0.5))) if holding else 0.0


def _best(scores: Scores, among: NDArray[np.bool_]) -> float:
    """The highest of some, of all where there are none such."""
    return float(scores[among].max(initial=0.0) if among.any() else scores.max(initial=0.0))


def _scaled(scores: Scores, ground: float, among: NDArray[np.bool_]) -> Scores:
    """0..1 from the ground to the best of some; what is beyond that is 1."""
    above = np.maximum(0.0, scores - ground)
    best = _best(above, among)
    return np.minimum(1.0, above / best) if best > 0 else np.minimum(1.0, above)


def _of_one(place: Place, meant: Collection[str]) -> bool:
    if place.episode is not None and len(place.episode.knowers) == 1:
        return place.episode.said_by in meant
    return any(fact.said_by in meant for fact in place.facts)


def _talked(place: Place) -> bool:
    """Whether it is a round, and not an insight by itself."""
    return place.episode is not None or any(fact.kind is Kind.FACT for fact in place.facts)


def told_in(row: KeyRow, wanted: DateRange) -> bool:
    """Whether it was said in a time, or tells of something in it."""
    if wanted.holds(row.said_at):
        return True
    return row.event_from is not None and wanted.meets(row.event_from, row.event_to or row.event_from)
