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
from tqdm import tqdm

from chat.assembly import Memory, open_memory
from chat.imported import ImportedConversation
from evaluation.datasets import RetrievalData, RetrievalQuestion
from evaluation.items import Item, ignored, named
from evaluation.measures import mean_interval, paired_difference, retrieval_scores
from evaluation.records import Figure
from evaluation.talks import written
from memory.engine import Cue
from memory.reranker import OURS, PAPER, POOL, Floats, Method, Reranker
from settings import Settings
from storage.scope import LOCAL_USER

SHUFFLES = 20
CUT = 5


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


def evaluate(data: RetrievalData, *, systems: Sequence[str], seed: int, note: Callable[[Item], None] = ignored) -> Iterator[Figure]:
    """The figures of the named systems. Raises KeyError for an unknown name."""
    pools: list[Pool] = []
    embedder = ""
    for conversation in tqdm(data.conversations, desc="Conversations", disable=None):
        questions = [q for q in data.questions if q.conversation_key == conversation.key]
        with tempfile.TemporaryDirectory() as folder:
            memory = open_memory(Settings(data_dir=Path(folder), memory_model=""))
            embedder = memory.embedder.fingerprint
            try:
                pools += pools_of(memory, conversation, questions)
            finally:
                memory.close()
    results = {name: run(pools, SYSTEMS[name], seed=seed) for name in tqdm(systems, desc="Systems", disable=None)}
    for name, result in results.items():
        for n, place in enumerate(result.places):
            cuts = {metric: CUT if metric != "usefulness" else SYSTEMS[name].shown for metric in result.values}
            scores = {named(metric, cuts[metric]): values[n] for metric, values in result.values.items()}
            item = pools[place].question
            note(Item(task="learning", dataset=data.name, system=name, unit="question", item=item, scores=scores))
        for metric, values in result.values.items():
            interval = mean_interval(values, seed=seed)
            baseline = results.get(AGAINST.get(name, ""))
            differences = [(metric, interval)]
            if baseline is not None:
                differences.append((f"{metric}_minus_{AGAINST[name]}", paired_difference(values, baseline.values[metric], seed=seed)))
            for label, found in differences:
                yield Figure(
                    task="learning",
                    dataset=data.name,
                    system=name,
                    unit="question",
                    metric=label,
                    k=CUT if metric != "usefulness" else SYSTEMS[name].shown,
                    value=found.value,
                    n=found.n,
                    ci_low=found.low,
                    ci_high=found.high,
                    seconds=result.seconds,
                    embedder=embedder,
                )


def pools_of(memory: Memory, conversation: ImportedConversation, questions: Sequence[RetrievalQuestion]) -> list[Pool]:
    """The first POOL memories of each question, as recall fuses them; questions that call up none are left out."""
    talk = written(memory, conversation)
    found: list[Pool] = []
    for question in questions:
        recall = memory.engine.recall(talk.scope, talk.branch_id, Cue(question.text, talk.after))
        fused = [c for c in recall.candidates if c.dense is not None][:POOL]
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
    """By metric a value for each question [n]; places: of these among the pools; seconds: of one update."""

    values: dict[str, list[float]]
    places: list[int]
    seconds: float


def run(pools: Sequence[Pool], system: System, *, seed: int, shuffles: int = SHUFFLES) -> Result:
    """Each conversation's questions in `shuffles` orders; the same orders and noise for every system."""
    sums = {metric: np.zeros(len(pools)) for metric in ("ndcg", "recall_fraction", "usefulness")}
    counts = np.zeros(len(pools))
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
                if at >= len(order) // 2:
                    items = [pool.turns[i] for i in shown.order.tolist()]
                    scores = retrieval_scores(items, pool.evidence, k=CUT)
                    sums["ndcg"][place] += scores.ndcg
                    sums["recall_fraction"][place] += scores.fraction
                    sums["usefulness"][place] += cited.mean()
                    counts[place] += 1
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
    )
