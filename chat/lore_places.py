"""Entries of lorebooks within the conversation, at the depth and in the role they ask for."""

from __future__ import annotations

from collections.abc import Sequence

from chat.lore import Deep
from chat.prompt_note import with_note
from models.chat_model import ChatMessage

Told = list[tuple[ChatMessage, str]]
"""Messages of a prompt, each with its source."""


def with_lore(told: Sequence[tuple[ChatMessage, str]], deep: Sequence[Deep]) -> tuple[Told, list[str]]:
    """The messages before the newest with the entries among them; and what of those stands above the newest message.

    As the system's they are messages of their own, as the character's at the head of a message of the character's, else at the head of one of the player's.
    """
    messages, above = list(told), []
    for one in deep:
        if one.role == "assistant":
            messages, left = _as_character(messages, one)
        elif one.role == "system":
            messages, left = _as_system(messages, one)
        else:
            messages, left = with_note(messages, one.text, depth=one.depth)
        if left:
            above.append(left)
    return messages, above


def _as_character(messages: Told, one: Deep) -> tuple[Told, str]:
    """At its depth or the next below, else above; where the character said nothing yet, above the newest message."""
    place = max(0, len(messages) + 1 - one.depth)
    at = next(
        (n for n in [*range(place, len(messages)), *reversed(range(min(place, len(messages))))] if messages[n][0].role == "assistant"), None
    )
    if at is None:
        return messages, one.text
    message, source = messages[at]
    return [*messages[:at], (ChatMessage("assistant", f"{one.text}\n\n{message.content}"), source), *messages[at + 1 :]], ""


def _as_system(messages: Told, one: Deep) -> tuple[Told, str]:
    """Just above the newest message is where the newest message's own head begins: there it needs no message of its own."""
    return with_note(messages, one.text, depth=max(one.depth, 1), role="system")
