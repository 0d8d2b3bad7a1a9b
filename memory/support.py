"""How well what recall found supports an answer to a question (LongMemEval 5.5: abstain when the notes hold no evidence). Pure.

A memory that is like a question need not answer it. Three things tell the difference: that one person's telling in one round says what the question asks
about (its rare words, less where only the question that was answered says them), that it is about whom the question names rather than about another who
was there, and how near it is in meaning. Each is a number, and a logistic of their weighed sum says how likely an answer is: `evaluation abstention`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from memory.cues import Asked, ends_asking
from memory.episodes import language_of
from memory.extraction.chinese_words import tokens_of
from memory.keys import Place
from memory.retrieval import Candidate
from storage.terms import query_terms
from storage.words import KeyRow, Rarity

ANSWERED = 0.8
"""How much a term counts that stands only in the question which was answered."""
COMMON = 0.3
"""The least a term weighs, however common."""
_CONTENT = ("n", "v", "a", "i", "l", "j", "t", "m", "eng")
"""Tags of Chinese words that say something begin so."""
WEIGHTS: Mapping[str, float] = {"covered": 3.6, "margin": 1.4, "near": 3.2}
BIAS = -3.7
"""Logistic regression on two conversations (LoCoMo conv-26, conv-41): their questions against adversarial ones and those of other conversations."""
ENOUGH = 0.5
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
    """What support is judged by. names: of everybody who spoke; meant: whom the question means; candidates: as recall ranked them, and the places they
    stand in; ground: cosine to the question of what has nothing to do with it."""

    question: str
    asked: Asked
    meant: frozenset[str]
    names: frozenset[str]
    places: Sequence[Place]
    candidates: Sequence[Candidate]
    rarity: Rarity
    ground: float


@dataclass
class _Telling:
    """What one person's words, and what is known of that person, say in one round."""

    terms: set[str] = field(default_factory=set)
    asked: set[str] = field(default_factory=set)
    """Of the question that is answered."""
    ids: list[str] = field(default_factory=list)


def support(judged: Judged) -> Support:
    """Of nothing found: 0."""
    found = {c.memory_id: c for c in judged.candidates}
    own, others = _Side(), _Side()
    weights = _weights(judged)
    for owner, telling in _tellings(judged):
        side = own if not judged.meant or owner in judged.meant else others
        side.take(telling, found, weights)
    if not own.ids:
        return Support(0.0, dict.fromkeys(WEIGHTS, 0.0))
    terms = {
        "covered": own.covered,
        "margin": max(-1.0, min(1.0, own.fused - others.fused)),
        "near": max(0.0, own.dense - judged.ground) / (1.0 - judged.ground),
    }
    best = sorted(own.ids, key=lambda i: -_of_itself(found[i]))
    return Support(weighed(terms), terms, tuple(best))


def weighed(terms: Mapping[str, float]) -> float:
    """0 to 1, of terms by name."""
    return 1.0 / (1.0 + math.exp(-(BIAS + sum(WEIGHTS[name] * value for name, value in terms.items()))))


@dataclass
class _Side:
    """The best of what is about whom is meant, or about others."""

    covered: float = 0.0
    fused: float = 0.0
    dense: float = -1.0
    ids: list[str] = field(default_factory=list)

    def take(self, telling: _Telling, found: Mapping[str, Candidate], weights: Mapping[str, float]) -> None:
        whole = sum(weights.values())
        if whole:
            said = sum(w * (1.0 if t in telling.terms else ANSWERED if t in telling.asked else 0.0) for t, w in weights.items())
            self.covered = max(self.covered, said / whole)
        for i in telling.ids:
            candidate = found.get(i)
            if candidate is not None and i not in self.ids:
                self.ids.append(i)
                self.fused = max(self.fused, _of_itself(candidate))
                self.dense = max(self.dense, candidate.dense if candidate.dense is not None else -1.0)


def _of_itself(candidate: Candidate) -> float:
    """Its fused score but for whom it is about, which is judged here."""
    return candidate.fused - candidate.parts.get("speaker", 0.0)


def _weights(judged: Judged) -> dict[str, float]:
    """Of the content terms of a question but for names of those who spoke: the rarer the more; what nothing says at all counts most."""
    memories, holding = judged.rarity.memories, judged.rarity.holding
    return {
        term: max(COMMON, math.log((memories - holding.get(term, 0) + 0.5) / (holding.get(term, 0) + 0.5)))
        for term in _content(judged.question, judged.asked, judged.names)
    }


def _content(question: str, asked: Asked, names: Collection[str]) -> list[str]:
    """Of Chinese only what lies within a word that names a thing, a doing or a kind."""
    if language_of(question) != "zh":
        people = {term for name in names for term in query_terms(name)}
        return [term for term in asked.terms if term not in people]
    for name in sorted((n for n in names if n), key=len, reverse=True):
        question = question.replace(name, " ")
    words = [token.text for token in tokens_of(question) if token.tag.startswith(_CONTENT) and len(token.text) > 1]
    within = {term for word in words for term in query_terms(word)}
    return [term for term in asked.terms if term in within]


def _tellings(judged: Judged) -> Iterator[tuple[str, _Telling]]:
    for place in judged.places:
        told: dict[str, _Telling] = {}
        before = _lines(place.question)[-1:] if place.question else []
        for speaker, words in _lines(place.episode) if place.episode else ():
            telling = told.setdefault(speaker, _Telling())
            telling.terms.update(query_terms(words))
            if place.episode:
                telling.ids.append(place.episode.id)
            if before and before[0][0] != speaker:
                telling.asked.update(query_terms(before[0][1]))
            before = [(speaker, words)] if ends_asking(words) else []
        for fact in place.facts:
            for owner in _owners(fact, judged.names):
                telling = told.setdefault(owner, _Telling())
                telling.terms.update(query_terms(fact.text))
                telling.ids.append(fact.id)
        yield from told.items()


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


def _owners(fact: KeyRow, names: Collection[str]) -> list[str]:
    """Whom a fact is about, of those who spoke: whom its subject names ("Mara's sister"), else who said it."""
    return [name for name in names if _stands_in(name, fact.subject)] or [fact.said_by]


def _stands_in(name: str, text: str) -> bool:
    if not name.strip():
        return False
    return bool(re.search(rf"\b{re.escape(name)}\b", text)) if name.isascii() else name in text
