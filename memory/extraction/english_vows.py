"""What somebody gives their word on in English: "I promise I'll come back in April", "I swore never to gamble", "I'll teach you to swim"."""

from __future__ import annotations

from spacy.tokens import Token

from memory.extraction.english_calendar import is_ahead
from memory.extraction.english_clauses import Clause, auxiliaries, is_negated, subject_of
from memory.extraction.english_words import EMPTY_NOUNS, EMPTY_VERBS, FIRST, SECOND

_VOWS = frozenset("promise swear vow pledge".split())
_WORDS = frozenset("word promise oath".split())
_TAUGHT = frozenset(
    "swim ride read write cook dance drive sail fight shoot fish sing play paint draw knit sew bake speak skate ski fly".split()
)
_OPEN = frozenset("what why how where when who which whatever everything something anything it that this".split())
"""What is promised with one of these stands elsewhere."""


def is_vowed(clause: Clause) -> bool:
    """Whether the speaker promises what can be understood alone: an act of theirs, with what or whom it is done, or when."""
    root, subject = clause.root, clause.subject
    if subject is None or subject.lower_ not in FIRST:
        return False
    if _is_lesson(root):
        return True
    vow = root.lemma_ in _VOWS and root.tag_ in ("VBP", "VBD", "VBN") and not is_negated(root)
    given = root.lemma_ == "give" and any(c.dep_ == "dobj" and c.lemma_ in _WORDS for c in root.children)
    if not (vow or given):
        return False
    return any(
        _is_promised(t)
        for t in clause.tokens
        if t.i > root.i and t.dep_ in ("ccomp", "xcomp", "acl", "relcl") and t.pos_ in ("VERB", "AUX")
    )


def _is_promised(verb: Token) -> bool:
    own = subject_of(verb)
    if own is not None and own.lower_ not in FIRST:
        return False
    helpers = {t.lower_ for t in auxiliaries(verb)}
    if not helpers & {"will", "'ll", "’ll", "would", "'d", "’d", "wo", "to", "shall"}:
        return False
    said = [t for t in verb.subtree if t.i >= verb.i and t != verb]
    if any(t.lower_ in _OPEN for t in said):
        return False
    things = [t for t in said if t.pos_ in ("NOUN", "PROPN", "NUM") and t.lemma_.lower() not in EMPTY_NOUNS]
    never = is_negated(verb) or any(t.lower_ == "never" for t in verb.children)
    return bool(things) or is_ahead(verb) or (never and verb.lemma_ not in EMPTY_VERBS)


def _is_lesson(root: Token) -> bool:
    """ "I'll teach you to swim", "I could teach you" not."""
    if root.lemma_ != "teach" or not {t.lower_ for t in auxiliaries(root)} & {"will", "'ll", "’ll"}:
        return False
    taught = [c for c in root.children if c.dep_ in ("xcomp", "ccomp") and c.lemma_ in _TAUGHT]
    return bool(taught) and any(t.lower_ in SECOND for t in root.subtree)
