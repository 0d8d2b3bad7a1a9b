"""Whom "we" means: the speaker and those she was said to be with."""

from __future__ import annotations

from collections.abc import Iterable

from spacy.tokens import Doc, Token

from memory.extraction.english_people import Person
from memory.extraction.english_person import possessive

_FETCHING = frozenset("take bring join meet visit invite".split())


def company(doc: Doc, persons: Iterable[Person], *, speaker: str) -> str:
    """What "we" stands for: the speaker and whom she was said to be with, where there is one such."""
    here = [p for p in persons if p.start >= 0]
    with_her = {
        p.name
        for p in here
        if (p.head.dep_ == "pobj" and p.head.head.lower_ == "with" and p.name.startswith(possessive(speaker)))
        or any(t.lower_ in ("i", "me") and t.dep_ == "conj" for t in p.head.children)
    } or {p.name for p in here if _is_met(p.head)}
    for me in doc[2:]:
        noun = me.nbor(-2)
        if me.lower_ == "i" and me.nbor(-1).lower_ == "and" and noun.pos_ == "NOUN":
            with_her |= {f"{possessive(speaker)} {doc[own.i + 1 : noun.i + 1].text}" for own in noun.children if own.lower_ == "my"}
    return f"{speaker} and {with_her.pop()}" if len(with_her) == 1 else f"{speaker} and others"


def _is_met(person: Token) -> bool:
    """ "I met Ida", "my sister visited me": those who are together after it."""
    verb = person.head
    if verb.tag_ != "VBD" or person.dep_ not in ("dobj", "nsubj"):
        return False
    if person.dep_ == "dobj":
        return verb.lemma_ in _FETCHING and any(c.dep_ == "nsubj" and c.lower_ == "i" for c in verb.children)
    return verb.lemma_ in _FETCHING and any(c.dep_ == "dobj" and c.lower_ == "me" for c in verb.children)
