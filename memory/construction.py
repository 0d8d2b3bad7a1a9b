"""The write path: what the worker does with the tasks of a turn. Each is done again without harm, and changes nothing if its sources changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from memory import insights, narrative
from memory.episodes import episode_of
from memory.extraction import grounded
from memory.facts import memories_of
from memory.forgetting import overflow, scores
from memory.persona import PLAYER
from memory.recall import Cue, Recaller
from models.embedder import Embedder
from personas.record import Character, character_from_card
from storage.index import IndexEntry, MemoryIndex
from storage.records import Chat, Kind, Memory, Message, NewTask, Role, Task, sha256, to_ms
from storage.scope import Scope
from storage.store import Store

EPISODE_TASK, EXTRACT_TASK, UNIT_TASK = "episode", "extract", "unit"
COMPETING = (Kind.FACT, Kind.INSIGHT)
"""Kinds that compete for capacity; episodes are scored, never forgotten."""
INDEXED = (Kind.EPISODE, Kind.FACT, Kind.INSIGHT)
"""Kinds that are embedded and recalled; persona values and plots are read by key and by place."""

EMBED_BATCH = 8
"""Texts that are embedded without a pause; one takes 12 to 45 ms."""


class UnknownTask(ValueError):
    """A task kind this program does not know; it is shown as failed, never dropped."""


class Construction:
    """capacity: facts and insights a branch keeps."""

    def __init__(self, store: Store, embedder: Embedder, index: MemoryIndex, recaller: Recaller, *, capacity: int) -> None:
        self._store = store
        self._embedder = embedder
        self._index = index
        self._recaller = recaller
        self._capacity = capacity
        self.breathe: Callable[[], object] = lambda: None
        """Called between the steps of a task, where it may be made to wait: a reply that begins meanwhile must not wait for the rest of it."""

    def run(self, task: Task) -> None:
        scope = Scope.of(task.user_id, task.chat_id)
        if task.kind == UNIT_TASK:
            self._close_unit(scope, task)
            return
        if task.kind not in (EPISODE_TASK, EXTRACT_TASK):
            raise UnknownTask(f"unknown task {task.kind!r}")
        wanted = [str(i) for i in _list(task.payload["message_ids"])]
        messages = [m for m in self._store.chats.messages(scope, task.branch_id, wanted) if not m.hidden]
        if messages and task.kind == EPISODE_TASK:
            self._episode(scope, task, messages)
        elif messages:
            self._extract(scope, task.branch_id, messages)

    # Episodes

    def _episode(self, scope: Scope, task: Task, messages: Sequence[Message]) -> None:
        if task.payload.get("replay"):
            self._replay(scope, task.branch_id, messages)
        self.keep(scope, [episode_of(task.chat_id, messages)])

    def _replay(self, scope: Scope, branch_id: str, messages: Sequence[Message]) -> None:
        cue = next((m for m in messages if m.role is Role.USER), messages[0])
        if self._store.memories.has_events(scope, cue.id):
            return
        recall = self._recaller.recall(scope, branch_id, Cue(cue.text, cue.round))
        if recall.degraded:
            raise RuntimeError("the index could not be read")  # tried again later: scores must not depend on a passing fault
        self._store.memories.record_events(scope, cue.id, recall.events)

    # Facts, persona values, insights

    def _extract(self, scope: Scope, branch_id: str, messages: Sequence[Message]) -> None:
        """What a final round tells."""
        chat = self._store.chats.chat(scope)
        partner = grounded.partner_of([m.speaker for m in messages if m.role is Role.CHARACTER]) or chat.character_name
        before = self._before(scope, branch_id, messages[0])
        made: list[Memory] = []
        for message in messages:
            drafts = grounded.extract(message, before, partner=partner)
            made += memories_of(chat.id, message, before, drafts, version=grounded.VERSION)
            before = message
            self.breathe()
        if not made:
            return
        self.keep(scope, made)
        self._insights(scope, branch_id, chat, [m for m in made if m.kind is Kind.FACT and m.payload["player"]])

    def _before(self, scope: Scope, branch_id: str, first: Message) -> Message | None:
        if first.parent_id is None:
            return None
        found = self._store.chats.messages(scope, branch_id, [first.parent_id])
        return found[0] if found and not found[0].hidden else None

    def _insights(self, scope: Scope, branch_id: str, chat: Chat, new: Sequence[Memory]) -> None:
        """Insights that the new facts of the player, with older ones, give ground for. A stance that is an insight already stays as it is."""
        character = character_from_card(self._store.chats.character(scope.user_id, chat.character_id).card_v3, id=chat.character_id)
        mine = [f for f in new if f.subject == f.said_by or f.subject in PLAYER.values()]
        if not character.stances or not mine:
            return
        lens = self._lens(scope.user_id, character, player=mine[0].subject)
        touched = {m.stance for m in insights.matches(self._vectors(scope, mine), lens) if m is not None}
        if not touched:
            return
        visible = self._store.memories.visible(scope, branch_id)
        held = {i.payload.get("stance") for i in self._store.memories.get(scope, visible.of_kinds((Kind.INSIGHT,)).ids).values()}
        facts = self._store.memories.get(scope, visible.before(new[0].round_last + 1).of_kinds((Kind.FACT,)).ids)
        about = [f for f in facts.values() if f.subject == mine[0].subject and f.payload.get("player")]
        found = list(zip(about, insights.matches(self._vectors(scope, about), lens), strict=True))
        made = []
        for stance in sorted(touched):
            ground = insights.evidence([(fact, m) for fact, m in found if m is not None and m.stance == stance])
            if ground:
                insight = insights.insight_of(chat.id, character, stance, ground, player=mine[0].subject)
                if insight.payload["stance"] not in held:
                    made.append(insight)
        self.keep(scope, made)

    def _lens(self, user_id: str, character: Character, *, player: str) -> insights.Lens:
        places, texts = insights.cue_texts(character, player=player)
        return insights.Lens(character, character.language, places, self._passages(user_id, texts))

    # Units

    def _close_unit(self, scope: Scope, task: Task) -> None:
        """Chapters and arcs that the path has closed, then forgetting."""
        last_round, next_round = _number(task.payload["last_round"]), _number(task.payload["next_round"])
        for span in narrative.closed_by(last_round, next_round):
            if span.tier >= narrative.CHAPTER:
                self._plot(scope, task.branch_id, span)
                self.breathe()
        self._forget(scope, task.branch_id, last_round=last_round, next_round=next_round)

    def _plot(self, scope: Scope, branch_id: str, span: narrative.Span) -> None:
        visible = self._store.memories.visible(scope, branch_id)
        inside = self._store.memories.get(scope, visible.within(span.first, span.last).of_kinds((Kind.FACT, Kind.PLOT)).ids)
        if span.tier == narrative.CHAPTER:
            told = sorted((m for m in inside.values() if m.kind is Kind.FACT), key=lambda f: (f.round_last, f.id))
            grounds = None
        else:
            chapters = [m for m in inside.values() if m.kind is Kind.PLOT and m.payload.get("tier") == narrative.CHAPTER]
            facts = self._store.memories.get(scope, [g for c in chapters for g in c.grounds])
            told = sorted(facts.values(), key=lambda f: (f.round_last, f.id))
            grounds = [c.id for c in sorted(chapters, key=lambda c: c.round_first)]
        if not told:
            return
        lines = [
            told[i]
            for i in narrative.choose(
                self._vectors(scope, told), most=narrative.LINES[span.tier], weights=[narrative.salience(f) for f in told]
            )
        ]
        messages = self._store.chats.span(scope, branch_id, first_round=span.first, last_round=span.last)
        self.keep(
            scope, [narrative.plot_of(scope.chat_id, span, lines, messages, grounds=[f.id for f in lines] if grounds is None else grounds)]
        )

    def _forget(self, scope: Scope, branch_id: str, *, last_round: int, next_round: int) -> None:
        competing = self._store.memories.visible(scope, branch_id).of_kinds(COMPETING).before(next_round)
        if len(competing.ids) <= self._capacity:
            return
        kept = scores(competing.round_of, self._store.memories.events(scope, branch_id), current_round=next_round)
        unit_start = last_round // narrative.THETA_1 * narrative.THETA_1
        spared = {i for i, r in competing.round_of.items() if r >= unit_start} | set(competing.pinned)
        lost = overflow(kept, births=competing.round_of, capacity=self._capacity, spared=spared)
        messages = self._store.chats.span(scope, branch_id, first_round=last_round, last_round=last_round)
        if messages:
            self._store.memories.forget(scope, messages[-1].id, lost, round_number=next_round)

    # Vectors and index

    def keep(self, scope: Scope, memories: Sequence[Memory]) -> None:
        """Embed what is recalled by meaning, store everything whose sources still hold, then index it."""
        indexed = [m for m in memories if m.kind in INDEXED]
        self.embed(scope.user_id, indexed)
        self.breathe()
        if memories:
            self._store.memories.add(scope, memories)
        self.breathe()
        self.write_index(scope, indexed)

    def embed(self, user_id: str, memories: Sequence[Memory]) -> None:
        """Embed what has no vector yet, in one batch."""
        self._passages(user_id, [m.text for m in memories])

    def _vectors(self, scope: Scope, memories: Sequence[Memory]) -> NDArray[np.float32]:
        return self._passages(scope.user_id, [m.text for m in memories])

    def _passages(self, user_id: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """Passage vectors [n, d]; one embedding per text ever."""
        keys = [sha256(text) for text in texts]
        found = self._store.vectors.get(user_id, self._embedder.fingerprint, "passage", keys)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in found}
        if missing:
            wanted = list(missing.items())
            for start in range(0, len(wanted), EMBED_BATCH):
                part = dict(wanted[start : start + EMBED_BATCH])
                made = dict(zip(part, self._embedder.passages(list(part.values())), strict=True))
                self.breathe()
                self._store.vectors.put(user_id, self._embedder.fingerprint, "passage", made)
                found.update(made)
        return np.stack([found[key] for key in keys]) if keys else np.zeros((0, self._embedder.dimension), dtype=np.float32)

    def write_index(self, scope: Scope, memories: Sequence[Memory]) -> None:
        vectors = self._store.vectors.of_memories(scope.user_id, self._embedder.fingerprint, [m.id for m in memories])
        self._index.upsert(
            [
                IndexEntry(m.id, scope.user_id, m.chat_id, m.kind.value, m.round_last, to_ms(m.said_at), vectors[m.id])
                for m in memories
                if m.id in vectors
            ]
        )


def round_tasks(branch_id: str, messages: Sequence[Message], *, replay: bool = False) -> list[NewTask]:
    """The tasks of a round as it stands. messages: of one round, oldest first; a greeting from a card is scenery, not an event.

    replay: recall for the round's cue first (an import has no replies that would have done it).
    """
    spoken = _spoken(messages)
    if not spoken:
        return []
    return [
        NewTask(EPISODE_TASK, branch_id, tuple(m.revision.id for m in spoken), {"message_ids": [m.id for m in spoken], "replay": replay})
    ]


def final_tasks(branch_id: str, messages: Sequence[Message], *, next_round: int | None) -> list[NewTask]:
    """The tasks of a round that has become final. messages: of that round, oldest first; next_round: the round that follows, None if the session ended.

    Only final rounds are extracted from; going on to the next unit closes the last one.
    """
    spoken = _spoken(messages)
    if not spoken:
        return []
    revisions = tuple(m.revision.id for m in spoken)
    tasks = [NewTask(EXTRACT_TASK, branch_id, revisions, {"message_ids": [m.id for m in spoken]})]
    if next_round is not None and narrative.closed_by(spoken[-1].round, next_round):
        tasks.append(NewTask(UNIT_TASK, branch_id, revisions, {"last_round": spoken[-1].round, "next_round": next_round}))
    return tasks


def _spoken(messages: Sequence[Message]) -> list[Message]:
    return [m for m in messages if m.revision.origin != "card" and not m.hidden]


def _list(value: object) -> list[object]:
    if not isinstance(value, list):
        raise TypeError("expected a list")
    return value


def _number(value: object) -> int:
    if not isinstance(value, int):
        raise TypeError("expected a number")
    return value
