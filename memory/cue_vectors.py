"""Vectors of cues and of the talk before them: as questions to the past, each text embedded once."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from models.embedder import Embedder
from models.errors import EmbeddingFailed
from storage.records import sha256
from storage.store import Store
from storage.vectors import QUERY_CHARS

EMBEDDING = 2
"""Batches that are embedded at once, each while its words are searched for."""

_Embedded = tuple[dict[str, NDArray[np.float32]], EmbeddingFailed | None]
"""Vectors by text, and why some of them are missing."""


class Awaited:
    """Query vectors [d] by text, of which some may be on their way."""

    def __init__(
        self,
        cues: CueVectors,
        user_id: str,
        there: dict[str, NDArray[np.float32]],
        coming: Future[_Embedded] | None,
    ) -> None:
        self._cues, self._user_id, self.there, self._coming = cues, user_id, there, coming
        self._failure: EmbeddingFailed | None = None

    @property
    def pending(self) -> bool:
        return self._coming is not None

    def made(self, *needed: str) -> dict[str, NDArray[np.float32]]:
        """Waits, and keeps what was made. What cannot be embedded is not there; raises EmbeddingFailed where it is one of `needed`."""
        if self._coming is not None:
            new, self._failure = self._coming.result()
            self._coming = None
            self._cues.keep(self._user_id, new)
            self.there |= new
        if self._failure is not None and not self.there.keys() >= set(needed):
            raise self._failure
        return self.there


class CueVectors:
    """Safe from any thread."""

    def __init__(self, store: Store, embedder: Embedder) -> None:
        self._store = store
        self._embedder = embedder
        self._embedding = ThreadPoolExecutor(EMBEDDING, thread_name_prefix="cue")

    def of(self, user_id: str, texts: Sequence[str]) -> Awaited:
        """texts: as cut by `cue_text`. Those that nobody asked for before are begun in one batch."""
        keys = {text: sha256(text) for text in texts}
        stored = self._store.vectors.get(user_id, self._embedder.fingerprint, "query", keys.values()) if keys else {}
        there = {text: stored[key] for text, key in keys.items() if key in stored}
        missing = [text for text in keys if text not in there]
        return Awaited(self, user_id, there, self._embedding.submit(self._embedded, missing) if missing else None)

    def _embedded(self, texts: Sequence[str]) -> _Embedded:
        """One that fails takes no other with it."""
        try:
            return dict(zip(texts, self._embedder.queries(texts), strict=True)), None
        except EmbeddingFailed as error:
            if len(texts) == 1:
                return {}, error
        each = [self._embedded([text]) for text in texts]
        return {text: vector for new, _ in each for text, vector in new.items()}, next((error for _, error in each if error), None)

    def one(self, user_id: str, text: str) -> NDArray[np.float32]:
        """Raises EmbeddingFailed."""
        return self.of(user_id, [cue_text(text)]).made(cue_text(text))[cue_text(text)]

    def keep(self, user_id: str, vectors: dict[str, NDArray[np.float32]]) -> None:
        self._store.vectors.put(user_id, self._embedder.fingerprint, "query", {sha256(text): vector for text, vector in vectors.items()})


def cue_text(text: str) -> str:
    """What of a message is embedded where it calls something to mind."""
    return text[:QUERY_CHARS]
