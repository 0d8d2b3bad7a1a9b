"""The universal probe table (MOOM A.3.2, App. H): our own thirty everyday items in two languages, and whether items are independent of each other."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from evaluation.probe_table import TABLE
from models.embedder import Embedder
from storage.annotation_probes import Probe
from storage.records import stable_id

ALIKE = 0.5
"""Likeness from which two items may tell of one thing. Measured after the table's mean is taken off, as all sentences of one embedder lie near each other: our
thirty items reach .30, the same purchase told in other words .69 and .74."""

_Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)]


class ProbeFields(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    id: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}$")]
    language: Literal["en", "zh"]
    topic: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=60)]
    p: _Text
    q: _Text
    a: _Text
    version: int = Field(default=0, ge=0)


@dataclass(frozen=True)
class Close:
    """Two items that may tell of one thing."""

    one: str
    other: str
    likeness: float


def default_probes(project_id: str) -> list[Probe]:
    """Our table, as new items of a project."""
    rows = [json.loads(line) for line in TABLE.read_text(encoding="utf-8").splitlines()]
    return [
        Probe(stable_id("probe", project_id, row["topic"], language), language, row["topic"], **row[language])
        for language in ("en", "zh")
        for row in rows
    ]


def close_pairs(probes: Sequence[Probe], embedder: Embedder, *, threshold: float = ALIKE) -> list[Close]:
    """Pairs of one language that are not independent, the closest first."""
    found = []
    for language in ("en", "zh"):
        some = [one for one in probes if one.language == language]
        if len(some) < 3:
            continue
        vectors = embedder.passages([f"{one.p} {one.q}" for one in some])
        centred = vectors - vectors.mean(axis=0)
        centred /= np.maximum(np.linalg.norm(centred, axis=1, keepdims=True), 1e-9)
        likeness = centred @ centred.T
        for i, j in zip(*np.triu_indices(len(some), 1), strict=True):
            if likeness[i, j] >= threshold:
                found.append(Close(some[i].id, some[j].id, float(likeness[i, j])))
    return sorted(found, key=lambda pair: -pair.likeness)
