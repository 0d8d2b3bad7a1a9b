"""What a question speaks of, as far as the pronouns of its answer may mean it: "That's a fine lute! Where did you get it?"."""

from __future__ import annotations

from collections.abc import Iterator

from spacy.tokens import Doc, Token

from memory.extraction.english_people import Person, is_nobody
from memory.extraction.english_person import possessive
from memory.extraction.english_words import EMPTY_NOUNS, FEMALE_KIN, KIN, MALE_KIN, PERSONS, PETS, THINGS, UNSEIZABLE

_NAME_WORDS = 3
_NAMING = frozenset("nsubj nsubjpass dobj pobj appos attr conj poss oprd xcomp ccomp advcl".split())
_SHOWING = frozenset("that this these those".split())
_POINTING = _SHOWING | {"the"}


def asked_about(question: Doc, *, speaker: str, listener: str) -> list[Person]:
    """The one thing, the one person and the one group a question speaks of; of each none where it speaks of several.

    speaker: who answers, `listener` who asked.
    """
    found: list[Person] = []
    here = {name for person in (speaker, listener) for name in person.casefold().split()}
    for noun in question:
        if noun.pos_ == "NOUN" and noun.dep_ not in ("compound", "npadvmod") and _is_named(noun, question):
            found.append(_thing(noun, question, speaker))
        elif noun.pos_ == "PROPN" and noun.dep_ in _NAMING and noun.text.casefold() not in here and not is_nobody(noun):
            first = min((c.i for c in noun.children if c.dep_ == "compound" and c.pos_ == "PROPN"), default=noun.i)
            found.append(Person(-1, -1, noun, question[first : noun.i + 1].text, "", False))
    return [p for p in found if p.name and len({o.name for o in found if _kind(o) == _kind(p)}) == 1]


def _kind(person: Person) -> str:
    return "group" if person.plural else "thing" if person.gender == "n" else "person"


def _is_named(noun: Token, question: Doc) -> bool:
    """Whether a noun is something to come back to: one's own, one that is shown, one the last question is about."""
    if any(c.dep_ in ("poss", "det") and c.lower_ in {"your", *_POINTING} for c in noun.children) or _is_shown(noun):
        return True
    return bool(noun.sent.end >= len(question) - 1 and noun.dep_ in ("dobj", "nsubj", "nsubjpass", "attr", "pobj") and noun.tag_ == "NN")


def _is_shown(noun: Token) -> bool:
    """ "That's a fine lute", "What a fine lute!", "Fine lute!"."""
    if any((c.tag_ in ("WDT", "WP") and c.lower_ != "what") or c.lower_ == "the" for c in noun.children):
        return False
    if noun.dep_ == "attr":
        return noun.i > noun.head.i and any(
            c.dep_ == "nsubj" and c.lower_ in ("that", "this", "it", "those", "these", "they") for c in noun.head.children
        )
    return noun.dep_ == "ROOT" and any(c.dep_ in ("amod", "det") for c in noun.children)


def _thing(noun: Token, question: Doc, speaker: str) -> Person:
    """Without a name where it cannot be what is meant, though it may stand in the way of another."""
    lemma, plural = noun.lemma_.lower(), noun.tag_ == "NNS"
    gender = "f" if lemma in FEMALE_KIN else "m" if lemma in MALE_KIN else "" if lemma in PERSONS | PETS | KIN else "n"
    owner = next((c for c in noun.children if c.dep_ == "poss"), None)
    if owner is not None and owner.lower_ == "your" and (gender != "n" or plural or lemma in THINGS):
        name = f"{possessive(speaker)} {question[owner.i + 1 : noun.i + 1].text}" if noun.i - owner.i <= _NAME_WORDS else ""
    elif owner is not None:
        name = ""
    else:
        name = "the " + question[min(_first_words(noun)) : noun.i + 1].text.lower()
    shown = any(c.lower_ in _SHOWING for c in noun.children if c.dep_ == "det") or _is_shown(noun)
    if lemma in PETS | KIN and owner is None and not shown:
        name = ""  # whose it is was said before
    if lemma in EMPTY_NOUNS | UNSEIZABLE or (owner is None and not shown and lemma not in THINGS | PERSONS | PETS):
        name = ""
    return Person(-1, -1, noun, name, gender, plural)


def _first_words(noun: Token) -> Iterator[int]:
    yield noun.i
    yield from (c.i for c in noun.children if c.dep_ == "compound" and c.i < noun.i)
