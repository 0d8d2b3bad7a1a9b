"""Persona values of identity: name, age, gender, birth, origin, faith, and what the player is by trade."""

from __future__ import annotations

from collections.abc import Iterator

from spacy.tokens import Token

from memory.extraction.english_called import PARTICLES
from memory.extraction.english_clauses import auxiliaries, is_negated
from memory.extraction.english_phrases import Found, after, is_plain, items, noun_phrase, objects, verb_phrase
from memory.extraction.english_words import (
    BODY,
    CONVICTIONS,
    DISLIKING,
    FAITHS,
    FIRST,
    GENDERS,
    KIN,
    LANGUAGES,
    MONTHS,
    NATIONALITIES,
    NO_TRADES,
    NUMBERS,
    PARTNER_STATES,
    PETS,
    SEASONS,
    SIGNS,
    TRADE_ENDINGS,
    TRADES,
    TRAITS,
    WEEKDAYS,
)


def of_identity(verb: Token) -> Iterator[Found]:
    present = verb.tag_ in ("VBP", "VBZ") and not auxiliaries(verb)
    if verb.lemma_ == "be" and present:
        yield from _being(verb)
    if (verb.lemma_ == "be" and present) or (verb.lemma_ == "come" and present):
        for noun in after(verb, "from"):
            if noun.pos_ == "PROPN" or noun.lemma_ in ("village", "town", "city", "island", "country", "farm"):
                yield Found("hometown", *noun_phrase(noun, article=True, reach=True))
    if verb.lemma_ in ("grow", "raise", "bear") and verb.tag_ in ("VBD", "VBN"):
        home = False
        for noun in after(verb, "in", "on", "up", "near"):
            if noun.lower_ in MONTHS | SEASONS or noun.pos_ == "NUM":
                if verb.lemma_ == "bear":
                    yield Found("birthday", *noun_phrase(noun, reach=True))
            elif is_plain(noun) and noun.lemma_ not in ("family", "home", "house") and not home:
                home = True
                yield Found("hometown", *noun_phrase(noun, article=True, reach=True))
    if verb.lemma_ == "marry" and verb.tag_ == "VBN" and any(t.lower_ in ("been", "am", "'m") for t in auxiliaries(verb)):
        yield Found("partner", verb.i, _with_whom(verb))
    if verb.lemma_ == "go" and present and any(c.lower_ == "by" for c in verb.children):
        for noun in after(verb, "by"):
            if noun.pos_ == "PROPN":
                yield Found("nickname", noun.left_edge.i, noun.i + 1)
    if verb.lemma_ == "call" and verb.dep_ in ("ROOT", "conj") and any(t.lemma_ == "be" for t in auxiliaries(verb)):
        for noun in objects(verb):
            if noun.pos_ == "PROPN":
                yield Found("name", *noun_phrase(noun))


def is_age(number: Token) -> bool:
    text = number.text
    return (text.isdigit() and 4 <= int(text) <= 110) or number.lower_.split("-")[0] in NUMBERS


def hyphened(number: Token) -> int:
    """Where a number begins that the parser has cut: "thirty-one"."""
    doc = number.doc
    start: int = number.i
    return start - 2 if start > 1 and doc[start - 1].text == "-" and doc[start - 2].pos_ == "NUM" else start


def _being(verb: Token) -> Iterator[Found]:
    doc = verb.doc
    for child in verb.children:
        if child.i < verb.i:
            continue
        lower, nxt = child.lower_, doc[child.i + 1] if child.i + 1 < len(doc) else None
        if (
            child.pos_ == "NUM"
            and child.dep_ in ("attr", "acomp")
            and is_age(doc[hyphened(child)])
            and not any(c.lower_ in ("almost", "nearly") for c in child.children)
            and (nxt is None or nxt.is_punct or nxt.dep_ == "cc" or nxt.lower_ in ("now", "today", "this"))
        ):
            yield Found("age", hyphened(child), child.i + 1)
        if child.lower_ == "old":
            for unit in child.children:
                for number in unit.children:
                    if unit.lemma_ == "year" and number.pos_ == "NUM":
                        yield Found("age", number.left_edge.i, child.i + 1)
        if child.dep_ not in ("attr", "acomp") or any(c.lower_ == "no" for c in child.children):
            continue
        for noun in items(child):
            lower = noun.lower_
            if lower in NATIONALITIES and noun.text[0].isupper():
                yield Found("nationality", *noun_phrase(noun))
            elif lower in FAITHS:
                yield Found("faith", noun.i, noun.i + 1)
            elif lower in CONVICTIONS:
                yield Found("beliefs", noun.i, noun.i + 1)
            elif lower in SIGNS and noun.text[0].isupper() and any(c.dep_ == "det" for c in noun.children):
                yield Found("zodiac", noun.i, noun.i + 1)
            elif lower in TRAITS and _is_lasting(noun):
                yield Found("traits", noun.i, noun.i + 1)
            elif lower in PARTNER_STATES:
                yield Found("partner", noun.i, _with_whom(noun))
            elif lower in GENDERS and not _is_of_a_sort(noun):
                yield Found("gender", *noun_phrase(noun))
            elif noun.pos_ == "PROPN" and noun.dep_ != "appos" and _is_name(noun):
                yield Found("name", *_full_name(noun))
            if lower not in PETS | KIN:
                yield from trade(noun)


def _is_of_a_sort(noun: Token) -> bool:
    """ "A tea girl", "a lucky man": that says something else."""
    return any(c.dep_ in ("compound", "amod", "nmod") and c.lower_ not in _OF_GENDER for c in noun.children)


_OF_GENDER = GENDERS | frozenset("cis young old grown middle-aged elderly straight gay queer".split())


def _is_lasting(word: Token) -> bool:
    """ "I'm shy", "I'm a perfectionist"; not "shy about this" or "lazy today"."""
    around = [*word.children, *word.head.children]
    return not any(c.dep_ == "prep" for c in word.children) and not any(
        c.lower_ in ("not", "now", "today", "tonight", "lately", "just") or c.dep_ == "advcl" for c in around
    )


def _with_whom(state: Token) -> int:
    last = next((noun for noun in after(state, "to") if noun.pos_ in ("NOUN", "PROPN")), state)
    return int(last.i) + 1


def _is_name(noun: Token) -> bool:
    if (
        not noun.text[0].isupper()
        or (noun.text.isupper() and len(noun.text) > 2)
        or any(c.dep_ in ("det", "prep", "nummod", "amod", "poss", "neg") for c in noun.children)
    ):
        return False
    nxt = noun.doc[noun.i + 1] if noun.i + 1 < len(noun.doc) else None
    return (
        nxt is None or nxt.is_punct or nxt.is_space or nxt.lower_ in ("and", "from", "by")
    ) and noun.lower_ not in TRADES | LANGUAGES | FAITHS | CONVICTIONS


def _full_name(noun: Token) -> tuple[int, int]:
    """Voss with Mara ahead of it; and, with what is small within a name, Mara de Vries and Leonardo da Vinci, of which the parser may take either word for the name."""
    doc, start, end = noun.doc, noun.i, noun.i + 1
    while start > 0 and doc[start - 1].pos_ == "PROPN" and doc[start - 1].head == noun:
        start -= 1
    small = start
    while small > 0 and doc[small - 1].lower_ in PARTICLES and doc[small - 1].text.islower():
        small -= 1
    if small < start:
        while small > 0 and doc[small - 1].is_title and doc[small - 1].lower_ not in FIRST:
            small -= 1
        start = small if doc[small].is_title else start
    while end + 1 < len(doc) and doc[end].text.islower() and doc[end].lower_ in PARTICLES:
        last = end
        while last < len(doc) and doc[last].text.islower() and doc[last].lower_ in PARTICLES:
            last += 1
        if last == len(doc) or not doc[last].is_title:
            break
        end = last + 1
    return start, end


def trade(noun: Token) -> Iterator[Found]:
    lemma = noun.lemma_.lower()
    if (lemma in TRADES or lemma.endswith(TRADE_ENDINGS)) and lemma not in NO_TRADES and noun.pos_ in ("NOUN", "PROPN"):
        if any(c.dep_ in ("poss",) or c.lower_ in ("good", "great", "bad", "terrible", "better", "huge", "big") for c in noun.children):
            return
        yield Found("occupation", *noun_phrase(noun))
        for place in after(noun, "at", "for", "in"):
            key = "school" if lemma in ("student", "sophomore", "freshman") else "workplace"
            if place.pos_ == "PROPN" or any(c.dep_ == "det" for c in place.children):
                yield Found(key, *noun_phrase(place, article=True))


def of_mine(verb: Token, subject: Token | None) -> Iterator[Found]:
    """ "My name is Mara", "my birthday is on 3 May", "people call me Bee"."""
    if (
        verb.lemma_ == "call"
        and verb.tag_ in ("VB", "VBP", "VBZ")
        and not is_negated(verb)
        and not any(a.lemma_ in DISLIKING for a in verb.ancestors)
    ):
        me = next((c for c in verb.children if c.lower_ == "me"), None)
        if me is not None and (end := _calling(me)) > me.i + 1:
            yield Found("nickname", me.i + 1, end)
    if subject is not None and not is_negated(verb):
        yield from _of_body_and_fear(verb, subject)
    if (
        subject is None
        or is_negated(verb)
        or not any(c.lower_ == "my" for c in subject.children)
        or verb.lemma_ not in ("be", "call")
        or verb.tag_ in ("VBD",)
    ):
        return
    kind = subject.lemma_.lower()
    nouns = [n for child in verb.children if child.dep_ in ("attr", "acomp", "oprd", "dobj") for n in items(child)]
    key = {
        "name": "name", "nickname": "nickname", "job": "occupation", "profession": "occupation", "occupation": "occupation",
        "hometown": "hometown", "nationality": "nationality", "major": "field_of_study", "hobby": "hobbies", "language": "languages",
        "age": "age",
    }.get(kind)  # fmt: skip
    if kind == "name" and any(c.dep_ in ("amod", "compound") and c.lower_ in ("last", "family", "middle") for c in subject.children):
        return
    if key is not None:
        for noun in nouns:
            if noun.pos_ not in ("NOUN", "PROPN", "NUM") and key not in ("name", "nickname", "nationality", "languages"):
                continue
            if key in ("name", "nickname") and not (noun.pos_ in ("PROPN", "NOUN", "ADJ", "X") and noun.text[0].isupper()):
                continue
            bounds = (
                verb_phrase(noun) if key == "hobbies" and noun.tag_ == "VBG" else _full_name(noun) if key == "name" else noun_phrase(noun)
            )
            yield Found(key, *bounds)
    if kind == "sign":
        yield from (Found("zodiac", noun.i, noun.i + 1) for noun in nouns if noun.lower_ in SIGNS)
    if kind in ("hobby", "pastime"):
        for child in verb.children:
            if child.tag_ == "VBG" and child.i > verb.i:
                yield Found("hobbies", *verb_phrase(child))
    if kind in ("goal", "dream", "ambition", "aim", "plan"):
        for child in verb.children:
            if child.dep_ == "xcomp" and child.tag_ == "VB" and child.i > verb.i:
                yield Found("plans" if kind == "plan" else "goals", *verb_phrase(child))
    if kind == "birthday":
        for noun in [*nouns, *after(verb, "on", "in")]:
            if any(t.lower_ in MONTHS for t in noun.subtree):
                yield Found("birthday", noun.left_edge.i, noun.right_edge.i + 1)


def _of_body_and_fear(verb: Token, subject: Token) -> Iterator[Found]:
    """ "My head hurts", "deep water scares me"."""
    if (
        verb.lemma_ in ("hurt", "ache")
        and subject.lemma_ in BODY
        and any(c.lower_ == "my" for c in subject.children)
        and verb.tag_ in ("VBZ", "VBP")
    ):
        yield Found("health", subject.i, verb.i + 1)
    if (
        verb.lemma_ in ("scare", "terrify", "frighten")
        and verb.tag_ in ("VBZ", "VBP")
        and any(c.lower_ == "me" for c in verb.children)
        and is_plain(subject)
    ):
        yield Found("fears", *noun_phrase(subject))


def _calling(me: Token) -> int:
    """Where what somebody is called ends: Bee, Dr. Chen, Old Tom, the Wren."""
    doc = me.doc
    end: int = me.i + 1
    if end + 1 < len(doc) and doc[end].lower_ == "the" and doc[end + 1].is_title:
        end += 1
    titled = True
    while titled and end < len(doc) and _is_calling(doc[end]):
        titled = doc[end].lower_.rstrip(".") in _TITLES
        end += 2 if titled and end + 1 < len(doc) and doc[end + 1].text == "." else 1
        titled = titled and end < len(doc) and doc[end].pos_ == "PROPN" and doc[end].lower_ not in _NO_SURNAMES
    return end


_TITLES = frozenset(
    "mr mrs ms dr prof st old young big little captain doctor sir lady miss uncle aunt auntie granny papa mama mother father sister brother".split()
)
_NO_SURNAMES = frozenset(
    "no it he she they we you every please everyone everybody when if because and but so an a names tomorrow uber christmas easter tonight later"
    " anytime".split()
)


def _is_calling(word: Token) -> bool:
    """ "Call me Bee", not "call me Monday"."""
    return bool(
        word.text[:1].isupper()
        and word.lower_ not in WEEKDAYS | MONTHS | FIRST | _NO_SURNAMES
        and word.pos_ not in ("ADV", "CCONJ", "SCONJ")
    )
