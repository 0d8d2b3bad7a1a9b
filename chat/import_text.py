"""Transcripts in plain text and Markdown (their grammar stands in `chat.import_formats`)."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from chat.import_dates import moment_of, parse_date_line, split_stamp, writes_day_first
from chat.import_words import told
from chat.imported import (
    MAX_KEPT_CHARS,
    MAX_MESSAGES,
    MAX_NAME_CHARS,
    SESSION_PAUSE,
    ImportedConversation,
    Remarks,
    Said,
    conversation,
)

_NOT_IN_NAME = re.compile(r"""[!?;,"“”()\[\]{}<>*/\\|=。！？；，、…（）【】《》「」]|\w{4,}\.(?:\s|$)""")
_MAX_NAME_WORDS = 6
_LOOKED_AT = 400
"""Lines by which the style of a file is known."""
_BOLD = re.compile(r"^(?:[-*+][ \t]+)?(?P<mark>\*\*|__)(?P<name>[^*_\n]{1,80}?)(?P<in>[:：]?)(?P=mark)(?P<out>[:：]?)[ \t]*(?P<rest>.*)$")
_HEADING = re.compile(r"^(#{1,6})[ \t]+(.+?)[ \t#]*$")
_META = re.compile(r"^[ \t]*·[ \t].*?(\d{1,2}:\d{2})?[ \t]*$")
"""What stands behind a name in Markdown of this program's own."""
_ZONE = re.compile(r"\s*\(UTC([+-]\d\d:\d\d)\)$")
_ACCOUNT = re.compile(r"[(<（][\w.@+-]{3,60}[)>）]$")
"""Behind the name of who wrote in a messenger."""
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
Head = tuple[str, str, datetime | None]
"""Name, text on the same line, stamp."""


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
        # Stopped while it grows, so that a file of one endless message costs no more memory than the limit; what is cut is told at the end.
        if self.chars > 2 * MAX_KEPT_CHARS:
            return
        self.parts.extend([""] * self.blank)
        self.parts.append(text)
        self.blank = 0


class _Reader:
    """The state between lines: the message being continued, the last date seen and the date line not yet used."""

    def __init__(self, remarks: Remarks, *, day_first: bool) -> None:
        self.drafts: list[_Draft] = []
        self.session = 1
        self.fresh = True
        """No message yet since the start or the last date line."""
        self.unused_dates = 0
        self._remarks = remarks
        self.day_first = day_first
        self._pending: datetime | None = None
        self._last: datetime | None = None

    def open_session(self, day: datetime) -> None:
        self.unused_dates += self._pending is not None
        self.session += not self.fresh
        self._pending = self._last = day
        self.fresh = True

    def open_message(self, head: Head, number: int) -> None:
        name, text, stamp = head
        if stamp is not None and self._last is not None and not self.fresh and stamp - self._last > SESSION_PAUSE:
            self.session += 1
        self._last = stamp or self._last
        self.drafts.append(_Draft(number, self._remarks.word(name, f"line {number}"), stamp or self._pending, self.session))
        self.drafts[-1].add(text)
        self._pending, self.fresh = None, False

    def go_on(self, text: str, number: int, reason: str) -> None:
        """A line that opens nothing: it continues the message above it, or belongs to none."""
        if not self.fresh:
            self.drafts[-1].add(text)
        elif text.strip():
            self._remarks.add("left_above", f"line {number}", because=told(reason))

    def stamped(self, line: str, number: int) -> tuple[datetime | None, str]:
        """The moment that a line begins with, and the rest of it. A moment that there is not is told, and only what stands behind it counts."""
        try:
            found = split_stamp(line, today=None if self._last is None else self._last.date(), day_first=self.day_first)
        except ValueError as error:
            behind = re.sub(r"^(?:\[[^\]]*\]|[\d年月日/.:T -]+)\s*", "", line)
            if head_of(behind) is None:
                return None, line
            self._remarks.add("bad_dates", f"line {number}", date=str(error))
            return None, behind
        return found or (None, line)

    def date_line(self, line: str, number: int) -> bool:
        """Whether a line is a date alone, which opens a session; one that there is not is told."""
        try:
            day = parse_date_line(line)
        except ValueError as error:
            self._remarks.add("bad_dates", f"line {number}", date=str(error))
            return True
        if day is not None:
            self.open_session(day)
        return day is not None

    def plain(self, line: str, number: int) -> None:
        """A line of `Name: text`."""
        if line[:1] in (" ", "\t") or not line.strip():
            self.go_on(line[1:], number, "text_orphan")
        elif not self.date_line(line, number):
            stamp, rest = self.stamped(line, number)
            head = head_of(rest)
            if head is not None:
                self.open_message((*head, stamp), number)
            else:
                self.go_on(line, number, "text_no_message")

    def marked(self, line: str, number: int, *, level: int) -> None:
        """A line of a transcript in Markdown. level: of the headings that say who speaks, 0 where none do."""
        heading, bold = _HEADING.match(line), _bold(line)
        if heading is not None and len(heading[1]) == level:
            name, stamp = _name_and_moment(heading[2], self.day_first) or (heading[2], None)
            self.open_message((name.strip("*_ :："), "", stamp), number)
        elif heading is not None and self._day(heading[2]):
            return
        elif bold is not None:
            name, text, clock = bold
            self.open_message((name, text, self._clock(clock)), number)
        elif heading is not None and self.fresh:
            self._remarks.add("left_above", f"line {number}", because=told("text_no_message"))
        elif not self.date_line(line, number):
            stamp, rest = self.stamped(line, number)
            if stamp is not None and (head := head_of(rest)) is not None:
                self.open_message((*head, stamp), number)
            else:
                self.go_on(_ESCAPED.sub(r"\1", re.sub(r"^> ?", "", line)), number, "text_no_message")

    def _day(self, text: str) -> bool:
        zone = _ZONE.search(text)
        day = moment_of(f"{text[: zone.start()]} 00:00{zone[1]}" if zone else text)
        if day is not None:
            self.open_session(day)
        return day is not None

    def _clock(self, clock: str) -> datetime | None:
        if not clock or self._last is None:
            return None
        hour, minute = map(int, clock.split(":"))
        return self._last.replace(hour=hour, minute=minute, second=0, microsecond=0) if hour < 24 and minute < 60 else None

    def messenger(self, line: str, number: int) -> None:
        """A line of a transcript in which a name and a moment stand above what was said."""
        if (above := _name_and_moment(line, self.day_first)) is not None:
            self.open_message((above[0], "", above[1]), number)
        elif not self.date_line(line, number):
            self.go_on(line, number, "text_no_message")


def read_text(text: str, remarks: Remarks, *, stem: str, modified: float) -> ImportedConversation:
    """The one conversation of a file; modified: seconds since 1970, for a file without dates. Raises Wordless where nothing is said."""
    reader = _Reader(remarks, day_first=writes_day_first(text))
    take = _style(text, reader)
    for number, line in enumerate(io.StringIO(text, newline="\n"), 1):
        if len(reader.drafts) > MAX_MESSAGES:
            remarks.add("left_rest", f"line {reader.drafts[-1].line}", most=MAX_MESSAGES)
            reader.drafts.pop()
            break
        take(line.removesuffix("\n"), number)
    if unused := reader.unused_dates + (reader.fresh and bool(reader.drafts)):
        remarks.add("left_dates", n=unused)
    return conversation(stem, [], _worded(reader.drafts, remarks), remarks, "", form="text", modified=modified)


def _style(text: str, reader: _Reader) -> Callable[[str, int], None]:
    """How the lines of a file are read, as the first of them say."""
    lines = [line for line in text[: 200 * _LOOKED_AT].split("\n")[:_LOOKED_AT] if line.strip()]
    above = [line for line in lines if _name_and_moment(line, reader.day_first) is not None]
    heads = sum(line[:1] not in " \t#" and _plain(line, reader.day_first) for line in lines)
    if lines and lines[0][0] != "#" and lines[0] not in above and _plain(lines[0], reader.day_first):
        return reader.plain
    if above and (len(above) > heads or (lines[0] == above[0] and 2 * len(above) > heads)):
        return reader.messenger
    bold = sum(_bold(line) is not None for line in lines)
    levels = Counter(len(found[1]) for line in lines if (found := _HEADING.match(line)) is not None and moment_of(found[2]) is None)
    names = Counter(heading[2].strip("*_ :：") for line in lines if (heading := _HEADING.match(line)))
    level, most = max(levels.items(), key=lambda one: one[1], default=(0, 0))
    twice = any(n > 1 for n in names.values()) or (most == 2 and heads == 0)
    if not bold and most > 1 and twice and most > heads // 4:
        return lambda line, number: reader.marked(line, number, level=level)
    if 2 * bold > heads:
        return lambda line, number: reader.marked(line, number, level=0)
    return reader.plain


def _plain(line: str, day_first: bool) -> bool:
    try:
        stamped = split_stamp(line, today=datetime(2000, 1, 1).date(), day_first=day_first)
    except ValueError:
        return False
    return head_of(stamped[1] if stamped else line) is not None


def _bold(line: str) -> tuple[str, str, str] | None:
    """Name, text and clock of a line that begins with a name in bold and a colon, or with nothing behind it but when that was."""
    found = _BOLD.match(line)
    if found is None:
        return None
    name, rest = _ESCAPED.sub(r"\1", found["name"]).strip(), found["rest"]
    if not name or len(name.split()) > _MAX_NAME_WORDS or not any(map(str.isalpha, name)):
        return None
    if found["in"] or found["out"]:
        return name, _ESCAPED.sub(r"\1", rest.strip()), ""
    meta = _META.match(rest)
    if meta is None and rest.strip():
        return None
    return name, "", (meta[1] or "") if meta else ""


def _name_and_moment(line: str, day_first: bool) -> tuple[str, datetime] | None:
    """A line that is a name and a moment, either first, and nothing else: as messengers copy what was said."""
    text = line.strip()
    if not 8 < len(text) <= 120 or not any(char.isdigit() for char in text):
        return None
    try:
        if (found := split_stamp(text, today=None, day_first=day_first)) is not None:
            name = _bare(found[1])
            return (name, found[0]) if name else None
    except ValueError:
        return None
    for gap in re.finditer(r"(?:\s*[—–|,]\s*|\s+[-·]?\s*|\s*(?=[\[(]))(?=[\[(\dA-Z])", text):
        name, when = _bare(text[: gap.start()]), text[gap.end() :].strip("[]() ")
        if name and (moment := moment_of(when, day_first=day_first)) is not None and re.search(r"\d[:：点時时]\d?", when):
            return name, moment
    return None


def _bare(text: str) -> str:
    """A name without the account behind it; empty for what is none."""
    name = _ACCOUNT.sub("", text.strip()).strip(" -")
    ends = len(name) > MAX_NAME_CHARS or len(name.split()) > _MAX_NAME_WORDS or _NOT_IN_NAME.search(name) or re.search("[:：]", name)
    return "" if ends or not any(map(str.isalpha, name)) else name


def head_of(line: str) -> tuple[str, str] | None:
    """Name and text of a line that opens a message."""
    colon = min((at for at in (line.find(":"), line.find("：")) if at >= 0), default=-1)
    name, text = line[:colon].strip(), line[colon + 1 :]
    if colon < 0 or text.startswith("//") or len(name.split()) > _MAX_NAME_WORDS or _NOT_IN_NAME.search(name):
        return None
    return (name, text.strip()) if any(map(str.isalpha, name)) else None


def nameable(name: str) -> str:
    """A name as the grammar has names, as near to the given one as can be."""
    bare = " ".join(_NOT_IN_NAME.sub(" ", re.sub(r"[:：]", " ", name)).split()[:_MAX_NAME_WORDS])[: MAX_NAME_CHARS - 10].strip()
    return bare if head_of(f"{bare}: x") == (bare, "x") and parse_date_line(f"{bare}: x") is None else "Speaker"


def _worded(drafts: list[_Draft], remarks: Remarks) -> list[Said]:
    """The messages that say something; the date of an empty one passes to the next."""
    kept: list[Said] = []
    passed: datetime | None = None
    for draft in drafts:
        stamp = draft.stamp or passed
        text = remarks.clean("\n".join(draft.parts), f"line {draft.line}")
        passed = None if text else stamp
        if text:
            kept.append(Said(draft.line, draft.speaker, text, stamp, draft.session))
        else:
            remarks.add("left_empty", f"line {draft.line}")
    return kept
