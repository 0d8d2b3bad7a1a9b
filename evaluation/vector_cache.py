"""Vectors of an evaluation's texts in one file, so that a second run of a measurement embeds nothing."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from models.embedder import Embedder
from storage.records import sha256

Vectors = NDArray[np.float32]


class VectorCache:
    """path: made when something is saved; a file of another embedder is not read, and replaced."""

    def __init__(self, path: Path, embedder: Embedder) -> None:
        self._path = path
        self._embedder = embedder
        self._known: dict[str, Vectors] = {}
        if path.exists():
            with np.load(path, allow_pickle=False) as file:
                if str(file["fingerprint"]) == embedder.fingerprint:
                    self._known = dict(zip(file["keys"].tolist(), file["vectors"], strict=True))

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors [n, d]; raises EmbeddingFailed."""
        return self._vectors("query", self._embedder.queries, texts)

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors [n, d]; raises EmbeddingFailed."""
        return self._vectors("passage", self._embedder.passages, texts)

    def _vectors(self, role: str, embed: Callable[[Sequence[str]], Vectors], texts: Sequence[str]) -> Vectors:
        keys = [sha256(f"{role} {text}") for text in texts]
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._known}
        if missing:
            self._known.update(zip(missing, embed(list(missing.values())), strict=True))
            self._save()
        return np.stack([self._known[key] for key in keys]) if keys else np.zeros((0, self._embedder.dimension), dtype=np.float32)

    def _save(self) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        draft = self._path.with_name(f".{self._path.name}.{os.getpid()}.npz")
        np.savez(draft, fingerprint=self._embedder.fingerprint, keys=list(self._known), vectors=np.stack(list(self._known.values())))
        draft.replace(self._path)
