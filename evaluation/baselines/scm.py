"""SCM, self-controlled memory (Wang et al., 2023): each round kept with a summary; a controller asks whether memory is needed and whether summaries do."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

from evaluation.baselines.system import K, MemorySystem, Recalled, Said, Shelf, Summary, as_said
from models.embedder import Embedder
from models.structured import StructuredModel

_SUMMARY = 'Summarise this round of a conversation in one sentence that keeps names, numbers and what was decided. Answer as JSON: {"summary": "…"}.'
_NEEDED = 'Can this message be answered without knowing what was said earlier? Answer as JSON: {"yes": true}.'
_ENOUGH = 'Do these summaries say enough to answer the message, without the words themselves? Answer as JSON: {"yes": true}.'


class _Verdict(BaseModel):
    yes: bool


class SelfControlled(MemorySystem):
    name = "scm-style"

    def __init__(self, model: StructuredModel | None, embedder: Embedder) -> None:
        super().__init__(model, embedder)
        self._shelf = Shelf(self._embedder)
        self._summaries: list[str] = []

    def write(self, messages: Sequence[Said]) -> None:
        whole = "\n".join(m.line for m in messages)
        self._summaries.append(self.ask(_SUMMARY, whole, Summary).summary)
        self._shelf.keep(as_said(messages))

    def read(self, cue: str, *, at: datetime) -> list[Recalled]:
        if not self._summaries or self.ask(_NEEDED, cue, _Verdict).yes:
            return []
        found = self._shelf.best(cue, count=K, weigh=_recent)
        told = "\n".join(self._summaries[place] for place in found)
        if self.ask(_ENOUGH, f"{told}\n\nMessage: {cue}", _Verdict).yes:
            return [Recalled(self._summaries[place], self._shelf.kept[place].at) for place in found]
        return [self._shelf.kept[place] for place in found]


def _recent(cosines: NDArray[np.float32]) -> NDArray[np.float32]:
    """Relevance and recency, each to 1, added (their section 3.2)."""
    order = np.arange(len(cosines), dtype=np.float32)
    return cosines + (order + 1) / np.float32(max(1, len(cosines)))
