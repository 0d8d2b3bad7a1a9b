"""The memory engine's one façade: what a turn enqueues, what the worker does, what recall answers, what the panels read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from memory.episodes import episode_of
from memory.forgetting import Score, scores
from memory.recall import Cue, Recall, Recaller
from memory.retrieval import FUSED, Recipe
from models.embedder import Embedder
from storage.index import IndexEntry, MemoryIndex
from storage.records import Kind, Memory, Message, NewTask, Role, Task, to_ms
from storage.scope import Scope
from storage.store import Store

EPISODE_TASK = "episode"
SYNC_BATCH = 500


@dataclass(frozen=True)
class ScoredMemory:
    memory: Memory
    score: Score


class UnknownTask(ValueError):
    """A task kind this program does not know; it is shown as failed, never dropped."""


class MemoryEngine:
    """store: the truth; embedder and index: of one fingerprint; k: of MOOM App. D."""

    def __init__(self, store: Store, embedder: Embedder, index: MemoryIndex, *, k: int) -> None:
        self._store = store
        self._embedder = embedder
        self._index = index
        self._recaller = Recaller(store, embedder, index, k=k)

    @property
    def embedder_name(self) -> str:
        return self._embedder.fingerprint

    # What the worker does

    def run(self, task: Task) -> None:
        """Do one task to the end. Doing it again changes nothing; a source that changed meanwhile makes it a no-op."""
        if task.kind != EPISODE_TASK:
            raise UnknownTask(f"unknown task {task.kind!r}")
        scope = Scope.of(task.user_id, task.chat_id)
        wanted = [str(i) for i in _list(task.payload["message_ids"])]
        messages = [m for m in self._store.chats.messages(scope, task.branch_id, wanted) if not m.hidden]
        if not messages:
            return
        if task.payload.get("replay"):
            self._replay(scope, task.branch_id, messages)
        episode = episode_of(task.chat_id, messages)
        self._embed(scope.user_id, [episode])
        self._store.memories.add(scope, [episode])
        self._write_index(scope, [episode])

    def _replay(self, scope: Scope, branch_id: str, messages: Sequence[Message]) -> None:
        cue = next((m for m in messages if m.role is Role.USER), messages[0])
        if self._store.memories.has_events(scope, cue.id):
            return
        recall = self.recall(scope, branch_id, Cue(cue.text, cue.round))
        if recall.degraded:
            raise RuntimeError("the index could not be read")  # tried again later: scores must not depend on a passing fault
        self._store.memories.record_events(scope, cue.id, recall.events)

    def _embed(self, user_id: str, memories: Sequence[Memory]) -> None:
        """Embed what has no vector yet, in one batch."""
        fingerprint = self._embedder.fingerprint
        texts = {m.text_sha256: m.text for m in memories}
        missing = [key for key in texts if key not in self._store.vectors.get(user_id, fingerprint, "passage", texts)]
        if missing:
            made = self._embedder.passages([texts[key] for key in missing])
            self._store.vectors.put(user_id, fingerprint, "passage", dict(zip(missing, made, strict=True)))

    def _write_index(self, scope: Scope, memories: Sequence[Memory]) -> None:
        vectors = self._store.vectors.of_memories(scope.user_id, self._embedder.fingerprint, [m.id for m in memories])
        self._index.upsert(
            [
                IndexEntry(m.id, scope.user_id, m.chat_id, m.kind.value, m.round_last, to_ms(m.said_at), vectors[m.id])
                for m in memories
                if m.id in vectors
            ]
        )

    # Recall

    def recall(self, scope: Scope, branch_id: str, cue: Cue, *, recipe: Recipe = FUSED) -> Recall:
        return self._recaller.recall(scope, branch_id, cue, recipe=recipe)

    # Reading

    def scored(self, scope: Scope, branch_id: str, *, current_round: int, kinds: tuple[Kind, ...] = tuple(Kind)) -> dict[str, Score]:
        """Forgetting scores of everything the branch may see, by id. A pure function of the path's recall events."""
        visible = self._store.memories.visible(scope, branch_id).of_kinds(kinds)
        return scores(visible.round_of, self._store.memories.events(scope, branch_id), current_round=current_round)

    def memories(
        self, scope: Scope, branch_id: str, *, current_round: int, newest_first: bool, limit: int
    ) -> tuple[list[ScoredMemory], int]:
        """The first `limit` memories in the wanted order with their scores, and how many there are in all."""
        by_id = self.scored(scope, branch_id, current_round=current_round)
        order = list(by_id)
        order.reverse()  # youngest first; the sort below is stable, so ties show the youngest first
        if not newest_first:
            order.sort(key=lambda i: -by_id[i].value)
        found = self._store.memories.get(scope, order[:limit])
        return [ScoredMemory(found[i], by_id[i]) for i in order[:limit] if i in found], len(order)

    # Upkeep

    def reconcile(
        self, *, on_progress: Callable[[int, int], None] | None = None, may_go_on: Callable[[], bool] = lambda: True
    ) -> tuple[int, int]:
        """Make the index hold exactly what SQLite holds: (entries added, orphans removed). Rebuilds it from an empty folder without embedding
        anything that was embedded before. `may_go_on` is asked between batches, so that it can be paused or stopped."""
        owners = {memory_id: (user_id, chat_id) for user_id, chat_id, memory_id in self._store.memory_ids()}
        present = self._index.ids()
        orphans = [i for i in present if i not in owners]
        self._index.delete(orphans)
        missing = [i for i in owners if i not in present]
        for start in range(0, len(missing), SYNC_BATCH):
            if not may_go_on():
                return start, len(orphans)
            part = missing[start : start + SYNC_BATCH]
            by_scope: dict[Scope, list[str]] = {}
            for memory_id in part:
                by_scope.setdefault(Scope.of(*owners[memory_id]), []).append(memory_id)
            for scope, ids in by_scope.items():
                memories = list(self._store.memories.get(scope, ids).values())
                self._embed(scope.user_id, memories)
                self._write_index(scope, memories)
            if on_progress:
                on_progress(min(start + SYNC_BATCH, len(missing)), len(missing))
        return len(missing), len(orphans)


def round_tasks(branch_id: str, messages: Sequence[Message], *, replay: bool = False) -> list[NewTask]:
    """The tasks of a round as it stands. messages: of one round, oldest first; a greeting from a card is scenery, not an event.

    replay: recall for the round's cue first (an import has no replies that would have done it).
    """
    spoken = [m for m in messages if m.revision.origin != "card" and not m.hidden]
    if not spoken:
        return []
    payload = {"message_ids": [m.id for m in spoken], "replay": replay}
    return [NewTask(EPISODE_TASK, branch_id, tuple(m.revision.id for m in spoken), payload)]


def _list(value: object) -> list[object]:
    if not isinstance(value, list):
        raise TypeError("expected a list")
    return value
