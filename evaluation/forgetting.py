"""Forgetting: what of the evidence is left when not everything can be kept? An ablation of policies at equal capacity (MOOM 3.3, 5.4, App. D).

Each conversation is lived through turn by turn (`evaluation.forgetting_trial`). `covered` is the share of a question's evidence turns that a kept memory
holds at the end, `recalled` the share that the question brings back among the ten nearest. Every policy is tuned on the same grid on the first two
conversations and scored on the others; with fewer than three, all are scored as they come, with
the paper's values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evaluation.datasets import RetrievalData
from evaluation.forgetting_grid import VARIANTS, Variant, tune
from evaluation.forgetting_talk import talk_of
from evaluation.forgetting_trial import Capacity, Question, Talk, covered, covered_by_age, kept, recalled
from evaluation.items import Item, ignored, named
from evaluation.measures import Interval, mean_interval, paired_difference
from evaluation.progress import steps
from evaluation.records import Figure
from evaluation.vector_cache import VectorCache
from memory.forgetting_policies import Fifo
from models.build import build_embedder
from settings import Settings

SYSTEMS = tuple(VARIANTS)
OURS = "keepsake"
RECALLED = 10
AGES = 5
ITEMS = Capacity("items", 50)


@dataclass(frozen=True)
class Unit:
    """What a memory is, and the capacities to compare at. The facts of a conversation come to a third of its turns and 5,000 tokens, so theirs are smaller."""

    name: str
    shares: tuple[Capacity, ...]
    tokens: tuple[Capacity, ...]

    @property
    def capacities(self) -> tuple[Capacity, ...]:
        return (*self.shares, ITEMS, *self.tokens)


UNITS = (
    Unit("turn", tuple(Capacity("share", s) for s in (0.5, 0.25)), tuple(Capacity("tokens", t) for t in (3_000, 6_000, 10_000))),
    Unit("fact", tuple(Capacity("share", s) for s in (0.25, 0.125)), tuple(Capacity("tokens", t) for t in (1_000, 2_000, 3_000))),
)
UNBOUNDED = Capacity("items", 10**9)
KEEP_ALL = Variant("all kept", Fifo())
"""Forgets nothing: what any policy is measured against."""
SWEPT = ("keepsake", "stored")
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


def evaluate(
    data: RetrievalData, *, systems: Sequence[str], seed: int, folder: Path, note: Callable[[Item], None] = ignored
) -> Iterator[Figure]:
    """The figures of the named systems; noted is what each question gave at each capacity. folder: where the vectors are kept. Raises KeyError for an unknown name."""
    chosen = [VARIANTS[name] for name in systems]
    embedder = build_embedder(Settings())
    vectors = VectorCache(folder / VECTORS, embedder)
    for unit in UNITS:
        talks = [
            talk_of(c, [q for q in data.questions if q.conversation_key == c.key], unit=unit.name, vectors=vectors)
            for c in steps(data.conversations, f"Conversations, a {unit.name} a memory")
        ]
        yield from _ablation(_Figures(data.name, unit.name, embedder.fingerprint, seed), unit, talks, chosen, note)


def _ablation(figure: _Figures, unit: Unit, talks: list[Talk], chosen: list[Variant], note: Callable[[Item], None]) -> Iterator[Figure]:
    tuning, scored = (talks[:TUNING], talks[TUNING:]) if len(talks) > TUNING else ([], talks)
    seed = figure.seed
    yield figure.interval("all kept", "no capacity", "covered", _live(scored, KEEP_ALL, UNBOUNDED, seed).covered)
    yield figure.interval("all kept", "no capacity", "recalled", _live(scored, KEEP_ALL, UNBOUNDED, seed).recalled, k=RECALLED)
    tuned = {v.name: v for v in chosen}
    if tuning:
        for capacity in unit.shares:
            for variant in chosen:
                outcome = _live(scored, variant, capacity, seed)
                yield figure.interval(variant.name, f"{capacity.name}, not tuned", "covered", outcome.covered)
        tuned = {v.name: tune(tuning, v, at=unit.shares, at_tokens=unit.tokens) for v in steps(chosen, "Tuning")}
    for variant in tuned.values():
        for metric, value in variant.values():
            yield figure.plain(variant.name, f"values tuned on {TUNING} conversations" if tuning else "values, not tuned", metric, value)
    for capacity in steps(unit.capacities, "Capacities"):
        outcomes = {name: _live(scored, variant, capacity, seed) for name, variant in tuned.items()}
        for item in _items(figure, capacity.name, outcomes, [q for talk in scored for q in talk.questions]):
            note(item)
        yield from _compared(figure, capacity.name, outcomes)
    if tuning:
        yield from _sweeps(figure, unit, tuning, [v for v in tuned.values() if v.name in SWEPT], seed)


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


def _items(figure: _Figures, category: str, outcomes: dict[str, _Outcome], questions: Sequence[Question]) -> Iterator[Item]:
    for name, outcome in outcomes.items():
        for question, held, found in zip(questions, outcome.covered.tolist(), outcome.recalled.tolist(), strict=True):
            yield Item(
                task="forgetting", dataset=figure.dataset, system=name, unit=figure.unit, item=f"{category}: {question.id}",
                categories=(category, question.category), scores={"covered": held, named("recalled", RECALLED): found},
                embedder=figure.embedder,
            )  # fmt: skip


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


def _sweeps(figure: _Figures, unit: Unit, talks: Sequence[Talk], variants: Sequence[Variant], seed: int) -> Iterator[Figure]:
    """One parameter at a time around what was tuned, on the conversations that were tuned on (App. D)."""
    for variant in variants:
        for label, changed in variant.sweeps():
            for capacity in unit.shares:
                values = _live(talks, changed, capacity, seed).covered
                yield figure.interval(f"{variant.name}, {label}", f"sweeps, {capacity.name} (tuning conversations)", "covered", values)


@dataclass(frozen=True)
class _Figures:
    dataset: str
    unit: str
    embedder: str
    seed: int

    def plain(self, system: str, category: str, metric: str, value: float) -> Figure:
        return Figure(
            task="forgetting",
            dataset=self.dataset,
            system=system,
            category=category,
            unit=self.unit,
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
