"""The Chroma index: ids, vectors and typed metadata; no text. Rebuildable from SQLite at any time, opened by the folder's owner alone.

One collection per embedder fingerprint. SQLite says which ids a query may see and Chroma ranks only those, so scope, path and status are exact
and a missed deletion here can never show anything.
"""

from __future__ import annotations

import shutil
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errors import KeepsakeError
from storage.records import stable_id

BATCH = 1_000
"""Entries per call; Chroma refuses more than 5,461."""


class IndexFailed(KeepsakeError):
    """Chroma could not be opened, read or written; SQLite has everything, so nothing is lost."""

    code = "index_failed"


@dataclass(frozen=True)
class IndexEntry:
    memory_id: str
    user_id: str
    chat_id: str
    kind: str
    round: int
    said_at: int
    """Milliseconds since 1970 UTC."""
    vector: NDArray[np.float32]
    """Unit vector [d]."""


class MemoryIndex:
    """folder: Chroma's own folder; fingerprint, dimension: of the embedder whose vectors it holds."""

    def __init__(self, folder: Path, *, fingerprint: str, dimension: int) -> None:
        self._folder = folder
        self._dimension = dimension
        self._name = f"memories-{stable_id('collection', fingerprint)}"
        self._writing = threading.Lock()
        self.rebuilt = False
        """Whether the folder was damaged and started anew."""
        try:
            self._open()
        except IndexFailed:
            damaged = folder.with_name(f"{folder.name}.damaged")
            shutil.rmtree(damaged, ignore_errors=True)
            if damaged.is_file():
                damaged.unlink()
            if folder.exists():
                folder.rename(damaged)
            _forget_broken_client()
            self.rebuilt = True
            self._open()

    def _open(self) -> None:
        import chromadb
        from chromadb.config import Settings

        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._client = chromadb.PersistentClient(str(self._folder), settings=Settings(anonymized_telemetry=False))
            self._collection: Any = self._client.get_or_create_collection(
                self._name, embedding_function=None, configuration={"hnsw": {"space": "cosine", "ef_search": 200}}
            )
            # A torn HNSW file only shows when it is read.
            if self._collection.count():
                probe = np.zeros((1, self._dimension), dtype=np.float32)
                probe[0, 0] = 1.0
                self._collection.query(query_embeddings=probe, n_results=1, include=["distances"])
        except Exception as error:
            raise IndexFailed(
                f"The memory index could not be opened ({error}). Nothing is lost: it is built again from the database."
            ) from error

    def upsert(self, entries: Sequence[IndexEntry]) -> None:
        """Write entries; writing one twice is once."""
        with self._writing:
            for start in range(0, len(entries), BATCH):
                part = entries[start : start + BATCH]
                try:
                    self._collection.upsert(
                        ids=[e.memory_id for e in part],
                        embeddings=np.stack([e.vector for e in part]),
                        metadatas=[
                            {"user": e.user_id, "chat": e.chat_id, "kind": e.kind, "round": e.round, "said_at": e.said_at} for e in part
                        ],
                    )
                except Exception as error:
                    raise IndexFailed(f"The memory index could not be written ({error}). Nothing is lost; it is tried again.") from error

    def search(self, queries: NDArray[np.float32], *, among: Sequence[str], k: int) -> list[list[tuple[str, float]]]:
        """For each query [n, d] the k most similar of the ids `among` with their cosine similarity, best first. Unknown ids are passed over."""
        if not among:
            return [[] for _ in queries]
        try:
            found = self._collection.query(query_embeddings=queries, n_results=min(k, len(among)), ids=list(among), include=["distances"])
        except Exception as error:
            raise IndexFailed(f"The memory index could not be read ({error}). Nothing is lost; the reply goes on without it.") from error
        return [
            [(str(i), 1.0 - float(d)) for i, d in zip(ids, distances, strict=True)]
            for ids, distances in zip(found["ids"], found["distances"], strict=True)
        ]

    def delete(self, ids: Sequence[str]) -> None:
        """Remove entries and verify that they are gone."""
        with self._writing:
            for start in range(0, len(ids), BATCH):
                part = list(ids[start : start + BATCH])
                self._collection.delete(ids=part)
                if self._collection.get(ids=part, include=[])["ids"]:
                    raise IndexFailed("The memory index kept entries that were deleted. They cannot be shown; the next start removes them.")

    def ids(self) -> set[str]:
        """Every id in the index."""
        return set(self._collection.get(include=[])["ids"])

    def close(self) -> None:
        self._client.close()


def _forget_broken_client() -> None:
    """Chroma keeps a client that failed to open in a process-wide cache, and would hand it out again for the fresh folder."""
    from chromadb.api.shared_system_client import SharedSystemClient

    SharedSystemClient.clear_system_cache()
