"""The probe table (MOOM A.3.2, App. H): what is told once, what is asked much later, and the answer; ours stands in `cases/probes.jsonl`, thirty everyday items.

A line is an item, in one language or in both::

    {"topic": "pet", "en": {"p": "…", "q": "…", "a": "…"}, "zh": {"p": "…", "q": "…", "a": "…"}}
    {"topic": "pet", "language": "en", "p": "…", "q": "…", "a": "…"}
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from evaluation.datasets import DataRefused
from evaluation.layouts import lines_of, record_of

TABLE = Path(__file__).parent / "cases" / "probes.jsonl"
BESIDE = "probes.jsonl"
"""A table of one's own, in the folder of the dialogues."""
_Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)]


@dataclass(frozen=True)
class TableItem:
    """language: `en` or `zh`."""

    topic: str
    language: str
    told: str
    question: str
    answer: str


class _Words(BaseModel):
    model_config = ConfigDict(extra="ignore")

    p: _Text
    q: _Text
    a: _Text


class _Both(BaseModel):
    model_config = ConfigDict(extra="ignore")

    topic: Annotated[str, Field(max_length=60)] = ""
    en: _Words | None = None
    zh: _Words | None = None


class _One(_Words):
    topic: Annotated[str, Field(max_length=60)] = ""
    language: Literal["en", "zh"]


class _Kind(BaseModel):
    model_config = ConfigDict(extra="ignore")

    language: object = None


def read_table(file: Path) -> tuple[TableItem, ...]:
    """Raises DataRefused."""
    found: list[TableItem] = []
    for number, line in lines_of(file):
        where = f"line {number}"
        if record_of(line, _Kind, file=file, where=where).language is not None:
            one = record_of(line, _One, file=file, where=where)
            found.append(TableItem(one.topic or str(number), one.language, one.p, one.q, one.a))
            continue
        both = record_of(line, _Both, file=file, where=where)
        told = {language: words for language, words in (("en", both.en), ("zh", both.zh)) if words is not None}
        if not told:
            raise DataRefused(file=file.name, where=where, reason="it has neither a field language nor words under en or zh")
        found += [TableItem(both.topic or str(number), language, w.p, w.q, w.a) for language, w in told.items()]
    topics = [(item.language, item.topic) for item in found]
    if twice := [topic for place, (_, topic) in enumerate(topics) if topics[place] in topics[:place]]:
        raise DataRefused(file=file.name, where="", reason=f"two items have the topic {twice[0]}")
    if not found:
        raise DataRefused(file=file.name, where="", reason="it holds no item")
    return tuple(found)
