"""The examples the reader learns from, and what each says of the segments and tokens of its message. Their form is told in training/data/README.md."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memory.persona_keys import KEYS
from memory.reading.inputs import ABOUT, KEY_NAMES, KINDS, MODES, Encoded, encoded, message_segments
from memory.reading.segments import Segment
from models.unigram import Unigram

WHY_MODE = {
    "joke": "unserious", "irony": "unserious", "lie": "unserious", "game": "unserious", "figure": "unserious",
    "hypothesis": "unreal", "dream": "unreal", "song": "recited", "read": "recited", "quoted": "quoted", "hearsay": "hearsay",
    "question": "question", "ooc": "aside", "other": "other",
}  # fmt: skip


@dataclass
class Example:
    """A message with what is to be learned of it.

    before: the line it is read with; segments [s]: keep 0/1; mode: index of MODES or -1 where not said; about, kind: multi-hot; tokens [t]: fact, value 0/1.
    values: (tokens, index of KEY_NAMES) of each persona value.
    """

    raw: dict[str, Any]
    before: Sequence[str] | None
    encoded: Encoded
    segments: list[Segment]
    keep: NDArray[np.float32]
    mode: NDArray[np.int64]
    about: NDArray[np.float32]
    kind: NDArray[np.float32]
    fact: NDArray[np.float32]
    value: NDArray[np.float32]
    values: list[tuple[NDArray[np.int64], int]]
    facts_at: list[list[int]] = field(default_factory=list)
    """For each fact, the segments it stands in."""


def read(paths: Iterable[Path]) -> list[tuple[str, dict[str, Any]]]:
    """(file's stem, line) of JSON Lines files. Raises ValueError with file and line."""
    found = []
    for path in paths:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if line.strip():
                try:
                    found.append((path.stem, json.loads(line)))
                except ValueError as error:
                    raise ValueError(f"{path.name}, line {number}: {error}") from error
    return found


def labelled(raw: dict[str, Any], tokens: Unigram, *, alone: bool = False) -> Example:
    """What a line says of its segments and tokens. alone: read without the line before it."""
    message, speaker = raw["message"], raw["speaker"]
    before = raw["before"][-1] if raw["before"] else None
    parts = message_segments(message, speaker=speaker)
    made = encoded(message, speaker=speaker, before=None if alone else before, tokens=tokens)
    keep = np.zeros(len(parts), np.float32)
    mode = np.full(len(parts), -1, np.int64)
    about = np.zeros((len(parts), len(ABOUT)), np.float32)
    kind = np.zeros((len(parts), len(KINDS)), np.float32)
    fact_tokens = np.zeros(len(made.ids), np.float32)
    value_tokens = np.zeros(len(made.ids), np.float32)
    values: list[tuple[NDArray[np.int64], int]] = []
    facts_at: list[list[int]] = []
    for words, why in raw["not"]:
        for i in _within(_found(message, words), parts):
            mode[i] = MODES.index(WHY_MODE[why.split(":")[0]])
    for fact in raw["facts"]:
        span = _found(message, fact["words"])
        at = _within(span, parts)
        facts_at.append(at)
        for i in at:
            keep[i] = 1
            mode[i] = MODES.index("meant")
            about[i, ABOUT.index(_about(fact["about"], speaker=speaker, before=before, raw=raw))] = 1
            kind[i, KINDS.index(fact["kind"])] = 1
        fact_tokens[made.tokens_of(*span)] = 1
        if fact["key"] in KEYS and fact["about"] == speaker and (value := _value_span(message, span, fact["value"])):
            at_value = made.tokens_of(*value)
            value_tokens[at_value] = 1
            values.append((at_value, KEY_NAMES.index(fact["key"])))
    return Example(raw, None if alone else before, made, parts, keep, mode, about, kind, fact_tokens, value_tokens, values, facts_at)


def _about(about: str, *, speaker: str, before: Sequence[str] | None, raw: dict[str, Any]) -> str:
    said_to = {name for name, _ in raw["before"]} - {speaker}
    if about == speaker:
        return "speaker"
    if about in said_to:
        return "listener"
    if speaker in about and any(name in about for name in said_to):
        return "together"
    return "other"


def _found(message: str, words: str) -> tuple[int, int]:
    at = message.find(words)
    if at < 0:
        raise ValueError(f"words are not in the message: {words!r}")
    return at, at + len(words)


def _within(span: tuple[int, int], parts: Sequence[Segment]) -> list[int]:
    """The segments a stretch stands in: those it covers by half, or that hold half of it; else the one that holds most of it."""
    shared = [max(0, min(span[1], p.end) - max(span[0], p.start)) for p in parts]
    found = [i for i, p in enumerate(parts) if shared[i] and (shared[i] >= (p.end - p.start) / 2 or shared[i] >= (span[1] - span[0]) / 2)]
    if not found and any(shared):
        found = [int(np.argmax(shared))]
    return found


def _value_span(message: str, span: tuple[int, int], value: str) -> tuple[int, int] | None:
    """Where a value stands in the words of its fact; else in the message; else its longest run of words that does, if that is half of it."""
    for low, high in (span, (0, len(message))):
        at = message.casefold().find(value.casefold(), low, high)
        if at >= 0:
            return at, at + len(value)
    words = value.split() if " " in value else list(value)
    for size in range(len(words) - 1, max(0, (len(words) - 1) // 2), -1):
        for start in range(len(words) - size + 1):
            run = (" " if " " in value else "").join(words[start : start + size])
            at = message.casefold().find(run.casefold(), *span)
            if at >= 0 and len(run) > 1:
                return at, at + len(run)
    return None
