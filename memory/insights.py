"""Insights: what facts mean to this character, through its stances (DualMem 4.1; ALGORITHMS 3).

A stance is a judgment only this persona's history would produce, with cues: example facts about a player that call it up. It becomes an insight when
at least two facts of different rounds match two different cues of it, one to one. A fact matches a cue by embedding if it is nearer to it, and to the
stance's cues together, than to everyday facts that mean nothing in particular. No sufficient evidence, no insight.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memory.facts import path_order, standing
from personas.record import Character, Stance, fill
from storage.records import Kind, Memory, stable_id

VERSION = "stances-2"
NEAREST = 5
"""Everyday facts that a fact is compared with, those nearest to it."""
THRESHOLD: Mapping[str, float] = {"en": 0.025, "zh": 0.010}
"""Least score of a fact that matches, by language. Of a fact f, a cue c and the mean direction m of the stance's cues:

    score = (cos(f, c) + cos(f, m)) / 2 − mean of the NEAREST largest cos(f, everyday fact)

Calibrated for multilingual-e5-small on the 200 facts of tests/memory/stance_pairs_apart.json: less than .5 % of the pairs that do not belong together pass,
and a chat of 100 everyday facts, 15 of them made to resemble a cue, calls up .1 insights in English and .05 in Chinese (the rule before: .8 and .2).
`python -m tests.memory.stance_table` prints what is found there and on facts that nothing was fitted to (docs/design.md)."""

Vectors = NDArray[np.float32]


@dataclass(frozen=True)
class Match:
    """A fact that matches a cue of a stance."""

    stance: int
    cue: int
    score: float


@dataclass(frozen=True)
class Lens:
    """A character's stances with the vectors of their cues and of everyday facts."""

    character: Character
    language: str
    cues: tuple[tuple[int, int], ...]
    """(stance, cue) of each row."""
    vectors: Vectors
    """Of the cues [rows, d], unit length."""
    everyday: Vectors
    """Of everyday facts [m, d], unit length. Without any nothing matches."""


def cue_texts(character: Character, *, player: str) -> tuple[tuple[tuple[int, int], ...], tuple[str, ...]]:
    """Every cue's place and its text with names filled in."""
    places = tuple((s, c) for s, stance in enumerate(character.stances) for c in range(len(stance.cues)))
    return places, tuple(fill(character.stances[s].cues[c], user=player, char=character.name) for s, c in places)


def spoken(character: Character) -> str:
    """The language, `en` or `zh`, whose facts can match the character's cues; else its own code, which has no everyday facts."""
    return character.language.split("-")[0]


def cue_vectors(passages: Vectors, queries: Vectors) -> Vectors:
    """What stands for cues [rows, d]: between their vectors as passages and as queries, each [rows, d]. e5 was trained to bring a query to what answers it."""
    return _unit(passages + queries)


def matches(facts: Vectors, lens: Lens) -> list[Match | None]:
    """For each fact [n, d], in the language of the lens, the cue it matches, if any: a fact speaks for the one stance it is nearest to."""
    if not len(facts) or not len(lens.vectors) or not len(lens.everyday):
        return [None for _ in facts]
    ordinary = np.sort(facts @ lens.everyday.T, axis=1)[:, -NEAREST:].mean(axis=1, keepdims=True)
    score = facts @ ((lens.vectors + _middles(lens)) / 2).T - ordinary
    limit = THRESHOLD.get(lens.language, THRESHOLD["en"])
    found: list[Match | None] = []
    for row, column in enumerate(score.argmax(axis=1).tolist()):
        best, (stance, cue) = float(score[row, column]), lens.cues[column]
        found.append(Match(stance, cue, best) if best >= limit else None)
    return found


def _middles(lens: Lens) -> Vectors:
    """For each row of cues the mean direction of its stance's [rows, d]."""
    stances = np.asarray([stance for stance, _ in lens.cues])
    return _unit(np.stack([lens.vectors[stances == stance].mean(axis=0) for stance in stances]))


def _unit(vectors: Vectors) -> Vectors:
    scaled: Vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return scaled


def evidence(candidates: Sequence[tuple[Memory, Match]]) -> tuple[Memory, ...]:
    """Of facts that match one stance, the first two in path order of different rounds and on different cues; empty if there are none."""
    ordered = sorted(candidates, key=lambda pair: path_order(pair[0]))
    for later, (fact, match) in enumerate(ordered):
        for other, earlier in ordered[:later]:
            if other.round_last != fact.round_last and earlier.cue != match.cue:
                return other, fact
    return ()


def insight_of(chat_id: str, character: Character, stance_index: int, facts: Sequence[Memory], *, player: str) -> Memory:
    """A stance that two facts called up, as the character's reading. Its trust is the lowest of theirs."""
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
        trust=min(f.trust for f in facts),
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
