"""What a player tells of their own character in the third person, around its speech: `Ixo has been a rigger for eight years. "Hand me the bag," she says.`

Told as if the character said it of itself, where it lasts and the character's name is the subject; what it does in the scene is none of it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from memory.extraction.english_words import FIRST, FIRST_PLURAL, SECOND, TITLES

_SPEAKERS = re.compile(rf"\b(?:{'|'.join(sorted({*FIRST, *FIRST_PLURAL, *SECOND}, key=len, reverse=True))})\b", re.IGNORECASE)
_SENTENCE = re.compile(r"[^.!?\n*\"“”…]+")
_ENDS = re.compile(r",? (?:and|but|so|which|as|while) (?:is|has|had|was|now|then|she|he|they|it|the|his|her)\b|[,;:—]|\s-\s")
"""Behind a lasting state something of the scene is told as often as not: it is left out."""
_DOERS = r"(?:\w+ ){0,3}?\w+(?:er|or|ist|ian|ant|man|woman|maid|smith|wright|nurse|vet|clerk|pilot|cook|chef|judge|priest|monk|nun|orphan|twin|widow)\b"
_KEPT = (
    r"(?:\w+ ){0,3}?(?:sisters?|brothers?|sons?|daughters?|child(?:ren)?|twins?|husband|wife|cats?|dogs?|horse|scars?|tattoos?|birthmark|stammer|stutter"
    r"|limp|fear|phobia|allergy|prosthetic \w+|wooden \w+|glass eye)\b"
)
_STATES: tuple[tuple[str, str], ...] = (
    (r"has been (?=[^,]*\b(?:for|since)\b)", "I have been "),
    (r"had been (?=(?:an?|the) " + _DOERS + r")(?=[^,]*\b(?:for|since|until)\b)", "I had been "),
    (rf"is (?=an? {_DOERS})", "I am "),
    (
        r"is (?=(?:allergic|afraid|scared|terrified|frightened) (?:to|of)\b|(?:deaf|blind|colou?r-?blind|diabetic|left-handed|from [A-Z])\b)",
        "I am ",
    ),
    (r"is (?=(?:\d{1,3}|nine|ten|eleven|twelve|\w+(?:teen|ty)(?:-\w+)?)(?: years old| now)?\s*$)", "I am "),
    (rf"has (?=(?:an?|two|three|four|five|no) {_KEPT})", "I have "),
    (r"was born (?=in|on|at|to)", "I was born "),
    (r"grew up (?=in|on|at|with)", "I grew up "),
    (r"(?:cannot|can't|can’t) stand (?!here\b|there\b|up\b|still\b|on\b|to\b)", "I can't stand "),
    (r"(?:doesn't|doesn’t|does not) (?=(?:drink|smoke|eat|drive|gamble)\b)", "I don't "),
    (r"hates (?=\w)", "I hate "),
    (r"works (?=as|for|at)", "I work "),
    (r"lives (?=in|on|at|with|alone)", "I live "),
    (r"owes (?=[A-Z])", "I owe "),
)
_STATE = tuple((re.compile(r"(?:still |also )?" + pattern), put) for pattern, put in _STATES)
_NOW = re.compile(r"\b(?:this|that|these|those|here|there|now|again|today|tonight|him|his|her|them|it)\b", re.IGNORECASE)


def is_told(text: str, told: Sequence[tuple[int, int]], speaker: str) -> bool:
    """Whether these stretches of a message, all that stands around what is in quotation marks, tell of its speaker by name, and nobody says "I" in them."""
    around = [text[start:end] for start, end in told]
    if not speaker or any(_SPEAKERS.search(part) for part in around):
        return False
    return any(_named(speaker).match(sentence.group()) for part in around for sentence in _SENTENCE.finditer(part))


_SAID = (
    r"(?:said|asked|cried|replied|answered|added|continued|murmured|muttered|whispered|called|began|observed|remarked|admitted|confessed|returned|snapped"
    r"|growled|laughed|sighed|breathed|managed|advised|insisted|agreed|offered|shouted|went on)"
)
CONTINUED = re.compile(rf",? (?:\w+ {_SAID}|{_SAID} \w+(?: \w+)?)[^\"“”.!?]{{0,80}},\s*")
"""Between two stretches of one sentence: `," I said at length, "`."""
_BY_ME = re.compile(rf",? (?:I (?:\w+ly )?{_SAID}|{_SAID} I)\b")
_BY_ANOTHER = re.compile(rf",? (?:[Hh]e|[Ss]he) (?:\w+ly )?{_SAID}\b|,? {_SAID} (?:he|she)\b")
_TOLD_WORDS = 5
"""That somebody is told of, and not only who says what: a sentence of so many words around what is spoken."""


def is_recounted(text: str, spoken: Sequence[tuple[int, int]], around: Sequence[tuple[int, int]], speaker: str) -> bool:
    """Whether a message tells in the past what its speaker said: `"My father built such models," I said.`, or, where nobody says "I" around it,
    `She set down the glass. "I had a boy," she said.`"""
    if any(_BY_ME.match(text, end + 1) for _, end in spoken):
        return True
    parts = [text[start:end] for start, end in around]
    if any(_SPEAKERS.search(part) for part in parts):
        return False
    by_name = speaker and any(_by(speaker).match(text, end + 1) for _, end in spoken)
    if not (by_name or any(_BY_ANOTHER.match(text, end + 1) for _, end in spoken)):
        return False
    return bool(by_name) or any(
        len(sentence.group().split()) >= _TOLD_WORDS
        for part in parts
        for sentence in _SENTENCE.finditer(part)
        if not sentence.group().startswith(",")
    )


@lru_cache(maxsize=64)
def _by(speaker: str) -> re.Pattern[str]:
    """`," said Dolores`."""
    parts = [part for part in speaker.split() if len(part) > 1 and part[0].isupper()]
    called = "|".join(re.escape(name) for name in sorted({speaker, *parts}, key=len, reverse=True))
    return re.compile(rf",? (?:{_SAID} (?:{called})|(?:{called}) (?:\w+ly )?{_SAID})\b")


def states(text: str, spoken: Sequence[tuple[int, int]], speaker: str) -> list[tuple[int, int, int, str]]:
    """Where what lasts is told of the speaker outside of their speech: first and last character, where what stays begins, and what to begin it with."""
    if not speaker or not _named(speaker).search(text):
        return []
    found = []
    for low, high in _around(text, spoken):
        if _SPEAKERS.search(text, low, high):
            continue
        own = False
        for sentence in _SENTENCE.finditer(text, low, high):
            said = sentence.group()
            lead = _named(speaker).match(said) or (_PRONOUN.match(said) if own else None)
            own = lead is not None and not _ANOTHER.search(said, lead.end())
            if lead is not None and (state := _state(said, lead.end())) is not None:
                start, end, put = state
                found.append((sentence.start(), sentence.start() + end, sentence.start() + start, put))
    return found


_ANOTHER = re.compile(r"\s[A-Z][a-z]|\bhim\b|\bher\b(?=\s*(?:[.,;]|$|and\b|with\b|as\b|to\b|in\b|on\b))")
"""Somebody else whom "she" or "he" in the next sentence may mean."""
_PRONOUN = re.compile(r"\s*(?:She|He) ")


def _state(said: str, at: int) -> tuple[int, int, str] | None:
    for pattern, put in _STATE:
        if (found := pattern.match(said, at)) is None:
            continue
        stop = _ENDS.search(said, found.end())
        end = stop.start() if stop else len(said)
        told = said[found.end() : end]
        return None if not told.strip() or _NOW.search(told) else (found.end(), end, put)
    return None


def _around(text: str, spoken: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    at, gaps = 0, []
    for start, end in (*spoken, (len(text), len(text))):
        if start > at:
            gaps.append((at, start))
        at = max(at, end)
    return gaps


@lru_cache(maxsize=64)
def _named(speaker: str) -> re.Pattern[str]:
    """The speaker's name, or a part of it, as the subject of a sentence told of them."""
    parts = [part for part in speaker.split() if len(part) > 1 and part[0].isupper() and part.lower().rstrip(".") not in TITLES]
    called = "|".join(re.escape(name) for name in sorted({speaker, *parts}, key=len, reverse=True))
    return re.compile(rf"\s*(?:{called})(?: [A-Z][\w'’-]+)?(?:['’]s)? (?=[a-z])")
