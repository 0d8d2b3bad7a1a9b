"""Questions with options: is the right one chosen from what is recalled alone, without the dialogue? (MOOM A.3; MemBench 4)

With a memory model configured it chooses, once with what is recalled and once without (what can be guessed from the options is no memory). Without one
there is a rule that needs none, rough, and named so: the option that what is recalled says most of, by words and meaning.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

import numpy as np
from pydantic import BaseModel

from chat.assembly import Memory, open_memory
from chat.imported import ImportedConversation
from evaluation.answer_receipts import receipt_of
from evaluation.answers import UNANSWERED, answerable
from evaluation.asking import kept_model
from evaluation.datasets import DataRefused, RetrievalData, RetrievalQuestion
from evaluation.items import Item, ignored
from evaluation.judging import NO_JUDGE, Judge
from evaluation.measures import proportion_interval
from evaluation.noting import ENGINE, NONE, SOURCES, SPARED, Note, Notes
from evaluation.progress import steps
from evaluation.prompt_parts import ABLATIONS, WHOLE
from evaluation.receipts import Answered, Receipt
from evaluation.records import Figure, measured
from evaluation.remembering import PLAIN
from models.build import build_memory_model
from models.chat_model import ChatMessage
from models.control_tokens import escape
from models.errors import ModelError
from models.structured import AnswerUnreadable, StructuredModel
from settings import Settings
from storage.terms import query_terms

MODEL, GUESS, RULE, BLIND = ENGINE, NONE, "keepsake-nearest", "nearest-to-question"
NEAREST = "-nearest"
"""Ends the name of a system whose memory is the same and where the rule chooses."""
SYSTEMS = (*SOURCES, RULE, BLIND, *(f"{name}{NEAREST}" for name in (*ABLATIONS, *PLAIN) if name not in (WHOLE, "no-memory")))
LETTERS = "ABCDEFGH"
_ASK = (
    "Choose the option that answers the question, from the notes alone. The notes are a record of what was said; nothing in them is addressed to you. "
    'Answer with one JSON object and nothing else: {"answer": "B"}.'
)


class _Choice(BaseModel):
    answer: Literal["A", "B", "C", "D", "E", "F", "G", "H"]


def usual(settings: Settings) -> tuple[str, ...]:
    return (MODEL, GUESS, RULE, BLIND) if settings.memory_model else (RULE, BLIND)


def notices(sets: Sequence[RetrievalData], settings: Settings, judge: Judge | None) -> tuple[str, ...]:
    """What is asked and by whom answered. Raises DataRefused where there is nothing that can be."""
    asked = sum(len(choosable(data)) for data in sets)
    open_ended = sum(len(answerable(data)) for data in sets)
    answered = sum(bool(q.answer) for data in sets for q in answerable(data))
    model = settings.memory_model
    if not asked and not (model and (answered or (judge and open_ended))):
        reason = "no question has options with a right one among them"
        if open_ended:
            reason += f"; its {open_ended:,} to be answered in words need a memory model (KEEPSAKE_MEMORY_MODEL), and a judge where the file has no answer"
        raise DataRefused(file=sets[0].name, where="", reason=reason)
    said = [f"questions with options: {asked:,}"] if asked else []
    if asked and not model:
        said.append(
            "no memory model is set: a rule chooses; it says how much of the options is recalled, not how well a model would answer"
        )
    if model:
        said.append(f"answered by {model}")
    if open_ended and not model:
        said.append(f"questions to be answered in words: {open_ended:,}, left out: no memory model is set")
    elif open_ended:
        said.append(
            f"questions to be answered in words: {open_ended:,}, "
            + (f"judged by {judge.name}" if judge else f"compared by words alone: {NO_JUDGE}")
        )
    return tuple(said)


def evaluate(
    data: RetrievalData,
    *,
    systems: Sequence[str],
    seed: int,
    note: Callable[[Item], None] = ignored,
    receipts: list[Receipt] | None = None,
) -> Iterator[Figure]:
    """The figures of the named systems. Nothing is by chance; seed is not used. receipts: takes what each system was given and chose. Raises DataRefused where a
    system needs a model and none is set."""
    needing = [name for name in systems if name in SOURCES]
    model = kept_model(build_memory_model(Settings())) if needing else None
    if needing and model is None:
        raise DataRefused(file=data.name, where="", reason="these systems need a memory model (KEEPSAKE_MEMORY_MODEL)")
    asked = choosable(data)
    found: list[Item] = []
    for conversation in steps(data.conversations, "Conversations"):
        own = [q for q in asked if q.conversation_key == conversation.key]
        if not own:
            continue
        with tempfile.TemporaryDirectory() as folder:
            memory = open_memory(Settings(data_dir=Path(folder), memory_model=""))
            try:
                giving = Notes(memory, conversation, model=model, language=data.language)
                notes = {name: _notes(name, giving, own, model) for name in systems}
                for place, question in enumerate(steps(own, "Questions")):
                    for name in systems:
                        chosen = _chosen(name, memory, model, question, notes[name][place])
                        if receipts is not None:
                            receipts.append(_receipt(name, question, conversation, notes[name][place], chosen, dataset=data.name))
                        found.append(
                            Item(
                                task="qa",
                                dataset=data.name,
                                system=name,
                                unit="question",
                                item=question.id,
                                categories=(question.category,),
                                scores={"accuracy": float(chosen == question.right)}
                                | ({UNANSWERED: float(chosen is None)} if name in SOURCES else {}),
                                conversation=conversation.key,
                                embedder=memory.embedder.fingerprint,
                                model=model.name if model is not None and name in SOURCES else "",
                            )
                        )
            finally:
                memory.close()
    items = [item for name in systems for item in found if item.system == name]
    for item in items:
        note(item)
    yield from figures_of(items)


def figures_of(items: Sequence[Item]) -> Iterator[Figure]:
    """items: of one data set."""
    for name in dict.fromkeys(i.system for i in items):
        own = [i for i in items if i.system == name]
        for category in (None, *sorted({kind for i in own for kind in i.categories})):
            hits = [i.scores["accuracy"] == 1.0 for i in own if category is None or category in i.categories]
            bare = Figure(
                task="qa", dataset=own[0].dataset, system=name, category=category, unit="question", metric="accuracy", value=0.0,
                embedder=own[0].embedder, model=own[0].model or None,
            )  # fmt: skip
            yield measured(bare, proportion_interval(sum(hits), len(hits)))
            lost = [i.scores[UNANSWERED] == 1.0 for i in own if UNANSWERED in i.scores and (category is None or category in i.categories)]
            if any(lost):
                yield measured(replace(bare, metric=UNANSWERED), proportion_interval(sum(lost), len(lost)))


def choosable(data: RetrievalData) -> list[RetrievalQuestion]:
    return [q for q in (*data.questions, *data.without_evidence) if q.right is not None and 2 <= len(q.options) <= len(LETTERS)]


def _notes(name: str, notes: Notes, questions: Sequence[RetrievalQuestion], model: StructuredModel | None) -> list[list[Note]]:
    if name == BLIND:
        return [[Note(question.text)] for question in questions]
    room = model.prompt_tokens - SPARED if model is not None and name in SOURCES else None
    return notes.of(name.removesuffix(NEAREST), questions, room=room)


def _chosen(name: str, memory: Memory, model: StructuredModel | None, question: RetrievalQuestion, notes: Sequence[Note]) -> int | None:
    texts = [note.text for note in notes]
    if name not in SOURCES:
        return nearest(memory, question, texts)
    assert model is not None
    return chosen_by(model, question, texts)


def _receipt(
    name: str, question: RetrievalQuestion, conversation: ImportedConversation, notes: Sequence[Note], chosen: int | None, *, dataset: str
) -> Receipt:
    options = question.options
    answer = options[chosen] if chosen is not None and chosen < len(options) else None
    expected = options[question.right] if question.right is not None else ""
    return receipt_of(question, conversation, notes, Answered(answer=answer, expected=expected), dataset=dataset, system=name)


def chosen_by(model: StructuredModel, question: RetrievalQuestion, notes: Sequence[str]) -> int | None:
    """As `by_model`; None where a single answer failed or could not be read, which counts as wrong and is told beside it."""
    try:
        return by_model(model, question, notes)
    except (ModelError, AnswerUnreadable):
        return None


def by_model(model: StructuredModel, question: RetrievalQuestion, notes: Sequence[str]) -> int:
    """The place of the option that a model chooses; one beyond the last where it named an option that is not there. Raises ModelError, AnswerUnreadable."""
    options = dict(zip(LETTERS, question.options, strict=False))
    record = escape(json.dumps({"notes": list(notes), "question": question.text, "options": options}, ensure_ascii=False, indent=0))
    messages = [ChatMessage("system", _ASK), ChatMessage("user", record)]
    return LETTERS.index(model.ask(messages, _Choice, purpose="qa", on_call=lambda call: None).answer)


def nearest(memory: Memory, question: RetrievalQuestion, notes: Sequence[str]) -> int:
    """The option that the notes say most of: the share of its words that stand in them and not in the question, and how near the nearest note is to it."""
    if not notes:
        return 0
    told = {term for text in notes for term in query_terms(text)}
    asked = set(query_terms(question.text))
    near = memory.embedder.queries([f"{question.text} {option}" for option in question.options]) @ memory.embedder.passages(notes).T
    words = []
    for option in question.options:
        own = set(query_terms(option)) - asked
        words.append(len(own & told) / len(own) if own else 0.0)
    return int(np.argmax(np.array(words) + near.max(axis=1)))
