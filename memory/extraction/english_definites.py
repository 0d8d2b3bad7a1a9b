"""What "the trip" and "the film" mean: told with the words of the same message, or of the question, that say which; else nothing is told of it.

Only of nouns that always mean one that was spoken of. Where two could be meant, or none is named, what is said of it cannot be understood alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from spacy.tokens import Doc, Token

from memory.extraction.english_people import Person
from memory.extraction.english_phrases import is_bare
from memory.extraction.english_words import DEMONSTRATIVE, FIRST, FIRST_PLURAL, MONTHS, SEASONS, SECOND, THIRD, WEEKDAYS

_TRIPS = frozenset("trip journey tour holiday vacation cruise excursion voyage expedition".split())
_WALKS = frozenset("hike climb trek".split())
_FILMS = frozenset("movie film documentary thriller comedy".split())
_BOOKS = frozenset("book novel memoir biography thriller".split())
_COURSES = frozenset("course class workshop lesson seminar training".split())
_WORKS = frozenset(
    "concert festival party wedding parade fundraiser conference fair exhibition gala ceremony show competition race".split()
)
_SPEECHES = frozenset("presentation speech talk lecture".split())
_TROUBLE = frozenset("problem issue trouble difficulty".split())
_DISHES = frozenset("dish recipe soup cake stew pie curry".split())
_MEANS: dict[str, frozenset[str]] = {
    "trip": _TRIPS, "journey": _TRIPS, "tour": _TRIPS, "excursion": _TRIPS, "voyage": _TRIPS, "expedition": _TRIPS, "cruise": _TRIPS,
    "hike": _WALKS | {"trail"}, "climb": _WALKS, "trek": _WALKS, "adventure": _TRIPS | _WALKS,
    "movie": _FILMS, "film": _FILMS, "documentary": _FILMS,
    "book": _BOOKS, "story": _BOOKS | {"story", "tale", "essay"}, "article": frozenset({"article", "essay", "post"}),
    "course": _COURSES, "class": _COURSES, "workshop": _COURSES, "lesson": _COURSES, "seminar": _COURSES, "training": _COURSES,
    "event": _WORKS | {"event"}, "concert": frozenset({"concert", "gig"}), "exhibition": frozenset({"exhibition", "exhibit"}),
    "competition": frozenset({"competition", "contest", "tournament", "race"}), "contest": frozenset({"competition", "contest"}),
    "race": frozenset({"race", "marathon"}), "tournament": frozenset({"tournament", "competition"}),
    "itinerary": _TRIPS, "vacation": _TRIPS, "presentation": _SPEECHES, "speech": _SPEECHES,
    "conference": frozenset({"conference"}), "ceremony": frozenset({"ceremony", "wedding", "graduation"}), "retreat": frozenset({"retreat"}),
    "meeting": frozenset({"meeting"}), "interview": frozenset({"interview"}), "exam": frozenset({"exam", "examination", "test"}),
    "project": frozenset({"project"}), "task": frozenset({"task", "assignment"}), "assignment": frozenset({"assignment", "task"}),
    "problem": _TROUBLE, "issue": _TROUBLE,
    "mountain": frozenset({"mountain", "mount", "peak"}), "summit": frozenset({"mountain", "mount", "peak", "summit"}),
    "company": frozenset({"company", "firm", "startup"}), "position": frozenset({"position", "job", "post"}),
    "painting": frozenset({"painting", "portrait", "landscape"}), "recipe": _DISHES, "dish": _DISHES,
    "location": frozenset({"location"}), "restaurant": frozenset({"restaurant", "cafe", "bistro", "diner"}), "hotel": frozenset({"hotel", "inn"}),
    "island": frozenset({"island"}), "castle": frozenset({"castle"}), "accident": frozenset({"accident", "crash"}),
}  # fmt: skip
"""What each of them may mean again."""
_OWN = frozenset("trip itinerary tour excursion vacation cruise expedition presentation speech".split())
"""Of one's own as well: "my trip" is the one that was spoken of."""
_CALLS_FOR: dict[str, frozenset[str]] = {
    "interview": frozenset({"job", "position", "internship"}),
    "company": frozenset({"job", "position", "interview"}),
    "position": frozenset({"interview"}),
    "mountain": frozenset({"hike", "climb", "trek"}),
    "summit": frozenset({"hike", "climb"}),
    "conference": frozenset({"talk", "speech"}),
}
"""What brings one of them with it: said together with that, it is plain which one is meant."""
_WHITHER = frozenset("trip journey tour excursion voyage expedition cruise holiday vacation".split())
_SUBJECT_MATTER = _COURSES | {"exam", "interview", "book", "documentary", "project", "degree"}
_TIMES = (
    WEEKDAYS
    | MONTHS
    | SEASONS
    | set("today tomorrow yesterday tonight day week weekend month year morning afternoon evening night".split())
)
_FEW = 8
"""Words of what says which one."""
_POINTING = FIRST | FIRST_PLURAL | SECOND | DEMONSTRATIVE | set(THIRD) | {"same", "such", "other", "another"}


@dataclass(frozen=True)
class Meant:
    """What says which one is meant."""

    words: str
    """Verbatim, without an article: "trip to Lisbon"."""
    start: int
    """Where the sentence that says it begins."""
    is_name: bool
    asked: bool
    """It stands in the question."""


def dangling(tokens: Sequence[Token]) -> list[Token]:
    """Nouns with "the" of which these words do not say which one is meant."""
    return [noun for place, noun in enumerate(tokens) if _means_one_spoken_of(noun) and not any(_may_be(t, noun) for t in tokens[:place])]


def named(noun: Token, question: Doc | None) -> Meant | None:
    """What was said of it before in its message, or else in the question, if that says which one and can mean but one."""
    own = _only(t for t in noun.doc[: noun.i] if _may_be(t, noun))
    if own is not None:
        return _described(own, asked=False)
    if question is None or any(_may_be(t, noun) for t in noun.doc[: noun.i]):
        return None
    asked = _only(t for t in question if _may_be(t, noun))
    return None if asked is None else _described(asked, asked=True)


def spoken_of(tokens: Sequence[Token], noun: Token) -> bool:
    """Whether words name what a noun means again, and but one such thing, however little they say of it: "a film", "we hiked", of an interview "a job"."""
    may_be = [t for t in tokens if _may_be(t, noun) and not _is_again(t)]
    if may_be:
        return len(may_be) == 1 and may_be[0].tag_ in ("NN", "NNP")
    return any(_is_done(t, noun) or t.lemma_.lower() in _CALLS_FOR.get(noun.lemma_.lower(), ()) for t in tokens)


def may_name(question: str, noun: Token) -> bool:
    """Whether a question may say which one is meant; most do not and need no parse."""
    said = question.casefold()
    return any(word in said for word in _MEANS[noun.lemma_.lower()])


def bonds(tokens: Sequence[Token], persons: Sequence[Person]) -> tuple[dict[int, str], list[Meant]] | None:
    """With whom "our friendship" is, as `spelt`: the one person of whom was spoken before it. None if that is nobody or could be several."""
    texts: dict[int, str] = {}
    meant: list[Meant] = []
    for token in tokens:
        if token.lower_ == "our" and token.head.lemma_ in _BONDS and not any(c.lower_ in ("with", "between") for c in token.head.children):
            before = {p.name: p for p in persons if p.start >= 0 and p.end <= token.i and not p.plural and p.gender != "n"}
            if len(before) != 1:
                return None
            ((name, person),) = before.items()
            texts[token.head.i] = f"{token.head.text} with {name}"
            meant.append(Meant(name, person.head.sent[0].idx, True, False))
    return texts, meant


_BONDS = frozenset("friendship relationship bond connection chat conversation".split())


def _means_one_spoken_of(noun: Token) -> bool:
    if noun.pos_ != "NOUN" or noun.tag_ != "NN" or noun.lemma_.lower() not in _MEANS or noun.dep_ == "compound" or not _is_again(noun):
        return False
    after = noun.nbor() if noun.i + 1 < len(noun.doc) else None
    if after is not None and (after.text == '"' or after.pos_ == "PROPN"):
        return False  # the name stands behind it
    said = noun.dep_ == "nsubj" and noun.head.lemma_ == "be" and any(c.dep_ in ("ccomp", "xcomp") for c in noun.head.children)
    return not said  # "the problem is that …"


def _is_again(noun: Token) -> bool:
    """ "The trip", "my trip", "our whole trip"."""
    if is_bare(noun):
        return True
    own = noun.lemma_ in _OWN and any(c.lower_ in ("my", "our") for c in noun.children)
    return own and all(c.dep_ in ("poss", "case", "punct") or c.lower_ in ("whole", "own", "upcoming", "planned") for c in noun.children)


def _may_be(token: Token, noun: Token) -> bool:
    if token.pos_ not in ("NOUN", "PROPN") or token.dep_ == "compound":
        return False
    means = _MEANS[noun.lemma_.lower()]
    return token.lemma_.lower() in means or (
        token.pos_ == "PROPN" and any(c.dep_ == "compound" and c.lemma_.lower() in means for c in token.children)  # Mount Toba
    )


def _is_done(token: Token, noun: Token) -> bool:
    """ "We hiked", then "the hike"; "I paint", then "the painting"."""
    verb, thing = str(token.lemma_.lower()), str(noun.lemma_.lower())
    return token.pos_ == "VERB" and len(verb) > 3 and thing.startswith(verb)


def _only(candidates: Iterable[Token]) -> Token | None:
    """The one that says which, where all others of them mean it again."""
    found = list(candidates)
    new = [t for t in found if not _is_again(t)]
    return new[0] if len(new) == 1 and new[0] == found[0] and new[0].tag_ in ("NN", "NNP") else None


def _described(noun: Token, *, asked: bool) -> Meant | None:
    """With what stands around it and says which: "trip to Lisbon", "film called "Salt""; nothing where that is no more than praise."""
    doc, begin = noun.doc, noun.i
    while begin and doc[begin - 1].dep_ in ("compound", "amod", "nummod") and doc[begin - 1].head == noun:
        begin -= 1
    end = noun.i + 1
    for part in sorted(noun.rights, key=lambda t: t.i):
        if part.i > end + 1 or not _says_which(part, noun):
            break
        end = _behind(part)
    if end < len(doc) and doc[end].text == '"':  # a name, wherever the parser puts it
        end = _closing(doc, end)
    elif end + 1 < len(doc) and doc[end].text == "," and doc[end + 1].text == '"':
        end = _closing(doc, end + 1)
    phrase = doc[begin:end]
    says = any(t.pos_ == "PROPN" or t.dep_ == "compound" for t in phrase if t.i < noun.i) or end > noun.i + 1 or noun.pos_ == "PROPN"
    plain = not any(t.lower_ in _POINTING and t.dep_ != "compound" for t in phrase) and phrase.text.count('"') % 2 == 0
    if not says or not plain or sum(t.is_alpha for t in phrase) > _FEW or "\n" in phrase.text:
        return None
    words = phrase.text if phrase[0].pos_ == "PROPN" or phrase[0].text == '"' else phrase.text[0].lower() + phrase.text[1:]
    return Meant(words, noun.sent[0].idx, noun.pos_ == "PROPN", asked)


def _says_which(part: Token, noun: Token) -> bool:
    if part.dep_ == "acl":
        return bool(part.lower_ in ("called", "named", "titled", "entitled"))
    if part.dep_ == "appos":
        return bool(part.pos_ == "PROPN")
    if part.dep_ != "prep" or not any(c.dep_ in ("pobj", "pcomp") for c in part.children) or any(t.lower_ in _TIMES for t in part.subtree):
        return False
    lemma = noun.lemma_.lower()
    return (
        part.lower_ in ("of", "about", "for")
        or (part.lower_ == "to" and lemma in _WHITHER)
        or (part.lower_ in ("on", "in") and lemma in _SUBJECT_MATTER and not any(c.pos_ == "NUM" for c in part.children))
    )


def _behind(part: Token) -> int:
    """Index behind a part, up to a new clause, a day or a stop."""
    end = int(part.i) + 1
    for token in part.doc[part.i + 1 : part.right_edge.i + 1]:
        if token.dep_ in ("relcl", "advcl", "mark", "cc", "npadvmod") or (token.is_punct and token.text not in ('"', "-", "'")):
            break
        end = token.i + 1
    return end


def _closing(doc: Doc, opening: int) -> int:
    """Index behind the quotation mark that closes; where none does, that of the opening one."""
    return next((t.i + 1 for t in doc[opening + 1 : opening + 12] if t.text == '"'), opening)


def spelt(nouns: Sequence[Token], question: Doc | None) -> tuple[dict[int, str], list[Meant]] | None:
    """Text for each of the nouns by its index, and where it stands; None if one of them is not named."""
    found = [named(noun, question) for noun in nouns]
    meant = [m for m in found if m is not None]
    if len(meant) < len(nouns):
        return None
    texts: dict[int, str] = {}
    for noun, m in zip(nouns, meant, strict=True):
        if m.is_name and any(c.dep_ == "poss" for c in noun.children):
            return None  # "our Mount Toba"
        if m.is_name:
            texts |= {c.i: "" for c in noun.children if c.lower_ == "the"}
        texts[noun.i] = m.words
    return texts, meant
