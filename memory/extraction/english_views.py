"""What is said of the world at large, and what leans on the sentence before: told as the speaker's view, or together with that sentence."""

from __future__ import annotations

from spacy.tokens import Token

from memory.extraction.english_clauses import Clause, auxiliaries, is_finite, subject_of
from memory.extraction.english_person import Cast
from memory.extraction.english_words import DEMONSTRATIVE, DISLIKING, EMPTY_NOUNS, FIRST, FIRST_PLURAL, LIKING, SECOND, THIRD

VIEW = 0.6
"""Trust in a view of things in general, as in what is hedged: the speaker holds it, but it is no news of her."""
_PRESENT = ("VBZ", "VBP")
_JUDGING = frozenset("make bring help give keep teach matter mean deserve need inspire lift connect remind feel seem".split())
_POINTING = frozenset("it this that these those there here they he she what which who".split())
_REMARK = frozenset("sound look seem wait happen hear bet".split())
_MIN_VIEW = 5
_NOT_SHOWN = frozenset(
    "dream honor honour challenge goal passion reason result privilege blessing joy experience time year "
    "run shift day week night job try trip round move stop life "
    "story tale understanding opinion view thought idea suggestion answer point feeling plan guess tip recommendation way chance favourite favorite".split()
)
_PICTURES = frozenset("photo pic picture photograph image shot snap snapshot example".split())


def is_view(clause: Clause) -> bool:
    """Whether it says something of things in general: "Old maps tell stories", "It is hard to leave a harbour"."""
    subject, root = clause.subject, clause.root
    if (
        subject is None
        or clause.words < _MIN_VIEW
        or root.lemma_ in _REMARK
        or any(t.lower_ in SECOND | FIRST_PLURAL for t in clause.tokens)
    ):
        return False
    if not _is_present(root) or any(t.tag_ in ("WP", "WRB", "WDT") and t.i <= root.i for t in clause.tokens):
        return False
    if is_dummy(subject):
        if any(t.lemma_ == "hear" and t.tag_ == "VB" for t in clause.tokens):
            return False  # "it's tough to hear that": of what the other said
        return _content(clause, behind=root) >= 2
    if any(c.lower_ == "the" or c.lower_ in DEMONSTRATIVE or c.tag_ == "PRP$" for c in subject.children):
        return False
    if subject.dep_ == "csubj" and root.lower_ == "are" and not any(c.dep_ == "conj" for c in subject.children):
        return False  # the half of "resting and reading are …"
    if any(c.dep_ == "conj" and c.tag_ == "VB" and subject_of(c) is None and c in clause.tokens for c in root.children):
        return False  # advice behind it: "..., but don't be too nervous"
    if any(
        t.tag_ == "VB" and t.i < root.i and subject_of(t) is None and not any(c.dep_ == "aux" for c in t.children) for t in clause.tokens
    ):
        return False  # advice in front of it: "never give up, patience is ..."
    if subject.pos_ not in ("NOUN", "VERB") or subject.lower_ in _POINTING or subject.lemma_.lower() in EMPTY_NOUNS:
        return False
    return _content(clause, behind=subject) >= 2


def is_regard(clause: Clause) -> bool:
    """ "I'm proud of you for speaking up in class": what one feels for whom one talks with, and for what."""
    root, subject = clause.root, clause.subject
    if (
        subject is None
        or subject.lower_ != "i"
        or root.tag_ not in (*_PRESENT, "VB")
        or any(t.tag_ in ("WP", "WRB") for t in clause.tokens)
    ):
        return False
    felt = next((c for c in root.children if c.dep_ == "acomp" and c.lower_ in _REGARDS), None) if root.lemma_ == "be" else None
    if felt is None and root.lemma_ not in _ADMIRING:
        return False
    if felt is not None and any(c.dep_ == "xcomp" for c in (*root.children, *felt.children)):
        return False  # "I'm grateful to be able to talk with you": a courtesy
    addressed = [t for t in clause.tokens if t.lower_ in SECOND]
    if (
        not addressed
        or any(t.dep_ in ("nsubj", "nsubjpass") for t in addressed)
        or any(t.lower_ in THIRD or t.lower_ in DEMONSTRATIVE for t in clause.tokens)
    ):
        return False
    return _content(clause, behind=felt or root) >= 2


def is_praise(clause: Clause) -> bool:
    """ "Your commitment to helping others is inspiring": what is theirs, said with what it is, and weighed."""
    subject, root = clause.subject, clause.root
    if subject is None or subject.pos_ != "NOUN" or not any(c.lower_ == "your" for c in subject.children) or not _is_present(root):
        return False
    if any(t.lower_ in THIRD or t.lower_ in DEMONSTRATIVE or t.tag_ in ("WP", "WRB") for t in clause.tokens):
        return False
    which = any(c.dep_ in ("prep", "acl", "relcl") for c in subject.children)
    return which and (root.lemma_ == "be" or root.lemma_ in _JUDGING) and _content(clause, behind=subject) >= 2


_REGARDS = frozenset("proud grateful thankful".split())
_ADMIRING = frozenset("admire respect envy miss".split())


def is_judgment(clause: Clause) -> bool:
    """Whether a view weighs what it is about, rather than reporting it."""
    root = clause.root
    return root.lemma_ == "be" or root.lemma_ in _JUDGING or any(t.lower_ == "can" for t in auxiliaries(root))


def shown(clause: Clause) -> Clause | None:
    """What a clause holds out to be looked at: "here's a photo of my boat", "take a look at the lamp I built", "this is my sister with her kite"."""
    root = clause.root
    things = [c for c in root.children if c.i > root.i and c.dep_ in ("nsubj", "attr", "dobj")]
    if root.lemma_ == "be" and root.tag_ in _PRESENT:
        before = next((t for t in clause.tokens if t.i < root.i and t.head == root), None)
        if before is None or before.lower_ not in ("here", "this", "these") or not things:
            return None
        noun = things[0]
        if noun.lemma_.lower() in _NOT_SHOWN:
            return None
    elif root.lemma_ in ("look", "check", "take") and root.tag_ == "VB" and not any(t.i < root.i and t.head == root for t in clause.tokens):
        reached = [t for t in root.subtree if t.dep_ == "pobj" and t.head.lower_ == "at"]
        noun = next(iter(reached or ([] if root.lemma_ == "take" else things)), root)
    else:
        return None
    tokens = tuple(t for t in clause.tokens if t.i >= noun.left_edge.i)
    own = any(t.lower_ in FIRST | FIRST_PLURAL for t in tokens)
    named = [t for t in tokens if t.pos_ in ("NOUN", "PROPN") and t.lemma_.lower() not in EMPTY_NOUNS | _PICTURES]
    if any(t.text == ":" for t in tokens) or any(c.lower_ == "some" for c in noun.children):
        return None  # "here are some soups I like", "here's the recipe I use: peel the pears, …"
    if noun.pos_ not in ("NOUN", "PROPN") or any(t.lower_ in SECOND for t in tokens) or not (named and (own or len(named) > 1)):
        return None
    return Clause(tokens, noun, None)


def is_dummy(token: Token) -> bool:
    """The "it" of "it is good to rest", which stands for nothing said before."""
    if token.lower_ != "it":
        return False
    if token.dep_ == "dobj":  # "I love it when she sings"
        return token.head.lemma_ in LIKING | DISLIKING and any(
            c.dep_ == "advcl" and c.i > token.i and any(g.lower_ == "when" for g in c.children) for c in token.head.children
        )
    if is_spent(token.head):
        return True
    if token.head.lemma_ not in ("be", "feel", "take", "make"):
        return False
    described = [c for c in token.head.children if c.dep_ in ("acomp", "attr") and c.i > token.i]
    # What belongs to a noun says which: in "it is a good way to cross", "it is a subject to learn" it is something that was said before.
    behind = [*token.head.children, *(c for d in described if d.pos_ != "NOUN" for c in d.children)]
    if any(d.pos_ == "NOUN" for d in described):
        behind = [c for c in behind if c.tag_ != "VB" or any(g.dep_ in ("dobj", "prep", "ccomp", "xcomp", "advmod") for g in c.children)]
    return bool(described) and any(
        c.dep_ in ("xcomp", "ccomp", "advcl", "relcl", "acl", "csubj") and c.i > described[0].i and _begins_plainly(c) for c in behind
    )


def is_spent(verb: Token) -> bool:
    """ "It takes me an hour to fall asleep"."""
    return (
        verb.lemma_ in ("take", "cost")
        and any(c.lower_ == "me" for c in verb.children)
        and any(c.dep_ == "xcomp" and c.tag_ == "VB" for c in verb.children)
    )


def _begins_plainly(verb: Token) -> bool:
    """With "to", "-ing", "how" or "that": what the judgment is about."""
    first = verb.left_edge
    return first.tag_ in ("TO", "VBG") or first.lower_ in ("how", "that", "when")


def adds(clause: Clause, cast: Cast) -> bool:
    """Whether a clause says more of what the one before told: of "it", "they", "the road"."""
    subject, root = clause.subject, clause.root
    if subject is None or clause.shared or subject not in clause.tokens or not is_finite(root) or root.lemma_ in _REMARK:
        return False
    if any(t.lower_ in SECOND for t in clause.tokens) or any(t.tag_ in ("WP", "WRB") and t.head == root for t in clause.tokens):
        return False
    if any(c.dep_ == "mark" for c in root.children):
        return False
    leans = subject.lower_ in THIRD or any(c.lower_ == "the" or c.tag_ == "PRP$" for c in subject.children)
    own = subject.lower_ in FIRST | FIRST_PLURAL and any(t.lower_ in THIRD for t in clause.tokens) and root.lemma_ not in _TALKING
    return (leans or own) and _content(clause, behind=subject) >= 1


_TALKING = frozenset("love like think know hope guess see mean bet appreciate wish believe agree thank".split())


def _is_present(root: Token) -> bool:
    helpers = auxiliaries(root)
    return (helpers[0] if helpers else root).tag_ in _PRESENT or any(t.lower_ == "can" for t in helpers)


def _content(clause: Clause, *, behind: Token) -> int:
    """Words with a meaning of their own behind a word."""
    return sum(
        t.i > behind.i
        and not t.is_stop
        and (t.pos_ in ("NOUN", "PROPN", "NUM", "ADJ") or (t.pos_ == "VERB" and t.lemma_ != "be"))
        and t.lemma_.lower() not in EMPTY_NOUNS
        for t in clause.tokens
    )
