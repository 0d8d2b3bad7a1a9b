"""Rounds of a conversation that listens (MemBench's observation): what several people say, to which nobody answers.

A round is what one speaker says in a stretch: lines of theirs that follow each other within five minutes, and after those short lines of others ("really?", 嗯),
which mean nothing without what they answer. Whatever else is said opens the next round. A round holds eight lines and a thousand letters at most, so
that one who goes on and on makes several. Which round a line belongs to follows from the lines of the round before it alone, so lines that come one by one, many
at once or as a file make the same rounds.

Its first line is the cue: what it calls up is what the character thinks of, as it would of what it is told.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

from memory.recall import Recall
from storage.records import to_ms

PAUSE_MS = 5 * 60_000
"""Longest silence inside a round; in milliseconds, as dates are kept."""
MOST_LINES = 8
MOST_CHARS = 1_000
"""Letters of a round from which on it takes in no further line; about two paragraphs, the half of what a memory's vector sees of a text."""
SHORT_CHARS, SHORT_CHARS_CJK, SHORT_QUESTION = 16, 6, 10
"""A line of another speaker that is no longer is part of what it answers: three words of English, too few to state much. A question that is longer than "Really?" is
what is answered next, and opens."""
KEPT = 18
"""Memories of a receipt: those that what was heard reinforced or inhibited."""


class Line(Protocol):
    """A line as it comes or as it stands: of a file, of a feed, of the conversation."""

    @property
    def speaker(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def said_at(self) -> datetime: ...


def goes_on(before: Sequence[Line], line: Line) -> bool:
    """Whether a line belongs to the round that is open. before: the lines of that round, oldest first; none where there is no open round of lines that were heard."""
    if not before or len(before) >= MOST_LINES or abs(to_ms(line.said_at) - to_ms(before[-1].said_at)) > PAUSE_MS:
        return False
    if sum(len(said.text) for said in before) + len(line.text) > MOST_CHARS:
        return False
    if line.speaker != before[0].speaker:
        return _is_short(line.text)
    return all(said.speaker == line.speaker for said in before)


def openings(lines: Sequence[Line], before: Sequence[Line] = ()) -> list[bool]:
    """For each of consecutive lines whether it opens a round. before: of the round that is open."""
    current, found = list(before), []
    for line in lines:
        opens = not goes_on(current, line)
        found.append(opens)
        current = [line] if opens else [*current, line]
    return found


def _is_short(text: str) -> bool:
    said = text.strip()
    most = SHORT_CHARS if said.isascii() else SHORT_CHARS_CJK
    return len(said) <= (min(most, SHORT_QUESTION) if said.endswith(("?", "？")) else most) and "\n" not in said


def receipt_of(recall: Recall, *, embedder: str) -> dict[str, object]:
    """What is kept of what a line called up. Its words stand in the conversation, and those of the memories in memory: nothing here has to be erased with them."""
    effects: Mapping[str, str] = {e.memory_id: e.effect.value for e in recall.events}
    return {
        "heard": True,
        "speaker": "",
        "query": "",
        "recipe": recall.recipe,
        "model": "",
        "embedder": embedder,
        "degraded": recall.degraded,
        "cross": recall.cross,
        "recall_ms": recall.milliseconds,
        "first_token_ms": None,
        "candidates": [
            {
                "memory_id": c.memory_id,
                "dense": c.dense,
                "sparse": c.sparse,
                "fused": c.fused,
                "parts": dict(c.parts),
                "effect": effects.get(c.memory_id, ""),
                "delivered": False,
                "reason": "",
            }
            for c in recall.candidates[:KEPT]
        ],
        "left_out": None,
        "sections": [],
        "prompt": [],
    }
