"""Clauses as statements: without what is said around them, and with a subject where chat leaves it out."""

from __future__ import annotations

from spacy.tokens import Token

from memory.extraction.english_clauses import Clause, is_finite, subject_of
from memory.extraction.english_person import Cast
from memory.extraction.english_words import EMPTY_VERBS, FILLERS, FIRST, LEADS, TITLES

_FINITE = ("VBP", "VBZ", "VBD", "MD")
_PREFIXES = frozenset("so then now well oh yeah anyway first luckily finally recently lately just still".split())
_TAKEN_IN = frozenset("note copy agree understand".split())
_IMPERSONAL = frozenset(
    "sound look seem turn happen mean take work remind help excite bless love hope thank feel bet glad wait wish".split()
)


def stripped(clause: Clause, *, listener: str) -> Clause:
    """Without interjections, conjunctions and names called out at its ends, and without trailing comment (", which is great")."""
    tokens = _without_lead(list(clause.tokens), clause.root)
    while tokens and tokens[0] != clause.root and _is_prefix(tokens, clause.root, listener):
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
        tokens = tokens[: -_trailing(tokens)]
    for token in tokens:
        which = token.left_edge
        if token.dep_ == "relcl" and which.i > clause.root.i and token.right_edge.i >= tokens[-1].i and _is_handed(token):
            tokens = [t for t in tokens if t.i < which.i]  # "... that I want to share with you"
            break
        if token.dep_ == "relcl" and token.lemma_ == "be" and which.lower_ == "which" and token.right_edge.i >= tokens[-1].i:
            tokens = [t for t in tokens if t.i < which.i and t != tokens[-1]]
            while tokens and tokens[-1].text == ",":
                tokens.pop()
            break
    return Clause(_closed(_balanced(_without_upshot(tokens, clause.root))), clause.root, clause.subject, clause.shared)


def _without_upshot(tokens: list[Token], root: Token) -> list[Token]:
    """Without what somebody else, or the talk, is to make of it: "I broke a wrist at work, so stairs are a dream". What the speaker does in consequence stays."""
    for n in range(2, len(tokens) - 1):
        token, after = tokens[n], tokens[n + 1]
        if token.lower_ != "so" or token.i < root.i or after.lower_ in ("that", *FIRST, "we", "my") or after.pos_ not in _BEGINNING:
            continue
        if any(t.lower_ in ("can", "could") for t in tokens[n + 1 :]):
            continue  # to what end
        if (after.lower_ == "no" or any(t.tag_ in _FINITE for t in tokens[n + 1 :])) and not any(
            t.lower_ in FIRST for t in tokens[n + 1 :]
        ):
            kept = tokens[:n]
            while kept and (kept[-1].is_punct or kept[-1].lower_ == "and"):
                kept.pop()
            return kept if root in kept else tokens
    return tokens


_BEGINNING = frozenset(("DET", "NOUN", "PROPN", "PRON", "ADP", "SCONJ"))
_HANDED = frozenset("share show tell send give".split())


def _is_handed(relative: Token) -> bool:
    """Whether a relative clause only says that it is for the listener."""
    inside = [*relative.subtree]
    return (
        relative.left_edge.lower_ in ("that", "which")
        and any(t.lower_ in ("you", "your") for t in inside)
        and any(t.lemma_ in _HANDED for t in inside)
    )


def _balanced(tokens: list[Token]) -> tuple[Token, ...]:
    """With the quotation mark that fell off at an end; nothing if the words begin or end inside a quotation."""
    if sum(t.text == '"' for t in tokens) % 2 == 0:
        return tuple(tokens)
    doc, first, last = tokens[0].doc, tokens[0].i, tokens[-1].i
    for place in (last + 1, last + 2):
        if place < len(doc) and doc[place].text == '"':
            return (*tokens, doc[place])
    return (doc[first - 1], *tokens) if first and doc[first - 1].text == '"' else ()


def _closed(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """With the single quotation mark that fell off at an end: "'good morning' and 'one coffee'"."""
    marks = [t.tag_ for t in tokens if t.text in _SINGLE]
    if not marks or marks[-1] != "``" or tokens[-1].i + 1 == len(tokens[-1].doc):
        return tokens
    following = tokens[-1].nbor()
    return (*tokens, following) if following.text in _SINGLE and following.tag_ == "''" else tokens


def _without_lead(tokens: list[Token], root: Token) -> list[Token]:
    """Without "of course", "by the way", "Hi there, Ida," in front."""
    text = " ".join(t.lower_ for t in tokens[:6])
    lead = next((phrase for phrase in LEADS if text.startswith(phrase + " ")), "")
    if lead:
        rest = tokens[len(lead.split()) :]
        return rest if root in rest else tokens
    if len(tokens) > 5 and tokens[0].lower_ == "on" and "note" in (tokens[3].lower_, tokens[2].lower_):
        comma = next((n for n, t in enumerate(tokens[:6]) if t.text == ","), 0)
        return tokens[comma + 1 :] if comma and root in tokens[comma + 1 :] else tokens  # "On a brighter note, …"
    if len(tokens) > 3 and tokens[0].lower_ in _PRAISE and tokens[1].lemma_.lower() in _PRAISED and tokens[2].text in (",", "!"):
        return tokens[3:] if root in tokens[3:] else tokens  # "Good choice, the Ring is ..."
    if tokens and tokens[0].lower_ in ("hi", "hello", "hey", "dear"):
        comma = next((n for n, t in enumerate(tokens[:6]) if t.text in (",", "!")), 0)
        return tokens[comma + 1 :] if comma and root in tokens[comma + 1 :] else tokens
    return tokens


_PRAISE = frozenset("good great nice excellent wonderful lovely fantastic amazing smart wise fair brilliant".split())
_PRAISED = frozenset("choice idea point question job news thinking plan call taste work morning evening afternoon day".split())
_DEGREES = frozenset("far much many long often".split())


def _is_prefix(tokens: list[Token], root: Token, listener: str) -> bool:
    first, second = tokens[0], tokens[1] if len(tokens) > 1 else None
    if first.dep_ == "mark" and first.lower_ in ("because", "although", "though") and first.head == root and first.i == root.sent.start:
        return True  # a clause that stands as a sentence
    if first.lower_ == "just" and second is not None and second.lower_ in ("yesterday", "today", "last", "this", "recently"):
        return True
    if first.tag_ == "WRB" and first.lower_ == "when" and first.head == root and root.dep_ in ("pcomp", "advcl"):
        return True  # "it reminds me of when I ..."
    if first.lower_ in _ENDEARMENTS and second is not None and second.text == ",":
        return True
    if first.tag_ == "RB" and second is not None and second.text == "," and first.i > first.sent.start and first.nbor(-1).text == ",":
        return True  # "allergic to nuts, badly, I carry …": of either, and said of neither
    if first.lower_ in _ORDER and second is not None and (second.text == "," or (second.dep_ == "nsubj" and second.head == root)):
        return True
    if first.lower_ == "especially" and second is not None and second.tag_ == "WRB":
        return True  # "Especially when I stand on a pier, …"
    if first.is_space or first.dep_ in ("cc", "intj") or (first.text != '"' and not any(c.isalnum() for c in first.text)):
        return True
    if first.lower_ == "so" and second is not None and second.lower_ in _DEGREES:
        return False  # "So far it has been dry"
    if second is not None and second.text == "-" and not first.whitespace_:
        return False  # "Great-tasting coffee"
    if first.lower_ in FILLERS and (
        second is None or second.is_punct or first.dep_ in ("advmod", "cc", "dep", "npadvmod", "discourse") or first.lower_ == "so"
    ):
        return True
    if (
        first.pos_ == "PROPN"
        and second is not None
        and second.text == ","
        and len(tokens) > 2
        and tokens[2].dep_ == "nsubj"
        and tokens[2].head == root
    ):
        return True  # whoever is spoken to
    return is_called(first, listener) and second is not None and second.is_punct


_ENDEARMENTS = frozenset(
    "love sweetheart dear darling honey sweetie babe baby mate buddy pal kid lad lass sir madam friend captain doctor boss dude bro sis".split()
)
_SINGLE = frozenset("'‘’")
_ORDER = frozenset("first second third".split())
"""Counts what is said: "First, I need a boat"."""
_SIGNS = frozenset("lol tbh imo imho haha btw rn ngl fr lmao xd idk though".split())
"""Said at an end, with or without a comma."""


_COMMENTS = frozenset(
    "ironically apparently obviously clearly naturally surprisingly strangely weirdly funnily incidentally admittedly thankfully hopefully remember see".split()
)
"""Said of what stands before, behind a comma."""
_TRAILS = (
    "so as not to",
    "thanks for asking",
    "thank you for asking",
    "by the way",
    "for what it's worth",
    "to be honest",
    "as you know",
    "you know",
    "of course",
    "after all",
    "in fact",
)
"""Said at an end as at a beginning, adding nothing."""


def _trailing(tokens: list[Token]) -> int:
    """How many words at the end are such a phrase; 1 where none is."""
    for phrase in _TRAILS:
        words = phrase.replace("'s", " 's").split()
        if len(tokens) > len(words) and [t.lower_.replace("’", "'") for t in tokens[-len(words) :]] == words:
            return len(words)
    return 1


def _is_suffix(tokens: list[Token], listener: str) -> bool:
    last, before = tokens[-1], tokens[-2] if len(tokens) > 1 else None
    if last.text == '"' and sum(t.text == '"' for t in tokens) % 2 == 0:
        return False
    if last.is_space or last.is_punct or last.dep_ in ("intj", "cc") or not any(c.isalnum() for c in last.text):
        return True
    if _trailing(tokens) > 1 and not (last.lower_ == "know" and before is not None and before.head != last):
        return True
    if last.lower_ == "instead" and before is not None and last.dep_ == "advmod" and not any(True for _ in last.children):
        return True  # of what was said before, and is not said here
    if last.lower_ in _SIGNS or (last.lower_ == "so" and last.head.i < last.i):
        return True
    if last.lower_ in _ENDEARMENTS | {"mind", "sorry", "thanks"} and before is not None and before.is_punct:
        return True  # "I won't go in past the knees, mind"
    after_comma = before is not None and (before.is_punct or before.lower_ in TITLES)
    if is_called(last, listener) and before is not None and (after_comma or is_called(before, listener)):
        return True
    if last.lower_ in TITLES and before is not None and before.is_punct:
        return True  # left of a name called out
    if after_comma and last.lower_ in _COMMENTS:
        return True
    if after_comma and last.dep_ == "npadvmod" and last.tag_ == "NN" and not any(True for _ in last.children):
        return any(t.lower_ == "you" for t in tokens)  # "I like you too, chicken"
    return after_comma and (last.lower_ in FILLERS or (last.pos_ == "PROPN" and last.dep_ in ("npadvmod", "vocative", "dep")))


def _is_taken_up(root: Token) -> bool:
    """ "Helping out - that's what counts": what is done is what the next sentence is about."""
    end = root.sent.end
    return end + 1 < len(root.doc) and root.doc[end].lower_ in ("that", "it", "this") and root.doc[end + 1].lower_ in ("is", "'s")


def is_called(token: Token, listener: str) -> bool:
    said = token.text.casefold()
    return len(said) > 1 and token.pos_ in ("PROPN", "NOUN", "INTJ") and any(name.startswith(said) for name in listener.casefold().split())


def called_out(clause: Clause, listener: str) -> dict[int, str]:
    """The listener's name between two commas, which belongs to nothing around it: "I like herring, Nell, and bread": the tokens to leave out."""
    doc = clause.root.doc
    return {
        i: ""
        for token in clause.tokens[1:-1]
        if is_called(token, listener) and token.nbor(-1).text == "," and token.nbor().text == ","
        for i in (doc[token.i - 1].i, token.i)
    }


def opening(clause: Clause, cast: Cast) -> str | None:
    """Words to put before a clause that lacks its subject, "" if it has it; None if it is no statement ("Take care!", "A sunny day.")."""
    root = clause.root
    if clause.shared:
        return cast.speaker if clause.subject is not None and clause.subject.lower_ == "i" else None
    if clause.subject is not None and clause.subject.dep_ == "csubj" and clause.tokens[0].tag_ in ("VBD", "VBN"):
        return None  # "Had a blast - was so freeing"
    if clause.subject is not None:
        return "" if clause.subject in clause.tokens and is_finite(root) else None
    first = clause.tokens[0]
    if root.lemma_ in _TAKEN_IN:
        return None  # "noted no almonds": so one answers
    days = {t for c in root.lefts if c.dep_ == "npadvmod" for t in c.subtree}  # "Yesterday took the ferry"
    leads = all(t.lower_ in _PREFIXES or t.tag_ == "RB" or t.is_punct or t in days for t in clause.tokens if t.i < root.i)
    if not leads or root.lemma_ in _IMPERSONAL | EMPTY_VERBS or any(t.lower_ == "me" and t.head == root for t in clause.tokens):
        return None
    if not any(c.dep_ in ("dobj", "prep", "advmod", "prt", "xcomp") for c in root.children):
        return None
    if root.tag_ == "VBD" and root.pos_ == "VERB" and first.i <= root.i:
        return cast.speaker
    alone = not any(t != root and t.tag_ in _FINITE and ((own := subject_of(t)) is None or own.dep_ == "csubj") for t in root.subtree)
    if (
        alone
        and root.tag_ == "VBG"
        and not (root.lemma_ == "go" and any(c.dep_ == "xcomp" and c.lemma_ == "be" for c in root.children))
        and first.i == root.i
        and root.i <= root.sent.start + 1
        and any(c.dep_ in ("dobj", "prep", "xcomp") for c in root.children)
        and not (
            _is_taken_up(root) or any(t.lower_ in ("each", "one") and t.nbor().lower_ in ("other", "another") for t in clause.tokens[:-1])
        )
    ):
        return f"{cast.speaker} is"
    return None
