"""How firmly a memory is laid down: its strength at birth, from what it tells and from what it has to compete with (ours; MOOM 3.3 knows retrieval alone).

    w = told * (1 - max cosine to an older memory) * (2 if it names a day)

Interference theory, which the paper builds on, has memories compete from the moment they are made: one among look-alikes is hard to keep apart. A pleasantry
tells little and is like many others; what is asked for later tells much and is like nothing before it. Pure: from the memory's own text and day and from
those that stand before it on the path, so a path made anew gives the same strengths.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from storage.terms import query_terms

DATED = 2.0
"""What happened on a day is one of its kind, and "when" is asked as often as "what"."""
_LEAST = 1e-6
"""Of each factor, so that equal texts and texts without a content word still have an order among themselves."""
_BLOCK = 2048
"""Rows compared at once: with 20,000 older memories 160 MB of cosines."""
_SENTENCE = re.compile(r"[^.!?。！？\n]+[.!?。！？]*")
_ASKS = ("?", "？")


def told(text: str) -> int:
    """How many different content terms a text states; what stands in its questions tells nothing."""
    stated = [s for s in _SENTENCE.findall(text) if not s.rstrip().endswith(_ASKS)]
    return len({term for sentence in stated for term in query_terms(sentence)})


def distinctness(vectors: NDArray[np.float32]) -> NDArray[np.float64]:
    """1 - cosine [n] to the nearest of the rows before it; vectors: unit rows [n, d] in path order. The first has nothing to be like: 1."""
    nearest = np.zeros(len(vectors))
    for start in range(1, len(vectors), _BLOCK):
        rows = vectors[start : start + _BLOCK]
        cosines = rows @ vectors[: start + len(rows)].T
        cosines[np.arange(len(rows))[:, None] + start <= np.arange(cosines.shape[1])] = -1.0
        nearest[start : start + len(rows)] = cosines.max(axis=1)
    return np.clip(1.0 - nearest, _LEAST, None)


def strengths(texts: list[str], vectors: NDArray[np.float32], *, dated: NDArray[np.bool_]) -> NDArray[np.float64]:
    """w [n] > 0 of memories in path order. vectors: unit rows [n, d]; dated: which name a day [n]."""
    content = np.array([max(told(text), _LEAST) for text in texts], dtype=np.float64)
    return content * distinctness(vectors) * np.where(dated, DATED, 1.0)
