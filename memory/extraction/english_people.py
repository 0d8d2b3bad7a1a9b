"""Who is spoken of in an English message: those named in it, the speaker's own, and theirs."""

from __future__ import annotations

import re
from dataclasses import dataclass

from spacy.tokens import Doc, Token

from memory.extraction.english_person import possessive
from memory.extraction.english_words import (
    FEMALE_KIN,
    FILLERS,
    FRIENDS,
    KIN,
    LANGUAGES,
    MALE_KIN,
    MONTHS,
    PARTNERS,
    PERSONS,
    PETS,
    TRADES,
    WEEKDAYS,
)


@dataclass(frozen=True)
class Person:
    """Someone other than speaker and listener, as named in the message."""

    start: int
    end: int
    head: Token
    name: str
    """In third person: `Mara's sister Ida`."""
    gender: str
    """m, f, n for a thing, or empty where the words do not tell."""
    plural: bool


def people(doc: Doc, *, speaker: str, listener: str) -> list[Person]:
    """Those named in the message, in order: the speaker's own ("my sister Ida", "my cat") and those with a name."""
    found: list[Person] = []
    for token in doc:
        if found and token.i < found[-1].end:
            continue
        poss = next((t for t in token.children if t.dep_ == "poss" and t.lower_ in ("my", "our")), None)
        if own_kin(token):
            kin = token.lower_
            gender = "m" if kin in MALE_KIN | {"granddad"} else "f"
            found.append(Person(token.i, token.i + 1, token, f"{possessive(speaker)} {kin}", gender, False))
            continue
        if (theirs := _relative_of(token)) is not None:
            found.append(_of_another(token, theirs, doc, speaker))
            continue
        if poss is None and token.dep_ in ("compound", "nmod") and token.head.pos_ == "PROPN":
            poss = next((t for t in token.head.children if t.dep_ == "poss" and t.lower_ in ("my", "our") and t.i < token.i), None)
        if poss is not None and _is_address(poss, token):
            continue
        if poss is not None and token.pos_ in ("NOUN", "PROPN") and token.lemma_.lower() in KIN | PARTNERS | FRIENDS | PETS:
            end = _with_name(token)
            words = doc[poss.i + 1 : end].text
            if (theirs := _relative_behind(doc, end)) is not None:
                words = doc[poss.i + 1 : theirs + 1].text  # "my friend Ida's husband", where the parser takes one for the other
            kin = token.lemma_.lower()
            gender = "f" if kin in FEMALE_KIN else "m" if kin in MALE_KIN else ""
            found.append(
                Person(poss.i, end, poss.head, f"{possessive(speaker)} {words}", gender, token.tag_ in ("NNS", "NNPS") or kin == "family")
            )
        elif (
            token.pos_ == "PROPN"
            and (token.dep_ in ("nsubj", "nsubjpass", "dobj", "pobj", "appos") or _is_introduced(token))
            and not _is_listener(token, listener)
            and not is_nobody(token)
        ):
            start = min((t.i for t in token.children if t.dep_ == "compound" and t.pos_ == "PROPN"), default=token.i)
            found.append(Person(start, token.i + 1, token, doc[start : token.i + 1].text, gender_of(token), False))
    return found


def gender_of(noun: Token) -> str:
    """m or f by its title or kinship, empty where the words do not tell: Mrs Hocking, an aunt."""
    lemma = noun.lemma_.lower()
    if lemma in FEMALE_KIN | MALE_KIN:
        return "f" if lemma in FEMALE_KIN else "m"
    start = min((t.i for t in noun.children if t.dep_ == "compound" and t.pos_ == "PROPN"), default=noun.i)
    return _TITLES.get(noun.doc[start].lower_.rstrip("."), "") if start < noun.i else ""


def is_nobody(name: Token) -> bool:
    """Whether what stands as a name is no person's: a language, a place, a day, "somebody'll"."""
    if name.text in _PLACES and any(
        c.dep_ == "compound" and c.pos_ == "PROPN" and c.lower_.rstrip(".") not in _TITLES for c in name.children
    ):
        return True  # Marsh Road
    return name.lower_ in LANGUAGES | FILLERS or is_place(name) or is_day(name) or _ANYBODY.match(name.text) is not None


_PLACES = frozenset(
    "Road Street Lane Avenue Square Bridge Park Hill Bay Harbour Harbor Island River Lake Station Bar Café Cafe Inn Hotel School University College Hospital "
    "Church Market Beach Row Terrace Pier Quay Farm Hall Theatre Theater Museum Library Airport Castle".split()
)


def _is_introduced(name: Token) -> bool:
    """Rosie, in "and this is Rosie"."""
    return (
        name.dep_ == "attr"
        and name.head.lemma_ == "be"
        and any(c.dep_ == "nsubj" and c.lower_ in ("this", "that", "here") for c in name.head.children)
    )


def _relative_of(owner: Token) -> Token | None:
    """Brother, in "my wife's brother" and "Ida's brother"."""
    theirs = owner.head
    if owner.dep_ != "poss" or owner.pos_ not in ("NOUN", "PROPN") or theirs.lemma_.lower() not in KIN | PARTNERS | FRIENDS | PETS:
        return None
    return theirs if theirs.i > owner.i and (owner.pos_ == "PROPN" or any(c.lower_ in ("my", "our") for c in owner.children)) else None


def _relative_behind(doc: Doc, end: int) -> int | None:
    """Where a relative stands behind "Ida's", if that stands here."""
    at = end + (end < len(doc) and doc[end].pos_ == "PROPN")
    known = at + 1 < len(doc) and doc[at].tag_ == "POS" and doc[at + 1].lemma_.lower() in KIN | PARTNERS | FRIENDS | PETS
    return at + 1 if known else None


def _of_another(owner: Token, theirs: Token, doc: Doc, speaker: str) -> Person:
    start, end = owner.left_edge.i, _with_name(theirs)
    mine = doc[start].lower_ in ("my", "our")
    kin = theirs.lemma_.lower()
    name = f"{possessive(speaker)} {doc[start + 1 : end].text}" if mine else doc[start:end].text
    gender = "f" if kin in FEMALE_KIN else "m" if kin in MALE_KIN else ""
    return Person(start, end, theirs, name, gender, theirs.tag_ in ("NNS", "NNPS") or kin == "family")


def is_place(name: Token) -> bool:
    """ "In Leith", "moved to Leith": no person, whom "her" could mean."""
    if name.dep_ != "pobj":
        return False
    where = name.head.lower_
    if where == "from" and name.head.i and name.head.nbor(-1).lemma_.lower() in PERSONS | TRADES | {"stranger", "fella", "bloke"}:
        return True  # "a lady from Brno"
    return where in _INSIDE or (where in ("to", "from") and name.head.head.lemma_ in _GOING)


def is_day(name: Token) -> bool:
    """Friday, in "he fell on Friday"; May, where it is no month, is somebody's name."""
    day = name.lower_.removesuffix("s") if name.lower_ not in WEEKDAYS else name.lower_
    return day in WEEKDAYS or (name.lower_ in MONTHS and name.dep_ == "pobj")


def own_kin(token: Token) -> bool:
    """Dad, in "Dad fell": whose dad goes without saying."""
    if token.text not in _OWN_KIN or any(c.dep_ in ("poss", "det", "amod", "compound") for c in token.children):
        return False
    after = token.nbor() if token.i + 1 < len(token.doc) else None
    return token.dep_ in ("nsubj", "nsubjpass", "dobj", "pobj", "poss", "attr", "conj") and not (
        after is not None and after.pos_ == "PROPN"
    )


_OWN_KIN = frozenset("Dad Mum Mom Mam Daddy Mummy Mommy Mama Papa Grandma Grandpa Granny Gran Granddad Nana Mother Father".split())


_TITLES = {
    "mr": "m",
    "sir": "m",
    "lord": "m",
    "uncle": "m",
    "mrs": "f",
    "ms": "f",
    "miss": "f",
    "madam": "f",
    "lady": "f",
    "aunt": "f",
    "auntie": "f",
}
_ANYBODY = re.compile(r"(?:some|any|every|no)(?:body|one)\b", re.IGNORECASE)
"""What the parser takes for a name where it runs into its verb: "Somebody'll come"."""
_INSIDE = frozenset("in at near into across around through over outside inside since".split())
_GOING = frozenset("go come move drive fly travel sail ride walk return be head arrive hail".split())


def _is_address(poss: Token, noun: Token) -> bool:
    """ "Hello, my friend": called out, not spoken of."""
    before = poss.nbor(-1) if poss.i else None
    after = noun.nbor() if noun.i + 1 < len(noun.doc) else None
    if noun.dep_ == "ROOT" and _SPOKEN_OF_NEXT.match(noun.doc[noun.i + 1 :].text):
        return False  # "My wife. Her name was Joan."
    return (
        (before is None or before.is_punct or before.pos_ == "INTJ")
        and (after is None or after.is_punct)
        and noun.dep_ not in ("nsubj", "conj")
    )


_SPOKEN_OF_NEXT = re.compile(r"\s*[.,…]+\s+(?:[A-Z][\w'’-]+\.\s+)?(?:he|she|his|her|they|their)(?:['’]\w+)?\b", re.IGNORECASE)


def _with_name(noun: Token) -> int:
    """The index behind "sister Ida" or "cat, Miso"."""
    end = int(noun.i) + 1
    doc = noun.doc
    while (
        end < len(doc)
        and doc[end].pos_ == "PROPN"
        and doc[end].text[:1].isupper()
        and doc[end].head in (noun, noun.head, *doc[noun.i : end + 2])
    ):
        end += 1
    return end


def _is_listener(token: Token, listener: str) -> bool:
    return bool(listener) and len(token.text) > 1 and listener.casefold().startswith(token.text.casefold())
