"""What an English message takes back: "I made that up", "forget what I said about the boat", "I don't keep bees any more", "I have no dog"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from spacy.tokens import Doc, Token

from memory.extraction.draft import CALLED_OFF, DONE, NO_MORE, Denial
from memory.extraction.english_clauses import auxiliaries, is_asserted, is_negated, is_quoted, logical_subject
from memory.extraction.english_endings import endings_of
from memory.extraction.english_phrases import after, is_definite, objects
from memory.extraction.english_reversals import reversals_of
from memory.extraction.english_speech import speech
from memory.extraction.english_words import EMPTY_NOUNS, EMPTY_VERBS, FIRST_PLURAL, KIN, LIGHT_VERBS, PARTNERS, PETS, THINGS
from storage.terms import query_terms

_END = r"(?=\s*(?:[.,;:!?)…—]|$|-|and\b|because\b|so\b|to (?:see|test|tease|impress)\b|about\b|just\b|earlier\b|before\b))"
_IT = r"(?:it|that|this|them|everything|all(?: of)? (?:it|that|this)|(?:it|that) all|the whole (?:thing|story))"
_TAKES_BACK = re.compile(
    rf"\bI (?:just |only |totally |actually )?(?:made|invented) {_IT}(?: (?:all|up|all up))?{_END}(?! to\b)"
    rf"|\bI(?:['’]m| am| was|['’]ve been| have been) (?:just |only )?(?:making {_IT} up|lying|kidding|joking|exaggerating|role-?playing|testing you|teasing you"
    rf"|pulling your leg|in character){_END}"
    rf"|\b(?:just|only) (?:kidding|joking|teasing|role-?playing|testing you){_END}"
    rf"|\bI lied(?: to you)?{_END}"
    r"|\b(?:that|it|which|this|all of (?:it|that)|everything I said|what I (?:just )?(?:said|told you|wrote)(?: (?:before|earlier|just now))?)"
    r" was (?:all |only |just |completely )?(?:an? (?:lie|joke|fib|invention|test)|lies|nonsense|made up|invented|role-?play|my character(?: (?:speaking|talking))?)\b"
    r"|\b(?:that|it|which|this|all of (?:it|that)|what I (?:just )?(?:said|told you|wrote)(?: (?:before|earlier|just now))?)"
    r" (?:wasn['’]t|was not|isn['’]t what|was never) (?:actually |really )?(?:true|a true \w+)\b"
    r"|\bwhich (?:isn['’]t|is not) (?:actually |really )?true\b|\bnone of (?:it|that|this) (?:is|was) (?:actually )?true\b"
    rf"|\bI (?:have to )?take (?:it|that|it all|that all)(?: all)? back{_END}|\bscratch that{_END}"
    r"|\b(?:forget|ignore|disregard|never mind) (?:what|everything|all) I (?:just )?(?:said|told you|wrote)(?! about)\b"
    r"|\b(?:forget|ignore) I (?:ever )?said (?:that|it|anything)\b",
    re.IGNORECASE,
)
"""After which what the speaker said before does not hold."""
_OWN = re.compile(r"\b(?:I|my|kidding|joking|joke|teasing|testing|role-?play\w*|scratch)\b", re.IGNORECASE)
"""Of these what can mean nobody's words but the speaker's: "that was a lie" may answer the other's."""
_NO_MORE = re.compile(r"\W*(?:(?:well|oh|actually|but|sadly|no),? )*(?:not|no) (?:any ?(?:more|longer))\b", re.IGNORECASE)
_SAID_OF = r"(?:(?:what|everything|all|the (?:bit|part|thing|story|stuff))(?: that)?(?: I(?:['’]ve)? (?:said|told you|wrote|mentioned)(?: (?:earlier|before))?)? about)"
_OF = re.compile(
    rf"\b(?:(?:forget|ignore|scratch|disregard|never mind) {_SAID_OF}|I (?:lied about|made up|invented)) (?P<a>[^.,;:!?]{{2,50}})"
    rf"|\b{_SAID_OF} (?P<b>[^.,;:!?]{{2,50}}?) (?:was|is|wasn['’]t|isn['’]t|was not|is not) (?:not |all |just )*(?:true|an? (?:lie|joke|fib)|made up|invented|lies)\b",
    re.IGNORECASE,
)
_VAGUE = frozenset("part bit thing stuff stori said time earlier whole all everyth it that".split())
_OPENING = re.compile(
    r"\W*(?:(?:well|oh|ok|okay|no|nah|sorry|actually|honestly|haha|hehe|lol|right|yeah|yes|but|and|so|ah|um|hm+|hey|look|listen|alright|fine"
    r"|to be (?:honest|fair)|(?:the )?truth is|I confess|I admit|I have to (?:confess|admit)|confession|psych|gotcha|wait)\b\W*)*(?:[A-Z]\w+\W+)?",
    re.IGNORECASE,
)
"""Before "I made that up", where that means what was said in the message before."""
_POINTING = frozenset("it that this them there here you him her".split())
_THIS_ONCE = frozenset("tonight today tomorrow weekend".split())
_CANCELS = frozenset("cancel scrap postpone abandon".split())
_ANY_PLAN = frozenset("trip journey visit plan holiday vacation tour outing".split())
"""Called off without its name."""
_FINISHES = frozenset("do run finish complete attend pass make take have".split())
_LONG_AGO = frozenset("ago once last when as".split())
_HAVING = frozenset("have own keep".split())
_KEPT = KIN | PARTNERS | PETS | THINGS


def holds(quote: str, text: str, speaker: str) -> bool:
    """Whether something said in a message holds in spite of what the same message takes back: it was said after that, or is a denial itself."""
    start = text.find(quote)
    for low, high in speech(text, speaker):
        if (found := _TAKES_BACK.search(text, low, high)) and start <= found.start() and not _DENIED.search(text, start, found.start()):
            return False
        if (found := _OF.search(text, low, high)) and start <= found.start() < start + len(quote):
            return False
    return True


_DENIED = re.compile(r"n['’]t\b|\b(?:no|not|never)\b")


def denials_of(doc: Doc | None, text: str, speaker: str) -> tuple[Denial, ...]:
    """What a message takes back of earlier ones. doc: its statements as they were parsed, None if it has none."""
    own = " ".join(text[start:end] for start, end in speech(text, speaker))
    made = [Denial(words) for found in _OF.finditer(own) if (words := _words(found.group("a") or found.group("b")))]
    at = _TAKES_BACK.search(own)
    if _NOT_TRUE.search(own):
        made += [denial for token in doc or () if (denial := _of_somebody_else(token)) is not None]
    for token in doc or ():
        if token.pos_ in ("VERB", "AUX") and not is_quoted(token):
            made += _of_verb(token, corrects=at is not None)
    if not made and _NO_MORE.match(own):
        made = [Denial(act=NO_MORE)]
    if not made and at is not None and _OWN.search(at.group()) and _OPENING.fullmatch(own[: at.start()]):
        made = [Denial()]
    return tuple(dict.fromkeys(made))


_NOT_TRUE = re.compile(
    r"\b(?:it|that)(?:['’]s not| is not| isn['’]t|['’]s not really) (?:actually |really )?true\b|\bI (?:was|got) mixed up\b", re.IGNORECASE
)


def _of_somebody_else(verb: Token) -> Denial | None:
    """ "That's not true, it was Owen who was allergic to cats": so I am not."""
    name = verb.head
    if (
        verb.dep_ != "relcl"
        or name.dep_ != "attr"
        or name.lower_ in ("me", "i")
        or not any(c.lower_ in ("who", "that") for c in verb.children)
    ):
        return None
    if name.head.lemma_ != "be" or not any(c.lower_ == "it" for c in name.head.children):
        return None
    nouns = [
        *objects(verb),
        *(n for c in verb.children if c.dep_ in ("acomp", "prep") for n in (*after(c, "to", "of", "in"), *after(verb, "to", "of", "in"))),
    ]
    words = tuple(dict.fromkeys(word for noun in nouns for word in _named(noun)))
    return Denial(words, verb.lemma_) if words else None


def _words(about: str) -> tuple[str, ...]:
    return tuple(term for term in query_terms(about) if term not in _VAGUE)


def _of_verb(verb: Token, *, corrects: bool) -> Iterator[Denial]:
    """What a verb denies. corrects: the message says that something was not true, so that any denial in it is a correction."""
    subject = logical_subject(verb)
    if subject is None or not is_asserted(verb):
        return
    mine = subject.lower_ in ("i", "we")
    yield from endings_of(verb, subject)
    yield from reversals_of(verb, subject)
    yield from _of_plans(verb, subject, mine=mine)
    nouns = [c for c in verb.children if c.dep_ in ("dobj", "attr") and any(g.lower_ == "no" for g in c.children)]
    if mine and not is_negated(verb) and not nouns and _leaves_off(verb):
        yield from _left_off(verb)
    elif mine and (is_negated(verb) or nouns):
        nouns = nouns or [n for n in objects(verb) if not is_definite(n)]
        if _is_over(verb):
            yield from _over(verb)
        elif corrects:
            yield from (Denial(words) for words in map(_named, nouns) if words)
        elif _has(verb) and not _has_more(verb):
            yield from (Denial(_named(n), "have") for n in nouns if n.lemma_.lower() in _KEPT)
    elif corrects and any(t.lower_ == "do" and t.tag_ in ("VBP", "VB") for t in auxiliaries(verb)):
        noun = subject if subject.pos_ == "NOUN" else next(iter(objects(verb)), None)
        if noun is not None and (words := _named(noun)):
            yield Denial(words)  # "my socks do match"


def _of_plans(verb: Token, subject: Token, *, mine: bool) -> Iterator[Denial]:
    """What comes to nothing: "the trip is off", "we cancelled the party", "I'm not going to Leith after all"; and what was done: "I ran the race"."""
    off = any(c.lower_ == "off" and c.dep_ in ("prt", "advmod", "prep", "acomp") for c in verb.children)
    if verb.lemma_ in _CANCELS or (off and verb.lemma_ in ("call", "be") and not is_negated(verb)):
        noun = next(iter(objects(verb)), None) if mine else subject
        if noun is not None and noun.pos_ in ("NOUN", "PROPN") and (mine or verb.lemma_ in ("be", "call") or subject.dep_ == "nsubjpass"):
            yield Denial(() if noun.lemma_.lower() in _ANY_PLAN and not _whither(noun) else (*_sayable(noun), *_whither(noun)), CALLED_OFF)
        return
    if not mine:
        return
    if verb.lemma_ == "go" and verb.tag_ == "VBG" and is_negated(verb):
        ahead = next((c for c in verb.children if c.dep_ == "xcomp" and c.tag_ == "VB"), None)
        meant = (*(_named(n)[-1] for n in objects(ahead) if _named(n)), ahead.lemma_) if ahead is not None else _whither(verb)
        if meant:
            yield Denial(meant, CALLED_OFF)
    elif verb.tag_ in ("VBD", "VBN") and not is_negated(verb) and not any(t.lower_ in _LONG_AGO or t.text.isdigit() for t in verb.sent):
        for noun in objects(verb):
            if (words := _named(noun)) and (is_definite(noun) or noun.pos_ == "PROPN" or any(c.lower_ == "my" for c in noun.children)):
                yield Denial(words if verb.lemma_ in _FINISHES else (*words, verb.lemma_), DONE)
        if verb.lemma_ in ("go", "fly", "travel", "move") and (words := _whither(verb)):
            yield Denial(words, DONE)


def _sayable(noun: Token) -> tuple[str, ...]:
    return () if noun.lemma_.lower() in _ANY_PLAN else _named(noun)


def _whither(word: Token) -> tuple[str, ...]:
    """Leith, in "go to Leith" and "the trip to Leith"."""
    return tuple(n.lemma_.lower() for c in word.children if c.dep_ == "prep" and c.lower_ == "to" for n in c.children if n.dep_ == "pobj")


def _leaves_off(verb: Token) -> bool:
    if verb.tag_ not in ("VBD", "VBN"):
        return False
    return verb.lemma_ in ("stop", "quit") or (verb.lemma_ == "give" and any(c.lower_ == "up" for c in verb.children))


def _has(verb: Token) -> bool:
    """ "I have", "I own", "I've got", now."""
    helpers = auxiliaries(verb)
    if verb.lemma_ == "get":
        return verb.tag_ == "VBN" and any(t.lower_ in ("have", "'ve") for t in helpers)
    return verb.lemma_ in _HAVING and verb.tag_ in ("VBP", "VB") and not any(t.tag_ == "MD" or t.lower_ == "did" for t in helpers)


def _has_more(verb: Token) -> bool:
    """ "I don't have a dog, I have two"."""
    others = [t for t in (verb.head, *verb.children, *verb.head.children) if t != verb and t.lemma_ in _HAVING]
    return any(c.dep_ == "dobj" and c.tag_ == "CD" for other in others for c in other.children)


def _over(verb: Token) -> Iterator[Denial]:
    """ "I don't play the harp any more", "I no longer live with my aunt", "I don't write anything down any more"."""
    if any(c.lower_ in _POINTING for c in verb.children) or any(t.lower_ in _THIS_ONCE for t in verb.sent):
        return  # of what was said before, who knows what; or only of this once
    nouns = [c for c in verb.children if c.dep_ in ("dobj", "attr")]
    nouns += [n for c in verb.children if c.dep_ == "prep" for n in c.children if n.dep_ == "pobj"]
    words = tuple(dict.fromkeys(word for noun in nouns for word in _named(noun)))
    act = "have" if verb.lemma_ in _HAVING else verb.lemma_
    tells = (
        act not in ("have", "be")
        and verb.lemma_ not in EMPTY_VERBS | LIGHT_VERBS
        and not any(n.pos_ == "NOUN" and n.lemma_ != "anything" for n in nouns)
    )
    if words or tells:
        yield Denial(words, act)


def _left_off(verb: Token) -> Iterator[Denial]:
    """ "I quit smoking", "I stopped playing the harp"."""
    for act in verb.children:
        if (
            act.lower_.endswith("ing")
            and act.dep_ in ("xcomp", "pcomp", "dobj", "advcl")
            and act.i > verb.i
            and act.lemma_ not in EMPTY_VERBS
        ):
            things = [words for noun in objects(act) if (words := _named(noun))]
            yield from (Denial(words, act.lemma_) for words in things)
            alone = act.lemma_ not in LIGHT_VERBS | _HAVING | {"be"} and not any(c.dep_ in ("dobj", "prep") for c in act.children)
            if not things and alone:
                yield Denial((), act.lemma_)


def _is_over(verb: Token) -> bool:
    """ "… any more", "no longer"."""
    words = " ".join(t.lower_ for t in verb.subtree)
    return bool(re.search(r"\b(?:any ?more|any longer|no longer)\b(?! (?:than|of|to|questions)\b)", words))


def _named(noun: Token) -> tuple[str, ...]:
    """A noun with what stands before it and says which; nothing if it says nothing by itself."""
    if noun.pos_ not in ("NOUN", "PROPN") or noun.lemma_.lower() in EMPTY_NOUNS or any(c.lower_ in FIRST_PLURAL for c in noun.children):
        return ()
    before = [
        c.lemma_.lower() for c in noun.children if c.dep_ in ("compound", "amod") and c.i < noun.i and c.lower_ not in ("single", "own")
    ]
    return (*before, noun.lemma_.lower())
