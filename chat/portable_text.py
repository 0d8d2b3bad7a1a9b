"""A chat as plain text, as `chat.importer` reads it: `[2024-05-01 18:30:00.250] Name: text`, further lines behind one space.

The active branch alone, as it reads; what is hidden from the model is left out, since whoever reads the text back would see it. Dates are those
of who spoke, with their zone where it is not UTC (`+08:00` behind the time), by which an import knows the day again.
"""

from __future__ import annotations

from collections.abc import Iterator

from chat.import_text import nameable
from chat.portable_pages import path_of
from chat.prompt_words import NARRATOR
from storage.chats import Chats
from storage.records import Message
from storage.scope import Scope


def text_lines(chats: Chats, scope: Scope) -> Iterator[bytes]:
    """Lines in UTF-8 with their line feeds, oldest message first. Raises NotFound."""
    names: dict[str, str] = {}
    chat = chats.chat(scope)
    for message in path_of(chats, scope, chat.branch_id):
        if not message.hidden:
            speaker = message.speaker if message.room is None else NARRATOR.get(chat.language, NARRATOR["en"])
            yield _said(message, _name(names, speaker)).encode("utf-8", "replace")


def _name(names: dict[str, str], speaker: str) -> str:
    """The speaker's name as the grammar has names; two speakers never become one."""
    if speaker not in names:
        bare = wanted = nameable(speaker)
        number = 1
        while wanted in names.values():
            number += 1
            wanted = f"{bare} {number}"
        names[speaker] = wanted
    return names[speaker]


def _said(message: Message, name: str) -> str:
    stamp = message.said_at.isoformat(sep=" ", timespec="milliseconds").removesuffix("+00:00")
    first, *more = message.text.split("\n")
    if first != first.strip():  # the first line is read without blanks at its ends, others are read as they are
        first, more = "", [first, *more]
    return "".join([f"[{stamp}] {name}: {first}".rstrip(" ") + "\n", *(f" {line}\n" for line in more)])
