"""What the recipes of `evaluation.experiments` measure: from a step's values to a task."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from evaluation import engine_ablation, forgetting_sweep, granularity, key_expansion, mem_score, persona_merge, reranking, sizes
from evaluation.bert_score import notice
from evaluation.datasets import DataRefused, RetrievalData
from evaluation.extraction import read_extraction
from evaluation.judging import Judge, judge_of
from evaluation.labels import Label
from evaluation.prompt_parts import ABLATIONS
from evaluation.question_files import read_retrieval, retrieval_files
from evaluation.records import Figure
from evaluation.sentence_model import MISSING, is_installed
from evaluation.tasks import Order, Subject, Task
from settings import Settings

Values = Mapping[str, int | str | None]
QUICK_DIALOGUES = 4
"""Of a size in a quick run."""


def _number(values: Values, name: str) -> int:
    found = values[name]
    if not isinstance(found, int):
        raise TypeError(f"{name} is no number")
    return found


def _over_questions(
    evaluate: Callable[[RetrievalData, Order], Iterable[Figure]],
    systems: Iterable[str],
    *,
    notices: Callable[[RetrievalData], Sequence[str]] = lambda data: data.notices,
) -> Task:
    def read(path: Path, quick: bool) -> Subject:
        sets = [data.first() if quick else data for data in read_retrieval(path)]

        def measure(order: Order) -> Iterable[Figure]:
            for data in sets:
                yield from evaluate(data, order)

        return Subject(retrieval_files(path), tuple(n for data in sets for n in notices(data)), measure)

    return Task(tuple(systems), read)


def _sweep(values: Values, task: str) -> Task:
    def evaluate(data: RetrievalData, order: Order) -> Iterable[Figure]:
        return forgetting_sweep.evaluate(
            data,
            names=order.systems,
            parameter=str(values["parameter"]),
            unit=str(values["unit"]),
            seed=order.seed,
            folder=order.folder,
            note=order.note,
        )

    return _over_questions(evaluate, forgetting_sweep.NAMES)


def _reranking(values: Values, task: str) -> Task:
    pool, shown = _number(values, "pool"), _number(values, "shown")

    def evaluate(data: RetrievalData, order: Order) -> Iterable[Figure]:
        found = reranking.evaluate(data, names=order.systems, pool=pool, shown=shown, seed=order.seed, note=order.note)
        return (replace(figure, task=task) for figure in found)

    return _over_questions(evaluate, reranking.NAMES)


def _granularity(values: Values, task: str) -> Task:
    def evaluate(data: RetrievalData, order: Order) -> Iterable[Figure]:
        return granularity.evaluate(data, names=order.systems, seed=order.seed, note=order.note)

    return _over_questions(evaluate, granularity.SYSTEMS)


def _keys(values: Values, task: str) -> Task:
    def evaluate(data: RetrievalData, order: Order) -> Iterable[Figure]:
        return key_expansion.evaluate(data, names=order.systems, seed=order.seed, note=order.note)

    return _over_questions(evaluate, key_expansion.SYSTEMS, notices=key_expansion.notices)


def _size(values: Values, task: str) -> Task:
    """A quick run takes few of the conversations, but all of them for what is laid between."""
    tokens, most = _number(values, "tokens"), values["most"]

    def read(path: Path, quick: bool) -> Subject:
        sets = read_retrieval(path)
        limit = QUICK_DIALOGUES if quick else most if isinstance(most, int) else None

        def measure(order: Order) -> Iterable[Figure]:
            for data in sets:
                yield from sizes.evaluate(data, names=order.systems, tokens=tokens, most=limit, seed=order.seed, note=order.note, task=task)

        said = [n for data in sets for n in data.notices]
        if any(q.options for data in sets for q in data.questions):
            said.append("accuracy: of the rule that needs no model (evaluation.qa)")
        if limit is not None:
            said.append(f"at most {limit} conversations, drawn by the seed")
        return Subject(retrieval_files(path), tuple(said), measure)

    return Task(tuple(sizes.SYSTEMS), read)


def _noted(path: Path, quick: bool) -> tuple[RetrievalData, tuple[Label, ...]]:
    data = read_extraction(path)
    data = data.first() if quick else data
    return data.source, data.labels


def _measures_said(judge: Judge | None) -> tuple[str, ...]:
    return (
        *(() if is_installed() else (MISSING,)),
        notice(),
        mem_score.notice(judge),
    )


def _persona(values: Values, task: str) -> Task:
    items = values["items"]

    def read(path: Path, quick: bool) -> Subject:
        data, labels = _noted(path, quick)
        judge = judge_of(Settings())
        missing = () if Settings().memory_model else (persona_merge.NO_MODEL,)

        def measure(order: Order) -> Iterable[Figure]:
            return persona_merge.evaluate(
                data,
                labels,
                names=order.systems,
                items=items if isinstance(items, int) else None,
                seed=order.seed,
                note=order.note,
                judge=judge,
            )

        return Subject(retrieval_files(path), (*data.notices, *missing, *_measures_said(judge)), measure)

    return Task(persona_merge.NAMES, read)


def _engine(values: Values, task: str) -> Task:
    def read(path: Path, quick: bool) -> Subject:
        judge = judge_of(Settings())
        try:
            noted = _noted(path, quick)
            parts: list[tuple[RetrievalData, tuple[Label, ...]]] = [noted]
        except DataRefused:
            parts = [(data.first() if quick else data, ()) for data in read_retrieval(path)]

        def measure(order: Order) -> Iterable[Figure]:
            for data, labels in parts:
                yield from engine_ablation.evaluate(data, labels, names=order.systems, seed=order.seed, note=order.note, judge=judge)

        said = [n for data, _ in parts for n in data.notices]
        return Subject(retrieval_files(path), (*said, *_measures_said(judge)), measure)

    return Task(tuple(ABLATIONS), read)


MEASURES: Mapping[str, Callable[[Values, str], Task]] = {
    "forgetting-sweep": _sweep,
    "persona-merge": _persona,
    "reranking": _reranking,
    "granularity": _granularity,
    "key-expansion": _keys,
    "size": _size,
    "engine-ablation": _engine,
}
"""(values of a step, name of the experiment) → task."""
