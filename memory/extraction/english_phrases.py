"""Stretches of a sentence that can be a value: noun phrases and verb phrases, short and without what trails behind."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from spacy.tokens import Token

from memory.extraction.english_words import DEMONSTRATIVE, FIRST, FIRST_PLURAL, SECOND, THIRD

_NP_MAX, _VP_MAX = 7, 10
_LIST_MAX = 16
"""With the commas of what is listed."""
_REACH_MAX = 10
_WHERE = frozenset({"of", "in", "at", "on", "by", "near", "above", "over", "under", "behind", "beside", "outside"})
SUBJECT_ROLES = ("nsubj", "nsubjpass", "expl", "csubj")
_TRAILING = frozenset("advcl relcl parataxis ccomp mark".split())


@dataclass(frozen=True)
class Found:
    """A value by its tokens: key, the first and the one behind the last."""

    key: str
    start: int
    end: int


def noun_phrase(noun: Token, *, article: bool = False, reach: bool = False) -> tuple[int, int]:
    """Bounds of a noun with what stands before it and a following "of ..." ; reach: with "in ...", "at ..." as well."""
    start = noun.left_edge.i
    doc = noun.doc
    while start < noun.i and (
        doc[start].dep_ in ("det", "predet", "poss", "cc", "preconj", "punct", "advmod", "neg", "intj")
        and not (article and doc[start].tag_ == "DT")
        and not (doc[start].dep_ == "poss" and doc[start].pos_ == noun.pos_ == "PROPN")
    ):
        start += 1
    end = noun.i + 1
    for child in noun.rights:
        if (child.dep_ == "prep" and child.lower_ in (_WHERE if reach else ("of",)) and child.right_edge.i > child.i) or (
            child.dep_ in ("nummod", "npadvmod") and child.i == end
        ):
            inner = child.right_edge.i + 1
            if (
                inner - start <= (_REACH_MAX if reach else _NP_MAX)
                and child.i == end
                and not any(t.dep_ in _TRAILING or t.is_punct for t in doc[child.i : inner])
            ):
                end = inner
    if end == noun.i + 1 and end < len(doc) and noun.pos_ == "PROPN" and doc[end].tag_ == "POS" and doc[end].head == noun:
        end += noun.dep_ == "pobj"  # "at St Mary's"
    return start, end


def named(noun: Token) -> tuple[int, int]:
    """Bounds of a noun with the name that goes with it: "sister Ida", "cat called Miso", "dog, Rex"."""
    start, _ = noun_phrase(noun)
    doc, end = noun.doc, noun.i + 1
    if doc[end : end + 4].text.lower() == "-in-law":
        end += 4
        while end < len(doc) and doc[end].pos_ == "PROPN" and doc[end].text[:1].isupper():
            end += 1
        return start, end
    if (end < len(doc) and doc[end].lower_ in ("named", "called")) or (
        end + 1 < len(doc)
        and doc[end].text == ","
        and doc[end + 1].pos_ == "PROPN"
        and doc[end + 1].head == noun
        and doc[end + 1].dep_ == "appos"
    ):
        end += 1
    last = end
    while last < len(doc) and doc[last].pos_ == "PROPN" and doc[last].text[:1].isupper():
        last += 1
    if doc[end - 1].text == "," and last < len(doc) and doc[last].dep_ == "cc":
        last = end  # "my sister, Ida and I": another one
    return (start, last) if last > end or end == noun.i + 1 else (start, noun.i + 1)


def verb_phrase(verb: Token) -> tuple[int, int]:
    """Bounds of a verb with its objects and adverbials, lists to their end, up to a new clause or some ten words; empty if its object is lost."""
    doc = verb.doc
    end = verb.i + 1
    for token in doc[verb.i + 1 : verb.right_edge.i + 1]:
        if (token.i - verb.i >= _VP_MAX and not _goes_on(token)) or token.i - verb.i >= _LIST_MAX or _ends_phrase(token, verb):
            break
        end = token.i + 1
    if sum(t.text == '"' for t in doc[verb.i : end]) % 2:
        end = max(t.i for t in doc[verb.i : end] if t.text == '"')
        end -= doc[end - 1].lower_ in ("called", "named", "titled", "entitled")
    end = _without_samples(verb, end)
    whole = end
    while end > verb.i + 1 and _hangs(doc[end - 1], end):
        end -= 1
    lost = end == verb.i + 1 < whole and any(c.dep_ == "dobj" for c in verb.children)
    return verb.i, verb.i if lost else end


def _goes_on(token: Token) -> bool:
    """Whether the word before belongs to the same noun or the same list: "hot and sour | soup", "Porto | and Faro"."""
    of = token if token.lower_ == "of" else token.head
    if of.lower_ == "of" and of.head.pos_ in ("NOUN", "PROPN", "NUM", "ADJ") and of.head.i == of.i - 1 and token.i - of.i <= 1:
        return True  # "the sixteenth | of May"
    noun = token if token.pos_ in ("NOUN", "PROPN") else token.head
    if noun.pos_ not in ("NOUN", "PROPN"):
        return False
    return noun.left_edge.i < token.i or noun.dep_ == "conj" or token.dep_ in ("cc", "punct")


def _ends_phrase(token: Token, verb: Token) -> bool:
    if token.is_space or (token.is_punct and token.text not in ("-", "'", '"') and not _is_listing(token)):
        return True
    if token.dep_ == "mark" or token.tag_ in ("WDT", "WP", "WRB") or (token.dep_ == "cc" and token.head.pos_ in ("VERB", "AUX")):
        return True
    return token.dep_ in SUBJECT_ROLES and token.head != verb


def _is_listing(comma: Token) -> bool:
    """Whether a comma stands between things that are listed: "visit Porto, Faro and Lagos". Behind "-ing" what is listed may be a thing done as well."""
    named = first = comma.head
    if comma.text != "," or named.pos_ not in ("NOUN", "PROPN") or named.i > comma.i:
        return False
    while first.dep_ == "conj" and first.head.i < first.i:
        first = first.head
    plain = first.dep_ == "dobj" and first.head.tag_ != "VBG" and any(c.dep_ == "det" for c in first.children)  # not "read books, travel"
    if first.dep_ != "pobj" and not plain:
        return False
    after = (c for c in named.children if c.dep_ == "conj" and c.i > comma.i and c.pos_ in ("NOUN", "PROPN"))
    return any(not any(g.dep_ in SUBJECT_ROLES for g in c.children) for c in after)


_AND_SO_ON = frozenset("etc etc. and so on forth others more".split())


def _without_samples(verb: Token, end: int) -> int:
    """Where a phrase ends before "like" and "such as", if not all that they name belongs to it: a list that is cut names what is not meant."""
    doc = verb.doc
    for token in doc[verb.i + 1 : end]:
        begin = token.i - (token.lower_ == "as")
        if token.dep_ != "prep" or token.lower_ not in ("like", "as") or (token.lower_ == "as" and doc[begin].lower_ != "such"):
            continue
        inside = doc[token.i + 1 : token.right_edge.i + 1]
        last = next((t.left_edge.i for t in inside if t.dep_ in _TRAILING), token.right_edge.i + 1)
        if token.head.pos_ in ("NOUN", "PROPN") and any(
            t.i >= end and not t.is_punct and t.lower_ not in _AND_SO_ON for t in doc[token.i + 1 : last]
        ):
            return int(begin)
    return end


def _hangs(last: Token, end: int) -> bool:
    """Whether the last word of a phrase waits for one that was cut off."""
    if last.text == '"' or last.tag_ == "RP":
        return False
    listed = last
    while listed.dep_ == "conj" and listed.head.i < listed.i:
        listed = listed.head  # "hot and sour" waits for "soup"
    return bool(
        last.head.i >= end
        or listed.head.i >= end
        or (
            (last.dep_ in ("prep", "mark") or last.pos_ == "VERB")
            and any(c.i >= end and c.dep_ not in ("advcl", "conj", "cc", "punct") for c in last.rights)
        )
        or (
            last.dep_ in ("prep", "det", "cc", "aux", "poss", "mark", "punct", "xcomp", "ccomp")
            and not [*last.rights]
            and not (last.dep_ == "xcomp" and last.lower_.endswith("ing"))  # "an hour every day drawing" lacks nothing
        )
    )


def items(noun: Token) -> Iterator[Token]:
    """A noun and those listed with it."""
    yield noun
    for child in noun.children:
        if (child.dep_ == "conj" and (child.pos_ == noun.pos_ or child.pos_ in ("NOUN", "PROPN"))) or child.dep_ == "appos":
            yield from items(child)


def is_plain(noun: Token) -> bool:
    """Whether a noun says by itself what it means: no pronoun, nothing shown ("that", "your")."""
    if noun.pos_ not in ("NOUN", "PROPN", "VERB", "ADJ", "NUM"):
        return False
    pointing = {*FIRST, *FIRST_PLURAL, *SECOND, *THIRD, *DEMONSTRATIVE}
    return not any(
        (t.lower_ in pointing and t.dep_ in ("det", "poss", "nsubj", "dobj", "pobj")) or t.lower_ in ("such", "same", "how", "what")
        for t in noun.subtree
    )


def is_definite(noun: Token) -> bool:
    """With "the" and nothing that says which: it was spoken of before."""
    the = any(c.lower_ == "the" for c in noun.children)
    return the and not any((c.dep_ == "prep" and c.lower_ == "of") or c.dep_ == "relcl" for c in noun.children)


def is_bare(noun: Token) -> bool:
    """With "the" and nothing else: it means what was spoken of before, unless there is but one."""
    return any(c.lower_ == "the" for c in noun.children) and not any(
        c.dep_ in ("amod", "compound", "prep", "relcl", "acl", "nummod", "poss", "appos") for c in noun.children
    )


def objects(verb: Token) -> Iterator[Token]:
    """Direct objects, those listed with the first included; what is denied ("no car", "neither a car nor a bike") is none."""
    for child in verb.children:
        if child.dep_ in ("dobj", "attr", "oprd") and not any(c.lower_ == "neither" for c in child.children):
            yield from (noun for noun in items(child) if not _is_denied(noun, child))


def _is_denied(noun: Token, first: Token) -> bool:
    """Whether a "no" before a noun, or before the first of its list, denies it: in "no brothers or sisters" both, in "no car but a bike" one."""
    if any(c.lower_ == "no" for c in noun.children):
        return True
    return any(c.lower_ == "no" for c in first.children) and not any(c.dep_ in ("det", "nummod", "poss") for c in noun.children)


def after(verb: Token, *prepositions: str) -> Iterator[Token]:
    """Nouns behind a preposition that hangs on the verb (or on its particle or adjective)."""
    for child in verb.children:
        if child.dep_ in ("prep", "agent", "prt", "advmod", "acomp") and child.lower_ in prepositions:
            for noun in child.children:
                if noun.dep_ in ("pobj", "pcomp"):
                    yield from items(noun)
