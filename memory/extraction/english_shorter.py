"""A clause without what trails behind it, where that points at something nobody can tell: "I went home before it started" as "I went home"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spacy.tokens import Token

from memory.extraction.english_clauses import Clause, auxiliaries, is_factive, is_negated, subject_of
from memory.extraction.english_words import DEMONSTRATIVE, LIKING

_REASONS = frozenset("because since so although though".split())
_TIMES = frozenset("while when before after until till as once".split())
_PLACING = frozenset("before after during at for".split())
_TURNS = frozenset("but yet or nor".split())
"""What stands behind them may undo what stands before: "I bought a boat but gave it back"."""
_NARROWED = frozenset("only just even rather less more as so too such almost nearly not".split())
"""With one of these before the verb the meaning may lie in what would fall away: "I only sing when she plays"."""


def shorter(clause: Clause) -> Iterator[Clause]:
    """The clause cut before an addition, the longest first; what is left says the same as it did within the whole."""
    tokens, root = clause.tokens, clause.root
    if clause.subject is None or clause.subject.lower_ in DEMONSTRATIVE:
        return  # "Hiking up there and seeing it was bliss", "this is a game where you …": its beginning says nothing by itself
    for place in range(len(tokens) - 1, 0, -1):
        if tokens[place - 1].i >= root.i and _opens_addition(tokens[place], clause):
            kept = tokens[:place]
            while kept and (kept[-1].is_punct or kept[-1].dep_ == "cc") and kept[-1] != root:
                kept = kept[:-1]
            yield Clause(kept, root, clause.subject, clause.shared)


def unplaced(clause: Clause, nouns: Sequence[Token]) -> Clause | None:
    """The clause without where, when or for what it was, if that alone says what one of these nouns is in: "I ate with Tom before the concert" as "I ate
    with Tom", "At the fair, I met Ida" as "I met Ida"."""
    tokens, root = list(clause.tokens), clause.root
    if clause.subject is None or is_negated(root) or root.lemma_ in LIKING or any(c.lower_ in _NARROWED for c in root.children):
        return None
    if not any(c.dep_ in ("dobj", "prt") or (c.dep_ == "prep" and c.lower_ not in _PLACING) for c in root.children):
        return None
    for noun in nouns:
        part = next((t for t in noun.ancestors if t.dep_ == "prep" and t.head == root and t.lower_ in _PLACING), None)
        if part is None or '"' in part.doc[part.left_edge.i : part.right_edge.i + 1].text:
            return None
        inside = [t for t in tokens if t == part or part.is_ancestor(t)]
        if not inside:
            continue  # it fell away with another noun: "before the concert and the ceremony"
        rest = [t for t in tokens if t not in inside]
        if inside[-1] == tokens[-1]:
            tokens = rest
        elif inside[0] == tokens[0] and rest[0].text == ",":
            tokens = rest[1:]
        else:
            return None
    return Clause(tuple(tokens), root, clause.subject, clause.shared)


def known_to_others(clause: Clause) -> Clause | None:
    """What others know of the speaker, or miss: "nobody knows that I write" as "I write"."""
    if not is_factive(clause.root):
        return None
    for known in clause.root.children:
        subject = subject_of(known) if known.dep_ == "ccomp" and known.i > clause.root.i else None
        if subject is not None and subject.lower_ == "i":
            return Clause(tuple(t for t in clause.tokens if t == known or (t.i >= subject.i and known.is_ancestor(t))), known, subject)
    return None


def beginning(clause: Clause) -> Clause | None:
    """What one began or went through, in "it's amazing how far I've come since I moved to Oslo three years ago": that was so whatever is said of it."""
    for verb in clause.tokens:
        told = verb.dep_ == "advcl" and verb.tag_ == "VBD" and verb.lemma_ != "be" and verb != clause.root
        subject = subject_of(verb) if told else None
        marked = any(c.dep_ == "mark" and c.lower_ == "since" for c in verb.children)
        if subject is not None and subject.lower_ == "i" and marked:
            return Clause(tuple(t for t in clause.tokens if t == verb or (t.i >= subject.i and verb.is_ancestor(t))), verb, subject)
    return None


def _opens_addition(token: Token, clause: Clause) -> bool:
    """Whether what can fall away begins with a word, a conjunction before it aside."""
    root = clause.root
    before = token.nbor(-1)
    if '"' in (token.text, before.text):
        return False
    if not (root == token or root.is_ancestor(token)):
        return bool(before.is_punct or before.dep_ == "cc")  # a further clause that leans on this one: "..., it's nothing"
    verb = next((t for t in (token, *token.ancestors) if _begins(t, token) and t.dep_ in _ADDED and t.i > root.i), None)
    if verb is None:
        return False
    if verb.dep_ == "advcl":
        return _is_beside(verb, root)
    if verb.dep_ == "conj":
        formerly = root.lemma_ == "use" and root.tag_ == "VBD"  # "I used to hike, but it's harder now": so it was whatever came after
        turns = before.lower_ in _TURNS and not formerly
        return before.dep_ == "cc" and not turns and verb.pos_ in ("VERB", "AUX") and verb.head == root
    return bool(before.text in (",", ";")) and (verb.dep_ == "prep" or verb.dep_ == "relcl" or subject_of(verb) is not None)


def _begins(verb: Token, token: Token) -> bool:
    """Whether a clause begins with a word; a day before its conjunction is none of it: "I fly to Oslo next week | after the tour ends"."""
    if verb.left_edge == token:
        return True
    ahead = [t for t in verb.doc[verb.left_edge.i : token.i] if t.i < token.i]
    return token.dep_ == "mark" and token.head == verb and all("npadvmod" in (t.dep_, t.head.dep_) for t in ahead)


_ADDED = frozenset("advcl conj relcl parataxis prep".split())


def _is_beside(verb: Token, root: Token) -> bool:
    """Whether a subordinate clause only says when or why: what was done was done without it. What is done "when it rains" is not done always."""
    marks = {c.lower_ for c in verb.children if c.dep_ in ("mark", "advmod") and c.i < verb.i}
    if is_negated(root) or root.lemma_ in LIKING or any(c.lower_ in _NARROWED for c in root.children):
        return False
    past = root.tag_ == "VBD" or any(t.lower_ in ("have", "'ve", "had", "has", "was", "were", "did") for t in auxiliaries(root))
    planned = root.tag_ == "VBG" and any(t.lemma_ == "be" for t in auxiliaries(root)) and bool(marks & {"before", "after"})
    return not marks.isdisjoint(_REASONS) or planned or (past and not marks.isdisjoint(_TIMES))
