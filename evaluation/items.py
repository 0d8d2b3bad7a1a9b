"""What a run measured of each single question, beside the means: from it a table can be computed again, and two runs be compared question by question.

`items.jsonl.gz` holds one object a line: task, dataset, system, unit, item, categories (none but the whole: empty), scores by metric ("recall_fraction@10"), and what
the table's costs follow from: the conversation it is of, costs (seconds, memories …), embedder and model.
"""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from evaluation.datasets import DataRefused

ITEMS = "items.jsonl.gz"


@dataclass(frozen=True, kw_only=True)
class Item:
    """One system's scores on one question (label, case …) of a data set. item: its id there, the same for every system."""

    task: str
    dataset: str
    system: str
    unit: str
    item: str
    categories: tuple[str, ...] = ()
    scores: Mapping[str, float]
    conversation: str = ""
    costs: Mapping[str, float] = field(default_factory=dict)
    """seconds: of this one; memories: of its conversation, or of all there is; and what else its task says."""
    embedder: str = ""
    model: str = ""

    @property
    def place(self) -> tuple[str, str, str, str]:
        """What two systems' scores of the same question have in common."""
        return self.task, self.dataset, self.unit, self.item


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid")

    task: str
    dataset: str
    system: str
    unit: str
    item: str
    categories: tuple[str, ...]
    scores: dict[str, int | float]
    conversation: str = ""
    costs: dict[str, int | float] = {}
    embedder: str = ""
    model: str = ""


def item_of(value: object) -> Item:
    """Raises ValidationError."""
    return Item(**_Line.model_validate(value).model_dump())


def ignored(item: Item) -> None:
    """Where nobody asks for single questions."""


def named(metric: str, k: int | None) -> str:
    """A metric's name among an item's scores."""
    return metric if k is None else f"{metric}@{k}"


def write_items(folder: Path, items: Iterable[Item]) -> None:
    """Replaces those of an earlier run, whole or not at all. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    draft = folder / f".{ITEMS}.{os.getpid()}.part"
    try:
        # No time stamp: equal items are an equal file.
        with draft.open("wb") as raw, gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as stream:
            for item in items:
                stream.write((json.dumps(asdict(item), ensure_ascii=False, allow_nan=False) + "\n").encode())
        draft.replace(folder / ITEMS)
    finally:
        draft.unlink(missing_ok=True)


def read_items(folder: Path) -> Iterator[Item]:
    """Those of a run's folder; of a folder of runs (`evaluation all`) those of each. Raises DataRefused."""
    files = [folder / ITEMS] if (folder / ITEMS).is_file() else sorted(folder.glob(f"*/*/{ITEMS}"))
    if not files:
        raise DataRefused(
            file=folder.name, where="", reason=f"it holds no {ITEMS}: it is no run, or one of a task that has no single questions"
        )
    for file in files:
        yield from _read(file)


def _read(file: Path) -> Iterator[Item]:
    lines = 0
    try:
        with gzip.open(file, "rt", encoding="utf-8") as stream:
            for line in stream:
                lines += 1
                yield Item(**_Line.model_validate_json(line).model_dump())
    except ValidationError as error:
        raise DataRefused(file=file.name, where=f"line {lines}", reason="it is no item of a run") from error
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise DataRefused(file=file.name, where=f"after line {lines}", reason="it cannot be read to its end") from error
