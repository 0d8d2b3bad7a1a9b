"""What the memory answers to a question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum


class AskedPhase(StrEnum):
    WAITING = "waiting"
    """Others are asked first."""
    FINDING = "finding"
    READING = "reading"
    """A language model reads what was found."""
    CHOOSING = "choosing"
    """Sentences are chosen from it."""
    DONE = "done"
    STOPPED = "stopped"
    FAILED = "failed"


@dataclass(frozen=True)
class NoteView:
    """What one memory or round says that bears on a question."""

    text: str
    kind: str
    round: int
    said_by: str
    said_at: datetime
    happened: tuple[datetime, datetime] | None
    """First and last day of what it tells of, if that is known."""
    quote: str
    """The words it was taken from; empty where they are the text itself."""
    cited: bool
    """The answer rests on it."""


@dataclass(frozen=True)
class PartView:
    """A sentence of an answer with the rounds it stands in."""

    text: str
    rounds: tuple[int, ...]
    said_at: datetime | None
    happened: tuple[datetime, datetime] | None
    said_by: str = ""
    """Who said it, where these are the words of one thing that was remembered or said."""
    quote: str = ""
    """The words that was taken from, where they are other ones."""


@dataclass(frozen=True)
class AnswerView:
    found: bool
    missing: str
    """Why it was not found: `nothing` bears on it, what does is too `weak`, or a model named nothing it rests on (`uncited`); else empty."""
    by: str
    """`sentences` or `model`."""
    model: str
    """Its name, if one answered."""
    parts: tuple[PartView, ...]
    notes: tuple[NoteView, ...]
    """Oldest first, without what stands in a part already. Where nothing was found: the nearest things."""
    dated: bool
    """The question asks when."""
    waiting: int
    """Memory tasks that are not done: more may be remembered later."""


@dataclass(frozen=True)
class AskedView:
    """A question on its way, or answered."""

    token: str
    question: str
    phase: AskedPhase
    answer: AnswerView | None = None
    outdated: bool = False
    """What it was read from has changed since, so it is not shown."""
    error_code: str = ""
    error_params: Mapping[str, object] = field(default_factory=dict)
    """Why it failed; or, with an answer, why the model did not give it."""
    of: str = ""
    """Of several characters the one whose memory was asked."""

    @property
    def final(self) -> bool:
        return self.phase in (AskedPhase.DONE, AskedPhase.STOPPED, AskedPhase.FAILED)
