"""Asking the memory: what recall finds for a question now, read for an answer. Reads only: no recall event, no receipt, no lesson, no vector is kept of it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from memory import noting
from memory.answering import Answer, Question, Sentence, concerns, extractive, sentences_of
from memory.asking import count_call
from memory.cues import Cue, ends_asking, meant, read_cue
from memory.episodes import language_of
from memory.extraction.draft import DateRange
from memory.extraction.llm import player_of
from memory.keys import PAUSE, Rounds
from memory.recall import BACKGROUND, Recaller
from memory.retrieval import without
from memory.stale import overtakes
from memory.timeline import mentions
from models.embedder import Embedder
from models.structured import StructuredModel
from storage.records import Chat, Kind, Memory, Message
from storage.scope import Scope
from storage.store import Store
from storage.visibility import VisibleSet
from storage.words import KeyRow

Vector = NDArray[np.float32]

ALONE = without("context")
"""A question to the memory stands alone: it goes on with no talk."""
PAST = 2
"""Rounds behind the newest that a question stands at, so that everything of the newest round may be found (`memory.recall`)."""
MEMORIES = 24
"""Of what recall found, best first, that are read."""
ROUNDS = 12
"""Of those the rounds whose messages are read sentence by sentence."""
COMPARED = 64
"""Sentences that are compared in meaning: what takes longest, about 8 ms each."""
BATCH = 8
"""Sentences that are embedded between two looks at whether anybody still waits."""


@dataclass(frozen=True)
class Asking:
    """One question. breathe: called between steps, what it raises ends the work; cancel: set when it is to raise, for what waits for a model."""

    text: str
    at: datetime
    breathe: Callable[[], object] = lambda: None
    cancel: threading.Event = field(default_factory=threading.Event)


@dataclass(frozen=True)
class Grounds:
    """What an answer was read from: what must still stand when it is shown."""

    memories: frozenset[str]
    messages: frozenset[str]
    """Whose own words were used."""


@dataclass(frozen=True)
class Round:
    """A round as it was said. asked: what it answers of the round before, or empty."""

    memory_id: str
    messages: Sequence[Message]
    asked: Message | None
    place: int
    """In recall, from 0."""


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


class Answerer:
    """Safe from any thread."""

    def __init__(self, store: Store, embedder: Embedder, recaller: Recaller) -> None:
        self._store = store
        self._embedder = embedder
        self._recaller = recaller

    def gather(self, scope: Scope, branch_id: str, chat: Chat, asking: Asking) -> Gathered:
        """What recall finds for a question that the player asks now. Raises models.errors.EmbeddingFailed and what `asking.breathe` raises."""
        head = self._store.chats.head(scope, branch_id)
        listener = "" if chat.group else chat.character_name
        cue = Cue(asking.text, (head.round if head else 0) + PAST, asking.at, speaker=chat.user_name, listener=listener)
        query = self._embedder.queries([asking.text])[0]
        recall = self._recaller.recall(scope, branch_id, cue, recipe=ALONE, query=query)
        asking.breathe()
        visible = self._visible(scope, branch_id)
        rounds = Rounds(visible)
        order = [c.memory_id for c in recall.candidates[:MEMORIES] if c.memory_id in visible.round_of]
        numbers = list(dict.fromkeys(visible.round_of[i] for i in order))
        memories = self._store.memories.get(scope, dict.fromkeys([*order, *rounds.members(numbers[:ROUNDS])]))
        rows = self._store.memories.keys(scope, list(memories))
        places = {number: place for place, number in enumerate(numbers)}
        told = [(places[m.round_last], m) for m in memories.values() if m.kind is not Kind.EPISODE]
        said = [self._round(scope, branch_id, rounds, number, places[number]) for number in numbers[:ROUNDS]]
        asking.breathe()
        people = frozenset(name for row in rows.values() for name in row.knowers if name)
        asked = read_cue(cue)
        question = Question(cue.text, asked, meant(cue, people), self._store.memories.rarity(visible, asked.terms))
        player = player_of(chat, language=language_of(asking.text))
        ground = self._ground(scope, visible, query)
        return Gathered(question, player, chat.character_name, query, ground, told, [r for r in said if r.messages], people, rows)

    def extract(self, scope: Scope, gathered: Gathered, asking: Asking) -> tuple[Answer, Grounds]:
        """The answer by the sentences that bear best on the question. Raises as `gather`."""
        sentences = self._liked(scope, _sentences(gathered), gathered, asking)
        answer = extractive(gathered.question, sentences, overtaken=_overtaken(gathered.rows.values()))
        used = {(n.memory_id, n.text) for n in answer.notes}
        rests = [s for s in sentences if (s.memory_id, s.text) in used]
        return answer, _grounds((s.memory_id, s.message_id) for s in rests)

    def ask(self, scope: Scope, gathered: Gathered, asking: Asking, model: StructuredModel) -> tuple[Answer, Grounds]:
        """The answer by a language model, in one call. Raises models.errors.ModelError, models.structured.AnswerUnreadable and what `asking.breathe` raises."""
        asked = noting.Asked(asking.text, asking.at, gathered.player, gathered.character)
        messages, shown = noting.prompt(asked, _excerpts(gathered), tokens=model.prompt_tokens, count=model.count_tokens)
        answer = model.ask(
            messages,
            noting.NotesAnswer,
            purpose=noting.PURPOSE,
            on_call=lambda call: count_call(self._store, scope, call),
            on_piece=asking.breathe,
            cancel=asking.cancel,
        )
        told, used = noting.checked(answer, asked, shown)
        return told, _grounds((e.memory_id, e.message_id) for e in used)

    def stands(self, scope: Scope, branch_id: str, grounds: Grounds) -> bool:
        """Whether everything that an answer was read from may still be used on the branch."""
        visible = set(self._visible(scope, branch_id).ids)
        return grounds.memories <= visible and not any(self._left_out(scope, i) for i in grounds.messages)

    def _visible(self, scope: Scope, branch_id: str) -> VisibleSet:
        return self._store.memories.visible(scope, branch_id).recallable.without(self._store.controls.held_back(scope))

    def _round(self, scope: Scope, branch_id: str, rounds: Rounds, number: int, place: int) -> Round:
        episode, messages = self._messages(scope, branch_id, rounds, number)
        _, before = self._messages(scope, branch_id, rounds, number - 1)
        answers = bool(messages and before) and _answers(before[-1], messages[0])
        return Round(episode, messages, before[-1] if answers else None, place)

    def _messages(self, scope: Scope, branch_id: str, rounds: Rounds, number: int) -> tuple[str, list[Message]]:
        """The episode of a round that may be recalled, and its messages without what is hidden or left out."""
        episode = next(iter(self._store.memories.get(scope, rounds.episodes([number])).values()), None)
        if episode is None:
            return "", []
        wanted = {s.message_id: s.revision_id for s in episode.sources}
        found = self._store.chats.messages(scope, branch_id, list(wanted))
        kept = (m for m in found if not m.hidden and not self._left_out(scope, m.id))
        return episode.id, sorted(kept, key=lambda m: m.depth)

    def _left_out(self, scope: Scope, message_id: str) -> bool:
        """Whether a person erased or left out something that a message tells: then its own words are not read, only what else was drawn from it."""
        drawn = self._store.memories.get(scope, self._store.controls.of_messages(scope, [message_id]))
        return any(m.kind in (Kind.FACT, Kind.PERSONA) and (m.excluded or m.status == "deleted") for m in drawn.values())

    def _ground(self, scope: Scope, visible: VisibleSet, query: Vector) -> float:
        spread = visible.ids[:: max(1, len(visible.ids) // BACKGROUND)]
        vectors = list(self._store.vectors.of_memories(scope.user_id, self._embedder.fingerprint, spread).values())
        return float((np.stack(vectors) @ query).mean()) if vectors else 0.0

    def _liked(self, scope: Scope, sentences: Sequence[Sentence], gathered: Gathered, asking: Asking) -> list[Sentence]:
        """With how like the question each is: facts by their stored vectors, the first COMPARED others by vectors that are made and thrown away."""
        query, ground = gathered.query, gathered.ground
        told = [s.memory_id for s in sentences if not s.message_id]
        vectors = self._store.vectors.of_memories(scope.user_id, self._embedder.fingerprint, told)
        likeness = {n: float(vectors[s.memory_id] @ query) for n, s in enumerate(sentences) if not s.message_id and s.memory_id in vectors}
        spoken = sorted((s.place, n) for n, s in enumerate(sentences) if s.message_id and not ends_asking(s.text))
        wanted = [n for _, n in spoken[:COMPARED]]
        for start in range(0, len(wanted), BATCH):
            asking.breathe()
            batch = wanted[start : start + BATCH]
            made = self._embedder.passages([f"{sentences[n].said_by}: {sentences[n].text}" for n in batch])
            likeness |= {n: float(vector @ query) for n, vector in zip(batch, made, strict=True)}
        return [replace(s, likeness=likeness.get(n, ground) - ground) for n, s in enumerate(sentences)]


def _sentences(gathered: Gathered) -> list[Sentence]:
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
        )
        for place, memory in gathered.memories
    ]
    return [*told, *(s for r in gathered.rounds for s in _spoken(r, gathered))]


def _spoken(of: Round, gathered: Gathered) -> list[Sentence]:
    """The sentences of a round."""
    found: list[Sentence] = []
    before = of.asked
    for message in of.messages:
        pieces = sentences_of(message.text)
        asked = before.text if before is not None and _answers(before, message) else ""
        found += [
            Sentence(
                piece,
                Kind.EPISODE,
                of.memory_id,
                message.round,
                message.speaker,
                message.said_at,
                told_of=concerns(piece, message.speaker, "", gathered.people),
                around=" ".join([asked, *pieces[max(0, n - 1) : n], *pieces[n + 1 : n + 2]]),
                event=_day_in(piece, message.said_at) if gathered.question.asked.when else None,
                place=of.place,
                message_id=message.id,
            )
            for n, piece in enumerate(pieces)
        ]
        before = message
    return found


def _excerpts(gathered: Gathered) -> list[noting.Excerpt]:
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


def _grounds(used: Iterable[tuple[str, str]]) -> Grounds:
    """used: (memory id, message id or nothing)."""
    pairs = list(used)
    return Grounds(frozenset(memory for memory, _ in pairs), frozenset(message for _, message in pairs if message))


def _answers(before: Message, after: Message) -> bool:
    return ends_asking(before.text) and before.speaker != after.speaker and after.said_at - before.said_at < PAUSE


def _days(memory: Memory) -> DateRange | None:
    return DateRange(memory.event_from, memory.event_to) if memory.event_from and memory.event_to else None


def _day_in(text: str, said_at: datetime) -> DateRange | None:
    """The first time that a sentence names, worked out against the day it was said."""
    return next((m.range for m in mentions(text, said_at=said_at, language=language_of(text))), None)


def _overtaken(rows: Iterable[KeyRow]) -> dict[str, str]:
    """By id of a fact that of the newest that says the same otherwise."""
    facts = sorted((row for row in rows if row.kind is Kind.FACT), key=lambda row: row.said_at)
    return {
        old.id: new.id
        for n, old in enumerate(facts)
        for new in facts[n + 1 :]
        if new.said_at.date() > old.said_at.date() and overtakes(new, old)
    }
