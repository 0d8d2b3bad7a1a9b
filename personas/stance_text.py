"""Stances as a person writes them in a form: a judgment on a line, under it examples of what calls it up, each on a line with a dash.

{{user}} leaves before anybody can leave {{user}}.
- {{user}} moves house again and again / {{user}} moved for the fourth time
- {{user}} cancels dinner with friends
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from errors import KeepsakeError
from personas.record import MAX_CUES, MAX_STANCES, MAX_STATEMENT_CHARS, MAX_WORDING_CHARS, MAX_WORDINGS, NOT_ON_A_LINE, Stance

LEAST_CUES = 2
"""No insight rests on one fact."""
_CUE = re.compile(r"\s*[-–—－•・*]\s*")
_BETWEEN = re.compile(r"\s+/\s+|\s*／\s*")


class StanceHeadless(KeepsakeError):
    """An example with no judgment above it; params: `field`, `line`."""

    code = "stance_headless"


class StanceAlone(KeepsakeError):
    """A judgment with too few examples; params: `field`, `line`, `least`."""

    code = "stance_alone"


class StanceTooLong(KeepsakeError):
    """A line, or what stands under it; params: `field`, `line`, `limit`, in characters."""

    code = "stance_too_long"


class StancesTooMany(KeepsakeError):
    """Judgments, examples of one or wordings of one; params: `field`, `line`, `limit`."""

    code = "stances_too_many"


class StanceTwice(KeepsakeError):
    """A judgment, or a wording under one; params: `field`, `line`."""

    code = "stance_twice"


def as_written(stances: Sequence[Stance]) -> str:
    """The text of a form."""
    return "\n\n".join("\n".join(_block(stance)) for stance in stances)


def _block(stance: Stance) -> list[str]:
    return [stance.statement, *(f"- {' / '.join(cue)}" for cue in stance.cues)]


def read(text: str, *, field: str, before: Sequence[Stance] = ()) -> tuple[Stance, ...]:
    """The stances of such a text. field: the form's, which every error of this module names. before: those that were there; one that stands in the text as
    `as_written` puts it is that one, whatever signs are in its words, as cards of other programs have them."""
    found: list[tuple[int, str, list[tuple[str, ...]]]] = []
    statements: set[str] = set()
    wordings: set[str] = set()
    blocks = {_one_line(stance.statement): stance for stance in before}
    lines = text.split("\n")
    read_to, apart = 0, True
    for number, line in enumerate(lines, start=1):
        if number <= read_to:
            continue
        bare = _one_line(line)
        if not bare:
            apart = True
            continue
        there = blocks.get(bare) if apart else None
        stands = there is not None and _stands(there, lines[number - 1 : number + len(there.cues) + 1])
        apart = False
        dash = _CUE.match(bare)
        if stands or dash is None:
            if len(bare) > MAX_STATEMENT_CHARS:
                raise StanceTooLong(
                    f"Line {number} has more than {MAX_STATEMENT_CHARS} characters.", field=field, line=number, limit=MAX_STATEMENT_CHARS
                )
            if bare.casefold() in statements:
                raise StanceTwice(f"Line {number} stands there twice.", field=field, line=number)
            if len(found) == MAX_STANCES:  # before the rest is read: a text of megabytes may follow
                raise StancesTooMany(f"{MAX_STANCES} judgments are the most.", field=field, line=number, limit=MAX_STANCES)
            statement, given = (there.statement, there.cues) if there is not None and stands else (bare, ())
            found.append((number, statement, [*given]))
            statements.add(bare.casefold())
            wordings = {wording.casefold() for cue in given for wording in cue}
            read_to = number + len(given)
        elif not found:
            raise StanceHeadless(f"Line {number} is an example with no judgment above it.", field=field, line=number)
        elif len(found[-1][2]) == MAX_CUES:
            raise StancesTooMany(f"{MAX_CUES} examples of one judgment are the most.", field=field, line=found[-1][0], limit=MAX_CUES)
        else:
            found[-1][2].append(_cue(bare[dash.end() :], wordings, field=field, line=number))
    for number, statement, cues in found:
        if len(cues) < LEAST_CUES and Stance(statement, tuple(cues)) not in before:
            raise StanceAlone(
                f"The judgment in line {number} needs {LEAST_CUES} examples at least.", field=field, line=number, least=LEAST_CUES
            )
    return tuple(Stance(statement, tuple(cues)) for _, statement, cues in found)


def _stands(stance: Stance, lines: Sequence[str]) -> bool:
    """Whether it stands in these lines, of which the last is behind it, and nothing more does."""
    block = [*map(_one_line, _block(stance)), ""]
    return [*map(_one_line, lines), ""][: len(block)] == block


def _cue(text: str, before: set[str], *, field: str, line: int) -> tuple[str, ...]:
    """The wordings of one example. before: those of the same judgment in one case, to which these are added."""
    kept: list[str] = []
    for wording in filter(None, map(str.strip, _BETWEEN.split(text))):
        if len(wording) > MAX_WORDING_CHARS:
            raise StanceTooLong(
                f"An example in line {line} has more than {MAX_WORDING_CHARS} characters.", field=field, line=line, limit=MAX_WORDING_CHARS
            )
        if wording.casefold() in before:
            raise StanceTwice(f"An example in line {line} stands there twice.", field=field, line=line)
        if len(kept) == MAX_WORDINGS:
            raise StancesTooMany(f"{MAX_WORDINGS} wordings of one example are the most.", field=field, line=line, limit=MAX_WORDINGS)
        kept.append(wording)
        before.add(wording.casefold())
    if not kept:
        raise StanceAlone(f"Line {line} holds no example.", field=field, line=line, least=LEAST_CUES)
    return tuple(kept)


def _one_line(text: str) -> str:
    return " ".join(NOT_ON_A_LINE.sub(" ", text).split())
