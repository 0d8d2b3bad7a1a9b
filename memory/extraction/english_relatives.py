"""What a message goes on to say of a relative it just named: what they are called, and that they are dead: "My sister's getting married. She's called Mina"."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import replace

from spacy.tokens import Doc, Span, Token

from memory.extraction.english_people import Person, gender_of
from memory.extraction.english_words import FRIENDS, KIN, MONTHS, PARTNERS, PERSONS, PETS, THIRD, TRADES, WEEKDAYS

_NAMED = re.compile(
    r"\b(?P<who>she|he|it)(?: is|'s| was) (?:called|named) (?P<a>[\w'’-]+(?: (?=[A-Z])[\w'’-]+)?)(?=\s*(?:[.,;!)]|$|and\b))"
    r"|\b(?P<whose>her|his|its) name(?: is|'s| was) (?P<b>[\w'’-]+(?: (?=[A-Z])[\w'’-]+)?)(?=\s*(?:[.,;!)]|$|and\b))",
    re.IGNORECASE,
)
_DEAD = re.compile(
    r"\b(?:he|she)(?: is|'s| has|'s been| has been| is long|'s long) (?:long )?(?:gone|dead)\b(?! (?:to|out|off|for (?!good|\w+ (?:years|winters))|home|on|away|back)\b)"
    r"|\b(?:he|she) (?:died|passed away|passed on|drowned)\b|\b(?:took|killed) (?:him|her)\b(?=\s*[.,;!]|$)",
    re.IGNORECASE,
)
_NO_NAMES = frozenset("that this it him her so after in on back away off out up by my your the a an not very really".split())
_REACH = 2
"""Sentences back in which the relative is looked for."""


def names(doc: Doc) -> Iterator[tuple[Token, int, int]]:
    """The relative, and where the name stands: first and last character."""
    for found in _NAMED.finditer(doc.text):
        which = "a" if found["a"] else "b"
        name, pronoun = found[which], (found["who"] or found["whose"]).lower()
        if name.lower() in _NO_NAMES or (name[0].islower() and any(c.isupper() for c in doc.text.replace("I", "").replace("My ", ""))):
            continue
        start = doc.char_span(found.start(), found.start() + len(pronoun), alignment_mode="expand")
        relative = _meant(start[0]) if start is not None and len(start) and not _is_quoted(start[0]) else None
        if relative is not None:
            yield relative, found.start(which), found.end(which)
    for relative, name in named_behind(doc):
        yield relative, name.start_char, name.end_char


_BARE_NAME = re.compile(r"[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)?")
_NO_PERSON = re.compile(r"(?:ity|tion|sion|ness|ment|ship|ism|ance|ence|hood|ing|ly)$")
_SAID_ALONE = frozenset(
    """sorry okay ok yes no yeah well right god jesus christ monster wow oh hey hi hello sure fine good great nice cool thanks please stop wait look listen
    maybe never always sometimes tomorrow tonight today yesterday twice once exactly really true lord hell damn idiot silence anyway still again there here
    nothing nobody everything ever christmas easter thanksgiving half enough""".split()
)


def named_behind(doc: Doc) -> Iterator[tuple[Token, Span]]:
    """ "My boy called. Nick.": a name that stands alone behind a sentence with one relative of the speaker's, and is theirs."""
    sentences = [*doc.sents]
    for before, bare in itertools.pairwise(sentences):
        name = doc[bare.start : bare.end - sum(1 for t in bare if t.is_punct or t.is_space)]
        if not len(name) or not _BARE_NAME.fullmatch(name.text) or not any(t.pos_ == "PROPN" for t in name):
            continue
        if (
            name[0].lower_ in _SAID_ALONE | WEEKDAYS | MONTHS
            or _NO_PERSON.search(name.text)
            or any(t.lemma_.lower() in KIN | PARTNERS | TRADES for t in name)
        ):
            continue
        people = [t for t in before if _is_somebody(t) and not _is_quoted(t)]
        if len(people) == 1 and _is_own(people[0]) and people[0].head.dep_ == "ROOT":
            yield people[0], name


def called(persons: list[Person], doc: Doc) -> list[Person]:
    """People with the names that stand alone behind them."""
    names_of = {relative.i: name.text for relative, name in named_behind(doc)}
    return [replace(p, name=f"{p.name} {names_of[p.head.i]}") if p.head.i in names_of and p.start >= 0 else p for p in persons]


def is_mourned(relative: Token) -> bool:
    """Whether the message goes on to say that they are dead: "My husband bred mares. He's been gone two winters"."""
    doc = relative.doc
    if any(c.lower_ in ("gone", "dead") for c in relative.head.children) and relative.dep_ == "nsubj" and relative.head.lemma_ == "be":
        return not any(c.dep_ in ("prep", "advmod") and c.lower_ in ("to", "out", "home", "away", "off") for c in relative.head.children)
    found = _DEAD.search(doc.text, relative.idx)
    span = doc.char_span(found.start(), found.end(), alignment_mode="expand") if found else None
    if span is None or not len(span):
        return False
    pronoun = next((t for t in span if t.lower_ in ("he", "she", "him", "her")), None)
    return pronoun is not None and _meant(pronoun) == relative


def _is_quoted(token: Token) -> bool:
    return token.i in token.doc.user_data["quoted"]


def _meant(pronoun: Token) -> Token | None:
    """The one relative or animal of the speaker's that stands before a pronoun and can be meant by it; nothing where there are two, or somebody else."""
    kind = THIRD[pronoun.lower_]
    sentences = [s for s in pronoun.doc.sents if s.start <= pronoun.i]
    for sentence in reversed(sentences[-1 - _REACH :]):
        people = [t for t in sentence if t.i < pronoun.i and _is_somebody(t) and gender_of(t) in ("", kind)]
        if kind == "n":
            people = [t for t in people if t.lemma_.lower() in PETS]
        if people:
            one = people[0] if len({t.lemma_.lower() for t in people}) == 1 else None
            return one if one is not None and _is_own(one) else None
    return None


def _is_somebody(token: Token) -> bool:
    if token.pos_ == "PROPN":
        return token.dep_ in ("nsubj", "nsubjpass", "dobj", "conj", "attr") or token.lemma_.lower() in KIN | PARTNERS | PETS
    return (
        token.tag_ == "NN" and token.dep_ not in ("attr", "compound", "appos") and token.lemma_.lower() in PERSONS | PETS | FRIENDS | TRADES
    )


def _is_own(noun: Token) -> bool:
    """My sister, or the one I have; nobody whose name is said with it."""
    if noun.lemma_.lower() not in KIN | PARTNERS | PETS or (noun.i + 1 < len(noun.doc) and noun.nbor().pos_ == "PROPN"):
        return False
    has = (
        noun.dep_ == "dobj"
        and noun.head.lemma_ in ("have", "get", "own", "adopt")
        and any(c.lower_ in ("i", "we") for c in noun.head.children)
    )
    return has or any(c.dep_ == "poss" and c.lower_ in ("my", "our") for c in noun.children)
