"""The Chroma index: ids, vectors and typed metadata; no text. Rebuildable from SQLite at any time, opened by the folder's owner alone.

One collection per embedder fingerprint. SQLite says which ids a query may see, and nothing else is ever handed on, so scope, path and status are exact
and a missed deletion here can never show anything.
"""

from __future__ import annotations

import logging
import shutil
import threading
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errors import KeepsakeError
from storage.clean_memory import clean_memory
from storage.records import stable_id

log = logging.getLogger(__name__)
_NOTHING: dict[str, list[list[Any]]] = {"ids": [], "distances": []}

RECORDS = "chroma.sqlite3"
"""Chroma's own name of the file in its folder that everything else hangs on."""
BATCH = 1_000
"""Entries per call; Chroma refuses more than 5,461."""


LISTED = 2_000
"""Ids from which on a search may be faster without naming them."""
SPARE = 1.5
"""How many more than are wanted are asked for then, beyond the share of what is held that may be seen."""
MOST_ASKED = 600
"""Asked for at once; where the share is so small that it takes more, ids are named."""


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
    """folder: Chroma's own folder; fingerprint, dimension: of the embedder whose vectors it holds; writable: False where nothing can be written now. A folder
    that cannot be opened then stays as it is, and counts as gone until `reopen`."""

    def __init__(self, folder: Path, *, fingerprint: str, dimension: int, writable: bool = True) -> None:
        self._folder = folder
        self._dimension = dimension
        self._fingerprint = fingerprint
        self._name = f"memories-{stable_id('collection', fingerprint)}"
        self._writing = threading.Lock()
        self._counted, self._written = -1, 0
        self.lost: Callable[[], None] = lambda: None
        """Called whenever the folder is found to be gone, from any thread; it must not wait."""
        self._file: tuple[int, int] | None = None
        self._client: Any = None
        self._collection: Any = None
        self.rebuilt = False
        """Whether the folder was damaged and started anew."""
        try:
            self._open()
        except IndexFailed as error:
            if not writable:
                _forget_broken_client()
                self._file = self._client = self._collection = None
                log.warning("%s Until something can be written again memories are found by their words alone.", error)
                return
            damaged = folder.with_name(f"{folder.name}.damaged")
            shutil.rmtree(damaged, ignore_errors=True)
            if damaged.is_file():
                damaged.unlink()
            if folder.exists():
                folder.rename(damaged)
            _forget_broken_client()
            self.rebuilt = True
            self._open()

    @clean_memory()
    def _open(self) -> None:
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._client = _client_of(self._folder)
            self._file = self._there()
            self._collection = self._client.get_or_create_collection(
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

    def _there(self) -> tuple[int, int] | None:
        """Which file Chroma's records are in now; what it has open goes on as if nothing were amiss when that is removed."""
        try:
            found = (self._folder / RECORDS).stat()
        except OSError:
            return None
        return found.st_dev, found.st_ino

    @property
    def gone(self) -> bool:
        """Whether its folder was removed, or replaced, while it was open."""
        there = self._there()
        return there is None or there != self._file

    def _expect(self) -> None:
        """Raises IndexFailed if the folder is gone. Under the lock: a new index may just be put in this one's place."""
        if self.gone:
            self.lost()
            if self._collection is None:
                raise IndexFailed(
                    "The memory index could not be opened while nothing could be written. Nothing is lost: that is tried again."
                )
            raise IndexFailed("The folder of the memory index was removed. Nothing is lost: it is built again from the database.")

    def reopen(self) -> None:
        """Begin an empty index where the folder is gone. Raises IndexFailed."""
        with self._writing:
            with suppress(Exception):
                self.close()
            _forget_broken_client()
            self._counted = -1
            self._open()

    @clean_memory()
    def upsert(self, entries: Sequence[IndexEntry]) -> None:
        """Write entries; writing one twice is once."""
        with self._writing:
            self._expect()
            for start in range(0, len(entries), BATCH):
                part = entries[start : start + BATCH]
                self._written += len(part)
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

    def search(self, queries: NDArray[np.float32], *, among: Collection[str], k: int) -> list[list[tuple[str, float]]]:
        """For each query [n, d] the k most similar of the ids `among` with their cosine similarity, best first. Unknown ids are passed over.

        Chroma takes as long to look at a list of ids as it is: where they are a good part of what it holds, it is asked for more than is wanted without one,
        and nothing but what is among them leaves this function.
        """
        if not among:
            return [[] for _ in queries]
        try:
            if self.gone:
                raise IndexFailed("gone")
            if len(among) >= LISTED and (found := self._open_search(queries, among, k)) is not None:
                return found
            raw = self._query(queries, k, ids=list(among))
        except Exception:  # noqa: BLE001 - a second failure is told
            with self._writing:  # a new index may just have been put in this one's place
                self._expect()
                try:
                    # Chroma refuses a query that names one unknown id: a memory that is not written yet, or all that is still to be read anew.
                    held = self._held(list(among))
                    raw = self._query(queries, k, ids=[i for i in among if i in held]) if held else _NOTHING
                except Exception as error:
                    raise IndexFailed(
                        f"The memory index could not be read ({error}). Nothing is lost; the reply goes on without it."
                    ) from error
        return _by_query(raw) if raw["ids"] else [[] for _ in queries]

    def _open_search(self, queries: NDArray[np.float32], among: Collection[str], k: int) -> list[list[tuple[str, float]]] | None:
        """The same without a list of ids; None where too much of what is found is not among them."""
        wanted = int(SPARE * k * max(1.0, self._held_about() / len(among)))
        if wanted > MOST_ASKED:
            return None
        found = [[(i, s) for i, s in hits if i in among][:k] for hits in _by_query(self._query(queries, wanted))]
        return found if all(len(hits) == k for hits in found) else None

    @clean_memory()
    def _held(self, ids: list[str]) -> set[str]:
        """Those of these ids that there are; SQLite takes only so many at once."""
        parts = (ids[start : start + BATCH] for start in range(0, len(ids), BATCH))
        return {i for part in parts for i in self._collection.get(ids=part, include=[])["ids"]}

    def _held_about(self) -> int:
        """How many entries there are, no fewer than there are if nothing else writes: counting takes longer than searching, so it is done seldom."""
        if self._counted < 0 or self._written > BATCH + self._counted // 10:
            self._counted, self._written = self._collection.count(), 0
        return self._counted + self._written

    @clean_memory()
    def _query(self, queries: NDArray[np.float32], k: int, *, ids: list[str] | None = None) -> Any:
        return self._collection.query(
            query_embeddings=queries, n_results=k if ids is None else min(k, len(ids)), ids=ids, include=["distances"]
        )

    @clean_memory()
    def delete(self, ids: Sequence[str]) -> None:
        """Remove entries and verify that they are gone."""
        with self._writing:
            self._expect()
            for start in range(0, len(ids), BATCH):
                part = list(ids[start : start + BATCH])
                try:
                    self._collection.delete(ids=part)
                    kept = self._collection.get(ids=part, include=[])["ids"]
                except Exception as error:
                    raise IndexFailed(
                        f"The memory index could not be written ({error}). What was deleted cannot be shown; the next start removes it."
                    ) from error
                if kept:
                    raise IndexFailed("The memory index kept entries that were deleted. They cannot be shown; the next start removes them.")

    def ids(self) -> set[str]:
        """Every id in the index."""
        with self._writing:  # a new index may just be put in this one's place
            self._expect()
            try:
                return set(self._collection.get(include=[])["ids"])
            except Exception as error:
                raise IndexFailed(f"The memory index could not be read ({error}). Nothing is lost.") from error

    @property
    def complete(self) -> bool:
        """Whether it once held everything that SQLite has. A new or half-built collection does not: recall from it misses most of the past."""
        with self._writing:
            return self._collection is not None and bool((self._collection.metadata or {}).get("complete"))

    def mark_complete(self) -> None:
        with self._writing:
            self._collection.modify(metadata={"complete": 1})

    @property
    def has_others(self) -> bool:
        """Whether the folder also holds collections of other embedders."""
        with self._writing:
            return any(c.name != self._name for c in self._client.list_collections())

    # Built anew: Chroma marks deleted entries and keeps their bytes, and a dropped collection's folder stays

    def successor(self) -> MemoryIndex:
        """An index in a folder beside this one, to be filled and put in its place; begun before, it is gone on with."""
        return MemoryIndex(
            self._folder.with_name(f"{self._folder.name}.rebuilding"), fingerprint=self._fingerprint, dimension=self._dimension
        )

    def give_way(self, successor: MemoryIndex) -> None:
        """Put a filled successor in this index's place, with nothing of the old folder left. A search meanwhile waits.

        A crash in between leaves no folder or the new one; the next start fills what is missing.
        """
        with self._writing:
            successor.close()
            self.close()
            shutil.rmtree(self._folder, ignore_errors=True)  # it may be gone already
            successor._folder.rename(self._folder)
            self._counted = -1
            self._open()

    def discard(self) -> None:
        """Close the index and remove its folder."""
        self.close()
        shutil.rmtree(self._folder)

    @clean_memory()
    def close(self) -> None:
        if self._client is not None:
            self._client.close()


def _by_query(found: Any) -> list[list[tuple[str, float]]]:
    return [
        [(str(i), 1.0 - float(d)) for i, d in zip(ids, distances, strict=True)]
        for ids, distances in zip(found["ids"], found["distances"], strict=True)
    ]


def contents(folder: Path) -> dict[str, set[str]]:
    """The ids in every collection of an index folder, by collection. The data folder must be owned. Raises IndexFailed."""
    try:
        client = _client_of(folder)
        try:
            return {c.name: set(c.get(include=[])["ids"]) for c in client.list_collections()}
        finally:
            client.close()
    except Exception as error:
        raise IndexFailed(
            f"The memory index could not be opened ({error}). Nothing is lost: it is built again from the database."
        ) from error


def _client_of(folder: Path) -> Any:
    import chromadb
    from chromadb.config import Settings

    return chromadb.PersistentClient(str(folder), settings=Settings(anonymized_telemetry=False))


def _forget_broken_client() -> None:
    """Chroma keeps a client that failed to open in a process-wide cache, and would hand it out again for the fresh folder."""
    from chromadb.api.shared_system_client import SharedSystemClient

    SharedSystemClient.clear_system_cache()
