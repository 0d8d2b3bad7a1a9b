"""What several people say, as a character reads it in a prompt: its own words as its own, everybody else's with their names before them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from chat.players import is_name
from chat.prompt_words import NARRATOR
from models.control_tokens import as_name
from personas.record import Character
from personas.unnamed_player import neutral
from storage.records import Message, Role


def heard(history: Sequence[Message], character: Character, *, player: str) -> list[Message]:
    """history: what the character witnessed, in whatever order. player: their name; empty where it is not known. Whose a message is stands in its text; its
    wording stays known by its id."""
    return [_heard(message, character, player) for message in history]


def overheard(history: Sequence[Message], character: Character, *, player: str) -> list[Message]:
    """The history of a conversation with one character, who heard a part of it: nobody said that part to anybody there."""
    return [_heard(message, character, player) if message.heard else message for message in history]


def _heard(message: Message, character: Character, player: str) -> Message:
    if message.role is Role.CHARACTER and message.speaker == character.name and not message.heard:
        return message
    if message.room is not None or not message.id:
        return replace(message, role=Role.USER)
    colon = "：" if character.language == "zh" else ": "
    if message.role is Role.NARRATOR:
        return _said(message, NARRATOR.get(character.language, NARRATOR["en"]) + colon)
    by_name = message.role is Role.CHARACTER or (message.heard and is_name(message.speaker))
    called = as_name(player) or neutral(character.language)
    speaker = (as_name(message.speaker) or message.speaker) if by_name else called[0].upper() + called[1:]
    return _said(message, speaker + colon)


def _said(message: Message, before: str) -> Message:
    return replace(message, role=Role.USER, revision=replace(message.revision, text=before + message.text))
