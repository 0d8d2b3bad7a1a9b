"""What is so with the speaker without an event or a noun of weight: what stands in their rooms, what they do each time, how they and what is theirs are."""

from __future__ import annotations

from spacy.tokens import Token

from memory.extraction.english_clauses import Clause, auxiliaries, is_negated
from memory.extraction.english_words import (
    BODY,
    EMPTY_NOUNS,
    EMPTY_VERBS,
    FRIENDS,
    KIN,
    LIGHT_VERBS,
    LIKING,
    NOT_ACTIVITY,
    PARTNERS,
    PETS,
    REACTIONS,
    THINGS,
)

_INNER = frozenset(
    "life mind heart head opinion soul way world eye plate experience journey thought list schedule calendar view direction family".split()
)
"""Places that hold no things: "there's a lot on my mind"."""


def is_kept(clause: Clause) -> bool:
    """ "There's a telescope in my attic": what one has somewhere of one's own."""
    if clause.subject is None or clause.subject.dep_ != "expl" or clause.root.lemma_ != "be" or is_negated(clause.root):
        return False
    things = [
        c
        for c in clause.root.children
        if c.dep_ == "attr" and c.lemma_.lower() not in EMPTY_NOUNS and not any(g.lower_ == "no" for g in c.children)
    ]
    places = [t for t in clause.root.subtree if t.dep_ == "pobj" and any(c.lower_ in ("my", "our") for c in t.children)]
    return bool(things) and any(p.head.lower_ in _WHERE and p.lemma_.lower() not in _INNER for p in places)


_WHERE = frozenset("in on at under behind above beside by near inside outside over".split())


_LATELY = frozenset("lately recently nowadays since days weeks months".split())
_PRAISE = frozenset(
    "great good best better fine nice okay ok amazing awesome wonderful fantastic perfect lovely cool sure right important possible".split()
)


_DAILY = frozenset(
    "job work salary rent commute room bed bedroom kitchen bathroom street village town school handwriting hair eyesight hearing voice sleep".split()
)


def is_condition(clause: Clause) -> bool:
    """ "I've been busy lately", "my job is dull": how one is for a time, and how something of one's own is."""
    root, subject = clause.root, clause.subject
    if root.lemma_ not in ("be", "feel", "seem") or subject is None:
        return False
    bearers = [root, *(c for c in root.children if c.dep_ == "xcomp" and c.lemma_ == "be")]
    how = [c for b in bearers for c in b.children if c.dep_ in ("acomp", "oprd") and c.pos_ in ("ADJ", "VERB") and c.i > root.i]
    if not how or any(c.lower_ in REACTIONS or (c.lower_ in _PRAISE and not is_negated(root)) for c in how):
        return False
    if subject.lower_ == "i":
        return any(t.lower_ in _LATELY for t in clause.tokens)
    own = subject.lemma_.lower() in KIN | PARTNERS | FRIENDS | PETS | THINGS | BODY | _DAILY and any(
        c.lower_ == "my" for c in subject.children
    )
    return own and root.tag_ in ("VBZ", "VBP", "VBN")


def is_custom(root: Token) -> bool:
    """ "I hang up before people can answer": what one does each time needs no noun to say something."""
    if (
        root.tag_ not in ("VBP", "VB")
        or root.pos_ != "VERB"
        or auxiliaries(root)
        or root.lemma_ in EMPTY_VERBS | NOT_ACTIVITY | LIGHT_VERBS | LIKING
    ):
        return False
    return any(c.dep_ == "advcl" and any(g.lower_ in ("before", "after", "whenever") for g in c.children) for c in root.children)


def is_faint(verb: Token) -> bool:
    """ "I vaguely remember": what is half forgotten is not told."""
    return any(c.lower_ in ("vaguely", "barely", "hardly", "dimly") for c in verb.children)


def moves_me(clause: Clause) -> bool:
    """ "Music calms me", "hiking in the hills refreshes me": what does one good, or not."""
    subject = clause.subject
    return (
        subject is not None
        and (subject.pos_ == "NOUN" or subject.tag_ == "VBG")
        and subject.lemma_.lower() not in EMPTY_NOUNS
        and not any(c.lower_ in ("the", "this", "that", "these", "those", "your") for c in subject.children)
        and any(c.dep_ == "dobj" and c.lower_ == "me" for c in clause.root.children)
    )


def matters_to_me(clause: Clause) -> bool:
    """ "Balance is key for me", "music is everything to me"."""
    subject = clause.subject
    plain = subject is not None and (subject.pos_ == "NOUN" or subject.tag_ == "VBG") and subject.lemma_.lower() not in EMPTY_NOUNS
    said = [c for c in clause.root.children if c.dep_ in ("acomp", "attr") and c.i > clause.root.i]
    return (
        plain
        and bool(said)
        and any(
            t.lower_ == "me" and t.head.lower_ in ("for", "to") and (t.head.head == clause.root or t.head.head in said)
            for t in clause.tokens
        )
    )
