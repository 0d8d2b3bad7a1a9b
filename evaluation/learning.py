"""Learning: does a reranker that learns online from citations come to show what is of use? (RMM 6; contract of figures in docs/design.md)

The questions of a conversation come one after another, as cues do; memories that hold a question's evidence are what the reply cites. Learned and frozen
rank the same pools under the same noise; what counts is the second half of the questions, each ranked before it is learned from. Twenty shuffles of the
order; a question's value is its mean over the shuffles in which it stood in the second half.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from chat.assembly import Memory, open_memory
from chat.imported import ImportedConversation
from evaluation.datasets import RetrievalData, RetrievalQuestion
from evaluation.items import Item, ignored, named
from evaluation.measures import mean_interval, paired_difference, retrieval_scores
from evaluation.progress import steps
from evaluation.records import Figure, measured
from evaluation.talks import written
from memory.engine import Cue
from memory.reranker import OURS, PAPER, POOL, Floats, Method, Reranker
from settings import Settings
from storage.scope import LOCAL_USER

SHUFFLES = 20
CUT = 5
TENTHS = 10
QUESTION, TENTH = "question", "tenth"
CURVE = "as it learns, by tenth of the questions"


@dataclass(frozen=True)
class System:
    """shown: M; noise: whether what is shown is drawn; learns: whether from what was cited; random: cites by chance, as often as the evidence would."""

    method: Method
    shown: int = 9
    noise: bool = False
    learns: bool = True
    random: bool = False


FROZEN = "frozen"
SYSTEMS: Mapping[str, System] = {
    FROZEN: System(OURS, learns=False),
    "learned": System(OURS),
    "learned-random-citations": System(OURS, random=True),
    "frozen-noise": System(OURS, noise=True, learns=False),
    "learned-noise": System(OURS, noise=True),
    "frozen-5": System(OURS, shown=5, learns=False),
    "learned-5": System(OURS, shown=5),
    "paper-frozen": System(PAPER, shown=5, noise=True, learns=False),
    "paper": System(PAPER, shown=5, noise=True),
}
AGAINST = {
    "learned": FROZEN,
    "learned-random-citations": FROZEN,
    "frozen-noise": FROZEN,
    "learned-noise": "frozen-noise",
    "learned-5": "frozen-5",
    "paper": "paper-frozen",
}


@dataclass(frozen=True)
class Pool:
    """What one question calls up, best first by the fused score. vectors: [K, d]; turns: those of each memory; evidence: of the question."""

    conversation: str
    query: Floats
    vectors: Floats
    fused: Floats
    turns: tuple[tuple[str, ...], ...]
    evidence: frozenset[str]
    question: str = ""
    """Its id."""

    @property
    def cited(self) -> NDArray[np.bool_]:
        return np.array([not self.evidence.isdisjoint(turns) for turns in self.turns])


def evaluate(
    data: RetrievalData,
    *,
    systems: Sequence[str],
    seed: int,
    note: Callable[[Item], None] = ignored,
    among: Mapping[str, System] = SYSTEMS,
    size: int = POOL,
    cut: int = CUT,
) -> Iterator[Figure]:
    """The figures of the named systems. among: what they are; size: K, memories of a pool; cut: turns delivered that recall is told at. Raises KeyError
    for an unknown name."""
    pools: list[Pool] = []
    embedder = ""
    for conversation in steps(data.conversations, "Conversations"):
        questions = [q for q in data.questions if q.conversation_key == conversation.key]
        with tempfile.TemporaryDirectory() as folder:
            memory = open_memory(Settings(data_dir=Path(folder), memory_model=""))
            embedder = memory.embedder.fingerprint
            try:
                pools += pools_of(memory, conversation, questions, size=size)
            finally:
                memory.close()
    results = {name: run(pools, among[name], seed=seed, cut=cut) for name in steps(systems, "Systems")}
    items = [
        item
        for name, result in results.items()
        for item in _items(data.name, name, result, pools, embedder, cut=cut, shown=among[name].shown)
    ]
    for item in items:
        note(item)
    yield from figures_of(items, seed=seed)


def _items(dataset: str, name: str, result: Result, pools: Sequence[Pool], embedder: str, *, cut: int, shown: int) -> Iterator[Item]:
    def scores(values: Mapping[str, float]) -> dict[str, float]:
        return {named(metric, cut if metric != "usefulness" else shown): value for metric, value in values.items()}

    bare = Item(
        task="learning",
        dataset=dataset,
        system=name,
        unit=QUESTION,
        item="",
        scores={},
        costs={"seconds": result.seconds},
        embedder=embedder,
    )
    for n, place in enumerate(result.places):
        pool = pools[place]
        yield replace(
            bare, item=pool.question, conversation=pool.conversation, scores=scores({m: values[n] for m, values in result.values.items()})
        )
    for n in range(TENTHS):
        found = {metric: value for metric, values in result.curve.items() if (value := values[n]) is not None}
        if found:
            yield replace(bare, unit=TENTH, item=f"tenth {n + 1}", scores=scores(found))


def figures_of(items: Sequence[Item], *, seed: int) -> Iterator[Figure]:
    """items: of one data set; questions with intervals, then the curve, tenth by tenth of each order."""
    by_system = {name: [i for i in items if i.system == name] for name in dict.fromkeys(i.system for i in items)}
    for name, own in by_system.items():
        bare = Figure(
            task="learning", dataset=own[0].dataset, system=name, unit=QUESTION, metric="", value=0.0, seconds=own[0].costs["seconds"],
            embedder=own[0].embedder,
        )  # fmt: skip
        asked = [i for i in own if i.unit == QUESTION]
        theirs = [i for i in by_system.get(AGAINST.get(name, ""), []) if i.unit == QUESTION]
        for label in asked[0].scores if asked else ():
            metric, k = label.split("@")
            values = [i.scores[label] for i in asked]
            yield measured(replace(bare, metric=metric, k=int(k)), mean_interval(values, seed=seed))
            if theirs:
                difference = paired_difference(values, [i.scores[label] for i in theirs], seed=seed)
                yield measured(replace(bare, metric=f"{metric}_minus_{AGAINST[name]}", k=int(k)), difference)
        for item in own:
            for label, value in item.scores.items() if item.unit == TENTH else ():
                metric, k = label.split("@")
                yield replace(bare, category=CURVE, metric=f"{metric}, {item.item}", k=int(k), value=value)


def pools_of(memory: Memory, conversation: ImportedConversation, questions: Sequence[RetrievalQuestion], *, size: int = POOL) -> list[Pool]:
    """The first `size` memories of each question, as recall fuses them; questions that call up none are left out."""
    talk = written(memory, conversation)
    found: list[Pool] = []
    for question in questions:
        recall = memory.engine.recall(talk.scope, talk.branch_id, Cue(question.text, talk.after))
        fused = [c for c in recall.candidates if c.dense is not None][:size]
        if not fused:
            continue
        ids = [c.memory_id for c in fused]
        memories = memory.store.memories.get(talk.scope, ids)
        vectors = memory.store.vectors.of_memories(LOCAL_USER, memory.embedder.fingerprint, ids)
        found.append(
            Pool(
                conversation.key,
                memory.engine.cue_vector(talk.scope, question.text),
                np.stack([vectors[i] for i in ids]),
                np.array([c.fused for c in fused], dtype=np.float32),
                tuple(tuple(turn for _, turn in sorted(talk.turn_of[s.message_id] for s in memories[i].sources)) for i in ids),
                frozenset(question.evidence),
                question.id,
            )
        )
    return found


@dataclass(frozen=True)
class Result:
    """By metric a value for each question [n]; places: of these among the pools; seconds: of one update; curve: by metric the mean in each tenth of the
    orders, None where none falls."""

    values: dict[str, list[float]]
    places: list[int]
    seconds: float
    curve: dict[str, list[float | None]]


def run(pools: Sequence[Pool], system: System, *, seed: int, shuffles: int = SHUFFLES, cut: int = CUT) -> Result:
    """Each conversation's questions in `shuffles` orders; the same orders and noise for every system."""
    sums = {metric: np.zeros(len(pools)) for metric in ("ndcg", "recall_fraction", "usefulness")}
    counts = np.zeros(len(pools))
    curves, stood_at = {metric: np.zeros(TENTHS) for metric in sums}, np.zeros(TENTHS)
    spent, learned = 0.0, 0
    for key in dict.fromkeys(pool.conversation for pool in pools):
        places = np.array([place for place, pool in enumerate(pools) if pool.conversation == key])
        for shuffle in range(shuffles):
            order = np.random.default_rng([seed, shuffle]).permutation(places)
            reranker = Reranker(len(pools[0].query), system.method)
            for at, place in enumerate(order.tolist()):
                pool = pools[place]
                noise = np.random.default_rng([seed, shuffle, place]) if system.noise else None
                shown = reranker.show(pool.query, pool.vectors, pool.fused, count=len(pool.fused), noise=noise)
                shown = replace(shown, order=shown.order[: system.shown])
                cited = pool.cited[shown.order]
                scores = retrieval_scores([pool.turns[i] for i in shown.order.tolist()], pool.evidence, k=cut)
                found = {"ndcg": scores.ndcg, "recall_fraction": scores.fraction, "usefulness": float(cited.mean())}
                tenth = at * TENTHS // len(order)
                stood_at[tenth] += 1
                for metric, value in found.items():
                    curves[metric][tenth] += value
                    if at >= len(order) // 2:
                        sums[metric][place] += value
                counts[place] += at >= len(order) // 2
                if system.learns:
                    if system.random:
                        cited = np.random.default_rng([seed, shuffle, place, 1]).permutation(cited)
                    started = time.perf_counter()
                    reranker.learn(shown, np.where(cited, 1.0, -1.0).astype(np.float32))
                    spent, learned = spent + time.perf_counter() - started, learned + 1
    stood = counts > 0
    return Result(
        {metric: (total[stood] / counts[stood]).tolist() for metric, total in sums.items()},
        np.flatnonzero(stood).tolist(),
        spent / max(1, learned),
        {metric: [float(t / n) if n else None for t, n in zip(total, stood_at, strict=True)] for metric, total in curves.items()},
    )
