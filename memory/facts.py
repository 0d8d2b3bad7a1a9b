"""Facts and persona values as memories: what extraction drafted, with ids that a retry cannot double (DualMem 4.1; MOOM 3.2).

An id follows from what was drafted and from what it was drafted of, not from the version of extraction: what a newer one tells alike is the same memory,
with all that happened to it since."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memory.episodes import language_of
from memory.reading.drafts import Extraction
from storage.records import SAID, Kind, Memory, Message, Role, Source, stable_id, to_ms
from storage.wall import moment_key

_APART = "."
"""Between what a memory was derived of and what it tells, in its derivation key."""


def memories_of(chat_id: str, message: Message, question: Message | None, drafts: Extraction) -> list[Memory]:
    """The memories of one message, facts first. question: where the drafts are what it tells as an answer; then all of them hang on it as well."""
    sources = [message] if question is None else [question, message]
    made = []
    for place, fact in enumerate(drafts.facts):
        event = (to_ms(fact.event.first), to_ms(fact.event.last)) if fact.event else ()
        bare = _bare(chat_id, Kind.FACT, sources, place, fact.text, fact.subject, fact.quote, repr(fact.trust), *event)
        made.append(
            replace(
                bare,
                subject=fact.subject,
                payload={"quote": fact.quote, "player": message.role is Role.USER, "place": place}
                | ({"quoted": True} if fact.quoted else {}),
                event_from=fact.event.first if fact.event else None,
                event_to=fact.event.last if fact.event else None,
                trust=fact.trust,
            )
        )
    for place, value in enumerate(drafts.values):
        bare = _bare(chat_id, Kind.PERSONA, sources, place, value.value, value.key, value.quote)
        made.append(replace(bare, subject=message.speaker, payload={"key": value.key, "quote": value.quote, "place": place}))
    return made


def keyed(of: str, drafted: str) -> str:
    """A derivation key: what something was derived from, by which it has its place among others of its round, and what tells it from those."""
    return f"{of}{_APART}{drafted}"


def path_order(fact: Memory) -> tuple[int, str, int, str]:
    """Sorts facts along a path. Of one round by what they were derived from and not by their ids, which a copy of the chat has other ones of: what
    is chosen from them must not differ there."""
    place = fact.payload.get("place", 0)
    return fact.round_last, fact.derivation_key.partition(_APART)[0], place if isinstance(place, int) else 0, fact.id


def standing(memory: Memory) -> str:
    """What tells a memory where it stands from the same on another path: its id, and of a person's words also the wordings that they stand on."""
    return memory.id if memory.origin == "model" else stable_id("standing", memory.id, *sorted(s.sha256 for s in memory.sources))


def _bare(chat_id: str, kind: Kind, sources: Sequence[Message], place: int, text: str, *drafted: object) -> Memory:
    """What facts and values have in common. sources: oldest first; place: among the drafts of its kind; drafted: what else tells it from another draft."""
    message = sources[-1]
    of = stable_id(kind.value, *(part for m in sources for part in (m.role.value, m.speaker, moment_key(m.said_at), m.text)))
    key = keyed(of, stable_id(text, *drafted))
    return Memory(
        id=stable_id("memory", chat_id, key, *(m.id for m in sources), place),
        chat_id=chat_id,
        kind=kind,
        text=text,
        language=language_of(text),
        round_first=message.round,
        round_last=message.round,
        said_at=message.said_at,
        sources=tuple(Source(m.id, m.revision.id, m.revision.sha256) for m in sources),
        derivation_key=key,
        said_by=message.speaker,
        knowers=tuple(dict.fromkeys(m.speaker for m in sources)),
        slot=SAID,
    )
