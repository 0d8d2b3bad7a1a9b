"""A set of memories that may be seen, as columns: of 100,000 memories some are chosen, or a few added, without a look at each."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import compress
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from storage.records import Kind

T = TypeVar("T")

KINDS = tuple(Kind)
_CODES = {kind: code for code, kind in enumerate(KINDS)}
NEVER = -(2**40)
"""Before every round, those of what came along from another conversation among them: they are counted backwards from its beginning."""


@dataclass(frozen=True)
class VisibleSet:
    """What a branch may see now: parallel tuples, in order of birth."""

    ordinals: tuple[int, ...] = ()
    ids: tuple[str, ...] = ()
    rounds: tuple[int, ...] = ()
    """Last round of each memory."""
    kinds: tuple[Kind, ...] = ()
    pinned: tuple[str, ...] = ()
    excluded: frozenset[str] = frozenset()
    """Those that a person keeps out of recall; they are shown."""
    covered: frozenset[int] = frozenset()
    """Rounds that were read as a whole unit: what their messages tell one by one does not hold."""
    taken_back: frozenset[str] = frozenset()
    """Ids of what a later message of the path took back."""
    denied: tuple[tuple[int, str, int, Kind], ...] = ()
    """Of those the (ordinal, id, last round, kind) that would be here if they had not been; kept by `joined` and `grown` alone."""

    @cached_property
    def round_of(self) -> dict[str, int]:
        return dict(zip(self.ids, self.rounds, strict=True))

    @cached_property
    def ordinal_of(self) -> dict[str, int]:
        """By id; of more than is here: sets that grew out of each other share it. See `position`."""
        return dict(zip(self.ids, self.ordinals, strict=True))

    @cached_property
    def last_rounds(self) -> NDArray[np.int64]:
        """`rounds` as an array [n]."""
        return np.array(self.rounds, dtype=np.int64)

    @cached_property
    def kind_codes(self) -> NDArray[np.int8]:
        """`kinds` as an array [n] of places in `KINDS`."""
        return np.fromiter(map(_CODES.__getitem__, self.kinds), dtype=np.int8, count=len(self.kinds))

    def position(self, memory_id: str) -> int | None:
        """Where a memory stands in the columns, if it is here."""
        ordinal = self.ordinal_of.get(memory_id)
        if ordinal is None:
            return None
        position = bisect_left(self.ordinals, ordinal)
        return position if position < len(self.ordinals) and self.ordinals[position] == ordinal else None

    @property
    def members(self) -> Members:
        """Its ids, asked for one by one without a copy of them all."""
        return Members(self)

    def at(self, ordinal: int) -> str | None:
        """The id of the memory with an ordinal, if it is here."""
        position = bisect_left(self.ordinals, ordinal)
        return self.ids[position] if position < len(self.ordinals) and self.ordinals[position] == ordinal else None

    def before(self, round_number: int) -> VisibleSet:
        """Only memories whose last round came before `round_number`."""
        return self._only(self.last_rounds < round_number)

    def within(self, first: int, last: int) -> VisibleSet:
        """Only memories whose last round is one of these, both ends included."""
        return self._only((first <= self.last_rounds) & (self.last_rounds <= last))

    def up_to(self, ends: Mapping[Kind, int]) -> VisibleSet:
        """Only memories of these kinds, each with its last round before that of its kind."""
        by_code = np.array([ends.get(kind, NEVER) for kind in KINDS], dtype=np.int64)
        return self._only(self.last_rounds < by_code[self.kind_codes])

    @property
    def told(self) -> VisibleSet:
        """With what was taken back later: what was told when it was told. Of a set that nothing was left out of."""
        if not self.denied:
            return self
        ordinals, ids, rounds, kinds = (tuple(column) for column in zip(*sorted(self.denied), strict=True))
        return self.joined(VisibleSet(ordinals, ids, rounds, kinds))

    @cached_property
    def recallable(self) -> VisibleSet:
        """Without what is excluded."""
        return self.without(self.excluded)

    def without(self, ids: Collection[str]) -> VisibleSet:
        return self._only(np.fromiter((i not in ids for i in self.ids), dtype=np.bool_, count=len(self.ids))) if ids else self

    def of_kinds(self, kinds: Iterable[Kind]) -> VisibleSet:
        wanted = np.array([_CODES[kind] for kind in kinds], dtype=np.int8)
        return self._only(np.isin(self.kind_codes, wanted))

    def grown(self, younger: VisibleSet) -> VisibleSet:
        """With what was born since, of which nothing is pinned, excluded or taken back."""
        if not younger.ids:
            return self
        made = replace(
            self,
            ordinals=self.ordinals + younger.ordinals,
            ids=self.ids + younger.ids,
            rounds=self.rounds + younger.rounds,
            kinds=self.kinds + younger.kinds,
        )
        self.ordinal_of.update(zip(younger.ids, younger.ordinals, strict=True))  # an id keeps its ordinal for good
        made._take(
            np.concatenate((self.last_rounds, younger.last_rounds)),
            np.concatenate((self.kind_codes, younger.kind_codes)),
            self.ordinal_of,
        )
        return made

    def joined(self, other: VisibleSet) -> VisibleSet:
        """Both, in order of birth."""
        if not other.ids and not other.denied:
            return self
        order = sorted(range(len(self.ids) + len(other.ids)), key=(self.ordinals + other.ordinals).__getitem__)

        def merged(mine: tuple[T, ...], others: tuple[T, ...]) -> tuple[T, ...]:
            both = mine + others
            return tuple(both[i] for i in order)

        return VisibleSet(
            merged(self.ordinals, other.ordinals),
            merged(self.ids, other.ids),
            merged(self.rounds, other.rounds),
            merged(self.kinds, other.kinds),
            self.pinned + other.pinned,
            self.excluded | other.excluded,
            self.covered,
            self.taken_back,
            self.denied + other.denied,
        )

    def _only(self, keep: NDArray[np.bool_]) -> VisibleSet:
        if keep.all():
            return self
        ids = tuple(compress(self.ids, keep))
        inside = frozenset(ids) if self.pinned or self.excluded else frozenset()
        made = VisibleSet(
            ordinals=tuple(compress(self.ordinals, keep)),
            ids=ids,
            rounds=tuple(compress(self.rounds, keep)),
            kinds=tuple(compress(self.kinds, keep)),
            pinned=tuple(p for p in self.pinned if p in inside),
            excluded=self.excluded & inside,
            covered=self.covered,
            taken_back=self.taken_back,
        )
        made._take(self.last_rounds[keep], self.kind_codes[keep], self.ordinal_of)
        return made

    def _take(self, last_rounds: NDArray[np.int64], kind_codes: NDArray[np.int8], ordinal_of: dict[str, int]) -> None:
        """What would else be made of the tuples one by one."""
        self.__dict__.update(last_rounds=last_rounds, kind_codes=kind_codes, ordinal_of=ordinal_of)


@dataclass(frozen=True)
class Members(Collection[str]):
    """The ids of a visible set."""

    _visible: VisibleSet

    def __len__(self) -> int:
        return len(self._visible.ids)

    def __iter__(self) -> Iterator[str]:
        return iter(self._visible.ids)

    def __contains__(self, memory_id: object) -> bool:
        return isinstance(memory_id, str) and self._visible.position(memory_id) is not None
