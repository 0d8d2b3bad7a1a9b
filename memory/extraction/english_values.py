"""Persona values of an English message: who the player is, whom she knows, what she does. Tastes and states stand beside."""

from __future__ import annotations

import re
from collections.abc import Iterator

from spacy.tokens import Doc, Token

from memory.extraction.draft import Line, ValueDraft
from memory.extraction.english_changes import of_change, of_partners
from memory.extraction.english_clauses import auxiliaries, falls_short, is_asserted, is_negated, is_quoted, logical_subject, subject_of
from memory.extraction.english_definites import dangling
from memory.extraction.english_identity import of_identity, of_mine
from memory.extraction.english_livings import of_living
from memory.extraction.english_phrases import Found, after, is_definite, is_plain, named, noun_phrase, objects, verb_phrase
from memory.extraction.english_reading import Reading
from memory.extraction.english_relatives import is_mourned, names
from memory.extraction.english_statements import is_called
from memory.extraction.english_states import of_state
from memory.extraction.english_tastes import of_favourites, of_taste
from memory.extraction.english_wanting import is_of_a_kind, is_whole
from memory.extraction.english_words import (
    FRIENDS,
    KIN,
    LANGUAGES,
    MONTHS,
    PARTNERS,
    PETS,
    RANKS,
    SEASONS,
    SECOND,
    THINGS,
    WEEKDAYS,
    WINS,
)

_MAX_CHARS = 70
_SCHOOLS = frozenset("university college school academy institute polytechnic conservatory conservatoire uni".split())
_NO_WORKPLACES = frozenset(
    "home night weekend hour day living year month moment project while industry field time future team shift".split()
)
_DONE = frozenset("activity plans goals habits hobbies achievements".split())
"""Keys of what is done: a phrase that may leave out what it is done with or for."""
_AT_WHAT = frozenset("focus concentrate".split())
_QUOTES = ('"', "'", "“", "”", "’")
_SIGNED = re.compile(r"(?:(?:^|\s+)(?:lol|tbh|imo|haha|btw|rn|ngl|fr|lmao|xd|idk|though))+$", re.IGNORECASE)
_MINE = {"my": "their", "My": "Their", "myself": "themselves"}
_UNSURE = frozenset("maybe perhaps probably possibly might may apparently".split())
_NOT_YET_OR_NO_MORE = frozenset("late old former ex first childhood future imaginary".split())
_GONE = frozenset("die pass lose bury kill divorce dump".split())


def values(doc: Doc, line: Line, reading: Reading) -> tuple[ValueDraft, ...]:
    """Values of the player's persona that a message states, each once, in the order said."""
    found: dict[tuple[str, str], ValueDraft] = {}
    for sentence in doc.sents:
        for hit in sorted(_of_sentence([*sentence]), key=lambda h: (h.start, h.key)):
            value = _draft(hit, doc, line, reading)
            if value is not None:
                found.setdefault((value.key, value.value.casefold()), value)
    for relative, start, end in names(doc):
        _with_name(found, relative, start, end, line, reading)
    return tuple(found.values())


def _with_name(found: dict[tuple[str, str], ValueDraft], relative: Token, start: int, end: int, line: Line, reading: Reading) -> None:
    """The value of a relative with the name that stands in a sentence behind it: "sister Mina" for "My sister is a vet. She's called Mina"."""
    at = reading.source(start, end)
    for place, value in found.items():
        if at is None or value.from_question or value.key not in ("family", "pets", "partner"):
            continue
        begun = line.text.find(value.quote)
        if value.value.casefold().endswith(relative.lower_) and begun >= 0 and relative.lower_ in value.quote.casefold():
            quote = line.text[begun : max(at[1], begun + len(value.quote))]
            found[place] = ValueDraft(value.key, f"{value.value} {line.text[at[0] : at[1]]}", quote)
            return


def _of_sentence(tokens: list[Token]) -> Iterator[Found]:
    if any(t.lower_ in _UNSURE and t.pos_ in ("ADV", "AUX") for t in tokens):
        return
    mine = any(t.lower_ == "my" for t in tokens)
    for token in tokens:
        if token.pos_ not in ("VERB", "AUX"):
            if token.pos_ in ("NOUN", "PROPN") and mine and not is_quoted(token) and is_asserted(token):
                yield from _of_relations(token)
            continue
        if is_quoted(token) or not is_asserted(token):
            continue
        yield from of_favourites(token)
        subject = logical_subject(token)
        if subject is not None and subject.lower_ == "we" and not is_negated(token):
            yield from _of_having(token)
            if token.lemma_ in ("live", "move"):
                yield from _of_work(token)
        if subject is not None and not is_negated(token) and not falls_short(token) and _we(subject):
            yield from of_partners(token)
        if subject is None or subject.lower_ != "i":
            yield from of_mine(token, subject)
            continue
        if any(t.lower_ in ("did", "used") for t in auxiliaries(token)) or _used_to(token):
            continue
        if not is_negated(token) and not falls_short(token):
            yield from of_identity(token)
            yield from of_change(token)
            yield from _of_work(token)
            yield from _of_having(token)
        yield from of_taste(token)
        yield from of_state(token)


def _we(subject: Token) -> bool:
    """We, or somebody and I."""
    return subject.lower_ == "we" or any(c.dep_ == "conj" and c.lower_ == "i" for c in subject.children)


def _used_to(verb: Token) -> bool:
    return bool(verb.dep_ == "xcomp" and verb.head.lemma_ == "use")


def _draft(hit: Found, doc: Doc, line: Line, reading: Reading) -> ValueDraft | None:
    span = doc[hit.start : hit.end]
    if not len(span) or (hit.key in _DONE and span[0].lemma_ in _AT_WHAT):
        return None  # "focus on details": at what is said beside it
    if len(span) == 1 and hit.start > 0 and is_called(span[0], line.listener) and doc[hit.start - 1].text == ",":
        return None  # "I like herring, Nell"
    if hit.key in _DONE and not (is_whole(words := tuple(span)) and not dangling(words)):
        return None
    start, end = span.start_char, span.end_char
    sentence = span.sent
    whole = reading.source(sentence.start_char, sentence.end_char)
    quote = line.text[whole[0] : whole[1]].strip() if whole else line.text.strip()
    completed = reading.completes(start) or reading.completes(sentence.start_char)
    place = reading.asked(start, end)
    value = line.question[place[0] : place[1]] if place else ""
    if not value:
        own = reading.source(start, end)
        if own and line.text[: own[0]].endswith("-"):
            return None  # the second half of a word: "colour-blind"
        value = line.text[own[0] : own[1]] if own else ""
    value = _SIGNED.sub("", value.strip(" \t\n.,;:!?"))
    if value[:1] in _QUOTES or (value[-1:] in _QUOTES and value.count('"') != 2):
        value = value.strip("".join(_QUOTES))
    value = re.sub(r"\b(?:[Mm]y|myself)\b", lambda found: _MINE[found.group()], value)  # of the player, whoever reads it
    if not value or len(value) > _MAX_CHARS or not any(c.isalnum() for c in value):
        return None
    return ValueDraft(hit.key, value, quote, from_question=completed)


def _household(verb: Token) -> Iterator[Found]:
    """ "I live with two cats and my aunt", "I live alone"."""
    nouns = [n for n in after(verb, "with") if n.lemma_.lower() in KIN | FRIENDS | PARTNERS | PETS]
    if nouns:
        start = named(nouns[0])[0]
        listed = len(nouns) > 1 and start and verb.doc[start - 1].lower_ in ("a", "an")  # "a greyhound and a cat"
        yield Found("household", start - 1 if listed else start, named(nouns[-1])[1])  # one value, of all of them
    for child in verb.children:
        if child.lower_ == "alone":
            yield Found("household", child.i, child.i + 1)


def _of_work(verb: Token) -> Iterator[Found]:
    lemma = verb.lemma_
    going_on = verb.tag_ in ("VBP", "VB", "VBG") and not any(t.lower_ in ("was", "were", "will", "'ll", "to") for t in auxiliaries(verb))
    perfect = any(t.lower_ in ("have", "'ve") for t in auxiliaries(verb))
    if lemma == "work" and going_on:
        for noun in after(verb, "as"):
            yield Found("occupation", *noun_phrase(noun))
        for noun in after(verb, "at", "for", "in"):
            if is_plain(noun) and noun.lemma_ not in _NO_WORKPLACES and not is_of_a_kind(noun):
                yield Found("workplace", *noun_phrase(noun, article=True, reach=True))
    if going_on:
        yield from of_living(verb)
    if lemma in ("study", "major") and going_on:
        for noun in [*objects(verb), *(after(verb, "in") if lemma == "major" else ())]:
            if (
                is_plain(noun)
                and noun.lemma_ not in ("language", "exam", "test", "book")
                and not any(c.lower_ == "the" for c in noun.children)
            ):
                yield Found("field_of_study", *noun_phrase(noun))
        for noun in after(verb, "at"):
            if noun.pos_ == "PROPN" or noun.lemma_.lower() in _SCHOOLS:
                yield Found("school", *noun_phrase(noun, article=True))
    if lemma in ("attend", "go", "graduate") and (going_on or lemma == "graduate"):
        for noun in [*objects(verb), *after(verb, "to", "from")]:
            if noun.lemma_.lower() in _SCHOOLS and (noun.pos_ == "PROPN" or any(c.dep_ in ("compound", "amod") for c in noun.children)):
                yield Found("school", *noun_phrase(noun, article=True))
    if lemma == "live" and (going_on or perfect):
        for noun in after(verb, "in", "on", "near", "at"):
            timely = noun.lower_ in SEASONS | MONTHS or noun.lemma_ in (
                "moment",
                "past",
                "present",
                "year",
                "weekday",
                "weekend",
                "holiday",
            )
            fed = (
                noun.head.lower_ == "on"
                and noun.pos_ == "NOUN"
                and not any(c.lower_ in ("a", "an", "the", "my", "our") for c in noun.children)
            )
            if is_plain(noun) and not timely and not fed and noun.lemma_ not in ("fear", "peace", "world", "way"):
                start, end = noun_phrase(noun, article=True, reach=True)
                yield Found("residence", noun.head.i if noun.head.lower_ == "near" else start, end)
        yield from _household(verb)
    if lemma == "move" and verb.tag_ in ("VBD", "VBN") and all(n.lemma_ in ("house", "home", "family") for n in objects(verb)):
        for noun in after(verb, "to", "into"):
            if noun.pos_ == "PROPN" and noun.lower_ not in WEEKDAYS | MONTHS:
                yield Found("residence", *noun_phrase(noun))
    if lemma == "base" and verb.tag_ == "VBN":
        for noun in after(verb, "in"):
            yield Found("residence", *noun_phrase(noun, article=True))
    if (lemma in ("speak", "learn") and going_on) or (lemma == "study" and going_on):
        for noun in objects(verb):
            if noun.lower_ in LANGUAGES:
                yield Found("languages", *noun_phrase(noun))
    if lemma in WINS | {"pass", "finish"} and verb.tag_ in ("VBD", "VBN"):
        nouns = [n for n in objects(verb) if is_plain(n)]
        if (nouns or lemma == "graduate") and (
            lemma not in ("pass", "finish", "complete")
            or any(n.lemma_ in ("exam", "test", "degree", "marathon", "novel", "thesis", "course", "race") for n in nouns)
        ):
            yield Found("achievements", *verb_phrase(verb))
    if lemma == "promote" and verb.tag_ in ("VBN", "VBD"):
        yield Found("achievements", *verb_phrase(verb))


def _of_having(verb: Token) -> Iterator[Found]:
    has = (verb.lemma_ in ("have", "own") and verb.tag_ in ("VBP", "VB")) or (
        verb.lemma_ == "get" and any(t.lower_ in ("have", "'ve") for t in auxiliaries(verb))
    )
    gets = verb.lemma_ in ("buy", "adopt", "get") and verb.tag_ in ("VBD", "VBN")
    if not (has or gets) or any(t.tag_ == "MD" or t.lower_ == "to" for t in auxiliaries(verb)):
        return
    for noun in objects(verb):
        lemma = noun.lemma_.lower()
        if not is_plain(noun) or is_definite(noun):
            continue
        if lemma == "degree":
            yield from (Found("field_of_study", *noun_phrase(n)) for n in after(noun, "in"))
        if lemma in PETS and (has or verb.lemma_ != "buy" or lemma not in ("chicken", "fish", "duck")):
            yield Found("pets", *named(noun))
        elif lemma in KIN and has:
            yield Found("family", *named(noun))
        elif lemma in PARTNERS and has:
            yield Found("partner", *named(noun))
        elif lemma in THINGS and (has or verb.lemma_ in ("buy", "get")):
            yield Found("belongings", *noun_phrase(noun))


def _is_ranked(noun: Token) -> bool:
    """ "My partner, Sergeant Ruiz"."""
    return any(t.lower_ in RANKS for t in noun.doc[noun.i + 1 : noun.i + 4])


def _name_said(noun: Token) -> Token | None:
    """Biscuit, in "my dog is called Biscuit" and "my dog's name is Biscuit"."""
    head = noun.head
    if noun.dep_ == "nsubjpass" and head.lemma_ in ("call", "name"):
        said = [c for c in head.children if c.dep_ in ("oprd", "dobj")]
    elif noun.dep_ == "poss" and head.lower_ == "name" and head.dep_ == "nsubj" and head.head.lemma_ == "be":
        said = [c for c in head.head.children if c.dep_ == "attr"]
    else:
        return None
    return said[0] if len(said) == 1 and said[0].pos_ == "PROPN" else None


def _is_parting(verb: Token) -> bool:
    """ "I gave my dog away", "I left my husband"; not "I left my husband at the station"."""
    if verb.lemma_ == "leave":
        return not any(c.lower_ in ("at", "with", "on", "to", "alone") or c.dep_ == "dative" for c in verb.children)
    return verb.lemma_ in ("sell", "rehome") or (verb.lemma_ == "give" and any(c.lower_ == "away" for c in verb.children))


_BEGUN = frozenset("open buy get start build own have find rent".split())
"""What one saves up to do, or dreams of doing, with what one does not have."""


def _of_relations(noun: Token) -> Iterator[Found]:
    """ "my sister Ida", "my dog Rex", "my best friend Lea", "my old bike"."""
    # in "my dog Rex" the parser may hang both words on the name
    owned = noun.head if noun.dep_ in ("compound", "nmod") and noun.head.pos_ == "PROPN" else noun
    if not any(c.dep_ == "poss" and c.lower_ == "my" for c in owned.children):
        return
    lemma = noun.lemma_.lower()
    if noun.i + 1 < len(noun.doc) and (noun.doc[noun.i + 1].tag_ == "POS" and noun.dep_ == "poss" and lemma in THINGS):
        return
    told = subject_of(noun.head) if noun.dep_ == "attr" else None
    if told is not None and told.lower_ in SECOND:
        return  # "you're my partner" says it of the listener
    apart = any(a.lemma_ in ("break", "split") and any(c.lower_ == "up" for c in a.children) for a in noun.ancestors)
    gone = (
        apart
        or (lemma in PARTNERS and is_mourned(noun))
        or any(a.lemma_ in _GONE for a in (noun.head, *noun.head.ancestors))
        or (noun.dep_ == "nsubj" and any(c.lower_ == "dead" for c in noun.head.children))
        or (noun.dep_ == "nsubj" and noun.head.lemma_ == "leave" and any(c.lower_ == "me" for c in noun.head.children))
        or any(c.lower_ in _NOT_YET_OR_NO_MORE for c in noun.children)
        or (noun.dep_ == "dobj" and _is_parting(noun.head))
    )
    name = _name_said(noun)
    if name is not None and not gone and lemma in PETS | KIN | PARTNERS:
        yield Found("pets" if lemma in PETS else "family" if lemma in KIN else "partner", noun.i, name.i + 1)
    elif lemma in PETS and not gone and (noun.dep_ != "compound" or owned != noun):
        yield Found("pets", *named(noun))
    elif lemma in KIN - {"family", "relative"}:
        yield Found("family", *named(noun))
    elif lemma in PARTNERS and not gone:
        at_work = any(c.dep_ == "compound" or c.lower_ == "in" for c in noun.children)  # business partner, partner in crime
        if lemma != "partner" or not (at_work or _is_ranked(noun)):
            yield Found("partner", *named(noun))
    elif lemma in FRIENDS and noun.tag_ == "NN" and named(noun)[1] > noun.i + 1:
        yield Found("friends", *named(noun))
    elif (
        lemma in THINGS
        and not gone
        and not (noun.head.lemma_ in _BEGUN and any(t.lower_ == "to" for t in auxiliaries(noun.head)))
        and noun.dep_ in ("dobj", "nsubj", "pobj", "nsubjpass")
        and noun.head.lemma_ not in ("sell", "lose", "break", "steal", "crash", "cost", "pawn", "wreck", "smash", "burn")
    ):
        yield Found("belongings", *noun_phrase(noun))
