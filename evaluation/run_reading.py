"""What a finished run says: headline figures, its questions with each system's scores, the files beside them."""

from __future__ import annotations

import functools
import gzip
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from evaluation.datasets import DataRefused
from evaluation.figure_files import read_figures
from evaluation.items import ITEMS, Item, read_items
from evaluation.plots import FOLDER, headline
from evaluation.receipts import RECEIPTS
from evaluation.records import METRICS, REPORT, ROWS, RUN, TABLES, Figure

PAGE = 50
MOST_HEADLINES = 4
FILES = (REPORT, TABLES, ROWS, METRICS, RUN, ITEMS, RECEIPTS)
HEADS = {
    "ablation": "recall_fraction@10",
    "capacity": "recall_fraction@10",
    "learning": "ndcg@5",
    "efficiency": "prompt_tokens",
    "forgetting": "covered",
}
"""By task the measure that stands for it where there is room for one; of those that are shown part by part `evaluation.plots.headline` says it."""
KINDS = {
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".md": "text/markdown; charset=utf-8",
    ".csv": "text/csv; charset=utf-8",
    ".json": "application/json",
    ".gz": "application/gzip",
}


@dataclass(frozen=True)
class Question:
    """scores: by system."""

    dataset: str
    item: str
    text: str
    categories: tuple[str, ...]
    scores: Mapping[str, float]


@dataclass(frozen=True)
class Questions:
    """Some of a run's, and how many there are. metric: what the scores are of."""

    metric: str
    systems: tuple[str, ...]
    categories: tuple[str, ...]
    count: int
    some: Sequence[Question] = field(default=())


def headlines(folder: Path) -> tuple[str, list[Figure]]:
    """(measure, its figure over everything for each system); of what has none over everything the last part's. Raises DataRefused."""
    try:
        return _headlines(folder, (folder / METRICS).stat().st_mtime_ns)
    except OSError as error:
        raise DataRefused(file=METRICS, where="", reason="this run has no figures") from error


@functools.lru_cache(maxsize=200)
def _headlines(folder: Path, mark: int) -> tuple[str, list[Figure]]:
    figures = read_figures(folder)
    wanted = _head(figures[0].task, {_metric(f) for f in figures}) if figures else ""
    own = [f for f in figures if _metric(f) == wanted] or [f for f in figures if figures and _metric(f) == _metric(figures[0])]
    whole = [f for f in own if f.category is None] or [f for f in own if own and f.category == own[-1].category]
    first = {f.system: f for f in reversed(whole)}
    return (_metric(own[0]) if own else ""), list(reversed(first.values()))[:MOST_HEADLINES]


def questions(folder: Path, *, find: str, category: str, order: str, start: int) -> Questions:
    """order: `file`, `worst` (least over all systems first) or `apart` (where systems differ most first). Raises DataRefused."""
    metric, found = _questions(folder, _mark(folder))
    systems = tuple(dict.fromkeys(name for q in found for name in q.scores))
    categories = tuple(sorted({kind for q in found for kind in q.categories}))
    wanted = find.casefold().strip()
    kept = [
        q
        for q in found
        if (not category or category in q.categories) and (not wanted or wanted in q.text.casefold() or wanted in q.item.casefold())
    ]
    if order == "worst":
        kept.sort(key=lambda q: sum(q.scores.values()) / len(q.scores))
    elif order == "apart":
        kept.sort(key=lambda q: min(q.scores.values()) - max(q.scores.values()))
    return Questions(metric, systems, categories, len(kept), kept[start : start + PAGE])


def items_of(folder: Path, *, dataset: str, item: str) -> list[Item]:
    """What each system scored on one question. Raises DataRefused."""
    return [i for i in _items(folder, _mark(folder)) if (i.dataset, i.item) == (dataset, item)]


def files(folder: Path) -> dict[str, Path]:
    """What of a run can be fetched, by name; plots by theirs."""
    found = {name: folder / name for name in FILES if (folder / name).is_file()}
    plots = sorted((folder / FOLDER).glob("*.*")) if (folder / FOLDER).is_dir() else []
    return found | {p.name: p for p in plots if p.suffix in (".svg", ".png") and p.is_file()}


def _mark(folder: Path) -> int:
    try:
        return (folder / ITEMS).stat().st_mtime_ns
    except OSError as error:
        raise DataRefused(file=ITEMS, where="", reason="this run has no single questions") from error


@functools.lru_cache(maxsize=4)
def _items(folder: Path, mark: int) -> tuple[Item, ...]:
    return tuple(read_items(folder))


@functools.lru_cache(maxsize=4)
def _questions(folder: Path, mark: int) -> tuple[str, list[Question]]:
    items = _items(folder, mark)
    metrics = list(dict.fromkeys(name for i in items for name in i.scores))
    metric = _head(items[0].task, metrics) or next(iter(metrics), "") if items else ""
    texts = _texts(folder)
    found: dict[tuple[str, str], tuple[Item, dict[str, float]]] = {}
    for item in items:
        if metric in item.scores and item.unit not in ("tenth", "evidence turn"):
            found.setdefault((item.dataset, item.item), (item, {}))[1][item.system] = item.scores[metric]
    return metric, [Question(i.dataset, i.item, texts.get((i.dataset, i.item), ""), i.categories, scores) for i, scores in found.values()]


def _texts(folder: Path) -> dict[tuple[str, str], str]:
    if not (folder / RECEIPTS).is_file():
        return {}
    with gzip.open(folder / RECEIPTS, "rt", encoding="utf-8") as stream:
        lines = (json.loads(line) for line in stream)
        return {(line["dataset"], line["item"]): line["question"] for line in lines}


def _head(task: str, measured: Collection[str]) -> str:
    return wanted if (wanted := HEADS.get(task, "")) in measured else headline(task, measured)


def _metric(figure: Figure) -> str:
    return figure.metric if figure.k is None else f"{figure.metric}@{figure.k}"
