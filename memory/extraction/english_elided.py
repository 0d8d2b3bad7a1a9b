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
        (_is_bare_number(t) and not _is_counted(t, tokens))
        or _trades_nothing(t)
        or _makes_it(t)
        or _says_how_long(t)
        or _turns(t)
        or _stands_for(t)
        or _is_of_that_age(t, tokens)
        or _is_one(t, tokens)
        for t in tokens
    )


def _is_bare_number(number: Token) -> bool:
    """Three, in "I have three" and "I've been clean for three": of what, or how long."""
    if number.lower_ == "one" and number.dep_ == "dobj" and any(c.tag_ == "CD" for c in number.children):
        return not any(c.lower_ == "of" or c.dep_ == "relcl" for c in number.children)  # "I've got thirty-one left"
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


def _stands_for(verb: Token) -> bool:
    """ "My mother did, until she died", "I haven't tonight": what she did was said before."""
    if verb.lower_ in _TODAY and verb.dep_ == "ROOT" and any(c.dep_ == "aux" for c in verb.children):
        return True  # "I haven't tonight", as the parser takes it
    if verb.pos_ not in ("AUX", "VERB") or verb.dep_ not in ("ROOT", "conj") or verb.lemma_ not in ("do", "have"):
        return False
    behind = [c for c in verb.children if c.i > verb.i and not c.is_punct]
    if verb.lemma_ == "do" and verb.i + 1 < len(verb.doc) and verb.nbor().text == "," and all(c.dep_ in _AROUND | {"prep"} for c in behind):
        return any(c.dep_ == "nsubj" for c in verb.children)  # "I do, with a parrot"
    whole = any(c.dep_ not in _AROUND and c.lower_ not in _TODAY for c in behind) or any(
        c.dep_ in ("aux", "auxpass") for c in verb.children
    )
    return not whole and any(c.dep_ in ("nsubj", "neg") for c in verb.children)


_AROUND = frozenset("neg advcl cc conj mark intj".split())
_TODAY = frozenset("tonight today yesterday yet".split())


def _is_of_that_age(verb: Token, tokens: Sequence[Token]) -> bool:
    """ "I was six": when was said before. Not "I was sixty yesterday", "I was nineteen when …"."""
    if (
        verb.lemma_ != "be"
        or verb.tag_ != "VBD"
        or verb.dep_ not in ("ROOT", "conj")
        or any(t.i > verb.i and t.tag_ != "CD" and not t.is_punct for t in tokens)
    ):
        return False
    return any(c.tag_ == "CD" and c.dep_ in ("attr", "acomp") for c in verb.children)


def _is_one(word: Token, tokens: Sequence[Token]) -> bool:
    """ "My uncle died on one", "I've never been on one": of what was spoken of. Not "a home for kids who need one"."""
    if any(t.i < word.i and t.pos_ == "NOUN" and t.dep_ not in ("nsubj", "nsubjpass") for t in tokens):
        return False
    if word.lower_ == "one" and word.dep_ in ("nsubj", "nsubjpass") and any(c.lower_ in ("the", "this", "that") for c in word.children):
        return not any(c.lower_ == "of" for c in word.children)  # "The one my mother gave me"
    if word.lower_ != "one" or word.dep_ not in ("pobj", "dobj") or any(True for _ in word.children):
        return False
    return bool(word.i + 1 == len(word.doc) or word.nbor().is_punct or word.nbor().dep_ == "cc")


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
