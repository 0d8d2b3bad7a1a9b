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
from memory.reading.inputs import ABOUT, KEY_NAMES, KINDS, MODES, message_segments, runs
from memory.reading.network import Judged, Network, network
from memory.reading.segments import MARKS, Segment, Voice
from memory.timeline import mentions, spell

KEEP = 0.35
"""Calibrated probability from which a stretch is kept."""
MEANT = 0.5
"""And that it is meant, among all ways to mean it."""
KEY = 0.45
"""Probability from which a stretch is a value of a persona key. It is read strictly: near keys (occupation, workplace) share it, and a fifth is left for none."""
QUOTED = 0.2
"""Probability from which what stands in quotation marks counts as another's."""
ENDS = 0.1
"""Probability from which a stretch is compared with what was told before."""
MAX_VALUE_CHARS = 80
ASKED_CHARS = 120
"""Of the line that is answered."""
SHORT = 12
"""Characters of a stretch that says little by itself."""
_LEANS = re.compile(
    r"[\"“'‘*(（「\s]*(?:he|she|they|it|this|that|these|those|his|her|their|him|them|its|there|who|which|and|but|because|so|or)\b|[“「\s]*(?:他|她|它|这|那|而且|但|因为|所以)",
    re.IGNORECASE,
)


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
        if judged.keep[i] < keep or part.voice in (Voice.ASIDE, Voice.OTHER):
            continue
        mode = MODES[int(judged.mode[i].argmax())]
        if judged.mode[i, MODES.index("meant")] < MEANT or (part.in_quotes and judged.mode[i, MODES.index("quoted")] > QUOTED):
            continue
        whose = ABOUT[int(judged.about[i].argmax())]
        fact = Noted(
            text=quoted(message, parts, i, speaker=speaker, before=before),
            form="quoted",
            about=_named(message, part, judged, whose, speaker=speaker, listener=listener or _other(before, speaker)),
            key="-",
            value="",
            mode=mode,
            kind=KINDS[int(judged.kind[i].argmax())],
            keep=round(float(judged.keep[i]), 4),
            start=part.start,
            end=part.end,
            whose=whose,
        )
        own = [replace(fact, about=speaker, key=key, value=value) for key, value in _values(message, judged, i)]
        found += own if own and whose == "speaker" else [fact, *own]
    return found


@lru_cache(maxsize=32)
def _judged(message: str, speaker: str, before: tuple[str, str] | None, by: Network) -> tuple[list[Segment], Judged]:
    """A message is looked at alone, as an answer and for what it takes back, one after the other."""
    parts = message_segments(message, speaker=speaker)
    return parts, by.judge(message, speaker=speaker, before=before, segments=parts)


def endings(message: str, *, speaker: str, by: Network | None = None) -> list[str]:
    """Words of a message, with the stretch before them where they lean on it, that may take back what its speaker told before."""
    parts, judged = _judged(message, speaker, None, by or network())
    own = [i for i, part in enumerate(parts) if judged.ends[i] >= ENDS and part.voice not in (Voice.ASIDE, Voice.OTHER)]
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


def _named(message: str, part: Segment, judged: Judged, whose: str, *, speaker: str, listener: str) -> str:
    """Whom a stretch is about: a name or a word for kin that stands in it, else whom it is said to."""
    if whose == "speaker":
        return speaker
    if whose == "listener" and listener:
        return listener
    if whose == "together" and listener:
        return f"{speaker} and {listener}" if language_of(message) == "en" else f"{speaker}和{listener}"
    of = judged.encoded
    names = [(int(of.starts[run[0]]), int(of.ends[run[-1]])) for run in runs(judged.person > 0.5, of.tokens_of(0, len(message)))]
    near = [n for n in names if n[0] < part.end and n[1] > part.start] or [n for n in names if n[1] <= part.start][-1:]
    if not near:
        return ""
    name = message[near[0][0] : near[0][1]].strip()
    kin = name.islower() or (language_of(message) == "zh" and len(name) <= 3 and name[:1] in MARKS["kin_signs"])
    return (f"{speaker}'s {name}" if language_of(message) == "en" else f"{speaker}的{name}") if kin else name


def _values(message: str, judged: Judged, i: int) -> list[tuple[str, str]]:
    """(key, value) of what a stretch tells of its speaker."""
    found = []
    for value in judged.values:
        key = int(value.key.argmax())
        start, end = int(judged.encoded.starts[value.tokens[0]]), int(judged.encoded.ends[value.tokens[-1]])
        words = _stripped(message[slice(*_whole_words(message, start, end))])
        if value.segment == i and key and value.key[key] >= KEY and 0 < len(words) <= MAX_VALUE_CHARS:
            found.append((KEY_NAMES[key], words))
    return found


def _whole_words(message: str, start: int, end: int) -> tuple[int, int]:
    """A stretch drawn out to where its first and last word begin and end, where words are written apart."""
    while start > 0 and message[start - 1].isascii() and message[start - 1].isalnum() and message[start].isalnum():
        start -= 1
    while end < len(message) and message[end].isascii() and message[end].isalnum() and message[end - 1].isalnum():
        end += 1
    return start, end


def _stripped(value: str) -> str:
    return " ".join(value.split()).strip(' ,.;:!?，。；：！？、"“”*()（）')


def quoted(message: str, parts: Sequence[Segment], i: int, *, speaker: str, before: Sequence[str] | None) -> str:
    """The speaker and the exact words, and the line they answer where there is one."""
    first, words = _words(message, parts, i)
    chinese = language_of(message) == "zh"
    asked = ""
    if first == 0 and before is not None and _other(before, speaker) and before[1].strip():
        line = _end_of(" ".join(before[1].split()))
        asked = f"（{before[0]}：“{line}”）" if chinese else f" (to {before[0]}: “{line}”)"
    return f"{speaker}{asked}：“{words}”" if chinese else f"{speaker}{asked}: “{words}”"


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
