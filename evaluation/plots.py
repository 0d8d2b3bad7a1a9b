"""Plots of a run's figures, PNG and SVG beside its tables: which there are for which task, and what each shows.

Told apart without colour: every series has a marker, a line and a shade of its own (Okabe and Ito's eight colours, which the colour-blind can tell apart).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from evaluation.drawing import Chart, Kind, Point, Series, draw
from evaluation.report import Plot

FOLDER = "plots"
HEADLINE = {
    "retrieval": "recall_fraction@10",
    "qa": "accuracy",
    "abstention": "auroc",
    "extraction": "rougeL_f1",
    "insights": "f1",
    "probes": "found@9",
    "history-length": "recall_fraction@10",
    "membench-participation": "recall_fraction@10",
    "membench-observation": "recall_fraction@10",
    "granularity": "recall_in_1000_tokens",
    "key-expansion": "recall_fraction@10",
    "engine-ablation": "evidence",
    "persona-merge": "rougeL_recall",
    "forgetting-sweep": "covered",
}
"""Of tasks that are shown part by part."""
ELSE = {"qa": ("judged", "meteor_stem")}
"""What stands for a task where its headline was not measured."""
MOST_PARTS, MOST_SERIES = 14, 8
LESS = "recall_fraction_minus_keepsake-turns@10"
"""What a system recalls less than the whole."""
_NUMBER = re.compile(r"[\d,.]+")

Record = Mapping[str, object]


@dataclass
class _Place:
    """One task on one data set, in one unit."""

    task: str
    dataset: str
    unit: str
    records: list[Record] = field(default_factory=list)


def headline(task: str, measured: Collection[str]) -> str:
    """The measure that stands for a task where there is room for one; empty where none of those that may was measured."""
    wanted = (HEADLINE.get(task, ""), *ELSE.get(task, ()))
    return next((metric for metric in wanted if metric in measured), "")


def write_plots(folder: Path, records: Sequence[Record]) -> list[Plot]:
    """Those that the figures call for, in place of an earlier run's; deterministic: equal figures are equal files. Raises OSError."""
    charts = list(charts_of(records))
    place = folder / FOLDER
    for old in place.glob("*.*") if place.is_dir() else ():
        if old.suffix in (".png", ".svg"):
            old.unlink()
    plots: list[Plot] = []
    for chart in charts:
        name = f"{FOLDER}/{_name(chart.title, {p.name for p in plots})}"
        draw(chart, folder / name)
        plots.append(Plot(name, chart.title))
    return plots


def charts_of(records: Sequence[Record]) -> Iterator[Chart]:
    """records: with the fields of `evaluation.records.Figure`."""
    places: dict[tuple[str, str, str], _Place] = {}
    for record in records:
        key = (str(record["task"]), str(record["dataset"]), str(record["unit"] or ""))
        places.setdefault(key, _Place(*key)).records.append(record)
    for place in places.values():
        for chart in _charts(place):
            systems = len({str(r["system"]) for r in place.records if r["category"] is None} or {""})
            left = len(chart.series) == MOST_SERIES < systems
            yield replace(chart, title=f"{chart.title} ({MOST_SERIES} of {systems} systems)") if left else chart


def _charts(place: _Place) -> Iterator[Chart]:
    if compared := [r for r in place.records if str(r["metric"]).endswith("_difference")]:
        yield from _differences(place, compared)
    else:
        yield from _CHARTS.get(place.task, _parts)(place)


def _parts(place: _Place) -> Iterator[Chart]:
    """A measure by part of the data set, with intervals."""
    wanted = headline(place.task, {_metric(r) for r in place.records})
    found = [r for r in place.records if wanted and _metric(r) == wanted]
    parts = list(dict.fromkeys(_part(r) for r in found))[:MOST_PARTS]
    series = [Series(name, [_point(r, parts.index(_part(r))) for r in own if _part(r) in parts]) for name, own in _systems(found)]
    if series:
        yield Chart(Kind.PARTS, f"{place.task}: {place.dataset}, {wanted} by part", wanted, "", series, labels=parts)


def _retrieval(place: _Place) -> Iterator[Chart]:
    """And what is lost without each part of recall, where that was measured."""
    yield from _parts(place)
    found = [r for r in place.records if _metric(r) == LESS and str(r["system"]).startswith("without-")]
    if found:
        names = [str(r["system"]) for r in found]
        series = [Series("paired difference", [_point(r, n) for n, r in enumerate(found)], mark=0.0)]
        yield Chart(Kind.PARTS, f"ablation: {place.dataset}, less the whole", LESS, "", series, labels=names)


def _capacity(place: _Place) -> Iterator[Chart]:
    found = [r for r in place.records if _metric(r) == "recall_fraction@10"]
    sizes = {category: _size(category) for category in dict.fromkeys(_part(r) for r in found)}
    series = [Series(name, [_point(r, sizes[_part(r)]) for r in own]) for name, own in _systems(found)]
    if series:
        yield Chart(Kind.LINES, f"capacity: {place.dataset}", "recall_fraction@10", "turns of the conversation", series)


def _forgetting(place: _Place) -> Iterator[Chart]:
    found = [r for r in place.records if r["metric"] == "covered" and _NUMBER.search(_part(r)) and r["n"] is not None]
    kept = [r for r in found if not re.search("not tuned|sweeps", _part(r)) and "−" not in str(r["system"])]
    for kind in ("share", "token"):
        inside = [r for r in kept if _capacity_of(_part(r))[0] == kind]
        series = [Series(name, [_point(r, _capacity_of(_part(r))[1]) for r in own]) for name, own in _systems(inside)]
        if series and max(len(s.points) for s in series) > 1:
            axis = "capacity, share of what there is" if kind == "share" else "capacity, tokens"
            yield Chart(Kind.LINES, f"forgetting: {place.dataset}, by {kind}, a {place.unit} a memory", "evidence still held", axis, series)
    aged = [r for r in place.records if str(r["metric"]).startswith("covered, fifth ")]
    for category in list(dict.fromkeys(_part(r) for r in aged))[:2]:
        own = [r for r in aged if _part(r) == category]
        series = [Series(name, [_point(r, int(str(r["metric"]).split()[-1])) for r in of]) for name, of in _systems(own)]
        title = f"forgetting: {place.dataset}, {category}, a {place.unit} a memory"
        yield Chart(Kind.LINES, title, "evidence still held", "age of the evidence, fifths, oldest first", series)


def _learning(place: _Place) -> Iterator[Chart]:
    if place.unit != "question":
        return
    for metric in ("ndcg", "usefulness"):
        found = [r for r in place.records if str(r["metric"]).startswith(f"{metric}, tenth ")]
        series = [Series(name, [_point(r, int(str(r["metric"]).split()[-1])) for r in own]) for name, own in _systems(found)]
        if series:
            yield Chart(Kind.LINES, f"learning: {place.dataset}, {metric}", metric, "questions so far, tenths", series)


def _efficiency(place: _Place) -> Iterator[Chart]:
    for category in dict.fromkeys(_part(r) for r in place.records):
        inside = [r for r in place.records if _part(r) == category]
        ratios = [m for m in ("calls_over_mem0", "tokens_over_mem0", "engine_seconds_over_mem0") if any(r["metric"] == m for r in inside)]
        metrics = ratios or ["prompt_tokens", "calls"]
        names = list(dict.fromkeys(str(r["system"]) for r in inside if r["metric"] in metrics and _value(r) > 0))
        series = [
            Series(
                m,
                [_point(r, names.index(str(r["system"]))) for r in inside if r["metric"] == m and _value(r) > 0],
                mark=1.0 if ratios else None,
            )
            for m in metrics
        ]
        kept = [s for s in series if s.points]
        if kept:
            axis = "over mem0, of 1 (logarithmic)" if ratios else "tokens or calls (logarithmic); nothing is not drawn"
            yield Chart(Kind.RATIOS, f"efficiency: {place.dataset}, {category}", "", axis, kept, labels=names)


def _differences(place: _Place, found: Sequence[Record]) -> Iterator[Chart]:
    """Paired differences with intervals, the headline measure first, else the first that was compared."""
    wanted = headline(place.task, {str(r["metric"]).removesuffix("_difference") for r in found}) + "_difference"
    metric = wanted if any(r["metric"] == wanted for r in found) else str(found[0]["metric"])
    own = [r for r in found if r["metric"] == metric]
    parts = list(dict.fromkeys(_part(r) for r in own))[:MOST_PARTS]
    series = [Series(name, [_point(r, parts.index(_part(r))) for r in of if _part(r) in parts], mark=0.0) for name, of in _systems(own)]
    label = metric.removesuffix("_difference")
    yield Chart(Kind.PARTS, f"comparison, {place.task}: {place.dataset}, {label}", f"difference of {label}", "", series, labels=parts)


_CHARTS: Mapping[str, Callable[[_Place], Iterator[Chart]]] = {
    "retrieval": _retrieval, "capacity": _capacity, "forgetting": _forgetting, "learning": _learning, "efficiency": _efficiency,
}  # fmt: skip


def _systems(records: Sequence[Record]) -> list[tuple[str, list[Record]]]:
    names = list(dict.fromkeys(str(r["system"]) for r in records))[:MOST_SERIES]
    return [(name, [r for r in records if r["system"] == name]) for name in names]


def _point(record: Record, x: float) -> Point:
    low, high = record["ci_low"], record["ci_high"]
    return Point(x, _value(record), low if isinstance(low, float) else None, high if isinstance(high, float) else None)


def _value(record: Record) -> float:
    value = record["value"]
    return float(value) if isinstance(value, int | float) else 0.0


def _metric(record: Record) -> str:
    return str(record["metric"]) + (f"@{record['k']}" if record["k"] is not None else "")


def _part(record: Record) -> str:
    return "all" if record["category"] is None else str(record["category"])


def _size(category: str) -> float:
    """Turns that a category of the capacity task names."""
    found = re.search(r": ([\d,]+) turns", category)
    return float(found[1].replace(",", "")) if found else 0.0


def _capacity_of(category: str) -> tuple[str, float]:
    """Of what kind a capacity is, and how large. Empty for one of another kind."""
    number = _NUMBER.search(category)
    if number is None:
        return "", 0.0
    value = float(number[0].replace(",", "").strip("."))
    if "token" in category:
        return "token", value
    return ("share", value / 100) if "%" in category else ("share", value) if value <= 1 else ("", 0.0)


def _name(title: str, taken: set[str]) -> str:
    stem = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:80] or "plot"
    return next(name for n in range(len(taken) + 1) if f"{FOLDER}/{(name := stem + (f'-{n + 1}' if n else ''))}" not in taken)
