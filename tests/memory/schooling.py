"""A chat whose receipts teach: what the tests of learning begin with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from memory.learning import Learner, learn_task
from memory.recall import Recall
from memory.reranker import POOL, Floats
from memory.retrieval import Candidate
from storage.records import Task, sha256
from storage.scope import LOCAL_USER
from tests.conftest import OpenChat

D = 16
FINGERPRINT = "test-16"
QUERY = "Where does Ida work?"


def unit(rng: np.random.Generator, *shape: int) -> Floats:
    rows = rng.normal(size=shape)
    scaled: Floats = (rows / np.linalg.norm(rows, axis=-1, keepdims=True)).astype(np.float32)
    return scaled


class School:
    """A chat with memories and vectors, and receipts as replies leave them."""

    def __init__(self, chat: OpenChat, *, size: int = POOL, first: int = 0) -> None:
        self.chat, self.store, self.user = chat, chat.store, LOCAL_USER
        self.learner = Learner(chat.store, fingerprint=FINGERPRINT, dimension=D)
        rng = np.random.default_rng(3)
        (message,) = chat.say(QUERY, number=1)
        texts = [f"Thing number {n} of them." for n in range(first, first + size)]
        self.ids = tuple(f"{n:032x}" for n in range(first, first + size))
        with chat.store.database.write() as connection:
            connection.executemany(
                """INSERT INTO memory (id, chat_id, kind, text, language, round_first, round_last, said_at, derivation_key, text_sha256, source_count, created_at)
                VALUES (?, ?, 'fact', ?, 'en', 1, 1, 0, ?, ?, 0, 0)""",
                [(i, chat.scope.chat_id, text, f"k{i}", sha256(text)) for i, text in zip(self.ids, texts, strict=True)],
            )
        vectors = dict(zip((sha256(text) for text in texts), unit(rng, size, D), strict=True))
        chat.store.vectors.put(self.user, FINGERPRINT, "passage", vectors)
        chat.store.vectors.put(self.user, FINGERPRINT, "query", {sha256(QUERY): unit(rng, D)})
        self.message = message

    def recall(self, *, size: int | None = None) -> Recall:
        ids = self.ids[:size]
        found = tuple(Candidate(i, 0.5, 1.0, None, 2.0 - n / 20) for n, i in enumerate(ids))
        return Recall(QUERY, "fused", found, (), (), "", 1.0)

    def body(self, *, cited: tuple[str, ...], by: str = "model", model: str = "m", **changes: object) -> dict[str, Any]:
        """Of a reply with the nine best shown by what is learned now."""
        recall = self.learner.ranked(self.chat.scope, self.recall())
        places = {i: n for n, i in enumerate(recall.order, start=1)}
        candidates = [
            {
                "memory_id": c.memory_id,
                "fused": c.fused,
                "learned": recall.learned.get(c.memory_id),
                "place": places.get(c.memory_id),
                "delivered": places.get(c.memory_id, 99) <= 9,
                "reason": "" if places.get(c.memory_id, 99) <= 9 else "rank",
            }
            for c in recall.candidates
        ]
        return {
            "query": QUERY,
            "embedder": FINGERPRINT,
            "model": model,
            "pinned": [],
            "citations": {"by": by, "memories": list(cited)},
            "candidates": candidates,
            **changes,
        }

    def task(self, body: Mapping[str, object]) -> Task:
        receipt = self.store.receipts.add(self.chat.scope, message_id=self.message.id, revision_id=None, body=body)
        new = learn_task(self.chat.branch_id, revision_id=receipt, message_id=self.message.id, receipt_id=receipt)
        return Task(1, new.key(self.chat.scope.chat_id), new.kind, self.user, self.chat.scope.chat_id, new.branch_id, new.payload, 1)

    def reply(self, *, cited: tuple[str, ...], **changes: Any) -> None:
        self.learner.learn(self.task(self.body(cited=cited, **changes)))

    @property
    def updates(self) -> int:
        return self.learner.standing(self.user).updates
