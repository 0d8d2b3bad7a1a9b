"""The talk before a cue: what it goes on with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

import numpy as np
from numpy.typing import NDArray

from memory.cue_vectors import cue_text
from memory.cues import Cue
from memory.keys import PAUSE, Rounds
from storage.scope import Scope
from storage.store import Store
from storage.terms import query_terms

CONTEXT_ROUNDS = 3
"""Rounds before the cue that stand for what the talk is about."""
MESSAGES = 2 * CONTEXT_ROUNDS
FADING = 0.64
"""How much less each round before counts."""
FADING_SAID = 0.8
"""How much less each message before counts."""


@dataclass(frozen=True)
class Talk:
    rounds: frozenset[int] = frozenset()
    said: tuple[str, ...] = ()
    """What was said in them, newest first, as far as a cue is embedded. A vector of a whole round is near to less: what one speaker brings up is drowned in
    what the other says of it (docs/retrieval.md)."""
    vector: NDArray[np.float32] | None = None
    """What they say on the whole, round by round."""
    terms: Mapping[str, float] = field(default_factory=dict)
    """How near each of its terms was said, 0 to 1."""


def talk_before(store: Store, scope: Scope, branch_id: str, rounds: Rounds, cue: Cue, *, fingerprint: str) -> Talk:
    """The last rounds before the cue, as far back as no longer silence lies between."""
    ids = rounds.episodes(range(cue.round - 1, cue.round - 1 - CONTEXT_ROUNDS, -1))
    rows = store.memories.keys(scope, ids)
    later, kept = cue.said_at, []
    for i in (i for i in ids if i in rows):  # one may have been erased since what can be seen was read
        if later is not None and not timedelta(0) <= later - rows[i].said_at < PAUSE:
            break
        kept.append(i)
        later = rows[i].said_at
    terms: dict[str, float] = {}
    for age, i in enumerate(kept):
        for term in query_terms(rows[i].text):
            terms.setdefault(term, FADING**age)
    vectors = store.vectors.of_memories(scope.user_id, fingerprint, kept)
    around = frozenset(rounds.around(kept)[0])
    return Talk(around, _said(store, scope, branch_id, around), faded([vectors[i] for i in kept if i in vectors], FADING), terms)


def _said(store: Store, scope: Scope, branch_id: str, rounds: frozenset[int]) -> tuple[str, ...]:
    if not rounds:
        return ()
    messages = store.chats.span(scope, branch_id, first_round=min(rounds), last_round=max(rounds))
    texts = [cue_text(m.text) for m in reversed(messages) if m.round in rounds and m.text.strip()]
    return tuple(texts[:MESSAGES])


def faded(vectors: Sequence[NDArray[np.float32]], fading: float) -> NDArray[np.float32] | None:
    """The mean [d] of what was said, newest first, each by so much less than the one after it."""
    if not vectors:
        return None
    weights = fading ** np.arange(len(vectors))
    return np.asarray(np.average(np.stack(vectors), axis=0, weights=weights), dtype=np.float32)
