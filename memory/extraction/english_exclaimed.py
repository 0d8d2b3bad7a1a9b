"""What is only exclaimed in English: "I'm dead 💀", "I swear on the stars". It is said of nothing that is so."""

from __future__ import annotations

import re

from memory.extraction.english_clauses import Clause, auxiliaries

_LAUGHING = re.compile(r"[\U0001F480\U0001F602\U0001F923\U0001F62D\u2620]|\b(?:lol|lmao|omg|haha\w*)\b", re.IGNORECASE)
_FAINTING = frozenset("dead deceased dying screaming crying sobbing howling cackling weeping wheezing".split())
_OATHS = frozenset("swear vow".split())
_SWORN_BY = frozenset("on by to".split())


def is_exclaimed(clause: Clause) -> bool:
    """Whether a clause of the speaker's own is a cry or an oath."""
    return _is_laughter(clause) or _is_oath(clause)


def _is_laughter(clause: Clause) -> bool:
    """ "I'm dead 💀", "I'm literally screaming lol": so one laughs."""
    root = clause.root
    now = root.tag_ in ("VBP", "VBG") and not any(t.lower_ in ("was", "were", "been") for t in auxiliaries(root))
    said = {root.lower_, *(c.lower_ for c in root.children if c.dep_ in ("acomp", "attr"))}
    if not now or not said & _FAINTING or (clause.subject is not None and clause.subject.lower_ != "i"):
        return False
    return "deceased" in said or _LAUGHING.search(root.doc.text) is not None


def _is_oath(clause: Clause) -> bool:
    """ "I swear on the stars", "I swear to God", "I swear it": what is sworn would have to be said."""
    root = clause.root
    if root.lemma_ not in _OATHS or root.tag_ not in ("VBP", "VB"):
        return False
    return not any(c.dep_ in ("ccomp", "xcomp") or (c.dep_ == "prep" and c.lower_ not in _SWORN_BY) for c in root.children if c.i > root.i)
