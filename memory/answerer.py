"""Asking the memory: what recall finds for a question now, read for an answer. Reads only: no recall event, no receipt, no lesson, no vector is kept of it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import groupby

import numpy as np

from memory import noting
from memory.answering import Answer, extractive
from memory.asking import count_call
from memory.bearing import Question, Sentence, acting, weigh
from memory.cues import Cue, Tense, meant, read_cue
from memory.episodes import language_of
from memory.gathered import Gathered, Grounds, Known, Round, Vector, excerpts, grounds, overtaken, sentences
from memory.keys import PAUSE, Rounds
from memory.matters import former
from memory.reading.llm import player_of
from memory.recall import BACKGROUND, Recaller
from memory.recipes import without
from models.embedder import Embedder
from models.structured import StructuredModel
from storage.records import Chat, Kind, Message
from storage.scope import Scope
from storage.store import Store
from storage.visible import VisibleSet

ALONE = without("context")
"""A question to the memory stands alone: it goes on with no talk."""
PAST = 2
"""Rounds behind the newest that a question stands at, so that everything of the newest round may be found (`memory.recall`)."""
MEMORIES = 24
"""Of what recall found, best first, that are read."""
ROUNDS = 12
"""Of those the rounds whose messages are read sentence by sentence."""
COMPARED, ASKED = 40, 16
"""Sentences, and questions that were answered, that are compared in meaning: what takes longest, about 8 ms each."""
NEWEST, LOOKED_BACK = 16, 200
"""Newest messages that are read though nothing is remembered of them yet; and among which they are looked for when an answer is shown again."""
BATCH = 8
"""Sentences that are embedded between two looks at whether anybody still waits."""


@dataclass(frozen=True)
class Asking:
    """One question. breathe: called between steps, what it raises ends the work; cancel: set when it is to raise, for what waits for a model."""

    text: str
    at: datetime
    breathe: Callable[[], object] = lambda: None
    cancel: threading.Event = field(default_factory=threading.Event)


class Answerer:
    """Safe from any thread."""

    def __init__(self, store: Store, embedder: Embedder, recaller: Recaller) -> None:
        self._store = store
        self._embedder = embedder
        self._recaller = recaller

    def gather(self, scope: Scope, branch_id: str, chat: Chat, asking: Asking) -> Gathered:
        """What recall finds for a question that the player asks now. Raises models.errors.EmbeddingFailed and what `asking.breathe` raises."""
        head = self._store.chats.head(scope, branch_id)
        listener = scope.witness or ("" if chat.group else chat.character_name)
        cue = Cue(asking.text, (head.round if head else 0) + PAST, asking.at, speaker=chat.user_name, listener=listener)
        query = self._embedder.queries([asking.text])[0]
        recall = self._recaller.recall(scope, branch_id, cue, recipe=ALONE, query=query)
        support = self._recaller.support(scope, branch_id, cue, recall, query=query).value
        asking.breathe()
        visible = self._visible(scope, branch_id)
        rounds = Rounds(visible)
        order = [c.memory_id for c in recall.candidates[:MEMORIES] if c.memory_id in visible.round_of]
        numbers = list(dict.fromkeys(visible.round_of[i] for i in order))
        memories = self._store.memories.get(scope, dict.fromkeys([*order, *rounds.members(numbers[:ROUNDS])]))
        rows = self._store.memories.keys(scope, list(memories))
        places = {number: place for place, number in enumerate(numbers)}
        told = [(places[m.round_last], m) for m in memories.values() if m.kind is not Kind.EPISODE]
        gone = self._gone(scope, branch_id, numbers[:ROUNDS])
        told_back = {back for quotes in gone.values() for _, back in quotes}  # what took something back is read as well
        read = [*numbers[:ROUNDS], *sorted(told_back - set(numbers[:ROUNDS]))]
        said = [self._round(scope, branch_id, rounds, number, places.get(number, len(numbers))) for number in read]
        newest = self._newest(scope, branch_id, len(numbers))
        asking.breathe()
        speakers = (m.speaker for r in newest for m in r.messages)
        people = frozenset(name for name in (*speakers, *(n for row in rows.values() for n in row.knowers)) if name)
        asked = read_cue(cue)
        question = Question(cue.text, asking.at, asked, acting(cue, meant(cue, people)), self._store.memories.rarity(visible, asked.terms))
        player = player_of(chat, [chat.user_name], language=language_of(asking.text))
        ground = self._ground(scope, visible, query)
        wordings = {m.id: m.revision.id for r in newest for m in r.messages}
        spoken = [r for r in (*said, *newest) if r.messages]
        known = self._known(scope, branch_id, cue, query, people, present=asked.tense is not Tense.BEFORE)
        return Gathered(
            question,
            player,
            scope.witness or chat.character_name,
            query,
            ground,
            told,
            spoken,
            people,
            rows,
            support,
            wordings,
            known,
            gone,
        )

    def extract(self, scope: Scope, gathered: Gathered, asking: Asking) -> tuple[Answer, Grounds]:
        """The answer by the sentences that bear best on the question. Raises as `gather`."""
        found = self._liked(scope, sentences(gathered), gathered, asking)
        answer = extractive(gathered.question, found, support=gathered.support, overtaken=overtaken(gathered.rows.values()))
        used = {(n.memory_id, n.text) for n in answer.notes}
        rests = [s for s in found if (s.memory_id, s.text) in used]
        return answer, grounds(((s.memory_id, s.message_id) for s in rests), gathered)

    def ask(self, scope: Scope, gathered: Gathered, asking: Asking, model: StructuredModel) -> tuple[Answer, Grounds]:
        """The answer by a language model, in one call. Raises models.errors.ModelError, models.structured.AnswerUnreadable and what `asking.breathe` raises."""
        asked = noting.Asked(asking.text, asking.at, gathered.player, gathered.character)
        messages, shown = noting.prompt(asked, excerpts(gathered), tokens=model.prompt_tokens, count=model.count_tokens)
        answer = model.ask(
            messages,
            noting.NotesAnswer,
            purpose=noting.PURPOSE,
            on_call=lambda call: count_call(self._store, scope, call),
            on_piece=asking.breathe,
            cancel=asking.cancel,
        )
        told, used = noting.checked(answer, asked, shown)
        return told, grounds(((e.memory_id, e.message_id) for e in used), gathered)

    def stands(self, scope: Scope, branch_id: str, grounds: Grounds) -> bool:
        """Whether everything that an answer was read from may still be used on the branch."""
        if not grounds.memories <= set(self._visible(scope, branch_id).ids) or any(self._left_out(scope, i) for i in grounds.messages):
            return False
        if not grounds.newest:
            return True
        path = self._store.chats.path(scope, branch_id, limit=LOOKED_BACK)
        return grounds.newest <= {(m.id, m.revision.id) for m in path if not m.hidden}

    def _known(self, scope: Scope, branch_id: str, cue: Cue, query: Vector, people: frozenset[str], *, present: bool) -> list[Known]:
        """What the sketch holds, or held, of what is asked."""
        keys, told = self._recaller.told_under(scope, branch_id, cue, query, people)
        newest = {value.key: value for value in sorted(told, key=lambda v: (v.round, v.place))}
        return [
            Known(v.key, v.text, v.said_by, v.round, -keys[v.key] if former(v, newest[v.key]) and present else keys[v.key]) for v in told
        ]

    def _gone(self, scope: Scope, branch_id: str, rounds: Collection[int]) -> dict[int, list[tuple[str, int]]]:
        """Of some rounds the words of what was taken back later, each with the round in which it was."""
        denied = self._store.memories.visible(scope, branch_id).denied
        facts = [i for _, i, last, kind in denied if kind is Kind.FACT and last in rounds]
        back = self._store.memories.absences(scope, branch_id, facts, held_back=()) if facts else {}
        gone: dict[int, list[tuple[str, int]]] = {}
        for memory in self._store.memories.get(scope, facts).values():
            if (absence := back.get(memory.id)) is not None and absence.round:
                gone.setdefault(memory.round_last, []).append((str(memory.payload.get("quote", "")), absence.round))
        return gone

    def _visible(self, scope: Scope, branch_id: str) -> VisibleSet:
        return self._store.memories.visible(scope, branch_id).recallable.without(self._store.controls.held_back(scope))

    def _round(self, scope: Scope, branch_id: str, rounds: Rounds, number: int, place: int) -> Round:
        episode, messages = self._messages(scope, branch_id, rounds, number)
        _, before = self._messages(scope, branch_id, rounds, number - 1)
        soon = bool(messages and before) and abs(messages[0].said_at - before[-1].said_at) < PAUSE
        return Round(episode, messages, before if soon else [], place)

    def _newest(self, scope: Scope, branch_id: str, place: int) -> list[Round]:
        """The last rounds of which nothing is remembered yet, as they were said: the worker may be behind. place: behind everything that was found."""
        visible = self._store.memories.visible(scope, branch_id)
        remembered = {n for kind, n in zip(visible.kinds, visible.rounds, strict=True) if kind is Kind.EPISODE}
        path = self._store.chats.path(scope, branch_id, limit=NEWEST)
        said = [
            m
            for m in reversed(path)
            if not (m.hidden or m.round in remembered or m.revision.origin == "card" or self._left_out(scope, m.id))
        ]
        return [Round("", list(messages), [], place) for _, messages in groupby(said, key=lambda m: m.round)]

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

    def _liked(self, scope: Scope, read: Sequence[Sentence], gathered: Gathered, asking: Asking) -> list[Sentence]:
        """With how like the question each is: facts by their stored vectors, the COMPARED others that share most words with it by vectors that are
        made and thrown away."""
        told = self._store.vectors.of_memories(scope.user_id, self._embedder.fingerprint, [s.memory_id for s in read if not s.message_id])
        best = [w.sentence for w in weigh(gathered.question, read) if w.sentence.message_id][:COMPARED]
        said = [f"{s.said_by}: {s.text}" for s in best]
        asked = list(dict.fromkeys(s.asked for s in (*best, *read) if s.asked))[:ASKED]
        made = dict(zip([*said, *asked], self._vectors([*said, *asked], asking), strict=True))
        ground = gathered.ground

        def like(vector: Vector | None) -> float:
            return float(vector @ gathered.query) - ground if vector is not None else 0.0

        return [
            replace(
                s,
                likeness=like(made.get(f"{s.said_by}: {s.text}") if s.message_id else told.get(s.memory_id)),
                asked_likeness=like(made.get(s.asked)) if s.asked else 0.0,
            )
            for s in read
        ]

    def _vectors(self, texts: Sequence[str], asking: Asking) -> list[Vector]:
        made: list[Vector] = []
        for start in range(0, len(texts), BATCH):
            asking.breathe()
            made += list(self._embedder.passages(texts[start : start + BATCH]))
        return made
