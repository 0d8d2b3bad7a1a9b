"""What of a card stands in a prompt, and where: macros filled, and quoted like every text that is not the program's own."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from chat.framing import quoted
from chat.lore import Lore
from chat.prompt_words import CARD_NOTE, ENDING, EXAMPLES
from models.control_tokens import escape
from personas.macros import Macros
from personas.record import Character
from personas.unnamed_player import Read

EXAMPLES_SHARE = 0.25
"""Largest share of the prompt that examples of how a character talks take."""
HISTORY_SHARE = 0.5
"""Of the room for history; once so much was said, the character talks by that, and the examples leave together: one change of the prompt's beginning."""
CARD_NOTES_SHARE = 0.125
"""Largest share of the prompt that instructions at the end, and the note within the conversation, take each."""
_START = re.compile(r"^[ \t]*<START>[ \t]*$", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True)
class CardTexts:
    standing: str
    """At the beginning of every prompt."""
    examples: tuple[str, ...]
    """Talks, each whole, in the card's order."""
    note: str
    """`depth` messages above the end; empty if there is none."""
    depth: int
    ending: str
    """Just above the newest message; empty if there is none."""


def card_texts(character: Character, macros: Macros, lore: Lore, *, frame: str, brief: bool) -> CardTexts:
    """frame: the program's own words, which the card's system prompt takes the place of, or takes in as {{original}}; brief: for a small window, in which
    instructions at the end stand with the rest (a small model takes them for the player's words) and examples nowhere."""
    language = character.language

    def told(text: str, place: str, original: str | None = None, read: Read = Read.TOLD) -> str:
        return quoted(macros.fill(text, place=place, original=original, read=read).strip()) if text.strip() else ""

    ending = told(character.post_history_instructions, "post_history_instructions", "")
    parts = (
        told(character.system_prompt, "system_prompt", frame) or frame,
        lore.before,
        told(character.description, "description"),
        told(character.personality, "personality"),
        told(character.scenario, "scenario"),
        lore.after,
        ending if brief else "",
    )
    talks = (
        ()
        if brief
        else tuple(told(talk, f"mes_example {n}", read=Read.SAID) for n, talk in enumerate(_START.split(character.example_dialogue)))
    )
    note = told(character.note.text, "depth_prompt") if character.note is not None else ""
    return CardTexts(
        standing=escape("\n\n".join(part for part in parts if part)),
        examples=tuple(talk for talk in talks if talk),
        note=f"{_headed(CARD_NOTE, language, macros.char)}\n{note}" if note else "",
        depth=character.note.depth if character.note is not None else 0,
        ending="" if brief or not ending else f"{_headed(ENDING, language, macros.char)}\n{ending}",
    )


def examples_block(texts: CardTexts, *, language: str, char: str, tokens: int, count: Callable[[str], int]) -> tuple[str, int]:
    """As many of the talks as fit, under a heading; and how many those are. Empty where none fits."""
    heading = _headed(EXAMPLES, language, char)
    left, taken = tokens - count(heading), []
    for talk in texts.examples:
        left -= count(talk) + 2
        if left < 0:
            break
        taken.append(talk)
    return "\n\n".join((heading, *taken)) if taken else "", len(taken)


def _headed(words: dict[str, str], language: str, char: str) -> str:
    return words.get(language, words["en"]).format(char=char)
