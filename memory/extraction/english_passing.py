"""What is of this moment alone in English: what one is just about to do, how one feels until tomorrow, what one says instead of doing ("I advise 0900")."""

from __future__ import annotations

import re

from spacy.tokens import Token

from memory.extraction.english_calendar import is_ahead
from memory.extraction.english_clauses import Clause, auxiliaries, is_negated
from memory.extraction.english_words import FIRST, MONTHS, MOODS

_DOING = frozenset("listen wait come kid joke guess warn ask tell sit stand watch look think pray try hurry lie breathe talk beg".split())
"""What one is at while one talks; nothing if nothing is said with it."""
_ADVISING = frozenset("advise recommend suggest propose insist note request demand repeat confirm".split())
_SAYING = frozenset("recommend say tell inform ask report remind warn admit confess mention beg decline".split())
_CALM = frozenset(
    "fine okay ok all good quick careful brief quiet gentle nice kind patient honest ready right sure there back here still".split()
)
_OFFICE = frozenset("close open".split())
_AT_ONCE = re.compile(r"\bin (?:a|one|two|half a|just a) (?:sec|second|secs|seconds|minute|min|mins|minutes|moment|bit|jiffy|tick)\b")
_AT_HAND = frozenset(
    "take get find grab fetch bring carry hold watch check see handle clean make wash put pour open close save keep start turn lock light".split()
)
_OWING = frozenset("obliged bound delighted honoured honored".split())


def is_passing(clause: Clause) -> bool:
    """Whether it holds no longer than the scene does in which it is said."""
    root, subject = clause.root, clause.subject
    if subject is None or subject.lower_ not in (*FIRST, "we"):
        return False
    helpers = {t.lower_ for t in auxiliaries(root)}
    ahead = bool(helpers & {"will", "'ll", "’ll", "wo"})
    if root.lemma_ == "be" and any(c.lower_ in ("basically", "practically") for c in root.children):
        return any(c.dep_ == "attr" and c.tag_ == "NN" for c in root.children)  # "I'm basically a bat now"
    return (
        _is_doing(root, helpers)
        or _is_intended(root)
        or (root.lemma_ in _ADVISING and root.tag_ in ("VBP", "VB") and not helpers)
        or any(c.lower_ in _OWING and any(g.dep_ == "xcomp" and g.lemma_ in _SAYING for g in c.children) for c in (root, *root.children))
        or (subject.lower_ == "we" and root.lemma_ in _OFFICE and not any(c.dep_ in ("dobj", "prep", "oprd") for c in root.children))
        or (ahead and (_is_at_hand(root) or _is_mood(root) or _AT_ONCE.search(" ".join(t.lower_ for t in clause.tokens)) is not None))
        or _is_all_there_is(root)
        or (
            root.lemma_ in ("have", "get")
            and any(c.lower_ == "something" and c.dep_ == "dobj" and not _is_described(c) for c in root.children)
        )
    )


def _is_described(something: Token) -> bool:
    """ "Something strange": not "something in my eye"."""
    return any(c.dep_ in ("amod", "acl", "relcl") for c in something.children)


def _is_doing(root: Token, helpers: set[str]) -> bool:
    """ "I'm listening": not "I'm waiting for a kidney"."""
    if root.tag_ != "VBG" or root.lemma_ not in _DOING or not helpers & {"am", "'m", "’m", "are", "'re"}:
        return False
    return not any(c.dep_ in ("dobj", "prep", "xcomp", "ccomp", "prt") for c in root.children)


def _is_intended(root: Token) -> bool:
    """ "I was thinking bowling", "I was going to text", "I thought I'd stay one night": it came to nothing, or nobody says so."""
    past = any(t.lower_ in ("was", "were") for t in auxiliaries(root))
    if root.lemma_ == "think" and root.tag_ == "VBG" and past:
        return not any(c.dep_ == "prep" for c in root.children)
    if root.lemma_ == "go" and root.tag_ == "VBG" and past:
        return any(c.dep_ == "xcomp" and c.tag_ in ("VB", "VBN") for c in root.children) and not any(
            c.dep_ == "prep" for c in root.children
        )
    if root.lemma_ in ("think", "figure", "guess") and root.tag_ == "VBD":
        return any(
            c.dep_ == "ccomp" and any(t.lower_ in ("'d", "’d", "would", "might", "could") for t in auxiliaries(c)) for c in root.children
        )
    return False


def _is_at_hand(root: Token) -> bool:
    """ "I'll take the chair", "I'll find a truck": with no day and nobody else in it."""
    if root.lemma_ == "go" and not is_ahead(root):
        return all(c.dep_ in ("advmod", "prt", "aux", "nsubj", "punct", "npadvmod", "cc", "conj") for c in root.children)
    if root.lemma_ not in _AT_HAND or is_negated(root) or is_ahead(root):
        return False
    behind = [c for c in root.children if c.i > root.i and not c.is_punct]
    if any(c.dep_ in ("prep", "dative", "xcomp", "ccomp", "advcl", "npadvmod") for c in behind) or any(
        t.lower_ in MONTHS for t in root.subtree
    ):
        return False
    things = [c for c in behind if c.dep_ == "dobj"]
    return bool(things) and all(
        t.pos_ in ("NOUN", "PRON") and all(c.lower_ in ("the", "a", "an", "some") for c in t.children) for t in things
    )


def _is_mood(root: Token) -> bool:
    """ "Tomorrow I'll be angry", "I won't be long"."""
    return root.lemma_ == "be" and any(
        c.dep_ in ("acomp", "advmod") and c.lower_ in MOODS | _CALM | {"long", "late"} for c in root.children
    )


def _is_all_there_is(root: Token) -> bool:
    """ "I only have oat", "I've only got the Triumph": an answer to what was wanted; not "only one kidney", "only my mother"."""
    if root.lemma_ not in ("have", "get") or not any(c.lower_ == "only" for c in root.children):
        return False
    things = [c for c in root.children if c.dep_ == "dobj"]
    return bool(things) and all(
        not any(c.dep_ in ("poss", "nummod", "amod", "compound", "prep", "relcl", "acl") for c in t.children) and t.tag_ != "CD"
        for t in things
    )
