"""What extraction reads and what it gives: one spoken message in, facts and persona values out, each with the words it rests on."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from datetime import datetime

from storage.wall import as_read


@dataclass(frozen=True)
class DateRange:
    """Whole days, both ends included, on the wall of whoever named them. They are compared with what was said, or happened, by the day that the wall there showed:
    who asks for 5 May means what was called 5 May where it was said."""

    first: datetime
    last: datetime

    def holds(self, moment: datetime) -> bool:
        """Whether it was one of these days where something was said."""
        return as_read(self.first) <= as_read(moment) <= as_read(self.last)

    def meets(self, first: datetime, last: datetime) -> bool:
        """Whether any of these days is one of others."""
        return as_read(first) <= as_read(self.last) and as_read(last) >= as_read(self.first)


@dataclass(frozen=True)
class FactDraft:
    """One thing that is so, by its speaker's account (DualMem 4: objective, self-contained, third person)."""

    text: str
    """In the language of its source: the speaker's own words behind their name, or a sentence in third person that a model told."""
    subject: str
    """Whom or what it is about: the speaker, the listener, or another as named in the text (`Mara's sister`)."""
    quote: str
    """The words of the message it rests on, verbatim."""
    event: DateRange | None = None
    """When it happened or will, if said or inferable."""
    trust: float = 1.0
    """Less than 1 for what a model told with a hedge."""
    worth: float = 1.0
    """How likely it is that this is worth a memory, where the reader says so."""
    from_question: bool = False
    """It needs the question to be understood, so that is a source as well."""
    quoted: bool = False
    """The text is the speaker's own words behind their name, and no sentence about them."""


@dataclass(frozen=True)
class ValueDraft:
    """One value of the player's persona (MOOM 3.2)."""

    key: str
    """A name in `memory.persona_keys.KEYS`."""
    value: str
    """Words of the message; a short phrase, never a sentence."""
    quote: str
    from_question: bool = False


@dataclass(frozen=True)
class Extraction:
    facts: tuple[FactDraft, ...] = ()
    values: tuple[ValueDraft, ...] = ()
    endings: tuple[str, ...] = ()
    """Words of the message that may take back what its speaker told before."""

    def as_json(self) -> str:
        """For the cache of what was derived."""
        return json.dumps(asdict(self), ensure_ascii=False, default=lambda moment: moment.isoformat())

    @classmethod
    def of_json(cls, text: str) -> Extraction:
        """What `as_json` gave."""
        parts = json.loads(text)
        return cls(
            tuple(FactDraft(**{**fact, "event": _dates(fact["event"])}) for fact in parts["facts"]),
            tuple(ValueDraft(**value) for value in parts["values"]),
            tuple(parts["endings"]),
        )


def _dates(value: dict[str, str] | None) -> DateRange | None:
    return DateRange(datetime.fromisoformat(value["first"]), datetime.fromisoformat(value["last"])) if value else None
