"""What extraction reads and what it gives: one spoken message in, facts and persona values out, each with the words it rests on."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from datetime import datetime

from storage.wall import as_read


@dataclass(frozen=True)
class Line:
    """One message to extract from.

    Names are as they are to stand in third person: a person's name, or `the player` / 玩家 where no name is known.
    """

    text: str
    """As it was said: gestures between asterisks, quoted speech, several sentences and paragraphs."""
    speaker: str
    listener: str
    """Whom "you" means; empty where that is not known (a group, an observed talk)."""
    is_player: bool
    """Persona values are drawn from the player's own words alone."""
    said_at: datetime
    """Against which "yesterday" is resolved."""
    question: str = ""
    """What the listener said directly before, which this may answer; nothing is extracted from it unless the answer gives it its meaning."""
    others: tuple[str, ...] = ()
    """Who else is there, in a talk of several: nothing is told of them, nor said in their names."""


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
    """A whole sentence in the language of its source that can be understood alone: names for I, my and you, dates for "yesterday"."""
    subject: str
    """Whom or what it is about: the speaker, the listener, or another as named in the text (`Mara's sister`)."""
    quote: str
    """The words of `Line.text` it rests on, verbatim."""
    event: DateRange | None = None
    """When it happened or will, if said or inferable."""
    trust: float = 1.0
    """1 for what is plainly said, less for hedges ("I think", 好像) and for views of things in general."""
    from_question: bool = False
    """It needs the question to be understood, so that is a source as well."""
    quoted: bool = False
    """The text is the speaker's own words behind their name, and no sentence about them."""
    worth: float = 1.0
    """How likely it is that this is worth a memory, where that was learned."""


@dataclass(frozen=True)
class ValueDraft:
    """One value of the player's persona (MOOM 3.2)."""

    key: str
    """A name in `memory.persona_keys.KEYS`."""
    value: str
    """Words of `Line.text`, or of the question that a bare yes answers, with "their" for "my"; a short phrase, never a sentence."""
    quote: str
    from_question: bool = False


_OWN = re.compile(r"\b(?:my|their)\b|\b(?:myself|themselves)\b", re.IGNORECASE)


def stands_in(value: str, text: str) -> bool:
    """Whether a value is in the words of a text, but for who "my" is; who is 妹妹，叫阿宁 by both its words, wherever they stand."""
    named = "，叫" in value and all(part in text for part in value.split("，叫"))
    return value in text or _OWN.sub("…", value) in _OWN.sub("…", text) or named


NO_MORE = "no more"
"""The act of a denial that only says that things are not so any longer: what cannot end is not meant."""


CALLED_OFF, DONE = "called off", "done"
"""Acts of denials of plans alone: what comes to nothing, and what was done and is no plan any more. `about` may be empty for what is called off: a plan of
the rounds just before."""
MEATLESS = "without meat"
"""Of `ENDED` of a diet: every one without meat, however it was called."""
MOVED = "moved"
"""The act of a denial by which something is on another day: what was told of its day before is meant; `about` are its words, with whose it is."""
KEPT_NO_MORE = "kept no more"
"""The act of a denial by which an animal is no more, or is somebody else's; `about` is its name, or what it is. Only what tells of keeping an animal is meant."""
CORRECTED = "corrected"
"""The act of a denial by a few words that put right something of what was said directly before; `about` are these words as they were said."""
RESTATED = "restated"
"""The act of a denial by a statement that stands for one of the same words said directly before; `about` is the statement, then the keys of its values."""
ENDED = "ended"
"""The act of a denial by which what was told under a key of the persona is over (a job left, a couple parted): `about` is the key, then what of it is meant."""


@dataclass(frozen=True)
class Denial:
    """What a speaker takes back of what they said before, or says is so no more."""

    about: tuple[str, ...] = ()
    """Words that all stand in what is taken back; empty for whatever was said directly before."""
    act: str = ""
    """The verb that what is taken back must say as well, as a base form; `have` for whatever says that somebody has something,
    `be` for anything. With one only what is told of the speaker themself is meant: a sister's dog is none of "I don't have a dog". `NO_MORE` says no verb."""


@dataclass(frozen=True)
class Extraction:
    facts: tuple[FactDraft, ...] = ()
    values: tuple[ValueDraft, ...] = ()
    denials: tuple[Denial, ...] = ()
    endings: tuple[str, ...] = ()
    """Words of the message that may take back what its speaker told before, where that was learned."""

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
            tuple(Denial(tuple(denial["about"]), denial["act"]) for denial in parts["denials"]),
            tuple(parts.get("endings", ())),
        )


def _dates(value: dict[str, str] | None) -> DateRange | None:
    return DateRange(datetime.fromisoformat(value["first"]), datetime.fromisoformat(value["last"])) if value else None
