"""Reading a cue: what it asks, of whom and of when. Words alone decide, no model (LongMemEval 5.4, with a grammar in the model's place)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from memory.cue_times import Times, times_of
from memory.reading.drafts import DateRange
from storage.records import Chat, Message
from storage.terms import query_terms

MOST_RANGES = 8
"""Times of a cue that are looked for, the first it names: each is a search of its own, and a pasted diary names hundreds."""

_MARK = re.compile(r"[?？][\s\"'”’)）」』*~～…!！]*$")
_SENTENCE = re.compile(r"[^.!?。！？\n]+[.!?。！？]*")
_WHEN = re.compile(
    r"^\W*(?:and |so |but |oh,? )?(?:when|how long|since when|(?:in |on )?(?:what|which) (?:date|day|week|month|year))\b"
    r"|什么时候|啥时候|哪(?:一)?(?:天|年|个?月)|几(?:时|号|月)|何时|多久",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"^\W*(?:who|whom|whose|what|which|where|when|why|how|did|do|does|is|are|was|were|have|has|can|could)\b"
    r"|[吗呢么]\W*$|什么|哪|谁|怎么|多少|几(?:时|个|次)|为何",
    re.IGNORECASE,
)
"""Without a question mark."""
_BIDS = re.compile(r"^\W*(?:(?:please|can you|do you) )?(?:tell me|remind me|remember)\b|还记得|记不记得|告诉我", re.IGNORECASE)
_STATES = re.compile(r"[.。!！]\W*$")
_NOW = re.compile(
    r"\b(?:now|nowadays|currently|current|at the moment|these days|at present|still|any ?more|latest|most recent(?:ly)?|so far)\b"
    r"|现在|如今|目前|眼下|最近|近来|还在|还是|仍|最新",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    r"\b(?:before|previous(?:ly)?|used to|formerly|former|earlier|originally|original|initial(?:ly)?|at first|back then|once|in the past|changed?)\b"
    r"|以前|之前|从前|曾经|原来|原先|过去|当初|最初|起初|那时|改变|变了",
    re.IGNORECASE,
)
_NO_CONTENT = re.compile(
    r"\b(?:now|nowadays|currently|at the moment|these days|at present)\b|现在|如今|目前|眼下|以前|从前|曾经|当初", re.IGNORECASE
)
"""Of a question how it is or was: read as its tense, and no word that what answers it need have."""
_WAS = re.compile(r"\b(?:did|was|were|had)\b|过(?!敏|来|去|得|年|节|生日)|当时|那会儿|那年|那天", re.IGNORECASE)
_YOU, _I = re.compile(r"\byou(?:r|rs|rself)?\b|[你您]", re.IGNORECASE), re.compile(r"\b(?:i|me|my|mine|myself)\b|我", re.IGNORECASE)
_WE = re.compile(r"\b(?:we|us|our|ours|ourselves)\b|咱", re.IGNORECASE)


class Tense(StrEnum):
    """Which of two memories that differ a cue means."""

    NOW = "now"
    BEFORE = "before"
    OPEN = "open"


@dataclass(frozen=True)
class Cue:
    """What is being answered. text: the newest user utterance; round: its round, whose own memories and later ones are not candidates; said_at: when;
    without it no time expression is read and the last rounds count as the talk around it. speaker, listener: whom "I" and "you" mean, if known."""

    text: str
    round: int
    said_at: datetime | None = None
    speaker: str = ""
    listener: str = ""


def cue_of(message: Message, chat: Chat) -> Cue:
    """The cue that a message is. In a group, and of what was heard among others, nobody knows whom "you" means."""
    return Cue(
        message.text,
        message.round,
        message.said_at,
        speaker=message.speaker,
        listener="" if chat.group or message.heard else chat.character_name,
    )


@dataclass(frozen=True)
class Asked:
    """What a cue says about what it means."""

    terms: tuple[str, ...]
    """Content terms, in the order of the text."""
    asks: bool
    when: bool
    """It asks for a time."""
    ranges: tuple[DateRange, ...]
    """The times it names."""
    tense: Tense
    present: bool = False
    """It asks how something is, with or without "now"."""
    open_ended: tuple[DateRange, ...] = ()
    """Those of its times that are too long to be looked for."""

    @property
    def closed(self) -> tuple[DateRange, ...]:
        """The others."""
        return tuple(r for r in self.ranges if r not in self.open_ended)


def read_cue(cue: Cue) -> Asked:
    asks = asks_something(cue.text)
    times = times_of(cue.text, cue.said_at) if cue.said_at else Times((), (), cue.text)
    # "The day before yesterday" asks for nothing before something else.
    tense = _tense(times.rest) if asks else Tense.OPEN
    return Asked(
        terms=(query_terms(_NO_CONTENT.sub(" ", cue.text)) if asks else ()) or query_terms(cue.text),
        asks=asks,
        when=asks and bool(_WHEN.search(cue.text)),
        ranges=times.ranges[:MOST_RANGES],
        tense=tense,
        present=asks and tense is not Tense.BEFORE and (tense is Tense.NOW or not _WAS.search(cue.text)),
        open_ended=times.open_ended,
    )


def ends_asking(text: str) -> bool:
    """Whether the last thing said is a question."""
    return bool(_MARK.search(text))


def asks_something(text: str) -> bool:
    """By its mark, or by its words where it has none."""
    return ends_asking(text) or bool(_BIDS.search(text)) or bool(not _STATES.search(text) and _ASKS.search(text))


def sentences(text: str) -> list[str]:
    return [s.strip() for s in _SENTENCE.findall(text) if len(s.strip()) > 1]


def only_asks(sentence: str) -> bool:
    return sentence.rstrip("\"'”’)）*").endswith(("?", "？"))


def asking_share(text: str) -> float:
    """How many of a text's sentences only ask, 0 to 1."""
    said = sentences(text)
    return sum(map(only_asks, said)) / len(said) if said else 0.0


def person(text: str) -> int:
    """Which person a text is in: 1 where it says "I" or "we", else 2 where it says "you", 0 where it says neither."""
    return 1 if _I.search(text) or _WE.search(text) else 2 if _YOU.search(text) else 0


def meant(cue: Cue, names: Iterable[str]) -> frozenset[str]:
    """Of the people who spoke those whose words a cue is about: whom it names, else "you" or "I" where it says one of them only."""
    folded = cue.text.casefold()
    named = frozenset(name for name in names if name and _names(folded, name.casefold()))
    if named or not asks_something(cue.text):
        return named
    you, i = bool(_YOU.search(cue.text)), bool(_I.search(cue.text))
    if you == i:
        return frozenset()
    who = cue.listener if you else cue.speaker
    return frozenset([who]) if who else frozenset()


def _names(text: str, name: str) -> bool:
    if not name.isascii():
        return name in text
    return any(re.search(rf"\b{re.escape(part)}\b", text) for part in {name, *name.split()[:1]} if len(part) > 1)


def _tense(text: str) -> Tense:
    if _BEFORE.search(text):
        return Tense.BEFORE
    return Tense.NOW if _NOW.search(text) else Tense.OPEN
