"""Insights by a language model: what a unit's facts, with older ones, mean to this character (DualMem 4.1).

The model is shown the character's own lenses (stances, values, goals, dilemma) and numbered facts; it names which lens and which facts an insight rests on.
Kept is only what cites at least two facts of different rounds, one of them new, through a lens that exists, without repeating what a fact says.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Annotated

import numpy as np
from pydantic import BaseModel, BeforeValidator, Field

from memory.asking import Asker, most_that_fit
from memory.clinical import is_clinical
from memory.deriving import Deriver, about_player, of_newest, players
from memory.facts import path_order, standing
from memory.keeping import Keeper
from memory.persona import PLAYER
from memory.prompts import insights_en, insights_zh
from memory.reading.evidence import Record
from memory.reading.items import Items, Numbers, sound_items
from memory.reading.llm import player_of
from memory.words import ANIMALS_EN, ANIMALS_ZH, PEOPLE_EN, PEOPLE_ZH
from models.chat_model import ChatMessage
from models.control_tokens import as_character_name, as_name, escape
from personas.record import Character, fill
from storage.records import Chat, Kind, Memory, stable_id
from storage.scope import Scope
from storage.terms import query_terms

VERSION = "insights-llm-1"
PURPOSE = "insights"
OLDER = 12
"""Older facts that are shown beside a unit's own: those nearest to one of them."""
MAX_INSIGHTS = 3
"""Of one unit."""
REPEATS = 0.7
"""Share of an insight's terms that one fact may hold; above, it says what the fact says."""
MAX_NEW = 24
_PROMPTS = {"en": insights_en.SYSTEM, "zh": insights_zh.SYSTEM}
_THINKS = (
    r"(?:seems?|appears?|looks?|may|might|must|could|would|should|will|is|are|was|were|has|have|had|does|did|feels?|thinks?|wants?|needs?|loves?|hates?|fears?"
    r"|believes?|knows|resents?|envies|likely|probably|perhaps|still|secretly|never|always)\b"
)


class InsightItem(BaseModel):
    text: str = Field(min_length=6, max_length=300)
    facts: Numbers = Field(min_length=2, max_length=12)
    lens: int


class InsightsAnswer(Items):
    """What a model answers about facts, item by item still to be checked."""

    insights: Annotated[list[InsightItem], BeforeValidator(sound_items(InsightItem))] = Field(default_factory=list)


@dataclass(frozen=True)
class Material:
    """What a model is shown. facts: in path order; new: ids of the unit's own."""

    facts: tuple[Memory, ...]
    new: frozenset[str]
    lenses: tuple[str, ...]
    language: str


def lenses_of(character: Character, *, player: str) -> tuple[str, ...]:
    """What a character sees through: judgments and traits that come from its own life. Empty for one without a record."""
    record = character.persona
    own = [stance.statement for stance in character.stances] + [*record.core_values, *record.goals, record.dilemma]
    return tuple(fill(text, user=player, char=character.name) for text in own if text.strip())


def prompt(material: Material, character: Character, *, player: str) -> list[ChatMessage]:
    system = _PROMPTS[material.language].format(
        char=as_character_name(character.name, language=material.language), player=as_name(player) or PLAYER[material.language]
    )
    who = {"name": character.name, "background": character.persona.background or character.description[:800]}
    shown = {
        "character": who,
        "lenses": [{"n": n, "lens": lens} for n, lens in enumerate(material.lenses, start=1)],
        "facts": [{"n": n, "round": f.round_last, "fact": f.text} for n, f in enumerate(material.facts, start=1)],
    }
    return [ChatMessage("system", system), ChatMessage("user", escape(json.dumps(shown, ensure_ascii=False, indent=0)))]


def insights(
    answer: InsightsAnswer, material: Material, *, character: Character, player: str
) -> list[tuple[InsightItem, tuple[Memory, ...]]]:
    """What of an answer holds, each with the facts it rests on, in path order; of several through one lens the first."""
    record = Record.of([(f.said_by, f.text) for f in material.facts], others=[player, character.name], language=material.language)
    kept: dict[int, tuple[InsightItem, tuple[Memory, ...]]] = {}
    for item in answer.insights:
        numbers = sorted(set(item.facts))
        if item.lens in kept or not 1 <= item.lens <= len(material.lenses) or not all(1 <= n <= len(material.facts) for n in numbers):
            continue
        grounds = tuple(material.facts[n - 1] for n in numbers)
        text = " ".join(item.text.split())
        if len({f.round_last for f in grounds}) < 2 or not any(f.id in material.new for f in grounds):
            continue
        if any(_share(text, f.text) > REPEATS for f in grounds) or _share(grounds[0].text, grounds[-1].text) > REPEATS:
            continue  # it repeats a fact, or rests on one thing said twice
        # A reading may use words that nobody said, but no names, numbers or persons; and it is of the player alone, and no diagnosis.
        if (
            record.told_of(text) != {player.casefold()}
            or _is_of_another(text, player)
            or is_clinical(text, told=[f.text for f in grounds])
            or record.faults(text, range(len(record.lines))) not in ("", "unsupported")
            or material.lenses[item.lens - 1].casefold() == text.casefold()
        ):
            continue
        kept[item.lens] = (item.model_copy(update={"text": text}), grounds)
    return list(kept.values())[:MAX_INSIGHTS]


def _is_of_another(text: str, player: str) -> bool:
    """Whether a reading is of a sister or a dog of the player's: "Mara's sister Ida seems jealous"."""
    owned = re.match(
        rf"\W*(?:(?:perhaps|maybe|也许|或许|大概)\W*)?{re.escape(player)}(?:['’]s\s+|的)(?P<what>.*)", text, re.IGNORECASE | re.DOTALL
    )
    return owned is not None and _somebody().match(owned["what"]) is not None and not _is_to_player(owned["what"], player)


def _is_to_player(what: str, player: str) -> bool:
    """Whether it says who somebody is to the player, or how many they are: "what holds her together", 在小满心里很重要, 很多. What they feel is theirs."""
    english, chinese = _people()
    she, her = rf"(?:{re.escape(player)}|[她他])", rf"(?:{re.escape(player)}\b|\b(?:her|him|them)\b)"
    return (
        re.match(
            rf"(?:\w+ ){{0,2}}?(?:{english})(?: [A-Z]\w+){{0,2}},? (?:is|are|was|were|will be)(?: always| still| probably)?"
            rf" (?:what|who|why|where|the|an?|one)\b.*?{her}"
            rf"|(?:{chinese})[\u4e00-\u9fff]{{0,3}}?(?:[很不][多少](?![\u4e00-\u9fff])|[也就才]?是.*?{she}|在{she}的?(?:心|眼|生活|生命|世界|回忆)"
            rf"|对{she}(?:来说)?[很最更太非常]{{0,2}}(?:重要|要紧|珍贵))",
            what,
            re.DOTALL,
        )
        is not None
    )


@cache
def _people() -> tuple[str, str]:
    """Words for somebody or an animal, as alternatives of a pattern."""
    english = "|".join(sorted(PEOPLE_EN | ANIMALS_EN | {"parents", "siblings"}))
    return english, "|".join(sorted(PEOPLE_ZH | ANIMALS_ZH, key=len, reverse=True))


@cache
def _somebody() -> re.Pattern[str]:
    """Somebody or an animal as the one that a sentence says something of."""
    english, chinese = _people()
    return re.compile(
        rf"(?:\w+ ){{0,2}}?(?:{english})(?: [A-Z]\w+){{0,2}},? {_THINKS}"
        rf"|(?:{chinese})[\u4e00-\u9fff]{{0,3}}?"
        "(?:似乎|好像|看来|看起来|可能|也许|或许|大概|应该|想必|其实|一定|总|很|是|在|想|觉得|希望|害怕|需要|爱|恨|不|没|有|会)"
    )


def _share(text: str, other: str) -> float:
    terms = set(query_terms(text))
    return len(terms & set(query_terms(other))) / len(terms) if terms else 1.0


class Reflector:
    def __init__(self, keeper: Keeper, deriver: Deriver, asker: Asker) -> None:
        self._keeper = keeper
        self._deriver = deriver
        self._asker = asker

    def reflect(self, scope: Scope, branch_id: str, chat: Chat, *, first_round: int, last_round: int) -> list[Memory]:
        """Ask what the facts of a unit that was read mean, and keep it; the insights that came of it.

        Raises models.errors.ModelError and models.structured.AnswerUnreadable: then nothing is changed.
        """
        character = self._deriver.character(scope, chat)
        path = of_newest(about_player(self._deriver.facts(scope, branch_id, before_round=last_round + 1)))
        new = [f for f in path if f.round_last >= first_round][:MAX_NEW]
        language = new[0].language if new else character.language
        player = player_of(chat, players(path), language=language)
        lenses = lenses_of(character, player=player)
        older = self._nearest(scope, [f for f in path if f.round_last < first_round], new)

        def of(some: Sequence[Memory]) -> Material:
            return Material(tuple(sorted(some, key=path_order)), frozenset(f.id for f in new), lenses, language)

        shown = most_that_fit([*new, *older], lambda some: prompt(of(some), character, player=player), self._asker.model)
        material = of(shown)
        if not new or not lenses or len({f.round_last for f in material.facts}) < 2:
            return []  # no sufficient evidence, or nothing to see it through: nothing to ask
        texts = [part for f in material.facts for part in (f.derivation_key, f.text)]
        key = stable_id("insights", VERSION, self._asker.model.name, character.id, *lenses, *texts)
        answer, read = self._asker.ask(
            scope, key, lambda: prompt(material, character, player=player), InsightsAnswer, purpose=PURPOSE, version=VERSION
        )
        made = [
            self._insight(chat, character, key, item, grounds, player=player, first_round=first_round)
            for item, grounds in insights(answer, material, character=character, player=player)
        ]
        self._keeper.keep(scope, made, read=read)
        return made

    def _nearest(self, scope: Scope, older: Sequence[Memory], new: Sequence[Memory]) -> list[Memory]:
        """The older facts nearest to a new one, by exact search, whatever was forgotten."""
        if not older or not new:
            return []
        likeness = (self._keeper.vectors(scope, older) @ self._keeper.vectors(scope, new).T).max(axis=1)
        return [older[i] for i in np.argsort(-likeness, kind="stable")[:OLDER].tolist()]

    def _insight(
        self, chat: Chat, character: Character, key: str, item: InsightItem, grounds: Sequence[Memory], *, player: str, first_round: int
    ) -> Memory:
        last = grounds[-1]
        own = stable_id("insight", key, item.lens)
        return Memory(
            id=stable_id("memory", chat.id, own, *map(standing, grounds)),
            chat_id=chat.id,
            kind=Kind.INSIGHT,
            text=item.text,
            language=last.language,
            round_first=grounds[0].round_first,
            round_last=last.round_last,
            said_at=last.said_at,
            sources=tuple(dict.fromkeys(s for f in grounds for s in f.sources)),
            derivation_key=own,
            grounds=tuple(f.id for f in grounds),
            subject=player,
            said_by=character.name,
            payload={"lens": item.lens, "model": self._asker.model.name},
            trust=min(f.trust for f in grounds),
            slot=f"reading:{first_round}:{item.lens}",
        )
