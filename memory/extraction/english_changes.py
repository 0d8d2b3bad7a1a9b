"""What changes in a player's life, in English: a new job, a birthday, a wedding, a diet. A change is said once and holds from then on; what only ends
stands in `english_endings`."""

from __future__ import annotations

from collections.abc import Iterator

from spacy.tokens import Token

from memory.extraction.english_clauses import auxiliaries
from memory.extraction.english_identity import hyphened, is_age, trade
from memory.extraction.english_phrases import Found, after, is_plain, items, noun_phrase, objects, verb_phrase
from memory.extraction.english_words import DIETS, FAITHS, FRIENDS, KIN, PARTNER_STATES, PARTNERS

_POSTS = frozenset("job position post role gig".split())
_COURSES = frozenset("major degree course subject study".split())
_SCHOOLS = frozenset("university college school academy institute polytechnic conservatory conservatoire uni".split())
_RELIGIONS = frozenset("islam buddhism christianity catholicism judaism hinduism orthodoxy quakerism".split())
_DIETS = DIETS | frozenset("keto gluten-free dairy-free plant-based".split())
_FIELDS = frozenset(
    "law medicine physics chemistry biology maths mathematics history philosophy economics engineering nursing architecture psychology"
    " linguistics literature geography geology astronomy accounting journalism education theology music art design business".split()
)
_UNREAL = frozenset("dream imagine pretend picture fancy fantasize".split())
_DOERS = ("er", "or", "ist", "ian", "ant", "man", "woman", "maid")


def of_change(verb: Token) -> Iterator[Found]:
    """Of a verb whose subject is the player, neither denied nor wished: it has happened, or is so now."""
    if any(head.lemma_ in _UNREAL for head in verb.ancestors):
        return
    done = verb.tag_ in ("VBD", "VBN") and not any(t.tag_ == "MD" or t.lower_ in ("to", "was", "were") for t in auxiliaries(verb))
    now = verb.tag_ == "VBP" or (verb.tag_ == "VBG" and any(t.lower_ in ("am", "'m", "been") for t in auxiliaries(verb)))
    if done:
        yield from _of_work(verb)
        yield from of_partners(verb)
        yield from _of_study(verb)
        yield from _of_self(verb)
        yield from _of_home(verb)
    if done or now:
        yield from _of_diet(verb)
    if now and any(c.lower_ == "as" for c in verb.children) and verb.lemma_ in ("start", "begin", "train"):
        yield from _as_what(verb)


def _as_what(verb: Token) -> Iterator[Found]:
    for noun in after(verb, "as"):
        a_person = noun.lemma_.endswith(_DOERS) and any(c.lower_ in ("a", "an") for c in noun.children)
        yield from [Found("occupation", *noun_phrase(noun))] if a_person else trade(noun)


def _of_work(verb: Token) -> Iterator[Found]:
    lemma = verb.lemma_
    posts = [noun for noun in objects(verb) if noun.lemma_.lower() in _POSTS]
    if lemma in ("get", "start", "begin", "take", "find", "land", "accept") and posts:
        for post in posts:
            for noun in (*after(post, "as"), *after(verb, "as")):
                yield from trade(noun)
            for noun in (*after(post, "at", "with", "in", "for"), *after(verb, "at", "with")):
                if is_plain(noun):
                    yield Found("workplace", *noun_phrase(noun, article=True))
            for word in post.children:  # "a job", "a nursing job": the words before it
                if word.dep_ == "compound":
                    yield Found("occupation", word.left_edge.i, post.i + 1)
    elif lemma in ("start", "begin", "train", "hire", "promote", "appoint"):
        yield from _as_what(verb)
        if lemma == "promote":
            for noun in after(verb, "to"):
                yield Found("occupation", *noun_phrase(noun))
            for noun in objects(verb):  # "promoted to head chef": as if one were to head somebody
                if verb.i + 2 <= noun.i and verb.doc[verb.i + 1].lower_ == "to":
                    yield Found("occupation", verb.i + 2, noun.i + 1)
    elif lemma == "become":
        for word in verb.children:
            if word.dep_ in ("attr", "acomp", "oprd"):
                for noun in items(word):
                    yield from trade(noun)
    elif lemma == "retire" and not any(c.dep_ == "dobj" for c in verb.children):
        yield Found("occupation", verb.i, verb.i + 1)


def of_partners(verb: Token) -> Iterator[Found]:
    """What became of the player and somebody, also where both are the subject: "Tom and I got divorced"."""
    if verb.tag_ not in ("VBD", "VBN") or any(t.tag_ == "MD" or t.lower_ == "to" for t in auxiliaries(verb)):
        return
    lemma = verb.lemma_
    got = any(t.lemma_ == "get" for t in auxiliaries(verb))
    if got and lemma in ("marry", "divorce", "engage"):
        last = next((noun for noun in after(verb, "to") if noun.pos_ in ("NOUN", "PROPN")), verb)
        yield Found("partner", verb.i, last.i + 1)
    elif lemma == "get":
        for word in verb.children:
            if word.dep_ in ("acomp", "oprd", "attr") and word.lower_ in PARTNER_STATES:
                last = next((noun for noun in (*after(word, "to"), *after(verb, "to")) if noun.pos_ in ("NOUN", "PROPN")), word)
                yield Found("partner", word.i, last.i + 1)
    elif lemma == "marry":
        for noun in objects(verb):
            if noun.pos_ == "PROPN" or noun.lemma_.lower() in PARTNERS:
                yield Found("partner", verb.i, noun.i + 1)


def _of_study(verb: Token) -> Iterator[Found]:
    lemma = verb.lemma_
    if lemma in ("change", "switch"):
        course = any(noun.lemma_.lower() in _COURSES for noun in objects(verb))
        for noun in after(verb, "to"):
            if course or noun.lower_ in _FIELDS:
                yield Found("field_of_study", *noun_phrase(noun))
            elif noun.lower_ in _DIETS:
                yield Found("diet", noun.i, noun.i + 1)
    if lemma in ("transfer", "switch"):
        for noun in after(verb, "to"):
            if noun.lemma_.lower() in _SCHOOLS and (noun.pos_ == "PROPN" or any(c.dep_ == "compound" for c in noun.children)):
                yield Found("school", *noun_phrase(noun, article=True))


def _of_self(verb: Token) -> Iterator[Found]:
    lemma = verb.lemma_
    if lemma == "turn":
        for child in verb.children:
            if child.pos_ == "NUM" and is_age(verb.doc[hyphened(child)]):
                yield Found("age", hyphened(child), child.i + 1)
    elif lemma == "convert":
        for noun in after(verb, "to"):
            if noun.lower_ in _RELIGIONS:
                yield Found("faith", noun.i, noun.i + 1)
    elif lemma == "become":
        for child in verb.children:
            if child.dep_ in ("attr", "acomp", "oprd") and child.lower_ in FAITHS:
                yield Found("faith", child.i, child.i + 1)
    elif lemma in ("dye", "cut", "shave", "grow", "bleach"):
        if any(noun.lemma_ in ("hair", "beard", "head") and any(c.lower_ == "my" for c in noun.children) for noun in _below(verb)):
            yield Found("appearance", *verb_phrase(verb))
    elif lemma == "change" and any(noun.lower_ == "name" for noun in objects(verb)):
        for noun in after(verb, "to"):
            if noun.pos_ == "PROPN":
                yield Found("name", *noun_phrase(noun))


def _below(verb: Token) -> Iterator[Token]:
    """Its objects, and the subjects of what it makes of them: "dyed my hair red"."""
    for child in verb.children:
        if child.dep_ == "dobj":
            yield child
        elif child.dep_ in ("ccomp", "xcomp", "oprd"):
            yield from (c for c in child.children if c.dep_ == "nsubj")


def _of_home(verb: Token) -> Iterator[Found]:
    if verb.lemma_ != "move" or not any(c.lower_ in ("in", "back") for c in verb.children):
        return
    for noun in _with(verb):
        if noun.lemma_.lower() in KIN | FRIENDS | PARTNERS or noun.pos_ == "PROPN":
            yield Found("household", *noun_phrase(noun))


def _with(verb: Token) -> Iterator[Token]:
    """ "move in with her": the parser hangs "with" on either word."""
    yield from after(verb, "with")
    for child in verb.children:
        if child.lower_ in ("in", "back"):
            yield from after(child, "with")


def _of_diet(verb: Token) -> Iterator[Found]:
    if verb.lemma_ not in ("go", "turn", "become", "eat"):
        return
    for child in verb.children:
        if child.i > verb.i and child.lower_ in _DIETS and child.dep_ in ("acomp", "attr", "advmod", "oprd", "dobj", "xcomp", "amod"):
            yield Found("diet", child.i, child.i + 1)
