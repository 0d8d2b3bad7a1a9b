"""What a run wrote, read back."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

from evaluation.datasets import DataRefused
from evaluation.records import METRICS, Figure


def read_figures(folder: Path) -> list[Figure]:
    """As a run wrote them. Raises DataRefused."""
    names = {field.name for field in fields(Figure)}
    records: Any = read_written(folder / METRICS)
    if not isinstance(records, list) or not all(isinstance(record, dict) and set(record) == names for record in records):
        raise DataRefused(file=METRICS, where="", reason="these are no figures of a run")
    return [Figure(**record) for record in records]


def read_written(path: Path) -> Any:
    """One of a run's JSON files. Raises DataRefused."""
    try:
        found: Any = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DataRefused(file=path.name, where=path.parent.name, reason="it is missing or cannot be read: this is no whole run") from error
    return found
