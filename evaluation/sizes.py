"""Recall and answers as histories grow to a number of tokens: LoCoMo-style conversations from 32k to 256k (RoleMemo 6.3), MemBench at 1k, 10k and 100k (its 4.1).

Tokens are counted by cl100k_base. Sessions of the other conversations of the same data are laid between those of each, as in `evaluation.capacity`; one that has the
size already stays as it is. Data that holds too little for a size says how much it holds, and a size that no conversation comes near to (nine tenths) is left out.
Others' talk of the same kind may say something else of "my brother", which the benchmark's own news does not: where its long files are at hand, they need no growing
and are to be preferred.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from chat.assembly import Memory, open_memory
from chat.imported import ImportedConversation, ImportedMessage
from evaluation.datasets import DataRefused, RetrievalData, RetrievalQuestion, asked_at
from evaluation.growing import laid_between
from evaluation.items import Item
from evaluation.measures import mean_interval, retrieval_scores
from evaluation.progress import steps
from evaluation.qa import nearest
from evaluation.records import Figure
from evaluation.sentence_model import tokens_in
from evaluation.talks import Talk, written
from memory.engine import Cue
from memory.recipes import RECIPES
from settings import Settings

SYSTEMS = {"keepsake": "fused", "dense": "dense", "sparse": "sparse"}
"""System → recipe of recall."""
GIVEN = 9
K = 10
NEAR = 0.9
"""The share of a size that has to be reached for it to be told."""


@dataclass(frozen=True)
class Grown:
    conversation: ImportedConversation
    questions: tuple[RetrievalQuestion, ...]
    tokens: int


def tokens_of(turns: Sequence[ImportedMessage]) -> int:
    return sum(tokens_in(m.text) for m in turns)


def grown(data: RetrievalData, *, tokens: int, seed: int, most: int | None) -> list[Grown]:
    """Conversations with questions, each grown to `tokens`; those that do not come near it are left out. most: of them, drawn by chance."""
    keys = {q.conversation_key for q in data.questions}
    asked = [c for c in data.conversations if c.key in keys]
    if most is not None and len(asked) > most:
        asked = [asked[n] for n in sorted(np.random.default_rng(seed).permutation(len(asked))[:most])]
    found = []
    for place, conversation in enumerate(asked):
        own = _by_step(conversation)
        others = [c for c in data.conversations if c.key != conversation.key]
        longer = laid_between(own, others, wanted=tokens - tokens_of(own.messages), size=tokens_of, seed=seed + place)
        size = tokens_of(longer.messages)
        if size >= NEAR * tokens:
            found.append(Grown(longer, tuple(q for q in data.questions if q.conversation_key == conversation.key), size))
    return found


def _by_step(conversation: ImportedConversation) -> ImportedConversation:
    """A conversation in one piece has its steps for sessions, so that others can be laid between them."""
    if len({m.session for m in conversation.messages}) > 1:
        return conversation
    return replace(conversation, messages=tuple(replace(m, session=m.line) for m in conversation.messages))


def reached(data: RetrievalData) -> int:
    """Tokens of all conversations: no history of it can be longer."""
    return sum(tokens_of(c.messages) for c in data.conversations)


def evaluate(
    data: RetrievalData, *, names: Sequence[str], tokens: int, most: int | None, seed: int, note: Callable[[Item], None], task: str
) -> Iterator[Figure]:
    """The figures of the named systems at one size. task: what the records are called. Raises DataRefused where nothing comes near the size."""
    histories = grown(data, tokens=tokens, seed=seed, most=most)
    if not histories:
        raise DataRefused(
            file=data.name, where="", reason=f"all its conversations together come to {reached(data):,} tokens, too few for {tokens:,}"
        )
    scores: dict[str, list[dict[str, float]]] = {name: [] for name in names}
    asked: list[RetrievalQuestion] = []
    writing: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        memory = open_memory(Settings(data_dir=Path(folder), memory_model=""))
        try:
            embedder = memory.embedder.fingerprint
            for history in steps(histories, f"{tokens:,} tokens"):
                started = time.perf_counter()
                talk = written(memory, history.conversation, observe=True, language=data.language)
                writing.append((time.perf_counter() - started) / len(history.conversation.messages))
                for question in history.questions:
                    for name in names:
                        scores[name].append(_asked(memory, talk, history.conversation, question, SYSTEMS[name]))
                    asked.append(question)
        finally:
            memory.close()
    size = float(np.mean([h.tokens for h in histories]))
    for name in names:
        for question, own in zip(asked, scores[name], strict=True):
            note(
                Item(
                    task=task, dataset=data.name, system=name, unit="question", item=question.id, categories=(question.category,),
                    scores={metric: value for metric, value in own.items() if metric != "read_seconds"},
                )
            )  # fmt: skip
        for category in (None, *sorted({q.category for q in asked})):
            inside = [own for q, own in zip(asked, scores[name], strict=True) if category in (None, q.category)]
            for metric in dict.fromkeys(m for own in inside for m in own):
                values = [own[metric] for own in inside if metric in own]
                interval = mean_interval(values, seed=seed)
                label, _, k = metric.partition("@")
                yield Figure(
                    task=task, dataset=data.name, system=name, category=category, unit="question", metric=label, k=int(k) if k else None,
                    value=interval.value, n=interval.n, ci_low=interval.low, ci_high=interval.high, tokens=size, embedder=embedder,
                )  # fmt: skip
        yield Figure(
            task=task, dataset=data.name, system=name, unit="turn", metric="write_seconds", value=float(np.mean(writing)), n=len(writing),
            tokens=size, embedder=embedder,
        )  # fmt: skip


def _asked(memory: Memory, talk: Talk, conversation: ImportedConversation, question: RetrievalQuestion, recipe: str) -> dict[str, float]:
    """By metric. Accuracy, where there are options, is of the rule without a model (`evaluation.qa`)."""
    user, character = conversation.speakers[:2]
    cue = Cue(question.text, talk.after, asked_at(question, conversation), speaker=user, listener=character)
    started = time.perf_counter()
    recall = memory.engine.recall(talk.scope, talk.branch_id, cue, recipe=RECIPES[recipe])
    found = {"read_seconds": time.perf_counter() - started}
    ids = [c.memory_id for c in recall.candidates]
    held = memory.store.memories.get(talk.scope, ids)
    items = [[turn for _, turn in sorted(talk.turn_of[s.message_id] for s in held[i].sources)] for i in ids]
    scored = retrieval_scores(items, question.evidence, k=K)
    found |= {f"recall_fraction@{K}": scored.fraction, f"recall_any@{K}": scored.any, f"ndcg@{K}": scored.ndcg}
    if question.options and question.right is not None:
        found["accuracy"] = float(nearest(memory, question, [held[i].text for i in ids[:GIVEN]]) == question.right)
    return found
