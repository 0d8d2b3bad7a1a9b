"""Units read as a whole by a language model: which rounds make one, what it tells as memories, and the mark that it was read.

A unit is six rounds (MOOM 3.1, I(1)), cut where a session ended. Until it is closed, and whenever the model fails, what each message tells by itself holds
(`memory.reading.messages`); once it is read, that reading holds instead, on every path that has all its messages.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import groupby

from memory.asking import Asker
from memory.episodes import language_of
from memory.keeping import Keeper
from memory.narrative import THETA_1
from memory.reading import llm
from memory.reading.drafts import FactDraft, ValueDraft
from memory.reading.llm import Cited, ReadingAnswer
from storage.records import UNIT, Chat, Kind, Memory, Message, Role, Source, stable_id
from storage.scope import Scope
from storage.store import Store
from storage.wall import moment_key
from storage.witnesses import owned

log = logging.getLogger(__name__)

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
    def __init__(self, store: Store, keeper: Keeper, asker: Asker) -> None:
        self._store = store
        self._keeper = keeper
        self._asker = asker

    def is_read(self, scope: Scope, chat: Chat, messages: Sequence[Message]) -> bool:
        """Whether a unit was read as it stands, by whatever model is configured now; one with nothing to read is, and one of whose answer nothing holds."""
        said = llm.readable(messages)
        if not said:
            return True
        mark = owned(scope, self._mark(chat, said))
        return bool(self._store.memories.standing(scope, [mark])) or self._is_vain(scope, chat, said, mark)

    def _is_vain(self, scope: Scope, chat: Chat, said: Sequence[Message], mark: Memory) -> bool:
        """Whether a unit was answered with what nobody can answer for."""
        answer = self._asker.answered(scope, mark.derivation_key, ReadingAnswer, version=llm.VERSION)
        return answer is not None and _holds_nothing(answer, llm.reading(answer, said, chat))

    def read(self, scope: Scope, chat: Chat, messages: Sequence[Message]) -> list[Memory]:
        """Ask what a unit tells and keep it; the memories that came of it. What was asked before is not asked again. An empty answer is a reading, one of which
        nothing holds is none.

        Raises models.errors.ModelError and models.structured.AnswerUnreadable: then nothing is changed.
        """
        said = llm.readable(messages)
        if not said:
            return []
        mark = owned(scope, self._mark(chat, said))
        model = self._asker.model
        answer, read = self._asker.ask(
            scope,
            mark.derivation_key,
            lambda: llm.prompt(said, chat, tokens=model.prompt_tokens, count=model.count_tokens),
            ReadingAnswer,
            purpose=FACTS,
            version=llm.VERSION,
        )
        reading = llm.reading(answer, said, chat)
        log.info(
            "rounds %d-%d: %d facts, %d values; dropped %s",
            mark.round_first,
            mark.round_last,
            len(reading.facts),
            len(reading.values),
            reading.rejected,
        )
        if _holds_nothing(answer, reading):
            # Nothing of it can be answered for, so it does not take the place of what the rules read; it is known, and not asked for again.
            self._store.derivations.put(scope, read.outputs, kind="extract", version=llm.VERSION)
            return []
        made = self._memories(said, mark, reading)
        self._keeper.keep(scope, [*made, mark], read=read)
        return made

    def _mark(self, chat: Chat, said: Sequence[Message]) -> Memory:
        """What says that a unit was read: without words of its own, so that nothing can be told twice or left behind by it."""
        key = stable_id(
            "unit",
            llm.VERSION,
            self._asker.model.name,
            *(part for m in said for part in (m.role.value, m.speaker, moment_key(m.said_at), m.text)),
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
            payload={"tier": 1, "lines": [], "model": self._asker.model.name},
        )

    def _memories(self, said: Sequence[Message], mark: Memory, reading: llm.Reading) -> list[Memory]:
        facts = [
            replace(
                self._told(Kind.FACT, fact, fact.draft.text, place, said, mark),
                subject=fact.draft.subject,
                event_from=fact.draft.event.first if fact.draft.event else None,
                event_to=fact.draft.event.last if fact.draft.event else None,
                trust=fact.draft.trust,
            )
            for place, fact in enumerate(reading.facts)
        ]
        values = []
        for place, value in enumerate(reading.values):
            bare = self._told(Kind.PERSONA, value, value.draft.value, place, said, mark)
            values.append(replace(bare, subject=bare.said_by, payload={**bare.payload, "key": value.draft.key}))
        return facts + values

    def _told(
        self, kind: Kind, found: Cited[FactDraft] | Cited[ValueDraft], text: str, place: int, said: Sequence[Message], mark: Memory
    ) -> Memory:
        """What facts and values have in common. place: among those of its kind; said: the unit."""
        key, cited = stable_id(kind.value, mark.derivation_key), found.messages
        return Memory(
            id=stable_id("memory", mark.chat_id, key, *(m.id for m in said), place),
            chat_id=mark.chat_id,
            kind=kind,
            text=text,
            language=language_of(text),
            round_first=cited[0].round,
            round_last=cited[-1].round,
            said_at=cited[-1].said_at,
            sources=mark.sources,
            derivation_key=key,
            said_by=found.teller.speaker,
            knowers=tuple(dict.fromkeys(m.speaker for m in said)),
            payload={
                "quote": found.draft.quote,
                "player": found.teller.role is Role.USER,
                "place": place,
                "cites": [m.id for m in cited],
                "model": self._asker.model.name,
            },
        )


def _holds_nothing(answer: ReadingAnswer, reading: llm.Reading) -> bool:
    return bool(answer.facts or answer.persona) and not (reading.facts or reading.values)


def _sources(messages: Sequence[Message]) -> tuple[Source, ...]:
    return tuple(Source(m.id, m.revision.id, m.revision.sha256) for m in messages)
