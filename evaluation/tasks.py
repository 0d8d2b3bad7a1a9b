"""What can be measured: each task with the systems it compares. A task is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # libraries are imported once they have been told to be quiet
    from evaluation.datasets import RetrievalData
    from evaluation.records import Figure


@dataclass(frozen=True)
class Order:
    """What one run is to measure. folder: where its figures will lie; a task may keep there what a second run can use again."""

    data: RetrievalData
    systems: Sequence[str]
    seed: int
    folder: Path


@dataclass(frozen=True)
class Task:
    systems: tuple[str, ...]
    evaluate: Callable[[Order], Iterable[Figure]]


def _retrieval() -> Task:
    from evaluation.retrieval import SYSTEMS, evaluate

    return Task(tuple(SYSTEMS), lambda order: evaluate(order.data, systems=order.systems, seed=order.seed))


def _forgetting() -> Task:
    from evaluation.forgetting import SYSTEMS, evaluate

    return Task(SYSTEMS, lambda order: evaluate(order.data, systems=order.systems, seed=order.seed, folder=order.folder))


TASKS: dict[str, Callable[[], Task]] = {
    "retrieval": _retrieval,
    "forgetting": _forgetting,
}
