"""Facts and persona values as memories: what extraction drafted, with ids that a retry cannot double (DualMem 4.1; MOOM 3.2)."""

from __future__ import annotations

from collections.abc import Sequence

from memory.episodes import language_of
from memory.extraction.draft import Extraction
from storage.records import Kind, Memory, Message, Source, stable_id, to_ms


def memories_of(chat_id: str, message: Message, before: Message | None, drafts: Extraction, *, version: str) -> list[Memory]:
    """The memories of one message, facts first. before: a source too of what needs the question to be understood."""
    made = []
    for place, fact in enumerate(drafts.facts):
        sources = _sources(message, before if fact.from_question else None)
        key = _key("fact", version, sources)
        made.append(
            Memory(
                id=stable_id("memory", chat_id, key, *(m.id for m in sources), place),
                chat_id=chat_id,
                kind=Kind.FACT,
                text=fact.text,
                language=language_of(fact.text),
                round_first=message.round,
                round_last=message.round,
                said_at=message.said_at,
                sources=tuple(Source(m.id, m.revision.id, m.revision.sha256) for m in sources),
                derivation_key=key,
                subject=fact.subject,
                said_by=message.speaker,
                knowers=tuple(dict.fromkeys(m.speaker for m in (*sources,))),
                payload={"quote": fact.quote, "player": message.role.value == "user"},
                event_from=fact.event.first if fact.event else None,
                event_to=fact.event.last if fact.event else None,
                trust=fact.trust,
            )
        )
    for place, value in enumerate(drafts.values):
        sources = _sources(message, before if value.from_question else None)
        key = _key("persona", version, sources)
        made.append(
            Memory(
                id=stable_id("memory", chat_id, key, *(m.id for m in sources), place),
                chat_id=chat_id,
                kind=Kind.PERSONA,
                text=value.value,
                language=language_of(value.value),
                round_first=message.round,
                round_last=message.round,
                said_at=message.said_at,
                sources=tuple(Source(m.id, m.revision.id, m.revision.sha256) for m in sources),
                derivation_key=key,
                subject=message.speaker,
                said_by=message.speaker,
                payload={"key": value.key, "quote": value.quote, "place": place},
            )
        )
    return made


def _sources(message: Message, question: Message | None) -> list[Message]:
    return [question, message] if question is not None else [message]


def _key(kind: str, version: str, sources: Sequence[Message]) -> str:
    return stable_id(kind, version, *(part for m in sources for part in (m.role.value, m.speaker, to_ms(m.said_at), m.text)))
