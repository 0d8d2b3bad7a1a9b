"""Readers of what of a person a question asks about (`memory.matters`), for the vectors that come with the program or are stored."""

from __future__ import annotations

import numpy as np

from memory.matters import Reader, forms, none
from memory.standing import made
from storage.records import sha256
from storage.store import Store
from storage.vectors import STANDING


class MatterReaders:
    """Readers of questions by language, made when they are needed first."""

    def __init__(self, store: Store, *, fingerprint: str) -> None:
        self._store = store
        self._fingerprint = fingerprint
        self._readers: dict[str, Reader] = {}

    def reader(self, user_id: str, language: str) -> Reader | None:
        """None while the vectors of another embedder than the bundled one are not stored yet: nothing is embedded here, a reply waits for it."""
        if language not in self._readers:
            keys = [sha256(text) for text in (*(form for _, form in forms(language)), *none(language))]
            found = made(self._fingerprint, "query", keys)
            found |= self._store.vectors.get(user_id, self._fingerprint + STANDING, "query", set(keys) - found.keys())
            if len(found) < len(set(keys)):
                return None
            self._readers[language] = Reader.of(language, lambda texts: np.stack([found[sha256(text)] for text in texts]))
        return self._readers[language]
