"""Who and what the words of a message refer to: people named in it, pronouns with a plain antecedent, dates."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from spacy.tokens import Doc, Token

from memory.extraction.draft import DateRange
from memory.extraction.english_clauses import is_negated
from memory.extraction.english_health import pointed_at
from memory.extraction.english_people import Person, gender_of, is_day, is_place, own_kin
from memory.extraction.english_person import possessive
from memory.extraction.english_views import is_dummy
from memory.extraction.english_words import (
    DEMONSTRATIVE,
    EMPTY_NOUNS,
    FRIENDS,
    KIN,
    MAKING,
    PARTNERS,
    PERSONS,
    PETS,
    THINGS,
    THIRD,
    TRADES,
    UNSEIZABLE,
)
from memory.timeline import DateMention, mentions, spell

_TIME_PREPOSITIONS = frozenset("in on at by since until till from during for of before after around over through to".split())
_PERIODS = frozenset("year month week summer winter spring autumn morning evening weekend time".split())
_WHEREABOUTS = frozenset(
    "live stay come go be move sit stand get belong remain head return arrive put leave hang take bring visit travel".split()
)
_FILLED = frozenset("course place".split())
"""Mean something once it is said what kind: "a sewing course"."""
_SOUGHT_OUT = frozenset("visit check find see explore try open rent buy discover tour".split())
_GROUPS = frozenset("family team group couple crowd band class staff crew company someone everyone people police".split())


def resolved(tokens: Iterable[Token], persons: list[Person], said: Dates) -> dict[int, str] | None:
    """Names for the pronouns that need one; None if one of them points at nothing plain, so that the words cannot stand alone."""
    names: dict[int, str] = {}
    words = [t for t in tokens if not said.covers(t)]
    first = words[0].i if words else 0
    for position, token in enumerate(words):
        lower = token.lower_
        before = words[:position]
        if own_kin(token):
            names[token.i] = next((p.name for p in persons if p.start == token.i), token.text)
            continue
        if lower in THIRD and token.pos_ in ("PRON", "DET"):
            weather = lower == "it" and token.dep_ != "dobj" and token.head.lemma_ in ("rain", "snow", "start", "begin", "thunder")
            if token.dep_ == "expl" or weather or is_dummy(token) or _inside(before, token):
                continue
            cataphora = any(t.dep_ in ("nsubj", "nsubjpass") and t.pos_ == "PROPN" for t in words)
            name = None if cataphora else _outside(token, [p for p in persons if p.start >= 0 or _may_be_asked(token, before, p)], first)
            if name is None or (
                THIRD[lower] in "mf"
                and (_is_another_named(token.doc, first, persons, name) or _is_another_met(token, first, persons, name))
            ):
                return None
            if THIRD[lower] in "mfn" and name in names.values():
                continue  # named once in these words: "my uncle built it with his own hands"
            names[token.i] = possessive(name) if token.tag_ == "PRP$" else name
        elif (told := pointed_at(token)) is not None:
            names[token.i] = told
        elif lower in ("this", "that") and token.i + 1 < len(token.doc) and token.nbor().lower_ == "very":
            return None  # "this very deck": the one they stand on
        elif (
            lower in ("this", "that")
            and token.dep_ == "det"
            and token.head.tag_ == "NN"
            and (_is_new(token.head) or _is_introduced(token) or not _points(token, before))
        ):
            names[token.i] = "an" if token.nbor().lower_[0] in "aeiou" else "a"
        elif lower in ("these", "those") and token.dep_ == "det" and token.head.tag_ == "NNS" and _is_new(token.head):
            names[token.i] = "some"
        elif lower in DEMONSTRATIVE and token.dep_ == "det" and any(c.dep_ == "relcl" for c in token.head.children):
            names[token.i] = "the"  # which one is said behind it
        elif lower in ("one", "ones") and _is_one_of_those(token) and not any(t.pos_ == "NOUN" and t.head != token for t in before):
            return None  # "I tried making one", "I slipped on a green one"
        elif lower in ("here", "there") and (_is_by_the_way(token) or _is_named_behind(token)):
            names[token.i] = ""
        elif _points(token, before):
            return None
    return names


def _is_one_of_those(one: Token) -> bool:
    """Whether "one" stands for a noun, and nothing behind it says which: not "one of my bikes", "the one who threw it", "the lucky one", "loved ones"."""
    described = {c.lower_ for c in one.children}
    if described & {"loved", "little", "young", "dear"} or (one.dep_ == "attr" and "the" in described):
        return False
    return one.dep_ in ("dobj", "pobj", "attr") and not any(
        (c.dep_ == "prep" and c.lower_ == "of") or c.dep_ in ("relcl", "acl") for c in one.children
    )


def _is_doer(noun: Token, pronoun: Token) -> bool:
    """Whether a noun does what a pronoun's verb says to it: in "Priya has known her for years" she is another."""
    if pronoun.tag_ != "PRP" or pronoun.lower_.endswith(("self", "selves")):
        return False
    to_it = pronoun.head.dep_ in ("prep", "dative") and pronoun.head.lower_ in ("to", "of", "about", "at", "from", "for")
    verb = pronoun.head.head if pronoun.dep_ == "pobj" and to_it else pronoun.head
    return (pronoun.dep_ in ("dobj", "dative") or to_it) and noun.dep_ == "nsubj" and noun.head == verb


def _inside(before: list[Token], pronoun: Token) -> bool:
    """Whether an antecedent stands before it in the same words."""
    kind = THIRD[pronoun.lower_]
    for token in before:
        if _is_doer(token, pronoun):
            continue
        if pronoun.dep_ == "pobj" and token.dep_ == "dobj" and pronoun.head.head in (token, token.head):
            continue  # "I made some tags for them": for others than the tags
        if token.pos_ not in ("NOUN", "PROPN") or token.dep_ in ("compound", "npadvmod", "poss") or token.lower_ == "thanks":
            continue
        lemma = token.lemma_.lower()
        plural = token.tag_ in ("NNS", "NNPS")
        if kind == "p" and (plural or lemma in _GROUPS or any(c.dep_ == "conj" for c in token.children)):
            return True
        if kind == "n" and not plural and token.pos_ == "NOUN" and not _is_felt(token) and not _is_empty(token):
            return True
        if (
            kind in "mf"
            and not (plural or is_place(token))
            and (token.pos_ == "PROPN" or lemma in KIN | PARTNERS | FRIENDS | PETS | {"man", "woman", "guy", "girl", "boy", "lady"})
        ):
            return gender_of(token) in ("", kind)
    return False


def _is_another_named(doc: Doc, first: int, persons: list[Person], name: str) -> bool:
    """Whether somebody stands before whom the parser did not take for a person: "Ella is ill and Max began school. He cries."; of what only the question
    spoke of ("a sister?") also a bare name: "Ida. She's in Lisbon."."""
    known = {word for p in persons for word in p.name.split()}
    roles = ("conj", "nsubj", "dobj", "attr", *(("ROOT",) if name.startswith("the ") else ()))
    return (" " not in name or name.startswith("the ")) and any(
        t.pos_ == "PROPN" and t.dep_ in roles and t.text not in known and not (is_place(t) or is_day(t)) for t in doc[:first]
    )


def _is_another_met(pronoun: Token, first: int, persons: list[Person], name: str) -> bool:
    """ "My sister has a friend. She's called Ann": a new one, whom "she" means as well."""
    known = max((p.end for p in persons if p.name == name and p.end <= first), default=first)
    kind = THIRD[pronoun.lower_]
    return any(
        t.lemma_.lower() in PERSONS | TRADES
        and t.tag_ == "NN"
        and t.dep_ in ("dobj", "pobj")
        and any(c.lower_ in ("a", "an", "another", "this") for c in t.children)
        and _sex(t) in ("", kind)
        for t in pronoun.doc[known:first]
    )


def _sex(noun: Token) -> str:
    """m or f, empty where the word does not tell."""
    lemma = noun.lemma_.lower()
    return "m" if lemma in ("man", "guy", "boy", "gentleman") else "f" if lemma in ("woman", "girl", "lady") else gender_of(noun)


def _is_empty(noun: Token) -> bool:
    """Whether "it" can't mean it: a person, or a word that says nothing unless it is said what kind."""
    lemma = noun.lemma_.lower()
    filled = lemma in _FILLED and any(c.dep_ in ("amod", "compound") for c in noun.children)
    return lemma in PERSONS | TRADES or (lemma in EMPTY_NOUNS and not filled)


def _is_felt(noun: Token) -> bool:
    """Warmth, in "I'm filled with warmth when I look at it": a state, not what is looked at."""
    while noun.dep_ == "conj":
        noun = noun.head
    state = noun.head.head
    return noun.dep_ == "pobj" and (state.pos_ == "ADJ" or (state.tag_ == "VBN" and state.lemma_ in ("fill", "overwhelm", "move", "touch")))


def _outside(token: Token, persons: list[Person], first: int) -> str | None:
    kind = THIRD[token.lower_]
    if kind == "n":
        names = {p.name for p in persons if p.gender == "n" and not p.plural}
    else:
        names = {p.name for p in persons if p.end <= first and p.plural == (kind == "p") and (kind == "p" or p.gender in ("", kind))}
    return names.pop() if len(names) == 1 else None


def _may_be_asked(token: Token, before: list[Token], asked: Person) -> bool:
    """Whether a pronoun may mean what the question spoke of: nothing else that it may mean stands before it in the answer."""
    if any(t.pos_ in ("NOUN", "PROPN") for t in before):
        return False
    kind = THIRD[token.lower_]
    if kind == "n" and token.dep_ == "nsubj" and token.head.lemma_ == "be" and asked.head.lemma_.lower() not in THINGS:
        return False  # "it was lovely" is more often said of what was done with a thing
    if kind in ("m", "f") and any(
        t.dep_ == "ROOT" and (t.pos_ == "PROPN" or gender_of(t) == kind) and len(list(t.sent)) <= _BARE for t in token.doc[: token.i]
    ):
        return False  # "A daughter. Wilhelmina. She married young", asked of her mother
    tags = {"n": ("NN",), "p": ("NNS", "NNPS")}.get(kind, ())
    return not any(t.tag_ in tags and t.dep_ not in ("compound", "npadvmod", "nmod") for t in token.doc[: token.i])


_BARE = 4
"""Tokens of a sentence that is a name or a relative and nothing else."""


def _is_new(noun: Token) -> bool:
    """ "I painted that sunset", "I just adopted this grey pup": what a thing shown is told of by, so that it can stand alone."""
    if noun.dep_ == "nsubj" and noun.head.dep_ == "ccomp" and noun.head.tag_ == "VB":
        verb = noun.head.head  # "I made this lamp to show ...", with the lamp for who shows
        return bool(verb.tag_ == "VBD" and verb.lemma_ in MAKING)
    past = noun.head.tag_ in ("VBD", "VBN") or noun.head.lemma_ == "have"
    described = any(c.dep_ in ("amod", "compound") for c in noun.children)
    return noun.dep_ == "dobj" and ((past and noun.head.lemma_ in MAKING) or (past and described))


def _is_introduced(determiner: Token) -> bool:
    """ "I love going to this park near my house", "I plan to visit this cosy cafe": told of for the first time, as "this" so often is in chat."""
    noun = determiner.head
    told = noun.lower_ not in {t.lower_ for t in noun.doc[: determiner.i]}
    behind = noun.nbor() if noun.i + 1 < len(noun.doc) else None
    described = any(c.dep_ in ("amod", "compound", "acl") for c in noun.children) or (
        behind is not None and ((behind.dep_ == "prep" and behind.lower_ != "of") or behind.tag_ == "TO")
    )
    placed = noun.lemma_ in ("place", "spot") and any(c.dep_ in ("amod", "compound", "acl", "relcl") for c in noun.children)
    return (
        determiner.lower_ == "this"
        and noun.dep_ in ("dobj", "pobj")
        and told
        and described
        and (placed or (noun.lemma_ == "project" and described) or noun.lemma_.lower() not in EMPTY_NOUNS | UNSEIZABLE | _PERIODS)
    )


def _is_by_the_way(place: Token) -> bool:
    """Whether the verb says enough without its "here": "I started volunteering here a year ago", not "I live here"."""
    verb = place.head
    if place.dep_ != "advmod" or verb.pos_ != "VERB" or verb.lemma_ in _WHEREABOUTS or is_negated(verb):
        return False
    if any(c.dep_ == "dobj" and any(g.lower_ == "the" for g in c.children) for c in verb.children):
        return False  # "the music there": which one is what the word says
    return verb.tag_ == "VBG" or any(c.dep_ in ("dobj", "prep", "xcomp", "npadvmod") and c != place for c in verb.children)


def _is_named_behind(place: Token) -> bool:
    """ "Here in Boston": the place is said behind it."""
    behind = place.nbor() if place.i + 1 < len(place.doc) else None
    return behind is not None and behind.lower_ in ("in", "at") and any(c.dep_ == "pobj" and c.pos_ == "PROPN" for c in behind.children)


def _points(token: Token, before: list[Token]) -> bool:
    """Whether a word shows at something outside the words: "that book", "there", "the same"."""
    lower = token.lower_
    if lower in ("this", "that", "these", "those"):
        if token.dep_ in ("mark", "det") and token.dep_ == "mark":
            return False
        if token.tag_ in ("WDT", "IN"):
            return False
        own = token.head if token.dep_ == "det" else token
        return not any(c.dep_ in ("relcl", "acl") or (c.dep_ == "prep" and own == token) for c in own.children)
    if lower in ("there", "here"):
        sought = any(t.dep_ == "dobj" and t.pos_ == "NOUN" and t.head.lemma_ in _SOUGHT_OUT and t.lemma_ not in EMPTY_NOUNS for t in before)
        return token.dep_ != "expl" and not sought and not any(t.dep_ == "pobj" for t in before)
    if lower == "same" and _is_compared(token):
        return False
    if lower in ("thing", "things") and any(c.dep_ == "relcl" and any(g.lower_ == "i" for g in c.children) for c in token.children):
        return False  # "the only thing I cook is soup"
    if lower in ("thing", "things") and _is_any(token):
        return False
    return lower in ("same", "latter", "former", "thing", "things") and token.dep_ != "advmod" and token.tag_ != "PDT"


def _is_any(things: Token) -> bool:
    """ "Fixing up things", "simple things like a coffee": whatever things, or such as are named."""
    named = any(c.dep_ == "prep" and c.lower_ == "like" for c in (*things.children, *things.head.children) if c.i > things.i)
    if things.lower_ == "thing" and things.dep_ == "attr":
        return any(c.dep_ == "amod" for c in things.children) and any(
            t.lower_ == "me" and t.head.lower_ in ("for", "to") for t in things.sent
        )
    if things.head.dep_ == "ccomp" and things.dep_ == "nsubj":
        return bool(things.head.head.lemma_ == "make" and things.head.head.tag_ == "VBG")  # "making things easier"
    loose = not any(c.dep_ in ("det", "poss", "amod", "nummod") for c in things.children)
    return named or (loose and things.dep_ == "dobj" and things.head.tag_ == "VBG" and things.head.dep_ == "pcomp")


def _is_compared(same: Token) -> bool:
    """ "The same bench I sat on as a child", "the same tune every night", "the same size as my brother": the same as what is said behind it."""
    noun = same.head
    return any(c.dep_ == "relcl" for c in noun.children) or any(t.lower_ in ("as", "every", "each") and t.i > same.i for t in noun.sent)


@dataclass(frozen=True)
class Dates:
    """The dates of a message by the tokens that say them."""

    found: tuple[tuple[int, int, DateMention], ...] = ()
    """First token, token behind the last, and what they say."""

    def covers(self, token: Token) -> bool:
        return any(start <= token.i < end for start, end, _ in self.found)

    def within(self, tokens: tuple[Token, ...]) -> list[tuple[int, int, DateMention]]:
        indices = {t.i for t in tokens}
        return [found for found in self.found if found[0] in indices and found[1] - 1 in indices]

    def possessive(self, doc: Doc, tokens: tuple[Token, ...]) -> bool:
        """Whether a date is the owner of something ("yesterday's talk"), which no spelt-out date can be."""
        return any(
            mention.relative and (any(t.dep_ == "poss" for t in doc[start:end]) or any(t.tag_ == "POS" for t in doc[start : end + 1]))
            for start, end, mention in self.within(tokens)
        )

    def spelt(self, doc: Doc, tokens: tuple[Token, ...]) -> dict[int, str]:
        """Dates in place of the words that need the day they were said."""
        texts: dict[int, str] = {}
        for start, end, mention in self.within(tokens):
            if not mention.relative:
                continue
            date = spell(mention.range, language="en")
            at = start - (start > 0 and doc[start - 1].lower_ == "the")  # "for the last week": the date says it itself
            before = doc[at - 1].lower_ if at else ""
            noun = any(t.dep_ in ("nsubj", "nsubjpass", "attr", "dobj") for t in doc[start:end])
            preposition = "" if noun or before in _TIME_PREPOSITIONS else _preposition(mention.range)
            texts.update(dict.fromkeys(range(at, end), ""))
            texts[at] = preposition + date
        return texts


def dates(doc: Doc, *, said_at: datetime) -> Dates:
    found = []
    for mention in mentions(doc.text, said_at=said_at, language="en"):
        span = doc.char_span(mention.start, mention.end, alignment_mode="expand")
        if span is not None and len(span) and span.start not in doc.user_data["quoted"]:
            found.append((span.start, span.end, mention))
    return Dates(tuple(found))


def _preposition(span: DateRange) -> str:
    """On a day or a weekend, from one day to another, in what is longer."""
    if " to " in spell(span, language="en"):
        return "from "
    return "on " if span.last - span.first < timedelta(days=3) else "in "
