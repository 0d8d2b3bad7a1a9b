"""Which clauses tell something worth keeping: news of the speaker and those near, not talk about the talk."""

from __future__ import annotations

from spacy.tokens import Token

from memory.extraction.english_clauses import Clause, auxiliaries, is_finite, is_negated
from memory.extraction.english_listener import TALK, is_of_the_talk, is_own
from memory.extraction.english_person import Cast
from memory.extraction.english_words import (
    AILMENTS,
    EMPTY_NOUNS,
    EMPTY_VERBS,
    FILLERS,
    FIRST,
    FRIENDS,
    HEDGES,
    ILL,
    KIN,
    LEADS,
    LIKING,
    MOODS,
    NEWS_VERBS,
    PARTNERS,
    PETS,
    REACTIONS,
    SECOND,
    SKILL_VERBS,
    TELLING,
    TRADES,
)

_PREFIXES = frozenset("so then now well oh yeah anyway first luckily finally recently lately just still".split())
_IMPERSONAL = frozenset(
    "sound look seem turn happen mean take work remind help excite bless love hope thank feel bet glad wait wish".split()
)
_NOTED = frozenset("try consider remember keep search check think give note follow look do".split())
_LIGHT = frozenset("be do have get go see know make take try help say hear come give let find keep".split())
_MEETING = frozenset("chat talk speak meet catch see hear discuss agree".split())


def stripped(clause: Clause, *, listener: str) -> Clause:
    """Without interjections, conjunctions and names called out at its ends, and without trailing comment (", which is great")."""
    tokens = _without_lead(list(clause.tokens), clause.root)
    while tokens and tokens[0] != clause.root and _is_prefix(tokens, listener):
        tokens = _without_lead(tokens[1:], clause.root)
    joint = next(
        (
            n
            for n, t in enumerate(tokens)
            if t.dep_ == "cc" and t.head == clause.root and clause.subject is not None and t.i < clause.subject.i
        ),
        None,
    )
    if joint is not None:
        tokens = tokens[joint + 1 :]  # "Seven years now, and I ..."
    while tokens and tokens[-1] != clause.root and _is_suffix(tokens, listener):
        tokens.pop()
    for token in tokens:
        which = token.left_edge
        if token.dep_ == "relcl" and token.lemma_ == "be" and which.lower_ == "which" and token.right_edge.i >= tokens[-1].i:
            tokens = [t for t in tokens if t.i < which.i and t != tokens[-1]]
            while tokens and tokens[-1].text == ",":
                tokens.pop()
            break
    return Clause(_balanced(tokens), clause.root, clause.subject, clause.shared)


def _balanced(tokens: list[Token]) -> tuple[Token, ...]:
    """With the quotation mark that fell off at an end; nothing if the words begin or end inside a quotation."""
    if sum(t.text == '"' for t in tokens) % 2 == 0:
        return tuple(tokens)
    doc, first, last = tokens[0].doc, tokens[0].i, tokens[-1].i
    for place in (last + 1, last + 2):
        if place < len(doc) and doc[place].text == '"':
            return (*tokens, doc[place])
    return (doc[first - 1], *tokens) if first and doc[first - 1].text == '"' else ()


def _without_lead(tokens: list[Token], root: Token) -> list[Token]:
    """Without "of course", "by the way", "Hi there, Ida," in front."""
    text = " ".join(t.lower_ for t in tokens[:6])
    lead = next((phrase for phrase in LEADS if text.startswith(phrase + " ")), "")
    if lead:
        rest = tokens[len(lead.split()) :]
        return rest if root in rest else tokens
    if tokens and tokens[0].lower_ in ("hi", "hello", "hey", "dear"):
        comma = next((n for n, t in enumerate(tokens[:6]) if t.text in (",", "!")), 0)
        return tokens[comma + 1 :] if comma and root in tokens[comma + 1 :] else tokens
    return tokens


_DEGREES = frozenset("far much many long often".split())


def _is_prefix(tokens: list[Token], listener: str) -> bool:
    first, second = tokens[0], tokens[1] if len(tokens) > 1 else None
    if first.is_space or first.dep_ in ("cc", "intj") or (first.text != '"' and not any(c.isalnum() for c in first.text)):
        return True
    if first.lower_ == "so" and second is not None and second.lower_ in _DEGREES:
        return False  # "So far it has been dry"
    if first.lower_ in FILLERS and (
        second is None or second.is_punct or first.dep_ in ("advmod", "cc", "dep", "npadvmod", "discourse") or first.lower_ == "so"
    ):
        return True
    return _is_called(first, listener) and second is not None and second.is_punct


def _is_suffix(tokens: list[Token], listener: str) -> bool:
    last, before = tokens[-1], tokens[-2] if len(tokens) > 1 else None
    if last.text == '"' and sum(t.text == '"' for t in tokens) % 2 == 0:
        return False
    if last.is_space or last.is_punct or last.dep_ in ("intj", "cc") or not any(c.isalnum() for c in last.text):
        return True
    after_comma = before is not None and before.is_punct
    if _is_called(last, listener) and before is not None and (after_comma or _is_called(before, listener)):
        return True
    return after_comma and (last.lower_ in FILLERS or (last.pos_ == "PROPN" and last.dep_ in ("npadvmod", "vocative", "dep")))


def _is_called(token: Token, listener: str) -> bool:
    said = token.text.casefold()
    return len(said) > 1 and token.pos_ in ("PROPN", "NOUN", "INTJ") and any(name.startswith(said) for name in listener.casefold().split())


def opening(clause: Clause, cast: Cast) -> str | None:
    """Words to put before a clause that lacks its subject, "" if it has it; None if it is no statement ("Take care!", "A sunny day.")."""
    root = clause.root
    if clause.shared:
        return cast.speaker if clause.subject is not None and clause.subject.lower_ == "i" else None
    if clause.subject is not None:
        return "" if clause.subject in clause.tokens and is_finite(root) else None
    first = clause.tokens[0]
    days = {t for c in root.lefts if c.dep_ == "npadvmod" for t in c.subtree}  # "Yesterday took the ferry"
    leads = all(t.lower_ in _PREFIXES or t.tag_ == "RB" or t.is_punct or t in days for t in clause.tokens if t.i < root.i)
    if not leads or root.lemma_ in _IMPERSONAL | EMPTY_VERBS or any(t.lower_ == "me" and t.head == root for t in clause.tokens):
        return None
    if not any(c.dep_ in ("dobj", "prep", "advmod", "prt", "xcomp") for c in root.children):
        return None
    if root.tag_ == "VBD" and root.pos_ == "VERB" and first.i <= root.i:
        return cast.speaker
    alone = not any(t.dep_ == "conj" and t.head == root and is_finite(t) for t in root.sent)
    if (
        alone
        and root.tag_ == "VBG"
        and first.i == root.i
        and root.i <= root.sent.start + 1
        and any(c.dep_ in ("dobj", "prep", "xcomp") for c in root.children)
    ):
        return f"{cast.speaker} is"
    return None


def is_worth_keeping(clause: Clause, *, listener: str) -> bool:
    """Whether it is about the speaker or those near, tells something, and is not addressed to what the listener said."""
    subject, root = clause.subject, clause.root
    if any(c.dep_ == "mark" for c in root.children) and root.dep_ in ("ROOT", "conj"):
        return False
    if root.tag_ in ("WP", "WRB") or any(t.tag_ in ("WP", "WRB") and t.i < root.i and t.head == root for t in clause.tokens):
        return False
    about_listener = [t for t in clause.tokens if t.lower_ in SECOND]
    if about_listener and not is_own(clause, about_listener):
        return False
    if subject is not None and subject.lower_ in FIRST | {"we"}:
        return _tells(clause) and (subject.lower_ != "we" or _is_ours(clause))
    if subject is None:
        return _tells(clause)
    return _is_near(subject, clause, listener) and _tells(clause)


def _is_ours(clause: Clause) -> bool:
    """Not the "we" of maxims ("we need to help each other") nor of this very talk."""
    root = clause.root
    if any(
        t.lemma_ in _MEETING and t.pos_ == "VERB" and not any(c.dep_ == "dobj" and c.lower_ != "you" for c in t.children)
        for t in clause.tokens
    ):
        return False
    if root.lemma_ in LIKING and any(c.dep_ in ("xcomp", "dobj") and c.tag_ in ("VBG", "NN", "NNS") for c in root.children):
        return not any(t.lower_ in ("all", "each", "other") for t in clause.tokens)
    if root.lemma_ in ("have", "need", "get") and any(c.dep_ == "xcomp" for c in root.children) and root.tag_ == "VBP":
        return False  # "we have to accept it"
    helpers = auxiliaries(root)
    tense = root.tag_ == "VBD" or any(t.lemma_ in ("be", "have", "will", "go") or t.lower_ in ("'ll", "'re", "'ve", "did") for t in helpers)
    habit = any(t.lower_ in ("always", "usually", "often", "every", "sometimes") for t in clause.tokens) or root.lemma_ in (
        "have",
        "live",
        "own",
    )
    custom = (
        root.tag_ == "VBP"
        and root.lemma_ not in EMPTY_VERBS | {"need", "want", "share", "deserve", "learn", "face"}
        and any(c.dep_ == "dobj" and c.pos_ == "NOUN" and c.lemma_ not in EMPTY_NOUNS for c in root.children)
        and not any(t.lower_ in ("can", "all", "each", "other", "if") for t in clause.tokens)
    )
    return tense or custom or (habit and not any(t.lower_ == "all" for t in clause.tokens))


def _is_near(subject: Token, clause: Clause, listener: str) -> bool:
    """Whether a third party or thing is the speaker's, or has a name."""
    if _is_called(subject, listener):
        return False
    if subject.pos_ == "PROPN":
        # what a name "is" tells of a person only if it says so; else it may be a place or a title, praised
        personal = KIN | PARTNERS | FRIENDS | TRADES | MOODS | ILL | PETS | {"allergic", "old"}
        return clause.root.lemma_ != "be" or any(t.lemma_.lower() in personal for t in clause.tokens)
    if any(t.lower_ == "my" or (t.lower_ == "our" and t.head == subject and subject.pos_ == "NOUN") for t in subject.subtree):
        return True
    if subject.tag_ == "PRP" and subject.lower_ in ("he", "she", "they"):
        return True
    if subject.lower_ in ("it", "this", "that", "these", "those", "there", "which", "what") or subject.lemma_ in EMPTY_NOUNS:
        return False
    definite = any(c.dep_ == "det" for c in subject.children)
    past = clause.root.tag_ in ("VBD", "VBN")
    if any(c.lower_ in ("each", "every", "any", "some", "no") for c in subject.children) or (definite and not past):
        return False
    return subject.pos_ in ("NOUN", "VERB") and any(t.lower_ in ("me", "us") or (t.lower_ == "my" and not definite) for t in clause.tokens)


def _tells(clause: Clause) -> bool:
    root = clause.root
    lemma = root.lemma_.lower()
    first_person = clause.subject is None or clause.subject.lower_ in FIRST | {"we"}
    helpers = {t.lower_ for t in auxiliaries(root)}
    news = (
        lemma in NEWS_VERBS and root.tag_ in ("VBD", "VBN") and any(c.dep_ == "dobj" and c.pos_ in ("NOUN", "PROPN") for c in root.children)
    )
    hopes = lemma == "hope" and any(c.dep_ == "xcomp" and c.lemma_ not in TALK | _LIGHT for c in root.children)
    eager = lemma == "wait" and is_negated(root) and not is_of_the_talk(root)
    if first_person and lemma in EMPTY_VERBS and not news and not hopes and not eager:
        return False
    if (
        lemma == "be"
        and first_person
        and any(c.lower_ in ("off", "back", "here", "up") and not any(g.dep_ == "xcomp" for g in root.children) for c in root.children)
    ):
        return False
    if first_person and {"will", "'ll"} & helpers and lemma in _NOTED:
        return False
    wished = [c for c in root.children if c.dep_ == "xcomp"] if lemma in ("want", "like", "love", "have", "need", "plan") else []
    if first_person and any(c.lemma_ in TALK for c in wished):
        return False
    if lemma in ("think", "believe", "feel") and any(c.dep_ == "dobj" for c in root.children) and root.tag_ != "VBD" and lemma == "think":
        return False
    if lemma in ("die", "starve", "freeze", "kill", "kid", "joke") and root.tag_ == "VBG" and (first_person or lemma == "kill"):
        return False  # so it is said of hunger and cold
    if lemma == "look" and any(t.lower_ == "forward" for t in clause.tokens) and is_of_the_talk(root):
        return False
    if first_person and any(c.lower_ == "sorry" for c in root.children):
        return False
    if first_person and lemma in ("be", "feel") and any(c.lower_ in REACTIONS for c in root.children) and not _has_own_matter(clause):
        return False
    if {"can", "ca"} & helpers and not is_negated(root) and not (first_person and lemma in SKILL_VERBS):
        return False
    return _weight(clause) >= 1


def _has_own_matter(clause: Clause) -> bool:
    return any(t.lower_ in ("my", "our") or t.pos_ == "PROPN" for t in clause.tokens)


def _weight(clause: Clause) -> int:
    """Content words beside the subject's head and empty ones."""
    root = clause.root
    said_of_self = any(c.dep_ in ("acomp", "attr") and c.lower_ in TELLING for c in root.children)
    able = root.lemma_ in SKILL_VERBS and any(t.lower_ in ("can", "ca") for t in auxiliaries(root))
    drawn = root.lemma_ in LIKING | {"want", "plan"} and any(
        c.dep_ == "xcomp" and c.tag_ == "VB" and c.lemma_ not in _LIGHT for c in root.children
    )
    words = int(root.lemma_ == "believe" or said_of_self or able or drawn)
    for token in clause.tokens:
        if token == clause.subject or token.is_punct:
            continue
        if (
            token.pos_ in ("PROPN", "NUM")
            or token.lower_ in AILMENTS
            or (token.tag_ == "VBG" and token.dep_ in ("xcomp", "pcomp", "ROOT"))
            or (token.pos_ == "NOUN" and token.lemma_.lower() not in EMPTY_NOUNS)
        ):
            words += 1
        elif (
            token == clause.root
            and token.pos_ == "VERB"
            and token.tag_ in ("VBD", "VBN", "VBG")
            and token.lemma_ not in ("have", "get", "do", "make", "be")
        ):
            words += token.dep_ == "ROOT" and any(c.dep_ in ("prep", "dobj") for c in token.children)
    return words


def trust(clause: Clause) -> float:
    """1 for what is plainly said, .6 for what is hedged."""
    return (
        0.6
        if any(t.lower_ in HEDGES and t.pos_ != "PROPN" and (t.i <= clause.root.i or t.head == clause.root) for t in clause.tokens)
        else 1.0
    )
