"""How firmly a memory is laid down: its strength at birth, from what it tells and from what it has to compete with (ours; MOOM 3.3 knows retrieval alone).

    w = told * (1 - max cosine to an older memory) * (2 if it names a day)

Interference theory, which the paper builds on, has memories compete from the moment they are made: one among look-alikes is hard to keep apart. A pleasantry
tells little and is like many others; what is asked for later tells much and is like nothing before it. Pure: from the memory's own text and day and from
those that stand before it on the path, so a path made anew gives the same strengths.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from storage.terms import query_terms

DATED = 2.0
"""What happened on a day is one of its kind, and "when" is asked as often as "what"."""
_LEAST = 1e-6
"""Of each factor, so that equal texts and texts without a content word still have an order among themselves."""
_BLOCK = 512
"""Rows compared at once: with 20,000 older memories 40 MB of cosines."""
_SENTENCE = re.compile(r"[^.!?。！？\n]+[.!?。！？]*")
_ASKS = ("?", "？")


def told(text: str) -> int:
    """How many different content terms a text states; what stands in its questions tells nothing."""
    stated = [s for s in _SENTENCE.findall(text) if not s.rstrip().endswith(_ASKS)]
    return len({term for sentence in stated for term in query_terms(sentence)})


def distinctness(vectors: NDArray[np.float32], *, of: Sequence[int]) -> NDArray[np.float64]:
    """1 - cosine to the nearest of the rows before it, of the rows at the places `of`, rising; vectors: unit rows [n, d] in path order. The first has
    nothing to be like: 1."""
    places = np.asarray(of, dtype=np.int64)
    nearest = np.zeros(len(places))
    for start in range(0, len(places), _BLOCK):
        rows = places[start : start + _BLOCK]
        cosines = vectors[rows] @ vectors[: rows[-1] + 1].T
        cosines[rows[:, None] <= np.arange(cosines.shape[1])] = -1.0
        nearest[start : start + len(rows)] = np.where(rows > 0, cosines.max(axis=1), 0.0)
    return np.clip(1.0 - nearest, _LEAST, None)


def strengths(texts: Sequence[str], vectors: NDArray[np.float32], *, dated: NDArray[np.bool_], of: Sequence[int]) -> NDArray[np.float64]:
    """w > 0 of the memories at the places `of`, rising, among those of a path. vectors: unit rows [n, d]; dated: which name a day [n]."""
    content = np.array([max(told(texts[place]), _LEAST) for place in of], dtype=np.float64)
    return content * distinctness(vectors, of=of) * np.where(dated[list(of)], DATED, 1.0)
