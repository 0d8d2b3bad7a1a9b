"""What recall reads of memories, each once: some of it while the cue is being embedded, the rest when it is known what is near."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from memory.keys import Rounds
from storage.scope import Scope
from storage.store import Store
from storage.words import KeyRow


class ReadRows:
    """Of one recall, in one thread. fingerprint: of the embedder whose vectors are read."""

    def __init__(self, store: Store, scope: Scope, *, fingerprint: str) -> None:
        self._store = store
        self._scope = scope
        self._fingerprint = fingerprint
        self._rows: dict[str, KeyRow | None] = {}
        self._vectors: dict[str, NDArray[np.float32] | None] = {}

    def rows(self, ids: Iterable[str]) -> dict[str, KeyRow]:
        """By id, of those there are, in the order of `ids`."""
        wanted = list(dict.fromkeys(ids))
        missing = [i for i in wanted if i not in self._rows]
        if missing:
            self._rows |= dict.fromkeys(missing) | self._store.memories.keys(self._scope, missing)
        return {i: row for i in wanted if (row := self._rows[i]) is not None}

    def vectors(self, ids: Iterable[str]) -> dict[str, NDArray[np.float32]]:
        """By id, of those that have one."""
        wanted = list(dict.fromkeys(ids))
        missing = [i for i in wanted if i not in self._vectors]
        if missing:
            found = self._store.vectors.of_memories(self._scope.user_id, self._fingerprint, missing)
            self._vectors |= dict.fromkeys(missing) | found
        return {i: vector for i in wanted if (vector := self._vectors[i]) is not None}

    def around(self, rounds: Rounds, found: Iterable[str]) -> tuple[set[int], list[str], dict[str, KeyRow]]:
        """(rounds that memories hang on, those that stand for themselves, the rows of all that hangs on them and of the rounds before)."""
        hit, alone = rounds.around(found)
        return hit, alone, self.rows([*rounds.members(hit), *rounds.episodes(r - 1 for r in hit), *alone])

    def ahead(self, rounds: Rounds, found: Sequence[str], others: Iterable[str]) -> None:
        """Read what will be asked for anyway. others: whose vectors alone are wanted."""
        _, _, rows = self.around(rounds, found)
        self.vectors(chain(rows, others))
