"""What of a message is worth a memory, whose it is, and how it is kept: in the speaker's own words, or told where that is exact.

The words are those that were said (LongMemEval 4.2: facts alone lose detail): a quoted memory is true by construction. What is learned chooses and sorts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

import numpy as np
from numpy.typing import NDArray

from memory.episodes import language_of
from memory.reading.inputs import ABOUT, KEY_NAMES, KINDS, MODES, message_segments
from memory.reading.network import Judged, Network, network
from memory.reading.segments import MARKS, Segment, Voice

KEEP = 0.35
"""Calibrated probability from which a stretch is kept."""
MEANT = 0.5
"""And that it is meant, among all ways to mean it."""
KEY, VALUE = 0.7, 0.4
"""Probabilities from which a stretch is of a persona key, and a token belongs to a value; better no value than a wrong one."""
QUOTED = 0.2
"""Probability from which what stands in quotation marks counts as another's."""
MAX_VALUE_CHARS = 80
ASKED_CHARS = 120
SHORT = 12
"""Characters of a stretch that says little by itself."""
_LEANS = re.compile(
    r"[\"“'‘*(（「\s]*(?:he|she|they|it|this|that|these|those|his|her|their|him|them|its|there|who|which|and|but|because|so|or)\b|[“「\s]*(?:他|她|它|这|那|而且|但|因为|所以)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Noted:
    """A memory. text: with day and speaker, understood alone; form: `told` or `quoted`; about: whom it is about, by name where one is said; value: words of the
    message, empty without key; keep: calibrated probability; start, end: where the words stand in the message; kind: state, event or passing."""

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


def read(
    message: str, *, speaker: str, day: date, before: Sequence[str] | None = None, by: Network | None = None, keep: float = KEEP
) -> list[Noted]:
    """What of a message is worth a memory, in its order. before: (speaker, words) of the line before it."""
    by = by or network()
    parts = message_segments(message, speaker=speaker)
    judged = by.judge(message, speaker=speaker, before=before, segments=parts)
    found: list[Noted] = []
    for i, part in enumerate(parts):
        if judged.keep[i] < keep or part.voice in (Voice.ASIDE, Voice.OTHER):
            continue
        mode = MODES[int(judged.mode[i].argmax())]
        if judged.mode[i, MODES.index("meant")] < MEANT or (part.in_quotes and judged.mode[i, MODES.index("quoted")] > QUOTED):
            continue
        found += _noted(message, parts, i, judged, speaker=speaker, day=day, before=before, mode=mode)
    return found


def _noted(
    message: str, parts: Sequence[Segment], i: int, judged: Judged, *, speaker: str, day: date, before: Sequence[str] | None, mode: str
) -> list[Noted]:
    part = parts[i]
    whose = ABOUT[int(judged.about[i].argmax())]
    kind = KINDS[int(judged.kind[i].argmax())]
    about = _named(message, part, judged, whose, speaker=speaker, before=before)
    text = quoted(message, parts, i, speaker=speaker, day=day, before=before)
    values = _values(message, part, judged, i)
    fact = Noted(text, "quoted", about, "-", "", mode, kind, round(float(judged.keep[i]), 4), part.start, part.end)
    own = [replace(fact, about=speaker, key=key, value=value) for key, value in values]
    return own if own and whose == "speaker" else [fact, *own]


def _named(message: str, part: Segment, judged: Judged, whose: str, *, speaker: str, before: Sequence[str] | None) -> str:
    """Whom a stretch is about: a name or a word for kin that stands in it, else whom it is said to."""
    if whose == "speaker":
        return speaker
    listener = before[0] if before is not None and before[0] != speaker else ""
    if whose == "listener" and listener:
        return listener
    if whose == "together" and listener:
        return f"{speaker} and {listener}" if language_of(message) == "en" else f"{speaker}和{listener}"
    names = _runs(judged.encoded.tokens_of(0, len(message)), judged.person > 0.5, judged)
    near = [n for n in names if n[0] < part.end and n[1] > part.start] or [n for n in names if n[1] <= part.start][-1:]
    if not near:
        return ""
    name = message[near[0][0] : near[0][1]].strip()
    kin = name.islower() or (language_of(message) == "zh" and len(name) <= 3 and name[:1] in MARKS["kin_signs"])
    return (f"{speaker}'s {name}" if language_of(message) == "en" else f"{speaker}的{name}") if kin else name


def _values(message: str, part: Segment, judged: Judged, i: int) -> list[tuple[str, str]]:
    """(key, value) of what a stretch tells of its speaker: at most one."""
    key = int(judged.key[i].argmax())
    if key == 0 or judged.key[i, key] < KEY:
        return []
    at = judged.encoded.tokens_of(part.start, part.end)
    spans = _runs(at, judged.value >= VALUE, judged)
    values = [v for start, end in spans if (v := _stripped(message[max(start, part.start) : min(end, part.end)]))]
    longest = max(values, key=len, default="")
    return [(KEY_NAMES[key], longest)] if 0 < len(longest) <= MAX_VALUE_CHARS else []


def _stripped(value: str) -> str:
    return " ".join(value.split()).strip(' ,.;:!?，。；：！？、"“”*()（）')


def _runs(at: NDArray[np.int64], chosen: NDArray[np.bool_], judged: Judged) -> list[tuple[int, int]]:
    """Characters of runs of chosen tokens."""
    out: list[tuple[int, int]] = []
    last = -2
    for token in at:
        if chosen[token]:
            start, end = int(judged.encoded.starts[token]), int(judged.encoded.ends[token])
            if out and token == last + 1:
                out[-1] = (out[-1][0], end)
            else:
                out.append((start, end))
            last = int(token)
    return out


def quoted(message: str, parts: Sequence[Segment], i: int, *, speaker: str, day: date, before: Sequence[str] | None) -> str:
    """Day, speaker and the exact words; with the sentence before them where they lean on it, and the line they answer where there is one."""
    first = i
    own = message[parts[i].start : parts[i].end]
    if i and (_LEANS.match(own) or len(own) <= SHORT) and parts[i - 1].voice is not Voice.OTHER:
        first = i - 1
    words = " ".join(message[parts[first].start : parts[i].end].split()).strip("\"“”「」'‘’*")
    chinese = language_of(message) == "zh"
    asked = ""
    if before is not None and before[0] != speaker and first == 0 and before[1].strip():
        line = _end_of(" ".join(before[1].split()))
        asked = f"（{before[0]}：“{line}”）" if chinese else f' (to {before[0]}: "{line}")'
    when = f"{day.year}年{day.month}月{day.day}日" if chinese else f"{day.day} {day:%B} {day.year}"
    return f"{when}，{speaker}{asked}：“{words}”" if chinese else f'{when}, {speaker}{asked}: "{words}"'


def _end_of(line: str) -> str:
    """The last of a line, whole words of it, with the mark of what is left out."""
    if len(line) <= ASKED_CHARS:
        return line
    last = line[-ASKED_CHARS:]
    return "… " + (last.partition(" ")[2] or last)
