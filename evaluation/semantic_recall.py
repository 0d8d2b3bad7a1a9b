"""Is what had to be remembered among the ten first recalled, whatever its words? (RoleMemo App. G.1)

A gold entry is recalled if one of the recalled is as near to it as a threshold. The paper's .7 is Qwen3-Embedding-0.6B's and holds for that alone: with others nearly all
unrelated pairs are nearer than that. For any other embedder the threshold is the lowest that accepts at most a hundredth of pairs known to say different things; it
stands in the report, and the figures are not to be compared with the paper's table.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

PAPER_EMBEDDER, PAPER_THRESHOLD = "qwen3-embedding-0.6b", 0.7
MOST_WRONG = 0.01
K = 10


def threshold_of(different: ArrayLike, *, embedder: str) -> float:
    """different: cosines [n] of pairs that are not equivalent. Raises ValueError where there are none and the embedder is not the paper's."""
    if PAPER_EMBEDDER in embedder.casefold():
        return PAPER_THRESHOLD
    cosines = np.sort(np.asarray(different, dtype=np.float64))
    if cosines.size == 0:
        raise ValueError("a threshold needs pairs that are known to differ")
    # The largest that is still to be refused: of n pairs int(n / 100) may lie at or above the threshold.
    refused = cosines[-1 - int(MOST_WRONG * cosines.size)]
    return float(np.nextafter(refused, np.inf))


def recalled(gold: NDArray[np.float32], found: NDArray[np.float32], *, threshold: float) -> float:
    """Share of the gold entries [g, d] that one of the found [f, d] says; unit vectors. Raises ValueError for no gold."""
    if not len(gold):
        raise ValueError("without gold nothing can be recalled")
    if not len(found):
        return 0.0
    near = gold.astype(np.float64) @ found.astype(np.float64).T
    return float((near.max(axis=1) >= threshold).mean())


def different_pairs(vectors: NDArray[np.float32], groups: Sequence[str]) -> NDArray[np.float64]:
    """Cosines of all pairs of entries [n, d] of different groups, each pair once."""
    near = vectors.astype(np.float64) @ vectors.astype(np.float64).T
    names = np.array(groups)
    first, second = np.triu_indices(len(names), k=1)
    apart = names[first] != names[second]
    found: NDArray[np.float64] = near[first[apart], second[apart]]
    return found
