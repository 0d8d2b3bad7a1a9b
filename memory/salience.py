"""Salience at birth: which facts of a chat to keep when not all can be kept, before anything was ever recalled.

A fact is worth its news: the words it adds to what is told, each by how rare it is in this chat, so that the second telling of a thing is worth less
than the first; more with a day, much less if it was hedged or is no more than a view. Nothing but the facts themselves is looked at.
"""

from __future__ import annotations

import heapq
import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

TOLD_AGAIN = 0.5
"""What a word counts that stands in the fact chosen before already, of its rarity."""
SAME_TURN = 0.4
"""What a fact counts once another of its message was chosen: the rest of a message is seldom news."""
DATED = 1.15
TRUST_POWER = 3.0
"""What is hedged or a view (trust .6) counts a fifth: it is kept where nothing plain is left to keep."""
LENGTH_POWER = 0.4
"""0 chooses the longest, 1 the densest."""
_WORD = re.compile(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+")


@dataclass(frozen=True)
class Telling:
    """A fact as far as its salience goes."""

    text: str
    said_in: str
    """The message it is from."""
    dated: bool
    trust: float

    @property
    def length(self) -> int:
        return len(self.text.split())


def chosen(facts: Sequence[Telling], *, count: int, words: int) -> list[int]:
    """Places of the facts to keep, in order, at most `count` of them with at most `words` words in all; greedily the most salient first."""
    terms = [frozenset(_WORD.findall(f.text.casefold())) for f in facts]
    often = Counter(t for fact in terms for t in fact)
    rarity = {t: math.log((1 + len(facts)) / n) for t, n in often.items()}
    told: Counter[str] = Counter()
    said: Counter[str] = Counter()
    kept: list[int] = []

    def worth(place: int) -> float:
        fact = facts[place]
        news = sum(rarity[t] * math.pow(TOLD_AGAIN, told[t]) for t in sorted(terms[place]))
        value = news / math.pow(max(1, fact.length), LENGTH_POWER) * math.pow(fact.trust, TRUST_POWER) * (DATED if fact.dated else 1.0)
        return value * math.pow(SAME_TURN, said[fact.said_in])

    # Worth only falls as more is told, so a stale value is an upper bound: look again only at the head of the queue.
    heap = [(-worth(place), place) for place in range(len(facts))]
    heapq.heapify(heap)
    left = words
    while heap and len(kept) < count:
        _, place = heapq.heappop(heap)
        if facts[place].length > left:
            continue
        now = worth(place)
        if heap and now < -heap[0][0]:
            heapq.heappush(heap, (-now, place))
            continue
        kept.append(place)
        left -= facts[place].length
        said[facts[place].said_in] += 1
        told.update(terms[place])
    return sorted(kept)
