"""What a run delivered for each question, down to the parts of each score, and what was answered: `receipts.jsonl.gz`, and the shelf that a run keeps its
conversations on.

One object a line: `item` (the question's id), `dataset`, `conversation`, `question`, `category`, `asked_at`, `evidence` (ids of turns), `turns` (by id: who, when,
words) and `systems`: by name the candidates in rank order, each with its kind, its words, its turns, whether one of them is evidence, whether it is within the
measured turns, and its scores; `answers` by system, where a model answered or an option was chosen. A question may have several lines, one for each unit of memory
or system that was measured.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any

from pydantic import BaseModel, ConfigDict, ValidationError

from evaluation.datasets import DataRefused
from evaluation.items import Item, item_of

RECEIPTS = "receipts.jsonl.gz"
UNFINISHED = "unfinished"
CANDIDATES = 12
"""Of each system's ranking; ten turns are measured, so what would have come next is seen too."""
MOST_CHARS = 600
"""Of a turn's and a memory's words."""
MOST_BYTES = 64 * 2**20
"""Of all lines, unpacked; questions beyond have no receipt, and the report counts them."""


class Turn(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    by: str
    at: str
    text: str


class Delivered(BaseModel):
    """One candidate. scores: by name; parts: what `fused` is the sum of; right: a turn of it is evidence; delivered: within the turns that are measured."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    rank: int
    kind: str
    text: str
    turns: tuple[str, ...]
    right: bool
    delivered: bool
    scores: dict[str, float | None]
    parts: dict[str, float]


class Answered(BaseModel):
    """What was answered. answer: None where nothing could be read; cited: places of the notes it says it rests on; verdict: the judge's, as its task counts it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    answer: str | None
    expected: str = ""
    cited: tuple[int, ...] = ()
    verdict: float | None = None


class Receipt(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    item: str
    dataset: str
    conversation: str
    question: str
    category: str
    asked_at: str
    evidence: tuple[str, ...]
    turns: dict[str, Turn]
    systems: dict[str, tuple[Delivered, ...]]
    answers: dict[str, Answered] = {}


@dataclass(frozen=True)
class Part:
    """What came of one conversation: what each question gave, and its receipt."""

    items: Sequence[Item]
    receipts: Sequence[Receipt]


@dataclass
class Shelf:
    """Parts of a run that is not whole yet, so that one that was cut goes on where it was. folder: None keeps nothing; under: names what is measured."""

    folder: Path | None = None
    under: str = ""
    sink: list[Receipt] = field(default_factory=list)
    """Receipts of the parts that were asked for, in that order."""
    label: str = ""
    """What stands before the questions' ids in them."""

    def inside(self, name: str, *, label: str = "") -> Shelf:
        return Shelf(self.folder, f"{self.under}{name}\0", self.sink, self.label + label)

    def found(self, name: str) -> Part | None:
        """What was kept of a conversation; a file that is torn is measured anew."""
        file = self._file(name)
        if file is None or not file.is_file():
            return None
        try:
            with gzip.open(file, "rt", encoding="utf-8") as stream:
                kept = json.loads(stream.read())
            part = Part([item_of(value) for value in kept["items"]], [Receipt.model_validate(value) for value in kept["receipts"]])
        except (OSError, EOFError, ValueError, KeyError, TypeError):
            return None
        self._put(part)
        return part

    def keep(self, name: str, part: Part) -> None:
        """Raises OSError."""
        self._put(part)
        file = self._file(name)
        if file is None:
            return
        file.parent.mkdir(parents=True, exist_ok=True)
        kept = {"items": [asdict(item) for item in part.items], "receipts": [one.model_dump() for one in part.receipts]}
        draft = file.with_suffix(f".{os.getpid()}.part")
        with gzip.open(draft, "wt", encoding="utf-8") as stream:
            json.dump(kept, stream, ensure_ascii=False)
        draft.replace(file)

    def _put(self, part: Part) -> None:
        self.sink += [one.model_copy(update={"item": self.label + one.item}) for one in part.receipts]

    def _file(self, name: str) -> Path | None:
        return self.folder / f"{hashlib.sha256((self.under + name).encode()).hexdigest()[:32]}.json.gz" if self.folder is not None else None


def short(text: str) -> str:
    return text if len(text) <= MOST_CHARS else text[: MOST_CHARS - 1] + "…"


def write_receipts(folder: Path, receipts: Sequence[Receipt]) -> int:
    """Replaces those of an earlier run; how many had no room. Without receipts there is no file. Raises OSError."""
    if not receipts:
        (folder / RECEIPTS).unlink(missing_ok=True)
        return 0
    folder.mkdir(parents=True, exist_ok=True)
    draft = folder / f".{RECEIPTS}.{os.getpid()}.part"
    written, left = 0, 0
    try:
        with draft.open("wb") as raw, gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as stream:
            for one in receipts:
                line = (json.dumps(one.model_dump(), ensure_ascii=False, allow_nan=False) + "\n").encode()
                if written + len(line) > MOST_BYTES:
                    left += 1
                else:
                    stream.write(line)
                    written += len(line)
        draft.replace(folder / RECEIPTS)
    finally:
        draft.unlink(missing_ok=True)
    return left


def read_receipt(folder: Path, *, dataset: str, item: str) -> Receipt | None:
    """All that was delivered for a question, its systems together; None where there is none. Raises DataRefused for a file that is damaged."""
    found: Receipt | None = None
    try:
        with gzip.open(folder / RECEIPTS, "rt", encoding="utf-8") as stream:
            for one in _matching(stream, item):
                if one.dataset == dataset:
                    found = one if found is None else _together(found, one)
    except FileNotFoundError:
        return None
    except (OSError, EOFError, UnicodeDecodeError, ValidationError) as error:
        raise DataRefused(file=RECEIPTS, where=item, reason="it cannot be read to its end") from error
    return found


def _matching(stream: IO[str], item: str) -> Iterator[Receipt]:
    begins = f'{{"item": {json.dumps(item, ensure_ascii=False)}, '
    return (Receipt.model_validate_json(line) for line in stream if line.startswith(begins))


def _together(one: Receipt, other: Receipt) -> Receipt:
    systems: Mapping[str, Any] = {**one.systems, **other.systems}
    answers: Mapping[str, Any] = {**one.answers, **other.answers}
    return one.model_copy(update={"turns": {**one.turns, **other.turns}, "systems": systems, "answers": answers})
