"""The author's note in a prompt: what a person tells the model beside the story, some messages above its end."""

from __future__ import annotations

from collections.abc import Sequence

from chat.framing import quoted
from chat.prompt_words import NOTE
from models.chat_model import ChatMessage
from personas.macros import Macros
from personas.record import Character
from storage.records import AuthorsNote


def note_text(macros: Macros, note: AuthorsNote) -> str:
    """Its words as they may be sent, with the macros filled in."""
    return quoted(macros.fill(note.text, place="note"))


def framed(text: str, character: Character, note: AuthorsNote) -> str:
    """Said to be the author's, where it stands inside of a message."""
    return text if note.role == "system" else NOTE.get(character.language, NOTE["en"]).format(text=text)


def with_note(
    told: Sequence[tuple[ChatMessage, str]], noted: str, *, depth: int, role: str = "user"
) -> tuple[list[tuple[ChatMessage, str]], str]:
    """The messages before the newest, each with its source, with a note among them so many messages above the end; and what of it stands above the newest message.

    As the player's it stands at the head of a message of theirs, that at its depth or the next below: many models take no two messages of one side in a row.
    """
    place = max(0, len(told) + 1 - depth)
    if role == "system":
        return [*told[:place], (ChatMessage("system", noted), ""), *told[place:]], ""
    for at, (message, source) in enumerate(told[place:], start=place):
        if message.role == "user":
            return [*told[:at], (ChatMessage("user", f"{noted}\n\n{message.content}"), source), *told[at + 1 :]], ""
    return list(told), noted
