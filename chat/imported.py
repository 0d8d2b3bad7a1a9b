"""What every layout of imported conversations becomes, the limits it is held to, and how a file is refused."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise

from chat.group_words import MOST
from chat.import_words import Told, told
from errors import KeepsakeError

MAX_BYTES = 64 * 2**20
MAX_MESSAGES = 200_000
MAX_LINES = 2 * MAX_MESSAGES
"""Of JSON lines, where a line may be hidden or blank: counted before any is read."""
MAX_MESSAGE_CHARS = 20_000
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

    @property
    def members(self) -> tuple[str, ...]:
        """Where the file says who witnessed what, the characters of whom it does: two to MOST, else none."""
        told = (name for m in self.messages for name in (*(m.present or ()), *(m.room or ())))
        names = tuple(dict.fromkeys(told))
        alike = len({name.strip().casefold() for name in names}) < len(names)
        return names if 2 <= len(names) <= MOST and not alike and all(m.present is not None for m in self.messages) else ()

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


def conversation(
    key: str,
    speakers: Iterable[str],
    messages: list[ImportedMessage],
    notices: list[str],
    where: str,
    *,
    form: str,
    unnamed: Iterable[str] = (),
) -> ImportedConversation:
    """What all layouts share: no empty conversation, unique ids, all speakers named, and what a person should know."""
    if not messages:
        raise Wordless(where, told("no_message"))
    named = tuple(speakers)
    count = Counter(message.speaker for message in messages)
    everyone = tuple(dict.fromkeys((*named, *count)))
    if len(everyone) > 2:
        listed = ", ".join(f"{short(name)} ({count[name]:,})" for name in everyone[:LISTED])
        notices.append(told("many_speakers", n=len(everyone), names=listed))
    ids = Counter(message.external_id for message in messages)
    if len(ids) < len(messages):
        twice = next(message for message in messages if ids[message.external_id] > 1)
        raise Fault(where, told("twin_ids", name=short(twice.external_id)))
    if back := sum(b.said_at < a.said_at for a, b in pairwise(messages)):
        notices.append(told("dated_back", n=back))
    return ImportedConversation(key, " & ".join(everyone[:2]), everyone, tuple(messages), tuple(notices), form=form, unnamed=tuple(unnamed))


def dated(kept: list[Said], *, modified: float, notices: list[str]) -> list[ImportedMessage]:
    """Messages with a date each, by the rules in `chat.import_formats`; modified: seconds since 1970. Says in `notices` what was assumed."""
    if not kept:
        return []
    first = next((i for i, said in enumerate(kept) if said.stamp), None)
    if first is None:
        anchor, first = _modified(modified), len(kept) - 1
        notices.append(told("no_dates", day=f"{anchor:%Y-%m-%d}"))
    else:
        anchor = kept[first].stamp or _modified(modified)
        if first:
            notices.append(told("before_first", n=first))
    messages: list[ImportedMessage] = []
    stated = at = anchor
    for index, said in enumerate(kept):
        if index <= first:
            at = later(anchor, index - first, f"line {said.line}")
        elif said.stamp is None or said.stamp == stated:
            at = later(at, 1, f"line {said.line}")
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
            )
        )
    return messages


def _modified(seconds: float) -> datetime:
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (OverflowError, ValueError, OSError) as error:
        raise Fault("", told("modified_range")) from error


def word(value: object, where: str, name: str) -> str:
    """A name or an id: text, not empty, on one line, within the limit."""
    if not isinstance(value, str) or not value.strip():
        raise Fault(where, told("missing" if value is None or value == "" else "not_word", name=name))
    if len(value) > MAX_NAME_CHARS:
        raise Fault(where, told("long_name", name=name, most=MAX_NAME_CHARS))
    word = clean(value, where)
    if "\n" in word:
        raise Fault(where, told("name_lines", name=name))
    return word


def clean(text: str, where: str) -> str:
    said = text.strip()
    if len(said) > MAX_MESSAGE_CHARS:
        raise Fault(where, told("long_message", most=MAX_MESSAGE_CHARS))
    if "\0" in said or re.search("[\ud800-\udfff]", said):
        raise Fault(where, told("unkeepable"))
    return said.replace("\r\n", "\n").replace("\r", "\n")


def later(start: datetime, steps: int, where: str) -> datetime:
    try:
        return start + steps * STEP
    except OverflowError as error:
        raise Fault(where, told("date_range")) from error


def short(value: object) -> str:
    """A value of the file as it may stand in an error: escaped, so that it can be encoded, and cut."""
    shown = str(value).encode("utf-8", "backslashreplace").decode("utf-8").replace("\n", " ").replace("\0", "\\0")
    return shown if len(shown) <= 60 else shown[:57] + "…"
