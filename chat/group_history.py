"""What several people say, as a character reads it in a prompt: its own words as its own, everybody else's with their names before them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memory.persona import PLAYER, UNNAMED
from models.control_tokens import as_name
from personas.record import Character
from storage.records import Chat, Message, Role


def player_in(chat: Chat, language: str) -> str:
    """How the player is called beside several characters."""
    unnamed = chat.user_name.strip().casefold() in UNNAMED
    return PLAYER.get(language, PLAYER["en"]) if unnamed else as_name(chat.user_name) or PLAYER.get(language, PLAYER["en"])


def heard(history: Sequence[Message], chat: Chat, character: Character) -> list[Message]:
    """history: what the character witnessed, in whatever order. Whose a message is stands in its text; its wording stays known by its id."""
    return [_heard(message, chat, character) for message in history]


def overheard(history: Sequence[Message], chat: Chat, character: Character) -> list[Message]:
    """The history of a conversation with one character, who heard a part of it: nobody said that part to anybody there."""
    return [_heard(message, chat, character) if message.heard else message for message in history]


def _heard(message: Message, chat: Chat, character: Character) -> Message:
    if message.role is Role.CHARACTER and message.speaker == character.name and not message.heard:
        return message
    if message.room is not None or not message.id:
        return replace(message, role=Role.USER)
    by_name = message.role is Role.CHARACTER or (message.heard and message.speaker.strip().casefold() not in UNNAMED)
    speaker = (as_name(message.speaker) or message.speaker) if by_name else player_in(chat, character.language)
    colon = "：" if character.language == "zh" else ": "
    return replace(message, role=Role.USER, revision=replace(message.revision, text=f"{speaker}{colon}{message.text}"))
