"""Conversations of others, read from files: parsing alone, nothing is stored and nothing in a file is ever interpreted.

**LoCoMo-style JSON** (one object or a list of them)::

    {"sample_id": "…", "conversation": {"speaker_a": "Ann", "speaker_b": "Bo",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [{"speaker": "Ann", "dia_id": "D1:1", "text": "…", "blip_caption": "…"}]}}

The words said are the message; a turn that is only a picture becomes its caption in brackets.

**JSON lines**, one object a line; of two fields of one name the latter counts::

    {"name": "Ann", "text": "…", "date": "2024-05-01 18:30", "id": "a1", "session": 1}
    {"role": "user", "content": "…"}
    {"query": "…", "response": "…", "date": "2024-05-01"}

The speaker is `speaker`, `name` or `role`; the words are `text`, `content`, `message` or `mes`; the date, a text or the seconds or milliseconds since
1970, is `timestamp`, `send_date`, `date` (with `time`) or `time`; only the words and a speaker are needed. The first line may be the header of a
role-play program's chat (`user_name`, `character_name`): names are taken from the messages, since headers often hold none. Lines marked `is_system`, or
of a role such as `system`, are hidden ones and left out, but for messages that a person of this program hid. `swipes` are further wordings, `swipe_id` is the one
that is read, from 0. Another `session` opens one; where none is named, a pause does.

**Diaries**: `{"Ann": {"history": {"2024-05-01": [{"query": "…", "response": "…"}]}}}`, one conversation for each person, named after them, or such a
history alone; days come in the order of the calendar, each a session.

A query is said by the player, a response by the character, as are the roles `user` and `assistant`: the file has no name for them, and they fit
whatever name the person gives.

**Other programs' JSON** (RisuAI, Agnai, KoboldAI Lite, text-generation-webui, CAI Tools, Open WebUI, ChatGPT) becomes such lines (`chat.import_peers`).
Of several conversations in one file those in which nothing was said are left out.

**Plain text**, English or Chinese::

    file     = line*
    line     = message | date | indented | more | blank
    message  = [stamp] name (":" | "：") text     opens a message
    stamp    = "[2024-05-01 18:30]" | "[2024-05-01]" | "[18:30]" | "2024-05-01 18:30 "
    date     = a date, with or without a clock, alone on its line; opens a session (shapes: `chat.import_dates`)
    indented = (" " | tab) text                   continues the message whatever it looks like, less that one character
    more     = any other line                     continues the message
    name     = at most six words with a letter among them, and no . ! ? ; , quotes, brackets, slashes or the like, Chinese ones included;
               a full stop may stand after three letters or fewer ("Dr. Li", "J. Moor")

A colon followed by `//` (an address) opens nothing. Blank lines inside a message stay. A pause of more than 30 minutes between stamps
opens a session too. A file with more than two speakers says so in its notices, since "Milk: two" inside a message looks like a speaker.

**Dates.** A message without a stamp of its own, or with the stamp of the one before, follows that one by `STEP`: so order survives,
and the date too. Messages before the first date precede it in the same steps. A file with no date at all ends at its modification date.
No zone means UTC. One that is named is kept: "today" is the day it was there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from chat.import_json import load, read_json
from chat.import_jsonl import looks_like_lines, read_lines, read_records
from chat.import_peers import peers
from chat.import_text import read_text
from chat.import_words import told
from chat.imported import (
    CHARACTER,
    LISTED,
    MAX_BYTES,
    PLAYER,
    Fault,
    ImportedConversation,
    ImportedMessage,
    ImportRefused,
    NoSuchConversation,
    Wordless,
    short,
)
from chat.portable_reading import looks_like_bundle

__all__ = ["ImportRefused", "ImportedConversation", "ImportedMessage", "NoSuchConversation", "read_conversations", "select"]


def read_conversations(path: Path, *, name: str = "", modified: float | None = None) -> tuple[ImportedConversation, ...]:
    """The conversations of a file in any layout, told apart by content. name, modified (seconds since 1970): the file's own, where it lies under another.
    Raises ImportRefused and nothing else."""
    shown = (name or path.name).encode("utf-8", "replace").decode("utf-8")
    try:
        raw, changed = _read_bytes(path)
        modified = changed if modified is None else modified
        if looks_like_bundle(raw[:1_000]):
            raise Fault("line 1", told("bundle"))
        text = _decode(raw)
        if looks_like_lines(text):
            return (read_lines(text, stem=Path(shown).stem, modified=modified),)
        if _looks_like_json(text):
            return _read_json(text, stem=Path(shown).stem, modified=modified)
        return (read_text(text, stem=Path(shown).stem, modified=modified),)
    except Fault as fault:
        raise ImportRefused(file=shown, where=fault.where, reason=fault.reason) from fault


def _read_json(text: str, *, stem: str, modified: float) -> tuple[ImportedConversation, ...]:
    loaded = load(text)
    if (chats := peers(loaded)) is None:
        return read_json(loaded, stem=stem)
    if len(chats) == 1:
        return (read_records(enumerate(chats[0], 1), stem=stem, modified=modified),)
    found: list[ImportedConversation] = []
    for number, chat in enumerate(chats, 1):
        try:
            found.append(read_records(enumerate(chat, 1), stem=f"{stem}-{number}", modified=modified))
        except Wordless:  # one that was opened and left: the others must not stay out for it
            continue
        except Fault as fault:
            raise Fault(", ".join(filter(None, (f"record {number}", fault.where))), fault.reason, kind=fault.kind) from fault
    if not found:
        raise Fault("", told("no_conversation"))
    left = [told("left_conversations", n=len(chats) - len(found))] if len(found) < len(chats) else []
    return tuple(replace(one, notices=(*left, *one.notices)) for one in found)


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
    """With none unnamed either may be on either side; the name of one beside an unnamed one must be on its own side. Of several characters any may be named."""
    if user.casefold() == character.casefold() or not user or not character:
        return False
    if conversation.members:
        folded = {s.casefold() for s in conversation.speakers}
        members = {name.casefold() for name in conversation.members}
        return character.casefold() in members and user.casefold() in folded - members
    wanted = {side: name.casefold() for side, name in ((PLAYER, user), (CHARACTER, character)) if side not in conversation.unnamed}
    return {s.casefold() for s in conversation.speakers if s not in conversation.unnamed} == set(wanted.values())


def _decode(raw: bytes) -> str:
    if len(raw) > MAX_BYTES:
        raise Fault("", told("too_large", most=MAX_BYTES // 2**20))
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Fault(f"line {raw.count(10, 0, error.start) + 1}", told("not_utf8", byte=error.start)) from error
    if "\0" in text:
        raise Fault(f"line {text.count(chr(10), 0, text.index(chr(0))) + 1}", told("nul"))
    if not text.strip():
        raise Fault("", told("empty"))
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _looks_like_json(text: str) -> bool:
    """An object or a list; `[2024-05-01 18:30] Ann: …` and `[18:30] …` are neither."""
    return re.match(r"\s*(?:\{|\[\s*(?:[\[{\]\"]|$))", text) is not None
