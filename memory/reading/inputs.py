"""What the reader's network is given: a message with the line before it as tokens, whose place in the message each has, and plain features of each segment.

The classes that its heads tell apart are named here, in the order of their outputs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memory.persona_keys import KEYS
from memory.reading.segments import Segment, Voice, segments
from models.unigram import Unigram

MODES = ("meant", "unserious", "unreal", "recited", "quoted", "hearsay", "question", "aside", "other")
"""How a stretch that looks like a fact is meant: unserious: joke, irony, lie, game, figure of speech; unreal: if, wish, dream; recited: song, letter."""
ABOUT = ("speaker", "listener", "together", "other")
KINDS = ("state", "event", "passing")
KEY_NAMES = ("", *KEYS)
"""Of a stretch that looks like a value: the persona key it is of; the first is none."""
RELATIONS = ("same", "beside", "no_longer")

READ_TOKENS, BEFORE_TOKENS = 400, 72
"""Of a message, and of the end of the line before it."""
MOST_SEGMENTS = 80
_VOICES = tuple(Voice)
FEATURES = len(_VOICES) + 12


@dataclass(frozen=True)
class Encoded:
    """ids [t]; starts, ends [t]: the characters of the message that a token stands for, -1 where it belongs to what stands before."""

    ids: list[int]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]

    def tokens_of(self, start: int, end: int) -> NDArray[np.int64]:
        """Indices of the tokens that stand in text[start:end]."""
        return np.flatnonzero((self.starts >= 0) & (self.starts < end) & (self.ends > start))


def runs(chosen: NDArray[np.bool_], at: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """Of the tokens `at`, those that are chosen, each row of neighbours by itself."""
    taken = at[chosen[at]]
    return [run for run in np.split(taken, np.flatnonzero(np.diff(taken) > 1) + 1) if len(run)]


def message_segments(message: str, *, speaker: str) -> list[Segment]:
    """At most MOST_SEGMENTS of a message."""
    return segments(message, speaker=speaker)[:MOST_SEGMENTS]


def encoded(message: str, *, speaker: str, before: Sequence[str] | None, tokens: Unigram) -> Encoded:
    """`<s> speaker: line before </s> speaker: message </s>`. before: (speaker, words)."""
    ids = [tokens.bos]
    if before is not None:
        ids += tokens.ids(f"{before[0]}:")[:12] + tokens.ids(before[1][-600:])[-BEFORE_TOKENS:]
    ids += [tokens.eos, *tokens.ids(f"{speaker}:")[:12]]
    head = len(ids)
    said = tokens.spans(message[: READ_TOKENS * 8])[:READ_TOKENS]
    ids += [id_ for id_, _, _ in said] + [tokens.eos]
    starts, ends = (np.full(len(ids), -1, np.int64) for _ in range(2))
    starts[head : head + len(said)] = [start for _, start, _ in said]
    ends[head : head + len(said)] = [end for _, _, end in said]
    return Encoded(ids, starts, ends)


def pair_ids(old: tuple[str, str], new: tuple[str, str], tokens: Unigram) -> list[int]:
    """`<s> line before / old words </s> line before / new words </s>`. old, new: (line before or empty, words)."""
    ids = [tokens.bos]
    for before, words in (old, new):
        ids += (tokens.ids(before[-200:] + " /")[-40:] if before else []) + tokens.ids(words)[:120] + [tokens.eos]
    return ids


_FIRST_PERSON = re.compile(r"\b(?:i|i'm|im|i’m|i've|ive|my|me|we|our|mine|us)\b|[我咱俺吾]", re.IGNORECASE)
_SECOND_PERSON = re.compile(r"\b(?:you|your|u|ur|you're)\b|[你您]", re.IGNORECASE)
_LAUGH = re.compile(r"\b(?:lol|lmao|haha+|jk|kidding|rofl)\b|哈哈|笑死|[😂🤣😜🙃😏]|doge", re.IGNORECASE)


def features(message: str, before: Sequence[str] | None, parts: Sequence[Segment]) -> NDArray[np.float32]:
    """[s, FEATURES]: the voice by rule, and what is plain to see."""
    asked = before is not None and before[1].rstrip(' *"”’)）').endswith(("?", "？"))
    rows = []
    for i, part in enumerate(parts):
        text = message[part.start : part.end]
        rows.append(
            [
                *(float(part.voice is voice) for voice in _VOICES),
                float(part.in_quotes),
                min(len(text), 300) / 100,
                float(text.rstrip('*"”’)） ').endswith(("?", "？"))),
                float("!" in text or "！" in text),
                float(_FIRST_PERSON.search(text) is not None),
                float(_SECOND_PERSON.search(text) is not None),
                float(any(c.isdigit() for c in text)),
                float(_LAUGH.search(message) is not None),
                float(before is not None),
                float(asked),
                min(i, 8) / 4,
                min(len(parts), 12) / 6,
            ]
        )
    return np.asarray(rows, np.float32).reshape(len(parts), FEATURES)
