"""What of a character's lorebook stands in a prompt: what always stands there with the card, what was called up above the newest message."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from chat.framing import quoted
from chat.prompt_words import LORE
from personas.cards.lorebook import Place
from personas.lorebook import Called, call_up, kept_within, lorebook_of
from personas.macros import Macros
from personas.record import Character
from storage.records import Message, Role

LORE_SHARE = 0.15
"""Largest share of the prompt that entries of a lorebook take, whatever budget the book states."""


@dataclass(frozen=True)
class LoreEntry:
    """An entry that was called up. text: as it stands in the prompt; empty where it found no room."""

    n: int
    name: str
    by: str
    through: int
    tokens: int
    text: str


@dataclass(frozen=True)
class Lore:
    before: str = ""
    """Above what the card says of its character."""
    after: str = ""
    """Below that."""
    block: str = ""
    """Above the newest message: it changes with what is said."""
    entries: tuple[LoreEntry, ...] = ()


def lore_of(character: Character, history: Sequence[Message], macros: Macros, *, room: int, count: Callable[[str], int]) -> Lore:
    """history: newest first; room: tokens of the whole prompt."""
    book = lorebook_of(character)
    if book is None:
        return Lore()
    said = [m for m in history if m.id and not m.hidden]
    called = call_up(
        book,
        [m.text for m in said],
        replies=sum(m.role is Role.CHARACTER for m in said),
        seed=macros.seed,
        fill=lambda key: macros.fill(key, place="key"),
    )
    texts = {one.n: _told(one, macros) for one in called}
    weights = {n: count(text) + 1 for n, text in texts.items()}
    tokens = int(room * LORE_SHARE)
    kept = kept_within(
        [one for one in called if texts[one.n]],
        tokens=tokens if book.token_budget is None else min(tokens, book.token_budget),
        weigh=lambda one: weights[one.n],
    )
    above = [one for one in kept if not one.by and one.place is Place.BEFORE_CHAR]
    below = [one for one in kept if not one.by and one.place is not Place.BEFORE_CHAR]
    fresh = [f"- {texts[one.n]}" for one in kept if one.by]
    there = {one.n for one in kept}
    return Lore(
        before="\n\n".join(texts[one.n] for one in above),
        after="\n\n".join(texts[one.n] for one in below),
        block="\n".join([LORE.get(character.language, LORE["en"]), *fresh]) if fresh else "",
        entries=tuple(
            LoreEntry(one.n, one.name, one.by, one.through, weights[one.n] - 1, texts[one.n] if one.n in there else "") for one in called
        ),
    )


def _told(one: Called, macros: Macros) -> str:
    """An entry as it stands in the prompt: without empty lines, which divide its parts."""
    text = quoted(macros.fill(one.entry.content, place=f"lore {one.n}"))
    return "\n".join(line for line in text.split("\n") if line.strip())
