"""Persona values of taste and skill: favourites, what is liked and disliked, eaten and avoided, done well or for pleasure."""

from __future__ import annotations

from collections.abc import Iterator

from spacy.tokens import Token

from memory.extraction.english_clauses import auxiliaries, is_negated, subject_of
from memory.extraction.english_phrases import Found, after, is_definite, is_plain, items, noun_phrase, objects, verb_phrase
from memory.extraction.english_words import (
    ANIMALS,
    DISLIKING,
    DRINKS,
    EMPTY_NOUNS,
    FOODS,
    INGEST,
    LIKING,
    MUSIC,
    PETS,
    PLEASURES,
    SECOND,
    SKILL_VERBS,
    TITLES,
)

_FAVOURITES = {
    "food": "food", "dish": "food", "meal": "food", "fruit": "food", "dessert": "food", "snack": "food", "drink": "drink", "beverage": "drink",
    "color": "color", "colour": "color", "animal": "animal", "music": "music", "song": "music", "band": "music", "singer": "music",
    "musician": "music", "composer": "music", "genre": "music", "book": "book", "author": "book", "novel": "book", "writer": "book",
    "poet": "book", "film": "film", "movie": "film", "show": "film", "series": "film", "place": "place", "city": "place", "spot": "place",
    "season": "season", "sport": "sport", "game": "game",
}  # fmt: skip
_NOT_LIKED = frozenset("way look sound fact idea news view attitude look vibe name question joke sense message photo picture pic".split())
_SELDOM = frozenset("rarely seldom hardly barely scarcely sometimes occasionally".split())
_SAID = frozenset("do say talk hear see know think tell ask share chat thank let admit mention agree be have get".split())


def of_favourites(verb: Token) -> Iterator[Found]:
    """ "My favourite colour is teal", "Teal is my favourite colour"."""
    if verb.lemma_ != "be" or verb.tag_ not in ("VBP", "VBZ") or is_negated(verb):
        return
    subject = subject_of(verb)
    nouns = [n for child in verb.children if child.dep_ in ("attr", "acomp", "oprd") for n in items(child)]
    nouns += [child for child in verb.children if child.dep_ in ("xcomp", "ccomp") and child.pos_ in ("NOUN", "PROPN", "ADJ")]
    if subject is None or not nouns:
        return
    if (key := _favourite(subject)) is not None:
        if is_plain(nouns[0]):
            yield Found(key, *_whole(nouns[0]))
    elif (key := _favourite(nouns[0])) is not None and is_plain(subject):
        yield Found(key, *_whole(subject))


def _favourite(noun: Token) -> str | None:
    mine = any(c.lower_ == "my" for c in noun.children)
    if any(c.lower_ in ("least", "second", "third") for c in noun.subtree):
        return None
    if not (mine and any(c.lower_ in ("favorite", "favourite", "fav", "fave") for c in noun.subtree)):
        return None
    kind = _FAVOURITES.get(noun.lemma_.lower())
    if kind == "food" and any(t.lower_ == "drink" for t in noun.subtree):
        kind = "drink"
    return f"favorite_{kind}" if kind else None


def _whole(noun: Token) -> tuple[int, int]:
    """A title or name as it stands, quotation marks aside."""
    start, end = noun_phrase(noun, article=noun.pos_ == "PROPN", reach=noun.pos_ == "PROPN")
    if noun.pos_ == "ADJ" and start == noun.i and start and noun.doc[start - 1].lower_ in _SHADES:
        start -= 1
    return start, end


_SHADES = frozenset("dark light deep pale bright navy sky forest royal baby olive sea mint hot pastel midnight".split())


def of_taste(verb: Token) -> Iterator[Found]:
    """Values of a verb whose subject is the player."""
    helpers = [t.lower_ for t in auxiliaries(verb)]
    present = verb.tag_ in ("VBP", "VB", "VBZ") and not any(
        h in ("to", "will", "'ll", "would", "'d", "did", "let", "might", "may", "could", "should") for h in helpers
    )
    negated = is_negated(verb)
    if any(c.lower_ in _SELDOM for c in verb.children):
        return  # who rarely eats meat neither avoids nor likes it
    if negated and any(c.lower_ in ("just", "only", "merely") for c in verb.children):
        return  # "I don't just like it": more than that
    if verb.lemma_ in LIKING | DISLIKING and present and not {"ca", "can"} & set(helpers):
        if verb.lemma_ in LIKING or not negated:  # who does not hate cats need not like them
            yield from _liking(verb, likes=verb.lemma_ in LIKING and not negated)
    elif verb.lemma_ in ("stand", "bear") and negated and {"ca", "can", "cannot"} & set(helpers):
        yield from _liking(verb, likes=False)
    elif verb.lemma_ in INGEST and present and "can" not in helpers and verb.dep_ in ("ROOT", "conj", "ccomp"):
        yield from _eating(verb, negated=negated)
    elif verb.lemma_ == "avoid" and present:
        yield from (Found("food_disliked", *noun_phrase(n)) for n in objects(verb) if _is_food(n))
    elif verb.lemma_ == "be" and present:
        yield from _keen(verb, negated=negated)
    if (
        "can" in helpers
        and not negated
        and verb.lemma_ in SKILL_VERBS
        and verb.dep_ != "relcl"  # "the only thing I can cook" tells of the thing
        and not _is_begun(verb)
        and (verb.lemma_ not in ("read", "speak", "type") or any(objects(verb)))
    ) and (verb.lemma_ != "play" or any(objects(verb))):
        yield Found("skills", *verb_phrase(verb))
    if verb.lemma_ == "know" and present and not negated:
        for child in verb.children:
            if child.dep_ in ("xcomp", "ccomp") and any(t.lower_ == "how" for t in child.children) and subject_of(child) is None:
                yield Found("skills", *verb_phrase(child))
    if verb.lemma_ == "play" and present and "can" not in helpers and not negated and verb.dep_ in ("ROOT", "conj"):
        yield from (
            Found("hobbies", *verb_phrase(verb))
            for n in list(objects(verb))[:1]
            if is_plain(n) and n.lemma_ not in ("role", "part", "trick")
        )


_PIECES = frozenset("stroke step chord bar note word letter line sentence phrase scale stitch".split())
"""Of which a doing is made up: who can do eleven of them has begun to learn it."""


def _is_begun(verb: Token) -> bool:
    """ "I can swim eleven strokes", "I can play three chords": how far one has come, and no skill. Not "type ninety words a minute"."""
    return any(
        c.lemma_.lower() in _PIECES and any(g.tag_ == "CD" or g.lower_ in ("few", "couple") for g in c.children) and not _is_rate(c)
        for c in verb.children
        if c.dep_ in ("dobj", "npadvmod")
    )


def _is_rate(noun: Token) -> bool:
    behind = noun.doc[noun.i + 1 : noun.i + 3]
    return bool(len(behind)) and behind[0].lower_ in ("a", "an", "per", "each", "every")


def _liking(verb: Token, *, likes: bool) -> Iterator[Found]:
    for child in verb.children:
        if (
            child.dep_ in ("xcomp", "ccomp")
            and child.tag_ in ("VBG", "VB")
            and child.i > verb.i
            and subject_of(child) is None
            and child.lemma_ not in _SAID
        ):
            for act in (child, *(c for c in child.children if c.dep_ == "conj" and c.tag_ == child.tag_ and subject_of(c) is None)):
                if not any(t.lower_ in ("it", "that", "this", "you", "your", "them", "me") for t in act.subtree):
                    yield Found("hobbies" if likes else "disliked", *verb_phrase(act))
    listed = [*objects(verb), *(c for c in verb.children if c.dep_ == "conj" and c.pos_ == "NOUN")]
    if any(c.lower_ in SECOND for noun in listed for c in noun.children if c.dep_ == "poss"):
        return  # "I like levels, and your wedge, and soup": what is there
    for noun in objects(verb):
        lemma = noun.lemma_.lower()
        if verb.lemma_ == "prefer" and noun.pos_ == "PROPN" and any(t.lower_ in TITLES for t in verb.subtree):
            if noun.head == verb and verb.nbor() == noun:
                yield Found("nickname", noun.i, noun.i + 1)  # "I prefer Wren to Mrs. Halloran"
            continue
        if any(c.dep_ == "prep" and c.lower_ == "like" for c in noun.children):
            continue  # "bands like ..." says too little without them
        if any(c.lower_ in ("every", "each") for c in noun.children):
            continue  # "I hate every brick": of something spoken of
        if noun.tag_ == "VBG" and noun.lemma_ not in _SAID:
            yield Found("hobbies" if likes else "disliked", *verb_phrase(noun))
        elif (
            is_plain(noun)
            and lemma not in _NOT_LIKED | EMPTY_NOUNS
            and noun.pos_ in ("NOUN", "PROPN")
            and (not is_definite(noun) or lemma in PLEASURES or noun.lower_ in PLEASURES)
        ):
            start, end = noun_phrase(noun, reach=False)
            yield Found(_key(noun, likes=likes), start, end)


def _is_food(noun: Token) -> bool:
    return noun.lemma_.lower() in FOODS | DRINKS or noun.lower_ in FOODS | DRINKS


def _key(noun: Token, *, likes: bool) -> str:
    if _is_food(noun) and not (noun.lemma_.lower() in PETS and noun.tag_ == "NNS"):
        return "food_liked" if likes else "food_disliked"
    if noun.lemma_.lower() in ANIMALS and not any(c.lower_ in ("hot", "teddy", "plush", "stuffed") for c in noun.children):
        return "animals_liked" if likes else "animals_disliked"
    if noun.lemma_.lower() in MUSIC:
        return "music_liked" if likes else "music_disliked"
    if likes and noun.lower_.endswith("ing") and len(noun) > 5:
        return "hobbies"
    return "liked" if likes else "disliked"


def _eating(verb: Token, *, negated: bool) -> Iterator[Found]:
    for noun in objects(verb):
        if negated and is_plain(noun) and _is_food(noun) and not is_definite(noun):
            yield Found("food_disliked", *noun_phrase(noun))


def _keen(verb: Token, *, negated: bool) -> Iterator[Found]:
    """ "I'm into jazz", "I'm a fan of old films", "I'm keen on baking", "I'm good at chess", "I'm fluent in Greek"."""
    for noun in after(verb, "into"):
        yield from _pleasure(noun, likes=not negated)
    for child in verb.children:
        lemma = child.lemma_.lower()
        if child.dep_ not in ("attr", "acomp"):
            continue
        if lemma in ("fan", "lover") or lemma in ("keen", "fond", "crazy", "passionate"):
            for noun in after(child, "of", "on", "about"):
                if lemma == "passionate" and noun.tag_ == "VBG":
                    continue  # a cause, hardly a pastime
                yield from _pleasure(noun, likes=not negated)
        if lemma in ("good", "great", "skilled") and not negated and not any(c.lower_ == "no" for c in child.children):
            for noun in after(child, "at"):
                yield Found("skills", *(verb_phrase(noun) if noun.tag_ == "VBG" else noun_phrase(noun)))
        if lemma == "fluent" and not negated:
            yield from (Found("languages", *noun_phrase(noun)) for noun in after(child, "in"))


def _pleasure(noun: Token, *, likes: bool) -> Iterator[Found]:
    if noun.tag_ == "VBG":
        yield Found("hobbies" if likes else "disliked", *verb_phrase(noun))
    elif is_plain(noun) and not is_definite(noun):
        yield Found(_key(noun, likes=likes), *noun_phrase(noun))
