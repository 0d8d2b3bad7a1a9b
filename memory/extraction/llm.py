"""Extraction by a language model: one call for a unit of rounds gives facts and persona values (DualMem 4.1; MOOM 3.2, App. B).

What the model says is a proposal. A fact is kept only if lines are named that say it, if its names and numbers stand in the record, if it shares words with
what it cites, and if nobody is told about but by themselves (or as somebody's sister, dog, town); a value only if it stands in the player's own line as it is.
So neither a careless model nor a hostile line can put in what was not said.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time
from typing import Annotated, Generic, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter, ValidationError

from memory.episodes import language_of
from memory.extraction.draft import DateRange, FactDraft, ValueDraft
from memory.extraction.evidence import Record
from memory.extraction.grounded import MAX_FACT_CHARS, MAX_VALUE_CHARS, label
from memory.persona import PLAYER, UNNAMED
from memory.persona_keys import KEYS
from memory.prompts import reading_en, reading_zh
from memory.timeline import LAST_SECOND, mentions
from models.chat_model import ChatMessage
from models.control_tokens import escape
from models.embedded import NAME as DEMO_MODEL
from storage.records import Chat, Message, Role

VERSION = "llm-1"
MAX_FACTS, MAX_VALUES = 24, 24
"""Of one unit."""
MAX_ITEMS = 200
UNSURE = 0.6
"""Trust in what was said with a hedge."""
CAPS = (4000, 2000, 1000, 500, 250, 120)
"""Most characters of one line, tried until the unit fits the prompt."""

T = TypeVar("T")

_PROMPTS = {"en": reading_en.SYSTEM, "zh": reading_zh.SYSTEM}


def sound_items(kind: type[BaseModel]) -> Callable[[object], object]:
    """Keeps the items of a list that have the form: one that has not must not take the others with it. What is no list is no answer."""
    adapter = TypeAdapter(kind)

    def keep(found: object) -> object:
        if not isinstance(found, list):
            return found
        kept = []
        for item in found[:MAX_ITEMS]:
            try:
                kept.append(adapter.validate_python(item))
            except ValidationError:
                continue
        return kept

    return keep


class FactItem(BaseModel):
    model_config = ConfigDict(populate_by_name=True)

    text: str = Field(min_length=4, max_length=MAX_FACT_CHARS)
    about: str = Field(default="", max_length=120)
    lines: list[int] = Field(min_length=1, max_length=40)
    first: str | None = Field(default=None, alias="from", max_length=40)
    last: str | None = Field(default=None, alias="to", max_length=40)
    sure: bool = True


class ValueItem(BaseModel):
    key: str = Field(max_length=40)
    value: str = Field(min_length=1, max_length=MAX_VALUE_CHARS)
    lines: list[int] = Field(min_length=1, max_length=40)


class ReadingAnswer(BaseModel):
    """What a model answers about a unit, item by item still to be checked."""

    facts: Annotated[list[FactItem], BeforeValidator(sound_items(FactItem))] = Field(default_factory=list)
    persona: Annotated[list[ValueItem], BeforeValidator(sound_items(ValueItem))] = Field(default_factory=list)


@dataclass(frozen=True)
class Cited(Generic[T]):
    """A draft and the messages that say it, oldest first."""

    draft: T
    messages: tuple[Message, ...]


@dataclass(frozen=True)
class Reading:
    """What holds of an answer."""

    facts: tuple[Cited[FactDraft], ...]
    values: tuple[Cited[ValueDraft], ...]
    rejected: Mapping[str, int] = field(default_factory=dict)
    """How many items were dropped, by reason."""


def readable(messages: Sequence[Message]) -> list[Message]:
    """What of a unit is read: not a card's greeting, nor the bundled demo model, which invents and echoes."""
    return [m for m in messages if m.revision.origin != "card" and m.revision.model != DEMO_MODEL and m.text.strip()]


def language_of_unit(messages: Sequence[Message]) -> str:
    return language_of("\n".join(m.text for m in messages))


def prompt(messages: Sequence[Message], chat: Chat, *, tokens: int, count: Callable[[str], int]) -> list[ChatMessage]:
    """What the model is asked about the readable messages of a unit, oldest first. tokens: of the whole prompt; long lines are cut with a mark to fit."""
    language = language_of_unit(messages)
    player = player_of(chat, language=language)
    keys = "; ".join(f"{k.name}: {k.zh if language == 'zh' else k.en}" for k in KEYS.values())
    system = _PROMPTS[language].format(player=escape(player), keys=keys)
    left = tokens - count(system)
    for cap in CAPS:
        lines = [
            {
                "n": number,
                "day": f"{m.said_at:%Y-%m-%d %A}",
                "speaker": label(m, language=language),
                "said": m.text if len(m.text) <= cap else m.text[:cap].rstrip() + " […]",
            }
            for number, m in enumerate(messages, start=1)
        ]
        record = escape(json.dumps({"lines": lines}, ensure_ascii=False, indent=0))
        if count(record) <= left:
            break
    return [ChatMessage("system", system), ChatMessage("user", record)]


def player_of(chat: Chat, *, language: str) -> str:
    """How facts call the player."""
    return PLAYER[language] if chat.user_name.strip().casefold() in UNNAMED else chat.user_name


def reading(answer: ReadingAnswer, messages: Sequence[Message], chat: Chat) -> Reading:
    """What of an answer holds against the readable messages it is about."""
    language = language_of_unit(messages)
    record = Record.of(
        [(label(m, language=language), m.text) for m in messages],
        others=[player_of(chat, language=language), chat.character_name],
        language=language,
    )
    rejected: Counter[str] = Counter()
    facts: dict[str, Cited[FactDraft]] = {}
    for item in answer.facts:
        cited = _cited(item.lines, messages)
        draft = _fact(item, cited, record) if cited else "no_evidence"
        if isinstance(draft, str):
            rejected[draft] += 1
        elif draft.text.casefold() in facts or len(facts) >= MAX_FACTS:
            rejected["repeated"] += 1
        else:
            facts[draft.text.casefold()] = Cited(draft, cited)
    values: dict[tuple[str, str], Cited[ValueDraft]] = {}
    for value in answer.persona:
        own = tuple(m for m in _cited(value.lines, messages) if m.role is Role.USER)
        kept = _value(value, own)
        if isinstance(kept, str):
            rejected[kept] += 1
        elif (kept.key, kept.value) in values or len(values) >= MAX_VALUES:
            rejected["repeated"] += 1
        else:
            values[kept.key, kept.value] = Cited(kept, own)
    return Reading(tuple(facts.values()), tuple(values.values()), dict(rejected))


def _cited(numbers: Sequence[int], messages: Sequence[Message]) -> tuple[Message, ...]:
    """The messages of line numbers; none if one of them names no line."""
    wanted = sorted(set(numbers))
    return tuple(messages[n - 1] for n in wanted) if all(1 <= n <= len(messages) for n in wanted) else ()


def _fact(item: FactItem, cited: Sequence[Message], record: Record) -> FactDraft | str:
    """The fact as it is kept, or why it is not."""
    text = " ".join(item.text.split())
    places = [record.place(m.text) for m in cited]
    dates = [found for m in cited for found in _dates(m)]
    if fault := record.faults(text, places, dates=dates):
        return fault
    named = [label(m, language=record.language) for m in cited]
    speakers = {name.casefold(): name for name in named}
    about = item.about.strip()
    if not about or about.casefold() not in text.casefold():
        about = named[-1]
    about = speakers.get(about.casefold(), about)  # "The player" at the head of a sentence is the player
    told_of = record.opening(text) or about.casefold()
    if told_of in record.people and told_of not in speakers:
        return "about_another"  # nobody speaks for another who is there to speak for themself
    return FactDraft(
        text=text,
        subject=about,
        quote=max((m.text for m in cited), key=len)[:200],
        event=_event(item, dates),
        trust=1.0 if item.sure else UNSURE,
    )


def _dates(message: Message) -> list[DateRange]:
    found = mentions(message.text, said_at=message.said_at, language=language_of(message.text))
    return [mention.range for mention in found]


def _event(item: FactItem, said: Sequence[DateRange]) -> DateRange | None:
    """When it happened: the model's days if what it cites has a time expression that they touch, else that expression's own. Without one, none."""
    if not said:
        return None
    first, last = _day(item.first), _day(item.last or item.first)
    if first is None or last is None or last < first:
        return said[0] if item.first and len(said) == 1 else None
    for range_ in said:
        if range_.first.date() <= last and first <= range_.last.date():
            zone = range_.first.tzinfo
            return DateRange(datetime.combine(first, time(), zone), datetime.combine(last, LAST_SECOND, zone))
    return said[0] if len(said) == 1 else None


def _day(text: str | None) -> date | None:
    found = re.match(r"\d{4}-\d{2}-\d{2}", text or "")
    try:
        return date.fromisoformat(found.group()) if found else None
    except ValueError:
        return None


def _value(item: ValueItem, own: Sequence[Message]) -> ValueDraft | str:
    if item.key not in KEYS:
        return "unknown_key"
    wanted = " ".join(item.value.split()).strip(" .,;:!?。，；：！？")
    if not own or not wanted or not wanted.isprintable():
        return "no_evidence"
    for message in own:
        at = message.text.casefold().find(wanted.casefold())
        if at >= 0:
            return ValueDraft(item.key, message.text[at : at + len(wanted)], message.text[:200])
    return "not_verbatim"
