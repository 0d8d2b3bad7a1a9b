"""Which models a probe run asks, and what finds what they recall: those that serve in the house, by their names, so that a run is gone on with by the same ones or not
at all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from chat.model_choice import ModelChoice
from chat.turn import Voice
from models.structured import StructuredModel
from storage.annotation_run_rows import EMBEDDER, FIRST

RULE = "nearest"
"""In place of a model that answers regular probes: the rule of `evaluation.qa`."""
_ASKED = {"reader": "", "answers": RULE, "voice": "", "judge": ""}
"""Where no model serves."""


@dataclass(frozen=True)
class ProbeModels:
    """reader: reads for memory, and chooses among options; None for neither. voice, judge: make replies and rate them; None where none are asked for, or where
    none are capable of it."""

    reader: StructuredModel | None = None
    voice: Voice | None = None
    judge: StructuredModel | None = None


class ProbeModelChoice:
    """choice: of the house; None where no models stand beside the run (tests). embedder: its fingerprint; cross: what the cross-encoder is called, empty for none."""

    def __init__(self, choice: ModelChoice | None, *, embedder: str, cross: str) -> None:
        self._choice = choice
        self._finding = {EMBEDDER: embedder, "cross_encoder": cross}

    def names(self, *, replies: str) -> dict[str, str]:
        """What a run that begins now asks. replies: `yes`, or anything else. `voice` and `judge` are there together or not at all: a reply that nobody judges
        says nothing, and the small bundled model's would say nothing of memory."""
        choice = self._choice
        found = _ASKED | self._finding
        if choice is None:
            return found
        if (reader := choice.reader.present) is not None:
            found |= {"reader": reader.name, "answers": reader.name}
        if replies == "yes" and not choice.is_demo(choice.chat.present):
            judge = choice.judge()
            if judge is not None:
                found |= {"voice": choice.chat.present.name, "judge": judge.name}
                judge.close()
        return found

    @contextmanager
    def taken(self, how: Mapping[str, str]) -> Iterator[ProbeModels | None]:
        """The models of a run that was asked for with these names, to its end; None where others serve now, or something else finds what is recalled."""
        choice = self._choice
        wanted = _ASKED | {role: name for role, name in how.items() if role != FIRST}  # older runs asked none
        now = self.names(replies="yes" if wanted["judge"] else "no")
        if {role: name for role, name in now.items() if role in wanted} != wanted:  # nor did they say what finds
            yield None
            return
        if choice is None:
            yield ProbeModels()
            return
        judge = choice.judge() if wanted["judge"] else None
        try:
            with choice.reader.taken() as reader:
                yield ProbeModels(reader, choice.voice if judge is not None else None, judge)
        finally:
            if judge is not None:
                judge.close()
