"""Of the stances that a model drafted, those that a form can take (`personas.stance_text`)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, Field

from personas.record import MAX_CUES, MAX_STANCES, MAX_STATEMENT_CHARS, MAX_WORDING_CHARS, MAX_WORDINGS, NOT_ON_A_LINE, Stance
from personas.stance_text import LEAST_CUES, as_written

PLAYER = re.compile(r"\{\{\s*user\s*\}\}", re.IGNORECASE)
_MACRO = re.compile(r"\{\{|\}\}")
_BETWEEN = re.compile(r"\s*[/／]\s*")
_HEAD = re.compile(r"^[\s\-–—－•・*]+")
"""What a form would take for the sign of an example."""


def _listed(examples: object) -> object:
    """Models leave out the inner list where an example has one wording."""
    return [[one] if isinstance(one, str) else one for one in examples] if isinstance(examples, list) else examples


class DraftedStance(BaseModel):
    """As a model writes one."""

    statement: Annotated[str, Field(max_length=4_000)]
    examples: Annotated[list[list[str]], BeforeValidator(_listed), Field(max_length=100)]


class DraftedStances(BaseModel):
    """What the model answers."""

    stances: Annotated[list[DraftedStance], Field(max_length=100)]


@dataclass(frozen=True)
class Drafted:
    text: str
    """To stand below what a form has; empty where nothing could be used."""

    kept: int
    left_out: int


def usable(answer: DraftedStances, *, written: Sequence[Stance]) -> Drafted:
    """What speaks of {{user}}, is new, fits the limits of a form and has examples enough. written: what the form has already."""
    there = {stance.statement.casefold() for stance in written}
    kept: list[Stance] = []
    for drafted in answer.stances:
        statement = _line(drafted.statement)
        if not _speaks_of_player(statement, MAX_STATEMENT_CHARS) or statement.casefold() in there:
            continue
        cues = _cues(drafted.examples)
        if len(cues) < LEAST_CUES or len(written) + len(kept) >= MAX_STANCES:
            continue
        there.add(statement.casefold())
        kept.append(Stance(statement, cues))
    return Drafted(as_written(kept), len(kept), len(answer.stances) - len(kept))


def _cues(examples: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    """Each wording once in all of a judgment."""
    there: set[str] = set()
    cues: list[tuple[str, ...]] = []
    for example in examples:
        cue: list[str] = []
        for wording in (_line(part) for said in example for part in _BETWEEN.split(_line(said))):  # as a line first: no long runs of blanks
            if _speaks_of_player(wording, MAX_WORDING_CHARS) and wording.casefold() not in there and len(cue) < MAX_WORDINGS:
                there.add(wording.casefold())
                cue.append(wording)
        if cue:
            cues.append(tuple(cue))
    return tuple(cues[:MAX_CUES])


def _speaks_of_player(text: str, most: int) -> bool:
    """Whether a line is about {{user}} and holds no other macro."""
    return len(text) <= most and PLAYER.search(text) is not None and _MACRO.search(PLAYER.sub("", text)) is None


def _line(text: str) -> str:
    bare = _HEAD.sub("", " ".join(NOT_ON_A_LINE.sub(" ", text).split()))
    return PLAYER.sub("{{user}}", bare)
