"""Conversations of others, read from files: parsing alone, nothing is stored and nothing in a file is ever interpreted.

What is sound in a file comes in; what is mended or left out is told with its place (`notices`), and only a file without any message is refused.

**Messages as records**, one object a line or in a list, in the words of whichever program wrote them; of two fields of one name the latter counts::

    {"name": "Ann", "text": "…", "date": "2024-05-01 18:30", "id": "a1", "session": 1}
    {"role": "user", "content": "…"}
    {"query": "…", "response": "…", "date": "2024-05-01"}
    {"name": "Bo", "is_user": false, "mes": "…", "swipes": ["…", "…"], "swipe_id": 1, "send_date": "May 1, 2024 6:30pm"}

The speaker is `speaker`, `name` or the like, or a role; the words, a text or a list of parts, are `text`, `content`, `mes` or the like; the date (shapes:
`chat.import_dates`) is `send_date`, `timestamp`, `date` (with `time`) or the like; only the words and a speaker are needed. The first line may be the header of
a role-play program's chat (`user_name`, `character_name`): names are taken from the messages, since headers often hold none. `swipes` are further wordings,
`swipe_id` is the one that is read, from 0. Another `session` opens one; where none is named, a pause does.

A line marked `is_system` that somebody says was hidden by the person, and comes in hidden; a program's own word to its model, or to the person, is left out.
A narrator's line is narration. Where a file says which lines are the player's (`is_user`, a role), all their names there are one player's (`aliases`); where
a header names the one character, all other names beside the player's are that character's. What a model thought (`<think>`, `reasoning`) is kept apart.

**LoCoMo-style JSON** (one object or a list of them)::

    {"sample_id": "…", "conversation": {"speaker_a": "Ann", "speaker_b": "Bo",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [{"speaker": "Ann", "dia_id": "D1:1", "text": "…", "blip_caption": "…"}]}}

The words said are the message; a turn that is only a picture becomes its caption in brackets.

**Diaries**: `{"Ann": {"history": {"2024-05-01": [{"query": "…", "response": "…"}]}}}`, one conversation for each person, named after them, or such a
history alone; days come in the order of the calendar, each a session.

A query is said by the player, a response by the character, as are the roles `user` and `assistant`: the file has no name for them, and they fit
whatever name the person gives.

**Other programs' JSON**: lists, trees, rows and stories of messages wherever they stand in it (`chat.import_peers`). Of several conversations in one file those
in which nothing was said are left out.

**Plain text**, English or Chinese::

    file     = line*
    line     = message | date | indented | more | blank
    message  = [stamp] name (":" | "：") text     opens a message
    stamp    = "[2024-05-01 18:30]" | "[2024-05-01]" | "[18:30]" | "2024-05-01 18:30 " | "01/05/2024, 18:30 - "
    date     = a date, with or without a clock, alone on its line; opens a session (shapes: `chat.import_dates`)
    indented = (" " | tab) text                   continues the message whatever it looks like, less that one character
    more     = any other line                     continues the message
    name     = at most six words with a letter among them, and no . ! ? ; , quotes, brackets, slashes or the like, Chinese ones included;
               a full stop may stand after three letters or fewer ("Dr. Li", "J. Moor")

A colon followed by `//` (an address) opens nothing. Blank lines inside a message stay. A pause of more than 30 minutes between stamps
opens a session too. A file with more than two speakers says so in its notices, since "Milk: two" inside a message looks like a speaker.

A file is *stamped* where its lines say so: more of them have a stamp than a speaker's name without one. Then each stamped line opens a message, whatever the
name up to the colon, or is the program's own and left out; a bare clock may be a stamp; other lines continue the message, also those with a name or a date.

More styles are known by their first lines. *Messengers'*: a name and a moment, either first, above what was said. *Markdown*: `**Name:** text`, `*Name*: text`
or `> **Name:** text`, or names as headings above it; a quotation's marks, and rules between messages, are left out. Everywhere a moment may stand in brackets
behind the name. "Today" is the day on which the file was last changed.

**Dates.** A message without a stamp of its own, or with the stamp of the one before, follows that one by `STEP`: so order survives,
and the date too. Messages before the first date precede it in the same steps. A file with no date at all ends at its modification date.
No zone means UTC. One that is named is kept: "today" is the day it was there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from chat.import_dates import writes_day_first
from chat.import_json import is_diary, is_locomo, read_diary, read_locomo
from chat.import_jsonl import is_header, is_message, looks_like_lines, read_records
from chat.import_peers import Chat, peers
from chat.import_records import decoded, line_values, value_of
from chat.import_text import read_text
from chat.import_words import told
from chat.imported import (
    CHARACTER,
    LISTED,
    MAX_BYTES,
    PLAYER,
    Fault,
    ImportedConversation,
    ImportRefused,
    NoSuchConversation,
    Remarks,
    Wordless,
    short,
)
from chat.portable_reading import looks_like_bundle

__all__ = ["ImportRefused", "ImportedConversation", "NoSuchConversation", "read_conversations", "read_exactly", "select", "select_one"]


def read_conversations(path: Path, *, name: str = "", modified: float | None = None) -> tuple[ImportedConversation, ...]:
    """The conversations of a file in any layout, told apart by content, as far as they are sound. name, modified (seconds since 1970): the file's own, where it
    lies under another. Raises ImportRefused and nothing else."""
    shown = (name or path.name).encode("utf-8", "replace").decode("utf-8")
    try:
        raw, changed = _read_bytes(path)
        if len(raw) > MAX_BYTES:
            raise Fault("", told("too_large", most=MAX_BYTES // 2**20))
        if looks_like_bundle(raw[:1_000]):
            raise Fault("line 1", told("bundle"))
        return _File(raw, stem=Path(shown).stem, modified=changed if modified is None else modified).conversations()
    except Fault as fault:
        raise ImportRefused(file=shown, where=fault.where, reason=fault.reason) from fault


def read_exactly(path: Path) -> tuple[ImportedConversation, ...]:
    """As `read_conversations` where nothing may be missing, as in what is measured: a file that had to be mended is refused for the first place."""
    found = read_conversations(path)
    for one in found:
        if (mended := one.mended) is not None:
            where = mended.places[0] if mended.places else ""
            raise ImportRefused(file=path.name, where=where, reason=mended.because or mended)
    return found


class _File:
    """Tries the layouts that a file may have."""

    def __init__(self, raw: bytes, *, stem: str, modified: float) -> None:
        self._stem, self._modified = stem, modified
        self._decoding = Remarks()
        self._text = decoded(raw, self._decoding)
        if not self._text.strip("\0 \t\r\n"):
            raise Fault("", told("empty"))
        self._day_first = writes_day_first(self._text)

    def conversations(self) -> tuple[ImportedConversation, ...]:
        """As the layout it looks like has them; where nothing is said in that, as another has. Raises Fault, of the first, where nothing is said in any."""
        first: Fault | None = None
        for read in self._likely():
            remarks = Remarks()
            try:
                found = read(remarks)
            except Fault as fault:
                lost = next((note for note in remarks.told() if note.because is not None), None)
                if isinstance(fault, Wordless) and lost is not None and lost.because is not None:  # why nothing is left
                    fault = Fault(lost.places[0] if lost.places else "", lost.because)
                first = first or fault
                continue
            decoding = self._decoding.told()
            return tuple(replace(one, notices=(*decoding, *one.notices)) for one in found) if decoding else found
        assert first is not None
        raise first

    def _likely(self) -> list[Callable[[Remarks], tuple[ImportedConversation, ...]]]:
        if looks_like_lines(self._text):
            return [self._lines, self._value, self._plain]
        if _looks_like_json(self._text):
            return [self._value, self._lines, self._plain]
        return [self._plain, self._lines, self._value] if "{" in self._text else [self._plain]

    def _plain(self, remarks: Remarks) -> tuple[ImportedConversation, ...]:
        return (read_text(self._text, remarks, stem=self._stem, modified=self._modified),)

    def _lines(self, remarks: Remarks) -> tuple[ImportedConversation, ...]:
        records = list(line_values(self._text, remarks))
        values = [value for _, value in records if isinstance(value, dict)]
        if values and not any(is_header(value) or is_message(value) for value in values):
            chats = peers(values)
            if chats:
                return self._chats(chats, remarks)
        made = read_records(records, remarks, stem=self._stem, modified=self._modified, day_first=self._day_first)
        return (made,)

    def _value(self, remarks: Remarks) -> tuple[ImportedConversation, ...]:
        loaded = value_of(self._text, remarks)
        if is_locomo(loaded):
            try:
                return read_locomo(loaded, remarks, stem=self._stem, modified=self._modified)
            except Fault:
                if not peers(loaded):  # a damaged name of a session leaves its turns where any list of messages is found
                    raise
        if isinstance(loaded, dict) and is_diary(loaded):
            return read_diary(loaded, remarks, stem=self._stem, modified=self._modified)
        chats = peers(loaded)
        if not chats:
            raise Fault("", told("no_conversation") if loaded in ([], {}) else told("layout"))
        return self._chats(chats, remarks)

    def _chats(self, chats: Sequence[Chat], remarks: Remarks) -> tuple[ImportedConversation, ...]:
        many = len(chats) > 1
        found: list[ImportedConversation] = []
        for number, chat in enumerate(chats, 1):
            place = f"record {number}, turn {{}}".format if many else "turn {}".format
            try:
                found.append(
                    read_records(
                        enumerate(chat.records, 1),
                        Remarks() if many else remarks,
                        stem=f"{self._stem}-{number}" if many else self._stem,
                        modified=self._modified,
                        day_first=self._day_first,
                        place=place,
                        names=chat.names,
                        of_a_program=chat.of_a_program,
                    )
                )
            except Wordless:  # one that was opened and left: the others must not stay out for it
                continue
        if not found:
            raise Wordless("", told("no_conversation" if many else "no_message"))
        if many:
            if len(found) < len(chats):
                remarks.add("left_conversations", n=len(chats) - len(found))
            return tuple(replace(one, notices=(*remarks.told(), *one.notices)) for one in found)
        return tuple(found)


def _read_bytes(path: Path) -> tuple[bytes, float]:
    """The file's bytes, one more than the limit at most, and when it was last changed (seconds since 1970)."""
    try:
        if not path.is_file():  # also keeps pipes and devices, which may never end, from being opened
            raise Fault("", told("no_file"))
        with path.open("rb") as stream:
            return stream.read(MAX_BYTES + 1), path.stat().st_mtime
    except OSError as error:
        raise Fault("", told("unreadable", why=str(error.strerror))) from error


def select(conversations: Sequence[ImportedConversation], *, user: str, character: str, sample: str | None) -> ImportedConversation:
    """The one conversation between exactly these two speakers (letter case ignored), with key `sample` if given, and those without a name named.

    A speaker the file has a name for is found under it alone; one it has none for fits any name. Raises NoSuchConversation, which lists what is
    there, when there is none or more than one.
    """
    user, character = user.strip(), character.strip()
    found = [c for c in conversations if _is_between(c, user, character) and sample in (None, c.key)]
    if len(found) == 1:
        return found[0].named(user=user, character=character)
    listed = "; ".join(f"{c.key} ({', '.join(map(short, c.speakers[:LISTED]))})" for c in (found or conversations)[:LISTED])
    more = len(found or conversations) - LISTED
    available = listed + (f"; and {more} more" if more > 0 else "")
    asked = f"{short(user)} and {short(character)}" + (f" in {short(sample)}" if sample is not None else "")
    many = "More than one conversation is" if found else "No conversation is"
    nameless = [c for c in (found or conversations)[:LISTED] if c.unnamed]
    sides = " and ".join(f'"{side}"' for side in (PLAYER, CHARACTER) if any(side in c.unnamed for c in nameless))
    hint = f" The file has no name for {sides}: the name you give is taken." if nameless else ""
    if any(len(c.speakers) > 2 for c in nameless):
        hint += " Where more than two speak, lines need a name."
    raise NoSuchConversation(f"{many} between {asked}. In the file: {available}.{hint} Nothing was imported.", available=available)


def select_one(conversations: Sequence[ImportedConversation], *, sample: str | None) -> ImportedConversation:
    """The one conversation, with key `sample` if given, whoever speaks in it. Raises NoSuchConversation, which lists what is there."""
    found = [c for c in conversations if sample in (None, c.key)]
    if len(found) == 1:
        return found[0]
    listed = "; ".join(f"{c.key} ({', '.join(map(short, c.speakers[:LISTED]))})" for c in conversations[:LISTED])
    many = "More than one conversation is" if found else "No conversation of that key is"
    raise NoSuchConversation(f"{many} in the file; --sample names one: {listed}. Nothing was imported.", available=listed)


def _is_between(conversation: ImportedConversation, user: str, character: str) -> bool:
    """With none unnamed either may be on either side; the name of one beside an unnamed one must be on its own side. Of several characters any may be named, and
    of several names of one of the two any."""
    if user.casefold() == character.casefold() or not user or not character:
        return False
    if conversation.members:
        folded = {s.casefold() for s in conversation.speakers}
        members = {name.casefold() for name in conversation.members}
        return character.casefold() in members and user.casefold() in folded - members
    wanted = {side: name.casefold() for side, name in ((PLAYER, user), (CHARACTER, character)) if side not in conversation.unnamed}
    main = {other.casefold(): name.casefold() for other, name in conversation.aliases}
    return {s.casefold() for s in conversation.people if s not in conversation.unnamed} == {
        main.get(name, name) for name in wanted.values()
    }


def _looks_like_json(text: str) -> bool:
    """An object or a list; `[2024-05-01 18:30] Ann: …` and `[18:30] …` are neither."""
    return re.match(r"\s*(?:\{|\[\s*(?:[\[{\]\"]|$))", text) is not None
