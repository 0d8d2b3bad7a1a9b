"""What a system was given for a question and what it answered, as a receipt of the run: so that a judged answer can be checked by whoever reads it."""

from __future__ import annotations

from collections.abc import Sequence

from chat.imported import ImportedConversation
from evaluation.datasets import RetrievalQuestion, asked_at
from evaluation.noting import Note
from evaluation.receipts import CANDIDATES, Answered, Delivered, Receipt, Turn, short

KIND = "note"


def receipt_of(
    question: RetrievalQuestion,
    conversation: ImportedConversation,
    notes: Sequence[Note],
    answered: Answered,
    *,
    dataset: str,
    system: str,
) -> Receipt:
    """The first notes in their order, and those beyond that the answer says it rests on."""
    wanted = set(question.evidence)
    shown = [(n, note) for n, note in enumerate(notes, start=1) if n <= CANDIDATES or n in answered.cited]
    delivered = tuple(
        Delivered(
            rank=n,
            kind=KIND,
            text=short(note.text),
            turns=note.turns,
            right=not wanted.isdisjoint(note.turns),
            delivered=True,
            scores={},
            parts={},
        )
        for n, note in shown
    )
    named = {turn for _, note in shown for turn in note.turns} | wanted
    turns = {
        m.external_id: Turn(by=m.speaker, at=m.said_at.isoformat(), text=short(m.text))
        for m in conversation.messages
        if m.external_id in named
    }
    return Receipt(
        item=question.id,
        dataset=dataset,
        conversation=conversation.key,
        question=short(question.text),
        category=question.category,
        asked_at=asked_at(question, conversation).isoformat(),
        evidence=tuple(turn for turn in question.evidence if turn in turns),
        turns=turns,
        systems={system: delivered},
        answers={system: answered},
    )
