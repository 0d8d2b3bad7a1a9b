"""The layouts of one JSON object a line (described in `chat.import_formats`)."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from itertools import islice

from chat.group_words import MOST
from chat.import_dates import parse_date
from chat.import_json import load
from chat.import_pairs import PAIR, pair_of
from chat.import_words import told
from chat.imported import (
    CHARACTER,
    LISTED,
    MAX_LINES,
    MAX_MESSAGES,
    MAX_NAME_CHARS,
    MAX_WORDINGS,
    PLAYER,
    SESSION_PAUSE,
    Fault,
    ImportedConversation,
    Said,
    clean,
    conversation,
    dated,
    short,
    word,
)
from chat.portable_jsonl import MARK

_SPEAKERS = ("speaker", "name")
_TEXTS = ("text", "content", "message", "mes")
_DATES = ("timestamp", "send_date", "date", "time")
_HEADER = ("user_name", "character_name", "chat_metadata")
_READ = {*_SPEAKERS, "role", *_TEXTS, *_DATES, "id", "session", "is_user", "is_system", "swipes", "swipe_id", *PAIR}
_ROLES = {"user": PLAYER, "human": PLAYER, "assistant": CHARACTER, "ai": CHARACTER, "bot": CHARACTER, "char": CHARACTER, "model": CHARACTER}
_HIDDEN_ROLES = frozenset(("system", "developer", "tool", "function"))
_MILLISECONDS_FROM = 1e11
"""A number of seconds that large lies in the year 5138."""
_NO_EPOCH_FROM = 1e13
"""In milliseconds the year 2286: beyond it stand microseconds and dates run together, `20240501183000`, which would be read as another century."""
_MACHINE_STAMP = re.compile(r"(\d{4}-\d{1,2}-\d{1,2}) ?@ ?(\d{1,2})h ?(\d{1,2})m ?(\d{1,2})s(?: ?(\d{1,3})ms)?", re.ASCII)
_ISO = re.compile(r"\d{4}(?:-\d\d-\d\d|\d{4})[T ]\d\d:?\d\d(?::?\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d(?::?\d\d)?)?", re.ASCII)


def looks_like_lines(text: str) -> bool:
    """Whether the text, which begins with a brace, is an object a line and not one object over many lines."""
    first, second = [*islice((line for _, line in _lines(text)), 2), "", ""][:2]
    if not first.startswith("{"):
        return False
    if second.startswith("{"):
        return not first.endswith(("{", "[", ":", ","))
    try:
        loaded = load(first, refuse_twins=False)
    except Fault:
        return False
    return bool(second) or (
        isinstance(loaded, dict) and (_is_header(loaded) or any(isinstance(loaded.get(k), str) for k in (*_TEXTS, *PAIR)))
    )


def read_lines(text: str, *, stem: str, modified: float) -> ImportedConversation:
    """The one conversation of a file; modified: seconds since 1970, for a file without dates. Raises Fault."""
    if text.count("\n", 0, len(text.rstrip())) >= MAX_LINES:
        raise Fault(f"line {MAX_LINES + 1}", told("many_lines", most=MAX_LINES))
    return read_records(((n, load(line, line=n, refuse_twins=False)) for n, line in _lines(text)), stem=stem, modified=modified)


def read_records(records: Iterable[tuple[int, object]], *, stem: str, modified: float) -> ImportedConversation:
    """The one conversation of numbered records, each as a line has it. Raises Fault."""
    reader = _Reader()
    for number, loaded in records:
        where = f"line {number}"
        if not isinstance(loaded, dict):
            raise Fault(where, told("not_object"))
        reader.read(loaded, number, where)
    notices: list[str] = [told(what, n=n) for what, n in reader.left.items() if n]
    if reader.other:
        notices.append(told("other_fields", n=len(reader.other), names=", ".join(map(short, sorted(reader.other)[:LISTED]))))
    messages = dated(reader.said, modified=modified, notices=notices)
    cast = tuple(reader.cast)
    if 2 <= len(cast) <= MOST and all(m.present is None for m in messages) and not reader.players & reader.cast.keys():
        messages = [replace(m, present=cast) for m in messages]  # such files know nobody who is away
    speakers = (PLAYER, CHARACTER) if reader.pairs else ()
    made = conversation(stem, speakers, messages, notices, "", unnamed=sorted(reader.unnamed, reverse=True), form=reader.form)
    return replace(made, player=reader.player)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Lines that are not blank, with their numbers, stripped. Only a line feed ends one: other separators may stand inside a text."""
    start, number = 0, 1
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        if line := text[start:end].strip():
            yield number, line
        start, number = end + 1, number + 1


def _is_header(loaded: Mapping[str, object]) -> bool:
    return any(key in loaded for key in _HEADER) and not any(key in loaded for key in (*_TEXTS, *PAIR))


class _Reader:
    """The state between lines."""

    def __init__(self) -> None:
        self.said: list[Said] = []
        self.unnamed: set[str] = set()
        self.left: Counter[str] = Counter()
        self.other: set[str] = set()
        self.pairs = False
        self.cast: dict[str, None] = {}
        """Who speaks as a character, by the lines that say so, in order."""
        self.players: set[str] = set()
        self._first = True
        self._names: dict[bool | None, str] = {}
        """By `is_user` the header's names, for messages without one."""
        self._players: Counter[str] = Counter()
        """Who spoke where a line says that it is the player's."""
        self._of_a_program = False
        self._session = 1
        self._asked = False
        """The last line was marked as a player's."""
        self._given: str | None = None
        self._ids: set[str] = set()
        self._last: datetime | None = None
        self._passed: datetime | None = None
        """The stamp of an empty message, which the next takes over."""

    @property
    def form(self) -> str:
        return "program" if self._of_a_program else "pairs" if self.pairs else "lines"

    @property
    def player(self) -> str:
        return max(self._players, key=lambda name: self._players[name], default=PLAYER if PLAYER in self.unnamed else "")

    def read(self, line: Mapping[str, object], number: int, where: str) -> None:
        """Take in one line. Raises Fault."""
        first, self._first = self._first, False
        if first and _is_header(line):
            self._header(line, where)
            return
        extra = line.get("extra")
        ours = _ours(extra)
        hidden, present, room = ours.get("hidden") is True, _names(ours.get("present")), _names(ours.get("room"))
        known = isinstance(extra, dict) and extra.keys() <= ({MARK, "type"} if room is not None else {MARK})
        self.other |= set(line) - _READ - ({"extra"} if known else set())
        if _flag(line, "is_system", where) and not hidden and room is None:
            self.left["left_system"] += 1
            return
        stamp = _stamp(line, where)
        external_id = _label(line, "id", where)
        if PAIR[0] in line or PAIR[1] in line:
            self.pairs = True
            self.unnamed |= {PLAYER, CHARACTER}
            self._open(line, stamp, where)
            for mark, speaker, text in zip(("q", "r"), (PLAYER, CHARACTER), pair_of(line, where), strict=True):
                self._say(number, speaker, text, stamp, f"{external_id}{mark}" if external_id else "", where)
            return
        speaker = self._speaker(line, where)
        if not speaker:
            self.left["left_system"] += 1
            return
        if line.get("is_user") is True:
            self._players[speaker] += 1
        self._of_a_program |= "mes" in line
        text = _text(line, where)
        is_user = _flag(line, "is_user", where)
        if is_user:
            self.players.add(speaker)
        elif is_user is not None:
            self.cast[speaker] = None
        self._open(line, stamp, where, answers=is_user is False and self._asked)
        self._asked = is_user is True
        wordings, chosen = _wordings(line, text, where)
        self._say(
            number, speaker, text, stamp, external_id, where, wordings=wordings, chosen=chosen, hidden=hidden, present=present, room=room
        )

    def _header(self, line: Mapping[str, object], where: str) -> None:
        for is_user, key in ((True, "user_name"), (False, "character_name")):
            if line.get(key) not in (None, "", "unused"):
                self._names[is_user] = word(line[key], where, key)
        self.other |= set(line) - set(_HEADER) - {"create_date"}

    def _speaker(self, line: Mapping[str, object], where: str) -> str:
        """Empty for a hidden line: a program's word to its model."""
        is_user, role = _flag(line, "is_user", where), line.get("role")
        if isinstance(role, str) and role.strip().casefold() in _HIDDEN_ROLES:
            return ""
        for key in _SPEAKERS:
            if line.get(key) not in (None, ""):
                return word(line[key], where, key)
        if is_user in self._names:
            return self._names[is_user]
        if is_user is None:
            role = word(role, where, "role" if "role" in line else "speaker")
            side = _ROLES.get(role.casefold())
            if side is None:
                return role
        else:
            side = PLAYER if is_user else CHARACTER
        self.unnamed.add(side)
        return side

    def _open(self, line: Mapping[str, object], stamp: datetime | None, where: str, *, answers: bool = False) -> None:
        """Another name of its session, or a pause where none is named, opens a session; no pause does between a player's message and what answers it, which may
        have been made again on another day."""
        given = _label(line, "session", where)
        if not given:
            paused = stamp is not None and self._last is not None and stamp - self._last > SESSION_PAUSE
            self._session += bool(self.said) and self._given is None and paused and not answers
        else:
            self._session += bool(self.said) and given != self._given
            self._given = given
        self._last = stamp or self._last

    def _say(
        self,
        number: int,
        speaker: str,
        text: str,
        stamp: datetime | None,
        external_id: str,
        where: str,
        *,
        wordings: tuple[str, ...] = (),
        chosen: int = 0,
        hidden: bool = False,
        present: tuple[str, ...] | None = None,
        room: tuple[str, ...] | None = None,
    ) -> None:
        stamp = stamp or self._passed
        self._passed = None if text else stamp
        if not text:
            self.left["left_empty"] += 1
            return
        if len(self.said) >= MAX_MESSAGES:
            raise Fault(where, told("many_messages", most=MAX_MESSAGES))
        if external_id in self._ids:
            raise Fault(where, told("twin_ids", name=short(external_id)))
        if external_id:
            self._ids.add(external_id)
        self.said.append(Said(number, speaker, text, stamp, self._session, external_id, wordings, chosen, hidden, present, room))


def _ours(extra: object) -> Mapping[str, object]:
    """What this program wrote beside a line, as far as it may be what it writes."""
    told = extra.get(MARK) if isinstance(extra, dict) else None
    return told if isinstance(told, dict) and told.keys() <= {"hidden", "present", "room"} else {}


def _names(value: object) -> tuple[str, ...] | None:
    if not isinstance(value, list) or len(value) > MOST:
        return None
    names = tuple(name for name in value if isinstance(name, str) and name.strip() and len(name) <= MAX_NAME_CHARS and name.isprintable())
    return names if len(names) == len(value) else None


def _flag(line: Mapping[str, object], key: str, where: str) -> bool | None:
    value = line.get(key)
    if value is not None and not isinstance(value, bool):
        raise Fault(where, told("not_flag", name=key))
    return value


def _text(line: Mapping[str, object], where: str) -> str:
    key = next((k for k in _TEXTS if line.get(k) is not None), None)
    if key is None:
        raise Fault(where, told("no_text"))
    value = line[key]
    if not isinstance(value, str):
        raise Fault(where, told("not_text", name=key))
    return clean(value, where)


def _wordings(line: Mapping[str, object], text: str, where: str) -> tuple[tuple[str, ...], int]:
    """All wordings of a message, and which of them it has; none where it has only one. The text itself counts, whatever the list has in its place."""
    swipes = line.get("swipes")
    if not isinstance(swipes, list) or not text:
        return (), 0
    if len(swipes) > MAX_WORDINGS:
        raise Fault(where, told("many_wordings", most=MAX_WORDINGS))
    at = line.get("swipe_id")
    chosen = min(max(at, 0), len(swipes) - 1) if isinstance(at, int) and not isinstance(at, bool) else -1
    said = [clean(swipe, where) if isinstance(swipe, str) else "" for swipe in swipes]
    if chosen < 0:
        chosen = said.index(text) if text in said else 0
    if said:
        said[chosen] = text
    kept = [(place == chosen, wording) for place, wording in enumerate(said) if wording]
    return (tuple(wording for _, wording in kept), [is_it for is_it, _ in kept].index(True)) if len(kept) > 1 else ((), 0)


def _label(line: Mapping[str, object], key: str, where: str) -> str:
    """An id or a session, a text or a whole number; empty where none is given."""
    given = line.get(key)
    if given in (None, ""):
        return ""
    return word(str(given) if isinstance(given, int) and not isinstance(given, bool) else given, where, key)


def _stamp(line: Mapping[str, object], where: str) -> datetime | None:
    """When it was said; None where the line does not tell."""
    key = next((k for k in _DATES if line.get(k) not in (None, "")), None)
    if key is None:
        return None
    value, clock = line[key], line.get("time")
    try:
        found = None
        if key == "date" and isinstance(value, str) and isinstance(clock, str):
            found = parse_date(f"{value} {clock}")
        found = found or moment_of(value)
    except (ValueError, OverflowError, OSError) as error:
        raise Fault(where, told("bad_date_why", date=short(value), why=str(error))) from error
    if found is None:
        raise Fault(where, told("bad_date", date=short(value)))
    return found


def moment_of(value: object) -> datetime | None:
    """The moment that a date of a line names, text or number; None for what is no date. Raises ValueError, OverflowError or OSError for one that there is not."""
    if isinstance(value, str):
        if re.fullmatch(r"\s*\d{9,16}(?:\.\d{1,9})?\s*", value, re.ASCII):
            return moment_of(float(value))
        if machine := _MACHINE_STAMP.fullmatch(value.strip()):
            day, hour, minute, second, thousandth = machine.groups()
            return parse_date(f"{day} {hour}:{minute:0>2}:{second:0>2}.{thousandth or 0:0>3}")
        return parse_date(value) or _iso(value)
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    if abs(value) >= _NO_EPOCH_FROM:
        raise ValueError("neither seconds nor milliseconds since 1970")
    return datetime.fromtimestamp(value / 1000 if abs(value) >= _MILLISECONDS_FROM else value, UTC)


def _iso(value: str) -> datetime | None:
    """Programs' own shapes of ISO 8601: `2024-05-01T18:30:00.1234567Z`, `…+08`, `20240501T183000Z`. A fraction is cut to microseconds."""
    if not _ISO.fullmatch(value.strip()):
        return None
    found = datetime.fromisoformat(value.strip())
    moment = found if found.tzinfo else found.replace(tzinfo=UTC)
    moment.astimezone(UTC)  # raises OverflowError at the ends of the calendar
    return moment
