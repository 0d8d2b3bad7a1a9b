"""Insights: what facts mean to this character, through its stances (DualMem 4.1; ALGORITHMS 3).

A stance is a judgment only this persona's history would produce, with cues: example facts about a player that call it up. It becomes an insight when
at least two facts of different rounds match two different cues of it, one to one. A fact matches a cue by embedding if it is nearer to one of its wordings,
and to the stance's cues together, than to everyday facts that mean nothing in particular. No sufficient evidence, no insight.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log2

import numpy as np
from numpy.typing import NDArray

from memory.facts import path_order, standing
from memory.persona import PLAYER
from memory.third_person import third_person
from personas.record import Character, Stance, fill
from storage.records import Kind, Memory, stable_id

VERSION = "stances-6"
NEAREST = 5
"""Everyday facts that a fact is compared with, those nearest to it."""
WHOLE = 0.7
"""What the stance as a whole counts beside the single cue. Of a fact f, the wording c of a cue and the mean direction m of all wordings of the stance:

    score = (1 − WHOLE) cos(f, c) + WHOLE cos(f, m) − mean of the NEAREST largest cos(f, everyday fact)"""
SHARED = 0.5
"""What is taken off for being near to everything: of the mean over the other stances of the fact's best scores. The longer and odder a fact, the nearer it comes to
every stance at once; in a story of two hundred rounds such facts would speak for all of them."""
BESIDE = 0.005
"""A fact speaks for the stance it scores highest with, and for those that come as near to that."""
LEAST: Mapping[str, float] = {"en": 0.0225, "zh": 0.0115}
"""Least score of a fact that speaks for a stance at all, by language."""
TOGETHER: Mapping[str, float] = {"en": 0.065, "zh": 0.025}
"""Least sum of the scores of two facts that call a stance up in the first EARLY rounds: a weak one needs a strong one."""
EARLY = 10
LATER: Mapping[str, float] = {"en": 0.0125, "zh": 0.0065}
"""What that sum rises by each time the rounds double after them, counted to the later fact: among many facts two agree by chance. A pair that was enough stays enough.

All calibrated for multilingual-e5-small on the half `dev` of `evaluation/cases/insights.jsonl`, the everyday facts of tests/memory/stance_pairs_*.json and the two
sample stories, so that a chat of 100 everyday facts, some made to resemble a cue, calls up .1 insights in English and fewer in Chinese
(`python -m tests.memory.stance_table`; docs/insights.md)."""

EVENLY: Mapping[str, float] = {"en": 0.6, "zh": 0.7}
"""Least share of the stronger fact's score that the weaker one has after the EARLY rounds: there is always something that passes near a stance, and one strong fact
would take it along. Chosen on the two sample stories, where the grounds of ten insights were read one by one; nothing told in the EARLY rounds changes by it."""
FIRM: Mapping[str, float] = {"en": 0.06, "zh": 0.03}
"""Score of a fact that bears on a stance as firmly as any: what the best of the sample stories come to."""
LEAST_FIRMNESS = 0.5

Vectors = NDArray[np.float32]


@dataclass(frozen=True)
class Match:
    """A fact that matches a cue of a stance, so that it speaks for it."""

    stance: int
    cue: int
    score: float


@dataclass(frozen=True)
class Lens:
    """A character's stances with the vectors of their cues and of everyday facts."""

    character: Character
    language: str
    cues: tuple[tuple[int, int], ...]
    """(stance, cue) of each row: a row for each wording."""
    vectors: Vectors
    """Of the wordings [rows, d], unit length."""
    everyday: Vectors
    """Of everyday facts [m, d], unit length. Without any nothing matches."""

    @cached_property
    def directions(self) -> Vectors:
        """For each row what a fact is compared with [rows, d]: the wording and, weighed by WHOLE, the mean direction of its stance's."""
        stances = np.asarray([stance for stance, _ in self.cues])
        middles = {stance: self.vectors[stances == stance].mean(axis=0) for stance in dict.fromkeys(stances.tolist())}
        made: Vectors = (1 - WHOLE) * self.vectors + WHOLE * _unit(np.stack([middles[stance] for stance in stances.tolist()]))
        return made


def cue_texts(character: Character, *, player: str) -> tuple[tuple[tuple[int, int], ...], tuple[str, ...]]:
    """Every wording of every cue with names filled in, and whose it is: (stance, cue)."""
    told = [(s, c, text) for s, stance in enumerate(character.stances) for c, cue in enumerate(stance.cues) for text in cue]
    return tuple((s, c) for s, c, _ in told), tuple(fill(text, user=player, char=character.name) for _, _, text in told)


def spoken(character: Character) -> str:
    """The language, `en` or `zh`, whose facts can match the character's cues; else its own code, which has no everyday facts."""
    return character.language.split("-")[0]


def cue_vectors(passages: Vectors, queries: Vectors) -> Vectors:
    """What stands for cues [rows, d]: between their vectors as passages and as queries, each [rows, d]. e5 was trained to bring a query to what answers it."""
    return _unit(passages + queries)


def unnamed(fact: Memory) -> str:
    """A fact about a player as cues and everyday facts are told, of "the player": a name draws a fact away from all of them (docs/insights.md)."""
    player = PLAYER.get(fact.language, PLAYER["en"])
    if fact.payload.get("quoted") and fact.origin == "model":
        return third_person(str(fact.payload["quote"]), name=player, language=fact.language)
    if fact.subject in PLAYER.values():
        return fact.text
    name = re.escape(fact.subject)
    told = re.sub(rf"(?<!\w){name}(?!\w)" if fact.subject.isascii() else name, lambda _: player, fact.text)
    return told[:1].upper() + told[1:]


def matches(facts: Vectors, lens: Lens) -> list[tuple[Match, ...]]:
    """For each fact [n, d], in the language of the lens, the stances it speaks for, best first, each with the cue of it that is nearest."""
    if not len(facts) or not len(lens.vectors) or not len(lens.everyday):
        return [() for _ in facts]
    ordinary = np.sort(facts @ lens.everyday.T, axis=1)[:, -NEAREST:].mean(axis=1, keepdims=True)
    score = facts @ lens.directions.T - ordinary
    score -= SHARED * _elsewhere(score, np.asarray([stance for stance, _ in lens.cues]))
    least = LEAST.get(lens.language, LEAST["en"])
    found: list[tuple[Match, ...]] = []
    for row in score:
        limit = max(least, float(row.max()) - BESIDE)
        best: dict[int, Match] = {}
        for column in np.flatnonzero(row >= limit).tolist():
            stance, cue = lens.cues[column]
            if stance not in best or row[column] > best[stance].score:
                best[stance] = Match(stance, cue, float(row[column]))
        found.append(tuple(sorted(best.values(), key=lambda m: (-m.score, m.stance))))
    return found


def _elsewhere(score: Vectors, stances: NDArray[np.int_]) -> Vectors:
    """For each fact and row [n, rows] the mean over the other stances of the best score among each one's rows; 0 where that is below 0 or there is no other."""
    own, place = np.unique(stances, return_inverse=True)
    if len(own) < 2:
        return np.zeros_like(score)
    best = np.stack([score[:, stances == stance].max(axis=1) for stance in own], axis=1)
    others: Vectors = (best.sum(axis=1, keepdims=True) - best) / (len(own) - 1)
    return np.maximum(others, 0)[:, place]


def _unit(vectors: Vectors) -> Vectors:
    scaled: Vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return scaled


def evidence(candidates: Sequence[tuple[Memory, Match]], *, language: str) -> tuple[Memory, ...]:
    """Of facts that speak for one stance, the first two in path order of different rounds and one name, on different cues and strong enough together; else empty."""
    ordered = sorted(candidates, key=lambda pair: path_order(pair[0]))
    for later, (fact, match) in enumerate(ordered):
        together = needed(fact.round_last, language=language)
        for other, earlier in ordered[:later]:
            if (
                other.subject == fact.subject
                and other.round_last != fact.round_last
                and earlier.cue != match.cue
                and earlier.score + match.score >= together
                and _evenly(earlier.score, match.score, fact.round_last, language=language)
            ):
                return other, fact
    return ()


def _evenly(one: float, other: float, round_number: int, *, language: str) -> bool:
    """Whether of two facts, the later of which was told in that round, the weaker bears its part."""
    return round_number <= EARLY or min(one, other) >= EVENLY.get(language, EVENLY["en"]) * max(one, other)


def firmness(ground: Sequence[Memory], candidates: Sequence[tuple[Memory, Match]], *, language: str) -> float:
    """How firmly facts bear on the stance that they speak for, LEAST_FIRMNESS to 1: as firmly as the weakest of them. candidates: as for `evidence`."""
    there = {fact.id for fact in ground}
    weakest = min(match.score for fact, match in candidates if fact.id in there)
    return min(1.0, max(LEAST_FIRMNESS, weakest / FIRM.get(language, FIRM["en"])))


def needed(round_number: int, *, language: str) -> float:
    """Least sum of the scores of two facts, the later of which was told in that round."""
    doublings = max(0.0, log2(max(1, round_number) / EARLY))
    return TOGETHER.get(language, TOGETHER["en"]) + LATER.get(language, LATER["en"]) * doublings


def insight_of(chat_id: str, character: Character, stance_index: int, facts: Sequence[Memory], *, player: str, firm: float) -> Memory:
    """A stance that two facts called up, as the character's reading. Its trust is the lowest of theirs, less what they lack in bearing on it.

    firm: as `firmness` has it."""
    stance: Stance = character.stances[stance_index]
    text = fill(stance.statement, user=player, char=character.name)
    key = stable_id("insight", VERSION, character.id, stance.statement, *(f.derivation_key for f in facts))
    return Memory(
        id=stable_id("memory", chat_id, key, *map(standing, facts)),
        chat_id=chat_id,
        kind=Kind.INSIGHT,
        text=text,
        language=character.language,
        round_first=facts[0].round_first,
        round_last=facts[-1].round_last,
        said_at=facts[-1].said_at,
        sources=tuple(dict.fromkeys(s for f in facts for s in f.sources)),
        derivation_key=key,
        grounds=tuple(f.id for f in facts),
        subject=player,
        said_by=character.name,
        payload={"stance": stable_id("stance", stance.statement)},
        trust=round(min(f.trust for f in facts) * firm, 2),
        slot=stance_id(character, stance_index),
        # The order of `evidence`: of two pairs on one path the earlier holds.
        slot_rank="|".join(_rank(f) for f in reversed(facts)),
    )


def _rank(fact: Memory) -> str:
    round_last, key, place, _ = path_order(fact)
    return f"{round_last:09d}|{key}|{place:03d}"


def stance_id(character: Character, stance_index: int) -> str:
    """The slot of a stance: a path has one insight of each."""
    return f"insight:{stable_id('stance', character.stances[stance_index].statement)}"
