"""How well what recall found supports an answer to a question (LongMemEval 5.5: abstain when the notes hold no evidence). Pure.

A memory that is like a question need not answer it. Three things tell the difference: that one person's telling in one round says what the question asks
about (its rare words, less where only the question that was answered says them), that it is about whom the question names rather than about another who
was there, and how near it is in meaning. Each is a number, and a logistic of their weighed sum says how likely an answer is: `evaluation abstention`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from memory.content import (
    FRAMING,
    NAMED,
    TENSE,
    asks_name,
    chinese_words,
    is_character,
    says_name,
    single_words,
    terms_with_characters,
    without_times,
)
from memory.cues import Asked, Tense, ends_asking, only_asks, person, sentences
from memory.episodes import language_of
from memory.keys import Place
from memory.persona import PLAYER
from memory.reading.wording import parted
from memory.retrieval import Candidate, told_in
from memory.timeline import MONTHS
from storage.terms import query_terms
from storage.words import KeyRow, Rarity

ANSWERED = 0.8
"""How much a term counts that stands only in the question which was answered."""
NOBODY = ""
TIME = "at the time"
"""Stands among the terms of a question for the time that it names, and among those of what was said or done then."""
DATED = 3.0
"""What it weighs: as much as a word that one memory in twenty holds."""
_CALENDAR = re.compile(r"\d+(?:st|nd|rd|th)?|" + "|".join(sorted(term for name in MONTHS for term in query_terms(name))))
COMMON = 0.3
"""The least a term weighs, however common."""
NAME = 3.0
"""What a name weighs where one is asked for."""
CHARACTER = 2.0
"""What a Chinese word of one character weighs: how many memories hold it is not known."""
WEIGHTS: Mapping[str, float] = {"covered": 3.9, "margin": 1.3, "near": 5.4}
BIAS = -4.7
"""Logistic regression on LoCoMo's conv-26 and conv-41, each turn by turn and round by round (n = 1,330): their questions against their adversarial ones
and those of the conversation that follows. On three others it holds as well (docs/abstention.md)."""
ENOUGH = 0.4
"""Support from which on a question counts as one that memory can answer."""


@dataclass(frozen=True)
class Support:
    """value: 0 to 1, how likely it is that what was found holds the answer; terms: what it comes of, by name, unweighed; best: ids of the memories that
    support an answer, of whom the question means, best first."""

    value: float
    terms: Mapping[str, float]
    best: tuple[str, ...] = ()


@dataclass(frozen=True)
class Judged:
    """What support is judged by. names: of everybody who spoke; player: of whom stored texts call so; meant: whom the question means; candidates: as recall
    ranked them, and the places they stand in; ground: cosine to the question of what has nothing to do with it."""

    question: str
    asked: Asked
    meant: frozenset[str]
    names: frozenset[str]
    places: Sequence[Place]
    candidates: Sequence[Candidate]
    rarity: Rarity
    ground: float
    player: str = ""


@dataclass
class _Telling:
    """What is said in one round of one person, by whomever."""

    terms: set[str] = field(default_factory=set)
    asked: set[str] = field(default_factory=set)
    """Of the question that is answered."""
    found: dict[str, float] = field(default_factory=dict)
    """Memories that say it, by id, with how much of what the question asks about they say of this person, 0 to 1."""

    def take(self, terms: set[str], asked: set[str], memory_id: str, share: float) -> None:
        self.terms |= terms
        self.asked |= asked
        self.found[memory_id] = max(self.found.get(memory_id, 0.0), share)


def support(judged: Judged) -> Support:
    """Of nothing found: 0."""
    found = {c.memory_id: c for c in judged.candidates}
    own, others = _Side(), _Side()
    weights = _weights(judged)
    meant = judged.meant & judged.names  # "I" may have gone by another name when it was said
    for owner, telling in _tellings(judged, weights):
        side = own if not meant or owner in meant else others
        side.take(telling, found, weights)
    if not own.fused:
        return Support(0.0, dict.fromkeys(WEIGHTS, 0.0))
    terms = {
        "covered": own.covered,
        "margin": max(-1.0, min(1.0, own.best - others.best)),
        "near": max(0.0, own.dense - judged.ground) / max(1e-6, 1.0 - judged.ground),
    }
    best = sorted(own.fused, key=lambda i: -own.fused[i])
    return Support(weighed(terms), terms, tuple(best))


def weighed(terms: Mapping[str, float]) -> float:
    """0 to 1, of terms by name."""
    return 1.0 / (1.0 + math.exp(-(BIAS + sum(WEIGHTS[name] * value for name, value in terms.items()))))


@dataclass
class _Side:
    """The best of what is about whom is meant, or about others."""

    covered: float = 0.0
    dense: float = -1.0
    fused: dict[str, float] = field(default_factory=dict)
    """By memory id, as far as it is of whom this side is."""

    def take(self, telling: _Telling, found: Mapping[str, Candidate], weights: Mapping[str, float]) -> None:
        whole = sum(weights.values())
        if whole:
            self.covered = max(self.covered, _weight(telling.terms, telling.asked, weights) / whole)
        for i, share in telling.found.items():
            candidate = found.get(i)
            if candidate is not None and share > 0:
                self.fused[i] = max(self.fused.get(i, 0.0), share * _of_itself(candidate))
                self.dense = max(self.dense, candidate.dense if candidate.dense is not None else -1.0)

    @property
    def best(self) -> float:
        return max(self.fused.values(), default=0.0)


def _of_itself(candidate: Candidate) -> float:
    """Its fused score but for whom it is about, which is judged here, and what a cross-encoder made of it, which the weights do not know."""
    return candidate.fused - candidate.parts.get("speaker", 0.0) - candidate.parts.get("cross", 0.0)


def _weights(judged: Judged) -> dict[str, float]:
    """Of the content terms of a question but for names of those who spoke: the rarer the more; what nothing says at all counts most."""
    memories, holding = judged.rarity.memories, judged.rarity.holding
    dated = {TIME: DATED} if judged.asked.closed else {}  # half of the past is no time that an answer need fit
    if asks_name(judged.question):
        dated[NAMED] = NAME
    return dated | {
        term: CHARACTER
        if is_character(term)
        else max(COMMON, math.log((memories - holding.get(term, 0) + 0.5) / (holding.get(term, 0) + 0.5)))
        for term in _content(judged.question, judged.asked, judged.names)
        if not (TIME in dated and _CALENDAR.fullmatch(term))
    }


def _content(question: str, asked: Asked, names: Collection[str]) -> list[str]:
    """Without names, times, and whether it is asked how it was or is; of Chinese only what lies within a word that names a thing, a doing or a kind."""
    chinese = language_of(question) == "zh"
    if asked.ranges:
        question = without_times(question, asked.ranges[0].last)
    if not chinese:
        left = {term for name in names for term in query_terms(name)} | (TENSE if asked.tense is not Tense.OPEN else set())
        return _about(term for term in query_terms(question) if term in set(asked.terms) - left)
    for name in sorted((n for n in names if n), key=len, reverse=True):
        question = question.replace(name, " ")
    within = {term for word in chinese_words(question) if len(word) > 1 for term in query_terms(word)}
    within -= TENSE if asked.tense is not Tense.OPEN else set()
    return _about([term for term in asked.terms if term in within] + single_words(question))


def _about(terms: Iterable[str]) -> list[str]:
    """Without what only says what kind of thing is asked for, unless that is all."""
    found = list(terms)
    return [term for term in found if term not in FRAMING] or found


def _tellings(judged: Judged, weights: Mapping[str, float]) -> Iterator[tuple[str, _Telling]]:
    """By person, of each round."""
    for place in judged.places:
        told: dict[str, _Telling] = {}
        when = {TIME} if any(told_in(row, wanted) for row in place.members for wanted in judged.asked.closed) else set()
        if place.episode is not None:
            for owner, (terms, asked, share) in _shares(place, judged.names, weights).items():
                told.setdefault(owner, _Telling()).take(terms | when, asked, place.episode.id, share)
        for fact in place.facts:
            own, line = parted(fact.text)
            for owner in _owners(fact, judged):
                told.setdefault(owner, _Telling()).take(_terms(own, judged.names) | when, terms_with_characters(line), fact.id, 1.0)
        yield from told.items()


def _shares(place: Place, names: Collection[str], weights: Mapping[str, float]) -> dict[str, tuple[set[str], set[str], float]]:
    """(terms, terms of the question that is answered, how much of what the round says of what is asked) by whom they are of, of a round as it was spoken."""
    lines = _lines(place.episode) if place.episode else []
    before = _lines(place.question)[-1:] if place.question else []
    of: dict[str, set[str]] = {_mostly(*line, names): set() for line in lines}
    answered: dict[str, set[str]] = {}
    for speaker, words in lines:
        if before and before[0][0] != speaker:
            answered.setdefault(speaker, set()).update(
                terms_with_characters(before[0][1]) | ({NAMED} if asks_name(before[0][1]) else set())
            )
        for owner, terms in _heard(speaker, words, names).items():
            of.setdefault(owner, set()).update(terms)
        before = [(speaker, words)] if ends_asking(words) else []
    whole = _weight(set().union(*of.values()), set().union(*answered.values()), weights)
    alike = 1.0 / max(1, len(of.keys() - {NOBODY}))
    shares = {}
    for owner, terms in of.items():
        asked = answered.get(owner, set())
        shares[owner] = (terms, asked, _weight(terms, asked, weights) / whole if whole else alike)
    shares.pop(NOBODY, None)
    return shares


def _heard(speaker: str, words: str, names: Collection[str]) -> dict[str, set[str]]:
    """Terms of one turn by whom they are of. What is said to another of that other ("your bees") is no word of the speaker's own life, and what only asks
    tells nothing of anybody."""
    mostly = _mostly(speaker, words, names)
    owners = {0: mostly, 1: speaker, 2: _listener(speaker, names)}
    of: dict[str, set[str]] = {mostly: set()}
    for sentence in sentences(words):
        owner = NOBODY if only_asks(sentence) else owners[person(sentence)]
        of.setdefault(owner, set()).update(_terms(sentence, names))
    return of


def _terms(text: str, names: Collection[str]) -> set[str]:
    return terms_with_characters(text) | ({NAMED} if says_name(text, but=names) else set())


def _mostly(speaker: str, words: str, names: Collection[str]) -> str:
    """Whom a turn is about where its sentences do not say."""
    return _listener(speaker, names) if person(words) == 2 else speaker


def _listener(speaker: str, names: Collection[str]) -> str:
    """In a group nobody knows whom "you" means."""
    others = [name for name in names if name != speaker]
    return others[0] if len(others) == 1 else NOBODY


def _weight(terms: Collection[str], asked: Collection[str], weights: Mapping[str, float]) -> float:
    held = {t: w * (1.0 if t in terms else ANSWERED if t in asked else 0.0) for t, w in weights.items()}
    # A name alone is nearly everywhere: it counts where something else of the question is said.
    return sum(held.values()) if any(w for t, w in held.items() if t != NAMED) or len(held) == 1 else 0.0


def _lines(row: KeyRow) -> list[tuple[str, str]]:
    """(speaker, words) of each turn of an episode."""
    said: list[tuple[str, str]] = []
    for line in row.text.splitlines():
        name, colon, words = line.partition(": ")
        if colon and name in row.knowers:
            said.append((name, words))
        elif said:
            said[-1] = (said[-1][0], f"{said[-1][1]}\n{line}")
    return said


def _owners(fact: KeyRow, judged: Judged) -> list[str]:
    """Whom a fact is about, of those who spoke: whom its subject names ("Mara's sister"), else who said it."""
    if judged.player in judged.names and any(word in fact.subject.casefold() for word in PLAYER.values()):
        return [judged.player]
    return [name for name in sorted(judged.names) if _stands_in(name, fact.subject)] or [fact.said_by]


def _stands_in(name: str, text: str) -> bool:
    if not name.strip():
        return False
    return bool(re.search(rf"\b{re.escape(name)}\b", text)) if name.isascii() else name in text
