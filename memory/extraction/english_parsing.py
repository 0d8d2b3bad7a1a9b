"""The parser, and what it commonly gets wrong put right, so that the rules behind it can trust it."""

from __future__ import annotations

import functools
import threading

from spacy.tokens import Doc, Token

from memory.extraction.english_dictionary import model
from memory.extraction.english_names import may_name, stand_ins
from memory.extraction.english_reading import Reading
from memory.extraction.english_words import MONTHS, WEEKDAYS

_PARSING = threading.Lock()
_UNCHANGED = frozenset("quit put cut hit set let hurt shut spread beat bet split cost burst cast read".split())
"""The same in the past as in the present."""
_HABIT = frozenset("every each always usually often never daily nightly".split())
_WISHES = frozenset("like love want hope plan hate prefer need try".split())
_STOPS = frozenset('. ! ? " “ : … - –'.split())
_LONGEST = 100
"""Words of a sentence; what goes on without a stop is cut there, since rules look from each word through all others of its sentence."""
_REMEMBERED = 4
"""Messages whose parse is kept at hand: what is looked at again as an answer is not parsed again."""


def parse(reading: Reading) -> Doc:
    """Parsed with the sentence breaks that are known beforehand."""
    return _parsed(reading.text, frozenset(reading.breaks))


@functools.lru_cache(_REMEMBERED)
def _parsed(text: str, breaks: frozenset[int]) -> Doc:
    """The model is loaded with the first message."""
    with _PARSING:
        nlp = model()
        doc = nlp.make_doc(text)
        opening = frozenset(t.i for t in doc if t.idx in breaks)
        said = [t.text for t in doc]
        names = stand_ins(said, [not i or i in opening or said[i - 1] in _STOPS for i in range(len(said))]) if may_name(text) else {}
        if names:
            doc = Doc(nlp.vocab, words=[names.get(i, word) for i, word in enumerate(said)], spaces=[bool(t.whitespace_) for t in doc])
        quoted = False
        begun = 0
        doc.user_data["quoted"] = inside = set[int]()
        for token in doc:
            if (token.i in opening and not quoted) or token.i - begun >= _LONGEST:
                token.is_sent_start = True
                begun = token.i
            elif quoted:
                token.is_sent_start = False
            if quoted:
                inside.add(token.i)
            quoted ^= token.text == '"'
        doc = nlp(doc)
        if names:
            doc = _as_said(doc, said)
    for token in doc:
        if token.lower_ == "like" and token.tag_ == "IN" and any(child.dep_ == "nsubj" for child in token.children):
            token.tag_, token.pos_ = "VBP", "VERB"  # the tagger's commonest slip: "I really like pears"
        if token.tag_ == "JJ" and token.dep_ == "attr" and any(c.lower_ in ("a", "an") for c in token.children):
            token.tag_, token.pos_ = "NN", "NOUN"  # a rare noun: "that's a fine lute"
        if token.tag_ == "VB" and token.dep_ in ("ROOT", "conj") and _leads_itself(token):
            token.tag_ = "VBP"  # another: "my dogs love the sea"
        if (
            token.lower_ in _UNCHANGED
            and token.tag_ in ("VBP", "VB")
            and (_is_long_past(token) or _is_over(token) or _is_read_through(token))
        ):
            token.tag_ = "VBD"
        if token.lower_ in _UNCHANGED and token.tag_ == "VBD" and _is_habit(token) and not _is_long_past(token):
            token.tag_ = "VBP"
        if token.dep_ == "conj" and token.tag_ in ("VBP", "VB"):
            _mend_list(token)
        if token.lower_ == "allergic" and token.i + 2 < len(doc):
            _mend_object(token, doc[token.i + 1], doc[token.i + 2])
    return doc


def tagged(text: str) -> Doc:
    """With the kinds of its words alone, which takes a fraction of parsing it."""
    with _PARSING:
        nlp = model()
        doc = nlp.make_doc(text)
        for name in ("tok2vec", "tagger", "attribute_ruler"):
            doc = nlp.get_pipe(name)(doc)
    return doc


def _as_said(doc: Doc, words: list[str]) -> Doc:
    """A parsed text with its own words in the place of those that stood in for them."""
    own = Doc(
        doc.vocab,
        words=words,
        spaces=[bool(t.whitespace_) for t in doc],
        tags=[t.tag_ for t in doc],
        pos=[t.pos_ for t in doc],
        morphs=[str(t.morph) for t in doc],
        lemmas=[t.lemma_ if t.text == word else word for t, word in zip(doc, words, strict=True)],
        heads=[t.head.i for t in doc],
        deps=[t.dep_ for t in doc],
    )
    own.user_data["quoted"] = doc.user_data["quoted"]
    return own


def _leads_itself(verb: Token) -> bool:
    """Whether a verb has a plural subject before it and no helping verb, so that it cannot be an infinitive."""
    subject = next((c for c in verb.lefts if c.dep_ == "nsubj"), None)
    plural = subject is not None and (subject.tag_ in ("NNS", "NNPS") or any(c.dep_ == "conj" for c in subject.children))
    return plural and not any(c.dep_ in ("aux", "auxpass") for c in verb.children)


def _is_long_past(verb: Token) -> bool:
    """Whether the sentence says that it was: "I quit smoking in 2022", "when we met I put up a tent"."""
    if any(c.dep_ in ("aux", "auxpass") for c in verb.children):
        return False
    words = [t.lower_ for t in verb.sent]
    year = any(t.text.isdigit() and len(t) == 4 and t.head.lower_ == "in" for t in verb.subtree)
    then = any(c.tag_ == "VBD" and c.dep_ in ("conj", "advcl", "ccomp") for c in (*verb.children, verb.head))
    day = any(t.lower_ in MONTHS | WEEKDAYS and t.head.lower_ in ("in", "on") and t.head.head == verb for t in verb.subtree)
    return year or then or (day and not _is_habit(verb)) or not {"yesterday", "ago", "last"}.isdisjoint(words)


def _is_over(verb: Token) -> bool:
    """ "I quit smoking": nobody says so of what they do every day."""
    led = any(c.dep_ == "nsubj" for c in verb.children) and not any(c.dep_ in ("aux", "auxpass") for c in verb.children)
    return verb.lower_ == "quit" and verb.tag_ == "VBP" and led and not _is_habit(verb)


def _is_read_through(verb: Token) -> bool:
    """ "I read the report": once; not "I read the paper", nor what one reads every day."""
    if verb.lower_ != "read" or verb.tag_ != "VBP" or _is_habit(verb) or any(c.dep_ in ("aux", "auxpass") for c in verb.children):
        return False
    things = [c for c in verb.children if c.dep_ == "dobj" and c.tag_ == "NN" and c.lemma_ not in ("paper", "newspaper", "news", "bible")]
    return any(g.lower_ in ("the", "your", "his", "her") for c in things for g in c.children)


def _is_habit(verb: Token) -> bool:
    """ "I set two alarms every night"."""
    return any(c.dep_ == "nsubj" and c.lower_ in ("i", "we") for c in verb.children) and not _HABIT.isdisjoint(
        t.lower_ for t in verb.subtree
    )


def _mend_list(verb: Token) -> None:
    """What is listed behind a wish goes on the wish, or stands beside it: "I like to listen and read", "I like reading and want to listen"."""
    head = verb.head
    if any(c.dep_ in ("nsubj", "aux", "mark") for c in verb.children):
        return
    if verb.lemma_ in _WISHES:
        if head.tag_ == "VBG" and head.dep_ == "xcomp":
            verb.head, verb.tag_ = head.head, "VBP"
        return
    begun = next((c for c in head.children if c.dep_ == "xcomp" and c.tag_ == "VB" and c.i < verb.i), None)
    if begun is not None and head.lemma_ in _WISHES and any(c.tag_ == "TO" for c in begun.children):
        verb.head, verb.tag_ = begun, "VB"


def _mend_object(adjective: Token, to: Token, noun: Token) -> None:
    """What one is allergic to is a thing, also where the parser takes a rare noun for a verb: "allergic to shellfish"."""
    if to.lower_ == "to" and to.tag_ == "TO" and noun.head == adjective and noun.dep_ == "xcomp":
        noun.tag_, noun.pos_, noun.dep_ = "NN", "NOUN", "pobj"
        to.tag_, to.pos_, to.dep_, to.head = "IN", "ADP", "prep", adjective
        noun.head = to
