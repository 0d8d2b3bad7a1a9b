"""What one lives by in English where no trade is named: what is done for a living, the shop one runs."""

from __future__ import annotations

from collections.abc import Iterator

from spacy.tokens import Token

from memory.extraction.english_phrases import Found, after, is_definite, is_plain, noun_phrase, objects, verb_phrase
from memory.extraction.english_wanting import is_of_a_kind

_BUSINESSES = frozenset(
    "bakery shop bookshop store cafe café restaurant pub bar inn farm company firm business studio workshop garage salon hotel hostel gallery"
    " school clinic brewery nursery agency guesthouse b&b stall boatyard forge kennels dairy vineyard winery pharmacy laundry launderette".split()
)


_DRIVEN = frozenset("bus taxi cab train tram lorry truck ambulance minibus coach locomotive ferry".split())


def of_living(verb: Token) -> Iterator[Found]:
    """ "I mend pipe organs for a living", "I make a living as a translator", "I run a bakery in Ghent"."""
    start, end = verb_phrase(verb)
    at = next((t.i for t in verb.doc[start:end] if t.lower_ == "for" and t.i + 2 < end and t.nbor(2).lower_ == "living"), start)
    if at > start + 1:
        yield Found("occupation", start, at)
    if verb.lemma_ in ("make", "earn") and any(n.lower_ == "living" for n in objects(verb)):
        for living in objects(verb):
            yield from (Found("occupation", *noun_phrase(n)) for parent in (verb, living) for n in after(parent, "as"))
    if verb.lemma_ == "drive" and verb.tag_ == "VBP":
        yield from (
            Found("occupation", verb.i, noun.i + 1) for noun in objects(verb) if noun.lemma_.lower() in _DRIVEN and _for_others(noun)
        )
    if verb.lemma_ in ("run", "manage"):
        for noun in objects(verb):
            if noun.lemma_.lower() in _BUSINESSES and is_plain(noun) and not is_definite(noun) and not is_of_a_kind(noun):
                yield Found("occupation", verb.i, _with_place(verb, noun))


def _for_others(noun: Token) -> bool:
    """Not "my truck", nor "the bus to work": who drives one for others goes nowhere by it."""
    behind = noun.doc[noun.i + 1].lower_ if noun.i + 1 < len(noun.doc) else ""
    return behind not in ("to", "home", "into", "there") and not any(c.dep_ == "poss" for c in noun.children)


def _with_place(verb: Token, noun: Token) -> int:
    """The index behind "a bakery in Ghent", whichever word the parser hangs the place on."""
    for place in verb.children:
        if (
            place.dep_ == "prep"
            and place.i == noun.i + 1
            and place.lower_ in ("in", "on", "at", "near")
            and not any(t.is_punct for t in place.subtree)
        ):
            return int(place.right_edge.i) + 1
    return noun_phrase(noun, reach=True)[1]
