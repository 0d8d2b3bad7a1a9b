"""Extraction by a language model: one call for a unit of rounds gives facts and persona values (DualMem 4.1; MOOM 3.2, App. B).

What the model says is a proposal. A fact is kept only if lines are named that say it, if its names and numbers stand in the record, if it shares words with
what it cites, and if nobody is told about but by themselves (or as somebody's sister, dog, town); a value only if it stands in the player's own line as it is.
So neither a careless model nor a hostile line can put in what was not said.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time
from itertools import permutations
from typing import Annotated, Generic, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from memory.episodes import language_of
from memory.persona import PLAYER, UNNAMED
from memory.persona_keys import KEYS
from memory.prompts import reading_en, reading_zh
from memory.reading.drafts import DateRange, FactDraft, ValueDraft
from memory.reading.evidence import Record
from memory.reading.items import Day, Items, Numbers, Text, sound_items
from memory.reading.messages import MAX_FACT_CHARS, NAMING_KEYS, label
from memory.reading.owners import OF_OTHERS, Owners
from memory.reading.ownership import makes_one, own_words, passes_for
from memory.reading.reader import MAX_VALUE_CHARS
from memory.timeline import LAST_SECOND, mentions
from models.chat_model import ChatMessage
from models.control_tokens import as_name, escape
from models.embedded import NAME as DEMO_MODEL
from storage.records import Chat, Message, Role

VERSION = "llm-1"
MAX_FACTS, MAX_VALUES = 24, 24
"""Of one unit."""
UNSURE = 0.6
"""Trust in what was said with a hedge."""
CAPS = (4000, 2000, 1000, 500, 250, 120)
"""Most characters of one line, tried until the unit fits the prompt."""

_SPACED = re.compile("[^\\W\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
"""Of which words are made that others are written apart from: Chinese and Japanese are not."""

_QUESTION = re.compile(r"[^.!?。！？\n]*[?？]")
_LAST = re.compile(r"(?:[,，;；—]|\s[-–]+\s)(?=[^,，;；—]*$)")
"""Behind what the last part of a question stands."""
_TO_YOU = re.compile(r"(?!\W*(?:or\b|还是))(?:.*\byou|[^你您]*[你您])", re.IGNORECASE)
_OF_ONESELF = re.compile(
    r"\W*(?:(?:and|but|so|well|oh|yes|no|hi|hello|actually)\b\W*)*(?:i|my|we|our)\b|\W*(?:(?:那|嗯|哦|啊|嗨|对|其实|不过|但是?)\W*)*(?:我|咱)",
    re.IGNORECASE,
)
_LEAVES_OPEN = re.compile(
    r"\b(?:you|your|yours|if|whether|unless)\b"
    r"|(?:[,;—]|\s[-–]+\s)\s*(?:(?:and|but|or) )?(?:am|is|are|was|were|do|does|did|have|has|had|can|could|will|would|shall|should|may|might|who|what|where|why|how"
    r"|which|whose)\b"
    r"|[你您吗呢几]|什么|谁|哪|怎么|为何|多少|还是|是否|难道|如果|要是|假如|(.)[不没]\1",
    re.IGNORECASE,
)
"""What asks or supposes itself, or is of the listener."""
T = TypeVar("T")

_PROMPTS = {"en": reading_en.SYSTEM, "zh": reading_zh.SYSTEM}


class FactItem(BaseModel):
    model_config = ConfigDict(populate_by_name=True)

    text: str = Field(min_length=4, max_length=MAX_FACT_CHARS)
    about: Text = Field(default="", max_length=120)
    lines: Numbers = Field(min_length=1, max_length=40)
    first: Day = Field(default=None, alias="from", max_length=40)
    last: Day = Field(default=None, alias="to", max_length=40)
    sure: bool = True


class ValueItem(BaseModel):
    key: str = Field(max_length=40)
    value: str = Field(min_length=1, max_length=MAX_VALUE_CHARS)
    lines: Numbers = Field(min_length=1, max_length=40)


class ReadingAnswer(Items):
    """What a model answers about a unit, item by item still to be checked."""

    facts: Annotated[list[FactItem], BeforeValidator(sound_items(FactItem))] = Field(default_factory=list)
    persona: Annotated[list[ValueItem], BeforeValidator(sound_items(ValueItem))] = Field(default_factory=list)


@dataclass(frozen=True)
class Cited(Generic[T]):
    """A draft and the messages that say it, oldest first."""

    draft: T
    messages: tuple[Message, ...]
    teller: Message
    """The one of them in which it is told."""


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
    player = player_of(chat, _players(messages), language=language)
    keys = "; ".join(f"{k.name}: {k.zh if language == 'zh' else k.en}" for k in KEYS.values())
    system = _PROMPTS[language].format(player=as_name(player) or PLAYER[language], keys=keys)
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


def player_of(chat: Chat, named: Sequence[str], *, language: str) -> str:
    """How facts call the player: by the last of the names they spoke under in what is read; where they said nothing, as the conversation began. So it follows from
    what was said, whoever the player is by now."""
    name = named[-1] if named else chat.user_name if chat.began_as is None else chat.began_as
    return PLAYER[language] if name.strip().casefold() in UNNAMED or name in PLAYER.values() else name


def _players(messages: Sequence[Message]) -> list[str]:
    return [m.speaker for m in messages if m.role is Role.USER]


def reading(answer: ReadingAnswer, messages: Sequence[Message], chat: Chat) -> Reading:
    """What of an answer holds against the readable messages it is about."""
    record = _Said(messages, chat)
    rejected: Counter[str] = Counter()
    facts: dict[str, Cited[FactDraft]] = {}
    for item in answer.facts:
        fact = record.fact(item)
        if isinstance(fact, str):
            rejected[fact] += 1
        elif fact.draft.text.casefold() in facts or len(facts) >= MAX_FACTS:
            rejected["repeated"] += 1
        else:
            facts[fact.draft.text.casefold()] = fact
    values: dict[tuple[str, str], Cited[ValueDraft]] = {}
    for wanted in answer.persona:
        value = record.value(wanted)
        if isinstance(value, str):
            rejected[value] += 1
        elif (value.draft.key, value.draft.value) in values or len(values) >= MAX_VALUES:
            rejected["repeated"] += 1
        else:
            values[value.draft.key, value.draft.value] = value
    return Reading(tuple(facts.values()), tuple(values.values()), dict(rejected))


class _Said:
    """The readable messages of a unit, as what a model makes of them is checked against."""

    def __init__(self, messages: Sequence[Message], chat: Chat) -> None:
        self._messages = messages
        language = language_of_unit(messages)
        self._speakers = [label(m, language=language) for m in messages]
        self._named = {name.casefold(): name for name in self._speakers}
        """"The player" at the head of a sentence is the player."""
        self._there = {*self._speakers, player_of(chat, _players(messages), language=language), chat.character_name}
        self._there |= {name for m in messages for name in m.present}
        self._words = [
            own_words(m.text, speaker=speaker, others=self._there - {speaker}) for m, speaker in zip(messages, self._speakers, strict=True)
        ]
        self._record = Record.of(zip(self._speakers, self._words, strict=True), others=sorted(self._there), language=language)

        self._owners = Owners(messages, self._speakers, chat, self._record)

    def fact(self, item: FactItem) -> Cited[FactDraft] | str:
        """The fact as it is kept, or why it is not."""
        text = " ".join(item.text.split())
        places = self._places(item.lines)
        if not places:
            return "no_evidence"
        cited = [self._messages[p] for p in places]
        dates = [found for m in cited for found in _dates(m)]
        if fault := self._record.faults(text, places, dates=dates):
            return fault
        about = item.about.strip()
        if not about or about.casefold() not in text.casefold():
            about = ""
        told_of = self._record.told_of(text) | self._record.told_of(f"{about} _")
        own = [p for p in places if not told_of or self._speakers[p].casefold() in told_of]
        if not told_of <= {self._speakers[p].casefold() for p in own}:
            return "about_another"  # nobody speaks for another who is there to speak for themself
        # Also where both are cited: what is told of one must not be taken from what the other said, unless it was asked and answered.
        if self._record.borrowed(text, [*self._texts(own), *self._asked(places, own)], self._texts(p for p in places if p not in own)):
            return "about_another"
        if self._owners.another_is_meant(text, own) or any(makes_one(text, *pair) for pair in permutations(self._there, 2)):
            return "about_another"
        teller = max(own, key=lambda p: (self._record.shared(text, self._words[p]), p))
        if self._owners.is_turned_round(text, own):
            return "turned_round"
        draft = FactDraft(
            text=text,
            subject=self._named.get(about.casefold(), about) or self._speakers[teller],
            quote=max((self._messages[p].text for p in own), key=len)[:200],
            event=_event(item, dates),
            trust=1.0 if item.sure else UNSURE,
        )
        return Cited(draft, tuple(cited), self._messages[teller])

    def value(self, item: ValueItem) -> Cited[ValueDraft] | str:
        """The value as it is kept, or why it is not."""
        if item.key not in KEYS:
            return "unknown_key"
        own = [p for p in self._places(item.lines) if self._messages[p].role is Role.USER]
        wanted = " ".join(item.value.split()).strip(" .,;:!?。，；：！？")
        if not own or not wanted or not wanted.isprintable():
            return "no_evidence"
        why = "not_verbatim"
        for place in own:
            words, message = self._words[place], self._messages[place]
            questions = list(_asked(words))
            for found in _verbatim(wanted).finditer(words):
                if any(first <= found.start() < last for first, last in questions):
                    why = "asked"
                elif self._is_anothers(item.key, found.group(), place):
                    why = "about_another"
                else:
                    draft = ValueDraft(item.key, found.group(), message.text[:200])
                    return Cited(draft, tuple(self._messages[p] for p in own), message)
        return why

    def _is_anothers(self, key: str, words: str, place: int) -> bool:
        if key in NAMING_KEYS and any(passes_for(words, speaker=self._speakers[place], other=other) for other in self._there):
            return True
        return key not in OF_OTHERS and self._owners.another_has(words, place)

    def _places(self, numbers: Sequence[int]) -> list[int]:
        """The places of line numbers, rising; none if one of them names no line."""
        wanted = sorted(set(numbers))
        return [n - 1 for n in wanted] if all(1 <= n <= len(self._messages) for n in wanted) else []

    def _texts(self, places: Iterable[int]) -> list[str]:
        return [self._words[p] for p in places]

    def _asked(self, places: Sequence[int], own: Sequence[int]) -> list[str]:
        """The questions among the places that one of `own` comes directly after."""
        return [question for p in places if p not in own and p + 1 in own for question in _QUESTION.findall(self._words[p])]


def _verbatim(words: str) -> re.Pattern[str]:
    """Finds words as they stand, in large or small letters, and no part of a longer one: no art in a party, but Google in 在Google工作."""

    def ends(edge: str) -> bool:
        return edge.isascii() or _SPACED.match(edge) is not None

    before, after = (f"(?<!{_SPACED.pattern})" if ends(words[0]) else ""), (f"(?!{_SPACED.pattern})" if ends(words[-1]) else "")
    return re.compile(before + re.escape(words) + after, re.IGNORECASE)


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


def _asked(words: str) -> Iterator[tuple[int, int]]:
    """Where a line asks: of "I'm a nurse, and you?" the last two words."""
    for question in _QUESTION.finditer(words):
        last = _LAST.search(question.group())
        yield question.start() + (last.start() if last and _is_told(question.group(), last) else 0), question.end()


def _is_told(question: str, last: re.Match[str]) -> bool:
    told = question[: last.start()]
    return _TO_YOU.match(question, last.end()) is not None and _OF_ONESELF.match(told) is not None and _LEAVES_OPEN.search(told) is None
