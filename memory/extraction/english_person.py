"""First and second person told in the third: pronouns become names, verbs follow, contractions at the seam are written out."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from spacy.tokens import Token

from memory.extraction.english_clauses import Clause, auxiliaries, is_negated, subject_of
from memory.extraction.english_words import FIRST, FIRST_PLURAL, SECOND, WEAK_ADVERBS

_IRREGULAR = {"be": "is", "am": "is", "are": "is", "'m": "is", "'re": "is", "have": "has", "'ve": "has", "do": "does", "go": "goes"}
_EXPANDED = {"'m": "am", "'re": "are", "'ve": "have", "'ll": "will"}
_PAST_ONLY = re.compile(
    r"(?:re|over|under|out|mis|for|be|with|up)?(?:took|wrote|went|made|did|saw|gave|came|ran|drew|threw|grew|knew|flew|rode|drove|broke|spoke|woke"
    r"|chose|stole|wore|tore|swore|began|sang|drank|swam|felt|left|kept|met|got|sat|won|held|told|sold|stood|bought|brought|thought|taught|caught"
    r"|fought|sent|spent|built|lost|heard|paid|said|gat)"
)
"""Past forms that the parser takes for present ones."""
_PLURAL = frozenset("they them their theirs".split())


@dataclass(frozen=True)
class Cast:
    """Who the pronouns of a message stand for."""

    speaker: str
    listener: str
    company: str
    """What "we" becomes: `Mara and others`, or with whom she was said to be."""


def third_singular(verb: str) -> str:
    """The form after a name: love → loves, try → tries, 've → has."""
    lower = verb.lower()
    if lower in _IRREGULAR:
        return _IRREGULAR[lower]
    if lower.endswith(("s", "sh", "ch", "x", "z", "o")):
        return verb + "es"
    if lower.endswith("y") and lower[-2:-1] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + "s"


def possessive(name: str) -> str:
    return name + "'" if name.endswith("s") and name.rsplit(" ", 1)[-1][0].islower() else name + "'s"


def is_alone(pronoun: Token) -> bool:
    """Whether a pronoun becomes the speaker's name alone: "I", and the "we" of households ("we have two cats") and couples ("we got married")."""
    if pronoun.lower_ == "i":
        return not _has_company(pronoun)
    if pronoun.lower_ == "we" and pronoun.dep_ == "nsubjpass" and pronoun.head.lemma_ in ("marry", "engage", "divorce"):
        return True
    if pronoun.lower_ == "we" and pronoun.dep_ == "nsubj" and _is_of_two(pronoun.head):
        return True
    return bool(
        pronoun.lower_ == "we"
        and pronoun.dep_ == "nsubj"
        and pronoun.head.lemma_ in ("have", "own", "get")
        and pronoun.head.tag_ in ("VBP", "VBN")
        and any(c.dep_ == "dobj" for c in pronoun.head.children)
        and not any(t.lower_ in ("together", "both", "each", "all") for t in pronoun.head.subtree)
    )


_CHILDREN = frozenset("son daughter child baby kid twin boy girl honeymoon wedding".split())


def _is_of_two(verb: Token) -> bool:
    """What a couple does, and says nothing of others: "we had a son", "we split up", "we named him William", "we were going to get married"."""
    things = [c for c in verb.children if c.dep_ in ("dobj", "oprd")]
    if verb.lemma_ in ("have", "adopt", "expect", "lose"):
        return any(c.lemma_.lower() in _CHILDREN for c in things)
    if verb.lemma_ == "name":
        return any(c.lower_ in ("him", "her") for c in verb.subtree)
    if verb.lemma_ in ("split", "separate", "divorce") or (verb.lemma_ == "break" and any(c.lower_ == "up" for c in verb.children)):
        return not things
    return verb.lemma_ == "go" and any(c.dep_ == "xcomp" and c.lemma_ == "marry" for c in verb.children)


def singular_verbs(tokens: Sequence[Token], *, bare: bool = False) -> set[Token]:
    """Finite words that take third person singular once their subject is one name. bare: the first verb has none of its own, a name is put before it."""
    found: set[Token] = set()
    for verb in tokens:
        if verb.pos_ not in ("VERB", "AUX") or verb.dep_ in ("aux", "auxpass"):
            continue
        subject = _agreeing(verb)
        if subject is None:
            if not (bare and verb.dep_ == "conj" and verb.head.dep_ == "ROOT"):
                continue
        elif not is_alone(subject):
            continue
        helpers = auxiliaries(verb)
        if helpers:
            if helpers[0].tag_ in ("VBP", "VB") or helpers[0].lower_ in ("am", "'m", "'re", "have", "'ve", "do"):
                found.add(helpers[0])
        elif verb.tag_ in ("VBP", "VB") and not _PAST_ONLY.fullmatch(verb.lower_) and not _hurt(verb):
            found.add(verb)
    return found


def _hurt(verb: Token) -> bool:
    """ "I hurt my back": it was done once, though the word is the present's as well."""
    return verb.lower_ == "hurt" and any(c.dep_ == "dobj" for c in verb.children)


def _agreeing(verb: Token) -> Token | None:
    """The subject a finite verb agrees with: its own, or that of the verb it is coordinated with."""
    own = subject_of(verb)
    for _ in range(6):
        if own is not None or verb.dep_ != "conj" or verb.head.pos_ not in ("VERB", "AUX"):
            return own
        helpers = auxiliaries(verb.head)
        gets = verb.tag_ in ("VBP", "VB") and len(helpers) == 1 and helpers[0].tag_ == "VBP" and helpers[0].lemma_ == "get"
        if (
            not gets
            and not auxiliaries(verb)
            and (helpers or verb.head.tag_ in ("VBG", "VBN") or (verb.tag_ == "VB" and verb.head.tag_ != "VBP"))
        ):
            return None
        verb = verb.head
        own = subject_of(verb)
    return own


def _has_company(subject: Token) -> bool:
    """ "Ida and I", "I and my sister": a plural."""
    return subject.dep_ == "conj" or any(child.dep_ == "conj" for child in subject.children)


def naming(clause: Clause, *, speaker: str) -> dict[int, str]:
    """ "I'm Mara, a nurse" says only the second of Mara: the tokens to leave out."""
    for token in clause.root.children:
        if token.dep_ == "attr" and token.doc[token.left_edge.i : token.i + 1].text == speaker:
            described = next((c for c in token.children if c.dep_ == "appos"), None)
            if described is not None:
                return {t.i: "" for t in clause.tokens if token.left_edge.i <= t.i < described.left_edge.i}
    return {}


def _did(participle: Token) -> bool:
    """ "He's painted the fence": with an object behind it, what looks like a passive was done by whom it speaks of; "he's given a medal" may be either."""
    done = any(c.dep_ == "dobj" and c.i > participle.i for c in participle.children)
    return done and participle.lemma_ not in _GIVING and not any(c.dep_ == "agent" for c in participle.children)


_GIVING = frozenset("give offer hand pay show teach tell send grant award owe lend promise allow deny call name".split())


def tell(clause: Clause, cast: Cast, *, replaced: Mapping[int, str], lead: str = "") -> str | None:
    """The clause in third person without its final stop; None if a pronoun would stay that has no name.

    replaced: text for tokens by index, "" to leave one out (dates, resolved pronouns); lead: words to begin with instead of a subject.
    """
    singular = singular_verbs(clause.tokens, bare=bool(lead) and clause.subject is None)
    named = bool(lead)
    plural_about = any(t.lower_ in _PLURAL for t in clause.tokens)
    parts: list[str] = [lead + " "] if lead else []
    previous: Token | None = None
    quoted = False
    for token in clause.tokens:
        text: str | None = token.text
        lower = token.lower_
        quoted ^= lower == '"'
        if quoted:
            pass  # another's words stand as they were said
        elif lead and previous is None and token.pos_ != "PROPN" and lower not in FIRST | FIRST_PLURAL | SECOND and token.i not in replaced:
            text = lower
        elif token.i in replaced:
            text = replaced[token.i]
        elif lower == "me" and not token.whitespace_ and token.i + 1 < len(token.doc) and token.nbor().text == "-":
            text = token.text  # "me-time"
        elif lower == "we" and _is_mutual(clause) and not is_alone(token) and cast.company.endswith(" and others"):
            text = None  # "we have little in common": with whom was said before
        elif (
            lower == "mine"
            and token.i
            and (token.dep_ == "compound" or token.nbor(-1).pos_ in ("DET", "ADJ") or token.nbor(-1).dep_ == "compound")
        ):
            text = token.text  # where coal is dug
        elif lower == "mine" and token.dep_ in ("nsubj", "nsubjpass"):
            text = None  # "mine send me a card": whose is said, and not what
        elif lower in FIRST or lower in FIRST_PLURAL:
            text = _own(token, cast, named=named and not plural_about)
            named = True
        elif lower in SECOND:
            text = _others(token, cast)
        elif lower.rstrip(".") in FIRST:
            text = None  # "so do I." as one word
        elif token in singular:
            text = third_singular(token.text)
        elif lower in ("am", "'m") and previous is not None and previous.lower_ == "i" and is_alone(previous):
            text = "is"  # whatever the parser takes what follows for
        elif lower in _EXPANDED and previous is not None and previous.pos_ == "PRON":
            text = _EXPANDED[lower]
        elif lower == "'s" and token.tag_ != "POS" and previous is not None and previous.i in replaced:
            text = (
                "has"
                if (token.head.tag_ in ("VBN", "VBD") and (token.dep_ == "aux" or _did(token.head)))
                or any(t.lower_ in ("been", "got") for t in token.doc[token.i + 1 : token.i + 3])
                or token.head.lower_ == "been"
                or token.nbor().lower_ == "got"
                else "is"
            )
        elif lower == "'d" and previous is not None and previous.pos_ == "PRON":
            text = "had" if token.head.tag_ == "VBN" or token.lemma_ == "have" else "would"
        elif (
            lower in WEAK_ADVERBS
            and token.dep_ == "advmod"
            and not any(True for _ in token.children)
            and token.head.pos_ in ("VERB", "AUX")
            and not (lower == "just" and is_negated(token.head))
        ):
            text = ""
        if text is None:
            return None
        if text and text != token.text and parts and token.text[0] in "'’" and not parts[-1].endswith(" "):
            parts.append(" ")
        if text:
            parts.append(text + token.whitespace_)
        elif parts and token.whitespace_ and not parts[-1].endswith(" "):
            parts.append(token.whitespace_)
        previous = token
    return _tidy(_OF_US.sub("", "".join(parts)))


_OF_US = re.compile(r"\b(?:two|three|four|five|six|seven|eight|nine|ten|both|all) of (?=\S[^.,;]{0,60} and others\b)", re.IGNORECASE)
"""Of "three of us": who they are is told."""


def _is_mutual(clause: Clause) -> bool:
    """ "in common", "each other", "one another": a bond of just these people."""
    words = [t.lower_ for t in clause.tokens]
    return "common" in words or any(pair in (("each", "other"), ("one", "another")) for pair in itertools.pairwise(words))


def _own(token: Token, cast: Cast, *, named: bool) -> str:
    lower = token.lower_
    plural = lower in FIRST_PLURAL
    if lower in ("my", "our"):
        return "their" if named else possessive(cast.speaker)
    if lower in ("myself", "ourselves"):
        return cast.speaker if not named and token.i and token.nbor(-1).lower_ == "by" else "themselves"
    if lower in ("mine", "ours"):
        return possessive(cast.speaker)
    if plural and not is_alone(token):
        return cast.company
    return cast.speaker


def _others(token: Token, cast: Cast) -> str | None:
    if not cast.listener:
        return None
    lower = token.lower_
    if lower in ("your", "yours", "ur"):
        return possessive(cast.listener)
    return None if lower in ("yourself", "yourselves") else cast.listener


def _tidy(text: str) -> str:
    text = re.sub(r" (?=[,;])", "", " ".join(text.split())).strip(" ,;:-–—")
    text = re.sub(r" 's(?!\w)", "'s", text)
    for wrong, right in ((" ,", ","), (",,", ","), (" .", "."), ("( ", "("), (" )", ")")):
        text = text.replace(wrong, right)
    return text[:1].upper() + text[1:]
