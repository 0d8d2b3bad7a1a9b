"""Retrieval: does a question bring back the turns that hold its answer? (LongMemEval 5.1; contract of figures in docs/design.md)

Each conversation is written into a fresh data folder through the importer and worked through by the engine, then every question is a cue. k counts
turns delivered: a remembered round brings all its turns, in order, and takes that many places.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tqdm import tqdm

from chat.assembly import Memory, open_memory
from chat.cast import character_named
from chat.imported import ImportedConversation
from chat.importer import Cast, Importer
from evaluation.datasets import RetrievalData, RetrievalQuestion
from evaluation.measures import Interval, RetrievalScores, mean_interval, paired_difference, retrieval_scores
from evaluation.records import Figure
from memory.engine import INDEXED, Cue
from memory.retrieval import RECIPES
from settings import Settings
from storage.records import stable_id
from storage.scope import LOCAL_USER

CUTS = (5, 10)
MEASURES = (("recall_any", "any"), ("recall_fraction", "fraction"), ("recall_all", "all"), ("ndcg", "ndcg"))


@dataclass(frozen=True)
class System:
    """One way to recall. unit: what a memory holds; recipe: of `memory.retrieval.RECIPES`."""

    name: str
    unit: str
    recipe: str


SYSTEMS = {
    s.name: s
    for s in (
        System("keepsake", "round", "fused"),
        System("keepsake-turns", "turn", "fused"),
        System("dense", "round", "dense"),
        System("dense-turns", "turn", "dense"),
        System("sparse", "round", "sparse"),
        System("sparse-turns", "turn", "sparse"),
    )
}
BASELINE = "sparse-turns"


@dataclass
class _Tally:
    """What one system did, over all conversations."""

    scores: dict[int, list[RetrievalScores]]
    categories: list[str]
    seconds: float = 0.0
    memories: int = 0


def evaluate(data: RetrievalData, *, systems: Sequence[str], seed: int) -> Iterator[Figure]:
    """The figures of the named systems. Raises KeyError for an unknown name."""
    chosen = [SYSTEMS[name] for name in systems]
    tallies = {s.name: _Tally({k: [] for k in CUTS}, []) for s in chosen}
    embedder = ""
    for conversation in tqdm(data.conversations, desc="Conversations", disable=None):
        questions = [q for q in data.questions if q.conversation_key == conversation.key]
        for unit in dict.fromkeys(s.unit for s in chosen):
            with tempfile.TemporaryDirectory() as folder:
                memory = open_memory(Settings(data_dir=Path(folder)))
                embedder = memory.embedder.fingerprint
                try:
                    _measure(memory, conversation, questions, [s for s in chosen if s.unit == unit], tallies)
                finally:
                    memory.close()
    for system in chosen:
        yield from _figures(data.name, system, tallies, seed=seed, embedder=embedder)


def _measure(
    memory: Memory,
    conversation: ImportedConversation,
    questions: list[RetrievalQuestion],
    systems: list[System],
    tallies: dict[str, _Tally],
) -> None:
    user, character = conversation.speakers[:2]
    cast = Cast(user, character, observe=systems[0].unit == "turn")
    character_id = character_named(memory.store, LOCAL_USER, character, language="en")
    importer = Importer(memory.store, conversation, cast, character_id=character_id, language="en", replay=False)
    with tqdm(disable=True) as progress:
        importer.write(progress)
    memory.work_off()
    chat = memory.store.chats.chat(importer.scope)
    head = memory.store.chats.head(importer.scope, chat.branch_id)
    after = head.round + 1 if head else 1
    turn_of = {stable_id("message", chat.id, m.external_id): (position, m.external_id) for position, m in enumerate(conversation.messages)}
    for system in systems:
        tally = tallies[system.name]
        tally.memories += len(memory.store.memories.visible(importer.scope, chat.branch_id).of_kinds(INDEXED).ids)
        for question in questions:
            started = time.perf_counter()
            recall = memory.engine.recall(importer.scope, chat.branch_id, Cue(question.text, after), recipe=RECIPES[system.recipe])
            tally.seconds += time.perf_counter() - started
            ranked = [c.memory_id for c in recall.candidates]
            found = memory.store.memories.get(importer.scope, ranked)
            items = [[turn for _, turn in sorted(turn_of[s.message_id] for s in found[i].sources)] for i in ranked]
            for k in CUTS:
                tally.scores[k].append(retrieval_scores(items, question.evidence, k=k))
            tally.categories.append(question.category)


def _figures(dataset: str, system: System, tallies: dict[str, _Tally], *, seed: int, embedder: str) -> Iterator[Figure]:
    tally = tallies[system.name]
    baseline = tallies.get(BASELINE)
    per_question = tally.seconds / max(1, len(tally.categories))
    for category in (None, *sorted(set(tally.categories))):
        inside = [i for i, c in enumerate(tally.categories) if category in (None, c)]
        for k in CUTS:
            for metric, attribute in MEASURES:
                values = [getattr(tally.scores[k][i], attribute) for i in inside]
                measured = mean_interval(values, seed=seed)

                def figure(name: str, interval: Interval, category: str | None = category, k: int = k) -> Figure:
                    return Figure(
                        task="retrieval",
                        dataset=dataset,
                        system=system.name,
                        category=category,
                        unit="turn",
                        metric=name,
                        k=k,
                        value=interval.value,
                        n=interval.n,
                        ci_low=interval.low,
                        ci_high=interval.high,
                        memories=tally.memories,
                        seconds=per_question,
                        embedder=embedder,
                    )

                yield figure(metric, measured)
                # Both saw the questions in the same order, so the difference is paired.
                if baseline is not None and system.name != BASELINE and category is None:
                    theirs = [getattr(baseline.scores[k][i], attribute) for i in inside]
                    yield figure(f"{metric}_minus_{BASELINE}", paired_difference(values, theirs, seed=seed))
