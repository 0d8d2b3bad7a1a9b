"""The people of a story in English: who somebody is by trade and age ("Jonas is a shipwright", "Sparrow is eleven"), and whom one is to meet when."""

from __future__ import annotations

from spacy.tokens import Token

from memory.extraction.english_calendar import is_ahead
from memory.extraction.english_clauses import Clause, auxiliaries
from memory.extraction.english_people import is_nobody
from memory.extraction.english_words import TRADE_ENDINGS, WEEKDAYS

_CRAFTS = (
    *TRADE_ENDINGS,
    *"wright monger herd rigger driver worker dealer fighter hunter trapper sailor soldier ranger warden builder writer painter weaver brewer miner banker"
    " broker reporter singer dancer cobbler tinker glazier gunner steward bosun helmsman fisherman ferryman".split(),
)
_COUNTED = frozenset(
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty"
    " sixty seventy eighty ninety".split()
)


def is_somebody(clause: Clause) -> bool:
    """Whether what a name "is" can only be a person's: a trade, an age."""
    subject, root = clause.subject, clause.root
    if subject is None or is_nobody(subject) or subject.text.isupper():
        return False
    for word in root.children:
        if word.dep_ not in ("attr", "acomp") or word.i < root.i:
            continue
        if any(c.lower_ in ("a", "an") for c in word.children) and word.lemma_.lower().endswith(_CRAFTS):
            return True
        if word.pos_ == "NUM" and not any(c.dep_ != "punct" for c in word.children) and _is_age(word):
            return True
    return False


def _is_age(number: Token) -> bool:
    behind = number.doc[number.i + 1] if number.i + 1 < len(number.doc) else None
    loose = behind is None or behind.is_punct or behind.dep_ == "cc" or behind.lower_ == "now"
    return loose and number.lower_.split("-")[0] in _COUNTED


def is_appointed(verb: Token) -> bool:
    """ "We're meeting on Friday at ten": on a day, and no mere talk going on."""
    return (
        verb.lemma_ == "meet"
        and is_ahead(verb)
        and any(t.lower_ in WEEKDAYS for t in verb.subtree)
        and any(t.lemma_ in ("be", "will") for t in auxiliaries(verb))
    )
