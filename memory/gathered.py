"""What recall brought for a question, and how it is read: as sentences that may answer it, or as excerpts for a language model. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from memory import noting
from memory.bearing import Question, Sentence, asked_terms, concerns, sentences_of
from memory.content import FRAMING, terms_with_characters
from memory.cues import ends_asking, person
from memory.episodes import language_of
from memory.keys import PAUSE
from memory.matters import asking_terms
from memory.reading.drafts import DateRange
from memory.stale import overtakes
from memory.timeline import mentions
from storage.records import Kind, Memory, Message
from storage.wall import later_day
from storage.words import KeyRow

Vector = NDArray[np.float32]


@dataclass(frozen=True)
class Grounds:
    """What an answer was read from: what must still stand when it is shown."""

    memories: frozenset[str]
    messages: frozenset[str]
    """Whose own words were used."""
    newest: frozenset[tuple[str, str]] = frozenset()
    """(message, wording) of what was used of rounds that nothing is remembered of yet."""


@dataclass(frozen=True)
class Round:
    """A round as it was said. before: what was said in the round before, if no long silence lies between."""

    memory_id: str
    messages: Sequence[Message]
    before: Sequence[Message]
    place: int
    """In recall, from 0."""


@dataclass(frozen=True)
class Known:
    """A value of the sketch under a key that the question asks for. surely: as `Sentence.asked_for`."""

    key: str
    text: str
    said_by: str
    round: int
    surely: float


@dataclass(frozen=True)
class Gathered:
    """What recall brought for a question, read. player, character: who talk, as they are called in facts."""

    question: Question
    player: str
    character: str
    query: Vector
    ground: float
    """How like the question anything is (`memory.retrieval`)."""
    memories: Sequence[tuple[int, Memory]]
    """Facts and insights, with the place of their round."""
    rounds: Sequence[Round]
    people: frozenset[str]
    rows: Mapping[str, KeyRow]
    support: float
    """How well what recall found supports an answer (`memory.support`)."""
    newest: Mapping[str, str]
    """By id of the messages that nothing is remembered of yet their wordings."""
    known: Sequence[Known] = ()
    """What the sketch holds, or held, of what is asked."""
    gone: Mapping[int, Sequence[tuple[str, int]]] = field(default_factory=dict)
    """By round the words of what was taken back later, each with the round in which it was."""


def sentences(gathered: Gathered) -> list[Sentence]:
    context = {m.id: c for r in gathered.rounds for m, c in zip(r.messages, _contexts(r), strict=True)}
    said = {m.id: m.text for r in gathered.rounds for m in r.messages}
    told = [
        Sentence(
            memory.text,
            memory.kind,
            memory.id,
            memory.round_last,
            memory.said_by,
            memory.said_at,
            told_of=concerns(memory.text, memory.said_by, memory.subject, gathered.people),
            quote=str(memory.payload.get("quote", "")),
            event=_days(memory),
            place=place,
            asked=context[memory.sources[-1].message_id].asked if memory.sources and memory.sources[-1].message_id in context else "",
            after=_behind(str(memory.payload.get("quote", "")), said.get(memory.sources[-1].message_id, "")) if memory.sources else "",
        )
        for place, memory in gathered.memories
    ]
    return [_marked(s, gathered) for s in (*told, *(s for r in gathered.rounds for s in _spoken(r, gathered)))]


STRICT = frozenset("family friends pets relationships belongings".split())
"""Keys under which stands one of several: of a brother only what says "brother" is asked for."""


def _marked(sentence: Sentence, gathered: Gathered) -> Sentence:
    """With what the sketch knows of it: that it tells what is asked for, or told it until something else took its place; and whether it was taken back."""
    said = f"{sentence.text}\n{sentence.quote}".casefold()
    surely = [
        known.surely
        for known in gathered.known
        if known.round == sentence.round
        and known.said_by == sentence.said_by
        and known.text.casefold() in said
        and _tells(known.key, said, gathered.question)
    ]
    quotes = gathered.gone.get(sentence.round, ()) if not sentence.quote else ()
    gone = next((back for quote, back in quotes if _overlap(quote.casefold(), said)), 0)
    return replace(sentence, asked_for=max(surely, default=0.0), gone=gone)


def _tells(key: str, said: str, question: Question) -> bool:
    """Whether what a question is about, beyond how one asks for a key, is said with the value: "where does my sister live" asks for no home of one's own."""
    left = asked_terms(question) - FRAMING
    if key not in STRICT:
        left -= asking_terms(key, language_of(question.text))
    return left <= terms_with_characters(said)


def _overlap(quote: str, said: str) -> bool:
    return bool(quote.strip()) and (quote in said or (len(said.strip()) > 4 and said.strip() in quote))


@dataclass(frozen=True)
class _Context:
    """What stands before a message: the question it answers, and what its speaker said before that."""

    asked: str = ""
    earlier: str = ""


def _contexts(of: Round) -> list[_Context]:
    """Of each message of a round."""
    found = []
    before = of.before
    for message in of.messages:
        asking = before[-1] if before and _answers(before[-1], message) else None
        asked = asking.text if asking else ""
        own = next((m.text for m in reversed(before) if m.speaker == message.speaker), "")
        found.append(_Context(asked, own))
        before = [*before, message]
    return found


def _spoken(of: Round, gathered: Gathered) -> list[Sentence]:
    """The sentences of a round."""
    found: list[Sentence] = []
    for message, context in zip(of.messages, _contexts(of), strict=True):
        pieces = sentences_of(message.text)
        found += [
            Sentence(
                piece,
                Kind.EPISODE,
                of.memory_id,
                message.round,
                message.speaker,
                message.said_at,
                told_of=concerns(piece, message.speaker, "", gathered.people),
                beside=" ".join([*pieces[max(0, n - 1) : n], *pieces[n + 1 : n + 2]]),
                asked=context.asked,
                earlier=context.earlier,
                event=_day_in(piece, message.said_at) if gathered.question.dated else None,
                place=of.place,
                message_id=message.id,
                after=_after(pieces[n + 1]) if n + 1 < len(pieces) else "",
            )
            for n, piece in enumerate(pieces)
        ]
    return found


AFTER_CHARS = 40
"""Of the few words behind a sentence that are shown with it; of Chinese half as many."""


def _after(piece: str) -> str:
    """What follows a sentence, where it is a few words that tell: "A heart attack, in the garden." """
    return piece if len(piece) <= (AFTER_CHARS if piece.isascii() else AFTER_CHARS // 2) and not ends_asking(piece) else ""


def _behind(quote: str, message: str) -> str:
    """The same behind the words that a fact was taken from, where nobody speaks of themselves: a fact speaks of nobody as "I"."""
    pieces = sentences_of(message)
    at = next((n for n, piece in enumerate(pieces[:-1]) if quote and quote in piece), None)
    after = _after(pieces[at + 1]) if at is not None else ""
    return "" if person(after) else after


def excerpts(gathered: Gathered) -> list[noting.Excerpt]:
    """Rounds as they were said, message by message, and what was noted of them, best first."""
    said = [
        noting.Excerpt(m.text, Kind.EPISODE, r.memory_id, m.round, m.speaker, m.said_at, message_id=m.id, place=r.place)
        for r in gathered.rounds
        for m in r.messages
    ]
    told = [
        noting.Excerpt(m.text, m.kind, m.id, m.round_last, m.said_by, m.said_at, _days(m), place=place) for place, m in gathered.memories
    ]
    return sorted([*said, *told], key=lambda e: e.place)


def grounds(used: Iterable[tuple[str, str]], gathered: Gathered) -> Grounds:
    """used: (memory id, message id), one of them may be empty."""
    pairs = list(used)
    messages = frozenset(message for _, message in pairs if message)
    newest = frozenset((message, gathered.newest[message]) for message in messages if message in gathered.newest)
    return Grounds(frozenset(memory for memory, _ in pairs if memory), messages, newest)


def _answers(before: Message, after: Message) -> bool:
    return ends_asking(before.text) and before.speaker != after.speaker and abs(after.said_at - before.said_at) < PAUSE


def _days(memory: Memory) -> DateRange | None:
    return DateRange(memory.event_from, memory.event_to) if memory.event_from and memory.event_to else None


def _day_in(text: str, said_at: datetime) -> DateRange | None:
    """The first time that a sentence names, worked out against the day it was said."""
    return next((m.range for m in mentions(text, said_at=said_at, language=language_of(text))), None)


def overtaken(rows: Iterable[KeyRow]) -> dict[str, str]:
    """By id of a fact that of the newest that says the same otherwise."""
    facts = sorted((row for row in rows if row.kind is Kind.FACT), key=lambda row: row.said_at)
    return {
        old.id: new.id
        for n, old in enumerate(facts)
        for new in facts[n + 1 :]
        if later_day(new.said_at, than=old.said_at) and overtakes(new, old)
    }
