"""Granularity: does what a memory holds, a turn, a session, both or a topic, decide what is found? (RMM 8.5, Fig. 4)

All four are found in one way, by the cosine of question and memory with the same embedder, so that nothing but the size differs. A topic is what the engine
makes of a session without a language model: its key is the topic's summary, what it delivers are the rounds it rests on (RMM 5). `best` takes for each question
the better of turn and session, and so knows the answer; it is a bound, no system.

Two measures, since sizes cost differently: recall among the first k turns delivered, and recall within a number of tokens, where a memory that does not fit whole
ends the list. An embedder sees the first 1,600 and the last 400 characters of a session (`models.embedder`), as the program's would.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from chat.assembly import Memory, open_memory
from chat.imported import ImportedConversation
from evaluation.datasets import RetrievalData, RetrievalQuestion
from evaluation.items import Item, named
from evaluation.measures import mean_interval, paired_difference, retrieval_scores
from evaluation.progress import steps
from evaluation.records import Figure
from evaluation.remembering import Remembered
from evaluation.sentence_model import tokens_in
from evaluation.talks import Talk, written
from models.embedder import Embedder
from settings import Settings
from storage.records import Kind

TURN, SESSION, MIX, TOPIC, BEST = "turn", "session", "mix", "topic", "best"
SYSTEMS = (TURN, SESSION, MIX, TOPIC, BEST)
CUTS = (5, 10)
BUDGETS = (500, 1000, 2000)
"""Tokens."""


@dataclass(frozen=True)
class Piece:
    """key: what is embedded; turns: ids of what is delivered, in order; tokens: of that."""

    key: str
    turns: tuple[str, ...]
    tokens: int


def turns_of(conversation: ImportedConversation) -> list[Piece]:
    return [Piece(f"{m.speaker}: {m.text}", (m.external_id,), tokens_in(m.text)) for m in conversation.messages]


def sessions_of(conversation: ImportedConversation) -> list[Piece]:
    found = []
    for _, group in groupby(conversation.messages, key=lambda m: m.session):
        messages = list(group)
        text = "\n".join(f"{m.speaker}: {m.text}" for m in messages)
        found.append(Piece(text, tuple(m.external_id for m in messages), sum(tokens_in(m.text) for m in messages)))
    return found


def topics_of(memory: Memory, talk: Talk, conversation: ImportedConversation) -> list[Piece]:
    """The tellings of a conversation's sessions that the engine made, as the branch shows them."""
    texts = {m.external_id: m.text for m in conversation.messages}
    seen = memory.store.memories.visible(talk.scope, talk.branch_id).of_kinds((Kind.TOPIC,))
    found = []
    for topic in memory.store.memories.get(talk.scope, seen.ids).values():
        turns = tuple(turn for _, turn in sorted(talk.turn_of[s.message_id] for s in topic.sources if s.message_id in talk.turn_of))
        found.append(Piece(topic.text, turns, sum(tokens_in(texts[t]) for t in turns)))
    return found


def within(pieces: Sequence[Piece], *, tokens: int) -> tuple[str, ...]:
    """Turns that ranked pieces deliver until the next would pass the budget; a turn that was delivered costs nothing again and is in its first piece's price."""
    left = tokens
    found: dict[str, None] = {}
    for piece in pieces:
        if all(turn in found for turn in piece.turns):
            continue
        if piece.tokens > left:
            break
        left -= piece.tokens
        found.update(dict.fromkeys(piece.turns))
    return tuple(found)


def scores_of(pieces: Sequence[Piece], evidence: Sequence[str]) -> dict[str, float]:
    """By metric, of ranked pieces."""
    found: dict[str, float] = {}
    for k in CUTS:
        scored = retrieval_scores([p.turns for p in pieces], evidence, k=k)
        found |= {named("recall_fraction", k): scored.fraction, named("ndcg", k): scored.ndcg}
    for tokens in BUDGETS:
        delivered = within(pieces, tokens=tokens)
        found[f"recall_in_{tokens}_tokens"] = sum(turn in delivered for turn in evidence) / len(evidence)
    return found


def evaluate(data: RetrievalData, *, names: Sequence[str], seed: int, note: Callable[[Item], None]) -> Iterator[Figure]:
    """The figures of the named granularities."""
    scores: dict[str, list[dict[str, float]]] = {name: [] for name in names}
    asked: list[RetrievalQuestion] = []
    counts = dict.fromkeys(names, 0)
    with tempfile.TemporaryDirectory() as folder:
        memory = open_memory(Settings(data_dir=Path(folder), memory_model=""))
        try:
            embedder = Remembered(memory.embedder)
            for conversation in steps(data.conversations, "Conversations"):
                questions = [q for q in data.questions if q.conversation_key == conversation.key]
                made = {TURN: turns_of(conversation), SESSION: sessions_of(conversation)}
                made[MIX] = made[TURN] + made[SESSION]
                if TOPIC in names:
                    made[TOPIC] = topics_of(memory, written(memory, conversation, language=data.language), conversation)
                vectors = {name: _embedded(embedder, pieces) for name, pieces in made.items()}
                for question in questions:
                    cue = embedder.queries([question.text])[0]
                    found = {name: scores_of(_ranked(pieces, vectors[name] @ cue), question.evidence) for name, pieces in made.items()}
                    found[BEST] = {metric: max(found[TURN][metric], found[SESSION][metric]) for metric in found[TURN]}
                    for name in names:
                        scores[name].append(found[name])
                    asked.append(question)
                for name in names:
                    counts[name] += len(made.get(name, ()))
        finally:
            memory.close()
    for name in names:
        for question, own in zip(asked, scores[name], strict=True):
            note(
                Item(
                    task="granularity", dataset=data.name, system=name, unit="question", item=question.id,
                    categories=(question.category,), scores=own,
                )
            )  # fmt: skip
        for metric in scores[name][0]:
            values = [own[metric] for own in scores[name]]
            label, _, k = metric.partition("@")
            told = [(label, mean_interval(values, seed=seed))]
            if TURN in names and name != TURN:
                told.append((f"{label}_minus_{TURN}", paired_difference(values, [own[metric] for own in scores[TURN]], seed=seed)))
            for shown, interval in told:
                yield Figure(
                    task="granularity", dataset=data.name, system=name, unit="turn", metric=shown, k=int(k) if k else None,
                    value=interval.value, n=interval.n, ci_low=interval.low, ci_high=interval.high, memories=counts[name] or None,
                    embedder=embedder.fingerprint,
                )  # fmt: skip


def _embedded(embedder: Embedder, pieces: Sequence[Piece]) -> NDArray[np.float32]:
    return embedder.passages([p.key for p in pieces]) if pieces else np.zeros((0, embedder.dimension), dtype=np.float32)


def _ranked(pieces: Sequence[Piece], cosines: NDArray[np.float32]) -> list[Piece]:
    return [pieces[int(place)] for place in np.argsort(-cosines, kind="stable")]
