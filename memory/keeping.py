"""Keeping what was derived: embed what is recalled by meaning, store it if its sources still hold, index it."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from memory import matters, tastes
from memory.ahead import Ahead
from memory.standing import made
from models.embedder import Embedder
from storage.index import IndexEntry, MemoryIndex
from storage.records import Kind, Memory, NewTask, sha256, to_ms
from storage.scope import Scope
from storage.store import Store
from storage.vectors import STANDING, sweep_vectors
from storage.witnesses import owned

INDEXED = (Kind.EPISODE, Kind.FACT, Kind.INSIGHT)
"""Kinds that are embedded and recalled; persona values and plots are read by key and by place."""
EMBED_BATCH = 8
"""Texts that are embedded without a pause; one takes 12 to 45 ms."""


INDEX_TASK = "index"


def index_task(branch_id: str, memory_ids: Sequence[str]) -> NewTask:
    """Bring the index in step with memories that a person edited or deleted. In the order of the chat's tasks: what was under way when they did cannot
    put an old state back."""
    return NewTask(INDEX_TASK, branch_id, (secrets.token_hex(16),), {"memory_ids": list(memory_ids)})


@dataclass
class Read:
    """What extraction read: kept together with what came of it, so that neither is there without the other."""

    version: str
    pairs: list[tuple[str, str]] = field(default_factory=list)
    """(revision, revision of the question it answers or "")."""
    outputs: dict[str, str] = field(default_factory=dict)
    """By derivation key."""


class Keeper:
    def __init__(self, store: Store, embedder: Embedder, index: MemoryIndex) -> None:
        self._store = store
        self._embedder = embedder
        self._index = index
        self._ahead = Ahead(embedder.passages)
        self._measured: set[str] = set()
        """Users for whom what values are measured by is embedded."""
        self.breathe: Callable[[], object] = lambda: None
        """Called between the steps of a task, where it may be made to wait: a reply that begins meanwhile must not wait for the rest of it."""

    @property
    def embedder_name(self) -> str:
        return self._embedder.fingerprint

    def keep(self, scope: Scope, memories: Sequence[Memory], *, read: Read | None = None) -> None:
        memories = [owned(scope, m) for m in memories]
        wanted = self._store.controls.wanted(scope, memories)
        if read is not None and len(wanted) < len(memories):
            read.outputs.clear()  # what a person deleted must not live on in what extraction gave
        memories = wanted
        indexed = [m for m in memories if m.kind in INDEXED]
        self.embed(scope.user_id, indexed)
        self.tastes(scope.user_id, memories)
        self.breathe()
        if memories or (read is not None and (read.pairs or read.outputs)):
            with self._store.database.write():
                self._store.memories.add(scope, memories)
                if read is not None:
                    self._store.derivations.put(scope, read.outputs, kind="extract", version=read.version)
                    self._store.derivations.mark(scope, read.pairs, version=read.version)
        self.breathe()
        # Once more: an erasure meanwhile drops vectors that no memory has, and these had none yet.
        self.embed(scope.user_id, indexed)
        self.tastes(scope.user_id, memories)
        self.write_index(scope, indexed)

    def refresh(self, scope: Scope, memory_ids: Sequence[str]) -> None:
        """Write these memories' entries as they are now, and remove those of erased ones, with vectors that nothing has any more."""
        found = self._store.memories.get(scope, memory_ids)
        kept = [m for m in found.values() if m.status != "deleted"]
        live = [m for m in kept if m.kind in INDEXED]
        self.embed(scope.user_id, live)
        self.tastes(scope.user_id, kept)
        self.write_index(scope, live)
        gone = [i for i, m in found.items() if m.status == "deleted"]
        if gone:
            self.drop_ahead()
            self.remove(gone)
            with self._store.database.write() as connection:
                sweep_vectors(connection, scope.user_id)

    def remove(self, memory_ids: Sequence[str]) -> None:
        """Take entries out of the index. Raises IndexFailed."""
        self._index.delete(memory_ids)

    def embed(self, user_id: str, memories: Sequence[Memory]) -> None:
        """Embed what has no vector yet, in one batch."""
        self.passages(user_id, [m.text for m in memories])

    def tastes(self, user_id: str, memories: Iterable[Memory]) -> None:
        """Embed what of these are tastes and have no vector yet, and what values are compared and asked for by."""
        values = [m for m in memories if m.kind is Kind.PERSONA]
        if values and user_id not in self._measured:
            self.standing(user_id, tastes.standing_texts())
            self.standing(user_id, matters.standing_texts(), queries=True)
            self._measured.add(user_id)
        liked = [m.text for m in values if tastes.has_taste(m)]
        self._kept(user_id, "passage", lambda texts: self._embedder.passages([*map(tastes.worded, texts)]), liked, kind=tastes.KIND)

    def vectors(self, scope: Scope, memories: Sequence[Memory]) -> NDArray[np.float32]:
        """Passage vectors [n, d] of memories."""
        return self.passages(scope.user_id, [m.text for m in memories])

    def passages(self, user_id: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """Passage vectors [n, d]; one embedding per text ever."""
        return self._kept(user_id, "passage", self._embedder.passages, texts, ahead=self._ahead)

    def ahead(self, user_id: str, texts: Sequence[str]) -> None:
        """Begin to embed what will be asked for as `passages`, beside what is done until then, so much of it as is embedded without a pause. It is kept when
        it is asked for."""
        wanted = {sha256(text): text for text in texts[:EMBED_BATCH]}
        if not wanted:
            return
        there = self._store.vectors.get(user_id, self._embedder.fingerprint, "passage", wanted)
        self._ahead.begin(user_id, {key: text for key, text in wanted.items() if key not in there})

    def drop_ahead(self) -> None:
        """Drop what was embedded ahead: something was erased."""
        self._ahead.drop()

    def close(self) -> None:
        """Wait for what is embedded ahead."""
        self._ahead.close()

    def queries(self, user_id: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """Query vectors [n, d]; one embedding per text ever."""
        return self._kept(user_id, "query", self._embedder.queries, texts)

    def standing(self, user_id: str, texts: Sequence[str], *, queries: bool = False) -> NDArray[np.float32]:
        """Vectors [n, d] of texts that nobody said, which stay whatever is erased."""
        role, embed = ("query", self._embedder.queries) if queries else ("passage", self._embedder.passages)
        keys = [sha256(text) for text in texts]
        found = made(self._embedder.fingerprint, role, keys)
        missing = [text for key, text in zip(keys, texts, strict=True) if key not in found]
        found |= zip(map(sha256, missing), self._kept(user_id, role, embed, missing, kind=STANDING), strict=True)
        return np.stack([found[key] for key in keys]) if keys else np.zeros((0, self._embedder.dimension), dtype=np.float32)

    def stand(self, user_id: str, texts: Sequence[str]) -> bool:
        """Whether all of these have their `standing` vectors, as passages and as queries."""
        keys = {sha256(text) for text in texts}
        for role in ("passage", "query"):
            missing = keys - made(self._embedder.fingerprint, role, keys).keys()
            if len(self._store.vectors.get(user_id, self._embedder.fingerprint + STANDING, role, missing)) < len(missing):
                return False
        return True

    def _kept(
        self,
        user_id: str,
        role: str,
        embed: Callable[[Sequence[str]], NDArray[np.float32]],
        texts: Sequence[str],
        *,
        kind: str = "",
        ahead: Ahead | None = None,
    ) -> NDArray[np.float32]:
        keys = [sha256(text) for text in texts]
        fingerprint = self._embedder.fingerprint + kind
        found = self._store.vectors.get(user_id, fingerprint, role, keys)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in found}
        if missing and ahead is not None:
            self.breathe()  # before, for what is taken is gone
            early = ahead.take(user_id, missing)
            self._store.vectors.put(user_id, fingerprint, role, early)
            found.update(early)
            missing = {key: text for key, text in missing.items() if key not in early}
        if missing:
            wanted = list(missing.items())
            for start in range(0, len(wanted), EMBED_BATCH):
                part = dict(wanted[start : start + EMBED_BATCH])
                made = dict(zip(part, embed(list(part.values())), strict=True))
                self.breathe()
                self._store.vectors.put(user_id, fingerprint, role, made)
                found.update(made)
        return np.stack([found[key] for key in keys]) if keys else np.zeros((0, self._embedder.dimension), dtype=np.float32)

    def write_index(self, scope: Scope, memories: Sequence[Memory], index: MemoryIndex | None = None) -> None:
        """Write those that have a vector. index: another one than that which is searched."""
        if not memories:
            return
        vectors = self._store.vectors.of_memories(scope.user_id, self._embedder.fingerprint, [m.id for m in memories])
        (index or self._index).upsert(
            [
                IndexEntry(m.id, scope.user_id, m.chat_id, m.kind.value, m.round_last, to_ms(m.said_at), vectors[m.id])
                for m in memories
                if m.id in vectors
            ]
        )
