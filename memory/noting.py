"""Answers by a language model: a note on each excerpt that bears on the question first, then the answer, with what it rests on (Chain-of-Note, LongMemEval 5.5).

What the model says is a proposal: an excerpt that is not there is no citation, and an answer that rests on none, or names somebody of whom no excerpt
tells, is shown as what it is.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, Field

from memory.answering import Answer, Note, Part
from memory.episodes import language_of
from memory.persona import PLAYER
from memory.prompts import answer_en, answer_zh
from memory.reading.drafts import DateRange
from memory.reading.evidence import Record
from memory.reading.items import sound_items
from models.chat_model import ChatMessage
from models.control_tokens import as_character_name, as_name, escape
from storage.records import Kind

PURPOSE = "answer"
MOST_NOTES = 12
CAPS = (1200, 600, 300)
"""Most characters of one excerpt, tried until they fit the prompt; then excerpts are left out, the last in recall first."""
_JOINERS = {0x200C: None, 0x200D: None}
"""Between signs that are written as one: families of emoji, letters of Persian."""
_PROMPTS = {"en": answer_en.SYSTEM, "zh": answer_zh.SYSTEM}


@dataclass(frozen=True)
class Excerpt:
    """Something that recall brought, as the model is shown it."""

    text: str
    kind: Kind
    memory_id: str
    round: int
    said_by: str
    said_at: datetime
    event: DateRange | None = None
    message_id: str = ""
    place: int = 0
    """Of its round in recall, from 0."""


class NoteItem(BaseModel):
    excerpt: int
    says: str = Field(min_length=2, max_length=500)


class NotesAnswer(BaseModel):
    """What a model answers, still to be checked."""

    notes: Annotated[list[NoteItem], BeforeValidator(sound_items(NoteItem))] = Field(default_factory=list)
    found: bool
    answer: str = Field(default="", max_length=2000)
    excerpts: list[int] = Field(default_factory=list, max_length=60)


@dataclass(frozen=True)
class Asked:
    """A question as it is put to the model. player, character: whom "I" and "you" mean, as they are called."""

    text: str
    at: datetime
    player: str
    character: str

    @property
    def language(self) -> str:
        return language_of(self.text)


def prompt(
    asked: Asked, excerpts: Sequence[Excerpt], *, tokens: int, count: Callable[[str], int]
) -> tuple[list[ChatMessage], list[Excerpt]]:
    """What the model is sent, and the excerpts in it as they are numbered from 1: oldest first. excerpts: best first. tokens: of the whole prompt."""
    language = asked.language
    system = _PROMPTS[language].format(
        user=as_name(asked.player) or PLAYER[language], char=as_character_name(asked.character, language=language)
    )
    room = tokens - count(system)
    best = sorted(excerpts, key=lambda e: e.place)
    for most, cap in [*((len(best), cap) for cap in CAPS), *((n, CAPS[-1]) for n in range(len(best) - 1, 0, -1))]:
        shown = sorted(best[:most], key=lambda e: (e.said_at, e.round))
        record = _record(asked, shown, cap=cap)
        if count(record) <= room:
            break
    return [ChatMessage("system", system), ChatMessage("user", record)], shown


def _record(asked: Asked, shown: Sequence[Excerpt], *, cap: int) -> str:
    lines = [
        {
            "n": n,
            "day": f"{e.said_at:%Y-%m-%d %A}",
            "round": e.round,
            "by": e.said_by,
            ("said" if e.kind is Kind.EPISODE else "fact"): e.text if len(e.text) <= cap else e.text[:cap].rstrip() + " […]",
        }
        for n, e in enumerate(shown, start=1)
    ]
    whole = {"excerpts": lines, "question": {"day": f"{asked.at:%Y-%m-%d %A}", "text": asked.text}}
    return escape(json.dumps(whole, ensure_ascii=False, indent=0))


def checked(answer: NotesAnswer, asked: Asked, shown: Sequence[Excerpt]) -> tuple[Answer, list[Excerpt]]:
    """What of an answer holds, and the excerpts it may repeat: those that its notes name, and where it says something of its own all of them, whatever it
    cites. shown: as they were numbered."""
    cited = [n for n in dict.fromkeys(answer.excerpts) if 1 <= n <= len(shown)]
    says = {item.excerpt: " ".join(item.says.split()) for item in reversed(answer.notes) if 1 <= item.excerpt <= len(shown)}
    numbers = sorted({*cited, *list(says)[:MOST_NOTES]})
    used = [shown[n - 1] for n in numbers]
    text = " ".join(answer.answer.split())
    found = answer.found and bool(text)
    founded = found and bool(cited) and not _invents(text, asked, shown)
    notes = tuple(
        _note(shown[n - 1], says.get(n, ""), cited=founded and n in cited)
        for n in sorted(numbers, key=lambda n: (shown[n - 1].said_at, shown[n - 1].round))
    )
    if founded:
        rounds = tuple(sorted({shown[n - 1].round for n in cited}))
        return Answer(True, (Part(text, rounds),), notes, "model", support=1.0), list(shown)
    if found:
        return Answer(False, (Part(text, ()),), notes, "model", "uncited"), list(shown)
    return Answer(False, (), notes, "model", "weak" if notes else "nothing"), used


def _invents(text: str, asked: Asked, shown: Sequence[Excerpt]) -> bool:
    """Whether an answer names somebody or something of which neither the excerpts nor the question tell."""
    said = [*((e.said_by, e.text) for e in shown), ("", asked.text)]
    record = Record.of(said, others=[asked.player, asked.character], language=asked.language)
    return bool(record.invented(text)) or not text.translate(_JOINERS).isprintable()


def _note(excerpt: Excerpt, says: str, *, cited: bool) -> Note:
    return Note(
        says or excerpt.text,
        excerpt.kind,
        excerpt.memory_id,
        excerpt.round,
        excerpt.said_by,
        excerpt.said_at,
        excerpt.event,
        excerpt.text if says else "",
        cited,
    )
