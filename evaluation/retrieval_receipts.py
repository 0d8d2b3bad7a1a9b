"""What recall delivered for a question, as a receipt of the run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from chat.imported import ImportedConversation
from evaluation.datasets import RetrievalQuestion
from evaluation.receipts import CANDIDATES, Delivered, Receipt, Turn, short
from memory.retrieval import Candidate
from storage.records import Memory

MEASURED = 10
"""Turns, as many as the larger of the measured cuts."""


@dataclass(frozen=True)
class Ranked:
    """One candidate with its memory and the turns that this brings, in the order the reader sees them."""

    candidate: Candidate
    memory: Memory
    turns: list[str]


@dataclass(frozen=True)
class Heard:
    """A conversation as the engine has it. places: of its messages, by their ids there."""

    conversation: ImportedConversation
    places: Mapping[str, int]

    def turns(self, memory: Memory) -> list[str]:
        found = sorted(self.places[s.message_id] for s in memory.sources if s.message_id in self.places)
        return [self.conversation.messages[place].external_id for place in found]


def receipt_of(
    question: RetrievalQuestion, heard: Heard, delivered: Mapping[str, Sequence[Ranked]], *, dataset: str, asked_at: datetime | None
) -> Receipt:
    systems = {name: _delivered(ranked[:CANDIDATES], set(question.evidence)) for name, ranked in delivered.items()}
    named = {turn for one in systems.values() for candidate in one for turn in candidate.turns} | set(question.evidence)
    said = heard.conversation.messages
    turns = {m.external_id: Turn(by=m.speaker, at=m.said_at.isoformat(), text=short(m.text)) for m in said if m.external_id in named}
    return Receipt(
        item=question.id,
        dataset=dataset,
        conversation=heard.conversation.key,
        question=short(question.text),
        category=question.category,
        asked_at=asked_at.isoformat() if asked_at else "",
        evidence=question.evidence,
        turns=turns,
        systems=systems,
    )


def _delivered(ranked: Sequence[Ranked], evidence: set[str]) -> tuple[Delivered, ...]:
    found: list[Delivered] = []
    taken: dict[str, None] = {}
    for rank, one in enumerate(ranked, start=1):
        room = len(taken) < MEASURED
        taken.update(dict.fromkeys(one.turns))
        c = one.candidate
        scores = {"dense": c.dense, "sparse": c.sparse, "context": c.context, "fused": c.fused}
        found.append(
            Delivered(
                rank=rank,
                kind=one.memory.kind.value,
                text=short(one.memory.text),
                turns=tuple(one.turns),
                right=not evidence.isdisjoint(one.turns),
                delivered=room,
                scores={name: value if value is None else float(value) for name, value in scores.items()},
                parts={name: float(value) for name, value in c.parts.items()},
            )
        )
    return tuple(found)
