"""How a text speaks of a player whose name is not known: by words that are right in the place where a name would stand.

Of the player a text of others speaks in the third person, whatever it is told to: "you" would be the model that reads it. Where the player is called ("Come in,
{{user}}."), a word that calls stands instead. A greeting is read by the player, who is "you" there where that fits every place of it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

MARK = "\ufdd0"
"""Stands for the player in a text that is being filled; a character that no text may hold."""


class Read(Enum):
    """What a text is: of somebody, said by somebody, or said to the player by the character."""

    TOLD = "told"
    SAID = "said"
    GREETING = "greeting"


_NEUTRAL: Mapping[str, tuple[str, str]] = {"en": ("the player", "friend"), "zh": ("玩家", "朋友")}
_OTHERWISE = ("Player", "Player")
"""By language, what the player is called where they are spoken of and where they are called; elsewhere a name, which every language takes in every place."""

_DRESS = r"[\s\"'“‘«„「『(*_~#>•—–-]*"
_BEGINS = re.compile(
    rf"(?:\A|\n|[.!?…][\"'”’»)*_]*\s|[。！？…][”’」』*]*)\s*{_DRESS}\Z|[,:;，：；]\s*[\"“«„「『]\Z|(?:\A|(?<=\s))[\"“„«]\Z"
)
"""Before the first word of a sentence, or of what is quoted."""
_BARE = re.compile(
    r"(?:\b(?:an?|the|my|your|our|his|her|their|dear(?:est)?|darling|sweet(?:est)?|little|young|old|poor|beloved|precious|silly)[ \t]+|\w-)\Z",
    re.IGNORECASE,
)
"""Before a name that takes no article."""
_TITLE = re.compile(
    r"\b(?:mr|mrs|ms|miss|mx|sir|lady|lord|madam|master|mistress|dr|doctor|prof|professor|captain|commander|lieutenant|sergeant|general|agent|officer"
    r"|detective|king|queen|prince|princess|uncle|aunt|auntie)\.?[ \t]+\Z",
    re.IGNORECASE,
)
"""The same, which makes it a part of a name."""
_GESTURE_ENDS = re.compile(r"\*\s+[\"“「]?\Z")
_GREETS = re.compile(
    r"(?:\b(?:hello|hi|hey|thanks|thank you|goodbye|bye|farewell|good (?:morning|day|afternoon|evening|night))\s+"
    r"|(?:你好|您好|嗨|嘿|哈喽|早安|早上好|下午好|晚上好|晚安|再见|谢谢|多谢|亲爱的)[呀啊哦]?)\Z",
    re.IGNORECASE,
)
"""Before a name that is called, whatever comes after it."""
_CALLS = re.compile(
    r"(?:[,，、…~～—–]\s*|\b(?:oh|o|ah|dear|welcome|morning|evening|night|sorry|please|yes|no|well|listen|look|so|but|and you)\s+"
    r"|(?:喂|早|欢迎|抱歉|对不起|拜托|听着|来吧|好了)[呀啊哦]?)\Z",
    re.IGNORECASE,
)
"""Before a name that is called where it is set apart."""
_CALLED = re.compile(r"(?!\s*[,，]?\s*(?:and|or|和|与)\b)\s*(?:[,，.。!！?？…~～—–]|[\"”’»」』*]|\Z|\n)")
"""After it."""
_OWN = re.compile(r"['’]s\b")
_ENDS = re.compile(r"\s*(?:[.!?…]|[\"”’»*]|\Z|\n)")
_AGREES = re.compile(r"\b(?:is|was|has|does|isn['’]t|wasn['’]t|where['’]s|who['’]s|how['’]s|what['’]s)\s+\Z", re.IGNORECASE)
_THIRD = re.compile(r"\b(?:they|them|their|theirs|themsel(?:f|ves)|he|him|his|himself)\b", re.IGNORECASE)
_OPENING, _CLOSING = "“「『«„", "”」』»"


@dataclass(frozen=True)
class _Place:
    """Where the player stands in a text: what is before and what is after."""

    before: str
    after: str
    read: Read

    @property
    def begins(self) -> bool:
        near = self.before[-80:]
        if _BEGINS.search(near) is not None:
            return True
        return self.read is not Read.TOLD and self._line.count("*") % 2 == 0 and _GESTURE_ENDS.search(near) is not None

    @property
    def called(self) -> bool:
        if not self._spoken or _OWN.match(self.after):
            return False
        if _GREETS.search(self.before[-40:]):
            return True
        return _CALLED.match(self.after) is not None and (self.begins or _CALLS.search(self.before[-40:]) is not None)

    @property
    def fits_you(self) -> bool:
        """Whether English says "you" or "your" here, whatever the verb."""
        if _OWN.match(self.after):
            return True
        return _ENDS.match(self.after) is not None and not _AGREES.search(self.before[-40:])

    @property
    def _line(self) -> str:
        return self.before.rpartition("\n")[2]

    @property
    def _spoken(self) -> bool:
        """Whether somebody says it: inside of quotation marks, or, in a line of speech without any, outside of asterisks."""
        head, tail = self._line, self.after.partition("\n")[0]
        if any(mark in head + tail for mark in _OPENING + _CLOSING + '"'):
            opened = sum(map(head.count, _OPENING)) - sum(map(head.count, _CLOSING))
            return head.count('"') % 2 == 1 or opened > 0
        return self.read is not Read.TOLD and head.count("*") % 2 == 0


def neutral(language: str) -> str:
    """What a player without a name is called within a sentence of the program's own."""
    return _words(language)[0]


def told(text: str, language: str, *, read: Read = Read.TOLD) -> str:
    """The text with words for the player in the place of each MARK."""
    if MARK not in text:
        return text
    pieces = text.split(MARK)
    places = [_Place(MARK.join(pieces[:n]), MARK.join(pieces[n:]), read) for n in range(1, len(pieces))]
    spoken_of = [place for place in places if not place.called]
    chinese = _words(language) is _NEUTRAL["zh"]
    fits = _words(language) is _NEUTRAL["en"] and not _THIRD.search(text) and all(place.fits_you for place in spoken_of)
    as_you = read is Read.GREETING and (chinese or fits)
    made = pieces[0]
    for place, rest in zip(places, pieces[1:], strict=True):
        word = _word(place, language)
        if as_you and not place.called:
            own = None if chinese else _OWN.match(rest)
            word, rest = ("你" if chinese else "your" if own else "you"), rest[own.end() :] if own else rest
            word = word.capitalize() if place.begins else word
        made += word + rest
    return made


def _word(place: _Place, language: str) -> str:
    spoken_of, called = _words(language)
    if place.called:
        word = called
    elif _words(language) is _NEUTRAL["en"] and _TITLE.search(place.before[-20:]):
        word = _OTHERWISE[0]
    elif _words(language) is _NEUTRAL["en"] and (_BARE.search(place.before[-20:]) or re.match(r"-\w", place.after)):
        word = spoken_of.removeprefix("the ")
    else:
        word = spoken_of
    return word[0].upper() + word[1:] if place.begins else word


def _words(language: str) -> tuple[str, str]:
    return _NEUTRAL.get(language.partition("-")[0].lower(), _OTHERWISE)
