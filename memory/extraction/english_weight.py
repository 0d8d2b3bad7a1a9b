"""How much a clause says: words of content beside its subject's head and empty ones, and how surely it is said."""

from __future__ import annotations

from collections.abc import Mapping

from memory.extraction.english_clauses import Clause, auxiliaries
from memory.extraction.english_conditions import is_condition, is_custom, matters_to_me, moves_me
from memory.extraction.english_health import abstains, is_of_the_body, sickens
from memory.extraction.english_listener import TALK
from memory.extraction.english_phrases import is_bare
from memory.extraction.english_words import AILMENTS, EMPTY_NOUNS, EMPTY_VERBS, HEDGES, LIGHT_VERBS, LIKING, SKILL_VERBS, TELLING

_VAGUE = frozenset("lot bit fun time blast much".split())
_COURSE = frozenset("detail process situation ride journey challenge moment vibe energy atmosphere view feeling".split())
"""With no more than "the" before them they mean something that was spoken of."""
_LIVING = frozenset("sleep eat live work walk run smoke drink cook sing drive study train practice practise".split())


def weight(clause: Clause, known: Mapping[int, str]) -> int:
    """Content words beside the subject's head and empty ones."""
    root = clause.root
    said_of_self = any(c.dep_ in ("acomp", "attr") and c.lower_ in TELLING for c in root.children)
    able = root.lemma_ in SKILL_VERBS and any(t.lower_ in ("can", "ca") for t in auxiliaries(root))
    favoured = (
        root.lemma_ == "be"
        and clause.subject is not None
        and any(c.lower_ in ("favourite", "favorite") for c in clause.subject.children)
        and any(c.dep_ in ("acomp", "attr") and c.pos_ == "ADJ" for c in root.children)
    )  # a colour
    drawn = root.lemma_ in LIKING | {"want", "plan"} and any(
        c.dep_ == "xcomp" and c.tag_ == "VB" and c.lemma_ not in LIGHT_VERBS for c in root.children
    )
    lives = root.lemma_ in _LIVING and any(
        c.dep_ == "advmod" and c.lower_.endswith(("ly", "late", "early", "alone", "anymore", "hard")) for c in root.children
    )
    learnt = root.lemma_ in ("learn", "know") and any(c.dep_ in ("xcomp", "ccomp") and c.lemma_ in SKILL_VERBS for c in root.children)
    moved = root.tag_ in ("VBP", "VBZ") and root.lemma_ not in EMPTY_VERBS | LIGHT_VERBS | TALK and moves_me(clause)
    moved = moved or (root.lemma_ == "be" and matters_to_me(clause))
    bodily = abstains(clause) or is_of_the_body(clause) or sickens(clause)
    words = int(
        bodily
        or moved
        or root.lemma_ == "believe"
        or said_of_self
        or able
        or drawn
        or favoured
        or lives
        or learnt
        or is_custom(root)
        or is_condition(clause)
        or abstains(clause)
        or is_of_the_body(clause)
    )
    for token in clause.tokens:
        if token == clause.subject or token.is_punct:
            continue
        if (
            token.pos_ in ("PROPN", "NUM")
            or token.lower_ in AILMENTS
            or (token.pos_ == "PRON" and known.get(token.i))
            or (token.tag_ == "VBG" and token.dep_ in ("xcomp", "pcomp", "ROOT") and token.lemma_ not in ("go", "figure", "do"))
            or (token.pos_ == "NOUN" and token.lemma_.lower() not in EMPTY_NOUNS and not (token.lemma_ in _COURSE and is_bare(token)))
        ):
            words += 1
        elif (
            token == clause.root
            and token.pos_ == "VERB"
            and token.tag_ in ("VBD", "VBN", "VBG")
            and token.lemma_ not in ("have", "get", "do", "make", "be")
        ):
            words += (
                token.dep_ == "ROOT"
                and token.lemma_ != "figure"
                and any(
                    c.dep_ in ("prep", "dobj") and c.lemma_ not in _VAGUE and not (c.lemma_ in _COURSE and is_bare(c))
                    for c in token.children
                )
            )
    return words


def trust(clause: Clause) -> float:
    """1 for what is plainly said, .6 for what is hedged."""
    return (
        0.6
        if any(t.lower_ in HEDGES and t.pos_ != "PROPN" and (t.i <= clause.root.i or t.head == clause.root) for t in clause.tokens)
        else 1.0
    )
