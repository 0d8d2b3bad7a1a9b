"""Units read as a whole by a language model: which rounds make one, what it tells as memories, and the mark that it was read.

A unit is six rounds (MOOM 3.1, I(1)), cut where a session ended. Until it is closed, and whenever the model fails, what each message tells by itself holds
(`memory.extraction.grounded`); once it is read, that reading holds instead, on every path that has all its messages.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import groupby

from memory.episodes import language_of
from memory.extraction import llm
from memory.extraction.llm import ReadingAnswer
from memory.keeping import Keeper, Read
from memory.narrative import THETA_1
from models.structured import Call, StructuredModel
from storage.model_uses import ModelUse
from storage.records import UNIT, Chat, Kind, Memory, Message, Role, Source, stable_id, to_ms
from storage.scope import Scope
from storage.store import Store

FACTS = "facts"
"""Purpose of the calls, as they are counted."""


def units(rounds: Sequence[Sequence[Message]], session_ends: Collection[str], *, last_closed: bool) -> list[list[Message]]:
    """The closed units of consecutive rounds of a path, oldest first, each with its messages.

    rounds: oldest first, each with its messages; session_ends: ids of messages with which a session ended; last_closed: the path goes on to a further unit.
    """
    found: list[list[Message]] = []
    for _, inside in groupby(rounds, key=lambda r: r[0].round // THETA_1):
        open_: list[Message] = []
        for messages in inside:
            open_ += messages
            if messages[-1].id in session_ends:
                found.append(open_)
                open_ = []
        if open_:
            found.append(open_)
    if found and not last_closed and found[-1][-1].id not in session_ends:
        found.pop()
    return found


class UnitReader:
    """model: what reads."""

    def __init__(self, store: Store, keeper: Keeper, model: StructuredModel) -> None:
        self._store = store
        self._keeper = keeper
        self._model = model

    def is_read(self, scope: Scope, chat: Chat, messages: Sequence[Message]) -> bool:
        """Whether a unit was read as it stands, by whatever model is configured now; one with nothing to read is."""
        said = llm.readable(messages)
        return not said or bool(self._store.memories.active(scope, [self._mark(chat, said).id]))

    def read(self, scope: Scope, chat: Chat, messages: Sequence[Message]) -> list[Memory]:
        """Ask what a unit tells and keep it; the memories that came of it. What was asked before is not asked again.

        Raises models.errors.ModelError and models.structured.AnswerUnreadable: then nothing is changed.
        """
        said = llm.readable(messages)
        if not said:
            return []
        mark = self._mark(chat, said)
        read = Read(llm.VERSION)
        stored = self._store.derivations.get(scope, mark.derivation_key)
        if stored is not None:
            answer = ReadingAnswer.model_validate_json(stored)
        else:
            prompt = llm.prompt(said, chat, tokens=self._model.prompt_tokens, count=self._model.count_tokens)
            answer = self._model.ask(
                prompt, ReadingAnswer, purpose=FACTS, on_call=lambda call: count(self._store, scope, call), on_piece=self._keeper.breathe
            )
            read.outputs[mark.derivation_key] = answer.model_dump_json(by_alias=True)
        self._keeper.breathe()
        made = self._memories(chat, said, mark, llm.reading(answer, said, chat))
        self._keeper.keep(scope, [*made, mark], read=read)
        return made

    def _mark(self, chat: Chat, said: Sequence[Message]) -> Memory:
        """What says that a unit was read: without words of its own, so that nothing can be told twice or left behind by it."""
        key = stable_id(
            "unit", llm.VERSION, self._model.name, *(part for m in said for part in (m.role.value, m.speaker, to_ms(m.said_at), m.text))
        )
        first, last = said[0].round, said[-1].round
        return Memory(
            id=stable_id("memory", chat.id, key, *(m.id for m in said)),
            chat_id=chat.id,
            kind=Kind.PLOT,
            text=f"{first}-{last}",
            language=llm.language_of_unit(said),
            round_first=first,
            round_last=last,
            said_at=said[-1].said_at,
            sources=_sources(said),
            derivation_key=key,
            slot=f"{UNIT}{first}",
            payload={"tier": 1, "lines": [], "model": self._model.name},
        )

    def _memories(self, chat: Chat, said: Sequence[Message], mark: Memory, reading: llm.Reading) -> list[Memory]:
        made = []
        fact_key, persona_key = stable_id("fact", mark.derivation_key), stable_id("persona", mark.derivation_key)
        for place, fact in enumerate(reading.facts):
            draft, last = fact.draft, fact.messages[-1]
            made.append(
                Memory(
                    id=stable_id("memory", chat.id, fact_key, *(m.id for m in said), place),
                    chat_id=chat.id,
                    kind=Kind.FACT,
                    text=draft.text,
                    language=language_of(draft.text),
                    round_first=fact.messages[0].round,
                    round_last=last.round,
                    said_at=last.said_at,
                    sources=mark.sources,
                    derivation_key=fact_key,
                    subject=draft.subject,
                    said_by=last.speaker,
                    knowers=tuple(dict.fromkeys(m.speaker for m in said)),
                    payload={
                        "quote": draft.quote,
                        "player": last.role is Role.USER,
                        "place": place,
                        "cites": [m.id for m in fact.messages],
                        "model": self._model.name,
                    },
                    event_from=draft.event.first if draft.event else None,
                    event_to=draft.event.last if draft.event else None,
                    trust=draft.trust,
                )
            )
        for place, value in enumerate(reading.values):
            last = value.messages[-1]
            made.append(
                Memory(
                    id=stable_id("memory", chat.id, persona_key, *(m.id for m in said), place),
                    chat_id=chat.id,
                    kind=Kind.PERSONA,
                    text=value.draft.value,
                    language=language_of(value.draft.value),
                    round_first=value.messages[0].round,
                    round_last=last.round,
                    said_at=last.said_at,
                    sources=mark.sources,
                    derivation_key=persona_key,
                    subject=last.speaker,
                    said_by=last.speaker,
                    knowers=tuple(dict.fromkeys(m.speaker for m in said)),
                    payload={
                        "key": value.draft.key,
                        "quote": value.draft.quote,
                        "place": place,
                        "cites": [m.id for m in value.messages],
                        "model": self._model.name,
                    },
                )
            )
        return made


def count(store: Store, scope: Scope, call: Call) -> None:
    """Add a call to what the chat's memory has cost."""
    store.model_uses.add(
        scope, ModelUse(call.purpose, call.model, 1, int(call.failed), call.prompt_tokens, call.answer_tokens, call.seconds)
    )


def _sources(messages: Sequence[Message]) -> tuple[Source, ...]:
    return tuple(Source(m.id, m.revision.id, m.revision.sha256) for m in messages)
