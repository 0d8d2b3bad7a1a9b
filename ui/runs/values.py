"""Runs as their page gets them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from evaluation.records import Figure
from evaluation.run_folders import LOG, PROGRESS, Asked, State, read_json
from ui.runs.reasons import chinese

Value = dict[str, Any]
LOG_LINES = 60
LOG_BYTES = 16 * 1024
MOST_FIGURES = 3000


def run(run_id: str, asked: Asked, state: State, folder: Path, head: tuple[str, Sequence[Figure]]) -> Value:
    progress = dict(read_json(folder / PROGRESS)) if state.state == "running" else {}
    return {
        "id": run_id,
        "name": asked.name,
        "task": asked.task,
        "data": asked.data.title or asked.data.name,
        "kind": asked.data.kind,
        "systems": list(asked.systems),
        "seed": asked.seed,
        "quick": asked.quick,
        "at": asked.at,
        "memory_mb": asked.memory_mb,
        "state": state.state,
        "seconds": state.seconds,
        "error": _error(state.error),
        "progress": progress,
        "metric": head[0],
        "head": [figure(one) for one in head[1]],
    }


def _error(error: dict[str, Any] | None) -> Value | None:
    """With a reason in both languages, where it has one."""
    params = (error or {}).get("params")
    if error is None or not isinstance(params, dict) or not isinstance(params.get("reason"), str):
        return error
    return {**error, "params": {**params, "reason_zh": chinese(params["reason"])}}


def figure(one: Figure) -> Value:
    return {"system": one.system, "value": one.value, "low": one.ci_low, "high": one.ci_high, "n": one.n}


def figures(found: Sequence[Figure]) -> Value:
    """By data set and part, the first MOST_FIGURES; the file has all."""
    parts: dict[tuple[str, str, str | None, str | None], list[Value]] = {}
    for one in found[:MOST_FIGURES]:
        metric = one.metric if one.k is None else f"{one.metric}@{one.k}"
        parts.setdefault((one.task, one.dataset, one.category, one.unit), []).append({**figure(one), "metric": metric})
    shown = [
        {"task": task, "dataset": dataset, "category": category, "unit": unit, "figures": own}
        for (task, dataset, category, unit), own in parts.items()
    ]
    return {"parts": shown, "left": max(0, len(found) - MOST_FIGURES)}


def facts(written: Mapping[str, Any]) -> Value:
    """How a run came about, as it noted it."""
    return {
        name: written.get(name)
        for name in ("command", "seed", "quick", "data", "data_sha256", "versions", "machine", "noise", "notices", "started_at")
    }


def log_tail(folder: Path) -> str:
    """The last lines of what its process said."""
    try:
        with (folder / LOG).open("rb") as stream:
            stream.seek(0, 2)
            stream.seek(max(0, stream.tell() - LOG_BYTES))
            text = stream.read().decode("utf-8", "replace")
    except OSError:
        return ""
    return "\n".join(text.splitlines()[-LOG_LINES:])
