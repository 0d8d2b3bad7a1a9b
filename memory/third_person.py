"""Words of a speaker as if told of them, to be compared with sentences that are: "I take a photo" as "the player takes a photo".

It is shown to nobody and need not be good English: what is remembered are the words themselves.
"""

from __future__ import annotations

import re
from functools import lru_cache

from memory.words import tagged

_PUT = [
    (re.compile(pattern, re.IGNORECASE), put)
    for pattern, put in (
        (r"\bi['’]?m\b|\bi am\b", "{name} is"),
        (r"\bi['’]?ve\b", "{name} has"),
        (r"\bi['’]ll\b", "{name} will"),
        (r"\bi['’]d\b", "{name} would"),
        (r"\b(?:i|me)\b", "{name}"),
        (r"\bmyself\b", "themself"),
        (r"\bmy\b", "{name}'s"),
        (r"\bmine\b", "theirs"),
        (r"\bwe['’]re\b", "they are"),
        (r"\bwe\b", "they"),
        (r"\bus\b", "them"),
        (r"\bour\b", "their"),
    )
]
_IRREGULAR = {"have": "has", "do": "does", "don't": "doesn't", "am": "is", "are": "are"}
_FIRST_ZH = re.compile("我们|咱们|咱|我|俺|本人")


@lru_cache(maxsize=4_096)
def third_person(words: str, *, name: str, language: str) -> str:
    """name: whom it is told of."""
    if language == "zh":
        return _FIRST_ZH.sub(name, words)
    parts: list[str] = []
    led = False
    for token in tagged(words):
        # Of a sentence with "I" its verbs in the present; where a tag is wrong the comparison is a little worse.
        led = led or token.lower_ in ("i", "i’m", "i'm")
        parts.append((_conjugated(token.text) if led and token.tag_ == "VBP" else token.text) + token.whitespace_)
    told = "".join(parts)
    for pattern, put in _PUT:
        told = pattern.sub(put.format(name=name), told)
    return told[:1].upper() + told[1:]


def _conjugated(verb: str) -> str:
    low = verb.lower()
    if low in _IRREGULAR or low.startswith(("'", "’")):
        return _IRREGULAR.get(low, verb)
    if low.endswith(("s", "x", "z", "ch", "sh", "o")):
        return verb + "es"
    return verb[:-1] + "ies" if low.endswith("y") and low[-2:-1] not in "aeiou" else verb + "s"
