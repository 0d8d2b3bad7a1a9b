"""What is over in a player's life, in English: a job left, a couple parted, a home moved out of, an injury healed. It leaves a key without a value."""

from __future__ import annotations

import re
from collections.abc import Iterator

from spacy.tokens import Token

from memory.extraction.draft import ENDED, Denial
from memory.extraction.english_clauses import auxiliaries, falls_short, is_negated
from memory.extraction.english_phrases import after, objects
from memory.extraction.english_words import AILMENTS, BODY, PARTNERS

POSTS = frozenset("job position post role gig".split())
_LEAVES = frozenset("quit leave lose resign".split())
_DISMISSED = frozenset("fire sack dismiss".split())
_MENDED = frozenset("healed mended better fine recovered cured gone".split())
_BROKEN = ("broke", "fractured", "broken")
_LONG_AGO = re.compile(r"\b(?:ago|once|years|(?:19|20)\d\d|last (?:year|spring|summer|autumn|fall|winter)|when I|back (?:then|when))\b")
"""Of something before what is told now: a job or a partner of those days."""


def endings_of(verb: Token, subject: Token) -> Iterator[Denial]:
    """What a verb that is neither quoted nor supposed says is over. subject: whoever it speaks of."""
    if subject.lower_ == "i" and is_negated(verb) and verb.lemma_ == "be" and verb.tag_ == "VBP":
        yield from _not_any_more(verb)
    if is_negated(verb) or falls_short(verb) or _LONG_AGO.search(verb.sent.text):
        return
    if verb.lemma_ == "be" and _is_wedding(subject) and any(c.lower_ == "off" for c in verb.children):
        yield Denial(("partner",), ENDED)
    mine = subject.lower_ in ("i", "we") or any(c.dep_ == "conj" and c.lower_ == "i" for c in subject.children)
    if _is_mine(subject):
        yield from _healed(verb, subject)
    if subject.lower_ == "i" and verb.lemma_ in ("have", "be") and verb.tag_ == "VBP":
        yield from _without_work(verb)
    if not _is_done(verb):
        return
    yield from _parted(verb, subject, mine=mine)
    if mine:
        yield from _left_work(verb)
        yield from _moved_out(verb)
        yield from (Denial(("health", n.lemma_.lower()), ENDED) for n in _recovered_from(verb))


_OF_WHAT = {"afraid": "fears", "scared": "fears", "frightened": "fears", "terrified": "fears", "allergic": "allergies"}


def _not_any_more(verb: Token) -> Iterator[Denial]:
    """ "I'm not afraid of deep water now", "I'm not allergic to cats"."""
    for state in verb.children:
        if state.dep_ == "acomp" and (key := _OF_WHAT.get(state.lower_)):
            yield from (Denial((key, n.lemma_.lower()), ENDED) for n in after(state, "of", "to") if n.pos_ in ("NOUN", "PROPN"))


def _is_done(verb: Token) -> bool:
    helpers = auxiliaries(verb)
    return verb.tag_ in ("VBD", "VBN") and not any(t.tag_ == "MD" or t.lower_ == "to" for t in helpers)


def _is_mine(noun: Token) -> bool:
    return any(c.dep_ == "poss" and c.lower_ in ("my", "our") for c in noun.children)


def _names(nouns: Iterator[Token]) -> tuple[str, ...]:
    return tuple(n.text for n in nouns if n.pos_ == "PROPN")


def _parted(verb: Token, subject: Token, *, mine: bool) -> Iterator[Denial]:
    """ "I broke up with Tom", "we called off the wedding", "I left my husband", "my boyfriend dumped me", "the wedding is off"."""
    up = verb.lemma_ in ("break", "split") and any(c.lower_ == "up" for c in verb.children)
    other = next(
        (c for c in verb.lefts if c.dep_ == "npadvmod" and c.lemma_.lower() in PARTNERS), subject
    )  # "my girlfriend Ana and I", taken apart
    couple = subject.lower_ != "i" or other != subject
    named = subject.lower_ in ("i", "we") or subject.pos_ == "PROPN" or subject.lemma_.lower() in PARTNERS
    if mine and up and named and not any(c.dep_ == "dobj" for c in verb.children):
        who = [*after(verb, "with"), *(n for c in verb.children if c.lower_ == "up" for n in after(c, "with"))]
        if who and not any(n.pos_ == "PROPN" or n.lemma_.lower() in PARTNERS for n in who):
            return  # "with the band"
        with_whom = [*who, *(t for t in (other, *other.children) if t.pos_ == "PROPN" and t.dep_ in ("nsubj", "appos", "conj"))]
        search = (
            verb.lemma_ == "split" and subject.lower_ == "we" and any(c.dep_ in ("xcomp", "advcl", "conj", "ccomp") for c in verb.children)
        )
        if (with_whom or couple) and not search:  # "we split up and searched the woods"
            yield Denial(("partner", *_names(iter(with_whom))), ENDED)
    elif mine and verb.lemma_ in ("divorce", "leave", "dump"):
        for noun in objects(verb):
            at = any(c.lower_ in ("at", "with", "on", "to", "alone", "in") or c.dep_ == "dative" for c in verb.children)
            if (noun.lemma_.lower() in PARTNERS and _is_mine(noun) and not at) or (verb.lemma_ != "leave" and noun.pos_ == "PROPN"):
                yield Denial(("partner", *_names(iter([noun]))), ENDED)
    elif mine and verb.lemma_ in ("call", "break", "cancel"):
        off = verb.lemma_ == "cancel" or any(c.lower_ == "off" for c in verb.children)
        if off and any(_is_wedding(noun) for noun in objects(verb)):
            yield Denial(("partner",), ENDED)
    elif subject.lemma_.lower() in PARTNERS and _is_mine(subject):
        left_me = verb.lemma_ in ("leave", "dump") and any(c.dep_ == "dobj" and c.lower_ == "me" for c in verb.children)
        if left_me or (up and any(n.lower_ == "me" for c in (verb, *verb.children) for g in c.children for n in (g, *g.children))):
            yield Denial(("partner", *_names(iter(c for c in subject.children if c.dep_ == "appos"))), ENDED)


def _is_wedding(noun: Token) -> bool:
    return noun.lemma_.lower() in ("wedding", "engagement") and not any(
        c.dep_ == "poss" and c.lower_ not in ("my", "our") for c in noun.children
    )


def _left_work(verb: Token) -> Iterator[Denial]:
    """ "I quit my job as a waiter at the inn", "I handed in my notice", "I got fired", "I retired"."""
    lemma, nouns = verb.lemma_, [*objects(verb)]
    passive = any(t.lemma_ in ("be", "get") and t.tag_ in ("VBD", "VBN") for t in auxiliaries(verb))
    posts = [n for n in nouns if n.lemma_.lower() in POSTS and _is_mine(n)]
    if passive:
        if is_dismissed(verb):
            yield from _over()
    elif lemma in _LEAVES and posts:
        as_what = [n.lemma_.lower() for parent in (verb, *posts) for n in after(parent, "as")]
        for parent in posts:  # "my waiting job"
            as_what += [c.lemma_.lower() for c in parent.children if c.dep_ == "compound"]
        where = [n.lemma_.lower() for parent in (verb, *posts) for n in after(parent, "at", "with", "in", "for")]
        yield from _over(as_what, [n for n in where if n != "month"])
    elif (lemma == "resign" and not nouns) or (lemma in ("hand", "give") and any(n.lower_ in ("notice", "resignation") for n in nouns)):
        yield from _over()
    elif lemma == "retire" and not nouns:
        yield Denial(("workplace",), ENDED)


def is_dismissed(verb: Token) -> bool:
    """ "I got let go", "we were laid off", of a verb in the passive."""
    if verb.tag_ != "VBN" or not any(t.dep_ == "auxpass" for t in auxiliaries(verb)):
        return False
    with_it = {c.lower_ for c in verb.children}
    return verb.lemma_ in _DISMISSED or (verb.lemma_, True) in {
        ("lay", "off" in with_it),
        ("make", "redundant" in with_it),
        ("let", "go" in with_it),
    }


def _over(as_what: list[str] | None = None, where: list[str] | None = None) -> Iterator[Denial]:
    yield Denial(("occupation", *(as_what or ())), ENDED)
    yield Denial(("workplace", *(where or ())), ENDED)


def _without_work(verb: Token) -> Iterator[Denial]:
    """ "I have no job", "I'm unemployed", "I'm out of work"."""
    none = any(c.dep_ == "dobj" and c.lower_ == "job" and any(g.lower_ == "no" for g in c.children) for c in verb.children)
    out = verb.lemma_ == "be" and re.match(r"(?:now |currently )?(?:unemployed|jobless|out of (?:work|a job))\b", _behind(verb))
    if none or out:
        yield from _over()


def _behind(verb: Token) -> str:
    return str(verb.doc[verb.i + 1 : verb.i + 6].text.lower())


def _moved_out(verb: Token) -> Iterator[Denial]:
    """ "I moved house", "we moved out": wherever that leads, it is no more what it was."""
    if verb.lemma_ == "move" and (
        any(c.lower_ == "out" for c in verb.children) or any(n.lemma_ in ("house", "home", "flat", "apartment") for n in objects(verb))
    ):
        yield Denial(("residence",), ENDED)


def _healed(verb: Token, subject: Token) -> Iterator[Denial]:
    """ "My ankle has healed", "my cold is gone", "my cast is off"."""
    what = subject.lemma_.lower()
    well = verb.lemma_ in ("heal", "mend", "recover") and verb.tag_ in ("VBD", "VBN")
    well = well or (verb.lemma_ == "be" and any(c.lower_ in _MENDED and c.dep_ in ("acomp", "attr") for c in verb.children))
    if what in BODY | AILMENTS and well:
        yield Denial(("health", what), ENDED)
    if what == "cast" and any(c.lower_ == "off" for c in verb.children):
        yield Denial(("health", *_BROKEN), ENDED)


def _recovered_from(verb: Token) -> Iterator[Token]:
    """ "I got over the flu", "I've recovered from pneumonia"."""
    if verb.lemma_ == "recover":
        yield from after(verb, "from")
    elif verb.lemma_ == "get":
        yield from (n for n in after(verb, "over") if n.lemma_.lower() in AILMENTS)
