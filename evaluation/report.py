"""A run's figures as a page to read: one table per data set and part of it, systems as rows."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

FORMULA = "=+-@\t\r\n＝＋－＠"
"""What a cell begins with that a spreadsheet computes, or takes for the beginning of another."""
COSTS = ("memories", "tokens", "seconds", "calls", "embedder", "model")


@dataclass(frozen=True)
class Plot:
    """One that stands beside the tables. name: of its files, relative to the report, without their ending."""

    name: str
    title: str


def render_report(
    records: Sequence[Mapping[str, object]], *, notices: Iterable[str], facts: Mapping[str, str], plots: Sequence[Plot] = ()
) -> str:
    """Markdown of figures (the fields of `evaluation.records.Figure`); tables, rows and columns come in their order."""
    lines = ["# " + plain(", ".join(_distinct(records, "task")) or "no figures"), ""]
    lines += [f"- {name}: {plain(value)}" for name, value in facts.items()]
    lines += [f"- {plain(notice)}" for notice in notices]
    lines += ["", "Rates are fractions 0–1; brackets hold 95 % intervals; n counts what the value is a mean over.", ""]
    for plot in plots:
        lines += [f"![{plain(plot.title)}]({plot.name}.svg)", "", f"[PNG]({plot.name}.png)", ""]
    return "\n".join(lines) + "\n" + render_tables(records)


def render_rows(records: Sequence[Mapping[str, object]]) -> str:
    """The figures as CSV, a row each, absent fields empty. A cell that a spreadsheet would compute begins with an apostrophe."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(records[0] if records else ())
    for record in records:
        writer.writerow([guarded(value) for value in record.values()])
    return out.getvalue()


def guarded(cell: object) -> object:
    """A cell of a table that a spreadsheet may open: with an apostrophe before what it would compute."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(tuple(FORMULA)) else cell


def render_tables(records: Sequence[Mapping[str, object]]) -> str:
    """Markdown of the figures alone."""
    lines: list[str] = []
    for task in _distinct(records, "task"):
        for dataset in _distinct(_where(records, task=task), "dataset"):
            part = _where(records, task=task, dataset=dataset)
            lines += [f"## {plain(task)}: {plain(dataset)}", ""]
            for category, unit in dict.fromkeys((r["category"], r["unit"]) for r in part):
                heading = "all" if category is None else plain(category)
                lines += [f"### {heading}{'' if unit is None else f' (unit: {plain(unit)})'}", ""]
                lines += _table(_where(part, category=category, unit=unit))
            lines += _costs(part)
    return "\n".join(lines)


def _table(records: Sequence[Mapping[str, object]]) -> list[str]:
    columns = list(dict.fromkeys((r["metric"], r["k"]) for r in records))
    rows = [["system", *(plain(metric) + ("" if k is None else f"@{k}") for metric, k in columns), "n"]]
    for system in _distinct(records, "system"):
        own = _where(records, system=system)
        values = [" / ".join(_value(r) for r in _where(own, metric=metric, k=k)) or "–" for metric, k in columns]
        rows.append([plain(system), *values, " / ".join(str(n) for n in dict.fromkeys(r["n"] for r in own) if n is not None) or "–"])
    return markdown(rows)


def _costs(records: Sequence[Mapping[str, object]]) -> list[str]:
    """What each system cost; a field that varies between a system's figures shows each value once."""
    columns = [name for name in COSTS if any(r[name] is not None for r in records)]
    if not columns:
        return []
    rows = [["system", *columns]]
    for system in _distinct(records, "system"):
        own = _where(records, system=system)
        rows.append(
            [plain(system), *(" / ".join(plain(v) for v in dict.fromkeys(r[c] for r in own) if v is not None) or "–" for c in columns)]
        )
    return ["### cost", "", *markdown(rows)]


def _value(record: Mapping[str, object]) -> str:
    shown = plain(record["value"])
    return shown if record["ci_low"] is None else f"{shown} [{plain(record['ci_low'])}, {plain(record['ci_high'])}]"


def plain(value: object) -> str:
    """A value as it may stand in a table cell or a heading: names from files cannot break out of it."""
    if isinstance(value, float):
        return f"{value:.3f}" if abs(value) < 100 else f"{value:,.0f}"
    text = " ".join(str(value).split())
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")


def markdown(rows: Sequence[Sequence[str]]) -> list[str]:
    head, *body = rows
    return ["| " + " | ".join(row) + " |" for row in (head, ["---"] * len(head), *body)] + [""]


def _distinct(records: Iterable[Mapping[str, object]], name: str) -> list[str]:
    return list(dict.fromkeys(str(record[name]) for record in records))


def _where(records: Iterable[Mapping[str, object]], **wanted: object) -> list[Mapping[str, object]]:
    return [r for r in records if all(r[name] == value for name, value in wanted.items())]
