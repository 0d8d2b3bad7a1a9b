"""Topics by a language model: one call for a session that is over and was read, which sorts its facts and says what goes on with what (RMM 5.1, 5.2).

Like the story it is told from facts and not from the raw rounds, so no topic brings back what a person erased or left out. What the model says is a
proposal: one person's facts, no name or number that does not stand in them, older topics that exist. The topics made without a model
(`memory.topics`) are there first and hold until then, and whenever the model fails.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from pydantic import BaseModel, BeforeValidator, Field

from memory import narrative
from memory.asking import Asker, most_that_fit
from memory.deriving import Deriver, players
from memory.keeping import Keeper
from memory.persona import PLAYER
from memory.prompts import topics_en, topics_zh
from memory.reading.evidence import Record
from memory.reading.items import Items, Numbers, sound_items
from memory.reading.llm import player_of
from memory.sessions import Session
from memory.topics import BY_MODEL, Decomposed, slot_of
from models.chat_model import ChatMessage
from models.control_tokens import as_character_name, as_name, escape
from storage.records import Chat, Kind, Memory, stable_id
from storage.scope import Scope
from storage.store import Store

VERSION = "topics-llm-1"
PURPOSE = "topics"
LEAST = 4
"""Facts of a session that is worth a call; of fewer there is nothing to sort."""
MOST_FACTS = 160
"""Facts that are shown: those of sixty rounds at most; of more, or where the model has less room, the plainest are left out, those without a day first."""
MOST_TOPICS = 8
OLDER = 12
"""Older topics that are shown: those nearest to the session (K of RMM 5.2)."""
_PROMPTS = {"en": topics_en.SYSTEM, "zh": topics_zh.SYSTEM}


class TopicItem(BaseModel):
    summary: str = Field(min_length=4, max_length=700)
    facts: Numbers = Field(min_length=1, max_length=60)
    continues: Numbers = Field(default_factory=list, max_length=20)


class TopicsAnswer(Items):
    """What a model answers about a session, topic by topic still to be checked."""

    topics: Annotated[list[TopicItem], BeforeValidator(sound_items(TopicItem))] = Field(default_factory=list)


@dataclass(frozen=True)
class Sorted:
    """One topic of an answer that holds."""

    summary: str
    facts: tuple[Memory, ...]
    continues: tuple[Memory, ...]


def prompt(facts: Sequence[Memory], older: Sequence[Memory], *, player: str, character: str, language: str) -> list[ChatMessage]:
    """facts: of the session, oldest first; older: topics of earlier sessions."""
    names = {"player": as_name(player) or PLAYER[language], "char": as_character_name(character, language=language)}
    system = _PROMPTS[language].format(**names, most=MOST_TOPICS)
    shown = {
        "facts": [{"n": n, "by": f.said_by, "round": f.round_last, "fact": f.text} for n, f in enumerate(facts, start=1)],
        "earlier": [{"n": n, "by": t.said_by, "topic": t.text} for n, t in enumerate(older, start=1)],
    }
    return [ChatMessage("system", system), ChatMessage("user", escape(json.dumps(shown, ensure_ascii=False, indent=0)))]


def sorted_topics(
    answer: TopicsAnswer, facts: Sequence[Memory], older: Sequence[Memory], *, others: Sequence[str], language: str
) -> list[Sorted]:
    """What of an answer holds, in the order of the first fact of each. A fact is in the first topic that names it; what is older counts where it is the same
    speaker's."""
    record = Record.of([(f.said_by, f.text) for f in facts], others=others, language=language)
    taken: set[int] = set()
    kept: list[tuple[int, Sorted]] = []
    for item in answer.topics:
        numbers = sorted(set(item.facts) - taken)
        if not numbers or not all(1 <= n <= len(facts) for n in item.facts):
            continue
        grounds = tuple(facts[n - 1] for n in numbers)
        text = " ".join(item.summary.split())
        if len({f.said_by for f in grounds}) > 1 or record.faults(text, [n - 1 for n in numbers]):
            continue
        taken |= set(numbers)
        named = (older[n - 1] for n in dict.fromkeys(item.continues) if 1 <= n <= len(older))
        kept.append((numbers[0], Sorted(text, grounds, tuple(t for t in named if t.said_by == grounds[0].said_by))))
    return [topic for _, topic in sorted(kept, key=lambda pair: pair[0])][:MOST_TOPICS]


def _in_order(told: Decomposed, some: Sequence[Memory]) -> list[Memory]:
    chosen = {f.id for f in some}
    return [f for f in told.facts if f.id in chosen]


class Decomposer:
    def __init__(self, store: Store, keeper: Keeper, deriver: Deriver, asker: Asker) -> None:
        self._store = store
        self._keeper = keeper
        self._deriver = deriver
        self._asker = asker

    def decompose(self, scope: Scope, branch_id: str, chat: Chat, session: Session) -> list[Memory]:
        """Have a session's topics told as its facts are now: without the model, and by it if there is enough to sort; those of the model.

        Raises models.errors.ModelError and models.structured.AnswerUnreadable: then those without it stand.
        """
        plain = self._deriver.topics_of_session(scope, branch_id, session)
        self._store.memories.supersede(scope, self._deriver.stale_topics(scope, branch_id, [session], plain))
        self._keeper.keep(scope, plain)
        told = self._deriver.decomposed(scope, branch_id, session)
        if told is None or len(told.facts) < LEAST or self._is_sorted(scope, branch_id, told):
            return []
        language = told.facts[0].language
        older = self._older(scope, branch_id, session, told.facts)
        player = player_of(chat, players(told.facts), language=language)

        def asking(some: Sequence[Memory]) -> list[ChatMessage]:
            character = scope.witness or chat.character_name
            return prompt(_in_order(told, some), older, player=player, character=character, language=language)

        ranked = sorted(told.facts, key=narrative.salience, reverse=True)[:MOST_FACTS]
        facts = _in_order(told, most_that_fit(ranked, asking, self._asker.model))
        texts = [part for f in facts for part in (f.derivation_key, f.text)]
        key = stable_id("topics", VERSION, self._asker.model.name, session.first, *texts, *(t.text for t in older))
        answer, read = self._asker.ask(
            scope,
            key,
            lambda: asking(facts),
            TopicsAnswer,
            purpose=PURPOSE,
            version=VERSION,
        )
        own = stable_id("topic", key, *(m.revision.sha256 for m in told.messages))
        found = sorted_topics(answer, facts, older, others=[player, chat.character_name], language=language)
        made = [
            told.topic(
                place,
                topic.summary,
                topic.facts,
                key=own,
                first=BY_MODEL,
                payload={"model": self._asker.model.name, "of": told.key, "continues": [t.id for t in topic.continues]},
            )
            for place, topic in enumerate(found)
        ]
        before = [m.id for m in self._of(scope, branch_id, session) if m.origin == "model" and "model" in m.payload]
        here = {s.revision_id for s in told.sources}
        held = self._store.memories.get(scope, before)
        self._store.memories.supersede(scope, [i for i, m in held.items() if made and here <= {s.revision_id for s in m.sources}])
        self._keeper.keep(scope, made, read=read)
        if not made:  # that nothing of an answer held is known as well, or it would be asked again and again
            self._store.derivations.put(scope, read.outputs, kind="extract", version=VERSION)
        return made

    def wants(self, scope: Scope, branch_id: str, session: Session) -> bool:
        """Whether a model has to be asked what a session was about."""
        told = self._deriver.decomposed(scope, branch_id, session)
        return told is not None and len(told.facts) >= LEAST and not self._is_sorted(scope, branch_id, told)

    def _is_sorted(self, scope: Scope, branch_id: str, told: Decomposed) -> bool:
        """Whether a model sorted these very facts of these messages."""
        sources = {s.revision_id for s in told.sources}
        return any(
            "model" in m.payload and sources <= {s.revision_id for s in m.sources} and m.payload.get("of") == told.key
            for m in self._of(scope, branch_id, told.session)
        )

    def _of(self, scope: Scope, branch_id: str, session: Session) -> list[Memory]:
        seen = self._store.memories.on_path(scope, branch_id).of_kinds((Kind.TOPIC,)).within(session.first, session.last)
        return [m for m in self._store.memories.get(scope, seen.ids).values() if m.slot == slot_of(session)]

    def _older(self, scope: Scope, branch_id: str, session: Session, facts: Sequence[Memory]) -> list[Memory]:
        """The topics of earlier sessions whose facts are nearest to one of these, by exact search; those a person left out are not shown."""
        seen = self._store.memories.on_path(scope, branch_id).of_kinds((Kind.TOPIC,)).recallable.before(session.first)
        found = list(self._store.memories.get(scope, seen.ids).values())
        grounds = self._store.memories.get(scope, [g for t in found for g in t.grounds])
        rests = [[grounds[g] for g in t.grounds if g in grounds] for t in found]
        if not any(rests):
            return []
        mine = self._keeper.vectors(scope, facts)
        likeness = [float((self._keeper.vectors(scope, each) @ mine.T).max()) if each else -1.0 for each in rests]
        nearest = np.argsort(-np.asarray(likeness), kind="stable")[:OLDER].tolist()
        return [found[i] for i in sorted(nearest)]
