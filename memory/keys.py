"""What a round is found by (LongMemEval 5.3): its own words, the facts drawn from it and the question it answers.

Keys are put together when they are needed, from what the branch may see then; nothing of them is stored, so they follow every edit, branch and erasure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from memory.cues import asking_share, ends_asking
from storage.records import Kind
from storage.visibility import VisibleSet
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
        self._episodes: dict[int, str] = {}
        self._facts: dict[int, list[str]] = {}
        self._insights: set[str] = set()
        for i, kind, round_number in zip(visible.ids, visible.kinds, visible.rounds, strict=True):
            if kind is Kind.EPISODE:
                self._episodes[round_number] = i
            elif kind is Kind.FACT:
                self._facts.setdefault(round_number, []).append(i)
            else:
                self._insights.add(i)
        self._round_of = visible.round_of

    def around(self, ids: Iterable[str]) -> tuple[set[int], list[str]]:
        """The rounds that memories hang on, and insights, which stand for themselves."""
        rounds, alone = set(), []
        for i in ids:
            if i in self._insights:
                alone.append(i)
            else:
                rounds.add(self._round_of[i])
        return rounds, alone

    def members(self, rounds: Iterable[int]) -> list[str]:
        return [i for r in rounds for i in (*self._episode(r), *self._facts.get(r, ()))]

    def episodes(self, rounds: Iterable[int]) -> list[str]:
        return [i for r in rounds for i in self._episode(r)]

    def _episode(self, round_number: int) -> tuple[str, ...]:
        found = self._episodes.get(round_number)
        return (found,) if found else ()

    def places(self, rounds: Collection[int], alone: Sequence[str], rows: Mapping[str, KeyRow]) -> list[Place]:
        """In order of rounds. rows: of everything in them and of the episodes before."""
        made = []
        for number in sorted(rounds):
            episode = self._row(self._episodes.get(number), rows)
            before = self._row(self._episodes.get(number - 1), rows)
            facts = tuple(rows[i] for i in self._facts.get(number, ()) if i in rows)
            if episode or facts:
                made.append(Place(number, episode, facts, before if answers(before, episode) else None))
        return made + [Place(self._round_of[i], None, (rows[i],), None) for i in alone if i in rows]

    @staticmethod
    def _row(memory_id: str | None, rows: Mapping[str, KeyRow]) -> KeyRow | None:
        return rows.get(memory_id) if memory_id else None


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
