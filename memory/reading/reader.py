"""What of a message is worth a memory, whose it is, and how it is kept: in the speaker's own words, or told where that is exact.

The words are those that were said (LongMemEval 4.2: facts alone lose detail): a quoted memory is true by construction. What is learned chooses and sorts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import lru_cache

from memory.episodes import language_of
from memory.persona import PLAYER
from memory.persona_keys import KEYS, Merge
from memory.reading.evidence import BRACKET
from memory.reading.inputs import ABOUT, KEY_NAMES, KINDS, MODES, message_segments
from memory.reading.network import Judged, Network, network
from memory.reading.people import Mention, introduced, whom
from memory.reading.segments import Segment, Voice
from memory.reading.wording import worded
from memory.timeline import mentions, spell
from memory.words import tokens_of

KEEP = 0.35
"""Calibrated probability from which a stretch is kept."""
MEANT = 0.5
"""And that it is meant, among all ways to mean it."""
KEY = 0.35
"""Probability from which a stretch is a value of a persona key. It is read strictly: near keys (occupation, workplace) share it, and a fifth is left for none."""
QUOTED = 0.2
"""Probability from which what stands in quotation marks counts as another's."""
ENDS = 0.1
"""Probability from which a stretch is compared with what was told before."""
_OVER = re.compile(
    r"\b(?:any ?more|no longer|any longer|quit|stopped|gave up|given up|made (?:that|it|up)|after all)\b|[不没](?:再|[^，。！？,.!?]{0,8}了)|辞|分手|离婚|骗你|瞎说|编的",
    re.IGNORECASE,
)
"""What says that something is so no more: that is no value of the persona."""
MAY_END = re.compile(
    _OVER.pattern
    + r"|\b(?:not any|forget what|take that back|instead of|moved|switched|sold|lost|left|broke up|divorced|died"
    + r"|passed away|is dead|cancelled|called off|is off|turns out)\b"
    + r"|搬|卖了|丢了|死了|走了|去世|取消|改到|改成|换了|乱说|忘了我",
    re.IGNORECASE,
)
"""What may end something whatever was learned: it is laid beside what was told, and that decides."""
MAX_VALUE_CHARS = 80
ASKED_CHARS = 120
"""Of the line that is answered."""
SHORT = 12
"""Characters of a stretch that says little by itself."""
_LEANS = re.compile(
    r"[\"“'‘*(（「\s]*(?:he|she|they|it|this|that|these|those|his|her|their|him|them|its|there|who|which|and|but|because|so|or)\b|[“「\s]*(?:他|她|它|这|那|而且|但|因为|所以)",
    re.IGNORECASE,
)

_MARKS = ' ,.;:!?，。；：！？、"“”*()（）《》「」'
_LITTLE_LAST = re.compile(r"(?:\s+(?:and|or|but|with|at|in|on|of|to|for|from|the|a|an|my|our))+$", re.IGNORECASE)
_LITTLE = re.compile(
    r"^(?:(?:in|at|on|to|from|of|as|with|for|a|an|the|my|our|i|am|i['’]m|is|are|called|named)\s+)+(?=[^\W_])|^[是叫在](?=[\u4e00-\u9fff]{2})",
    re.IGNORECASE,
)
_JOINS = re.compile(r"[\s,，]*(?:(?:called|named|叫|名叫|叫做|的)[\s“\"]*)?", re.IGNORECASE)
"""What stands between two stretches of one value: "a cat, Turnip", "a brother called Tobias"."""
_JOINED = frozenset("family friends partner pets relationships belongings".split())
"""Keys of what has a name."""


@dataclass(frozen=True)
class Noted:
    """A memory. text: the speaker and their words, understood alone; form: `told` or `quoted`; about: whom it is about, by name where one is said; value: words
    of the message, empty without key; keep: calibrated probability; start, end: where the words stand in the message; kind: state, event or passing; whose:
    a class of ABOUT."""

    text: str
    form: str
    about: str
    key: str
    value: str
    mode: str
    kind: str
    keep: float
    start: int
    end: int
    whose: str


def read(
    message: str,
    *,
    speaker: str,
    before: Sequence[str] | None = None,
    listener: str = "",
    by: Network | None = None,
    keep: float = KEEP,
) -> list[Noted]:
    """What of a message is worth a memory, in its order. before: (speaker, words) of the line before it; listener: whom it is said to, else who spoke before."""
    parts, judged = _judged(message, speaker, None if before is None else (before[0], before[1]), by or network())
    found: list[Noted] = []
    for i, part in enumerate(parts):
        name = introduced(message[part.start : part.end])
        if (judged.keep[i] < keep and not name) or part.voice in (Voice.ASIDE, Voice.OTHER):
            continue
        mode = MODES[int(judged.mode[i].argmax())]
        if judged.mode[i, MODES.index("meant")] < MEANT or (part.in_quotes and judged.mode[i, MODES.index("quoted")] > QUOTED):
            continue
        whose = ABOUT[int(judged.about[i].argmax())]
        named = None
        if whose != "speaker":
            named = _named(
                message, part, whose, speaker=speaker, listener=listener or _other(before, speaker), before=before[1] if before else ""
            )
        fact = Noted(
            text=quoted(message, parts, i, speaker=speaker, before=before, named=named),
            form="quoted",
            about=speaker if whose == "speaker" else named.who if named else "",
            key="-",
            value="",
            mode=mode,
            kind=KINDS[int(judged.kind[i].argmax())],
            keep=round(float(judged.keep[i]), 4),
            start=part.start,
            end=part.end,
            whose=whose,
        )
        values = [] if _OVER.search(message[part.start : part.end]) else _values(message, judged, i)
        if name:  # and it is nothing else
            values = [("name", name), *((key, words) for key, words in values if key != "name" and words != name)]
        own = [replace(fact, about=speaker, key=key, value=value) for key, value in values]
        found += own if own and whose == "speaker" else [fact, *own]
    return found


@lru_cache(maxsize=32)
def _judged(message: str, speaker: str, before: tuple[str, str] | None, by: Network) -> tuple[list[Segment], Judged]:
    """A message is looked at alone, as an answer and for what it takes back, one after the other."""
    parts = message_segments(message, speaker=speaker)
    # Nobody whom it learned from is called "the player": of "You" it reads names and trades as well as of Mara.
    called = "You" if speaker == PLAYER["en"] else speaker
    return parts, by.judge(message, speaker=called, before=before, segments=parts)


def endings(message: str, *, speaker: str, by: Network | None = None) -> list[str]:
    """Words of a message, with the stretch before them where they lean on it, that may take back what its speaker told before."""
    parts, judged = _judged(message, speaker, None, by or network())
    may = [judged.ends[i] >= ENDS or MAY_END.search(message[part.start : part.end]) for i, part in enumerate(parts)]
    own = [i for i, part in enumerate(parts) if may[i] and part.voice not in (Voice.ASIDE, Voice.OTHER)]
    return [_words(message, parts, i)[1] for i in own]


def meet(a: Noted, b: Noted) -> bool:
    """Whether two are of the same words: they share half of the shorter."""
    shared = min(a.end, b.end) - max(a.start, b.start)
    return shared > 0 and 2 * shared >= min(a.end - a.start, b.end - b.start)


def with_days(text: str, *, said_at: datetime) -> str:
    """Words with the days that "yesterday" or 下周五 means behind them."""
    language = language_of(text)
    for mention in reversed(mentions(text, said_at=said_at, language=language)):
        if mention.relative:
            day = spell(mention.range, language=language)
            text = text[: mention.end] + (f"（{day}）" if language == "zh" else f" ({day})") + text[mention.end :]
    return text


def dated(text: str, day: date) -> str:
    """A memory with the day it was said before it."""
    if language_of(text) == "zh":
        return f"{day.year}年{day.month}月{day.day}日，{text}"
    return f"{day.day} {day:%B} {day.year}, {text}"


def _other(before: Sequence[str] | None, speaker: str) -> str:
    return before[0] if before is not None and before[0] != speaker else ""


def _named(message: str, part: Segment, whose: str, *, speaker: str, listener: str, before: str) -> Mention | None:
    """Whom a stretch is about that is not about its speaker; nobody where it is not found. Of whom it is said to and of two together the place is where it begins."""
    if whose == "other" or not listener:
        return whom(message, part.start, part.end, speaker=speaker, listener=listener, before=before)
    if whose == "listener":
        return Mention(part.start, part.start, listener)
    return Mention(part.start, part.start, f"{speaker} and {listener}" if language_of(message) == "en" else f"{speaker}和{listener}")


def _values(message: str, judged: Judged, i: int) -> list[tuple[str, str]]:
    """(key, value) of what a stretch tells of its speaker; under a key that holds one, the likeliest."""
    found: list[tuple[float, str, int, int]] = []
    for value in judged.values:
        key = int(value.key.argmax())
        start, end = int(judged.encoded.starts[value.tokens[0]]), int(judged.encoded.ends[value.tokens[-1]])
        if value.segment != i or not key or value.key[key] < KEY:
            continue
        if KEY_NAMES[key] in _JOINED and found and found[-1][1] == KEY_NAMES[key] and _JOINS.fullmatch(message[found[-1][3] : start]):
            likely, _, start, _ = found.pop()
            found.append((max(likely, float(value.key[key])), KEY_NAMES[key], start, end))
        else:
            found.append((float(value.key[key]), KEY_NAMES[key], start, end))
    best = {key: max(likely for likely, k, *_ in found if k == key) for _, key, *_ in found}
    chosen = [f for f in found if KEYS[f[1]].merge is not Merge.REPLACE or f[0] == best[f[1]]]
    values = [(key, _stripped(message[slice(*_whole_words(message, start, end))])) for _, key, start, end in chosen]
    return [(key, words) for key, words in values if 0 < len(words) <= MAX_VALUE_CHARS]


def _whole_words(message: str, start: int, end: int) -> tuple[int, int]:
    """A stretch drawn out to where its first and last word begin and end, where words are written apart, and to the end of a Chinese one."""
    while start > 0 and message[start - 1].isascii() and message[start - 1].isalnum() and message[start].isalnum():
        start -= 1
    if start > 0 and message[start - 1] in "'’" and " " in message[start:end]:
        start = message.index(" ", start) + 1  # "I'm 34"
    while end < len(message) and message[end].isascii() and message[end].isalnum() and message[end - 1].isalnum():
        end += 1
    if not message.isascii():
        end = next((t.end for t in tokens_of(message) if t.start < end < t.end), end)
    return start, end


def _stripped(value: str) -> str:
    """A value without the marks and the little words around it: "in Leith with" is Leith."""
    words = " ".join(value.split()).strip(_MARKS)
    return _LITTLE_LAST.sub("", _LITTLE.sub("", words)).strip(_MARKS) or words


def quoted(
    message: str, parts: Sequence[Segment], i: int, *, speaker: str, before: Sequence[str] | None, named: Mention | None = None
) -> str:
    """The speaker and the exact words, with the line they answer where there is one. named: whom they are about; said where the words do not."""
    first, words = _words(message, parts, i)
    line = None
    if first == 0 and before is not None and _other(before, speaker) and before[1].strip() and not BRACKET.search(before[1]):
        line = (before[0], _end_of(" ".join(before[1].split())))
    of = named.who if named is not None and named.start < parts[first].start and not (line and named.start < 0) else ""
    return worded(speaker, words, of=of, before=line, chinese=language_of(message) == "zh")


def _words(message: str, parts: Sequence[Segment], i: int) -> tuple[int, str]:
    """(first stretch, words) of a stretch with the one before it where it leans on that."""
    first = i
    own = message[parts[i].start : parts[i].end]
    if i and (_LEANS.match(own) or len(own) <= SHORT) and parts[i - 1].voice is not Voice.OTHER:
        first = i - 1
    return first, " ".join(message[parts[first].start : parts[i].end].split()).strip("\"“”「」'‘’*")


def _end_of(line: str) -> str:
    """The last of a line, whole words of it, with the mark of what is left out."""
    if len(line) <= ASKED_CHARS:
        return line
    last = line[-ASKED_CHARS:]
    return "… " + (last.partition(" ")[2] or last)
