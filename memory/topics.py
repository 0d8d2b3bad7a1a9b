"""Topics: what a session was about, one person and one thing at a time, and which tellings of different sessions belong together (RMM 5.1, 5.2).

A session that is over is decomposed into tellings: facts of one speaker that belong together by meaning, by words and by standing near each other, with the
rounds they are from. A telling is a memory of its own and never changed. That later ones go on with earlier ones (the paper's Add and Merge) is a fold over the
tellings of a path, in its order, as the sketch is one over its values: nothing is stored of it, so no edit, branch or deletion can leave it behind, and all
tellings of a topic are there in its history.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memory import narrative
from memory.facts import path_order
from memory.sessions import Session
from memory.topic_words import Rarity, Terms, WordTable, background, likenesses, terms_of
from storage.records import SESSION, Kind, Memory, Message, Source, stable_id
from storage.visibility import fullness

Vectors = NDArray[np.float32]

VERSION = "topics-1"
MOST = 24
"""Topics of one session; of more those of the fewest facts are left out."""
LINES = 3
"""Sentences of a summary at most."""
NEARNESS = 0.5
"""What standing in one round speaks for two facts, against their centred cosine; it halves with every one and a half rounds between them."""
HALVING = 1.5
WORDS = 0.5
"""What saying the same words speaks for two facts."""
TOGETHER = {"en": 0.4, "zh": 0.36}
"""Facts from which on they are one topic, by average linkage. Chinese facts are shorter, and near to each other less evenly."""
LOOSE = 0.05
"""So much less it takes for a fact that stands alone to join a topic."""
SAME = {"en": 0.6, "zh": 0.36}
"""Topics of different sessions from which on the later goes on with the earlier; see TOGETHER for Chinese."""
SEVERAL = 0.15
"""So much more it takes where one goes on with several of them and so joins them."""
SAME_WORDS = 1.0
"""What saying the same words speaks for that, against the centred cosine."""
WORDS_LEAST = 0.05
"""So much of their words two topics must share: with small embedders everything is near to everything."""
NEAREST = 5
"""K of RMM 5.2: so many older topics, the most similar, are compared with a new one."""


BY_MODEL, BY_RULES = "!", "~"
"""In the rank of topics that rest on the same messages: those that a model made come first."""


def slot_of(session: Session) -> str:
    """A path has one decomposition of each session."""
    return f"{SESSION}{session.first}"


def centred(vectors: Vectors, centre: Vectors) -> Vectors:
    """Unit vectors [n, d] of what differs from a common direction, which sentence embeddings crowd around."""
    away = vectors - centre
    unit: Vectors = away / np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1e-9)
    return unit


def nearness(vectors: Vectors, *, first: int = 0) -> Vectors:
    """Cosines [n - first, n] of vectors, from the `first` on, that were centred on their own mean: 0 for those that have nothing to do with each other,
    however few there are.

    Of n such vectors each is opposite to the sum of the others, so that their cosines are -1 / (n - 1) on average.
    """
    bias = 1 / max(1, len(vectors) - 1)
    scaled: Vectors = (vectors[first:] @ vectors.T + bias) / (1 + bias)
    return scaled


def terms_of_facts(facts: Sequence[Memory], *, people: Sequence[str]) -> list[Terms]:
    """What each of the facts is about. people: who talks; their names say nothing about what they talk of."""
    return [terms_of(f.text, language=f.language, people=people) for f in facts]


# Decomposition of one session


def decompose(facts: Sequence[Memory], vectors: Vectors, terms: Sequence[Terms], rarity: Rarity) -> list[list[int]]:
    """Groups of rising indices of a session's facts, by the first of each; every fact is in one, but for what MOST leaves out.

    vectors: [n, d], as they are stored; terms: of each fact.
    """
    rounds = np.array([f.round_last for f in facts], dtype=np.float64)
    near = np.exp2(-np.abs(rounds[:, None] - rounds[None, :]) / HALVING)
    weights = [rarity.weights([each]) for each in terms]
    words = likenesses(weights)
    least = TOGETHER.get(facts[0].language, TOGETHER["en"])
    together = nearness(centred(vectors, vectors.mean(axis=0))) + NEARNESS * near + WORDS * words
    groups: list[list[int]] = []
    for speaker in dict.fromkeys(f.said_by for f in facts):
        groups += _linked([i for i, f in enumerate(facts) if f.said_by == speaker], together, least)
    return sorted(sorted(groups, key=lambda group: (-len(group), group))[:MOST])


def _linked(members: Sequence[int], together: NDArray[np.float64], least: float) -> list[list[int]]:
    """Agglomerative clustering of some of the facts by average linkage; of equals the first two are joined. A fact alone is joined more readily.

    What each pair of groups comes to is kept and only that of the joined group reckoned anew: O(n^2) a step, without Python in it.
    """
    groups = [[i] for i in members]
    sums = together[np.ix_(members, members)]
    sizes = np.ones(len(groups))
    born = np.arange(len(groups))
    # Of each pair once, in the row of the younger.
    scores = np.where(np.tri(len(groups), k=-1, dtype=bool), sums - least, -np.inf)
    for birth in range(len(groups), 2 * len(groups) - 1):
        best = scores.max()
        if best < 0:
            break
        a, b = min(np.argwhere(scores == best).tolist(), key=lambda pair: (born[pair[0]], born[pair[1]]))
        groups[a] = sorted(groups[a] + groups[b])
        groups[b] = []
        sums[a] += sums[b]
        sums[:, a] = sums[a]
        sizes[a] += sizes[b]
        born[a] = birth
        there = np.array([bool(group) for group in groups])
        there[a] = False
        scores[b], scores[:, b], scores[:, a] = -np.inf, -np.inf, -np.inf
        scores[a] = np.where(there, sums[a] / (sizes[a] * sizes) - np.where(sizes == 1, least - LOOSE, least), -np.inf)
    return [group for group in groups if group]


def summary_of(facts: Sequence[Memory], vectors: Vectors) -> str:
    """The most telling facts of a topic, in path order."""
    chosen = narrative.choose(vectors, most=LINES, weights=[narrative.salience(f) for f in facts])
    return (" " if facts[0].language == "en" else "").join(facts[i].text for i in chosen)


@dataclass(frozen=True)
class Decomposed:
    """What the topics of one session have in common. facts: all of the session, in path order; messages: all that was said in it; both not empty."""

    session: Session
    facts: tuple[Memory, ...]
    messages: tuple[Message, ...]

    @property
    def key(self) -> str:
        told = (part for f in self.facts for part in (f.derivation_key, f.text))
        return stable_id("topics", VERSION, self.session.first, *(m.revision.sha256 for m in self.messages), *told)

    @property
    def sources(self) -> tuple[Source, ...]:
        """All messages of the session, and what else its facts rest on: a change to any of them makes its topics out of date."""
        own = [Source(m.id, m.revision.id, m.revision.sha256) for m in self.messages]
        inside = {m.id for m in self.messages}
        outside = [s for f in self.facts if f.origin == "model" for s in f.sources if s.message_id not in inside]
        return tuple(dict.fromkeys([*own, *outside]))

    def topic(
        self, place: int, text: str, facts: Sequence[Memory], *, key: str, first: str = "", payload: Mapping[str, object] | None = None
    ) -> Memory:
        """One of them. facts: which it rests on; key: of how it was made; first: its place in the rank, BY_MODEL or nothing."""
        people = Counter(f.said_by for f in facts)
        speaker = max(people, key=lambda name: people[name])
        ordered = sorted(facts, key=path_order)
        opening = ordered[0]
        return Memory(
            id=stable_id("memory", opening.chat_id, key, *(m.id for m in self.messages), place),
            chat_id=opening.chat_id,
            kind=Kind.TOPIC,
            text=text,
            language=opening.language,
            round_first=self.messages[0].round,
            round_last=self.messages[-1].round,
            said_at=ordered[-1].said_at,
            sources=self.sources,
            derivation_key=key,
            grounds=tuple(f.id for f in ordered),
            subject=next(f.subject for f in ordered if f.said_by == speaker),
            said_by=speaker,
            knowers=tuple(dict.fromkeys(m.speaker for m in self.messages)),
            payload={
                "place": place,
                "ends": self.session.last,
                "rounds": sorted({f.round_last for f in ordered}),
                # What it is known by when it is made anew from other facts: the first of them.
                "anchor": stable_id(opening.derivation_key, opening.payload.get("place", 0)),
                **(payload or {}),
            },
            trust=min(f.trust for f in ordered),
            slot=slot_of(self.session),
            slot_rank=f"{fullness(len(self.sources))}{first or BY_RULES}{key}",
        )


def rounds_of(topic: Memory) -> list[int]:
    """The rounds that a topic rests on, rising."""
    rounds = topic.payload.get("rounds")
    return [n for n in rounds if isinstance(n, int)] if isinstance(rounds, list) else []


# Which tellings belong together


@dataclass(frozen=True)
class Telling:
    """A topic of one session as the fold sees it. vectors: of its facts [n, d], as they are stored; terms: of each of them."""

    memory: Memory
    vectors: Vectors
    terms: tuple[Terms, ...]


def threads(tellings: Sequence[Telling], language: str) -> list[tuple[Memory, ...]]:
    """The topics of a path, each with its tellings, oldest first; in the order of their newest telling. tellings: in path order.

    What is near to what is judged by what was told up to then, so nothing that is said later parts or joins what came before. language: of the chat.
    """
    rarity = Rarity()
    rarity.add(background(language))
    words = WordTable([t.terms for t in tellings])
    found: list[list[int]] = []
    start = 0
    while start < len(tellings):
        end = next((n for n in range(start, len(tellings)) if tellings[n].memory.slot != tellings[start].memory.slot), len(tellings))
        for telling in tellings[start:end]:
            rarity.add(telling.terms)
        before = [list(thread) for thread in found]
        links = _links(tellings[:end], start, before, words.likenesses(start, end, rarity))
        found = _joined(before, start, links)
        start = end
    return [tuple(tellings[n].memory for n in thread) for thread in sorted(found, key=lambda t: (t[-1], t[0]))]


def _links(tellings: Sequence[Telling], start: int, threads_: Sequence[Sequence[int]], words: NDArray[np.float64]) -> dict[int, list[int]]:
    """For each of the newest session's tellings the older threads it goes on with. words: how alike each of them is to each of all by words [new, all]."""
    vectors = np.concatenate([t.vectors for t in tellings])
    counts = np.array([len(t.vectors) for t in tellings])
    sums = np.add.reduceat(centred(vectors, vectors.mean(axis=0)), np.cumsum(counts) - counts)
    means = centred(sums / counts[:, None], np.zeros(vectors.shape[1], dtype=np.float32))
    likeness = np.where(words >= WORDS_LEAST, nearness(means, first=start) + SAME_WORDS * words, 0.0)
    place_of = np.zeros(start, dtype=np.int64)
    for place, thread in enumerate(threads_):
        place_of[list(thread)] = place
    sizes = np.bincount(place_of, minlength=len(threads_))
    known = {t.memory.id: n for n, t in enumerate(tellings)}
    links = {}
    for new in range(start, len(tellings)):
        named = {known[i] for i in _continued(tellings[new].memory) if i in known}
        if named:
            links[new] = [place for place, thread in enumerate(threads_) if named & set(thread)]
            continue
        told = tellings[new].memory
        same = SAME.get(told.language, SAME["en"])
        scores = np.bincount(place_of, weights=likeness[new - start, :start], minlength=len(threads_)) / np.maximum(1, sizes)
        near = [place for place in np.flatnonzero(scores >= same).tolist() if tellings[threads_[place][0]].memory.said_by == told.said_by]
        nearest = sorted(near, key=lambda place: (-scores[place], place))[:NEAREST]
        links[new] = [place for n, place in enumerate(nearest) if scores[place] >= same + (SEVERAL if n else 0.0)]
    return links


def _continued(memory: Memory) -> list[str]:
    """Ids of older tellings that a model named as those this one goes on with."""
    named = memory.payload.get("continues")
    return [str(i) for i in named] if isinstance(named, list) else []


def _joined(threads_: Sequence[list[int]], start: int, links: Mapping[int, Sequence[int]]) -> list[list[int]]:
    """Threads after a session: one that goes on with several of them makes them one."""
    root = list(range(len(threads_)))

    def find(place: int) -> int:
        while root[place] != place:
            place = root[place]
        return place

    for old in links.values():
        for place in old[1:]:
            root[find(place)] = find(old[0])
    members: dict[int, list[int]] = {}
    for place, thread in enumerate(threads_):
        members.setdefault(find(place), []).extend(thread)
    for new, old in links.items():
        members.setdefault(find(old[0]) if old else len(threads_) + new - start, []).append(new)
    return [sorted(thread) for thread in members.values()]
