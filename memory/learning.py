"""Learning from what replies cite (RMM 6), for one user at a time: the weights are applied to the pool of a recall after its effects were decided, so
memory stays a function of the path alone, and are learned by a task per reply.

A lesson is a pure function of a receipt and stored vectors. Receipts are gathered by id until an update is due, so what is stored is only ever weights.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from pydantic import TypeAdapter

from memory.learned_file import packed, unpacked
from memory.recall import Recall
from memory.reranker import OURS, POOL, Floats, Reranker, Shown
from memory.usefulness import PERIOD, Fall, Mode, Period, Record
from storage.errors import NotFound
from storage.learning import BEST, SINCE, StoredWeights
from storage.records import NewTask, Task, sha256
from storage.scope import Scope
from storage.store import Store
from storage.vectors import QUERY_CHARS

LEARN_TASK = "learn"
NO_CHOICE = frozenset({"in_context", "budget"})
"""Reasons for which a memory was not shown that say nothing of its rank."""
_RECORD = TypeAdapter(Record)


@dataclass(frozen=True)
class Lesson:
    """rewards: +1 or -1 of each that was shown [M]; usefulness: the share of them that was cited; source: as of Period."""

    shown: Shown
    rewards: Floats
    usefulness: float
    source: str


@dataclass(frozen=True)
class Standing:
    """How learning stands with the embedder in use."""

    mode: Mode
    exploring: bool
    updates: int
    counted: int
    replies: tuple[float, ...]
    """Usefulness of the newest, oldest first."""
    fall: Fall | None


def learn_task(branch_id: str, *, revision_id: str, message_id: str, receipt_id: str) -> NewTask:
    return NewTask(LEARN_TASK, branch_id, (revision_id,), {"receipt": receipt_id, "message_ids": [message_id]})


def lesson_of(body: Mapping[str, Any], *, query: Floats, vectors: Mapping[str, Floats]) -> Lesson | None:
    """What a receipt teaches; None where it is not known what was used, or nothing was shown by its rank. vectors: [d] by memory id; a memory that was
    erased since has none and is left out. What stood in the prompt anyway, or found no room, was no choice; nor is what a person pinned. They still make the
    pool about whose middle everything is seen."""
    citations = body.get("citations") or {}
    if not citations.get("by"):
        return None
    pinned = set(body.get("pinned", ()))
    pool = [c for c in body["candidates"] if c.get("place") is not None and c["memory_id"] in vectors]
    free = [i for i, c in enumerate(pool) if c["reason"] not in NO_CHOICE and c["memory_id"] not in pinned]
    order = sorted((n for n, i in enumerate(free) if pool[i]["delivered"]), key=lambda n: pool[free[n]]["place"])
    if not order:
        return None
    seen = Reranker(len(query)).show(
        query,
        np.stack([vectors[c["memory_id"]] for c in pool]),
        np.array([c["fused"] for c in pool], dtype=np.float32),
        count=0,
    )
    used = set(citations["memories"])
    cited = np.array([pool[free[n]]["memory_id"] in used for n in order])
    shown = replace(
        seen,
        memories=seen.memories[free],
        scores=np.array([pool[i]["learned"] for i in free], dtype=np.float32),
        order=np.array(order, dtype=np.int64),
        temperature=OURS.exploring if body.get("drawn") else OURS.temperature,
    )
    return Lesson(shown, np.where(cited, 1.0, -1.0).astype(np.float32), float(cited.mean()), f"{citations['by']} {body['model']}")


class Learner:
    """Applies and learns the weights of every user for one embedder. One process owns the data folder, so what it keeps in memory is what is stored."""

    def __init__(self, store: Store, *, fingerprint: str, dimension: int) -> None:
        self._store = store
        self._states = store.learning
        self._fingerprint = fingerprint
        self.dimension = dimension
        self._lock = threading.Lock()
        self._applied: dict[str, tuple[Reranker, bool] | None] = {}

    # Applying

    def ranked(self, scope: Scope, recall: Recall) -> Recall:
        """The recall with its pool in the order learned for the user, if they want that. Its candidates and events stay as they are."""
        applied = self._weights_applied(scope.user_id)
        if applied is None:
            return recall
        reranker, exploring = applied
        query, vectors = self._vectors(scope.user_id, recall.query, [c.memory_id for c in recall.candidates[:POOL]])
        places = [i for i, c in enumerate(recall.candidates[:POOL]) if c.memory_id in vectors]
        if query is None or not places:
            return recall
        pool = [recall.candidates[i] for i in places]
        shown = reranker.show(
            query,
            np.stack([vectors[c.memory_id] for c in pool]),
            np.array([c.fused for c in pool], dtype=np.float32),
            count=len(pool),
            noise=np.random.default_rng() if exploring else None,
        )
        # What has no vector yet keeps its place.
        order = [c.memory_id for c in recall.candidates]
        for place, chosen in zip(places, shown.order.tolist(), strict=True):
            order[place] = pool[chosen].memory_id
        learned = {c.memory_id: float(score) for c, score in zip(pool, shown.scores, strict=True)}
        return replace(recall, order=tuple(order), learned=learned, drawn=exploring)

    def _weights_applied(self, user_id: str) -> tuple[Reranker, bool] | None:
        with self._lock:
            if user_id not in self._applied:
                record = self._record(user_id)
                self._applied[user_id] = (self._reranker(user_id), record.exploring) if record.on else None
            return self._applied[user_id]

    def _vectors(self, user_id: str, query: str, memory_ids: Sequence[str]) -> tuple[Floats | None, dict[str, Floats]]:
        key = sha256(query[:QUERY_CHARS])
        stored = self._store.vectors.get(user_id, self._fingerprint, "query", [key])
        return stored.get(key), self._store.vectors.of_memories(user_id, self._fingerprint, memory_ids)

    # Learning

    def learn(self, task: Task) -> None:
        """Take in one reply; a second time changes nothing. Raises what storage raises, and then nothing was changed."""
        user_id, receipt_id = task.user_id, str(task.payload["receipt"])
        with self._store.database.write():
            record = self._record(user_id)
            if not record.on or record.knows(receipt_id):
                return
            lesson = self._lesson(user_id, task.chat_id, receipt_id)
            if lesson is None:
                return
            record = record.with_reply(receipt_id, lesson.usefulness)
            state = self._state(user_id)
            if not state.frozen:
                record = self._gather(user_id, record, state, (task.chat_id, receipt_id), lesson)
            self._put(user_id, record)
        self._changed(user_id)

    def _gather(self, user_id: str, record: Record, state: StoredWeights, named: tuple[str, str], lesson: Lesson) -> Record:
        period = record.period
        if not period.tallies:
            period = Period(state.updates)
            self._states.put_weights(user_id, self._fingerprint, state, slot=SINCE)
        record = replace(record, waiting=(*record.waiting, named), period=period.with_reply(lesson.source, lesson.usefulness))
        return self._update(user_id, record, state) if record.due else record

    def _update(self, user_id: str, record: Record, state: StoredWeights) -> Record:
        lessons = {named: self._lesson(user_id, *named) for named in record.waiting}
        there = {named: lesson for named, lesson in lessons.items() if lesson is not None}
        if len(there) < len(record.waiting):
            return replace(record, waiting=tuple(there))  # erased since
        reranker = self._reranker(user_id)
        for lesson in there.values():
            reranker.learn(lesson.shown, lesson.rewards)
        record = replace(record, waiting=())
        state = replace(state, weights=_bytes(reranker.weights), updates=reranker.updates)
        if state.updates - record.period.begun >= PERIOD:
            return self._judge(user_id, record, state)
        self._states.put_weights(user_id, self._fingerprint, state)
        return record

    def _judge(self, user_id: str, record: Record, state: StoredWeights) -> Record:
        """At the end of a period: go back and stop, or go on. Where it cannot be compared with the best one, since other models spoke, it becomes that."""
        period, best = record.period, record.best
        beside = period.beside(best) if best is not None else None
        if beside is not None and beside.clearly_below:
            copy = self._states.weights(user_id, self._fingerprint, BEST)
            if copy is None:
                raise RuntimeError("the copy of the best weights is not there")
            self._states.put_weights(user_id, self._fingerprint, replace(copy, frozen=True))
            return replace(record, fall=Fall(beside.before, beside.after, copy.updates), period=Period(), best=None)
        if beside is None or beside.after > beside.before:
            watched = self._states.weights(user_id, self._fingerprint, SINCE)
            if watched is None:
                raise RuntimeError("the copy of the watched weights is not there")
            self._states.put_weights(user_id, self._fingerprint, watched, slot=BEST)
            best = period
        self._states.put_weights(user_id, self._fingerprint, state, slot=SINCE)
        self._states.put_weights(user_id, self._fingerprint, state)
        return replace(record, period=Period(state.updates), best=best)

    def _lesson(self, user_id: str, chat_id: str, receipt_id: str) -> Lesson | None:
        try:
            body = self._store.receipts.body(Scope.of(user_id, chat_id), receipt_id)
        except NotFound:  # the chat went with it
            return None
        if body is None or body["embedder"] != self._fingerprint:
            return None
        query, vectors = self._vectors(user_id, str(body["query"]), [c["memory_id"] for c in body["candidates"]])
        return lesson_of(body, query=query, vectors=vectors) if query is not None else None

    # What a person decides

    def standing(self, user_id: str) -> Standing:
        record, state = self._record(user_id), self._state(user_id)
        mode: Mode = "off" if not record.on else "frozen" if state.frozen else "learning"
        return Standing(mode, record.exploring, state.updates, record.counted, tuple(share for _, share in record.replies), record.fall)

    def choose(self, user_id: str, mode: Mode, *, exploring: bool) -> None:
        """off: what was learned is kept and not applied; frozen: applied, not learned any further."""
        with self._store.database.write():
            record, state = self._record(user_id), self._state(user_id)
            if mode == "learning" and (state.frozen or not record.on):
                record = replace(record, period=Period(), best=None, fall=None, waiting=())
            self._states.put_weights(user_id, self._fingerprint, replace(state, frozen=mode != "learning"))
            self._put(user_id, replace(record, on=mode != "off", exploring=exploring))
        self._changed(user_id)

    def reset(self, user_id: str) -> None:
        """Unlearn everything; what was chosen stays chosen."""
        with self._store.database.write():
            record, state = self._record(user_id), self._state(user_id)
            self._states.drop(user_id, self._fingerprint)
            self._states.put_weights(user_id, self._fingerprint, StoredWeights(b"", 0, state.frozen))
            self._put(user_id, Record(on=record.on, exploring=record.exploring))
        self._changed(user_id)

    def packed(self, user_id: str) -> bytes:
        """What was learned, as a file."""
        return packed(self._reranker(user_id), fingerprint=self._fingerprint)

    def unpack(self, user_id: str, raw: bytes) -> None:
        """Go on from a file; it is applied if the person wants what was learned applied. Raises ValueError, after which nothing is changed."""
        reranker = unpacked(raw, fingerprint=self._fingerprint, dimension=self.dimension)
        with self._store.database.write():
            record, state = self._record(user_id), self._state(user_id)
            stored = StoredWeights(_bytes(reranker.weights), reranker.updates, state.frozen)
            self._states.put_weights(user_id, self._fingerprint, stored)
            self._put(user_id, replace(record, waiting=(), period=Period(), best=None, fall=None))
        self._changed(user_id)

    # Storage

    def _record(self, user_id: str) -> Record:
        stored = self._states.record(user_id, self._fingerprint)
        return _RECORD.validate_json(stored) if stored is not None else Record()

    def _put(self, user_id: str, record: Record) -> None:
        self._states.put_record(user_id, self._fingerprint, _RECORD.dump_json(record).decode())

    def _state(self, user_id: str) -> StoredWeights:
        return self._states.weights(user_id, self._fingerprint) or StoredWeights(b"", 0, frozen=True)

    def _reranker(self, user_id: str) -> Reranker:
        state = self._state(user_id)
        weights = np.frombuffer(state.weights, dtype="<f4").reshape(OURS.shape(self.dimension)) if state.weights else None
        return Reranker(self.dimension, OURS, weights=weights, updates=state.updates)

    def _changed(self, user_id: str) -> None:
        with self._lock:
            self._applied.pop(user_id, None)


def _bytes(weights: Floats) -> bytes:
    return np.asarray(weights, dtype="<f4").tobytes()
