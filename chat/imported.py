"""What every layout of imported conversations becomes, the limits it is held to, and how a file is refused."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise

from chat.group_words import MOST
from chat.import_words import MENDS, Told, told
from chat.limits import MAX_MESSAGE_CHARS
from chat.text import REPLACEMENT
from errors import KeepsakeError

MAX_BYTES = 64 * 2**20
MAX_MESSAGES = 200_000
MAX_LINES = 2 * MAX_MESSAGES
"""Of JSON lines, where a line may be hidden or blank."""
MAX_KEPT_CHARS = 200_000
"""Of one message: a short novel. Memory reads as much of it as of one that is written here, `MAX_MESSAGE_CHARS`."""
MAX_WORDINGS = 500
"""Of one message; people keep a handful."""
MAX_NAME_CHARS = 200
"""Also the bound of sample and message ids."""
STEP = timedelta(milliseconds=10)
"""Short, so that 6,000 messages stated to the minute stay within that minute, and no session slides into the next day."""
SESSION_PAUSE = timedelta(minutes=30)
"""Between stamps, where a file does not name its sessions."""
PLAYER = "user"
CHARACTER = "character"
"""How the two are called in a conversation whose file has no name for them."""
LISTED = 20
"""Most names an error or a notice lists."""
PLACED = 5
"""Most places that a notice names."""


FORMS = ("program", "locomo", "lines", "pairs", "diary", "text")
"""Layouts: chats of role-play programs, LoCoMo-style JSON, messages or pairs a line, diaries, `Name: text`."""
CONTENT = "content"
KINDS = (CONTENT, "strange", "newer", "cut", "damaged", "large", "taken")
"""Why a file is refused: a line says what it may not, it is no bundle at all, of a later version, breaks off, was changed since it was written, is larger
than what is read, or has ids that belong to another chat."""


@dataclass(frozen=True)
class ImportedMessage:
    external_id: str
    """The file's own id (`D1:3`), else `T` and the message's number; unique within its conversation."""
    speaker: str
    text: str
    said_at: datetime
    """On the wall that the file tells of; UTC where it tells of none."""
    session: int
    """From 1; the file's own number in JSON."""
    line: int
    """Line of the file it opens on; in JSON the number of its turn within the session."""
    wordings: tuple[str, ...] = ()
    """All it has, the text among them, where there are several."""
    chosen: int = 0
    """Which of them the text is."""
    hidden: bool = False
    """Kept from the model by the person whose conversation it was."""
    present: tuple[str, ...] | None = None
    """Who of several characters witnessed it, where the file says so."""
    room: tuple[str, ...] | None = None
    """Who of them is there from this message on, where it says that somebody comes or goes."""
    narrates: bool = False
    """Nobody says it: the story is told."""
    thoughts: tuple[str, ...] = ()
    """What a model thought before each of its wordings, apart from them; empty where it thought before none."""


@dataclass(frozen=True)
class ImportedConversation:
    key: str
    title: str
    speakers: tuple[str, ...]
    messages: tuple[ImportedMessage, ...]
    """In the order of the file, at least one."""
    notices: tuple[str, ...]
    """What was left out or read in a way a person should know of, in English."""
    form: str = "text"
    """Of FORMS."""
    player: str = ""
    """The speaker who is the player, where the file says."""
    unnamed: tuple[str, ...] = ()
    """Of `PLAYER` and `CHARACTER` those the file has no name for: they fit any name (`chat.import_formats.select`)."""
    aliases: tuple[tuple[str, str], ...] = ()
    """Further names of the player and of the character, each with the name that stands for it: personas, and characters who were renamed."""

    @property
    def mended(self) -> Told | None:
        """The first that the file was mended in, or that was lost of it; None where it was sound."""
        return next((note for note in self.notices if isinstance(note, Told) and note.code in MENDS), None)

    def also(self, name: str) -> frozenset[str]:
        """All the names of whoever has this one."""
        main = dict(self.aliases).get(name, name)
        return frozenset((main, *(other for other, first in self.aliases if first == main)))

    @property
    def members(self) -> tuple[str, ...]:
        """Where the file says who witnessed what, the characters of whom it does: two to MOST, else none."""
        told = (name for m in self.messages for name in (*(m.present or ()), *(m.room or ())))
        names = tuple(dict.fromkeys(told))
        alike = len({name.strip().casefold() for name in names}) < len(names)
        return names if 2 <= len(names) <= MOST and not alike and all(m.present is not None for m in self.messages) else ()

    @property
    def people(self) -> tuple[str, ...]:
        """Its speakers, each under one name."""
        main = dict(self.aliases)
        return tuple(dict.fromkeys(main.get(name, name) for name in self.speakers))

    def named(self, *, user: str, character: str) -> ImportedConversation:
        """The same with names for those that had none."""
        names = {side: name for side, name in ((PLAYER, user), (CHARACTER, character)) if side in self.unnamed}
        if not names:
            return self
        speakers = tuple(names.get(s, s) for s in self.speakers)
        messages = tuple(replace(m, speaker=names.get(m.speaker, m.speaker)) for m in self.messages)
        player = names.get(self.player, self.player)
        return replace(self, title=" & ".join(speakers[:2]), speakers=speakers, messages=messages, player=player, unnamed=())


@dataclass(frozen=True)
class Said:
    """A message as read, before those without a stamp have a date."""

    line: int
    speaker: str
    text: str
    stamp: datetime | None
    session: int
    external_id: str = ""
    wordings: tuple[str, ...] = ()
    chosen: int = 0
    hidden: bool = False
    present: tuple[str, ...] | None = None
    room: tuple[str, ...] | None = None
    narrates: bool = False
    thoughts: tuple[str, ...] = ()


class ImportRefused(KeepsakeError):
    """A file that was not imported; params: `file`, `where` (line or record, may be empty), `reason`, `kind` (of the reason, see `Fault`), and
    `why`, its code and what it names (`chat.import_words`), where it has one. Nothing of the file was kept."""

    code = "import_refused"

    def __init__(self, *, file: str, where: str, reason: str, kind: str = CONTENT) -> None:
        place = f", {where}" if where else ""
        super().__init__(
            f"{file}{place}: {reason}. Nothing was imported.", file=file, where=where, reason=reason, kind=kind, **_coded(reason)
        )


def _coded(reason: str) -> dict[str, object]:
    """What the page says a reason by in the reader's language, where it has a code."""
    return {"why": {"code": reason.code, "params": reason.params}} if isinstance(reason, Told) else {}


class NoSuchConversation(KeepsakeError):
    """None, or more than one, of a file's conversations is between the two named; param `available` lists what is there."""

    code = "import_no_such_conversation"


class Fault(Exception):
    """A reason and its place, before the file's name is known. kind: of KINDS; the page has a sentence for each, and the reason in English beside it."""

    def __init__(self, where: str, reason: str, *, kind: str = CONTENT) -> None:
        super().__init__(reason)
        self.where, self.reason, self.kind = where, reason, kind


class Wordless(Fault):
    """A conversation in which nothing is said."""


class Remarks:
    """What a file was mended in and what of it was left out, by kind: how often, and where first."""

    def __init__(self) -> None:
        self._kinds: dict[tuple[str, str], _Kind] = {}

    def add(self, code: str, where: str = "", *, n: int = 1, because: Told | None = None, **params: str | int) -> None:
        kind = self._kinds.setdefault((code, because.code if because is not None else ""), _Kind(because, params))
        kind.n += n
        if where and len(kind.places) < PLACED and where not in kind.places:
            kind.places.append(where)

    def lose(self, fault: Fault) -> None:
        """A record that cannot be read is left out."""
        self.add("left_broken", fault.where, because=fault.reason if isinstance(fault.reason, Told) else None)

    def told(self) -> list[Told]:
        return [
            told(code, because=kind.because, places=tuple(kind.places), **{"n": kind.n, **kind.params})
            for (code, _), kind in self._kinds.items()
        ]

    def clean(self, text: str, where: str) -> str:
        """A text as it can be kept: what no part can carry is shown as U+FFFD, and it is cut at `MAX_KEPT_CHARS`."""
        kept = clean(text)
        if REPLACEMENT in kept and kept.count(REPLACEMENT) > text.count(REPLACEMENT):
            self.add("replaced", where)
        if len(kept) > MAX_MESSAGE_CHARS:
            self.add("long_messages", where, most=MAX_MESSAGE_CHARS, kept=MAX_KEPT_CHARS)
        return kept[:MAX_KEPT_CHARS].rstrip()

    def word(self, value: object, where: str) -> str:
        """A name or an id on one line, cut at the limit; empty for what is none."""
        if value is None or value == "":
            return ""
        if isinstance(value, list | tuple):
            value = ", ".join(str(one) for one in value if isinstance(one, str | int) and not isinstance(one, bool))
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            return ""
        text = str(value)[: 100 * MAX_NAME_CHARS]
        word = " ".join(clean(text).split())
        if word.count(REPLACEMENT) > text.count(REPLACEMENT):
            self.add("replaced", where)
        if len(word) > MAX_NAME_CHARS:
            self.add("cut_names", where, most=MAX_NAME_CHARS)
        return word[:MAX_NAME_CHARS].rstrip()


@dataclass
class _Kind:
    because: Told | None
    params: dict[str, str | int]
    n: int = 0
    places: list[str] = field(default_factory=list)


def conversation(
    key: str,
    speakers: Iterable[str],
    said: list[Said],
    remarks: Remarks,
    where: str,
    *,
    form: str,
    modified: float,
    unnamed: Iterable[str] = (),
    aliases: Iterable[tuple[str, str]] = (),
) -> ImportedConversation:
    """What all layouts share: no empty conversation, a date and an id for each message, all speakers named, and what a person should know. modified: seconds
    since 1970, for a file without dates."""
    if not said:
        raise Wordless(where, told("no_message"))
    notices = remarks.told()
    messages = _identified(dated(said, modified=modified, notices=notices))
    count = Counter(message.speaker for message in messages if not message.narrates)
    everyone = tuple(dict.fromkeys((*speakers, *count))) or tuple(dict.fromkeys(m.speaker for m in messages))
    made = ImportedConversation(
        key, " & ".join(everyone[:2]), everyone, tuple(messages), (), form=form, unnamed=tuple(unnamed), aliases=tuple(aliases)
    )
    if len(made.people) > 2:
        listed = ", ".join(f"{short(name)} ({count[name]:,})" for name in everyone[:LISTED])
        notices.append(told("many_speakers", n=len(everyone), names=listed))
    if made.aliases:
        notices.append(
            told("many_names", n=len(made.aliases), names=", ".join(f"{short(b)} = {short(a)}" for a, b in made.aliases[:LISTED]))
        )
    if back := sum(b.said_at < a.said_at for a, b in pairwise(messages)):
        notices.append(told("dated_back", n=back))
    return replace(made, notices=tuple(notices))


def _identified(messages: list[ImportedMessage]) -> list[ImportedMessage]:
    """Messages with an id of its own for each: of two with one id the latter is called by its place."""
    taken: set[str] = set()
    kept: list[ImportedMessage] = []
    for number, message in enumerate(messages, 1):
        own = message.external_id
        while own in taken:
            own = f"T{number}" if own == message.external_id else f"{own}~"
        taken.add(own)
        kept.append(message if own == message.external_id else replace(message, external_id=own))
    return kept


def dated(kept: list[Said], *, modified: float, notices: list[Told]) -> list[ImportedMessage]:
    """Messages with a date each, by the rules in `chat.import_formats`; modified: seconds since 1970. Says in `notices` what was assumed."""
    if not kept:
        return []
    first = next((i for i, said in enumerate(kept) if said.stamp), None)
    if first is None:
        anchor, first = moment_changed(modified), len(kept) - 1
        notices.append(told("no_dates", day=f"{anchor:%Y-%m-%d}"))
    else:
        anchor = kept[first].stamp or moment_changed(modified)
        if first:
            notices.append(told("before_first", n=first))
    messages: list[ImportedMessage] = []
    stated = at = anchor
    for index, said in enumerate(kept):
        if index <= first:
            at = later(anchor, index - first)
        elif said.stamp is None or said.stamp == stated:
            at = later(at, 1)
        else:
            stated = at = said.stamp
        external_id = said.external_id or f"T{index + 1}"
        messages.append(
            ImportedMessage(
                external_id,
                said.speaker,
                said.text,
                at,
                said.session,
                said.line,
                said.wordings,
                said.chosen,
                said.hidden,
                said.present,
                said.room,
                said.narrates,
                said.thoughts,
            )
        )
    return messages


def moment_changed(seconds: float) -> datetime:
    """When a file was last changed, in seconds since 1970; now where that is no moment."""
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (OverflowError, ValueError, OSError):
        return datetime.now(UTC)


def clean(text: str) -> str:
    """A text without blanks around it, with line feeds as line ends and U+FFFD for NUL and halves of surrogate pairs."""
    return re.sub("[\0\ud800-\udfff]", REPLACEMENT, text.replace("\r\n", "\n").replace("\r", "\n")).strip()


def later(start: datetime, steps: int) -> datetime:
    """So many steps after a moment; the moment itself at the ends of the calendar."""
    try:
        return start + steps * STEP
    except OverflowError:
        return start


def short(value: object) -> str:
    """A value of the file as it may stand in an error: escaped, so that it can be encoded, and cut."""
    shown = str(value).encode("utf-8", "backslashreplace").decode("utf-8").replace("\n", " ").replace("\0", "\\0")
    return shown if len(shown) <= 60 else shown[:57] + "…"
