"""Places one only wishes to be in: "the local food", "the city" and "the waterfalls" there say nothing of where, if no name does."""

from __future__ import annotations

from collections.abc import Sequence

from spacy.tokens import Token

from memory.extraction.english_clauses import logical_subject
from memory.extraction.english_phrases import is_bare

_WISHING = frozenset("want plan hope intend wish like love".split())
_LIKED = frozenset("like love".split())
LOCAL = frozenset("food drink dish cuisine delicacy specialty snack culture custom".split())
_TO_BE_SEEN = frozenset(
    "market homestay restaurant eatery festival attraction tradition transportation sight spot cafe bar street museum life people resident".split()
)
_SETTLED = frozenset("city town village island country region".split())
_VISITING = frozenset("see visit explore taste".split())
_ANYWHERE = frozenset("star mountain parent grandparent kid child".split())


def is_abroad(token: Token, tokens: Sequence[Token]) -> bool:
    """Whether a word of these means something of a place that was spoken of."""
    if token.lower_ == "local":
        return token.dep_ == "amod" and _is_there(token.head, tokens)
    if token.pos_ != "NOUN":
        return False
    if token.lemma_ in _SETTLED:
        return _is_unsaid_town(token, tokens)
    return token.tag_ == "NNS" and token.dep_ == "dobj" and token.head.lemma_ in _VISITING and _is_unsaid_sight(token, tokens)


def is_placed(tokens: Sequence[Token]) -> bool:
    """Whether a name stands behind the first word."""
    return any(t.pos_ == "PROPN" for t in tokens[1:])


def _is_unsaid_sight(sights: Token, tokens: Sequence[Token]) -> bool:
    """ "I want to see the waterfalls"; in "I want to visit a museum to see the coins" it is said where they are."""
    if not is_bare(sights) or sights.lemma_ in _ANYWHERE or not _is_wished(sights) or is_placed(tokens):
        return False
    return not any(t.dep_ == "dobj" and t.i < sights.i and t.head.lemma_ in _VISITING for t in tokens)


def _is_wished(noun: Token) -> bool:
    """ "I plan to try …", "I'd like to see …": what is not yet there."""
    for verb in noun.ancestors:
        if verb.lemma_ == "be" and any(
            c.dep_ == "nsubj" and c.lemma_ in ("plan", "goal", "dream") and any(g.lower_ in ("my", "our") for g in c.children)
            for c in verb.children
        ):
            return True
        if verb.lemma_ in _WISHING and (verb.lemma_ not in _LIKED or any(t.lower_ in ("would", "'d") for t in verb.lefts)):
            doer = logical_subject(verb)
            return doer is not None and doer.lower_ in ("i", "we")
    return False


def _is_unsaid_town(town: Token, tokens: Sequence[Token]) -> bool:
    """ "I plan to see the churches in the city", "I have time for each city"."""
    each = any(c.lower_ == "each" for c in town.children) and not any(c.dep_ in ("prep", "relcl") for c in town.children)
    return (each or (is_bare(town) and _is_wished(town))) and not is_placed(tokens)


def _is_there(noun: Token, tokens: Sequence[Token]) -> bool:
    """ "I want to try the local food": where one is not yet. Not "a local market", which is near where one lives."""
    if noun.lemma_ not in LOCAL | _TO_BE_SEEN or any(c.lower_ in ("a", "an", "my", "our") for c in noun.children):
        return False
    return _is_wished(noun) and not is_placed(tokens)
