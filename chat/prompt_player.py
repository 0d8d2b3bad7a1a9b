"""What a player's persona says, in a prompt: told by the player, so it stands there from the start, and nothing of it is ever remembered."""

from __future__ import annotations

from dataclasses import replace

from chat.framing import quoted
from chat.prompt_words import PLAYER
from models.control_tokens import escape
from personas.macros import Macros

PLAYER_SHARE = 0.125
"""Largest share of the prompt that it may take; what is longer is cut with a mark."""


def told_of_player(description: str, macros: Macros) -> str:
    """With names filled in, as {{persona}} gives it."""
    return replace(macros, persona="").fill(description, place="persona").strip() if description.strip() else ""


def player_block(told: str, macros: Macros) -> str:
    """Under a heading that says whose it is; empty where nothing is told."""
    heading = PLAYER.get(macros.language, PLAYER["en"]).format(char=macros.char, user=macros.user)
    return escape(f"{heading}\n{quoted(told)}") if told else ""


def stands_in(told: str, card: str) -> bool:
    """Whether a card gives it by its macro."""
    return bool(told) and escape(quoted(told)) in card
