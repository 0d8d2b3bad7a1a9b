"""What does not come about after all, what is on another day, and which animals one has no more, in English: "I'm not moving to Lisbon after all", "the exam got moved
to Monday", "Biscuit died"."""

from __future__ import annotations

from collections.abc import Iterator

from spacy.tokens import Token

from memory.extraction.draft import CALLED_OFF, ENDED, KEPT_NO_MORE, MEATLESS, MOVED, Denial
from memory.extraction.english_clauses import auxiliaries, is_negated
from memory.extraction.english_phrases import after, objects
from memory.extraction.english_words import EMPTY_NOUNS, KIN, PETS, VERBS_OF_PLANS

_MOVING = frozenset("move go travel fly".split())
_RESCHEDULES = frozenset("move postpone reschedule delay push bring shift".split())
_OF_PLANS = frozenset("move trip plan journey visit thing idea".split())
_THIS_ONCE = frozenset("tonight today tomorrow weekend yet".split())
_AWAY = frozenset("sell rehome bury lose".split())


def reversals_of(verb: Token, subject: Token) -> Iterator[Denial]:
    """Of a verb that is neither quoted nor supposed. subject: whoever it speaks of."""
    if subject.lower_ in ("i", "we"):
        yield from _not_done(verb)
        yield from _given_away(verb)
        again = verb.lemma_ == "eat" and not is_negated(verb) and any(t.lower_ == "again" for t in verb.subtree)
        if again and any(n.lemma_ in ("meat", "fish", "chicken", "beef") for n in objects(verb)):
            yield Denial(("diet", MEATLESS), ENDED)
    elif subject.pos_ in ("NOUN", "PROPN"):
        yield from _comes_to_nothing(verb, subject)
        yield from _rescheduled(verb, subject)
        if (
            not is_negated(verb)
            and verb.tag_ in ("VBD", "VBN")
            and (verb.lemma_ == "die" or (verb.lemma_ == "pass" and _has(verb, "away")))
        ):
            yield from _no_more(subject)


def _not_done(verb: Token) -> Iterator[Denial]:
    """ "I'm not moving to Lisbon", "we won't be flying to Rome", "I decided not to study medicine", "I'm staying instead of moving to Lisbon"."""
    if any(t.lower_ in _THIS_ONCE for t in verb.sent):
        return
    ahead = {t.lower_ for t in auxiliaries(verb)} & {"will", "wo", "'ll", "am", "'m", "are", "'re"}
    if is_negated(verb) and ahead and verb.tag_ in ("VBG", "VB"):
        yield from _plan(verb)
    over = is_negated(verb) and any(t.lower_ in ("anymore", "longer", "more") for t in verb.subtree)
    for child in verb.children:
        if child.dep_ == "xcomp" and ((verb.lemma_ == "decide" and is_negated(child)) or (verb.lemma_ in VERBS_OF_PLANS and over)):
            yield from _plan(child)
    for act in verb.subtree:
        if act.dep_ != "pcomp" or act.tag_ != "VBG":
            continue
        before = act.doc[act.head.i - 1].lower_ if act.head.i else ""
        if (act.head.lower_ == "against" and act.head.head.lemma_ == "decide") or (act.head.lower_, before) in (
            ("of", "instead"),
            ("than", "rather"),
        ):
            yield from _plan(act)


def _plan(verb: Token) -> Iterator[Denial]:
    """A plan by its words: of a journey where to, of anything else what is done and to what."""
    whither = tuple(n.lemma_.lower() for n in after(verb, "to") if n.pos_ == "PROPN" or n.lemma_.lower() not in EMPTY_NOUNS)
    if verb.lemma_ in _MOVING and whither:
        yield Denial(whither if verb.lemma_ in ("move", "go") else (*whither, verb.lemma_), CALLED_OFF)
        return
    things = tuple(n.lemma_.lower() for n in objects(verb) if n.pos_ in ("NOUN", "PROPN") and n.lemma_.lower() not in EMPTY_NOUNS)
    if things and verb.lemma_ not in _MOVING:
        yield Denial((*things, verb.lemma_), CALLED_OFF)


def _comes_to_nothing(verb: Token, subject: Token) -> Iterator[Denial]:
    """ "the Lisbon move isn't happening", "the move to Lisbon fell through"."""
    fell = verb.lemma_ == "fall" and verb.tag_ in ("VBD", "VBN") and _has(verb, "through")
    if not (fell or (verb.lemma_ == "happen" and verb.tag_ == "VBG" and is_negated(verb))):
        return
    whither = [n for c in subject.children if c.lower_ == "to" for n in c.children if n.dep_ == "pobj"]
    words = [t.lemma_.lower() for t in (*(c for c in subject.children if c.dep_ in ("compound", "amod")), *whither)]
    words += [] if subject.lemma_.lower() in _OF_PLANS else [subject.lemma_.lower()]
    if words:
        yield Denial(tuple(words), CALLED_OFF)


def _rescheduled(verb: Token, subject: Token) -> Iterator[Denial]:
    """ "the exam got moved to Monday", "my sister's wedding has been postponed until March"."""
    if verb.tag_ != "VBN" or verb.lemma_ not in _RESCHEDULES or is_negated(verb) or subject.dep_ != "nsubjpass":
        return
    forward = verb.lemma_ in ("push", "bring") and not any(_has(verb, word) for word in ("back", "forward"))
    if forward or not [*after(verb, "to", "until", "till", "back", "forward")]:
        return
    if subject.ent_type_ in ("DATE", "TIME") or subject.pos_ != "NOUN":
        return
    owners = tuple(c.lemma_.lower() for c in subject.children if c.dep_ == "poss" and c.pos_ in ("NOUN", "PROPN"))
    yield Denial((*owners, *(c.lemma_.lower() for c in subject.children if c.dep_ == "compound"), subject.lemma_.lower()), MOVED)


def _given_away(verb: Token) -> Iterator[Denial]:
    """ "we had to put Biscuit down", "I gave the cat away", "I sold my horse"."""
    if is_negated(verb) or any(t.tag_ == "MD" for t in auxiliaries(verb)):
        return
    past = verb.tag_ in ("VBD", "VBN") or (verb.dep_ == "xcomp" and verb.head.lower_ == "had")
    away = (verb.lemma_ == "put" and (_has(verb, "down") or any(n.lower_ == "sleep" for n in after(verb, "to")))) or (
        verb.lemma_ == "give" and _has(verb, "away")
    )
    if past and (away or verb.lemma_ in _AWAY):
        yield from (denial for noun in objects(verb) for denial in _no_more(noun))


def _no_more(noun: Token) -> Iterator[Denial]:
    """Which animal: by its name, or as what it is."""
    mine = any(c.lower_ in ("my", "our", "the") for c in noun.children)
    named = [t.text for t in (noun, *(c for c in noun.children if c.dep_ in ("appos", "compound"))) if t.pos_ == "PROPN"]
    if named and noun.lemma_.lower() not in KIN:
        yield Denial((named[0],), KEPT_NO_MORE)
    elif mine and noun.lemma_.lower() in PETS:
        yield Denial((noun.lemma_.lower(),), KEPT_NO_MORE)


def _has(verb: Token, particle: str) -> bool:
    return any(c.lower_ == particle for c in verb.children)
