"""Character cards that come in and go out as files."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class CardNoteView:
    """One thing that an import did with a file, by its code in `personas.cards.report`."""

    code: str
    place: str
    """Path in the file."""
    n: int
    detail: str


@dataclass(frozen=True)
class CardReportView:
    form: str
    container: str
    used: tuple[str, ...]
    """Fields that conversations use, by their names in V3."""
    kept: tuple[CardNoteView, ...]
    coerced: tuple[CardNoteView, ...]
    mended: tuple[CardNoteView, ...]
    dropped: tuple[CardNoteView, ...]
    unlisted: int
    """Notes beyond those."""


@dataclass(frozen=True)
class CardTakenView:
    """What came of a file. outcome: `added`, `updated`, `lorebook` (it is one, and is kept as such);
    or, where nothing was changed yet, `same` (it is there already) `named` (one of its name is there) or
    `mended` (something was put right in it, or is missing, and is told first)."""

    outcome: str
    id: str
    """The character it became, or that is there already."""
    name: str
    """As the file has it."""
    there: str
    """As the one is called that is there already; empty where it was added."""
    creator: str
    notes: str
    """The creator's notes."""
    report: CardReportView


@dataclass(frozen=True)
class CardOutView:
    """What a character may go out as."""

    forms: tuple[str, ...]
    private: tuple[str, ...]
    """Keys in which another program left what only its owner had to know."""
    left_out: tuple[str, ...]
    """Places that V2 has no room for."""
    members: int
    """Files of the archive it came in, which an archive alone holds."""
