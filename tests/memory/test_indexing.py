"""The index after a change of embedder, an erasure, an interruption: on the real Chroma, with embedders of two fingerprints."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from memory.engine import MemoryEngine, round_tasks
from memory.forgetting import Capacity
from memory.recall import Cue
from models.embedder import Embedder, Vectors
from storage.folder import DataFolder
from storage.index import MemoryIndex, contents
from storage.records import sha256
from storage.scope import LOCAL_USER
from storage.store import Store
from storage.vectors import Vector
from tests.conftest import OpenChat, open_chat

LINES = tuple((f"Secret number {i} is word{i}.", f"Noted, word{i}.") for i in range(1, 81))


class Hashed(Embedder):
    """A vector of the words of a text; counts what it embeds."""

    def __init__(self, name: str, dimension: int) -> None:
        self.fingerprint = f"{name}/{dimension}"
        self.dimension = dimension
        self.embedded: list[str] = []

    def _encode(self, texts: list[str], *, is_query: bool) -> Vectors:
        self.embedded += texts
        rows = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.lower().replace(".", " ").split():
                row[int(hashlib.sha256(word.encode()).hexdigest(), 16) % self.dimension] += 1.0
        rows[:, 0] += 0.01
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


class House:
    def __init__(self, root: Path, embedder: Hashed) -> None:
        self.store = Store(DataFolder(root), durable=False)
        self.store.chats.ensure_user(LOCAL_USER, "")
        self.store.chats.ensure_character("c1", user_id=None, name="Mara", language="en", card={"name": "Mara"}, persona={}, stances=[])
        self.index = MemoryIndex(self.store.folder.index, fingerprint=embedder.fingerprint, dimension=embedder.dimension)
        self.engine = MemoryEngine(self.store, embedder, self.index, k=9, capacity=Capacity(300))

    def live(self, lines: Sequence[tuple[str, str]]) -> OpenChat:
        chat = open_chat(self.store)
        for number, (said, reply) in enumerate(lines, start=1):
            for task in round_tasks(chat.branch_id, chat.say(said, reply, number=number)):
                self.store.tasks.add(chat.scope, task)
        while (task := self.store.tasks.lease()) is not None:
            self.engine.run(task)
            self.store.tasks.finish(task)
        return chat


@contextmanager
def house(root: Path, embedder: Hashed) -> Iterator[House]:
    opened = House(root, embedder)
    try:
        yield opened
    finally:
        opened.index.close()
        opened.store.close()


def test_another_embedder_reads_everything_anew_and_going_back_embeds_nothing(tmp_path: Path) -> None:
    small, large = Hashed("small", 32), Hashed("large", 48)
    with house(tmp_path, small) as first:
        assert first.engine.reindexing is None
        chat = first.live(LINES)
        ids = first.index.ids()
        assert len(ids) == len(LINES)
    seen: list[tuple[int, int]] = []
    with house(tmp_path, large) as second:
        assert second.engine.reindexing == (0, 0)
        early = second.engine.recall(chat.scope, chat.branch_id, Cue("What is word7?", 100))
        assert early.degraded == "reindexing"
        assert second.store.memories.get(chat.scope, [early.candidates[0].memory_id])[early.candidates[0].memory_id].round_first == 7
        # Stopped after two batches (the program ended), gone on with later.
        left = [2]

        def twice() -> bool:
            left[0] -= 1
            return left[0] >= 0

        added, _ = second.engine.reconcile(on_progress=lambda done, total: seen.append((done, total)), may_go_on=twice)
        assert 0 < added < len(LINES)
        assert second.engine.reindexing == (added, len(LINES))
        partly = second.engine.recall(chat.scope, chat.branch_id, Cue("What is word7?", 100))
        assert partly.degraded == "reindexing"
        assert any(c.dense is not None for c in partly.candidates)
    embedded = len(large.embedded)
    with house(tmp_path, large) as third:
        assert third.engine.reindexing is not None
        assert third.engine.reconcile()[0] == len(LINES) - added
        assert third.engine.reindexing is None
        assert third.index.ids() == ids
        assert third.engine.recall(chat.scope, chat.branch_id, Cue("What is word7?", 100)).degraded == ""
        assert not third.index.has_others
    passages = [text for text in large.embedded if "You:" in text]
    assert len(passages) == len(set(passages)) == len(LINES)
    assert len(large.embedded) > embedded
    assert len(contents(tmp_path / "index")) == 1
    assert len([p for p in (tmp_path / "index").iterdir() if p.is_dir()]) <= 1
    small.embedded.clear()
    with house(tmp_path, small) as back:
        assert back.engine.reconcile() == (len(LINES), 0)
        assert small.embedded == []
        assert back.index.ids() == ids
        assert back.engine.recall(chat.scope, chat.branch_id, Cue("What is word7?", 100)).degraded == ""


def test_one_text_that_cannot_be_embedded_keeps_nothing_else_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with house(tmp_path, Hashed("small", 32)) as first:
        first.live(LINES[:40])
    large = Hashed("large", 48)
    encode = large._encode

    def picky(texts: list[str], *, is_query: bool) -> Vectors:
        if any("word13." in text for text in texts):
            raise ValueError("no")
        return encode(texts, is_query=is_query)

    monkeypatch.setattr(large, "_encode", picky)
    with house(tmp_path, large) as second:
        second.engine.reconcile()
        assert second.engine.reindexing is None
        assert len(second.index.ids()) == 39


def test_erasing_leaves_no_vector_in_any_file_of_the_index(tmp_path: Path) -> None:
    embedder = Hashed("small", 32)
    with house(tmp_path, embedder) as opened:
        gone, kept = opened.live(LINES[:5]), opened.live(LINES[5:9])
        store = opened.store
        memories = store.memories.visible(gone.scope, gone.branch_id).ids
        vectors: dict[str, Vector] = store.vectors.of_memories(LOCAL_USER, embedder.fingerprint, memories)
        opened.engine.reconcile()
        assert _holds(tmp_path, list(vectors.values()))
        before = [(c.memory_id, c.dense) for c in opened.engine.recall(kept.scope, kept.branch_id, Cue("word7", 50)).candidates]
        store.erasures.chat(LOCAL_USER, gone.scope.chat_id)
        opened.engine.finish_erasures()
        assert not opened.index.ids() & set(memories)
        assert store.erasures.waiting() == 0
        assert store.erasures.index_awaits() > 0
        opened.engine.reconcile()
        assert store.erasures.index_awaits() == 0
        after = opened.engine.recall(kept.scope, kept.branch_id, Cue("word7", 50)).candidates
        assert [(c.memory_id, c.dense) for c in after] == before
        assert len(opened.index.ids()) == 4
        assert _holds(tmp_path, list(vectors.values())) == []
        assert _named(tmp_path, memories) == []
    assert _holds(tmp_path, list(vectors.values())) == []


def _holds(root: Path, vectors: Sequence[Vector]) -> list[str]:
    """Files of the folder with one of these vectors, or with it normalised once more as Chroma keeps it."""
    forms = [form.astype("<f4").tobytes() for v in vectors for form in (v, v / np.linalg.norm(v))]
    return [str(p) for p in root.rglob("*") if p.is_file() for content in [p.read_bytes()] if any(form in content for form in forms)]


def _named(root: Path, ids: Sequence[str]) -> list[str]:
    return [str(p) for p in (root / "index").rglob("*") if p.is_file() and any(i.encode() in p.read_bytes() for i in ids)]


def test_a_stopped_rebuild_is_gone_on_with_and_the_old_index_serves_meanwhile(tmp_path: Path) -> None:
    embedder = Hashed("small", 32)
    with house(tmp_path, embedder) as opened:
        chat = opened.live(LINES)
        opened.engine.reconcile()
        with opened.store.database.write() as connection:  # texts without a vector are embedded, and only those
            connection.executemany("DELETE FROM vector WHERE text_sha256 = ?", [(sha256(f"You: {s}\nMara: {r}"),) for s, r in LINES[:40]])
        embedder.embedded.clear()
        left = [2]

        def twice() -> bool:
            left[0] -= 1
            return left[0] >= 0

        assert not opened.engine.rebuild_index(may_go_on=twice)
        assert (tmp_path / "index.rebuilding").exists()
        assert opened.engine.recall(chat.scope, chat.branch_id, Cue("word7", 100)).candidates
        done = len([t for t in embedder.embedded if "You:" in t])
        assert 0 < done < 40
        counts: list[tuple[int, int]] = []
        assert opened.engine.rebuild_index(on_progress=lambda done, total: counts.append((done, total)))
        assert len([t for t in embedder.embedded if "You:" in t]) == 40
        assert counts[0][0] > 0
        assert counts[-1] == (len(LINES), len(LINES))
        assert not (tmp_path / "index.rebuilding").exists()
        assert len(opened.index.ids()) == len(LINES)
        assert opened.engine.recall(chat.scope, chat.branch_id, Cue("word7", 100)).candidates[0].dense is not None
