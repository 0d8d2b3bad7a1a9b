"""What a player does in a scene, told without asterisks ("I pick up the lantern and follow her"): a gesture like any other, no lasting fact."""

from __future__ import annotations

from spacy.tokens import Token

from memory.extraction.english_clauses import Clause, auxiliaries

_ACTS = frozenset(
    "pick grab open close shut follow step turn look nod smile grin laugh chuckle sit stand lean reach pull push draw raise lower lift put place"
    " set drop throw toss hand point kneel bow sigh shrug shake glance stare gaze peer walk run rush hurry climb crawl sneak creep crouch duck"
    " jump leap slip slide slam knock wave wink frown blush gasp pause tilt rub pat stroke hug kiss hold wipe tuck wrap unfold unsheathe swing"
    " strike light blow pour sip gulp approach enter retreat stagger stumble tremble whisper mutter murmur".split()
)
_SCENIC = frozenset("up down out in over back away off forward toward towards into onto inside closer aside behind beside".split())
_HABIT = frozenset(
    "every each always usually often sometimes never daily weekly regularly mostly when whenever if morning evening anyone anybody everyone everybody".split()
)
_ERRANDS = frozenset("work school class town church".split())


def is_narrated(clause: Clause) -> bool:
    """Whether it tells an act of this very moment: a simple present of moving or handling something that is there."""
    root, subject = clause.root, clause.subject
    if (
        subject is None
        or subject.lower_ not in ("i", "we")
        or root.tag_ not in ("VBP", "VB")
        or root.lemma_ not in _ACTS
        or auxiliaries(root)
    ):
        return False
    if any(t.lower_ in _HABIT or t.lower_ in _ERRANDS or t.pos_ == "NUM" or t.tag_ == "NNPS" for t in clause.tokens):
        return False
    if root.lemma_ == "run" and any(c.dep_ == "dobj" and any(g.lower_ in ("a", "an") for g in c.children) for c in root.children):
        return False  # "I run a bakery in Ghent"
    acted_on = [c for c in root.children if c.dep_ in ("dobj", "prt", "advmod", "prep") and c.i > root.i]
    return not acted_on or any(_is_there(c) for c in acted_on)


def _is_there(word: Token) -> bool:
    """Whether an object or adverb belongs to a scene: "the door", "my hand", "her", "up", "slowly"."""
    if word.dep_ in ("prt", "advmod"):
        return word.lower_ in _SCENIC or word.lower_.endswith("ly")
    if word.dep_ == "prep":
        return word.lower_ in _SCENIC or any(_is_there(c) for c in word.children if c.dep_ == "pobj")
    return word.pos_ == "PRON" or any(c.lower_ in ("the", "my", "your", "his", "her", "their") for c in word.children)
