"""What a round is found by (LongMemEval 5.3): its own words, the facts drawn from it and the question it answers.

Keys are put together when they are needed, from what the branch may see then; nothing of them is stored, so they follow every edit, branch and erasure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

import numpy as np

from memory.cues import asking_share, ends_asking
from storage.records import Kind
from storage.visible import VisibleSet
from storage.words import KeyRow

PAUSE = timedelta(hours=12)
"""A longer silence ends a talk: what is said after it answers nobody, and has nothing to do with what was said before."""


@dataclass(frozen=True)
class Place:
    """A round and what hangs on it."""

    round: int
    episode: KeyRow | None
    facts: tuple[KeyRow, ...]
    question: KeyRow | None
    """The round before, where it ended by asking and somebody else spoke next."""

    @property
    def members(self) -> tuple[KeyRow, ...]:
        """What can be recalled of it, the episode first."""
        return (self.episode, *self.facts) if self.episode else self.facts

    @property
    def asking(self) -> float:
        """How much of what was said only asks; it tells nothing."""
        return asking_share("\n".join(_said(line) for line in self.episode.text.splitlines())) if self.episode and not self.facts else 0.0


class Rounds:
    """Which memories hang on which round."""

    def __init__(self, visible: VisibleSet) -> None:
        self._visible = visible
        self._order = np.argsort(visible.last_rounds, kind="stable")
        self._sorted = visible.last_rounds[self._order]
        self._known: dict[int, tuple[str | None, tuple[str, ...]]] = {}

    def around(self, ids: Iterable[str]) -> tuple[set[int], list[str]]:
        """The rounds that memories hang on, and insights, which stand for themselves."""
        rounds, alone = set(), []
        for i in ids:
            at = self._visible.position(i)
            if at is None:
                continue
            if self._visible.kinds[at] is Kind.INSIGHT:
                alone.append(i)
            else:
                rounds.add(self._visible.rounds[at])
        return rounds, alone

    def members(self, rounds: Iterable[int]) -> list[str]:
        """Of each round its episode, then its facts."""
        return [i for r in rounds for episode, facts in (self._of(r),) for i in ((episode, *facts) if episode else facts)]

    def episodes(self, rounds: Iterable[int]) -> list[str]:
        return [episode for r in rounds if (episode := self._of(r)[0]) is not None]

    def _of(self, round_number: int) -> tuple[str | None, tuple[str, ...]]:
        """(episode, facts in order of birth) of a round."""
        known = self._known.get(round_number)
        if known is None:
            first, last = np.searchsorted(self._sorted, (round_number, round_number + 1))
            here = [(self._visible.ids[at], self._visible.kinds[at]) for at in self._order[first:last].tolist()]
            episode = next((i for i, kind in reversed(here) if kind is Kind.EPISODE), None)
            known = self._known[round_number] = (episode, tuple(i for i, kind in here if kind is Kind.FACT))
        return known

    def _episode(self, round_number: int, rows: Mapping[str, KeyRow]) -> KeyRow | None:
        return rows.get(self._of(round_number)[0] or "")

    def places(self, rounds: Collection[int], alone: Sequence[str], rows: Mapping[str, KeyRow]) -> list[Place]:
        """In order of rounds. rows: of everything in them and of the episodes before."""
        made = []
        for number in sorted(rounds):
            episode, before = self._episode(number, rows), self._episode(number - 1, rows)
            facts = tuple(rows[i] for i in self._of(number)[1] if i in rows)
            if episode or facts:
                made.append(Place(number, episode, facts, before if answers(before, episode) else None))
        known = ((i, self._visible.position(i)) for i in alone if i in rows)
        return made + [Place(self._visible.rounds[at], None, (rows[i],), None) for i, at in known if at is not None]


def answers(before: KeyRow | None, after: KeyRow | None) -> bool:
    """Whether a round answers the one before it: that ended by asking, and another spoke soon after."""
    if before is None or after is None or not ends_asking(before.text):
        return False
    changed = len(before.knowers) > 1 or before.said_by != after.said_by
    return changed and abs(after.said_at - before.said_at) < PAUSE


def counts(rows: Iterable[KeyRow], wanted: Collection[str]) -> tuple[Counter[str], int]:
    """(how often each wanted term stands in the rows, length of the rows in terms)."""
    found: Counter[str] = Counter()
    length = 0
    for row in rows:
        found.update(word for word in row.words if word in wanted)
        length += len(row.words)
    return found, length


def _said(line: str) -> str:
    """A line of an episode without the name before it."""
    name, colon, words = line.partition(": ")
    return words if colon and len(name) < 60 else line
