"""The story: units, chapters and arcs of a path, told by chosen sentences (MOOM 3.1).

theta = (6, 5, 5): six rounds close a unit I(1), five units a chapter S(2), five chapters an arc S(3). A unit is a round's ordinal divided by six, so a
deleted round leaves a hole and shifts nothing. Without a language model a summary is extractive: facts of the span, which are whole sentences in
third person already, chosen near the centre of what was said and far from each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from storage.records import Kind, Memory, Message, Source, stable_id

VERSION = "extractive-1"
THETA_1, THETA_2, THETA_3 = 6, 5, 5
CHAPTER_ROUNDS = THETA_1 * THETA_2
ARC_ROUNDS = CHAPTER_ROUNDS * THETA_3
CHAPTER, ARC = 2, 3
"""Tiers, as the superscripts of the paper."""
TOLD = "!"
"""Beginning of the slot rank of a piece that a model told: before every number, so that it holds where both are."""
LINES = {1: 3, CHAPTER: 4, ARC: 5}
"""Most sentences of one piece, by tier."""
CENTRALITY = 0.4
"""Weight of nearness to the centre against distance from what is chosen already (maximal marginal relevance)."""

EVENTFUL, PLAIN = 0.3, 0.2
"""A story is told by what happened: weight of a known day, and of plain against hedged words."""


@dataclass(frozen=True)
class Span:
    """Rounds of one piece, both ends included."""

    tier: int
    first: int
    last: int


def closed_by(last_round: int, next_round: int) -> list[Span]:
    """What a path closes by going on from one round to the next, small pieces first. Rounds between them may be missing."""
    spans = []
    for tier, size in ((1, THETA_1), (CHAPTER, CHAPTER_ROUNDS), (ARC, ARC_ROUNDS)):
        piece = last_round // size
        if next_round // size > piece:
            spans.append(Span(tier, piece * size, piece * size + size - 1))
    return spans


def salience(fact: Memory) -> float:
    """What speaks for telling a fact whatever stands around it: that it happened on a day, and that it was plainly said."""
    return (EVENTFUL if fact.event_from is not None else 0.0) + PLAIN * (fact.trust - 1.0)


def choose(vectors: NDArray[np.float32], *, most: int, weights: Sequence[float] = ()) -> list[int]:
    """Indices of up to `most` of the rows [n, d], rising: central, unlike each other, and of weight (one a row). Ties go to the earlier row."""
    if len(vectors) <= most:
        return list(range(len(vectors)))
    mean = vectors.mean(axis=0)
    centrality = vectors @ mean
    spread = float(centrality.max() - centrality.min())
    centrality = (centrality - centrality.min()) / spread if spread > 0 else np.zeros_like(centrality)
    # Sentence embeddings crowd around a common direction; only what differs from it tells two sentences apart.
    centred = vectors - mean
    centred = centred / np.maximum(np.linalg.norm(centred, axis=1, keepdims=True), 1e-9)
    similarity = np.maximum(centred @ centred.T, 0.0)
    prior = np.asarray(weights, dtype=np.float32) if len(weights) else np.zeros(len(vectors), dtype=np.float32)
    chosen: list[int] = []
    while len(chosen) < most:
        nearest = similarity[:, chosen].max(axis=1) if chosen else np.zeros(len(vectors), dtype=np.float32)
        score = CENTRALITY * centrality - (1 - CENTRALITY) * nearest + prior
        score[chosen] = -np.inf
        chosen.append(int(np.argmax(score)))
    return sorted(chosen)


def slot_of(span: Span) -> str:
    """A path has one plot of each span."""
    return f"plot:{span.tier}:{span.first}"


def plot_of(
    chat_id: str, span: Span, lines: Sequence[Memory], messages: Sequence[Message], *, told: Sequence[Memory], grounds: Sequence[str]
) -> Memory:
    """A closed piece as a memory. lines: the chosen facts, oldest first, at least one; messages: all that was said in the span; told: the facts it was
    chosen from; grounds: ids of the facts or plots it rests on. Its sources are the messages and what else the facts rest on (a question before the
    span): a change to any of them makes the piece out of date."""
    sources = [Source(m.id, m.revision.id, m.revision.sha256) for m in messages]
    inside = {m.id for m in messages}
    outside = list(dict.fromkeys(s for f in told for s in f.sources if s.message_id not in inside))
    worded = [*(m.revision.sha256 for m in messages), *sorted(s.sha256 for s in outside)]
    key = stable_id("plot", VERSION, span.tier, span.first, *worded, *(line.text for line in lines))
    text = (" " if lines[0].language == "en" else "").join(line.text for line in lines)
    return Memory(
        id=stable_id("memory", chat_id, key, *(m.id for m in messages)),
        chat_id=chat_id,
        kind=Kind.PLOT,
        text=text,
        language=lines[0].language,
        round_first=span.first,
        round_last=span.last,
        said_at=messages[-1].said_at,
        sources=tuple(dict.fromkeys([*sources, *outside])),
        derivation_key=key,
        slot=slot_of(span),
        grounds=tuple(grounds),
        trust=min(line.trust for line in lines),
        payload={
            "tier": span.tier,
            "lines": [{"text": line.text, "round": line.round_last, "said_at": round(line.said_at.timestamp() * 1000)} for line in lines],
        },
    )
