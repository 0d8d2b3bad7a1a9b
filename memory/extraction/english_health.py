"""What somebody does not take, and how their body is for good: "I don't drink", "I'm lactose intolerant", "I get seasick", "I'm deaf in one ear"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spacy.tokens import Span, Token

from memory.extraction.english_clauses import Clause, auxiliaries, is_negated
from memory.extraction.english_phrases import Found, noun_phrase, objects
from memory.extraction.english_words import BODY, DEMONSTRATIVE, DRINKS, FOODS, ILL

_ABSTAINED = frozenset("drink smoke vape gamble".split())
"""What one leaves for good where nothing more is said than that one does not."""
_UNDONE = _ABSTAINED | frozenset("drive swim dance ride fly".split())
_TAKEN = frozenset("alcohol liquor spirits booze cigarettes tobacco weed drugs pot meth".split())
_EVER = frozenset("never no longer any more anymore at all ever still not do n't n’t nt".split())
_MOSTLY = frozenset("really usually normally often always generally typically mostly much".split())
FOR_LIFE = frozenset("deaf blind diabetic asthmatic epileptic coeliac celiac anaemic anemic lame mute colourblind colorblind".split())
"""How one is that has been so, where nothing says that it ended."""
_IN_PART = frozenset("deaf blind lame paralysed paralyzed numb".split())
"""Where has to be said with it, if it is said: deaf in one ear is not deaf."""
_SICK = frozenset("seasick carsick airsick".split())
_IN_SLEEP = frozenset("sleepwalk snore stutter stammer lisp limp".split())
"""What one does without wanting to, as a rule."""
_MEALS = frozenset("breakfast lunch dinner meal snack food drink".split())
_LOST = frozenset("lose break shatter crush cut burn injure".split())


def abstains(clause: Clause) -> bool:
    """ "I don't drink", "I never smoke", "I don't drive any more": nothing of which narrows it, as much or tonight would."""
    return clause.subject is not None and clause.subject.lower_ != "we" and _is_undone(clause.root)


def _is_undone(verb: Token) -> bool:
    if verb.lemma_ not in _UNDONE or verb.tag_ not in ("VB", "VBP", "VBZ") or not is_negated(verb):
        return False
    if any(t.lower_ not in ("do", "does", "dont", "doesnt") for t in auxiliaries(verb)):
        return False
    return all(_leaves_whole(c, verb) for c in verb.children if c.dep_ not in ("nsubj", "aux", "neg", "intj") and not c.is_punct)


def _leaves_whole(word: Token, verb: Token) -> bool:
    """Whether what hangs on "I don't drink" leaves it as it is."""
    if word.i < verb.i and word.dep_ in ("ccomp", "advcl", "npadvmod", "cc"):
        return True
    if word.dep_ == "dobj":
        return (word.lower_ in _TAKEN and not any(True for _ in word.children)) or all(t.lower_ in _EVER for t in word.subtree)
    if word.lower_ in ("sorry", "thanks", "though"):
        return True
    if word.dep_ in ("advmod", "npadvmod") or word.dep_ == "prep":
        return all(t.lower_ in _EVER for t in word.subtree) or (word.i < verb.i and word.pos_ == "ADV" and word.lower_ not in _MOSTLY)
    if word.dep_ == "cc":
        return word.lower_ in ("or", "but") or any(c.dep_ == "conj" and any(g.dep_ == "nsubj" for g in c.children) for c in verb.children)
    if word.dep_ == "conj":
        own = any(c.dep_ == "nsubj" for c in word.children)
        return own or (word.lemma_ in _UNDONE and not any(True for _ in word.children))
    return word.dep_ == "advcl" and any(c.lower_ in ("because", "since", "as") for c in word.children)


def is_of_the_body(clause: Clause) -> bool:
    """How the speaker's body is, in words that tell it without a noun: "I'm lactose intolerant", "I get seasick", "I get snappy when I'm tired"."""
    root, subject = clause.root, clause.subject
    if subject is None or subject.lower_ != "i" or is_negated(root):
        return False
    if root.lemma_.lower() in _IN_SLEEP and root.tag_ in ("VBP", "VB") and not auxiliaries(root):
        return True
    if root.tag_ == "VBN" and any(c.dep_ == "oprd" and c.lower_ == "intolerant" for c in root.children):
        return True  # "I'm gluten intolerant", as the parser takes it
    how = [c for c in root.children if c.dep_ == "acomp" and c.i > root.i]
    if root.lemma_ == "be":
        how += [c for c in root.children if c.dep_ == "attr" and c.i > root.i]
        return any(c.lower_ == "intolerant" or c.lower_ in FOR_LIFE or _is_colour_blind(c) for c in how)
    if root.lemma_ != "get" or root.tag_ not in ("VBP", "VB") or auxiliaries(root):
        return False
    mine = any(
        c.dep_ == "advcl" and any(g.lower_ in ("when", "if", "whenever") for g in c.children) and any(g.lower_ == "i" for g in c.children)
        for c in root.children
    )
    return any(c.lower_ in _SICK or mine for c in how)


def sickens(clause: Clause) -> bool:
    """ "Nuts make me ill"."""
    made = [c for c in clause.root.children if c.dep_ in ("ccomp", "oprd", "xcomp") and (c.lower_ in ILL or c.lemma_ in _SYMPTOMS)]
    return clause.root.lemma_ == "make" and any(g.lower_ == "me" for c in made for g in (*c.children, *clause.root.children))


_SYMPTOMS = frozenset("sneeze itch faint vomit wheeze".split())


def of_health(verb: Token, helpers: Sequence[str]) -> Iterator[Found]:
    """Values of a verb whose subject is the player, denied or not."""
    negated = is_negated(verb)
    now = verb.tag_ in ("VBP", "VB") and not helpers
    if negated:
        yield from _abstaining(verb)
        if verb.lemma_ == "have" and {"ca", "can", "cannot"} & set(helpers) and _is_bare(verb):
            yield from (Found("food_disliked", *noun_phrase(n)) for n in objects(verb) if _is_taken(n))
        return
    yield from (found for word in verb.subtree if word.lower_ == "intolerant" and (found := _intolerant(word)) is not None)
    if verb.lemma_ == "have" and now:
        for noun in objects(verb):
            if noun.lemma_ == "intolerance" and (before := [c for c in noun.children if c.dep_ in ("compound", "amod")]):
                yield Found("allergies", before[0].i, noun.i + 1)
    if verb.lemma_.lower() in _IN_SLEEP and now:
        yield Found("health", verb.i, verb.i + 1)
    if verb.lemma_ == "get" and now:
        yield from (
            Found("health", verb.i, c.i + 1) for c in verb.children if c.dep_ == "acomp" and c.lower_ in _SICK and c.i == verb.i + 1
        )


def _abstaining(verb: Token) -> Iterator[Found]:
    if verb.lemma_ not in _ABSTAINED or verb.dep_ not in ("ROOT", "conj", "ccomp") or not _is_undone(verb):
        return
    before = [c for c in verb.children if c.i < verb.i and (c.dep_ in ("aux", "neg") or c.lower_ in ("never", "longer"))]
    taken = [c for c in verb.children if c.dep_ == "dobj" and c.lower_ in _TAKEN]
    other = [c for c in verb.children if c.dep_ == "conj" and c.lemma_ in _UNDONE and not any(True for _ in c.children)]
    if before:
        yield Found("habits", before[0].left_edge.i, max((verb, *taken, *other), key=lambda t: t.i).i + 1)


def _intolerant(word: Token) -> Found | None:
    """ "I'm lactose intolerant", "I'm intolerant to dairy": by its place, since the parser takes what one does not bear for a verb as often as not."""
    doc, at = word.doc, word.i
    am = next((i for i in (at - 1, at - 2) if i > 0 and doc[i].lower_ in ("am", "'m", "been")), None)
    if am is None or not any(t.lower_ == "i" for t in doc[max(0, am - 2) : am]):
        return None
    if at + 2 < len(doc) and doc[at + 1].lower_ in ("to", "of"):
        return Found("allergies", at, at + 3) if {doc[at + 2].lower_, doc[at + 2].lemma_.lower()} & _UNBORNE else None
    return Found("allergies", am + 1, at + 1) if am == at - 2 and not doc[at - 1].lower_.endswith("ly") else None


_UNBORNE = FOODS | DRINKS | frozenset("lactose gluten fructose histamine alcohol caffeine wheat nuts eggs penicillin aspirin".split())


def _is_bare(verb: Token) -> bool:
    """Not "I can't have coffee after six"."""
    return not any(c.dep_ in ("prep", "npadvmod", "advcl", "prt", "oprd", "ccomp") for c in verb.children) and not any(
        c.dep_ == "advmod" and c.lower_ not in _EVER for c in verb.children
    )


def _is_taken(noun: Token) -> bool:
    lemma = noun.lemma_.lower()
    loose = not any(c.dep_ in ("det", "poss", "prep", "relcl") for c in noun.children)
    return loose and lemma not in _MEALS and (lemma in FOODS | DRINKS or noun.lower_ in FOODS | DRINKS | _TAKEN)


def _is_colour_blind(word: Token) -> bool:
    return bool(word.lower_ == "blind" and word.i > 1 and word.nbor(-1).text == "-")


def affliction(word: Token) -> tuple[int, int] | None:
    """Where an illness is said, with the part of the body it is of: "deaf in my left ear"; None where that part is only pointed at."""
    if word.lower_ not in ILL:
        return None
    start = word.i - 2 if _is_colour_blind(word) and word.nbor(-2).lower_ in ("colour", "color") else word.i
    if word.lower_ in _IN_PART:
        doc, at = word.doc, word.i + 1
        if at < len(doc) and doc[at].lower_ in ("to", "without", "with"):
            return None  # "blind to it", "blind without my glasses"
        if at + 1 < len(doc) and doc[at].lower_ in ("in", "on"):
            part = next((t for t in doc[at + 1 : at + 5] if t.lemma_.lower() in BODY | {"side"}), None)
            if part is None or _is_pointed_at(doc[at + 1 : part.i]):
                return None
            return start, part.i + 1
    return start, word.i + 1


def _is_pointed_at(words: Span) -> bool:
    said = {t.lower_ for t in words}
    return bool(said & DEMONSTRATIVE) or ("the" in said and not said & {"left", "right"})


def pointed_at(token: Token) -> str | None:
    """What stands for "this" before a part of one's own body, so that it can be understood: "I lost these two fingers" as "two fingers"."""
    part = token.head
    if token.dep_ != "det" or token.lower_ not in DEMONSTRATIVE:
        return None
    lemma = part.lemma_.lower()
    if lemma in BODY and part.dep_ == "dobj" and part.head.lemma_ in _LOST and part.head.tag_ in ("VBD", "VBN"):
        if part.tag_ == "NNS":
            return "" if any(c.dep_ == "nummod" for c in part.children) else None
        return "an" if token.nbor().lower_[0] in "aeiou" else "a"
    ill = part.head.head
    if lemma in BODY | {"side"} and part.dep_ == "pobj" and part.head.lower_ in ("in", "on") and part.head.i > 0:
        before = part.head.nbor(-1)
        if before.lower_ in _IN_PART or ill.lower_ in _IN_PART:
            return "one"
    return None
