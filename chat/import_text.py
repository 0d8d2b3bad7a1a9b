"""The plain-text layout `Name: text` (its grammar stands in `chat.import_formats`)."""

from __future__ import annotations

import io
import re
from dataclasses import dataclass, field
from datetime import datetime

from chat.import_dates import parse_date_line, split_stamp
from chat.import_words import told
from chat.imported import (
    MAX_MESSAGE_CHARS,
    MAX_MESSAGES,
    MAX_NAME_CHARS,
    SESSION_PAUSE,
    Fault,
    ImportedConversation,
    Said,
    clean,
    conversation,
    dated,
)

_NOT_IN_NAME = re.compile(r"""[!?;,"“”()\[\]{}<>*/\\|=。！？；，、…（）【】《》「」]|\w{4,}\.(?:\s|$)""")
_MAX_NAME_WORDS = 6


@dataclass
class _Draft:
    """A message while its lines come in."""

    line: int
    speaker: str
    stamp: datetime | None
    session: int
    parts: list[str] = field(default_factory=list)
    chars: int = 0
    blank: int = 0
    """Blank lines since the last part; they count only if the message goes on."""

    def add(self, text: str) -> None:
        if not text.strip():
            self.blank += bool(self.parts)
            return
        self.chars += self.blank + len(text) + 1
        # Stopped while it grows, so that a file of one endless message costs no more memory than the limit; `clean` is exact.
        if self.chars > 2 * MAX_MESSAGE_CHARS:
            raise Fault(f"line {self.line}", told("long_message", most=MAX_MESSAGE_CHARS))
        self.parts.extend([""] * self.blank)
        self.parts.append(text)
        self.blank = 0


class _Reader:
    """The state between lines: the message being continued, the last date seen and the date line not yet used."""

    def __init__(self) -> None:
        self.drafts: list[_Draft] = []
        self.session = 1
        self.fresh = True
        """No message yet since the start or the last date line."""
        self.unused_dates = 0
        self._pending: datetime | None = None
        self._last: datetime | None = None

    def read(self, line: str, number: int) -> None:
        """Take in one line. Raises Fault, and ValueError for an impossible date."""
        if line[:1] in (" ", "\t") or not line.strip():
            if not self.fresh:
                self.drafts[-1].add(line[1:])
            elif line.strip():
                raise Fault(f"line {number}", told("text_orphan"))
        elif (day := parse_date_line(line)) is not None:
            self._open_session(day)
        else:
            stamped = split_stamp(line, today=None if self._last is None else self._last.date())
            head = _head(stamped[1] if stamped else line)
            if head is not None:
                self._open_message(head, None if stamped is None else stamped[0], number)
            elif stamped or self.fresh:
                raise Fault(f"line {number}", told("text_no_message"))
            else:
                self.drafts[-1].add(line)

    def _open_session(self, day: datetime) -> None:
        self.unused_dates += self._pending is not None
        self.session += not self.fresh
        self._pending = self._last = day
        self.fresh = True

    def _open_message(self, head: tuple[str, str], stamp: datetime | None, number: int) -> None:
        name, text = head
        if len(name) > MAX_NAME_CHARS:
            raise Fault(f"line {number}", told("long_speaker", most=MAX_NAME_CHARS))
        if len(self.drafts) >= MAX_MESSAGES:
            raise Fault(f"line {number}", told("many_messages", most=MAX_MESSAGES))
        if stamp is not None and self._last is not None and not self.fresh and stamp - self._last > SESSION_PAUSE:
            self.session += 1
        self._last = stamp or self._last
        self.drafts.append(_Draft(number, name, stamp or self._pending, self.session))
        self.drafts[-1].add(text)
        self._pending, self.fresh = None, False


def read_text(text: str, *, stem: str, modified: float) -> ImportedConversation:
    """The one conversation of a plain-text file; modified: seconds since 1970, for a file without dates. Raises Fault."""
    reader = _Reader()
    for number, line in enumerate(io.StringIO(text, newline="\n"), 1):
        try:
            reader.read(line.removesuffix("\n"), number)
        except ValueError as error:
            raise Fault(f"line {number}", told("bad_date_line", why=str(error))) from error
    notices: list[str] = []
    if unused := reader.unused_dates + (reader.fresh and bool(reader.drafts)):
        notices.append(told("left_dates", n=unused))
    kept = _worded(reader.drafts)
    if empty := len(reader.drafts) - len(kept):
        notices.append(told("left_empty", n=empty))
    return conversation(stem, [], dated(kept, modified=modified, notices=notices), notices, "", form="text")


def _head(line: str) -> tuple[str, str] | None:
    """Name and text of a line that opens a message."""
    colon = min((at for at in (line.find(":"), line.find("：")) if at >= 0), default=-1)
    name, text = line[:colon].strip(), line[colon + 1 :]
    if colon < 0 or text.startswith("//") or len(name.split()) > _MAX_NAME_WORDS or _NOT_IN_NAME.search(name):
        return None
    return (name, text.strip()) if any(map(str.isalpha, name)) else None


def nameable(name: str) -> str:
    """A name as the grammar has names, as near to the given one as can be."""
    bare = " ".join(_NOT_IN_NAME.sub(" ", re.sub(r"[:：]", " ", name)).split()[:_MAX_NAME_WORDS])[: MAX_NAME_CHARS - 10].strip()
    return bare if _head(f"{bare}: x") == (bare, "x") and parse_date_line(f"{bare}: x") is None else "Speaker"


def _worded(drafts: list[_Draft]) -> list[Said]:
    """The messages that say something; the date of an empty one passes to the next."""
    kept: list[Said] = []
    passed: datetime | None = None
    for draft in drafts:
        stamp = draft.stamp or passed
        text = clean("\n".join(draft.parts), f"line {draft.line}")
        passed = None if text else stamp
        if text:
            kept.append(Said(draft.line, draft.speaker, text, stamp, draft.session))
    return kept
