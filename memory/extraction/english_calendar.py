"""What is on one's calendar, in English: "I've an audition on Friday"."""

from __future__ import annotations

from collections.abc import Iterator

from spacy.tokens import Token

from memory.extraction.english_phrases import Found, is_plain, objects, verb_phrase
from memory.extraction.english_words import MONTHS, WEEKDAYS

AHEAD = frozenset("tomorrow tonight next later soon weekend week month".split()) | WEEKDAYS
_EVENTS = frozenset(
    "audition interview exam examination test appointment meeting rehearsal performance recital concert gig show match game race competition tournament"
    " operation surgery hearing viva defence presentation deadline flight date party wedding funeral checkup check-up session lesson viewing launch trial".split()
)


_HOURS = frozenset("noon midnight dawn dusk sunrise sunset daybreak nightfall".split())


def is_ahead(verb: Token) -> bool:
    """Whether a day to come or an hour is said with it: "I'll go to the dock at noon"."""
    return any(
        t.lower_ in AHEAD or (t.dep_ == "pobj" and t.head.lower_ == "at" and (t.lower_ in _HOURS or (t.tag_ == "CD" and not [*t.children])))
        for t in verb.subtree
    )


def ahead_of(verb: Token) -> Iterator[Found]:
    """ "I've an audition on Friday", "I have an exam coming up": what is on one's calendar."""
    for noun in objects(verb):
        behind = verb.doc[noun.i + 1 : verb.right_edge.i + 1]
        said = any(t.lower_ in AHEAD | MONTHS | {"soon", "coming", "upcoming"} for t in (*noun.subtree, *behind))
        every = any(t.lower_ in ("every", "each") or (t.lower_.endswith("s") and t.lower_[:-1] in WEEKDAYS) for t in behind)
        if noun.lemma_.lower() in _EVENTS and said and not every and is_plain(noun):
            start = noun.left_edge.i + (noun.left_edge.tag_ in ("DT", "PRP$"))  # "a dentist's appointment"
            yield Found("plans", start, max(noun.i + 1, verb_phrase(verb)[1]))
