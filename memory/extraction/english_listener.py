"""Statements with the listener in them: which of them are the speaker's own news, and which only keep the talk going."""

from __future__ import annotations

from spacy.tokens import Token

from memory.extraction.english_clauses import Clause, auxiliaries
from memory.extraction.english_phrases import is_bare
from memory.extraction.english_words import EMPTY_NOUNS, EMPTY_VERBS, FRIENDS, KIN, PARTNERS, PETS, REACTIONS, SECOND

TALK = frozenset("talk share know ask discuss hear tell see thank say chat recommend suggest".split())
_SIGHTS = frozenset(
    "sea ocean snow world mountain desert aurora whale volcano comet eclipse light star pyramid ruin temple castle island coast waterfall blossom glacier fjord grave"
    " birthplace village country homeland".split()
)
_NOT_WHICH = frozenset("this that these those some any more what such their his her its other front".split())


def is_to_be_seen(verb: Token) -> bool:
    """ "See Paris", "see the northern lights", "see my brother again": what one may want for long. Not "see that", "see the results", "see my bill"."""
    if verb.lemma_ != "see" or any(t.lower_ in SECOND or t.lower_ == "please" for t in verb.sent):
        return False
    for noun in (c for c in verb.children if c.dep_ == "dobj" and c.i > verb.i and not any(g.lower_ in _NOT_WHICH for g in c.children)):
        mine = any(c.lower_ == "my" for c in noun.children) and noun.lemma_.lower() in KIN | PARTNERS | FRIENDS | PETS
        if mine or (noun.pos_ in ("NOUN", "PROPN") and noun.lemma_.lower() in _SIGHTS):
            return True
        if noun.pos_ == "PROPN" and noun.text.istitle():
            return True
    return False


_GIVEN = frozenset("keep let show give send wish owe support back root".split())


def is_own(clause: Clause, addressed: list[Token]) -> bool:
    """A promise to the listener, or something else of the speaker's own in which she only comes in: the statements with "you" that are kept."""
    subject, root = clause.subject, clause.root
    if subject is None or any(t.dep_ in ("nsubj", "nsubjpass") for t in addressed):
        return False
    if subject.lower_ == "i" and root.lemma_ == "tell" and root.tag_ == "VBD" and _tells_of_self(root, addressed):
        return True
    if subject.lower_ == "i" and any(t.lower_ in ("will", "'ll") for t in auxiliaries(root)):
        return root.lemma_ not in (
            "let",
            "see",
            "tell",
            "keep",
            "be",
            "talk",
            "chat",
            "speak",
            "take",
            "try",
            "do",
            "support",
            "accompany",
            "follow",
        )
    if subject.lower_ not in ("i", "we") or root.lemma_ in EMPTY_VERBS | TALK | _GIVEN:
        return False
    if any(c.lower_ in REACTIONS for c in root.children) or any(_is_subordinate(t, root) for t in addressed):
        return False
    own = [t for t in clause.tokens if not any(a == t or a.head == t for a in addressed)]
    return any(t.pos_ in ("NOUN", "PROPN") and t != root and t.lemma_.lower() not in EMPTY_NOUNS for t in own)


def _tells_of_self(root: Token, addressed: list[Token]) -> bool:
    """ "I told your man at the gate that I was a preacher": what somebody else was told of oneself, with no "you" in it."""
    told = [c for c in root.children if c.dep_ == "ccomp" and any(g.lower_ == "i" and g.dep_ in ("nsubj", "nsubjpass") for g in c.children)]
    whom = [c for c in root.children if c.dep_ in ("dobj", "dative", "nsubj") and c.pos_ in ("NOUN", "PROPN")]
    return bool(told) and all(
        any(t.head == c and t.lower_ == "your" for c in (*whom, *(g for w in told for g in w.children if g.i < w.i))) for t in addressed
    )


def _is_subordinate(token: Token, root: Token) -> bool:
    """Whether it stands in a clause with a subject of its own: "I find that it clears your mind" is said of everybody."""
    for ancestor in token.ancestors:
        if ancestor == root:
            return False
        if ancestor.pos_ in ("VERB", "AUX") and any(c.dep_ in ("nsubj", "nsubjpass", "mark") for c in ancestor.children):
            return True
    return True


def is_of_the_talk(root: Token) -> bool:
    """Whether what is awaited is no more than the talk going on: "looking forward to hearing from you", "can't wait to see it"."""
    awaited = [t for t in root.subtree if t.dep_ in ("pcomp", "xcomp") and t.pos_ == "VERB"]
    if any(t.lower_ in SECOND for t in root.subtree):
        return True
    things = [
        t for t in root.subtree if t.pos_ in ("NOUN", "PROPN") and t.lemma_.lower() not in EMPTY_NOUNS and not (is_bare(t) or _is_ours(t))
    ]
    return not things or any(t.lemma_ in TALK for t in awaited)


_EXCHANGE = frozenset("encounter conversation chat talk meeting message reply response answer exchange session".split())


def _is_ours(noun: Token) -> bool:
    """ "Our next chat"."""
    return noun.lemma_ in _EXCHANGE and any(c.lower_ in ("our", "next") for c in noun.children)
