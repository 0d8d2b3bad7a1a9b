"""Merging values of complex keys by a language model (MOOM 3.2): long-term goals, beliefs and how things stand with somebody change in words, not by rule.

One question for all such keys of a path, asked at most once in thirty rounds and only where a key has several values. The answer is kept by the values it
was asked about, and put into the sketch whenever the path has those values, so the sketch stays a pure function of the path. What the model does not put
together, what came since, and everything where there is no model, stands side by side and is marked unmerged. The values themselves are never changed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, Field, ValidationError

from memory.asking import Asker
from memory.episodes import language_of
from memory.narrative import CHAPTER_ROUNDS
from memory.persona import Entry, sketch
from memory.persona_keys import KEYS, Merge
from memory.prompts import merge_en, merge_zh
from memory.reading.items import Items, Numbers, sound_items
from memory.tastes import Meets
from models.chat_model import ChatMessage
from models.control_tokens import escape
from storage.records import Kind, Memory, stable_id
from storage.scope import Scope
from storage.store import Store
from storage.terms import query_terms

VERSION = "merge-llm-1"
PURPOSE = "persona"
EVERY = CHAPTER_ROUNDS
"""Rounds between two merges: two calls in sixty rounds at most."""
MOST_VALUES = 24
"""Of one key, the newest; older ones stay as they are."""
MOST_LINES = 3
_PROMPTS = {"en": merge_en.SYSTEM, "zh": merge_zh.SYSTEM}
_JOINING = frozenset(
    query_terms("want wants hope hopes plan plans longer anymore instead still first later earlier before once used changed rather both")
)
"""Terms that may stand between those of the values."""
_JOINING_ZH = frozenset("想要打算希望原来本曾经以前后现在不再也还仍然并且但而又先改为了的和与")
_PERSON = re.compile(
    r"\b(?:I|I['’](?:m|ve|d|ll)|[Mm]y|[Mm]e|[Yy]ou|[Yy]our|[Yy]ours)\b|\b(?:of|is|are|was|were|be) mine\b|(?<![自忘])我(?!行我素)|咱|(?<!迷)你|您"
)
_CJK = re.compile(r"[\u3400-\u9fff]")


class LineItem(BaseModel):
    key: str = Field(max_length=40)
    text: str = Field(min_length=2, max_length=200)
    values: Numbers = Field(min_length=2, max_length=MOST_VALUES)


class MergeAnswer(Items):
    """What a model answers about values, item by item still to be checked."""

    merged: Annotated[list[LineItem], BeforeValidator(sound_items(LineItem))] = Field(default_factory=list)
    of: list[str] = Field(default_factory=list)
    """The values it was asked about, beside what it says of them: so that what is erased of them takes the answer along."""


@dataclass(frozen=True)
class Question:
    values: tuple[Memory, ...]
    """Of complex keys that have several, key by key, oldest first."""

    @property
    def key(self) -> str:
        parts = (part for v in self.values for part in (_key(v), f"{v.said_at:%Y-%m-%d}", v.text))
        return stable_id("merge", VERSION, *parts)

    @property
    def language(self) -> str:
        return language_of("\n".join(v.text for v in self.values))

    def prompt(self) -> list[ChatMessage]:
        names = ", ".join(dict.fromkeys(_key(v) for v in self.values))
        shown = [{"n": n, "key": _key(v), "day": f"{v.said_at:%Y-%m-%d}", "value": v.text} for n, v in enumerate(self.values, start=1)]
        record = escape(json.dumps({"values": shown}, ensure_ascii=False, indent=0))
        return [ChatMessage("system", _PROMPTS[self.language].format(keys=names, lines=MOST_LINES)), ChatMessage("user", record)]


@dataclass(frozen=True)
class Line:
    """Values put together. values: at least two of one key, oldest first."""

    text: str
    values: tuple[Memory, ...]


def question(entries: Iterable[Entry]) -> Question | None:
    """What there is to merge in a sketch; None where no complex key has two values. What a person wrote stands as it is."""
    found: list[Memory] = []
    for entry in entries:
        if entry.key.merge is Merge.COMPLEX:
            own = [v for v in reversed(entry.values) if v.origin == "model"][-MOST_VALUES:]
            found += own if len(own) > 1 else []
    return Question(tuple(found)) if found else None


def lines(answer: MergeAnswer, asked: Question) -> list[Line]:
    """What of an answer holds: nothing is said that its values do not say, none of them is left out of what is said of it, and none stands in two."""
    taken: set[int] = set()
    kept: dict[str, list[Line]] = {}
    for item in answer.merged:
        numbers = sorted(set(item.values))
        if len(numbers) < 2 or not all(1 <= n <= len(asked.values) for n in numbers) or taken & set(numbers):
            continue
        values = tuple(asked.values[n - 1] for n in numbers)
        text = " ".join(item.text.split())
        own = kept.setdefault(item.key, [])
        if {_key(v) for v in values} == {item.key} and len(own) < MOST_LINES and _says_only(text, [v.text for v in values]):
            own.append(Line(text, values))
            taken |= set(numbers)
    return [line for own in kept.values() for line in own]


def _says_only(text: str, values: Sequence[str]) -> bool:
    """Whether a phrase is made of its values' words, and has some of each."""
    whole = "\n".join(values)
    if not text.isprintable() or _PERSON.search(text) or language_of(text) != language_of(whole):
        return False
    said = set(query_terms(text))
    if any(not said & set(query_terms(value)) for value in values):
        return False
    if set(_CJK.findall(text)) - set(whole) - _JOINING_ZH:
        return False
    return not {term for term in said if not _CJK.search(term)} - set(query_terms(whole)) - _JOINING


def applied(entries: Iterable[Entry], merged: Sequence[Line]) -> tuple[Entry, ...]:
    """A sketch with lines in the place of what they put together, which stays in its history."""
    made = []
    for entry in entries:
        here = {v.id for v in entry.values}
        own = [line for line in merged if _key(line.values[0]) == entry.key.name and {v.id for v in line.values} <= here]
        gone = {v.id for line in own for v in line.values}
        values = [*map(_shown, own), *(v for v in entry.values if v.id not in gone)]
        former = [*(v for v in entry.values if v.id in gone), *entry.former]
        made.append(Entry(entry.key, tuple(sorted(values, key=lambda v: -v.round_last)), tuple(former)))
    return tuple(made)


def _shown(line: Line) -> Memory:
    """A line as a value that is stored nowhere."""
    newest = line.values[-1]
    payload = {"key": _key(newest), "merged": True, "quote": " · ".join(v.text for v in line.values)}
    grounds = tuple(v.id for v in line.values)
    return replace(newest, id="", text=line.text, round_first=line.values[0].round_first, grounds=grounds, pinned=False, payload=payload)


def merged_sketch(store: Store, scope: Scope, values: Iterable[Memory], *, now: int, meets: Meets | None = None) -> tuple[Entry, ...]:
    """The sketch of a path's values, with the newest merge that was made of them. now: round; meets: as for `sketch`."""
    counting = list(values)
    entries = sketch(counting, meets=meets)
    if question(entries) is None or not store.derivations.has(scope, version=VERSION):
        return entries
    complex_values = [v for v in counting if _key(v) and KEYS[_key(v)].merge is Merge.COMPLEX]
    # Where nothing was said between two ends of spans, what was asked at them is the same.
    ends = {min((v.round_last // EVERY + 1) * EVERY, now // EVERY * EVERY) for v in complex_values}
    for before in sorted(ends - {0}, reverse=True):
        asked = question(sketch(v for v in complex_values if v.round_last < before))
        if asked is None:
            return entries
        stored = _stored(store, scope, asked)
        if stored is not None:
            return applied(entries, lines(stored, asked))
    return entries


def _stored(store: Store, scope: Scope, asked: Question) -> MergeAnswer | None:
    stored = store.derivations.get(scope, asked.key, version=VERSION)
    try:
        return MergeAnswer.model_validate_json(stored) if stored is not None else None
    except ValidationError:
        return None  # of a file from elsewhere; as if it had not been asked


class Merger:
    def __init__(self, store: Store, asker: Asker) -> None:
        self._store = store
        self._asker = asker

    def wanted(self, scope: Scope, branch_id: str, *, before: int) -> Question | None:
        """What is to be asked about the path before a round; None where there is nothing to merge, or it was."""
        if before < EVERY:
            return None
        seen = self._store.memories.visible(scope, branch_id).of_kinds((Kind.PERSONA,)).recallable.before(before // EVERY * EVERY)
        asked = question(sketch(self._store.memories.get(scope, seen.ids).values()))
        return asked if asked is not None and _stored(self._store, scope, asked) is None else None

    def merge(self, scope: Scope, branch_id: str, *, before: int) -> None:
        """Ask how what was said before a round is to be put together, unless it was asked. before: counted in whole spans of EVERY rounds.

        Raises models.errors.ModelError and models.structured.AnswerUnreadable: then all stays side by side.
        """
        asked = self.wanted(scope, branch_id, before=before)
        if asked is None:
            return
        answer, _ = self._asker.ask(scope, asked.key, asked.prompt, MergeAnswer, purpose=PURPOSE, version=VERSION)
        kept = answer.model_copy(update={"of": [v.text for v in asked.values]})
        self._store.derivations.show(scope, {asked.key: kept.model_dump_json()}, kind="merge", version=VERSION)


def _key(value: Memory) -> str:
    name = str(value.payload.get("key", ""))
    return name if name in KEYS else ""
