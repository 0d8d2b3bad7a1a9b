"""Transcripts in plain text and Markdown (their grammar stands in `chat.import_formats`)."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Callable, Container
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import partial

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
    moment_changed,
)

_NOT_IN_NAME = re.compile(r"""[!?;,"“”()\[\]{}<>*/\\|=。！？；，、…（）【】《》「」]|\w{4,}\.(?:\s|$)""")
_SENTENCE = re.compile(r"\w{4,}\.\s")
_MAX_NAME_WORDS = 6
_MOST_NAME_CHARS = 80
"""Of a name that only its place says to be one."""
_LOOKED_AT = 400
"""Lines by which the style of a file is known."""
_NAMES_MARKED = tuple(
    re.compile(
        rf"^{before}(?P<mark>{mark})(?P<name>[^*_\n]{{1,80}}?)(?P<in>[:：]?)(?P=mark)"
        r"[ \t]*(?P<behind>[(\[（][^()\[\]（）\n]{4,60}[)\]）])?(?P<out>[:：]?)[ \t]*(?P<rest>.*)$"
    )
    for before, mark in ((r"(?:[-*+][ \t]+)?", r"\*\*|__"), (r">[ \t]?", r"\*\*|__"), (r"(?:[-*+][ \t]+)?", r"\*|_"))
)
"""How Markdown marks the name before what was said: in bold, in bold within a quotation, in italics. A file has one of them."""
_STAMPED_NAME = re.compile(r"(?P<name>[^\n]{1,80}?)(?:[:：](?=\s|$)|：)(?P<text>.*)")
"""Behind a stamp, where every line of a file with one opens a message: any name will do."""
_TIMED = re.compile(r"^(?P<name>.*?\S)[ \t]*[(\[（](?P<when>[^()\[\]（）\n]{4,60})[)\]）]$")
_TIMED_HEAD = re.compile(r"^(?P<head>(?![*_#>-])[^\n]{1,150}?[\])）])[:：][ \t]*(?P<text>.*)$")
_DRESSED = re.compile(r"^(?:~\s+|(\*\*|__|\*)(?=.*\1$))(.*?)(?(1)\1)$")
"""A name that a messenger marks as what somebody calls themselves, or Markdown as a name."""
_RULE_LINE = re.compile(r"[ \t]*([-*_])(?:[ \t]*\1){2,}[ \t]*")
_DIRECTIONS = "\ufeff\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
"""Signs that programs put around names and lines for writing from right to left."""
_RELATIVE = re.compile(r"^(today|yesterday|今天|昨天)(?:,| at)?\s*", re.IGNORECASE)
_SOME_DAY = date(2000, 1, 1)
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
        # Cut while it grows, so that a file of one endless message costs no more memory than the limit; that it was cut is told at the end.
        if (room := 2 * MAX_KEPT_CHARS - self.chars) > 0:
            more = [*[""] * min(self.blank, room), (text if self.parts else text.lstrip())[:room]]
            self.parts += more
            self.chars += sum(map(len, more)) + len(more)
        self.blank = 0


class _Reader:
    """The state between lines: the message being continued, the last date seen and the date line not yet used."""

    def __init__(self, remarks: Remarks, *, day_first: bool, changed: date) -> None:
        self.drafts: list[_Draft] = []
        self.session = 1
        self.fresh = True
        """No message yet since the start or the last date line."""
        self.unused_dates = 0
        self._remarks = remarks
        self.day_first = day_first
        self.changed = changed
        """The day on which the file was last changed: "today" in it."""
        self._pending: datetime | None = None
        self._last: datetime | None = None
        self._ruled = False
        """Whether rules part messages, as in Markdown."""
        self._aside = False
        """Whether the line above was a program's own: what follows it is nobody's."""

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
        self._pending, self.fresh, self._aside = None, False, False

    def go_on(self, text: str, number: int, reason: str) -> None:
        """A line that opens nothing: it continues the message above it, or belongs to none."""
        if self._aside:
            return
        if not self.fresh:
            self.drafts[-1].add(text)
        elif text.strip():
            self._remarks.add("left_above", f"line {number}", because=told(reason))

    def stamped(self, line: str, number: int, *, clocks: bool = False) -> tuple[datetime | None, str]:
        """The moment that a line begins with, or that stands in brackets behind its name, and the line without it. A moment that there is not is told, and only
        what stands behind it counts."""
        line = _stamp_first(line, self.day_first)
        try:
            found = split_stamp(line, today=None if self._last is None else self._last.date(), day_first=self.day_first, clocks=clocks)
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

    def chat(self, line: str, number: int, *, clocks: bool, dated: bool) -> None:
        """A line of a transcript in which each message has a stamp: a stamped line opens one, or is the program's own; any other goes on with what is above, also a
        bare date where each stamp has its own (dated)."""
        if not line.strip() or line[:1] in (" ", "\t"):
            self.go_on(line[1:], number, "text_orphan")
        elif (dated and line[0].isalnum() and not self.fresh) or not self.date_line(line, number):
            stamp, rest = self.stamped(line, number, clocks=clocks)
            if stamp is None and rest == line:
                self.go_on(line, number, "text_no_message")
            elif (head := _stamped_name(rest)) is not None:
                self.open_message((*head, stamp), number)
            else:
                self._aside = True
                self._remarks.add("left_system", f"line {number}")

    def headed(self, line: str, number: int, *, level: int) -> None:
        """A line of a transcript in Markdown, in which headings of a level say who speaks."""
        heading = _HEADING.match(line)
        if heading is not None and len(heading[1]) == level:
            name, when = _timed(heading[2].strip("*_ :："), self.day_first)
            above = _name_and_moment(heading[2], self.day_first, self.changed)
            self._next(name, "", number, when) if when or above is None else self._next(above[0], "", number, above[1])
        else:
            self._further(line, number, heading)

    def marked(self, line: str, number: int, *, marks: re.Pattern[str]) -> None:
        """A line of a transcript in Markdown, in which marked names say who speaks."""
        marked = _marked(line, marks, self.day_first)
        if marked is not None:
            self._next(marked[0], marked[1], number, marked[2])
        else:
            self._further(line, number, _HEADING.match(line))

    def _next(self, name: str, text: str, number: int, when: datetime | str) -> None:
        """Open a message of Markdown."""
        self.end_rules()
        self._ruled = True
        stamp = self.stamped(f"[{when}] {name}: x", number)[0] if when and isinstance(when, str) else when or None
        self.open_message((name, text, stamp if isinstance(stamp, datetime) else None), number)

    def end_rules(self) -> None:
        """Take the rules away that part a message of Markdown from what follows it."""
        parts = self.drafts[-1].parts if self._ruled else []
        while parts and (not parts[-1].strip() or _RULE_LINE.fullmatch(parts[-1])):
            parts.pop()

    def _further(self, line: str, number: int, heading: re.Match[str] | None) -> None:
        """A line of Markdown that names nobody."""
        if heading is not None and self._day(heading[2]):
            return
        if heading is not None and self.fresh:
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

    def messenger(self, line: str, number: int, *, shapes: Container[str]) -> None:
        """A line of a transcript in which a name and a moment stand above what was said. shapes: how."""
        if (above := _name_and_moment(line, self.day_first, self.changed, shapes=shapes)) is not None:
            self.open_message((above[0], "", above[1]), number)
        elif not self.date_line(line, number):
            self.go_on(line, number, "text_no_message")


def read_text(text: str, remarks: Remarks, *, stem: str, modified: float) -> ImportedConversation:
    """The one conversation of a file; modified: seconds since 1970, for a file without dates. Raises Wordless where nothing is said."""
    reader = _Reader(remarks, day_first=writes_day_first(text), changed=moment_changed(modified).date())
    take = _style(text, reader)
    for number, line in enumerate(io.StringIO(text, newline="\n"), 1):
        if len(reader.drafts) > MAX_MESSAGES:
            remarks.add("left_rest", f"line {reader.drafts[-1].line}", most=MAX_MESSAGES)
            reader.drafts.pop()
            break
        take(line.removesuffix("\n").lstrip(_DIRECTIONS), number)
    reader.end_rules()
    if unused := reader.unused_dates + (reader.fresh and bool(reader.drafts)):
        remarks.add("left_dates", n=unused)
    return conversation(stem, [], _worded(reader.drafts, remarks), remarks, "", form="text", modified=modified)


def _style(text: str, reader: _Reader) -> Callable[[str, int], None]:
    """How the lines of a file are read, as the first of them say."""
    lines = [line.lstrip(_DIRECTIONS) for line in text[: 200 * _LOOKED_AT].split("\n")[:_LOOKED_AT]]
    lines = [line for line in lines if line.strip()]
    if not lines:
        return reader.plain
    for clocks in (False, True):
        if _is_stamped(lines, reader.day_first, clocks=clocks):
            stamped = [line for line in lines if _unstamped(line, reader.day_first, clocks=clocks) is not None]
            dated = all(_unstamped(line, reader.day_first, today=None) is not None for line in stamped)
            return partial(reader.chat, clocks=clocks, dated=dated)
    marks = max(_NAMES_MARKED, key=lambda marks: sum(_marked(line, marks, reader.day_first) is not None for line in lines))
    marked = [_marked(line, marks, reader.day_first) is not None for line in lines]
    plain = [line[:1] not in " \t#" and not one and _plain(line, reader.day_first) for line, one in zip(lines, marked, strict=True)]
    above = [None if line[:1] in "#*_>" else _name_and_moment(line, reader.day_first, reader.changed) for line in lines]
    heads, moments = sum(plain), [n for n, one in enumerate(above) if one is not None]
    if plain[0] and above[0] is None:
        return reader.plain
    if moments and len(moments) >= sum(plain[: moments[0]]) and 2 * len(moments) > sum(plain[moments[0] :]):
        return partial(reader.messenger, shapes={one[2] for one in above if one is not None})
    headings = [(n, found) for n, line in enumerate(lines) if (found := _HEADING.match(line)) is not None and moment_of(found[2]) is None]
    levels = Counter(len(found[1]) for _, found in headings)
    names = Counter(_timed(found[2].strip("*_ :："), reader.day_first)[0] for _, found in headings)
    level, most = max(levels.items(), key=lambda one: one[1], default=(0, 0))
    twice = any(n > 1 for n in names.values()) or (most == 2 and heads == 0)
    first = next((n for n, found in headings if len(found[1]) == level), 0)
    if not any(marked[first:]) and most > 1 and twice and most > heads // 4:
        return partial(reader.headed, level=level)
    return partial(reader.marked, marks=marks) if 2 * sum(marked) > heads else reader.plain


def _is_stamped(lines: list[str], day_first: bool, *, clocks: bool) -> bool:
    """Whether every message of a file has a stamp. Names without one that come once are of lists and the like inside messages; those that come again, or have a
    stamp elsewhere, are speakers. clocks: also a bare clock, where the first message has one: later it may be of a timetable."""
    stamped: list[str] = []
    bare: Counter[str] = Counter()
    for line in lines:
        rest = _unstamped(line, day_first, clocks=clocks)
        head = head_of(line) if rest is None else _stamped_name(rest)
        if head is not None and rest is not None:
            stamped.append(head[0])
        elif head is not None and line[:1] not in " \t#":
            bare[head[0]] += 1
            if clocks and not stamped:
                return False
    speakers = sum(n for name, n in bare.items() if n > 1 or name in stamped)
    return bool(stamped) and (not bare or (len({*stamped}) > 1 and len(stamped) > 2 * speakers))


def _unstamped(line: str, day_first: bool, *, clocks: bool = False, today: date | None = _SOME_DAY) -> str | None:
    """What stands behind the stamp of a line; None where it has none."""
    line = _stamp_first(line, day_first)
    try:
        found = split_stamp(line, today=today, day_first=day_first, clocks=clocks)
    except ValueError:
        return None
    return None if found is None else found[1]


def _stamp_first(line: str, day_first: bool) -> str:
    """A line with the moment in brackets that stands behind its name put before it."""
    found = _TIMED_HEAD.match(line)
    name, when = _timed(found["head"], day_first) if found is not None else ("", "")
    return f"[{when}] {name}: {found['text']}" if found is not None and when else line


def _timed(text: str, day_first: bool) -> tuple[str, str]:
    """A name, and what stands in brackets behind it where that is a moment."""
    found = _TIMED.match(text)
    is_moment = found is not None and _unstamped(f"[{found['when']}] x", day_first) == "x"
    return (found["name"].rstrip(" ,，-—–"), found["when"]) if found is not None and is_moment else (text, "")


def _stamped_name(rest: str) -> tuple[str, str] | None:
    """Name and text of what stands behind a stamp; None for what a program says itself."""
    rest = rest.lstrip()
    found = _STAMPED_NAME.match(rest)
    head = (found["name"], found["text"]) if found is not None else head_of(rest)
    if head is None or _SENTENCE.search(head[0]):
        return None
    name = _DRESSED.sub(r"\2", head[0].strip().strip(_DIRECTIONS)).strip()
    return (name, head[1].strip().strip(_DIRECTIONS)) if name else None


def _plain(line: str, day_first: bool) -> bool:
    rest = _unstamped(line, day_first)
    return head_of(line if rest is None else rest) is not None


def _marked(line: str, marks: re.Pattern[str], day_first: bool) -> tuple[str, str, str] | None:
    """Name, text and moment of a line that begins with a marked name and a colon, or with nothing behind it but when that was."""
    found = marks.match(line)
    if found is None:
        return None
    name, when = _timed(_ESCAPED.sub(r"\1", found["name"]).strip(), day_first)
    if found["behind"]:
        when = _timed(f"x {found['behind']}", day_first)[1]
    rest = found["rest"]
    if not name or len(name.split()) > _MAX_NAME_WORDS or not any(map(str.isalpha, name)) or (found["behind"] and not when):
        return None
    if found["in"] or found["out"]:
        return name, _ESCAPED.sub(r"\1", rest.strip()), when
    meta = _META.match(rest)
    if len(found["mark"]) == 1 or (meta is None and rest.strip()):
        return None
    return name, "", when or ((meta[1] or "") if meta else "")


def _name_and_moment(line: str, day_first: bool, today: date, *, shapes: Container[str] = ()) -> tuple[str, datetime, str] | None:
    """Name, moment and shape of a line that is a name and a moment, either first, and nothing else: as messengers copy what was said. The shape is what stands
    between the two; in lines of one of `shapes` any name will do."""
    text = line.strip().removesuffix(":").removesuffix("：")
    if not 8 < len(text) <= 120 or not any(char.isdigit() for char in text):
        return None
    try:
        if (found := split_stamp(text, today=None, day_first=day_first)) is not None:
            name = _bare(found[1], any_name="^" in shapes)
            return (name, found[0], "^") if name else None
    except ValueError:
        return None
    for gap in re.finditer(r"(?:\s*[—–|,，]\s*|\s+[-·]?\s*|\s*(?=[\[(]))(?=[\[(\dA-Z今昨])", text):
        when = text[gap.end() :]
        shape = gap[0].strip() + (when[0] if when[0] in "[(" else "")
        name, when = _bare(text[: gap.start()], any_name=bool(shape) and shape in shapes), when.strip("[]() ")
        if relative := _RELATIVE.match(when):
            day = today - timedelta(days=relative[1].casefold() in ("yesterday", "昨天"))
            when = f"{day:%Y-%m-%d} {when[relative.end() :]}"
        if name and (moment := moment_of(when, day_first=day_first)) is not None and re.search(r"\d[:：點点時时]\d?", when):
            return name, moment, shape
    return None


def _bare(text: str, *, any_name: bool) -> str:
    """A name without the account behind it; empty for what is none."""
    name = _ACCOUNT.sub("", text.strip()).strip(f" -~{_DIRECTIONS}")
    if any_name:
        return name if len(name) <= _MOST_NAME_CHARS and not _SENTENCE.search(name) else ""
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
