"""What the looks of a question alone give away about whether it can be answered: its length, its question word, the names in it. No memory is read.

Whoever makes up unanswerable questions leaves traces in their wording. A program that knows when to abstain has to know more than that.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from libraries import needed

_OPENINGS = (
    r"how (?:many|much|long|often)\b|多少|几|多久",
    r"how\b|怎么|如何",
    r"what (?:kind|type|sort)\b|什么样",
    r"what\b|什么",
    r"when\b|什么时候|何时|哪天",
    r"where\b|哪里|哪儿|何处",
    r"who(?:m|se)?\b|谁",
    r"which\b|哪",
    r"why\b|为什么|为何",
    r"(?:did|do|does|is|are|was|were|has|have|had|can|could|would|will)\b|是否|吗",
)
_OPENING = tuple(re.compile(rf"\W*(?:in |on |at |for |to |from )?(?:{words})", re.IGNORECASE) for words in _OPENINGS)
_NAME = re.compile(r"(?<=[\w,;:] )[A-Z][\w'’-]+")


def looks(question: str, speakers: Sequence[str]) -> list[float]:
    """Numbers [f] of one question. speakers: the two who talk, in the order of their conversation."""
    folded = question.casefold()
    named = [name.casefold() in folded for name in speakers[:2]]
    others = [name for name in _NAME.findall(question) if not any(name.startswith(speaker) for speaker in speakers)]
    opening = next((n for n, pattern in enumerate(_OPENING) if pattern.match(question)), len(_OPENING))
    return [
        float(len(question.split())),
        float(len(question)),
        *(float(n == opening) for n in range(len(_OPENING) + 1)),
        *(float(name) for name in named),
        float(all(named)),
        float(not any(named)),
        float(len(others)),
        float(bool(re.search(r"['’`]s\b", question))),
        float(any(c.isdigit() for c in question)),
    ]


def left_out(features: Mapping[str, NDArray[np.float64]], answerable: Mapping[str, NDArray[np.bool_]]) -> dict[str, NDArray[np.float64]]:
    """Scores of each conversation's questions, learned from those of all the others. features: [q, f] by conversation, of at least two."""
    linear, steps = needed("sklearn.linear_model"), needed("sklearn.pipeline")
    scaler = needed("sklearn.preprocessing").StandardScaler
    scores = {}
    for key, held_out in features.items():
        rest = [other for other in features if other != key]
        model = steps.make_pipeline(scaler(), linear.LogisticRegression(max_iter=1000))
        model.fit(np.vstack([features[o] for o in rest]), np.concatenate([answerable[o] for o in rest]))
        scores[key] = np.asarray(model.decision_function(held_out), dtype=np.float64)
    return scores
