"""What keeps a talk going although it says "I": good resolutions in answer to advice, where one is while one speaks, "I'm all ears"."""

from __future__ import annotations

from spacy.tokens import Token

from memory.extraction.english_clauses import Clause, auxiliaries, is_negated
from memory.extraction.english_words import MONTHS, WEEKDAYS


def is_courtesy(clause: Clause) -> bool:
    """Whether nothing of it is left once the talk has gone on."""
    return _is_resolution(clause) or _is_present_place(clause) or _is_attentive(clause.root) or _is_parting(clause) or _is_well(clause)


_ADVISED = frozenset(
    "advice suggestion suggestions tip tips recommendation recommendations reminder thank thanks guidance help encouragement".split()
)
_TRYING = frozenset(
    "try pay work enjoy follow consider study practice practise learn implement apply adopt keep insist persist persevere strive face cherish seek"
    " adjust choose select treasure overcome continue remember".split()
)
_SOON = frozenset("tomorrow tonight today next soon later weekend".split()) | WEEKDAYS | MONTHS


def _is_resolution(clause: Clause) -> bool:
    """ "Thank you for your advice, I will pay attention to it": what one answers to advice, no plan; not "thanks, I'll try the soup on Friday"."""
    subject, root = clause.subject, clause.root
    if (
        subject is None
        or subject.lower_ != "i"
        or root.lemma_ not in _TRYING
        or not any(t.lower_ in ("will", "'ll") for t in auxiliaries(root))
    ):
        return False
    if any(t.pos_ in ("PROPN", "NUM") or t.lower_ in _SOON for t in clause.tokens):
        return False
    said = root.doc[max(0, clause.tokens[0].i - _BACK) : clause.tokens[-1].i + _BACK]
    return any(t.lower_ in _ADVISED or (t.lower_ == "right" and t.i >= 2 and t.nbor(-1).lower_ in ("'re", "are", "is", "'s")) for t in said)


_BACK = 30
"""Words around what is resolved in which advice is thanked for."""


def _is_present_place(clause: Clause) -> bool:
    """ "I'm in the office now": where one is while one speaks, of which nothing is left when it is told."""
    root = clause.root
    if root.lemma_ != "be" or not any(c.lower_ in ("now", "currently") for c in root.children):
        return False
    return any(c.dep_ == "prep" and c.lower_ in ("in", "at", "on") for c in root.children) and not any(
        c.dep_ in ("acomp", "attr") for c in root.children
    )


def _is_attentive(root: Token) -> bool:
    """ "I'm all ears"."""
    return root.lemma_ == "be" and any(c.dep_ == "attr" and c.lower_ == "ears" for c in root.children)


def _is_parting(clause: Clause) -> bool:
    """ "Now I'm going to practice my flute": what one goes to do when one leaves."""
    root = clause.root
    going = root.lemma_ == "go" and root.tag_ == "VBG" and any(c.dep_ == "xcomp" and c.tag_ == "VB" for c in root.children)
    return going and any(c.lower_ == "now" for c in root.children) and not any(t.lower_ in _SOON for t in clause.tokens)


def _is_well(clause: Clause) -> bool:
    """ "I'm feeling pretty good": what one answers when asked how one is."""
    root = clause.root
    if root.lemma_ not in ("feel", "do", "be") or clause.subject is None or clause.subject.lower_ != "i" or is_negated(root):
        return False
    how = [c for c in root.children if c.dep_ in ("acomp", "advmod", "oprd") and c.i > root.i]
    return (
        bool(how)
        and all(c.lower_ in _WELL for c in how)
        and not any(
            c.dep_ in ("prep", "advcl", "xcomp", "ccomp", "dobj", "attr", "conj")
            for c in (*root.children, *(g for h in how for g in h.children))
        )
    )


_WELL = frozenset("good great fine well okay ok alright better today now really so".split())
