"""What a topic is called: the things and names that say most about what it rests on, as they stand there.

It is found when a topic is shown, as its thread of tellings is: nothing is stored of it, so it says of every branch what is told there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from memory.topic_words import Rarity, Terms, background, terms_of
from memory.words import tagged, tokens_of
from storage.records import Memory
from storage.terms import query_terms

MOST = 3
"""Words of a heading."""
READ = 6
"""Sentences of a topic whose words are told apart by their kind: those that hold most; of the others it is counted how often they say the same."""
OPENING = 40
"""Characters of the first sentence that stand for a heading where no word of it says anything."""
_SENTENCE = re.compile(r"^.*?[。！？!?]|^.*?\.(?=\s|$)", re.DOTALL)
_SEPARATOR = {"en": ", ", "zh": "、"}


@dataclass(frozen=True)
class _Word:
    text: str
    terms: Terms
    names: bool
    """A thing, a place or a person, not what is done or how something is."""


class Headings:
    """Of the topics of one path. called: everybody who talks there, by every name: whose topic it is says nothing about what it is about."""

    def __init__(self, language: str, *, called: Iterable[str]) -> None:
        self._people = tuple(sorted({name for name in called if name}))
        self._rarity = Rarity()
        self._rarity.add(background(language))

    def learn(self, texts: Sequence[str], language: str) -> None:
        """That these sentences are told on the path, so that what everything there is about heads nothing."""
        self._rarity.add([_terms(text, language, self._people) for text in texts])

    def of(self, texts: Sequence[str], language: str) -> str:
        """texts: sentences of a topic, not empty, oldest first; each was learned."""
        terms = [_terms(text, language, self._people) for text in texts]
        said = Counter(term for each in terms for term in each)
        weights = {term: self._rarity.of(term) * count**0.5 for term, count in said.items()}
        telling = sorted(range(len(texts)), key=lambda n: (-sum(weights[t] for t in sorted(terms[n])), n))[:READ]
        words = [word for n in sorted(telling) for word in _words(texts[n], language, self._people)]
        found = _chosen([w for w in words if w.names], said, weights) or _chosen(words, said, weights)
        heading = _SEPARATOR.get(language, ", ").join(found) or _opening(texts[0])
        return heading[:1].upper() + heading[1:]


def headings(
    threads: Sequence[Sequence[Memory]], grounds: Mapping[str, Sequence[Memory]], *, language: str, called: str
) -> tuple[str, ...]:
    """Of threads of tellings, each oldest first. What a person wrote themselves is headed by their words, all else by the facts it rests on."""
    told = [
        [text for m in thread for text in ([f.text for f in grounds[m.id]] if m.origin == "model" else []) or [m.text]]
        for thread in threads
    ]
    made = Headings(language, called=[called, *(name for thread in threads for m in thread for name in (*m.knowers, m.said_by))])
    for thread, texts in zip(threads, told, strict=True):
        made.learn(texts, thread[-1].language)
    return tuple(made.of(texts, thread[-1].language) for thread, texts in zip(threads, told, strict=True))


def _chosen(words: Sequence[_Word], said: Mapping[str, int], weights: Mapping[str, float]) -> list[str]:
    """The weightiest, each of another matter; what more sentences hold goes first, then what was told first."""
    ranked = sorted(range(len(words)), key=lambda n: (-max(weights[t] for t in words[n].terms), n))
    found: list[int] = []
    taken: set[str] = set()
    for n in ranked:
        if len(found) < MOST and not words[n].terms & taken:
            found.append(n)
            taken |= words[n].terms
    return [words[n].text for n in sorted(found, key=lambda n: (-max(said[t] for t in words[n].terms), n))]


def _opening(text: str) -> str:
    sentence = _SENTENCE.match(text)
    whole = (sentence.group() if sentence else text).strip()
    return whole.rstrip("。.") if len(whole) <= OPENING else f"{whole[:OPENING].rstrip()}…"


@lru_cache(maxsize=16_384)
def _terms(text: str, language: str, people: tuple[str, ...]) -> Terms:
    return terms_of(text, language=language, people=people)


@lru_cache(maxsize=4_096)
def _words(text: str, language: str, people: tuple[str, ...]) -> tuple[_Word, ...]:
    """What may head a topic, in the order of the text."""
    return tuple(_chinese(text, people) if language == "zh" else _english(text, people))


def _chinese(text: str, people: tuple[str, ...]) -> Iterable[_Word]:
    about = _terms(text, "zh", people)
    for token in tokens_of(text):
        if token.text in about:
            # A single character seldom says by itself what is meant.
            yield _Word(token.text, frozenset([token.text]), token.tag.startswith(("n", "eng", "vn")) and len(token.text) > 1)


def _english(text: str, people: tuple[str, ...]) -> Iterable[_Word]:
    """Names of several words are one, and so are things: San Francisco, wedding anniversary."""
    about = _terms(text, "en", people)
    run: list[str] = []
    kind = ""
    for token in tagged(text):
        own = about & frozenset(query_terms(token.text))
        if run and not (own and token.pos_ == kind and kind in ("NOUN", "PROPN")):
            yield _word(run, about, kind)
            run = []
        if own and token.pos_ in ("NOUN", "PROPN", "VERB", "ADJ"):
            kind = token.pos_
            # A sentence begins in capitals whatever it begins with.
            run.append(token.lower_ if kind != "PROPN" and token.text.istitle() else token.text)
    if run:
        yield _word(run, about, kind)


def _word(run: Sequence[str], about: Terms, kind: str) -> _Word:
    text = " ".join(run)
    return _Word(text, about & frozenset(query_terms(text)), kind in ("NOUN", "PROPN"))
