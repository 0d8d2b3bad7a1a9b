"""Forgetting: what of the evidence is left when not everything can be kept? An ablation of policies at equal capacity (MOOM 3.3, 5.4, App. D).

Each conversation is lived through turn by turn (`evaluation.forgetting_trial`). `covered` is the share of a question's evidence turns that a kept memory
holds at the end, `recalled` the share that the question brings back among the ten nearest. Every policy is tuned on the same grid on the first two
conversations and scored on the others; with fewer than three, all are scored with the first values of each grid, the paper's.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from chat.imported import ImportedConversation
from evaluation.datasets import RetrievalData
from evaluation.forgetting_grid import TUNED_AT, VARIANTS, Variant, tune
from evaluation.forgetting_trial import Capacity, Question, Talk, covered, covered_by_age, kept, recalled
from evaluation.measures import Interval, mean_interval, paired_difference
from evaluation.records import Figure
from evaluation.vector_cache import VectorCache
from memory.episodes import language_of
from memory.strength import strengths
from memory.timeline import mentions
from models.build import build_embedder
from models.gateway import estimate
from settings import Settings

SYSTEMS = tuple(VARIANTS)
OURS = "keepsake"
RECALLED = 10
AGES = 5
CAPACITIES = (
    *TUNED_AT,
    Capacity("items", 50),
    Capacity("tokens", 3_000),
    Capacity("tokens", 6_000),
    Capacity("tokens", 10_000),
)
TUNING = 2
"""Conversations that are tuned on and not scored."""
VECTORS = "vectors.npz"
"""The texts' vectors, beside the figures; delete it to embed anew."""


@dataclass
class _Outcome:
    """One system at one capacity, over all scored questions in one order."""

    covered: NDArray[np.float64]
    recalled: NDArray[np.float64]
    ages: list[tuple[int, float]]


def evaluate(data: RetrievalData, *, systems: Sequence[str], seed: int, folder: Path) -> Iterator[Figure]:
    """The figures of the named systems. folder: where the vectors are kept. Raises KeyError for an unknown name."""
    with tempfile.TemporaryDirectory() as scratch:
        embedder = build_embedder(Settings(), Path(scratch))
        vectors = VectorCache(folder / VECTORS, embedder)
        talks = [_talk(c, data, vectors) for c in tqdm(data.conversations, desc="Conversations", disable=None)]
    tuning, scored = (talks[:TUNING], talks[TUNING:]) if len(talks) > TUNING else ([], talks)
    figure = _Figures(data.name, embedder.fingerprint, seed)
    chosen = [VARIANTS[name] for name in systems]
    for variant in chosen:
        for metric, value in variant.values():
            yield figure.plain(variant.name, "the paper's values", metric, value)
    original = {v.name: v for v in chosen}
    if tuning:
        for capacity in TUNED_AT:
            for variant in chosen:
                outcome = _live(scored, variant, capacity, seed)
                yield figure.interval(variant.name, f"{capacity.name}, the paper's values", "covered", outcome.covered)
        original = {v.name: tune(tuning, v) for v in tqdm(chosen, desc="Tuning", disable=None)}
        for variant in original.values():
            for metric, value in variant.values():
                yield figure.plain(variant.name, f"values tuned on {TUNING} conversations", metric, value)
    for capacity in tqdm(CAPACITIES, desc="Capacities", disable=None):
        outcomes = {name: _live(scored, variant, capacity, seed) for name, variant in original.items()}
        yield from _compared(figure, capacity.name, outcomes)
    if tuning:
        yield from _sweeps(figure, tuning, [v for v in original.values() if v.name in ("keepsake", "stored")], seed)


def _talk(conversation: ImportedConversation, data: RetrievalData, vectors: VectorCache) -> Talk:
    """Every turn is a memory."""
    messages = conversation.messages
    place = {m.external_id: i for i, m in enumerate(messages)}
    texts = [m.text for m in messages]
    passages = vectors.passages(texts)
    dated = np.array([bool(mentions(m.text, said_at=m.said_at, language=language_of(m.text))) for m in messages])
    asked = [q for q in data.questions if q.conversation_key == conversation.key]
    queries = vectors.queries([q.text for q in asked])
    return Talk(
        cues=vectors.queries(texts),
        vectors=passages,
        births=np.arange(len(messages)),
        turns=tuple((i,) for i in range(len(messages))),
        tokens=np.array([estimate(t) for t in texts], dtype=np.float64),
        strengths=strengths(texts, passages, dated=dated),
        questions=tuple(
            Question(vector, tuple(place[e] for e in q.evidence), q.category) for q, vector in zip(asked, queries, strict=True)
        ),
    )


def _live(talks: Sequence[Talk], variant: Variant, capacity: Capacity, seed: int) -> _Outcome:
    """Of a policy of chance the mean over its draws."""
    share, found, ages = [], [], []
    for talk in talks:
        lives = [kept(talk, p, capacity, k=variant.k, per_token=variant.per_token) for p in variant.policies(seed)]
        share.append(np.mean([covered(talk, alive) for alive in lives], axis=0))
        found.append(np.mean([recalled(talk, alive, k=RECALLED) for alive in lives], axis=0))
        for alive in lives:
            ages += covered_by_age(talk, alive, buckets=AGES)
    return _Outcome(np.concatenate(share), np.concatenate(found), ages)


def _compared(figure: _Figures, category: str, outcomes: dict[str, _Outcome]) -> Iterator[Figure]:
    for name, outcome in outcomes.items():
        yield figure.interval(name, category, "covered", outcome.covered)
        yield figure.interval(name, category, "recalled", outcome.recalled, k=RECALLED)
        for age in range(AGES):
            inside = [value for bucket, value in outcome.ages if bucket == age]
            if inside:
                yield figure.plain(name, f"{category}, by age of the evidence", f"covered, fifth {age + 1}", float(np.mean(inside)))
    ours = outcomes.get(OURS)
    for name, theirs in outcomes.items():
        if ours is not None and name != OURS:
            yield figure.difference(f"{OURS} − {name}", category, "covered", ours.covered, theirs.covered)
            yield figure.difference(f"{OURS} − {name}", category, "recalled", ours.recalled, theirs.recalled, k=RECALLED)


def _sweeps(figure: _Figures, talks: Sequence[Talk], variants: Sequence[Variant], seed: int) -> Iterator[Figure]:
    """One parameter at a time around what was tuned, on the conversations that were tuned on (App. D)."""
    for variant in variants:
        for label, changed in variant.sweeps():
            for capacity in TUNED_AT:
                values = _live(talks, changed, capacity, seed).covered
                yield figure.interval(f"{variant.name}, {label}", f"sweeps, {capacity.name} (tuning conversations)", "covered", values)


@dataclass(frozen=True)
class _Figures:
    dataset: str
    embedder: str
    seed: int

    def plain(self, system: str, category: str, metric: str, value: float) -> Figure:
        return Figure(
            task="forgetting",
            dataset=self.dataset,
            system=system,
            category=category,
            unit="turn",
            metric=metric,
            value=value,
            embedder=self.embedder,
        )

    def interval(self, system: str, category: str, metric: str, values: NDArray[np.float64], *, k: int | None = None) -> Figure:
        return self._with(self.plain(system, category, metric, 0.0), mean_interval(values, seed=self.seed), k)

    def difference(
        self, system: str, category: str, metric: str, ours: NDArray[np.float64], theirs: NDArray[np.float64], *, k: int | None = None
    ) -> Figure:
        return self._with(self.plain(system, category, metric, 0.0), paired_difference(ours, theirs, seed=self.seed), k)

    @staticmethod
    def _with(bare: Figure, interval: Interval, k: int | None) -> Figure:
        return replace(bare, k=k, value=interval.value, n=interval.n, ci_low=interval.low, ci_high=interval.high)
