"""What a sentence leaves out that was said before: "I have three", "I'd rather sell to anybody but Tom", "I didn't make it in time"."""

from __future__ import annotations

from collections.abc import Sequence

from spacy.tokens import Token

from memory.extraction.english_clauses import auxiliaries, logical_subject
from memory.extraction.english_words import KIN, PARTNERS

_GREAT = frozenset("hundred thousand million billion grand k".split())
"""Sums of money, whose coin goes without saying."""
_TRADED = frozenset("sell buy lend".split())
_SPANS = frozenset("second minute hour day week fortnight month year".split())


def is_elided(tokens: Sequence[Token]) -> bool:
    """Whether a word of a clause stands for more than it says."""
    return any(
        (_is_bare_number(t) and not _is_counted(t, tokens)) or _trades_nothing(t) or _makes_it(t) or _says_how_long(t) or _turns(t)
        for t in tokens
    )


def _is_bare_number(number: Token) -> bool:
    """Three, in "I have three" and "I've been clean for three": of what, or how long."""
    if number.tag_ != "CD" or not number.text.replace("-", "").isalpha() or number.lower_ in _GREAT | {"one"}:
        return False
    if any(
        c.dep_ in ("nummod", "compound") or c.lower_ in ("of", "the", "these", "those") or c.pos_ in ("NOUN", "PROPN", "SYM")
        for c in number.children
    ):
        return False
    if any(t.lower_ in _GREAT or t.text in ("-", "–") for t in number.doc[max(0, number.i - 1) : number.i + 2]):
        return False
    if number.dep_ == "dobj":
        return number.head.pos_ == "VERB" and number.head.lemma_ not in ("turn", "hit", "reach", "make", "count", "be", "pass")
    verb = number.head.head
    perfect = any(t.lower_ in ("have", "'ve", "has", "had") for t in auxiliaries(verb)) if verb.pos_ in ("VERB", "AUX") else False
    return number.dep_ == "pobj" and number.head.lower_ == "for" and (perfect or verb.pos_ == "ADJ")


def _is_counted(number: Token, tokens: Sequence[Token]) -> bool:
    """ "I don't have a goat, I have two": what stands before it is counted."""
    return any(t.i < number.i and t.dep_ in ("dobj", "attr", "xcomp", "ccomp") and t.pos_ != "AUX" and t.head != number for t in tokens)


def _trades_nothing(verb: Token) -> bool:
    """ "I'd rather sell to anybody but Tom": what was spoken of."""
    if verb.pos_ != "VERB" or verb.lemma_ not in _TRADED or verb.dep_ in ("relcl", "acl", "pcomp", "nsubj", "csubj"):
        return False
    doer = logical_subject(verb)
    if doer is None or not (doer.lower_ in ("i", "we", "he", "she") or doer.lemma_.lower() in KIN | PARTNERS):
        return False
    return not any(
        c.dep_ in ("dobj", "ccomp", "prt", "nsubjpass", "auxpass", "dative") or (c.dep_ == "advmod" and c.i > verb.i) for c in verb.children
    )


def _turns(verb: Token) -> bool:
    """ "I changed my mind about Friday": from what to what."""
    return verb.lemma_ == "change" and any(c.dep_ == "dobj" and c.lower_ == "mind" for c in verb.children)


def _makes_it(verb: Token) -> bool:
    """ "I didn't make it in time": whither was said before."""
    if verb.lemma_ != "make" or not any(c.lower_ == "it" and c.dep_ == "dobj" for c in verb.children):
        return False
    said = {c.lower_ for c in verb.children if c.dep_ == "prep" and c.i > verb.i}
    return bool(said) and said <= {"in", "on"} and any(g.lower_ == "time" for c in verb.children if c.dep_ == "prep" for g in c.children)


def _says_how_long(verb: Token) -> bool:
    """ "Tom says a fortnight": till what was asked."""
    return verb.lemma_ == "say" and any(
        c.dep_ in ("dobj", "nsubj", "npadvmod") and c.lemma_ in _SPANS and c.i > verb.i for c in verb.children
    )
